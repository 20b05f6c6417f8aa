import ArgumentParser
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

    @Argument(help: ArgumentHelp("What to show.", valueName: "file")) var files: [String]

    func run() throws {
        let wasShown: Bool
        do throws(Viewer.Failure) {
            wasShown = try Viewer.show(files)
        } catch {
            throw Failure(error.description)
        }
        if !wasShown { throw ExitCode(1) }
    }
}
