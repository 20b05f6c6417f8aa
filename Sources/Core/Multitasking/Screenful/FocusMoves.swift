import Geometry
import Interface
import Modality
import Stage
import Windows

/// The context of the keyboard focus, and the effect of its moves on the screen.
extension Screenful {
    mutating func keyFocus(_ event: KeyFocus.Event, at now: Moment) {
        switch event {
        case .forgotten, .pressed, .opened: carryOut(interface.keyFocus.handle(event, in: KeyFocus.Context([]), at: now), at: now)
        default: carryOut(interface.keyFocus.handle(event, in: focusContext(at: now), at: now), at: now)
        }
    }

    private mutating func carryOut(_ outcomes: [KeyFocus.Outcome], at now: Moment) {
        for outcome in outcomes {
            switch outcome {
            case .took(let control, let before):
                if workspace.idiom.views.alwaysFocuses { interface.unfoldBanner(from: before, to: control.id) }
                showFocused(control, at: now)
            case .leavesBanner:
                if workspace.idiom.views.alwaysFocuses { interface.unfoldBanner(from: interface.focus, to: nil) }
                interface.focus = nil
            case .turnsPage(let way, let place):
                let page = interface.home.page
                showPage(page + (way.isFirst ? -1 : 1) * (readingWay > 0 ? 1 : -1), at: now)
                if interface.home.page != page { keyFocus(.turnedPage(way, from: place), at: now) }
            }
        }
    }

    func focusContext(at now: Moment) -> KeyFocus.Context {
        let all = focusable(at: now), modality = self.modality
        var context = KeyFocus.Context(all)
        context.destroying = Set(all.lazy.filter { $0.destroys(modality) }.map(\.id))
        context.leaving = Set(all.lazy.filter(\.leaves).map(\.id))
        context.isAlways = workspace.idiom.views.alwaysFocuses
        context.takesKeys = takesKeys && !isLocked
        context.ownsKeys = ownsKeys
        context.view = viewOfFocus
        context.openViews = Set(interface.openNames + ["home"] + modality.views.map { "modal/\($0.id.raw)" })
        context.beginning = beginning
        context.isMenu = interface.openBarMenu != nil
        context.hasPages = workspace.showsHome && !interface.isModal
        return context
    }

    /// Scrolls a control into sight that gets the focus.
    private mutating func showFocused(_ control: ViewControl, at now: Moment) {
        showNotice(control, at: now)
        guard interface.isOverviewOpen, let screen = workspace.screen else { return }
        let room = screen.usable.inset(by: 32)
        if control.frame.minX < room.minX {
            scrollOverview(to: stage.scroll.target - (room.minX - control.frame.minX), at: now)
        } else if control.frame.maxX > room.maxX {
            scrollOverview(to: stage.scroll.target + (control.frame.maxX - room.maxX), at: now)
        }
    }

    /// Moves the focus if its control is gone: to the nearest one, where a control always has it.
    mutating func repairFocus(at now: Moment) {
        guard interface.focus != nil || workspace.idiom.views.alwaysFocuses else { return }
        keyFocus(.settled, at: now)
    }

    /// A person scrolled away from the row with the focus: the nearest control in sight gets it.
    mutating func keepFocusInSight(at now: Moment) {
        guard let focus = interface.focus, focus.area == .notifications else { return }
        var rested = self
        rested.interface.notices.scroll.set(interface.notices.scroll.target)
        let seen = rested.controls(at: now, covered: true).filter { $0.isFocusable && $0.id.area == .notifications }
        carryOut(interface.keyFocus.handle(.scrolled, in: KeyFocus.Context(seen), at: now), at: now)
    }

    /// Names the view that has the keys.
    private var viewOfFocus: String {
        if !interface.isModal, let view = activeView { return "modal/\(view.id.raw)" }
        // A banner is no view of its own, unless a person writes in it.
        let others = ["rest", "launching"] + (interface.isReplying ? [] : ["banner", "notice"])
        return interface.openNames.last { !others.contains($0) } ?? "home"
    }

    private var beginning: KeyFocus.Beginning {
        if !interface.isModal, let view = activeView {
            return .answer(view.preferred.map { ControlID(.modal, view.id.raw).part("choice/\($0)") })
        }
        // The second card is the app that was used before: a switch is two keys.
        if interface.isOverviewOpen, !interface.isPopoverOpen, !interface.isPanelOpen { return .card(isSecond: !workspace.isHome) }
        if !interface.isModal, workspace.showsHome {
            // In a search, OK opens the best result.
            let app = isSearching ? nil : workspace.current.flatMap(workspace.space)?.windows.first.flatMap { workspace[$0]?.app }
            return .icon(app.map { ControlID(.home, $0) })
        }
        return .first
    }
}
