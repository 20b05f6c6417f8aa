import FoundationEssentials

/// One HTML file without anything from outside: light and dark as the reader's system is, in three languages.
public enum HTMLReport {
    /// - Parameter pictures: the folder with the pictures of findings, which become parts of the file; nil leaves them out.
    public static func text(_ report: AuditReport, language: Language = .english, pictures: String? = nil) -> String {
        let radios = Language.allCases.map { each in
            "<label><input type=\"radio\" name=\"lang\" id=\"l-\(each.rawValue)\"\(each == language ? " checked" : "")>\(name(each))</label>"
        }.joined()
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Mullion audit</title><style>\(style)</style></head><body>
            <form class="langs">\(radios)</form>
            <h1>\(words(Words("Audit", ko: "감사", ja: "監査")))</h1>
            <p class="facts">Mullion \(escaped(report.version)) · \(escaped(report.idiom)) · \(words(Words("seed", ko: "시드", ja: "シード"))) \(report.seed)\(report.quick ? " · \(words(Words("quick", ko: "빠른 감사", ja: "クイック監査")))" : "")</p>
            \(overview(report))
            \(report.apps.map { section($0, report, pictures) }.joined(separator: "\n"))
            \(stale(report))
            </body></html>

            """
    }

    private static func name(_ language: Language) -> String {
        switch language {
        case .english: "English"
        case .korean: "한국어"
        case .japanese: "日本語"
        }
    }

    private static func escaped(_ text: String) -> String { JUnitReport.escaped(text) }

    private static func words(_ words: Words) -> String {
        Language.allCases.map { "<span class=\"\($0.rawValue)\" lang=\"\($0.rawValue)\">\(escaped(words[$0]))</span>" }.joined()
    }

    /// A reason or a fact in every language; once, if it is the same in all.
    private static func phrase(_ phrase: Phrase) -> String {
        let inAll = phrase.words
        return inAll.ko == inAll.en && inAll.ja == inAll.en ? escaped(inAll.en) : words(inAll)
    }

    private static func badge(_ verdict: Verdict) -> String {
        "<span class=\"badge \(verdict.rawValue)\">\(TerminalReport.mark(verdict) == "x" ? "×" : TerminalReport.mark(verdict)) \(words(verdict.words))</span>"
    }

    private static func overview(_ report: AuditReport) -> String {
        let heads = Verdict.allCases.map { "<th>\(words($0.words))</th>" }.joined()
        let rows = report.apps.map { app in
            let link = "<th class=\"app\"><a href=\"#\(anchor(app))\">\(escaped(app.name))</a></th>"
            if let trouble = app.trouble { return "<tr>\(link)<td colspan=\"7\">\(phrase(trouble))</td></tr>" }
            let counts = Verdict.allCases.map { "<td>\(app.count($0))</td>" }.joined()
            return "<tr>\(link)<td>\(app.score(report.checks).map { "\($0)" } ?? "–")</td>\(counts)<td>\(app.seconds.words)</td></tr>"
        }.joined(separator: "\n")
        return """
            <div class="wide"><table><tr><th>\(words(Words("App", ko: "앱", ja: "アプリ")))</th>\
            <th>\(words(Words("Score", ko: "점수", ja: "スコア")))</th>\(heads)<th>\(words(Words("Seconds", ko: "초", ja: "秒")))</th></tr>
            \(rows)</table></div>
            """
    }

    private static func anchor(_ app: AppReport) -> String { "app-\(Visit.fileName(app.app))" }

    private static func section(_ app: AppReport, _ report: AuditReport, _ pictures: String?) -> String {
        let checks = report.checks.compactMap { check in app.verdict(of: check.id).map { (check, $0) } }
        // The gravest first; the order of checks otherwise.
        let sorted = checks.enumerated().sorted {
            ($1.element.1.gravity, $1.element.0.weight, $0.offset) < ($0.element.1.gravity, $0.element.0.weight, $1.offset)
        }.map(\.element)
        let parts = sorted.map { check, verdict in
            let findings = app.findings.filter { $0.check == check.id }.map { item($0, pictures) }.joined(separator: "\n")
            return """
                <details\(verdict == .broken || verdict == .warning ? " open" : "")><summary>\(badge(verdict)) \(words(check.title)) \
                <code>\(escaped(check.id))</code> <span class="rules">\(escaped(check.rules.joined(separator: " ")))</span></summary>
                <div class="body">\(findings)
                \(verdict == .broken || verdict == .warning ? "<p class=\"mend\"><b>\(words(Words("What to change", ko: "바꿀 점", ja: "変更する点")))</b> \(words(check.mend))</p>" : "")
                <p class="how">\(words(check.does)) \(words(check.counts))</p></div></details>
                """
        }.joined(separator: "\n")
        return """
            <section id="\(anchor(app))"><h2>\(escaped(app.name)) <code>\(escaped(app.app))</code></h2>
            \(app.trouble.map { "<p class=\"trouble\">\(phrase($0))</p>" } ?? "")\(parts)</section>
            """
    }

    private static func item(_ finding: JudgedFinding, _ pictures: String?) -> String {
        let images = finding.pictures.compactMap { name -> String? in
            guard let pictures, let data = FileManager.default.contents(atPath: "\(pictures)/\(name)") else { return nil }
            return "<img alt=\"\(escaped(finding.why.english))\" src=\"data:image/png;base64,\(data.base64EncodedString())\">"
        }.joined()
        let known =
            finding.known.map {
                "<p class=\"known\">\(words(Words("Known", ko: "알려짐", ja: "既知"))): \(escaped($0.reason)) (\(escaped($0.date)))</p>"
            } ?? ""
        return """
            <div class="finding"><p>\(badge(finding.verdict)) \(phrase(finding.why))</p>\(known)\
            \(finding.evidence.isEmpty ? "" : "<ul>\(finding.evidence.map { "<li>\(phrase($0))</li>" }.joined())</ul>")\
            \(images.isEmpty ? "" : "<div class=\"pictures\">\(images)</div>")<p class="print">\(escaped(finding.fingerprint))</p></div>
            """
    }

    private static func stale(_ report: AuditReport) -> String {
        guard !report.stale.isEmpty else { return "" }
        let items = report.stale.map { "<li><code>\(escaped($0.finding))</code> \(escaped($0.reason)) (\(escaped($0.date)))</li>" }.joined()
        return
            "<section><h2>\(words(Words("Known findings that were not found", ko: "발견되지 않은 알려진 항목", ja: "見つからなかった既知の項目")))</h2><ul>\(items)</ul></section>"
    }

    private static let style = """
        :root{color-scheme:light dark;--ink:#1b2430;--soft:#5a6675;--line:#d5dbe2;--ground:#f6f7f9;--card:#fff;--kept:#1d7a46;--broken:#b3261e;--warning:#8a5a00;--other:#5a6675}
        @media(prefers-color-scheme:dark){:root{--ink:#e7ecf2;--soft:#9aa7b6;--line:#313b48;--ground:#12171e;--card:#1a212b;--kept:#5fcf90;--broken:#ff8a80;--warning:#f0bd5b;--other:#9aa7b6}}
        *{box-sizing:border-box}body{margin:0 auto;max-width:60rem;padding:1.5rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
        h1{margin:.2rem 0}h2{margin:2rem 0 .6rem}.facts,.rules,.how,.print{color:var(--soft)}.how{font-size:.9rem}.print{font:.75rem/1.4 monospace;overflow-wrap:anywhere}
        .wide{overflow-x:auto}table{border-collapse:collapse;width:100%;background:var(--card)}th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:right}
        th:first-child{text-align:left}details{background:var(--card);border:1px solid var(--line);border-radius:.6rem;margin:.5rem 0}
        summary{padding:.6rem .9rem;cursor:pointer}.body{padding:0 .9rem .6rem}.finding{border-top:1px solid var(--line);padding-top:.4rem}.finding p{margin:.3rem 0}
        .badge{font-weight:600;white-space:nowrap;color:var(--other)}.badge.kept{color:var(--kept)}.badge.broken{color:var(--broken)}.badge.warning{color:var(--warning)}
        .mend{border-left:3px solid var(--line);padding-left:.7rem}.pictures{display:flex;flex-wrap:wrap;gap:.5rem}.pictures img{max-width:18rem;max-height:18rem;border:1px solid var(--line)}
        .trouble{color:var(--broken)}code{font-size:.85em}ul{margin:.2rem 0}.langs{text-align:right;margin:0}.langs label{margin-left:.8rem}a{color:inherit}
        .en,.ko,.ja{display:none}body:has(#l-en:checked) .en,body:has(#l-ko:checked) .ko,body:has(#l-ja:checked) .ja{display:inline}
        """
}
