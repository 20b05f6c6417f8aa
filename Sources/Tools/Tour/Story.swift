import Geometry

/// The rules that the tour demonstrates, with their wording.
enum Rule: String, CaseIterable {
    case everyApp = "S-01"
    case switcher = "S-02"
    case frozen = "S-03"
    case state = "S-04"
    case reasons = "S-06"
    case handedOver = "S-13"
    case oneApp = "S-11"
    case leaves = "M-01"
    case sheet = "M-02"
    case sheetSwipe = "M-03"
    case alerts = "M-05"
    case slides = "M-14"
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
    case comesBack = "W-20"
    case noLayoutRequests = "W-23"
    case words = "W-24"
    case desk = "W-25"
    case television = "W-26"
    case sharedSpace = "V-01"
    case oneActive = "V-02"
    case putAway = "V-03"
    case videoGoesOn = "V-04"
    case soundWithoutWindow = "V-05"
    case lowered = "V-07"
    case quiet = "A-23"
    case wrist = "A-24"
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
        case .frozen: "An app out of sight is frozen, and goes on when it is shown"
        case .state: "An app has its state back, whatever ended it"
        case .reasons: "What runs out of sight has a reason that people can read and end"
        case .handedOver: "An app is asked for its state when it goes out of sight"
        case .oneApp: "A watch shows one app at a time, and switches quickly between favourites and recent apps"
        case .television: "A television shows one app, and one picture over it"
        case .sharedSpace: "Several apps stand in a Shared Space, and one may have a Full Space"
        case .oneActive: "One window is active; the others recede and grow translucent"
        case .putAway: "Closing a window puts it away, and its app runs on"
        case .videoGoesOn: "Video goes on in a window without the focus"
        case .soundWithoutWindow: "Closing the window of what plays pauses it, and the control centre plays it on"
        case .lowered: "What a person looks away from is lowered, unless it is what plays"
        case .quiet: "A television makes no sound but what a person started"
        case .wrist: "A lowered wrist ends clips and leaves long-form audio"
        case .leaves: "A modal view is left by an explicit action"
        case .sheet: "A dialog is a card on its window, which is dimmed"
        case .sheetSwipe: "A sheet goes by a swipe down"
        case .alerts: "The shell provides alerts, action sheets and activity views"
        case .slides: "Modal views slide up and back down, and follow a finger"
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
        case .comesBack: "Windows come back in their places"
        case .noLayoutRequests: "No app can ask for a layout"
        case .desk: "Windows of several apps are stacked with shadows, and a person moves, resizes and puts them away"
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

/// A part of the tour: a story of consecutive steps.
struct Chapter {
    /// A short id, for `--only` and for links.
    var id: String
    var title: String
    /// One or two sentences for the reader.
    var about: String
    /// The device family that it is about.
    var idiom = "pad"
    /// Configuration lines for a separate shell, for settings that apply only at the start. Without any, the chapter
    /// uses the tour's main shell.
    var settings: [String] = []
    /// Whether that shell keeps windows, is started again when it is killed, and has sound.
    var isLasting = false
    /// The size of that shell's screen, in points.
    var size = TourShell.size
    /// Whether that shell has a sound server of its own.
    var hasSound = false
    /// Whether a person cannot leave the app of that shell, so that it is ended from outside.
    var isKiosk = false
    /// Idioms of data files, by name, for that shell.
    var idiomFiles: [String: String] = [:]
    var steps: [Step]
}

/// One action of the user, and its expected result.
struct Step {
    var title: String
    var rules: [Rule]
    /// Whether a client may owe an answer when the step ends.
    var allowsLate = false
    /// Acts and checks. Throws if it cannot continue; `Missing` if an app is not installed.
    var play: (Guide) throws -> Void

    init(_ title: String, _ rules: [Rule], allowsLate: Bool = false, play: @escaping (Guide) throws -> Void) {
        self.title = title
        self.rules = rules
        self.allowsLate = allowsLate
        self.play = play
    }
}

/// A step is impossible because this machine lacks something.
struct Missing: Error {
    var what: String
    /// The Debian package that contains it, or `App.examples`.
    var package: String

    /// The command that brings it.
    var remedy: String { package == App.examples ? package : "apt-get install \(package)" }
}

/// A step cannot continue.
struct Trouble: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// A check and its result.
struct Check {
    var what: String
    var passed: Bool
    var found: String
}

/// A picture of the screen, and the finger movement before it.
struct Shot {
    /// Relative to the page.
    var file: String
    var caption: String
    /// In points.
    var size: Size
    var trails: [Trail]
}

/// The path of a finger or pointer, to be drawn over a picture. In points of the screen.
struct Trail {
    enum Kind { case finger, pointer }

    var kind: Kind
    var points: [Point]
    /// Whether the finger is still down in the picture.
    var isDown = false
}

struct StepReport {
    enum Outcome: Equatable {
        case passed, failed
        /// The reason, for the reader.
        case skipped(String)
    }

    var title: String
    var rules: [Rule]
    var checks: [Check] = []
    var shots: [Shot] = []
    /// The actions, one line each.
    var actions: [String] = []
    /// The reason why it could not continue.
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

/// The results of all steps that demonstrate a rule.
struct RuleReport {
    var rule: Rule
    var passed = 0
    var failed = 0
    var skipped = 0

    /// Whether the rule was demonstrated. False if all its steps were skipped or there are none.
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
