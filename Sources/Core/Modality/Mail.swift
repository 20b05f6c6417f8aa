import Windows

/// A mail that a person is asked to write: who gets it, and what it has already.
public struct Mail: Hashable, Codable, Sendable {
    public var to: [String], cc: [String], bcc: [String]
    public var subject: String
    public var body: String
    /// The paths of files that go with it.
    public var files: [String]

    public init(to: [String] = [], cc: [String] = [], bcc: [String] = [], subject: String = "", body: String = "", files: [String] = []) {
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.subject = subject
        self.body = body
        self.files = files
    }

    /// Those who get it.
    public static let mostAddresses = 64
    /// UTF-8 bytes. A command line takes 128 KiB for each word, and an address has three bytes for some of them.
    public static let mostSubject = 1024, mostBody = 32_768, mostAddress = 320
    public static let mostFiles = 32, mostPath = 4096

    /// Why it cannot be written; nil: it can.
    public var flaw: String? {
        let all = to + cc + bcc
        if all.count > Mail.mostAddresses { return "\(all.count) get it, and \(Mail.mostAddresses) may" }
        if let wrong = all.first(where: { !Mail.isAddress($0) }) { return "\(wrong.prefix(64).debugDescription) is no mail address" }
        if subject.utf8.count > Mail.mostSubject { return "its subject has \(subject.utf8.count) bytes, and may have \(Mail.mostSubject)" }
        if subject.unicodeScalars.contains(where: { $0.value < 32 }) { return "its subject has more than one line" }
        if body.utf8.count > Mail.mostBody { return "its text has \(body.utf8.count) bytes, and may have \(Mail.mostBody)" }
        if files.count > Mail.mostFiles { return "it has \(files.count) files, and may have \(Mail.mostFiles)" }
        if let wrong = files.first(where: { !$0.hasPrefix("/") || $0.utf8.count > Mail.mostPath }) {
            return "\(wrong.prefix(64).debugDescription) is no path of a file"
        }
        return nil
    }

    /// One name and one host. What begins with a hyphen would be an option of a command.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let signs = Set(" \"(),:;<>[\\]".utf8)
        return text.utf8.count <= mostAddress && parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.hasPrefix("-")
            && text.utf8.allSatisfy { (33...126).contains($0) && !signs.contains($0) }
    }

    /// As an address of the kind `mailto:` (RFC 6068), without the files.
    public var address: String {
        func names(_ list: [String]) -> String { list.map { App.escaped($0, also: "@") }.joined(separator: ",") }
        let fields: [(String, String)] = [
            ("cc", names(cc)), ("bcc", names(bcc)), ("subject", App.escaped(subject)),
            // Lines end as in mails.
            ("body", App.escaped(body.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))),
        ]
        let rest = fields.filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        return "mailto:" + names(to) + (rest.isEmpty ? "" : "?" + rest)
    }

    /// The command of xdg-email, which knows how each mail program takes files.
    public var command: [String] {
        var words = ["xdg-email", "--utf8"]
        for address in cc { words += ["--cc", address] }
        for address in bcc { words += ["--bcc", address] }
        if !subject.isEmpty { words += ["--subject", subject] }
        if !body.isEmpty { words += ["--body", body] }
        for file in files { words += ["--attach", file] }
        return words + to
    }

    /// For the person who is asked: who gets it, what it is about, and its files.
    public var summary: String {
        let names = files.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        return [(to + cc + bcc).joined(separator: ", "), subject, names.joined(separator: ", ")].filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
