import ArgumentParser
import Windows

/// The question of a service or a program that is in sight. Its words are typed with `mullion ctl type`.
struct CtlPrompt: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prompt", abstract: "Answer or cancel the question for a password that is in sight.",
        subcommands: [Answer.self, Cancel.self, No.self, Tick.self, Identity.self])

    struct Answer: Acting {
        static let configuration = CommandConfiguration(
            commandName: "answer", abstract: "Send what stands in the field (`mullion ctl type`), or say yes.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .prompt(.answer) }
    }

    struct Cancel: Acting {
        static let configuration = CommandConfiguration(commandName: "cancel", abstract: "Cancel it.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .prompt(.cancel) }
    }

    struct No: Acting {
        static let configuration = CommandConfiguration(commandName: "no", abstract: "Press its third button.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .prompt(.refuse) }
    }

    struct Tick: Acting {
        static let configuration = CommandConfiguration(commandName: "tick", abstract: "Tick its box, or not.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "on or off.") var isOn: Switch
        var action: Action { .prompt(.tick(isOn == .on)) }

        enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }
    }

    struct Identity: Acting {
        static let configuration = CommandConfiguration(commandName: "identity", abstract: "Answer as another person.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "The number of the person, from 0.") var number: Int
        var action: Action { .prompt(.identity(number)) }
    }
}
