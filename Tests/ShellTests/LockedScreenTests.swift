import Chrome
import Control
import Foundation
import Geometry
import Glibc
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// A screen that changes while a locker has it, and how often clients hear of one change (P-05).
    @Suite(.serialized) struct LockedScreenTests {
        private static let blue = Picture.Pixel(0x336699)

        /// A change by output-management: its mode, scale and rotation are one.
        private struct Change: CustomStringConvertible {
            var pixels: (Int, Int)?
            var scale: Double?
            var transform: String?

            var description: String { arguments.joined(separator: " ") }

            var arguments: [String] {
                var out: [String] = []
                if let pixels { out += ["--custom-mode", "\(pixels.0)x\(pixels.1)"] }
                if let scale { out += ["--scale", "\(scale)"] }
                if let transform { out += ["--transform", transform] }
                return out
            }

            static func random(_ dice: inout SplitMix) -> Change {
                var change = Change()
                repeat {
                    if dice.next() % 3 == 0 { change.pixels = (Int(600 + dice.next() % 1800), Int(600 + dice.next() % 1200)) }
                    if dice.next() % 2 == 0 { change.scale = [1, 1.25, 1.5, 2, 3][Int(dice.next() % 5)] }
                    if dice.next() % 3 == 0 { change.transform = ["normal", "90", "180", "270"][Int(dice.next() % 4)] }
                } while change.arguments.isEmpty
                return change
            }
        }

        private struct SplitMix {
            var state: UInt64

            mutating func next() -> UInt64 {
                state &+= 0x9e37_79b9_7f4a_7c15
                var z = state
                z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
                z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
                return (z ^ (z >> 31)) >> 8
            }
        }

        private func make(_ change: Change, _ shell: ShellUnderTest) throws {
            let (status, output) = try shell.run(["wlr-randr", "--output", "HEADLESS-1"] + change.arguments)
            #expect(status == 0, "\(change): \(output)")
        }

        /// A size that the scale does not divide leaves up to a point at the edges without a picture, and black.
        private static func colour(of picture: Picture) -> Picture.Pixel? {
            let all = Rect(0, 0, Double(picture.width), Double(picture.height))
            return picture.singleColour(in: all.inset(by: 2), tolerance: 0)
        }

        private func runs(_ process: Int32) -> Bool { kill(process, 0) == 0 && !isZombie(process) }

        private func isZombie(_ process: Int32) -> Bool {
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
            return text.contains(") Z ")
        }

        /// 2360x1640 pixels at scale 1, then 2, are as many pixels of half the size: swaylock then draws nothing new.
        @Test("P-05: swaylock outlives every change of scale, mode and rotation at any moment, and covers the screen")
        func swaylock() throws {
            try ShellUnderTest.require("swaylock", of: "swaylock")
            try ShellUnderTest.require("wlr-randr", of: "wlr-randr")
            for round in 0..<(TestSeed.isSlow ? 8 : 2) {
                let seed = TestSeed.first &+ UInt64(round)
                var dice = SplitMix(state: seed)
                try ShellUnderTest.with { shell in
                    let process = try shell.start(["swaylock", "--color", "336699"]).process
                    try shell.wait("the lock", within: 20) { try shell.state().locked }
                    var done: [Change] = []
                    for change in [Change(pixels: (2360, 1640)), Change(scale: 2), Change(scale: 1), Change(pixels: (1180, 820), scale: 2)]
                        + (0..<16).map({ _ in Change.random(&dice) })
                    {
                        try make(change, shell)
                        done.append(change)
                        if dice.next() % 3 == 0 { usleep(UInt32(dice.next() % 60_000)) }
                        try #require(runs(process), "swaylock ended, seed \(seed): \(done)")
                    }
                    try shell.wait("its picture over all of the screen, seed \(seed): \(done)", within: 10) {
                        try Self.colour(of: shell.picture()) == Self.blue
                    }
                    try #require(runs(process) && (try shell.state().locked))
                    // It unlocks.
                    kill(process, SIGUSR1)
                    try shell.wait("the unlocking", within: 10) { try !shell.state().locked }
                }
            }
        }

        /// wlroots 0.18 ends a locker that commits without a picture of the new size (docs/limits.md).
        private static let manners = Machine.hasWlroots18 ? ["prompt", "late"] : ["prompt", "empty", "late"]

        @Test("P-05: lockers that answer late, or first without a picture, outlive it, too", arguments: manners)
        func own(manner: String) throws {
            try ShellUnderTest.require("wlr-randr", of: "wlr-randr")
            var dice = SplitMix(state: TestSeed.first)
            try ShellUnderTest.with { shell in
                let locker = try Locker(shell, manner: manner)
                for count in 1...14 {
                    let change = count == 1 ? Change(scale: 2) : Change.random(&dice)
                    let before = try locker.events("ext_session_lock_surface_v1.configure")
                    try make(change, shell)
                    if manner == "late", count % 3 != 0 { continue }
                    try locker.sync()
                    let new = try locker.events("ext_session_lock_surface_v1.configure").dropFirst(before.count)
                    if manner == "prompt" {
                        #expect(new.count <= 1, "\(change): one configure for one change")
                        let size = try #require(try shell.state().screen?.size), last = try #require((before + new).last?["a"])
                        #expect(
                            last[1] == .integer(Int64(clamping: size.width)) && last[2] == .integer(Int64(clamping: size.height)),
                            "\(change)")
                    }
                }
                try shell.wait("its picture over all of the screen, seed \(TestSeed.first)", within: 10) {
                    try Self.colour(of: shell.picture()) == Self.blue
                }
                try locker.unlock()
            }
        }

        @Test("P-05: a new mode with a new scale is one change: panels and windows get one configure, in the last size")
        func oneConfigure() throws {
            try ShellUnderTest.require("wlr-randr", of: "wlr-randr")
            try ShellUnderTest.with(config: "launch = []\nanimation-speed = 4\n") { shell in
                let app = try TestClient(shell)
                let panel = try shell.start(["python3", "\(TestClient.folder)/panel.py", "top", "40", "884422", "none"])
                func sizes() -> [String] {
                    shell.text(of: panel.output).split(separator: "\n").map(String.init).filter { $0.hasPrefix("size") }
                }
                try shell.wait("the panel", within: 20) { try shell.state().screen?.usable.minY == 40 }
                try shell.settle()
                for (change, wide, high) in [
                    (Change(pixels: (2000, 1600), scale: 2), 1000, 800), (Change(pixels: (1500, 1200), scale: 1), 1500, 1200),
                    (Change(pixels: (2400, 1600), scale: 2, transform: "90"), 800, 1200), (Change(scale: 1), 1600, 2400),
                ] {
                    let panels = sizes().count, windows = try app.events("xdg_toplevel.configure").count
                    try make(change, shell)
                    try shell.wait("the window in its size") { try app.report.size == Size(Double(wide), Double(high - 40)) }
                    try shell.settle()
                    _ = try app.mark()
                    #expect(Array(sizes().dropFirst(panels)) == ["size \(wide) 40"], "\(change)")
                    #expect(try app.events("xdg_toplevel.configure").count == windows + 1, "\(change)")
                }
            }
        }
    }
}
