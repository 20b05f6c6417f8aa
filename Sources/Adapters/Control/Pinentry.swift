/// The protocol by which GnuPG asks for passphrases (Assuan), as a value: a line goes in, lines and questions come out.
public struct Pinentry: Sendable {
    /// The words for the next question.
    private var words = Words()
    private var timeout = 0.0
    private let process: Int32
    private let version: String

    private struct Words {
        var description = "", prompt = "", title = "", error = "", yes = "", no: String?, cancel = ""
        var isNew = false
    }

    public enum Step: Hashable, Sendable {
        case say([String])
        /// Ask the person, and pass the end of it to `answer`. `within`: seconds; nil: without limit.
        case ask(AskRequest, within: Double?)
        /// Say this, and end.
        case leave(String)
        case nothing
    }

    /// The end of a question that was asked.
    public enum End: Hashable, Sendable {
        case answered(AskReport)
        case timedOut
        case noShell(String)
    }

    public static let greeting = "OK Pleased to meet you"
    /// The most bytes of a line, by the protocol.
    public static let longest = 1000

    public init(process: Int32, version: String) {
        self.process = process
        self.version = version
    }

    public mutating func take(_ line: String) -> Step {
        guard line.utf8.count <= Self.longest else { return Self.error(.lineTooLong) }
        let end = line.firstIndex(of: " ") ?? line.endIndex, command = line[..<end].uppercased()
        let rest = String(line[end...].drop { $0 == " " }), text = Self.unescaped(rest)
        switch command {
        case "", "#": return .nothing
        case _ where command.hasPrefix("#"): return .nothing
        case "SETDESC": words.description = text
        case "SETPROMPT": words.prompt = text
        case "SETTITLE": words.title = text
        case "SETERROR": words.error = text
        case "SETOK": words.yes = text
        case "SETCANCEL": words.cancel = text
        case "SETNOTOK": words.no = text
        case "SETREPEAT": words.isNew = true
        case "SETTIMEOUT": timeout = Double(rest).flatMap { $0.isFinite && $0 > 0 ? min($0, 1e6) : nil } ?? 0
        case "RESET":
            words = Words()
            timeout = 0
        // The quality of a passphrase is not judged, and none is made up. What the agent says of the terminal does not matter.
        case "SETREPEATERROR", "SETREPEATOK", "SETQUALITYBAR", "SETQUALITYBAR_TT", "SETGENPIN", "SETGENPIN_TT", "SETKEYINFO", "OPTION",
            "CLEARPASSPHRASE", "NOP":
            break
        case "GETPIN": return ask(words.isNew ? .newSecret : .secret)
        case "CONFIRM": return ask(rest.split(separator: " ").contains("--one-button") ? .message : .confirm)
        case "MESSAGE": return ask(.message)
        case "GETINFO":
            switch rest {
            case "pid": return .say(["D \(process)", "OK"])
            case "version": return .say(["D \(version)", "OK"])
            case "flavor": return .say(["D mullion", "OK"])
            case "ttyinfo": return .say(["D - - - - 0/0 0", "OK"])
            default: return Self.error(.badParameter)
            }
        case "HELP": return .say(["# GETPIN, CONFIRM, MESSAGE, SETDESC, SETPROMPT, SETTITLE, SETERROR, SETOK, SETCANCEL, SETNOTOK", "OK"])
        case "BYE": return .leave("OK closing connection")
        default: return Self.error(.unknownCommand)
        }
        return .say(["OK"])
    }

    private func ask(_ kind: AskRequest.Kind) -> Step {
        func some(_ text: String) -> String? { text.isEmpty ? nil : text }
        return .ask(
            AskRequest(
                kind, title: some(words.title), message: some(words.description), label: some(words.prompt), warning: some(words.error),
                yes: some(words.yes), no: kind == .confirm ? words.no : nil, cancel: some(words.cancel)),
            within: timeout > 0 ? timeout : nil)
    }

    /// The lines for the end of the last question.
    public mutating func answer(_ end: End) -> [String] {
        let isNew = words.isNew
        words.error = ""
        words.isNew = false
        switch end {
        case .timedOut: return Self.lines(.timeout)
        case .noShell: return Self.lines(.noPinentry)
        case .answered(let report):
            switch report.outcome {
            case .words: return (isNew ? ["S PIN_REPEATED"] : []) + ["D \(Self.escaped(report.text ?? ""))", "OK"]
            case .yes: return ["OK"]
            case .no: return Self.lines(.notConfirmed)
            case .cancelled: return Self.lines(.cancelled)
            case .refused: return Self.lines(.noPinentry)
            }
        }
    }

    // MARK: Errors

    /// Codes of libgpg-error, as of a pinentry.
    private enum Code: Int {
        case cancelled = 99, timeout = 62, notConfirmed = 114, unknownCommand = 275, badParameter = 280, lineTooLong = 263, noPinentry = 85

        var words: String {
            switch self {
            case .cancelled: "Operation cancelled"
            case .timeout: "Timeout"
            case .notConfirmed: "Not confirmed"
            case .unknownCommand: "Unknown IPC command"
            case .badParameter: "IPC parameter error"
            case .lineTooLong: "IPC line too long"
            case .noPinentry: "No pinentry"
            }
        }
    }

    private static func lines(_ code: Code) -> [String] { ["ERR \(5 << 24 | code.rawValue) \(code.words) <Pinentry>"] }
    private static func error(_ code: Code) -> Step { .say(lines(code)) }

    // MARK: Escapes

    static func unescaped(_ text: String) -> String {
        var out: [UInt8] = [], rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                out.append(value)
                rest = rest.dropFirst(2)
            } else {
                out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": out += "%25"
            case "\r": out += "%0D"
            case "\n": out += "%0A"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
