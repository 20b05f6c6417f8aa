import CSystemd

/// A value of any type as it is, to be kept and sent again: the parameter of an app's action. File descriptors cannot be kept.
package indirect enum BusTree: Hashable, Codable, Sendable {
    /// s, o or g.
    case text(String, String)
    /// y, b, n, q, i, u, x or t; t as its bits.
    case integer(String, Int64)
    case number(Double)
    case bytes([UInt8])
    case variant(BusTree)
    /// The signature of the elements, which an empty array needs.
    case array(String, [BusTree])
    case structure([BusTree])
    case entry([BusTree])

    package var signature: String {
        switch self {
        case .text(let type, _), .integer(let type, _): type
        case .number: "d"
        case .bytes: "ay"
        case .variant: "v"
        case .array(let contents, _): "a" + contents
        case .structure(let parts): "(" + contents(parts) + ")"
        case .entry(let parts): "{" + contents(parts) + "}"
        }
    }

    private func contents(_ parts: [BusTree]) -> String { parts.map(\.signature).joined() }

    /// The rest of the limits while a value is read.
    package struct Budget {
        /// Bytes of texts and arrays of bytes, and values.
        var bytes: Int, values: Int

        package init(bytes: Int = 4096, values: Int = 256) {
            self.bytes = bytes
            self.values = values
        }
    }
}

extension Incoming {
    /// The next value as it is; nil if there is none, or it is greater than `budget` allows, deeper than 16 containers or a file.
    package func tree(_ budget: inout BusTree.Budget, depth: Int = 16) -> BusTree? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(raw, &type, &contents) > 0, depth > 0, budget.values > 0 else { return nil }
        budget.values -= 1
        let inner = text(contents), name = String(UnicodeScalar(UInt8(bitPattern: type)))
        /// Reads all parts of a container.
        func parts() -> [BusTree]? {
            guard sd_bus_message_enter_container(raw, type, inner) > 0 else { return nil }
            var all: [BusTree] = []
            while sd_bus_message_at_end(raw, 0) == 0 {
                guard let part = tree(&budget, depth: depth - 1) else { return nil }
                all.append(part)
            }
            return sd_bus_message_exit_container(raw) >= 0 ? all : nil
        }
        switch name {
        case "s", "o", "g":
            var value: UnsafePointer<CChar>?
            guard sd_bus_message_read_basic(raw, type, &value) > 0 else { return nil }
            let read = text(value)
            budget.bytes -= read.utf8.count
            return budget.bytes >= 0 ? .text(name, read) : nil
        case "t": return uint64().map { .integer("t", Int64(bitPattern: $0)) }
        case "y", "n", "q", "i", "u", "x":
            var value: Int64 = 0
            return csd_read_integer(raw, type, &value) > 0 ? .integer(name, value) : nil
        case "b": return bool().map { .integer("b", $0 ? 1 : 0) }
        case "d": return double().map { .number($0) }
        case "a" where inner == "y":
            guard let read = bytes() else { return nil }
            budget.bytes -= read.count
            return budget.bytes >= 0 ? .bytes(Array(read)) : nil
        case "v": return parts().flatMap { $0.first }.map { .variant($0) }
        case "a": return parts().map { .array(inner, $0) }
        case "r": return parts().map { .structure($0) }
        case "e": return parts().map { .entry($0) }
        default: return nil
        }
    }
}

extension Outgoing {
    package mutating func tree(_ value: BusTree) {
        switch value {
        case .text("o", let text): path(text)
        case .text("g", let text): signature(text)
        case .text(_, let text): string(text)
        case .integer("y", let number): byte(UInt8(truncatingIfNeeded: number))
        case .integer("b", let number): bool(number != 0)
        case .integer("n", let number): int16(Int16(truncatingIfNeeded: number))
        case .integer("q", let number): uint16(UInt16(truncatingIfNeeded: number))
        case .integer("i", let number): int32(Int32(truncatingIfNeeded: number))
        case .integer("u", let number): uint32(UInt32(truncatingIfNeeded: number))
        case .integer("t", let number): uint64(UInt64(bitPattern: number))
        case .integer(_, let number): int64(number)
        case .number(let number): double(number)
        case .bytes(let all): bytes(all)
        case .variant(let inner): container(.variant, inner.signature) { $0.tree(inner) }
        case .array(let contents, let parts): container(.array, contents) { for part in parts { $0.tree(part) } }
        case .structure(let parts): container(.structure, parts.map(\.signature).joined()) { for part in parts { $0.tree(part) } }
        case .entry(let parts): container(.entry, parts.map(\.signature).joined()) { for part in parts { $0.tree(part) } }
        }
    }
}
