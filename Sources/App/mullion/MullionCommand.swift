import ArgumentParser
import CBuild
import Compositor
import Control
import Settings

/// Every command spells out its name, because `CommandWords` looks up misspelt names.
struct MullionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mullion",
        abstract: "A Wayland shell that gives Linux touch devices the multitasking of an iPad.",
        discussion: """
            `mullion run` starts it; `mullion ctl` drives one that runs. With neither, `mullion doctor` says what this \
            machine lacks for it.
            """,
        version: "\(Mullion.version) (wlroots \(Compositor.wlrootsVersion), build \(String(cString: mullion_build())))",
        subcommands: [
            RunCommand.self, GreeterCommand.self, CtlCommand.self, TaskCommand.self, AlertCommand.self, NotifyCommand.self,
            ViewCommand.self, ShareCommand.self,
            SettingsCommand.self, PinentryCommand.self, AskpassCommand.self,
            TourCommand.self, AuditCommand.self, BenchCommand.self, ReplayCommand.self, DoctorCommand.self,
        ])
}

/// Exits with a line on standard error and status 1.
struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

extension ParsableCommand {
    /// Refuses an unknown option at the start of a command with pass-through arguments, except for help. The parser
    /// would treat the option as the command's first argument.
    func checkPassthrough(_ words: [String]) throws {
        guard let first = words.first, first.hasPrefix("-"), first != "--" else { return }
        if first == "--help" || first == "-h" { throw CleanExit.helpRequest(Self.self) }
        let name = first.split(separator: "=").first.map(String.init) ?? first
        throw ValidationError("Unknown option '\(name)'.\(LikelyWord.hint(for: name, among: CommandWords.options(of: Self.self)))")
    }
}
