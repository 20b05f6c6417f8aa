import CairoLibrary
import Chrome
import Clocks
import Desktop
import Geometry
import Glibc
import MullionKit
import QuickLook
import QuickLookHelper
import WaylandClientLibrary

/// Quick look's window: devices in, pictures of the helpers in, one state, one picture out.
public final class Viewer {
    private let connection: Connection
    private let surface: Surface
    private let items: [Item]
    private var look: QuickLook
    private let language: Language
    private let painter: Painter
    /// Whether the window has warned that files are read without bubblewrap.
    private var hasWarned = false
    private var isDirty = true
    /// When everything came to rest; nil while something moves.
    private var restedAt: Int64?
    /// A button that a finger is on.
    private var pressed: (finger: Int, button: Button)?
    /// Fingers that began on the bar or a menu.
    private var others: Set<Int> = []
    private var menu: ShareMenu?
    private var sharing: ShareView?
    private let clipboard: Clipboard
    private var players: [Player] = []
    private var wheelWay = 0.0
    private var wheelAt: Int64 = 0
    private var isOver = false
    /// Any file was seen.
    private var hasShown = false
    private let isWaiting: () -> Bool
    /// When the window was shown first; nil: not yet, or it is known whether it waits.
    private var waitsSince: Int64?
    private var hasDrawn = false

    public struct Failure: Error, CustomStringConvertible {
        public var description: String
    }

    /// A file to show.
    public enum File: Hashable, Sendable {
        case path(String)
        /// An open file of another program. It is read from its beginning, wherever that program is in it.
        case descriptor(Int32, name: String)
    }

    /// Shows the files until the window is closed. Returns whether any of them could be shown.
    ///
    /// - Parameter isWaiting: asks the shell whether the window of this process waits until a person opens it (W-19). Then the terminal
    ///   says so, because nothing else is to be seen there.
    public static func show(_ files: [File], isWaiting: @escaping () -> Bool = { false }) throws(Failure) -> Bool {
        signal(SIGPIPE, SIG_IGN)
        let items = files.map { Item($0) }
        for item in items {
            if case .failed(let trouble) = item.state { say("\(item.label): \(trouble.reason)") }
        }
        // A window that would contain messages alone does not open: the terminal has them.
        guard items.contains(where: { !$0.isFailed }) else { return false }
        guard let connection = Connection() else {
            throw Failure(description: "there is no Wayland shell to show a window in (WAYLAND_DISPLAY)")
        }
        let viewer = Viewer(connection, items, isWaiting)
        viewer.run()
        return viewer.hasShown
    }

    static func say(_ text: String) {
        let line = Array("mullion view: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    private init(_ connection: Connection, _ items: [Item], _ isWaiting: @escaping () -> Bool) {
        self.isWaiting = isWaiting
        self.connection = connection
        self.items = items
        surface = Surface(connection, title: String(items[0].name.prefix(200)))
        look = QuickLook(count: items.count, size: surface.size)
        clipboard = Clipboard(connection)
        var environment: [String: String] = [:]
        for name in ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"] { environment[name] = getenv(name).map { String(cString: $0) } }
        language = Language(among: DesktopEntries.tongues(environment: environment))
        painter = Painter(language)
        // The first one that can be shown.
        if let first = items.firstIndex(where: { !$0.isFailed }), first > 0 { look.flip(by: first, at: moment) }
        connection.handler = { [unowned self] in take($0) }
        connection.changed = { [unowned self] in isDirty = true }
        surface.resized = { [unowned self] size in
            look.resize(size, at: moment)
            menu = nil
            isDirty = true
        }
    }

    private var moment: Moment { Moment(nanoseconds: Clocks.monotonicNanoseconds) }
    private var front: Item { items[look.front] }

    // MARK: The loop

    private func run() {
        while !isOver, !surface.isClosed, !look.isDone {
            work()
            while wl_display_prepare_read(connection.display) != 0 { wl_display_dispatch_pending(connection.display) }
            wl_display_flush(connection.display)
            let helpers = items.filter { $0.helper != nil }
            var polled = [pollfd(fd: wl_display_get_fd(connection.display), events: Int16(POLLIN), revents: 0)]
            polled += helpers.map { pollfd(fd: $0.helper!.number, events: Int16(POLLIN), revents: 0) }
            if let sharing {
                polled.append(
                    pollfd(fd: sharing.descriptor, events: Int16(POLLIN) | (sharing.events.write ? Int16(POLLOUT) : 0), revents: 0))
            }
            let ready = poll(&polled, nfds_t(polled.count), timeout())
            if ready > 0, polled[0].revents != 0 {
                wl_display_read_events(connection.display)
            } else {
                wl_display_cancel_read(connection.display)
            }
            if wl_display_dispatch_pending(connection.display) < 0 { return }
            connection.repeatIfDue()
            for item in helpers where item.receive() { learn(of: item) }
            players.removeAll { $0.hasEnded() }
            processSharing()
            tellIfItWaits()
        }
    }

    /// From the first picture to the question whether the window waits: the shell has taken the picture by then.
    private static let judgedAfter: Int64 = 300_000_000

    private func tellIfItWaits() {
        guard let since = waitsSince, Clocks.monotonicNanoseconds - since >= Self.judgedAfter else { return }
        waitsSince = nil
        if isWaiting() { Self.say("the window waits: Open on its banner, or Super+N, shows it") }
    }

    private func timeout() -> Int32 {
        var nanoseconds: [Int64] = items.compactMap { $0.helper?.timeLeft }
        if let left = connection.repeatLeft { nanoseconds.append(left) }
        if let waitsSince { nanoseconds.append(max(0, waitsSince + Self.judgedAfter - Clocks.monotonicNanoseconds)) }
        if let restedAt { nanoseconds.append(max(0, restedAt + Self.restTime - Clocks.monotonicNanoseconds)) }
        if !players.isEmpty { nanoseconds.append(500_000_000) }
        if let left = sharing?.timeout, left >= 0 { nanoseconds.append(Int64(left) * 1_000_000) }
        return nanoseconds.min().map { Int32(min($0 / 1_000_000 + 1, 60_000)) } ?? -1
    }

    private func learn(of item: Item) {
        guard let index = items.firstIndex(where: { $0 === item }) else { return }
        look.show(item.content, of: index, at: moment)
        isDirty = true
        restedAt = Clocks.monotonicNanoseconds
    }

    /// Nanoseconds from the last motion to a sharp picture.
    private static let restTime: Int64 = 100_000_000

    /// Starts helpers, asks for pictures, draws.
    private func work() {
        let moment = moment
        for (index, item) in items.enumerated() {
            if abs(index - look.front) <= 1 {
                item.wake(width: look.textWidth)
                look.show(item.content, of: index, at: moment)
            } else {
                item.rest()
                look.show(item.content, of: index, at: moment)
            }
        }
        if !hasWarned, items.contains(where: { $0.helper?.isReady == true && !$0.isIsolated }) {
            hasWarned = true
            Self.say(
                Sandbox.program == nil
                    ? "bubblewrap is not installed: files are read by a process that only the filter of system calls confines"
                    : "bubblewrap does not work here: files are read by a process that only the filter of system calls confines")
        }
        switch front.state {
        case .shown, .media: hasShown = true
        default: break
        }
        surface.title = String(front.name.prefix(200))
        let isMoving = look.isMoving(at: moment)
        if isMoving {
            isDirty = true
            restedAt = nil
        } else if restedAt == nil {
            restedAt = Clocks.monotonicNanoseconds
        }
        askForPictures(at: moment)
        if let time = restedAt, Clocks.monotonicNanoseconds - time >= Self.restTime { restedAt = .max / 2 }
        guard isDirty, surface.isReady else { return }
        isDirty = false
        surface.draw { painter.draw($0, look, items, menu: menu, pressed: pressed?.button, at: moment) }
        if !hasDrawn { (hasDrawn, waitsSince) = (true, Clocks.monotonicNanoseconds) }
        if isMoving { isDirty = true }
    }

    private func askForPictures(at moment: Moment) {
        let scale = Double(connection.scale), zoom = look.zoom(at: moment)
        let placed = look.placements(at: moment)
        for index in [look.front, look.front + 1, look.front - 1] where items.indices.contains(index) {
            let item = items[index], isFront = index == look.front
            guard item.helper != nil, item.helper?.isBusy == false, case .shown = item.state else { continue }
            let own = placed.filter { $0.file == index }
            guard isFront || !own.isEmpty else {
                // The page that a swipe would show.
                if let frame = look.firstFrame(of: index) { _ = item.ask(want(0, frame.size, 1, scale)) }
                continue
            }
            if let first = own.first?.page, let last = own.last?.page {
                item.keep(max(0, first - 2)...(last + 2))
                var isAsked = own.contains { item.ask(want($0.page, $0.frame.size, isFront ? zoom : 1, scale)) }
                if !isAsked, isFront, let want = sharpWant(own, zoom, scale, at: moment) { isAsked = item.ask(want) }
                if !isAsked, isFront, zoom < 1.01 {
                    for page in [last + 1, first - 1] where item.sizes.indices.contains(page) {
                        if let frame = look.frame(of: index, page: page), item.ask(want(page, frame.size, 1, scale)) { break }
                    }
                }
            }
        }
        if zoom <= 1.01 { front.forgetSharp() }
    }

    /// A whole page at zoom 1, or smaller if that is too much.
    private func want(_ page: Int, _ size: Size, _ zoom: Double, _ scale: Double) -> Item.Want {
        var width = size.width / zoom * scale, height = size.height / zoom * scale
        let most = Double(DecodingHelper.mostPixels)
        let less = min(1, (most / max(1, width * height)).squareRoot(), 16000 / max(1, width, height))
        width *= less
        height *= less
        let columns = max(1, Int(clamping: width.rounded(.down))), rows = max(1, Int(clamping: height.rounded(.down)))
        return Item.Want(page: page, width: columns, height: rows, columns: columns, rows: rows)
    }

    /// Returns the request for the visible part of the page that fills most of the window, as sharp as the screen, once everything rests.
    private func sharpWant(_ placed: [QuickLook.Placement], _ zoom: Double, _ scale: Double, at moment: Moment) -> Item.Want? {
        guard zoom > 1.01, let restedAt, Clocks.monotonicNanoseconds - restedAt >= Self.restTime else { return nil }
        let area = look.area
        func seen(_ placement: QuickLook.Placement) -> Rect { placement.frame.intersection(area) }
        guard let most = placed.max(by: { seen($0).width * seen($0).height < seen($1).width * seen($1).height }), !seen(most).isEmpty else {
            return nil
        }
        let frame = most.frame, part = seen(most)
        let width = Int(clamping: (frame.width * scale).rounded()), height = Int(clamping: (frame.height * scale).rounded())
        let x = max(0, Int(clamping: ((part.minX - frame.minX) * scale).rounded(.down))),
            y = max(0, Int(clamping: ((part.minY - frame.minY) * scale).rounded(.down)))
        let columns = min(width - x, Int(clamping: (part.width * scale).rounded(.up)) + 1),
            rows = min(height - y, Int(clamping: (part.height * scale).rounded(.up)) + 1)
        guard columns > 0, rows > 0, columns * rows <= DecodingHelper.mostPixels, max(width, height) < 200_000 else { return nil }
        return Item.Want(page: most.page, width: width, height: height, x: x, y: y, columns: columns, rows: rows, isSharp: true)
    }

    // MARK: Input

    private func take(_ input: Input) {
        let moment = moment
        isDirty = true
        restedAt = nil
        switch input {
        case .down(let finger, let at): down(finger, at, at: moment)
        case .move(let finger, let to):
            if !others.contains(finger) { look.move(finger, to, at: moment) }
            if let pressed, pressed.finger == finger, button(at: to) != pressed.button { self.pressed = nil }
        case .up(let finger):
            if others.remove(finger) == nil { look.up(finger, at: moment) }
            if let pressed, pressed.finger == finger {
                self.pressed = nil
                act(pressed.button)
            }
        case .cancel:
            others = []
            pressed = nil
            look.cancel(at: moment)
        case .wheel(let way, let at): wheel(way, at, at: moment)
        case .key(let symbol, let control): key(symbol, control, at: moment)
        }
    }

    private func down(_ finger: Int, _ at: Point, at moment: Moment) {
        if let button = button(at: at) {
            others.insert(finger)
            if pressed == nil { pressed = (finger, button) }
        } else if menu != nil {
            others.insert(finger)
            menu = nil
        } else if at.y < QuickLook.barHeight {
            others.insert(finger)
        } else {
            look.down(finger, at, at: moment)
        }
    }

    private func button(at place: Point) -> Button? {
        if let menu {
            return menu.row(at: place, in: look.size).map { .menu($0) }
        }
        if Painter.closeButton.contains(place) { return .close }
        if front.canBeShared, Painter.shareButton(look.size).contains(place) { return .share }
        if case .media = front.state, !look.isMoving(at: moment), Painter.playButton(look.area).contains(place) { return .play }
        return nil
    }

    private func act(_ button: Button) {
        switch button {
        case .close: isOver = true
        case .share: share()
        case .play: play()
        case .menu(let row):
            guard let menu else { return }
            self.menu = nil
            switch menu.rows[row].what {
            case .copyFile: clipboard.offer(path: menu.absolutePath, asFile: true)
            case .copyPath: clipboard.offer(path: menu.absolutePath, asFile: false)
            case .open(let app): app.open(menu.absolutePath)
            }
        }
    }

    /// The shell's activity view over this window. Under another shell, the window has a menu of its own.
    private func share() {
        guard sharing == nil else { return }
        sharing = front.file.flatMap { file in try? ShareView([.init(file.file.number, name: file.name)]) }
        if sharing == nil { showMenu() }
    }

    private func showMenu() { menu = front.path.map { ShareMenu(path: $0, in: language) } }

    private func processSharing() {
        sharing?.process()
        guard let answer = sharing?.answer else { return }
        sharing = nil
        if case .failed(let error) = answer {
            Self.say(error.text)
            showMenu()
            isDirty = true
        }
    }

    private func play() {
        guard let file = front.file, case .media(let isVideo) = front.state else { return }
        if let player = Player(file, isVideo: isVideo) { players.append(player) }
    }

    private func wheel(_ way: Vector, _ at: Point, at moment: Moment) {
        guard menu == nil else { return }
        if connection.isControlHeld {
            look.zoom(by: exp(-way.dy / 60), around: at, at: moment)
        } else if abs(way.dx) > abs(way.dy), look.zoom(at: moment) <= 1.01 {
            // One flip for one swipe on a touchpad.
            let time = Clocks.monotonicNanoseconds
            if time - wheelAt > 300_000_000 { wheelWay = 0 }
            wheelAt = time
            if wheelWay.isFinite { wheelWay += way.dx }
            guard abs(wheelWay) > 60 else { return }
            look.flip(by: wheelWay > 0 ? 1 : -1, at: moment)
            wheelWay = .infinity
        } else {
            look.scroll(by: way, animated: false, at: moment)
        }
    }

    private func key(_ symbol: UInt32, _ control: Bool, at moment: Moment) {
        switch Int32(bitPattern: symbol) {
        case XKB_KEY_Escape where menu != nil: menu = nil
        case XKB_KEY_Escape, XKB_KEY_q: isOver = true
        case XKB_KEY_w where control: isOver = true
        case XKB_KEY_c where control:
            if let path = front.path { clipboard.offer(path: ShareMenu.absolute(path), asFile: true) }
        case XKB_KEY_Left: look.flip(by: -1, at: moment)
        case XKB_KEY_Right: look.flip(by: 1, at: moment)
        case XKB_KEY_Up: look.scroll(by: Vector(0, -80), animated: true, at: moment)
        case XKB_KEY_Down: look.scroll(by: Vector(0, 80), animated: true, at: moment)
        case XKB_KEY_Page_Up: look.scroll(pages: -1, at: moment)
        case XKB_KEY_Page_Down: look.scroll(pages: 1, at: moment)
        case XKB_KEY_space, XKB_KEY_Return:
            if case .media = front.state { play() } else { look.scroll(pages: 1, at: moment) }
        case XKB_KEY_Home: look.scrollToEnd(false, at: moment)
        case XKB_KEY_End: look.scrollToEnd(true, at: moment)
        case XKB_KEY_plus, XKB_KEY_equal, XKB_KEY_KP_Add: look.zoom(by: 1.5, at: moment)
        case XKB_KEY_minus, XKB_KEY_KP_Subtract: look.zoom(by: 1 / 1.5, at: moment)
        case XKB_KEY_0, XKB_KEY_KP_0: look.resetZoom(at: moment)
        default: break
        }
    }
}

/// A control that a person can press.
enum Button: Equatable {
    case close, share, play
    case menu(Int)
}
