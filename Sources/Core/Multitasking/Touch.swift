import Geometry
import Stage
import Windows

/// Fingers: who gets them, and when a drag becomes the shell's.
extension System {
    mutating func touchDown(_ id: Int32, at point: Point, _ now: Moment, _ effects: inout [Effect]) {
        // Fingers are numbered from 0; below are the pointer's.
        guard id >= 0, !contacts.contains(where: { $0.id == id }) else { return }
        leavePanel(&effects)
        let hit = hit(point, at: now)
        var contact = Contact(id: id, trace: Trace(point, at: now), hit: hit, owner: .nobody)
        useSuper(&effects)
        comesNearDots(point, at: now)
        defer { if !contacts.contains(where: { $0.id == id }) { contacts.append(contact) } }

        if let grab {
            // A second finger on a picture that the first one holds: both resize it. Any other is nobody's.
            if case .picture(let held) = grab, hit == .picture(held.window) {
                contact.owner = .shell
                contacts.append(contact)
                beginPinch(held.contact, id, held.window, at: now, &effects)
            }
            return
        }
        if case .picture(let window) = hit,
            let other = contacts.first(where: { $0.hit == hit && $0.id != Contact.pointer && $0.owner != .nobody })
        {
            contact.owner = .shell
            contacts.append(contact)
            takeFromClients(&effects)
            beginPinch(other.id, id, window, at: now, &effects)
            return
        }
        dismissPopups(outside: hit, &effects)
        leaveViews(for: hit, at: now, &effects)
        contact.hasCaught = isInFlight(hit, at: now)
        contact.edge = edgeClaim(point, hit)
        if contact.edge == .bottom {
            contact.owner = .shell
            contacts.append(contact)
            if catchSpace(id, at: now) { return }
            contacts.removeLast()
        }
        if contact.edge != nil, isOfShell(hit) || hit == .background {
            contact.owner = .edge
            return
        }
        if isOfShell(hit) || contact.hasCaught {
            contact.owner = .shell
            contacts.append(contact)
            begin(hit, contact: id, at: now, &effects)
            return
        }
        guard let window = hit.window else {
            contact.owner = .background
            effects.append(.touchDownOnBackground(id, at: point))
            return
        }
        if case .picture = hit {} else { personActs(in: window, at: now, &effects) }
        guard let local = stage.local(point, in: window, workspace, at: now) else { return }
        contact.owner = .client(window)
        workspace.noteInput(window, at: now)
        touchedApp(window, at: now, &effects)
        effects.append(.touchDown(id, window, at: local))
    }

    mutating func touchMoved(_ id: Int32, to point: Point, at now: Moment, _ effects: inout [Effect]) {
        guard let index = contacts.firstIndex(where: { $0.id == id }) else { return }
        contacts[index].trace.move(to: point, at: now)
        if contacts[index].edge != nil, contacts[index].trace.farthest > workspace.idiom.slop {
            if grab == nil {
                decideEdge(id, at: now, &effects)
            } else if case .pan(let pan) = grab, pan.contact == id {
                contacts[index].edge = nil
                let way = contacts[index].trace.translation
                if abs(way.dy) > abs(way.dx) { turnUp(id, at: now, &effects) }
            }
        }
        guard let index = contacts.firstIndex(where: { $0.id == id }) else { return }
        let contact = contacts[index]
        switch contact.owner {
        case .shell:
            if let grab, grab.contacts.contains(id) { follow(grab, at: now, &effects) }
        case .edge: break
        case .client(let window):
            if grab == nil, contact.edge == nil, let axis = dragAxis(of: contact.hit),
                contact.trace.isDrag(slop: workspace.idiom.slop, along: axis)
            {
                takeFromClients(&effects)
                contacts[index].owner = .shell
                begin(contact.hit, contact: id, at: now, &effects)
                if let grab, grab.contacts.contains(id) { follow(grab, at: now, &effects) }
            } else if let local = stage.local(point, in: window, workspace, at: now) {
                effects.append(.touchMotion(id, at: local))
            }
        case .background: effects.append(.touchMotion(id, at: point))
        case .nobody: break
        }
    }

    mutating func touchUp(_ id: Int32, at now: Moment, _ effects: inout [Effect]) {
        guard let index = contacts.firstIndex(where: { $0.id == id }) else { return }
        let contact = contacts[index]
        switch contact.owner {
        case .shell:
            guard let grab, grab.contacts.contains(id) else { break }
            endGrab(at: now, &effects)
            // A tap at the upper edge is one beside the cards.
            if case .pull = grab, contact.trace.farthest <= workspace.idiom.slop, interface.isOverviewOpen {
                try? dismiss(at: now)
                reconcile(at: now, &effects)
            }
        case .edge:
            // It stayed a tap, on what lies at the edge.
            if grab == nil, contact.hit != .background {
                contacts[index].owner = .shell
                begin(contact.hit, contact: id, at: now, &effects)
                if let grab, grab.contacts.contains(id) { endGrab(at: now, &effects) }
            }
        case .client, .background:
            effects.append(.touchUp(id))
            if case .picture = contact.hit, contact.trace.farthest <= workspace.idiom.slop {
                try? togglePipControls(at: now)
                reconcile(at: now, &effects)
            }
        case .nobody: break
        }
        contacts.removeAll { $0.id == id }
    }

    /// A finger that came down at an edge has gone far enough to tell: it comes from there, or it is for what lies there.
    private mutating func decideEdge(_ id: Int32, at now: Moment, _ effects: inout [Effect]) {
        guard let index = contacts.firstIndex(where: { $0.id == id }), let edge = contacts[index].edge else { return }
        let contact = contacts[index]
        switch contact.owner {
        case .client, .edge: break
        case .background, .shell, .nobody: return
        }
        contacts[index].edge = nil
        if comesFromEdge(contact, edge, at: now) {
            takeFromClients(&effects)
            contacts[index].owner = .shell
            return begin(.edge(edge), contact: id, at: now, &effects)
        }
        if contact.owner == .edge {
            guard contact.hit != .background else { return contacts[index].owner = .nobody }
            takeFromClients(&effects)
            contacts[index].owner = .shell
            return begin(contact.hit, contact: id, at: now, &effects)
        }
        if case .window(let window, .top) = contact.hit { contacts[index].hit = .window(window, nil) }
        if let window = contact.wantsMove {
            asked(window, .move(by: id), at: now, &effects)
        }
    }

    private func comesFromEdge(_ contact: Contact, _ edge: Side, at now: Moment) -> Bool {
        let t = contact.trace.translation, idiom = workspace.idiom
        let isOnHandle = contact.owner == .edge && contact.hit != .background
        switch edge {
        case .top:
            if isOnHandle, let began = contact.trace.began, now - began > idiom.handleRest { return false }
            return t.dy >= abs(t.dx) * (isOnHandle ? idiom.pullSlopeOnHandles : idiom.pullSlope)
        default:
            // Along its lower strip a card is flipped through its stack.
            if isOnHandle, case .cardBottom = contact.hit { return abs(t.dy) > abs(t.dx) }
            return true
        }
    }

    mutating func touchTakenBack(_ id: Int32, at now: Moment, _ effects: inout [Effect]) {
        guard let contact = contacts.first(where: { $0.id == id }) else { return }
        switch contact.owner {
        case .shell:
            if let grab, grab.contacts.contains(id) {
                cancelGrab(at: now, &effects)
                reconcile(at: now, &effects)
            }
        case .client, .background:
            takeFromClients(&effects)
        case .edge, .nobody: break
        }
        contacts.removeAll { $0.id == id }
    }

    /// The clients' touches end unfinished; their fingers are nobody's until they are lifted.
    mutating func takeFromClients(_ effects: inout [Effect]) {
        var had = false
        for index in contacts.indices where contacts[index].id != Contact.pointer {
            switch contacts[index].owner {
            case .client, .background:
                contacts[index].owner = .nobody
                had = true
            case .edge: contacts[index].owner = .nobody
            case .shell, .nobody: break
            }
        }
        if had { effects.append(.touchCancel) }
    }

    /// Acting in a window makes it active.
    mutating func personActs(in window: WindowID, at now: Moment, _ effects: inout [Effect]) {
        guard workspace.root(of: window) != workspace.focus.map(workspace.root) else { return }
        workspace.setFocus(window)
        reconcile(at: now, &effects)
    }

    /// A press outside closes the menus that hold the input.
    func dismissPopups(outside hit: Hit, _ effects: inout [Effect]) {
        for id in workspace.popupOwners where hit.window != id && stage.shown[id] != nil && workspace[id]!.popupGrab {
            effects.append(.dismissPopups(id))
        }
    }

    /// Menus that hold the input close when another window becomes active.
    func dismissPopups(outside active: WindowID?, _ effects: inout [Effect]) {
        for id in workspace.popupOwners where workspace[id]!.popupGrab && workspace.root(of: id) != active {
            effects.append(.dismissPopups(id))
        }
    }

    /// Views that lie over an app go away when the app is touched (W-08).
    mutating func leaveViews(for hit: Hit, at now: Moment, _ effects: inout [Effect]) {
        guard interface.isShelfOpen || interface.isDockOpen, !hit.isOfInterface else { return }
        interface.close(.shelf, at: now, spring: spring)
        interface.close(.dock, at: now, spring: spring)
        reconcile(at: now, &effects)
    }

    /// A finger here is the shell's from the beginning.
    private func isOfShell(_ hit: Hit) -> Bool {
        switch hit {
        case .divider(let over): over == nil
        case .cardTop, .cardBottom, .slideOverHandle, .pipTab, .window(_, .grip): true
        // A tap shows its controls. An app that made itself a picture has handles of its own (xx-pip).
        case .picture(let window): !(workspace[window]?.facts.isPip ?? false)
        case .window, .background: false
        case .view, .home, .overview, .panel, .outside, .edge: true
        }
    }

    /// Along which axis a drag that began here is the shell's; nil: never.
    func dragAxis(of hit: Hit) -> Trace.DragAxis? {
        switch hit {
        case .divider:
            guard let split = workspace.currentSpace?.split, let screen = workspace.screen else { return nil }
            return split.axis(on: screen.size) == .horizontal ? .horizontal : .vertical
        case .picture: return .any
        case .window(_, .grip), .window(_, .cardTop): return .any
        case .window(_, .bottom): return .any
        case .window(_, .cardBottom): return .horizontal
        case .window(_, .top): return .vertical
        case .window(_, nil), .cardTop, .cardBottom, .slideOverHandle, .pipTab, .background, .view, .home, .overview,
            .panel, .outside, .edge:
            return nil
        }
    }
}
