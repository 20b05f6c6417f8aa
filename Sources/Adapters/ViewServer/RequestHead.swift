/// The head of an HTTP request: what it asks for, and its fields. Read strictly, because it is what a stranger says.
struct RequestHead: Equatable {
    var method: String
    /// Path and query, as they came.
    var target: String
    /// Values by name in small letters, in the order in which they came.
    var fields: [String: [String]] = [:]

    /// Bytes that a head may have; a browser's has about 700.
    static let longest = 8192

    /// The bytes up to the empty line that ends a head, that included; nil while it has not come.
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

    /// nil for what is no head of HTTP/1.1.
    init?(_ bytes: some Sequence<UInt8>) {
        let all = Array(bytes)
        guard all.allSatisfy({ (32..<127).contains($0) || $0 == 13 || $0 == 10 || $0 == 9 }) else { return nil }
        var lines = all.split(separator: 10, omittingEmptySubsequences: false)
        // What is behind the last line's end, and the empty line.
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

    /// The value of a field that came once; nil if it did not come, or more than once.
    func only(_ name: String) -> String? {
        guard let values = fields[name], values.count == 1 else { return nil }
        return values[0]
    }

    /// Whether one of the words of a field, which commas divide, is this one; capital or small letters are the same.
    func names(_ word: String, in name: String) -> Bool {
        (fields[name] ?? []).contains { value in
            value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).contains { $0 == word }
        }
    }
}
