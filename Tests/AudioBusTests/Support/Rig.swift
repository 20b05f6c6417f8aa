import AudioSessions
import Clocks
import Foundation
import Glibc
import MullionKit
import MullionTesting
import Testing

@testable import AudioBus

/// Runs an `AudioBus` like the shell's loop: waits only for what it asks for. The test's clients run in the same
/// loop.
final class Rig {
    let bus: AudioBus
    private(set) var events: [AudioEvent] = []
    private(set) var notes: [String] = []
    private(set) var turns = 0
    var scripts: [Script] = []
    var sessions: [AudioSession] = []
    /// The answer to an event. By default every request is granted.
    var decide: (AudioEvent) -> [AudioEffect] = { event in
        if case .sessionAsked(_, _, let reply) = event { [.answer(reply, .done)] } else { [] }
    }
    /// The state of sessions, as set by the test.
    var states: [SessionID: SessionState] = [:]
    private var watched: (fd: Int32, events: Int16, deadline: Int64?) = (-1, 0, nil)

    init(_ environment: [String: String], firstPause: Int64 = 3_000_000_000) {
        bus = AudioBus(environment: environment, firstPause: firstPause)
        bus.onEvent = { [unowned self] event in
            events.append(event)
            for effect in decide(event) { bus.perform(effect) }
        }
        bus.state = { [unowned self] in states[$0] ?? .inactive }
        bus.onNote = { [unowned self] in notes.append($0) }
        bus.onChange = { [unowned self] in watch() }
        watch()
    }

    convenience init(_ bus: TestBus) { self.init(bus.environment) }

    private func watch() {
        let events = bus.events
        watched = (bus.descriptor, Int16((events.read ? POLLIN : 0) | (events.write ? POLLOUT : 0)), bus.deadline)
    }

    /// One turn of the loop.
    func turn(milliseconds: Int64 = 20) {
        turns += 1
        var entries = [pollfd(fd: watched.fd, events: watched.events, revents: 0)]
        entries += scripts.map { pollfd(fd: $0.process.isRunning ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0) }
        entries += sessions.map {
            pollfd(fd: $0.descriptor, events: Int16(($0.events.read ? POLLIN : 0) | ($0.events.write ? POLLOUT : 0)), revents: 0)
        }
        var left = watched.deadline.map { max(0, ($0 - Clocks.monotonicNanoseconds + 999_999) / 1_000_000) } ?? .max
        left = min(left, milliseconds)
        _ = poll(&entries, nfds_t(entries.count), Int32(left))
        if entries[0].revents != 0 || watched.deadline.map({ $0 <= Clocks.monotonicNanoseconds }) == true { bus.process() }
        for script in scripts { script.read() }
        for session in sessions { session.process() }
    }

    @discardableResult
    func run(seconds: Double = 20, until condition: () -> Bool) -> Bool {
        let end = Clocks.monotonicNanoseconds + Int64(seconds * 1e9)
        while !condition() {
            guard Clocks.monotonicNanoseconds < end else { return false }
            turn()
        }
        return true
    }

    func connect() { #expect(run { bus.isConnected }, "connected") }

    // MARK: Players

    /// The players as the shell knows them now.
    var players: [PlayerID: PlayerFacts] {
        events.reduce(into: [:]) { players, event in
            switch event {
            case .playerAppeared(let id, let facts), .playerChanged(let id, let facts): players[id] = facts
            case .playerGone(let id): players[id] = nil
            default: break
            }
        }
    }

    func player(_ name: String, _ status: String, _ bus: TestBus) throws -> Script {
        let script = try Script("player.py", [name, status], bus)
        scripts.append(script)
        #expect(run { script.lines.contains { $0["owned"] != nil } }, "the player is on the bus")
        return script
    }

    // MARK: Sessions

    func client(_ bus: TestBus) throws -> Script {
        let script = try Script("client.py", [], bus)
        scripts.append(script)
        #expect(answer(script)["answer"] as? [String] == ["ready"])
        return script
    }

    func answer(_ script: Script, seconds: Double = 30) -> Script.Object {
        func index() -> Int? { script.lines.firstIndex { $0["answer"] != nil || $0["error"] != nil } }
        guard run(seconds: seconds, until: { index() != nil }), let index = index() else {
            Issue.record("the client does not answer")
            return [:]
        }
        return script.lines.remove(at: index)
    }

    @discardableResult
    func ask(_ script: Script, _ request: Script.Object, seconds: Double = 30) throws -> Script.Object {
        try script.write(request)
        return answer(script, seconds: seconds)
    }

    /// Opens a session of this client and returns its path.
    func session(_ script: Script, on connection: Int = 0) throws -> String {
        let made = try ask(
            script,
            [
                "do": "call", "on": connection, "interface": "org.mullion.AudioSession1.Manager", "member": "CreateSession",
            ])
        return try #require((made["answer"] as? [String])?.first, "\(made)")
    }

    @discardableResult
    func call(_ script: Script, _ path: String, _ member: String, _ signature: String = "", _ args: [Any] = []) throws -> Script.Object {
        try ask(script, ["do": "call", "path": path, "member": member, "signature": signature, "args": args])
    }

    /// The requests of apps, without the sender.
    var requests: [SessionRequest] {
        events.compactMap { if case .sessionAsked(_, let request, _) = $0 { request } else { nil } }
    }

    var opened: [(SessionID, AudioApp)] {
        events.compactMap { if case .sessionOpened(let id, let app) = $0 { (id, app) } else { nil } }
    }

    var closed: [SessionID] {
        events.compactMap { if case .sessionClosed(let id) = $0 { id } else { nil } }
    }
}
