import ArgumentParser
import Tour

struct TourCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour", abstract: "Drive real apps through every function, and write a page with pictures of it.",
        discussion: """
            Runs headless and by itself. OUT/index.html tells what was done, what was checked and what was found. The \
            exit status is 1 if anything failed.

            With --walk it gives real apps random input instead, and asks the shell at every rest which of its laws do not \
            hold. What it finds it shortens: OUT has the steps, the recording and a picture. The exit status is 1 if \
            anything was found.
            """)

    @Option(help: ArgumentHelp("The folder for the page and its pictures.", valueName: "folder"), completion: .directory)
    var out = "tour"

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Only these chapters: \(Tour.chapterIDs.joined(separator: ", ")).", valueName: "chapter"))
    var only: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only the chapters about this device family: pad, phone, mac, tv, watch, round-watch, vision, kiosk, car. With --walk the families to "
                + "walk in, but no kiosk and no car; pad, phone, mac and tv if left out.",
            valueName: "idiom"))
    var idiom: [String] = []

    @Option(help: ArgumentHelp("Walk at random: a number, which gives the same steps each time.", valueName: "seed"))
    var walk: UInt64?

    @Option(help: ArgumentHelp("With --walk: how long, over all families; 10 if left out.", valueName: "minutes"))
    var minutes: Double?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("With --walk: only these apps: \(Walk.appNames.joined(separator: ", ")).", valueName: "app"))
    var apps: [String] = []

    func validate() throws {
        if walk != nil {
            guard only.isEmpty else { throw ValidationError("--only chooses chapters, which --walk has none of.") }
            if let minutes, !(minutes > 0 && minutes <= 1440) {
                throw ValidationError("--minutes is \(minutes), but must be above 0, and at most 1440.")
            }
        } else {
            guard minutes == nil else { throw ValidationError("--minutes goes with --walk.") }
            guard apps.isEmpty else { throw ValidationError("--apps goes with --walk.") }
            guard idiom.count < 2 else { throw ValidationError("--idiom takes several only with --walk.") }
        }
    }

    func run() throws {
        guard let walk else {
            var tour = Tour(program: try Lab.shell(), out: out)
            tour.only = only
            tour.idiom = idiom.first
            guard try tour.run() else { throw ExitCode.failure }
            return
        }
        var random = Walk(program: try Lab.shell(), seed: walk, out: out)
        if let minutes { random.minutes = minutes }
        if !idiom.isEmpty { random.idioms = idiom }
        random.apps = apps
        guard try random.run() else { throw ExitCode.failure }
    }
}
