import Geometry
import Status
import Testing

/// The power button of the device, by the hand clock.
@Suite("X-10: the power button") struct PowerButtonTests {
    /// A device that does what the room says.
    private struct Device {
        var room = PowerButton()
        var now = Moment(nanoseconds: 1_000_000_000)
        var isLit = true, isLocked = false
        var timer: Moment?
        var menus = 0, locks = 0

        var context: PowerButton.Context { PowerButton.Context(isLit: isLit, isLocked: isLocked) }

        mutating func send(_ event: PowerButton.Event) {
            for outcome in room.handle(event, in: context, at: now) {
                switch outcome {
                case .darkens:
                    locks += 1
                    (isLocked, isLit) = (true, false)
                    send(.lit(false))
                case .lights:
                    isLit = true
                    send(.lit(true))
                case .opensMenu: menus += 1
                case .timer(let moment): timer = moment
                }
            }
        }

        mutating func wait(_ seconds: Double) {
            let end = now + seconds
            while let due = timer, due <= end {
                (now, timer) = (max(now, due), nil)
                send(.timeIsUp)
            }
            now = end
        }

        mutating func press(for seconds: Double = 0.1) {
            send(.pressed)
            wait(seconds)
            send(.released)
        }
    }

    @Test("a short press makes the screen dark and locks, the next one lights it")
    func short() {
        var device = Device()
        device.press()
        #expect(!device.isLit && device.isLocked && device.room.isDark && device.menus == 0)
        device.wait(600)
        #expect(!device.isLit)
        device.press()
        #expect(device.isLit && !device.room.isDark && device.locks == 1)
    }

    @Test("a long press opens the menu while it is held, and its end does nothing")
    func long() {
        var device = Device()
        device.send(.pressed)
        device.wait(PowerButton.long - 0.01)
        #expect(device.menus == 0)
        // A key that is held repeats.
        device.send(.pressed)
        device.wait(0.02)
        #expect(device.menus == 1)
        device.send(.released)
        #expect(device.isLit && device.locks == 0 && device.menus == 1)
    }

    @Test("a dark locked screen stays dark for fingers, and a key lights it; without a lock a finger does, too")
    func uses() {
        var device = Device()
        device.press()
        device.send(.used(isFinger: true))
        #expect(!device.isLit)
        device.send(.used(isFinger: false))
        #expect(device.isLit)
        device.press()
        device.isLocked = false
        device.send(.used(isFinger: true))
        #expect(device.isLit)
    }

    @Test("a locked screen that the button lit is dark again after half a minute without use, and not once it is unlocked")
    func fallsDark() {
        var device = Device()
        device.press()
        device.press()
        device.wait(20)
        device.send(.used(isFinger: true))
        device.wait(PowerButton.patience - 1)
        #expect(device.isLit)
        device.wait(2)
        #expect(!device.isLit && device.locks == 2)
        device.press()
        device.isLocked = false
        device.send(.used(isFinger: true))
        device.wait(600)
        #expect(device.isLit)
    }

    @Test("the press that wakes the machine is none of the button, and the screen is lit after it")
    func wakes() {
        var device = Device()
        device.press()
        device.send(.woke)
        #expect(device.isLit)
        device.press()
        #expect(device.isLit && device.locks == 1)
        device.wait(2)
        device.press()
        #expect(!device.isLit)
    }

    @Test("every short sequence: what is pressed has one effect at most, and the screen that is dark by the button can be lit by it")
    func sequences() {
        let steps: [(inout Device) -> Void] = [
            { $0.send(.pressed) }, { $0.send(.released) }, { $0.wait(1) }, { $0.wait(40) }, { $0.send(.used(isFinger: true)) },
            { $0.send(.used(isFinger: false)) }, { $0.isLocked = false }, { $0.send(.woke) }, { $0.send(.wish(isLong: true)) },
            {
                $0.isLit.toggle()
                $0.send(.lit($0.isLit))
            },
        ]
        var count = 0
        func run(_ device: Device, _ depth: Int) {
            for step in steps {
                var next = device
                step(&next)
                let before = device.locks + device.menus, after = next.locks + next.menus
                #expect(after <= before + 1)
                #expect(next.room.violations(in: next.context) == [])
                #expect(!(next.room.isDark && next.isLit), "the screen is lit")
                count += 1
                if depth > 1 { run(next, depth - 1) }
                if depth == 1, !next.isLit {
                    next.wait(2)
                    // A press that is under way ends first.
                    next.send(.released)
                    if !next.isLit { next.press() }
                    #expect(next.isLit || next.locks > after)
                }
            }
        }
        run(Device(), 4)
        #expect(count == 11110)
    }
}

@Suite("X-10: the battery and the end of the machine's work") struct PowerFactsTests {
    private func battery(_ warning: Int64, state: Int64 = 2) -> Battery? {
        BatteryFacts(state: state, percentage: 9, warning: warning).battery
    }

    @Test("each level is told once, a charger takes it back, and a guess that is corrected tells nothing")
    func warnings() {
        var room = BatteryWarnings()
        func send(_ battery: Battery?) -> [BatteryWarnings.Outcome] { room.handle(battery, in: (), at: .zero) }
        #expect(send(battery(1)) == [] && send(battery(3)) == [.tells] && send(battery(3)) == [])
        #expect(send(battery(4)) == [.tells] && send(battery(3)) == [] && send(battery(4)) == [] && send(battery(5)) == [.tells])
        #expect(send(battery(5, state: 1)) == [.withdraws] && send(battery(5, state: 1)) == [])
        #expect(send(battery(3)) == [.tells] && send(nil) == [.withdraws] && send(nil) == [])
        // From a service that lies.
        #expect(send(battery(99)) == [] && send(battery(-7)) == [] && send(battery(.max)) == [])
    }

    @Test("what a program holds up is asked about, and nothing else is")
    func blockers() {
        var room = Status()
        func send(_ event: Status.Event) -> [Status.Outcome] { room.handle(event, in: (), at: .zero) }
        _ = send(.ends([.turnOff, .restart, .suspend]))
        let writer = PowerBlocker(name: "Writer\u{202e}", reason: "A disc is being burned", isForShutdown: true, isForSleep: false)
        #expect(send(.blockers([writer])) == [.changed])
        #expect(send(.wish(.end(.turnOff))) == [.asks(.turnOff)] && send(.wish(.end(.suspend))) == [.set(.end(.suspend))])
        #expect(send(.wish(.endAnyway(.turnOff))) == [.end(.turnOff, isForced: true)])
        #expect(send(.blockers(Array(repeating: writer, count: 5000))) == [.changed] && room.blockers.count == 16)
        // An end that needs an administrator is offered while a program holds it up: logind says the same of both.
        _ = send(.ends([.suspend], challenged: [.turnOff]))
        #expect(room.ends == [.turnOff, .suspend])
        _ = send(.blockers([]))
        #expect(room.ends == [.suspend])
        _ = send(.ends([.turnOff, .restart, .suspend]))
        #expect(send(.wish(.end(.restart))) == [.end(.restart, isForced: false)])
        _ = send(.hangs(.login))
        if case .refuse? = send(.wish(.endAnyway(.restart))).first {} else { Issue.record("a machine that cannot is not asked to") }
    }

    @Test("prepared updates are told once, and offered where the machine can restart")
    func updates() {
        var room = Status()
        func send(_ event: Status.Event) -> [Status.Outcome] { room.handle(event, in: (), at: .zero) }
        #expect(send(.updates(true)) == [.changed, .tellsOfUpdates] && room.ends == [] && send(.updates(true)) == [])
        _ = send(.ends([.turnOff, .restart]))
        #expect(room.ends == [.turnOff, .restart, .update])
        #expect(send(.updates(false)) == [.changed] && room.ends == [.turnOff, .restart])
        #expect(send(.updates(true)) == [.changed, .tellsOfUpdates])
    }
}
