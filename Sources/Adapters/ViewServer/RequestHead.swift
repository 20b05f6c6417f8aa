/// The head of an HTTP request: request line and fields. Parsed strictly, because it is untrusted.
struct RequestHead: Equatable {
    var method: String
    /// Path and query, unmodified.
    var target: String
    /// Field values by lower-case name, in the order received.
    var fields: [String: [String]] = [:]

    /// The longest head in bytes. A browser's has about 700.
    static let longest = 8192

    /// The length of the head including the empty line at its end; nil if it is incomplete.
    static func length(in bytes: some BidirectionalCollection<UInt8>) -> Int? {
        var seen = 0, count = 0
        let end: [UInt8] = [13, 10, 13, 10]
        for byte in bytes {
            count += 1
            seen = byte == end[seen] ? seen + 1 : byte == 13 ? 1 : 0
            if seen == end.count { return count }
        }
        return nil
    }

    /// Returns nil if this is not a head of HTTP/1.1.
    init?(_ bytes: some Sequence<UInt8>) {
        let all = Array(bytes)
        guard all.allSatisfy({ (32..<127).contains($0) || $0 == 13 || $0 == 10 || $0 == 9 }) else { return nil }
        var lines = all.split(separator: 10, omittingEmptySubsequences: false)
        // Drop the bytes after the last line end, and the empty line.
        guard lines.popLast()?.isEmpty ?? false, lines.popLast().map(Array.init) == [13], !lines.isEmpty else { return nil }
        var texts: [String] = []
        for line in lines {
            guard line.last == 13, !line.dropLast().contains(13) else { return nil }
            texts.append(String(decoding: line.dropLast(), as: UTF8.self))
        }
        let words = texts[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[1].hasPrefix("/"), words[2] == "HTTP/1.1" else { return nil }
        method = String(words[0])
        target = String(words[1])
        for text in texts.dropFirst() {
            guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
            let name = text[..<colon]
            guard !name.contains(where: { $0 == " " || $0 == "\t" }) else { return nil }
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let end = value.lastIndex { $0 != " " && $0 != "\t" }.map(value.index(after:)) ?? value.startIndex
            fields[name.lowercased(), default: []].append(String(value[..<end]))
        }
    }

    /// The value of a field that occurs exactly once; otherwise nil.
    func only(_ name: String) -> String? {
        guard let values = fields[name], values.count == 1 else { return nil }
        return values[0]
    }

    /// Whether a comma-separated field contains this word, ignoring case.
    func names(_ word: String, in name: String) -> Bool {
        (fields[name] ?? []).contains { value in
            value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).contains { $0 == word }
        }
    }
}
