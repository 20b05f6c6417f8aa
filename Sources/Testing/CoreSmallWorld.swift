import Geometry
import Lifecycle
import Multitasking
import Seat
import Stage
import Windows

/// A world small enough to try everything in: three windows, and every op that means something among them.
public enum CoreSmallWorld {
    /// Windows 1 and 2 side by side, 3 in Slide Over; clients answer when told to.
    public static func split() -> CoreWorld {
        world([.action(.splitView(window: WindowID(2), side: .right)), .action(.slideOver(window: WindowID(3)))])
    }

    /// Window 1 full screen, 2 a picture over it, 3 a space of its own behind.
    public static func picture() -> CoreWorld {
        world([.action(.pictureInPicture(window: WindowID(2))), .action(.focus(window: WindowID(1)))])
    }

    /// At home, with a picture; 1 and 3 are a pair behind it.
    public static func home() -> CoreWorld {
        world([.action(.pictureInPicture(window: WindowID(2))), .action(.splitView(window: WindowID(3), side: .left)), .action(.home)])
    }

    /// The app switcher over two spaces and a card of Slide Over.
    public static func switcher() -> CoreWorld { world([.action(.slideOver(window: WindowID(3))), .action(.appSwitcher)]) }

    /// Window 1 full screen; the apps of 2 and 3 are behind it and frozen.
    public static func frozen() -> CoreWorld { world([.action(.focus(window: WindowID(1))), .wait(11_000)]) }

    /// A Shared Space: window 1 far away, 2 put away, 3 active.
    public static func space() -> CoreWorld {
        world([
            .action(.idiom("vision")), .action(.depth(window: WindowID(1), to: 800)), .action(.close(window: WindowID(2))),
            .action(.focus(window: WindowID(3))),
        ])
    }

    /// A watch on a lowered wrist.
    public static func wrist() -> CoreWorld { world([.action(.idiom("round-watch")), .action(.wrist(raised: false))]) }

    /// A watch with the control centre open over the last app.
    public static func watch() -> CoreWorld { world([.action(.idiom("watch")), .action(.controlCentre)]) }

    /// A television: window 2 a picture over 3, and the pointer that keys move.
    public static func television() -> CoreWorld {
        world([
            .action(.idiom("tv")), .action(.pictureInPicture(window: WindowID(2))), .action(.focus(window: WindowID(3))),
            .action(.keyPointer(shown: true)),
        ])
    }

    /// A phone at home.
    public static func phone() -> CoreWorld { world([.action(.idiom("phone")), .action(.home)]) }

    /// Free windows: 1 a half, 2 minimized, 3 in front.
    public static func desk() -> CoreWorld {
        world([
            .action(.idiom("mac")), .action(.tile(window: WindowID(1), to: .left)), .action(.minimize(window: WindowID(2))),
            .action(.focus(window: WindowID(3))),
        ])
    }

    /// A kiosk that began while the home screen was in front.
    public static func kiosk() -> CoreWorld { world([.action(.home), .action(.idiom("kiosk"))]) }

    /// Two panes in a car.
    public static func car() -> CoreWorld { world([.action(.idiom("car")), .action(.splitView(window: WindowID(2), side: .right))]) }

    private static let starts = [split, picture, home, switcher, frozen, space, wrist, watch, television, phone, desk, kiosk, car]
    public static var count: Int { starts.count }

    /// All of them, by number.
    public static func start(_ index: Int) -> CoreWorld { starts[index]() }

    private static func world(_ ops: [CoreOp]) -> CoreWorld {
        var world = CoreWorld(keepsHistory: false)
        world.manner = .asked
        CoreOp.apps(5).apply(to: &world)
        world.send(.idiomsKnown(Idiom.allAndPlaces))
        for raw in [1, 2, 3] as [UInt32] { world.open(raw, CoreOp.facts(raw, parent: nil, app: raw == 3 ? 3 : Int(raw) - 1)) }
        for op in ops { op.apply(to: &world) }
        world.rest()
        return world
    }

    public static let ops: [CoreOp] = clients + people + fingers + screens + views + life + idle + families

    /// Ops that some idioms support and the others refuse, and switches between idioms.
    private static let families: [CoreOp] = [
        .action(.idiom("pad")), .action(.idiom("tv")), .action(.idiom("round-watch")), .action(.idiom("vision")), .action(.idiom("mac")),
        .action(.wrist(raised: false)), .action(.wrist(raised: true)), .action(.depthStep(1)), .action(.gaze(at: Point(400, 300))),
        .action(.gazePress),
        .action(.pipSwap), .action(.keyPointer()), .action(.minimize()), .action(.tile(to: .right)),
        .key(KeyChord(modifiers: [], symbol: .back), pressed: true), .key(KeyChord(modifiers: [], symbol: .homePage), pressed: true),
        .key(KeyChord(modifiers: [], symbol: .enter), pressed: true), .key("Down", pressed: true),
    ]

    private static let views: [CoreOp] = [
        .action(.home), .action(.appSwitcher), .action(.dock), .action(.appShelf(app: "editor")), .action(.appExpose(app: "editor")),
        .action(.controls()), .action(.appMenu(app: "editor")), .action(.search(text: "e")), .action(.controlCentre),
        .action(.keyHelp), .action(.dismiss), .action(.openApp(app: "clock")), .action(.openApp(app: "clock", to: .splitView(.left))),
        .action(.newWindow(app: "editor")), .action(.closeSpace(SpaceID(1))), .action(.removeFromDock(app: "editor")),
        .down(0, .view("switcher/space", 0)), .down(0, .view("dock/", 0)), .down(0, .view("home/", 1)), .down(0, .view("controls/", 2)),
        .nudge(0, Vector(0, -300)), .down(0, .edge(.top)), .launched(1, process: 100), .launchEnded(1, status: 1, signal: nil),
        .launchFailed(1), .key("Tab", pressed: true), .key("Return", pressed: true), .key("Delete", pressed: true),
        .key("Escape", pressed: true), .superKey(pressed: true), .superKey(pressed: false), .typed("b"), .apps(0), .wait(600),
    ]

    private static let clients: [CoreOp] = [
        .answerAll, .answer(1), .answerOld(2), .ownSize(1, Size(200, 300)), .minimum(2, Size(900, 900)),
        .unmap(1), .unmap(3), .map(1), .map(3), .mapTogether([4, 1, 3]), .destroy(2), .destroy(3),
        .create(4, parent: 1, app: 0), .create(4, parent: nil, app: 2), .map(4), .activation(4, recent: true, launch: nil),
        .activation(3, recent: true, launch: nil), .rename(2, parent: 1, app: 1), .rename(1, parent: 2, app: 0),
        .popups(1, Rect(560, 100, 100, 300), grab: true), .ask(1, .move()), .ask(3, .fullscreen(true)),
    ]

    private static let people: [CoreOp] = [
        .action(.fullScreen()), .action(.fullScreen(window: WindowID(3))), .action(.splitView(side: .left)),
        .action(.splitView(window: WindowID(3), side: .bottom)), .action(.slideOver()), .action(.slideOver(window: WindowID(1))),
        .action(.pictureInPicture()), .action(.pictureInPicture(window: WindowID(2))), .action(.focus(window: WindowID(1))),
        .action(.focus(window: WindowID(3))), .action(.focusNext), .action(.divider(fraction: 0.3, exact: true)),
        .action(.dividerStep(1)), .action(.swapSides), .action(.slideOverSide(.left)), .action(.slideOverToggle),
        .action(.slideOverNext), .action(.pipCorner(.topLeft)), .action(.pipToggle), .action(.pipStep(1)),
        .action(.nextSpace), .action(.openWaiting()),
    ]

    private static let fingers: [CoreOp] = [
        .down(0, .divider), .down(0, .grip(0)), .down(0, .cardTop), .down(0, .cardBottom), .down(0, .picture), .down(1, .picture),
        .down(0, .inside(1)), .down(0, .slideOverHandle), .down(0, .edge(.bottom)), .nudge(0, Vector(60, 5)), .nudge(0, Vector(-40, 120)),
        .nudge(1, Vector(-200, -90)), .move(0, .edge(.left)), .move(0, .corner(.bottomRight)), .lift(0), .lift(1), .take(0),
        .point(.divider), .point(.grip(0)), .button(0x110, pressed: true), .point(.edge(.right)), .button(0x110, pressed: false),
    ]

    private static let life: [CoreOp] = [
        .wait(11_000), .life(.called(AppProcess(101))), .life(.connectionFills(AppProcess(103))), .life(.memoryPressure(.critical)),
        .life(.freezeFailed(AppProcess(101), reason: "it does not stop")), .life(.taskBegan(TaskID(1), AppProcess(100), name: "Export")),
        .life(.stateOffered(StateID(1), AppProcess(100))), .life(.stateChanged(StateID(1))), .life(.saveAll),
    ]

    private static let idle: [CoreOp] = [
        .idle(.watchAdded(IdleWatchID(1), milliseconds: 200)), .idle(.inhibitor(IdleInhibitorID(1), on: .window(WindowID(1)))),
        .idle(.inhibitor(IdleInhibitorID(1), on: .window(WindowID(3)))), .idle(.activity),
    ]

    private static let screens: [CoreOp] = [
        .screen(Size(820, 1180), scale: 1), .screen(Size(60, 40), scale: 1), .noScreen, .reserved(Insets(32, 0, 0, 0)), .wait(100),
        .wait(400),
    ]
}

extension CoreRun {
    /// Every sequence of `depth` ops that begins with one of `first`, from `start`. After each op the invariants hold; at
    /// the end everything is let go of and comes to rest.
    /// - Parameter part: runs one of so many parts of all sequences, spread evenly; nil: all.
    public static func exhaustive(
        from start: CoreWorld, first: ArraySlice<CoreOp>, depth: Int, part: (number: Int, of: Int)? = nil
    ) -> CoreFailure? {
        var path: [CoreOp] = []
        var count = 0
        func descend(_ world: CoreWorld, _ ops: ArraySlice<CoreOp>, _ left: Int) -> CoreFailure? {
            for op in ops {
                if left == 1, let part {
                    count += 1
                    guard count % part.of == part.number else { continue }
                }
                path.append(op)
                defer { path.removeLast() }
                var next = world
                op.apply(to: &next)
                if !next.problems.isEmpty { return CoreFailure(ops: path, problems: next.problems) }
                if left > 1 {
                    if let failure = descend(next, CoreSmallWorld.ops[...], left - 1) { return failure }
                } else {
                    next.liftAll()
                    let problems = next.finish()
                    if !problems.isEmpty { return CoreFailure(ops: path, problems: problems) }
                }
            }
            return nil
        }
        return descend(start, first, depth)
    }
}
