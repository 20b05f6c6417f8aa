/// WebSocket frames (RFC 6455), as far as needed for a byte stream in binary messages.
enum WebSocket {
    /// The handshake's answer to a key.
    static func accept(_ key: String) -> String { base64(sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))) }

    static func data(_ bytes: some Collection<UInt8>) -> [UInt8] { frame(2, bytes) }
    static func pong(_ bytes: some Collection<UInt8>) -> [UInt8] { frame(10, bytes) }
    static func close(_ code: UInt16) -> [UInt8] { frame(8, [UInt8(code >> 8), UInt8(code & 0xff)]) }

    private static func frame(_ opcode: UInt8, _ bytes: some Collection<UInt8>) -> [UInt8] {
        var out: [UInt8] = [0x80 | opcode]
        let count = UInt64(bytes.count)
        let wide = count > 0xffff ? 8 : count > 125 ? 2 : 0
        out.append(wide == 8 ? 127 : wide == 2 ? 126 : UInt8(count))
        for byte in 0..<wide { out.append(UInt8(truncatingIfNeeded: count >> UInt64(8 * (wide - 1 - byte)))) }
        return out + bytes
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let value = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for place in 0..<4 { text.append(place <= part.count ? letters[value >> (18 - 6 * place) & 63] : "=") }
        }
        return text
    }

    /// Not for security: the protocol uses this hash to detect servers that do not support WebSockets.
    private static func sha1(_ message: [UInt8]) -> [UInt8] {
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        let bits = UInt64(message.count) * 8
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
        func turn(_ value: UInt32, _ by: UInt32) -> UInt32 { value << by | value >> (32 - by) }
        var sum: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        for block in stride(from: 0, to: bytes.count, by: 64) {
            var words = (0..<16).map { word in (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[block + 4 * word + $1]) } }
            for index in 16..<80 { words.append(turn(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)) }
            var (a, b, c, d, e) = (sum[0], sum[1], sum[2], sum[3], sum[4])
            for index in 0..<80 {
                let (mix, constant): (UInt32, UInt32) =
                    switch index / 20 {
                    case 0: (b & c | ~b & d, 0x5a82_7999)
                    case 1: (b ^ c ^ d, 0x6ed9_eba1)
                    case 2: (b & c | b & d | c & d, 0x8f1b_bcdc)
                    default: (b ^ c ^ d, 0xca62_c1d6)
                    }
                (a, b, c, d, e) = (turn(a, 5) &+ mix &+ e &+ constant &+ words[index], a, turn(b, 30), c, d)
            }
            for (index, value) in [a, b, c, d, e].enumerated() { sum[index] &+= value }
        }
        return sum.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }

    /// Parses a browser's frames from chunks of any length. Buffers at most 125 bytes.
    struct Reader {
        enum Piece: Equatable {
            /// Bytes for the screen.
            case data([UInt8])
            case ping([UInt8])
            case close
        }

        /// A frame that no browser sends.
        struct Fault: Error {}

        private var head: [UInt8] = []
        private var mask: [UInt8] = []
        private var opcode: UInt8 = 0
        private var left: UInt64 = 0
        /// Payload bytes seen so far, for the position in the mask.
        private var seen = 0
        private var control: [UInt8] = []
        private var isInFrame = false
        /// Whether the last data frame was not the final one of its message.
        private var isInMessage = false

        mutating func take(_ bytes: some Collection<UInt8>) throws(Fault) -> [Piece] {
            var pieces: [Piece] = []
            var rest = Array(bytes)[...]
            while true {
                if !isInFrame {
                    guard let byte = rest.popFirst() else { return pieces }
                    head.append(byte)
                    try begin()
                    if !isInFrame { continue }
                }
                let count = Int(min(UInt64(rest.count), left))
                var part = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
                for index in part.indices { part[index] ^= mask[(seen + index) % 4] }
                seen = (seen + count) % 4
                left -= UInt64(count)
                if opcode >= 8 { control += part } else if !part.isEmpty { pieces.append(.data(part)) }
                guard left == 0 else { return pieces }
                if opcode == 9 { pieces.append(.ping(control)) }
                if opcode == 8 { pieces.append(.close) }
                isInFrame = false
                head.removeAll(keepingCapacity: true)
                control.removeAll(keepingCapacity: true)
            }
        }

        private mutating func begin() throws(Fault) {
            guard head.count >= 2 else { return }
            let isLast = head[0] & 0x80 != 0, code = head[0] & 0xf, short = head[1] & 0x7f
            // No extension was negotiated, and browsers must mask.
            guard head[0] & 0x70 == 0, head[1] & 0x80 != 0, [0, 2, 8, 9, 10].contains(code) else { throw Fault() }
            if code >= 8 { guard isLast, short <= 125 else { throw Fault() } } else if isInMessage != (code == 0) { throw Fault() }
            let wide = short == 127 ? 8 : short == 126 ? 2 : 0
            guard head.count == 2 + wide + 4 else { return }
            let length = wide == 0 ? UInt64(short) : head[2..<(2 + wide)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard length >> 63 == 0 else { throw Fault() }
            (opcode, left, seen, mask, isInFrame) = (code, length, 0, Array(head.suffix(4)), true)
            if code < 8 { isInMessage = !isLast }
        }
    }
}
