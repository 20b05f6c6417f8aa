import Geometry
import Stage
import Windows

/// Which picture of the screen the shell's views are made of: the one from when the first of them opened. A new picture for every frame
/// would cost more than the frame.
public struct GlassGround: Hashable, Codable, Sendable {
    /// How often views opened where none was.
    public private(set) var opening = 0
    private(set) var isOpen = false
    private var closedAt: Moment?
    /// The windows that were below; nil: the home screen.
    private var below: [WindowID]?
    /// The windows below bars that stand, and where; nil: no bar stands.
    private var underBars: [WindowID: Rect]?

    public init() {}

    /// Seconds in which a view that closed may still be in sight. One that opens in that time stands on the same picture.
    private static let leaving = 0.5

    mutating func follow(_ isOpen: Bool, over workspace: Workspace, at now: Moment) {
        guard isOpen != self.isOpen else { return }
        self.isOpen = isOpen
        guard isOpen else { return closedAt = now }
        let before = below
        below = workspace.showsHome ? nil : workspace.shownRoots
        if let closedAt, now - closedAt < Self.leaving, below == before { return }
        opening &+= 1
    }

    /// Bars that stand never open: they get a new picture when other windows lie below them.
    ///
    /// - Returns: whether that changed.
    mutating func lie(_ windows: [WindowID: Rect]?) -> Bool {
        defer { underBars = windows }
        return windows != nil && windows != underBars
    }

    mutating func renew() {
        if !isOpen { opening &+= 1 }
    }
}

extension Interface {
    /// Whether views opened or closed since `followGlass`. Every event asks.
    public var hasStaleGlass: Bool { isOnGlass != glassGround.isOpen }

    /// Takes a new picture for glass when views open.
    public mutating func followGlass(over workspace: Workspace, at now: Moment) {
        glassGround.follow(isOnGlass, over: workspace, at: now)
    }

    /// Notes the windows below the menu bar and a dock that stands (W-25). Call `renewGlass` once they have come to rest.
    ///
    /// - Returns: whether other windows lie there now, or elsewhere.
    public mutating func lieUnderBars(_ windows: [WindowID: Rect]?) -> Bool { glassGround.lie(windows) }

    /// Takes a new picture for the glass of bars that stand.
    public mutating func renewGlass() { glassGround.renew() }

    /// Whether a view is open that may stand on an app's picture.
    private var isOnGlass: Bool {
        isPanelOpen || isPopoverOpen || isDockOpen || isShelfOpen || isPipControlsOpen || (banner?.isOpen ?? false)
            || (volume?.isOpen ?? false)
            || picking != nil || modals.contains { $0.isOpen }
    }
}

extension Views {
    /// The windows that lie below bars that stand.
    public func windowsUnderBars() -> [WindowID: Rect] {
        let bars = [workspace.menuBar, dockArea].compactMap { $0 }, frames = workspace.frames()
        var below: [WindowID: Rect] = [:]
        for id in workspace.shownRoots {
            if let frame = frames[id], bars.contains(where: { !$0.intersection(frame).isEmpty }) { below[id] = frame }
        }
        return below
    }
}
