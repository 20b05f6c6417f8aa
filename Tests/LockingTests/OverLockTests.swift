import Geometry
import Locking
import Testing
import Windows

/// Apps over the lock screen, by the hand clock.
@Suite("X-10: an app over the lock screen") struct OverLockTests {
    private struct World: Hashable {
        var room = OverLock()
        var now = Moment(nanoseconds: 1_000_000_000)
        var started: [String] = [], closed: [WindowID] = [], kept: [WindowID] = []
        var timer: Moment?
        var launches: UInt32 = 0, changes = 0
        let context = OverLock.Context(emergency: "calls")

        mutating func send(_ event: OverLock.Event) {
            for outcome in room.handle(event, in: context, at: now) {
                switch outcome {
                case .start(let app):
                    started.append(app)
                    launches += 1
                    send(.begins(app: app, LaunchID(launches)))
                    send(.launched(LaunchID(launches), process: Int32(100 + launches)))
                case .close(let window): closed.append(window)
                case .keeps(let window): kept.append(window)
                case .timer(let moment): timer = moment
                case .changed: changes += 1
                }
            }
        }

        mutating func wait(_ seconds: Double) {
            now = now + seconds
            if let timer, timer <= now {
                self.timer = nil
                send(.timeIsUp)
            }
        }

        /// A window of the last launch.
        mutating func comes(_ window: UInt32, token: Bool = false) {
            send(
                .comes(
                    WindowID(window), client: token ? 7 : 50, launch: token ? LaunchID(launches) : nil,
                    lineage: token ? [7] : [900, Int32(100 + launches)]))
        }
    }

    @Test("only windows of the programs that were started here are shown, the last one in front, and closing the last goes back")
    func windows() {
        var world = World()
        world.comes(1)
        #expect(world.room.window == nil && world.changes == 0, "nothing was asked, and nothing looks different")
        world.send(.asked("camera"))
        #expect(world.started == ["camera"] && world.timer == world.now + OverLock.patience)
        world.send(.comes(WindowID(2), client: 2, launch: nil, lineage: [5, 6]))
        world.send(.comes(WindowID(3), client: 3, launch: LaunchID(99), lineage: []))
        #expect(world.room.window == nil, "another program's window is shown")
        world.comes(4)
        #expect(world.room.window == WindowID(4) && world.timer == nil)
        world.comes(5)
        #expect(world.room.window == WindowID(5))
        // A browser that the app starts for its help.
        world.send(.comes(WindowID(6), client: 9, launch: nil, lineage: [901, 900, 101]))
        world.comes(7, token: true)
        #expect(world.room.window == WindowID(5), "a program that the app started is shown")
        world.send(.leaves(WindowID(5)))
        #expect(world.room.window == WindowID(4))
        world.send(.leaves(WindowID(4)))
        #expect(world.room.app == nil && world.closed == [])
    }

    @Test("on the way back a camera is asked to close, and an emergency call stays and is there again", arguments: ["camera", "calls"])
    func back(app: String) {
        var world = World()
        world.send(.asked(app))
        world.comes(1)
        world.send(.back)
        #expect(world.room.app == nil && world.room.window == nil)
        #expect(world.closed == (app == "calls" ? [] : [WindowID(1)]))
        if app == "camera" { world.send(.leaves(WindowID(1))) }
        if app == "camera" { world.send(.ended(LaunchID(1), failed: false)) }
        world.send(.asked(app))
        #expect(world.started == (app == "calls" ? ["calls"] : ["camera", "camera"]))
        #expect(world.room.window == (app == "calls" ? WindowID(1) : nil))
    }

    @Test(
        "a window that comes after a person left its app is asked to close, and one of the emergency call stays", arguments: [false, true])
    func late(byToken: Bool) {
        for app in ["camera", "calls"] {
            var world = World()
            world.send(.asked(app))
            world.send(.back)
            world.send(.asked("calls"))
            if app == "camera" {
                world.send(.comes(WindowID(1), client: 50, launch: nil, lineage: [900, 101]))
                #expect(world.room.window == nil && world.closed == [WindowID(1)])
            } else {
                world.send(.back)
                world.comes(1, token: byToken)
                #expect(world.room.window == nil && world.closed == [])
            }
        }
    }

    @Test("an app whose window may not be shown here says at once that it is in the session")
    func staysBehind() {
        var world = World()
        world.send(.asked("camera"))
        world.send(.staysBehind(lineage: [7, 8]))
        #expect(world.room.trouble == nil, "the window of another program")
        world.send(.staysBehind(lineage: [900, 101]))
        #expect(world.room.trouble == .elsewhere && world.timer == nil)
        world.send(.back)
        world.send(.staysBehind(lineage: [900, 101]))
        #expect(world.room.app == nil && world.room.trouble == nil)
    }

    @Test("an app that fails, shows nothing, or shows its window in the session says so, and a late window is shown all the same")
    func trouble() {
        var world = World()
        world.send(.asked("camera"))
        world.send(.ended(LaunchID(1), failed: true))
        #expect(world.room.trouble == .failed && world.timer == nil)
        world.send(.back)
        world.send(.asked("camera"))
        world.send(.ended(LaunchID(2), failed: false))
        world.wait(OverLock.handingOn)
        #expect(world.room.trouble == .elsewhere)
        world.comes(1, token: true)
        #expect(world.room.trouble == .elsewhere && world.room.window == nil, "one that runs already may show something of the session")
        world.send(.back)
        world.send(.asked("calls"))
        world.wait(OverLock.patience)
        #expect(world.room.trouble == .failed)
        world.comes(2)
        #expect(world.room.trouble == nil && world.room.window == WindowID(2))
        world.send(.back)
        world.send(.cannot(app: "calls"))
        #expect(world.room.trouble == nil)
    }

    @Test("the service of calls runs already, and shows its window by the token of the launch; it is kept from freezing when it is left")
    func service() {
        var world = World()
        world.send(.asked("calls"))
        world.send(.ended(LaunchID(1), failed: false))
        world.comes(1, token: true)
        #expect(world.room.window == WindowID(1) && world.room.kept(in: world.context) == [WindowID(1)])
        world.send(.back)
        #expect(world.room.window == nil && world.room.kept(in: world.context) == [WindowID(1)] && world.closed == [])
    }

    @Test("a token later than the window counts for one that is new since the lock, and for the emergency call alone")
    func tokens() {
        for app in ["calls", "camera"] {
            var world = World()
            world.send(.asked(app))
            world.send(.comes(WindowID(1), client: 7, launch: nil, lineage: [7]))
            world.send(.token(WindowID(2), client: 7, LaunchID(1)))
            #expect(world.room.window == nil, "a window of before the lock")
            world.send(.token(WindowID(1), client: 7, LaunchID(9)))
            #expect(world.room.window == nil, "the token of another launch")
            world.send(.token(WindowID(1), client: 7, LaunchID(1)))
            #expect(world.room.window == (app == "calls" ? WindowID(1) : nil))
            #expect(world.room.violations(in: world.context) == [])
        }
    }

    @Test("the unlocking keeps the window in front, and the next lock knows of no window of before")
    func ends() {
        var world = World()
        world.send(.asked("calls"))
        world.comes(1)
        world.send(.ends)
        #expect(world.kept == [WindowID(1)] && world.room.app == nil)
        world.send(.asked("calls"))
        #expect(world.room.window == nil && world.started == ["calls", "calls"], "a window of the session is shown")
    }

    @Test("every order of six events keeps the room in order")
    func orders() {
        let events: [OverLock.Event] = [
            .asked("camera"), .asked("calls"), .cannot(app: "camera"), .ended(LaunchID(1), failed: false),
            .ended(LaunchID(2), failed: true),
            .comes(WindowID(1), client: 1, launch: LaunchID(1), lineage: []),
            .comes(WindowID(2), client: 2, launch: nil, lineage: [102]), .token(WindowID(1), client: 1, LaunchID(2)), .leaves(WindowID(1)),
            .back,
            .ends, .timeIsUp,
        ]
        var worlds: Set<World> = [World()], count = 0
        for _ in 0..<6 {
            var next: Set<World> = []
            for world in worlds {
                for event in events {
                    var after = world
                    after.now = after.now + (event == .timeIsUp ? 25 : 1)
                    after.send(event)
                    count += 1
                    let found = after.room.violations(in: after.context)
                    guard found == [] else {
                        Issue.record("\(event): \(found)")
                        return
                    }
                    // The lists of what happened grow, and say nothing of the state.
                    (after.closed, after.kept, after.now, after.changes) = ([], [], world.now, 0)
                    next.insert(after)
                }
            }
            worlds = next
        }
        #expect(count > 5_000)
    }
}
