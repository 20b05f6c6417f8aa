import AudioSessions
import Clocks
import Glibc

/// The volume that mixers show and set on an anchor. It represents the system volume, or the microphone's mute. The
/// anchor's volume itself has no effect on sound, because streams are linked past it.
struct Mirror {
    struct State: Equatable {
        /// As the user set it, 0 to 1. Other programs may write more than 1.
        var level: Double
        var isMuted: Bool

        func isLike(_ other: State) -> Bool { abs(level - other.level) < 0.002 && isMuted == other.isMuted }
    }

    /// The state to show; nil until it is known.
    var wanted: State?
    /// The state that the server reported last.
    private(set) var shown: State?
    /// Written by this engine and not echoed yet, oldest first.
    private var written: [(state: State, at: Int64)] = []

    private static let patience: Int64 = 1_000_000_000

    /// Takes a state that the server reported. Returns it if another program wrote it, because that is a wish of the
    /// user.
    mutating func told(_ state: State, at now: Int64) -> State? {
        let before = shown
        shown = state
        written.removeAll { $0.at + Self.patience < now }
        if let index = written.firstIndex(where: { $0.state.isLike(state) }) {
            written.removeFirst(index + 1)
            return nil
        }
        // A node reports everything again when another property changes. An unchanged state is not a wish.
        guard let before, before != state, let wanted, !wanted.isLike(state) else { return nil }
        return state
    }

    /// The anchor is gone, and a new one will be made.
    mutating func forget() {
        shown = nil
        written = []
    }

    /// The state to write so that the mixer shows the right one; nil if it already does.
    mutating func correction(at now: Int64) -> State? {
        guard let wanted, let shown, !wanted.isLike(written.last?.state ?? shown) else { return nil }
        written.append((wanted, now))
        return wanted
    }
}

extension AudioEngine {
    /// The server reported the levels of an anchor.
    func mirrored(_ id: UInt32, _ volumes: NodeVolumes) {
        guard let channels = volumes.channels, !channels.isEmpty else { return }
        let state = Mirror.State(level: cbrt(Double(channels.max() ?? 1)), isMuted: volumes.isMuted ?? false)
        if id == anchors.sink {
            let before = anchors.output.wanted
            guard let wish = anchors.output.told(state, at: Clocks.monotonicNanoseconds), let before else { return }
            if abs(wish.level - before.level) >= 0.002 { onEvent(.action(.setVolume(min(max(wish.level, 0), 1), .media))) }
            if wish.isMuted != before.isMuted { onEvent(.action(.mute(wish.isMuted))) }
        } else {
            // Inputs have no level, so whatever a mixer shows stays.
            anchors.input.wanted = Mirror.State(level: state.level, isMuted: isInputMuted)
            if let wish = anchors.input.told(state, at: Clocks.monotonicNanoseconds) { onEvent(.action(.muteMicrophone(wish.isMuted))) }
        }
    }

    /// Whether to ask a node to report its volumes. PipeWire 1.4 reports none for a node that never ran, but mixers
    /// set the volumes of anchors, and of devices whose level is written here, before the first sound. Returns true
    /// once per node.
    func isToTell(_ id: UInt32) -> Bool {
        guard let node = graph.nodes[id], let state = node.state, state >= 1, !node.tellsVolumes else { return false }
        graph.nodes[id]?.tellsVolumes = true
        return !node.isRunning
    }

    /// Makes the anchors show the system's state.
    func correctMirrors() {
        anchors.input.wanted?.isMuted = isInputMuted
        let now = Clocks.monotonicNanoseconds
        if let sink = anchors.sink, let state = anchors.output.correction(at: now) { show(state, on: sink) }
        if let source = anchors.source, let state = anchors.input.correction(at: now) { show(state, on: source) }
    }

    private func show(_ state: Mirror.State, on anchor: UInt32) {
        let count = graph.nodes[anchor]?.volumes.channels?.count ?? 2
        let factor = Float(state.level * state.level * state.level)
        connection?.setVolumes(of: anchor, [Float](repeating: factor, count: count), isMuted: state.isMuted, isToTell: false)
    }
}
