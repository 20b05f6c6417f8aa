import ArgumentParser
import Control
import Geometry
import Multitasking
import Windows

// The shell's own views: home, dock, app switcher, app shelf, controls.

private let appHelp = ArgumentHelp("The app, as `mullion ctl apps` names it; that of the active window if left out.", valueName: "app")

struct CtlSwitcher: Acting {
    static let configuration = CommandConfiguration(commandName: "switcher", abstract: "Open or close the app switcher.")
    @OptionGroup var shell: ShellChoice
    var action: Action { .appSwitcher }
}

struct CtlDock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dock", abstract: "Show the dock over the app in front, or change what is in it.",
        subcommands: [Show.self, Add.self, Remove.self], defaultSubcommand: Show.self)

    struct Show: Acting {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show or hide it.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .dock }
    }

    struct Add: Acting {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Add an app.")
        @OptionGroup var shell: ShellChoice
        @Argument var app: String
        var action: Action { .addToDock(app: app) }
    }

    struct Remove: Acting {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "Take an app out.")
        @OptionGroup var shell: ShellChoice
        @Argument var app: String
        var action: Action { .removeFromDock(app: app) }
    }
}

struct CtlShelf: Acting {
    static let configuration = CommandConfiguration(commandName: "shelf", abstract: "All windows of an app along the bottom.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: appHelp) var app: String?
    var action: Action { .appShelf(app: app) }
}

struct CtlExpose: Acting {
    static let configuration = CommandConfiguration(commandName: "expose", abstract: "All windows of an app over the whole screen.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: appHelp) var app: String?
    var action: Action { .appExpose(app: app) }
}

struct CtlControls: Acting {
    static let configuration = CommandConfiguration(commandName: "controls", abstract: "The multitasking controls of a window.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The window; the active one if left out.") var window: WindowID?
    var action: Action { .controls(window: window) }
}

struct CtlSearch: Acting {
    static let configuration = CommandConfiguration(commandName: "search", abstract: "Look for an app on the home screen.")
    @OptionGroup var shell: ShellChoice
    @Argument var text: String?
    var action: Action { .search(text: text) }
}

struct CtlOpen: Acting {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Bring an app to the front, or start it.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The app, as `mullion ctl apps` names it.") var app: String
    @Option(help: "Where its window goes.") var to: Destination?
    var action: Action { .openApp(app: app, to: to) }
}

struct CtlNewWindow: Acting {
    static let configuration = CommandConfiguration(commandName: "new-window", abstract: "Another window of an app.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: appHelp) var app: String?
    @Option(help: "Where it goes.") var to: Destination?
    var action: Action { .newWindow(app: app, to: to) }
}

struct CtlMenu: Acting {
    static let configuration = CommandConfiguration(commandName: "menu", abstract: "The menu of an app.")
    @OptionGroup var shell: ShellChoice
    @Argument var app: String
    var action: Action { .appMenu(app: app) }
}

struct CtlAppAction: Acting {
    static let configuration = CommandConfiguration(
        commandName: "app-action", abstract: "One of the actions that an app's desktop entry offers.")
    @OptionGroup var shell: ShellChoice
    @Argument var app: String
    @Argument(help: "The action, as `mullion ctl apps` names it.") var name: String
    var action: Action { .appAction(app: app, action: name) }
}

struct CtlCloseSpace: Acting {
    static let configuration = CommandConfiguration(commandName: "close-space", abstract: "Ask all windows of a space to close.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "Its number, as in the state.") var space: UInt32
    var action: Action { .closeSpace(SpaceID(space)) }
}

struct CtlPress: Acting {
    static let configuration = CommandConfiguration(commandName: "press", abstract: "Press one of the shell's own controls.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "Its name, as `mullion ctl views` has it.") var view: String
    var action: Action { .press(view: ControlID(rawValue: view)) }
}

struct CtlAdjust: Acting {
    static let configuration = CommandConfiguration(commandName: "adjust", abstract: "Move one of the shell's own sliders.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "Its name, as `mullion ctl views` has it.") var view: String
    @Argument(help: "Where to, from 0 to 1.") var share: Double
    var action: Action { .adjust(view: ControlID(rawValue: view), to: share) }
}

struct CtlMark: Acting {
    static let configuration = CommandConfiguration(
        commandName: "mark", abstract: "Mark a part of the screen for a view that asks for one: a frame, or a point.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The number of the view, as in its name in `mullion ctl views`.") var view: UInt32
    @Argument(help: "In points of the screen.") var x: Double
    @Argument var y: Double
    @Argument var width = 0.0
    @Argument var height = 0.0
    var action: Action { .markView(view, Rect(x, y, width, height)) }
}

struct CtlKeyFocus: Acting {
    static let configuration = CommandConfiguration(
        commandName: "key-focus", abstract: "Give the keyboard's focus to one of the shell's own controls.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "Its name, as `mullion ctl views` has it.") var view: String
    var action: Action { .keyFocus(view: ControlID(rawValue: view)) }
}

struct CtlScroll: Acting {
    static let configuration = CommandConfiguration(commandName: "scroll", abstract: "Scroll the home screen or the app switcher.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "By how many pages; negative is back.") var pages: Int
    var action: Action { .scroll(pages) }
}

struct CtlPanel: Acting {
    static let configuration = CommandConfiguration(
        commandName: "panel", abstract: "Notifications, control centre, the list of keys, or what listens and sees.")
    enum Panel: String, ExpressibleByArgument, CaseIterable {
        case notifications
        case controlCentre = "control-centre"
        case keys, sensors
    }
    @OptionGroup var shell: ShellChoice
    @Argument var panel: Panel
    var action: Action {
        switch panel {
        case .notifications: .notifications
        case .controlCentre: .controlCentre
        case .keys: .keyHelp
        case .sensors: .sensors
        }
    }
}

struct CtlDismiss: Acting {
    static let configuration = CommandConfiguration(commandName: "dismiss", abstract: "Close the view in front.")
    @OptionGroup var shell: ShellChoice
    var action: Action { .dismiss }
}

struct CtlLooks: Acting {
    static let configuration = CommandConfiguration(
        commandName: "look", abstract: "Light or dark, with or without motion, and the size of the text.")
    enum What: String, ExpressibleByArgument, CaseIterable {
        case light, dark
        case motion
        case noMotion = "no-motion"
        case text
    }
    @OptionGroup var shell: ShellChoice
    @Argument(help: "light, dark, motion, no-motion, or text with a size.") var what: What
    @Argument(help: "From 1 to 2, for text.") var size: Double?
    var action: Action {
        get throws {
            switch what {
            case .light: return .darkAppearance(false)
            case .dark: return .darkAppearance(true)
            case .motion: return .reducedMotion(false)
            case .noMotion: return .reducedMotion(true)
            case .text:
                guard let size else { throw ValidationError("text needs a size from 1 to 2") }
                return .textSize(size)
            }
        }
    }
}

struct CtlIdiom: Acting {
    static let configuration = CommandConfiguration(
        commandName: "idiom", abstract: "Arrange everything by another idiom.",
        discussion:
            "Every window keeps its state. Back in the first idiom, each window stands where it was. Without a name, the control centre offers the idioms."
    )
    @OptionGroup var shell: ShellChoice
    @Argument(help: "\(RunCommand.idioms), or the name of a data file (docs/idioms.md).") var name: String?
    var action: Action { name.map(Action.idiom) ?? .controlPage(.idioms) }
}

struct CtlTabletMode: Acting {
    static let configuration = CommandConfiguration(
        commandName: "tablet-mode", abstract: "As if a convertible were folded, where no switch says so.",
        discussion: "The idiom follows, if the configuration leaves it to the hardware (docs/idioms.md).")
    enum State: String, ExpressibleByArgument, CaseIterable { case on, off, gone }
    @OptionGroup var shell: ShellChoice
    @Argument(help: "on: held as a tablet; off: with its keyboard; gone: the switch went with the keyboard.") var state: State
    var action: Action { .tabletMode(on: state == .gone ? nil : state == .on) }
}

struct CtlTile: Acting {
    static let configuration = CommandConfiguration(
        commandName: "tile", abstract: "Let a window fill a part of the screen, where windows are stacked freely.")
    enum Part: String, ExpressibleByArgument, CaseIterable {
        case whole, left, right
        case topLeft = "top-left", topRight = "top-right", bottomLeft = "bottom-left", bottomRight = "bottom-right"
        case fullScreen = "full-screen"
        case own
    }
    @OptionGroup var shell: ShellChoice
    @Argument(help: "whole, left, right, top-left, top-right, bottom-left, bottom-right, full-screen, or own for its own size.") var part:
        Part
    @Argument(help: windowHelp) var window: WindowID?
    var action: Action { .tile(window: window, to: Tile(rawValue: part.rawValue)) }
}

struct CtlMagnify: Acting {
    static let configuration = CommandConfiguration(
        commandName: "magnify", abstract: "Move or scale what is in sight of an app that needs more room than the screen has.")
    @OptionGroup var shell: ShellChoice
    @Argument(
        help: "larger, smaller, a share of its own size such as 0.8, automatic, or the side that comes into sight: left, right, up, down.")
    var change: String
    @Argument(help: windowHelp) var window: WindowID?

    private static let words: [String: LensChange] = [
        "larger": .larger, "smaller": .smaller, "automatic": .automatic, "left": .left, "right": .right, "up": .up, "down": .down,
    ]

    var action: Action {
        get throws {
            guard let known = Self.words[change] ?? Double(change).map(LensChange.scale) else {
                throw ValidationError("\"\(change)\" is neither a number nor one of: \(Self.words.keys.sorted().joined(separator: ", "))")
            }
            return .magnify(window: window, by: known)
        }
    }
}

struct CtlMinimize: Acting {
    static let configuration = CommandConfiguration(
        commandName: "minimize", abstract: "Hide a window until it is asked for, where windows are stacked freely.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: windowHelp) var window: WindowID?
    var action: Action { .minimize(window: window) }
}

struct CtlViewList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "views", abstract: "The shell's own controls that can be operated now, as JSON.")
    @OptionGroup var shell: ShellChoice
    @Flag(help: "Indented, for people.") var pretty = false

    func run() throws { print(try shell.connect().ask(.get(.views)).text(pretty: pretty)) }
}

struct CtlApps: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "apps", abstract: "Every installed app, as JSON.")
    @OptionGroup var shell: ShellChoice
    @Flag(help: "Indented, for people.") var pretty = false

    func run() throws { print(try shell.connect().ask(.get(.apps)).text(pretty: pretty)) }
}
