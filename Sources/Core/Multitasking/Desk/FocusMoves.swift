import Geometry
import Interface
import Stage
import Windows

/// Where the keyboard focus goes: by the arrow keys (`FocusRule`), and when its control is gone.
extension Desk {
    /// The opposite key leads back. Left and right continue on the next page of the home screen.
    mutating func moveFocus(_ way: Side, at now: Moment) {
        let all = focusable(at: now)
        guard let here = interface.focus.flatMap({ id in all.lastIndex { $0.id == id } }) else {
            // A menu is entered at its near end.
            return stepFocus(way == .top && openBarMenu != nil ? -1 : 1, at: now)
        }
        if let known = interface.focusTrail.follow(way, from: all[here].id), let control = all.last(where: { $0.id == known }) {
            return setKeyFocus(control, at: now)
        }
        let map = FocusMap(all.map(\.frame), keepsSideways: Set(all.indices.filter { all[$0].slide != nil }))
        if let next = map.next(from: here, way) {
            interface.focusTrail.note(from: all[here].id, to: all[next].id, way)
            return setKeyFocus(all[next], at: now)
        }
        guard way.axis == .horizontal, workspace.showsHome, !interface.isModal, all[here].id.area == .home else { return }
        turnPage(way, from: all[here].frame, at: now)
    }

    /// The focus enters the next page at its near side, in the same row.
    private mutating func turnPage(_ way: Side, from place: Rect, at now: Moment) {
        let page = interface.home.page
        showPage(page + (way.isFirst ? -1 : 1) * (readingWay > 0 ? 1 : -1), at: now)
        guard interface.home.page != page else { return }
        interface.focusTrail.forget()
        let icons = focusable(at: now).filter { $0.id.area == .home }
        func distance(_ frame: Rect) -> Double { abs(frame.center.y - place.center.y) * 100 + (way.isFirst ? -frame.minX : frame.minX) }
        if let first = icons.min(by: { distance($0.frame) < distance($1.frame) }) { setKeyFocus(first, at: now) }
    }

    /// Moves the focus if its control is gone: to the nearest one, where a control always has it.
    mutating func repairFocus(at now: Moment) {
        let isAlways = workspace.idiom.views.alwaysFocuses
        guard interface.focus != nil || isAlways else { return }
        guard isAlways else {
            if let focus = interface.focus, !focusable(at: now).contains(where: { $0.id == focus }) { interface.focus = nil }
            return
        }
        guard takesKeys, !isLocked else {
            interface.focus = nil
            interface.focusPlaces = [:]
            return forgetFocus()
        }
        let all = focusable(at: now)
        // A person did not move to the control that the shell chooses, so OK must not remove anything there (P-03).
        let safe = all.filter { !destroys($0) }, rest = safe.isEmpty ? all : safe
        // A control of another view was there: this view begins anew.
        let isSameView = interface.focusView == nil || interface.focusView == viewOfFocus
        let view = viewOfFocus, gone = interface.focus
        interface.focusView = view
        let open = Set(interface.openNames + ["home"] + modality.views.map { "modal/\($0.id.raw)" })
        interface.focusPlaces = interface.focusPlaces.filter { open.contains($0.key) }
        if let focus = interface.focus, let control = all.last(where: { $0.id == focus }) {
            interface.focusSpot = control.frame
            interface.focusPlaces[view] = focus
            // Apps and windows came since: a person who pressed no key yet begins at the first of them.
            if interface.isFocusGiven, isSameView, let first = firstFocus(among: rest), first.id != focus { give(first, at: now) }
            return
        }
        interface.focus = nil
        let spot = isSameView ? interface.focusSpot : nil
        interface.focusTrail.forget()
        guard ownsKeys else { return }
        if !isSameView || gone == nil, let place = interface.focusPlaces[view], let control = all.last(where: { $0.id == place }) { return setKeyFocus(control, at: now) }
        let kind = rest.filter { $0.role == interface.focusRole && (gone == nil || $0.id.area == gone?.area) }
        if let spot, let next = nearest(to: spot, among: kind.isEmpty ? rest : kind) {
            setKeyFocus(next, at: now)
        } else if let first = firstFocus(among: rest) {
            give(first, at: now)
        }
        interface.focusHeir = interface.focus
    }

    /// Whether a press of this control removes something (P-03).
    func destroys(_ control: ViewControl) -> Bool {
        switch control.press {
        case .close, .quitApp, .closeSpace, .endTask, .endInhibitor, .endApp, .quit, .quitAnyway, .stopInBackground, .notice(.dismiss), .notice(.clear),
            .notice(.clearAll), .notice(.deleteFocus): true
        case .chooseView(let number, let index):
            modality.views.first { $0.id.raw == number }.map { $0.choices.indices.contains(index) && $0.choices[index].role == .destructive } ?? false
        default: false
        }
    }

    private mutating func give(_ control: ViewControl, at now: Moment) {
        setKeyFocus(control, at: now)
        interface.isFocusGiven = true
        interface.focusHeir = control.id
    }

    /// A person scrolled away from the row with the focus: the nearest control in sight gets it.
    mutating func keepFocusInSight(at now: Moment) {
        guard let focus = interface.focus, focus.area == .notifications else { return }
        var rested = self
        rested.interface.notices.scroll.set(interface.notices.scroll.target)
        let seen = rested.controls(at: now, covered: true).filter { $0.isFocusable && $0.id.area == .notifications }
        guard !seen.contains(where: { $0.id == focus }) else { return }
        interface.focus = nil
        if let spot = interface.focusSpot, let next = nearest(to: spot, among: seen) { setKeyFocus(next, at: now) }
    }

    /// The focus begins anew in the next view.
    mutating func forgetFocus() {
        interface.focusSpot = nil
        interface.focusView = nil
        interface.focusTrail.forget()
    }

    private func nearest(to spot: Rect, among all: [ViewControl]) -> ViewControl? {
        all.min { $0.frame.center.distance(to: spot.center) < $1.frame.center.distance(to: spot.center) }
    }

    /// Names the view that has the keys.
    private var viewOfFocus: String {
        if !interface.isModal, let view = activeView { return "modal/\(view.id.raw)" }
        return interface.openNames.last { $0 != "rest" && $0 != "launching" } ?? "home"
    }

    /// Where a person begins: at the answer that an alert prefers, at the app that was in front, at the first card or icon.
    private func firstFocus(among all: [ViewControl]) -> ViewControl? {
        if !interface.isModal, let view = activeView {
            let base = ControlID(.modal, view.id.raw)
            return view.preferred.flatMap { choice in all.first { $0.id == base.part("choice/\(choice)") } } ?? all.first
        }
        if interface.isOverviewOpen, !interface.isPopoverOpen, !interface.isPanelOpen {
            let cards = all.filter { $0.role == .card }
            // The second card is the app that was used before: a switch is two keys.
            return (workspace.isHome ? cards.first : cards.dropFirst().first ?? cards.first) ?? all.first
        }
        if !interface.isModal, workspace.showsHome {
            // In a search, OK opens the best result.
            let app = isSearching ? nil : workspace.current.flatMap(workspace.space)?.windows.first.flatMap { workspace[$0]?.app }
            let icons = all.filter { $0.id.area == .home }
            return app.flatMap { app in icons.first { $0.id == ControlID(.home, app) } } ?? icons.first ?? all.first
        }
        return all.first
    }
}
