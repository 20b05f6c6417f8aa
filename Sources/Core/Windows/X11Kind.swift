import Geometry

/// Decides which windows of X11 programs the shell manages. An unmanaged one (override-redirect) is a menu, a tooltip or an icon under
/// the pointer: it lies where its program puts it.
public struct X11Kind: Hashable, Sendable {
    /// Whether it filled the screen since it was mapped.
    private var fillsScreen = false

    public init() {}

    /// Notes where a mapped window lies, in pixels of the X11 screen. Returns whether that makes it a window that the shell manages: one
    /// that fills the screen lies above everything, and no gesture could leave it (P-04).
    ///
    /// - Parameters:
    ///   - isOwn: its program keeps it from the shell (override-redirect).
    ///   - screen: nil or empty: there is none.
    public mutating func lies(at frame: Rect, isOwn: Bool, on screen: Rect?) -> Bool {
        guard isOwn, !fillsScreen, let screen, !screen.isEmpty, frame.contains(screen) else { return false }
        fillsScreen = true
        return true
    }

    /// The window was unmapped. It shows itself anew the next time.
    public mutating func unmapped() { fillsScreen = false }

    /// Whether it lies where its program puts it.
    public func isMenu(isOwn: Bool) -> Bool { isOwn && !fillsScreen }

    /// Whether a window belongs to its program's group: it names as its parent no window, the root window or itself.
    ///
    /// - Parameter parent: the number in its WM_TRANSIENT_FOR; nil: it names none.
    public static func isOfGroup(parent: UInt32?, root: UInt32, own: UInt32) -> Bool {
        parent.map { $0 == 0 || $0 == root || $0 == own } ?? false
    }

    /// Whether a menu may hold the pointer and the keyboard until it closes. A tooltip or a splash screen says that it is one. A menu of an
    /// old toolkit declares no type, so it may if it is of the process of its window.
    ///
    /// - Parameter isMenuType: whether the types that it declares name a menu; nil: it declares none.
    public static func mayGrab(isMenuType: Bool?, isOfOwnersProcess: Bool) -> Bool { isMenuType ?? isOfOwnersProcess }
}
