/// One message between an app and the shell, as the app's libwayland prints it where `WAYLAND_DEBUG` is set.
///
/// Debian 12 has libwayland 1.21, Debian 13 has 1.23, which names the queue first and writes # for @:
///
///     [ 341.592]  -> wl_surface@3.attach(wl_buffer@17, 0, 0)
///     [ 341.592] {Default Queue}  -> wl_surface#3.attach(wl_buffer#17, 0, 0)
///
/// Later versions may put the thread before the queue (`TID#1234: `).
public struct ProtocolMessage: Equatable, Sendable {
    /// As in `wl_touch`.
    public var interface: String
    public var object: UInt32
    /// As in `down`.
    public var name: String
    /// What stands between the brackets.
    public var arguments: String
    /// The app sends it; otherwise it is an event, which the app is told.
    public var isRequest: Bool
    /// It reached the app's library and went no further: nothing in the app listens, or the object is gone.
    public var isDiscarded: Bool

    /// Nil for what is no whole message: the app's own words, or a line that is still being written.
    public init?(line: some StringProtocol) {
        guard line.first == "[", line.last == ")", let stamp = line.firstIndex(of: "]") else { return nil }
        var rest = Substring(line[line.index(after: stamp)...]).drop { $0 == " " }
        if rest.hasPrefix("TID#") { rest = rest.drop { $0 != " " }.drop { $0 == " " } }
        // The name of a queue is free text.
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

    /// What the app was told, in its order. Lines that are no messages are passed over.
    public static func events(in trace: String) -> [ProtocolMessage] {
        trace.split(whereSeparator: \.isNewline).compactMap { ProtocolMessage(line: $0) }.filter { !$0.isRequest }
    }

    /// The length of its first array in bytes: of arrays, libwayland prints nothing else.
    public var arrayLength: Int? {
        guard let array = arguments.firstRange(of: "array[") else { return nil }
        return Int(arguments[array.upperBound...].prefix { $0 != "]" })
    }
}
