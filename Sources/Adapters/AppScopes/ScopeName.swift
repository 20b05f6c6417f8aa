import Processes

/// Names of scopes: `app-mullion-ID-RANDOM.scope`, by which other programs find out the app, too (`AppIdentity`).
enum ScopeName {
    /// Whom the names are made by.
    static let prefix = "app-mullion-"
    /// A file's name holds 255 bytes; this leaves room for the rest of it.
    private static let longest = 200

    static func unit(app: String, random: UInt32 = .random(in: 0 ... .max)) -> String {
        let id = escaped(app, limit: longest)
        return "\(prefix)\(id.isEmpty ? AppIdentity.unnamed : id)-\(String(random, radix: 16)).scope"
    }

    /// The folder of all groups of a session. The session may be a path.
    static func folder(session: String) -> String { "mullion-\(escaped(session, limit: longest))" }

    /// As systemd-escape does, and the dash as well: it separates the words of a unit's name.
    ///
    /// - Parameter limit: bytes of the result.
    static func escaped(_ text: String, limit: Int = .max) -> String {
        let digits = Array("0123456789abcdef")
        var result = ""
        for byte in text.utf8 {
            let letter = Unicode.Scalar(byte)
            let isPlain = switch letter {
            case "A"..."Z", "a"..."z", "0"..."9", ":", "_", ".": true
            default: false
            }
            guard result.utf8.count + (isPlain ? 1 : 4) <= limit else { break }
            if isPlain, letter != "." || !result.isEmpty {
                result.unicodeScalars.append(letter)
            } else {
                result += "\\x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return result
    }
}
