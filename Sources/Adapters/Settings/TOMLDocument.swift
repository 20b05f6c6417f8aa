/// A parsed TOML text (version 1.0), with the position of each key and value, so that errors can name line and
/// column.
///
/// Dates, times, `inf` and `nan` are refused, because no setting takes them.
struct TOMLDocument {
    struct Position: Hashable, Sendable {
        /// From 1.
        var line: Int
        /// From 1, in characters.
        var column: Int
    }

    /// One step from the root to a value.
    enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    struct Malformed: Error, Equatable {
        var position: Position
        var message: String
    }

    /// Positions of key names and table headers. Array elements have none.
    private(set) var keys: [[Step]: Position] = [:]
    /// Positions of values and array elements.
    private(set) var values: [[Step]: Position] = [:]
    /// The whole text as a table.
    private(set) var root = TOML.table([:])

    private static let deepest = 32

    private let text: [Unicode.Scalar]
    private var next = 0
    private var position = Position(line: 1, column: 1)
    private var tables: [[Step]: Int] = [:]

    init(_ source: String) throws(Malformed) {
        text = Array(source.unicodeScalars)
        if peek == "\u{feff}" { next += 1 }
        try checkControlCharacters()
        var prefix: [Step] = []
        let whole = TOMLTable()
        var table = whole
        skipBlank(lines: true)
        while let scalar = peek {
            if scalar == "[" {
                (prefix, table) = try header(in: whole)
            } else {
                try keyAndValue(of: table, under: prefix, depth: 0)
            }
            try endOfLine()
            skipBlank(lines: true)
        }
        root = whole.whole
    }

    /// The position of a value, else of its key, else of the nearest container with a position.
    func position(of path: [Step]) -> Position {
        var path = path[...]
        while !path.isEmpty {
            if let position = values[Array(path)] ?? keys[Array(path)] { return position }
            path.removeLast()
        }
        return Position(line: 1, column: 1)
    }

    // MARK: Structure

    /// Parses `[a.b]` or `[[a.b]]`. Returns the path prefix for the keys below it, and their table.
    private mutating func header(in root: TOMLTable) throws(Malformed) -> ([Step], TOMLTable) {
        advance()
        let isArray = peek == "["
        if isArray { advance() }
        skipBlank(lines: false)
        let start = position
        let names = try dottedKey()
        skipBlank(lines: false)
        try expect("]", after: "the table's name")
        if isArray { try expect("]", after: "the table's name") }
        var path: [Step] = []
        var table = root
        for (index, name) in names.enumerated() {
            let isLast = index == names.count - 1
            guard let next = !isLast ? table.passing(name) : isArray ? table.appending(name) : table.opening(name) else {
                throw Malformed(position: start, message: "\"\(name)\" is there already: cannot redefine it")
            }
            table = next
            path.append(.key(name))
            // Within an array of tables, a name means its last table.
            if !isLast || !isArray, let count = tables[path] { path.append(.index(count - 1)) }
        }
        keys[path] = keys[path] ?? start
        if isArray {
            let count = tables[path, default: 0]
            tables[path] = count + 1
            path.append(.index(count))
            keys[path] = start
        }
        return (path, table)
    }

    private mutating func keyAndValue(of table: TOMLTable, under prefix: [Step], depth: Int) throws(Malformed) {
        let start = position
        var path = prefix
        let names = try dottedKey()
        for name in names {
            path.append(.key(name))
            keys[path] = keys[path] ?? start
        }
        skipBlank(lines: false)
        try expect("=", after: "the key")
        skipBlank(lines: false)
        let place = position
        let value = try value(at: path, depth: depth + 1)
        var holder: TOMLTable? = table
        for name in names.dropLast() { holder = holder?.dotted(name) }
        guard let holder, holder.set(names[names.count - 1], to: value) else {
            throw Malformed(
                position: place, message: "\(names.joined(separator: ".")) has a value above already: cannot redefine it")
        }
    }

    private mutating func dottedKey() throws(Malformed) -> [String] {
        var names: [String] = []
        while true {
            skipBlank(lines: false)
            names.append(try key())
            skipBlank(lines: false)
            guard peek == "." else { return names }
            guard names.count < Self.deepest else { throw malformed("tables are nested more than \(Self.deepest) deep") }
            advance()
        }
    }

    private mutating func key() throws(Malformed) -> String {
        if peek == "\"" || peek == "'" { return try string(mayBeLong: false) }
        var name = ""
        while let scalar = peek, Self.isBare(scalar) {
            name.unicodeScalars.append(scalar)
            advance()
        }
        guard !name.isEmpty else {
            throw malformed("a key is expected here, such as idiom = \"pad\", or a table in brackets, such as [keys]")
        }
        return name
    }

    private mutating func value(at path: [Step], depth: Int) throws(Malformed) -> TOML {
        guard depth <= Self.deepest else {
            throw malformed("values are nested more than \(Self.deepest) deep")
        }
        values[path] = values[path] ?? position
        switch peek {
        case "[":
            advance()
            return .array(try elements(of: path, depth: depth))
        case "{":
            advance()
            return try inlineTable(at: path, depth: depth)
        case "\"", "'":
            return .text(try string(mayBeLong: true))
        default:
            return try bareValue()
        }
    }

    /// Parses `true`, `false` or a number: the only values without quotes that any setting takes.
    private mutating func bareValue() throws(Malformed) -> TOML {
        let start = position
        var word = ""
        while let scalar = peek, !" \t,]}#\n\r[{\"'=".unicodeScalars.contains(scalar) {
            word.unicodeScalars.append(scalar)
            advance()
        }
        if word.isEmpty {
            throw malformed("a value is expected here: text in quotes, a number, true, false or an array")
        }
        if word == "true" || word == "false" { return .flag(word == "true") }
        let written = word
        func tooLarge() -> Malformed { Malformed(position: start, message: "\(written) is too large a number") }
        if let (digits, radix) = Self.digitsOfOtherBase(word) {
            guard let integer = Int(digits, radix: radix) else { throw tooLarge() }
            return .integer(integer)
        }
        word = Self.withoutUnderscores(word)
        guard Self.isNumber(word) else {
            throw Malformed(
                position: start,
                message: "\(written) is no value: text stands in quotes, \"\(written)\"; "
                    + "without them there are numbers, true and false")
        }
        if word.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }), let number = Double(word) {
            return .number(number)
        }
        guard let integer = Int(word) else { throw tooLarge() }
        return .integer(integer)
    }

    /// The digits and radix of `0xff`, `0o17` and `0b1010`; nil for anything else.
    private static func digitsOfOtherBase(_ word: String) -> (digits: String, radix: Int)? {
        let radixes = ["0x": 16, "0o": 8, "0b": 2]
        guard let radix = radixes[String(word.prefix(2))] else { return nil }
        let digits = withoutUnderscores(String(word.dropFirst(2)), isDigit: { $0.isHexDigit })
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.hexDigitValue ?? 16) < radix }) else { return nil }
        return (digits, radix)
    }

    /// `1_000` as `1000`. An underscore that is not between two digits stays, so that the word is not a number.
    private static func withoutUnderscores(_ word: String, isDigit: (Character) -> Bool = { $0.isNumber }) -> String {
        let characters = Array(word)
        return String(
            characters.indices.filter { index in
                guard characters[index] == "_", index > 0, index + 1 < characters.count else { return true }
                return !isDigit(characters[index - 1]) || !isDigit(characters[index + 1])
            }.map { characters[$0] })
    }

    /// `1`, `-2.5`, `1e3`: digits, then perhaps a fraction, then perhaps an exponent.
    private static func isNumber(_ word: String) -> Bool {
        var rest = word.utf8[...]
        func sign() { if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() } }
        func digits() -> Int {
            let run = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest.removeFirst(run.count)
            return run.count
        }
        sign()
        let hasLeadingZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, whole == 1 || !hasLeadingZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            sign()
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty && word.utf8.count <= 32
    }

    private mutating func elements(of path: [Step], depth: Int) throws(Malformed) -> [TOML] {
        var elements: [TOML] = []
        while true {
            skipBlank(lines: true)
            if peek == "]" { break }
            elements.append(try value(at: path + [.index(elements.count)], depth: depth + 1))
            skipBlank(lines: true)
            if peek == "," { advance() } else { break }
        }
        try expect("]", after: "the array's values (with a comma between them)")
        return elements
    }

    private mutating func inlineTable(at path: [Step], depth: Int) throws(Malformed) -> TOML {
        let table = TOMLTable()
        skipBlank(lines: false)
        if peek != "}" {
            while true {
                skipBlank(lines: false)
                try keyAndValue(of: table, under: path, depth: depth)
                skipBlank(lines: false)
                guard peek == "," else { break }
                advance()
            }
        }
        try expect("}", after: "the table's keys (with a comma between them)")
        return table.whole
    }

    /// The text between quotes, with escapes decoded. `mayBeLong`: three quotes begin a multi-line string.
    private mutating func string(mayBeLong: Bool) throws(Malformed) -> String {
        let start = position
        guard let quote = peek else { return "" }
        let isLong = mayBeLong && next + 2 < text.count && text[next + 1] == quote && text[next + 2] == quote
        for _ in 0..<(isLong ? 3 : 1) { advance() }
        if isLong {
            if peek == "\r", next + 1 < text.count, text[next + 1] == "\n" { advance() }
            if peek == "\n" { advance() }
        }
        var content = ""
        while let scalar = peek {
            if scalar == quote {
                let run = text[next...].prefix(5).prefix { $0 == quote }.count
                if !isLong {
                    advance()
                    return content
                }
                if run >= 3 {
                    // Up to two quotes may precede the closing three.
                    content += String(repeating: String(quote), count: run - 3)
                    for _ in 0..<run { advance() }
                    return content
                }
            }
            if scalar == "\n", !isLong { break }
            if scalar == "\\", quote == "\"" {
                if let meant = try escaped(isLong: isLong) { content.unicodeScalars.append(meant) }
                continue
            }
            content.unicodeScalars.append(scalar)
            advance()
        }
        throw Malformed(position: start, message: "the text that begins here has no closing \(quote)")
    }

    /// Decodes an escape sequence. Returns nil for a line end and the blanks after it.
    private mutating func escaped(isLong: Bool) throws(Malformed) -> Unicode.Scalar? {
        let start = position
        advance()
        let letter = peek
        let plain: [Unicode.Scalar: Unicode.Scalar] = [
            "b": "\u{8}", "t": "\t", "n": "\n", "f": "\u{c}", "r": "\r", "\"": "\"", "\\": "\\",
        ]
        if let letter, let meant = plain[letter] {
            advance()
            return meant
        }
        if letter == "u" || letter == "U" {
            advance()
            let digits = String(String.UnicodeScalarView(text[next...].prefix(letter == "u" ? 4 : 8)))
            if digits.utf8.count == (letter == "u" ? 4 : 8), digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let meant = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
            {
                for _ in digits.utf8 { advance() }
                return meant
            }
        } else if isLong {
            skipBlank(lines: false)
            if peek == "\r" || peek == "\n" {
                while let blank = peek, " \t\r\n".unicodeScalars.contains(blank) { advance() }
                return nil
            }
        }
        throw Malformed(
            position: start,
            message: "\\ begins no escape here: there are \\n \\t \\\" \\\\ \\u0041 and a few more; "
                + "in '...' it stands for itself")
    }

    // MARK: Characters

    /// TOML forbids raw control characters except tabs and line ends.
    private func checkControlCharacters() throws(Malformed) {
        var place = Position(line: 1, column: 1)
        for index in text.indices.dropFirst(next) {
            switch text[index].value {
            case 0x0a:
                place = Position(line: place.line + 1, column: 1)
                continue
            case 0x0d where index + 1 < text.count && text[index + 1] == "\n": break
            case 0..<0x09, 0x0b..<0x20, 0x7f:
                let digits = String(text[index].value, radix: 16, uppercase: true)
                let code = String(repeating: "0", count: 4 - digits.count) + digits
                throw Malformed(
                    position: place,
                    message: "there is the control character U+\(code), which may not stand in the file; "
                        + "a text in double quotes can have it as \\u\(code)")
            default: break
            }
            place.column += 1
        }
    }

    private var peek: Unicode.Scalar? { next < text.count ? text[next] : nil }

    private mutating func advance() {
        if text[next] == "\n" {
            position = Position(line: position.line + 1, column: 1)
        } else {
            position.column += 1
        }
        next += 1
    }

    private mutating func skipBlank(lines: Bool) {
        while let scalar = peek {
            if scalar == " " || scalar == "\t" || (lines && (scalar == "\n" || scalar == "\r")) {
                advance()
            } else if scalar == "#", lines {
                while let comment = peek, comment != "\n" {
                    _ = comment
                    advance()
                }
            } else {
                return
            }
        }
    }

    private mutating func endOfLine() throws(Malformed) {
        skipBlank(lines: false)
        guard let scalar = peek, scalar != "\n", scalar != "\r", scalar != "#" else { return }
        throw malformed("nothing may follow on this line, but there is \"\(scalar)\"")
    }

    private mutating func expect(_ scalar: Unicode.Scalar, after what: String) throws(Malformed) {
        guard peek == scalar else {
            let found = peek.map { $0 == "\n" || $0 == "\r" ? "the line ends" : "there is \"\($0)\"" } ?? "the file ends"
            throw malformed("\"\(scalar)\" is expected after \(what), but \(found)")
        }
        advance()
    }

    private func malformed(_ message: String) -> Malformed {
        Malformed(position: position, message: message)
    }

    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
