import Control
import Geometry

/// The tour as one page of plain HTML and CSS beside its pictures.
struct Page {
    var chapters: [ChapterReport]
    var rules: [RuleReport]
    var version: VersionReport
    var seconds: Double
    var passed: Bool
    /// Every chapter was taken.
    var isWhole: Bool

    private var steps: [StepReport] { chapters.flatMap(\.steps) }

    private func count(_ matching: (StepReport.Outcome) -> Bool) -> Int { steps.filter { matching($0.outcome) }.count }

    private var passedCount: Int { count { $0 == .passed } }
    private var failedCount: Int { count { $0 == .failed } }
    private var skippedCount: Int { steps.count - passedCount - failedCount }
    private var checkCount: Int { steps.reduce(0) { $0 + $1.checks.count } }

    var summary: String {
        var parts = ["\(passedCount) of \(steps.count) steps passed"]
        if failedCount > 0 { parts.append("\(failedCount) failed") }
        if skippedCount > 0 { parts.append("\(skippedCount) skipped") }
        return parts.joined(separator: ", ") + "; \(checkCount) checks in \(Int(clamping: seconds)) s"
    }

    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Mullion: the tour</title>
        <style>
        \(Page.style)
        </style>
        </head>
        <body>
        <header>
        <h1>Mullion: the tour</h1>
        <p class="verdict \(passed ? "pass" : "fail")">\(passed ? "Everything passed" : "Not everything passed")</p>
        <p>\(escaped(summary)). Real apps on Mullion \(escaped(version.mullion)), wlroots \(escaped(version.wlroots)),
        drawn by \(escaped(version.renderer)), led by synthetic touch. Every line below was checked on the state that the
        shell reports and on the picture itself.</p>
        </header>
        <nav>
        \(chapters.map(link).joined(separator: "\n"))
        </nav>
        \(isWhole ? ruleTable : "")
        <main>
        \(chapters.map(section).joined(separator: "\n"))
        </main>
        <footer><p><a href="session.jsonl">session.jsonl</a> is the recording, <a href="shell.log">shell.log</a> the
        shell\u{2019}s log.</p></footer>
        </body>
        </html>

        """
    }

    private func link(_ report: ChapterReport) -> String {
        let failed = report.steps.filter { $0.outcome == .failed }.count
        let passed = report.steps.filter { $0.outcome == .passed }.count
        let kind = failed > 0 ? "fail" : (passed > 0 ? "pass" : "skip")
        return """
            <a class="\(kind)" href="#\(report.chapter.id)">\(escaped(report.chapter.title)) \
            <b>\(passed)/\(report.steps.count)</b></a>
            """
    }

    private var ruleTable: String {
        let rows = rules.map { report in
            let kind = report.failed > 0 ? "fail" : (report.passed > 0 ? "pass" : "skip")
            var words = ["\(report.passed) passed"]
            if report.failed > 0 { words.append("\(report.failed) failed") }
            if report.skipped > 0 { words.append("\(report.skipped) skipped") }
            return """
                <li class="\(kind)"><b>\(report.rule.rawValue)</b> <span>\(escaped(report.rule.words))</span> \
                <i>\(words.joined(separator: ", "))</i></li>
                """
        }
        return "<ul class=\"rules\">\n\(rows.joined(separator: "\n"))\n</ul>"
    }

    private func section(_ report: ChapterReport) -> String {
        """
        <section id="\(report.chapter.id)">
        <h2>\(escaped(report.chapter.title))</h2>
        <p>\(escaped(report.chapter.about))</p>
        <div class="steps">
        \(report.steps.map(card).joined(separator: "\n"))
        </div>
        </section>
        """
    }

    private func card(_ step: StepReport) -> String {
        let kind: String, word: String
        switch step.outcome {
        case .passed: (kind, word) = ("pass", "passed")
        case .failed: (kind, word) = ("fail", "failed")
        case .skipped: (kind, word) = ("skip", "skipped")
        }
        var parts = [
            "<article class=\"\(kind)\(step.shots.count > 1 ? " wide" : "")\">",
            "<h3><span class=\"badge\">\(word)</span> \(escaped(step.title))</h3>",
            "<p class=\"chips\">\(step.rules.map { "<span title=\"\(escaped($0.words))\">\($0.rawValue)</span>" }.joined(separator: " "))</p>",
        ]
        if let skipped = step.skipped { parts.append("<p class=\"trouble\">\(escaped(skipped))</p>") }
        if let trouble = step.trouble { parts.append("<p class=\"trouble\">\(escaped(trouble))</p>") }
        if !step.shots.isEmpty {
            parts.append("<div class=\"shots n\(min(3, step.shots.count))\">\(step.shots.map(figure).joined())</div>")
        }
        if !step.actions.isEmpty {
            parts.append("<ol class=\"actions\">\(step.actions.map { "<li>\(escaped($0))</li>" }.joined())</ol>")
        }
        if !step.checks.isEmpty {
            let failed = step.checks.filter { !$0.passed }
            let title = failed.isEmpty ? "\(step.checks.count) checks" : "\(failed.count) of \(step.checks.count) checks failed"
            let rows = (failed + step.checks.filter(\.passed)).map { check in
                "<li class=\"\(check.passed ? "pass" : "fail")\">\(escaped(check.what)) <i>\(escaped(check.found))</i></li>"
            }
            parts.append(
                "<details\(failed.isEmpty ? "" : " open")><summary>\(title)</summary><ul class=\"checks\">\(rows.joined())</ul></details>")
        }
        parts.append("</article>")
        return parts.joined(separator: "\n")
    }

    private func figure(_ shot: Shot) -> String {
        let w = short(shot.size.width), h = short(shot.size.height)
        let trails = shot.trails.map(svg).joined()
        let overlay =
            trails.isEmpty
            ? "" : "<svg viewBox=\"0 0 \(w) \(h)\" aria-hidden=\"true\">\(trails)</svg>"
        return """
            <figure\(shot.size.isLandscape ? "" : " class=\"upright\"")><div><a href="\(shot.file)"><img src="\(shot.file)" \
            width="\(w)" height="\(h)" alt="\(escaped(shot.caption))"></a>\(overlay)</div>\
            <figcaption>\(escaped(shot.caption))</figcaption></figure>
            """
    }

    /// The path of a finger: a ring where it began, an arrow to where it let go, a disc where it still is.
    private func svg(_ trail: Trail) -> String {
        guard let first = trail.points.first, let last = trail.points.last else { return "" }
        let kind = trail.kind == .pointer ? "pointer" : "finger"
        func circle(_ p: Point, _ r: Double, _ name: String) -> String {
            "<circle class=\"\(name)\" cx=\"\(short(p.x))\" cy=\"\(short(p.y))\" r=\"\(short(r))\"/>"
        }
        var text = "<g class=\"\(kind)\">"
        if first.distance(to: last) > 3 || trail.points.count > 2 {
            let path = trail.points.map { "\(short($0.x)),\(short($0.y))" }.joined(separator: " ")
            text += "<polyline class=\"halo\" points=\"\(path)\"/><polyline points=\"\(path)\"/>"
            text += circle(first, 12, "start")
            if !trail.isDown, let arrow = arrow(trail.points) { text += arrow }
        } else {
            text += circle(first, 20, "start") + circle(first, 9, "end")
        }
        if trail.isDown { text += circle(last, 24, "end") }
        return text + "</g>"
    }

    private func arrow(_ points: [Point]) -> String? {
        let end = points[points.count - 1]
        guard let before = points.last(where: { $0.distance(to: end) > 3 }) else { return nil }
        let way = end - before
        let along = way * (1 / way.length), across = Vector(-along.dy, along.dx)
        let corners = [end + along * 8, end + along * -20 + across * 13, end + along * -20 + across * -13]
        return "<polygon points=\"\(corners.map { "\(short($0.x)),\(short($0.y))" }.joined(separator: " "))\"/>"
    }

    private func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
