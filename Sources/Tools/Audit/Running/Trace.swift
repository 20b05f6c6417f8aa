/// One message between an app and the shell, as the app's libwayland prints it with `WAYLAND_DEBUG=client`.
///
///     [ 341.592]  -> wl_surface@3.attach(wl_buffer@17, 0, 0)
///     [ 341.592] {Default Queue}  -> wl_surface#3.attach(wl_buffer#17, 0, 0)
struct TraceLine: Hashable {
    var interface: Substring
    var object: Substring
    var name: Substring
    var arguments: Substring
    /// Whether the app sent it.
    var isRequest: Bool

    /// nil for anything else that the app prints.
    init?(_ line: Substring) {
        guard line.first == "[", line.last == ")", let stamp = line.firstIndex(of: "]") else { return nil }
        guard let open = line[stamp...].firstIndex(of: "("), let dot = line[stamp..<open].lastIndex(of: ".") else { return nil }
        guard let mark = line[stamp..<dot].lastIndex(where: { $0 == "@" || $0 == "#" }) else { return nil }
        let before = line[stamp..<mark]
        let start = before.lastIndex(of: " ").map { line.index(after: $0) } ?? before.startIndex
        interface = line[start..<mark]
        object = line[line.index(after: mark)..<dot]
        name = line[line.index(after: dot)..<open]
        arguments = line[line.index(after: open)...].dropLast()
        isRequest = before.contains("-> ")
        guard !interface.isEmpty, !object.isEmpty, object.allSatisfy(\.isNumber), interface != "]" else { return nil }
    }
}

/// The messages of a span of time.
struct Trace {
    var lines: [TraceLine]

    init(lines: [TraceLine] = []) { self.lines = lines }

    init(text: String) { lines = text.split(whereSeparator: \.isNewline).compactMap { TraceLine($0) } }

    func count(_ interface: String, _ name: String) -> Int {
        lines.reduce(0) { $0 + ($1.interface == interface && $1.name == name ? 1 : 0) }
    }

    var commits: Int { count("wl_surface", "commit") }

    /// The words of the protocol error that ended a connection, if any.
    var protocolError: String? {
        lines.last { !$0.isRequest && $0.interface == "wl_display" && $0.name == "error" }.map { String($0.arguments) }
    }

    /// Pings of the shell that have no answer.
    var unansweredPings: Int { max(0, count("xdg_wm_base", "ping") - count("xdg_wm_base", "pong")) }
}
