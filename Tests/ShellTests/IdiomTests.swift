import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Idioms that begin while real clients are connected (W-25).
    @Suite(.serialized) struct IdiomTests {
        private let config = "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n"

        /// A client with so many windows, all of them open.
        private func windows(_ count: Int, _ shell: ShellUnderTest, _ arguments: [String] = []) throws -> TestClient {
            let client = try TestClient.started(shell, ["--count", "\(count)"] + arguments)
            try shell.wait("its windows", within: 30) { try shell.state().windows.count { $0.shown || $0.place != .unmapped } >= count }
            try shell.wait("their answers") { try answered(shell) }
            return client
        }

        private func answered(_ shell: ShellUnderTest) throws -> Bool {
            try shell.state().windows.allSatisfy { $0.answered == ($0.configured ?? 0) || $0.isX11 }
        }

        /// The configures since the mark, by window of the client.
        private func configures(_ client: TestClient, since mark: Int) throws -> [String: Int] {
            try client.events(since: mark, "xdg_surface.configure").reduce(into: [:]) { $0[$1.o, default: 0] += 1 }
        }

        @Test("W-25: the idiom follows a convertible's switch after a second, and what a person chose holds")
        func followsTheSwitch() throws {
            try ShellUnderTest.with(config: config + "idiom = \"automatic\"\n") { shell in
                let client = try TestClient(shell)
                func idiom() throws -> String { try shell.state().idiom }
                try shell.stopClock()
                try shell.client.perform(.tabletMode(on: false))
                try shell.step(900)
                #expect(try idiom() == "pad")
                try shell.step(200)
                #expect(try idiom() == "mac")
                try shell.client.perform(.idiom("phone"))
                try shell.client.perform(.tabletMode(on: false))
                try shell.step(5000)
                #expect(try idiom() == "phone")
                try shell.client.perform(.tabletMode(on: true))
                try shell.step(1100)
                #expect(try idiom() == "pad")
                try shell.startClock()
                try shell.settle()
                #expect(try client.report.shown)
                // The configuration names one while the shell runs.
                try shell.write(config + "idiom = \"mac\"\n", to: "\(shell.room)/config.toml")
                try shell.wait("the configuration") { try idiom() == "mac" }
                try shell.perform(.tabletMode(on: true))
                usleep(1_200_000)
                #expect(try idiom() == "mac")
            }
        }

        @Test("law 9: the tile of the control centre offers the idioms, however it is operated", arguments: ShellUnderTest.Way.allCases)
        func tile(way: ShellUnderTest.Way) throws {
            try ShellUnderTest.with(config: config) { shell in
                let client = try TestClient(shell)
                for (name, spoken) in [("phone", "Phone Mode"), ("mac", "Desktop Mode"), ("pad", "Tablet Mode")] {
                    try shell.perform(.controlCentre)
                    try shell.operate("control-centre/idiom", by: way)
                    #expect(try shell.isOpen("control-centre/idioms"))
                    #expect(try shell.views().count { $0.id.hasPrefix("control-centre/idiom/") } >= 3)
                    try shell.operate("control-centre/idiom/\(name)", by: way)
                    try shell.settle()
                    #expect(try shell.state().idiom == name && client.report.shown)
                    try shell.perform(.controlCentre)
                    #expect(try shell.view("control-centre/idiom").name == spoken)
                    try shell.perform(.dismiss)
                }
            }
        }

        @Test("W-10, W-25: fifty switches with ten windows that draw all the time: one configure for each window and switch")
        func fiftySwitches() throws {
            try ShellUnderTest.with(config: config) { shell in
                let client = try windows(10, shell, ["--animate"])
                var random = Random(state: TestSeed.first)
                let names = ["pad", "phone", "mac"]
                func switchOver(_ name: String) throws { try shell.client.perform(.idiom(name)) }
                // One after the other, without waiting for anybody.
                let start = try client.mark()
                for _ in 0..<40 { try switchOver(names[Int(random.next() % 3)]) }
                try shell.wait("the answers", within: 10) { try answered(shell) }
                _ = try client.mark()
                for (window, count) in try configures(client, since: start) { #expect(count <= 40, "\(window) got \(count)") }
                // Each by itself.
                for _ in 0..<10 {
                    let mark = try client.mark()
                    try switchOver(names[Int(random.next() % 3)])
                    try shell.wait("the answers", within: 10) { try answered(shell) }
                    _ = try client.mark()
                    for (window, count) in try configures(client, since: mark) { #expect(count <= 1, "\(window) got \(count)") }
                }
                try client.tell("still")
                try switchOver("pad")
                try shell.settle()
                #expect(try shell.state().windows.count == 10)
                shell.expectAlive()
            }
        }

        @Test("a client that never answers holds up no switch, and stands in its place when it answers again")
        func silentClient() throws {
            try ShellUnderTest.with(config: config) { shell in
                let silent = try TestClient(shell), other = try TestClient(shell, ["--title", "other"])
                try shell.perform(.splitView(window: silent.id, side: .left))
                let before = try silent.report.frame
                try silent.tell("hang")
                _ = try silent.mark()
                for name in ["mac", "phone", "pad", "mac", "pad"] {
                    try shell.client.perform(.idiom(name))
                    try shell.wait("the other one in \(name)") { try other.report.answered == (other.report.configured ?? 0) }
                    try shell.client.waitUntilIdle(timeout: 20_000)
                    #expect(try shell.state().idiom == name)
                }
                #expect(try silent.report.place == .splitLeft && silent.report.frame == before)
                try silent.tell("answer")
                try shell.perform(.idiom("phone"))
                try shell.perform(.focus(window: silent.id))
                try shell.wait("its answer") { try silent.report.told == silent.report.size }
            }
        }

        @Test("an X11 window moves from idiom to idiom")
        func x11() throws {
            for (tool, package) in [("xterm", "xterm"), ("Xwayland", "xwayland")] { try ShellUnderTest.require(tool, of: package) }
            try ShellUnderTest.with(config: config) { shell in
                let terminal = try shell.open("xterm", of: "xterm"), client = try TestClient(shell)
                try shell.perform(.splitView(window: terminal.id, side: .left))
                let before = try shell.window(terminal.id).frame
                for name in ["mac", "phone", "mac", "pad"] {
                    try shell.perform(.idiom(name))
                    try shell.perform(.focus(window: terminal.id))
                    try shell.settle()
                    let report = try shell.window(terminal.id)
                    #expect(report.shown && report.active, "\(name)")
                    if name == "phone" { try shell.wait("its size") { try shell.window(terminal.id).size.width > 1100 } }
                }
                #expect(try shell.window(terminal.id).frame == before && client.report.shown)
            }
        }

        @Test("law 4: while something is dragged out of a window an idiom begins, and the drag is over", arguments: ["pointer", "finger"])
        func dragged(by: String) throws {
            try ShellUnderTest.with(config: config) { shell in
                let (_, output) = try shell.start(
                    ["python3", "\(TestClient.folder)/drags.py", "with-source"] + (by == "finger" ? ["finger"] : []))
                try shell.wait("its window", within: 20) { try shell.state().windows.count == 1 }
                try shell.settle()
                try shell.wait("the drag", within: 20) {
                    if by == "finger" {
                        try shell.client.input(.touchUp(touch: 0))
                        try shell.client.input(.touchDown(touch: 0, at: Point(590, 410)))
                    } else {
                        try shell.client.input(.pointerButton(button: .left, pressed: false))
                        try shell.client.input(.pointerMotion(at: Point(590, 410)))
                        try shell.client.input(.pointerButton(button: .left, pressed: true))
                    }
                    usleep(200_000)
                    return shell.text(of: output).contains("dragging")
                }
                try shell.client.perform(.idiom("mac"))
                for place in [Point(600, 400), Point(5, 5), Point(600, 420)] {
                    if by == "finger" {
                        try? shell.client.input(.touchMotion(touch: 0, at: place))
                    } else {
                        try shell.client.input(.pointerMotion(at: place))
                    }
                }
                if by == "finger" {
                    try? shell.client.input(.touchUp(touch: 0))
                } else {
                    try shell.client.input(.pointerButton(button: .left, pressed: false))
                }
                // Another app gets fingers, the pointer and keys.
                let other = try TestClient(shell)
                try shell.perform(.idiom("phone"))
                try shell.perform(.focus(window: other.id))
                let mark = try other.mark()
                try shell.tap(Point(590, 410))
                try other.waitFor("wl_touch.down", since: mark)
                try shell.click(Point(590, 410))
                try other.waitFor("wl_pointer.button", since: mark)
                try shell.client.input(.press(keys: "a"))
                try other.waitFor("wl_keyboard.key", since: mark)
                shell.expectAlive()
            }
        }
    }
}
