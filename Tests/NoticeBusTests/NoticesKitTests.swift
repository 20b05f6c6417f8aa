import Foundation
import Glibc
import MessageBus
import MullionKit
import MullionTesting
import Testing

/// MullionKit at a service or a bus that gives no answer.
@Suite(.serialized, .timeLimit(.minutes(1))) struct NoticesKitTests {
    /// Owns the name, and keeps every call.
    private final class Silent: BusHandler {
        var connection: BusConnection?
        var isNamed = false
        var calls: [String] = []

        init(_ address: String) throws {
            connection = BusConnection(address: address, handler: self)
            connection?.export(
                "org.mullion.Notices1", below: "/org/mullion/Notices1",
                [
                    .method("List", takes: "s", gives: "a(sxs)"), .method("TakeTaps", takes: "s", gives: "a(ss)"),
                ])
            connection?.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName", token: 1) {
                $0.string("org.mullion.Notices1")
                $0.uint32(0)
            }
            for _ in 0..<1000 where !isNamed { turn() }
            try #require(isNamed)
        }

        func turn() {
            _ = connection?.process(steps: 64)
            usleep(1000)
        }

        func has(_ path: String, _ interface: String) -> Bool { path == "/org/mullion/Notices1" }
        func method(_ call: Incoming) -> Int32 {
            calls.append(call.member)
            held.append(call.keep())
            return 1
        }
        func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) { isNamed = true }

        private var held: [Any] = []
    }

    @Test("S-12: no request waits for its answer; one that is waited for ends in time, and the others at the end of the connection")
    func neverBlocks() throws {
        let bus = try TestBus()
        let service = try Silent(bus.address)
        let notices = try ScheduledNotices(app: "org.example.Tea", busAddress: bus.address)
        var changes = 0
        notices.onLoopChange = { changes += 1 }
        let clock = ContinuousClock(), begin = clock.now
        let list = notices.list(), taps = notices.takeTaps()
        for _ in 0..<500 where service.calls.count < 2 {
            notices.process()
            service.turn()
        }
        #expect(service.calls == ["List", "TakeTaps"])
        #expect(list.result == nil && taps.result == nil && changes >= 2)
        // The shell has 25 seconds for an answer, of which none passed here.
        #expect((20_000...25_000).contains(notices.timeout))
        #expect { try list.wait(seconds: 0.05) } throws: { ($0 as? MullionError)?.kind == .timedOut }
        #expect(begin.duration(to: clock.now) < .seconds(10))

        var heard: MullionError?
        taps.whenDone { if case .failure(let error) = $0 { heard = error } }
        notices.close()
        #expect(heard?.kind == .expiredSession && list.result != nil && notices.descriptor == -1)
    }

    @Test("S-12: a bus that ends is an error of each open request")
    func lostBus() throws {
        let bus = try TestBus()
        let service = try Silent(bus.address)
        let notices = try ScheduledNotices(app: "org.example.Tea", busAddress: bus.address)
        let list = notices.list()
        for _ in 0..<500 where service.calls.isEmpty {
            notices.process()
            service.turn()
        }
        bus.stop()
        #expect { try list.wait() } throws: { ($0 as? MullionError)?.kind == .unavailable }
        #expect(notices.descriptor == -1)
        #expect(throws: MullionError.self) { try ScheduledNotices(app: "x", busAddress: "unix:path=/nowhere/at/all") }
    }

    @Test("M-05, W-18: a view with files waits for no bus, not even for one that never accepts it")
    func silentBus() throws {
        let folder = NSTemporaryDirectory() + "mullion-silent-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/bus".utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        try #require(status == 0 && listen(listener, 4) == 0)

        let clock = ContinuousClock(), begin = clock.now
        let view = try QuickLookView(paths: ["/etc/hostname"], busAddress: "unix:path=\(folder)/bus")
        view.process()
        #expect(begin.duration(to: clock.now) < .seconds(4))
        #expect(view.answer == nil && view.descriptor >= 0 && (1...5000).contains(view.timeout))
        view.close()
        #expect(view.descriptor == -1 && view.timeout == -1)
        #expect(throws: MullionError(.cannotOpen, "gone: Bad file descriptor")) {
            try QuickLookView([.init(-1, name: "gone")], busAddress: "unix:path=\(folder)/bus")
        }
    }
}
