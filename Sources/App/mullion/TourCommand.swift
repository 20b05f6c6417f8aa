import ArgumentParser
import Tour

struct TourCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour", abstract: "Drive real apps through every function, and write a page with pictures of it.",
        discussion: """
            Runs headless and by itself. OUT/index.html tells what was done, what was checked and what was found. The \
            exit status is 1 if anything failed.
            """)

    @Option(help: ArgumentHelp("The folder for the page and its pictures.", valueName: "folder"), completion: .directory)
    var out = "tour"

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Only these chapters: \(Tour.chapterIDs.joined(separator: ", ")).", valueName: "chapter"))
    var only: [String] = []

    @Option(help: ArgumentHelp("Only the chapters about this device family: pad, phone, mac, tv, watch, round-watch, vision, kiosk, car.", valueName: "idiom"))
    var idiom: String?

    func run() throws {
        var tour = Tour(out: out)
        tour.only = only
        tour.idiom = idiom
        guard try tour.run() else { throw ExitCode.failure }
    }
}
