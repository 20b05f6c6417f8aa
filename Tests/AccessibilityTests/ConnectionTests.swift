import Clocks
import Foundation
import Geometry
import Glibc
import Testing

@testable import Accessibility

@Suite(.serialized, .timeLimit(.minutes(2)))
struct ConnectionTests {
    @Test("X-05: without a session bus nothing happens but a look now and then")
    func absent() throws {
        for environment in [
            [:], ["XDG_RUNTIME_DIR": "/nowhere"], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"],
            ["DBUS_SESSION_BUS_ADDRESS": "unixexec:path=/bin/false"],
            ["DBUS_SESSION_BUS_ADDRESS": "tcp:host=example.org"],
            ["DBUS_SESSION_BUS_ADDRESS": ";;=,%zz"], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=%zz"],
        ] {
            let before = Clocks.monotonicNanoseconds
            let session = Session(environment)
            session.bus.update(shown())
            session.bus.announce("Hello")
            #expect(session.bus.descriptor == -1)
            let deadline = try #require(session.bus.deadline)
            #expect(deadline >= before + 3_000_000_000, "not more often than every few seconds")
            #expect(deadline <= Clocks.monotonicNanoseconds + 3_000_000_000)
            #expect(!session.run(seconds: 0.1) { session.bus.isRegistered })
            #expect(session.turns < 30, "it spins")
            session.bus.close()
            #expect(session.bus.deadline == nil)
        }
    }

    @Test("X-05: the pauses between attempts grow, to a minute")
    func pauses() throws {
        let bus = AccessibilityBus(applicationName: "Mullion", environment: [:])
        var pauses: [Int64] = []
        for _ in 0..<8 {
            let moment = try #require(bus.deadline)
            bus.now = { moment }
            bus.process()
            pauses.append((try #require(bus.deadline) - moment) / 1_000_000_000)
        }
        #expect(pauses == [6, 12, 24, 48, 60, 60, 60, 60])
        let moment = try #require(bus.deadline) - 1
        bus.now = { moment }
        bus.process()
        #expect(bus.deadline == moment + 1, "not before its time")
    }

    @Test("X-05: the owner is told when the first connection ends, even if nothing was reported before")
    func theFirstEndIsTold() throws {
        let folder = try PrivateBus(started: false)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        let bound = folder.withAddress { bind(listener, $0, $1) }
        try #require(bound == 0 && listen(listener, 4) == 0)
        let bus = AccessibilityBus(applicationName: "Mullion", environment: folder.environment)
        try #require(bus.descriptor >= 0)
        var told: [Int32] = []
        bus.onChange = { told.append(bus.descriptor) }
        bus.close()
        bus.onChange = nil
        // The next connection may have the same number: without this it would not be watched.
        #expect(told.first == -1)
    }

    @Test("X-05: NO_AT_BRIDGE keeps the shell off the bus")
    func isolated() throws {
        let bus = try PrivateBus()
        let session = Session(bus.environment.merging(["NO_AT_BRIDGE": "1"]) { $1 })
        #expect(session.bus.descriptor == -1)
        #expect(session.bus.deadline == nil)
    }

    @Test("X-05: a session bus that accepts and never answers holds nothing up")
    func silent() throws {
        let folder = try PrivateBus(started: false)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        let bound = folder.withAddress { bind(listener, $0, $1) }
        try #require(bound == 0 && listen(listener, 4) == 0)

        let before = Clocks.monotonicNanoseconds
        let session = Session(folder.environment)
        session.bus.update(shown())
        session.bus.process()
        #expect(Clocks.monotonicNanoseconds - before < 200_000_000)
        #expect(session.bus.descriptor >= 0)
        #expect(!session.run(seconds: 0.3) { session.bus.isRegistered })
        #expect(session.turns < 60, "it spins")
        let deadline = try #require(session.bus.deadline)
        #expect(deadline > Clocks.monotonicNanoseconds && deadline < Clocks.monotonicNanoseconds + 120_000_000_000, "it gives up some time")

        // Hanging up is noticed at once.
        close(accept(listener, nil, nil))
        #expect(session.run(seconds: 2) { session.bus.descriptor == -1 })
    }

    @Test("X-05: a session bus without assistive technology is asked again, in silence")
    func withoutLauncher() throws {
        let bus = try PrivateBus(activates: false)
        let session = Session(bus.environment)
        #expect(session.run { session.bus.descriptor == -1 })
        #expect(session.bus.deadline != nil)
        #expect(!session.bus.isRegistered)
    }

    @Test("X-05: the bus dies and comes back, and clients find the controls again")
    func revival() throws {
        let bus = try PrivateBus(started: false)
        let session = Session(bus.environment)
        session.bus.pauses.first = 50_000_000
        session.bus.update(shown())
        #expect(!session.run(seconds: 0.2) { session.bus.isRegistered })
        for _ in 0..<3 {
            // The first pause may still be the long one.
            try bus.start()
            session.register("the bus is back")
            let client = try Client(bus, session)
            #expect(try client.ask("desktop") as? [String] == ["Mullion"])
            #expect(try client.ask(["do": "press", "id": "switcher.silent"]) as? Bool == true)
            bus.stop()
            #expect(session.run { !session.bus.isRegistered && session.bus.descriptor == -1 })
            session.bus.update(Array(shown().reversed()))
            session.bus.announce("nobody hears this")
        }
        #expect(session.pressed.count == 3)
    }

    @Test("X-05: a registry that was started anew gets the application again")
    func registryRestart() throws {
        let bus = try PrivateBus()
        let session = Session(bus.environment)
        session.bus.update(shown())
        session.register()
        do {
            let client = try Client(bus, session)
            #expect(try client.ask("desktop") as? [String] == ["Mullion"])
        }
        #expect(bus.send(SIGKILL, to: "at-spi2-registryd"))
        // A new client has the registry started again, which knows nobody until they come.
        let client = try Client(bus, session)
        var names: [String]?
        for _ in 0..<50 where names != ["Mullion"] {
            names = try client.ask("desktop") as? [String]
            _ = session.run(seconds: 0.02) { false }
        }
        #expect(names == ["Mullion"])
        #expect(try client.ask(["do": "press", "id": "dock.notes"]) as? Bool == true)
    }

    @Test("X-05: what is pressed may close the bus or change the controls")
    func ownerActs() throws {
        let bus = try PrivateBus()
        let session = Session(bus.environment)
        session.bus.update(shown())
        session.register()
        let client = try Client(bus, session)
        var count = 0
        session.bus.onPress = { [unowned session] _ in
            count += 1
            if count == 1 { session.bus.update([]) } else { session.bus.close() }
        }
        try client.ask(["do": "press", "id": "dock.notes"])
        #expect(count == 1)
        session.bus.update(shown())
        try client.ask(["do": "press", "id": "dock.notes"])
        #expect(session.run { count == 2 })
        #expect(session.bus.descriptor == -1)
        #expect(session.bus.deadline == nil)
        session.bus.update([])
        session.bus.process()
        #expect(session.bus.descriptor == -1)
    }
}
