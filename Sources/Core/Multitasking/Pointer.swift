import Geometry
import Stage
import Windows

/// The pointer and the keyboard.
extension System {
    static let leftButton: UInt32 = 0x110
    static let rightButton: UInt32 = 0x111

    mutating func pointerMoved(to point: Point, at now: Moment, _ effects: inout [Effect]) {
        pointer.point = point
        if let index = contacts.firstIndex(where: { $0.id == Contact.pointer }) {
            contacts[index].trace.move(to: point, at: now)
            if let grab, grab.contacts.contains(Contact.pointer) { return follow(grab, at: now, &effects) }
            let contact = contacts[index], slop = workspace.idiom.slop / 2
            // Law 4: what a finger holds meanwhile stays in its hand.
            guard grab == nil, let deferred = pointer.deferred, contact.trace.isDrag(slop: slop, along: .any) else { return }
            pointer.deferred = nil
            if let axis = dragAxis(of: contact.hit), contact.trace.isDrag(slop: slop, along: axis) {
                effects.append(.pointerOnShell(.grabbing))
                pointer.over = .shell(.grabbing)
                begin(contact.hit, contact: Contact.pointer, at: now, &effects)
                if let grab { follow(grab, at: now, &effects) }
            } else {
                // Across and not along: a drag of the app's own.
                contacts.remove(at: index)
                pointer.shellButton = nil
                press(deferred.button, on: deferred.window, at: contact.trace.start, now, &effects)
                if let local = stage.local(point, in: deferred.window, workspace, at: now) {
                    effects.append(.pointerOnWindow(deferred.window, at: local))
                }
            }
            return
        }
        if let window = pointer.grabbed {
            if let local = stage.local(point, in: window, workspace, at: now) {
                effects.append(.pointerOnWindow(window, at: local))
            }
            return
        }
        // A panel got the press: it gets the rest too.
        if !pointer.delivered.isEmpty { return effects.append(.pointerOnBackground(at: point)) }
        hover(at: now, &effects)
    }

    /// Something else came under a pointer that rests.
    mutating func refreshHover(at now: Moment, _ effects: inout [Effect]) {
        guard pointer.wasOver, grab == nil, pointer.grabbed == nil, pointer.buttons.isEmpty,
            pointer.delivered.isEmpty
        else { return }
        let hit = hit(pointer.point, precise: true, at: now)
        let under: PointerState.Over = cursor(for: hit).map { .shell($0) } ?? hit.window.map { .window($0) } ?? .background
        var isNew = under != pointer.over
        // The same window, under another point of it.
        if !isNew, case .window(let id) = under { isNew = stage.local(pointer.point, in: id, workspace, at: now) != pointer.local }
        guard isNew else { return }
        hover(over: hit, at: now, &effects)
        effects.append(.pointerFrame)
    }

    /// Tells whatever lies under the pointer.
    mutating func hover(at now: Moment, _ effects: inout [Effect]) {
        hover(over: hit(pointer.point, precise: true, at: now), at: now, &effects)
    }

    private mutating func hover(over hit: Hit, at now: Moment, _ effects: inout [Effect]) {
        pointer.wasOver = true
        comesNearDots(pointer.point, at: now)
        if let cursor = cursor(for: hit) {
            if pointer.over != .shell(cursor) {
                pointer.over = .shell(cursor)
                effects.append(.pointerOnShell(cursor))
            }
        } else if let window = hit.window, let local = stage.local(pointer.point, in: window, workspace, at: now) {
            pointer.over = .window(window)
            pointer.local = local
            effects.append(.pointerOnWindow(window, at: local))
        } else {
            pointer.over = .background
            effects.append(.pointerOnBackground(at: pointer.point))
        }
    }

    private func cursor(for hit: Hit) -> Cursor? {
        switch hit {
        case .divider:
            guard let split = workspace.currentSpace?.split, let screen = workspace.screen else { return .arrow }
            return split.axis(on: screen.size) == .horizontal ? .resizeHorizontally : .resizeVertically
        case .cardTop, .cardBottom, .slideOverHandle, .pipTab, .window(_, .grip), .view: return .hand
        case .overview, .panel, .outside, .edge: return .arrow
        case .home: return interface.isModal ? .arrow : nil
        case .window, .picture, .background: return nil
        }
    }

    mutating func pointerButton(_ button: UInt32, _ pressed: Bool, at now: Moment, _ effects: inout [Effect]) {
        guard pressed else { return pointerReleased(button, at: now, &effects) }
        guard pointer.buttons.append(button).inserted else { return }
        leavePanel(&effects)
        // One owner: while a client or the shell holds a button, the others go the same way.
        if !pointer.delivered.isEmpty { return deliver(button, &effects) }
        guard !contacts.contains(where: { $0.id == Contact.pointer }) else { return }

        let hit = hit(pointer.point, precise: true, at: now)
        useSuper(&effects)
        dismissPopups(outside: hit, &effects)
        leaveViews(for: hit, at: now, &effects)
        if case .view(let id) = hit, button == System.rightButton, let menu = control(id, at: now)?.menu {
            interface.pressed = id
            attempt(menu, at: now, &effects)
            interface.pressed = nil
            return reconcile(at: now, &effects)
        }
        if pointer.modifiers.contains(.super), button == System.leftButton, let window = hit.window, grab == nil {
            return superDrag(window, at: now, &effects)
        }
        if button == System.leftButton, grab == nil {
            switch hit {
            case .divider, .cardTop, .cardBottom, .slideOverHandle, .pipTab, .view, .home, .overview, .panel, .outside, .edge:
                return takePointer(hit, button, at: now, &effects)
            case .picture where isInFlight(hit, at: now): return takePointer(hit, button, at: now, &effects)
            case .picture(let window), .window(let window, .grip), .window(let window, .bottom), .window(let window, .top):
                addPointerContact(hit, button, at: now)
                pointer.deferred = .init(button: button, window: window)
                return
            case .window, .background: break
            }
        }
        guard let window = hit.window else {
            // On the shell's own things only the left button means something.
            guard hit == .background || hit == .home else { return }
            if pointer.over != .background { hover(at: now, &effects) }
            return deliver(button, &effects)
        }
        press(button, on: window, at: pointer.point, now, &effects)
    }

    /// From here to the release of the last button everything is this window's.
    private mutating func press(
        _ button: UInt32, on window: WindowID, at point: Point, _ now: Moment, _ effects: inout [Effect]
    ) {
        if workspace.pip?.window != window { personActs(in: window, at: now, &effects) }
        guard let local = stage.local(point, in: window, workspace, at: now) else { return }
        workspace.noteInput(window, at: now)
        touchedApp(window, at: now, &effects)
        pointer.over = .window(window)
        pointer.grabbed = window
        effects.append(.pointerOnWindow(window, at: local))
        deliver(button, &effects)
    }

    private mutating func deliver(_ button: UInt32, _ effects: inout [Effect]) {
        pointer.delivered.append(button)
        effects.append(.pointerButton(button, pressed: true))
    }

    /// The pointer leaves its client though buttons may be down; their releases follow where no client hears them.
    mutating func releasePointer(_ cursor: Cursor, _ effects: inout [Effect]) {
        effects.append(.pointerOnShell(cursor))
        pointer.over = .shell(cursor)
        for button in pointer.delivered.sorted() { effects.append(.pointerButton(button, pressed: false)) }
        pointer.delivered.removeAll()
        pointer.grabbed = nil
    }

    private mutating func pointerReleased(_ button: UInt32, at now: Moment, _ effects: inout [Effect]) {
        guard pointer.buttons.remove(button) != nil else { return }
        if button == pointer.shellButton {
            pointer.shellButton = nil
            if let deferred = pointer.deferred {
                // It stayed a click: the client gets it whole.
                pointer.deferred = nil
                let hit = contacts.first { $0.id == Contact.pointer }?.hit
                contacts.removeAll { $0.id == Contact.pointer }
                if case .window(let window, .grip) = hit {
                    // A click on the dots (W-07).
                    openControls(of: window, at: now)
                    reconcile(at: now, &effects)
                    return hover(at: now, &effects)
                }
                if case .picture(let window) = hit {
                    try? togglePipControls(at: now)
                    reconcile(at: now, &effects)
                    if !(workspace[window]?.facts.isPip ?? false) { return hover(at: now, &effects) }
                }
                press(button, on: deferred.window, at: pointer.point, now, &effects)
            } else {
                if let grab, grab.contacts.contains(Contact.pointer) { endGrab(at: now, &effects) }
                contacts.removeAll { $0.id == Contact.pointer }
                return hover(at: now, &effects)
            }
        }
        guard pointer.delivered.remove(button) != nil else { return }
        effects.append(.pointerButton(button, pressed: false))
        guard pointer.delivered.isEmpty else { return }
        pointer.grabbed = nil
        hover(at: now, &effects)
    }

    private mutating func addPointerContact(_ hit: Hit, _ button: UInt32, at now: Moment) {
        pointer.shellButton = button
        contacts.append(Contact(id: Contact.pointer, trace: Trace(pointer.point, at: now), hit: hit, owner: .shell))
    }

    mutating func takePointer(_ hit: Hit, _ button: UInt32, at now: Moment, _ effects: inout [Effect]) {
        addPointerContact(hit, button, at: now)
        begin(hit, contact: Contact.pointer, at: now, &effects)
    }

    /// Super and a drag take a window anywhere, whatever its app draws at its top.
    private mutating func superDrag(_ window: WindowID, at now: Moment, _ effects: inout [Effect]) {
        let root = workspace.root(of: window)
        let hit: Hit
        switch workspace.place(of: root) {
        case .pictureInPicture: hit = .picture(root)
        case .slideOver: hit = .cardTop(root)
        default: hit = .window(root, .grip)
        }
        effects.append(.pointerOnShell(.grabbing))
        pointer.over = .shell(.grabbing)
        takePointer(hit, System.leftButton, at: now, &effects)
    }

    // MARK: Requests of apps

    mutating func asked(_ id: WindowID, _ request: WindowRequest, at now: Moment, _ effects: inout [Effect]) {
        guard let window = workspace[id] else { return }
        switch request {
        case .fullscreen, .maximize, .minimize:
            // The arrangement is the person's (law 1), but for windows that stand free. The client's wish for bars or none
            // is in its next commit; an answer is owed all the same, and the compositor sends it.
            if case .fullscreen(let wanted) = request {
                var commit = window.commit
                commit.wantsFullscreen = wanted
                workspace.committed(id, commit)
                if wanted { workspace.bringBack(id) }
            }
            if case .maximize(let wanted) = request { workspace.zoom(id, wanted) }
            if request == .minimize { workspace.putAway(id) }
        case .move(let contact):
            moveByTitleBar(workspace.root(of: id), from: id, by: contact, at: now, &effects)
        case .resize(let contact):
            stretchPip(workspace.root(of: id), from: id, by: contact, at: now, &effects)
        case .activate(let byPerson):
            if byPerson || workspace.isShown(id) { try? workspace.activate(id) }
        case .close: effects.append(.close(id))
        }
    }

    /// A client's own title bar works like the shell's grip, as long as a finger or button is down on it.
    private mutating func moveByTitleBar(
        _ root: WindowID, from id: WindowID, by holder: Int32?, at now: Moment, _ effects: inout [Effect]
    ) {
        guard grab == nil, workspace.isShown(root) else { return }
        if let index = contacts.firstIndex(where: { $0.edge != nil && isHolding($0, root, id, holder) }) {
            // The edge may still have this finger: the app has to wait.
            contacts[index].wantsMove = id
            return
        }
        let hit: Hit =
            switch workspace.place(of: root) {
            case .pictureInPicture: .picture(root)
            case .slideOver: .cardTop(root)
            default: .window(root, .grip)
            }
        guard let contact = takeOver(root, from: id, by: holder, hit, at: now, &effects) else { return }
        begin(hit, contact: contact, at: now, &effects)
    }

    /// Of a picture alone: every other size is the arrangement's (law 1).
    private mutating func stretchPip(
        _ root: WindowID, from id: WindowID, by holder: Int32?, at now: Moment, _ effects: inout [Effect]
    ) {
        guard grab == nil, workspace.isShown(root), workspace.place(of: root) == .pictureInPicture,
            !contacts.contains(where: { $0.edge != nil && isHolding($0, root, id, holder) }),
            let contact = takeOver(root, from: id, by: holder, .picture(root), at: now, &effects)
        else { return }
        beginStretch(root, contact: contact, at: now)
    }

    /// A finger that the app has, and may mean: with `holder` this one.
    private func isHolding(_ contact: Contact, _ root: WindowID, _ id: WindowID, _ holder: Int32?) -> Bool {
        (contact.owner == .client(id) || contact.owner == .client(root)) && (holder == nil || contact.id == holder)
    }

    /// What is down on a window becomes the shell's: the finger or the pointer that holds it.
    private mutating func takeOver(
        _ root: WindowID, from id: WindowID, by holder: Int32?, _ hit: Hit, at now: Moment, _ effects: inout [Effect]
    ) -> Int32? {
        if let index = contacts.firstIndex(where: { isHolding($0, root, id, holder) }) {
            let contact = contacts[index].id
            takeFromClients(&effects)
            contacts[index].owner = .shell
            return contact
        }
        guard pointer.grabbed == id || pointer.grabbed == root, holder == nil || holder == Contact.pointer else { return nil }
        releasePointer(.grabbing, &effects)
        addPointerContact(hit, pointer.buttons.min() ?? System.leftButton, at: now)
        return Contact.pointer
    }

    // MARK: Keys

    mutating func key(
        _ code: UInt32, _ symbol: KeySymbol, _ pressed: Bool, _ modifiers: Modifiers, _ text: String, at now: Moment,
        _ effects: inout [Effect]
    ) {
        let held = heldModifier(symbol)
        let modifiers = modifiers.intersection(.chords)
        pointer.modifiers = held.map { pressed ? modifiers.union($0) : modifiers.subtracting($0) } ?? modifiers
        noteSuper(isSuper: held == .super, pressed: pressed, alone: pointer.modifiers.subtracting(.super).isEmpty, at: now, &effects)
        if repeating?.code == code || pressed { endRepeat(&effects) }
        if swallowed.contains(code), !pressed {
            swallowed.remove(code)
            return effects.append(.swallowKey)
        }
        guard pressed else { return }
        let bindings = preferences.keys.filter { $0.chord.symbol == symbol }
        // Keys for sound mean the same whatever else is held.
        let binding = bindings.first { $0.chord.modifiers == modifiers }
            ?? (symbol.isForSound ? bindings.first { $0.chord.modifiers.isEmpty } : nil)
        if isLocked, binding.map({ !isForSound($0.action) }) ?? true { return }
        if let binding {
            swallowed.append(code)
            effects.append(.swallowKey)
            // A shelf or dock that opened by itself gets the keys first, and goes at the next press.
            if interface.focus == nil, opens(binding.action) {
                focusOpened(by: binding.action, at: now)
                return reconcile(at: now, &effects)
            }
            do {
                try perform(binding.action, at: now, &effects)
                beginRepeat(code, binding.action, at: now, &effects)
                focusOpened(by: binding.action, at: now)
            } catch { effects.append(.refuse(error)) }
            return reconcile(at: now, &effects)
        }
        if held == nil, interfaceKey(code, symbol, modifiers, text, at: now, &effects) {
            swallowed.append(code)
            effects.append(.swallowKey)
            return reconcile(at: now, &effects)
        }
        if held == nil, case .window(let focus) = lastSent.keyboard {
            workspace.noteInput(focus, at: now)
            if !symbol.isModifier { typedIntoApp(at: now) }
        }
    }

    private func heldModifier(_ symbol: KeySymbol) -> Modifiers? {
        switch symbol {
        case .leftShift, .rightShift: .shift
        case .leftControl, .rightControl: .control
        case .leftAlt, .rightAlt: .alt
        case .leftSuper, .rightSuper: .super
        default: nil
        }
    }
}
