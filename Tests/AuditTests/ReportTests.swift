import FoundationEssentials
import Geometry
import Journal
import Seeded
import Testing

@testable import Audit

/// X-08: reports, baselines and the list of checks.
struct ReportTests {
    private static let findings = [
        Finding(.broken, part: "follows", .verbatim("it draws <more> & more"), evidence: [.drew(Size(700, 500))], check: "sizes"),
        Finding(.kept, .closesOrAsks, check: "close"), Finding(.couldNotTell, part: "bus", .noAccessibilityBus, check: "names"),
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

    private func baseline(_ known: String) throws -> Baseline {
        try Baseline(text: Array("{\"mullionAuditBaseline\":1,\"known\":[\(known)]}".utf8))
    }

    @Test("X-08: ids of checks are unique, and every check cites a rule and says what to change")
    func list() {
        #expect(Set(Check.all.map(\.id)).count == Check.all.count)
        for check in Check.all {
            #expect(!check.rules.isEmpty && 1...10 ~= check.weight, "\(check.id)")
            for words in [check.title, check.does, check.counts, check.mend] {
                #expect(!words.en.isEmpty && Set([words.en, words.ko, words.ja]).count == 3, "\(check.id): \(words.en)")
                #expect(
                    words.ko.unicodeScalars.contains { 0xac00...0xd7a3 ~= $0.value }
                        && words.ja.unicodeScalars.contains { 0x3041...0x30ff ~= $0.value }, "\(words)")
            }
            // Each verdict that it can give is named in every language.
            for verdict in Verdict.allCases where check.counts.en.contains("\(verdict.words.en.capitalizedFirst):") {
                for language in Language.allCases {
                    #expect(
                        check.counts[language].contains("\(verdict.words[language].capitalizedFirst):"),
                        "\(check.id): \(check.counts[language])")
                }
            }
        }
        let text = TerminalReport.list(Check.all)
        for check in Check.all { #expect(text.contains("\(check.id)  (")) }
    }

    @Test("X-08: --rules takes rules and ids, --quick leaves slow checks out, an idiom what means nothing there")
    func selection() {
        #expect(Check.selected(rules: ["W-19"]).map(\.id) == ["unasked-windows", "crashes"])
        #expect(Check.selected(rules: ["sizes", "S-09"]).map(\.id) == ["sizes", "answers", "animation", "shown-again", "crashes"])
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
        troubled.apps.append(AppReport(app: "x", name: "x", command: [], trouble: .unknownApp))
        #expect(troubled.exitStatus == 2)
    }

    @Test("X-08: what a baseline knows and nothing matches is stale, unless its check or app did not run")
    func stale() throws {
        let old = try baseline(
            """
            {"finding":"org.example.App/pad/close/stays","reason":"old","date":"2025-01-01"},\
            {"finding":"org.example.App/pad/dark/bright","reason":"another check","date":"2025-01-01"},\
            {"finding":"other/pad/close/stays","reason":"another app","date":"2025-01-01"}
            """)
        #expect(report(old).stale.map(\.finding) == ["org.example.App/pad/close/stays"])
    }

    @Test(
        "X-08: a baseline needs a reason and a date for each",
        arguments: [
            #"{"finding":"a","reason":" ","date":"2025-11-27"}"#, #"{"finding":"a","reason":"r","date":"yesterday"}"#,
            #"{"finding":"a","reason":"r","date":"2025-13-01"}"#, #"{"finding":"a","reason":"r"}"#,
            #"{"finding":"a","reason":"r","date":"2025-11-27"},{"finding":"a","reason":"s","date":"2025-11-27"}"#,
        ])
    func invalid(known: String) { #expect(throws: (any Error).self) { try baseline(known) } }

    @Test("X-08: a baseline says which entry lacks what")
    func incomplete() {
        let known = #"{"finding":"a","reason":"r","date":"2025-11-27"},{"finding":"b","reason":"r"}"#
        #expect(throws: Baseline.Failure(description: "entry 2 of the baseline has no \"date\"")) { try baseline(known) }
        #expect(throws: Baseline.Failure(description: "the baseline has no \"mullionAuditBaseline\"")) {
            try Baseline(text: Array("{}".utf8))
        }
    }

    @Test("X-08: the JSON names its schema, and says reasons and evidence in English")
    func json() throws {
        let json = try JSON(parsing: Array(report().json().utf8)), finding = json["apps"]?[0]?["findings"]?[0]
        #expect(json["mullionAudit"]?.integer == Int64(AuditReport.schema))
        #expect(finding?["why"]?.string == "it draws <more> & more" && finding?["evidence"]?[0]?.string == "drew 700x500")
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

    @Test("X-08, X-04: reasons and evidence in the HTML have three languages, with the facts of the app in them")
    func phrases() {
        func ko(_ phrase: Phrase) -> String { phrase[.korean] }
        #expect(ko(.controlsNamed) == "컨트롤에 이름이 있다" && ko(.firstWindow(seconds: 1.2)) == "첫 윈도우까지 1.2초")
        let size = Phrase.list([
            .screen(Size(320, 480), told: Size(360, 540)), .drew(Size(360, 540)), .minimum(Size(360, 449)), .shownAt(percent: 89),
        ])
        #expect(size.english == "screen 320x480: told 360x540, drew 360x540, minimum 360x449, shown at 89 %")
        #expect(ko(size) == "화면 320x480: 지시 360x540, 그린 크기 360x540, 최소 360x449, 89 %로 표시")
        #expect(size[.japanese] == "画面320x480: 指示360x540、描画360x540、最小360x449、89 %で表示")
        #expect(ko(.controls(objects: 35, controls: 20, nameless: 3)) == "객체 35개, 컨트롤 20개, 이름 없음 3개")
        #expect(ko(.about(.afterTyping, .closed)) == "단어를 입력한 뒤: 닫힘")
        // A menu lies in the screen, and not the screen in the menu.
        #expect(ko(.menu(Size(100, 200), in: Size(800, 600))) == "800x600 안의 메뉴 100x200")
        // Messages of an app, a device or a tool stay as they are.
        #expect(
            ko(.noWindow(why: .endedWithStatus(3, says: "no display; none, really"))) == "윈도우가 없다: 상태 3(으)로 끝났다: no display; none, really")
        for language in Language.allCases {
            #expect(Phrase.verbatim("ImportError: no module, none")[language] == "ImportError: no module, none")
        }
        let text = HTMLReport.text(
            report(Baseline(), [Finding(.broken, .controlsNamed, evidence: [.scale(2), .verbatim("<b>")], check: "sizes")]))
        #expect(text.contains("주의: 최소 크기 때문에 셸이 줄여 그리거나") && text.contains("注意: 最小サイズのためシェルが縮小して描画するか"))
        #expect(text.contains("컨트롤에 이름이 있다") && text.contains("倍率2.0") && text.contains("<li>&lt;b&gt;</li>"))
    }

    @Test("X-08: the table names apps that could not run, and texts of apps do not control the terminal")
    func table() {
        var report = report()
        report.apps.append(AppReport(app: "x\u{1b}[2J", name: "x", command: [], trouble: .verbatim("gone\u{7}")))
        report.apps.append(
            AppReport(app: "org.qbittorrent.qBittorrent", name: "", command: [], seconds: 160.5, findings: report.apps[0].findings))
        let text = TerminalReport.table(report)
        let lines = text.split(separator: "\n")
        #expect(lines[0] == "app                          score  +  x  !  -  ?  seconds")
        #expect(lines[1] == "org.example.App                 44  1  1  0  0  1     12.5" && lines[3].hasSuffix("    160.5"))
        #expect(lines[4] == "+ kept, x broken, ! warning, - not applicable, ? could not tell" && lines.count == 6)
        #expect(text.contains("could not run") && !text.contains("\u{1b}") && !text.contains("\u{7}"))
        // Kept: 8 of 18, because what could not tell does not count.
        #expect(report.apps[0].score(report.checks) == 44)
    }

    @Test("X-08: lines of a terminal fit into 80 columns, and say once why many checks could not tell")
    func lines() {
        var lines = TerminalReport.Lines(language: .english)
        for check in Check.all { #expect(lines.line(check, [Finding(.kept, .verbatim(""))]).count <= 80, "\(check.id)") }
        let untold = Finding(.couldNotTell, .notInSight), other = Finding(.couldNotTell, .noAccessibilityBus)
        let said = [untold, untold, Finding(.broken, .didNotClose), untold, other, untold].map {
            lines.line(.sizes, [$0]).contains($0.why.english)
        }
        #expect(said == [true, false, true, false, true, true])
    }

    @Test(
        "X-08: a program of an interpreter has the name of its script, and commands are no part of fingerprints",
        arguments: [
            ("sh -c 'exec foot -e \"a b\"'", "sh"), ("sh -x /usr/lib/app.sh --quiet", "app.sh"), ("env LANG=ko_KR.UTF-8 foot", "foot"),
            ("env", "env"), ("cat /etc/hostname", "cat"),
        ])
    func names(line: String, id: String) throws {
        #expect(try Subject(line, environment: ["PATH": "/usr/bin:/bin"]).id == id)
    }

    @Test("X-08: the words of a command line")
    func words() {
        #expect(Subject.words("foot -e 'top -b' \"a b\" c\\ d ''") == ["foot", "-e", "top -b", "a b", "c d", ""])
        #expect(throws: (any Error).self) { try Subject("no-such-app-anywhere", environment: ["PATH": "/usr/bin"]) }
        #expect(throws: (any Error).self) { try Subject("/tmp/none/there.desktop", environment: ["PATH": "/usr/bin"]) }
    }

    @Test("X-08, X-03: each example app has an icon of its own and describes itself")
    func examples() throws {
        let share = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Examples/share"
        ).path
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(share)/applications")
        #expect(names.count >= 7)
        for name in names {
            let id = String(name.dropLast(".desktop".count))
            let text = try String(contentsOfFile: "\(share)/applications/\(name)", encoding: .utf8)
            #expect(text.contains("\nIcon=\(id)\n"), "\(name)")
            #expect(FileManager.default.fileExists(atPath: "\(share)/icons/hicolor/scalable/apps/\(id).svg"), "\(name)")
            #expect(Check.metadata(of: id, folders: [share]) == "\(share)/metainfo/\(id).metainfo.xml")
        }
    }

    @Test("X-08: what a player was given to play is told from options and scripts")
    func given() throws {
        let environment = ["PATH": "/usr/bin:/bin"]
        #expect(try Subject("cat /etc/hostname", environment: environment).isGivenFile)
        #expect(try Subject("cat https://example.org/a.ogg", environment: environment).isGivenFile)
        // The shell runs elsewhere: a relative path is one of the folder in which the audit was started.
        let here = FileManager.default.currentDirectoryPath,
            entry = try #require(try FileManager.default.contentsOfDirectory(atPath: here).first)
        #expect(try Subject("cat ./\(entry)", environment: environment).start() == ["env", "-C", here, "cat", "./\(entry)"])
        #expect(try Subject("cat -n", environment: environment).start(with: ["A": "1"]) == ["env", "A=1", "cat", "-n"])
        #expect(try Subject("cat /etc/hostname", environment: environment).start() == ["cat", "/etc/hostname"])
        #expect(try !Subject("cat --quiet", environment: environment).isGivenFile)
        #expect(try !Subject("sh /etc/hostname --quiet", environment: environment).isGivenFile)
        #expect(try Subject("sh /etc/hostname /etc/passwd", environment: environment).isGivenFile)
    }

    @Test(
        "X-08: the time at which a clock starts",
        arguments: ["2025-01-01", "2025-13-01T00:00:00", "2025-01-01T24:00:00", "2025-01-01T1:00:00", "T", ""])
    func noClock(text: String) {
        #expect(throws: FixedClock.Failure.self) { try FixedClock(text) }
        #expect(!FixedClock.isDateAndTime(text))
    }

    @Test(
        "X-08: lines of libwayland's debug output",
        arguments: [
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

extension String {
    /// As at the start of a sentence.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
