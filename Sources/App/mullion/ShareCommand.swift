import ArgumentParser
import Glibc
import MullionKit

struct ShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Send files or a text to an app, the clipboard or a folder.",
        discussion: """
            The shell shows the activity view over the terminal that the command runs in, or over the screen. What became of \
            it goes to the standard output: "shared" and the app, "copied", "saved" or "mailed".

            The exit status is 0 if a person chose something, 100 if the person dismissed the view, 101 if its window closed, \
            and 102 if it could not be shown or what was chosen did not work; the standard error says why.

                mullion share report.pdf photo.jpg
                mullion share --text "https://example.org"
            """)

    @Argument(help: ArgumentHelp("What to share.", valueName: "file")) var files: [String] = []
    @Option(help: ArgumentHelp("A text; with files, it goes along with a copy or a mail.", valueName: "text")) var text = ""

    func validate() throws {
        if files.isEmpty, text.isEmpty { throw ValidationError("Missing expected argument '<file> ...' or '--text <text>'") }
    }

    func run() throws {
        let view: ShareView
        do throws(MullionError) {
            view = try ShareView(paths: files, text: text)
        } catch {
            try fail(error.text)
        }
        switch view.wait() {
        case .shared(let app): print("shared \(app)")
        case .copied: print("copied")
        case .saved: print("saved")
        case .mailed: print("mailed")
        case .dismissed: throw ExitCode(100)
        case .closed: throw ExitCode(101)
        case .failed(let error): try fail(error.text)
        }
    }

    private func fail(_ why: String) throws -> Never {
        let line = Array("mullion share: \(why)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        throw ExitCode(102)
    }
}
