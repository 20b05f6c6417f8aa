import FoundationEssentials

/// Any JSON value: for what is looked into before, or instead of, becoming a Swift value.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])
}

extension JSON: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSON {
    /// Reads one JSON value. Throws `DecodingError`, saying where the text goes wrong.
    public init(parsing bytes: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
    }

    /// The value as JSON, through its `Codable` form.
    public init(_ value: some Encodable) throws {
        self = try JSONDecoder().decode(JSON.self, from: JSON.data(value))
    }

    /// The Swift value that this is the JSON of. Throws `DecodingError`.
    public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
        try JSONDecoder().decode(type, from: JSON.data(self))
    }

    /// One line without a newline; keys in alphabetical order, so that equal values have equal bytes.
    public static func bytes(_ value: some Encodable) throws -> [UInt8] { [UInt8](try data(value)) }

    static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// As text; `pretty` for people: one value a line, indented.
    public func text(pretty: Bool = false) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        guard let data = try? encoder.encode(self) else { return "null" }
        return String(decoding: data, as: UTF8.self)
    }

    public subscript(_ key: String) -> JSON? {
        if case .object(let fields) = self { fields[key] } else { nil }
    }

    public subscript(_ index: Int) -> JSON? {
        if case .array(let values) = self, values.indices.contains(index) { values[index] } else { nil }
    }

    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    public var object: [String: JSON]? { if case .object(let value) = self { value } else { nil } }
    /// Also of an integer.
    public var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// What kind of value it is, in a person's words.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A place where two values differ.
public struct JSONDifference: Hashable, Sendable, CustomStringConvertible {
    /// As `workspace.windows[3].facts.title`; empty for the whole value.
    public var path: String
    /// nil: it is not there.
    public var first: JSON?
    public var second: JSON?

    public var description: String {
        "\(path.isEmpty ? "(everything)" : path): \(first?.text() ?? "nothing") ≠ \(second?.text() ?? "nothing")"
    }
}

extension JSON {
    /// Every place where `other` differs from this, in order of the paths; the smallest parts that differ.
    public func differences(from other: JSON) -> [JSONDifference] {
        var found: [JSONDifference] = []
        JSON.compare(self, other, at: "", into: &found)
        return found
    }

    private static func compare(_ a: JSON?, _ b: JSON?, at path: String, into found: inout [JSONDifference]) {
        switch (a, b) {
        case (.object(let x), .object(let y)):
            for key in Set(x.keys).union(y.keys).sorted() {
                compare(x[key], y[key], at: path.isEmpty ? key : "\(path).\(key)", into: &found)
            }
        case (.array(let x), .array(let y)):
            for index in 0..<max(x.count, y.count) {
                compare(
                    index < x.count ? x[index] : nil, index < y.count ? y[index] : nil, at: "\(path)[\(index)]",
                    into: &found)
            }
        default:
            if a != b { found.append(JSONDifference(path: path, first: a, second: b)) }
        }
    }
}
