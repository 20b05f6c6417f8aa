import Geometry
import Idioms
import Rooms
import Seeded
import Testing
import Watches
import Windows

/// A program that starts, shows a window or does not, hides it, ends and is started again, as the shell for one app lives with it.
private struct World {
    var room = StartUp()
    var context = StartUp.Context()
    var now = Moment.zero + 1000
    var timer: Moment?
    var note: StartUp.Note?
    /// How often the program was started, and when last.
    var starts = 0
    var startedAt: Moment?
    private var launch: UInt32 = 0

    init() {
        context.startsAgain = true
        context.isEmpty = true
        send(.began(["app"]))
        start()
    }

    mutating func start() {
        launch += 1
        starts += 1
        startedAt = now
        context.unused.insert(LaunchID(launch))
        send(.launched(LaunchID(launch)))
        send(.settled)
    }

    mutating func send(_ event: StartUp.Event) {
        for outcome in room.handle(event, in: context, at: now) {
            switch outcome {
            case .timer(let moment): timer = moment
            case .says(let new): note = new
            case .starts(let command):
                #expect(command == ["app"])
                start()
            }
        }
    }

    mutating func shows() {
        context.hasOwn = true
        context.isProgramThere = true
        context.isEmpty = false
        context.unused.removeAll()
        send(.settled)
    }

    mutating func hides() {
        context.hasOwn = false
        context.isEmpty = true
        send(.settled)
    }

    mutating func ends(failed: Bool = true) {
        context.hasOwn = false
        context.isProgramThere = false
        context.isEmpty = true
        context.unused.removeAll()
        send(.ended(LaunchID(launch), failed: failed))
        send(.settled)
    }

    mutating func wait(_ seconds: Double) {
        let end = now + seconds
        while let due = timer, due <= end {
            now = due
            timer = nil
            send(.timeIsUp)
            send(.settled)
        }
        now = end
    }
}

@Suite("The programs with which the shell starts") struct StartUpTests {
    @Test("it starts again soon after it ends, and later after it failed; a window ends the waiting")
    func again() {
        var world = World()
        #expect(world.note == .starts)
        world.shows()
        #expect(world.note == nil && world.timer == nil)
        world.wait(60)
        world.ends()
        #expect(world.note == .startsAgain && world.timer == world.now + 0.5)
        world.wait(0.5)
        #expect(world.starts == 2)
        world.shows()
        world.wait(1)
        world.ends()
        #expect(world.timer == world.now + 1.5)
    }

    @Test("a program that hides its window has time to show it again")
    func hidden() {
        var world = World()
        world.shows()
        world.wait(60)
        world.hides()
        #expect(world.note == .starts && world.timer == world.now + 30)
        world.wait(20)
        world.shows()
        world.wait(60)
        #expect(world.starts == 1)
        world.hides()
        world.wait(31)
        #expect(world.starts == 2)
    }

    @Test("nothing is started while a locker holds the session, or where another app's window will do")
    func notNow() {
        for change in [
            { (context: inout StartUp.Context) in context.isLocked = true }, { $0.hasOthers = true }, { $0.startsAgain = false },
        ] {
            var world = World()
            change(&world.context)
            world.ends()
            world.wait(120)
            #expect(world.starts == 1 && world.note == nil)
        }
        // Once a window was theirs, those of others do not count.
        var world = World()
        world.shows()
        world.context.hasOthers = true
        world.ends()
        world.wait(2)
        #expect(world.starts == 2)
    }

    @Test("a helper without a window runs on")
    func helper() {
        var world = World()
        world.send(.began(["keyboard"]))
        world.context.helpers = [["keyboard"]]
        world.ends()
        world.wait(2)
        #expect(world.starts == 2)
    }

    @Test(
        "whatever happens, a missing app is started within a minute, and never while its window is there",
        arguments: 1...40 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed), world = World()
        var missingSince: Moment?
        for _ in 0..<300 {
            let starts = world.starts, wasThere = world.context.hasOwn
            switch random.next() % 8 {
            case 0: world.shows()
            case 1: if world.context.hasOwn { world.hides() }
            case 2: world.ends(failed: random.next() % 2 == 0)
            case 3:
                world.context.isLocked = random.next() % 3 == 0
                world.send(.settled)
            default: world.wait(Double(random.next() % 80) / 10)
            }
            if wasThere, world.context.hasOwn { #expect(world.starts == starts) }
            let isMissing = !world.context.hasOwn && !world.context.isLocked
            #expect(!isMissing || world.timer != nil, "nothing will start it")
            #expect(world.note == nil || isMissing)
            if !isMissing || world.starts > starts { missingSince = nil } else { missingSince = missingSince ?? world.now }
            if let missingSince { #expect(world.now - missingSince <= 62) }
        }
    }
}
