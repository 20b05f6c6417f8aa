import Geometry
import Testing

@testable import AudioSessions

@Suite("Every sequence of three in a small world")
struct SequenceTests {
    /// Two apps, one with a player, one that declares a session; headphones; whatever can happen to them.
    static let steps: [@Sendable (inout World) -> Void] = [
        { $0.stream(1, app: 1, .music, running: $0.audio.streams[StreamID(1)].map { !$0.facts.isRunning } ?? true) },
        { $0.send(.streamGone(StreamID(1))) },
        { $0.player("p", app: 1, .playing) },
        { $0.player("p", app: 1, .paused) },
        { $0.send(.playerGone(PlayerID("p"))) },
        { $0.ask(1, .activate) },
        { $0.ask(1, .deactivate(notifyOthers: true)) },
        { $0.ask(1, .setCategory(.playAndRecord, .voiceChat, [])) },
        { $0.ask(1, .setCategory(.playback, .voicePrompt, [.duckOthers])) },
        { $0.ask(1, .call(.ringing)) },
        { $0.ask(1, .call(.accepted)) },
        { $0.ask(1, .call(.ended)) },
        { $0.send(.sessionClosed(SessionID(1))) },
        { $0.stream(2, app: 2, running: $0.audio.streams[StreamID(2)].map { !$0.facts.isRunning } ?? true) },
        { $0.stream(3, app: 3, .recording, direction: .input) },
        { $0.send(.devicesChanged(outputs: [World.speaker], inputs: [World.microphone])) },
        { $0.send(.devicesChanged(outputs: [World.speaker, World.headphones], inputs: [World.microphone])) },
        { $0.send(.action(.pickOutput(World.speaker.id))) },
        { $0.send(.coverClosed(!$0.audio.isCoverClosed)) },
        { $0.send(.silenced(!$0.audio.isSilenced)) },
        { $0.send(.appsInSight([AudioPresence(app: "app1", lineage: [1001], isActive: true)])) },
        { $0.send(.appsInSight([])) },
        { $0.send(.appFreezing(AudioPresence(app: "app2", lineage: [1002]))) },
        { $0.send(.appThawed(AudioPresence(app: "app2", lineage: [1002]))) },
        {
            $0.send(.serverChanged(isRunning: false))
            $0.send(.serverChanged(isRunning: true))
        },
        { $0.send(.action(.remote(.togglePlayPause, .key))) },
        { $0.send(.streamsSetUpAnew) },
        { $0.wait(0.2) },
        { $0.wait(2) },
    ]

    @Test("the invariants hold after each, from three beginnings", arguments: 0..<3)
    func sequences(_ beginning: Int) {
        var start = World(outputs: [World.speaker, World.headphones])
        start.send(.sessionOpened(SessionID(1), World.app(2)))
        start.ask(1, .setCategory(.playback, .standard, []))
        if beginning > 0 {
            start.stream(1, app: 1, .music)
            start.player("p", app: 1, .playing)
        }
        if beginning > 1 {
            start.ask(1, .setCategory(.playAndRecord, .voiceChat, []))
            start.ask(1, .call(.ringing))
        }
        func go(_ world: World, _ path: [Int]) -> Bool {
            guard path.count < 3 else { return true }
            for (index, step) in Self.steps.enumerated() {
                var next = world
                step(&next)
                let violations = next.audio.violations()
                guard violations.isEmpty else {
                    Issue.record("from \(beginning): \(path + [index]): \(violations)")
                    return false
                }
                if !go(next, path + [index]) { return false }
            }
            return true
        }
        #expect(go(start, []))
    }
}
