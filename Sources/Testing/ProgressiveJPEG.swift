/// A JPEG with many empty scans of ten bytes each. For each of them, a decoder processes the whole picture.
public enum ProgressiveJPEG {
    public static func bytes(width: Int, height: Int, scans: Int) -> [UInt8] {
        func word(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }
        // A single one-bit code for zero.
        let codes: [UInt8] = [1] + [UInt8](repeating: 0, count: 16)
        var bytes: [UInt8] = [0xff, 0xd8, 0xff, 0xdb] + word(67) + [0] + [UInt8](repeating: 1, count: 64)
        bytes += [0xff, 0xc2] + word(11) + [8] + word(height) + word(width) + [1, 1, 0x11, 0]
        bytes += [0xff, 0xc4] + word(20) + [0x00] + codes
        bytes += [0xff, 0xc4] + word(20) + [0x10] + codes
        for scan in 0..<scans {
            bytes += [0xff, 0xda] + word(8) + [1, 1, 0] + (scan == 0 ? [0, 0, 0] : [1, 63, 0])
            // Zero bits, padded with ones.
            bytes += [0x7f, 0xff, 0x00, 0x7f, 0x7f]
        }
        return bytes + [0xff, 0xd9]
    }
}
