import Geometry
import Interface
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
        let all = focusable(at: now)
        guard let views = views(at: now) else { return KeyFocus.Context(all) }
        var context = views.focusContext(all, modality, active: interface.isModal ? nil : activeView)
        context.takesKeys = takesKeys && !isLocked
        context.ownsKeys = ownsKeys
        return context
    }

    /// Scrolls a control into sight that gets the focus.
    private mutating func showFocused(_ control: ViewControl, at now: Moment) {
        showRow(control, at: now)
        guard interface.isOverviewOpen, let screen = workspace.screen else { return }
        let room = screen.usable.inset(by: 32), left = room.minX - control.frame.minX, right = control.frame.maxX - room.maxX
        let way = left > 0 ? -left : max(0, right)
        if way != 0 { scrollOverview(to: stage.scroll.target + way, at: now) }
    }

    /// Moves the focus if its control is gone: to the nearest one, where a control always has it. Cards that come and go move
    /// the others: there the row follows the focus, unless a finger holds it (P-03).
    mutating func repairFocus(isRowHeld: Bool, at now: Moment) {
        guard interface.focus != nil || workspace.idiom.views.alwaysFocuses else { return }
        let before = interface.focus, context = focusContext(at: now)
        carryOut(interface.keyFocus.handle(.settled, in: context, at: now), at: now)
        guard context.isAlways, interface.isOverviewOpen, !isRowHeld, interface.focus == before else { return }
        if let control = context.all.last(where: { $0.id == before }) { showFocused(control, at: now) }
    }

    /// A person scrolled away from the row with the focus: the nearest control in sight gets it.
    mutating func keepFocusInSight(at now: Moment) {
        guard let focus = interface.focus, views(at: now)?.isInList(focus) ?? false else { return }
        var rested = self
        rested.interface.setListScroll(interface.listScroll.target)
        let seen = rested.controls(at: now, covered: true).filter { $0.isFocusable && $0.id.area == focus.area }
        carryOut(interface.keyFocus.handle(.scrolled, in: KeyFocus.Context(seen), at: now), at: now)
    }
}
