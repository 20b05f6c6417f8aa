import Geometry
import Stage
import Windows

/// Requests of apps that depend on a finger or the pointer holding their window.
extension Hands {
    mutating func asked(_ id: WindowID, _ request: WindowRequest, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let window = screenful.workspace[id] else { return }
        switch request {
        case .fullscreen, .maximize, .minimize:
            // The arrangement is the person's (law 1), except for free windows. The client's next commit says whether it wants
            // bars. It expects an answer in any case, which the compositor sends.
            if case .fullscreen(let wanted) = request {
                var commit = window.commit
                commit.wantsFullscreen = wanted
                screenful.workspace.committed(id, commit)
                if screenful.workspace.idiom.depth != nil { screenful.workspace.zoom(id, wanted) }
                if wanted { screenful.workspace.bringBack(id) } else { screenful.workspace.leaveFullScreen(id) }
            }
            if case .maximize(let wanted) = request { screenful.workspace.zoom(id, wanted) }
            // Where a person cannot go to other windows, one that hides itself would not come back.
            if request == .minimize, screenful.workspace.offers(.switching) { screenful.workspace.putAway(id) }
        case .move(let contact):
            moveByTitleBar(screenful.workspace.root(of: id), from: id, by: contact, &screenful, at: now, &turn)
        case .resize(let contact, let border):
            stretchPip(screenful.workspace.root(of: id), from: id, by: contact, border, &screenful, at: now, &turn)
        case .activate(let byPerson):
            if byPerson && screenful.workspace.offers(.switching) || screenful.workspace.isShown(id) {
                try? screenful.workspace.activate(id)
            } else {
                turn.ask(.announceRefused(id))
            }
        case .close:
            guard screenful.workspace.offers(.closing) else { return }
            turn.ask(.closesItself(id))
        }
    }

    /// A client's own title bar works like the shell's grip while a finger or button is down on it.
    private mutating func moveByTitleBar(
        _ root: WindowID, from id: WindowID, by holder: Int32?, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn
    ) {
        guard grab == nil, screenful.workspace.isShown(root) else { return }
        if let index = contacts.firstIndex(where: { $0.edge != nil && isHolding($0, root, id, holder) }) {
            // An edge gesture may still claim this finger: the app has to wait.
            contacts[index].wantsMove = id
            return
        }
        let hit: Hit =
            switch screenful.workspace.place(of: root) {
            case .pictureInPicture: .picture(root)
            case .slideOver: .cardTop(root)
            default: .window(root, .grip)
            }
        guard let contact = takeOver(root, from: id, by: holder, hit, at: now, &turn) else { return }
        begin(hit, contact: contact, &screenful, at: now, &turn)
    }

    /// Resizes Picture in Picture; every other size is the arrangement's (law 1).
    private mutating func stretchPip(
        _ root: WindowID, from id: WindowID, by holder: Int32?, _ border: Border?, _ screenful: inout Screenful, at now: Moment,
        _ turn: inout Turn
    ) {
        if screenful.workspace.isFree(root), grab == nil {
            return resizeFree(root, from: id, by: holder, border, &screenful, at: now, &turn)
        }
        guard grab == nil, screenful.workspace.isShown(root), screenful.workspace.place(of: root) == .pictureInPicture,
            !contacts.contains(where: { $0.edge != nil && isHolding($0, root, id, holder) }),
            let contact = takeOver(root, from: id, by: holder, .picture(root), at: now, &turn)
        else { return }
        beginStretch(root, contact: contact, &screenful, at: now)
    }

    /// An app's own border is dragged. If it does not say which, that follows from where it was taken.
    private mutating func resizeFree(
        _ root: WindowID, from id: WindowID, by holder: Int32?, _ named: Border?, _ screenful: inout Screenful, at now: Moment,
        _ turn: inout Turn
    ) {
        guard let frame = screenful.workspace.frames()[root], frame.width > 0, frame.height > 0,
            let point = contacts.first(where: { isHolding($0, root, id, holder) })?.trace.start
                ?? (pointer.grabbed == nil ? nil : pointer.point)
        else { return }
        func side(_ share: Double) -> Int { share < 0.25 ? -1 : share > 0.75 ? 1 : 0 }
        var border = named ?? Border(x: side((point.x - frame.x) / frame.width), y: side((point.y - frame.y) / frame.height))
        if border == Border(x: 0, y: 0) { border = Border(x: 1, y: 1) }
        guard let contact = takeOver(root, from: id, by: holder, .border(root, border), at: now, &turn) else { return }
        beginResize(root, border, contact: contact, &screenful, at: now, &turn)
    }

    /// Whether the app has this finger, and may mean it: if it named a holder, only that one.
    private func isHolding(_ contact: Contact, _ root: WindowID, _ id: WindowID, _ holder: Int32?) -> Bool {
        (contact.owner == .client(id) || contact.owner == .client(root)) && (holder == nil || contact.id == holder)
    }

    /// Takes the finger or the pointer that is down on a window for the shell.
    private mutating func takeOver(
        _ root: WindowID, from id: WindowID, by holder: Int32?, _ hit: Hit, at now: Moment, _ turn: inout Turn
    ) -> Int32? {
        if let index = contacts.firstIndex(where: { isHolding($0, root, id, holder) }) {
            let contact = contacts[index].id
            takeFromClients(&turn)
            contacts[index].owner = .shell
            return contact
        }
        guard pointer.grabbed == id || pointer.grabbed == root, holder == nil || holder == Contact.pointer else { return nil }
        releasePointer(.grabbing, &turn)
        addPointerContact(hit, pointer.buttons.min() ?? Hands.leftButton, at: now)
        return Contact.pointer
    }
}
