import Glibc
import PixbufLibrary

/// The format of an image file, from its first bytes. Its name does not matter.
enum Kind {
    case png, jpeg, webp, xpm
    /// SVG.
    case vector
    /// SVG, compressed with gzip.
    case packed

    init?(_ bytes: [UInt8]) {
        func starts(_ head: [UInt8]) -> Bool { bytes.starts(with: head) }
        if starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if starts([0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if starts(Array("RIFF".utf8)), bytes.count > 12, Array(bytes[8..<12]) == Array("WEBP".utf8) {
            self = .webp
        } else if starts(Array("/* XPM */".utf8)) {
            self = .xpm
        } else if starts([0x1f, 0x8b]) {
            self = .packed
        } else if find("<svg", in: Array(bytes.prefix(64 << 10)), from: 0) != nil
            || find(":svg", in: Array(bytes.prefix(64 << 10)), from: 0) != nil
        {
            self = .vector
        } else {
            return nil
        }
    }
}

/// Width and height from the header of a PNG; nil if it has none.
func pngSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 24 else { return nil }
    func number(_ start: Int) -> Int { bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
    return (number(16), number(20))
}

/// Whether the file has its end. Some decoders show the part that exists of a truncated file.
func isWholePNG(_ bytes: [UInt8]) -> Bool { find("IEND", in: bytes, from: 8) != nil }

/// The number of scans in a JPEG. Skips everything else as a decoder does.
func jpegScans(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return 0 }
        var place = 2, scans = 0
        while place + 4 <= bytes.count, let next = memchr(base + place, 0xff, bytes.count - place - 3) {
            place = UnsafeRawPointer(next) - base
            switch bytes[place + 1] {
            // Padding before a marker.
            case 0xff: place += 1
            // An escaped 0xff, and markers without a length.
            case 0x00, 0x01, 0xd0...0xd8: place += 2
            // End of image.
            case 0xd9: return scans
            case let marker:
                if marker == 0xda { scans += 1 }
                place += 2 + max(2, Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
            }
        }
        return scans
    }
}

/// Width and height from the first string of an XPM.
func xpmSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    let head = bytes.prefix(4096)
    guard let open = head.firstIndex(of: UInt8(ascii: "\"")),
        let close = head[(open + 1)...].firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    let numbers = String(decoding: head[(open + 1)..<close], as: UTF8.self)
        .split(whereSeparator: \.isWhitespace).prefix(4).compactMap { Int($0) }
    // The number of colours and characters per pixel are claims as well.
    guard numbers.count == 4, (1...65536).contains(numbers[2]), (1...4).contains(numbers[3]) else { return nil }
    return (numbers[0], numbers[1])
}

/// The position of a string in a buffer, searching from `start`.
func find(_ word: StaticString, in bytes: [UInt8], from start: Int) -> Int? {
    let length = word.utf8CodeUnitCount
    guard start >= 0, length > 0 else { return nil }
    return bytes.withUnsafeBytes { bytes -> Int? in
        guard let base = bytes.baseAddress else { return nil }
        var place = start
        while bytes.count - place >= length {
            let first = Int32(word.utf8Start.pointee)
            guard let next = memchr(base + place, first, bytes.count - place - length + 1) else { return nil }
            place = UnsafeRawPointer(next) - base
            if memcmp(base + place, word.utf8Start, length) == 0 { return place }
            place += 1
        }
        return nil
    }
}

/// Decodes the first 60 characters of a base64 text; nil if it is invalid.
func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = [], bits = 0, held = 0
    for byte in text {
        let value: Int
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = Int(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = Int(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(byte) + 4
        case UInt8(ascii: "+"): value = 62
        case UInt8(ascii: "/"): value = 63
        case 9, 10, 13, 32: continue
        default: return result.isEmpty ? nil : result
        }
        bits = bits << 6 | value
        held += 6
        if held >= 8 {
            held -= 8
            result.append(UInt8(truncatingIfNeeded: bits >> held))
            bits &= (1 << held) - 1
        }
    }
    return result
}

/// Unpacks gzip data. Returns nil if it is broken or longer than `limit` bytes.
func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    guard let converter = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(converter)) }
    var succeeded = false
    let result = [UInt8](unsafeUninitializedCapacity: limit) { room, count in
        var used = 0
        while used <= bytes.count, count < limit {
            var read: gsize = 0, written: gsize = 0
            let state = bytes.withUnsafeBytes { bytes in
                g_converter_convert(
                    converter, bytes.baseAddress! + used, gsize(bytes.count - used), room.baseAddress! + count,
                    gsize(limit - count), G_CONVERTER_INPUT_AT_END, &read, &written, nil)
            }
            used += Int(read)
            count += Int(written)
            if state == G_CONVERTER_FINISHED {
                succeeded = true
                return
            }
            if state == G_CONVERTER_ERROR || (read == 0 && written == 0) { return }
        }
    }
    return succeeded ? result : nil
}
