import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rule X-05: a user who cannot see the screen can find and use everything by name, through the accessibility
    /// bus.
    @Suite(.serialized) struct AccessibleTests {
        private func with(config: String = "launch = []\nanimation-speed = 3\n", _ body: (ShellUnderTest, AccessibleSession) throws -> Void)
            throws
        {
            let session = try AccessibleSession()
            let quitter = TestApp("test.quitter", "Quitter", command: "sh {room}/fail.sh")
            try ShellUnderTest.with(
                apps: TestApp.three + [quitter], config: config, files: ["fail.sh": "exit 3\n"],
                environment: ["DBUS_SESSION_BUS_ADDRESS": session.address, "NO_AT_BRIDGE": "0"]
            ) { shell in
                try session.connect()
                try body(shell, session)
            }
        }

        private func find(_ role: String, _ name: String, _ shell: ShellUnderTest, _ session: AccessibleSession) throws
            -> AccessibleSession.Node
        {
            var found: AccessibleSession.Node?
            try shell.wait("the \(role) \"\(name)\" on the bus") {
                found = try session.find(role, name)
                return found != nil
            }
            return found!
        }

        private func press(_ role: String, _ name: String, _ shell: ShellUnderTest, _ session: AccessibleSession) throws {
            let node = try find(role, name, shell, session)
            #expect(node.actions.first == "press", "\(node)")
            #expect(try session.press(node))
            try shell.settle()
        }

        /// Every usable control is on the bus with the same name and position, and nothing else is.
        private func expectSame(_ what: String, _ shell: ShellUnderTest, _ session: AccessibleSession) throws {
            try shell.settle()
            let views = try shell.views()
            var nodes: [AccessibleSession.Node] = []
            try shell.wait("the same controls on the bus: \(what)") {
                nodes = try session.nodes()
                return Set(nodes.map(\.id)).isSuperset(of: views.map(\.id))
            }
            for view in views {
                let node = try #require(nodes.first { $0.id == view.id })
                #expect(!view.name.isEmpty, "\(what): \(view.id) has a name")
                #expect(node.name == view.name, "\(what): \(view.id)")
                #expect(node.frame.isNear(view.frame, within: 1), "\(what): \(view.id): \(node.frame) and \(view.frame)")
                #expect((node.actions.first == "press") == (view.press != nil), "\(what): \(view.id): \(node.actions)")
                let shows = view.frame.intersects(Rect(origin: .zero, size: Size(1180, 820)))
                #expect(node.states.contains("showing") == shows && node.states.contains("visible"), "\(what): \(view.id): \(node.states)")
            }
            let known = Set(views.map(\.id))
            let more = nodes.filter { !known.contains($0.id) && !["application", "frame"].contains($0.role) }
            #expect(more.isEmpty, "\(what): \(more)")
        }

        @Test func aPersonOpensArrangesAndClosesWindows_X05() throws {
            try with { shell, session in
                try press("icon", "Red", shell, session)
                let red = try shell.waitForWindow(appID: "test.red")
                try shell.settle()
                #expect(try shell.window(red.id).active)
                try shell.openApp("test.green")
                // The dots of the window in front.
                let dots = try #require(
                    try shell.views().first { if case .controls = $0.press { true } else { false } },
                    "nothing on the screen opens the multitasking controls")
                try press("push button", dots.name, shell, session)
                #expect(try shell.state().open == ["controls"])
                try press("push button", "Split View on the Left", shell, session)
                let green = try #require(try shell.windows(of: "test.green").first)
                try shell.expectPlaces([green.id: .splitLeft, red.id: .splitRight])
                try shell.perform(.appSwitcher)
                try press("push button", "Close Green", shell, session)
                try shell.client.waitUntilGone(green.id)
                try shell.settle()
                try press("list item", "Red", shell, session)
                #expect(try shell.state().open == [] && shell.window(red.id).active)
            }
        }

        /// Icons, cards and windows have the actions of their menus: no menu has to be opened to arrange or close a window. The
        /// frame has the name of what is in front, and a card that was scrolled away does not show.
        @Test func whatAMenuOffersIsAnAction_X05() throws {
            try with { shell, session in
                func act(_ role: String, _ name: String, _ action: String) throws {
                    let node = try find(role, name, shell, session)
                    let index = try #require(node.actions.firstIndex(of: action), "\(node)")
                    #expect(try session.press(node, index: index))
                    try shell.settle()
                }
                func isNamed(_ name: String) throws {
                    try shell.wait("the frame \"\(name)\"") { try session.nodes().first { $0.role == "frame" }?.name == name }
                }
                try isNamed("Home")
                try press("icon", "Red", shell, session)
                let red = try shell.waitForWindow(appID: "test.red")
                try isNamed("Red")
                try press("push button", "Home Indicator", shell, session)
                try act("icon", "Green", "split")
                let green = try shell.waitForWindow(appID: "test.green")
                try shell.expectPlaces([red.id: .splitLeft, green.id: .splitRight])
                try isNamed("Red and Green")
                let dots = try #require(try shell.views().first { $0.id == "dots/\(green.id.raw)" })
                try act("push button", dots.name, "slide-over")
                try shell.expectPlaces([red.id: .full, green.id: .slideOver])
                for _ in 0..<4 {
                    try shell.perform(.newWindow(app: "test.blue"))
                    try shell.settle()
                }
                try shell.wait("the windows") { try shell.windows(of: "test.blue").count == 4 }
                try shell.perform(.appSwitcher)
                try isNamed("App Switcher")
                try expectSame("the switcher", shell, session)
                try act("list item", "Red", "close")
                try shell.waitUntilGone(red.id)
            }
        }

        @Test(arguments: ["left-to-right", "right-to-left"]) func everyControlIsThere_X05(direction: String) throws {
            try with(config: "launch = []\nanimation-speed = 3\ndirection = \"\(direction)\"\n") { shell, session in
                try expectSame("home", shell, session)
                try shell.perform(.search(text: "r"))
                try expectSame("search", shell, session)
                try shell.perform(.dismiss)
                try shell.perform(.appMenu(app: "test.red"))
                try expectSame("menu", shell, session)
                try shell.perform(.dismiss)
                try shell.touch("home/test.quitter")
                try shell.wait("an alert") { try shell.isOpen("alert") }
                try expectSame("alert", shell, session)
                try shell.perform(.dismiss)
                try shell.openApp("test.green")
                try shell.openApp("test.red")
                try shell.openApp("test.blue", to: .splitView(.right))
                try shell.openApp("test.green", to: .slideOver)
                try expectSame("windows", shell, session)
                for (name, action) in [
                    ("controls", .controls()), ("switcher", .appSwitcher), ("notifications", .notifications),
                    ("control-centre", .controlCentre), ("keys", .keyHelp), ("dock", .dock), ("shelf", .appShelf()),
                    ("expose", .appExpose(app: "test.green")),
                ] as [(String, Action)] {
                    try shell.perform(action)
                    #expect(try shell.isOpen(name))
                    try expectSame(name, shell, session)
                    try shell.perform(.dismiss)
                }
                try expectSame("windows again", shell, session)
            }
        }

        @Test("M-05, M-09, X-05: views for programs are on the bus; a person who hears the screen answers and leaves them")
        func viewsForPrograms_X05() throws {
            let session = try AccessibleSession()
            let reader = TestApp("test.reader", "Reader", command: "true %F", icon: "{room}/red.svg", more: "MimeType=text/plain;")
            try ShellUnderTest.with(
                apps: [reader], config: "launch = []\nanimation-speed = 3\n", files: ["Note.txt": "Words.\n"],
                environment: ["DBUS_SESSION_BUS_ADDRESS": session.address, "NO_AT_BRIDGE": "0"]
            ) { shell in
                #expect(symlink("/usr/share/mime", "\(shell.room)/system/mime") == 0)
                try session.connect()
                let program = try ShellUnderTest.program()
                /// Runs a command of the shell, and returns the file with what it says.
                func ask(_ name: String, _ words: String) throws -> String {
                    _ = try shell.start([
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(session.address)", "sh", "-c",
                        "'\(program)' \(words) >\(shell.room)/\(name) 2>&1; echo status $? >>\(shell.room)/\(name)",
                    ])
                    return "\(shell.room)/\(name)"
                }
                func said(_ file: String) throws -> String {
                    try shell.wait("its end", within: 20) { shell.text(of: file).contains("status") }
                    return shell.text(of: file)
                }
                let alert = try ask("alert", "alert 'Install it?' --message 'It restarts.' --preferred Install --cancel Later")
                _ = try find("push button", "Install", shell, session)
                try expectSame("an alert", shell, session)
                try press("push button", "Later", shell, session)
                #expect(try said(alert) == "Later\nstatus 1\n")

                let sheet = try ask("sheet", "alert 'Delete it?' --sheet --destructive Delete --cancel Keep")
                _ = try find("push button", "Delete", shell, session)
                try expectSame("an action sheet", shell, session)
                try press("push button", "Delete", shell, session)
                #expect(try said(sheet) == "Delete\nstatus 0\n")

                let share = try ask("share", "share '\(shell.room)/Note.txt'")
                // The home screen has an icon "Reader", too: "Copy" is only in the activity view.
                _ = try find("push button", "Copy", shell, session)
                try expectSame("an activity view", shell, session)
                let readers = try session.nodes().filter { $0.role == "icon" && $0.name == "Reader" }
                #expect(!readers.isEmpty && readers.allSatisfy { $0.id.hasPrefix("modal/") }, "\(readers)")
                try press("push button", "Copy", shell, session)
                #expect(try said(share) == "copied\nstatus 0\n")

                let left = try ask("left", "share '\(shell.room)/Note.txt'")
                try press("push button", "Cancel", shell, session)
                #expect(try said(left) == "status 100\n")
            }
        }

        /// The keyboard follows the screen reader: Return then activates the control, and the arrows continue from
        /// there. Over an app, the app keeps the keys.
        @Test func aScreenReaderGivesTheFocus_X05() throws {
            try with { shell, session in
                func give(_ role: String, _ name: String) throws -> String {
                    let node = try find(role, name, shell, session)
                    #expect(node.states.contains("focusable") && !node.states.contains("focused"))
                    #expect(try session.focus(node))
                    try shell.settle()
                    return node.id
                }
                func focused() throws -> [String] { try shell.views().filter(\.focused).map(\.id) }
                let green = try give("icon", "Green")
                try shell.wait("the focus") { try focused() == [green] }
                try shell.wait("the focus on the bus") {
                    try session.nodes().filter { $0.states.contains("focused") }.map(\.id) == [green]
                }
                try shell.press("Return")
                let window = try shell.waitForWindow(appID: "test.green")
                try shell.settle()
                #expect(try shell.window(window.id).active)
                // Its dots are on the bus, too, but they do not take the keyboard.
                let dots = try #require(try shell.views().first { if case .controls = $0.press { true } else { false } })
                #expect(try !session.focus(find("push button", dots.name, shell, session)))
                #expect(try focused() == [])
                #expect(throws: (any Error).self) { try shell.perform(.keyFocus(view: ControlID(rawValue: dots.id))) }
                // The dock over the app gets the keyboard with it.
                try shell.perform(.dock)
                let red = try #require(try shell.views().first { $0.id.hasPrefix("dock/") && $0.name == "Red" })
                try shell.perform(.keyFocus(view: ControlID(rawValue: red.id)))
                #expect(try focused() == [red.id])
                try shell.press("Return")
                _ = try shell.waitForWindow(appID: "test.red")
            }
        }

        /// The screen reader follows the keyboard, and announces what is switched on.
        @Test func theKeyboardAndSwitches_X05() throws {
            try with { shell, session in
                try shell.press("Super+C")
                for _ in 0..<3 {
                    try shell.press("Tab")
                    let id = try #require(try shell.views().first(where: \.focused)?.id)
                    try shell.wait("the focus on the bus") {
                        try session.nodes().filter { $0.states.contains("focused") }.map(\.id) == [id]
                    }
                }
                let before = try find("toggle button", "Dark Mode", shell, session)
                #expect(!before.states.contains("checked"))
                try press("toggle button", "Dark Mode", shell, session)
                try shell.wait("it to be on") {
                    try session.nodes().first { $0.id == before.id }?.states.contains("checked") ?? false
                }
            }
        }
    }
}
