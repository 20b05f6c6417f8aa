import Desktop
import Foundation
import Greetd
import Locking
import Status
import Testing

@Suite("X-10: the words of greetd") struct GreetdTests {
    private func frame(_ json: String) -> [UInt8] { withUnsafeBytes(of: UInt32(json.utf8.count)) { Array($0) } + Array(json.utf8) }

    private func object(_ request: GreetdRequest) throws -> [String: Any] {
        let bytes = request.bytes
        #expect(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } == UInt32(bytes.count - 4))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes.dropFirst(4))) as? [String: Any])
    }

    @Test("requests are framed JSON")
    func requests() throws {
        #expect(try object(.createSession(user: "ann")) as NSDictionary == ["type": "create_session", "username": "ann"])
        #expect(try object(.answer("a\"b")) as NSDictionary == ["type": "post_auth_message_response", "response": "a\"b"])
        #expect(try object(.answer(nil)) as NSDictionary == ["type": "post_auth_message_response"])
        #expect(try object(.cancelSession) as NSDictionary == ["type": "cancel_session"])
        let start = try object(.startSession(command: ["a", "b"], environment: ["X=1"]))
        #expect(start as NSDictionary == ["type": "start_session", "cmd": ["a", "b"], "env": ["X=1"]])
    }

    @Test("answers come in pieces, and what is no answer is nonsense")
    func answers() {
        var reader = GreetdReader()
        let bytes =
            frame(#"{"type":"success"}"#) + frame(#"{"type":"auth_message","auth_message_type":"secret","auth_message":"Password: "}"#)
            + frame(#"{"type":"error","error_type":"auth_error","description":"no"}"#)
        var found: [GreetdReader.Found] = []
        for byte in bytes {
            reader.add([byte])
            let next = reader.next()
            if next != .nothing { found.append(next) }
        }
        #expect(
            found == [.reply(.success), .reply(.message(.secret, "Password: ")), .reply(.error(isAuthentication: true, "no"))])
        for json in ["", "{}", "[]", "{\"type\":\"fun\"}", "{\"type\":\"auth_message\",\"auth_message_type\":\"x\",\"auth_message\":\"\"}"]
        {
            var reader = GreetdReader()
            reader.add(frame(json)[...])
            #expect(reader.next() == .nonsense, "\(json)")
        }
        var long = GreetdReader()
        long.add(withUnsafeBytes(of: UInt32((1 << 20) + 1)) { Array($0)[...] })
        #expect(long.next() == .nonsense)
    }

    @Test("questions are asked, other messages are answered at once, and a success lets the person in")
    func talk() {
        var talk = GreetdTalk(person: "ann")
        #expect(talk.first == .createSession(user: "ann"))
        #expect(talk.hear(.message(.info, "Hello")) == [.tell(.says("Hello", isTrouble: false)), .send(.answer(nil))])
        #expect(talk.hear(.message(.error, "Oh")) == [.tell(.says("Oh", isTrouble: true)), .send(.answer(nil))])
        #expect(talk.hear(.message(.visible, "Code: ")) == [.tell(.asks("Code: ", isShown: true))])
        #expect(talk.answer(Secret("12")) == [.send(.answer("12"))])
        #expect(talk.answer(Secret("12")).isEmpty, "an answer is sent once")
        #expect(talk.hear(.message(.secret, "Password: ")) == [.tell(.asks("Password: ", isShown: false))])
        _ = talk.answer(Secret("x"))
        #expect(talk.hear(.success) == [.tell(.ends(.allowed))])
        let session = GreeterSession(id: "sway", title: "Sway", command: ["/opt/a b/sway", "--x=it's"], desktops: ["sway", "wlroots"])
        let environment = [
            "XDG_SESSION_TYPE=wayland", "XDG_CURRENT_DESKTOP=sway:wlroots", "XDG_SESSION_DESKTOP=sway", "DESKTOP_SESSION=sway",
        ]
        #expect(
            talk.start(session)
                == [.send(.startSession(command: ["'/opt/a b/sway'", "'--x=it'\\''s'"], environment: environment))])
        #expect(talk.hear(.success) == [.started])
        #expect(!talk.isOpen)
    }

    @Test("a wrong password cancels the attempt, and the screen shows no codes of greetd")
    func wrong() {
        func end(_ text: String) -> [GreetdTalk.Outcome] {
            var talk = GreetdTalk(person: "ann")
            _ = talk.hear(.message(.secret, "Password: "))
            _ = talk.answer(Secret("x"))
            return talk.hear(.error(isAuthentication: true, text))
        }
        #expect(end("pam_authenticate: AUTH_ERR") == [.cancel, .tell(.ends(.refused))])
        #expect(end("pam_acct_mgmt: ACCT_EXPIRED") == [.cancel, .tell(.ends(.closed))])
        #expect(end("pam_acct_mgmt: NEW_AUTHTOK_REQD") == [.cancel, .tell(.ends(.outdated))])
        #expect(end("Come back on Monday") == [.cancel, .tell(.says("Come back on Monday", isTrouble: true)), .tell(.ends(.refused))])
    }

    @Test("what another greeter left behind is cancelled once, and then it is an error")
    func leftBehind() {
        var talk = GreetdTalk(person: "ann")
        #expect(talk.hear(.error(isAuthentication: false, "a session is already being configured")) == [.send(.cancelSession)])
        #expect(talk.hear(.success) == [.send(.createSession(user: "ann"))])
        #expect(talk.hear(.error(isAuthentication: false, "no")) == [.cancel, .tell(.ends(.broken("greetd: no")))])
    }

    @Test("answers out of turn and a lost connection start no session")
    func lies() {
        var asked = GreetdTalk(person: "ann")
        _ = asked.hear(.message(.secret, ""))
        #expect(asked.hear(.success) == [.cancel, .tell(.ends(.broken("greetd answers out of turn")))])
        #expect(
            asked.hear(.success).isEmpty && asked.start(GreeterSession(id: "a", title: "", command: [])) == [.refused("there is no login")])
        var inside = GreetdTalk(person: "ann")
        _ = inside.hear(.success)
        #expect(inside.breakOff("gone") == [.cancel, .refused("gone")])
    }

    @Test("the numbers of people's accounts come from login.defs")
    func range() {
        #expect(Accounts.range(definitions: "# UID_MIN 5\nUID_MIN\t\t 500\nUID_MAX 700 # x\n") == 500...700)
        #expect(Accounts.range(definitions: "") == 1000...60_000)
        #expect(Accounts.range(definitions: "UID_MIN 9\nUID_MAX 3\n") == 1000...60_000)
    }

    @Test("sessions of the machine: hidden ones, ones without a program and bad files are left out, the last two with a word")
    func sessions() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-sessions-\(UInt32.random(in: 0 ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ name: String, _ rest: String, in data: String = "a/wayland-sessions") throws {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(data)", withIntermediateDirectories: true)
            try "[Desktop Entry]\n\(rest)\n".write(
                toFile: "\(folder)/\(data)/\(name)", atomically: false, encoding: .utf8)
        }
        try write("sway.desktop", "Type=Application\nName=Sway\nExec=sh -c \"exec sway\"\nDesktopNames=sway;wlroots;")
        try write("sway.desktop", "Name=Other Sway\nExec=sh", in: "b/wayland-sessions")
        try write("none.desktop", "Name=None\nExec=sh\nNoDisplay=true")
        try write("deleted.desktop", "Name=Deleted\nExec=sh\nHidden=true")
        try write("away.desktop", "Name=Away\nExec=sh\nTryExec=mullion-is-not-there")
        try write("gone.desktop", "Name=Gone\nExec=/nowhere/session")
        try write("bad.desktop", "Exec=sh")
        try write("notes.txt", "Name=No\nExec=sh")
        var faults: [String] = []
        let environment = ["XDG_DATA_DIRS": "\(folder)/a:\(folder)/b", "PATH": "/usr/bin:/bin", "XDG_DATA_HOME": "\(folder)/c"]
        let all = Sessions.all(environment: environment, own: ["own"]) { path, _ in faults.append(String(path.split(separator: "/").last!))
        }
        #expect(all == [GreeterSession(id: "sway", title: "Sway", command: ["sh", "-c", "exec sway"], desktops: ["sway", "wlroots"])])
        #expect(faults.sorted() == ["bad.desktop", "gone.desktop"])
        let none = Sessions.all(environment: ["XDG_DATA_DIRS": "\(folder)/empty"], own: ["own"]) { _, _ in }
        #expect(none == [GreeterSession(id: "mullion", title: "Mullion", command: ["own"], desktops: ["Mullion"])])

        // X11: below those of Wayland with the same id, and only where something starts the server.
        try write("sway.desktop", "Name=Sway of old\nExec=sh", in: "x/xsessions")
        try write("twm.desktop", "Type=XSession\nName=Sway\nExec=sh", in: "x/xsessions")
        try write("xfce.desktop", "Name=Xfce\nExec=sh --first", in: "x/xsessions")
        let startx = "\(folder)/bin/startx"
        let old = ["XDG_DATA_DIRS": "\(folder)/a:\(folder)/x", "PATH": "\(folder)/bin:/usr/bin:/bin"]
        faults = []
        #expect(Sessions.all(environment: old, own: []) { path, why in faults.append(why) }.map(\.id) == ["sway"])
        #expect(faults.filter { $0.contains("startx") }.count == 2)
        try FileManager.default.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
        try "#!/bin/sh\n".write(toFile: startx, atomically: false, encoding: .utf8)
        chmod(startx, 0o755)
        let both = Sessions.all(environment: old, own: []) { _, _ in }
        #expect(both.map(\.title) == ["Sway", "Sway (X11)", "Xfce"] && both.map(\.type) == [.wayland, .x11, .x11])
        let xsession = "/etc/X11/Xsession"
        #expect(both[1].command == [startx, access(xsession, X_OK) == 0 ? xsession : "/usr/bin/env", "sh"])
        #expect(both[2].command == [startx, "/usr/bin/env", "sh", "--first"])
        #expect(both[2].environment.first == "XDG_SESSION_TYPE=x11")
    }
}
