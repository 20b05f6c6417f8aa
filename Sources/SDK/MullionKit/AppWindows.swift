import CWindowsClient
import Glibc

/// The windows of an app: opens items in windows of their own, and declares the purpose of each window.
///
/// ```swift
/// let windows = AppWindows(display: toolkit.waylandDisplay) { (letter: Letter) in LetterWindow(letter) }
/// windows.openWindow(letter)                                // the shell chooses how it is presented
/// windows.present(FindWindow(), over: main)                 // a sheet: short tasks
///
/// // A menu item: "Open in New Window" on a pad and a mac, "Show Details…" on a phone.
/// menu.add(windows.openTitle) { windows.open(letter) { main.showDetails(of: $0) } }
/// ```
///
/// A person arranges windows, so nothing here names a place. It speaks `mullion_windows_v1` (docs/windows-api.md) on the
/// toolkit's own Wayland connection: callbacks come from whatever dispatches that, usually the toolkit's main loop. Confined to
/// that thread.
///
/// On a desktop without the protocol windows open as the toolkit opens them, and `canOpenNewWindows` is true.
public final class AppWindows<Item> {
    /// Called when the actions available to a person have changed, such as when a small screen becomes a large one: word menus again.
    public var onChange: () -> Void {
        get { link.onChange }
        set { link.onChange = newValue }
    }

    /// Whether an item may open in a new window here. False on a phone and a watch.
    public var canOpenNewWindows: Bool { link.flags.map { $0 & 1 != 0 } ?? true }
    /// Whether a person can pinch items open here (`AppWindow.setPinchable`).
    public var canPinchOpen: Bool { link.flags.map { $0 & 2 != 0 } ?? false }
    /// Whether the shell speaks the protocol.
    public var isConnected: Bool { link.manager != nil }

    /// The title of the menu item or button that opens an item (W-22), in the person's language: "Open in New Window", or
    /// "Show Details…" where items do not open in new windows.
    public var openTitle: String { (canOpenNewWindows ? WindowText.openInNewWindow : .showDetails).localized() }

    private let link: WindowLink
    private let make: (Item) -> any ToolkitWindow

    /// - Parameters:
    ///   - display: the toolkit's `wl_display`; nil on other platforms.
    ///   - make: makes the window of an item, without showing it.
    public init(display: OpaquePointer?, make: @escaping (Item) -> any ToolkitWindow) {
        self.make = make
        link = WindowLink(display)
    }

    /// Opens an item in a window of its own.
    /// - Parameters:
    ///   - style: how it is presented. With `.automatic` the shell chooses by the occasion.
    ///   - occasion: why it opens.
    ///   - role: `.auxiliary` for a window that has only this one task.
    ///   - token: the one of `AppWindow.onPinch`, if a person pinched the item open.
    @discardableResult
    public func openWindow(
        _ item: Item, style: WindowStyle = .automatic, for occasion: WindowOccasion = .item, role: WindowRole = .auxiliary,
        token: String? = nil
    ) -> AppWindow {
        let content = make(item)
        let window = AppWindow(content, link)
        window.say(style, token == nil ? occasion : .gesture)
        window.role = role
        content.show(token: token)
        return window
    }

    /// Performs the action that `openTitle` names: opens the item in a new window, or calls `showDetails` to show it in the current one.
    public func open(_ item: Item, showDetails: (Item) -> Void) {
        if canOpenNewWindows { openWindow(item) } else { showDetails(item) }
    }

    /// Shows a modal window on another one, as a sheet unless said otherwise: sheets are for short tasks (M-15).
    @discardableResult
    public func present(_ content: any ToolkitWindow, over parent: any ToolkitWindow, as presentation: ModalPresentation = .sheet)
        -> AppWindow
    {
        let window = AppWindow(content, link)
        window.presentation = presentation
        content.setParent(parent)
        content.show(token: nil)
        return window
    }

    /// Declares a window that the app shows itself, such as its main one.
    public func describe(_ content: any ToolkitWindow, role: WindowRole = .primary) -> AppWindow {
        let window = AppWindow(content, link)
        window.role = role
        return window
    }
}

/// A window of the app's toolkit, as MullionKit needs it.
public protocol ToolkitWindow: AnyObject {
    /// Its `wl_surface`, which has to exist before the window is shown; nil on other platforms.
    var waylandSurface: OpaquePointer? { get }
    /// Shows the window. `token`: an activation token (xdg_activation_v1) to show it with.
    func show(token: String?)
    /// Makes it a dialog of another window.
    func setParent(_ parent: any ToolkitWindow)
}

/// How a new window is presented. A person can move it anywhere afterwards.
public enum WindowStyle: UInt32, Hashable, Sendable, CaseIterable {
    /// The shell chooses by the occasion.
    case automatic = 0
    /// The window is a peer of the one that it comes from, each with the app's full function.
    case standard = 1
    /// The window is raised, and its surroundings are dimmed: for one item that gets all attention.
    case prominent = 2
}

/// The reason why a window opens, for the automatic style.
public enum WindowOccasion: UInt32, Hashable, Sendable, CaseIterable {
    /// The app does not say. The shell chooses the style without it.
    case unknown = 0
    /// A self-contained task on one file or item: prominent.
    case item = 1
    /// Another version of content that the app already shows: standard.
    case version = 2
    /// A person pinched an item open: prominent.
    case gesture = 3
}

/// The scope of a window, which decides what its controls offer (W-12, W-13).
public enum WindowRole: UInt32, Hashable, Sendable, CaseIterable {
    /// The window carries the whole app.
    case primary = 0
    /// The window carries one task or area; its controls offer only Close.
    case auxiliary = 1
}

/// The presentation of a modal window on its parent. If space is short, popovers and windows in context become sheets.
public enum ModalPresentation: Hashable, Sendable {
    /// A card over a part of the window, for a short task. A swipe dismisses it.
    case sheet
    /// Covers the whole window, for immersive content and complex work alone (M-15). Only its own button dismisses it.
    case fullScreen(for: ImmersiveTask)
    /// Points at a control of the parent, for choices that belong to it. A touch elsewhere closes it.
    case popover(at: Anchor)
    /// Covers its parent, a pane or a popover, and nothing else.
    case inContext

    /// A task that may take the whole window.
    public enum ImmersiveTask: Hashable, Sendable, CaseIterable {
        /// Watching a film.
        case video
        /// Looking through photos.
        case photos
        /// Taking a picture.
        case camera
        /// Drawing on a document or a picture.
        case markUp
        /// Editing that needs the whole window.
        case editing
    }

    /// A rectangle in the parent's content, in points.
    public struct Anchor: Hashable, Sendable {
        /// The left edge, from the left edge of the parent's window geometry.
        public var x: Int32
        /// The upper edge, from the upper edge of the parent's window geometry.
        public var y: Int32
        /// At least 1.
        public var width: Int32
        /// At least 1.
        public var height: Int32

        /// A rectangle of this place and size, in points.
        public init(x: Int32, y: Int32, width: Int32, height: Int32) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    var number: UInt32 {
        switch self {
        case .sheet: 1
        case .fullScreen: 2
        case .popover: 3
        case .inContext: 4
        }
    }
}
