import ArgumentParser
import Control
import FoundationEssentials
import Glibc
import QuickLookWindow

struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Show files in a window: quick look.",
        discussion: """
            Images, PDF and texts are shown; sounds and videos are played by mpv. Swipe to the next file, pinch to zoom, \
            swipe down or press Escape to close. Each file is read by a process of its own that can do nothing else.

            The exit status is 0 if any of the files could be shown.

                mullion view report.pdf photo.jpg
            """)

    @Argument(help: ArgumentHelp("What to show.", valueName: "file")) var files: [String] = []

    /// The shell's, for a program that hands over open files.
    @Option(help: ArgumentHelp("An open file, and what it is called.", valueName: "number=name", visibility: .hidden))
    var descriptor: [OpenFile] = []

    struct OpenFile: ExpressibleByArgument {
        var number: Int32
        var name: String

        init?(argument: String) {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let number = Int32(parts[0]), number >= 3, !parts[1].isEmpty else { return nil }
            (self.number, name) = (number, String(parts[1]))
        }
    }

    func validate() throws {
        if files.isEmpty, descriptor.isEmpty { throw ValidationError("Missing expected argument '<file> ...'") }
    }

    /// Whether the window of this process waits in the shell that it talks to. Another shell, and one that refuses, has no say.
    private static func isWaiting() -> Bool {
        guard let display = ProcessInfo.processInfo.environment["WAYLAND_DISPLAY"]?.split(separator: "/").last,
            let client = try? ControlClient(finding: String(display)), let state = try? client.ask(.get(.state), for: StateReport.self)
        else { return false }
        return state.windows.contains { $0.pid == getpid() && state.waiting.contains($0.id) }
    }

    func run() throws {
        let wasShown: Bool, isHandedOver = !descriptor.isEmpty
        do throws(Viewer.Failure) {
            // The program that handed over open files hears it itself.
            wasShown = try Viewer.show(
                descriptor.map { .descriptor($0.number, name: $0.name) } + files.map { .path($0) },
                isWaiting: { !isHandedOver && ViewCommand.isWaiting() })
        } catch {
            throw Failure(error.description)
        }
        if !wasShown { throw ExitCode(1) }
    }
}
