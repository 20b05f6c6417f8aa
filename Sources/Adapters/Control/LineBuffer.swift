/// Bytes as they come to whole lines, holding no more than one line of the largest size.
public struct LineBuffer: Sendable {
    public enum Line: Hashable, Sendable {
        case line([UInt8])
        /// A line that was longer than the limit; what it said is lost.
        case tooLong
    }

    /// The longest line in bytes without its newline.
    public let limit: Int
    private var partial: [UInt8] = []
    private var isSkipping = false

    public init(limit: Int = 1 << 20) { self.limit = limit }

    /// The lines that these bytes complete, without their newlines. A line that grows too long is said at once, and
    /// skipped up to its end. Blank lines are nothing.
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
