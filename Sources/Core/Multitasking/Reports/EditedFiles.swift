import Interface
import Stage

/// A fault in a file that a person edits, such as the configuration (law 5).
public struct FileTrouble: Hashable, Codable, Sendable {
    /// The version that holds instead of the file as it is.
    public enum InEffect: String, Hashable, Codable, Sendable, CaseIterable {
        /// The version that held last, in this session or an earlier one.
        case lastGood = "last-good"
        /// Without such a version: the correct parts of the file.
        case rest
        /// Without such a version, and without any usable part of the file: the standard.
        case standard
    }

    /// The file as a person knows it: the end of its path.
    public var file: String
    /// From 1; 0: the whole file.
    public var line: Int
    /// The fault, in the words of the log.
    public var reason: String
    public var inEffect: InEffect

    public init(file: String, line: Int, reason: String, inEffect: InEffect) {
        (self.file, self.line, self.reason, self.inEffect) = (file, line, reason, inEffect)
    }

    /// The longest reason that an alert shows, in characters. The log has all of it.
    static let longestReason = 150

    var alert: Interface.Popover {
        let title: Text = line > 0 ? .message(.fileWrongAt, [file, "\(line)"]) : .message(.fileWrong, [file])
        let message: Message =
            switch inEffect {
            case .lastGood: .fileLastGood
            case .rest: .fileRest
            case .standard: .fileStandard
            }
        let isLong = reason.count > Self.longestReason, said = isLong ? reason.prefix(Self.longestReason) + "…" : reason
        // A sentence of its own, whose end the message has.
        let sentence = said.prefix(1).uppercased() + (said.hasSuffix("?") ? said.dropLast() : said[...]).dropFirst()
        return .alert(title: title, message: .message(message, [sentence]))
    }
}

/// The files that a person edits, and the faults that the person was told of.
///
/// Each fault is told once, however often its file is read. An alert goes when its fault is gone, so that a correction is seen.
struct EditedFiles: Hashable, Codable, Sendable {
    private(set) var troubles: [FileTrouble] = []

    /// Takes all present faults. `gone`: outdated alerts. `new`: alerts that the person has not seen.
    mutating func take(_ now: [FileTrouble]) -> (gone: [Interface.Popover], new: [Interface.Popover]) {
        let before = troubles.map(\.alert), after = now.map(\.alert)
        troubles = now
        return (before.filter { !after.contains($0) }, after.filter { !before.contains($0) })
    }
}
