import Geometry
import Seat
import Stage
import Windows

/// Fingers: which surface gets them, and when a drag becomes the shell's.
extension Hands {
    /// Fingers are numbered from 0; the pointer has a negative number.
    func isNew(_ id: Int32) -> Bool { id >= 0 && !contacts.contains { $0.id == id } }

    mutating func touchDown(
        _ id: Int32, at point: Point, over overlay: Overlay?, isEdge: Bool = false, _ screenful: inout Screenful, _ now: Moment,
        _ turn: inout Turn
    ) {
        guard isNew(id) else { return }
        pointer.isAway = true
        if screenful.isWristDown {
            turn.ask(.wrist(.used))
            contacts.append(Contact(id: id, trace: Trace(point, at: now), hit: .background, owner: .nobody))
            return turn.ask(.settle())
        }
        if let overlay {
            useSuper(&turn)
            var contact = Contact(id: id, trace: Trace(point, at: now), hit: .background, owner: .overlay(overlay))
            defer { contacts.append(contact) }
            if isEdge, grab == nil {
                // A key of a keyboard must not be typed by a swipe, so the panel waits until the finger has decided.
                contact.owner = .edge
                contact.edge = .bottom
                contact.over = overlay
                return turn.send(.startTimer(.hands(.longPress), at: now + screenful.measures.edgeRest))
            }
            return turn.send(.touchDownOnOverlay(id, overlay, at: point))
        }
        let hit = screenful.hit(point, at: now)
        var contact = Contact(id: id, trace: Trace(point, at: now), hit: hit, owner: .nobody)
        useSuper(&turn)
        screenful.comesNearDots(point, at: now)
        screenful.look(at: point, at: now)
        defer { if !contacts.contains(where: { $0.id == id }) { contacts.append(contact) } }

        if joinsThreeInSwitcher(contact, &screenful, at: now, &turn) { return }
        if let grab {
            // A third finger ends a pinch: the item goes back.
            if case .pinchOpen = grab {
                cancelGrab(&screenful, at: now, &turn)
                turn.ask(.settle())
            }
            // A second finger on a Picture in Picture window that the first one holds resizes it. Other fingers are ignored.
            if case .picture(let held) = grab, hit == .picture(held.window) {
                contact.owner = .shell
                contacts.append(contact)
                beginPinch(held.contact, id, held.window, &screenful, at: now, &turn)
            }
            if joinMove(&contact) { contacts.append(contact) }
            return
        }
        if case .picture(let window) = hit,
            let other = contacts.first(where: { $0.hit == hit && $0.id != Contact.pointer && $0.owner != .nobody })
        {
            contact.owner = .shell
            contacts.append(contact)
            takeFromClients(&turn)
            beginPinch(other.id, id, window, &screenful, at: now, &turn)
            return
        }
        if let space = screenful.flyingHome(at: point, now) {
            contact.owner = .shell
            contact.hasCaught = true
            contacts.append(contact)
            return catchFlight(id, space, &screenful, at: now, &turn)
        }
        screenful.dismissPopups(outside: hit, at: now, &turn)
        screenful.leaveViews(for: hit, at: now, &turn)
        leaveBar(for: hit, &screenful, &turn)
        contact.hasCaught = screenful.stage.isInFlight(hit, screenful.workspace, at: now)
        contact.edge = screenful.edgeClaim(point, hit)
        if contact.edge == .bottom {
            contact.isOnLine =
                grab == nil && screenful.interface.screenKeyboard != nil
                && screenful.views(at: now)?.callsKeyboard(at: point) ?? false
            if contact.isOnLine { turn.send(.startTimer(.hands(.longPress), at: now + screenful.measures.longPress)) }
            contact.owner = .shell
            contacts.append(contact)
            if catchSpace(id, &screenful, at: now) { return }
            contacts.removeLast()
        }
        if contact.edge != nil, screenful.stage.isOfShell(hit, screenful.workspace) || hit == .background {
            contact.owner = .edge
            return
        }
        if screenful.stage.isOfShell(hit, screenful.workspace) || contact.hasCaught {
            contact.owner = .shell
            contacts.append(contact)
            begin(hit, contact: id, &screenful, at: now, &turn)
            return
        }
        guard let window = hit.window else {
            contact.owner = .background
            if joinsThreeFingers(contact, &screenful, at: now, &turn) { return }
            turn.send(.touchDownOnBackground(id, at: point))
            return
        }
        if case .picture = hit {} else { screenful.personActs(in: window, at: now, &turn) }
        guard let local = screenful.stage.local(point, in: window, screenful.workspace, at: now) else { return }
        guard !isTwice(window, pointer.grabbed.map { [$0] } ?? [], screenful) else { return }
        contact.owner = .client(window)
        screenful.workspace.noteInput(window, at: now)
        if contact.edge == nil { screenful.workspace.isUsed(window) }
        if joinsThreeFingers(contact, &screenful, at: now, &turn) { return }
        turn.ask(.touchedApp(window))
        notePinch(contact, in: window, screenful, at: now)
        noteLens(contact, in: window, screenful, at: now)
        turn.send(.touchDown(id, window, at: local))
    }

    /// One press has one release: X11 programs see the first finger as button 1 of the pointer, and Xwayland has one pointer for all
    /// of them. So a finger and a button of the mouse never press in X11 windows at the same time.
    func isTwice(_ window: WindowID, _ pressed: some Sequence<WindowID>, _ screenful: Screenful) -> Bool {
        func isX11(_ id: WindowID) -> Bool { screenful.workspace.read(id) { $0.facts.isX11 } ?? false }
        return isX11(window) && pressed.contains(where: isX11)
    }

    mutating func touchMoved(_ id: Int32, to point: Point, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let index = contacts.firstIndex(where: { $0.id == id }) else { return }
        contacts[index].trace.move(to: point, at: now)
        if contacts[index].edge != nil, contacts[index].trace.farthest > screenful.workspace.idiom.slop {
            if grab == nil {
                decideEdge(id, &screenful, at: now, &turn)
            } else if case .pan(let pan) = grab, pan.contact == id {
                contacts[index].edge = nil
                let way = contacts[index].trace.translation
                if abs(way.dy) > abs(way.dx) { turnUp(id, &screenful, at: now, &turn) }
            }
        }
        guard let index = contacts.firstIndex(where: { $0.id == id }) else { return }
        // Without a copy of the contact, because most motion is of a gesture that has begun.
        if case .shell = contacts[index].owner {
            follow(id, &screenful, at: now, &turn)
            return
        }
        let contact = contacts[index]
        if mayPan.contains(id), beginThreeFingers(id, &screenful, at: now, &turn) { return }
        switch contact.owner {
        case .shell, .edge: break
        case .client(let window):
            if let pinch = mayPinch, pinch.contacts.contains(id), begins(pinch, screenful) {
                beginPinchOpen(pinch, &screenful, at: now, &turn)
                follow(id, &screenful, at: now, &turn)
            } else if mayMagnify != nil, beginLens(id, &screenful, at: now, &turn) {
                follow(id, &screenful, at: now, &turn)
            } else if grab == nil, contact.edge == nil, let axis = screenful.stage.dragAxis(of: contact.hit, screenful.workspace),
                contact.trace.isDrag(slop: screenful.workspace.idiom.slop, along: axis), !isSpreading(id, screenful)
            {
                takeFromClients(&turn)
                contacts[index].owner = .shell
                begin(contact.hit, contact: id, &screenful, at: now, &turn)
                follow(id, &screenful, at: now, &turn)
            } else if let local = screenful.stage.local(point, in: window, screenful.workspace, at: now) {
                turn.send(.touchMotion(id, at: local))
            }
        case .background, .overlay: turn.send(.touchMotion(id, at: point))
        case .nobody: break
        }
    }

    mutating func touchUp(_ id: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let index = contacts.firstIndex(where: { $0.id == id }) else { return }
        let contact = contacts[index]
        if let pinch = mayPinch, pinch.contacts.contains(id) { mayPinch = nil }
        if mayPan.contains(id) { mayPan = [] }
        if let lens = mayMagnify, lens.contacts.contains(id) { mayMagnify = nil }
        if contact.isOnLine { turn.send(.stopTimer(.hands(.longPress))) }
        switch contact.owner {
        case .shell:
            guard let grab, grab.contacts.contains(id) else { break }
            endGrab(&screenful, at: now, &turn)
            // A tap at the upper edge while cards are shown counts as a tap beside them.
            if case .pull = grab, contact.trace.farthest <= screenful.workspace.idiom.slop, screenful.interface.isOverviewOpen {
                try? screenful.dismiss(at: now, &turn)
                turn.ask(.settle())
            }
        case .edge:
            // It stayed a tap, so it is for the view at the edge.
            if let overlay = contact.over {
                turn.send(.stopTimer(.hands(.longPress)))
                turn.send(.touchDownOnOverlay(id, overlay, at: contact.trace.start))
                turn.send(.touchFrame)
                turn.send(.touchUp(id))
            } else if grab == nil, contact.hit != .background {
                contacts[index].owner = .shell
                begin(contact.hit, contact: id, &screenful, at: now, &turn)
                if let grab, grab.contacts.contains(id) { endGrab(&screenful, at: now, &turn) }
            }
        case .client, .background, .overlay:
            turn.send(.touchUp(id))
            if case .picture = contact.hit, contact.trace.farthest <= screenful.workspace.idiom.slop {
                try? screenful.pictureTapped(at: now)
                turn.ask(.settle())
            }
        case .nobody: break
        }
        contacts.removeAll { $0.id == id }
    }

    /// A finger that came down at an edge has moved far enough to decide: it is an edge gesture, or it is for the view there.
    private mutating func decideEdge(_ id: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let index = contacts.firstIndex(where: { $0.id == id }), let edge = contacts[index].edge else { return }
        let contact = contacts[index]
        switch contact.owner {
        case .client, .edge: break
        case .background, .overlay, .shell, .nobody: return
        }
        contacts[index].edge = nil
        contacts[index].isOnLine = false
        if contact.over != nil || contact.isOnLine {
            contacts[index].over = nil
            turn.send(.stopTimer(.hands(.longPress)))
        }
        if comesFromEdge(contact, edge, screenful.workspace.idiom, at: now) {
            takeFromClients(&turn)
            contacts[index].owner = .shell
            return begin(.edge(edge), contact: id, &screenful, at: now, &turn)
        }
        if contact.owner == .edge {
            guard contact.hit != .background else { return contacts[index].owner = .nobody }
            takeFromClients(&turn)
            contacts[index].owner = .shell
            return begin(contact.hit, contact: id, &screenful, at: now, &turn)
        }
        if case .window(let window, .top) = contact.hit { contacts[index].hit = .window(window, nil) }
        if let window = contact.wantsMove {
            asked(window, .move(by: id), &screenful, at: now, &turn)
        }
    }

    /// A panel goes away, and a finger at the lower edge waited for it.
    mutating func lose(_ overlay: Overlay) {
        for index in contacts.indices where contacts[index].over == overlay {
            contacts[index].over = nil
            contacts[index].edge = nil
            contacts[index].owner = .nobody
        }
    }

    /// A finger rests on a panel at the lower edge: it is for the panel, such as a long press on a key.
    mutating func restsAtEdge(_ turn: inout Turn) -> Bool {
        guard let index = contacts.firstIndex(where: { $0.over != nil && $0.owner == .edge }), let overlay = contacts[index].over else {
            return false
        }
        contacts[index].over = nil
        contacts[index].edge = nil
        contacts[index].owner = .overlay(overlay)
        turn.send(.touchDownOnOverlay(contacts[index].id, overlay, at: contacts[index].trace.start))
        turn.send(.touchFrame)
        return true
    }

    /// A finger rests on the line at the bottom: it calls or hides the on-screen keyboard, and has no other effect from now on.
    mutating func restsOnLine(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard grab == nil, let index = contacts.firstIndex(where: { $0.isOnLine && $0.edge == .bottom }) else { return false }
        contacts[index].isOnLine = false
        contacts[index].edge = nil
        takeFromClients(&turn)
        contacts[index].owner = .nobody
        attempt(.screenKeyboard(), &screenful, at: now, &turn)
        return true
    }

    private func comesFromEdge(_ contact: Contact, _ edge: Side, _ idiom: Idiom, at now: Moment) -> Bool {
        let t = contact.trace.translation
        let isOnHandle = contact.owner == .edge && contact.hit != .background
        switch edge {
        case .top:
            if isOnHandle, let began = contact.trace.began, now - began > idiom.pull.handleRest { return false }
            return t.dy >= abs(t.dx) * (isOnHandle ? idiom.pull.slopeOnHandles : idiom.pull.slope)
        default:
            // A drag along the lower strip of a card flips through its stack.
            if isOnHandle, case .cardBottom = contact.hit { return abs(t.dy) > abs(t.dx) }
            return true
        }
    }

    mutating func touchTakenBack(_ id: Int32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let contact = contacts.first(where: { $0.id == id }) else { return }
        switch contact.owner {
        case .shell:
            if let grab, grab.contacts.contains(id) {
                cancelGrab(&screenful, at: now, &turn)
                turn.ask(.settle())
            }
        case .client, .background, .overlay: takeFromClients(andOverlays: contact.owner.isOverlay, &turn)
        case .edge, .nobody: break
        }
        contacts.removeAll { $0.id == id }
    }

    /// Cancels the touches of all clients. Their fingers are ignored until they are lifted. Fingers on overlays
    /// alone stay there, unless they are meant too.
    mutating func takeFromClients(andOverlays: Bool = false, _ turn: inout Turn) {
        var had = false
        mayPan = []
        mayPinch = nil
        mayMagnify = nil
        for index in contacts.indices where contacts[index].id != Contact.pointer {
            switch contacts[index].owner {
            case .client, .background:
                contacts[index].owner = .nobody
                had = true
            case .edge: contacts[index].owner = .nobody
            case .overlay where andOverlays: had = true
            case .overlay, .shell, .nobody: break
            }
        }
        guard had else { return }
        // The protocol takes all of them back at once.
        for index in contacts.indices where contacts[index].owner.isOverlay { contacts[index].owner = .nobody }
        turn.send(.touchCancel)
    }
}
