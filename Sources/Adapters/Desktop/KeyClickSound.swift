import Glibc

/// The click of a key of an on-screen keyboard, for sound themes that have none: a tick of a few milliseconds, made of
/// two notes that fade at once.
public enum KeyClickSound {
    /// Its name in sound themes.
    public static let name = "button-pressed"

    static let rate = 48_000
    /// In seconds.
    static let length = 0.012
    /// Seconds of silence behind it: `pw-play` ends before it has played a file that is shorter than one of its buffers.
    static let silence = 0.25
    /// The share of full scale: soft beside speech.
    static let peak = 0.22

    /// A file of the format WAV: one channel of 16 bits.
    public static let file: [UInt8] = {
        let samples = Self.samples + Array(repeating: 0, count: Int(clamping: silence * Double(rate))), size = UInt32(samples.count * 2)
        var out = Array("RIFF".utf8) + bytes(36 + size) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
        out += bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(rate)) + bytes(UInt32(rate * 2)) + bytes(UInt16(2)) + bytes(UInt16(16))
        out += Array("data".utf8) + bytes(size)
        for sample in samples { out += bytes(UInt16(bitPattern: sample)) }
        return out
    }()

    static let samples: [Int16] = {
        let count = Int(clamping: length * Double(rate))
        let wave = (0..<count).map { index in
            let time = Double(index) / Double(rate)
            // It rises in half a millisecond, so that it does not crack, and ends at 0.
            let shape = min(1, time / 0.0005) * exp(-time / 0.0022) * (1 - time / length)
            return shape * (sin(2 * .pi * 2100 * time) + 0.5 * sin(2 * .pi * 900 * time))
        }
        let loudest = wave.map { abs($0) }.max() ?? 1
        return wave.map { Int16(clamping: Int(clamping: ($0 / loudest * peak * 32_767).rounded())) }
    }()

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
}
