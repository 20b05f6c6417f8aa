import ArgumentParser
import Control
import Geometry

// Injects touch, pointer and key input.

protocol Inputting: Asking {
    var input: InputRequest { get throws }
}

extension Inputting {
    var request: ControlRequest { get throws { .input(try input) } }
}

/// A place on the screen, in points.
struct Place: ParsableArguments {
    @Argument var x: Double
    @Argument var y: Double
    var point: Point { Point(x, y) }
}

extension InputRequest.Button: ExpressibleByArgument {
    public init?(argument: String) {
        guard let button = InputRequest.Button(argument) ?? UInt32(argument).map({ InputRequest.Button(code: $0) }) else { return nil }
        self = button
    }
}

private let buttonHelp = ArgumentHelp("left, right, middle, or a Linux button code.", valueName: "button")
private let touchHelp = ArgumentHelp("Which finger: any number.", valueName: "number")
private let restHelp = ArgumentHelp("How long it stands still before it lets go; without, it is thrown.", valueName: "ms")

struct CtlTap: Inputting {
    static let configuration = CommandConfiguration(commandName: "tap", abstract: "Touch the screen with a finger and lift it.")
    @OptionGroup var shell: ShellChoice
    @OptionGroup var at: Place
    @Option(help: ArgumentHelp("How long the finger stays down.", valueName: "ms")) var hold: Double?
    @Option(help: touchHelp) var touch: Int32?
    var input: InputRequest { .tap(at: at.point, hold: hold, touch: touch) }
}

struct CtlDrag: Inputting {
    static let configuration = CommandConfiguration(
        commandName: "drag", abstract: "Drag a finger, or with --pointer the mouse, from one place to another.",
        discussion: "It moves at a steady speed and lets go at that speed, unless --rest lets it stand still first.")
    @OptionGroup var shell: ShellChoice
    @Argument var x1: Double
    @Argument var y1: Double
    @Argument var x2: Double
    @Argument var y2: Double
    @Option(help: ArgumentHelp("How long it moves; 300 if left out.", valueName: "ms")) var duration: Double?
    @Option(help: ArgumentHelp("How long it is down before it moves.", valueName: "ms")) var hold: Double?
    @Option(help: restHelp) var rest: Double?
    @Option(help: touchHelp) var touch: Int32?
    @Flag(help: "With the left mouse button and not with a finger.") var pointer = false
    @Flag(help: "It is down at the first place already.") var isDown = false
    @Flag(help: "It does not let go.") var staysDown = false
    var input: InputRequest {
        .drag(
            from: Point(x1, y1), to: Point(x2, y2), duration: duration, hold: hold, rest: rest, touch: touch,
            pointer: pointer ? true : nil, isDown: isDown ? true : nil, staysDown: staysDown ? true : nil)
    }
}

struct CtlPinch: Inputting {
    static let configuration = CommandConfiguration(
        commandName: "pinch", abstract: "Move two fingers apart or together about a place.")
    @OptionGroup var shell: ShellChoice
    @OptionGroup var center: Place
    @Argument(help: "The fingers' distance at the start.") var from: Double
    @Argument(help: "The fingers' distance at the end.") var to: Double
    @Option(help: ArgumentHelp("How long they move; 300 if left out.", valueName: "ms")) var duration: Double?
    @Option(help: ArgumentHelp("The direction of the line between them; 0 is level.", valueName: "degrees")) var angle: Double?
    @Option(help: restHelp) var rest: Double?
    @Option(help: touchHelp) var touch: Int32?
    var input: InputRequest {
        .pinch(center: center.point, from: from, to: to, duration: duration, angle: angle, rest: rest, touch: touch)
    }
}

struct CtlTouch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touch", abstract: "Put a finger down, move it, lift it: one step at a time.",
        subcommands: [Down.self, Move.self, Up.self, Cancel.self])

    struct Down: Inputting {
        static let configuration = CommandConfiguration(commandName: "down", abstract: "It stays down until it is lifted.")
        @OptionGroup var shell: ShellChoice
        @OptionGroup var at: Place
        @Option(help: touchHelp) var touch: Int32?
        var input: InputRequest { .touchDown(touch: touch, at: at.point) }
    }

    struct Move: Inputting {
        static let configuration = CommandConfiguration(commandName: "move", abstract: "Move it there at once.")
        @OptionGroup var shell: ShellChoice
        @OptionGroup var at: Place
        @Option(help: touchHelp) var touch: Int32?
        var input: InputRequest { .touchMotion(touch: touch, at: at.point) }
    }

    struct Up: Inputting {
        static let configuration = CommandConfiguration(commandName: "up", abstract: "Lift it.")
        @OptionGroup var shell: ShellChoice
        @Option(help: touchHelp) var touch: Int32?
        var input: InputRequest { .touchUp(touch: touch) }
    }

    struct Cancel: Inputting {
        static let configuration = CommandConfiguration(commandName: "cancel", abstract: "As a device does that takes the touch back.")
        @OptionGroup var shell: ShellChoice
        @Option(help: touchHelp) var touch: Int32?
        var input: InputRequest { .touchCancel(touch: touch) }
    }
}

struct CtlClick: Inputting {
    static let configuration = CommandConfiguration(commandName: "click", abstract: "Move the pointer there and click.")
    @OptionGroup var shell: ShellChoice
    @OptionGroup var at: Place
    @Option(help: buttonHelp) var button: InputRequest.Button?
    var input: InputRequest { .click(at: at.point, button: button) }
}

struct CtlPointer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pointer", abstract: "Move the pointer, press and release its buttons, scroll.",
        subcommands: [Move.self, Press.self, Release.self, Scroll.self])

    struct Move: Inputting {
        static let configuration = CommandConfiguration(commandName: "move", abstract: "Move it there at once.")
        @OptionGroup var shell: ShellChoice
        @OptionGroup var at: Place
        var input: InputRequest { .pointerMotion(at: at.point) }
    }

    struct Press: Inputting {
        static let configuration = CommandConfiguration(commandName: "press", abstract: "It stays down until it is released.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: buttonHelp) var button: InputRequest.Button?
        var input: InputRequest { .pointerButton(button: button, pressed: true) }
    }

    struct Release: Inputting {
        static let configuration = CommandConfiguration(commandName: "release", abstract: "Release a button.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: buttonHelp) var button: InputRequest.Button?
        var input: InputRequest { .pointerButton(button: button, pressed: false) }
    }

    struct Scroll: Inputting {
        static let configuration = CommandConfiguration(
            commandName: "scroll", abstract: "Down by so many points; after -- a negative number is up.")
        @OptionGroup var shell: ShellChoice
        @Argument var points: Double
        @Flag(help: "To the right and not down.") var horizontal = false
        var input: InputRequest { .pointerAxis(value: points, horizontal: horizontal ? true : nil) }
    }
}

struct CtlKey: Inputting {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Press and release a key, with modifiers: Super+Left.",
        discussion: "Keys are named as on a US keyboard: letters, digits and signs by themselves, others as Left, Return, F5, Super.")
    @OptionGroup var shell: ShellChoice
    @Argument var keys: String
    @Flag(help: "Only press it; it stays down.") var down = false
    @Flag(help: "Only release it.") var up = false
    var input: InputRequest {
        get throws {
            guard down || up else { return .press(keys: keys) }
            guard let key = InputRequest.KeyName(keys) ?? UInt32(keys).map({ InputRequest.KeyName(code: $0) }) else {
                throw Failure("\"\(keys)\" names no key")
            }
            return .key(key: key, pressed: down)
        }
    }
    func validate() throws {
        if down, up { throw ValidationError("--down and --up contradict each other.") }
    }
}

struct CtlType: Inputting {
    static let configuration = CommandConfiguration(commandName: "type", abstract: "Type text, as on a US keyboard.")
    @OptionGroup var shell: ShellChoice
    @Argument var text: String
    var input: InputRequest { .type(text: text) }
}
