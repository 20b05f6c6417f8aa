import Geometry
import OrderedCollections
import Windows

/// The keyboard focus, the panels of other programs, the lock of the session, whether the device is idle, and what was copied.
///
/// A module of the core: adapters report what panels, lockers and watches of idleness ask for, and carry out places, the keyboard
/// focus, the lock, what those watches are told and what is kept of copied content. All of that is decided only here.
public struct Seat: Hashable, Codable, Sendable {
    /// Oldest first. Later ones of a layer lie above.
    public internal(set) var panels: OrderedDictionary<PanelID, Panel> = [:]
    /// The exclusive zones of panels at each edge of the screen, in points.
    public internal(set) var reserved = Insets.zero
    /// Which locker holds the session.
    public private(set) var lock = SessionLock()
    /// When the shell starts a locker by itself.
    public private(set) var lockerStarts = LockerStarts()
    /// Whether a person uses the device.
    public private(set) var idleness = Idleness()
    /// The copied content, and the parts of it that the shell keeps.
    public private(set) var copied = Copied()
    /// The clients that share the screen.
    public private(set) var sharing = ScreenSharing()
    /// The panel with on-demand keyboard focus: it just appeared above the windows, or the user pressed it.
    private var chosen: PanelID?
    /// Whether X11 menus without a window are mapped and want the keyboard.
    private var hasX11Menus = false

    public init() {}

    // MARK: Events

    /// A panel was created, or its client committed a change.
    public mutating func panelChanged(_ id: PanelID, _ facts: PanelFacts) {
        let wasMapped = panels[id]?.facts.isMapped ?? false
        // A panel that unmaps and maps again becomes the newest.
        let frame = wasMapped && !facts.isMapped ? panels.removeValue(forKey: id)?.frame : panels[id]?.frame
        panels[id] = Panel(facts: facts, frame: frame)
        // The user opened a launcher or menu that wants the keyboard. Ordinary panels do not want it.
        if facts.isMapped, !wasMapped, facts.isAboveWindows { choose(id) }
        if !wantsKeys(chosen) { chosen = nil }
    }

    public mutating func panelGone(_ id: PanelID) {
        panels[id] = nil
        if chosen == id { chosen = nil }
    }

    /// A finger or button was pressed on an overlay, or (nil) elsewhere, which takes the focus away from a panel.
    public mutating func pressed(_ overlay: Overlay?) {
        switch overlay {
        case .panel(let id): choose(id)
        case .x11Menu: break
        case nil: chosen = nil
        }
    }

    /// Whether input that an adapter found on this is for it.
    public func takesInput(_ overlay: Overlay) -> Bool {
        switch overlay {
        case .panel(let id): panels[id].map { $0.facts.isSeen && $0.facts.isAboveWindows } ?? false
        case .x11Menu: true
        }
    }

    /// Whether gestures begin at the lower edge of the screen although this lies there: an on-screen keyboard, or a bar. Neither
    /// a launcher that has the keyboard to itself nor what covers the screen leaves the edge.
    public func leavesEdge(_ overlay: Overlay) -> Bool {
        guard case .panel(let id) = overlay, let facts = panels[id]?.facts else { return false }
        return facts.zone > 0 && facts.anchors.contains(.bottom) && !facts.anchors.contains(.top) && facts.keyboard != .always
    }

    /// Another window became active, or one of the shell's modal views opened.
    public mutating func leavePanel() { chosen = nil }

    /// `canStart`: whether the configuration names a locker.
    public mutating func handle(_ event: LockEvent, canStart: Bool, at now: Moment) -> [LockEffect] {
        let effects = lock.handle(event, at: now)
        return effects + lockerStarts.follow(lock, hasEnded: event == .startedEnded, canStart: canStart, at: now)
    }

    /// A start may be due, or the configuration names another locker.
    public mutating func followLocker(canStart: Bool, at now: Moment) -> [LockEffect] {
        lockerStarts.follow(lock, hasEnded: false, canStart: canStart, at: now)
    }

    public mutating func handle(_ event: CopyEvent, at now: Moment) -> [CopyEffect] {
        copied.handle(event, in: lock.isLocked, at: now)
    }

    /// A client's connection has ended. Its objects go next.
    public mutating func clientGone(_ client: UInt64) -> [CopyEffect] {
        handle(.ends(client: client), at: .zero)
        return copied.clientGone(client, isLocked: lock.isLocked)
    }

    public mutating func handle(_ event: CaptureEvent, at now: Moment) { _ = sharing.handle(event, in: (), at: now) }

    public mutating func copyTimeIsUp(at now: Moment) -> [CopyEffect] { copied.timeIsUp(isLocked: lock.isLocked, at: now) }

    /// The session was locked or unlocked.
    public mutating func lockChanged(at now: Moment) -> [CopyEffect] { copied.lockChanged(isLocked: lock.isLocked, at: now) }

    public mutating func handle(_ event: IdleEvent, at now: Moment) -> [IdleEffect] { idleness.handle(event, at: now) }

    /// A person uses the device.
    public mutating func used(at now: Moment) -> [IdleEffect] { idleness.used(at: now) }

    public mutating func idleTimeIsUp(at now: Moment) -> [IdleEffect] { idleness.timeIsUp(at: now) }

    /// Something was shown or hidden. `isHeld`: the device counts as in use, whatever is shown.
    public mutating func followSight(isHeld: Bool, windows: [WindowID], at now: Moment) -> [IdleEffect] {
        guard !lock.isLocked else { return idleness.follow(isHeld: isHeld, windows: [], isSeen: { _ in false }, at: now) }
        let panels = panels
        return idleness.follow(isHeld: isHeld, windows: windows, isSeen: { panels[$0]?.facts.isSeen ?? false }, at: now)
    }

    public mutating func x11MenusWantKeys(_ want: Bool) { hasX11Menus = want }

    private mutating func choose(_ id: PanelID) {
        if wantsKeys(id) { chosen = id }
    }

    private func wantsKeys(_ id: PanelID?) -> Bool {
        guard let facts = id.flatMap({ panels[$0] })?.facts else { return false }
        return facts.isSeen && facts.keyboard != .never
    }

    // MARK: Focus

    /// The panel with the keyboard focus, if any. Neither the shell nor a window gets keys then.
    public var panelWithKeys: PanelID? {
        let exclusive = panels.elements.filter { wantsKeys($0.key) && $0.value.facts.keyboard == .always && $0.value.facts.isAboveWindows }
        // The topmost one: the newest in the highest layer.
        let top = exclusive.reversed().max { $0.value.facts.layer.rawValue < $1.value.facts.layer.rawValue }
        return top?.key ?? (hasX11Menus ? nil : chosen)
    }

    /// The keyboard focus.
    /// - Parameters:
    ///   - window: the active window.
    ///   - isShell: one of the shell's own views wants the keyboard.
    public func keyboard(window: WindowID?, isShell: Bool) -> KeyboardTarget {
        // The lock screen of the shell gets its keys by events of its own.
        if lock.isLocked { return .locker }
        if let panel = panelWithKeys { return .panel(panel) }
        if hasX11Menus { return .x11Menus }
        if isShell { return .shell }
        return window.map { .window($0) } ?? .nobody
    }

    /// Violated invariants; empty if all hold.
    public func violations() -> [String] {
        var found = lock.violations() + idleness.violations() + copied.violations(in: lock.isLocked)
        if let chosen, !wantsKeys(chosen) { found.append("\(chosen) was chosen and wants no keys") }
        for (edge, value) in [("top", reserved.top), ("right", reserved.right), ("bottom", reserved.bottom), ("left", reserved.left)]
        where value < 0 || !value.isFinite { found.append("panels keep \(value) points at the \(edge)") }
        return found
    }
}

/// The receiver of keys: exactly one at a time.
public enum KeyboardTarget: Hashable, Codable, Sendable {
    case nobody
    /// A window, or a popup of it with a grab.
    case window(WindowID)
    case panel(PanelID)
    /// X11 menus that belong to no window.
    case x11Menus
    /// One of the shell's own views.
    case shell
    case locker
}
