/// The kind of a modal view. A person leaves each by an explicit action (M-01).
public enum ModalKind: String, Hashable, Codable, Sendable, CaseIterable {
    /// A card over a part of its window (M-02).
    case sheet
    /// Covers its whole window (M-04).
    case fullScreen = "full-screen"
    /// Points at the item that it belongs to. A touch elsewhere closes it.
    case popover
    /// A question or a message of the shell's or an app's (M-07).
    case alert
    /// Choices that follow from an act of the person, such as the ways out of unsaved work (M-10).
    case actionSheet = "action-sheet"
    /// Where a person can send something: to apps, the clipboard, a folder (M-05).
    case activity
}

/// The rules for modal views over one another (M-08, M-11): modal views over a window form one line.
public enum ModalRules {
    /// Seconds for which a person sees a question of permission before it takes a key: the person was still typing into an app or
    /// a locker.
    public static let permissionGrace = 0.6

    public enum Step: Hashable, Sendable {
        /// It stands on the view below.
        case stands
        /// The view below closes first.
        case closesBelow
        /// It comes when the view below is answered.
        case waits
        case refused
    }

    /// The outcome for a new view over the last one of a line; nil if there is none.
    ///
    /// | below | sheet | full screen | popover | alert | action sheet | activity |
    /// | --- | --- | --- | --- | --- | --- | --- |
    /// | nothing, sheet, full screen | stands | stands | stands | stands | stands | stands |
    /// | popover | closes it | closes it | closes it | stands | closes it | closes it |
    /// | alert | waits | waits | refused | waits | waits | waits |
    /// | action sheet, activity | waits | waits | refused | stands | waits | waits |
    public static func step(_ new: ModalKind, over below: ModalKind?) -> Step {
        switch (below, new) {
        case (nil, _), (.sheet, _), (.fullScreen, _): .stands
        case (.popover, .alert): .stands
        case (.popover, _): .closesBelow
        case (.actionSheet, .alert), (.activity, .alert): .stands
        // A popover belongs to something that cannot be seen or touched now.
        case (.alert, .popover), (.actionSheet, .popover), (.activity, .popover): .refused
        case (.alert, _), (.actionSheet, _), (.activity, _): .waits
        }
    }

    /// Views of one line, those that wait included.
    public static let depth = 8
    /// Views of one program over the whole screen, those that wait included: it cannot keep a person from everything else.
    public static let overScreen = 2
    /// Alerts that one program may show in `rateSpan` seconds (M-07).
    public static let alerts = 4
    public static let rateSpan = 10.0
    /// Bytes of a title or a choice, and of a message.
    public static let label = 256, message = 4096
    public static let choices = 12
    /// Files that an app opens each by a command of its own, of one activity view.
    public static let mostStarts = 8
}
