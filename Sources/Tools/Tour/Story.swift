import Geometry

/// What the tour has to show, each with the words of its promise.
enum Rule: String, CaseIterable {
    case everyApp = "S-01"
    case switcher = "S-02"
    case slideOver = "W-01"
    case slideOverMoves = "W-02"
    case slideOverStack = "W-03"
    case splitView = "W-04"
    case slideOverSplit = "W-05"
    case picture = "W-06"
    case controls = "W-07"
    case shelf = "W-08"
    case expose = "W-09"
    case unaware = "W-10"
    case fits = "W-11"
    case auxiliary = "W-13"
    case moves = "W-17"
    case asked = "W-19"
    case noLayoutRequests = "W-23"
    case words = "W-24"
    case realApps = "X-01"
    case everyInput = "X-02"
    case home = "X-03"
    case languages = "X-04"
    case accessible = "X-05"
    case scripting = "X-06"
    case replay = "X-07"

    var words: String {
        switch self {
        case .everyApp: "Multitasking works with every app"
        case .switcher: "The app switcher shows every open window as a live picture, and switches and closes"
        case .slideOver: "Slide Over floats a window over another"
        case .slideOverMoves: "Slide Over changes sides, hides and comes back"
        case .slideOverStack: "Slide Over holds a stack to flip through"
        case .splitView: "Split View with a divider that resizes"
        case .slideOverSplit: "Slide Over over a Split View"
        case .picture: "Picture in Picture moves and resizes"
        case .controls: "A control on each window switches the configuration"
        case .shelf: "The app shelf shows all windows of one app, and opens another"
        case .expose: "App Expos\u{e9} shows all windows of one app, with an Add control"
        case .unaware: "Apps learn nothing but their size and whether they are active"
        case .fits: "A window that does not fit is scaled, and never overlaps"
        case .auxiliary: "An auxiliary window has a control that closes it"
        case .moves: "A person can move any window anywhere"
        case .asked: "New windows open only when a person asked"
        case .noLayoutRequests: "No app can ask for a layout"
        case .words: "People read \u{201c}window\u{201d}"
        case .realApps: "Real apps, unmodified"
        case .everyInput: "Touch, pointer and keyboard reach everything"
        case .home: "Home screen, dock and search from the installed apps; panels at the top"
        case .languages: "English, Korean and Japanese"
        case .accessible: "Dark, larger, mirrored; every control has a name and is large enough for a finger"
        case .scripting: "Everything can be read and sent by the control socket"
        case .replay: "A recorded session replays to the same state"
        }
    }
}

/// A part of the tour: a person's story in steps that follow on one another.
struct Chapter {
    /// Short, for `--only` and for links.
    var id: String
    var title: String
    /// One or two sentences for the reader.
    var about: String
    /// Lines of the configuration with which it gets a shell of its own: what counts at the start only. Without any,
    /// it is played on the one shell of the tour.
    var settings: [String] = []
    var steps: [Step]
}

/// One thing that a person does, and what has to come of it.
struct Step {
    var title: String
    var rules: [Rule]
    /// A client is expected to be behind with an answer when the step ends.
    var allowsLate = false
    /// Acts and checks. Throws when it cannot go on; `Missing` when an app is not installed.
    var play: (Guide) throws -> Void

    init(_ title: String, _ rules: [Rule], allowsLate: Bool = false, play: @escaping (Guide) throws -> Void) {
        self.title = title
        self.rules = rules
        self.allowsLate = allowsLate
        self.play = play
    }
}

/// A step cannot be taken because this machine lacks something.
struct Missing: Error {
    var what: String
    /// The Debian package that brings it.
    var package: String
}

/// A step cannot go on.
struct Trouble: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// One thing that was looked at, and what was found.
struct Check {
    var what: String
    var passed: Bool
    var found: String
}

/// A picture of the screen, with what the finger did before it.
struct Shot {
    /// Beside the page.
    var file: String
    var caption: String
    /// In points.
    var size: Size
    var trails: [Trail]
}

/// The way of a finger or pointer, to be drawn over a picture. In points of the screen.
struct Trail {
    enum Kind { case finger, pointer }

    var kind: Kind
    var points: [Point]
    /// The finger is still down in the picture.
    var isDown = false
}

struct StepReport {
    enum Outcome: Equatable {
        case passed, failed
        /// Why, in a person's words.
        case skipped(String)
    }

    var title: String
    var rules: [Rule]
    var checks: [Check] = []
    var shots: [Shot] = []
    /// What was done, one line each.
    var actions: [String] = []
    /// Why it could not go on.
    var trouble: String?
    var skipped: String?
    var seconds = 0.0

    var outcome: Outcome {
        if let skipped { return .skipped(skipped) }
        return trouble == nil && !checks.isEmpty && checks.allSatisfy(\.passed) ? .passed : .failed
    }
}

struct ChapterReport {
    var chapter: Chapter
    var steps: [StepReport]
}

/// What came of all steps that show a rule.
struct RuleReport {
    var rule: Rule
    var passed = 0
    var failed = 0
    var skipped = 0

    /// A rule of which everything was skipped, or of which there is nothing, is not shown.
    var isShown: Bool { failed == 0 && passed > 0 }

    static func all(of chapters: [ChapterReport]) -> [RuleReport] {
        Rule.allCases.map { rule in
            var report = RuleReport(rule: rule)
            for step in chapters.flatMap(\.steps) where step.rules.contains(rule) {
                switch step.outcome {
                case .passed: report.passed += 1
                case .failed: report.failed += 1
                case .skipped: report.skipped += 1
                }
            }
            return report
        }
    }
}
