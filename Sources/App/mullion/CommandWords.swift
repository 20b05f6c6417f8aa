import ArgumentParser
import Settings

/// Prepares the command line for the argument parser.
enum CommandWords {
    /// Detects misspelt command names, and moves the option in `mullion ctl --shell NAME windows` to where the parser
    /// expects it.
    ///
    /// - Parameter words: without the program's name.
    /// - Throws: `UnknownCommand`, which suggests one; `CleanExit` for `mullion ctl help`, and for `help` in each other group of commands.
    static func prepared(_ words: [String]) throws -> [String] {
        if let command = helpAsked(words) { throw CleanExit.helpRequest(command) }
        // The options of these are known to another program.
        if words.count == 2, words[0] == "help", let command = subcommand(words[1], of: MullionCommand.self), command is any LabCommand.Type
        {
            return [words[1], "--help"]
        }
        guard words.first == CtlCommand.configuration.commandName else {
            try check(words, below: MullionCommand.self, at: ["mullion"])
            return words
        }
        var (shell, rest) = leadingShell(words.dropFirst())
        try check(Array(rest), below: CtlCommand.self, at: ["mullion", "ctl"])
        // Insert the option after the last command name, because some commands take all remaining words as arguments.
        var names = [words[0]]
        var command: any ParsableCommand.Type = CtlCommand.self
        while let word = rest.first, let next = subcommand(word, of: command) {
            names.append(word)
            rest = rest.dropFirst()
            command = next
        }
        if names.count == 1 { shell = [] }
        return names + shell + withNumber(rest)
    }

    /// A negative number at the end is a value, although it begins as an option does: `mullion ctl settings set pointer-speed -0.5`.
    private static func withNumber(_ words: ArraySlice<String>) -> [String] {
        guard let last = words.last, last.hasPrefix("-"), Double(last) != nil, !words.contains("--") else { return Array(words) }
        if let before = words.dropLast().last, before.hasPrefix("--"), !before.contains("=") { return Array(words) }
        return words.dropLast() + ["--", last]
    }

    private static func leadingShell(_ words: ArraySlice<String>) -> (shell: [String], rest: ArraySlice<String>) {
        guard let first = words.first else { return ([], words) }
        if first.hasPrefix("--shell=") { return ([first], words.dropFirst()) }
        if first == "--shell", words.count > 1 { return (Array(words.prefix(2)), words.dropFirst(2)) }
        return ([], words)
    }

    private static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands + command.configuration.groupedSubcommands.flatMap(\.subcommands)
    }

    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

    private static func subcommand(_ word: String, of command: any ParsableCommand.Type) -> (any ParsableCommand.Type)? {
        subcommands(of: command).first { name(of: $0) == word }
    }

    /// A first word that is neither an option nor a command name is a mistake.
    private static func check(_ words: [String], below command: any ParsableCommand.Type, at path: [String]) throws {
        guard let word = words.first, !word.hasPrefix("-"), word != "help" else { return }
        let known = subcommands(of: command)
        guard !known.isEmpty else { return }
        if let next = subcommand(word, of: command) {
            // A command with a default subcommand may have arguments of its own here.
            if next.configuration.defaultSubcommand == nil { try check(Array(words.dropFirst()), below: next, at: path + [word]) }
            return
        }
        let names = known.map(name)
        throw UnknownCommand(
            description: "There is no command \"\(word)\".\(LikelyWord.hint(for: word, among: names))", group: path.joined(separator: " "))
    }

    /// The command whose help `help` asks for, in any group of commands: `mullion ctl help split`, `mullion ctl dock help`.
    private static func helpAsked(_ words: [String]) -> (any ParsableCommand.Type)? {
        var command: any ParsableCommand.Type = MullionCommand.self, rest = words[...]
        while let word = rest.first, word != "help" {
            guard let next = subcommand(word, of: command) else { return nil }
            command = next
            rest = rest.dropFirst()
        }
        // For the program itself the parser knows the word.
        guard !rest.isEmpty, command != MullionCommand.self, !subcommands(of: command).isEmpty else { return nil }
        for word in rest.dropFirst() {
            guard let next = subcommand(word, of: command) else { break }
            command = next
        }
        return command
    }

    /// All options of a command, as its help lists them.
    static func options(of command: any ParsableCommand.Type) -> [String] {
        command.helpMessage(columns: 200).split(separator: "\n").compactMap { line in
            let words = line.split { $0 == " " || $0 == "," }
            return words.first { $0.hasPrefix("--") }.map(String.init)
        }
    }
}

/// A word that names no command. Exits with status 64, as other mistakes on the command line do.
struct UnknownCommand: Error, CustomStringConvertible {
    var description: String
    /// The commands that were searched: `mullion ctl`.
    var group: String

    /// For standard error, with the usage of that group.
    var lines: String { "Error: \(description)\nUsage: \(group) <subcommand>\n  See '\(group) --help' for more information.\n" }
}
