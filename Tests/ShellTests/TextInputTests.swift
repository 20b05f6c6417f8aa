import Control
import Geometry
import Glibc
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

/// `Tests/Clients/textfield.py`: a window with text fields, or an input method that types into them.
private final class TextClient {
    let shell: ShellUnderTest
    private let files: String
    private(set) var process: Int32 = 0
    private(set) var id = WindowID(0)

    private init(_ shell: ShellUnderTest) {
        self.shell = shell
        files = "\(shell.room)/text-\(UInt32.random(in: 0...UInt32.max))"
        mkfifo("\(files).commands", 0o600)
    }

    private func command(_ arguments: [String]) -> [String] {
        ["python3", "\(TestClient.folder)/textfield.py", "--log", "\(files).log", "--commands", "\(files).commands"] + arguments
    }

    /// A window with fields, launched by the shell, shown and at rest. Its first field is enabled when it gets the focus.
    static func window(_ shell: ShellUnderTest, fields: Int = 1, to destination: Destination? = nil) throws -> TextClient {
        let client = TextClient(shell)
        let window = try shell.open(client.command(["--fields", "\(fields)"]), to: destination)
        client.id = window.id
        client.process = window.pid ?? 0
        try client.rest()
        return client
    }

    /// The input method, ready.
    static func method(_ shell: ShellUnderTest) throws -> TextClient {
        let client = TextClient(shell)
        client.process = try shell.start(client.command(["--method"])).process
        try shell.wait("the input method", within: 20) { client.listens }
        try client.rest()
        return client
    }

    private var listens: Bool {
        let fd = open("\(files).commands", O_WRONLY | O_NONBLOCK)
        if fd >= 0 { close(fd) }
        return fd >= 0
    }

    func tell(_ command: String) throws {
        let fd = open("\(files).commands", O_WRONLY | O_NONBLOCK)
        guard fd >= 0 else { throw ShellUnderTest.Failure("the client does not listen: \(String(cString: strerror(errno)))") }
        defer { close(fd) }
        let line = Array("\(command)\n".utf8)
        guard write(fd, line, line.count) == line.count else { throw ShellUnderTest.Failure("the client does not listen") }
    }

    /// Waits until it has received everything that the shell has sent so far.
    func rest() throws {
        let words = "\(UInt32.random(in: 0...UInt32.max))"
        try tell("sync \(words)")
        try shell.wait("an answer of the client", within: 20) {
            try events("client.synced").contains { $0.a == .array([.string(words)]) }
        }
    }

    /// Sends a command, and waits until both sides are done.
    func perform(_ command: String, then others: TextClient...) throws {
        try tell(command)
        try rest()
        for other in others + others.reversed() + [self] { try other.rest() }
    }

    func kill() throws {
        Glibc.kill(process, SIGKILL)
        try shell.wait("its end") { !listens }
        try shell.settle()
    }

    func events(_ names: String...) throws -> [TestClient.LoggedEvent] {
        let lines = shell.text(of: "\(files).log").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return try lines.map { try JSON(parsing: Array($0.utf8)).decoded(as: TestClient.LoggedEvent.self) }
            .filter { names.isEmpty || names.contains($0.name) }
    }

    /// A field's text and preedit: "text|preedit".
    func text(_ field: Int = 0) throws -> String {
        let last = try events("field.text").last { $0.o == "field#\(field)" }
        return (last?.a.array ?? []).compactMap { if case .string(let text) = $0 { text } else { nil } }.joined(separator: "|")
    }

    /// The input method's state: the last of activate and deactivate.
    var isActive: Bool {
        get throws { try events("zwp_input_method_v2.activate", "zwp_input_method_v2.deactivate").last?.e == "activate" }
    }

    func wait(_ what: String, until condition: () throws -> Bool) throws { try shell.wait(what, within: 10, until: condition) }
}

extension RunningShell {
    /// Rules: an on-screen keyboard and other input methods reach the text fields of apps.
    @Suite(.serialized) struct TextInputTests {
        private static let config = "launch = []\nreduced-motion = true\n"

        @Test func aFieldGetsWhatIsTyped() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let method = try TextClient.method(shell)
                #expect(try !method.isActive)
                let app = try TextClient.window(shell)
                try method.wait("the field at the input method") { try method.isActive }
                try method.perform("commit hello", then: app)
                #expect(try app.text() == "hello|")
                try method.perform("preedit wörld", then: app)
                #expect(try app.text() == "hello|wörld")
                try method.perform("commit ", then: app)
                #expect(try app.text() == "hello|")
                try method.perform("delete 2 0", then: app)
                #expect(try app.text() == "hel|")
                // Typed faster than the app answers: nothing is lost.
                try method.perform("both p", then: app)
                #expect(try app.text() == "helpp|")
                let told = try method.events("zwp_input_method_v2.surrounding_text").last
                #expect(told?.a == .array([.string("helpp"), .integer(5), .integer(5)]))
                try app.perform("disable 0", then: method)
                #expect(try !method.isActive)
                try method.perform("commit nowhere", then: app)
                #expect(try app.text() == "helpp|")
            }
        }

        /// An app that does not read for a moment must not be disconnected because somebody types, and then shows what is composed.
        @Test func anAppThatDoesNotReadSurvivesWhatIsTyped_P06() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let method = try TextClient.method(shell), app = try TextClient.window(shell)
                try method.wait("the field at the input method") { try method.isActive }
                try method.perform("preedit before", then: app)
                Glibc.kill(app.process, SIGSTOP)
                defer { Glibc.kill(app.process, SIGCONT) }
                for _ in 0..<4 {
                    try method.tell("pour 2000 1000")
                    try method.rest()
                }
                try method.tell("preedit now")
                try method.rest()
                Glibc.kill(app.process, SIGCONT)
                try app.wait("what is composed") { try app.text().hasSuffix("|now") }
                try method.perform("commit end", then: app)
                #expect(try app.text().hasSuffix("yend|"))
            }
        }

        /// Each commit of a field goes to the input method with up to 4 KiB of text. It must not be disconnected
        /// because it cannot read that fast.
        @Test func aFieldThatNeverStopsEndsNoInputMethod() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let method = try TextClient.method(shell), app = try TextClient.window(shell)
                try method.wait("the field at the input method") { try method.isActive }
                for count in [450, 5000] {
                    try app.tell("flood 0 \(count) after\(count)")
                    try method.wait("the last of it") {
                        try method.events("zwp_input_method_v2.surrounding_text").last?.a[0]?.string == ("after\(count)")
                    }
                    #expect(try method.events("zwp_input_method_v2.done").count < count)
                }
                #expect(try method.isActive)
                try method.perform("commit Still here", then: app)
                #expect(try app.text() == "after5000Still here|")
            }
        }

        @Test func anInputMethodThatComesLaterFindsTheField() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let app = try TextClient.window(shell)
                #expect(try app.events("zwp_text_input_v3.enter").isEmpty)
                let method = try TextClient.method(shell)
                try method.wait("the field at the input method") { try method.isActive }
                try method.perform("commit late", then: app)
                #expect(try app.text() == "late|")
            }
        }

        @Test func theFocusTakesItAlong() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let method = try TextClient.method(shell)
                let a = try TextClient.window(shell), b = try TextClient.window(shell, to: .splitView(.right))
                try method.wait("the field at the input method") { try method.isActive }
                try method.perform("preedit half", then: b)
                #expect(try b.text() == "|half")
                try shell.perform(.focus(window: a.id))
                try a.perform("sync now", then: method, b)
                #expect(try b.events("zwp_text_input_v3.leave").count == 1)
                try method.perform("commit one", then: a, b)
                #expect(try a.text() == "one|")
                #expect(try b.text() == "half|", "what was composed stays where a person saw it")
                // A commit from before the change of focus does not reach the other field.
                let before = try method.events("zwp_input_method_v2.deactivate").count
                try shell.perform(.focus(window: b.id))
                try method.wait("the change") { try method.events("zwp_input_method_v2.deactivate").count > before }
                try method.perform("late secret", then: a, b)
                #expect(try !b.text().contains("secret"))
                #expect(try !a.text().contains("secret"))
            }
        }

        enum Way: CaseIterable { case otherWindow, home, controlCentre, search, finger, pointer, endOfMethod }

        /// Input methods for Korean, Japanese and Chinese compose what a person sees in the field already.
        @Test(
            "X-02: what is composed stays in its field, once, when a person or the shell moves the focus or the caret",
            arguments: Way.allCases)
        func whatIsComposedStays(way: Way) throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let method = try TextClient.method(shell), other = try TextClient.window(shell), app = try TextClient.window(shell)
                try method.wait("the field at the input method") { try method.isActive }
                try method.perform("commit 안녕하", then: app)
                try method.perform("preedit 세", then: app)
                #expect(try app.text() == "안녕하|세")
                let ended = try method.events("zwp_input_method_v2.deactivate").count
                switch way {
                case .otherWindow: try shell.perform(.focus(window: other.id))
                case .home: try shell.perform(.home)
                case .controlCentre: try shell.perform(.controlCentre)
                case .search: try shell.perform(.search(text: "a"))
                case .finger: try shell.tap(Point(300, 400))
                case .pointer: try shell.click(Point(300, 400))
                case .endOfMethod: try method.kill()
                }
                try app.wait("the syllable") { try app.text() == "안녕하세|" }
                guard way != .endOfMethod else { return }
                try method.wait("the end of the composition") { try method.events("zwp_input_method_v2.deactivate").count == ended + 1 }
                // An input method types what it has when it hears of the end.
                try method.perform("ended 세", then: app, other)
                #expect(try app.text() == "안녕하세|" && !other.text().contains("세"))
                guard way == .finger || way == .pointer else { return }
                #expect(try method.isActive, "in the same field it goes on")
                try method.perform("commit 요", then: app)
                #expect(try app.text() == "안녕하세요|")
            }
        }

        @Test func oneFieldAtATime() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let method = try TextClient.method(shell)
                let app = try TextClient.window(shell, fields: 2)
                try method.wait("the field at the input method") { try method.isActive }
                try app.perform("enable 1", then: method)
                try method.perform("commit first", then: app)
                #expect(try [app.text(0), app.text(1)] == ["first|", ""])
                try app.perform("disable 0", then: method)
                #expect(try !method.isActive)
                try app.perform("enable 1", then: method)
                try method.perform("commit second", then: app)
                #expect(try [app.text(0), app.text(1)] == ["first|", "second|"])
                try app.perform("destroy 1", then: method)
                #expect(try !method.isActive)
            }
        }

        @Test func eitherSideMayDie() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let method = try TextClient.method(shell)
                let other = try TextClient.window(shell)
                let app = try TextClient.window(shell)
                try method.perform("preedit dying", then: app)
                #expect(try app.text() == "|dying")
                try app.kill()
                // The other window has the focus, and gets the text. The input method may not have heard of the death yet.
                try other.wait("the focus") { try other.events("zwp_text_input_v3.enter", "zwp_text_input_v3.leave").last?.e == "enter" }
                try method.wait("the other field") { try method.isActive }
                try method.perform("commit alive", then: other)
                #expect(try other.text() == "alive|")
                try method.perform("preedit x", then: other)
                try method.kill()
                try other.wait("the end of the input method") {
                    try other.events("zwp_text_input_v3.enter", "zwp_text_input_v3.leave").last?.e == "leave"
                }
                let second = try TextClient.method(shell)
                try second.wait("the field at the input method") { try second.isActive }
                try second.perform("commit again", then: other)
                #expect(try other.text() == "alivexagain|")
            }
        }

        @Test func aSecondInputMethodIsRefused() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let method = try TextClient.method(shell), second = try TextClient.method(shell)
                #expect(try second.events("zwp_input_method_v2.unavailable").count == 1)
                #expect(try method.events("zwp_input_method_v2.unavailable").isEmpty)
                // A person reads why it does nothing.
                try shell.waitForLog("gets no text: python3 has the text fields")
                try shell.perform(.controlCentre)
                #expect(try shell.waitForView("control-centre/unheard").name == "python3 gets no text: python3 has the text fields")
                try shell.settle()
                try shell.keepPicture("input-method-unheard")
                try shell.perform(.dismiss)
                let app = try TextClient.window(shell)
                try method.wait("the field at the input method") { try method.isActive }
                for command in ["commit no", "grab", "popup 40 40", "forget"] { try second.tell(command) }
                try method.perform("commit yes", then: app)
                #expect(try app.text() == "yes|")
            }
        }

        @Test func itMayTakeTheKeys() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let method = try TextClient.method(shell), app = try TextClient.window(shell)
                try method.wait("the field at the input method") { try method.isActive }
                try method.perform("grab")
                try shell.press("a")
                try method.wait("the key at the input method") {
                    try method.events("zwp_input_method_keyboard_grab_v2.key").count == 2
                }
                try app.rest()
                #expect(try app.events("wl_keyboard.key").isEmpty)
                // What it returns through its virtual keyboard does reach the app.
                try method.perform("key 30", then: app)
                #expect(try app.events("wl_keyboard.key").count == 2)
                // Without a field the app gets the keys, and also when the grab is released.
                try app.perform("disable 0", then: method)
                try shell.press("b")
                try app.wait("the key at the app") { try app.events("wl_keyboard.key").count == 4 }
                try app.perform("enable 0", then: method)
                try method.perform("release", then: app)
                try shell.press("c")
                try app.wait("the key at the app") { try app.events("wl_keyboard.key").count == 6 }
                #expect(try method.events("zwp_input_method_keyboard_grab_v2.key").count == 2)
            }
        }

        @Test func itsPopupIsBesideTheCaret() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let method = try TextClient.method(shell), app = try TextClient.window(shell)
                try method.wait("the field at the input method") { try method.isActive }
                try app.perform("caret 0 300 200 2 20", then: method)
                try method.perform("popup 200 80", then: app)
                let edge = 0xff33_3333 as UInt32
                func isShown(_ x: Int, _ y: Int) throws -> Bool { try shell.picture()[x, y].raw == edge }
                try shell.wait("the popup below the caret") { try isShown(301, 221) && isShown(498, 298) }
                try app.perform("caret 0 300 790 2 20", then: method)
                try shell.wait("the popup above the caret") { try isShown(301, 711) && !isShown(301, 221) }
                try app.perform("disable 0", then: method)
                try shell.wait("no popup") { try !isShown(301, 711) }
            }
        }

        /// Rule X-01: what crashes wlroots 0.15.
        @Test func badPopups() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let app = try TextClient.window(shell)
                let method = try TextClient.method(shell)
                try method.wait("the field at the input method") { try method.isActive }
                try method.perform("popup 40 40", then: app)
                try method.perform("popup-gone", then: app)
                try method.perform("popup-again", then: app)
                try method.tell("popup-wrong")
                shell.expectAlive()
                let second = try TextClient.method(shell)
                try second.perform("popup 40 40", then: app)
                try second.kill()
                shell.expectAlive()
            }
        }
    }
}
