import ArgumentParser
import Control
import FoundationEssentials
import Processes
import Windows

struct CtlHome: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home", abstract: "The home screen: go there and back, or change how it is arranged.",
        subcommands: [
            Show.self, List.self, Move.self, Hide.self, Unhide.self, Folder.self, Rename.self, Export.self, Import.self, Reset.self,
        ], defaultSubcommand: Show.self)

    struct Show: Acting {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "The home screen; from there, back.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .home }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Print the apps and folders in their order, and the hidden apps.")
        @OptionGroup var shell: ShellChoice

        func run() throws {
            let order = try shell.connect().ask(.get(.home), for: HomeOrder.self)
            for entry in order.entries {
                switch entry {
                case .app(let app): print(app)
                case .folder(let folder):
                    print("folder \(folder.id) \(folder.name.debugDescription)")
                    for app in folder.apps { print("    \(app)") }
                }
            }
            for app in order.hidden { print("hidden \(app)") }
        }
    }

    struct Move: Acting {
        static let configuration = CommandConfiguration(
            commandName: "move", abstract: "Move an app: before another one, into the folder of another one, or to the end.")
        @OptionGroup var shell: ShellChoice
        @Argument var app: String
        @Option(help: "The app, or one of the folder, before which it comes.") var before: String?
        @Option(help: "The app with which it shares a folder.") var with: String?
        var action: Action { .arrangeHome(.move(app: app, to: before.map { .before($0) } ?? with.map { .with($0) } ?? .atEnd)) }
    }

    struct Hide: Acting {
        static let configuration = CommandConfiguration(
            commandName: "hide", abstract: "Take an app off the home screen. The search finds it.")
        @OptionGroup var shell: ShellChoice
        @Argument var app: String
        var action: Action { .arrangeHome(.hide(app: app)) }
    }

    struct Unhide: Acting {
        static let configuration = CommandConfiguration(commandName: "unhide", abstract: "Bring a hidden app back.")
        @OptionGroup var shell: ShellChoice
        @Argument var app: String
        var action: Action { .arrangeHome(.show(app: app)) }
    }

    struct Folder: Acting {
        static let configuration = CommandConfiguration(commandName: "folder", abstract: "Open or close a folder.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its number in `home list`.") var id: Int
        var action: Action { .arrangeHome(.folder(id)) }
    }

    struct Rename: Acting {
        static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a folder a name.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its number in `home list`.") var id: Int
        @Argument var name: String
        var action: Action { .arrangeHome(.rename(folder: id, to: name)) }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "export", abstract: "Print the arrangement as JSON.")
        @OptionGroup var shell: ShellChoice

        func run() throws { print(try shell.connect().ask(.get(.home)).text(pretty: true)) }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Take an arrangement from JSON. An app that is missing keeps its place.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "The file.", completion: .file(extensions: ["json"])) var file: String

        func run() throws {
            guard let data = FileManager.default.contents(atPath: file) else { throw Failure("\(file) cannot be read") }
            let order: HomeOrder
            do {
                order = try JSONDecoder().decode(HomeOrder.self, from: data)
            } catch {
                let example = #"{"entries": ["foot", {"folder": "Games", "apps": ["a", "b"]}]}"#
                throw Failure("\(file) is no arrangement of a home screen, such as \(example)")
            }
            try shell.connect().perform(.arrangeHome(.replace(order)))
        }
    }

    struct Reset: Acting {
        static let configuration = CommandConfiguration(commandName: "reset", abstract: "All apps by name, without folders, as at first.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .arrangeHome(.reset) }
    }
}
