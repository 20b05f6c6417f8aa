import Geometry
import Idioms

/// The consequence on the screen when a person's action on windows is done.
public enum AfterAction: Hashable, Sendable {
    /// It concerns more than the windows.
    case notItsOwn
    case done
    /// The shell's views over the windows close, or only a menu.
    case closesViews, closesMenu
}

/// A person's actions that change nothing but the windows.
extension Workspace {
    public mutating func perform(_ action: Action) throws(Refusal) -> AfterAction {
        switch action {
        case .fullScreen(let window) where idiom.depth != nil:
            let root = root(of: try named(window))
            try setTile(root, fullSpace == root ? nil : .whole)
            return .closesViews
        case .tile(let window, let tile):
            try setTile(root(of: named(window)), tile)
            return .closesViews
        case .toggleTile(let window, let tile):
            try toggleTile(root(of: named(window)), tile)
            return .closesViews
        case .minimize(let window):
            try minimize(root(of: named(window)))
            return .closesMenu
        case .hideApp(let app):
            try hide(app: named(app))
            return .closesMenu
        case .newSpace:
            try makeSpace()
            return .closesViews
        case .moveToSpace(let window, let step): try moveToSpace(try named(window), step)
        case .putInSpace(let window, let space): try moveToSpace(window, space)
        case .depth(let window, let depth): try bring(named(window), toDepth: depth)
        case .depthStep(let window, let step): try stepDepth(named(window), step)

        case .focusNext: try focusNext()

        case .divider where idiom.split.fixed, .dividerStep where idiom.split.fixed:
            throw Refusal("the divider of the idiom \(idiom.name) is fixed")
        case .divider(let fraction, let exact):
            guard fraction.isFinite, (0...1).contains(fraction) else {
                throw Refusal("the divider's place is a number from 0 to 1, not \(fraction)")
            }
            if exact ?? false { try setDivider(fraction) } else { try dropDivider(fraction) }
        case .dividerStep(let step): try stepDivider(byKey: step)
        case .swapSides: try swapSplit()

        case .slideOverSide(let side): try setSlideOverSide(side)
        case .slideOverHide: try setSlideOverHidden(true)
        case .slideOverShow: try setSlideOverHidden(false)
        case .slideOverToggle: try setSlideOverHidden(!slideOver.isHidden)

        case .pipCorner(let corner): try setPipCorner(corner)
        case .pipWidth(let width): try setPipWidth(width)
        case .pipStep(let step):
            guard step == 1 || step == -1 else { throw Refusal("a step is 1 or -1, not \(step)") }
            try setPipWidth((pipWidth ?? 1) * (step > 0 ? 1.2 : 1 / 1.2))
        case .pipStash(let side):
            try setPipStashed(side ?? (pip?.corner.isLeft ?? false ? .left : .right))
        case .pipShow: try setPipStashed(nil)
        case .pipToggle:
            let side: Side = pip?.corner.isLeft ?? false ? .left : .right
            try setPipStashed(pip?.stashed == nil ? side : nil)
        default: return .notItsOwn
        }
        return .done
    }

    // MARK: The window or app that an action names

    /// The given window, or else the active one.
    public func named(_ window: WindowID?) throws(Refusal) -> WindowID {
        if let window { return window }
        guard let focus else { throw Refusal("no window is active") }
        return focus
    }

    /// The given app, or else that of the active window.
    public func named(_ app: String?) throws(Refusal) -> String {
        if let app {
            guard self.app(app) != nil || !windows(of: app).isEmpty else { throw Refusal("no app is called \"\(app)\"") }
            return app
        }
        guard let focus = focus.map(root), let app = windows[focus]?.app, !app.isEmpty else { throw Refusal("no app is active") }
        return app
    }

    // MARK: Steps

    private mutating func bring(_ window: WindowID, toDepth depth: Double) throws(Refusal) {
        let root = root(of: window)
        try setDepth(root, depth)
        try activate(root)
    }

    private mutating func stepDepth(_ window: WindowID, _ step: Int) throws(Refusal) {
        guard (-16...16).contains(step) else { throw Refusal("a step is a small number, not \(step)") }
        guard let measures = idiom.depth, let depth = depth(of: root(of: window)) else {
            throw Refusal("in the idiom \(idiom.name) windows have no depth")
        }
        try bring(window, toDepth: depth + Double(step) * measures.step)
    }

    /// Steps to the next resting place; past the last one only the larger window remains (W-04).
    private mutating func stepDivider(byKey step: Int) throws(Refusal) {
        guard step == 1 || step == -1 else { throw Refusal("a step is 1 or -1, not \(step)") }
        guard let split = currentSpace?.split else { throw Refusal("no Split View is in front") }
        let snaps = idiom.split.snaps
        let next = step > 0 ? snaps.first { $0 > split.fraction + 0.01 } : snaps.last { $0 < split.fraction - 0.01 }
        try dropDivider(next ?? (step > 0 ? 1 : 0))
    }

    /// The windows among which the switcher steps, the last used one first: those of the active app, or the front window of each app.
    public func switchable(isOfWindows: Bool) throws(Refusal) -> [WindowID] {
        let app: String? = nil
        if isOfWindows { return windows(of: try named(app)).filter { !waiting.contains($0) } }
        // Windows without an app stand for themselves.
        let loose = windows.values.filter { $0.app.isEmpty && $0.isMapped && isFree($0.id) }.map(\.id)
        return (runningApps.compactMap(frontWindow(ofApp:)) + loose).filter { !waiting.contains($0) }
            .sorted { (windows[$0]?.lastFocus ?? 0, $0.raw) > (windows[$1]?.lastFocus ?? 0, $1.raw) }
    }

    /// The window of an app that a person means who opens the app; nil: a new one.
    public func windowToOpen(of app: String, among open: [WindowID], to destination: Destination?) -> WindowID? {
        let front = frontWindow(ofApp: app).flatMap { open.contains($0) ? $0 : nil } ?? open[0]
        if case .splitView = destination, currentSpace?.content == .full(front) {
            // Beside itself: use another of its windows, or open a new one.
            if let other = open.dropFirst().first { return other }
            if let installed = self.app(app), !installed.isSingleWindow { return nil }
        }
        // Without a shelf of the app's windows, its icon is the only way to one that waits, and its badge says that one does (P-04).
        if destination == nil, idiom.windowsOfApp == .one, let waiting = waitingWindows(of: app).first { return waiting }
        return front
    }
}
