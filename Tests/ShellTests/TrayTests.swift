import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// The items of real apps in the tray, by touch, with their menus.
    @Suite(.serialized) struct TrayTests {
        private let config = "launch = []\nreduced-motion = true\n[life]\ngrace = 600\n"

        /// A program in the tray, which writes a log and takes commands.
        private final class App {
            let name: String, folder: String, process: Int32
            private var commands = ""

            init(_ shell: ShellUnderTest, _ bus: PrivateBus, _ name: String, _ form: String = "kde", _ more: [String] = []) throws {
                (self.name, folder) = (name, bus.folder)
                process = try shell.start(
                    [
                        "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "/usr/bin/python3", "-W", "ignore",
                        "\(TestClient.folder)/tray_item.py",
                    ]
                        + [folder, name, form] + more
                ).process
            }

            var log: [String] {
                ((try? String(contentsOfFile: "\(folder)/\(name).log", encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
            }

            func tell(_ command: String) throws {
                commands += command + "\n"
                try ShellUnderTest.write(commands, to: "\(folder)/\(name).commands")
            }
        }

        private func with(
            options: [String] = [], environment: [String: String] = [:], _ body: (ShellUnderTest, PrivateBus) throws -> Void
        ) throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(
                config: config, options: options, environment: environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
            ) { try body($0, bus) }
        }

        private func tray(_ shell: ShellUnderTest) throws -> TrayReport { try shell.client.ask(.get(.tray), for: TrayReport.self) }

        @discardableResult
        private func item(_ title: String, _ shell: ShellUnderTest, within seconds: Double = 10) throws -> TrayReport.Item {
            var found: TrayReport.Item?
            try shell.wait("the item \(title)", within: seconds) {
                found = try tray(shell).items.first { $0.title == title }
                return found != nil
            }
            return found!
        }

        private func touch(_ id: String, _ shell: ShellUnderTest) throws {
            try shell.waitForView(id)
            try shell.touch(id)
        }

        @Test("an app that closed to the tray has an item there, and a touch brings its window back in front")
        func comesBack() throws {
            try with { shell, bus in
                let app = try App(shell, bus, "chat", "kde", ["window"])
                let first = try shell.waitForWindow(title: "Chat")
                let item = try item("Chat", shell)
                #expect(item.process == app.process && item.hasMenu && !item.isMenu && item.tooltip == "3 unread")
                #expect(item.icon?.hasSuffix(".png") ?? false, "\(item)")
                try shell.perform(.close(window: first.id))
                try shell.waitUntilGone(first.id)
                let foot = try shell.open("foot", of: "foot")
                try shell.perform(.controlCentre)
                try touch("control-centre/tray", shell)
                let row = try shell.waitForView("control-centre/tray/\(item.id)")
                #expect(row.name.contains("Chat") && row.name.contains("No Window Open"), "\(row.name)")
                try shell.keepPicture("tray-page")
                #expect(try shell.pixels(of: row).share(of: 0xdc1e28) > 0.005, "its picture is in the row")
                try shell.tap(row.frame.center)
                let second = try shell.waitForWindow(title: "Chat", after: foot.id)
                try shell.wait("the window to be in front") { try shell.state().focus == second.id }
                try shell.settle()
                #expect(try !shell.isOpen("control-centre"))
                #expect(app.log.contains { $0.hasPrefix("ProvideXdgActivationToken ") } && app.log.contains("Activate 0 0"))
                try shell.perform(.controlPage(.tray))
                #expect(try !shell.waitForView("control-centre/tray/\(item.id)").name.contains("No Window Open"))
                shell.signal(app.process, SIGKILL)
                try shell.wait("the item to go with its app") { try tray(shell).items.isEmpty }
                #expect(try shell.waitForView("control-centre/note/0").name.contains("listed here"))
            }
        }

        @Test("a menu by touch: signs, a line, menus within it, and what a person chooses; its app hears what is open")
        func menu() throws {
            try with { shell, bus in
                let app = try App(shell, bus, "chat")
                let id = try item("Chat", shell).id
                try shell.perform(.controlPage(.tray))
                try touch("control-centre/tray/\(id)/more", shell)
                try shell.waitForView("control-centre/tray-menu/0")
                try shell.keepPicture("tray-menu")
                let names = try shell.views().filter { $0.id.hasPrefix("control-centre/tray-menu/") }.map(\.name)
                #expect(names == ["Show", "Muted", "Online", "Away", "Not Now", "More"])
                #expect(try shell.view("control-centre/tray-menu/2").chosen && shell.view("control-centre/tray-menu/3").chosen)
                #expect(try shell.view("control-centre/tray-menu/5").press == nil, "it cannot be chosen now")
                try touch("control-centre/tray-menu/2", shell)
                try shell.wait("the switch") { try shell.find("control-centre/tray-menu/2")?.chosen == false }
                #expect(app.log.contains("clicked 3") && app.log.contains("opened 0") && app.log.contains("AboutToShow 0"))
                try touch("control-centre/tray-menu/6", shell)
                try shell.waitForView("control-centre/tray-menu/6-0")
                try shell.wait("the app to hear of it") { app.log.contains("opened 8") }
                try touch("control-centre/back", shell)
                try shell.waitForView("control-centre/tray-menu/0")
                try shell.wait("the app to hear of its end") { app.log.contains("closed 8") }
                try touch("control-centre/tray-menu/6", shell)
                try app.tell("less")
                try shell.wait("the inner menu to go") { try shell.find("control-centre/tray-menu/0") != nil }
                try touch("control-centre/tray-menu/0", shell)
                try shell.wait("the choice") { app.log.contains("clicked 1") }
                try shell.wait("the end of the menu") { app.log.contains("closed 0") }
                #expect(try !shell.isOpen("control-centre") && tray(shell).menu == nil)
                // A long press and a script lead to the same.
                try shell.perform(.controlPage(.tray))
                try shell.waitForView("control-centre/tray/\(id)")
                try shell.hold("control-centre/tray/\(id)")
                try shell.waitForView("control-centre/tray-menu/0")
                try shell.wait("the rows") { try tray(shell).menu?.rows?.map(\.label).contains("Away") ?? false }
                try shell.perform(.tray(.press(id, entry: 5)))
                try shell.wait("the choice") { app.log.contains("clicked 5") }
                #expect(throws: (any Error).self) { try shell.perform(.tray(.press(id, entry: 6))) }
                #expect(throws: (any Error).self) { try shell.perform(.tray(.open(99))) }
            }
        }

        @Test("an item that knows no activation shows its menu")
        func ayatana() throws {
            try with { shell, bus in
                let app = try App(shell, bus, "indicator", "ayatana")
                let id = try item("Indicator", shell).id
                try shell.perform(.controlPage(.tray))
                try touch("control-centre/tray/\(id)", shell)
                try shell.waitForView("control-centre/tray-menu/0")
                #expect(try tray(shell).menu?.item == id && app.log.contains("GetLayout"))
            }
        }

        @Test("an icon that changes a thousand times a second is read once a second, and costs the shell nothing")
        func floods() throws {
            try with { shell, bus in
                let app = try App(shell, bus, "chat")
                try item("Chat", shell)
                let reads = app.log.count { $0.hasPrefix("GetAll") }, before = try shell.statistics(), began = Date()
                try app.tell("flood 4")
                try shell.wait("the last word", within: 15) { try tray(shell).items.first?.title == "Done" }
                let after = try shell.statistics(), seconds = Date().timeIntervalSince(began)
                let now = app.log.count { $0.hasPrefix("GetAll") } - reads
                #expect(Double(now) <= seconds + 2, "\(now) reads in \(seconds) s")
                #expect(after.events - before.events < 40, "\(after.events - before.events) events")
                #expect(Double(after.cpuNanoseconds - before.cpuNanoseconds) / 1e9 < seconds * 0.4)
            }
        }

        @Test("an app that hangs in GetLayout: the page says so after five seconds, everything else works, and another try reads it")
        func hangs() throws {
            try with { shell, bus in
                let app = try App(shell, bus, "chat"), other = try App(shell, bus, "mail")
                let id = try item("Chat", shell).id
                try item("Mail", shell)
                try app.tell("hang")
                try shell.wait("it to hang") { app.log.count > 0 }
                usleep(100_000)
                try shell.perform(.controlPage(.tray))
                try touch("control-centre/tray/\(id)/more", shell)
                #expect(try tray(shell).menu?.state == "reading")
                let foot = try shell.open("foot", of: "foot")
                #expect(try shell.state()[foot.id] != nil, "the shell works meanwhile")
                if try !shell.isOpen("control-centre") { try shell.perform(.tray(.menu(id))) }
                try shell.wait("the word that it does not answer", within: 10) { try tray(shell).menu?.state == "silent" }
                let words = try shell.views().map(\.name)
                #expect(words.contains { $0.contains("does not answer") }, "\(words)")
                try shell.keepPicture("tray-silent")
                try app.tell("answer")
                usleep(200_000)
                try touch("control-centre/tray-menu/again", shell)
                try shell.waitForView("control-centre/tray-menu/0")
                shell.signal(other.process, SIGKILL)
            }
        }

        @Test(
            "P-06: a menu that is a flood, a well, nonsense, or ever another one is cut, or the page says so; the shell stays quick",
            arguments: ["flood", "deep", "types", "nonsense", "changing", "no-path", "no-object"])
        func lies(kind: String) throws {
            try with { shell, bus in
                let app = try App(shell, bus, "chat")
                let id = try item("Chat", shell).id
                try app.tell("menu \(kind)")
                try app.tell("title Liar")
                try item("Liar", shell)
                let before = try shell.statistics(), began = Date()
                try shell.perform(.tray(.menu(id)))
                guard kind != "no-path" else {
                    return try shell.wait("the word that it opens nothing") {
                        try shell.views().contains { $0.name.contains("Liar has no menu, and opens nothing") }
                    }
                }
                try shell.wait("an end of the reading", within: 8) { try tray(shell).menu?.state != "reading" }
                let menu = try #require(try tray(shell).menu)
                switch kind {
                case "nonsense", "no-object":
                    #expect(menu.state == "none")
                    #expect(try shell.views().contains { $0.name.contains("Liar has no menu.") })
                case "types": #expect(menu.rows == nil || menu.rows!.allSatisfy { !$0.label.isEmpty })
                default:
                    let rows = try #require(menu.rows)
                    func depth(_ rows: [TrayReport.Row]) -> Int { 1 + (rows.compactMap(\.rows).map(depth).max() ?? -1) }
                    func count(_ rows: [TrayReport.Row]) -> Int { rows.reduce(0) { $0 + 1 + count($1.rows ?? []) } }
                    func longest(_ rows: [TrayReport.Row]) -> Int { rows.map { max($0.label.count, longest($0.rows ?? [])) }.max() ?? 0 }
                    #expect(count(rows) <= 2000 && depth(rows) <= 4 && longest(rows) <= 80, "\(count(rows)) rows, \(depth(rows)) deep")
                }
                usleep(3_000_000)
                let looks = app.log.count { $0 == "GetLayout" }, seconds = Date().timeIntervalSince(began)
                #expect(Double(looks) <= 2 * seconds + 3, "\(looks) looks in \(seconds) s")
                let cpu = Double(try shell.statistics().cpuNanoseconds - before.cpuNanoseconds) / 1e9
                #expect(cpu < seconds * 0.6, "\(cpu) s of the processor in \(seconds) s")
                try shell.keepPicture("tray-menu-\(kind)")
                #expect(try tray(shell).items.map(\.id) == [id])
                shell.expectAlive()
            }
        }

        @Test("P-06: ten thousand items of one app: sixteen are taken, the others are refused, and those of others stay")
        func many() throws {
            try with { shell, bus in
                let other = try App(shell, bus, "mail")
                try item("Mail", shell)
                let app = try App(shell, bus, "chat")
                try item("Chat", shell)
                try app.tell("many 10000")
                try shell.wait("the answers", within: 60) { app.log.contains { $0.hasPrefix("registered") } }
                // Both are programs of the same owner, who has sixteen.
                #expect(app.log.contains("registered 14 refused 9986"), "\(app.log.last ?? "")")
                #expect(try tray(shell).items.count <= 16)
                try shell.perform(.controlPage(.tray))
                try shell.waitForView("control-centre/tray/1")
                shell.signal(app.process, SIGKILL)
                try shell.wait("its items to go") { try tray(shell).items.map(\.title) == ["Mail"] }
                shell.signal(other.process, SIGKILL)
            }
        }

        @Test("a stopped app holds up nothing, and a press on it says so")
        func stopped() throws {
            try with { shell, bus in
                let app = try App(shell, bus, "chat")
                let id = try item("Chat", shell).id
                shell.signal(app.process, SIGSTOP)
                try shell.perform(.tray(.open(id)))
                try shell.perform(.controlPage(.tray))
                try shell.wait("the word that it does not answer", within: 10) {
                    try shell.views().contains { $0.name.contains("does not answer") }
                }
                shell.signal(app.process, SIGCONT)
                try shell.wait("its item as it was") { try tray(shell).items.map(\.title) == ["Chat"] }
            }
        }

        @Test("hidden, wanting and broken: states, and pictures that are none")
        func states() throws {
            try with { shell, bus in
                let app = try App(shell, bus, "chat")
                let id = try item("Chat", shell).id
                try app.tell("status Passive")
                try shell.wait("it to be hidden") { try tray(shell).items.first?.state == .passive }
                try shell.perform(.controlCentre)
                try shell.waitForView("control-centre/dark")
                #expect(try shell.find("control-centre/tray") == nil)
                try app.tell("status NeedsAttention")
                let tile = try shell.waitForView("control-centre/tray")
                #expect(tile.name.contains("Needs Attention"))
                try shell.keepPicture("tray-attention")
                try app.tell("broken")
                try shell.waitForLog("no picture of it has 1 to 256 pixels")
                #expect(try tray(shell).items.map(\.id) == [id])
                shell.expectAlive()
            }
        }

        @Test("a shell that is killed and started again finds the items that are there")
        func restarts() throws {
            let bus = try PrivateBus()
            let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_STATE_HOME": "\(bus.folder)/state"]
            let first = try ShellUnderTest(config: config, environment: environment)
            defer { first.clear() }
            // Programs that outlive it.
            let programs = try ["chat": "kde", "indicator": "ayatana"].sorted { $0.key < $1.key }.map { name, form in
                let program = Process()
                program.executableURL = URL(filePath: "/usr/bin/python3")
                program.arguments = ["-W", "ignore", "\(TestClient.folder)/tray_item.py", bus.folder, name, form]
                program.environment = bus.environment
                try program.run()
                return program
            }
            defer { for program in programs { kill(program.processIdentifier, SIGKILL) } }
            try item("Chat", first)
            try item("Indicator", first)
            first.signal(first.process, SIGKILL)
            try ShellUnderTest.with(config: config, environment: environment) { shell in
                try item("Chat", shell)
                try item("Indicator", shell)
                kill(programs[1].processIdentifier, SIGKILL)
                try shell.wait("one to go") { try tray(shell).items.map(\.title) == ["Chat"] }
            }
        }

        @Test("Qt's own tray icon: it is read, its window comes forward, and its menu works")
        func qt() throws {
            try with { shell, bus in
                let qt = try shell.start([
                    "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "QT_QPA_PLATFORM=wayland", "/usr/bin/python3", "-W", "ignore",
                    "\(TestClient.folder)/qt_tray.py",
                ])
                func said() -> String { shell.text(of: qt.output) }
                var id: UInt32 = 0
                try shell.wait("the item of Qt: \(said())", within: 15) {
                    id = try tray(shell).items.first?.id ?? 0
                    return id != 0
                }
                #expect(said().contains("tray True"))
                let foot = try shell.open("foot", of: "foot")
                try shell.perform(.controlPage(.tray))
                try touch("control-centre/tray/\(id)", shell)
                let window = try shell.waitForWindow(title: "Qt in the Tray")
                try shell.wait("it to be in front") { try shell.state().focus == window.id && window.id != foot.id }
                try shell.perform(.tray(.menu(id)))
                try shell.wait("the menu") { try tray(shell).menu?.rows?.map(\.label) == ["Say Hello", "Loud"] }
                try touch("control-centre/tray-menu/1", shell)
                try shell.wait("the switch") { said().contains("loud True") }
                try touch("control-centre/tray-menu/0", shell)
                try shell.wait("the word") { said().contains("hello") }
                shell.signal(qt.process, SIGKILL)
            }
        }

        @Test("mac: icons in the menu bar open by a click, and show their menu by the right button; a locked session has none")
        func mac() throws {
            let device = try SystemService("device.py")
            let bus = try PrivateBus()
            let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address].merging(device.environment) { $1 }
            try ShellUnderTest.with(
                config: config, options: ["--idiom", "mac"], environment: environment, showsStatus: true
            ) { shell in
                let app = try App(shell, bus, "chat", "kde", ["window"])
                let window = try shell.waitForWindow(title: "Chat")
                let id = try item("Chat", shell).id
                try shell.perform(.close(window: window.id))
                try shell.waitUntilGone(window.id)
                let icon = try shell.waitForView("menu-bar/tray/\(id)")
                try shell.keepPicture("tray-mac")
                #expect(try shell.pixels(of: icon).share(of: 0xdc1e28) > 0.02, "its picture is in the bar")
                try shell.click(icon.frame.center)
                try shell.wait("the window") { try shell.state().windows.contains { $0.title == "Chat" && $0.place != .unmapped } }
                try shell.client.input(.click(at: icon.frame.center, button: .right))
                try shell.waitForView("control-centre/tray-menu/0")
                let locker = try Locker(shell)
                #expect(throws: (any Error).self) { _ = try tray(shell) }
                #expect(throws: (any Error).self) { try shell.perform(.tray(.open(id))) }
                try locker.unlock()
                #expect(try tray(shell).menu == nil)
                #expect(app.log.contains("Activate 0 0"))
            }
        }
    }
}
