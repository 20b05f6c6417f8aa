import CWindowsClient

/// The declarations of an app about one of its windows. Keep this object as long as the window: its release withdraws the declarations.
/// This object retains the toolkit's window. A window that retains this object in turn must release it when it closes.
public final class AppWindow {
    /// `.auxiliary`: the window carries one task; its controls offer only Close.
    public var role = WindowRole.primary { didSet { if role != oldValue, let raw { mullion_window_v1_set_role(raw, role.rawValue) } } }

    /// Whether the content is scrolled to its top, or does not scroll. A swipe down anywhere pulls such a sheet away.
    public var isAtTop = false { didSet { if isAtTop != oldValue, let raw { mullion_window_v1_set_at_top(raw, isAtTop ? 1 : 0) } } }

    /// How the window stands on its parent; nil: the shell decides.
    public var presentation: ModalPresentation? {
        didSet {
            guard presentation != oldValue, let raw else { return }
            mullion_window_v1_set_modal(raw, presentation?.number ?? 0)
            guard case .popover(let anchor)? = presentation else { return }
            mullion_window_v1_set_anchor(raw, anchor.x, anchor.y, max(1, anchor.width), max(1, anchor.height))
        }
    }

    /// Work that closing the window would lose. While it is set, the shell asks before it closes the window, in every way in which a
    /// person closes it, and `onUnsavedAnswer` gets the answer.
    public var unsaved: UnsavedWork? {
        didSet {
            guard unsaved != oldValue, let raw else { return }
            guard let unsaved else { return mullion_window_v1_unset_unsaved(raw) }
            mullion_window_v1_set_unsaved(raw, unsaved.title, unsaved.message, unsaved.discard, unsaved.save, unsaved.cancel)
        }
    }

    /// After `.discard` the toolkit asks the window to close: close it without another question. After `.save`, save, then
    /// close it. After `.cancel`, go on.
    public var onUnsavedAnswer: (UnsavedWork.Choice) -> Void = { _ in }
    /// A person pinched an item open: open it with `AppWindows.openWindow(_:token:)` at once.
    public var onPinch: (_ id: UInt32, _ token: String) -> Void = { _, _ in }

    /// The toolkit's window.
    public let content: any ToolkitWindow
    private var raw: OpaquePointer?
    private let link: WindowLink
    private var pinchables: [UInt32: ModalPresentation.Anchor] = [:]

    init(_ content: any ToolkitWindow, _ link: WindowLink) {
        self.content = content
        self.link = link
        guard let manager = link.manager, let surface = content.waylandSurface else { return }
        raw = WindowsClient.window(of: surface, manager, self)
    }

    deinit { if let raw { mullion_window_v1_destroy(raw) } }

    /// Before the window is shown.
    func say(_ style: WindowStyle, _ occasion: WindowOccasion) {
        if let raw { mullion_window_v1_set_style(raw, style.rawValue, occasion.rawValue) }
    }

    /// The maximum number of items that can be pinched open in one window.
    public static let mostPinchables = 64

    /// Two fingers that spread on this rectangle open the item (W-21). Call it again when the content is scrolled. Items beyond
    /// `mostPinchables` are left out.
    public func setPinchable(_ id: UInt32, _ frame: ModalPresentation.Anchor) {
        guard let raw, frame.width > 0, frame.height > 0, pinchables[id] != frame,
            pinchables[id] != nil || pinchables.count < AppWindow.mostPinchables
        else { return }
        pinchables[id] = frame
        mullion_window_v1_set_pinchable(raw, id, frame.x, frame.y, frame.width, frame.height)
    }

    /// Takes an item back: two fingers on its rectangle are for the app again. An unknown id does nothing.
    public func unsetPinchable(_ id: UInt32) {
        guard pinchables.removeValue(forKey: id) != nil, let raw else { return }
        mullion_window_v1_unset_pinchable(raw, id)
    }
}

/// Work that closing a window would lose, and the words of the question about it.
public struct UnsavedWork: Hashable, Sendable {
    /// The question: 1 to 256 bytes.
    public var title: String
    /// More words below the question: at most 2048 bytes. nil: none.
    public var message: String?
    /// The label of the choice that loses the work: 1 to 256 bytes.
    public var discard: String
    /// The label of the choice that saves the work; nil: the question offers no such choice.
    public var save: String?
    /// The label of the choice that keeps the window open: 1 to 256 bytes.
    public var cancel: String

    /// - Parameter title: the question: "Save “Letter”?".
    public init(_ title: String, message: String? = nil, discard: String, save: String? = nil, cancel: String) {
        self.title = title
        self.message = message
        self.discard = discard
        self.save = save
        self.cancel = cancel
    }

    /// A person's answer to the question.
    public enum Choice: UInt32, Hashable, Sendable, CaseIterable {
        /// Lose the work. The toolkit asks the window to close next.
        case discard = 0
        /// Save the work, then close the window.
        case save = 1
        /// Keep the window open.
        case cancel = 2
    }
}

/// The connection that all windows of an app share.
final class WindowLink {
    private(set) var manager: OpaquePointer?
    /// The actions that the shell offers a person, as flags; nil: the shell does not report them.
    private(set) var flags: UInt32?
    var onChange: () -> Void = {}

    init(_ display: OpaquePointer?) {
        guard let display else { return }
        manager = WindowsClient.manager(of: display, self)
        // It lives as long as the manager, which is never destroyed: the toolkit owns the connection.
        if manager != nil { _ = Unmanaged.passRetained(self) }
    }

    func changed(_ flags: UInt32) {
        guard flags != self.flags else { return }
        self.flags = flags
        onChange()
    }
}
