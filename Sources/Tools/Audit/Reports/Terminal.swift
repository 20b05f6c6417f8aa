/// The report for a terminal: a line for each check while it runs, and a table at the end.
public enum TerminalReport {
    static func heading(_ app: AppReport, idiom: String, seed: UInt64) -> String {
        "\(app.name) (\(app.app)), idiom \(idiom), seed \(seed)"
    }

    static func mark(_ verdict: Verdict) -> String {
        switch verdict {
        case .kept: "+"
        case .broken: "x"
        case .warning: "!"
        case .notApplicable: "-"
        case .couldNotTell: "?"
        }
    }

    /// The lines of one app.
    struct Lines {
        let language: Language
        /// The reason why the last check could not tell.
        private var untold: Phrase?

        init(language: Language) { self.language = language }

        /// An app without a window gives every check the same reason, which is printed once.
        mutating func line(_ check: Check, _ findings: [Finding]) -> String {
            let verdict = Verdict.gravest(findings.map(\.verdict))
            var lines = [
                "  \(mark(verdict)) \(padded(check.id, TerminalReport.idWidth)) \(padded(check.rules[0], 5)) \(check.title[language])"
            ]
            for finding in findings where finding.verdict == .broken || finding.verdict == .warning || finding.verdict == .couldNotTell {
                if finding.verdict == .couldNotTell {
                    if finding.why == untold { continue }
                    untold = finding.why
                }
                lines.append("      \(finding.verdict.words[language]): \(clean(finding.why.english))")
            }
            return lines.joined(separator: "\n")
        }
    }

    private static let idWidth = Check.all.map(\.id.count).max() ?? 0

    /// The overview of all apps. Marks head its columns, so that it fits into 80 columns.
    public static func table(_ report: AuditReport, language: Language = .english) -> String {
        var rows = [["app", "score"] + Verdict.allCases.map(mark) + ["seconds"]]
        for app in report.apps where app.trouble == nil {
            rows.append(
                [clean(app.app), app.score(report.checks).map(String.init) ?? "-"] + Verdict.allCases.map { "\(app.count($0))" } + [
                    app.seconds.words
                ])
        }
        let widths = (0..<rows[0].count).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let name = max(widths[0], report.apps.map { clean($0.app).count }.max() ?? 0)
        func line(_ row: [String]) -> String {
            // Numbers stand under each other.
            padded(row[0], name) + zip(row, widths).dropFirst().map { "  " + String(repeating: " ", count: $1 - $0.count) + $0 }.joined()
        }
        var lines = [line(rows.removeFirst())]
        for app in report.apps {
            lines.append(app.trouble == nil ? line(rows.removeFirst()) : "\(padded(clean(app.app), name))  could not run")
        }
        lines.append(Verdict.allCases.map { "\(mark($0)) \($0.words[language])" }.joined(separator: ", "))
        let known = report.apps.flatMap(\.findings).filter { $0.known != nil }.count
        if known > 0 { lines.append("Findings that the baseline knows: \(known)") }
        for app in report.apps { if let trouble = app.trouble { lines.append("\(clean(app.app)): \(clean(trouble.english))") } }
        for entry in report.stale {
            lines.append("The baseline knows \(clean(entry.finding)) (\(entry.date)), which was not found: remove it.")
        }
        return lines.joined(separator: "\n")
    }

    private static let does = Words("Does:   ", ko: "하는 일: ", ja: "内容: ")
    private static let counts = Words("Counts: ", ko: "판정: ", ja: "判定: ")
    private static let change = Words("Change: ", ko: "바꿀 점: ", ja: "変更: ")

    /// Every check, for `--list`.
    public static func list(_ checks: [Check], language: Language = .english) -> String {
        checks.map { check in
            """
            \(check.id)  (\(check.rules.joined(separator: ", ")); weight \(check.weight)\(check.isQuick ? "" : "; not in --quick"))
                \(check.title[language])
                \(does[language])\(check.does[language])
                \(counts[language])\(check.counts[language])
                \(change[language])\(check.mend[language])
            """
        }.joined(separator: "\n")
    }

    static func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }

    /// Texts of apps must not control the terminal.
    static func clean(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    $0.value < 32 || (0x7f...0x9f).contains($0.value) || $0.properties.generalCategory == .format ? " " : $0
                }))
    }
}
