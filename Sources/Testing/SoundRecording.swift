import FoundationEssentials
import Glibc
import Processes

/// Samples that a sink played or a microphone recorded.
public final class SoundRecording {
    public struct Block: Sendable {
        /// Frames since the start of the graph's clock.
        public var position: UInt64
        /// The recording time in seconds of the monotonic clock.
        public var time: Double
        public var samples: [Float]
    }

    private let room: SoundRoom
    private let process: Int32
    private let path: String

    /// Records a sink, or without one, whatever the system connects it to. Keeps the left channel, or with `isRight`
    /// the sink's right one.
    public init(_ room: SoundRoom, sink: String?, isRight: Bool = false, turn: () -> Void = { usleep(5000) }) throws {
        self.room = room
        let name = "recorder-\(UInt32.random(in: 0...UInt32.max))"
        path = "\(room.room)/\(name)"
        process = try room.start([try SoundRoom.probe(), "record", name, path] + (sink == nil ? ["autoconnect"] : []))
        guard let sink else { return }
        try room.wait("the recorder of \(sink) is linked", turn: turn) {
            let ports = try room.run(["pw-link", "-i"])
            guard ports.contains("\(name):input_FL") else { return false }
            for (from, to) in isRight ? [("FR", "FL"), ("FL", "FR")] : [("FL", "FL"), ("FR", "FR")] {
                _ = try room.run(["pw-link", "\(sink):monitor_\(from)", "\(name):input_\(to)"])
            }
            return true
        }
    }

    /// Plugs in headphones and records them from their first sample on. They are unplugged at the end.
    public init(_ room: SoundRoom, newSink name: String) throws {
        self.room = room
        path = "\(room.room)/sink-\(UInt32.random(in: 0...UInt32.max))"
        process = try room.start([try SoundRoom.probe(), "sink", name, path])
    }

    /// Whether the recording has started.
    public var hasBegun: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    /// Ends the recording.
    public func finish() throws -> [Block] {
        try room.end(process)
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        unlink(path)
        return data.withUnsafeBytes { bytes in
            var blocks: [Block] = []
            var offset = 0
            while offset + 20 <= bytes.count {
                let position = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let time = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
                let count = Int(bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt32.self))
                offset += 20
                guard offset + count * 4 <= bytes.count else { break }
                let samples = (0..<count).map { bytes.loadUnaligned(fromByteOffset: offset + $0 * 4, as: Float.self) }
                blocks.append(Block(position: position, time: Double(time) / 1e9, samples: samples))
                offset += count * 4
            }
            return blocks
        }
    }
}

extension [SoundRecording.Block] {
    public var samples: [Float] { flatMap(\.samples) }

    /// The number of non-silent samples.
    public var soundingCount: Int { reduce(0) { $0 + $1.samples.count { abs($0) > 1e-6 } } }

    /// Frames that the recorder itself missed, between its first and last.
    public var missed: Int {
        zip(self, dropFirst()).reduce(0) { sum, pair in
            sum + Swift.max(0, Int(pair.1.position) - Int(pair.0.position) - pair.0.samples.count)
        }
    }
}
