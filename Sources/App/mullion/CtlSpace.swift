import ArgumentParser
import Control
import Geometry
import Multitasking
import Windows

// The Shared Space: depths, eyes, surroundings; and the wrist.

struct CtlDepth: Acting {
    static let configuration = CommandConfiguration(
        commandName: "depth", abstract: "Move a window nearer or farther, where windows stand at depths.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "nearer, farther, or a depth behind the screen in points; write a negative one after --.") var depth: String
    @Argument(help: windowHelp) var window: WindowID?
    var action: Action {
        get throws {
            switch depth {
            case "nearer": return .depthStep(window: window, -1)
            case "farther": return .depthStep(window: window, 1)
            default:
                guard let points = Double(depth) else { throw Failure("\"\(depth)\" is not nearer, farther or a number") }
                return .depth(window: window, to: points)
            }
        }
    }
}

struct CtlGaze: Acting {
    static let configuration = CommandConfiguration(
        commandName: "gaze", abstract: "Say where a person looks; no app is told. A press there is a tap.",
        usage: "mullion ctl gaze X Y\nmullion ctl gaze press\nmullion ctl gaze away")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "A point of the screen, press, or away.") var words: [String]
    var action: Action {
        get throws {
            switch words {
            case ["press"]: return .gazePress
            case ["away"]: return .gaze(at: nil)
            default:
                guard words.count == 2, let x = Double(words[0]), let y = Double(words[1]) else {
                    throw Failure("a point is two numbers, as in: gaze 400 300")
                }
                return .gaze(at: Point(x, y))
            }
        }
    }
}

struct CtlSurroundings: Acting {
    static let configuration = CommandConfiguration(
        commandName: "surroundings", abstract: "Dim what is around the windows, where windows stand at depths.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "From 0, not at all, to 1; the other way round if left out.") var share: Double?
    var action: Action { .surroundings(share) }
}

struct CtlWrist: Acting {
    static let configuration = CommandConfiguration(
        commandName: "wrist", abstract: "Lower or raise the wrist that wears the device.")
    enum Way: String, ExpressibleByArgument, CaseIterable { case down, up }
    @OptionGroup var shell: ShellChoice
    @Argument(help: "down: the screen shows nothing private, and clips fall silent; up.") var way: Way
    var action: Action { .wrist(raised: way == .up) }
}
