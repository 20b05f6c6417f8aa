import Journal

extension Check {
    /// The last one, because it is about the events of all others.
    static let crashes = Check(
        "crashes", rules: ["X-01"], weight: 10, needsWindow: false,
        title: Words("Does not crash", ko: "비정상 종료되지 않는다", ja: "クラッシュしない"),
        does: Words(
            "Watches how the app ends in all other checks, and repeats a check in which it crashed.",
            ko: "다른 모든 검사에서 앱이 어떻게 끝나는지 지켜보고, 비정상 종료된 검사는 되풀이한다.",
            ja: "ほかのすべての検査でアプリがどう終了するかを見て、クラッシュした検査は繰り返す。"),
        counts: Words(
            "Broken: a signal ended it that the audit did not send, or it ended with an error although nobody asked it to.",
            ko: "어김: 감사가 보내지 않은 시그널로 끝났거나, 아무도 요청하지 않았는데 오류로 끝났다.",
            ja: "破っている: 監査が送っていないシグナルで終了した、または誰も求めていないのにエラーで終了した。"),
        mend: Words(
            "Start the app under a debugger, do what the evidence names, and mend where it stops.",
            ko: "디버거에서 앱을 시작하여 증거에 나온 일을 하고, 멈춘 곳을 고치십시오.",
            ja: "デバッガでアプリを起動し、証拠にある操作を行い、止まった箇所を直します。")
    ) { visit in
        [judge(crashes: visit.crashes, start: visit.start)]
    }

    /// Checks that close the app, or end it by a signal, each time. Others do so by `Visit.endApp` only.
    static let endsApps: Set<String> = ["same-at-same-size", "dialogs", "close", "lost-work", "killed", "reboot"]

    static func judge(crashes: [AppEnd], start: Visit.Start) -> Finding {
        let evidence = crashes.reduce(into: [Phrase]()) { lines, end in
            if !lines.contains(end.words) { lines.append(end.words) }
        }
        if crashes.contains(where: \.isSignal) { return Finding(.broken, part: "crash", .crashed, evidence: evidence) }
        if !crashes.isEmpty { return Finding(.broken, part: "ended", .endedWithError, evidence: evidence) }
        if !start.wasTried { return Finding(.notApplicable, .wasNotStarted) }
        guard start.seconds != nil else { return Finding(.couldNotTell, .noWindow(why: start.failure ?? .didNotStart)) }
        return Finding(.kept, .didNotCrash)
    }

    /// The findings of a check in which the app crashed, twice if it could be repeated. They may be effects of the crash.
    static func judge(_ findings: [Finding], crashed first: AppEnd) -> [Finding] {
        if findings.contains(where: { $0.part == "crash" }) { return findings }
        return [Finding(.broken, part: "crash", .crashesInThisCheck, evidence: [first.how])]
    }
}

/// How a program of the app ended, by the shell's recording.
struct AppEnd: Hashable {
    var signal: Int64?
    var status: Int64?
    /// The id of the check that ran.
    var check = ""

    /// Signals by which the kernel, an assertion or a sandbox ends a program that did something wrong: ILL, TRAP, ABRT, BUS, FPE, SEGV,
    /// XCPU, XFSZ and SYS.
    static let faults: Set<Int64> = [4, 5, 6, 7, 8, 11, 24, 25, 31]

    init(signal: Int64? = nil, status: Int64? = nil, check: String = "") {
        // A shell passes the signal of its child on as a status.
        let passed = status.flatMap { AppEnd.faults.contains($0 - 128) ? $0 - 128 : nil }
        self.signal = signal ?? passed
        self.status = self.signal == nil ? status : nil
        self.check = check
    }

    /// nil if the event is another one.
    init?(_ event: JSON, check: String) {
        guard let end = event["launchEnded"] else { return nil }
        self.init(signal: end["signal"]?.integer, status: end["status"]?.integer, check: check)
    }

    var isSignal: Bool { signal != nil }
    var how: Phrase { signal.map { .signal($0) } ?? .status(status ?? 0) }
    var words: Phrase { .about(.verbatim(check), how) }

    /// Whether the app itself is to blame.
    ///
    /// - Parameters:
    ///   - hasWindows: windows of the app are left, so that this was its launcher.
    ///   - wasEnded: the audit ended the app in this check.
    func isCrash(hadWindow: Bool, hasWindows: Bool, wasEnded: Bool = false) -> Bool {
        let wasEnded = wasEnded || Check.endsApps.contains(check)
        if let signal { return AppEnd.faults.contains(signal) || !wasEnded }
        return (status ?? 0) != 0 && hadWindow && !hasWindows && !wasEnded
    }
}

extension Visit {
    /// Notes the crashes since the last call. Returns them.
    func newCrashes(in check: String) throws -> [AppEnd] {
        func hasWindows() -> Bool { (try? windows().isEmpty) == false }
        // A window is gone a moment before its process.
        if isStarted, !hasWindows() { _ = try? wait(1) { room.hasEnds } }
        let hasWindows = hasWindows()
        let new = room.takeEnds().compactMap { AppEnd($0, check: check) }
            .filter { !isFlooded && $0.isCrash(hadWindow: isStarted, hasWindows: hasWindows, wasEnded: hasEndedApp) }
        hasEndedApp = false
        crashes += new
        return new
    }
}
