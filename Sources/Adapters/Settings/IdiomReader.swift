import FoundationEssentials
import Idioms
import Journal
import Multitasking
import Windows

extension Idiom {
    /// Reads an idiom from a data file (docs/idioms.md). A file lists the differences from the idiom that it is `like`.
    ///
    /// - Parameters:
    ///   - name: the name of the idiom.
    ///   - file: the name of the file in errors.
    ///   - known: the idioms that the file may be like.
    /// - Throws: `SettingsError` naming line and column for text that is no TOML, an unknown key, a value of the wrong kind or out of
    ///   range, and parts that contradict each other.
    public static func parse(_ text: String, named name: String, file: String, like known: [Idiom]) throws(SettingsError) -> Idiom {
        let document = try Settings.document(text, file: file)
        return try IdiomReader(file: file, document: document).idiom(named: name, like: known)
    }

    /// The name of the idiom that a file is `like`; that of the pad if the file names none.
    static func like(_ text: String) -> String? {
        guard let document = try? Settings.document(text, file: ""), case .table(let table) = document.root else { return nil }
        guard let like = table["like"] else { return Idiom.pad.name }
        return if case .text(let name) = like { name } else { nil }
    }

    /// The error of a file whose idiom is `like` itself by way of other idioms.
    static func loop(_ text: String, file: String) throws(SettingsError) -> SettingsError {
        try Settings.document(text, file: file).error(
            in: file, at: [.key("like")], "the idioms are like each other: one of them has to be like another idiom")
    }
}

/// Lays the values of a TOML table over those of another idiom. It knows no field by name: the fields of `Idiom` and of the structs
/// in it are the keys, written with hyphens.
private struct IdiomReader {
    let file: String
    let document: TOMLDocument

    typealias Path = [TOMLDocument.Step]

    func idiom(named name: String, like known: [Idiom]) throws(SettingsError) -> Idiom {
        guard case .table(var table) = document.root else { throw error([], "a table is expected") }
        var base = Idiom.pad
        if let like = table.removeValue(forKey: "like") {
            let names = known.map { "\"\($0.name)\"" }.joined(separator: ", ")
            guard case .text(let like) = like, let found = known.first(where: { $0.name == like }) else {
                throw error([.key("like")], "the name of another idiom is expected: \(names)")
            }
            base = found
        } else if name != base.name, let found = known.first(where: { $0.name == base.name }) {
            base = found
        }
        // A file that replaces an idiom keeps its looks; a new one is called as its file is, unless it says otherwise.
        if let replaced = known.first(where: { $0.name == name }) {
            (base.title, base.device) = (replaced.title, replaced.device)
        } else if case .text(let device)? = table["device"], Device(rawValue: device)?.names ?? false {
            base.title = ""
        } else {
            base.title = name
        }
        base.name = name
        if let keys = table.removeValue(forKey: "keys") { base.keys = try self.keys(keys, over: base.keys) }
        // The kinds of all fields, taken from an idiom in which every optional part is there.
        var whole = base
        whole.homeLine = whole.homeLine ?? HomeLine()
        whole.smallScreen = whole.smallScreen ?? SmallScreen()
        whole.depth = whole.depth ?? DepthMeasures()
        whole.round = whole.round ?? RoundMeasures()
        whole.wrist = whole.wrist ?? WristRules()
        whole.home.dockPlaces = whole.home.dockPlaces ?? 0
        whole.smallScreen!.home.dockPlaces = whole.smallScreen!.home.dockPlaces ?? 0
        let given = try json(base), kinds = try json(whole)
        let laid = try lay(table, over: given, kinds: kinds, at: [])
        let idiom: Idiom
        do {
            idiom = try laid.decoded()
        } catch let mistake as DecodingError {
            throw error(for: mistake)
        } catch {
            throw self.error([], "\(error)")
        }
        if let first = idiom.contradictions.first { throw error(path(of: first.field), first.message) }
        return idiom
    }

    /// The keys of the file, over those of the idiom that it is like. An action that the file names loses the keys that it had there.
    private func keys(_ value: TOML, over given: [IdiomKey]) throws(SettingsError) -> [IdiomKey] {
        let path: Path = [.key("keys")]
        guard case .table(let table) = value else { throw error(path, "a table is expected") }
        var own: [IdiomKey] = []
        for (action, value) in table.sorted(by: { $0.key < $1.key }) {
            let here = path + [.key(action)]
            guard ActionNames.action(action) != nil else {
                let advice = LikelyWord.nearest(to: action, among: ActionNames.all.map(\.name)).map { ": did you mean \"\($0)\"?" } ?? ""
                throw error(here, "unknown action\(advice)", atKey: true)
            }
            let texts: [(text: TOML, path: Path)] =
                if case .array(let list) = value { list.enumerated().map { ($1, here + [.index($0)]) } } else { [(value, here)] }
            for (text, path) in texts {
                guard case .text(let text) = text else { throw error(path, "a key such as \"Super+Left\" is expected, or a list of them") }
                guard let chord = KeyChord(parsing: text) else { throw error(path, "\"\(text)\" is no key") }
                guard !chord.modifiers.isSubset(of: .shift) else {
                    throw error(path, "a key of an idiom has Super, Ctrl or Alt: others belong to apps")
                }
                guard !own.contains(where: { $0.key == chord.description }) else {
                    throw error(path, "\(chord) has an action above already: a key has one")
                }
                own.append(IdiomKey(action, chord.description))
            }
        }
        return given.filter { old in table[old.action] == nil && !own.contains { $0.key == KeyChord(parsing: old.key)?.description } } + own
    }

    private func json(_ idiom: Idiom) throws(SettingsError) -> JSON {
        do {
            return try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(idiom))
        } catch {
            throw self.error([], "\(error)")
        }
    }

    private func lay(_ table: [String: TOML], over given: JSON, kinds: JSON, at path: Path) throws(SettingsError) -> JSON {
        guard var fields = given.object ?? kinds.object, let known = kinds.object else { return given }
        for (key, value) in table.sorted(by: { $0.key < $1.key }) {
            let here = path + [.key(key)], field = Self.field(key)
            guard let kind = known[field], field != "name" else {
                let names = known.keys.filter { $0 != "name" }.map(Self.key).sorted()
                let advice =
                    LikelyWord.nearest(to: key, among: names).map { "did you mean \"\($0)\"?" }
                    ?? "known here: \(names.joined(separator: ", "))"
                throw error(here, "unknown key: \(advice)", atKey: true)
            }
            fields[field] = try laid(value, over: fields[field], kind: kind, at: here)
        }
        return .object(fields)
    }

    private func laid(_ value: TOML, over given: JSON?, kind: JSON, at path: Path) throws(SettingsError) -> JSON {
        switch (kind, value) {
        case (.object, .flag(false)) where path.count == 1 && Self.optional.contains(path[0]): return .null
        case (.object, .table(let table)):
            return try lay(table, over: given.flatMap { $0 == .null ? nil : $0 } ?? kind, kinds: kind, at: path)
        case (.bool, .flag(let flag)): return .bool(flag)
        case (.string, .text(let text)): return .string(text)
        case (.integer, .integer(let number)), (.number, .integer(let number)): return .integer(Int64(number))
        case (.number, .number(let number)), (.integer, .number(let number)):
            guard number.isFinite, number >= 0 else { throw error(path, "a number from 0 is expected") }
            return JSON(number)
        case (.array(let elements), .array(let list)):
            let isText = elements.first.map { $0.string != nil } ?? true
            var out: [JSON] = []
            for (index, element) in list.enumerated() {
                switch element {
                case .text(let text) where isText: out.append(.string(text))
                case .number(let number) where !isText && number.isFinite: out.append(JSON(number))
                case .integer(let number) where !isText: out.append(.integer(Int64(number)))
                default: throw error(path + [.index(index)], isText ? "text is expected" : "a number is expected")
                }
            }
            return .array(out)
        default:
            let expected =
                switch kind {
                case .bool: "true or false"
                case .string: "text"
                case .integer, .number: "a number"
                case .array: "a list"
                default: path.count == 1 && Self.optional.contains(path[0]) ? "a table, or false" : "a table"
                }
            throw error(path, "\(expected) is expected")
        }
    }

    /// Parts that an idiom may lack.
    private static let optional: Set<TOMLDocument.Step> = [
        .key("home-line"), .key("small-screen"), .key("depth"), .key("round"), .key("wrist"),
    ]

    /// `slide-over` is the field `slideOver`.
    private static func field(_ key: String) -> String {
        let words = key.split(separator: "-", omittingEmptySubsequences: false)
        return words.dropFirst().reduce(into: String(words.first ?? "")) { $0 += $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    private static func key(_ field: String) -> String {
        field.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    private func path(of fields: [String]) -> Path { fields.map { .key(Self.key($0)) } }

    /// The error for a value that its field refuses: a name that none of them knows, part of a number where a whole one is counted, a list of
    /// another length.
    private func error(for mistake: DecodingError) -> SettingsError {
        let context: DecodingError.Context
        switch mistake {
        case .typeMismatch(_, let given), .valueNotFound(_, let given), .keyNotFound(_, let given), .dataCorrupted(let given):
            context = given
        @unknown default: return error([], "\(mistake)")
        }
        let place: Path = context.codingPath.map { key in key.intValue.map { .index($0) } ?? .key(Self.key(key.stringValue)) }
        if case .typeMismatch(let type, _) = mistake, type is any FixedWidthInteger.Type {
            return error(place, "a whole number is expected")
        }
        return error(place, context.debugDescription)
    }

    private func error(_ path: Path, _ message: String, atKey: Bool = false) -> SettingsError {
        document.error(in: file, at: path, message, atKey: atKey)
    }
}
