import Geometry

/// The hints of an app about a window beyond xdg-shell (mullion-windows-v1). Nothing in them names a place (W-23).
public struct WindowHints: Hashable, Codable, Sendable {
    /// How a new window is presented.
    public enum Style: String, Hashable, Codable, Sendable, CaseIterable {
        /// The shell chooses by the occasion (W-16).
        case automatic
        /// Beside the window that it comes from (W-15).
        case standard
        /// Raised over the window that it comes from, which is dimmed and gets no input (W-14).
        case prominent
    }

    /// Why a window opens.
    public enum Occasion: String, Hashable, Codable, Sendable, CaseIterable {
        case unknown
        /// A self-contained task on one file or item.
        case item
        /// Another version of a window that the app shows already.
        case version
        /// A person pinched an item open (W-21).
        case gesture

        /// The automatic choice (W-16):
        ///
        /// | occasion | style |
        /// | --- | --- |
        /// | unknown, version | standard |
        /// | item, gesture | prominent |
        public var style: Style {
            switch self {
            case .unknown, .version: .standard
            case .item, .gesture: .prominent
            }
        }
    }

    public enum Role: String, Hashable, Codable, Sendable, CaseIterable {
        /// Carries the whole app (W-12).
        case primary
        /// Carries one task or area (W-13).
        case auxiliary
    }

    /// Work that closing would lose, and the words of the question (M-10).
    public struct Unsaved: Hashable, Codable, Sendable {
        public var title: String
        public var message: String
        public var discard: String
        /// nil: the question lacks this choice.
        public var save: String?
        public var cancel: String

        public init(title: String, message: String = "", discard: String, save: String? = nil, cancel: String) {
            self.title = title
            self.message = message
            self.discard = discard
            self.save = save
            self.cancel = cancel
        }
    }

    /// How a person answered the question.
    public enum UnsavedChoice: String, Hashable, Codable, Sendable, CaseIterable {
        case discard, save, cancel
    }

    /// nil: the app did not say, and the window opens like any other.
    public var style: Style?
    public var occasion = Occasion.unknown
    public var role = Role.primary
    /// Its content is scrolled to its top, so that a swipe down anywhere pulls a sheet away (M-03).
    public var isAtTop = false
    public var unsaved: Unsaved?
    /// How it stands on its parent; nil: the app did not say.
    public var presentation: Presentation?
    /// The rectangle that a popover points at, relative to the upper left corner of its parent's window geometry.
    public var anchor: Rect?

    public init() {}

    /// Standard or prominent; nil: the app did not say.
    public var resolvedStyle: Style? { style == .automatic ? occasion.style : style }
}
