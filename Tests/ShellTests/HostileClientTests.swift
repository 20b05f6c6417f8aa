import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Clients that die, hang, or break the protocol: they go, and the shell and all other clients stay.
    @Suite(.serialized) struct HostileClientTests {
        private let fast = "launch = []\nanimation-speed = 4\n"

        // MARK: Dying in every state

        @Test(arguments: [
            Destination.fullScreen, .splitView(.left), .splitView(.right), .slideOver, .pictureInPicture,
        ])
        func killedInItsPlace(place: Destination) throws {
            try ShellUnderTest.with(config: fast) { shell in
                let other = try TestClient(shell)
                let victim = try TestClient(shell, to: place)
                victim.signal(SIGKILL)
                try shell.waitUntilGone(victim.id)
                try shell.settle()
                try shell.expectPlaces([other.id: .full])
                #expect(try other.report.active && other.report.frame == ShellUnderTest.whole)
                let state = try shell.state()
                #expect(state.windows.count == 1 && state.spaces.count == 1)
                #expect(state.slideOver.stack.isEmpty && state.pictureInPicture == nil && state.divider == nil)
                try shell.expectShown(other.id)
            }
        }

        @Test func killedBeforeItsWindowIsThere() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let other = try TestClient(shell)
                // It never acks the first configure, so it is never mapped.
                let victim = try TestClient.started(shell, ["--hang-after", "0"])
                try victim.waitFor("xdg_surface.configure")
                let unmapped = try #require(try shell.state().windows.first { $0.id != other.id })
                #expect(unmapped.place == .unmapped)
                kill(try #require(unmapped.pid), SIGKILL)
                try shell.waitUntilGone(unmapped.id)
                try shell.expectPlaces([other.id: .full])
            }
        }

        @Test func killedWhileItWaits() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let other = try TestClient(shell)
                let victim = try TestClient.outside(shell)
                #expect(try shell.state().waiting == [victim.id])
                victim.signal(SIGKILL)
                try shell.waitUntilGone(victim.id)
                #expect(try shell.state().waiting.isEmpty)
                try shell.expectPlaces([other.id: .full])
            }
        }

        /// Under a finger that drags the divider, the window itself, the card or the picture.
        @Test(arguments: [
            (Destination.splitView(.right), Point(590, 400), Point(700, 400)),
            (.fullScreen, Point(590, 10), Point(1000, 400)),
            (.slideOver, Point(985, 20), Point(700, 20)),
            (.pictureInPicture, Point(1000, 700), Point(600, 400)),
        ])
        func killedUnderAFinger(place: Destination, from: Point, to: Point) throws {
            try ShellUnderTest.with(config: fast) { shell in
                let other = try TestClient(shell)
                let victim = try TestClient(shell, to: place)
                try shell.down(from)
                for step in 1...5 { try shell.move(from + (to - from) * (Double(step) / 5)) }
                victim.signal(SIGKILL)
                try shell.waitUntilGone(victim.id)
                // The finger is still down, on nothing.
                try shell.move(Point(300, 300))
                try shell.lift()
                try shell.settle()
                try shell.expectPlaces([other.id: .full])
                let mark = try other.mark()
                try shell.tap(Point(300, 300))
                _ = try other.mark()
                #expect(try other.events(since: mark, "wl_touch.down", "wl_touch.up").map(\.e) == ["down", "up"])
            }
        }

        @Test func killedWithAMenuOpen() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let other = try TestClient(shell)
                let victim = try TestClient(shell, ["--popup-on-press"])
                try shell.tap(Point(600, 500))
                try victim.waitFor("xdg_popup.configure")
                _ = try victim.mark()
                victim.signal(SIGKILL)
                try shell.waitUntilGone(victim.id)
                try shell.settle()
                let mark = try other.mark()
                try shell.tap(Point(600, 500))
                _ = try other.mark()
                #expect(try other.events(since: mark, "wl_touch.down").count == 1)
                try shell.client.input(.type(text: "a"))
                try other.waitFor("wl_keyboard.key", since: mark)
            }
        }

        @Test func aWindowTakenAwayAndShownAgain() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let other = try TestClient(shell)
                let client = try TestClient(shell, to: .slideOver)
                for _ in 0..<3 {
                    try client.tell("unmap")
                    try shell.wait("it to go") { try client.report.place == .unmapped }
                    try shell.settle()
                    #expect(try other.report.active)
                    try client.tell("map")
                    try shell.wait("it to come") { try client.report.place != .unmapped }
                }
                shell.expectAlive()
            }
        }

        // MARK: No answers

        /// A client that answered once and then never again: it is no longer waited for, and scaled into its place.
        @Test func aClientThatNeverAnswers() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let other = try TestClient(shell)
                let silent = try TestClient(shell, ["--hang-after", "2"])
                for action: Action in [
                    .splitView(window: silent.id, side: .left), .divider(fraction: 1.0 / 3), .slideOver(window: silent.id),
                    .pictureInPicture(window: silent.id), .fullScreen(window: silent.id), .splitView(window: silent.id, side: .right),
                ] {
                    try shell.perform(action)
                    let report = try silent.report
                    let place = try #require(report.shownFrame), picture = try #require(report.picture)
                    #expect(place.inset(by: -0.5).contains(picture), "\(action)")
                }
                #expect(try silent.report.late)
                try shell.expectPlaces([other.id: .splitLeft])
                try shell.expectShown(other.id)
                let widths = try (other.report.shownFrame?.maxX ?? 0, silent.report.picture?.minX ?? 0)
                #expect(widths.0 < widths.1, "it does not lie over its neighbour (W-11)")
            }
        }

        // MARK: Too much

        @Test func fiveHundredWindows() throws {
            try ShellUnderTest.with(config: fast + "new-windows = \"always\"\n") { shell in
                let other = try TestClient(shell)
                let before = try shell.statistics()
                let floods = try (0..<2).map { _ in try TestClient.started(shell, ["--count", "250"]) }
                try shell.wait("all of them", within: 60) { try shell.state().windows.count == 501 }
                let work = try shell.statistics().cpuNanoseconds
                try shell.press("Super+Tab")
                try shell.perform(.focus(window: other.id))
                #expect(try other.report.active)
                // The shell's own CPU time: on a busy machine the clock says little.
                let spent = try shell.statistics().cpuNanoseconds - work
                #expect(
                    spent < (ShellUnderTest.isSanitized ? 20_000_000_000 : 5_000_000_000),
                    "it stays usable: \(spent / 1_000_000) ms of work")
                try shell.expectShown(other.id)
                let programs = try Set(shell.state().windows.filter { $0.id != other.id }.compactMap(\.pid))
                #expect(programs.count == 2)
                for program in programs { kill(program, SIGTERM) }
                try shell.wait("all of them to go", within: 30) { try shell.state().windows.count == 1 }
                try shell.settle()
                try shell.expectPlaces([other.id: .full])
                let after = try shell.statistics()
                #expect(after.surfaces == before.surfaces && after.clients == before.clients)
                #expect(after.memoryBytes < before.memoryBytes + ShellUnderTest.memoryMargin, "memory comes back")
                _ = floods
            }
        }

        /// libwayland 1.23 never reads a message longer than its buffer, and would keep polling.
        @Test func aMessageThatIsNeverFinishedCostsNothing() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let bystander = try TestClient(shell)
                let before = try shell.statistics().cpuNanoseconds
                let (status, output) = try shell.run(["python3", "\(TestClient.folder)/abuse.py", "unfinished-message"], within: 30)
                #expect(status == 0, "\(output)")
                let spent = try shell.statistics().cpuNanoseconds - before
                #expect(spent < 300_000_000, "\(spent / 1_000_000) ms of work in 4 s")
                _ = try bystander.mark()
            }
        }

        /// They are read with libwayland 1.23, which comes with wlroots 0.18. Older versions disconnect the client.
        @Test func messagesLongerThanTheBufferAreRead() throws {
            try ShellUnderTest.with(config: fast) { shell in
                let (status, output) = try shell.run(["python3", "\(TestClient.folder)/abuse.py", "long-messages"], within: 60)
                let old = try shell.client.ask(.get(.version), for: VersionReport.self).wlroots.hasPrefix("0.15")
                #expect(status == 0 && output.contains("\"ended\": \(old)"), "\(output)")
            }
        }

        /// Cases with their own, more detailed tests.
        private let playedAlone: Set = ["unfinished-message", "huge-picture", "long-messages", "buttons-never-released"]

        /// All other protocol violations of `abuse.py`, one after the other, in one shell.
        @Test func protocolAbuse() throws {
            try ShellUnderTest.with(config: fast + "new-windows = \"always\"\n") { shell in
                let bystander = try TestClient(shell)
                let script = "\(TestClient.folder)/abuse.py"
                let ways = try shell.run(["python3", script, "--list"]).output.split(separator: "\n").map(String.init)
                #expect(ways.count > 40)
                // Cases that must get an error instead of silence.
                let errors: Set<String> = [
                    "short-message", "unknown-object", "unknown-request", "number-in-use", "string-without-end",
                    "string-too-long", "wrong-kind-of-object", "buffer-past-its-pool", "two-roles", "buffer-before-configure",
                    "answer-to-nothing", "shell-gone-before-windows", "surface-gone-before-role", "subsurface-of-itself",
                    "popup-of-itself", "popups-in-a-ring", "popup-without-parent", "screencopy-into-a-wrong-buffer",
                    "layer-given-a-popup-that-is-gone", "error-while-behind", "several-xdg-surfaces-of-one",
                    "subsurface-that-was-an-xdg-surface", "popups-in-a-ring-behind-an-xdg-surface",
                ]
                let words = [
                    "popup-of-itself": "is its own ancestor", "popups-in-a-ring": "popup",
                    "popups-too-deep": "stands in more than 64 others", "keymap-of-four-gigabytes": "it must be a file",
                    "keymap-shorter-than-said": "it must be a file",
                    "keymap-with-comments-and-names": "\"ended\": false", "keymap-with-a-huge-keycode": "a keycode is larger",
                    "keymap-with-a-huge-level": "a level is larger", "keymap-with-a-product-of-levels": "more than a number",
                    "keymap-with-a-long-sum": "operators in a statement", "keymap-that-includes-much": "more than 64 files",
                    "keymap-that-includes-a-pipe": "from outside", "keymap-that-includes-itself": "from outside",
                ]
                #expect(words.keys.allSatisfy(ways.contains))
                let played = ways.filter { !playedAlone.contains($0) && !$0.hasPrefix("limit-") }
                let (status, all) = try shell.run(["python3", script] + played, within: 120)
                try #require(shell.ending == nil, "the last of these ended the shell, or the one after it: \(all)")
                try #require(status == 0, "\(all)")
                let outputs = all.split(separator: "\n")
                try #require(outputs.count == played.count, "\(all)")
                for (way, output) in zip(played, outputs) {
                    #expect(output.contains("\"way\": \"\(way)\""), "\(output)")
                    if errors.contains(way) { #expect(output.contains("\"ended\": true"), "\(way): \(output)") }
                    if let said = words[way] { #expect(output.contains(said), "\(way): \(output)") }
                    #expect(!output.contains("silent"), "\(way): the shell did not answer")
                }
                _ = try bystander.mark()
                try shell.wait("the last of them to go") { try shell.state().windows.count == 1 }
                try shell.settle()
                try shell.expectPlaces([bystander.id: .full])
                try shell.expectShown(bystander.id)
                try shell.wait("the memory of who is gone to go") {
                    !shell.text(of: "/proc/\(shell.process)/maps").contains("left-over")
                }
            }
        }

        /// Random requests for some seconds. Seeded (`TestSeed`).
        @Test(.enabled(if: TestSeed.isSlow, "make test-slow")) func randomRequests() throws {
            let seed = UInt32(truncatingIfNeeded: TestSeed.first)
            // A locked session stays locked, and nothing would be visible any more. A taskbar may close other
            // windows.
            let config = fast + "new-windows = \"always\"\n[privileges]\nsession-lock = \"nobody\"\nwindow-list = \"nobody\"\n"
            try ShellUnderTest.with(config: config) { shell in
                let bystander = try TestClient(shell)
                let before = try shell.statistics()
                let (status, output) = try shell.run(["python3", "\(TestClient.folder)/fuzz.py", "\(seed)", "8"], within: 40)
                try #require(shell.ending == nil, "MULLION_SEED=\(seed) ended the shell")
                #expect(status == 0, "MULLION_SEED=\(seed): \(output)")
                do {
                    try shell.wait("the last of them to go") { try shell.state().windows.count == 1 }
                } catch {
                    throw ShellUnderTest.Failure("\(error), MULLION_SEED=\(seed): \(try shell.state())")
                }
                try shell.settle()
                try shell.expectShown(bystander.id)
                let after = try shell.statistics()
                #expect(after.surfaces == before.surfaces && after.clients == before.clients, "MULLION_SEED=\(seed)")
                #expect(after.memoryBytes < before.memoryBytes + ShellUnderTest.memoryMargin, "MULLION_SEED=\(seed)")
            }
        }
    }
}
