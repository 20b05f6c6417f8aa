import Chrome
import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Launching real programs: single-instance ones, failing ones, their working folder and their look.
    @Suite(.serialized) struct AppStartTests {
        /// A single-instance program: started again, it asks the running process for another window and exits,
        /// without passing its token on.
        private static let once = """
            #!/bin/sh
            unset XDG_ACTIVATION_TOKEN DESKTOP_STARTUP_ID
            if [ -p {room}/once ]; then echo "open Again" > {room}/once; exit 0; fi
            mkfifo {room}/once
            exec python3 \(TestClient.folder)/window.py --app-id test.once --title First --commands {room}/once
            """

        @Test("W-19: the window of an app that runs once and loses the token opens, for the shell's + and for `mullion ctl launch`")
        func runsOnce() throws {
            let apps = [TestApp("test.once", "Once", command: "sh {room}/once.sh"), TestApp("test.blue", "Blue")]
            try ShellUnderTest.with(apps: apps, files: ["once.sh": Self.once]) { shell in
                try shell.openApp("test.once")
                try shell.openApp("test.blue")
                let again = try shell.openApp("test.once")
                #expect(again.title == "Again" && again.place == .full)
                try shell.openApp("test.blue")
                let newest = try shell.state().windows.map(\.id).max()!
                try shell.perform(.launch(command: ["sh", "\(shell.room)/once.sh"], to: .slideOver))
                let third = try shell.waitForWindow(after: newest, timeout: 20_000)
                #expect(try shell.window(third.id).place == .slideOver)
                #expect(try shell.state().waiting.isEmpty)
            }
        }

        @Test("an alert quotes the last line of exactly the program that exited at once")
        func quoted() throws {
            let script = "#!/bin/sh\necho first >&2\nprintf '\\033[31mtest.fails: no such thing\\033[0m\\n\\n' >&2\nexit 3\n"
            let noise = "#!/bin/sh\nwhile :; do echo noise; sleep 0.02; done\n"
            let apps = [TestApp("test.fails", "Fails", command: "sh {room}/fails.sh")]
            try ShellUnderTest.with(apps: apps, files: ["fails.sh": script, "noise.sh": noise]) { shell in
                try shell.client.perform(.launch(command: ["sh", "\(shell.room)/noise.sh"]))
                try shell.perform(.openApp(app: "test.fails"))
                try shell.wait("an alert") { try shell.isOpen("alert") }
                let said = try shell.views().map(\.name)
                #expect(said.contains { $0.contains("status 3: “test.fails: no such thing”") }, "\(said)")
                try shell.perform(.dismiss)
            }
        }

        @Test("programs of the user run in the home folder, those of the command line in the current one")
        func folder() throws {
            let script = "#!/bin/sh\nmkdir -p \"$HOME\"\npwd > {room}/where\n"
            try ShellUnderTest.with(
                apps: [TestApp("test.where", "Where", command: "sh {room}/where.sh")], files: ["where.sh": script, "home/.keep": ""]
            ) { shell in
                for start in [Action.openApp(app: "test.where"), .launch(command: ["sh", "\(shell.room)/where.sh"])] {
                    unlink("\(shell.room)/where")
                    try shell.client.perform(start)
                    try shell.wait("it to run") { !shell.text(of: "\(shell.room)/where").isEmpty }
                    #expect(shell.text(of: "\(shell.room)/where") == "\(shell.room)/home\n")
                }
            }
        }

        @Test("X-03: an app runs in the folder that its desktop entry names, or in the home folder if that is gone")
        func entryFolder() throws {
            let apps = [
                TestApp("test.there", "There", command: "sh -c \"pwd > {room}/there\"", more: "Path={room}/apps of mine"),
                TestApp("test.gone", "Gone", command: "sh -c \"pwd > {room}/gone\"", more: "Path={room}/nowhere"),
            ]
            try ShellUnderTest.with(apps: apps, files: ["apps of mine/.keep": "", "home/.keep": ""]) { shell in
                for (name, folder) in [("there", "apps of mine"), ("gone", "home")] {
                    try shell.client.perform(.openApp(app: "test.\(name)"))
                    try shell.wait("it to run") { !shell.text(of: "\(shell.room)/\(name)").isEmpty }
                    #expect(shell.text(of: "\(shell.room)/\(name)") == "\(shell.room)/\(folder)\n")
                }
            }
        }

        /// GTK 3 has no colour scheme, only themes.
        @Test("dark mode reaches GTK 3 apps as they run, and light comes back")
        func darkApps() throws {
            try #require(ShellUnderTest.has("gsettings") && ShellUnderTest.has("dbus-daemon"), "apt-get install libglib2.0-bin dbus-daemon")
            let shell = try ShellUnderTest(environment: ["DBUS_SESSION_BUS_ADDRESS": "", "GSETTINGS_BACKEND": "keyfile"])
            defer { shell.clear() }
            let app = try shell.open("gtk3-demo", of: "gtk-3-examples")
            func brightness() throws -> Double {
                let frame = try #require(try shell.window(app.id).frame)
                let pixel = try #require(try shell.picture().pixel(at: Point(frame.maxX - 60, frame.maxY - 40)))
                return Double(Int(pixel.red) + Int(pixel.green) + Int(pixel.blue)) / 765
            }
            try shell.wait("it to be light", within: 10) { try brightness() > 0.6 }
            try shell.perform(.darkAppearance(true))
            try shell.wait("it to turn dark", within: 10) { try brightness() < 0.4 }
            try shell.perform(.darkAppearance(false))
            try shell.wait("it to turn light", within: 10) { try brightness() > 0.6 }
            try shell.quit()
        }
    }
}
