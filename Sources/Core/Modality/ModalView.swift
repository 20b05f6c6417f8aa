import Geometry
import Windows

/// One modal view that the shell shows, by the number that its program knows.
public struct ModalID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt32

    public init(_ raw: UInt32) { self.raw = raw }

    public static func < (a: ModalID, b: ModalID) -> Bool { a.raw < b.raw }

    public var description: String { "view \(raw)" }
}

/// A view that the shell shows for a program (M-05): an alert, an action sheet, or an activity view.
public struct ModalView: Hashable, Codable, Sendable {
    public struct Choice: Hashable, Codable, Sendable {
        public enum Role: String, Hashable, Codable, Sendable, CaseIterable {
            case normal
            /// The choice that the program proposes: Return chooses it.
            case preferred
            /// Loses something.
            case destructive
            /// Leaves everything as it is: Escape and a dismissal choose it.
            case cancel
        }

        public var label: String
        public var role: Role
        /// The app whose next window a person asks for by this choice (W-19).
        public var opens: String?
        /// The window that it is about, whose picture stands beside its label.
        public var window: WindowID?

        public init(_ label: String, _ role: Role = .normal, opens: String? = nil, window: WindowID? = nil) {
            self.window = window
            self.label = label
            self.role = role
            self.opens = opens
        }
    }

    public let id: ModalID
    public var kind: ModalKind
    /// Over which window; nil: over the whole screen.
    public var window: WindowID?
    /// The key of the owner, for the limits (P-06).
    public var program: String
    /// The asker's name for the person: an app's id or a program's name. "" for a sandbox without a vouched name; nil for a view of the
    /// shell.
    public var asker: String?
    public var title: String
    public var message: String
    /// In the order of the program. A view without any gets "OK".
    public var choices: [Choice]
    /// The content that an activity view shares. Its choices are the targets.
    public var sharing: Sharing?
    /// The shell's own question about the unsaved work of this window (M-10); nil: a program's view.
    public var unsavedWork: WindowID?
    /// Whether its preferred choice lets a program do something.
    public var isPermission = false
    /// The part of the screen that a person marks; the preferred choice answers with it.
    public var mark: ModalMark?
    /// The first choices are switches, and a person sees whether each is on. The preferred choice answers with those that are.
    public var switches: [Bool] = []
    /// The file of a picture that the question is about.
    public var picture: String?

    public init(
        _ id: ModalID, _ kind: ModalKind, over window: WindowID?, of program: String, title: String, message: String = "",
        choices: [Choice] = [], sharing: Sharing? = nil, asker: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.window = window
        self.program = program
        self.title = title
        self.message = message
        self.choices = choices
        self.sharing = sharing
        self.asker = asker
    }

    /// A view without choices has one, which acknowledges it.
    public var choiceCount: Int { sharing.map { $0.targets.count } ?? max(1, choices.count) }

    /// The effect of Escape, a swipe or a touch outside. An alert with several choices and none that cancels has to be answered.
    public var dismissal: Dismissal {
        if let cancel = choices.firstIndex(where: { $0.role == .cancel }) { return .chooses(cancel) }
        return kind == .alert && choices.count > 1 ? .refused : .choosesNothing
    }

    public enum Dismissal: Hashable, Sendable {
        case chooses(Int), choosesNothing, refused
    }

    /// The choice of Return; nil: none.
    public var preferred: Int? {
        if sharing != nil { return nil }
        if choices.isEmpty { return 0 }
        return choices.firstIndex { $0.role == .preferred } ?? (choices.count == 1 ? 0 : nil)
    }

    /// Why it cannot be shown; nil: it can.
    var flaw: String? {
        func tooLong(_ what: String, _ text: String, _ most: Int) -> String? {
            text.utf8.count > most ? "\(what) has \(text.utf8.count) bytes, and may have \(most)" : nil
        }
        // The shell itself shares texts without a word in them.
        if title.isEmpty || (sharing == nil && title.isBlank) { return "M-12: a modal view needs a title" }
        if choices.count > ModalRules.choices { return "there are \(choices.count) choices, and may be \(ModalRules.choices)" }
        if let empty = choices.firstIndex(where: { $0.label.isBlank }) { return "choice \(empty) has no label" }
        if switches.count > choices.count { return "there are more switches than choices" }
        if choices.count(where: { $0.role == .cancel }) > 1 { return "two choices cancel" }
        if choices.count(where: { $0.role == .preferred }) > 1 { return "two choices are preferred" }
        return tooLong("the title", title, ModalRules.label) ?? tooLong("the message", message, ModalRules.message)
            ?? choices.lazy.compactMap { tooLong("a choice", $0.label, ModalRules.label) }.first
    }
}

/// How a view ended.
public enum ModalAnswer: Hashable, Codable, Sendable {
    /// This choice, counted from 0.
    case chose(Int)
    /// The part of the screen that a person marked.
    case marked(Rect)
    /// The switches that are on, counted from 0.
    case picked([Int])
    /// A person dismissed it without a choice.
    case dismissed
    /// Its window or its program is gone, or something took its place.
    case closed
    case refused(String)
}

extension String {
    /// Whether a person would see nothing of it.
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
