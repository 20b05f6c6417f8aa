/// Estimates the cost of a vector graphic before drawing it. The library has no timeout, and a small file with nested
/// groups or filters would block the shell for minutes.
///
/// The estimate uses only the text. A file that hides its meaning from it is refused.
struct VectorCost {
    /// A plain shape costs ten. The limit corresponds to a few tenths of a second on a slow machine.
    static let most = 200_000
    private static let deepest = 256

    private struct Element {
        var end = 0
        var own = 0
        /// The ids of the elements that it may draw again: every `#name` in its attributes.
        var references: [Substring] = []
    }

    private var elements: [Element] = []
    private var places: [Substring: Int] = [:]
    private var styleReferences: [Substring] = []
    private var styleRules = 0
    private var known: [Int: Int] = [:]
    private var visiting: Set<Int> = []

    static func isAffordable(_ bytes: [UInt8]) -> Bool {
        // UTF-16 and the like, where the same text has different bytes.
        guard !bytes.contains(0) else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        let head = text.prefix(256).lowercased()
        if let encoding = head.firstRange(of: "encoding=") {
            let name = head[encoding.upperBound...].dropFirst().prefix { $0 != "\"" && $0 != "'" }
            let plain = ["utf-8", "us-ascii", "ascii", "iso-8859-1", "windows-1252"]
            guard plain.contains(String(name)) else { return false }
        }
        var cost = VectorCost()
        return cost.read(text) && cost.total() <= most
    }

    // MARK: - Adding up

    private mutating func total() -> Int {
        let whole = cost(from: 0, to: elements.count, depth: 0)
        let style = styleReferences.compactMap { places[$0] }.map { cost(of: $0, depth: 0) }.max() ?? 0
        return whole + elements.count * (style + styleRules / 10)
    }

    private mutating func cost(of index: Int, depth: Int) -> Int {
        if let cost = known[index] { return cost }
        // The library detects cycles itself.
        guard visiting.insert(index).inserted else { return 0 }
        let sum = cost(from: index, to: elements[index].end, depth: depth)
        visiting.remove(index)
        known[index] = sum
        return sum
    }

    private mutating func cost(from start: Int, to end: Int, depth: Int) -> Int {
        guard depth < 64 else { return Self.most + 1 }
        var sum = 0
        for index in start..<end {
            sum += elements[index].own
            for name in elements[index].references {
                guard let place = places[name] else { continue }
                sum += cost(of: place, depth: depth + 1)
            }
            if sum > Self.most { return Self.most + 1 }
        }
        return sum
    }

    private static func weight(_ name: Substring) -> Int {
        switch name {
        case "stop", "linearGradient", "radialGradient", "metadata", "defs": 1
        case "feTurbulence", "feMorphology", "feConvolveMatrix": 20_000
        case "feDisplacementMap", "feDiffuseLighting", "feSpecularLighting": 5_000
        case "feGaussianBlur": 1_500
        default: name.hasPrefix("fe") ? 500 : 10
        }
    }

    // MARK: - Reading

    /// Returns false if the meaning of the text is unclear.
    private mutating func read(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var place = 0, open: [Int] = [], isStyle = false
            func has(_ word: StaticString) -> Bool {
                let count = word.utf8CodeUnitCount
                return place + count <= bytes.count
                    && (0..<count).allSatisfy { bytes[place + $0] == word.utf8Start[$0] }
            }
            func string(_ range: Range<Int>) -> Substring {
                Substring(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
            }
            /// Skips to after a string. Returns false if it is not found.
            func skip(_ word: StaticString) -> Bool {
                while place < bytes.count {
                    if bytes[place] == word.utf8Start.pointee, has(word) {
                        place += word.utf8CodeUnitCount
                        return true
                    }
                    place += 1
                }
                return false
            }
            while place < bytes.count {
                let start = place
                while place < bytes.count, bytes[place] != UInt8(ascii: "<") || (isStyle && has("<![CDATA[")) {
                    place += 1
                }
                if isStyle, !readStyle(string(start..<place)) { return false }
                // Text is the slowest of all. A style is only parsed.
                if let element = open.last {
                    elements[element].own += bytes[start..<place].count { $0 > 32 } * (isStyle ? 2 : 100)
                }
                guard place < bytes.count else { break }
                if has("<!--") {
                    guard skip("-->") else { return false }
                } else if has("<![CDATA[") {
                    guard skip("]]>") else { return false }
                } else if has("<?") {
                    guard skip("?>") else { return false }
                } else if has("<!") {
                    let declaration = place
                    let ends: StaticString = declarationHasSubset(bytes, place) ? "]" : ">"
                    guard skip(ends), allowsEntities(string(declaration..<place)) else { return false }
                    if has(">") { place += 1 }
                } else if has("</") {
                    guard skip(">") else { return false }
                    if let element = open.popLast() { elements[element].end = elements.count }
                    isStyle = false
                } else {
                    place += 1
                    guard let tag = Tag(bytes, &place) else { return false }
                    let index = elements.count
                    let name = string(tag.name).split(separator: ":").last ?? ""
                    var element = Element(end: index + 1, own: Self.weight(name))
                    for (key, value) in tag.attributes {
                        let key = string(key), value = string(value)
                        if key == "id" { places[value] = index }
                        // A character reference would hide the referenced name.
                        if value.contains("&#"), !key.contains(":") || key.hasSuffix(":href"), !key.hasPrefix("aria-") {
                            return false
                        }
                        element.own += value.utf8.count / 20
                        element.references += names(in: value)
                    }
                    elements.append(element)
                    guard elements.count <= Self.most / 10 else { return false }
                    if !tag.isClosed {
                        open.append(index)
                        guard open.count <= Self.deepest else { return false }
                        isStyle = name == "style"
                    }
                }
            }
            return true
        }
    }

    private func declarationHasSubset(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        let first = bytes[start...].first { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: ">") }
        return first == UInt8(ascii: "[")
    }

    /// Entities are common for namespaces. Entities for parts of the drawing are not supported here.
    private func allowsEntities(_ declaration: Substring) -> Bool {
        guard let subset = declaration.firstIndex(of: "[") else { return true }
        let rest = declaration[subset...]
        return !rest.contains("#") && !rest.contains("&") && !rest.contains("%") && !rest.contains("url")
            && !rest.replacing("<!ENTITY", with: "").contains("<")
    }

    private mutating func readStyle(_ text: Substring) -> Bool {
        // An escape would hide the referenced name.
        if text.contains("\\") || text.contains("@import") { return false }
        styleRules += text.utf8.count { $0 == UInt8(ascii: "{") }
        for part in text.split(separator: "url(", omittingEmptySubsequences: false).dropFirst() {
            styleReferences += names(in: part.prefix(80)).prefix(1)
        }
        return true
    }

    /// Everything after a `#` that can be a name.
    private func names(in value: Substring) -> [Substring] {
        guard value.utf8.contains(UInt8(ascii: "#")) else { return [] }
        return value.split(separator: "#", omittingEmptySubsequences: false).dropFirst().map { part in
            part.prefix { !")\"' ;,".contains($0) }
        }
    }
}

/// A start tag, as ranges of the text.
private struct Tag {
    var name: Range<Int>
    var attributes: [(Range<Int>, Range<Int>)] = []
    var isClosed = false

    /// Parses from after the `<` to after the `>`. Returns nil if the tag is malformed.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) {
        func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
        func word(_ place: inout Int) -> Range<Int> {
            let start = place
            while place < bytes.count, !isSpace(bytes[place]), !"=/>\"'<".utf8.contains(bytes[place]) { place += 1 }
            return start..<place
        }
        func spaces(_ place: inout Int) { while place < bytes.count, isSpace(bytes[place]) { place += 1 } }

        name = word(&place)
        guard !name.isEmpty else { return nil }
        while true {
            spaces(&place)
            guard place < bytes.count else { return nil }
            if bytes[place] == UInt8(ascii: ">") {
                place += 1
                return
            }
            if bytes[place] == UInt8(ascii: "/") {
                isClosed = true
                place += 1
                continue
            }
            let key = word(&place)
            spaces(&place)
            guard !key.isEmpty, place < bytes.count, bytes[place] == UInt8(ascii: "=") else { return nil }
            place += 1
            spaces(&place)
            guard place < bytes.count, "\"'".utf8.contains(bytes[place]) else { return nil }
            let quote = bytes[place], start = place + 1
            place += 1
            while place < bytes.count, bytes[place] != quote { place += 1 }
            guard place < bytes.count else { return nil }
            attributes.append((key, start..<place))
            place += 1
        }
    }
}
