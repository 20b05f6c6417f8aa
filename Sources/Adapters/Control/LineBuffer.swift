/// Splits incoming bytes into lines. Holds at most one line of the maximum length.
public struct LineBuffer: Sendable {
    public enum Line: Hashable, Sendable {
        case line([UInt8])
        /// A line longer than the limit. Its content is dropped.
        case tooLong
    }

    /// The maximum length of a line in bytes, without its newline.
    public let limit: Int
    private var partial: [UInt8] = []
    private var isSkipping = false

    public init(limit: Int = 1 << 20) { self.limit = limit }

    /// Returns the lines that these bytes complete, without their newlines. A line that is too long is reported at
    /// once and skipped to its end. Blank lines are ignored.
    public mutating func append(_ bytes: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
                if !isSkipping, partial.contains(where: { $0 != UInt8(ascii: " ") }) { lines.append(.line(partial)) }
                partial.removeAll(keepingCapacity: partial.capacity <= 4096)
                isSkipping = false
            } else if !isSkipping {
                if partial.count == limit {
                    lines.append(.tooLong)
                    isSkipping = true
                    partial = []
                } else {
                    partial.append(byte)
                }
            }
        }
        return lines
    }
}
