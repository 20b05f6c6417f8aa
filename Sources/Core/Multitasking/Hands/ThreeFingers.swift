import Geometry
import Windows

/// Three fingers over windows, where the idiom gives them a meaning: sideways to the next space, upwards to the app switcher (W-25).
///
/// Apps have the touches until the fingers have moved far enough.
extension Hands {
    /// The third finger of three came down on an app or the desktop.
    mutating func noteThreeFingers(_ contact: Contact, _ desk: borrowing Desk) {
        guard desk.workspace.idiom.zones.threeFingers == .spaces, grab == nil else { return }
        let others = contacts.filter { $0.id >= 0 && $0.id != contact.id && $0.isOfClients }
        mayPan = others.count == 2 ? others.map(\.id) + [contact.id] : []
    }

    /// One of the three moved. Returns whether the shell took them.
    mutating func beginThreeFingers(_ id: Int32, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) -> Bool {
        guard grab == nil, let index = contacts.firstIndex(where: { $0.id == id }), contacts[index].trace.farthest > 2 * desk.workspace.idiom.slop else { return false }
        // All of them move the same way: fingers that spread or turn are the app's.
        let ways = contacts.filter { mayPan.contains($0.id) }.map(\.trace.translation), least = desk.workspace.idiom.slop / 2
        let way = contacts[index].trace.translation, isSideways = abs(way.dx) > abs(way.dy), sign = (isSideways ? way.dx : way.dy) < 0 ? -1.0 : 1
        guard isSideways || way.dy < 0, ways.allSatisfy({ (isSideways ? $0.dx : $0.dy) * sign > least }) else { return false }
        takeFromClients(&turn)
        guard isSideways else {
            attempt(.appSwitcher, &desk, at: now, &turn)
            turn.ask(.settle())
            return true
        }
        guard desk.workspace.currentSpace != nil else { return true }
        contacts[index].owner = .shell
        beginPan(id, way, &desk, at: now)
        follow(id, &desk, at: now, &turn)
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
