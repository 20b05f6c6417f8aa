import Geometry
import Interface
import Locking
import MullionTesting
import Multitasking
import Seat
import Status
import Testing
import Windows

@Suite("X-10: a greeter stays shut") struct GreeterShutTests {
    private func world(obeysUnlock: Bool = false, command: [String] = []) -> CoreWorld {
        var preferences = Preferences()
        (preferences.lock.obeysUnlock, preferences.lock.command) = (obeysUnlock, command)
        var world = CoreWorld(idiom: .pad, preferences: preferences)
        world.send(.lockScreen(.greeter(.begins)))
        let people = [GreeterPerson(name: "ann", title: "Ann"), GreeterPerson(name: "ben", title: "Ben")]
        let session = GreeterSession(id: "mullion", title: "Mullion", command: ["mullion-session"])
        world.send(.lockScreen(.greeter(.found(GreeterFacts(people: people, sessions: [session])))))
        return world
    }

    private func tap(_ id: ControlID, _ world: inout CoreWorld) -> [Effect] {
        guard let control = world.system.controls(at: world.now).last(where: { $0.id == id }) else {
            Issue.record("\(id) is not there")
            return []
        }
        return world.send(.lockScreen(.input(.down(1, at: control.frame.center)))) + world.send(.lockScreen(.input(.up(1))))
    }

    @Test("no unlocking, no locker, no sleep and no action opens it")
    func shut() {
        var world = world(obeysUnlock: true, command: ["swaylock"])
        #expect(world.system.isLocked && world.system.lockScreen.isUp)
        let events: [Event] = [
            .lock(.unlocked(.shell)), .lock(.gone(.shell)), .lock(.asked(LockerID(1), isDark: true)), .lock(.unlocked(LockerID(1))),
            .lock(.gone(LockerID(1))), .lock(.startedEnded), .lock(.dark), .lockScreen(.unlockAsked), .lockScreen(.lockAsked),
            .lockScreen(.triedBefore(0)), .lockScreen(.talk(0, .ends(.allowed))), .lockScreen(.talk(1, .ends(.allowed))),
            .lockScreen(.greeter(.started(1))), .lockScreen(.greeter(.refused(1, ""))), .lockScreen(.greeter(.begins)), .power(.sleeps),
            .power(.woke), .screenRemoved,
        ]
        for event in events {
            let effects = world.send(event)
            #expect(world.system.isLocked && world.system.lockScreen.isUp, "\(event)")
            #expect(!effects.contains(.quit) && !effects.contains { if case .startLocker = $0 { true } else { false } }, "\(event)")
            #expect(world.system.violations() == [])
        }
        for action in [
            Action.lockScreen(.submit), .lockScreen(.greet(.person("ann"))), .lockScreen(.lock), .launch(command: ["foot"]), .quit,
        ] {
            let effects = world.act(action)
            #expect(
                world.system.isLocked && !effects.contains(.quit) && !effects.contains { if case .program = $0 { true } else { false } })
        }
        #expect(world.system.greeter.person == nil, "a script chose a person")
    }

    @Test("a person who is let in gets a session of greetd, and this shell only ends")
    func ends() throws {
        var world = world()
        var effects = tap("lock/greeter/person/ben", &world)
        let number = world.system.lockScreen.lastNumber
        #expect(effects.contains(.unlocking(.greet(number, Secret("ben")))))
        world.send(.lockScreen(.talk(number, .asks("Password: ", isShown: false))))
        for letter in ["a", "b"] { world.send(.lockScreen(.input(.key(KeySymbol(rawValue: 0x61), text: letter)))) }
        effects = world.send(.lockScreen(.input(.key(.enter, text: nil))))
        #expect(effects.contains(.unlocking(.answer(number, Secret("ab")))))
        effects = world.send(.lockScreen(.talk(number, .ends(.allowed))))
        let session = try #require(world.system.greeter.starting?.session)
        #expect(effects.contains(.unlocking(.startSession(number, session))) && world.system.isLocked)
        for letter in ["x", "y"] { world.send(.lockScreen(.input(.key(KeySymbol(rawValue: 0x61), text: letter)))) }
        #expect(world.system.lockScreen.field.isEmpty && world.system.greeter.starting != nil, "keys during the start go nowhere")
        effects = world.send(.lockScreen(.greeter(.started(number))))
        #expect(effects.contains(.quit) && world.system.isLocked)
    }

    @Test("what is typed on the list goes nowhere, unless there is one person alone")
    func typing() {
        var world = world()
        world.send(.lockScreen(.input(.key(KeySymbol(rawValue: 0x61), text: "a"))))
        #expect(world.system.greeter.person == nil && !world.system.lockScreen.isOpen)
        _ = tap("lock/greeter/other", &world)
        #expect(world.system.greeter.asksName && world.system.lockScreen.talk == nil)
        for letter in ["c", "d"] { world.send(.lockScreen(.input(.key(KeySymbol(rawValue: 0x61), text: letter)))) }
        let effects = world.send(.lockScreen(.input(.key(.enter, text: nil))))
        #expect(effects.contains(.unlocking(.greet(world.system.lockScreen.lastNumber, Secret("cd")))))
        // A person who walks away leaves the list.
        _ = world.wait(120_000)
        #expect(world.system.greeter.person == nil && !world.system.lockScreen.isOpen)
    }

    @Test("the machine is ended only as the login manager allows")
    func power() {
        var world = world()
        world.send(.status(.ends([.restart])))
        _ = tap("lock/greeter/power", &world)
        #expect(tap("lock/greeter/restart", &world).contains(.status(.set(.end(.restart)))))
        #expect(!world.system.controls(at: world.now).contains { $0.id == "lock/greeter/turn-off" })
    }
}
