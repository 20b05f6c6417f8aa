import CSystemd
import Glibc

/// A message value whose type the sender chose. Values beyond the limits are left out, so that no sender can make
/// this process hold megabytes.
package enum BusValue: Hashable, Sendable {
    case text(String)
    case path(String)
    case integer(Int64)
    case number(Double)
    case flag(Bool)
    case texts([String])
    /// An array of bytes.
    case bytes([UInt8])
    /// An array of arrays of bytes.
    case blobs([[UInt8]])
    /// An array of arrays of strings.
    case lists([[String]])
    case table([String: BusValue])
    /// A struct of two 32-bit numbers.
    case pair(UInt32, UInt32)
    /// An unsupported type, or a value too long or too deep, with its signature.
    case other(String)

    package struct Limits {
        /// The most UTF-8 bytes of a string.
        package var text: Int
        /// The most entries of an array or dictionary. Further ones are skipped.
        package var entries: Int
        /// The greatest nesting depth of containers, including variants.
        package var depth = 6

        package init(text: Int = 1024, entries: Int = 64) {
            self.text = text
            self.entries = entries
        }
    }

    package var text: String? {
        switch self {
        case .text(let text), .path(let text): text
        default: nil
        }
    }

    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    package var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
    package var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
    package var blobs: [[UInt8]]? { if case .blobs(let value) = self { value } else { nil } }
    package var texts: [String]? { if case .texts(let value) = self { value } else { nil } }
    package var lists: [[String]]? { if case .lists(let value) = self { value } else { nil } }
    package var table: [String: BusValue]? { if case .table(let value) = self { value } else { nil } }

    /// Any finite number.
    package var number: Double? {
        switch self {
        case .number(let value): value.isFinite ? value : nil
        case .integer(let value): Double(value)
        default: nil
        }
    }

    var signature: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .integer: "x"
        case .number: "d"
        case .flag: "b"
        case .texts: "as"
        case .bytes: "ay"
        case .blobs: "aay"
        case .lists: "aas"
        case .table: "a{sv}"
        case .pair: "(uu)"
        case .other(let signature): signature
        }
    }
}

extension Incoming {
    /// The next value of any type; for a variant, its content. nil if there is none.
    package func value(_ limits: BusValue.Limits = .init()) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(raw, &type, &contents) > 0 else { return nil }
        let inner = text(contents)
        switch UnicodeScalar(UInt8(bitPattern: type)) {
        case "s", "o", "g":
            return plainText(type, limits)
        case "y", "n", "q", "i", "u", "x", "t":
            var value: Int64 = 0
            return csd_read_integer(raw, type, &value) > 0 ? .integer(value) : nil
        case "d":
            var value = 0.0
            return sd_bus_message_read_basic(raw, 100, &value) > 0 ? .number(value) : nil
        case "b":
            var value: Int32 = 0
            return sd_bus_message_read_basic(raw, type, &value) > 0 ? .flag(value != 0) : nil
        case "v" where limits.depth > 0:
            guard sd_bus_message_enter_container(raw, type, inner) > 0 else { return nil }
            var deeper = limits
            deeper.depth -= 1
            let value = value(deeper)
            return csd_leave(raw) >= 0 ? value : nil
        case "r" where inner == "uu":
            return structure(inner) { uint32().flatMap { first in uint32().map { .pair(first, $0) } } }
        case "a" where inner == "s" && limits.depth > 0:
            return plainTexts(limits).map { .texts($0) }
        case "a" where inner == "y" && limits.depth > 0:
            return bytes().map { $0.count <= limits.text ? .bytes(Array($0)) : .other("ay") }
        case "a" where inner == "ay" && limits.depth > 1:
            return wholeArray(of: inner, limit: limits.entries) { bytes().map { $0.count <= limits.text ? Array($0) : [] } }.map {
                .blobs($0)
            }
        case "a" where inner == "as" && limits.depth > 1:
            return wholeArray(of: inner, limit: limits.entries) { plainTexts(limits) }.map { .lists($0) }
        case "a" where inner == "{sv}" && limits.depth > 0:
            return table(limits).map { .table($0) }
        default:
            return skipped(String(UnicodeScalar(UInt8(bitPattern: type))) + inner)
        }
    }

    private func skipped(_ signature: String) -> BusValue? { csd_skip(raw) >= 0 ? .other(signature) : nil }

    /// The next value, if it is an array of strings; nil also at the end of a container.
    private func plainTexts(_ limits: BusValue.Limits) -> [String]? {
        guard sd_bus_message_enter_container(raw, Outgoing.Container.array.code, "s") > 0 else { return nil }
        var texts: [String] = []
        while texts.count < limits.entries, let entry = plainText(CChar(115), limits) {
            if case .text(let text) = entry { texts.append(text) }
        }
        return csd_leave(raw) >= 0 ? texts : nil
    }

    private func plainText(_ type: CChar, _ limits: BusValue.Limits) -> BusValue? {
        var value: UnsafePointer<CChar>?
        let isPath = type == 111
        let status = isPath ? sd_bus_message_read_basic(raw, 111, &value) : type == 115 ? sd_bus_message_read_basic(raw, 115, &value) : -1
        guard status > 0, let value else { return type == 103 ? skipped("g") : nil }
        // Check the length before copying.
        guard strnlen(value, limits.text + 1) <= limits.text else { return .other("s") }
        return isPath ? .path(String(cString: value)) : .text(String(cString: value))
    }

    /// The next value, if it is a dictionary of variants. The last of duplicate keys counts.
    package func table(_ limits: BusValue.Limits = .init()) -> [String: BusValue]? {
        guard sd_bus_message_enter_container(raw, Outgoing.Container.array.code, "{sv}") > 0 else { return nil }
        var deeper = limits
        deeper.depth -= 1
        var table: [String: BusValue] = [:]
        while table.count < limits.entries, sd_bus_message_enter_container(raw, Outgoing.Container.entry.code, "sv") > 0 {
            guard let key = plainText(115, limits), let value = value(deeper), csd_leave(raw) >= 0 else { return nil }
            if case .text(let name) = key { table[name] = value }
        }
        return csd_leave(raw) >= 0 ? table : nil
    }
}

extension Outgoing {
    /// Writes a value as a variant.
    package mutating func variant(_ value: BusValue) {
        container(.variant, value.signature) { $0.write(value) }
    }

    package mutating func table(_ values: [String: BusValue]) {
        container(.array, "{sv}") { array in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                array.container(.entry, "sv") {
                    $0.string(name)
                    $0.variant(value)
                }
            }
        }
    }

    package mutating func texts(_ values: [String]) {
        container(.array, "s") { for value in values { $0.string(value) } }
    }

    private mutating func write(_ value: BusValue) {
        switch value {
        case .text(let text): string(text)
        case .path(let text): path(text)
        case .integer(let number): int64(number)
        case .number(let number): double(number)
        case .flag(let flag): bool(flag)
        case .texts(let values): texts(values)
        case .bytes(let values): bytes(values)
        case .blobs(let values): container(.array, "ay") { for value in values { $0.bytes(value) } }
        case .lists(let values): container(.array, "as") { for value in values { $0.texts(value) } }
        case .table(let values): table(values)
        case .pair(let first, let second):
            container(.structure, "uu") {
                $0.uint32(first)
                $0.uint32(second)
            }
        case .other(let signature): assertionFailure("not written: \(signature)")
        }
    }
}
