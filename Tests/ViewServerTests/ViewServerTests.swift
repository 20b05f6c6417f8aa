import Testing

@testable import ViewServer

private let secret = "0123456789abcdef0123456789abcdef"

private func head(_ lines: String...) -> [UInt8] { Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) }

@Suite struct RequestHeadTests {
    @Test func aHeadIsRead() throws {
        let bytes = head("GET /a?b HTTP/1.1", "Host: localhost:80", "Accept:\t a, b \t", "accept: c", "Empty:")
        #expect(RequestHead.length(in: bytes + [1, 2, 3]) == bytes.count)
        let read = try #require(RequestHead(bytes))
        #expect(read.method == "GET" && read.target == "/a?b")
        #expect(read.only("host") == "localhost:80" && read.only("accept") == nil && read.only("none") == nil)
        #expect(read.fields["accept"] == ["a, b", "c"] && read.fields["empty"] == [""])
        #expect(read.names("b", in: "accept") && !read.names("a,", in: "accept"))
    }

    @Test func theEndIsFoundWhereverItComes() {
        for count in 0..<4 { #expect(RequestHead.length(in: Array("x\r\n\r\n".utf8).prefix(1 + count)) == nil) }
        #expect(RequestHead.length(in: Array("\r\r\n\r\n".utf8)) == 5)
        #expect(RequestHead.length(in: Array("a\r\n\r\r\n\r\n".utf8)) == 8)
        #expect(RequestHead.length(in: Array("a\n\n".utf8)) == nil)
    }

    @Test(arguments: [
        "GET / HTTP/1.0", "GET  / HTTP/1.1", "GET http://localhost/ HTTP/1.1", "GET /", "", "GET / HTTP/1.1\nHost: a",
        "GET / HTTP/1.1\r\n folded: a",
        "GET / HTTP/1.1\r\nHost : a", "GET / HTTP/1.1\r\n: a", "GET / HTTP/1.1\r\nHost", "GET / HTTP/1.1\r\nHost: ä",
        "GET / HTTP/1.1\r\nA: \0",
        "GET / HTTP/1.1\r\nA: b\rc: d",
    ]) func whatIsNoHeadIsRefused(text: String) {
        #expect(RequestHead(Array((text + "\r\n\r\n").utf8)) == nil)
    }
}

@Suite struct DoorTests {
    private let door = Door(secret: secret)

    private func answer(_ path: String, method: String = "GET", host: String = "127.0.0.1:6080", _ more: String...) throws -> Door.Answer {
        door.answer(
            to: try #require(
                RequestHead(
                    Array(
                        (["\(method) \(path) HTTP/1.1", "Host: \(host)"] + more + ["", ""]).joined(separator: "\r\n").utf8))))
    }

    private func status(_ answer: Door.Answer) -> String {
        guard case .refusal(let status, _) = answer else { return "let in" }
        return String(status.prefix(3))
    }

    private static let handshake = [
        "Connection: keep-alive, Upgrade", "Upgrade: WebSocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]

    @Test func theSecretOpens() throws {
        #expect(try answer("/\(secret)/core/rfb.js") == .page("core/rfb.js"))
        for path in ["/\(secret)", "/\(secret)/", "/\(secret)/?x"] {
            #expect(try answer(path) == .entrance("/\(secret)/screen.html"))
        }
        let screen = try answer(
            "/\(secret)/websockify", Self.handshake[0], Self.handshake[1], Self.handshake[2], Self.handshake[3],
            "Sec-WebSocket-Protocol: binary")
        #expect(screen == .screen(key: "dGhlIHNhbXBsZSBub25jZQ==", isNamed: true))
        for left in 0..<4 {
            var words = Self.handshake
            words.remove(at: left)
            #expect(status(try answer("/\(secret)/websockify", words[0], words[1], words[2])) == "400")
        }
    }

    @Test(arguments: [
        "/", "//", "/websockify", "/\(secret.dropLast())/", "/\(secret)0/", "/\(secret.uppercased())/", "/?\(secret)", "//\(secret)/",
        "/x/\(secret)/", "/0\(secret.dropFirst(2))0/",
    ]) func nothingElseDoes(path: String) throws { #expect(status(try answer(path)) == "403") }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.0.0.1:1", true), ("LocalHost:7000", true), ("[::1]:80", true), ("localhost", true),
        ("evil.example", false),
        ("localhost.evil.example", false), ("127.0.0.1.evil.example", false), ("localhost:", false), ("localhost:80a", false), ("", false),
        ("127.0.0.2", false),
    ]) func onlyThisMachinesNamesCount(host: String, isOurs: Bool) throws {
        #expect(status(try answer("/\(secret)/", host: host)) == (isOurs ? "let in" : "403"))
    }

    @Test(arguments: [
        ("http://127.0.0.1:6080", true), ("HTTP://127.0.0.1:6080", true), ("http://127.0.0.1:6081", false),
        ("https://127.0.0.1:6080", false),
        ("http://localhost:6080", false), ("http://evil.example", false), ("null", false), ("", false),
    ]) func onlyItsOwnPageMayAsk(origin: String, may: Bool) throws {
        #expect(status(try answer("/\(secret)/", "Origin: \(origin)")) == (may ? "let in" : "403"))
    }

    @Test(arguments: ["..", "../a", "a/../b", "a//b", ".hidden", "a/.hidden", "%2e%2e/a", "a b", "a\\b", "a;b", "a/"])
    func pathsLeadDownwards(path: String) {
        #expect(
            ["404", "400"].contains(
                RequestHead(head("GET /\(secret)/\(path) HTTP/1.1", "Host: localhost")).map { status(door.answer(to: $0)) } ?? "400"))
    }

    @Test func onlyGETAndOneHost() throws {
        #expect(status(try answer("/\(secret)/", method: "POST")) == "405")
        #expect(status(try answer("/\(secret)/", "Host: evil.example")) == "403")
        #expect(status(Door(secret: "").answer(to: try #require(RequestHead(head("GET // HTTP/1.1", "Host: localhost"))))) == "403")
    }
}

@Suite struct WebSocketTests {
    @Test("the example of RFC 6455") func handshake() {
        #expect(WebSocket.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func framesSayTheirLength() {
        #expect(WebSocket.data([1, 2]) == [0x82, 2, 1, 2])
        #expect(Array(WebSocket.data([UInt8](repeating: 7, count: 126)).prefix(5)) == [0x82, 126, 0, 126, 7])
        #expect(Array(WebSocket.data([UInt8](repeating: 7, count: 65536)).prefix(11)) == [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0, 7])
        #expect(WebSocket.close(1000) == [0x88, 2, 3, 232])
    }

    private static func masked(_ first: UInt8, _ payload: [UInt8], length: [UInt8]? = nil) -> [UInt8] {
        let mask: [UInt8] = [9, 8, 7, 6]
        return [first] + (length ?? [0x80 | UInt8(payload.count)]) + mask + payload.indices.map { payload[$0] ^ mask[$0 % 4] }
    }

    /// In pieces of every length.
    @Test(arguments: 1...40) func framesComeInPieces(step: Int) throws {
        let long = (0..<300).map { UInt8($0 % 251) }
        let stream =
            Self.masked(0x82, [1, 2, 3, 4, 5]) + Self.masked(0x02, [6]) + Self.masked(0x89, [42]) + Self.masked(0x80, [7, 8])
            + Self.masked(0x82, long, length: [0x80 | 126, 1, 44]) + Self.masked(0x82, []) + Self.masked(0x8a, [])
            + Self.masked(0x88, [3, 232])
        var reader = WebSocket.Reader(), data: [UInt8] = [], others: [WebSocket.Reader.Piece] = []
        for start in stride(from: 0, to: stream.count, by: step) {
            for piece in try reader.take(stream[start..<min(start + step, stream.count)]) {
                if case .data(let bytes) = piece { data += bytes } else { others.append(piece) }
            }
        }
        #expect(data == [1, 2, 3, 4, 5, 6, 7, 8] + long)
        #expect(others == [.ping([42]), .close])
    }

    @Test(
        arguments: [
            [0x82, 2, 1, 2], masked(0xc2, []), masked(0x81, [1]), masked(0x83, []), masked(0x80, []), masked(0x09, []),
            masked(0x02, []) + masked(0x82, []),
            masked(0x89, [], length: [0xfe, 0, 126]), masked(0x82, [], length: [0xff, 0x80, 0, 0, 0, 0, 0, 0, 0]), [0x8b, 0x80],
        ] as [[UInt8]]) func faultsAreSeen(bytes: [UInt8])
    {
        var reader = WebSocket.Reader()
        #expect(throws: WebSocket.Reader.Fault.self) { try reader.take(bytes) }
    }

    @Test func aFrameOfAnyLengthTakesNoMemory() throws {
        var reader = WebSocket.Reader()
        #expect(try reader.take([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]).isEmpty)
        #expect(try reader.take([1, 2]) == [.data([1, 2])])
    }
}

@Suite struct HeldInputTests {
    private static let greeting = Array("RFB 003.008\n".utf8) + [1, 1]

    private static func key(_ symbol: UInt8, _ isDown: Bool) -> [UInt8] { [4, isDown ? 1 : 0, 0, 0, 0, 0, 0, symbol] }

    private static func pointer(_ buttons: UInt8, _ x: UInt8, _ y: UInt8) -> [UInt8] { [5, buttons, 0, x, 0, y] }

    /// The messages of a viewer, with lists and texts of its own that look like keys.
    private static let talk: [UInt8] = {
        let parts: [[UInt8]] = [
            greeting, [UInt8](repeating: 0, count: 20), [2, 0, 0, 2], key(1, true), [3, 1], [UInt8](repeating: 4, count: 8), key(65, true),
            pointer(1, 10, 20),
            [6, 0, 0, 0, 0, 0, 0, 9], key(2, true), [4], [6, 0, 0, 0, 255, 255, 255, 248], key(3, true), [150, 1], pointer(2, 1, 1),
            [5, 3],
            [248, 0, 0, 0, 0, 0, 0, 0, 3, 4, 1, 4], [250, 0, 1, 2], [251, 0, 0, 9, 0, 9, 1, 0], [UInt8](repeating: 4, count: 16),
            [255, 0, 0, 1, 0, 0, 0, 66, 0, 0, 0, 48], [255, 1, 0, 0], [255, 1, 0, 2, 4, 1, 0, 0, 0, 4], key(67, true), key(67, false),
            pointer(5, 7, 8),
        ]
        return parts.flatMap(\.self)
    }()

    private static let releases: [UInt8] = [[255, 0, 0, 0, 0, 0, 0, 66, 0, 0, 0, 48], key(65, false), pointer(0, 7, 8)].flatMap(\.self)

    /// In pieces of every length.
    @Test(arguments: 1...40) func whatIsDownIsReleased(step: Int) {
        var held = HeldInput(), passed: [UInt8] = []
        for start in stride(from: 0, to: Self.talk.count, by: step) {
            passed += held.take(Self.talk[start..<min(start + step, Self.talk.count)])
        }
        #expect(passed == Self.talk)
        #expect(held.release() == Self.releases)
        #expect(held.release().isEmpty, "they are up now")
    }

    @Test func aMessageThatIsCutIsNotSent() {
        for length in 1..<8 {
            var held = HeldInput()
            #expect(held.take(Self.greeting + Self.key(65, true) + Self.key(66, true).prefix(length)) == Self.greeting + Self.key(65, true))
            #expect(held.release() == Self.key(65, false))
        }
    }

    @Test func aTextThatIsCutLeavesNoPlaceForReleases() {
        var held = HeldInput()
        let text = Self.greeting + Self.key(65, true) + [6, 0, 0, 0, 0, 0, 0, 4, 1, 2, 3]
        #expect(held.take(text) == text)
        #expect(held.release().isEmpty)
        #expect(held.take([4]) == [4] && held.release() == Self.key(65, false))
    }

    @Test func whatIsNotUnderstoodPassesAndReleasesNothing() {
        let version = Array("RFB 003.008\n".utf8), other = Array("GET / HTTP/1.1\r\n\r\n".utf8), down = Self.key(65, true)
        let unknown: [UInt8] = Self.greeting + down + [77] + down, password: [UInt8] = version + [2] + down, foreign: [UInt8] = other + down
        for bytes in [unknown, password, foreign] {
            var held = HeldInput()
            #expect(held.take(bytes) == bytes)
            #expect(held.release().isEmpty)
        }
    }

    @Test func nothingIsDownAtFirst() {
        var held = HeldInput()
        #expect(held.release().isEmpty)
        _ = held.take(Self.greeting + Self.pointer(1, 1, 1) + Self.pointer(0, 2, 2))
        #expect(held.release().isEmpty)
        var old = HeldInput()
        _ = old.take(Array("RFB 003.003\n".utf8) + [1] + Self.key(65, true))
        #expect(old.release() == Self.key(65, false), "the first version has no byte for security")
    }
}
