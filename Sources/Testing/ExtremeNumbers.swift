import Journal

/// Numbers that no honest program sends, for tests of input from outside.
public enum ExtremeNumbers {
    public static let all: [JSON] = [
        .number(1e308), .number(-1e308), .number(1e19), .number(-1e19), .integer(.max), .integer(.min), .integer(1 << 32),
        .integer(Int64(UInt32.max)), .integer(Int64(Int32.max)), .integer(Int64(Int32.min)), .integer(65_536), .number(1e-308),
        .integer(-1), .integer(0), .number(0.5), .number(1e10),
    ]

    /// How many numbers are in a value.
    public static func count(in value: JSON) -> Int {
        switch value {
        case .integer, .number: 1
        case .array(let values): values.reduce(0) { $0 + count(in: $1) }
        case .object(let fields): fields.values.reduce(0) { $0 + count(in: $1) }
        default: 0
        }
    }

    /// The value with another number in the place of one; `index` counts them in the order of the fields' names.
    public static func replacing(_ index: Int, in value: JSON, by extreme: JSON) -> JSON {
        var left = index
        return replacing(&left, in: value, by: extreme)
    }

    private static func replacing(_ left: inout Int, in value: JSON, by extreme: JSON) -> JSON {
        switch value {
        case .integer, .number:
            left -= 1
            return left == -1 ? extreme : value
        case .array(let values): return .array(values.map { replacing(&left, in: $0, by: extreme) })
        case .object(let fields):
            var changed = fields
            for name in fields.keys.sorted() { changed[name] = replacing(&left, in: fields[name]!, by: extreme) }
            return .object(changed)
        default: return value
        }
    }
}
