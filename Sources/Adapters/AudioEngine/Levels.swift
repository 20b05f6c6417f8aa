import AudioSessions
import Clocks
import Glibc

/// How often the graph runs. Code that must not be faster than a quantum uses this.
struct GraphClock {
    private var values: [String: Int] = [:]

    mutating func note(_ key: String, _ value: String?) { values[key] = value.flatMap { Int($0) } }

    private func value(_ key: String, _ standard: Int) -> Int {
        let value = values[key] ?? 0
        return value > 0 ? value : standard
    }

    var rate: Int { value("clock.force-rate", value("clock.rate", 48000)) }

    /// The longest possible quantum in nanoseconds, given the latencies ("1024/48000") that running nodes ask for.
    func quantum(latencies: [String]) -> Int64 {
        var quantum = value("clock.quantum", 1024)
        let wishes = latencies.compactMap { text -> Int? in
            let parts = text.split(separator: "/").compactMap { Int($0) }
            return parts.count == 2 && parts[1] > 0 ? parts[0] * rate / parts[1] : nil
        }
        if let least = wishes.min() { quantum = least }
        quantum = min(max(quantum, value("clock.min-quantum", 32)), value("clock.max-quantum", 2048))
        return Int64(value("clock.force-quantum", quantum)) * 1_000_000_000 / Int64(rate)
    }
}

extension AudioEngine {
    // MARK: Gains

    /// Longer than a quantum, so that no two steps fall into one.
    var stepLength: Int64 {
        let latencies = graph.nodes.values.filter { $0.isRunning }.map { $0["node.latency"] }
        return clock.quantum(latencies: latencies) * 115 / 100 + 2_000_000
    }

    var nextGainStep: Int64? {
        let isMoving = streams.values.contains { $0.gain.isMoving }
        let length = isMoving ? stepLength : 0
        let steps = streams.values.compactMap { $0.writes.deadline(step: $0.gain.isMoving ? length : nil) }
        return (steps + [levelCheckAt].compactMap { $0 }).min()
    }

    /// After a new session manager has set up all streams.
    static let levelCheckDelay: Int64 = 1_000_000_000

    /// A busy client would apply several queued steps at once. So each step waits until the previous one was acknowledged. If
    /// that takes too long, the stream gets its final gain at once.
    func stepGains() {
        let now = Clocks.monotonicNanoseconds
        if let moment = levelCheckAt, moment <= now { checkLevels() }
        var length: Int64?
        for (node, stream) in streams where stream.isGainDue || stream.gain.isMoving || stream.writes.sentAt != nil {
            if let mayRepeat = streams[node]!.writes.expire(at: now) {
                streams[node]!.gain.finish()
                if mayRepeat || stream.gain.isMoving { writeGain(node) }
                continue
            }
            if stream.gain.isMoving {
                if length == nil { length = stepLength }
                guard now >= stream.writes.deadline(step: length) ?? 0 else { continue }
                guard streams[node]!.gain.step(to: now + length!) else { continue }
                streams[node]!.writes.stepped(at: now)
            }
            writeGain(node)
        }
    }

    /// Writes every gain once more. A new session manager sets up streams anew, and not each reset is reported.
    private func checkLevels() {
        levelCheckAt = nil
        for (node, stream) in streams where !stream.gain.isMoving && (stream.hasSoftVolumes || stream.gain.current != 1) {
            streams[node]?.writes.renew()
            streams[node]?.isGainDue = true
        }
    }

    /// Writes soft volumes. No program saves them, so no stream stays lowered after a crash. They replace the stream's own volumes until a
    /// program writes those.
    private func writeGain(_ node: UInt32) {
        guard var stream = streams[node], let volumes = graph.nodes[node]?.volumes.channels, !volumes.isEmpty else { return }
        let gain = stream.gain.current * links.factor(of: node)
        stream.isGainDue = false
        if gain != 1 || stream.hasSoftVolumes {
            stream.hasSoftVolumes = true
            let soft = volumes.map { $0 * Float(gain) }
            stream.writes.wrote(soft, at: Clocks.monotonicNanoseconds)
            connection?.setSoftVolumes(of: node, soft)
        }
        streams[node] = stream
    }

    /// Corrects the gain that the previous shell left on a stream.
    func correctGain(_ node: UInt32) {
        guard let volumes = graph.nodes[node]?.volumes, let soft = volumes.soft, !soft.isEmpty, soft != volumes.channels else { return }
        streams[node]?.hasSoftVolumes = true
        streams[node]?.isGainDue = true
    }

    func leveled(_ id: UInt32, _ volumes: NodeVolumes) {
        guard let before = graph.nodes[id]?.volumes else { return }
        var after = before
        after.channels = volumes.channels ?? before.channels
        after.soft = volumes.soft ?? before.soft
        after.isMuted = volumes.isMuted ?? before.isMuted
        graph.nodes[id]?.volumes = after
        if after != before { isDirty = true }
        if id == anchors.sink || id == anchors.source { mirrored(id, after) }
        guard let stream = streams[id], stream.hasSoftVolumes || stream.gain.current != 1 else { return }
        let isDue = streams[id]!.writes.reported(
            volumes.soft ?? after.soft, isOthers: after.channels != before.channels, at: Clocks.monotonicNanoseconds)
        if isDue { streams[id]!.isGainDue = true }
    }
}
