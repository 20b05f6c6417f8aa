import Interface
import MullionTesting
import Stage
import Testing

@testable import Multitasking

@Suite("law 5: a fault in a file that a person edits is told once, and goes with the fault")
struct EditedFilesTests {
    private func trouble(_ line: Int, _ file: String = "config.toml", _ inEffect: FileTrouble.InEffect = .lastGood) -> FileTrouble {
        FileTrouble(file: file, line: line, reason: "scale: a number is expected", inEffect: inEffect)
    }

    private func title(_ world: CoreWorld) -> Text? {
        guard world.interface.isPopoverOpen, case .alert(let title, _)? = world.interface.popover?.content else { return nil }
        return title
    }

    @Test("an alert names file and line; a correction takes it away, answered or not", arguments: [true, false])
    func correction(isAnswered: Bool) {
        var world = CoreWorld()
        world.send(.filesWrong([trouble(3)]))
        world.wait(1000)
        #expect(title(world) == .message(.fileWrongAt, ["config.toml", "3"]))
        // The same again is no news.
        world.send(.filesWrong([trouble(3)]))
        if isAnswered { world.act(.dismiss) }
        world.wait(1000)
        world.send(.filesWrong([trouble(3)]))
        world.wait(1000)
        #expect((title(world) == nil) == isAnswered)
        world.send(.filesWrong([]))
        world.wait(1000)
        #expect(title(world) == nil)
        // After the correction, the same error is a new one.
        world.send(.filesWrong([trouble(3)]))
        world.wait(1000)
        #expect(title(world) != nil)
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test("two files: one after the other, and each goes by itself")
    func several() {
        var world = CoreWorld()
        world.send(.filesWrong([trouble(0), trouble(7, "idioms/kiosk.toml", .rest)]))
        world.wait(1000)
        #expect(title(world) == .message(.fileWrong, ["config.toml"]))
        world.send(.filesWrong([trouble(7, "idioms/kiosk.toml", .rest)]))
        world.wait(1000)
        #expect(title(world) == .message(.fileWrongAt, ["idioms/kiosk.toml", "7"]))
        world.send(.filesWrong([trouble(8, "idioms/kiosk.toml", .rest)]))
        world.wait(1000)
        #expect(title(world) == .message(.fileWrongAt, ["idioms/kiosk.toml", "8"]))
        world.act(.dismiss)
        world.wait(1000)
        #expect(title(world) == nil && world.finish() == [])
    }

    @Test("every order of faults and corrections of two files: what is in sight or waits is true")
    func orders() {
        let states: [[FileTrouble]] = [[], [trouble(1)], [trouble(2)], [trouble(1), trouble(5, "b.toml")], [trouble(5, "b.toml")]]
        for first in states {
            for second in states {
                for third in states {
                    var world = CoreWorld()
                    for state in [first, second, third] {
                        world.send(.filesWrong(state))
                        world.wait(500)
                        let wanted = state.map(\.alert)
                        if let content = world.interface.popover?.content, world.interface.isPopoverOpen {
                            #expect(wanted.contains(content))
                        }
                        #expect(state.isEmpty == (title(world) == nil))
                    }
                }
            }
        }
    }

    @Test("a long reason is cut, and the alerts of a full disk go when it has room again")
    func others() {
        let long = FileTrouble(file: "a", line: 1, reason: String(repeating: "x", count: 999), inEffect: .standard)
        var asks = long
        asks.reason = "unknown key \"scal\": did you mean \"scale\"?"
        guard case .alert(_, .message(.fileStandard, let said)) = asks.alert else { return #expect(Bool(false)) }
        #expect(said == ["Unknown key \"scal\": did you mean \"scale\""])
        guard case .alert(_, .message(.fileStandard, let parts)) = long.alert else { return #expect(Bool(false)) }
        #expect(parts[0].count == FileTrouble.longestReason + 1)
        var world = CoreWorld()
        world.send(.storeTrouble(.lost))
        world.send(.storeTrouble(.diskFull))
        world.wait(500)
        world.send(.storeKeepsAgain)
        world.wait(500)
        #expect(title(world) == .message(.sessionLostTitle), "what is past stays true")
        world.act(.dismiss)
        world.wait(500)
        #expect(title(world) == nil)
        world.send(.storeTrouble(.unusable))
        world.wait(500)
        #expect(title(world) == .message(.notKeptTitle))
        world.send(.storeKeepsAgain)
        world.wait(500)
        #expect(title(world) == nil && world.finish() == [])
    }
}
