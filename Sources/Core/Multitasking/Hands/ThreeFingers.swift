import Geometry
import Windows

/// Three fingers over windows, where the idiom gives them a meaning: sideways to the next space, upwards to the app switcher, and down out
/// of it (W-25).
///
/// Apps have the touches until the fingers have moved far enough. A space in flight is held as soon as the third finger is down.
extension Hands {
    /// A finger came down on an app or the desktop, and may be the third of three. Returns whether the shell took them: they hold the space
    /// that was moving.
    mutating func joinsThreeFingers(_ contact: Contact, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard screenful.workspace.idiom.zones.threeFingers == .spaces, grab == nil else { return false }
        let others = contacts.filter { $0.id >= 0 && $0.id != contact.id && $0.isOfClients }
        mayPan = others.count == 2 ? others.map(\.id) + [contact.id] : []
        guard !mayPan.isEmpty, let space = screenful.workspace.currentSpace, screenful.stage.cards[.space(space.id)] == nil,
            screenful.stage.isPanning(screenful.workspace, at: now)
        else { return false }
        takeFromClients(&turn)
        var held = contact
        held.owner = .shell
        contacts.append(held)
        beginPan(contact.id, .zero, &screenful, at: now)
        return true
    }

    /// A finger came down in the app switcher. Returns whether it is the third one: what the first one held there is let go.
    mutating func joinsThreeInSwitcher(_ contact: Contact, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard screenful.workspace.idiom.zones.threeFingers == .spaces, screenful.interface.isOverviewOpen, !screenful.interface.isPanelOpen,
            !screenful.interface.isPopoverOpen
        else { return false }
        let others = contacts.filter { $0.id >= 0 }
        let slop = screenful.workspace.idiom.slop
        guard others.count == 2,
            others.allSatisfy({ $0.trace.farthest <= slop && $0.hit.isOfInterface && ($0.owner == .shell || $0.owner == .nobody) })
        else { return false }
        cancelGrab(&screenful, at: now, &turn)
        contacts.append(contact)
        mayPan = contacts.filter { $0.id >= 0 }.map(\.id)
        turn.ask(.settle())
        return true
    }

    /// One of the three moved. Returns whether the shell took them.
    mutating func beginThreeFingers(_ id: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard grab == nil, let index = contacts.firstIndex(where: { $0.id == id }),
            contacts[index].trace.translation.length > 2 * screenful.workspace.idiom.slop
        else { return false }
        // All of them move the same way: fingers that spread or turn are the app's.
        let three = mayPan, ways = contacts.filter { three.contains($0.id) }.map(\.trace.translation),
            least = screenful.workspace.idiom.slop / 2
        let way = contacts[index].trace.translation, isSideways = abs(way.dx) > abs(way.dy),
            sign = (isSideways ? way.dx : way.dy) < 0 ? -1.0 : 1
        let isInSwitcher = screenful.interface.isOverviewOpen, isMeant = isInSwitcher ? !isSideways && way.dy > 0 : isSideways || way.dy < 0
        guard isMeant, ways.allSatisfy({ (isSideways ? $0.dx : $0.dy) * sign > least }) else { return false }
        takeFromClients(&turn)
        guard isSideways else {
            if isInSwitcher { screenful.closeOverview(at: now) } else { attempt(.appSwitcher, &screenful, at: now, &turn) }
            // The same fingers lead back.
            mayPan = three
            for index in contacts.indices where three.contains(contacts[index].id) { contacts[index].trace.restart() }
            turn.ask(.settle())
            return true
        }
        guard screenful.workspace.currentSpace != nil else { return true }
        contacts[index].owner = .shell
        beginPan(id, way, &screenful, at: now)
        follow(id, &screenful, at: now, &turn)
        return true
    }
}

extension Contact {
    /// Whether an app or the desktop gets its motion.
    fileprivate var isOfClients: Bool {
        switch owner {
        case .client, .background: true
        case .overlay, .edge, .shell, .nobody: false
        }
    }
}
