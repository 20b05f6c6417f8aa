import ArgumentParser
import Control
import Multitasking
import Windows

// Arranging windows: one action per command.

protocol Acting: Asking {
    var action: Action { get throws }
}

extension Acting {
    var request: ControlRequest { get throws { .act(try action) } }
}

let windowHelp = ArgumentHelp("The window; the active one if left out.", valueName: "window")

struct CtlFull: Acting {
    static let configuration = CommandConfiguration(commandName: "full", abstract: "One window over the whole screen.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: windowHelp) var window: WindowID?
    var action: Action { .fullScreen(window: window) }
}

struct CtlSplit: Acting {
    static let configuration = CommandConfiguration(
        commandName: "split", abstract: "Put a window beside the one in front (Split View).")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "Where it goes: top and bottom stack the two on an upright screen.") var side: Side
    @Argument(help: windowHelp) var window: WindowID?
    var action: Action { .splitView(window: window, side: side) }
}

struct CtlSlide: Acting {
    static let configuration = CommandConfiguration(
        commandName: "slide", abstract: "Let a window float over the others (Slide Over).")
    @OptionGroup var shell: ShellChoice
    @Argument(help: windowHelp) var window: WindowID?
    var action: Action { .slideOver(window: window) }
}

struct CtlPicture: Acting {
    static let configuration = CommandConfiguration(
        commandName: "pip", abstract: "Make a window small, above everything (Picture in Picture).")
    @OptionGroup var shell: ShellChoice
    @Argument(help: windowHelp) var window: WindowID?
    var action: Action { .pictureInPicture(window: window) }
}

struct CtlClose: Acting {
    static let configuration = CommandConfiguration(commandName: "close", abstract: "Ask a window to close.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: windowHelp) var window: WindowID?
    var action: Action { .close(window: window) }
}

struct CtlFocus: Acting {
    static let configuration = CommandConfiguration(
        commandName: "focus",
        abstract: "Bring a window to the front, wherever it is, and make it active; or begin or end a focus of notifications.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The window, next for the next one that is shown, the name of a focus, or off.") var window: String
    var action: Action {
        get throws {
            if window == "next" { return .focusNext }
            if window == "off" { return .notice(.focus(nil)) }
            return WindowID(argument: window).map { .focus(window: $0) } ?? .notice(.focus(window))
        }
    }
}

struct CtlDivider: Acting {
    static let configuration = CommandConfiguration(commandName: "divider", abstract: "Move the divider of the Split View.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: ArgumentHelp("The share of the left or top window, 0 to 1; near an edge one window is left.", valueName: "share"))
    var fraction: Double
    @Flag(help: "Leave it there and do not snap.") var exact = false
    var action: Action { .divider(fraction: fraction, exact: exact ? true : nil) }
}

struct CtlSwap: Acting {
    static let configuration = CommandConfiguration(
        commandName: "swap", abstract: "Let the two windows of the Split View change sides.")
    @OptionGroup var shell: ShellChoice
    var action: Action { .swapSides }
}

struct CtlSlideOver: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slide-over", abstract: "Move, hide or flip through Slide Over.",
        subcommands: [SideOf.self, Hide.self, Show.self, Toggle.self, Next.self, Previous.self])

    struct SideOf: Acting {
        static let configuration = CommandConfiguration(commandName: "side", abstract: "To the left or the right.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "left or right.") var side: Side
        var action: Action { .slideOverSide(side) }
    }

    struct Hide: Acting {
        static let configuration = CommandConfiguration(commandName: "hide", abstract: "Past the edge; a handle stays.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .slideOverHide }
    }

    struct Show: Acting {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Back from the edge.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .slideOverShow }
    }

    struct Toggle: Acting {
        static let configuration = CommandConfiguration(commandName: "toggle", abstract: "Hide it, or bring it back.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .slideOverToggle }
    }

    struct Next: Acting {
        static let configuration = CommandConfiguration(commandName: "next", abstract: "The window behind comes to the front.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .slideOverNext }
    }

    struct Previous: Acting {
        static let configuration = CommandConfiguration(commandName: "previous", abstract: "The last window comes to the front.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .slideOverPrevious }
    }
}

struct CtlPictureInPicture: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture", abstract: "Move, resize or stash Picture in Picture.",
        subcommands: [CornerOf.self, Width.self, Larger.self, Smaller.self, Stash.self, Show.self, Toggle.self, Controls.self, Swap.self])

    struct CornerOf: Acting {
        static let configuration = CommandConfiguration(commandName: "corner", abstract: "To a corner.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: ArgumentHelp("One of \(Corner.allValueStrings.joined(separator: ", ")).")) var corner: Corner
        var action: Action { .pipCorner(corner) }
    }

    struct Width: Acting {
        static let configuration = CommandConfiguration(
            commandName: "width", abstract: "To a width in points, within what the idiom allows.")
        @OptionGroup var shell: ShellChoice
        @Argument var width: Double
        var action: Action { .pipWidth(width) }
    }

    struct Larger: Acting {
        static let configuration = CommandConfiguration(commandName: "larger", abstract: "One step larger.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .pipStep(1) }
    }

    struct Smaller: Acting {
        static let configuration = CommandConfiguration(commandName: "smaller", abstract: "One step smaller.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .pipStep(-1) }
    }

    struct Stash: Acting {
        static let configuration = CommandConfiguration(commandName: "stash", abstract: "Past the edge; a tab stays.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "left or right; the nearer edge if left out.") var side: Side?
        var action: Action { .pipStash(side) }
    }

    struct Show: Acting {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Back from the edge.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .pipShow }
    }

    struct Toggle: Acting {
        static let configuration = CommandConfiguration(commandName: "toggle", abstract: "Stash it, or bring it back.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .pipToggle }
    }

    struct Controls: Acting {
        static let configuration = CommandConfiguration(commandName: "controls", abstract: "Show its controls, or hide them.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .pipControls }
    }

    struct Swap: Acting {
        static let configuration = CommandConfiguration(
            commandName: "swap", abstract: "The window in front becomes the picture, and the picture fills the screen.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .pipSwap }
    }
}

struct CtlSpace: Acting {
    static let configuration = CommandConfiguration(
        commandName: "space", abstract: "Go to another space, make one, or move the active window to one.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "next, previous, new, take-next, take-previous, or the space's number.") var space: String
    @Option(help: "Move this window there instead.") var window: UInt32?
    var action: Action {
        get throws {
            if let window {
                if space == "new" { return .putInSpace(window: WindowID(window), nil) }
                guard let raw = UInt32(space) else { throw Failure("\"\(space)\" is neither new nor a space number") }
                return .putInSpace(window: WindowID(window), SpaceID(raw))
            }
            switch space {
            case "next": return .nextSpace
            case "previous": return .previousSpace
            case "new": return .newSpace
            case "take-next": return .moveToSpace(1)
            case "take-previous": return .moveToSpace(-1)
            default:
                guard let raw = UInt32(space) else {
                    throw Failure("\"\(space)\" is not next, previous, new, take-next, take-previous or a space number")
                }
                return .showSpace(SpaceID(raw))
            }
        }
    }
}

struct CtlWaiting: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waiting", abstract: "Windows that opened without anybody asking for them.",
        subcommands: [List.self, Open.self, Later.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Show them.")
        @OptionGroup var shell: ShellChoice

        func run() throws {
            let state = try shell.connect().state()
            print(WindowTable(state.windows.filter { $0.place == .waiting }).text)
        }
    }

    struct Open: Acting {
        static let configuration = CommandConfiguration(commandName: "open", abstract: "Open one.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "The window; if left out, the one that the banner names, else the one that waits longest.") var window: WindowID?
        @Option(help: destinationHelp) var to: Destination?
        var action: Action { .openWaiting(window: window, to: to) }
    }

    struct Later: Acting {
        static let configuration = CommandConfiguration(commandName: "later", abstract: "Hide the banner; the window still waits.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .bannerLater }
    }
}

private let destinationHelp = ArgumentHelp(
    "Where its window goes: \(Destination.allValueStrings.joined(separator: ", ")).", valueName: "place")

struct CtlLaunch: Acting {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Start a program; its window was asked for.",
        usage: "mullion ctl launch [--to PLACE] COMMAND [ARGUMENTS...]")
    @OptionGroup var shell: ShellChoice
    @Option(help: destinationHelp) var to: Destination?
    @Argument(parsing: .captureForPassthrough, help: "The program and its arguments.") var command: [String]
    func validate() throws { try checkPassthrough(command) }
    var action: Action {
        get throws {
            let words = command.first == "--" ? Array(command.dropFirst()) : command
            guard !words.isEmpty else { throw ValidationError("The program to start is missing.") }
            return .launch(command: words, to: to)
        }
    }
}
