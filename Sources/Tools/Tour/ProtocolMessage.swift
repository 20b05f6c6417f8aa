/// A message between an app and the shell, as the app's libwayland prints it with `WAYLAND_DEBUG`.
///
/// Debian 12 has libwayland 1.21, Debian 13 has 1.23, which names the queue first and writes # for @:
///
///     [ 341.592]  -> wl_surface@3.attach(wl_buffer@17, 0, 0)
///     [ 341.592] {Default Queue}  -> wl_surface#3.attach(wl_buffer#17, 0, 0)
///
/// Later versions may put the thread before the queue (`TID#1234: `).
public struct ProtocolMessage: Equatable, Sendable {
    /// For example `wl_touch`.
    public var interface: String
    public var object: UInt32
    /// For example `down`.
    public var name: String
    /// The text between the parentheses.
    public var arguments: String
    /// Whether the app sends it. Otherwise it is an event.
    public var isRequest: Bool
    /// Whether the app's library discarded it: the app has no listener, or the object is gone.
    public var isDiscarded: Bool

    /// Returns nil for anything but a complete message: the app's own output, or a line that is still being written.
    public init?(line: some StringProtocol) {
        guard line.first == "[", line.last == ")", let stamp = line.firstIndex(of: "]") else { return nil }
        var rest = Substring(line[line.index(after: stamp)...]).drop { $0 == " " }
        if rest.hasPrefix("TID#") { rest = rest.drop { $0 != " " }.drop { $0 == " " } }
        // The name of a queue is arbitrary text.
        if rest.hasPrefix("{") {
            guard let end = rest.firstIndex(of: "}") else { return nil }
            rest = rest[rest.index(after: end)...]
        }
        guard let open = rest.firstIndex(of: "(") else { return nil }
        var words = rest[..<open].split(separator: " ")
        guard let call = words.popLast(), words.allSatisfy({ $0 == "discarded" || $0 == "->" }) else { return nil }
        guard let mark = call.firstIndex(where: { $0 == "@" || $0 == "#" }), let dot = call[mark...].firstIndex(of: "."),
            let object = UInt32(call[call.index(after: mark)..<dot])
        else { return nil }
        interface = String(call[..<mark])
        name = String(call[call.index(after: dot)...])
        guard !interface.isEmpty, !name.isEmpty else { return nil }
        self.object = object
        arguments = String(rest[rest.index(after: open)...].dropLast())
        isRequest = words.contains("->")
        isDiscarded = words.contains("discarded")
    }

    /// The events that the app got, in order. Skips lines that are not messages.
    public static func events(in trace: String) -> [ProtocolMessage] {
        trace.split(whereSeparator: \.isNewline).compactMap { ProtocolMessage(line: $0) }.filter { !$0.isRequest }
    }

    /// The length of its first array in bytes, which is all that libwayland prints of arrays.
    public var arrayLength: Int? {
        guard let array = arguments.firstRange(of: "array[") else { return nil }
        return Int(arguments[array.upperBound...].prefix { $0 != "]" })
    }
}
