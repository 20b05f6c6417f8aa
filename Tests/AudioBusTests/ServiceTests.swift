import AudioSessions
import Callers
import Clocks
import Foundation
import Glibc
import MessageBus
import MullionTesting
import Testing

@testable import AudioBus

/// Drives the service from Python, only over the bus.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ServiceTests {
    let bus: TestBus
    let rig: Rig

    init() throws {
        bus = try TestBus()
        rig = Rig(bus)
        rig.connect()
    }

    private func signals(_ client: Script, _ member: String) -> [[String: Any]] {
        client.lines.filter { $0["signal"] as? String == member }
    }

    @Test("A-01 to A-05: what an app asks arrives, every part of it, and is answered")
    func requests() throws {
        let client = try rig.client(bus)
        let path = try rig.session(client)
        #expect(path == "/org/mullion/AudioSession1/session/1")
        let (id, app) = try #require(rig.opened.first)
        #expect(app.id == "client")
        #expect(app.lineage.first == client.process.processIdentifier)
        #expect(app.lineage.contains(getpid()))

        let table: [String: [Any]] = [
            "title": ["s", "Song"], "artist": ["s", "Singer"], "album": ["s", "Album"], "artwork": ["s", "file:///a.png"],
            "duration": ["d", 61.5], "position": ["i", 2], "rate": ["d", 1.5], "status": ["s", "paused"],
        ]
        let calls: [(String, String, [Any])] = [
            ("SetCategory", "(ssas)", ["playback", "spokenAudio", ["duckOthers", "mixWithOthers"]]),
            ("SetCategory", "(ssas)", ["ambient", "", [] as [String]]),
            ("Activate", "", []), ("Deactivate", "(b)", [true]), ("SetLevel", "(d)", [0.25]),
            ("SetCommands", "(asa{sv})", [["play", "skipForward"], ["skipForward": ["d", 30.0]]]),
            ("SetNowPlaying", "(a{sv})", [table]), ("SetNowPlaying", "(a{sv})", [[:] as [String: Any]]),
            ("SetCallState", "(s)", ["ringingFullScreen"]), ("ShowVolume", "(b)", [true]),
            ("PreferInput", "(s)", ["mic"]), ("PreferInput", "(s)", [""]),
        ]
        for (member, signature, arguments) in calls {
            let answer = try rig.call(client, path, member, signature, arguments)
            #expect(answer["answer"] != nil, "\(member): \(answer)")
        }
        var info = NowPlayingInfo()
        (info.title, info.artist, info.album, info.artwork) = ("Song", "Singer", "Album", "file:///a.png")
        (info.duration, info.position, info.rate) = (61.5, 2, 1.5)
        #expect(
            rig.requests == [
                .setCategory(.playback, .spokenAudio, [.duckOthers, .mixWithOthers]), .setCategory(.ambient, .standard, []),
                .activate, .deactivate(notifyOthers: true), .setLevel(0.25),
                .setCommands([.play, .skipForward], skipForward: 30, skipBackward: nil), .setNowPlaying(info, .paused),
                .setNowPlaying(nil, .stopped), .call(.ringingFullScreen), .showVolume(true), .preferInput(PortID("mic")),
                .preferInput(nil),
            ])
        #expect(try rig.call(client, path, "Close")["answer"] != nil)
        #expect(rig.closed == [id])
        #expect(try rig.call(client, path, "Activate")["error"] as? String == "org.freedesktop.DBus.Error.UnknownObject")
    }

    @Test("A-15, A-08, A-13: every signal arrives, and only at the session's owner")
    func notices() throws {
        let client = try rig.client(bus), other = try rig.client(bus)
        let path = try rig.session(client)
        _ = try rig.session(other)
        let id = try #require(rig.opened.first).0
        var summary = AudioSummary()
        summary.outputs = [AudioOutput(id: PortID("hp"), kind: .headphones, name: "Headphones", level: 0.5)]
        summary.inputs = [AudioInput(id: PortID("mic"), kind: .builtIn, name: "Microphone")]
        summary.route = AudioRoute(output: PortID("hp"), input: PortID("mic"))
        rig.bus.show(summary)
        rig.states[id] = .active
        try rig.call(client, path, "Activate")
        rig.states[id] = .interrupted
        rig.bus.perform(.tell(id, .interruptionBegan(.standard)))
        rig.states[id] = .inactive
        for notice: SessionNotice in [
            .interruptionEnded(shouldResume: true), .call(.decline),
            .routeChanged(.oldDeviceUnavailable, previous: summary.route, current: AudioRoute(output: PortID("spk"))),
            .secondaryAudioHint(true), .inputAvailable(false), .command(.skipForward(15)), .command(.seek(7)),
            .command(.pause),
        ] { rig.bus.perform(.tell(id, notice)) }
        #expect(rig.run { signals(client, "RemoteCommand").count == 3 })
        func first(_ member: String) -> [Any]? { signals(client, member).first?["args"] as? [Any] }
        #expect(first("InterruptionBegan")?.first as? String == "standard")
        #expect(first("InterruptionEnded")?.first as? Bool == true)
        #expect(first("SecondaryAudioHint")?.first as? Bool == true)
        #expect(first("InputAvailabilityChanged")?.first as? Bool == false)
        #expect(first("CallCommand")?.first as? String == "decline")
        let route = try #require(first("RouteChanged"))
        #expect(route[0] as? Int == 2)
        #expect(
            route[1] as? [String: String] == [
                "output": "hp", "outputKind": "headphones", "outputName": "Headphones", "input": "mic", "inputKind": "builtIn",
                "inputName": "Microphone",
            ])
        #expect(route[2] as? [String: String] == ["output": "spk"])
        let commands = signals(client, "RemoteCommand").compactMap { $0["args"] as? [Any] }
        #expect(commands.map { $0[0] as? String } == ["skipForward", "seek", "pause"])
        #expect(commands.map { ($0[1] as? [String: Double])?.values.first } == [15, 7, nil])
        let states = signals(client, "PropertiesChanged").compactMap { (($0["args"] as? [Any])?[1] as? [String: Any])?["State"] as? String }
        #expect(states == ["active", "interrupted", "inactive"])
        #expect(
            signals(client, "PropertiesChanged").contains {
                (($0["args"] as? [Any])?[1] as? [String: Any])?["OutputVolume"] as? Double == 0.5
            })
        _ = rig.run(seconds: 0.2) { false }
        #expect(!other.lines.contains { ["RemoteCommand", "InterruptionBegan"].contains($0["signal"] as? String) })

        let all = try rig.ask(
            client,
            [
                "do": "call", "path": path, "interface": "org.freedesktop.DBus.Properties", "member": "GetAll",
                "signature": "(s)", "args": ["org.mullion.AudioSession1.Session"],
            ])
        let values = try #require((all["answer"] as? [Any])?.first as? [String: Any])
        #expect(values["State"] as? String == "inactive")
        #expect(values["OutputVolume"] as? Double == 0.5)
        #expect(values["InputAvailable"] as? Bool == true)
        #expect((values["CurrentRoute"] as? [String: String])?["outputName"] == "Headphones")
    }

    @Test("A-05: every kind of refusal has a D-Bus error name and a reason")
    func refusals() throws {
        let client = try rig.client(bus)
        let path = try rig.session(client)
        for kind in SessionError.Kind.allCases {
            rig.decide = { event in
                if case .sessionAsked(_, _, let reply) = event { [.answer(reply, .failed(SessionError(kind, "because")))] } else { [] }
            }
            let answer = try rig.call(client, path, "Activate")
            let name = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
            #expect(answer["error"] as? String == "org.mullion.AudioSession1.Error.\(name)")
            #expect((answer["text"] as? String)?.contains("because") == true)
        }
    }

    @Test("Hostile apps: wrong types, unknown words and huge strings are refused, and change nothing")
    func wrong() throws {
        let client = try rig.client(bus)
        let path = try rig.session(client)
        let calls: [(String, String, [Any], String)] = [
            ("SetCategory", "(ssas)", ["loud", "", [] as [String]], "soloAmbient"),
            ("SetCategory", "(ssas)", ["playback", "shout", [] as [String]], "spokenAudio"),
            ("SetCategory", "(ssas)", ["playback", "", ["mix"]], "mixWithOthers"),
            ("SetLevel", "(d)", [Double.greatestFiniteMagnitude * -1], ""),
            ("SetCommands", "(asa{sv})", [["explode"], [:] as [String: Any]], "togglePlayPause"),
            ("SetCommands", "(asa{sv})", [["play"], ["skipForward": ["s", "far"]]], "number"),
            ("SetCommands", "(asa{sv})", [["play"], ["skip": ["d", 1.0]]], "skipForward"),
            ("SetNowPlaying", "(a{sv})", [["title": ["i", 3]]], "title"),
            ("SetNowPlaying", "(a{sv})", [["titel": ["s", "a"]]], "title"),
            ("SetNowPlaying", "(a{sv})", [["title": ["s", String(repeating: "x", count: 2000)]]], "1024"),
            ("SetNowPlaying", "(a{sv})", [["artwork": ["s", "https://example.org/a.png"]]], "file:"),
            ("SetNowPlaying", "(a{sv})", [["status": ["s", "humming"]]], "paused"),
            ("SetNowPlaying", "(a{sv})", [["title": ["a{sv}", [:] as [String: Any]]]], "title"),
            ("SetCallState", "(s)", ["busy"], "accepted"),
        ]
        for (member, signature, arguments, word) in calls where member != "SetLevel" {
            let answer = try rig.call(client, path, member, signature, arguments)
            #expect(answer["error"] as? String == "org.mullion.AudioSession1.Error.BadParameter", "\(member) \(arguments): \(answer)")
            #expect((answer["text"] as? String)?.contains(word) == true, "\(answer)")
        }
        for (member, signature, arguments) in [
            ("SetLevel", "(s)", ["loud"]), ("Activate", "(i)", [1]), ("SetCategory", "(s)", ["playback"]),
            ("SetNowPlaying", "(as)", [["a"]]), ("Deactivate", "", []),
        ] as [(String, String, [Any])] {
            let answer = try rig.call(client, path, member, signature, arguments)
            #expect(answer["error"] as? String == "org.freedesktop.DBus.Error.InvalidArgs", "\(member): \(answer)")
        }
        for place in [
            "/org/mullion/AudioSession1/session/01", "/org/mullion/AudioSession1/session/2", "/", "/org/mullion/AudioSession1/session",
        ] {
            #expect(try rig.call(client, place, "Activate")["error"] as? String == "org.freedesktop.DBus.Error.UnknownObject")
        }
        // Megabytes in each string argument.
        for (member, signature, arguments) in [
            ("SetCategory", "(ssas)", ["x", "", [] as [String]]), ("SetCategory", "(ssas)", ["playback", "x", [] as [String]]),
            ("PreferInput", "(s)", ["x"]), ("SetCallState", "(s)", ["x"]),
        ] as [(String, String, [Any])] {
            let answer = try rig.ask(
                client,
                [
                    "do": "call", "path": path, "member": member, "signature": signature, "args": arguments, "fill": 16 << 20,
                ])
            #expect(answer["error"] as? String == "org.mullion.AudioSession1.Error.BadParameter")
            #expect(((answer["text"] as? String)?.count ?? 9999) < 1000)
        }
        #expect(rig.requests.isEmpty)
        #expect(rig.closed.isEmpty)
    }

    @Test("Hostile apps: only the owner can use a session, and claimed identities are ignored")
    func impostor() throws {
        let owner = try rig.client(bus), other = try rig.client(bus)
        let path = try rig.session(owner)
        for (member, signature, arguments) in [
            ("Activate", "", []), ("Deactivate", "(b)", [false]), ("Close", "", []), ("SetLevel", "(d)", [0.0]),
        ] as [(String, String, [Any])] {
            let answer = try rig.call(other, path, member, signature, arguments)
            #expect(answer["error"] as? String == "org.freedesktop.DBus.Error.AccessDenied")
        }
        #expect(rig.requests.isEmpty && rig.closed.isEmpty)
        // Another name on the bus is not another app.
        _ = try rig.ask(
            other,
            [
                "do": "call", "to": "org.freedesktop.DBus", "path": "/org/freedesktop/DBus", "interface": "org.freedesktop.DBus",
                "member": "RequestName", "signature": "(su)", "args": ["org.gnome.clocks", 0],
            ])
        _ = try rig.session(other)
        #expect(rig.opened.last?.1.id == "client")
        #expect(rig.opened.last?.1.lineage.first == other.process.processIdentifier)
    }

    @Test("Hostile apps: ten thousand sessions; 32 are given, the rest is refused with a reason")
    func tenThousand() throws {
        let client = try rig.client(bus)
        let answer = try rig.ask(
            client,
            [
                "do": "many", "count": 10_000,
                "each": [["interface": "org.mullion.AudioSession1.Manager", "member": "CreateSession"]],
            ], seconds: 120)
        let counts = try #require((answer["answer"] as? [[String: Any]])?.first)
        #expect(counts["done"] as? Int == Quota.audioSessions.share.each)
        #expect(counts["org.mullion.AudioSession1.Error.TooMany"] as? Int == 10_000 - Quota.audioSessions.share.each)
        // More connections do not help.
        #expect(try rig.ask(client, ["do": "open"])["answer"] as? [Int] == [1])
        let more = try rig.ask(
            client,
            [
                "do": "call", "on": 1, "interface": "org.mullion.AudioSession1.Manager", "member": "CreateSession",
            ])
        #expect(more["error"] as? String == "org.mullion.AudioSession1.Error.TooMany")
        #expect((more["text"] as? String)?.contains("32") == true)
        // Another app has its own.
        let other = try rig.client(bus)
        #expect(try rig.session(other).isEmpty == false)
        client.end()
        #expect(rig.run { rig.closed.count == Quota.audioSessions.share.each })
        #expect(rig.bus.service.clients.count == 1)
    }

    @Test("Hostile apps: activating and deactivating in a loop is slowed down, and others are answered meanwhile")
    func loop() throws {
        let client = try rig.client(bus), other = try rig.client(bus)
        let path = try rig.session(client), second = try rig.session(other)
        let count = 20_000
        try client.write([
            "do": "many", "count": count,
            "each": [
                ["path": path, "member": "Activate"],
                ["path": path, "member": "Deactivate", "signature": "(b)", "args": [true]],
            ],
        ])
        var slowest = 0.0, asked = 0
        while !client.lines.contains(where: { $0["answer"] != nil }), asked < 1000 {
            let before = Clocks.monotonicNanoseconds
            #expect(try rig.call(other, second, "SetLevel", "(d)", [0.5])["answer"] != nil)
            slowest = max(slowest, Double(Clocks.monotonicNanoseconds - before) / 1e9)
            asked += 1
            _ = rig.run(seconds: 0.03) { false }
        }
        let counts = try #require((rig.answer(client, seconds: 60)["answer"] as? [[String: Any]])?.first)
        let seconds = try #require(counts["seconds"] as? Double)
        let passed = rig.requests.count { $0 == .activate || $0 == .deactivate(notifyOthers: true) }
        #expect(Double(passed) <= 200 + 50 * (seconds + 1))
        #expect(counts["org.mullion.AudioSession1.Error.TooMany"] as? Int == count - passed)
        print("loop: \(count) calls in \(seconds) s, \(passed) passed; others waited at most \(slowest) s, asked \(asked) times")
        #expect(asked > 0)
    }

    @Test("Hostile apps: one that exits in the middle of its calls leaves nothing behind")
    func leaves() throws {
        let client = try rig.client(bus)
        let path = try rig.session(client)
        // Nothing answers, so requests are open at the end.
        rig.decide = { _ in [] }
        try client.write(["do": "leave", "count": 500, "path": path, "member": "Activate"])
        #expect(rig.run { rig.closed.count == 1 })
        #expect(rig.requests.count <= SessionService.waitingLimit)
        #expect(rig.bus.service.clients.isEmpty)
        // Answers that arrive too late find no client and do no harm.
        for number in 1...500 { rig.bus.perform(.answer(ReplyID(UInt64(number)), .done)) }
        let other = try rig.client(bus)
        rig.decide = { event in if case .sessionAsked(_, _, let reply) = event { [.answer(reply, .done)] } else { [] } }
        #expect(try rig.call(other, rig.session(other), "Activate")["answer"] != nil)
    }

    @Test("Hostile apps: one that exits before it is identified gets no session")
    func goneAtOnce() throws {
        for _ in 0..<20 {
            let client = try rig.client(bus)
            try client.write([
                "do": "leave", "count": 3, "interface": "org.mullion.AudioSession1.Manager", "member": "CreateSession",
            ])
            _ = rig.run { !client.process.isRunning }
        }
        #expect(rig.run { rig.bus.service.clients.isEmpty })
        #expect(rig.run { rig.opened.count == rig.closed.count })
    }

    @Test("Hostile apps: a frozen one gets a limited number of signals; then its sessions end, and the bus stays small")
    func frozen() throws {
        let client = try rig.client(bus)
        _ = try rig.session(client)
        let id = try #require(rig.opened.first).0
        kill(client.process.processIdentifier, SIGSTOP)
        let before = bus.memory
        var told = 0
        for _ in 0..<100_000 where rig.closed.isEmpty {
            rig.bus.perform(.tell(id, .secondaryAudioHint(told % 2 == 0)))
            told += 1
            if told % 20 == 0 { rig.turn(milliseconds: 1) }
        }
        #expect(rig.closed == [id])
        #expect(told <= Outbox.window + Outbox.limit + 20)
        #expect(rig.notes.contains { $0.contains("does not take") })
        #expect(bus.memory - before < 4096, "\(bus.memory - before) kB")
        kill(client.process.processIdentifier, SIGCONT)
        // It finds out when it asks again.
        #expect(
            try rig.call(client, "/org/mullion/AudioSession1/session/1", "Activate")["error"] as? String
                == "org.freedesktop.DBus.Error.UnknownObject")
        #expect(try rig.session(client).isEmpty == false)
    }

    @Test("An app that was frozen for a while gets everything in order when it continues")
    func thawed() throws {
        let client = try rig.client(bus)
        _ = try rig.session(client)
        let id = try #require(rig.opened.first).0
        kill(client.process.processIdentifier, SIGSTOP)
        for index in 0..<100 { rig.bus.perform(.tell(id, .command(.seek(Double(index))))) }
        _ = rig.run(seconds: 0.5) { false }
        #expect(rig.closed.isEmpty)
        kill(client.process.processIdentifier, SIGCONT)
        #expect(rig.run { signals(client, "RemoteCommand").count == 100 })
        let places = signals(client, "RemoteCommand").compactMap { (($0["args"] as? [Any])?[1] as? [String: Double])?["position"] }
        #expect(places == (0..<100).map(Double.init))
    }

    @Test("A-21: short sounds by name, so many in a second")
    func systemSounds() throws {
        let client = try rig.client(bus)
        func play(_ name: String, _ kind: String) throws -> Script.Object {
            try rig.ask(
                client,
                [
                    "do": "call", "interface": "org.mullion.AudioSession1.Manager", "member": "PlaySystemSound",
                    "signature": "(ss)", "args": [name, kind],
                ])
        }
        #expect(try play("message-new-instant", "alert")["answer"] != nil)
        #expect(rig.events.last == .systemSound("message-new-instant", .alert))
        for (name, kind) in [("../../etc/passwd", "alert"), ("", "alert"), ("bell", "loud"), ("a b", "asked")] {
            #expect(try play(name, kind)["error"] as? String == "org.mullion.AudioSession1.Error.BadParameter")
        }
        let answer = try rig.ask(
            client,
            [
                "do": "many", "count": 500,
                "each": [
                    [
                        "interface": "org.mullion.AudioSession1.Manager", "member": "PlaySystemSound", "signature": "(ss)",
                        "args": ["bell", "feedback"],
                    ]
                ],
            ])
        let counts = try #require((answer["answer"] as? [[String: Any]])?.first)
        #expect((counts["done"] as? Int ?? 0) < 100)
    }

    @Test("The bus dies and sessions end; a shell that comes later takes the name over")
    func ends() throws {
        let client = try rig.client(bus)
        _ = try rig.session(client)
        let second = Rig(bus)
        second.connect()
        #expect(second.run { second.notes.contains { $0.contains("another program serves") } })
        rig.bus.close()
        #expect(second.run { second.bus.service.sessions.isEmpty })
        second.scripts = [client]
        #expect(try second.session(client) == "/org/mullion/AudioSession1/session/1")
        bus.stop()
        #expect(second.run { second.closed.count == 1 && !second.bus.isConnected })
    }

    @Test("Without a bus it looks again now and then; when one comes, it is there")
    func lateBus() throws {
        let late = try TestBus(started: false)
        let rig = Rig(late.environment, firstPause: 20_000_000)
        #expect(rig.bus.descriptor == -1 && rig.bus.deadline != nil)
        _ = rig.run(seconds: 0.5) { false }
        #expect(rig.turns < 60, "it spins")
        try late.start()
        rig.connect()
        let client = try rig.client(late)
        #expect(try rig.session(client).isEmpty == false)
        // No reachable bus at all.
        let none = Rig([:])
        let deadline = try #require(none.bus.deadline)
        #expect(deadline > Clocks.monotonicNanoseconds + 2_000_000_000)
        none.bus.close()
        #expect(none.bus.deadline == nil)
    }
}
