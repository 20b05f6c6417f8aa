/// Texts of programs as a person can read them: plain, cut, and in the order in which they are written.
enum NoticeText {
    /// One line.
    static func line(_ text: String, _ limit: Int) -> String {
        cut(clean(text).map { $0.isNewline ? " " : $0 }, limit)
    }

    /// The words of a body without markup.
    static func words(_ text: String, _ limit: Int) -> String {
        cut(withoutBlankLines(Array(clean(String(text.prefix(limit * 8))))), limit).trimmed
    }

    /// The words of a body with markup. Broken markup still shows its text.
    static func plain(_ text: String, _ limit: Int) -> String {
        var out: [Character] = [], rest = Substring(clean(String(text.prefix(limit * 8))))
        while let first = rest.first, out.count <= limit {
            switch first {
            case "<":
                if let (words, after) = tag(rest) {
                    out += words
                    rest = after
                } else {
                    out.append(rest.removeFirst())
                }
            case "&":
                if let (character, after) = entity(rest) {
                    out.append(character)
                    rest = after
                } else {
                    out.append(rest.removeFirst())
                }
            default: out.append(rest.removeFirst())
            }
        }
        return cut(withoutBlankLines(out), limit).trimmed
    }

    /// A banner has two lines: none of them is for a blank one.
    private static func withoutBlankLines(_ text: [Character]) -> [Character] {
        var out: [Character] = [], isLineEmpty = false
        for character in text {
            if character.isNewline {
                if isLineEmpty { continue }
                isLineEmpty = true
            } else if !character.isWhitespace {
                isLineEmpty = false
            }
            out.append(character)
        }
        return out
    }

    /// An icon's name or the path of a file. URLs of files become paths.
    static func path(_ text: String) -> String {
        guard text.utf8.count <= NoticeCallLimits.path else { return "" }
        return file(text) ?? (text.contains("://") ? "" : clean(text))
    }

    /// The path of a file that the text names; nil if it names none.
    static func file(_ text: String) -> String? {
        guard text.utf8.count <= NoticeCallLimits.path * 3 else { return nil }
        if text.hasPrefix("/") { return text }
        guard text.hasPrefix("file://") else { return nil }
        let path = text.dropFirst(7).drop { $0 != "/" }
        return path.isEmpty ? nil : unescaped(path)
    }

    private static func unescaped(_ path: Substring) -> String? {
        var bytes: [UInt8] = [], rest = path.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16), value != 0
            else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    // MARK: Characters

    /// Returns the text without control characters, and without those that reverse the order of the following text: a name could pretend
    /// to be another one. A tab becomes a space, and every kind of line end becomes the same one.
    static func clean(_ text: String) -> String {
        var out = String.UnicodeScalarView(), last: UInt32 = 0
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09: out.append(" ")
            case 0x0a where last == 0x0d: break
            case 0x0a...0x0d, 0x85, 0x2028, 0x2029: out.append("\n")
            case ..<0x20, 0x7f...0x9f, 0x200b, 0x202a...0x202e, 0x2066...0x2069, 0xfeff, 0xfff9...0xfffb, 0xe0000...0xe007f: break
            default: out.append(scalar)
            }
            last = scalar.value
        }
        return String(out)
    }

    private static func cut(_ text: [Character], _ limit: Int) -> String {
        // A character may have any number of marks.
        var out = "", count = 0
        for character in text {
            guard count < limit, out.utf8.count < limit * 8 else { return out + "…" }
            if character.unicodeScalars.count > 16 { continue }
            out.append(character)
            count += 1
        }
        return out
    }

    // MARK: Markup

    private static let known: Set<String> = [
        "a", "b", "body", "br", "big", "div", "font", "html", "i", "img", "p", "s", "small", "span", "strong", "em", "sub", "sup", "tt",
        "u", "li", "ul", "ol",
    ]
    private static let lines: Set<String> = ["br", "p", "div", "li"]

    /// The text that stands for a tag at the beginning, and the rest; nil if there is none.
    private static func tag(_ text: Substring) -> (words: [Character], rest: Substring)? {
        guard let end = text.prefix(1024).firstIndex(of: ">") else { return nil }
        let inside = text[text.index(after: text.startIndex)..<end]
        let isEnd = inside.hasPrefix("/")
        let name = (isEnd ? inside.dropFirst() : inside).prefix { $0.isLetter }.lowercased()
        guard known.contains(name), isAttributes(inside.dropFirst(name.count + (isEnd ? 1 : 0))) else { return nil }
        let after = text[text.index(after: end)...]
        if name == "img", let start = inside.firstRange(of: "alt=") {
            let quote = inside[start.upperBound...].first ?? " "
            guard quote == "\"" || quote == "'" else { return ([], after) }
            return (Array(inside[start.upperBound...].dropFirst().prefix { $0 != quote }), after)
        }
        return (lines.contains(name) && !isEnd ? ["\n"] : [], after)
    }

    /// Whether this may stand in a tag after its name: nothing, or names with values. `a<b && c>d` is no tag.
    private static func isAttributes(_ text: Substring) -> Bool {
        var rest = text
        func skip(_ isPart: (Character) -> Bool) -> Int {
            let count = rest.prefix(while: isPart).count
            rest = rest.dropFirst(count)
            return count
        }
        while !rest.isEmpty {
            if rest == "/" { return true }
            guard skip(\.isWhitespace) > 0 else { return false }
            if rest.isEmpty || rest == "/" { return true }
            guard skip({ $0.isLetter || $0 == "-" || $0 == ":" }) > 0 else { return false }
            guard rest.first == "=" else { return false }
            rest = rest.dropFirst()
            if let quote = rest.first, quote == "\"" || quote == "'" {
                rest = rest.dropFirst()
                _ = skip { $0 != quote }
                guard rest.first == quote else { return false }
                rest = rest.dropFirst()
            } else {
                guard skip({ !$0.isWhitespace && $0 != "&" && $0 != "/" }) > 0 else { return false }
            }
        }
        return true
    }

    private static let entities: [Substring: Character] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " "]

    private static func entity(_ text: Substring) -> (Character, Substring)? {
        guard let end = text.prefix(12).firstIndex(of: ";") else { return nil }
        let name = text[text.index(after: text.startIndex)..<end], after = text[text.index(after: end)...]
        if let known = entities[name] { return (known, after) }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst(), isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
        guard let value = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(value),
            let character = clean(String(Character(scalar))).first
        else { return nil }
        return (character, after)
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }
}
