import ArgumentParser
import Control
import Processes
import Windows

/// The items of apps in the tray.
struct CtlTray: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tray", abstract: "The icons of apps in the background: list them, open one, or use its menu.",
        subcommands: [List.self, Open.self, Menu.self, Press.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Print the items of apps, and the menu that is open, as JSON.")
        @OptionGroup var shell: ShellChoice
        @Flag(help: "Indented, for people.") var pretty = false

        func run() throws { print(try shell.connect().ask(.get(.tray)).text(pretty: pretty)) }
    }

    struct Open: Acting {
        static let configuration = CommandConfiguration(
            commandName: "open", abstract: "Ask the app of an item to come forward, or show its menu.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its number in `mullion ctl tray`.") var id: UInt32
        var action: Action { .tray(.open(id)) }
    }

    struct Menu: Acting {
        static let configuration = CommandConfiguration(commandName: "menu", abstract: "Show the menu of an item on the screen.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its number in `mullion ctl tray`.") var id: UInt32
        var action: Action { .tray(.menu(id)) }
    }

    struct Press: Acting {
        static let configuration = CommandConfiguration(commandName: "press", abstract: "Choose an entry of the menu that is open.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "The number of the item.") var id: UInt32
        @Argument(help: "The number of the entry in `mullion ctl tray`.") var entry: Int32
        var action: Action { .tray(.press(id, entry: entry)) }
    }
}
