/// A change of the controls, as reported to assistive technology.
enum TreeChange: Equatable {
    case removed(ObjectNumber, from: ObjectNumber, index: Int)
    case added(ObjectNumber, to: ObjectNumber, index: Int)
    /// The object and its descendants are gone. Clients drop them from their caches.
    case forgotten(ObjectNumber)
    case known(ObjectNumber)
    case name(ObjectNumber)
    case description(ObjectNumber)
    case value(ObjectNumber)
    case role(ObjectNumber)
    case parent(ObjectNumber)
    case bounds(ObjectNumber)
    case state(ObjectNumber, BusState, Bool)
    case windowCreated(ObjectNumber)
    case windowClosed(ObjectNumber)
    case windowActivated(ObjectNumber)
    case windowDeactivated(ObjectNumber)

    /// The changes in the order that clients expect: removals and additions, then changes of state, then the focus.
    static func between(_ old: ElementTable, _ new: ElementTable) -> [TreeChange] {
        var changes: [TreeChange] = []
        let gone = old.nodes.keys.filter { new.nodes[$0] == nil }.sorted()
        let come = new.nodes.keys.filter { old.nodes[$0] == nil }.sorted()
        let stayed = new.nodes.keys.filter { old.nodes[$0] != nil }.sorted()

        for number in gone where old.nodes[number]!.parent == 0 {
            if old.nodes[number]!.has(.active) { changes.append(.windowDeactivated(number)) }
            changes.append(.windowClosed(number))
        }
        for number in come { changes.append(.known(number)) }
        for number in stayed {
            changes += children(of: number, old.nodes[number]!.children, new.nodes[number]!.children)
        }
        for number in gone { changes.append(.forgotten(number)) }
        for number in come where new.nodes[number]!.parent == 0 { changes.append(.windowCreated(number)) }

        var begun: [TreeChange] = []
        for number in stayed {
            let was = old.nodes[number]!, now = new.nodes[number]!
            if was.parent != now.parent { changes.append(.parent(number)) }
            if was.role != now.role { changes.append(.role(number)) }
            if was.name != now.name { changes.append(.name(number)) }
            if was.description != now.description { changes.append(.description(number)) }
            if was.value != now.value { changes.append(.value(number)) }
            if was.frame != now.frame { changes.append(.bounds(number)) }
            guard was.states != now.states else { continue }
            for state in BusState.allCases where was.has(state) != now.has(state) {
                if now.has(state) {
                    begun.append(.state(number, state, true))
                } else {
                    changes.append(.state(number, state, false))
                    if state == .active, now.parent == 0 { changes.append(.windowDeactivated(number)) }
                }
            }
        }
        // Clients learn the states of new objects with them, but the focus change must be reported too.
        for number in come {
            for state in [BusState.active, .focused] where new.nodes[number]!.has(state) {
                begun.append(.state(number, state, true))
            }
        }
        func isOf(_ state: BusState, _ change: TreeChange) -> Bool {
            if case .state(_, state, _) = change { true } else { false }
        }
        changes += begun.filter { !isOf(.active, $0) && !isOf(.focused, $0) }
        for change in begun where isOf(.active, change) {
            changes.append(change)
            if case .state(let number, _, _) = change, new.nodes[number]!.parent == 0 {
                changes.append(.windowActivated(number))
            }
        }
        return changes + begun.filter { isOf(.focused, $0) }
    }

    /// Single steps from one list to the other, so that a client that follows them has the same list at every step.
    private static func children(
        of parent: ObjectNumber, _ old: [ObjectNumber], _ new: [ObjectNumber]
    ) -> [TreeChange] {
        guard old != new else { return [] }
        var changes: [TreeChange] = []
        let kept = Set(new)
        var list = old
        for index in old.indices.reversed() where !kept.contains(old[index]) {
            changes.append(.removed(old[index], from: parent, index: index))
            list.remove(at: index)
        }
        for (index, child) in new.enumerated() where index >= list.count || list[index] != child {
            if let place = list[index...].firstIndex(of: child) {
                changes.append(.removed(child, from: parent, index: place))
                list.remove(at: place)
            }
            changes.append(.added(child, to: parent, index: index))
            list.insert(child, at: index)
        }
        return changes
    }
}
