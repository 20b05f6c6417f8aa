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
    /// Anything in any order: fingers, pointer, keys, ctl, and clients that start, hang and die. Afterwards
    /// everything is as it should be, and the recording of it replays to the same state.
    @Suite(.serialized) struct MonkeyTests {
        /// Seeded (`TestSeed`), so that a run can be repeated.
        private struct Dice {
            var generator: SeededGenerator

            mutating func upTo(_ n: Int) -> Int { Int(generator.next() % UInt64(n)) }
            mutating func pick<T>(_ list: [T]) -> T { list[upTo(list.count)] }
            mutating func finger() -> Int32 { Int32(upTo(3)) }

            /// Often at something interesting: edges, the dots, the divider, the card's strips.
            mutating func point() -> Point {
                Point(
                    pick([5.0, 590, 595, 985, 200, 1175, Double(upTo(1180))]),
                    pick([3.0, 10, 20, 410, 815, 800, Double(upTo(820))]))
            }

            mutating func action(on window: WindowID) -> Action {
                pick([
                    .fullScreen(window: window), .slideOver(window: window), .pictureInPicture(window: window),
                    .splitView(window: window, side: pick([.left, .right, .top, .bottom])), .focus(window: window),
                    .openWaiting(window: window), .close(window: window), .divider(fraction: Double(upTo(100)) / 99),
                    .rotate(upTo(4)),
                    .resizeScreen(size: pick([Size(1180, 820), Size(700, 500), nil]), scale: pick([1, 1.5, 2])),
                ])
            }

            mutating func input() -> InputRequest {
                switch upTo(12) {
                case 0, 1: .touchDown(touch: finger(), at: point())
                case 2, 3, 4: .touchMotion(touch: finger(), at: point())
                case 5: .touchUp(touch: finger())
                case 6: .touchCancel(touch: finger())
                case 7: .pointerMotion(at: point())
                case 8: .pointerButton(button: pick([.left, .right]), pressed: upTo(2) == 0)
                case 9: .press(keys: pick(KeyBinding.standard.map(\.chord.description).filter { !["Super+w", "Super+l"].contains($0) }))
                default:
                    .drag(from: point(), to: point(), duration: Double(30 + upTo(90)), pointer: upTo(4) == 0)
                }
            }
        }

        /// Impossible actions are refused without consequences.
        private func step(_ shell: ShellUnderTest, _ dice: inout Dice, _ clients: inout [TestClient]) throws {
            switch dice.upTo(20) {
            case 0...13: try? shell.client.input(dice.input())
            case 14, 15, 16:
                let windows = try shell.state().windows.map(\.id)
                try? shell.client.perform(dice.action(on: dice.pick(windows + [WindowID(1)])))
            case 17 where clients.count < 6:
                let options = dice.pick([
                    [], ["--popup-on-press"], ["--minimum", "900x700"], ["--hang-after", "2"], ["--animate"],
                ])
                // A window that another client opens and loses meanwhile may be mistaken for it.
                if let client = try? TestClient(shell, options, to: dice.pick([nil, .slideOver, .pictureInPicture, .splitView(.left)])) {
                    clients.append(client)
                }
            case 18:
                try? dice.pick(clients).tell(
                    dice.pick(["unmap", "map", "open more", "popup", "fullscreen", "title New", "minimum 300 900"]))
            case 19 where clients.count > 1:
                clients.remove(at: dice.upTo(clients.count)).signal(dice.pick([SIGKILL, SIGTERM]))
            default: break
            }
        }

        @Test func anything() throws {
            let seed = TestSeed.first
            var recording: Data?
            do {
                try ShellUnderTest.with { shell in
                    var dice = Dice(generator: SeededGenerator(seed: seed)), clients = [try TestClient(shell), try TestClient(shell)]
                    let deadline = Date().addingTimeInterval(ShellUnderTest.isSlow ? 60 : 6)
                    for _ in 0..<1200 where Date() < deadline { try step(shell, &dice, &clients) }
                    for touch in 0..<3 { try shell.client.input(.touchUp(touch: Int32(touch))) }
                    for button in [InputRequest.Button.left, .right] {
                        try shell.client.input(.pointerButton(button: button, pressed: false))
                    }
                    try shell.perform(.rotate(0))
                    try shell.perform(.resizeScreen(size: Size(1180, 820), scale: 1))
                    let state = try shell.state()
                    for window in state.windows where window.place != .unmapped && window.place != .dialog {
                        let frame = try #require(window.frame, "\(window)")
                        if !state.slideOver.hidden, state.pictureInPicture?.stashed == nil {
                            #expect(ShellUnderTest.whole.contains(frame, tolerance: 1), "\(window)")
                        }
                    }
                    let front = state.windows.filter { $0.space == state.space && $0.space != nil }
                    for a in front { for b in front where a.id < b.id { #expect(!overlaps(a.frame, b.frame), "\(a) \(b)") } }
                    // A finger still works. Next to an open menu or the list of keys, it closes that.
                    var last = try (try? TestClient(shell, to: .fullScreen)) ?? TestClient(shell, to: .fullScreen)
                    // A program that a step started may show its window only now, in front of this one.
                    for _ in 0..<3 where try shell.state().focus != last.id { last = try TestClient(shell, to: .fullScreen) }
                    let mark = try last.mark(), open = try shell.state().open
                    if !open.isEmpty { print("MonkeyTests: \(open) is open") }
                    if state.slideOver.stack.isEmpty, state.pictureInPicture == nil, open.isEmpty {
                        try shell.tap(Point(590, 600))
                        _ = try last.mark()
                        let felt = try last.events(since: mark).map { "\($0)" }, now = try shell.state()
                        #expect(
                            try last.events(since: mark, "wl_touch.down", "wl_touch.up").map(\.e) == ["down", "up"],
                            "MULLION_SEED=\(seed): \(felt), \(now)")
                    }
                    recording = try Data(contentsOf: URL(filePath: shell.recordingPath))
                }
                let end = try Replay(of: try #require(recording)).system
                #expect(end.violations().isEmpty, "\(end.violations())")
            } catch {
                Issue.record("MULLION_SEED=\(seed): \(error)")
            }
        }

        private func overlaps(_ a: Rect?, _ b: Rect?) -> Bool {
            guard let a, let b else { return false }
            return a.minX + 1 < b.maxX && b.minX + 1 < a.maxX && a.minY + 1 < b.maxY && b.minY + 1 < a.maxY
        }
    }
}
