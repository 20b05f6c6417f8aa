import AudioSessions
import Glibc

/// What mixers show of an anchor, and set there: it stands for the system volume, or the microphone's mute. Nothing is
/// made louder or softer by it, since streams are linked past it.
struct Mirror {
    struct State: Equatable {
        /// As people set it, 0 to 1; of whoever writes more, more.
        var level: Double
        var isMuted: Bool

        func isLike(_ other: State) -> Bool { abs(level - other.level) < 0.002 && isMuted == other.isMuted }
    }

    /// What it ought to show; nil: nobody has said yet.
    var wanted: State?
    /// What the server told last.
    private(set) var shown: State?
    /// Written by us and not told back yet, the oldest first.
    private var written: [(state: State, at: UInt64)] = []

    private static let patience: UInt64 = 1_000_000_000

    /// Takes what the server tells; if somebody else wrote it, that is what they wish.
    mutating func told(_ state: State, at now: UInt64) -> State? {
        let before = shown
        shown = state
        written.removeAll { $0.at + Self.patience < now }
        if let index = written.firstIndex(where: { $0.state.isLike(state) }) {
            written.removeFirst(index + 1)
            return nil
        }
        // A node tells everything again when something else of it changes: what stayed is nobody's wish.
        guard let before, before != state, let wanted, !wanted.isLike(state) else { return nil }
        return state
    }

    /// The anchor is gone; another one will come.
    mutating func forget() {
        shown = nil
        written = []
    }

    /// What has to be written so that it shows what it ought to.
    mutating func correction(at now: UInt64) -> State? {
        guard let wanted, let shown, !wanted.isLike(written.last?.state ?? shown) else { return nil }
        written.append((wanted, now))
        return wanted
    }
}

extension AudioEngine {
    /// The server tells the levels of an anchor.
    func mirrored(_ id: UInt32, _ volumes: NodeVolumes) {
        guard let channels = volumes.channels, !channels.isEmpty else { return }
        let state = Mirror.State(level: cbrt(Double(channels.max() ?? 1)), isMuted: volumes.isMuted ?? false)
        if id == anchors.sink {
            let before = anchors.output.wanted
            guard let wish = anchors.output.told(state, at: AudioEngine.now), let before else { return }
            if abs(wish.level - before.level) >= 0.002 { onEvent(.action(.setVolume(min(max(wish.level, 0), 1), .media))) }
            if wish.isMuted != before.isMuted { onEvent(.action(.mute(wish.isMuted))) }
        } else {
            // There is no level of inputs: what a mixer shows of it is its own.
            anchors.input.wanted = Mirror.State(level: state.level, isMuted: isInputMuted)
            if let wish = anchors.input.told(state, at: AudioEngine.now) { onEvent(.action(.muteMicrophone(wish.isMuted))) }
        }
    }

    /// Whether a node has yet to be asked to tell its volumes: PipeWire 1.4 tells none of a node that never ran, and mixers
    /// set those of anchors, and of devices whose level is written here, also before the first sound. True once.
    func isToTell(_ id: UInt32) -> Bool {
        guard let node = graph.nodes[id], let state = node.state, state >= 1, !node.tellsVolumes else { return false }
        graph.nodes[id]?.tellsVolumes = true
        return !node.isRunning
    }

    /// The anchors show what the system has.
    func correctMirrors() {
        anchors.input.wanted?.isMuted = isInputMuted
        let now = AudioEngine.now
        if let sink = anchors.sink, let state = anchors.output.correction(at: now) { show(state, on: sink) }
        if let source = anchors.source, let state = anchors.input.correction(at: now) { show(state, on: source) }
    }

    private func show(_ state: Mirror.State, on anchor: UInt32) {
        let count = graph.nodes[anchor]?.volumes.channels?.count ?? 2
        let factor = Float(state.level * state.level * state.level)
        connection?.setVolumes(of: anchor, [Float](repeating: factor, count: count), isMuted: state.isMuted, isToTell: false)
    }
}
