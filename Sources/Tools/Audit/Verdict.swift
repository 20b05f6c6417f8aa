/// The result of a check.
public enum Verdict: String, Codable, CaseIterable, Sendable {
    case kept, broken, warning
    /// The app has nothing of the kind that the check is about.
    case notApplicable
    /// There is no evidence for either. It never fails a build.
    case couldNotTell

    /// The rank of a verdict: of several findings, the gravest one counts.
    var gravity: Int {
        switch self {
        case .notApplicable: 0
        case .kept: 1
        case .couldNotTell: 2
        case .warning: 3
        case .broken: 4
        }
    }

    public static func gravest(_ verdicts: [Verdict]) -> Verdict { verdicts.max { $0.gravity < $1.gravity } ?? .notApplicable }

    public var words: Words {
        switch self {
        case .kept: Words("kept", ko: "지킴", ja: "守っている")
        case .broken: Words("broken", ko: "어김", ja: "破っている")
        case .warning: Words("warning", ko: "주의", ja: "注意")
        case .notApplicable: Words("not applicable", ko: "해당 없음", ja: "該当なし")
        case .couldNotTell: Words("could not tell", ko: "판단 불가", ja: "判断できない")
        }
    }
}

/// One thing that a check found about an app, with its evidence.
public struct Finding: Hashable, Sendable {
    /// The id of the check.
    public var check: String
    /// The part of the check that it is about. Never contains a size, a time or a title, because the fingerprint consists of it.
    public var part: String
    public var verdict: Verdict
    public var why: Phrase
    /// The observations of the shell, one fact a line.
    public var evidence: [Phrase]
    /// Files of the report's folder.
    public var pictures: [String]

    public init(
        _ verdict: Verdict, part: String = "app", _ why: Phrase, evidence: [Phrase] = [], pictures: [String] = [], check: String = ""
    ) {
        self.check = check
        self.part = part
        self.verdict = verdict
        self.why = why
        self.evidence = evidence
        self.pictures = pictures
    }
}
