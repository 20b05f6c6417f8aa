/// How wide the title of an alert may be, because the core does not measure text.
extension Text {
    /// The widths of the shell's own words in titles, in ems of a bold font: the widest of the languages. An alert's title
    /// that is not here gets two lines.
    public static let titleWidths: [Message: Double] = [
        .couldNotOpen: 13.4, .notResponding: 12.2, .crashing: 13.2, .couldNotCopy: 11.2, .couldNotSave: 10.3, .couldNotMail: 14.2,
        .notKeptTitle: 11.6, .sessionLostTitle: 18.3, .fileWrong: 10.3, .fileWrongAt: 15, .promptAuthority: 11, .promptKeyring: 12,
        .promptProgram: 13,
    ]

    /// In ems of a bold font; an estimate that is rather too large. nil: unknown.
    public var titleWidth: Double? {
        switch self {
        case .verbatim(let words), .similar(let words): Text.width(of: words)
        case .message(let message, let arguments): Text.titleWidths[message].map { $0 + arguments.reduce(0) { $0 + Text.width(of: $1) } }
        case .detailed, .about, .date, .list: nil
        }
    }

    /// The same of a name; nil for words of the shell.
    public var nameWidth: Double? {
        switch self {
        case .verbatim(let words), .similar(let words): Text.width(of: words)
        default: nil
        }
    }

    /// East Asian characters are as wide as the font is high. Letters differ, so their share is generous.
    public static func width(of words: String) -> Double { words.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 0.61 : 1) } }
}
