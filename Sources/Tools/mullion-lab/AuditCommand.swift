import ArgumentParser
import Audit
import FoundationEssentials
import Glibc
import Processes
import Settings
import Windows

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Run apps through the rules that they must keep, and report which they keep.",
        discussion: """
            An APP is a desktop id (org.gnome.TextEditor), a desktop file, or a command in quotes ("foot -e top"). Each app runs headless \
            in a fresh home with a bus and a sound server of its own. The exit status is 1 if a rule is broken, and 2 if an app could not \
            be audited.
            """)

    @Argument(help: ArgumentHelp("The apps.", valueName: "app"))
    var apps: [String] = []

    @Flag(help: "Print every check: what is done, what counts, what to change.")
    var list = false

    @Option(help: ArgumentHelp("Only checks of these rules or with these ids, with commas between them.", valueName: "rules"))
    var rules: String?

    @Option(help: ArgumentHelp("The device family: \(Lab.idioms).", valueName: "name"))
    var idiom = "pad"

    @Flag(help: "Only quick checks, and fewer sizes.")
    var quick = false

    @Option(
        help: ArgumentHelp("Keep the report in every format, with its pictures, in this folder.", valueName: "folder"),
        completion: .directory)
    var keep: String?

    @Option(help: ArgumentHelp("Print this format instead of the table: json, html, junit or sarif.", valueName: "format"))
    var format: Format = .table

    @Option(
        help: ArgumentHelp("A file of known findings, each with a reason and a date.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var baseline: String?

    @Option(help: ArgumentHelp("The same seed gives the same findings.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The locale of the apps.", valueName: "name"))
    var locale = "C.UTF-8"

    @Option(help: ArgumentHelp("When the clock of the apps starts, with libfaketime.", valueName: "time"))
    var clock: String?

    @Option(
        help: ArgumentHelp(
            "Keys that leave what an app shows at its very first start, with commas between them, as Return.", valueName: "keys"))
    var firstKeys: String?

    @Flag(help: "Run as on a machine without a sound server.")
    var withoutSound = false

    enum Format: String, ExpressibleByArgument, CaseIterable { case table, json, html, junit, sarif }

    private var wantedRules: [String] {
        (rules ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    }

    func validate() throws {
        guard Idiom.named(idiom) != nil else { throw ValidationError("--idiom is \(idiom); known are \(Lab.idioms).") }
        let known = Set(Check.all.flatMap { [$0.id] + $0.rules })
        for rule in wantedRules where !known.contains(rule) {
            throw ValidationError("no check is about \(rule); `mullion audit --list` prints all.")
        }
        if let clock, !FixedClock.isDateAndTime(clock) { throw ValidationError("--clock is \(clock); write it as 2025-01-01T12:00:00.") }
        if apps.isEmpty, !list { throw ValidationError("Name an app, or --list.") }
        if apps.contains(where: { $0.allSatisfy(\.isWhitespace) }) { throw ValidationError("An app without a name.") }
    }

    func run() throws {
        let language = Language(environment: ProcessInfo.processInfo.environment)
        if list {
            try deliver(TerminalReport.list(Check.selected(rules: wantedRules, quick: quick, idiom: idiom), language: language) + "\n")
            return
        }
        var audit: Audit
        do {
            audit = Audit(apps, program: try Lab.shell())
        } catch {
            throw cannotRun("\(error)")
        }
        audit.rules = wantedRules
        audit.idiom = Idiom.named(idiom) ?? .pad
        audit.isQuick = quick
        audit.seed = seed
        audit.keep = keep
        audit.locale = locale
        audit.language = language
        audit.firstKeys = (firstKeys ?? "").split(separator: ",").map(String.init)
        audit.hasSound = !withoutSound
        do {
            audit.clock = try clock.map { text throws(FixedClock.Failure) in try FixedClock(text) }
        } catch {
            throw cannotRun("\(error)")
        }
        if let baseline {
            guard let data = FileManager.default.contents(atPath: baseline) else { throw cannotRun("there is no file \(baseline)") }
            do {
                audit.baseline = try Baseline(text: data)
            } catch {
                throw cannotRun("\(baseline): \(error)")
            }
        }
        if let keep, mkdirs(keep) != 0 || access("\(keep)/.", W_OK | X_OK) != 0 {
            throw cannotRun("the report cannot be kept in \(keep): \(String(cString: strerror(errno)))")
        }
        // Other formats have standard output for themselves.
        let report = try audit.run { say($0, to: format == .table ? STDOUT_FILENO : STDERR_FILENO) }
        do {
            try save(report)
        } catch {
            throw cannotRun("the report cannot be kept in \(keep ?? ""): \(error)")
        }
        // The table says it, too, but perhaps not to a person.
        if format != .table || isatty(STDOUT_FILENO) == 0 {
            for app in report.apps { if let trouble = app.trouble { say("Error: \(app.app): \(trouble.english)", to: STDERR_FILENO) } }
        }
        try deliver(try text(report, format, language))
        if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
    }

    private func text(_ report: AuditReport, _ format: Format, _ language: Language) throws -> String {
        switch format {
        case .table: TerminalReport.table(report, language: language) + "\n"
        case .json: try report.json()
        case .html: HTMLReport.text(report, language: language, pictures: keep.map { "\($0)/pictures" })
        case .junit: JUnitReport.text(report)
        case .sarif: SARIFReport.text(report)
        }
    }

    /// Status 1 would say that a rule is broken.
    private func deliver(_ text: String) throws {
        do {
            try StandardOutput.write(Array(text.utf8))
        } catch {
            throw cannotRun("the report cannot be written: \(error)")
        }
    }

    private func say(_ line: String, to descriptor: Int32) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    /// Says why no app could be audited. Status 1 would say that a rule is broken.
    private func cannotRun(_ reason: String) -> ExitCode {
        say("Error: \(reason)", to: STDERR_FILENO)
        return ExitCode(2)
    }

    /// Makes the folder and those above it. Returns 0, or -1 with errno.
    private func mkdirs(_ path: String) -> Int32 {
        if access(path, F_OK) == 0 { return 0 }
        let above = path.split(separator: "/").dropLast().joined(separator: "/")
        if !above.isEmpty, mkdirs((path.hasPrefix("/") ? "/" : "") + above) != 0 { return -1 }
        return mkdir(path, 0o755)
    }

    private func save(_ report: AuditReport) throws {
        guard let keep else { return }
        let language = Language(environment: ProcessInfo.processInfo.environment)
        for (format, name) in [(Format.json, "audit.json"), (.html, "index.html"), (.junit, "junit.xml"), (.sarif, "audit.sarif")] {
            try Data(try text(report, format, language).utf8).write(to: URL(filePath: "\(keep)/\(name)"))
        }
    }
}
