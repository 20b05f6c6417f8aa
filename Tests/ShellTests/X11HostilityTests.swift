import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing

extension ShellUnderTest {
    fileprivate func x11Display() throws -> String {
        try #require(try client.ask(.get(.version), for: VersionReport.self).x11Display)
    }

    fileprivate func abuse(_ way: String) throws -> String {
        try run(["python3", "\(TestClient.folder)/x11_abuse.py", try x11Display(), way], within: 60).output
    }
}

extension RunningShell {
    /// Hostile X11 programs. They share one connection to the shell, so they have to be told apart.
    @Suite(.serialized) struct X11HostilityTests {
        private let config = "launch = []\nanimation-speed = 4\nnew-windows = \"always\"\n"

        /// wlroots handles X11 events as long as there are any. Before, the shell did nothing else until the flood
        /// was over.
        @Test(arguments: TestSeed.isSlow ? ["flood-titles", "flood-messages", "flood-answers", "flood-windows"] : ["flood-titles"])
        func aFloodDelaysNobodyElse(way: String) throws {
            try ShellUnderTest.with(config: config) { shell in
                let clock = try shell.open("xclock", of: "x11-apps")
                let script = "\(TestClient.folder)/x11_abuse.py"
                let (_, output) = try shell.start(["python3", script, try shell.x11Display(), way])
                var longest: Duration = .zero, asked = 0
                while !shell.text(of: output).contains("sent") {
                    longest = max(longest, try ContinuousClock().measure { _ = try shell.state() })
                    asked += 1
                    usleep(50_000)
                    try #require(asked < 1000, "it never ends")
                }
                #expect(longest < .seconds(5), "in \(asked) asks")
                try shell.wait("its window to go", within: 10) { try shell.state().windows.map(\.id) == [clock.id] }
                #expect(try shell.open("xcalc", of: "x11-apps").isX11)
                #expect(shell.log.split(separator: "\n").count < 1000, "what is wrong a thousand times is not told a thousand times")
            }
        }

        /// Xwayland's messages about a window are stuck behind a flood, but its content arrives over Wayland earlier.
        @Test func aWindowThatComesInAFloodIsShown() throws {
            try ShellUnderTest.with(config: config) { shell in
                try shell.open("xclock", of: "x11-apps")
                let script = "\(TestClient.folder)/x11_abuse.py"
                let (_, output) = try shell.start(["python3", script, try shell.x11Display(), "flood-titles"])
                let names = ["xcalc", "xeyes", "xlogo"]
                for name in names { try shell.client.perform(.launch(command: [name], to: nil)) }
                try shell.wait("all of them to be shown", within: 20) {
                    Set(try shell.state().windows.filter { $0.isX11 }.map { $0.appID.lowercased() }).isSuperset(of: names)
                }
                try shell.wait("the flood's end", within: 30) { shell.text(of: output).contains("sent") }
            }
        }

        /// wlroots sends the complete list of windows for each change. Before, that was more than Xwayland could
        /// read, and it was killed.
        @Test(.enabled(if: TestSeed.isSlow, "make test-slow")) func aProgramWithManyWindowsEndsNobodyElse() throws {
            try ShellUnderTest.with(config: config) { shell in
                let clock = try shell.open("xclock", of: "x11-apps")
                let (program, output) = try shell.start(["python3", "\(TestClient.folder)/x11_many.py", try shell.x11Display(), "250"])
                try shell.wait("its windows", within: 60) {
                    try shell.text(of: output).contains("mapped") && shell.state().windows.count == 251
                }
                kill(program, SIGKILL)
                try shell.wait("them to go", within: 60) { try shell.state().windows.map(\.id) == [clock.id] }
                #expect(!shell.log.contains("it is ended"))
            }
        }

        /// A string longer than a Wayland message would disconnect the client that gets it; so may one that is not
        /// UTF-8.
        @Test func aLongTitleEndsNoTaskbar() throws {
            try ShellUnderTest.with(config: config) { shell in
                let output = try shell.abuse("long-title")
                #expect(output.contains("still connected"), "\(output)")
                #expect(output.contains("étt"), "\(output)")
            }
        }

        @Test func longTypesEndNoClipboardManager() throws {
            try ShellUnderTest.with(config: config) { shell in
                let output = try shell.abuse("long-types")
                #expect(output.contains("still connected"), "\(output)")
                #expect(output.contains("['text/short']"), "\(output)")
            }
        }

        @Test func propertiesOfWrongSizes() throws {
            try ShellUnderTest.with(config: config) { shell in
                #expect(try shell.abuse("short-properties").contains("sent"))
                shell.expectAlive()
                try shell.wait("its window to go") { try shell.state().windows.isEmpty }
            }
        }

        /// The client shares the pipe's open file description. It made writing block, and the shell waited for it to
        /// read. And libxcb blocks for a whole reply, so a property holds at most as much as one request.
        @Test(arguments: [("paste-blocking", 1_000_000), ("paste-long", 12_000_000), ("paste-too-long", 0), ("paste-twice", 4_000_000)])
        func aPasteHoldsUpNobody(way: String, bytes: Int) throws {
            try ShellUnderTest.with(config: config) { shell in
                let output = try shell.abuse(way)
                #expect(output.contains("pasted \(bytes)\n"), "\(output)")
                #expect(shell.log.contains("more than 16 MiB of a selection") == (bytes == 0))
                shell.expectAlive()
            }
        }

        /// Each unanswered request has descriptors, and the program keeps asking.
        @Test func askingWithoutAnswersIsRefused() throws {
            try ShellUnderTest.with(config: config) { shell in
                let descriptors = { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(shell.process)/fd").count }
                try shell.open("xclock", of: "x11-apps")
                let before = try descriptors()
                #expect(try shell.abuse("ask-often").contains("refused 136 asked for 64\n"))
                try shell.wait("the descriptors to come back") { try descriptors() < before + 20 }
                // Others get answers.
                #expect(try shell.abuse("paste-long").contains("pasted 12000000\n"))
            }
        }

        /// Events that only the X server can know about are not accepted from clients.
        @Test func nobodyEndsTheWindowsOfOthersInTheServersName() throws {
            try ShellUnderTest.with(config: config) { shell in
                let clock = try shell.open("xclock", of: "x11-apps")
                #expect(try shell.abuse("forge-destroy").contains("sent"))
                try shell.wait("its own window to go") { try shell.state().windows.map(\.id) == [clock.id] }
                try shell.settle()
                try shell.expectShown(clock.id)
            }
        }

        /// wlroots does not handle reparented windows: it kept them forever, or never showed them.
        @Test func windowsGoIntoOthersAndComeOut() throws {
            try ShellUnderTest.with(config: config) { shell in
                let base = try TestClient(shell)
                #expect(try shell.abuse("into-another").contains("sent"))
                try shell.wait("its windows to go") { try shell.state().windows.map(\.id) == [base.id] }
                let output = try shell.abuse("out-of-another")
                #expect(output.contains("'Inner'"), "\(output)")
                try shell.wait("its windows to go") { try shell.state().windows.map(\.id) == [base.id] }
            }
        }

        /// KillClient on the window manager's window: no X11 window would be visible any more until the last program
        /// ended.
        @Test func nobodyIsLeftWithoutAWindowManager() throws {
            try ShellUnderTest.with(config: config) { shell in
                let base = try TestClient(shell)
                let clock = try shell.open("xclock", of: "x11-apps")
                _ = try shell.abuse("end-window-manager")
                try shell.waitUntilGone(clock.id)
                try shell.wait("the log to say why") { shell.log.contains("has ended its window manager's connection") }
                #expect(try shell.open("xcalc", of: "x11-apps").isX11)
                #expect(try shell.state()[base.id] != nil)
            }
        }

        /// wl_data_device.start_drag without a source: wlroots' X11 window manager assumed that there is one.
        @Test(arguments: ["without-source", "with-source"])
        func aDragWhileXwaylandRuns(source: String) throws {
            // glibc overwrites freed memory, so that each use of it crashes the shell.
            let unforgiving = ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.perturb=165"]
            try ShellUnderTest.with(config: config, environment: unforgiving) { shell in
                try shell.open("xclock", of: "x11-apps")
                let (_, output) = try shell.start(["python3", "\(TestClient.folder)/drags.py", source])
                try shell.wait("its window", within: 20) { try shell.state().windows.count == 2 }
                try shell.settle()
                // Its window may appear below the pointer only after the first press.
                try shell.wait("the drag", within: 20) {
                    try shell.client.input(.pointerButton(button: .left, pressed: false))
                    try shell.client.input(.pointerMotion(at: Point(590, 410)))
                    try shell.client.input(.pointerButton(button: .left, pressed: true))
                    usleep(200_000)
                    return shell.text(of: output).contains("dragging")
                }
                // Xwayland ends in the middle of it.
                let display = try shell.x11Display()
                for process in try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap({ Int32($0) })
                where shell.text(of: "/proc/\(process)/cmdline").hasPrefix("Xwayland\0\(display)\0") { kill(process, SIGKILL) }
                try shell.wait("the X11 window to go", within: 20) { try shell.state().windows.count == 1 }
                for place in [Point(600, 700), Point(600, 420), Point(100, 100)] { try shell.client.input(.pointerMotion(at: place)) }
                try shell.client.input(.pointerButton(button: .left, pressed: false))
                #expect(try shell.open("xcalc", of: "x11-apps").isX11)
                shell.expectAlive()
            }
        }
    }
}
