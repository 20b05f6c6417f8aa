import AudioSessions
import Geometry
import Idioms

/// Measures how long audio decisions take: no sound server, no bus.
public enum SoundBench {
    public struct Result: Sendable {
        public var name: String
        /// Microseconds from the event to its effects.
        public var median: Double
        public var most: Double
        /// The number of effects.
        public var effects: Int
    }

    /// Runs each decision `rounds` times on the same state, and undoes it each time.
    public static func run(rounds: Int = 3000) -> [Result] {
        let stream = StreamID(1_000_000)
        func facts(_ role: String) -> StreamFacts { StreamFacts(app: AudioApp(id: "newcomer", lineage: [99_999]), role: role) }
        return [
            measure("music starts, 100 sessions", 1, .streamAppeared(stream, facts("Music")), undo: .streamGone(stream), rounds),
            measure("a call rings, 100 sessions", 1, call, undo: ended(1000), rounds),
            measure("it rings, 100 have faded", 1, after: call, .timer(.fade), undo: ended(1000), rounds),
            measure("a call ends, 100 resume", 1, ended(1000), undo: call, rounds),
            measure("a prompt starts, 1 of 100 plays", 1, prompt, undo: ended(1001), rounds),
            measure("a prompt starts, all 100 play", 100, prompt, undo: ended(1001), rounds),
        ]
    }

    private static func ended(_ id: UInt64) -> AudioEvent {
        .sessionAsked(SessionID(id), .deactivate(notifyOthers: true), reply: ReplyID(10))
    }

    private static let call = AudioEvent.sessionAsked(SessionID(1000), .activate, reply: ReplyID(9))
    private static let prompt = AudioEvent.sessionAsked(SessionID(1001), .activate, reply: ReplyID(9))

    /// A hundred mixing sessions, some of them playing. A phone and a navigation app that have not started.
    private static func world(playing: Int) -> AudioSessions {
        var sound = AudioSessions(rules: Idiom.pad.sound)
        let now = Moment.milliseconds(1)
        _ = sound.handle(.serverChanged(isRunning: true), at: now)
        _ = sound.handle(
            .devicesChanged(outputs: [AudioOutput(id: PortID("speaker"), kind: .speaker, name: "Speaker")], inputs: []), at: now)
        func open(_ id: UInt64, _ category: Category, _ mode: Mode, _ options: Options) -> AudioApp {
            let app = AudioApp(id: "app\(id)", lineage: [Int32(id) + 100])
            _ = sound.handle(.sessionOpened(SessionID(id), app), at: now)
            _ = sound.handle(.sessionAsked(SessionID(id), .setCategory(category, mode, options), reply: ReplyID(1)), at: now)
            return app
        }
        for id in 1...100 as ClosedRange<UInt64> {
            let app = open(id, .playback, .standard, .mixWithOthers)
            _ = sound.handle(.sessionAsked(SessionID(id), .activate, reply: ReplyID(2)), at: now)
            if id <= playing { _ = sound.handle(.streamAppeared(StreamID(id), StreamFacts(app: app)), at: now) }
        }
        _ = open(1000, .ringer, .standard, [])
        _ = open(1001, .playback, .voicePrompt, .duckOthers)
        return sound
    }

    private static func measure(
        _ name: String, _ playing: Int, after before: AudioEvent? = nil, _ event: AudioEvent, undo: AudioEvent, _ rounds: Int
    ) -> Result {
        let clock = ContinuousClock()
        var times: [Double] = []
        var effects = 0
        var sound = world(playing: playing)
        for round in 1...rounds {
            // Seconds apart, so that fades have ended and held-back sound plays again.
            let now = Moment.milliseconds(Double(round) * 10_000)
            if let before { _ = sound.handle(before, at: now + -0.5) }
            let start = clock.now
            effects = sound.handle(event, at: now).count
            let took = start.duration(to: clock.now)
            _ = sound.handle(undo, at: now + 1)
            for timer in AudioTimer.allCases { _ = sound.handle(.timer(timer), at: now + 5) }
            times.append(Double(took.components.attoseconds) * 1e-12 + Double(took.components.seconds) * 1e6)
        }
        times.sort()
        return Result(name: name, median: times[rounds / 2], most: times[rounds * 99 / 100], effects: effects)
    }
}
