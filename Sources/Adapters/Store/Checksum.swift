/// A checksum of an entry's contents. SQLite detects damage to its own structure, but not to the bytes that it stores.
///
/// Any change within one word of eight bytes changes the sum. Other changes go undetected once in 2^64.
struct Checksum {
    private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    static func of(place: String, key: [UInt8], bytes: [UInt8]) -> Int64 {
        var sum = Checksum()
        sum.add(Array(place.utf8))
        sum.add(key)
        sum.add(bytes)
        return Int64(bitPattern: sum.value)
    }

    private mutating func add(_ data: [UInt8]) {
        mix(UInt64(data.count))
        data.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset += 8
            }
            var rest: UInt64 = 0
            for byte in bytes[offset...] { rest = rest << 8 | UInt64(byte) }
            mix(rest)
        }
    }

    private mutating func mix(_ word: UInt64) {
        value = (value ^ word) &* 0xD6E8_FEB8_6659_FD93
        value ^= value >> 32
    }
}
