import Geometry
import Interface
import Notices
import Stage
import Windows

/// A finger on the banner of a notification: up hides it, to the side removes the notification, down shows all of it.
struct NoticeGesture: Gesture {
    var contact: Int32
    var id: NoticeID
    /// The way that the finger decided for.
    var isSideways: Bool
    /// How much of it was in sight.
    var start: Double

    var contacts: [Int32] { [contact] }
    var isCarrying: Bool { false }
    var grab: Grab { .notice(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        guard let card = screenful.views(at: now)?.noticeCard, trace.farthest > 0 else { return }
        let t = trace.translation
        if isSideways { return screenful.interface.notices.way.set(t.dx) }
        let presence = start + t.dy / card.way
        // Below its place, it resists.
        let give = screenful.measures.cardResistance * 0.5
        screenful.interface.notices.banner?.follow(presence > 1 ? 1 + (presence - 1) * give : max(0, presence), at: now)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard screenful.interface.isNoticeOpen, screenful.interface.notices.banner?.content.notice.id == id,
            let card = screenful.views(at: now)?.noticeCard
        else {
            return
        }
        let t = end.trace.translation, spring = screenful.spring
        if isSideways {
            let thrown = t.dx + end.projected.dx
            guard abs(thrown) > card.frame.width * screenful.measures.panelShare, thrown * t.dx > 0 else {
                return screenful.interface.notices.way.retarget(0, at: now, spring: spring, velocity: end.velocity.dx)
            }
            screenful.interface.notices.way.retarget(
                thrown > 0 ? card.frame.width * 1.2 : -card.frame.width * 1.2, at: now, spring: spring, velocity: end.velocity.dx)
            return hands.attempt(.notice(.dismiss(id)), &screenful, at: now, &turn)
        }
        let presence = screenful.interface.notices.banner!.presence(at: now)
        let speed = spring.tamed(end.velocity.dy, over: (1 - presence) * card.way)
        screenful.interface.notices.banner?.letGo(speed: speed / card.way, at: now)
        if t.dy < 0, end.velocity.dy < screenful.measures.panelTurn,
            -(t.dy + end.projected.dy) > min(screenful.measures.panelDistance, card.way * screenful.measures.panelShare)
        {
            turn.ask(.banner(.leaves))
        } else {
            screenful.interface.notices.banner?.comeBack(at: now, spring: spring)
            let isExpanded = screenful.interface.notices.banner?.content.isExpanded ?? false
            if t.dy > screenful.workspace.idiom.slop * 2, !isExpanded { hands.attempt(.notice(.expand(id)), &screenful, at: now, &turn) }
        }
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let spring = screenful.spring
        screenful.interface.notices.way.retarget(0, at: now, spring: spring)
        if screenful.interface.isNoticeOpen { screenful.interface.notices.banner?.comeBack(at: now, spring: spring) }
    }
}

/// Scrolls the list of the open panel, or moves a notification in it to the side, which removes it.
struct ListGesture: Gesture {
    var contact: Int32
    /// The row that moves to the side; nil: the list scrolls.
    var row: NoticeID?
    /// How far it was scrolled.
    var start: Double

    var contacts: [Int32] { [contact] }
    var isCarrying: Bool { false }
    var grab: Grab { .list(self) }

    /// Points of the screen for each point of the list.
    private func growth(_ screenful: Screenful) -> Double { screenful.workspace.idiom.views.growth }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
    {
        screenful.interface.focus = nil
        if let row {
            if screenful.interface.notices.row?.id != row { screenful.interface.notices.row = .init(row) }
            return screenful.interface.notices.row!.way.set(trace.translation.dx)
        }
        let place = start - trace.translation.dy / growth(screenful)
        screenful.interface.setListScroll(rubberBand(place, low: 0, high: screenful.listReach(at: now)))
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let t = end.trace.translation, spring = screenful.spring
        guard let row else {
            let growth = growth(screenful)
            return screenful.scrollList(
                to: start - (t.dy + end.projected.dy) / growth, velocity: -end.velocity.dy / growth, at: now)
        }
        guard let panel = screenful.views(at: now)?.noticeListPlan.panel else { return }
        let thrown = t.dx + end.projected.dx
        guard abs(thrown) > panel.width * screenful.measures.panelShare, thrown * t.dx > 0 else {
            screenful.interface.notices.row?.way.retarget(0, at: now, spring: spring, velocity: end.velocity.dx)
            return
        }
        screenful.interface.notices.row = nil
        hands.attempt(.notice(.dismiss(row)), &screenful, at: now, &turn)
        screenful.keepListScroll(at: now)
    }

    func cancelled(by hands: inout Hands, on screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let spring = screenful.spring
        screenful.interface.notices.row?.way.retarget(0, at: now, spring: spring)
        screenful.keepListScroll(at: now)
    }
}

extension Hands {
    /// A finger came down between the rows of the list, or on words of the banner that mean nothing yet.
    mutating func isOnList(_ contact: Int32, _ screenful: inout Screenful, at now: Moment) -> Bool {
        guard let point = self.contact(contact)?.trace.point, !screenful.interface.isPopoverOpen else { return false }
        return screenful.isPanelInFront && scrollsList(contact, from: point, &screenful, at: now)
    }

    /// A press on a notification, or beside one in the list, became a drag. Returns whether it is one of these.
    mutating func dragNotice(
        _ id: ControlID, _ contact: Int32, _ trace: Trace, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn
    )
        -> Bool
    {
        let t = trace.translation, isUpright = abs(t.dy) > abs(t.dx)
        switch id.area {
        case .notice:
            guard let banner = screenful.interface.notices.banner, banner.isOpen else { return false }
            takeNotice(contact, sideways: !isUpright, &screenful, at: now)
            return true
        case .notifications where screenful.interface.isNoticeListOpen:
            if isUpright { return scrollsList(contact, from: trace.start, after: t, &screenful, at: now) }
            guard id.rawValue.hasPrefix("notifications/item/"), let number = UInt32(id.path.dropFirst(5).prefix { $0 != "/" }),
                screenful.notices[NoticeID(number)] != nil
            else { return false }
            grab = .list(ListGesture(contact: contact, row: NoticeID(number), start: 0))
            return true
        case .controlCentre where isUpright, .folder where isUpright:
            return scrollsList(contact, from: trace.start, after: t, &screenful, at: now)
        default: return false
        }
    }

    mutating func takeNotice(_ contact: Int32, sideways: Bool, _ screenful: inout Screenful, at now: Moment) {
        guard let banner = screenful.interface.notices.banner, banner.isOpen else { return }
        let presence = banner.presence(at: now), catching = screenful.catching
        screenful.interface.notices.banner!.take(at: presence, catching: catching, now: now)
        grab = .notice(NoticeGesture(contact: contact, id: banner.content.notice.id, isSideways: sideways, start: min(1, presence)))
    }

    /// A list that has more than the panel shows is scrolled; another one is a panel like others, which is pushed away. The settings are
    /// read for longer, and stay.
    mutating func scrollsList(
        _ contact: Int32, from point: Point, after way: Vector = .zero, _ screenful: inout Screenful, at now: Moment
    ) -> Bool {
        let stays = screenful.interface.isInSettings
        guard let views = screenful.views(at: now), let plan = views.listPlan, plan.reach > 0 || stays,
            views.onScreen(plan.window).contains(point)
        else { return false }
        let here = screenful.interface.listScroll.value(at: now)
        // At its end, a push upwards is for the panel.
        guard stays || !(way.dy < 0 && here >= plan.reach - 1) else { return false }
        screenful.interface.setListScroll(here)
        grab = .list(ListGesture(contact: contact, start: unbanded(here, low: 0, high: plan.reach)))
        return true
    }
}
