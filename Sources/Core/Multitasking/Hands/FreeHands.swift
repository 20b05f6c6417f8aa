import Geometry
import Interface
import Stage
import Windows

/// A tap on the title bar of a free window.
struct BarTap: Hashable, Codable, Sendable {
    var window: WindowID
    var when: Moment
}

/// The functions of keys, the pointer and fingers on a desk with free windows (W-25).
extension Hands {
    /// How soon a second tap follows the first, in seconds.
    static let doubleTap = 0.4
    /// How long the pointer rests in the hot corner, in seconds, and how far it leaves it before it counts again, in points.
    static let cornerRest = 0.15
    static let cornerSide = 2.0, cornerLeft = 24.0

    /// The second tap on a title bar lets the window fill the area, or undoes that.
    mutating func tappedTitleBar(of window: WindowID, _ screenful: inout Screenful, at now: Moment) {
        defer { barTap = BarTap(window: window, when: now) }
        guard let last = barTap, last.window == window, now - last.when <= Hands.doubleTap else { return }
        try? screenful.workspace.toggleTile(window, .whole)
    }

    // MARK: The switcher

    /// Whether the open switcher takes a key. Keys with Super that step are bound, and come here only if they are not.
    mutating func switcherKey(_ key: Key, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard let switcher = screenful.interface.openSwitcher else { return false }
        func step(_ way: Int) -> Bool {
            try? screenful.stepSwitcher(way, isOfWindows: switcher.isOfWindows, isHeld: switcher.isHeld, at: now, &turn)
            return true
        }
        let way = screenful.readingWay < 0 ? -1 : 1
        switch key.symbol {
        case .escape:
            screenful.interface.close(.popover, at: now, spring: screenful.spring)
            turn.send(.stopTimer(.screen(.switcher)))
            return true
        case .leftArrow: return step(-way)
        case .rightArrow: return step(way)
        case .tab where !key.modifiers.contains(.super), .backTab where !key.modifiers.contains(.super):
            return step(key.modifiers.contains(.shift) || key.symbol == .backTab ? -1 : 1)
        case .enter, .keypadEnter, .space:
            chooseSwitched(&screenful, at: now, &turn)
            return true
        default:
            // A key for sound works as ever; no other one reaches an app.
            if let binding = screenful.binding(of: key) {
                switch binding.action {
                case .switchApps, .switchWindows, .audio: return false
                default: return true
                }
            }
            return true
        }
    }

    /// Brings forward the selected card of the switcher.
    mutating func chooseSwitched(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let switcher = screenful.interface.openSwitcher, let chosen = switcher.chosen else { return }
        turn.send(.stopTimer(.screen(.switcher)))
        screenful.interface.close(.popover, at: now, spring: switcher.isSeen ? screenful.spring : .instant)
        if !switcher.isOfWindows, let app = screenful.workspace[chosen]?.app, !app.isEmpty {
            attempt(.openApp(app: app), &screenful, at: now, &turn)
        } else {
            attempt(.focus(window: chosen), &screenful, at: now, &turn)
        }
        turn.ask(.settle())
    }

    // MARK: The menu bar over a window in full screen

    /// How far the pointer leaves the bar before it goes, in points.
    static let barLeft = 24.0

    /// The pointer moved: at the upper edge the bar comes, and away from it the bar goes, unless one of its menus is open.
    mutating func followBar(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard grab == nil, pointer.buttons.isEmpty, !screenful.isLocked, let top = screenful.workspace.screen?.usable.minY else { return }
        if pointer.point.y < top + 1 {
            if screenful.workspace.bringBar() { turn.ask(.settle()) }
        } else if let bar = screenful.workspace.menuBar, pointer.point.y > bar.maxY + Hands.barLeft, !screenful.interface.isPopoverOpen {
            if screenful.workspace.takeBarAway() { turn.ask(.settle()) }
        }
    }

    /// A press beside the bar and its menus takes it away.
    mutating func leaveBar(for hit: Hit, _ screenful: inout Screenful, _ turn: inout Turn) {
        guard screenful.interface.isModal || !Views.isOnBar(hit), !screenful.interface.isPopoverOpen, screenful.workspace.takeBarAway()
        else { return }
        turn.ask(.settle())
    }

    // MARK: The hot corner

    /// The pointer moved: it comes into the hot corner, or leaves it.
    mutating func followHotCorner(_ screenful: Screenful, at now: Moment, _ turn: inout Turn) {
        guard let corner = screenful.workspace.hotCorner else { return }
        let distance = max(abs(pointer.point.x - corner.x), abs(pointer.point.y - corner.y))
        if pointer.isInCorner {
            guard distance > Hands.cornerLeft else { return }
            pointer.isInCorner = false
            turn.send(.stopTimer(.hands(.hotCorner)))
        } else if distance <= Hands.cornerSide, pointer.buttons.isEmpty, grab == nil {
            pointer.isInCorner = true
            turn.send(.startTimer(.hands(.hotCorner), at: now + Hands.cornerRest))
        }
    }

    mutating func restedInCorner(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard pointer.isInCorner, pointer.buttons.isEmpty, grab == nil, !screenful.isLocked, !screenful.interface.isPopoverOpen else {
            return
        }
        attempt(.appSwitcher, &screenful, at: now, &turn)
        turn.ask(.settle())
    }
}
