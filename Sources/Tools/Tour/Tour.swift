import Clocks
import Control
import FoundationEssentials
import Glibc

/// Drives real apps through every function of a running shell with synthetic touch, and writes the results as a page.
public struct Tour {
    /// The folder for the page, its pictures, the recording and the shell's log. Created if it does not exist.
    public var out: String
    /// Chapters by id; empty for all.
    public var only: [String] = []
    /// Only chapters about this device family; nil for all.
    public var idiom: String?
    /// The file of `mullion`, which is driven.
    public var program: String
    /// Called with each line of progress.
    public var say: (String) -> Void = { line in
        print(line)
        fflush(nil)
    }

    public init(program: String, out: String) { (self.program, self.out) = (program, out) }

    public static var chapterIDs: [String] { chapters.map(\.id) }

    /// Returns whether every possible step passed and no rule was left out. Throws if the tour cannot start.
    public func run() throws -> Bool {
        let unknown = only.filter { !Tour.chapterIDs.contains($0) }
        guard unknown.isEmpty else {
            throw Trouble("there is no chapter \"\(unknown[0])\"; there are \(Tour.chapterIDs.joined(separator: ", "))")
        }
        let wanted = Tour.chapters.filter { (only.isEmpty || only.contains($0.id)) && (idiom == nil || $0.idiom == idiom) }
        if wanted.isEmpty, let idiom { throw Trouble("there is no chapter about the idiom \"\(idiom)\"") }
        return try run(wanted)
    }

    private func run(_ wanted: [Chapter]) throws -> Bool {
        let isWhole = only.isEmpty && idiom == nil
        let start = Clocks.monotonicSeconds
        let out = try prepared()
        let shell = try TourShell(program: program, out: out)
        defer { shell.clear() }
        let version = try shell.client.ask(.get(.version), for: VersionReport.self)
        let guide = Guide(shell: shell, out: out)
        var chapters: [ChapterReport] = []
        var watch = DescriptorWatch()
        for chapter in wanted {
            say("\n\(chapter.title)")
            chapters.append(ChapterReport(chapter: chapter, steps: try play(chapter, guide, &watch)))
        }
        chapters.append(end(shell, guide))

        let rules = RuleReport.all(of: chapters)
        let hasFailed = chapters.flatMap(\.steps).contains { $0.outcome == .failed }
        let unshown = rules.filter { !$0.isShown }
        let passed = !hasFailed && (unshown.isEmpty || !isWhole)
        let page = Page(
            chapters: chapters, rules: rules, version: version, seconds: Clocks.monotonicSeconds - start, passed: passed,
            isWhole: isWhole)
        try page.html.write(toFile: "\(out)/index.html", atomically: true, encoding: .utf8)
        say("\n\(page.summary)")
        if isWhole, !unshown.isEmpty {
            say("not shown: \(unshown.map(\.rule.rawValue).joined(separator: ", "))")
        }
        say("\(out)/index.html")
        return passed
    }

    /// The folder as an absolute path, without pictures of an earlier tour.
    private func prepared() throws -> String {
        let files = FileManager.default
        let path = out.hasPrefix("/") ? out : "\(files.currentDirectoryPath)/\(out)"
        let pictures = "\(path)/pictures"
        try? files.removeItem(atPath: pictures)
        do {
            try files.createDirectory(atPath: pictures, withIntermediateDirectories: true)
        } catch {
            throw Trouble("the folder \(pictures) cannot be made: \(error)")
        }
        return path
    }

    private func play(_ chapter: Chapter, _ guide: Guide, _ watch: inout DescriptorWatch) throws -> [StepReport] {
        guard !chapter.settings.isEmpty else {
            try guide.beginChapter()
            return chapter.steps.map { take($0, guide) } + [afterwards(guide, &watch)]
        }
        let shell = try TourShell(program: program, out: guide.out, chapter: chapter)
        defer { shell.clear() }
        let own = Guide(shell: shell, out: guide.out)
        own.number = guide.number
        var ownWatch = DescriptorWatch()
        let steps = chapter.steps.map { take($0, own) } + [afterwards(own, &ownWatch, clears: !chapter.isKiosk)]
        guide.number = own.number
        _ = shell.quit()
        return steps
    }

    /// Resets the desk and checks that resources were released. Without a picture, because there is nothing to see.
    private func afterwards(_ guide: Guide, _ watch: inout DescriptorWatch, clears: Bool = true) -> StepReport {
        let start = Clocks.monotonicSeconds
        guide.begin(Step("Afterwards the shell has no descriptor open that it does not need", []) { _ in })
        do {
            if let ending = guide.shell.ending { throw Trouble("\(ending); see shell.log") }
            if clears { try guide.desk([]) }
            try watch.check(guide)
        } catch {
            guide.report.trouble = "\(error)"
        }
        guide.report.seconds = Clocks.monotonicSeconds - start
        tell(guide.report)
        return guide.report
    }

    private func take(_ step: Step, _ guide: Guide) -> StepReport {
        let start = Clocks.monotonicSeconds
        guide.begin(step)
        do {
            if let ending = guide.shell.ending { throw Trouble("\(ending); see shell.log") }
            try step.play(guide)
            try? guide.settle()
            _ = try? guide.eventually { try step.allowsLate || !guide.state().windows.contains { $0.shown && $0.late } }
            let picture = try guide.shoot("afterwards")
            try guide.checkRest(allowsLate: step.allowsLate, on: picture)
        } catch let missing as Missing {
            guide.report.skipped = "\(missing.what) is not installed: \(missing.remedy)"
        } catch {
            guide.report.trouble = "\(error)"
            if guide.shell.ending == nil { _ = try? guide.shoot("when it could not go on") }
        }
        // Lift the fingers of a failed step.
        if guide.report.outcome == .failed { for finger in 0...2 { try? guide.input(.touchCancel(touch: Int32(finger))) } }
        guide.report.seconds = Clocks.monotonicSeconds - start
        tell(guide.report)
        return guide.report
    }

    private func tell(_ report: StepReport) {
        let seconds = "\(short((report.seconds * 10).rounded() / 10)) s"
        switch report.outcome {
        case .passed: say("  ok    \(report.title) (\(report.checks.count) checks, \(seconds))")
        case .skipped(let why): say("  skip  \(report.title): \(why)")
        case .failed:
            say("  FAIL  \(report.title) (\(seconds))")
            if let trouble = report.trouble { say("        \(trouble)") }
            for check in report.checks where !check.passed { say("        \(check.what): \(check.found)") }
        }
    }

    /// The last chapter is about the tour itself: the session ends properly, and its recording replays (X-07).
    private func end(_ shell: TourShell, _ guide: Guide) -> ChapterReport {
        let chapter = Chapter(
            id: "replay", title: "Once more, from the recording",
            about: "The whole tour was recorded as a list of events. Run again without any app, it has to reach the same state.",
            steps: [])
        say("\n\(chapter.title)")
        guide.begin(Step("The session ends, and its recording replays to the same state", [.replay]) { _ in })
        let start = Clocks.monotonicSeconds
        let isOrderly = shell.ending == nil && shell.quit()
        guide.check("the shell ends in order", isOrderly, shell.ending ?? "it had to be killed")
        do {
            let (status, output) = try shell.result(of: [program, "replay", shell.recording], package: "", within: 60)
            let words = output.split(separator: "\n").prefix(12).joined(separator: "; ")
            guide.check("mullion replay session.jsonl reaches the same state", status == 0, words)
        } catch {
            guide.report.trouble = "\(error)"
        }
        guide.report.seconds = Clocks.monotonicSeconds - start
        tell(guide.report)
        return ChapterReport(chapter: chapter, steps: [guide.report])
    }
}
