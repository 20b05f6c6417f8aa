import FoundationEssentials
import Journal
import Testing

@testable import Audit

/// X-08: reports, baselines and the list of checks.
struct ReportTests {
    private static let findings = [
        Finding(.broken, part: "follows", "it draws <more> & more", evidence: ["screen 320x480: drew 700x500"], check: "sizes"),
        Finding(.kept, "it closes", check: "close"), Finding(.couldNotTell, part: "bus", "no bus", check: "names"),
    ]

    private func report(_ baseline: Baseline = Baseline(), _ findings: [Finding] = Self.findings) -> AuditReport {
        let checks = Check.all.filter { ["sizes", "close", "names"].contains($0.id) }.map(CheckReport.init)
        let app = AppReport(
            app: "org.example.App", name: "Example", command: ["app"], seconds: 12.5,
            findings: findings.map { JudgedFinding($0, app: "org.example.App", idiom: "pad", baseline: baseline) })
        var report = AuditReport(version: "0.1.0", idiom: "pad", seed: 7, quick: false, apps: [app], checks: checks)
        report.stale = baseline.stale(apps: report.apps, idiom: "pad", checks: checks.map(\.id))
        return report
    }

    private func baseline(_ known: String) throws -> Baseline { try Baseline(text: Array("{\"mullionAuditBaseline\":1,\"known\":[\(known)]}".utf8)) }

    @Test("X-08: ids of checks are unique, and every check cites a rule and says what to change")
    func list() {
        #expect(Set(Check.all.map(\.id)).count == Check.all.count)
        for check in Check.all {
            #expect(!check.rules.isEmpty && 1...10 ~= check.weight, "\(check.id)")
            #expect(!check.does.isEmpty && !check.counts.isEmpty, "\(check.id)")
            for language in Language.allCases { #expect(!check.title[language].isEmpty && !check.mend[language].isEmpty, "\(check.id)") }
        }
        let text = TerminalReport.list(Check.all)
        for check in Check.all { #expect(text.contains("\(check.id)  (")) }
    }

    @Test("X-08: --rules takes rules and ids, --quick leaves slow checks out, an idiom what means nothing there")
    func selection() {
        #expect(Check.selected(rules: ["W-19"]).map(\.id) == ["unasked-windows"])
        #expect(Check.selected(rules: ["sizes", "S-09"]).map(\.id) == ["sizes", "answers", "shown-again"])
        #expect(!Check.selected(quick: true).contains { !$0.isQuick })
        #expect(!Check.selected(idiom: "phone").contains { $0.id == "same-at-same-size" })
    }

    @Test("X-08: the exit status is 1 for a broken rule, 0 if the baseline knows it, 2 if an app could not run")
    func status() throws {
        #expect(report().exitStatus == 1)
        let known = try baseline(#"{"finding":"org.example.App/pad/sizes/follows","reason":"waits for GTK 5","date":"2025-11-27"}"#)
        #expect(report(known).exitStatus == 0)
        #expect(report(known).stale == [])
        #expect(report(Baseline(), Array(Self.findings.dropFirst())).exitStatus == 0)
        var troubled = report()
        troubled.apps.append(AppReport(app: "x", name: "x", command: [], trouble: "there is no app x"))
        #expect(troubled.exitStatus == 2)
    }

    @Test("X-08: what a baseline knows and nothing matches is stale, unless its check or app did not run")
    func stale() throws {
        let old = try baseline("""
            {"finding":"org.example.App/pad/close/stays","reason":"old","date":"2025-01-01"},\
            {"finding":"org.example.App/pad/dark/bright","reason":"another check","date":"2025-01-01"},\
            {"finding":"other/pad/close/stays","reason":"another app","date":"2025-01-01"}
            """)
        #expect(report(old).stale.map(\.finding) == ["org.example.App/pad/close/stays"])
    }

    @Test("X-08: a baseline needs a reason and a date for each", arguments: [
        #"{"finding":"a","reason":" ","date":"2025-11-27"}"#, #"{"finding":"a","reason":"r","date":"yesterday"}"#,
        #"{"finding":"a","reason":"r","date":"2025-13-01"}"#, #"{"finding":"a","reason":"r"}"#,
        #"{"finding":"a","reason":"r","date":"2025-11-27"},{"finding":"a","reason":"s","date":"2025-11-27"}"#,
    ])
    func invalid(known: String) { #expect(throws: (any Error).self) { try baseline(known) } }

    @Test("X-08: the JSON is read back as it was, and names its schema")
    func json() throws {
        let text = try report().json()
        #expect(try AuditReport(json: Array(text.utf8)) == report())
        #expect(try JSON(parsing: Array(text.utf8))["mullionAudit"]?.integer == Int64(AuditReport.schema))
    }

    @Test("X-08: a fingerprint has no sizes, times or titles")
    func fingerprints() {
        let finding = report().apps[0].findings[0]
        #expect(finding.fingerprint == "org.example.App/pad/sizes/follows")
    }

    @Test("X-08: SARIF has the fingerprint, and what the baseline knows is suppressed")
    func sarif() throws {
        let known = try baseline(#"{"finding":"org.example.App/pad/sizes/follows","reason":"waits","date":"2025-11-27"}"#)
        for (report, isSuppressed) in [(report(), false), (report(known), true)] {
            let run = try #require(try JSON(parsing: Array(SARIFReport.text(report).utf8))["runs"]?[0])
            let results = try #require(run["results"]?.array)
            #expect(results.map { $0["kind"]?.string } == ["fail", "pass", "open"])
            #expect(results.map { $0["level"]?.string } == ["error", "none", "none"])
            #expect(results[0]["partialFingerprints"]?["mullionAudit/v1"]?.string == "org.example.App/pad/sizes/follows")
            #expect((results[0]["suppressions"] != nil) == isSuppressed)
        }
    }

    @Test("X-08: JUnit counts failures and skips, and escapes texts")
    func junit() {
        let text = JUnitReport.text(report())
        #expect(text.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""))
        #expect(text.contains("it draws &lt;more&gt; &amp; more"))
        #expect(!JUnitReport.escaped("a\u{1b}b").unicodeScalars.contains("\u{1b}"))
    }

    @Test("X-08: the HTML needs nothing from outside and has three languages")
    func html() {
        let text = HTMLReport.text(report(), language: .korean)
        #expect(!text.contains("http") && !text.contains("<script") && !text.contains("<more>"))
        #expect(text.contains("prefers-color-scheme:dark"))
        for language in Language.allCases { #expect(text.contains(Check.sizes.title[language])) }
        #expect(text.contains("id=\"l-ko\" checked"))
    }

    @Test("X-08: the table names apps that could not run, and texts of apps do not control the terminal")
    func table() {
        var report = report()
        report.apps.append(AppReport(app: "x\u{1b}[2J", name: "x", command: [], trouble: "gone\u{7}"))
        let text = TerminalReport.table(report)
        #expect(text.contains("could not run") && !text.contains("\u{1b}") && !text.contains("\u{7}"))
        // Kept: 8 of 18, because what could not tell does not count.
        #expect(report.apps[0].score(report.checks) == 44)
    }

    @Test("X-08: the words of a command line")
    func words() {
        #expect(Subject.words("foot -e 'top -b' \"a b\" c\\ d ''") == ["foot", "-e", "top -b", "a b", "c d", ""])
        #expect(throws: (any Error).self) { try Subject("no-such-app-anywhere", environment: ["PATH": "/usr/bin"]) }
        #expect(throws: (any Error).self) { try Subject("/tmp/none/there.desktop", environment: ["PATH": "/usr/bin"]) }
    }

    @Test("X-08: lines of libwayland's debug output", arguments: [
        ("[ 341.592]  -> wl_surface@3.attach(wl_buffer@17, 0, 0)", "wl_surface attach true"),
        ("[ 341.592] {Default Queue}  -> wl_surface#3.commit()", "wl_surface commit true"),
        ("[ 341.592] xdg_wm_base@5.ping(7)", "xdg_wm_base ping false"),
        ("[ 341.592] discarded wl_touch@13.motion(9990, 1, 121.0, 80.0)", "wl_touch motion false"),
    ])
    func trace(line: String, words: String) throws {
        let read = try #require(TraceLine(Substring(line)))
        #expect("\(read.interface) \(read.name) \(read.isRequest)" == words)
    }

    @Test("X-08: other output is no message", arguments: ["Gtk-Message: 12:01", "[x] (y)", "[12] a.b(c)", "(foot:12): hello", "[ 1.0]"])
    func noTrace(line: String) { #expect(TraceLine(Substring(line)) == nil) }

    @Test("X-08: seeds give the same sizes everywhere")
    func seeds() {
        var one = SeededRandom(seed: 1), again = SeededRandom(seed: 1), other = SeededRandom(seed: 2)
        let sizes = Check.oddSizes(&one, quick: false)
        #expect(sizes == Check.oddSizes(&again, quick: false) && sizes != Check.oddSizes(&other, quick: false))
        #expect(sizes.allSatisfy { Int(clamping: $0.width) % 2 == 1 && $0.width >= 320 && $0.height >= 480 })
    }
}
