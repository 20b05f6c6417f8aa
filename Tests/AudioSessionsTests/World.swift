import Foundation
import Geometry
import Idioms
import Testing

@testable import AudioSessions

/// `make test-slow` looks at everything; otherwise there is a sample of it.
let isSlow = ProcessInfo.processInfo.environment["MULLION_SLOW_TESTS"] == "1"

/// A small world around the rules: apps with streams, players and sessions, and what they were told.
struct World {
    var audio: AudioSessions
    var now = Moment.zero
    var log: [AudioEffect] = []
    var last: [AudioEffect] = []
    var begins: [SessionID: Int] = [:]
    var ends: [SessionID: Int] = [:]
    var lastShouldResume: [SessionID: Bool] = [:]
    var levels: [StreamID: Double] = [:]
    var connected: [StreamID: Bool] = [:]
    var timers: [AudioTimer: Moment] = [:]
    var answers: [ReplyID: SessionAnswer] = [:]
    var nextReply: UInt64 = 0

    static let speaker = AudioOutput(id: PortID("speaker"), kind: .speaker, name: "Speaker", priority: 10, level: 0.5)
    static let headphones = AudioOutput(id: PortID("headphones"), kind: .headphones, name: "Headphones", priority: 20, level: 0.3)
    static let bluetooth = AudioOutput(id: PortID("bt"), kind: .bluetoothA2DP, name: "Earbuds", priority: 15, level: 0.4)
    static let screen = AudioOutput(id: PortID("hdmi"), kind: .hdmi, name: "Screen", priority: 5)
    static let receiver = AudioOutput(id: PortID("receiver"), kind: .receiver, name: "Receiver", priority: 1)
    static let microphone = AudioInput(id: PortID("mic"), kind: .builtIn, name: "Microphone", priority: 1)

    init(_ idiom: Idiom = .pad, outputs: [AudioOutput] = [World.speaker], inputs: [AudioInput] = [World.microphone]) {
        audio = AudioSessions(rules: idiom.sound)
        send(.serverChanged(isRunning: true))
        send(.devicesChanged(outputs: outputs, inputs: inputs))
    }

    @discardableResult
    mutating func send(_ event: AudioEvent) -> [AudioEffect] {
        last = audio.handle(event, at: now)
        log += last
        for effect in last {
            switch effect {
            case .tell(let session, .interruptionBegan): begins[session, default: 0] += 1
            case .tell(let session, .interruptionEnded(let shouldResume)):
                ends[session, default: 0] += 1
                lastShouldResume[session] = shouldResume
            case .level(let stream, let gain, _): levels[stream] = gain
            case .connect(let stream, let isConnected): connected[stream] = isConnected
            case .startTimer(let timer, let at): timers[timer] = at
            case .stopTimer(let timer): timers[timer] = nil
            case .answer(let reply, let answer): answers[reply] = answer
            default: break
            }
        }
        return last
    }

    @discardableResult
    mutating func ask(_ session: UInt64, _ request: SessionRequest) -> SessionAnswer? {
        nextReply += 1
        send(.sessionAsked(SessionID(session), request, reply: ReplyID(nextReply)))
        return answers[ReplyID(nextReply)]
    }

    /// Time passes, timers fire.
    mutating func wait(_ seconds: Double) {
        let end = now + seconds
        while let next = timers.min(by: { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }), next.value <= end {
            now = max(now, next.value)
            timers[next.key] = nil
            send(.timer(next.key))
        }
        now = end
    }

    static func app(_ number: Int, _ id: String? = nil) -> AudioApp {
        AudioApp(id: id ?? "app\(number)", lineage: [Int32(1000 + number), 1])
    }

    mutating func stream(
        _ id: UInt64, app: Int, _ kind: SoundKind? = nil, running: Bool = true, direction: StreamFacts.Direction = .output,
        role: String = "", silent: Bool = false
    ) {
        let facts = StreamFacts(app: Self.app(app), direction: direction, isRunning: running, isSilent: silent, role: role, ruled: kind)
        send(audio.streams[StreamID(id)] == nil ? .streamAppeared(StreamID(id), facts) : .streamChanged(StreamID(id), facts))
    }

    mutating func player(_ name: String, app: Int, _ status: PlaybackStatus, commands: Set<RemoteCommand.Name> = [.play, .pause]) {
        let facts = PlayerFacts(app: Self.app(app), name: name, status: status, commands: commands)
        send(audio.players[PlayerID(name)] == nil ? .playerAppeared(PlayerID(name), facts) : .playerChanged(PlayerID(name), facts))
    }

    /// Opens a session of its own app for a kind of sound and activates it.
    @discardableResult
    mutating func declare(_ session: UInt64, app: Int? = nil, _ kind: SoundKind, activate: Bool = true) -> SessionAnswer? {
        send(.sessionOpened(SessionID(session), Self.app(app ?? Int(session))))
        let (category, mode, call) = Self.recipe(kind)
        ask(session, .setCategory(category, mode, []))
        guard activate else { return nil }
        return ask(session, call.map { .call($0) } ?? .activate)
    }

    static func recipe(_ kind: SoundKind) -> (Category, Mode, CallState?) {
        switch kind {
        case .music, .notification, .click, .unknown: (.playback, .standard, nil)
        case .podcast: (.playback, .spokenAudio, nil)
        case .gameSolo: (.soloAmbient, .game, nil)
        case .gameAmbient: (.ambient, .game, nil)
        case .prompt: (.playback, .voicePrompt, nil)
        case .alarm: (.alarm, .standard, nil)
        case .callRinging: (.playAndRecord, .voiceChat, .ringing)
        case .callActive: (.playAndRecord, .voiceChat, .accepted)
        case .recording: (.record, .standard, nil)
        case .video: (.playback, .moviePlayback, nil)
        case .screenReader: (.playback, .assistive, nil)
        }
    }

    func session(_ raw: UInt64) -> Session? { audio.sessions[SessionID(raw)] }
    func implied(app: Int) -> Session? { audio.sessions.values.first { !$0.isDeclared && audio.apps[$0.app]?.app.id == "app\(app)" } }

    func factors(_ stream: UInt64) -> AudioFactors? { audio.factors(of: StreamID(stream)) }
    func level(_ stream: UInt64) -> Double? { levels[StreamID(stream)] }
    func isConnected(_ stream: UInt64) -> Bool? { connected[StreamID(stream)] }
}

let light = 0.199_526
let strong = 0.017_783

func isClose(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 - b) < 1e-4 } ?? false }
