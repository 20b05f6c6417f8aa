/// Decides about requests. Only a client that knows the secret and uses a local host name gets the screen and its
/// page.
struct Door {
    enum Answer: Equatable {
        /// The screen as VNC over WebSocket. `key`: from the handshake; `isNamed`: the client asks for its
        /// subprotocol.
        case screen(key: String, isNamed: Bool)
        /// The page that shows the screen (`ScreenPage`).
        case screenPage
        /// A file below noVNC's folder.
        case page(String)
        /// A redirect to the page.
        case entrance(String)
        case refusal(status: String, why: String)
    }

    static let page = "screen.html"
    /// The path of the WebSocket.
    static let screen = "websockify"

    /// The required first component of each path.
    let secret: String

    func answer(to head: RequestHead) -> Answer {
        guard let host = head.only("host"), Door.isOurs(host) else {
            return .refusal(status: "403 Forbidden", why: "This page is here by the names 127.0.0.1 and localhost alone.")
        }
        // A browser sends the origin of the page. Other clients send none.
        if head.fields["origin"] != nil, head.only("origin")?.lowercased() != "http://\(host.lowercased())" {
            return .refusal(status: "403 Forbidden", why: "No other page may ask for this.")
        }
        let path = head.target.prefix { $0 != "?" }
        let parts = path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let said = parts.first, Door.isSame(said, secret) else {
            return .refusal(status: "403 Forbidden", why: "The address is not the one that Mullion printed when it started.")
        }
        guard head.method == "GET" else { return .refusal(status: "405 Method Not Allowed", why: "Only GET is answered.") }
        let rest = parts.count > 1 ? parts[1] : ""
        if rest.isEmpty { return .entrance("/\(secret)/\(Door.page)") }
        if rest == Door.screen { return handshake(head) }
        if rest == Door.page { return .screenPage }
        guard Door.isPlain(rest) else { return .refusal(status: "404 Not Found", why: "There is no such file.") }
        return .page(String(rest))
    }

    private func handshake(_ head: RequestHead) -> Answer {
        guard head.names("websocket", in: "upgrade"), head.names("upgrade", in: "connection"),
            head.only("sec-websocket-version") == "13", let key = head.only("sec-websocket-key"), key.utf8.count == 24
        else { return .refusal(status: "400 Bad Request", why: "This is for WebSockets of version 13.") }
        return .screen(key: key, isNamed: head.names("binary", in: "sec-websocket-protocol"))
    }

    /// Whether a host name is local, so that a web page cannot use its own name that resolves to 127.0.0.1. The port
    /// may differ, because ssh forwards it.
    private static func isOurs(_ host: String) -> Bool {
        let host = host.lowercased()
        for name in ["127.0.0.1", "localhost", "[::1]"] where host.hasPrefix(name) {
            let port = host.dropFirst(name.count)
            if port.isEmpty || (port.first == ":" && port.count > 1 && port.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }) {
                return true
            }
        }
        return false
    }

    /// Compares in constant time, so that the duration reveals nothing about the secret.
    static func isSame(_ said: some StringProtocol, _ secret: String) -> Bool {
        let a = Array(said.utf8), b = Array(secret.utf8)
        guard a.count == b.count else { return false }
        var difference: UInt8 = 0
        for index in b.indices { difference |= a[index] ^ b[index] }
        return difference == 0 && !b.isEmpty
    }

    /// Whether no component of the path leads upwards or is hidden.
    private static func isPlain(_ path: Substring) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && !part.hasPrefix(".")
                && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_" || $0 == "-") }
        }
    }
}
