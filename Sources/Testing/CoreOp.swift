import Geometry
import Interface
import Lifecycle
import Locking
import Modality
import Multitasking
import Notices
import Seat
import Stage
import Status
import Windows

/// A point of the screen, named by the thing there, so that a list of ops keeps its meaning when some are left out.
public enum CoreSpot: Hashable, Sendable {
    case divider
    /// A place of the first or second window of the space in front.
    case grip(Int), inside(Int)
    case cardTop, cardBottom, cardMiddle
    case slideOverHandle
    case picture, pipTab
    case edge(Side)
    case corner(Corner)
    /// Shares of the screen's width and height.
    case share(Double, Double)
    /// The middle of one of the shell's own controls, counted round; nil when there is none.
    case control(Int)
    /// The same for the controls whose names begin so.
    case view(String, Int)

    /// nil when the named thing does not exist.
    public func point(in world: CoreWorld) -> Point? {
        let workspace = world.workspace
        guard let screen = workspace.screen else { return nil }
        let size = screen.size
        func shown(_ index: Int) -> Rect? {
            guard let ids = workspace.currentSpace?.windows, !ids.isEmpty else { return nil }
            return world.system.shownFrame(of: ids[min(index, ids.count - 1)], at: world.now)
        }
        func card() -> Rect? {
            guard let front = workspace.slideOver.front, let frame = world.system.shownFrame(of: front, at: world.now) else { return nil }
            return workspace.cardAround(frame)
        }
        func pick(_ controls: [ViewControl], _ index: Int) -> Point? {
            let all = controls.filter { $0.press != nil }
            return all.isEmpty ? nil : all[index % all.count].frame.center
        }
        switch self {
        case .divider: return world.system.stage.dividerBar(workspace, at: world.now)?.center
        case .grip(let index): return shown(index).map { Point($0.center.x, $0.minY + 18) }
        case .inside(let index): return shown(index).map { Point($0.center.x - 30, $0.center.y) }
        case .cardTop: return card().map { Point($0.center.x, $0.minY + 10) }
        case .cardBottom: return card().map { Point($0.center.x, $0.maxY - 8) }
        case .cardMiddle: return card()?.center
        case .slideOverHandle: return workspace.handles.first { $0.kind == .slideOver }?.frame.center
        case .picture: return workspace.pip.flatMap { world.system.shownFrame(of: $0.window, at: world.now) }?.center
        case .pipTab: return workspace.handles.first { $0.kind == .picture }?.frame.center
        case .edge(.left): return Point(2, size.height * 0.5)
        case .edge(.right): return Point(size.width - 2, size.height * 0.5)
        case .edge(.top): return Point(size.width * 0.5, 2)
        case .edge(.bottom): return Point(size.width * 0.5, size.height - 2)
        case .corner(let corner):
            return Point(corner.isLeft ? 20 : size.width - 20, corner.isTop ? 20 : size.height - 20)
        case .share(let x, let y): return Point(size.width * x, size.height * y)
        case .control(let index): return pick(world.controls, index)
        case .view(let prefix, let index): return pick(world.controls.filter { $0.id.rawValue.hasPrefix(prefix) }, index)
        }
    }
}

/// One step of a generated test: anything that can happen to the core.
public enum CoreOp: Hashable, Sendable {
    // Clients. Windows are named by number, also ones that do not exist.
    case create(UInt32, parent: UInt32?, app: Int)
    case map(UInt32), mapTogether([UInt32]), unmap(UInt32), destroy(UInt32)
    /// The client of a window is killed, with all of its windows.
    case disconnect(UInt32)
    case rename(UInt32, parent: UInt32?, app: Int)
    case answer(UInt32), answerAll
    /// Answers an older configure than the newest.
    case answerOld(UInt32)
    case ownSize(UInt32, Size), minimum(UInt32, Size)
    case popups(UInt32, Rect, grab: Bool)
    /// A person can pinch open this many items of a window, which stand below each other.
    case pinchables(UInt32, Int)
    case ask(UInt32, WindowRequest)
    case activation(UInt32, recent: Bool, launch: UInt32?)
    case launched(UInt32, process: Int32), launchEnded(UInt32, status: Int32?, signal: Int32?), launchFailed(UInt32)
    /// The first apps of the small catalogue are installed, as many as this.
    case apps(Int)
    // People.
    case action(Action)
    case key(KeyChord, pressed: Bool)
    /// The Super key by itself.
    case superKey(pressed: Bool)
    /// A key with the text that it types.
    case write(String)
    /// From an input method.
    case typed(String), erased(Int)
    /// The minute of the clock, and a service of the machine.
    case time(TimeOfDay), status(Status.Event)
    case down(Int32, CoreSpot), move(Int32, CoreSpot), nudge(Int32, Vector), lift(Int32), take(Int32)
    /// A window is drawn so light below its dots, and so dark below its bar.
    case ground(UInt32, Double)
    /// Two fingers spread around a point by this many points, and are lifted.
    case spread(CoreSpot, Double)
    /// A whole gesture of a finger, over this many milliseconds.
    case drag(Int32, CoreSpot, to: CoreSpot, Double)
    case point(CoreSpot), button(UInt32, pressed: Bool), scroll
    // The world.
    case screen(Size, scale: Double), noScreen
    /// Panels at the edges keep so much for themselves.
    case reserved(Insets)
    case panel(UInt32, PanelFacts), panelGone(UInt32), x11Menus(Bool)
    /// A finger, or the pointer and a button, on a panel wherever it stands.
    case downOnPanel(Int32, UInt32), pointAtPanel(UInt32)
    case wait(Double)
    /// A report of adapters about the life of apps. The world reports by itself that an app is frozen.
    case life(LifecycleEvent)
    /// All windows go, and the arrangement that was kept before comes back, as after a crash of the shell.
    case restart
    /// The machine sleeps, wakes or is switched off.
    case power(PowerEvent)
    /// The shell failed several times, and this many windows stay closed.
    case windowsAside(Int)
    /// A program asks for a view over a window or the screen, or takes it back.
    case askView(UInt32, ModalKind, over: UInt32?, choices: Int), withdrawView(UInt32)
    /// A locker takes the session or gives it back.
    case lock(LockEvent)
    /// Input and answers for the lock screen of the shell; and a person who unlocks it, if it is up.
    case lockScreen(LockScreenEvent), unlockOwn
    /// A program waits for the device to be idle, or keeps it from that.
    case idle(IdleEvent)
    /// A program copies something, hands it over, or takes it back.
    case copying(CopyEvent)
    case notice(NoticeEvent)
    case configured(Admission.Policy, reducedMotion: Bool)
    case appearance(textScale: Double, isRightToLeft: Bool)

    /// Apps whose ids are those of the windows that are created; the last has no window ever.
    public static let catalogue = [
        App(
            id: "editor", name: "Editor", keywords: ["text"], command: ["editor"],
            actions: [
                AppAction(id: "new-window", name: "New Window", command: ["editor", "--new"])
            ]),
        App(id: "org.example.Browser", name: "Browser", keywords: ["web"], command: ["browser"], isSingleWindow: true),
        App(id: "mpv", name: "Player", keywords: ["video"], command: ["mpv"]),
        App(id: "terminal", name: "Terminal", command: ["terminal"]),
        App(id: "clock", name: "Clock", command: ["clock"], isSingleWindow: true),
    ]

    public static func facts(_ raw: UInt32, parent: UInt32?, app: Int) -> WindowFacts {
        // One app in four says that it is a video, one is an X11 program; two windows share a client.
        let names = ["editor", "browser", "mpv", "terminal"]
        return WindowFacts(
            appID: names[app % 4], title: "Window \(raw)", lineage: [Int32(100 + app), 1], client: UInt64(app / 2),
            parent: parent.map { WindowID($0) }, isX11: app % 4 == 3, isModal: app % 3 == 0 ? nil : app % 3 == 1, isBare: raw % 4 == 1,
            hints: raw % 3 == 0 ? hints(app, Int(raw)) : nil)
    }

    private static func hints(_ app: Int, _ raw: Int) -> WindowHints {
        var hints = WindowHints()
        hints.style = WindowHints.Style.allCases[app % 3]
        hints.occasion = WindowHints.Occasion.allCases[app % 4]
        hints.isAtTop = app % 4 < 2
        if app % 2 == 0 { hints.unsaved = .init(title: "Save?", discard: "Discard", save: app % 4 == 0 ? "Save" : nil, cancel: "Cancel") }
        hints.presentation = (WindowHints.Presentation.allCases + [nil, nil])[(app * 7 + raw) % 6]
        if app % 3 != 2 { hints.anchor = Rect(Double(raw * 37 % 900), Double(raw * 53 % 700), 60, 30) }
        return hints
    }

    public func apply(to world: inout CoreWorld) {
        switch self {
        case .create(let raw, let parent, let app):
            var facts = CoreOp.facts(raw, parent: parent, app: app)
            // A busy X server says late whose a window is.
            if facts.isX11, raw % 2 == 0 { facts.lineage = [] }
            world.create(raw, facts)
        case .map(let raw): world.map(raw)
        case .mapTogether(let raws): world.map(together: raws)
        case .unmap(let raw): world.unmap(WindowID(raw))
        case .destroy(let raw): world.destroy(WindowID(raw))
        case .disconnect(let raw): world.disconnect(WindowID(raw))
        case .rename(let raw, let parent, let app): world.rename(WindowID(raw), CoreOp.facts(raw, parent: parent, app: app))
        case .answer(let raw): world.answer(WindowID(raw))
        case .answerAll: world.answerAll()
        case .answerOld(let raw):
            guard let client = world.clients[WindowID(raw)], client.configures.count > 1 else { return }
            let old = client.configures[client.configures.count - 2]
            world.commit(WindowID(raw)) {
                $0.answered = max($0.answered, old.sequence)
                $0.size = old.chooses ? client.natural : old.frame.size
            }
        case .ownSize(let raw, let size): world.commit(WindowID(raw)) { $0.size = size }
        case .minimum(let raw, let size): world.setMinimum(size, of: WindowID(raw))
        case .popups(let raw, let rect, let grab):
            guard world.clients[WindowID(raw)]?.isMapped ?? false else { return }
            world.send(.popupsChanged(WindowID(raw), boxes: rect.isEmpty ? [] : [rect], grab: grab))
        case .pinchables(let raw, let count):
            let items = (0..<count).map { Pinchable(id: UInt32($0), frame: Rect(20, Double($0) * 120, 900, 100)) }
            world.send(.pinchablesChanged(WindowID(raw), items))
        case .ground(let raw, let brightness):
            world.send(.dotsGround(WindowID(raw), brightness: brightness))
            world.send(.barGround(WindowID(raw), brightness: 1 - brightness))
        case .spread(let spot, let way):
            guard let center = spot.point(in: world) else { return }
            for (finger, side) in [(Int32(5), -1.0), (6, 1)] { world.touch(finger, down: center + Vector(side * 30, 0)) }
            for step in 1...4 {
                world.wait(16)
                for (finger, side) in [(Int32(5), -1.0), (6, 1)] {
                    world.touch(finger, to: center + Vector(side * (30 + way * Double(step) / 8), 0))
                }
            }
            for finger in [Int32(5), 6] { world.lift(finger) }
        case .ask(let raw, let request): world.send(.windowAsked(WindowID(raw), request))
        case .activation(let raw, let recent, let launch):
            world.send(.activationAsked(WindowID(raw), hasRecentSerial: recent, launch: launch.map { LaunchID($0) }))
        case .launched(let id, let process): world.send(.launched(LaunchID(id), process: process))
        case .launchEnded(let id, let status, let signal):
            world.send(.launchEnded(LaunchID(id), status: status, signal: signal))
        case .apps(let count): world.send(.appsChanged(Array(CoreOp.catalogue.prefix(count))))
        case .superKey(let pressed):
            world.send(.key(code: 125, symbol: 0xffeb, pressed: pressed, modifiers: pressed ? [] : .super))
        case .write(let text):
            for pressed in [true, false] {
                let symbol = text.unicodeScalars.first?.value ?? 0x20
                world.send(.key(code: symbol & 0xff, symbol: KeySymbol(rawValue: symbol), pressed: pressed, modifiers: [], text: text))
            }
        case .time(let time): world.send(.timeIs(time))
        case .status(let event): world.send(.status(event))
        case .typed(let text): world.send(.typed(text))
        case .erased(let count): world.send(.erased(count))
        case .launchFailed(let id): world.send(.launchFailed(LaunchID(id), reason: "no such program"))
        case .action(let action): world.act(action)
        case .key(let chord, let pressed):
            world.send(.key(code: chord.symbol.rawValue & 0xff, symbol: chord.symbol, pressed: pressed, modifiers: chord.modifiers))
        case .down(let finger, let spot): if let point = spot.point(in: world) { world.touch(finger, down: point) }
        case .move(let finger, let spot): if let point = spot.point(in: world) { world.touch(finger, to: point) }
        case .nudge(let finger, let by): if let from = world.fingers[finger] { world.touch(finger, to: from + by) }
        case .lift(let finger): world.lift(finger)
        case .take(let finger): world.take(finger)
        case .drag(let finger, let from, let to, let milliseconds):
            guard let a = from.point(in: world), let b = to.point(in: world) else { return }
            world.touch(finger, down: a)
            world.slide(finger, to: b, over: milliseconds, steps: 4)
            world.lift(finger)
        case .point(let spot): if let point = spot.point(in: world) { world.point(at: point) }
        case .button(let button, let pressed): world.send(.pointerButton(button, pressed: pressed))
        case .scroll: world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: 10, discrete: 120)))
        case .screen(let size, let scale): world.send(.screenChanged(Screen(size: size, scale: scale)))
        case .noScreen: world.send(.screenRemoved)
        case .reserved(let insets): world.reserve(insets)
        case .panel(let raw, let facts): world.send(.panelChanged(PanelID(raw), facts))
        case .panelGone(let raw): world.send(.panelGone(PanelID(raw)))
        case .downOnPanel(let finger, let raw): if let point = world.middle(ofPanel: raw) { world.touch(finger, down: point) }
        case .pointAtPanel(let raw): if let point = world.middle(ofPanel: raw) { world.point(at: point) }
        case .x11Menus(let want): world.send(.x11MenusWantKeys(want))
        case .wait(let milliseconds): world.wait(milliseconds)
        case .restart: world.restart()
        case .life(let event): world.send(.life(event))
        case .power(let event): world.send(.power(event))
        case .windowsAside(let count): world.send(.windowsSetAside(count))
        case .askView(let id, let kind, let over, let count):
            let roles: [ModalView.Choice.Role] = [.normal, .cancel, .preferred, .destructive]
            world.send(
                .viewAsked(
                    ModalView(
                        ModalID(id), kind, over: over.map { WindowID($0) }, of: "editor", title: "A question", message: "With some words.",
                        choices: (0..<count).map { .init("Choice \($0)", $0 < 4 ? roles[$0] : .normal) },
                        sharing: kind == .activity
                            ? Sharing(files: (0..<count).map { Sharing.File("\($0).txt", types: ["text/plain"]) }, text: "Words") : nil)))
        case .withdrawView(let id): world.send(.viewWithdrawn(ModalID(id)))
        case .lock(let event): world.send(.lock(event))
        case .lockScreen(let event): world.send(.lockScreen(event))
        case .unlockOwn: world.unlockOwn()
        case .idle(let event): world.send(.idle(event))
        case .copying(let event): world.send(.copying(event))
        case .notice(let event): world.send(.notice(event))
        case .configured(let policy, let still):
            world.send(.configured(Preferences(newWindows: policy, reducedMotion: still)))
        case .appearance(let scale, let isRightToLeft):
            var preferences = world.system.preferences
            preferences.appearance.textScale = scale
            preferences.appearance.isRightToLeft = isRightToLeft
            world.send(.configured(preferences))
        }
    }
}
