/// The whole result of `mullion audit`, written as one JSON object (docs/audit.md). Other formats are made from it.
public struct AuditReport: Hashable, Encodable, Sendable {
    /// Incremented when a field changes its meaning or goes away.
    public static let schema = 1

    public var mullionAudit = AuditReport.schema
    /// The version of Mullion.
    public var version: String
    public var idiom: String
    public var seed: UInt64
    /// Whether only quick checks ran.
    public var quick: Bool
    public var apps: [AppReport]
    /// Every check that ran, by which readers name findings.
    public var checks: [CheckReport]
    /// Entries of the baseline that no finding of these apps matches any more.
    public var stale: [Baseline.Entry]

    public init(
        version: String, idiom: String, seed: UInt64, quick: Bool, apps: [AppReport] = [], checks: [CheckReport] = [],
        stale: [Baseline.Entry] = []
    ) {
        self.version = version
        self.idiom = idiom
        self.seed = seed
        self.quick = quick
        self.apps = apps
        self.checks = checks
        self.stale = stale
    }

    /// 2 if an app could not be audited, 1 if a rule is broken that the baseline does not know, otherwise 0.
    public var exitStatus: Int32 {
        if apps.contains(where: { $0.trouble != nil }) { return 2 }
        return apps.contains { $0.findings.contains { $0.verdict == .broken && $0.known == nil } } ? 1 : 0
    }
}

public struct CheckReport: Hashable, Encodable, Sendable {
    public var id: String
    public var rules: [String]
    public var weight: Int
    public var quick: Bool
    public var title: Words
    public var does: Words
    public var counts: Words
    public var mend: Words

    public init(_ check: Check) {
        id = check.id
        rules = check.rules
        weight = check.weight
        quick = check.isQuick
        title = check.title
        does = check.does
        counts = check.counts
        mend = check.mend
    }
}

public struct AppReport: Hashable, Encodable, Sendable {
    /// The desktop id, or the program's name.
    public var app: String
    public var name: String
    public var command: [String]
    /// Seconds that its audit took.
    public var seconds: Double
    /// The reason why it could not be audited.
    public var trouble: Phrase?
    public var findings: [JudgedFinding]

    public init(app: String, name: String, command: [String], seconds: Double = 0, trouble: Phrase? = nil, findings: [JudgedFinding] = []) {
        self.app = app
        self.name = name
        self.command = command
        self.seconds = seconds
        self.trouble = trouble
        self.findings = findings
    }

    /// The gravest verdict among the findings of one check.
    public func verdict(of check: String) -> Verdict? {
        let own = findings.filter { $0.check == check }
        return own.isEmpty ? nil : .gravest(own.map(\.verdict))
    }

    public func count(_ verdict: Verdict) -> Int { Set(findings.map(\.check)).filter { self.verdict(of: $0) == verdict }.count }

    /// The share of the weights of checks that are kept, from 0 to 100; nil if none could tell.
    public func score(_ checks: [CheckReport]) -> Int? {
        var kept = 0, all = 0
        for check in checks {
            switch verdict(of: check.id) {
            case .kept?: (kept, all) = (kept + 2 * check.weight, all + 2 * check.weight)
            case .warning?: (kept, all) = (kept + check.weight, all + 2 * check.weight)
            case .broken?: all += 2 * check.weight
            case .notApplicable?, .couldNotTell?, nil: break
            }
        }
        return all == 0 ? nil : (kept * 100 + all / 2) / all
    }
}

/// A finding in a report.
public struct JudgedFinding: Hashable, Encodable, Sendable {
    public var check: String
    public var part: String
    public var verdict: Verdict
    public var why: Phrase
    public var evidence: [Phrase]
    public var pictures: [String]
    /// The same in every run: app, check and part, without pixels, times or titles.
    public var fingerprint: String
    /// The entry of the baseline that knows it.
    public var known: Baseline.Entry?

    public init(_ finding: Finding, app: String, idiom: String, baseline: Baseline) {
        check = finding.check
        part = finding.part
        verdict = finding.verdict
        why = finding.why
        evidence = finding.evidence
        pictures = finding.pictures
        fingerprint = Self.fingerprint(app: app, idiom: idiom, check: finding.check, part: finding.part)
        let fingerprint = fingerprint
        known = verdict == .broken || verdict == .warning ? baseline.entries.first { $0.finding == fingerprint } : nil
    }

    public static func fingerprint(app: String, idiom: String, check: String, part: String) -> String {
        "\(app)/\(idiom)/\(check)/\(part)"
    }
}
