import Geometry
import Interface
import Stage
import Windows

/// Fingers, the pointer and keys: the owner of each, and the one active gesture (law 8).
///
/// They act on the screen, which methods get as a parameter. For work in other rooms they ask the turn.
struct Hands: Hashable, Codable, Sendable {
    private var byAddress = ByAddress()
    var contacts: [Contact] = []
    /// The active gesture.
    var grab: Grab?
    /// Two fingers of a client on an item that can be pinched open. If they spread, this becomes the gesture.
    var mayPinch: PinchOpenGesture?
    /// Three fingers over windows that may move to another space.
    var mayPan: [Int32] = []
    /// Two fingers of a client in a window that its place shows in part. If they move, this becomes the gesture.
    var mayMagnify: LensGesture?
    var pointer = PointerState()
    var keys = KeyState()
    /// The last tap on a title bar, of which a second one may follow.
    var barTap: BarTap?
    var remote = RemoteState()

    /// Whether a finger or the pointer is carrying something.
    var isCarrying: Bool { grab?.isCarrying ?? false }

    /// Whether a finger or the pointer's button holds one of the shell's own gestures.
    var isGesturing: Bool { grab != nil }

    /// The part of the screen that a finger moves now.
    var held: Screenful.Held {
        switch grab {
        case .swipe: .space
        case .overviewPan: .row
        case .homePan: .pages
        default: .nothing
        }
    }

    /// Whether a finger has the banner of a notification.
    var holdsNotice: Bool { if case .notice = grab { true } else { false } }

    /// The window whose border a person drags.
    var resizedWindow: WindowID? { if case .resize(let gesture) = grab { gesture.window } else { nil } }

    // MARK: Actions

    /// An action and a finger cannot both move the same thing: the finger lets go (law 8).
    mutating func perform(_ action: Action, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        try screenful.workspace.requireOffer(of: action)
        switch action {
        case .press(let view):
            let press = try screenful.controls(at: now).press(of: view)
            if press != .press(view: view) { try perform(press, &screenful, at: now, &turn) }
            screenful.usePipControl(view, &turn)
        case .keyPointer(let wanted): try toggleKeyPointer(wanted, &screenful, at: now, &turn)
        case .adjust(let view, let share):
            try perform(screenful.controls(at: now).adjustment(of: view, to: share), &screenful, at: now, &turn)
        case .setting(let key, let value):
            guard let views = screenful.views(at: now), let setting = views.setting(key) else {
                throw Refusal("there is no setting \"\(key)\"")
            }
            if let place = views.line(fixing: setting) { throw Refusal("the configuration file says \"\(place.key)\"") }
            try perform(setting.action(value), &screenful, at: now, &turn)
        case .gazePress: try pressAtGaze(&screenful, at: now, &turn)
        default:
            if action.changesLayout { cancelGrab(&screenful, at: now, &turn) }
            try screenful.perform(action, at: now, &turn)
        }
    }

    /// The same; returns the reason if it cannot be done.
    mutating func attempt(_ action: Action, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        do { try perform(action, &screenful, at: now, &turn) } catch { turn.send(.refuse(error)) }
    }

    // MARK: Ends of gestures from outside

    /// A window goes away: gestures on it end (law 4).
    mutating func windowLeaves(_ id: WindowID, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let isUnder = grab?.isOfSpace ?? false && screenful.workspace.currentSpace?.contains(id) ?? false
        if let grab, isUnder || grab.windows.contains(id) || grab.gesture.over == id { cancelGrab(&screenful, at: now, &turn) }
        if screenful.workspace.dividerDrag == nil { screenful.releaseHeld(&turn) }
        let touched = contacts.indices.filter { contacts[$0].owner == .client(id) }
        for index in touched {
            contacts[index].owner = .nobody
            turn.send(.touchUp(contacts[index].id))
        }
        if !touched.isEmpty { turn.send(.touchFrame) }
        if pointer.deferred?.window == id { pointer.deferred = nil }
        if pointer.grabbed == id { releasePointer(.arrow, &turn) }
        if pointer.over == .window(id) { pointer.over = .nothing }
    }

    /// A placeholder (W-20) was closed, or its window replaced it: gestures on the placeholder end.
    mutating func leaveLostWindows(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard pointer.grabbed != nil || !contacts.isEmpty else { return }
        var lost = pointer.grabbed.map { [$0] } ?? []
        for contact in contacts { if case .client(let id) = contact.owner { lost.append(id) } }
        for id in lost where screenful.workspace[id] == nil { windowLeaves(id, &screenful, at: now, &turn) }
    }

    /// A view closed: a gesture that held a part of it ends (law 4).
    mutating func endLostGrab(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        switch grab {
        case .carry where !screenful.interface.isOverviewOpen, .overviewPan where !screenful.interface.isOverviewOpen,
            .homePan where !screenful.workspace.showsHome:
            cancelGrab(&screenful, at: now, &turn)
        case .notice where !screenful.interface.isNoticeOpen: cancelGrab(&screenful, at: now, &turn)
        case .list where screenful.views(at: now)?.listPlan == nil: cancelGrab(&screenful, at: now, &turn)
        case .dock where !screenful.interface.isDockOpen: cancelGrab(&screenful, at: now, &turn)
        // It was uninstalled in the hand of the person.
        case .icon(let icon) where screenful.workspace.app(icon.app) == nil: cancelGrab(&screenful, at: now, &turn)
        case .pull(let pull) where pull.hold != nil && !screenful.interface.isPanelOpen: cancelGrab(&screenful, at: now, &turn)
        case .viewCard(let card) where screenful.viewCard(card.view, at: now) == nil: cancelGrab(&screenful, at: now, &turn)
        case .slide(let slide) where screenful.control(slide.id, at: now)?.slide == nil: cancelGrab(&screenful, at: now, &turn)
        default: break
        }
    }

    /// A locker takes the session: every gesture ends now, because its end would not arrive (law 4).
    mutating func dropEverything(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        cancelGrab(&screenful, at: now, &turn)
        takeFromClients(andOverlays: true, &turn)
        contacts.removeAll()
        if !pointer.delivered.isEmpty { releasePointer(.arrow, &turn) }
        pointer = PointerState(point: pointer.point, overlay: pointer.overlay, wasOver: pointer.wasOver, isAway: pointer.isAway)
        keys.swallowed.removeAll()
        dropRemote(&screenful, &turn)
        useSuper(&turn)
        if keys.isHelpByKey { screenful.interface.close(.popover, at: now, spring: screenful.spring) }
        keys.isHelpByKey = false
    }

    // MARK: Invariants

    func violations(_ screenful: borrowing Screenful) -> [String] {
        var found: [String] = []
        func check(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { found.append(what()) } }
        let workspace = screenful.workspace, stage = screenful.stage, interface = screenful.interface
        check(grab == nil || contacts.contains { $0.owner == .shell }, "law 4: a grab that no finger holds")
        for id in stage.held where id != stage.coming { check(grab?.windows.contains(id) ?? false, "law 4: \(id) is held by nobody") }
        for (id, card) in stage.cards {
            if card.isHeld { check(holdsCard, "law 4: a card is held by nobody") }
            if !card.isLeaving { check(interface.isOverviewOpen || holdsCard, "a card stays though no view shows it: \(id)") }
        }
        if let coming = stage.coming {
            if case .flip = grab {} else { found.append("law 4: \(coming) comes and no finger flips the stack") }
        }
        if case .divider = grab {
            check(workspace.dividerDrag != nil, "law 4: a divider is held that is not dragged")
        } else {
            check(workspace.dividerDrag == nil, "law 4: a divider drag without a finger")
        }
        if let pressed = interface.pressed {
            if case .view = grab {} else { found.append("law 4: \(pressed) is pressed by nobody") }
        }
        if let sliding = interface.sliding {
            if case .slide(let slide) = grab, slide.id == sliding.id {} else { found.append("law 4: \(sliding.id) is in nobody's hand") }
        }
        if interface.lifted != nil {
            if case .icon = grab {} else { found.append("law 4: an icon is in nobody's hand") }
        }
        if stage.pinched?.phase == .held {
            if case .pinchOpen = grab {} else { found.append("law 4: an item is pinched by nobody") }
        }
        return found
    }

    private var holdsCard: Bool {
        switch grab {
        case .swipe, .carry: true
        default: false
        }
    }
}
