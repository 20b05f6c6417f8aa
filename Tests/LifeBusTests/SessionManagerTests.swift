import Callers
import Foundation
import Glibc
import LifeBus
import LifeService
import Lifecycle
import MullionTesting
import Testing
import Windows

/// The session manager over a real bus, with gdbus as the program that asks.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SessionManagerTests {
    private final class Host: SessionHost {
        var log: [String] = []
        var refusal: LifeError?
        private var last: UInt32 = 0

        func beginInstance(of app: String, by caller: LifeCaller) -> StartedInstance {
            log.append("begin \(app) \(caller.process > 0)")
            return StartedInstance(reason: .recover, id: "i1", discarded: ["old", "older"])
        }

        func finishInstance(_ id: String, of app: String) { log.append("finish \(app) \(id)") }
        func instanceGone(_ id: String, of app: String) { log.append("gone \(app) \(id)") }
        func deletedInstances(_ ids: [String], of app: String) { log.append("deleted \(app) \(ids)") }

        func mayRestore(_ app: String, _ caller: LifeCaller) -> Bool { true }

        func inhibit(_ kinds: Inhibitor.Kinds, app: String, reason: String, by caller: LifeCaller) -> InhibitorID {
            last += 1
            log.append("inhibit \(kinds.rawValue) \(app) \(reason)")
            return InhibitorID(last)
        }

        func uninhibit(_ id: InhibitorID) { log.append("uninhibit \(id.raw)") }

        func registerClient(app: String, by caller: LifeCaller) -> SessionClientID {
            last += 1
            log.append("register \(app)")
            return SessionClientID(last)
        }

        func allowedInBackground(_ apps: [String]) { log.append("allowed \(apps)") }
        func unregisterClient(_ id: SessionClientID) { log.append("unregister \(id.raw)") }
        func clientAnswered(_ id: SessionClientID, objection: String?) { log.append("answered \(id.raw) \(objection ?? "yes")") }

        func logOut(isForced: Bool, by caller: LifeCaller) throws(LifeError) {
            if let refusal { throw refusal }
            log.append("log out \(isForced)")
        }

        let isSessionRunning = true
    }

    private let bus: TestBus
    private let host = Host()

    init() throws { bus = try TestBus() }

    private func service(_ host: Host?) -> LifeBus {
        let service = LifeBus(environment: bus.environment, firstPause: 20_000_000)
        service.sessionHost = host
        service.host = life
        return service
    }

    private let life = NoLife()

    private func run(_ service: LifeBus, until done: () -> Bool) -> Bool {
        for _ in 0..<5000 {
            service.process()
            if done() { return true }
            usleep(1000)
        }
        return false
    }

    private func call(_ service: LifeBus, _ method: String, _ arguments: String...) throws -> String {
        try ask(
            service, ["call", "--object-path", "/org/gnome/SessionManager", "--method", "org.gnome.SessionManager.\(method)"] + arguments)
    }

    /// What gdbus prints, errors too.
    private func ask(_ service: LifeBus, _ words: [String]) throws -> String {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/gdbus")
        process.arguments = [words[0], "--session", "--dest", "org.gnome.SessionManager"] + words.dropFirst()
        process.environment = bus.environment
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        #expect(run(service) { !process.isRunning })
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    private func started(_ host: Host?) -> LifeBus {
        let service = service(host)
        #expect(run(service) { service.isServing })
        return service
    }

    @Test("W-20: an app that starts gets its reason, its instance and what it can delete; its end is noticed")
    func restore() throws {
        let service = started(host)
        #expect(try call(service, "RegisterRestore", "org.example.Editor", "") == "(uint32 2, 'i1', ['old', 'older'])")
        #expect(run(service) { host.log == ["begin org.example.Editor true", "gone org.example.Editor i1"] }, "\(host.log)")
        #expect(try call(service, "DeletedInstanceIds", "org.example.Editor", "['old']") == "()")
        #expect(host.log.last == "deleted org.example.Editor [\"old\"]")
        // The program is gone, so nobody can say that it ended.
        #expect(try call(service, "UnregisterRestore", "org.example.Editor", "i1").contains("InvalidArgs"))
    }

    @Test("S-06: what a program asks the shell not to do ends with its connection")
    func inhibitors() throws {
        let service = started(host)
        #expect(try call(service, "Inhibit", "org.example.Burner", "0", "Burning a disc", "5") == "(uint32 1,)")
        #expect(run(service) { host.log == ["inhibit 5 org.example.Burner Burning a disc", "uninhibit 1"] }, "\(host.log)")
        #expect(try call(service, "IsInhibited", "5") == "(false,)")
        #expect(try call(service, "GetInhibitors") == "(@ao [],)")
    }

    @Test("clients are known until they leave, and who asks for the end may be refused in words")
    func clients() throws {
        let service = started(host)
        #expect(try call(service, "RegisterClient", "org.example.Editor", "").hasPrefix("(objectpath '/org/gnome/SessionManager/Client1'"))
        #expect(run(service) { host.log == ["register org.example.Editor", "unregister 1"] }, "\(host.log)")
        #expect(try call(service, "Logout", "0") == "()" && call(service, "Logout", "2") == "()")
        #expect(host.log.suffix(2) == ["log out false", "log out true"])
        #expect(try call(service, "IsSessionRunning") == "(true,)")
        host.refusal = LifeError(.noApp, "the screen is locked")
        #expect(try call(service, "Logout", "0").contains("org.freedesktop.DBus.Error.Failed: the screen is locked"))
    }

    @Test("without a host there is no session manager")
    func nobody() throws {
        let service = started(nil)
        #expect(
            try call(service, "IsSessionRunning").contains("ServiceUnknown") || call(service, "IsSessionRunning").contains("not provided"))
    }

    @Test("another desktop's session manager keeps the name")
    func taken() throws {
        let first = started(host), other = Host(), second = service(other)
        var notes: [String] = []
        second.onNote = { notes.append($0) }
        #expect(
            run(second) {
                first.process()
                return second.isServing
            })
        #expect(notes.contains { $0.contains("another session manager") }, "\(notes)")
        #expect(try call(first, "IsSessionRunning") == "(true,)")
    }

    @Test("the manual names what the service has")
    func document() throws {
        let service = started(host)
        let xml = try ask(service, ["introspect", "--object-path", "/org/gnome/SessionManager", "--xml"])
        let manual = try String(
            contentsOf: URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "docs/life-api.md"), encoding: .utf8)
        var isOwn = false, count = 0
        for tag in xml.split(separator: "<").map(String.init) {
            if tag.hasPrefix("interface") { isOwn = tag.contains("org.gnome.SessionManager") }
            guard isOwn, ["method", "signal", "property"].contains(where: tag.hasPrefix), let range = tag.range(of: "name=\"") else {
                continue
            }
            let name = tag[range.upperBound...].prefix { $0 != "\"" }
            count += 1
            #expect(manual.contains("`\(name)"), "\(name) is not in docs/life-api.md")
        }
        #expect(count >= 20, "\(xml)")
    }

    private final class NoLife: LifeHost {
        func offerState(
            _ name: String, by caller: LifeCaller, to client: any LifeClient, isReady: @escaping (StateID, [UInt8]?) -> Void
        ) throws(LifeError) -> StateID { throw LifeError(.noApp, "nobody") }
        func withdrawState(_ id: StateID) {}
        func takeState(_ id: StateID, _ token: SaveToken, _ bytes: [UInt8]) {}
        func takeNoState(_ id: StateID, _ token: SaveToken) {}
        func wantsState(_ id: StateID, _ token: SaveToken) -> Bool { false }
        func stateChanged(_ id: StateID) {}
        func beginTask(_ name: String, by caller: LifeCaller, for client: any LifeClient) throws(LifeError) -> TaskID {
            throw LifeError(.noApp, "nobody")
        }
        func advanceTask(_ id: TaskID, to progress: Double) {}
        func endTask(_ id: TaskID) {}
        func finishTask(_ id: TaskID, text: String) {}
        func follow(_ caller: LifeCaller, _ client: any LifeClient) -> VisiblePhase? { nil }
        func unfollow(_ client: any LifeClient) {}
        func connection() -> UInt64 { 1 }
        func connectionEnded(_ caller: LifeCaller) {}
        func owner(of caller: LifeCaller, naming app: String?) -> Owner { .program("\(caller.process)") }
        func allows(_ door: Identity.BusDoor, _ caller: LifeCaller) -> Bool { true }
    }
}
