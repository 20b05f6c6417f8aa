import Geometry
import Interface
import Stage
import Windows

/// The views of a desk with free windows: the switcher, the menu bar, the dock that stands (W-25).
extension Screenful {
    // MARK: The switcher

    /// How long Super is held with the switcher until it is shown. A short press switches without a view.
    static let switcherPatience = 0.15

    /// Opens the switcher at the one that was used before, or steps in it.
    mutating func stepSwitcher(_ step: Int, isOfWindows: Bool, isHeld: Bool, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard step == 1 || step == -1 else { throw Refusal("a step is 1 or -1, not \(step)") }
        guard workspace.isFreelyStacked else { throw Refusal("the idiom \(workspace.idiom.name) switches between spaces") }
        if var switcher = interface.openSwitcher, switcher.isOfWindows == isOfWindows {
            switcher.step(step)
            return interface.setSwitcher(switcher)
        }
        // Nothing stands over an alert (M-11).
        try requireNoAlert()
        let windows = try workspace.switchable(isOfWindows: isOfWindows)
        guard !windows.isEmpty else { throw Refusal("no window is open") }
        var switcher = Switcher(windows: windows, index: 0, isOfWindows: isOfWindows, isHeld: isHeld)
        if workspace.focus != nil || step < 0 { switcher.step(step) }
        closeViews(at: now)
        interface.present(.switcher(switcher), at: now, spring: spring)
        if isHeld { turn.send(.startTimer(.screen(.switcher), at: now + Screenful.switcherPatience)) }
    }

    mutating func showSwitcher() {
        guard var switcher = interface.openSwitcher, !switcher.isSeen else { return }
        switcher.isSeen = true
        interface.setSwitcher(switcher)
    }

    /// Windows that closed leave the switcher, and menus of apps that are gone close.
    mutating func followSwitcher(at now: Moment) {
        if var switcher = interface.openSwitcher {
            let before = switcher
            switcher.keep { workspace[$0]?.isMapped ?? false }
            if switcher.windows.isEmpty || !workspace.isFreelyStacked {
                interface.close(.popover, at: now, spring: spring)
            } else if switcher != before {
                interface.setSwitcher(switcher)
            }
        }
        if let menu = interface.openBarMenu {
            // It never turns into the same menu of the next app under the finger.
            let views = views(at: now), isThere = views?.barMenuExists(menu) ?? false
            if !isThere || views?.barApp != interface.barMenuOf { interface.close(.popover, at: now, spring: spring) }
        }
    }

    // MARK: The menu bar

    mutating func openBarMenu(_ name: String?, at now: Moment) throws(Refusal) {
        // In other idioms the menus are there that the app in front shows nowhere else.
        let isThere = workspace.idiom.free.menuBar > 0 || workspace.focus.map { workspace.hidesMenus(of: workspace.root(of: $0)) } ?? false
        guard isThere, let views = views(at: now) else { throw Refusal("the idiom \(workspace.idiom.name) has no menu bar") }
        try requireNoAlert()
        guard let name = name ?? views.barMenuNames.first, views.barMenuExists(name) else {
            throw Refusal("the menu bar has no menu \"\(name ?? "")\": it has \(views.barMenuNames.joined(separator: ", "))")
        }
        if interface.openBarMenu == name { return interface.close(.popover, at: now, spring: spring) }
        if interface.openBarMenu == nil { closeViews(at: now) }
        interface.barMenuOf = views.barApp
        interface.present(.barMenu(name), at: now, spring: spring)
    }

    /// Opens the menu beside the open one.
    mutating func stepBarMenu(_ step: Int, at now: Moment) {
        guard let open = interface.openBarMenu, let next = views(at: now)?.barMenu(beside: open, readingWay < 0 ? -step : step) else {
            return
        }
        interface.present(.barMenu(next), at: now, spring: spring)
    }

    // MARK: The dock

    /// The dock is there already, so the keys go to it.
    mutating func focusStandingDock(at now: Moment) {
        if interface.focus?.area == .dock {
            interface.focus = nil
            return
        }
        closeViews(at: now)
        interface.focus = focusable(at: now).first { $0.id.area == .dock && !$0.id.path.isEmpty }?.id
    }
}
