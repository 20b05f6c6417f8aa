import Clocks
import Control
import FoundationEssentials
import Geometry
import Glibc
import Windows

/// Runs apps through the rules that they must keep, and reports what they keep.
public struct Audit {
    public var words: [String]
    public var rules: [String] = []
    public var idiom: Idiom = .pad
    public var isQuick = false
    public var seed: UInt64 = 1
    /// The folder for the report and its pictures.
    public var keep: String?
    public var baseline = Baseline()
    /// The language of apps.
    public var locale = "C.UTF-8"
    /// Keys that leave what an app shows at its very first start, such as a notice.
    public var firstKeys: [String] = []
    /// Whether apps find a sound server.
    public var hasSound = true
    /// When the clock of the apps starts, as 2025-01-01T12:00:00; nil for the machine's time.
    public var clock: FixedClock?
    /// Seconds for one app. Checks that find no time could not tell.
    public var limit = 175.0
    /// Of the terminal.
    public var language = Language.english
    let program: String

    /// - Parameters:
    ///   - words: the apps: desktop ids, desktop files or commands.
    ///   - program: the file of `mullion`.
    public init(_ words: [String], program: String) { (self.words, self.program) = (words, program) }

    public var checks: [Check] { Check.selected(rules: rules, quick: isQuick, idiom: idiom.name) }

    /// - Parameter progress: gets each line as it is known.
    public func run(progress: (String) -> Void) throws -> AuditReport {
        Confinement.begin()
        Interruption.watch()
        var report = AuditReport(
            version: Mullion.version, idiom: idiom.name, seed: seed, quick: isQuick, checks: checks.map(CheckReport.init))
        let pictures = try keep.map { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/pictures", withIntermediateDirectories: true)
            // The shell gets absolute paths only.
            return realpath("\(folder)/pictures", nil).map { path in
                defer { free(path) }
                return String(cString: path)
            } ?? folder
        }
        for word in words {
            report.apps.append(audit(word, pictures: pictures, progress: progress))
            if Interruption.number != nil { break }
        }
        report.stale = baseline.stale(apps: report.apps, idiom: idiom.name, checks: checks.map(\.id))
        return report
    }

    private func audit(_ word: String, pictures: String?, progress: (String) -> Void) -> AppReport {
        let began = Clocks.monotonicSeconds
        let subject: Subject
        do {
            subject = try Subject(word, environment: ProcessInfo.processInfo.environment)
        } catch {
            progress("\(word): \(error)")
            return AppReport(app: word, name: word, command: [], trouble: Audit.why(error))
        }
        var report = AppReport(app: subject.id, name: subject.name, command: subject.command)
        progress(TerminalReport.heading(report, idiom: idiom.name, seed: seed))
        do {
            report.findings = try findings(subject, pictures: pictures, began: began, progress: progress).map {
                JudgedFinding($0, app: subject.id, idiom: idiom.name, baseline: baseline)
            }
        } catch {
            report.trouble = Interruption.number.map { .signal(Int64($0)) } ?? Audit.why(error)
            progress("  \(report.trouble!.english)")
        }
        report.seconds = ((Clocks.monotonicSeconds - began) * 10).rounded() / 10
        return report
    }

    private static func why(_ error: any Error) -> Phrase {
        (error as? Trouble)?.why ?? (error as? Subject.Unknown)?.why ?? .verbatim("\(error)")
    }

    private func findings(_ subject: Subject, pictures: String?, began: Double, progress: (String) -> Void) throws -> [Finding] {
        let room = try Room(
            program: program,
            Room.Manner(idiom: idiom.name, size: Self.standard(idiom.name), locale: locale, hasSound: hasSound, clock: clock))
        defer {
            room.end()
            Confinement.end()
        }
        if let file = subject.file, subject.entry != nil { try install(file, id: subject.id, room) }
        let visit = Visit(
            room: room, subject: subject, idiom: idiom, standard: Self.standard(idiom.name), seed: seed ^ Self.hash(subject.id),
            quick: isQuick,
            pictureFolder: pictures, program: program, firstKeys: firstKeys)
        var findings: [Finding] = [], lines = TerminalReport.Lines(language: language)
        for check in checks {
            let found = try lasting(check, visit, began: began)
            findings += found
            progress(lines.line(check, found))
        }
        return findings
    }

    /// From as many crashes on, nothing else is tried with the app.
    static let mostCrashes = 4

    /// The outcome of a check. If the app crashes meanwhile, what the check saw says nothing about its rule. Then it is repeated once.
    private func lasting(_ check: Check, _ visit: Visit, began: Double) throws -> [Finding] {
        guard check.id != Check.crashes.id else { return try outcome(of: check, visit, began: began) }
        if visit.crashes.count >= Audit.mostCrashes, check.needsWindow {
            return [Finding(.couldNotTell, part: "crashes", .crashedTooOften, check: check.id)]
        }
        let found = try outcome(of: check, visit, began: began)
        guard let crash = try visit.newCrashes(in: check.id).first else { return found }
        func named(_ findings: [Finding]) -> [Finding] {
            findings.map { finding in
                var finding = finding
                finding.check = check.id
                return finding
            }
        }
        guard check.needsWindow, !found.contains(where: { $0.part == "crash" }) else {
            // An app without a window has its reason already.
            return check.id == Check.start.id && visit.isStarted ? named(Check.judge(found, crashed: crash)) : found
        }
        let again = try outcome(of: check, visit, began: began)
        guard let second = try visit.newCrashes(in: check.id).first else { return again }
        return named(Check.judge(again, crashed: second))
    }

    /// Of one check. Whatever goes wrong in it is evidence, or the reason why it could not tell.
    private func outcome(of check: Check, _ visit: Visit, began: Double) throws -> [Finding] {
        var found: [Finding]
        do {
            if Clocks.monotonicSeconds - began > limit { throw Trouble(.timeOver) }
            if visit.isFlooded { throw AppGone(why: .endedForFlood) }
            if check.needsWindow {
                if !visit.start.wasTried { try visit.launch() }
                guard visit.isStarted else { throw AppGone(why: .noWindow(why: visit.start.failure ?? .didNotStart)) }
                // One that opened by itself is what that check is about.
                if check.id != Check.unaskedWindows.id { try visit.leaveDialogs() }
                try visit.rest()
            }
            found = try check.run(visit)
        } catch let error as Untold {
            found = [error.finding]
        } catch is Flood {
            found = [Finding(.broken, part: "flood", .floodsOutput(mebibytes: Int(Visit.mostOutput >> 20)))]
        } catch let error as AppGone {
            // How it starts is a check of its own.
            found = [Finding(.couldNotTell, error.why)]
        } catch {
            if let number = Interruption.number { throw Trouble(.signal(Int64(number))) }
            // Otherwise the audit of one check would be over with "could not tell", and nothing would fail.
            guard !visit.room.hasEnded(within: 1) else {
                throw Trouble(.shellEnded(log: visit.room.lastWords))
            }
            found = [Finding(.couldNotTell, Audit.why(error))]
        }
        return found.map { finding in
            var finding = finding
            finding.check = check.id
            return finding
        }
    }

    /// The shell under audit reads it from its own home, so that a file outside of the machine's folders is an installed app.
    private func install(_ file: String, id: String, _ room: Room) throws {
        let place = "\(room.path)/data/applications/\(id).desktop"
        if access(place, F_OK) != 0 { try FileManager.default.copyItem(atPath: file, toPath: place) }
    }

    /// The screen between checks.
    static func standard(_ idiom: String) -> Size {
        switch idiom {
        case "phone": Size(390, 844)
        case "tv": Size(1920, 1080)
        case "watch", "round-watch": Size(396, 484)
        case "mac", "vision": Size(1440, 900)
        default: Size(1180, 820)
        }
    }

    /// FNV-1a, so that each app has numbers of its own, which do not depend on the order of apps.
    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
