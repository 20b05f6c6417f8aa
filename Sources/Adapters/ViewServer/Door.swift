/// Decides what a request gets: the screen and its page are for who knows the secret, and comes by this machine's own name.
struct Door {
    enum Answer: Equatable {
        /// The screen as VNC in a WebSocket. `key`: of the handshake; `isNamed`: it wants its subprotocol named.
        case screen(key: String, isNamed: Bool)
        /// A file below the folder of the page.
        case page(String)
        /// On to the page.
        case entrance(String)
        case refusal(status: String, why: String)
    }

    static let page = "vnc_lite.html"
    /// Where the page finds the screen.
    static let screen = "websockify"

    /// What the first part of each path has to be.
    let secret: String

    func answer(to head: RequestHead) -> Answer {
        guard let host = head.only("host"), Door.isOurs(host) else {
            return .refusal(status: "403 Forbidden", why: "This page is here by the names 127.0.0.1 and localhost alone.")
        }
        // A browser says which page asks; what is no browser says nothing.
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
        if rest.isEmpty { return .entrance("/\(secret)/\(Door.page)?scale=true&path=\(secret)/\(Door.screen)") }
        if rest == Door.screen { return handshake(head) }
        guard Door.isPlain(rest) else { return .refusal(status: "404 Not Found", why: "There is no such file.") }
        return .page(String(rest))
    }

    private func handshake(_ head: RequestHead) -> Answer {
        guard head.names("websocket", in: "upgrade"), head.names("upgrade", in: "connection"),
            head.only("sec-websocket-version") == "13", let key = head.only("sec-websocket-key"), key.utf8.count == 24
        else { return .refusal(status: "400 Bad Request", why: "This is for WebSockets of version 13.") }
        return .screen(key: key, isNamed: head.names("binary", in: "sec-websocket-protocol"))
    }

    /// A name that only this machine has, so that no web page comes by a name of its own that it lets mean 127.0.0.1. The
    /// port may be another, because ssh forwards it.
    private static func isOurs(_ host: String) -> Bool {
        let host = host.lowercased()
        for name in ["127.0.0.1", "localhost", "[::1]"] where host.hasPrefix(name) {
            let port = host.dropFirst(name.count)
            if port.isEmpty || (port.first == ":" && port.count > 1 && port.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }) { return true }
        }
        return false
    }

    /// Takes as long wherever they differ, so that the time tells nothing of the secret.
    static func isSame(_ said: some StringProtocol, _ secret: String) -> Bool {
        let a = Array(said.utf8), b = Array(secret.utf8)
        guard a.count == b.count else { return false }
        var difference: UInt8 = 0
        for index in b.indices { difference |= a[index] ^ b[index] }
        return difference == 0 && !b.isEmpty
    }

    /// Names with slashes between them, none of which leads upwards or is hidden.
    private static func isPlain(_ path: Substring) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && !part.hasPrefix(".")
                && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_" || $0 == "-") }
        }
    }
}
