import Control
import FoundationEssentials
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// key clicks of real on-screen keyboards, measured at the speaker.
    @Suite(.serialized, .enabled(if: SoundRoom.missing.isEmpty, "PipeWire is not installed"))
    struct KeyClickTests {
        /// Silence between two clicks, in frames: 40 ms.
        private static let gap = 1920

        /// The clicks that are heard while `body` runs: the peak of each, and how many frames it takes.
        private func clicks(_ stage: SoundStage, _ body: () throws -> Void) throws -> [(peak: Float, length: Int)] {
            let recording = try SoundRecording(stage.sound, sink: "speaker")
            try stage.sound.wait("the recorder runs") { recording.hasBegun }
            usleep(200_000)
            try body()
            usleep(700_000)
            var found: [(peak: Float, length: Int)] = [], first = 0, last = -Self.gap - 1
            for (index, sample) in try recording.finish().samples.enumerated() where abs(sample) > 0.004 {
                if index - last > Self.gap {
                    found.append((0, 0))
                    first = index
                }
                last = index
                found[found.count - 1] = (max(found[found.count - 1].peak, abs(sample)), index - first + 1)
            }
            return found
        }

        private func isClick(_ heard: (peak: Float, length: Int)) -> Bool { (0.1...0.24).contains(heard.peak) && heard.length < 1000 }

        private func height(_ shell: ShellUnderTest) throws -> Double { try shell.state().screen?.reserved.bottom ?? 0 }

        /// squeekboard asks the shell, which serves feedback, and types at the same time.
        @Test("A-21: each key of squeekboard clicks once, and none in silent mode, or if a person does not want it")
        func squeekboard_A21() throws {
            try ShellUnderTest.require("squeekboard", of: "squeekboard")
            let stage = try SoundStage(config: "launch = []\non-screen-keyboard = \"on\"\nreduced-motion = true\n")
            defer { try? stage.end() }
            let shell = stage.shell
            try shell.wait("the keyboard to stand under the search field", within: 30) {
                try shell.client.perform(.search())
                usleep(400_000)
                if try height(shell) > 100 { return true }
                try shell.client.perform(.dismiss)
                return false
            }
            try shell.settle()
            let top = 820 - (try height(shell)), row = try height(shell) / 4, key = Point(262, top + row * 2.5)
            func type(_ count: Int) throws {
                for _ in 0..<count {
                    try shell.tap(key)
                    usleep(250_000)
                }
            }
            // The first one meets the keyboard.
            let heard = try clicks(stage) { try type(3) }
            #expect(heard.count == 3 && heard.allSatisfy(isClick), "\(heard)")
            #expect(try shell.state().search == "zzz")
            try shell.perform(.audio(.silence(true)))
            #expect(try clicks(stage) { try type(2) }.isEmpty)
            try shell.perform(.audio(.silence(false)))
            try shell.perform(.keyClicks(false))
            #expect(try clicks(stage) { try type(2) }.isEmpty)
            try shell.perform(.keyClicks(true))
            #expect(try clicks(stage) { try type(1) }.count == 1)
            try stage.end()
        }

        /// wvkbd asks no service.
        @Test("A-21: each key of wvkbd clicks, and nothing that a program types by itself")
        func wvkbd_A21() throws {
            try ShellUnderTest.require("wvkbd-mobintl", of: "wvkbd")
            try ShellUnderTest.require("wtype", of: "wtype")
            let stage = try SoundStage()
            defer { try? stage.end() }
            let shell = stage.shell
            let one = try TestClient(shell, ["--title", "One"])
            _ = try shell.start(["wvkbd-mobintl", "-L", "280"])
            try shell.wait("the keyboard", within: 20) { try height(shell) > 100 }
            try shell.settle()
            let top = 820 - (try height(shell)), mark = try one.mark()
            let heard = try clicks(stage) {
                for _ in 0..<3 {
                    try shell.tap(Point(590, top + 140))
                    usleep(250_000)
                }
            }
            #expect(heard.count == 3 && heard.allSatisfy(isClick), "\(heard)")
            #expect(try one.events(since: mark, "wl_keyboard.key").count >= 6, "its window was typed in")
            #expect(try clicks(stage) { _ = try shell.run(["wtype", "aaa"]) }.isEmpty)
            try stage.end()
        }
    }
}
