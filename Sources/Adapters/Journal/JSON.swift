/// Any JSON value, for inspection before or instead of decoding.
///
/// Equal values have equal text: keys are sorted, and a number without a fraction is always `.integer`.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])
}

extension JSON {
    public init(_ number: Double) {
        if let whole = Int64(exactly: number) { self = .integer(whole) } else { self = .number(number) }
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
    /// Includes integers.
    public var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// The kind of value, for messages.
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

extension JSON: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self.init(value)
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

// MARK: Writing

extension JSON {
    /// One line, without a newline.
    public var bytes: [UInt8] {
        var out: [UInt8] = []
        write(to: &out, indent: nil)
        return out
    }

    /// Returns the value as text. `pretty` writes one indented field per line. Short arrays of plain values stay on one line.
    public func text(pretty: Bool = false) -> String {
        var out: [UInt8] = []
        write(to: &out, indent: pretty ? 0 : nil)
        return String(decoding: out, as: UTF8.self)
    }

    private func write(to out: inout [UInt8], indent: Int?) {
        switch self {
        case .null: out += "null".utf8
        case .bool(let value): out += (value ? "true" : "false").utf8
        case .integer(let value): out += String(value).utf8
        case .number(let value): out += (value.isFinite ? String(describing: value) : "null").utf8
        case .string(let value): JSON.write(value, to: &out)
        case .array(let values):
            let inner = values.allSatisfy(\.isPlain) ? nil : indent.map { $0 + 1 }
            out.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                if index > 0, indent != nil, inner == nil { out.append(UInt8(ascii: " ")) }
                JSON.newLine(inner, to: &out)
                value.write(to: &out, indent: inner)
            }
            if !values.isEmpty, inner != nil { JSON.newLine(indent, to: &out) }
            out.append(UInt8(ascii: "]"))
        case .object(let fields):
            let inner = indent.map { $0 + 1 }
            out.append(UInt8(ascii: "{"))
            for (index, key) in fields.keys.sorted().enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                JSON.newLine(inner, to: &out)
                JSON.write(key, to: &out)
                out += (indent == nil ? ":" : ": ").utf8
                fields[key]!.write(to: &out, indent: inner)
            }
            if !fields.isEmpty { JSON.newLine(indent, to: &out) }
            out.append(UInt8(ascii: "}"))
        }
    }

    private var isPlain: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }

    private static func newLine(_ indent: Int?, to out: inout [UInt8]) {
        guard let indent else { return }
        out.append(UInt8(ascii: "\n"))
        out += repeatElement(UInt8(ascii: " "), count: 2 * indent)
    }

    private static func write(_ text: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        defer { out.append(UInt8(ascii: "\"")) }
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            out += text.utf8
            return
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): out += "\\\"".utf8
            case UInt8(ascii: "\\"): out += "\\\\".utf8
            case UInt8(ascii: "\n"): out += "\\n".utf8
            case UInt8(ascii: "\t"): out += "\\t".utf8
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                out += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default: out.append(byte)
            }
        }
    }
}

// MARK: Comparing

/// A place where two values differ.
public struct JSONDifference: Hashable, Sendable {
    /// For example `workspace.windows[3].facts.title`; empty for the whole value.
    public var path: String
    /// nil if it is missing.
    public var first: JSON?
    public var second: JSON?

    public init(path: String, first: JSON?, second: JSON?) {
        self.path = path
        self.first = first
        self.second = second
    }
}

extension JSON {
    /// The smallest parts that differ from `other`, sorted by path.
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
