import Control
import Geometry
import Seeded

/// One thing that a walk does.
///
/// Windows and controls are counted through those that are there when it is done, so that a part of a walk can be played alone.
enum WalkStep: Hashable, Sendable, CustomStringConvertible {
    /// Starts an app of the walk, by its name.
    case open(String)
    case input(InputRequest)
    /// Taps, or clicks, one of the shell's own controls.
    case press(Int, byPointer: Bool)
    /// Closes a window, as a person's Super+w does.
    case close(Int)
    /// Kills the process of a window.
    case kill(Int)
    case idiom(String)
    case rotate(Int)
    /// Everything that is held is let go; then the laws are checked.
    case rest

    var description: String {
        switch self {
        case .open(let app): "open \(app)"
        case .input(let input): "input \(WalkStep.words(of: input))"
        case .press(let number, let byPointer): "\(byPointer ? "click" : "tap") control \(number)"
        case .close(let number): "close window \(number)"
        case .kill(let number): "kill the app of window \(number)"
        case .idiom(let name): "idiom \(name)"
        case .rotate(let quarters): "rotate \(quarters)"
        case .rest: "rest"
        }
    }

    /// Returns the input as `mullion ctl send` takes it.
    private static func words(of input: InputRequest) -> String {
        guard let line = try? ControlMessage(.input(input), id: 0).line() else { return "\(input)" }
        return String(decoding: line, as: UTF8.self).trimmed
    }
}

extension SeededRandom {
    mutating func upTo(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }
    mutating func pick<T>(_ list: [T]) -> T { list[upTo(list.count)] }
}
