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

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let card = desk.views(at: now)?.noticeCard, trace.farthest > 0 else { return }
        let t = trace.translation
        if isSideways { return desk.interface.notices.way.set(t.dx) }
        let presence = start + t.dy / card.way
        // Below its place, it resists.
        let give = desk.measures.cardResistance * 0.5
        desk.interface.notices.banner?.follow(presence > 1 ? 1 + (presence - 1) * give : max(0, presence), at: now)
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard desk.isNoticeOpen, desk.interface.notices.banner?.content.notice.id == id, let card = desk.views(at: now)?.noticeCard else {
            return
        }
        let t = end.trace.translation, spring = desk.spring
        if isSideways {
            let thrown = t.dx + end.projected.dx
            guard abs(thrown) > card.frame.width * desk.measures.panelShare, thrown * t.dx > 0 else {
                return desk.interface.notices.way.retarget(0, at: now, spring: spring, velocity: end.velocity.dx)
            }
            desk.interface.notices.way.retarget(
                thrown > 0 ? card.frame.width * 1.2 : -card.frame.width * 1.2, at: now, spring: spring, velocity: end.velocity.dx)
            return hands.attempt(.notice(.dismiss(id)), &desk, at: now, &turn)
        }
        let presence = desk.interface.notices.banner!.presence(at: now)
        let speed = desk.tamed(end.velocity.dy, over: (1 - presence) * card.way, spring)
        desk.interface.notices.banner?.letGo(speed: speed / card.way, at: now)
        if t.dy < 0, end.velocity.dy < desk.measures.panelTurn,
            -(t.dy + end.projected.dy) > min(desk.measures.panelDistance, card.way * desk.measures.panelShare)
        {
            turn.ask(.banner(.leaves))
        } else {
            desk.interface.notices.banner?.comeBack(at: now, spring: spring)
            let isExpanded = desk.interface.notices.banner?.content.isExpanded ?? false
            if t.dy > desk.workspace.idiom.slop * 2, !isExpanded { hands.attempt(.notice(.expand(id)), &desk, at: now, &turn) }
        }
    }

    func cancelled(by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        let spring = desk.spring
        desk.interface.notices.way.retarget(0, at: now, spring: spring)
        if desk.isNoticeOpen { desk.interface.notices.banner?.comeBack(at: now, spring: spring) }
    }
}

/// Scrolls the list of notifications, or moves one of its rows to the side, which removes it.
struct NoticeListGesture: Gesture {
    var contact: Int32
    /// The row that moves to the side; nil: the list scrolls.
    var row: NoticeID?
    /// How far it was scrolled.
    var start: Double

    var contacts: [Int32] { [contact] }
    var isCarrying: Bool { false }
    var grab: Grab { .noticeList(self) }

    func moved(_ trace: Trace, on screen: Screen, by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        desk.interface.focus = nil
        if let row {
            if desk.interface.notices.row?.id != row { desk.interface.notices.row = .init(row) }
            return desk.interface.notices.row!.way.set(trace.translation.dx)
        }
        desk.interface.notices.scroll.set(rubberBand(start - trace.translation.dy, low: 0, high: desk.noticeReach(at: now)))
    }

    func ended(_ end: GestureEnd, by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        let t = end.trace.translation, spring = desk.spring
        guard let row else { return desk.scrollNotices(to: start - t.dy - end.projected.dy, velocity: -end.velocity.dy, at: now) }
        guard let panel = desk.views(at: now)?.noticeListPlan.panel else { return }
        let thrown = t.dx + end.projected.dx
        guard abs(thrown) > panel.width * desk.measures.panelShare, thrown * t.dx > 0 else {
            desk.interface.notices.row?.way.retarget(0, at: now, spring: spring, velocity: end.velocity.dx)
            return
        }
        desk.interface.notices.row = nil
        hands.attempt(.notice(.dismiss(row)), &desk, at: now, &turn)
        desk.keepNoticeScroll(at: now)
    }

    func cancelled(by hands: inout Hands, on desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        let spring = desk.spring
        desk.interface.notices.row?.way.retarget(0, at: now, spring: spring)
        desk.keepNoticeScroll(at: now)
    }
}

extension Hands {
    /// A finger came down between the rows of the list, or on words of the banner that mean nothing yet.
    mutating func isOnNotices(_ contact: Int32, _ desk: inout Desk, at now: Moment) -> Bool {
        guard let point = self.contact(contact)?.trace.point, !desk.interface.isPopoverOpen else { return false }
        return desk.isPanelInFront && scrollsNotices(contact, from: point, &desk, at: now)
    }

    /// A press on a notification, or beside one in the list, became a drag. Returns whether it is one of these.
    mutating func dragNotice(_ id: ControlID, _ contact: Int32, _ trace: Trace, _ desk: inout Desk, at now: Moment, _ turn: inout Turn)
        -> Bool
    {
        let t = trace.translation, isUpright = abs(t.dy) > abs(t.dx)
        switch id.area {
        case .notice:
            guard let banner = desk.interface.notices.banner, banner.isOpen else { return false }
            takeNotice(contact, sideways: !isUpright, &desk, at: now)
            return true
        case .notifications where desk.isNoticeListOpen:
            if isUpright { return scrollsNotices(contact, from: trace.start, after: t, &desk, at: now) }
            guard id.rawValue.hasPrefix("notifications/item/"), let number = UInt32(id.path.dropFirst(5).prefix { $0 != "/" }),
                desk.notices[NoticeID(number)] != nil
            else { return false }
            grab = .noticeList(NoticeListGesture(contact: contact, row: NoticeID(number), start: 0))
            return true
        default: return false
        }
    }

    mutating func takeNotice(_ contact: Int32, sideways: Bool, _ desk: inout Desk, at now: Moment) {
        guard let banner = desk.interface.notices.banner, banner.isOpen else { return }
        let presence = banner.presence(at: now), catching = desk.catching
        desk.interface.notices.banner!.take(at: presence, catching: catching, now: now)
        grab = .notice(NoticeGesture(contact: contact, id: banner.content.notice.id, isSideways: sideways, start: min(1, presence)))
    }

    /// A list that has more than the panel shows is scrolled; another one is a panel like others, which is pushed away.
    mutating func scrollsNotices(_ contact: Int32, from point: Point, after way: Vector = .zero, _ desk: inout Desk, at now: Moment) -> Bool
    {
        guard desk.isNoticeListOpen, let plan = desk.views(at: now)?.noticeListPlan, plan.reach > 0, plan.window.contains(point) else {
            return false
        }
        let here = desk.interface.notices.scroll.value(at: now)
        // At its end, a push upwards is for the panel.
        guard !(way.dy < 0 && here >= plan.reach - 1) else { return false }
        desk.interface.notices.scroll.set(here)
        grab = .noticeList(NoticeListGesture(contact: contact, start: unbanded(here, low: 0, high: plan.reach)))
        return true
    }
}
