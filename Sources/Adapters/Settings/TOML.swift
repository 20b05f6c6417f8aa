/// A TOML value. Kinds that no setting takes (such as dates) are not supported.
enum TOML: Hashable, Sendable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case array([TOML])
    case table([String: TOML])

    var isArray: Bool { if case .array = self { true } else { false } }
}

/// A table during parsing, which later parts of the text may extend.
final class TOMLTable {
    private enum Entry {
        case value(TOML)
        case table(TOMLTable)
        case tables([TOMLTable])
    }

    private enum Origin {
        /// Created implicitly by a longer header.
        case passed
        /// Defined by a header of its own.
        case header
        /// Created by a dotted key.
        case dotted
    }

    private var entries: [String: Entry] = [:]
    private var origin: Origin

    init() { origin = .header }

    private init(_ origin: Origin) { self.origin = origin }

    /// Everything that was read, as a value.
    var whole: TOML {
        .table(
            entries.mapValues { entry in
                switch entry {
                case .value(let value): value
                case .table(let table): table.whole
                case .tables(let tables): .array(tables.map(\.whole))
                }
            })
    }

    /// The table for a part of a longer header; nil if it cannot be extended.
    func passing(_ name: String) -> TOMLTable? {
        switch entries[name] {
        case nil: add(name, TOMLTable(.passed))
        case .table(let table): table
        case .tables(let tables): tables.last
        case .value: nil
        }
    }

    /// The table that `[name]` defines; nil if it is already defined.
    func opening(_ name: String) -> TOMLTable? {
        switch entries[name] {
        case nil: return add(name, TOMLTable(.header))
        case .table(let table) where table.origin == .passed:
            table.origin = .header
            return table
        default: return nil
        }
    }

    /// The table that `[[name]]` appends; nil if the name is used for something else.
    func appending(_ name: String) -> TOMLTable? {
        let table = TOMLTable(.header)
        switch entries[name] {
        case nil: entries[name] = .tables([table])
        case .tables(let tables): entries[name] = .tables(tables + [table])
        default: return nil
        }
        return table
    }

    /// The table for a part of a dotted key; nil if something else created it.
    func dotted(_ name: String) -> TOMLTable? {
        switch entries[name] {
        case nil: add(name, TOMLTable(.dotted))
        case .table(let table) where table.origin == .dotted: table
        default: nil
        }
    }

    /// Returns false if the name is taken.
    func set(_ name: String, to value: TOML) -> Bool {
        guard entries[name] == nil else { return false }
        entries[name] = .value(value)
        return true
    }

    private func add(_ name: String, _ table: TOMLTable) -> TOMLTable {
        entries[name] = .table(table)
        return table
    }
}
