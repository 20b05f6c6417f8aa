import CWlroots
import Geometry
import Glibc
import Logging
import Multitasking
import Seat
import Stage
import Windows

/// wlroots, as the shell sees it: what clients and devices do comes up as events, effects go down as requests.
/// It decides nothing.
///
/// Confined to the thread that made it; everything happens inside `dispatch`.
public final class Compositor {
    public struct Options: Sendable {
        public enum Backend: String, Sendable, CaseIterable {
            case auto, headless, wayland, x11, drm

            var raw: Int32 {
                switch self {
                case .auto: Int32(MW_BACKEND_AUTO.rawValue)
                case .headless: Int32(MW_BACKEND_HEADLESS.rawValue)
                case .wayland: Int32(MW_BACKEND_WAYLAND.rawValue)
                case .x11: Int32(MW_BACKEND_X11.rawValue)
                case .drm: Int32(MW_BACKEND_DRM.rawValue)
                }
            }
        }

        public var backend = Backend.auto
        /// Of a headless or nested screen, in pixels.
        public var size = Size(1180, 820)
        /// Pixels per point.
        public var scale = 1.0
        /// Of the Wayland socket; nil takes the first free one.
        public var socket: String?
        public var xwayland = true
        /// Draw through wlroots' renderer also where pixman could do it directly.
        public var drawsThroughRenderer = false
        public var logLevel: Int32 = 1

        public init() {}
    }

    /// Where events go. What they cause is carried out before the call returns, unless it came from within another.
    /// Returns true if the event was a key that no client may get.
    public typealias Sink = (Event, Moment?) -> Bool

    public private(set) var server: OpaquePointer!
    public internal(set) var output: OpaquePointer?
    /// What is served in Swift, from when the display is there until all clients are gone.
    var protocols: Protocols?
    /// While the session runs, unless X11 programs cannot run.
    var xwayland: Xwayland?
    /// From when layer-shell is there until all clients are gone.
    var panels: Panels?
    /// From when xdg-shell is there until all clients are gone.
    var popups: Popups?
    var activation: Activation?
    /// The seat, from when it is there until all clients are gone.
    var routing: InputRouting?
    var pips: PipWindows?
    /// The client that is made now is the shell's own.
    var isMakingOwnClient = false
    /// What each client has, while there are any.
    var counts: ClientCounts?
    var decorations: Decorations?
    var windows: [WindowID: OpaquePointer] = [:]
    var ids: [OpaquePointer: WindowID] = [:]
    var sink: Sink = { _, _ in false }
    /// A window was mapped in this turn of the loop, and those after it wait for the turn's end.
    var hasMapped = false
    var mappedTogether: [MappedWindow] = []
    /// Asked when the screen wants a picture.
    public var onFrame: (Moment) -> Void = { _ in }
    public var onX11Display: (String) -> Void = { _ in }
    public var palette = Palette() { didSet { isListed = false } }
    /// The process and its ancestors, nearest first; the compositor itself reads no /proc.
    public var lineage: (Int32) -> [Int32] = { $0 > 0 ? [$0] : [] }
    /// Whether programs of a user may connect.
    public var mayConnect: (UInt32) -> Bool = { _ in false }
    /// A client connected, with the number of its process (0: not known).
    public var onClient: (UInt64, Int32) -> Void = { _, _ in }
    /// It came through a security context: engine and app.
    public var onSandbox: (UInt64, String, String) -> Void = { _, _, _ in }
    public var onClientGone: (UInt64) -> Void = { _ in }
    /// Whether a client has a privilege; 0 is one that nothing is known of.
    public var mayUse: (UInt64, Privilege) -> Bool = { _, _ in false }
    /// Of each client, as it was when its first window came: reading it anew for each of many takes longer than all else.
    var lineages: [UInt64: (process: Int32, lineage: [Int32])] = [:]
    let log: Logger
    let options: Options
    private var itemBuffer: [mw_item] = []
    /// Windows whose dots are in it, and what was told of the ground of each.
    private var dots: [(key: UInt64, window: WindowID, isKnown: Bool)] = []
    private var told: [WindowID: Int32] = [:]
    /// `itemBuffer` is the last list that was rendered, with every picture in it.
    private var isListed = false
    /// It leaves out what lies under this window, which has to stay opaque for that.
    private var cover: OpaquePointer?
    private let images = Images()
    /// Paints the shell's own pictures: art, size in points, pixels per point, and whether it has to be there at once,
    /// however long that takes.
    public var paint: (Art, Size, Double, Bool) -> Painted {
        get { images.paint }
        set { images.paint = newValue }
    }

    /// The compositor of a server, also while it is being made or freed.
    static func of(_ server: OpaquePointer?) -> Compositor {
        // The pointer was made from the compositor that owns the server, which it outlives.
        Unmanaged<Compositor>.fromOpaque(mw_server_user(server)).takeUnretainedValue()
    }

    /// Makes the server; nothing runs yet.
    public init(_ options: Options, log: Logger, sink: @escaping Sink) throws(CompositorError) {
        self.log = log
        self.options = options
        self.sink = sink
        var handlers = Compositor.handlers()
        handlers.user = Unmanaged.passUnretained(self).toOpaque()
        mw_stalled_hold(Int32(ClientLimits.heldConfigures))
        var raw = mw_options()
        raw.backend = options.backend.raw
        raw.width = Int32(options.size.width.rounded())
        raw.height = Int32(options.size.height.rounded())
        raw.scale = options.scale
        raw.refresh_mhz = 60000
        raw.xwayland = options.xwayland
        raw.wlr_draw_path = options.drawsThroughRenderer
        raw.log_level = options.logLevel
        var text = [CChar](repeating: 0, count: 512)
        let made: OpaquePointer? = if let socket = options.socket {
            socket.withCString { name in
                raw.socket = name
                return mw_server_create(&raw, &handlers, &text, text.count)
            }
        } else {
            mw_server_create(&raw, &handlers, &text, text.count)
        }
        guard let made else { throw CompositorError(string(text)) }
        server = made
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

    /// To be called once after `start`, and before any window is there; clients may have been heard and answered.
    public func makeKeymap() throws(CompositorError) {
        guard routing?.keyboards.makeKeymap() ?? false else { throw CompositorError("no xkb keymap can be made: are xkb-data's files installed?") }
    }

    /// Ends every client and frees everything. The object is of no more use.
    public func stop() {
        guard server != nil else { return }
        isListed = false
        images.forget()
        mw_server_destroy(server)
        server = nil
        output = nil
        windows.removeAll()
        ids.removeAll()
    }

    // MARK: At rest

    /// Puts large pictures of the shell's own into a file in the first of `folders` where that can be, a piece at each
    /// call. - Returns: whether there may be more to do.
    public func storePictures(in folders: [String]) -> Bool {
        guard let folder = folders.first(where: { access($0, W_OK) == 0 }) else { return false }
        return mw_images_store(server, folder)
    }

    /// Bytes of pictures that lie in a file: the kernel can have that memory back when it needs it.
    public var storedBytes: Int { Int(mw_images_stored(server)) }

    /// What can be found again leaves the page tables: pictures in files, and clients' buffers, which are theirs.
    public func rest() { mw_rest(server) }

    deinit { stop() }

    // MARK: What it is

    public var socket: String { String(cString: mw_server_socket(server)) }
    public var x11Display: String? { xwayland?.displayName }

    /// The file with the cookie that lets programs in there.
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

    /// Of the event loop itself.
    public var loopDescriptor: Int32 { mw_server_loop_fd(server) }

    /// The sockets of all clients.
    public var clientDescriptors: [Int32] {
        let capacity = mw_client_descriptors(server, nil, 0)
        return [Int32](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = min(mw_client_descriptors(server, buffer.baseAddress, capacity), capacity)
        }
    }

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

    public func configureLog(of id: WindowID) -> String? {
        guard let window = windows[id] else { return nil }
        let size = mw_window_configure_log(window, nil, 0)
        var text = [CChar](repeating: 0, count: size + 1)
        _ = mw_window_configure_log(window, &text, text.count)
        return string(text)
    }

    // MARK: Loop

    /// The shell's own field wants text: the input method is told.
    func setTextEntry(_ active: Bool) { InputRouting.of(server: server)?.text?.setShellEntry(active) }

    /// Waits for something to happen, at most `milliseconds` (-1: as long as it takes), and handles it.
    public func dispatch(milliseconds: Int32 = -1) {
        xwayland?.turnBegins()
        mw_server_dispatch(server, milliseconds)
        reportMapped()
        hasMapped = false
    }

    /// What clients are told goes out now.
    public func flush() { mw_server_flush(server) }

    // MARK: Drawing

    public func scheduleFrame() {
        if let output { mw_output_schedule(output) }
    }

    /// Of the first screen, whether or not the shell shows it.
    func scheduleFirstFrame() {
        if let first = mw_server_first_output(server), let output = mw_output_of(server, first) { mw_output_schedule(output) }
    }

    /// The screen is there and its power is on; otherwise no frames are asked for.
    public var isLit: Bool { output.map { mw_output_is_on($0) } ?? false }

    /// Paints what changed. True if anything was painted.
    @discardableResult
    public func render(_ items: [Item], at when: Moment) -> Bool {
        guard let output else { return false }
        convert(items, for: output, patient: false)
        isListed = !isBehind
        defer { if images.isBehind { mw_output_schedule(output) } }
        return draw(on: output, at: when)
    }

    /// Paints what apps changed since, where the last list is still what is to be seen: nothing else takes as long in a
    /// frame of an app that draws all the time. nil: everything has to be listed anew.
    public func renderAgain(at when: Moment) -> Bool? {
        guard let output, isListed, cover.map({ mw_window_is_opaque($0) }) ?? true else { return nil }
        return draw(on: output, at: when)
    }

    /// Something that a list may name goes.
    func forgetList() { isListed = false }

    private func draw(on output: OpaquePointer, at when: Moment) -> Bool {
        let isPainted = itemBuffer.withUnsafeBufferPointer { mw_output_render(output, $0.baseAddress, $0.count, when.nanoseconds) }
        if isPainted, !dots.isEmpty { tellGrounds(of: output) }
        return isPainted
    }

    /// How bright it is beside the dots of windows, where that is clearly other than it was told last.
    private func tellGrounds(of output: OpaquePointer) {
        for (key, window, isKnown) in dots {
            let brightness = mw_output_beside(output, key)
            guard brightness >= 0 else { continue }
            if isKnown, let before = told[window], abs(before - brightness) < 16 { continue }
            told[window] = brightness
            emit(.dotsGround(window, brightness: Double(brightness) / 255))
        }
        if told.count > 2 * dots.count + 16 { told = told.filter { known in dots.contains { $0.window == known.key } } }
    }

    /// Some of the shell's own pictures are still to be painted.
    public var isBehind: Bool { images.isBehind || images.isWaiting }

    /// Bytes of the shell's own pictures.
    public var pictureBytes: Int { images.bytes }

    /// Makes the next frame paint everything (colours, language or icons changed).
    public func repaintAll() {
        isListed = false
        images.forget()
        if let output {
            mw_output_damage_all(output)
            mw_output_schedule(output)
        }
    }

    /// The screen's picture painted afresh: ARGB, premultiplied, in pixels.
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

    /// A window lies over all of it, so that it need not be painted yet: what an app that comes up with the shell waits
    /// for is its own window.
    private func window(covering item: Item, in items: [Item]) -> OpaquePointer? {
        for other in items {
            guard case .window(let id) = other.kind, other.opacity >= 1, other.radius == 0, other.frame.contains(item.frame),
                other.clip.map({ $0.contains(item.frame) }) ?? true, let window = windows[id], mw_window_is_opaque(window)
            else { continue }
            return window
        }
        return nil
    }

    private func convert(_ items: [Item], for output: OpaquePointer, patient: Bool) {
        var info = mw_output_info()
        mw_output_info(output, &info)
        images.begin(patient: patient)
        defer { images.end() }
        itemBuffer.removeAll(keepingCapacity: true)
        dots.removeAll(keepingCapacity: true)
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
                    dots.append((raw.key, window, isKnown: paint != .dots))
                }
            case .window(let id):
                guard let window = windows[id] else { continue }
                raw.kind = Int32(MW_ITEM_WINDOW.rawValue)
                raw.window = window
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
                let isGlass = if case .glass = art { true } else { false }
                if !isGlass { raw.radius = 0 }
                if art == .wallpaper, let color = palette.wallpaper {
                    raw.kind = Int32(MW_ITEM_FILL.rawValue)
                    raw.color = color
                } else if art == .wallpaper, !patient, !images.has(art, size, scale: info.scale), let window = window(covering: item, in: items) {
                    cover = window
                    continue
                } else if let image = images.image(art, size, scale: info.scale, server: server) {
                    raw.kind = Int32(MW_ITEM_IMAGE.rawValue)
                    raw.image = image
                } else if case .glass(let paint) = art, let clip = item.clip {
                    // It comes with the next frame; nothing on it could be read without a ground.
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

public struct CompositorError: Error, CustomStringConvertible, Sendable {
    public var description: String

    init(_ description: String) { self.description = description }
}

/// What the shell's colours look like: red, green, blue, opacity.
public struct Palette: Sendable {
    public typealias Color = (Float, Float, Float, Float)

    /// nil: the wallpaper is a picture.
    public var wallpaper: Color?
    private var colors: [Color] = Array(repeating: (0, 0, 0, 1), count: Paint.allCases.count)

    public init() {}

    public init(_ color: (Paint) -> Color) { colors = Paint.allCases.map(color) }

    subscript(paint: Paint) -> Color { colors[paint.index] }
}

extension Paint {
    fileprivate var index: Int { Paint.indices[self]! }
    private static let indices = Dictionary(uniqueKeysWithValues: Paint.allCases.enumerated().map { ($1, $0) })
}

func string(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

extension Compositor {
    /// A display card is there; whether this process may have it is another matter.
    public static var hasDisplayHardware: Bool {
        guard let folder = opendir("/dev/dri") else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix("card") { return true }
        }
        return false
    }
}
