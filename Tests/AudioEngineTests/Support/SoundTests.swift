import Foundation
import MullionTesting
import Testing

/// Tests with real sound, one after the other: each has its own servers, and they would disturb each other's timing.
@Suite("Sound", .serialized, .enabled(if: SoundRoom.missing.isEmpty, "PipeWire is not installed")) struct SoundTests {
    static var isSlow: Bool { TestSeed.isSlow }

    static func with<R>(
        devices: [SoundRoom.Device] = [.speaker, .headphones, .microphone], quantum: Int = 1024, _ body: (EngineRoom) throws -> R
    ) throws -> R {
        let sound = try SoundRoom(devices: devices, quantum: quantum)
        defer { sound.clear() }
        return try body(try EngineRoom(sound))
    }

    /// The position of a sample in a numbered file.
    static func place(_ sample: Float) -> Int { Int((Double(sample) - 0.1) / 0.8 * 96000 + 0.5) }

    /// The longest silence within a numbered recording, and how much of the file it lacks.
    static func holes(_ samples: [Float]) -> (longest: Int, lost: Int) {
        var longest = 0, lost = 0, silent = 0, last: Int?
        for sample in samples {
            guard sample > 0.05 else {
                silent += 1
                continue
            }
            let now = place(sample)
            if let last {
                longest = max(longest, silent)
                lost += (now - last - 1 + 96000) % 96000
            }
            silent = 0
            last = now
        }
        return (longest, lost)
    }

    /// The number of discontinuities in a recording of a numbered file. Silence before and after it does not count.
    static func jumps(_ samples: [Float]) -> Int {
        guard let first = samples.firstIndex(where: { $0 > 0.05 }), let last = samples.lastIndex(where: { $0 > 0.05 }) else { return 1 }
        let places = samples[first...last].map(place)
        let jumps = places.indices.dropLast().filter { (places[$0 + 1] - places[$0] + 96000) % 96000 != 1 }
        if !jumps.isEmpty {
            print(
                jumps.count, "jumps of", samples.count, "samples, sounding from", first, "to", last,
                jumps.prefix(6).map { "at \($0): \(places[$0]) \(places[$0 + 1])" })
        }
        return jumps.count
    }
}

extension SoundRoom {
    /// A sink that appears later.
    func makeSink(_ name: String, kind: String) throws {
        _ = try run([
            "pw-cli", "create-node", "adapter",
            "{ factory.name=support.null-audio-sink node.name=\(name) node.description=\(name) media.class=Audio/Sink object.linger=true "
                + "audio.position=[FL FR] monitor.channel-volumes=true session.suspend-timeout-seconds=0 device.api=test priority.driver=1000 "
                + "device.form-factor=\(kind) priority.session=1100 }",
        ])
        try wait("\(name) is there") { try run(["pw-link", "-i"]).contains("\(name):playback_FL") }
    }
}
