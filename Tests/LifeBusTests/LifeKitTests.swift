import Callers
import Foundation
import Glibc
import LifeBus
import LifeService
import MessageBus
import MullionKit
import MullionTesting
import Testing
import Windows

import struct Lifecycle.SaveToken
import struct Lifecycle.StateID
import struct Lifecycle.TaskID

/// An app with MullionKit and the shell's service, over a real bus, both in this process.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LifeKitTests {
    /// Grants everything, and remembers it.
    private final class Host: LifeHost {
        var kept: [String: [UInt8]] = [:]
        var offers: [StateID: String] = [:]
        var tasks: [TaskID: String] = [:]
        var progress: [TaskID: Double] = [:]
        var finished: [String] = []
        var answers: [String] = []
        var clients: [any LifeClient] = []
        var asked: SaveToken?
        var refusal: LifeError?
        var callers: Set<LifeCaller> = []
        private var last: UInt64 = 0

        func connection() -> UInt64 { 1 }
        func connectionEnded(_ caller: LifeCaller) {}
        func owner(of caller: LifeCaller, naming app: String?) -> Owner { .program("\(caller.process)") }
        func allows(_ door: Identity.BusDoor, _ caller: LifeCaller) -> Bool { true }

        func offerState(
            _ name: String, by caller: LifeCaller, to client: any LifeClient, isReady: @escaping (StateID, [UInt8]?) -> Void
        ) throws(LifeError) -> StateID {
            if let refusal { throw refusal }
            callers.insert(caller)
            last += 1
            let id = StateID(last)
            offers[id] = name
            isReady(id, kept[name])
            return id
        }

        func withdrawState(_ id: StateID) { offers[id] = nil }

        func takeState(_ id: StateID, _ token: SaveToken, _ bytes: [UInt8]) {
            answers.append("\(offers[id] ?? "?") \(token.raw) \(String(decoding: bytes.prefix(40), as: UTF8.self))")
        }

        func takeNoState(_ id: StateID, _ token: SaveToken) { answers.append("\(offers[id] ?? "?") \(token.raw) none") }
        func wantsState(_ id: StateID, _ token: SaveToken) -> Bool { true }
        func stateChanged(_ id: StateID) { answers.append("\(offers[id] ?? "?") changed") }

        func beginTask(_ name: String, by caller: LifeCaller, for client: any LifeClient) throws(LifeError) -> TaskID {
            if let refusal { throw refusal }
            last += 1
            tasks[TaskID(last)] = name
            return TaskID(last)
        }

        func advanceTask(_ id: TaskID, to progress: Double) { self.progress[id] = progress }
        func endTask(_ id: TaskID) { tasks[id] = nil }
        func finishTask(_ id: TaskID, text: String) {
            tasks[id] = nil
            finished.append(text)
        }

        func follow(_ caller: LifeCaller, _ client: any LifeClient) -> VisiblePhase? {
            clients.append(client)
            return .active
        }

        func unfollow(_ client: any LifeClient) { clients.removeAll { $0 === client } }
    }

    private let bus: TestBus
    private let host = Host()

    init() throws { bus = try TestBus() }

    private func service() -> LifeBus {
        let service = LifeBus(environment: bus.environment, firstPause: 20_000_000)
        service.host = host
        return service
    }

    /// Runs both until it holds, for at most some seconds.
    private func run(_ service: LifeBus?, _ app: AppLife, until done: () -> Bool) -> Bool {
        for _ in 0..<4000 {
            service?.process()
            app.process()
            if done() { return true }
            usleep(1000)
        }
        return false
    }

    @Test("a task is begun, gets further, is warned, and ends with its object")
    func tasks() throws {
        let service = service(), app = try AppLife(busAddress: bus.address)
        var warned: Double?, phases: [AppLife.Phase] = []
        app.onPhase = { phases.append($0) }
        let task = app.beginTask(name: "Export")
        task.progress = 0.5
        task.onExpiring = { warned = $0 }
        #expect(run(service, app) { host.progress.values.contains(0.5) })
        #expect(task.state == .running && Array(host.tasks.values) == ["Export"])
        #expect(run(service, app) { phases == [.active] } && app.phase == .active)
        let client = try #require(host.clients.first), id = try #require(host.tasks.keys.first)
        client.taskExpires(id, in: 4.5)
        #expect(run(service, app) { warned == 4.5 })
        var isExpired = false
        task.onExpired = { isExpired = true }
        client.taskExpired(id)
        #expect(run(service, app) { isExpired } && task.state == .expired)
        task.end()
        #expect(run(service, app) { host.tasks.isEmpty } && task.state == .ended)
        let important = app.beginTask(name: "Film")
        #expect(run(service, app) { important.state == .running })
        important.end(telling: "Saved to Videos.")
        #expect(run(service, app) { host.finished == ["Saved to Videos."] } && host.tasks.isEmpty && important.state == .ended)
        var other: BackgroundTask? = app.beginTask(name: "Other")
        #expect(run(service, app) { other?.state == .running })
        other = nil
        #expect(run(service, app) { host.tasks.isEmpty })
    }

    @Test("state is given back, handed over when it is asked for, and withdrawn")
    func states() throws {
        host.kept["main"] = Array("before".utf8)
        let service = service(), app = try AppLife(busAddress: bus.address)
        #expect(run(service, app) { app.isConnected })
        var state: WindowState? = WindowState(name: "main", in: app)
        let other = WindowState(name: "other", in: app)
        #expect(run(service, app) { other.isReady } && other.restored == nil)
        #expect(state?.restored.map { String(decoding: $0, as: UTF8.self) } == "before")
        #expect(host.callers.first?.process == getpid() && host.callers.first?.lineage.first == getpid())
        state?.onSave = { Array("after".utf8) }
        let client = try #require(host.clients.first)
        for (id, name) in host.offers.sorted(by: { $0.key < $1.key }) { client.saveState(id, SaveToken(name == "main" ? 7 : 8)) }
        state?.changed()
        #expect(run(service, app) { host.answers.count == 3 })
        #expect(Set(host.answers) == ["main 7 after", "other 8 none", "main changed"])
        state = nil
        #expect(run(service, app) { Array(host.offers.values) == ["other"] })
        app.close()
        #expect(run(service, app) { host.offers.isEmpty && host.clients.isEmpty })
    }

    @Test("a refusal comes with its words, and too large a state is one")
    func refusals() throws {
        let service = service(), app = try AppLife(busAddress: bus.address)
        #expect(run(service, app) { app.isConnected })
        let state = WindowState(name: "main", in: app)
        var refusal: MullionError?
        state.onRefused = { refusal = $0 }
        state.onSave = { [UInt8](repeating: 1, count: LifeLimits.state + 1) }
        #expect(run(service, app) { state.isReady && !host.clients.isEmpty })
        host.clients.first?.saveState(try #require(host.offers.keys.first), SaveToken(1))
        #expect(run(service, app) { refusal != nil })
        #expect(refusal == MullionError(.tooLarge, "the state has 1048577 bytes, and at most 1048576 are kept"))
        host.refusal = LifeError(.noApp, "process 1 belongs to no app that has a window")
        let task = app.beginTask(name: "x")
        #expect(run(service, app) { task.state == .refused(MullionError(.noApp, "process 1 belongs to no app that has a window")) })
        host.refusal = nil
        let unnamed = app.beginTask(name: "")
        #expect(run(service, app) { unnamed.state == .refused(MullionError(.badParameter, "the name is empty")) })
    }

    @Test("without a shell nothing waits; one that starts or restarts is told everything")
    func restarts() throws {
        let app = try AppLife(busAddress: bus.address)
        let task = app.beginTask(name: "Export"), state = WindowState(name: "main", in: app)
        #expect(state.wait() == nil && state.isReady && !app.isConnected)
        #expect(run(nil, app) { if case .refused(let error) = task.state { error.kind == .unavailable } else { false } })
        for _ in 0..<2 {
            let service = service()
            #expect(
                run(service, app) { task.state == .running && host.offers.values.contains("main") && host.tasks.values.contains("Export") })
            #expect(app.isConnected)
            service.close()
            #expect(host.tasks.isEmpty && host.offers.isEmpty)
            #expect(run(nil, app) { !app.isConnected })
        }
        #expect(throws: MullionError.self) { _ = try AppLife(busAddress: "unix:path=/nowhere/at/all") }
    }

    @Test("a client that does not read is dropped, and the service goes on")
    func deaf() throws {
        let service = service(), app = try AppLife(busAddress: bus.address), other = try AppLife(busAddress: bus.address)
        #expect(
            run(service, app) {
                other.process()
                return host.clients.count == 2
            })
        var notes: [String] = []
        service.onNote = { notes.append($0) }
        let deaf = host.clients[0]
        for _ in 0..<(Outbox.window + Outbox.limit + 1) { deaf.phaseChanged(.background) }
        #expect(notes.count == 1 && notes[0].contains("does not take its messages"))
        #expect(host.clients.count == 1)
        let task = other.beginTask(name: "still")
        #expect(run(service, other) { task.state == .running })
    }

    @Test(
        "the interfaces' XML and the manuals name what the service has, and nothing else",
        arguments: [
            ("Life1", "life-api.md", 17), ("Views1", "views-api.md", 7),
        ])
    func document(interface: String, manual: String, count: Int) throws {
        let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let service = service(), app = try AppLife(busAddress: bus.address)
        #expect(run(service, app) { app.isConnected })
        let gdbus = Process(), pipe = Pipe()
        gdbus.executableURL = URL(fileURLWithPath: "/usr/bin/gdbus")
        gdbus.arguments = ["introspect", "--session", "--dest", "org.mullion.Life1", "--object-path", "/org/mullion/\(interface)", "--xml"]
        gdbus.environment = bus.environment
        gdbus.standardOutput = pipe
        try gdbus.run()
        #expect(run(service, app) { !gdbus.isRunning })
        let served = members(String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self), of: interface)
        let written = members(
            try String(contentsOf: root.appending(path: "Protocols/org.mullion.\(interface).xml"), encoding: .utf8), of: interface)
        #expect(written == served && written.count == count, "\(written.symmetricDifference(served).sorted())")
        let text = try String(contentsOf: root.appending(path: "docs/\(manual)"), encoding: .utf8)
        for name in written.map({ String($0.split(separator: " ")[1]) }) {
            #expect(text.contains("`\(name)"), "\(name) is not in docs/\(manual)")
        }
        guard interface == "Life1" else { return }
        for name in LifeError.Kind.allCases.filter({ $0 != .badFile }).map({
            $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst()
        }) + VisiblePhase.allCases.map(\.rawValue) {
            #expect(text.contains("`\(name)"), "\(name) is not in docs/\(manual)")
        }
    }

    /// "method BeginTask s>t", by element and with the types of its arguments.
    private func members(_ xml: String, of interface: String) -> Set<String> {
        var found: Set<String> = [], member = "", isOwn = false
        for tag in xml.split(separator: "<").map(String.init) {
            func value(_ name: String) -> String {
                guard let range = tag.range(of: "\(name)=\"") else { return "" }
                return String(tag[range.upperBound...].prefix { $0 != "\"" })
            }
            if tag.hasPrefix("interface") { isOwn = value("name") == "org.mullion.\(interface)" }
            guard isOwn else { continue }
            for kind in ["method", "signal", "property"] where tag.hasPrefix(kind) {
                member = "\(kind) \(value("name")) \(value("type"))"
                found.insert(member)
            }
            if tag.hasPrefix("arg") {
                found.remove(member)
                member += (value("direction") == "out" ? ">" : ",") + value("type")
                found.insert(member)
            }
        }
        return found
    }
}
