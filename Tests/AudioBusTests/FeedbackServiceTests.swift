import AudioSessions
import Foundation
import MullionTesting
import Testing

@testable import AudioBus

/// the feedback service for keyboards and apps, over the bus.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct FeedbackServiceTests {
    private let bus: TestBus
    private let rig: Rig
    private static let name = "org.sigxcpu.Feedback", path = "/org/sigxcpu/Feedback"

    init() throws {
        bus = try TestBus()
        rig = Rig(bus)
        rig.connect()
    }

    private func serves(_ rig: Rig) { #expect(rig.run { rig.bus.servesFeedback }, "it owns the name") }

    private func trigger(_ client: Script, _ event: String, app: String = "keyboard", hints: [String: [String]] = [:]) throws
        -> Script.Object
    {
        try rig.ask(
            client,
            [
                "do": "call", "to": Self.name, "path": Self.path, "interface": Self.name, "member": "TriggerFeedback",
                "signature": "(ssa{sv}i)",
                "args": [app, event, hints, -1],
            ])
    }

    private var asked: [AudioEvent] { rig.events.filter { if case .feedbackAsked = $0 { true } else { false } } }

    @Test("A-21: what a keyboard asks arrives with its process, in order, and each call has a number of its own")
    func calls() throws {
        serves(rig)
        let client = try rig.client(bus), process = client.process.processIdentifier
        #expect(try trigger(client, "button-pressed")["answer"] as? [Int] == [1])
        #expect(try trigger(client, "button-released")["answer"] as? [Int] == [2])
        #expect(try trigger(client, "message-new-instant")["answer"] as? [Int] == [3])
        #expect(rig.run { asked.count == 3 })
        #expect(asked == ["button-pressed", "button-released", "message-new-instant"].map { .feedbackAsked($0, by: process) })
        let ended = try rig.ask(
            client,
            [
                "do": "call", "to": Self.name, "path": Self.path, "interface": Self.name, "member": "EndFeedback", "signature": "(u)",
                "args": [3],
            ])
        #expect(ended["answer"] != nil)
        // An event that is to be felt: a key is heard, a message is not.
        _ = try trigger(client, "button-pressed", hints: ["profile": ["s", "quiet"]])
        _ = try trigger(client, "message-new-instant", hints: ["profile": ["s", "quiet"]])
        _ = try trigger(client, "button-pressed", hints: ["profile": ["s", "silent"]])
        _ = try trigger(client, "camera-shutter")
        #expect(rig.run { asked.count == 5 })
        #expect(asked.suffix(2) == [.feedbackAsked("button-pressed", by: process), .feedbackAsked("camera-shutter", by: process)])
        for (app, event) in [("", "button-pressed"), ("app", ""), ("app", "../x"), ("app", "a b")] {
            #expect(try trigger(client, event, app: app)["error"] as? String == "org.freedesktop.DBus.Error.InvalidArgs")
        }
    }

    @Test("A-21: a flood of events is refused in part")
    func flood() throws {
        serves(rig)
        let client = try rig.client(bus)
        let answer = try rig.ask(
            client,
            [
                "do": "many", "count": 1000,
                "each": [
                    [
                        "to": Self.name, "path": Self.path, "interface": Self.name, "member": "TriggerFeedback", "signature": "(ssa{sv}i)",
                        "args": ["app", "button-pressed", [:] as [String: String], -1],
                    ]
                ],
            ])
        let counts = try #require((answer["answer"] as? [[String: Any]])?.first)
        #expect((counts["done"] as? Int ?? 0) < 500)
        #expect(asked.count <= 500)
    }

    @Test("A-21: the profile is quiet in silent mode")
    func profile() throws {
        serves(rig)
        let client = try rig.client(bus)
        func profile() throws -> [String]? {
            try rig.ask(
                client,
                [
                    "do": "call", "to": Self.name, "path": Self.path, "interface": "org.freedesktop.DBus.Properties", "member": "Get",
                    "signature": "(ss)", "args": [Self.name, "Profile"],
                ])["answer"] as? [String]
        }
        #expect(try profile() == ["full"])
        rig.bus.summary = {
            var summary = AudioSummary()
            summary.isSilenced = true
            return summary
        }
        #expect(try profile() == ["quiet"])
    }

    @Test("A-21: a service that is there keeps the name; the shell serves when it ends, and does not ask itself for haptics")
    func other() throws {
        serves(rig)
        // The second one finds the first.
        let second = Rig(bus)
        second.connect()
        #expect(second.run { second.events.contains(.feedbackServedElsewhere(true)) })
        #expect(!second.bus.servesFeedback)
        var reasons: [String] = []
        rig.bus.haptic("button-pressed") { reasons.append($0) }
        rig.run(seconds: 0.3) { false }
        #expect(reasons.isEmpty && asked.isEmpty, "it asked itself")
        // The first one feels for the second.
        second.bus.haptic("message-new-instant") { reasons.append($0) }
        for _ in 0..<50 where asked.isEmpty {
            second.turn(milliseconds: 10)
            rig.turn(milliseconds: 10)
        }
        #expect(asked.isEmpty && reasons.isEmpty, "a message that is to be felt makes no sound")
        rig.bus.close()
        #expect(second.run { second.bus.servesFeedback })
        #expect(second.events.last == .feedbackServedElsewhere(false))
    }
}
