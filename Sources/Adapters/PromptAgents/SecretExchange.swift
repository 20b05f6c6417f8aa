import CSecretExchange

/// The exchange of gcr, by which a password crosses the bus so that only the asker reads it.
final class SecretExchange {
    private let pair: OpaquePointer
    private var hasMet = false

    private static let protocolName = "sx-aes-1"
    private static let longest = 8192

    init?() {
        guard let pair = csx_new() else { return nil }
        self.pair = pair
    }

    deinit { csx_free(pair) }

    /// The message that begins, or answers without a secret.
    var greeting: String { Self.text(fields: [("public", publicKey)]) }

    private var publicKey: [UInt8] {
        var key = [UInt8](repeating: 0, count: Int(CSX_NUMBER))
        let count = csx_public(pair, &key)
        return Array(key[..<count])
    }

    /// Takes a message of the other side. Returns whether it is one.
    func receive(_ message: String) -> Bool {
        guard let fields = Self.fields(message), let key = fields["public"], csx_meet(pair, key, key.count) == 0 else { return false }
        hasMet = true
        return true
    }

    /// The message with a secret; nil: the other side has not spoken.
    func message(with secret: String) -> String? {
        guard hasMet else { return nil }
        var text = Array(secret.utf8), iv = [UInt8](repeating: 0, count: Int(CSX_IV))
        var out = [UInt8](repeating: 0, count: text.count + Int(CSX_IV))
        let count = csx_encrypt(pair, text, text.count, &iv, &out)
        for index in text.indices { text[index] = 0 }
        guard count > 0 else { return nil }
        return Self.text(fields: [("public", publicKey), ("secret", Array(out[..<count])), ("iv", iv)])
    }

    /// The secret in a message, for the other side of a test.
    func secret(in message: String) -> String? {
        guard let fields = Self.fields(message), let data = fields["secret"], let iv = fields["iv"], iv.count == Int(CSX_IV) else {
            return nil
        }
        var out = [UInt8](repeating: 0, count: data.count)
        let count = csx_decrypt(pair, data, data.count, iv, &out)
        return count < 0 ? nil : String(decoding: out[..<count], as: UTF8.self)
    }

    // MARK: Text

    private static func text(fields: [(String, [UInt8])]) -> String {
        "[\(protocolName)]\n" + fields.map { "\($0.0)=\(base64($0.1))\n" }.joined()
    }

    /// nil: another protocol, or nonsense.
    static func fields(_ message: String) -> [String: [UInt8]]? {
        guard message.utf8.count <= longest else { return nil }
        var lines = message.split(separator: "\n", omittingEmptySubsequences: true)
        guard lines.first == "[\(protocolName)]" else { return nil }
        lines.removeFirst()
        var fields: [String: [UInt8]] = [:]
        for line in lines {
            guard let mark = line.firstIndex(of: "=") else { return nil }
            // A file of keys writes "=" at the end of a value as it is, and other signs of its own with a backslash.
            guard let bytes = bytes(line[line.index(after: mark)...]) else { return nil }
            fields[String(line[..<mark])] = bytes
        }
        return fields
    }

    private static let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func base64(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var number = 0
            for index in 0..<3 { number = number << 8 | (index < part.count ? Int(part[start + index]) : 0) }
            for index in 0..<4 { out.append(index <= part.count ? signs[number >> (18 - 6 * index) & 63] : UInt8(ascii: "=")) }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        var out: [UInt8] = [], number = 0, bits = 0
        for sign in text.utf8 where sign != UInt8(ascii: "=") {
            guard let value = signs.firstIndex(of: sign) else { return nil }
            number = (number << 6 | value) & 0xffffff
            bits += 6
            if bits >= 8 {
                bits -= 8
                out.append(UInt8(number >> bits & 255))
            }
        }
        return out
    }
}
