import Journal

/// SARIF 2.1.0, which code hosts show beside changes. Fingerprints contain no pixels, times or titles, so that a finding
/// stays the same alert.
public enum SARIFReport {
    public static func text(_ report: AuditReport) -> String {
        let rules = report.checks.map { check in
            JSON.object([
                "id": .string(check.id), "name": .string(check.title.en),
                "shortDescription": .object(["text": .string("\(check.rules.joined(separator: ", ")): \(check.title.en)")]),
                "fullDescription": .object(["text": .string("\(check.does.en) \(check.counts.en)")]),
                "help": .object(["text": .string(check.mend.en)]),
                "properties": .object(["tags": .array(check.rules.map(JSON.string)), "weight": JSON(Double(check.weight))]),
            ])
        }
        let results = report.apps.flatMap { app in app.findings.map { result($0, app) } }
        let notes = report.apps.compactMap { app in
            app.trouble.map {
                JSON.object(["level": .string("error"), "message": .object(["text": .string("\(app.app): \($0.english)")])])
            }
        }
        let run = JSON.object([
            "tool": .object([
                "driver": .object([
                    "name": .string("mullion audit"), "version": .string(report.version), "rules": .array(rules),
                ])
            ]),
            "invocations": .array([
                .object([
                    "executionSuccessful": .bool(notes.isEmpty), "toolExecutionNotifications": .array(notes),
                ])
            ]),
            "results": .array(results),
        ])
        let log = JSON.object([
            "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"), "version": .string("2.1.0"), "runs": .array([run]),
        ])
        return log.text(pretty: true) + "\n"
    }

    private static func result(_ finding: JudgedFinding, _ app: AppReport) -> JSON {
        let (kind, level) =
            switch finding.verdict {
            case .kept: ("pass", "none")
            case .broken: ("fail", "error")
            case .warning: ("fail", "warning")
            case .notApplicable: ("notApplicable", "none")
            case .couldNotTell: ("open", "none")
            }
        var result: [String: JSON] = [
            "ruleId": .string(finding.check), "kind": .string(kind), "level": .string(level),
            "message": .object([
                "text": .string("\(app.name): \(finding.why.english)" + finding.evidence.map { "\n\($0.english)" }.joined())
            ]),
            "partialFingerprints": .object(["mullionAudit/v1": .string(finding.fingerprint)]),
            "locations": .array([
                .object([
                    "logicalLocations": .array([
                        .object([
                            "name": .string(app.app), "fullyQualifiedName": .string("\(app.app)/\(finding.check)/\(finding.part)"),
                            "kind": .string("module"),
                        ])
                    ])
                ])
            ]),
        ]
        if let known = finding.known {
            result["suppressions"] = .array([
                .object([
                    "kind": .string("external"), "justification": .string("\(known.reason) (\(known.date))"),
                ])
            ])
        }
        return .object(result)
    }
}
