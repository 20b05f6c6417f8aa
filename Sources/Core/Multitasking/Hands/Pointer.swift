import Geometry
import Seat
import Stage
import Windows

/// The pointer: its motion, its buttons, its wheel.
extension Hands {
    private func shape(over hit: Hit, _ screenful: Screenful) -> Cursor? {
        screenful.stage.cursor(for: hit, screenful.workspace, isModal: screenful.interface.isModal)
    }

    static let leftButton: UInt32 = 0x110
    static let rightButton: UInt32 = 0x111

    mutating func pointerMoved(to point: Point, over overlay: Overlay?, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        pointer.point = point
        pointer.overlay = overlay
        pointer.isAway = false
        followHotCorner(screenful, at: now, &turn)
        followBar(&screenful, at: now, &turn)
        if let index = contacts.firstIndex(where: { $0.id == Contact.pointer }) {
            contacts[index].trace.move(to: point, at: now)
            if follow(Contact.pointer, &screenful, at: now, &turn) { return }
            let contact = contacts[index], slop = screenful.workspace.idiom.slop / 2
            // Law 4: an item that a finger holds stays with that finger.
            guard grab == nil, let deferred = pointer.deferred, contact.trace.isDrag(slop: slop, along: .any) else { return }
            pointer.deferred = nil
            if let axis = screenful.stage.dragAxis(of: contact.hit, screenful.workspace), contact.trace.isDrag(slop: slop, along: axis) {
                turn.send(.pointerOnShell(.grabbing))
                pointer.over = .shell(.grabbing)
                begin(contact.hit, contact: Contact.pointer, &screenful, at: now, &turn)
                follow(Contact.pointer, &screenful, at: now, &turn)
            } else {
                // The drag goes across the shell's axis: it belongs to the app.
                contacts.remove(at: index)
                pointer.shellButton = nil
                press(deferred.button, on: deferred.window, at: contact.trace.start, &screenful, now, &turn)
                if let local = screenful.stage.local(point, in: deferred.window, screenful.workspace, at: now) {
                    turn.send(.pointerOnWindow(deferred.window, at: local))
                }
            }
            return
        }
        if let window = pointer.grabbed {
            if let local = screenful.stage.local(point, in: window, screenful.workspace, at: now) {
                turn.send(.pointerOnWindow(window, at: local))
            }
            return
        }
        // The panel that got the press gets the rest of it too.
        if !pointer.delivered.isEmpty {
            if case .overlay(let held) = pointer.over { return turn.send(.pointerOnOverlay(held, at: point)) }
            return turn.send(.pointerOnBackground(at: point))
        }
        hover(&screenful, at: now, &turn)
    }

    /// Something else is now under a resting pointer.
    mutating func refreshHover(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard pointer.wasOver, !pointer.isAway, grab == nil, pointer.grabbed == nil, pointer.buttons.isEmpty,
            pointer.delivered.isEmpty
        else { return }
        if let overlay = pointer.overlay {
            guard pointer.over != .overlay(overlay) else { return }
            hover(&screenful, at: now, &turn)
            return turn.send(.pointerFrame)
        }
        let hit = screenful.hit(pointer.point, precise: true, at: now)
        let under: PointerState.Over = shape(over: hit, screenful).map { .shell($0) } ?? hit.window.map { .window($0) } ?? .background
        var isNew = under != pointer.over
        // The same window, under another point of it.
        if !isNew, case .window(let id) = under {
            isNew = screenful.stage.local(pointer.point, in: id, screenful.workspace, at: now) != pointer.local
        }
        guard isNew else { return }
        hover(over: hit, &screenful, at: now, &turn)
        turn.send(.pointerFrame)
    }

    /// Its button or wheel is used where it was before a finger came.
    mutating func pointerComesBack(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard pointer.isAway else { return }
        pointer.isAway = false
        refreshHover(&screenful, at: now, &turn)
    }

    /// Tells whatever lies under the pointer that it is there.
    mutating func hover(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        if let overlay = pointer.overlay {
            pointer.wasOver = true
            pointer.over = .overlay(overlay)
            return turn.send(.pointerOnOverlay(overlay, at: pointer.point))
        }
        hover(over: screenful.hit(pointer.point, precise: true, at: now), &screenful, at: now, &turn)
    }

    /// The overlay that gets the next button.
    var overlayUnderPointer: Overlay? {
        if contacts.contains(where: { $0.id == Contact.pointer }) { return nil }
        if pointer.delivered.isEmpty { return pointer.overlay }
        if case .overlay(let held) = pointer.over { return held }
        return nil
    }

    private mutating func hover(over hit: Hit, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        pointer.wasOver = true
        screenful.comesNearDots(pointer.point, at: now)
        // A pointer that only rests takes the look from no eyes (V-02).
        if screenful.gaze.point == nil || pointer.lookedFrom != pointer.point { screenful.look(at: pointer.point, at: now) }
        pointer.lookedFrom = pointer.point
        if let cursor = shape(over: hit, screenful) {
            if pointer.over != .shell(cursor) {
                pointer.over = .shell(cursor)
                turn.send(.pointerOnShell(cursor))
            }
        } else if let window = hit.window, let local = screenful.stage.local(pointer.point, in: window, screenful.workspace, at: now) {
            pointer.over = .window(window)
            pointer.local = local
            turn.send(.pointerOnWindow(window, at: local))
        } else {
            pointer.over = .background
            turn.send(.pointerOnBackground(at: pointer.point))
        }
    }

    mutating func pointerButton(_ button: UInt32, _ pressed: Bool, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard pressed else { return pointerReleased(button, &screenful, at: now, &turn) }
        if screenful.isWristDown {
            turn.ask(.wrist(.used))
            return turn.ask(.settle())
        }
        pointerComesBack(&screenful, at: now, &turn)
        guard pointer.buttons.append(button).inserted else { return }
        // One owner: while a client or the shell holds a button, the others go the same way.
        if !pointer.delivered.isEmpty { return deliver(button, &turn) }
        guard !contacts.contains(where: { $0.id == Contact.pointer }) else { return }
        if pointer.overlay != nil {
            useSuper(&turn)
            hover(&screenful, at: now, &turn)
            return deliver(button, &turn)
        }

        let hit = screenful.hit(pointer.point, precise: true, at: now)
        useSuper(&turn)
        screenful.dismissPopups(outside: hit, at: now, &turn)
        screenful.leaveViews(for: hit, at: now, &turn)
        if case .view(let id) = hit, button == Hands.rightButton, let menu = screenful.control(id, at: now)?.menu {
            screenful.interface.pressed = id
            attempt(menu, &screenful, at: now, &turn)
            screenful.interface.pressed = nil
            return turn.ask(.settle())
        }
        if pointer.modifiers.contains(.super), button == Hands.leftButton, let window = hit.window, grab == nil {
            return superDrag(window, &screenful, at: now, &turn)
        }
        if button == Hands.leftButton, grab == nil {
            switch hit {
            case .divider, .border, .cardTop, .cardBottom, .slideOverHandle, .pipTab, .view, .home, .overview, .panel, .outside, .edge,
                .inert:
                return takePointer(hit, button, &screenful, at: now, &turn)
            case .picture where screenful.stage.isInFlight(hit, screenful.workspace, at: now):
                return takePointer(hit, button, &screenful, at: now, &turn)
            case .picture(let window), .window(let window, .grip), .window(let window, .bottom), .window(let window, .top):
                addPointerContact(hit, button, at: now)
                pointer.deferred = .init(button: button, window: window)
                return
            case .window, .background: break
            }
        }
        guard let window = hit.window else {
            // On the shell's own views only the left button has a meaning.
            guard hit == .background || hit == .home else { return }
            if pointer.over != .background { hover(&screenful, at: now, &turn) }
            return deliver(button, &turn)
        }
        press(button, on: window, at: pointer.point, &screenful, now, &turn)
    }

    /// From here to the release of the last button, this window gets all pointer events.
    private mutating func press(
        _ button: UInt32, on window: WindowID, at point: Point, _ screenful: inout Screenful, _ now: Moment, _ turn: inout Turn
    ) {
        if screenful.workspace.pip?.window != window { screenful.personActs(in: window, at: now, &turn) }
        guard let local = screenful.stage.local(point, in: window, screenful.workspace, at: now) else { return }
        screenful.workspace.noteInput(window, at: now)
        screenful.workspace.isUsed(window)
        turn.ask(.touchedApp(window))
        let touched = contacts.lazy.compactMap { if case .client(let id) = $0.owner { id } else { nil } }
        guard !isTwice(window, touched, screenful) else { return }
        pointer.over = .window(window)
        pointer.grabbed = window
        turn.send(.pointerOnWindow(window, at: local))
        deliver(button, &turn)
    }

    private mutating func deliver(_ button: UInt32, _ turn: inout Turn) {
        pointer.delivered.append(button)
        turn.send(.pointerButton(button, pressed: true))
    }

    /// The pointer leaves its client, perhaps with buttons down. The client never sees their releases.
    mutating func releasePointer(_ cursor: Cursor, _ turn: inout Turn) {
        turn.send(.pointerOnShell(cursor))
        pointer.over = .shell(cursor)
        for button in pointer.delivered.sorted() { turn.send(.pointerButton(button, pressed: false)) }
        pointer.delivered.removeAll()
        pointer.grabbed = nil
    }

    private mutating func pointerReleased(_ button: UInt32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard pointer.buttons.remove(button) != nil else { return }
        if button == pointer.shellButton {
            pointer.shellButton = nil
            if let deferred = pointer.deferred {
                // It stayed a click: the client gets both press and release.
                pointer.deferred = nil
                let hit = contacts.first { $0.id == Contact.pointer }?.hit
                contacts.removeAll { $0.id == Contact.pointer }
                if case .window(let window, .grip) = hit, screenful.workspace.isFree(screenful.workspace.moved(by: window)) {
                    // A click on a title bar.
                    try? screenful.workspace.activate(window, isPressed: true)
                    tappedTitleBar(of: screenful.workspace.moved(by: window), &screenful, at: now)
                    turn.ask(.settle())
                    return turn.ask(.hover)
                }
                if case .window(let window, .grip) = hit {
                    // A click on the dots (W-07).
                    screenful.openControls(of: window, at: now)
                    turn.ask(.settle())
                    return turn.ask(.hover)
                }
                if case .picture(let window) = hit {
                    try? screenful.pictureTapped(at: now)
                    turn.ask(.settle())
                    if !(screenful.workspace[window]?.facts.isPip ?? false) { return turn.ask(.hover) }
                }
                press(button, on: deferred.window, at: pointer.point, &screenful, now, &turn)
            } else {
                if let grab, grab.contacts.contains(Contact.pointer) { endGrab(&screenful, at: now, &turn) }
                contacts.removeAll { $0.id == Contact.pointer }
                return turn.ask(.hover)
            }
        }
        guard pointer.delivered.remove(button) != nil else { return }
        turn.send(.pointerButton(button, pressed: false))
        guard pointer.delivered.isEmpty else { return }
        pointer.grabbed = nil
        turn.ask(.hover)
    }

    mutating func addPointerContact(_ hit: Hit, _ button: UInt32, at now: Moment) {
        pointer.shellButton = button
        contacts.append(Contact(id: Contact.pointer, trace: Trace(pointer.point, at: now), hit: hit, owner: .shell))
    }

    mutating func takePointer(_ hit: Hit, _ button: UInt32, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        addPointerContact(hit, button, at: now)
        begin(hit, contact: Contact.pointer, &screenful, at: now, &turn)
    }

    /// Dragging with Super held carries a window, whatever its app draws at the top.
    private mutating func superDrag(_ window: WindowID, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let root = screenful.workspace.root(of: window)
        let hit: Hit
        switch screenful.workspace.place(of: root) {
        case .pictureInPicture: hit = .picture(root)
        case .slideOver: hit = .cardTop(root)
        default: hit = .window(root, .grip)
        }
        turn.send(.pointerOnShell(.grabbing))
        pointer.over = .shell(.grabbing)
        takePointer(hit, Hands.leftButton, &screenful, at: now, &turn)
    }

    // MARK: The wheel

    mutating func pointerScrolled(_ axis: PointerAxis, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        pointerComesBack(&screenful, at: now, &turn)
        if case .overlay = pointer.over, overlayUnderPointer != nil {
            turn.send(.pointerAxis(axis))
        } else if turnCrown(axis, &screenful, at: now, &turn) || scrollDepth(axis, &screenful, at: now, &turn)
            || scrollSlider(axis, &screenful, at: now, &turn)
        {
            return
        } else if screenful.interface.isOverviewOpen, !screenful.interface.isPopoverOpen, !screenful.interface.isPanelOpen {
            screenful.scrollOverview(to: screenful.stage.scroll.target + axis.value * 3, at: now)
        } else if screenful.interface.isPanelOpen, !screenful.interface.isPopoverOpen, screenful.listReach(at: now) > 0 {
            screenful.scrollList(to: screenful.interface.listScroll.target + axis.value * 3, at: now)
        } else if screenful.interface.isModal {
            return
        } else if scrollLens(axis, &screenful, at: now, &turn) {
            return
        } else if screenful.workspace.showsHome, case let hit = screenful.hit(pointer.point, precise: true, at: now), hit.isOfInterface {
            // A wheel's notch or a swipe of two fingers turns one page, and no more until it has come to rest.
            guard abs(axis.value) > 4, screenful.interface.home.scroll.isSettled(at: now) else { return }
            screenful.showPage(screenful.interface.home.page + (axis.value > 0 ? 1 : -1), at: now)
        } else {
            turn.send(.pointerAxis(axis))
        }
    }

    /// `axis` upwards raises the value. Returns whether the pointer is over a slider.
    private mutating func scrollSlider(_ axis: PointerAxis, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) -> Bool {
        guard screenful.interface.isPopoverOpen || screenful.interface.isPanelOpen, grab == nil, axis.value != 0,
            case .view(let id) = screenful.hit(pointer.point, precise: true, at: now), let slide = screenful.control(id, at: now)?.slide
        else { return false }
        let way = axis.isHorizontal && !slide.isMirrored ? axis.value : -axis.value
        attempt(
            slide.action(at: slide.value + way / screenful.measures.wheelNotch / screenful.measures.wheelNotches), &screenful, at: now,
            &turn)
        turn.ask(.settle())
        return true
    }
}
