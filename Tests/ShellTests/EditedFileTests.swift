import Control
import Foundation
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// The files that a person edits: whatever is wrong in them, there is a session, a person reads what is wrong, and a correction
    /// holds at once (law 5).
    @Suite(.serialized) struct EditedFileTests {
        /// A folder for configurations that stays while shells come and go.
        private final class Home {
            let path = NSTemporaryDirectory() + "mullion-edited-\(UInt32.random(in: 0 ... .max))"
            var config: String { "\(path)/.config/mullion/config.toml" }
            var environment: [String: String] { ["XDG_STATE_HOME": "\(path)/state", "XDG_DATA_DIRS": "\(path)/data"] }

            init() throws { try FileManager.default.createDirectory(atPath: "\(path)/.config/mullion", withIntermediateDirectories: true) }

            deinit { try? FileManager.default.removeItem(atPath: path) }

            func write(_ text: String, to file: String? = nil) throws {
                let file = file ?? config
                try? FileManager.default.removeItem(atPath: file)
                try ShellUnderTest.write(text, to: file)
            }

            /// `endsBySignal`: for kiosks, which refuse to log out.
            func run(
                _ options: [String] = [], environment more: [String: String] = [:], endsBySignal: Bool = false,
                _ body: (ShellUnderTest) throws -> Void
            ) throws {
                try ShellUnderTest.with(
                    options: ["--config", config] + options, environment: environment.merging(more) { $1 }, endsBySignal: endsBySignal, body
                )
            }
        }

        private func report(_ shell: ShellUnderTest) throws -> ConfigurationReport {
            try shell.client.ask(.get(.configuration), for: ConfigurationReport.self)
        }
        private func idiom(_ shell: ShellUnderTest) throws -> String { try shell.client.ask(.get(.version), for: VersionReport.self).idiom }
        private func isWallpaper(_ hex: UInt32, _ shell: ShellUnderTest) throws -> Bool { try shell.picture()[50, 50] == .init(hex) }

        private let good = "launch = []\nanimation-speed = 8\nwallpaper = \"#102030\"\n"

        @Test(
            "a configuration that cannot be used: the session has the last good one, an alert says which line, and goes with the correction",
            arguments: [
                "a typing error", "no text", "folder", "fifo", "huge", "dead link",
            ])
        func wrong(kind: String) throws {
            let home = try Home()
            try home.write(good)
            try home.run { shell in
                let isSeen = try isWallpaper(0x102030, shell), state = try report(shell)
                #expect(isSeen && state.faults.isEmpty && state.isWatched)
            }
            try? FileManager.default.removeItem(atPath: home.config)
            switch kind {
            case "a typing error": try home.write("launch = []\nwallpaper = \"#405060\nscale = 1\n")
            case "no text": try Data([0x61, 0x20, 0x3d, 0x0a, 0xff, 0xfe]).write(to: URL(filePath: home.config))
            case "folder": mkdir(home.config, 0o700)
            case "fifo": mkfifo(home.config, 0o600)
            case "huge": try home.write(String(repeating: "# words\n", count: 60_000))
            default: symlink("nowhere", home.config)
            }
            let line = ["a typing error": 2, "no text": 2][kind] ?? 0
            try home.run { shell in
                #expect(shell.log.contains("config.toml") && shell.log.contains("the last correct version is used"), "\(shell.log)")
                try shell.wait("the alert", within: 8) { try shell.isOpen("alert") }
                try shell.settle()
                try shell.keepPicture("configuration-\(kind.replacing(" ", with: "-"))")
                let fault = try #require(try report(shell).faults.first)
                #expect(fault.line == line && fault.inEffect == "last-good" && fault.file == home.config)
                let words = try shell.views().first { $0.id == "alert" }?.name ?? ""
                #expect(words == (line > 0 ? "“config.toml” Has an Error in Line \(line)" : "“config.toml” Has an Error"), "\(words)")
                let error = #expect(throws: ControlError.self) { try shell.client.ask(.reload) }
                #expect(error?.description.contains("config.toml") == true)
                // The correction is seen.
                try? FileManager.default.removeItem(atPath: home.config)
                try home.write(good.replacing("102030", with: "405060"))
                try shell.wait("the end of the alert") { try !shell.isOpen("alert") }
                try shell.wait("the correction") { try isWallpaper(0x405060, shell) }
                #expect(try report(shell).faults.isEmpty)
                // And the next error, while it runs: it is said, and nothing else changes.
                try home.write("wallpaper = \"#ff0000\"\nlaunch = 3\n")
                try shell.wait("the alert again", within: 8) { try shell.isOpen("alert") }
                #expect(try report(shell).faults.map(\.line) == [2])
                try shell.operate("alert/ok", by: .touch)
                try shell.wait("the end of the alert") { try !shell.isOpen("alert") }
                try shell.settle()
                #expect(try isWallpaper(0x405060, shell))
            }
            try home.run { shell in
                let state = try report(shell)
                #expect(state.faults.first?.inEffect == "last-good")
            }
        }

        @Test("without a version that held, the right lines hold; the alert says so in every language", arguments: ["en", "ko", "ja"])
        func first(language: String) throws {
            let home = try Home()
            try home.write(
                "language = \"\(language)\"\n" + good
                    + "scale = \"very wide, and then some more words that a person may have typed here\"\ncolour = 3\n")
            try home.run { shell in
                try shell.wait("the alert", within: 8) { try shell.isOpen("alert") }
                try shell.settle()
                try shell.keepPicture("configuration-rest-\(language)")
                #expect(try report(shell).faults.map(\.inEffect) == ["rest"])
            }
        }

        @Test("mullion doctor prints what is wrong, and says that the shell can run")
        func doctor() throws {
            let home = try Home()
            try home.write("scale = 'x'\n")
            try home.write("target = true\n", to: "\(home.path)/.config/mullion/idioms/car.toml")
            try ShellUnderTest.with { shell in
                let output = try shell.run(
                    [
                        "env", "XDG_CONFIG_HOME=\(home.path)/.config", "XDG_STATE_HOME=\(home.path)/state", try ShellUnderTest.program(),
                        "doctor",
                    ], within: 30
                ).output
                #expect(
                    output.contains("config.toml:1:9: scale: a number") && output.contains("car.toml:1:10: target: a number"), "\(output)")
            }
        }

        // MARK: Kiosks

        private let kiosk =
            "like = \"phone\"\nplaces = [\"full-screen\"]\nwindows-of-app = \"one\"\noffers = []\nedge = 0\nhome-line = false\n"

        private func expectKiosk(_ shell: ShellUnderTest, _ words: String) throws {
            #expect(try idiom(shell) == "kiosk", "\(words)")
            for action in [Action.home, .search(), .launch(command: ["true"]), .controlCentre] {
                #expect(throws: ControlError.self, "\(words): \(action)") { try shell.perform(action) }
            }
        }

        @Test("a kiosk whose configuration or idiom is broken does not become an open desktop", arguments: [true, false])
        func kiosk(heldOnce: Bool) throws {
            let home = try Home(), file = "\(home.path)/.config/mullion/idioms/kiosk.toml"
            let config = "idiom = \"kiosk\"\nlaunch = []\nanimation-speed = 8\n"
            func right() throws {
                try home.write(config)
                try home.write(kiosk, to: file)
            }
            try right()
            if heldOnce { try home.run(endsBySignal: true) { try expectKiosk($0, "right") } }
            try home.write(config + "scale = [\n")
            try home.run(endsBySignal: true) { try expectKiosk($0, "a wrong configuration") }
            try home.write(config)
            try home.write(kiosk + "= = =\n", to: file)
            try home.run(endsBySignal: true) { try expectKiosk($0, "a wrong idiom") }
            try? FileManager.default.removeItem(atPath: file)
            mkdir(file, 0o700)
            try home.run(endsBySignal: true) { try expectKiosk($0, "an idiom that cannot be read") }
            try home.run(["--idiom", "kiosk"], endsBySignal: true) { try expectKiosk($0, "the same by the command line") }
            rmdir(file)
            guard heldOnce else { return }
            try home.run(endsBySignal: true) { shell in
                try expectKiosk(shell, "an idiom that is gone")
                try home.write("# another", to: "\(home.path)/.config/mullion/idioms/car.toml")
                usleep(1_000_000)
                try expectKiosk(shell, "after a change beside it")
            }
            try? FileManager.default.removeItem(atPath: home.config)
            mkdir(home.config, 0o700)
            try home.run(endsBySignal: true) { try expectKiosk($0, "a configuration that cannot be read") }
        }

        // MARK: Links

        @Test(
            "a configuration behind links: each change of a link or folder on its way holds at once, and so does an idiom in a folder made later"
        )
        func links() throws {
            let home = try Home()
            let colours: [UInt32] = [0x112233, 0x223344, 0x334455, 0x445566]
            func text(_ colour: UInt32) -> String { "launch = []\nanimation-speed = 8\nwallpaper = \"#\(String(colour, radix: 16))\"\n" }
            for (index, colour) in colours.enumerated() {
                try home.write(text(colour), to: "\(home.path)/store/\(index)/mullion/config.toml")
            }
            try FileManager.default.removeItem(atPath: "\(home.path)/.config/mullion")
            func link(_ place: String, _ target: String) {
                symlink(target, "\(home.path)/new")
                rename("\(home.path)/new", "\(home.path)/\(place)")
            }
            link("store/current", "0")
            link("dotfiles", "store/current")
            link(".config/mullion", "../dotfiles/mullion")
            try home.run { shell in
                func expect(_ colour: UInt32, _ what: String) throws { try shell.wait(what) { try isWallpaper(colour, shell) } }
                try expect(colours[0], "the start")
                link("store/current", "1")
                try expect(colours[1], "the last link")
                link("dotfiles", "store/2")
                try expect(colours[2], "the middle link")
                link(".config/mullion", "../store/3/mullion")
                try expect(colours[3], "the first link")
                rename("\(home.path)/store/3", "\(home.path)/store/old")
                rename("\(home.path)/store/0", "\(home.path)/store/3")
                try expect(colours[0], "a folder on the way")
                try home.write(text(0x667788), to: "\(home.path)/store/3/mullion/config.toml")
                try expect(0x667788, "the file")
                try home.write("target = 60\n", to: "\(home.path)/store/3/mullion/idioms/car.toml")
                try shell.wait("the idiom") { (try? shell.perform(.idiom("car"))) != nil }
                #expect(try report(shell).faults.isEmpty && !shell.isOpen("alert"))
            }
        }

        /// Whether this machine lets a test have a user of its own, with a limit of its own.
        private static let canLimit: Bool = {
            let probe = Process()
            probe.executableURL = URL(filePath: "/usr/bin/unshare")
            probe.arguments = ["--user", "--map-root-user", "sh", "-c", "echo 0 > /proc/sys/user/max_inotify_instances"]
            guard (try? probe.run()) != nil else { return false }
            probe.waitUntilExit()
            return probe.terminationStatus == 0
        }()

        @Test(
            "without watches a state says so, a reload counts, and the shell tries again until there are some",
            .enabled(if: canLimit, "no limit can be set here"))
        func watches() throws {
            try ShellUnderTest.with { outer in
                let home = try Home(), room = "\(outer.room)/inner"
                try home.write(good)
                try FileManager.default.createDirectory(atPath: "\(room)/run", withIntermediateDirectories: true)
                chmod("\(room)/run", 0o700)
                let limited = """
                    echo 0 >/proc/sys/user/max_inotify_instances; exec 8>/proc/sys/user/max_inotify_instances
                    (while [ ! -e \(room)/more ]; do sleep 0.1; done; echo 64 >&8) &
                    exec "$0" "$@"
                    """
                let program = try ShellUnderTest.program()
                _ = try outer.start([
                    "env", "XDG_RUNTIME_DIR=\(room)/run", "XDG_STATE_HOME=\(home.path)/state", "unshare", "--user", "--map-root-user", "sh",
                    "-c", limited, program,
                    "run", "--once", "--headless", "--remote-view", "off", "--audio", "off", "--socket", "wayland-inner", "--config",
                    home.config,
                ])
                var client: ControlClient?
                try outer.wait("the shell", within: 15) {
                    client = try? ControlClient(path: ControlPath.path(runtime: "\(room)/run", name: "wayland-inner"))
                    return client != nil
                }
                let inner = try #require(client)
                func report() throws -> ConfigurationReport { try inner.ask(.get(.configuration), for: ConfigurationReport.self) }
                #expect(try !report().isWatched)
                try home.write("launch = 3\n")
                usleep(300_000)
                #expect(try report().faults.isEmpty, "nobody saw it")
                #expect(throws: ControlError.self) { try inner.ask(.reload) }
                #expect(try report().faults.count == 1)
                try home.write(good)
                try Data().write(to: URL(filePath: "\(room)/more"))
                try outer.wait("the watches", within: 20) { try report().isWatched }
                #expect(try report().faults.isEmpty, "what changed without watches is seen then")
                try home.write("launch = 4\n")
                try outer.wait("the change", within: 5) { try report().faults.count == 1 }
                try inner.ask(.quit)
            }
        }
    }
}
