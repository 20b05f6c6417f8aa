import Processes

/// Names of scopes: `app-mullion-ID-RANDOM.scope`. Other programs, too, identify the app by this name (`AppIdentity`).
enum ScopeName {
    /// The prefix that marks scopes made by the shell.
    static let prefix = "app-mullion-"
    /// A file name may have 255 bytes; this leaves room for the prefix and suffix.
    private static let longest = 200

    static func unit(app: String, random: UInt32 = .random(in: 0 ... .max)) -> String {
        let id = escaped(app, limit: longest)
        return "\(prefix)\(id.isEmpty ? AppIdentity.unnamed : id)-\(String(random, radix: 16)).scope"
    }

    /// The folder that holds all groups of a session. The session may be a path.
    static func folder(session: String) -> String { "mullion-\(escaped(session, limit: longest))" }

    /// Escapes text as systemd-escape does, and also the dash, which separates the parts of a unit's name.
    ///
    /// - Parameter limit: the most bytes that the result may have.
    static func escaped(_ text: String, limit: Int = .max) -> String {
        let digits = Array("0123456789abcdef")
        var result = ""
        for byte in text.utf8 {
            let letter = Unicode.Scalar(byte)
            let isPlain =
                switch letter {
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
