import CWlroots
import Callers
import Geometry
import Glibc
import LifeService
import Logging
import Multitasking
import Seat
import Stage
import Windows

/// wlroots, as the shell sees it. Reports the acts of clients and devices as events, and carries out requests. It decides nothing.
///
/// Confined to the thread that made it. Everything happens inside `dispatch`.
public final class Compositor {
    public struct Options: Sendable {
        public var backend = Backend.auto
        /// The size of a headless or nested screen, in pixels.
        public var size = Size(1180, 820)
        /// Pixels per point.
        public var scale = 1.0
        /// The name of the Wayland socket. nil takes the first free one.
        public var socket: String?
        /// That socket, already bound and listening. wlroots owns it from then on.
        public var socketFile: Int32?
        public var xwayland = true
        /// Draws through wlroots' renderer even where pixman could draw directly.
        public var drawsThroughRenderer = false
        /// Whether to check the messages to clients against the laws (P-05).
        public var checksWire = false
        public var logLevel: Int32 = 1

        public init() {}
    }

    /// Receives events. Their effects are carried out before the call returns, unless the call is nested in another
    /// one. Returns true if the event was a key that no client may get.
    public typealias Sink = (Event, Moment?) -> Bool

    public private(set) var server: OpaquePointer!
    public internal(set) var output: OpaquePointer?
    /// The protocols implemented in Swift. Set from the creation of the display until all clients are gone.
    var protocols: Protocols?
    /// Whether keyboards switch the kernel's consoles.
    public var switchesConsoles = true
    /// Set while the session runs, unless X11 programs cannot run.
    var xwayland: Xwayland?
    /// Set from the creation of layer-shell until all clients are gone.
    var panels: Panels?
    private(set) lazy var silence = Silence(self)
    /// Set from the creation of xdg-shell until all clients are gone.
    var popups: Popups?
    var activation: Activation?
    /// The seat. Set from its creation until all clients are gone.
    var routing: InputRouting?
    var pips: PipWindows?
    /// Set while the server exists, in shells that check themselves.
    private(set) var wire: WireWatch?
    /// True while the shell creates its own client.
    var isMakingOwnClient = false
    /// Per-client counts. Set while clients may exist.
    var counts: ClientCounts?
    /// Watches the programs that share the screen. It is there while clients may exist.
    var captures: CaptureWatch?
    /// The process of the shell's own remote view; 0: none.
    public var ownViewer: Int32 = 0
    var decorations: Decorations?
    var windows: [WindowID: OpaquePointer] = [:]
    var ids: [OpaquePointer: WindowID] = [:]
    var sink: Sink = { _, _ in false }
    /// A window was mapped in this turn of the event loop. Windows mapped later in the turn are reported together at
    /// its end.
    var hasMapped = false
    var mappedTogether: [MappedWindow] = []
    /// Called when the screen wants a new frame.
    public var onFrame: (Moment) -> Void = { _ in }
    public var onKeymap: () -> Void = {}
    public var onX11Display: (String) -> Void = { _ in }
    public var palette = Palette() { didSet { isListed = false } }
    /// Returns a process and its ancestors, nearest first. The compositor itself does not read /proc.
    public var lineage: (Int32) -> [Int32] = { $0 > 0 ? [$0] : [] }
    /// Whether programs of a user (uid) may connect.
    public var mayConnect: (UInt32) -> Bool = { _ in false }
    /// A client connected. The second value is its process id, or 0 if unknown.
    public var onClient: (UInt64, Int32) -> Void = { _, _ in }
    /// A client connected through a security context.
    public var onSandbox: (UInt64, Identity.Evidence.Context) -> Void = { _, _ in }
    /// The identity of a client's process; nil: it runs outside any sandbox. X11 programs share one client.
    public var sandbox: (_ client: UInt64, _ process: Int32, _ isX11: Bool) -> Identity? = { _, _, _ in nil }
    /// Returns the owner whose quotas a client uses (P-06). `process`: 0 if unknown.
    public var clientOwner: (_ client: UInt64, _ process: Int32) -> Owner = { _, _ in .user }
    public var onClientGone: (UInt64) -> Void = { _ in }
    /// A client wants the content that this owner of a selection or a drag offers.
    public var onOwnerAsked: (SelectionOwner) -> Void = { _ in }
    /// Whether the owner of a selection or a drag has to run before wlroots asks it for content. Requests for the content wait for
    /// `handOver()`.
    public var mustRunFirst: (SelectionOwner) -> Bool = { _ in false }
    /// The point where clients are offered the content that an app drags over a point of the screen, unless a panel is there; nil:
    /// nowhere.
    public var dropPoint: (Point) -> Point? = { _ in nil }
    /// A client says where the menus of a window are; nil: nowhere any more.
    public var onMenuSource: (WindowID, MenuSource?) -> Void = { _, _ in }
    /// Whether a client has a privilege. Client 0 stands for an unknown client.
    public var mayUse: (UInt64, Privilege) -> Bool = { _, _ in false }
    /// Keeps the state of apps, and their tasks.
    public weak var lifeHost: (any LifeHost)?
    /// Whether the screen shows the drawn frames, as last reported.
    var isSeen = true
    /// Keeps the names that toolkits give their windows.
    public weak var sessionKeeper: (any ToolkitSessionKeeper)?

    public func bringBack(_ sessions: [ToolkitSession]) { protocols?.sessions.bringBack(sessions) }
    /// The lineage of each client at the time of its first window. Reading /proc again for each of many windows takes
    /// too long.
    var lineages: [UInt64: (process: Int32, lineage: [Int32], sandbox: Identity?)] = [:]
    let log: Logger
    let options: Options
    private var itemBuffer: [mw_item] = []
    /// The dots of windows in the current list, and the bars of sheets.
    private var dots = MeasuredFills(), bars = MeasuredFills()
    /// `itemBuffer` holds the list rendered last, and all of its pictures were painted.
    private var isListed = false
    /// The list leaves out items under this window. It is valid only while the window is opaque.
    private var cover: OpaquePointer?
    let images = Images()
    /// The picture under glass; nil until a view opens.
    public private(set) var ground: Ground?
    /// Paints the shell's own pictures. Parameters: the art, its size in points, pixels per point, and whether the
    /// picture must be ready when the call returns, however long that takes.
    public var paint: (Art, Size, Double, Bool) -> Painted {
        get { images.paint }
        set { images.paint = newValue }
    }

    /// The compositor of a server. Also works while the compositor is being made or freed.
    static func of(_ server: OpaquePointer?) -> Compositor {
        // The pointer was made from the compositor that owns the server, which it outlives.
        Unmanaged<Compositor>.fromOpaque(mw_server_user(server)).takeUnretainedValue()
    }

    /// Creates the server. No client can connect yet.
    public init(_ options: Options, log: Logger, sink: @escaping Sink) throws(CompositorError) {
        self.log = log
        self.options = options
        self.sink = sink
        var handlers = Compositor.handlers()
        handlers.user = Unmanaged.passUnretained(self).toOpaque()
        var raw = mw_options()
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let backend = options.backend.chosen(variable, hasScreenDevice: { Compositor.hasScreenDevice })
        if let objection = backend.objection(variable) { throw CompositorError(objection) }
        raw.backend = backend.raw
        raw.width = Int32(clamping: options.size.width.rounded())
        raw.height = Int32(clamping: options.size.height.rounded())
        raw.scale = options.scale
        raw.refresh_mhz = 60000
        raw.xwayland = options.xwayland
        raw.wlr_draw_path = options.drawsThroughRenderer
        raw.log_level = options.logLevel
        raw.socket_file = options.socketFile ?? 0
        raw.pace = Compositor.pace
        var text = [CChar](repeating: 0, count: 512)
        let made: OpaquePointer? =
            if let socket = options.socket {
                socket.withCString { name in
                    raw.socket = name
                    return mw_server_create(&raw, &handlers, &text, text.count)
                }
            } else {
                mw_server_create(&raw, &handlers, &text, text.count)
            }
        guard let made else { throw CompositorError(string(text)) }
        server = made
        if options.checksWire { wire = WireWatch(self) }
    }

    /// Opens the socket and starts the backend.
    public func start() throws(CompositorError) {
        var text = [CChar](repeating: 0, count: 512)
        guard mw_server_start(server, &text, text.count) else { throw CompositorError(string(text)) }
        guard options.xwayland else { return }
        xwayland = Xwayland(self)
        guard xwayland == nil else { return }
        log.warning("Xwayland could not be started: X11 programs will not run")
        onX11Display("")
    }

    /// Compiles the keymap. Call once after `start` and before any window exists; clients may already have connected.
    public func makeKeymap() throws(CompositorError) {
        guard routing?.keyboards.makeKeymap() ?? false else {
            throw CompositorError("the keymap cannot be compiled: is xkb-data installed?")
        }
    }

    /// Disconnects every client and frees everything. Do not use the object afterwards.
    public func stop() {
        guard server != nil else { return }
        isListed = false
        images.forget()
        wire = nil
        mw_server_destroy(server)
        server = nil
        output = nil
        windows.removeAll()
        ids.removeAll()
    }

    // MARK: At rest

    /// Moves large pictures of the shell into a file in the first of `folders` that is writable, one piece per call.
    /// - Returns: whether there may be more to do.
    public func storePictures(in folders: [String]) -> Bool {
        guard let folder = folders.first(where: { access($0, W_OK) == 0 }) else { return false }
        return mw_images_store(server, folder)
    }

    /// Bytes of pictures that are stored in a file. The kernel can reclaim this memory at any time.
    public var storedBytes: Int { Int(mw_images_stored(server)) }

    /// Drops pages that can be read again from the page tables: pictures in files, and buffers of clients.
    public func rest() { mw_rest(server) }

    deinit { stop() }

    // MARK: Identity

    public var socket: String { String(cString: mw_server_socket(server)) }
    public var x11Display: String? { xwayland?.displayName }

    /// The Xauthority file with the cookie that lets programs connect to X11.
    public var x11Authority: String? { xwayland?.authority }
    public var backendName: String { String(cString: mw_server_backend_name(server)) }
    public var rendererName: String { String(cString: mw_server_renderer_name(server)) }
    /// "HEADLESS-1", "eDP-1"; empty while there is no output.
    public var outputName: String {
        guard let output else { return "" }
        var info = mw_output_info()
        mw_output_info(output, &info)
        return String(cString: info.name)
    }
    public static var wlrootsVersion: String { String(cString: mw_wlroots_version()) }

    /// The descriptor of the event loop.
    public var loopDescriptor: Int32 { mw_server_loop_fd(server) }

    /// The sockets of all clients.
    public var clientDescriptors: [Int32] {
        let capacity = mw_client_descriptors(server, nil, 0)
        return [Int32](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = min(mw_client_descriptors(server, buffer.baseAddress, capacity), capacity)
        }
    }

    /// Reserves numbers that no window gets. Returns the first one.
    public func reserveNumbers(_ count: Int) -> WindowID { WindowID(mw_reserve_window_ids(server, UInt32(clamping: count))) }

    /// The number of bytes in the fullest connection of these processes: sent, but not yet read.
    public func mostUnread(by processes: Set<Int32>) -> Int { protocols?.clients.mostUnread(by: processes) ?? 0 }

    public var statistics: mw_statistics {
        var out = mw_statistics()
        mw_server_statistics(server, &out)
        return out
    }

    public static func now() -> Moment { Moment(nanoseconds: mw_now()) }

    /// The `wl_display`.
    public var display: OpaquePointer { mw_server_display(server) }

    /// The window that this `wlr_surface` belongs to.
    public func window(of surface: OpaquePointer) -> WindowID? {
        mw_window_of(server, UnsafeMutablePointer(surface)).flatMap { ids[$0] }
    }

    public func token(for launch: LaunchID) -> String? { activation?.token(for: launch.raw) }

    /// An activation token that stands for the current act of a person.
    public func tokenOfPerson() -> String? { activation?.tokenOfPerson() }

    public func configureLog(of id: WindowID) -> String? {
        guard let window = windows[id] else { return nil }
        let size = mw_window_configure_log(window, nil, 0)
        var text = [CChar](repeating: 0, count: size + 1)
        _ = mw_window_configure_log(window, &text, text.count)
        return string(text)
    }

    // MARK: Loop

    /// Tells the input method whether a text field of the shell has the focus.
    func setTextEntry(_ active: Bool) { InputRouting.of(server: server)?.text?.setShellEntry(active) }

    /// Waits for events for at most `milliseconds` (-1: without limit), and handles them.
    public func dispatch(milliseconds: Int32 = -1) {
        xwayland?.turnBegins()
        mw_server_dispatch(server, milliseconds)
        reportMapped()
        hasMapped = false
    }

    /// Sends pending events to the clients.
    public func flush() { mw_server_flush(server) }

    // MARK: Drawing

    public func scheduleFrame() {
        if let output { mw_output_schedule(output) }
    }

    /// Schedules a frame of the first screen, whether or not the shell shows it.
    func scheduleFirstFrame() {
        if let first = mw_server_first_output(server), let output = mw_output_of(server, first) { mw_output_schedule(output) }
    }

    /// Whether a screen exists and its power is on. Without one, no frames are requested.
    public var isLit: Bool { output.map { mw_output_is_on($0) } ?? false }

    /// Renders the items. Returns true if anything was painted.
    @discardableResult
    public func render(_ items: [Item], at when: Moment) -> Bool {
        guard let output else { return false }
        convert(items, for: output, patient: false)
        isListed = !isBehind
        defer { if images.isBehind { mw_output_schedule(output) } }
        return draw(on: output, at: when)
    }

    /// Repaints the changes of apps, if the last list is still current. This is the fast path for an app that draws all
    /// the time: building the list is the most expensive part of a frame. Returns nil if a new list is needed.
    public func renderAgain(at when: Moment) -> Bool? {
        guard let output, isListed, cover.map({ mw_window_is_opaque($0) }) ?? true else { return nil }
        return draw(on: output, at: when)
    }

    /// Invalidates the list, because something that it may name is about to go away.
    func forgetList() { isListed = false }

    private func draw(on output: OpaquePointer, at when: Moment) -> Bool {
        let isPainted = itemBuffer.withUnsafeBufferPointer { mw_output_render(output, $0.baseAddress, $0.count, when.nanoseconds) }
        guard isPainted else { return false }
        let ofDots = dots.news(of: output), ofBars = bars.news(of: output)
        for (window, brightness) in ofDots { emit(.dotsGround(window, brightness: brightness)) }
        for (window, brightness) in ofBars { emit(.barGround(window, brightness: brightness)) }
        return true
    }

    /// Whether some of the shell's own pictures are still to be painted.
    public var isBehind: Bool { images.isBehind || images.isWaiting }

    /// Bytes of the shell's own pictures.
    public var pictureBytes: Int { images.bytes }

    /// Makes the next frame paint everything, for example after colours, the language or icons changed.
    public func repaintAll() {
        isListed = false
        images.forget()
        if let output {
            mw_output_damage_all(output)
            mw_output_schedule(output)
        }
    }

    /// Paints the screen afresh and returns the pixels: ARGB, premultiplied.
    public func capture(_ items: [Item]) -> (pixels: [UInt8], width: Int, height: Int)? {
        guard let output else { return nil }
        var info = mw_output_info()
        mw_output_info(output, &info)
        let width = Int(info.width), height = Int(info.height)
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        isListed = false
        convert(items, for: output, patient: true)
        let isDone = itemBuffer.withUnsafeBufferPointer { buffer in
            mw_output_capture(output, buffer.baseAddress, buffer.count, &pixels, info.width, info.height, info.width * 4)
        }
        return isDone ? (pixels, width, height) : nil
    }

    /// A window's own picture, unscaled.
    public func capture(_ id: WindowID) -> (pixels: [UInt8], width: Int, height: Int)? {
        guard let window = windows[id] else { return nil }
        var width: Int32 = 0, height: Int32 = 0
        guard mw_window_capture_size(window, &width, &height), width > 0, height > 0 else { return nil }
        var pixels = [UInt8](repeating: 0, count: Int(width) * Int(height) * 4)
        guard mw_window_capture(window, &pixels, width, height, width * 4) else { return nil }
        return (pixels, Int(width), Int(height))
    }

    /// The window that covers `item` completely, so that the item need not be painted yet. An app that starts
    /// together with the shell should not wait for the shell's pictures.
    private func window(covering item: Item, in items: [Item]) -> OpaquePointer? {
        for other in items {
            guard case .window(let id) = other.kind, other.opacity >= 1, other.radius == 0, other.frame.contains(item.frame),
                other.clip.map({ $0.contains(item.frame) }) ?? true, let window = windows[id], mw_window_is_opaque(window)
            else { continue }
            return window
        }
        return nil
    }

    /// Glass shows the items below its first piece: all that are listed so far.
    private func takeGround(_ opening: Int, for output: OpaquePointer, _ info: mw_output_info) {
        guard ground?.opening != opening || ground?.isOf(info) != true else { return }
        images.forgetGrounds()
        ground = itemBuffer.withUnsafeBufferPointer { Ground(opening, $0, output, info) }
    }

    private func convert(_ items: [Item], for output: OpaquePointer, patient: Bool) {
        var info = mw_output_info()
        mw_output_info(output, &info)
        images.begin(patient: patient)
        defer { images.end() }
        itemBuffer.removeAll(keepingCapacity: true)
        dots.removeAll()
        bars.removeAll()
        cover = nil
        for item in items {
            var raw = mw_item()
            raw.key = item.key.number
            raw.x = item.frame.x
            raw.y = item.frame.y
            raw.width = item.frame.width
            raw.height = item.frame.height
            raw.radius = item.radius
            raw.opacity = Float(item.opacity)
            raw.feather = item.feather
            if let clip = item.clip {
                raw.clipped = true
                raw.clip_x = clip.x
                raw.clip_y = clip.y
                raw.clip_width = clip.width
                raw.clip_height = clip.height
            }
            switch item.kind {
            case .fill(let paint):
                raw.kind = Int32(MW_ITEM_FILL.rawValue)
                raw.color = palette[paint]
                if item.key.part == .grip, let window = item.key.window {
                    raw.measured = true
                    dots.add(raw.key, window, isKnown: paint != .dots)
                } else if [.sheetRule, .popoverRule].contains(item.key.part), let window = item.key.window {
                    raw.measured = true
                    bars.add(raw.key, window, isKnown: paint != .separator)
                }
            case .window(let id):
                if let window = windows[id] {
                    raw.kind = Int32(MW_ITEM_WINDOW.rawValue)
                    raw.window = window
                } else if let image = images.image(.placeholder(id), .zero, scale: 1, server: server) {
                    raw.kind = Int32(MW_ITEM_IMAGE.rawValue)
                    raw.image = image
                } else if images.isWaiting || images.isBehind {
                    // Its picture is still being read. Until then nothing shines through.
                    raw.kind = Int32(MW_ITEM_FILL.rawValue)
                    raw.color = palette[.card]
                } else {
                    continue
                }
            case .popups(let id):
                guard let window = windows[id] else { continue }
                raw.kind = Int32(MW_ITEM_POPUPS.rawValue)
                raw.window = window
            case .layer(let layer):
                raw.kind = Int32(MW_ITEM_LAYER.rawValue)
                raw.layer = Int32(layer)
            case .shadow(let blur):
                raw.kind = Int32(MW_ITEM_SHADOW.rawValue)
                raw.blur = blur
                raw.color = (0, 0, 0, 1)
            case .art(let art, let size):
                if let opening = art.opening { takeGround(opening, for: output, info) }
                if art.glassPaint == nil { raw.radius = 0 }
                if art == .wallpaper, let color = palette.wallpaper {
                    raw.kind = Int32(MW_ITEM_FILL.rawValue)
                    raw.color = color
                } else if art == .wallpaper, !patient, !images.has(art, size, scale: info.scale * item.detail),
                    let window = window(covering: item, in: items)
                {
                    cover = window
                    continue
                } else if let image = images.image(art, size, scale: info.scale * item.detail, server: server) {
                    raw.kind = Int32(MW_ITEM_IMAGE.rawValue)
                    raw.image = image
                } else if let paint = art.glassPaint, let clip = item.clip {
                    // The glass follows in the next frame. Text on it would be unreadable without a ground.
                    raw.kind = Int32(MW_ITEM_FILL.rawValue)
                    raw.color = palette[paint]
                    raw.clipped = false
                    (raw.x, raw.y, raw.width, raw.height) = (clip.x, clip.y, clip.width, clip.height)
                } else {
                    continue
                }
            case .lock: raw.kind = Int32(MW_ITEM_LOCK.rawValue)
            case .dragIcon:
                raw.kind = Int32(MW_ITEM_DRAG_ICON.rawValue)
            }
            itemBuffer.append(raw)
        }
    }
}
