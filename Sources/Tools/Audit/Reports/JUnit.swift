/// JUnit's XML, which CI systems show as tests: an app is a suite, a check is a test.
public enum JUnitReport {
    public static func text(_ report: AuditReport) -> String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"mullion audit\">"]
        for app in report.apps {
            let cases = report.checks.compactMap { check in app.verdict(of: check.id).map { (check, $0) } }
            let failed = cases.filter { isFailure(app, $0.0.id) }.count
            let skipped = cases.filter { $0.1 == .notApplicable || $0.1 == .couldNotTell }.count
            lines.append(
                "  <testsuite name=\"\(escaped(app.app))\" tests=\"\(cases.count + (app.trouble == nil ? 0 : 1))\" failures=\"\(failed)\" "
                    + "errors=\"\(app.trouble == nil ? 0 : 1)\" skipped=\"\(skipped)\" time=\"\(app.seconds)\">")
            if let trouble = app.trouble {
                lines.append(
                    "    <testcase classname=\"\(escaped(app.app))\" name=\"audit\"><error message=\"\(escaped(trouble.english))\"/></testcase>"
                )
            }
            for (check, verdict) in cases {
                let findings = app.findings.filter { $0.check == check.id }
                lines.append(
                    "    <testcase classname=\"\(escaped(app.app))\" name=\"\(escaped(check.id)) (\(escaped(check.rules.joined(separator: ", "))))\">"
                )
                for finding in findings {
                    let body = escaped(finding.evidence.map(\.english).joined(separator: "\n"))
                    switch finding.verdict {
                    case .broken where finding.known == nil:
                        lines.append(
                            "      <failure type=\"\(escaped(finding.part))\" message=\"\(escaped(finding.why.english))\">\(body)\n\(escaped(check.mend.en))</failure>"
                        )
                    case .broken, .warning:
                        lines.append("      <system-out>\(finding.verdict.rawValue): \(escaped(finding.why.english))\n\(body)</system-out>")
                    default: break
                    }
                }
                if verdict == .notApplicable || verdict == .couldNotTell {
                    lines.append(
                        "      <skipped message=\"\(escaped(findings.map { "\($0.verdict.words.en): \($0.why.english)" }.joined(separator: "; ")))\"/>"
                    )
                }
                lines.append("    </testcase>")
            }
            lines.append("  </testsuite>")
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private static func isFailure(_ app: AppReport, _ check: String) -> Bool {
        app.findings.contains { $0.check == check && $0.verdict == .broken && $0.known == nil }
    }

    /// For XML and HTML. Characters that XML forbids become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            case "\n", "\t": escaped.append(scalar)
            case _ where scalar.value < 32 || scalar.value == 0xfffe || scalar.value == 0xffff: escaped.append("\u{fffd}")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
