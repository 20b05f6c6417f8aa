import ArgumentParser
import Glibc
import MullionKit

struct AlertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alert", abstract: "Ask a person something, from a script.",
        discussion: """
            The shell shows an alert over the terminal that the script runs in, or over the screen. The choice that the \
            person made goes to the standard output, and its number is the exit status: 0 for the first one.

            Without a choice the exit status is 100 if the person dismissed the question, 101 if its window closed, and \
            102 if it could not be shown; the standard error says why.

                mullion alert "Install the update?" --choice "Install" --cancel "Later" && sudo apt upgrade
            """)

    @Argument(help: "What it is about, in a few words.") var title: String
    @Option(help: ArgumentHelp("More words below the title.", valueName: "text")) var message = ""
    @Option(name: .customLong("choice"), help: ArgumentHelp("A choice; several are shown in this order.", valueName: "label"))
    var normal: [String] = []
    @Option(help: ArgumentHelp("The choice that Return makes; comes first. At most one.", valueName: "label")) var preferred: [String] = []
    @Option(help: ArgumentHelp("A choice that loses something; comes after the others.", valueName: "label")) var destructive: [String] = []
    @Option(help: ArgumentHelp("The choice that leaves everything as it is; comes last. At most one.", valueName: "label")) var cancel:
        [String] = []
    @Flag(name: .customLong("sheet"), help: "An action sheet, which a touch beside it dismisses.") var isSheet = false
    @Flag(name: .customLong("screen"), help: "Over the whole screen, and not over the terminal.") var isOverScreen = false

    private var choices: [ShellView.Choice] {
        preferred.map { .init($0, .preferred) } + normal.map { .init($0) } + destructive.map { .init($0, .destructive) }
            + cancel.map { .init($0, .cancel) }
    }

    func validate() throws {
        if preferred.count > 1 { throw ValidationError("'--preferred' is given \(preferred.count) times, and names at most one choice") }
        if cancel.count > 1 { throw ValidationError("'--cancel' is given \(cancel.count) times, and names at most one choice") }
    }

    func run() throws {
        let view: ShellView
        do throws(MullionError) {
            view = try ShellView(
                isSheet ? .actionSheet : .alert, title: title, message: message, choices: choices, isOverScreen: isOverScreen)
        } catch {
            try fail(error.text)
        }
        switch view.wait() {
        case .chose(let number):
            if choices.indices.contains(number) { print(choices[number].label) }
            throw ExitCode(Int32(number))
        case .dismissed: throw ExitCode(100)
        case .closed: throw ExitCode(101)
        case .failed(let error): try fail(error.text)
        }
    }

    private func fail(_ why: String) throws -> Never {
        let line = Array("mullion alert: \(why)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        throw ExitCode(102)
    }
}
