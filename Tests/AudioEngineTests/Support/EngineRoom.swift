import AudioEngine
import AudioSessions
import Clocks
import Glibc
import Logging
import MullionTesting
import Processes

/// An engine in a sound room with a minimal core: connects everything that plays to the output that the test chooses.
final class EngineRoom {
    let sound: SoundRoom
    private(set) var engine: AudioEngine
    var events: [AudioEvent] = []
    var streams: [StreamID: StreamFacts] = [:]
    var outputs: [AudioOutput] = []
    var inputs: [AudioInput] = []
    /// Whether new streams are connected at once.
    var connects = true
    /// What their gain is.
    var gain = 1.0
    /// An output that is used as soon as it is reported.
    var awaited: String?

    init(_ sound: SoundRoom, starts: Bool = true) throws {
        self.sound = sound
        engine = AudioEngine(path: sound.socket, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        if starts { try start() }
    }

    func start() throws {
        engine.onEvent = { [unowned self] in hear($0) }
        engine.start()
        try wait("the engine has outputs") { !outputs.isEmpty }
        try wait("the anchor is the default") { try sound.run(["pw-metadata", "0", "default.audio.sink"]).contains("mullion.output") }
    }

    /// Replaces the engine by another one, as after a restart of the shell. `inOrder`: the first one was closed.
    func restart(inOrder: Bool) throws {
        if inOrder { engine.close() }
        events = []
        streams = [:]
        outputs = []
        engine = AudioEngine(path: sound.socket, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try start()
    }

    private func hear(_ event: AudioEvent) {
        events.append(event)
        if getenv("MULLION_TRACE") != nil { print(Clocks.monotonicSeconds, event) }
        switch event {
        case .devicesChanged(let outputs, let inputs):
            self.outputs = outputs
            self.inputs = inputs
            if let awaited, outputs.contains(where: { $0.id == PortID(awaited) }) { chosen = awaited }
            if let chosen { engine.perform(.useOutput(PortID(chosen))) }
        case .streamAppeared(let id, let facts):
            streams[id] = facts
            engine.perform(.level(id, gain: gain, ramp: 0))
            if connects { engine.perform(.connect(id, true)) }
        case .streamChanged(let id, let facts): streams[id] = facts
        case .streamGone(let id): streams[id] = nil
        case .serverChanged(false): streams = [:]
        default: break
        }
    }

    /// One turn of the loop: at most `milliseconds`.
    func turn(_ milliseconds: Int32 = 5) {
        var wait = milliseconds
        if let deadline = engine.deadline {
            wait = Int32(max(0, min(Int64(wait), (deadline - Clocks.monotonicNanoseconds) / 1_000_000 + 1)))
        }
        var item = pollfd(fd: engine.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&item, 1, wait)
        engine.process()
    }

    func run(seconds: Double) {
        let end = Clocks.monotonicSeconds + seconds
        while Clocks.monotonicSeconds < end { turn() }
    }

    func wait(_ what: String, within seconds: Double = 30, until condition: () throws -> Bool) throws {
        try sound.wait(what, within: seconds, turn: { turn() }, until: condition)
    }

    func stream(_ app: String) -> StreamID? { streams.first { $0.value.app.id == app && $0.value.direction == .output }?.key }

    func use(_ output: String?) {
        chosen = output
        engine.perform(.useOutput(output.map { PortID($0) }))
    }

    private var chosen: String?

    /// The number of streams at a sink's, or the only source's, left channel.
    func count(_ links: String) throws -> Int {
        try sound.run(["pw-link", "-l"]).split(separator: "\n").count { $0.hasSuffix("|-> \(links)") }
    }

    func record(_ sink: String, isRight: Bool = false) throws -> SoundRecording {
        let recording = try SoundRecording(sound, sink: sink, isRight: isRight, turn: { turn() })
        try wait("the recorder of \(sink) runs") { recording.hasBegun }
        return recording
    }

    static let player = "mullion-sound-probe"

    /// Plays this value in the real-time thread, so that missing samples were lost on the way.
    @discardableResult
    func play(_ level: Float) throws -> Int32 {
        try play([SoundRoom.probe(), "play", "player", "\(level)", "autoconnect"], app: EngineRoom.player)
    }

    @discardableResult
    func playNumbered() throws -> Int32 {
        try play([SoundRoom.probe(), "play", "player", "numbered", "autoconnect"], app: EngineRoom.player)
    }

    /// Starts a player and waits until it plays according to the server.
    @discardableResult
    func play(_ command: [String], app: String) throws -> Int32 {
        let before = Set(streams.keys)
        let process = try sound.start(command)
        try wait("\(app) plays") {
            streams.contains { !before.contains($0.key) && $0.value.app.id == app && $0.value.isRunning }
        }
        return process
    }
}
