import Clocks
import Glibc
import MessageBus
import MullionTesting
import Testing

@Suite("The link to a bus")
struct BusLinkTests {
    private final class User: LinkedBus {
        private(set) lazy var link = BusLink(self, comesBack: comesBack, firstPause: 20_000_000) { [address] in address }
        let address: String
        let comesBack: BusLink.Return
        var log: [String] = []
        var answers: [String] = []

        init(_ address: String, _ comesBack: BusLink.Return) {
            self.address = address
            self.comesBack = comesBack
        }

        func joined() {
            log.append("joined")
            link.callBus("GetId") { [unowned self] in answers.append((try? $0.get()).flatMap { $0.string() } ?? "error") }
        }

        func lost() { log.append("lost") }
        func gaveUp() { log.append("gave up") }
    }

    /// Processes until it holds, as an event loop does.
    private func run(_ user: User, seconds: Double = 10, until body: () -> Bool) -> Bool {
        let end = Clocks.monotonicNanoseconds + Int64(seconds * 1e9)
        while !body() {
            guard Clocks.monotonicNanoseconds < end else { return false }
            user.process()
            usleep(1000)
        }
        return true
    }

    @Test(
        "a bus that dies and comes back, also after several attempts, is joined again; what was asked meanwhile is dropped",
        arguments: [
            BusLink.Return.always, .ifItWasThere,
        ])
    func comesBack(_ comesBack: BusLink.Return) throws {
        let bus = try TestBus(), user = User(bus.address, comesBack)
        #expect(run(user) { user.answers.count == 1 })
        #expect(user.link.isReady && user.descriptor >= 0)
        bus.hang()
        user.link.callBus("GetId") { _ in user.answers.append("late") }
        bus.stop()
        #expect(run(user) { user.log.last == "lost" })
        #expect(!user.link.isReady && user.descriptor == -1)
        let first = try #require(user.deadline)
        // Several attempts fail, and each waits longer.
        #expect(run(user) { (user.deadline ?? 0) > first + 100_000_000 })
        try bus.start()
        #expect(run(user) { user.answers.count == 2 && user.link.isReady })
        #expect(user.log == ["joined", "lost", "joined"] && !user.answers.contains("late"))
        user.link.close()
        #expect(user.deadline == nil && user.descriptor == -1 && user.log.last == "lost")
    }

    @Test("where there never was a bus, one kind tries again, and the other one gives up")
    func never() {
        let nowhere = "unix:path=/nowhere/bus", patient = User(nowhere, .always), other = User(nowhere, .ifItWasThere)
        for user in [patient, other] { _ = run(user, seconds: 0.3) { false } }
        #expect(patient.deadline != nil && !patient.log.contains("gave up"))
        #expect(other.deadline == nil && other.log.last == "gave up")
    }

    @Test("nothing is sent to a bus that is gone, and a link that is closed within a callback stays closed")
    func closed() throws {
        let bus = try TestBus(), user = User(bus.address, .always)
        #expect(run(user) { !user.answers.isEmpty })
        user.link.callBus("GetId") { _ in user.link.changed() }
        bus.stop()
        #expect(run(user) { user.log.last == "lost" })
        user.link.callBus("GetId") { _ in user.answers.append("late") }
        user.link.close()
        #expect(run(user, seconds: 0.2) { false } == false)
        #expect(user.answers.count == 1 && user.descriptor == -1 && user.deadline == nil)
    }
}
