import Geometry
import Interface
import Modals
import Seeded
import Stage
import Testing
import Windows

/// The popovers of a screen: one is open, or none.
private struct World {
    var alerts = Alerts()
    var open: Interface.Popover?
    var isLocked = false
    private var now = Moment.zero

    var context: Alerts.Context { Alerts.Context(open: open, isLocked: isLocked) }

    mutating func send(_ event: Alerts.Event) {
        now = now + 0.1
        for outcome in alerts.handle(event, in: context, at: now) {
            switch outcome {
            case .presents(let content): open = content
            case .closes: open = nil
            }
        }
    }

    static func alert(_ name: String) -> Interface.Popover { .alert(title: .verbatim(name), message: .verbatim("")) }
}

@Suite("M-11: the line of the shell's alerts") struct AlertsTests {
    private let one = World.alert("one"), two = World.alert("two")

    @Test("an alert takes the place of a menu, waits for an alert, and comes when that is answered")
    func line() {
        var world = World()
        world.open = .keyHelp
        world.send(.told(one, stays: false))
        world.send(.told(two, stays: false))
        world.send(.told(one, stays: false))
        #expect(world.open == one && world.alerts.waiting == [one, two])
        world.send(.closed)
        #expect(world.open == nil)
        world.send(.settled)
        #expect(world.open == two)
    }

    @Test("one that stays waits until nothing is open, and comes back until it is answered; another one ends with its view")
    func stays() {
        for stays in [true, false] {
            var world = World()
            world.open = .keyHelp
            world.send(.told(one, stays: stays))
            #expect(world.open == (stays ? .keyHelp : one))
            world.open = nil
            world.send(.settled)
            #expect(world.open == (stays ? one : nil))
            // A program that starts closes views.
            world.open = nil
            world.send(.settled)
            #expect(world.open == (stays ? one : nil) && world.alerts.waiting == (stays ? [one] : []))
            world.send(.closed)
            world.send(.settled)
            #expect(world.open == nil && world.alerts.waiting == [])
        }
    }

    @Test("a locked screen shows none; they come after it")
    func locked() {
        var world = World()
        world.isLocked = true
        world.send(.told(one, stays: false))
        #expect(world.open == nil)
        world.isLocked = false
        world.send(.settled)
        #expect(world.open == one)
    }

    @Test("outdated ones go, in sight or not; a better one takes their place")
    func outdated() {
        var world = World()
        for alert in [one, two] { world.send(.told(alert, stays: true)) }
        world.send(.settled)
        world.send(.withdrawn([two]))
        #expect(world.open == one && world.alerts.waiting == [one])
        world.send(.withdrawn([one]))
        #expect(world.open == nil && world.alerts.waiting == [])
        world.send(.told(one, stays: false))
        world.send(.superseded(title: .verbatim("one")))
        world.send(.told(two, stays: false))
        #expect(world.open == two && world.alerts.waiting == [two])
    }

    @Test("W-20: one question about the windows of the last session, until it is answered")
    func windowsAside() {
        var world = World()
        world.send(.windowsSetAside(3))
        world.send(.windowsSetAside(4))
        world.send(.settled)
        #expect(world.open == .windowsAside(3) && world.alerts.asksWindowsAside)
        world.send(.windowsAsideAnswered)
        world.send(.settled)
        #expect(world.open == nil && !world.alerts.asksWindowsAside)
    }

    @Test("whatever happens, the line holds at most eight, one alert is in sight, and none is lost but by an answer", arguments: 1...60)
    func random(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed)), world = World(), expected: [Interface.Popover] = []
        for step in 0..<200 {
            switch random.next() % 8 {
            case 0, 1:
                let alert = World.alert("\(random.next() % 12)")
                let isRoom = world.alerts.waiting.count < Alerts.most
                world.send(.told(alert, stays: true))
                if isRoom, !expected.contains(alert) { expected.append(alert) }
            case 2: world.isLocked.toggle()
            // A locker or a program that starts closes views.
            case 3: world.open = nil
            case 4: if world.open == nil { world.open = .keyHelp }
            case 5:
                if let open = world.open, expected.first == open { expected.removeFirst() }
                world.send(.closed)
            case 6:
                let gone = World.alert("\(random.next() % 12)")
                expected.removeAll { $0 == gone }
                world.send(.withdrawn([gone]))
            default: break
            }
            world.send(.settled)
            #expect(world.alerts.waiting == expected, "step \(step)")
            #expect(world.alerts.violations(in: world.context) == [])
            if world.open == nil, !world.isLocked { #expect(expected.isEmpty, "an alert waits for nothing") }
        }
    }
}
