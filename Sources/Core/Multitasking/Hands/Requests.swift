import Geometry
import Stage
import Windows

/// What apps ask for their windows, as far as a finger or the pointer holds them.
extension Hands {
    mutating func asked(_ id: WindowID, _ request: WindowRequest, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let window = desk.workspace[id] else { return }
        switch request {
        case .fullscreen, .maximize, .minimize:
            // The arrangement is the person's (law 1), but for windows that stand free. The client's wish for bars or none
            // is in its next commit; an answer is owed all the same, and the compositor sends it.
            if case .fullscreen(let wanted) = request {
                var commit = window.commit
                commit.wantsFullscreen = wanted
                desk.workspace.committed(id, commit)
                if wanted { desk.workspace.bringBack(id) }
            }
            if case .maximize(let wanted) = request { desk.workspace.zoom(id, wanted) }
            if request == .minimize { desk.workspace.putAway(id) }
        case .move(let contact):
            moveByTitleBar(desk.workspace.root(of: id), from: id, by: contact, &desk, at: now, &turn)
        case .resize(let contact):
            stretchPip(desk.workspace.root(of: id), from: id, by: contact, &desk, at: now, &turn)
        case .activate(let byPerson):
            if byPerson || desk.workspace.isShown(id) { try? desk.workspace.activate(id) }
        case .close:
            if desk.confirms(closing: id, at: now, &turn) { return turn.ask(.settle()) }
            turn.ask(.life(.reaches(id)))
            turn.send(.close(id))
        }
    }

    /// A client's own title bar works like the shell's grip, as long as a finger or button is down on it.
    private mutating func moveByTitleBar(
        _ root: WindowID, from id: WindowID, by holder: Int32?, _ desk: inout Desk, at now: Moment, _ turn: inout Turn
    ) {
        guard grab == nil, desk.workspace.isShown(root) else { return }
        if let index = contacts.firstIndex(where: { $0.edge != nil && isHolding($0, root, id, holder) }) {
            // The edge may still have this finger: the app has to wait.
            contacts[index].wantsMove = id
            return
        }
        let hit: Hit =
            switch desk.workspace.place(of: root) {
            case .pictureInPicture: .picture(root)
            case .slideOver: .cardTop(root)
            default: .window(root, .grip)
            }
        guard let contact = takeOver(root, from: id, by: holder, hit, at: now, &turn) else { return }
        begin(hit, contact: contact, &desk, at: now, &turn)
    }

    /// Of a picture alone: every other size is the arrangement's (law 1).
    private mutating func stretchPip(
        _ root: WindowID, from id: WindowID, by holder: Int32?, _ desk: inout Desk, at now: Moment, _ turn: inout Turn
    ) {
        guard grab == nil, desk.workspace.isShown(root), desk.workspace.place(of: root) == .pictureInPicture,
            !contacts.contains(where: { $0.edge != nil && isHolding($0, root, id, holder) }),
            let contact = takeOver(root, from: id, by: holder, .picture(root), at: now, &turn)
        else { return }
        beginStretch(root, contact: contact, &desk, at: now)
    }

    /// A finger that the app has, and may mean: with `holder` this one.
    private func isHolding(_ contact: Contact, _ root: WindowID, _ id: WindowID, _ holder: Int32?) -> Bool {
        (contact.owner == .client(id) || contact.owner == .client(root)) && (holder == nil || contact.id == holder)
    }

    /// What is down on a window becomes the shell's: the finger or the pointer that holds it.
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
