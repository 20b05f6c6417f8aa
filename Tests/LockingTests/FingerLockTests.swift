import Geometry
import Locking
import Testing

/// The fingerprint reader of a locked session, by the hand clock.
@Suite("X-10: the fingerprint reader") struct FingerLockTests {
    private struct World {
        var room = FingerLock()
        var now = Moment(nanoseconds: 1_000_000_000)
        var isRead = false, matches = 0, reads = 0
        var timer: Moment?

        mutating func send(_ event: FingerLock.Event) {
            for outcome in room.handle(event, in: (), at: now) {
                switch outcome {
                case .read:
                    isRead = true
                    reads += 1
                case .stop: isRead = false
                case .matches: matches += 1
                case .timer(let moment): timer = moment
                case .changed, .log: break
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
    }

    @Test("it is read while the lock screen can be seen, and left to others otherwise")
    func wanted() {
        var world = World()
        world.send(.reader(.match))
        #expect(world.matches == 0, "nothing was asked")
        world.send(.wanted(true))
        world.send(.reader(.ready))
        #expect(world.isRead && world.room.isReady)
        world.send(.wanted(false))
        #expect(!world.isRead && !world.room.isReady)
        world.send(.reader(.match))
        #expect(world.matches == 0, "a late answer")
        world.send(.wanted(true))
        world.send(.reader(.match))
        #expect(world.matches == 1 && !world.isRead)
    }

    @Test("five wrong fingers, also with the screen dark between them, leave the password alone; the next lock counts anew")
    func wrong() {
        var world = World()
        for miss in 1...FingerLock.most {
            world.send(.wanted(true))
            world.send(.reader(.unclear))
            #expect(world.room.hint == .again)
            world.send(.reader(.noMatch))
            #expect(world.room.hint == (miss < FingerLock.most ? .wrong : .over))
            world.send(.wanted(false))
        }
        world.send(.wanted(true))
        world.send(.reader(.match))
        #expect(!world.isRead && world.matches == 0)
        world.send(.ends)
        world.send(.wanted(true))
        #expect(world.isRead && world.room.hint == nil)
    }

    @Test("a reader that another program has, or that fails, is asked again a few times, and one that is not there is not")
    func failing() {
        for event in [FingerEvent.busy, .failed("no")] {
            var world = World()
            world.send(.wanted(true))
            for _ in 0..<50 {
                world.send(.reader(event))
                world.wait(60)
            }
            #expect(world.reads == 5 && world.timer == nil)
        }
        var world = World()
        world.send(.wanted(true))
        world.send(.reader(.absent))
        world.wait(60)
        #expect(world.reads == 1 && !world.isRead)
    }

    @Test("every short sequence keeps the rules")
    func sequences() {
        let events: [FingerLock.Event] = [
            .wanted(true), .wanted(false), .ends, .timeIsUp, .reader(.ready), .reader(.absent), .reader(.busy), .reader(.match),
            .reader(.noMatch), .reader(.unclear), .reader(.failed("")),
        ]
        func run(_ world: World, _ depth: Int) {
            for event in events {
                var next = world
                next.send(event)
                #expect(next.room.violations(in: ()) == [])
                #expect(next.matches == world.matches || event == .reader(.match))
                if depth > 1 { run(next, depth - 1) }
            }
        }
        run(World(), 4)
    }
}
