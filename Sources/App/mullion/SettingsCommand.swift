import ArgumentParser
import Chrome
import Control
import Processes
import Windows

/// Opens the settings on the screen, for menus and scripts.
struct SettingsCommand: Acting {
    static let configuration = CommandConfiguration(commandName: "settings", abstract: "Open the settings on the screen.")
    @OptionGroup var shell: ShellChoice
    var action: Action { .controlPage(.settings) }
}

/// The settings for scripts.
struct CtlSettings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "List, get, set, watch or reset the settings.",
        subcommands: [List.self, Get.self, Set.self, Watch.self, Reset.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Print every setting with its value.")
        @OptionGroup var shell: ShellChoice
        @Flag(help: "A JSON list, with what each one can be and what fixes it.") var json = false

        func run() throws {
            let client = try shell.connect()
            guard !json else { return print(try client.ask(.get(.settings)).text(pretty: true)) }
            for setting in try client.settings() {
                print("\(setting.key) = \(setting.value)\(setting.fixedBy.map { "  (the configuration file: \($0))" } ?? "")")
            }
        }
    }

    struct Get: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "get", abstract: "Print the value of a setting.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its key.") var key: String

        func run() throws {
            let all = try shell.connect().settings()
            guard let setting = all.first(where: { $0.key == key }) else {
                throw Failure("there is no setting \"\(key)\"")
            }
            print(setting.value)
        }
    }

    struct Set: Acting {
        static let configuration = CommandConfiguration(commandName: "set", abstract: "Set a setting, as a person does on the screen.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its key.") var key: String
        @Argument(help: "Such as on, off, a number, or one of its names.") var value: String
        var action: Action {
            get throws {
                // The shell paints later than it answers.
                if ["wallpaper", "dark-wallpaper"].contains(key), value.hasPrefix("/"), let reason = Wallpaper.objection(to: value) {
                    throw Failure("\(key): \(value): \(reason)")
                }
                return .setting(key: key, value: value)
            }
        }
    }

    struct Reset: Acting {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Have a setting as it was at first, or all of them.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its key; without one, all settings.") var key: String?
        var action: Action { .resetSettings(key: key) }
    }

    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch", abstract: "Print each setting that changes, until interrupted.")
        @OptionGroup var shell: ShellChoice

        func run() throws {
            let events = try shell.connect(), client = try shell.connect()
            try events.ask(.follow([.events]))
            var known = Dictionary(try client.settings().map { ($0.key, $0.value) }) { $1 }
            while true {
                guard try events.event(within: 3600) != nil else { continue }
                for setting in try client.settings() where known[setting.key] != setting.value {
                    known[setting.key] = setting.value
                    try StandardOutput.write(Array("\(setting.key) = \(setting.value)\n".utf8))
                }
            }
        }
    }
}

extension ControlClient {
    fileprivate func settings() throws -> [SettingReport] { try ask(.get(.settings), for: [SettingReport].self) }
}
