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
        if let next = neighbour(of: here, way, among: all) {
            // The opposite key goes through the banner first.
            if all[here].id.isOnBanner == next.id.isOnBanner {
                interface.focusTrail.note(from: all[here].id, to: next.id, way)
            } else {
                interface.focusTrail.forget()
            }
            return setKeyFocus(next, at: now)
        }
        // Down from a banner that lies over an app alone: the keys are the app's again.
        if all[here].id.isOnBanner, way == .bottom, !ownsKeys { return leaveBannerFocus() }
        guard way.axis == .horizontal, workspace.showsHome, !interface.isModal, all[here].id.area == .home else { return }
        turnPage(way, from: all[here].frame, at: now)
    }

    /// A banner lies over another view, and its place says nothing about where that view's controls are: the arrows go through each of the
    /// two alone, upwards past the last control of the view to the banner, and downwards past that of the banner back.
    private func neighbour(of here: Int, _ way: Side, among all: [ViewControl]) -> ViewControl? {
        let isOnBanner = all[here].id.isOnBanner, own = all.indices.filter { all[$0].id.isOnBanner == isOnBanner }
        let map = FocusMap(places(of: own.map { all[$0] }), keepsSideways: Set(own.indices.filter { all[own[$0]].slide != nil }))
        if let next = own.firstIndex(of: here).flatMap({ map.next(from: $0, way) }) { return all[own[next]] }
        guard way == (isOnBanner ? .bottom : .top) else { return nil }
        let others = all.filter { $0.id.isOnBanner != isOnBanner }
        if isOnBanner, let place = interface.focusPlaces[viewOfFocus], let known = others.last(where: { $0.id == place }) { return known }
        return isOnBanner ? firstFocus(among: beginnings(among: others)) : beginnings(among: others).first
    }

    /// The frames among which the arrows move. The card of a banner contains its buttons, and stands for the part above them.
    private func places(of controls: [ViewControl]) -> [Rect] {
        guard let card = controls.firstIndex(where: { $0.id == "notice/open" }), controls.count > 1,
            let top = controls.filter({ $0.id != "notice/open" }).map(\.frame.minY).min()
        else { return controls.map(\.frame) }
        var out = controls.map(\.frame)
        out[card].height = max(1, top - out[card].minY - 1)
        return out
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
        let safe = all.filter { !destroys($0) }, rest = safe.isEmpty ? all : safe, firsts = beginnings(among: all)
        // A control of another view was there: this view begins anew.
        let isSameView = interface.focusView == nil || interface.focusView == viewOfFocus
        let view = viewOfFocus, gone = interface.focus
        interface.focusView = view
        let open = Set(interface.openNames + ["home"] + modality.views.map { "modal/\($0.id.raw)" })
        interface.focusPlaces = interface.focusPlaces.filter { open.contains($0.key) }
        if let focus = interface.focus, let control = all.last(where: { $0.id == focus }) {
            interface.focusSpot = control.frame
            // A banner comes and goes: where a person was in the view below stays known.
            if !focus.isOnBanner { interface.focusPlaces[view] = focus }
            // Apps and windows came since: a person who pressed no key yet begins at the first of them.
            if interface.isFocusGiven, isSameView, let first = firstFocus(among: firsts), first.id != focus { give(first, at: now) }
            return
        }
        interface.focus = nil
        let spot = isSameView ? interface.focusSpot : nil
        interface.focusTrail.forget()
        guard ownsKeys else { return }
        let wasOnBanner = gone?.isOnBanner ?? false, isBannerThere = all.contains { $0.id.isOnBanner }
        let isBack = !isSameView || gone == nil || (wasOnBanner && !isBannerThere)
        if isBack, let place = interface.focusPlaces[view], let control = all.last(where: { $0.id == place }) {
            return setKeyFocus(control, at: now)
        }
        // A button of a banner went, and the banner is still there.
        let near = wasOnBanner && isBannerThere ? rest.filter { $0.id.isOnBanner } : []
        let kind = near.isEmpty ? rest.filter { $0.role == interface.focusRole && (gone == nil || $0.id.area == gone?.area) } : near
        if let spot, let next = nearest(to: spot, among: kind.isEmpty ? rest : kind) {
            setKeyFocus(next, at: now)
        } else if let first = firstFocus(among: firsts) {
            give(first, at: now)
        }
        interface.focusHeir = interface.focus
    }

    /// Whether a press of this control removes something (P-03).
    func destroys(_ control: ViewControl) -> Bool {
        switch control.press {
        case .close, .quitApp, .closeSpace, .endTask, .endInhibitor, .endApp, .quit, .quitAnyway, .startClean, .stopInBackground,
            .removeFromDock,
            .audio(.endCall), .audio(.declineCall), .notice(.dismiss), .notice(.clear), .notice(.clearAll), .notice(.deleteFocus):
            true
        case .chooseView(let number, let index):
            modality.views.first { $0.id.raw == number }.map {
                $0.choices.indices.contains(index) && $0.choices[index].role == .destructive
            } ?? false
        default: false
        }
    }

    /// Whether a press of this control only leaves its view.
    func leaves(_ control: ViewControl) -> Bool {
        switch control.press {
        case .dismiss, .dismissView, .bannerLater, .notice(.settings(group: nil)), .notice(.leaveReply): true
        default: false
        }
    }

    /// The controls at which the focus may begin in a view: they neither remove nor leave anything, else they remove nothing (P-03).
    func beginnings(among all: [ViewControl]) -> [ViewControl] {
        let safe = all.filter { !destroys($0) }, staying = safe.filter { !leaves($0) }
        return !staying.isEmpty ? staying : safe.isEmpty ? all : safe
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
        // A banner is no view of its own, unless a person writes in it.
        let others = ["rest", "launching"] + (isReplying ? [] : ["banner", "notice"])
        return interface.openNames.last { !others.contains($0) } ?? "home"
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
