import MessageBus

extension AccessibilityBus {
    /// Whether a query to the registry about wanted events is in flight.
    enum Asking { case no, once, again }

    /// Asks the registry which events clients want. At most one query is in flight, however often clients change.
    func askForListeners(anew: Bool = false) {
        if !anew, asksForListeners != .no { return asksForListeners = .again }
        let isSent = connection?.call(
            AtSpi.registry, AtSpi.registryPath, "org.a11y.atspi.Registry", "GetRegisteredEvents",
            token: Token.listeners.rawValue)
        asksForListeners = isSent == true ? .once : .no
    }

    /// "Object:BoundsChanged:" and "object:bounds-changed" are the same event.
    static func plain(_ event: String) -> String {
        event.lowercased().filter { $0 != "-" }
    }

    /// Clients cache the tree by means of events, whether they listen to them or not. They do not cache bounds, which
    /// may change with every frame.
    private var wantsBounds: Bool {
        listened.contains { $0.isEmpty || $0 == "object" || $0 == "object:" || $0.hasPrefix("object:boundschanged") }
    }

    func emit(_ change: TreeChange, last: ElementTable) {
        switch change {
        case .removed(let child, let parent, let index):
            event(parent, "ChildrenChanged", "remove", Int32(index), "(so)") { $0.reference(self.reference(child)) }
        case .added(let child, let parent, let index):
            event(parent, "ChildrenChanged", "add", Int32(index), "(so)") { $0.reference(self.reference(child)) }
        case .forgotten(let number):
            connection?.emit(AtSpi.cache, AtSpi.cacheInterface, "RemoveAccessible") {
                $0.reference(self.reference(number))
            }
        case .known(let number):
            connection?.emit(AtSpi.cache, AtSpi.cacheInterface, "AddAccessible") {
                self.writeCacheItem(number, to: &$0)
            }
        case .name(let number):
            let name = table.nodes[number]?.name ?? ""
            event(number, "PropertyChange", "accessible-name", 0, "s") { $0.string(name) }
        case .description(let number):
            let description = table.nodes[number]?.description ?? ""
            event(number, "PropertyChange", "accessible-description", 0, "s") { $0.string(description) }
        case .value(let number):
            let share = table.nodes[number]?.value?.share ?? 0
            event(number, "PropertyChange", "accessible-value", 0, "d") { $0.double(share) }
        case .role(let number):
            let role = table.nodes[number]?.role.rawValue ?? 0
            event(number, "PropertyChange", "accessible-role", 0, "u") { $0.uint32(role) }
        case .parent(let number):
            event(number, "PropertyChange", "accessible-parent", 0, "(so)") {
                $0.reference(self.parentReference(of: number))
            }
        case .bounds(let number):
            guard wantsBounds, let frame = table.nodes[number]?.frame else { return }
            event(number, "BoundsChanged", "", 0, "(iiii)") { any in
                any.container(.structure, "iiii") { $0.rectangle(frame) }
            }
        case .state(let number, let state, let value):
            event(number, "StateChanged", state.name, value ? 1 : 0, "i") { $0.int32(0) }
        case .windowCreated(let number): window(number, "Create", table)
        case .windowClosed(let number): window(number, "Destroy", last)
        case .windowActivated(let number): window(number, "Activate", table)
        case .windowDeactivated(let number): window(number, "Deactivate", last)
        }
    }

    func emitAnnouncement(_ text: String) {
        // Send it from the active top level, so that a reader that follows only the active window announces it.
        let source = table.nodes[0]!.children.last { table.nodes[$0]!.has(.active) } ?? 0
        event(source, "Announcement", "", 1, "s") { $0.string(text) }
    }

    private func window(_ number: ObjectNumber, _ member: String, _ table: ElementTable) {
        let name = table.nodes[number]?.name ?? ""
        event(number, member, "", 0, "s", interface: AtSpi.windowEvent) { $0.string(name) }
    }

    private func event(
        _ number: ObjectNumber, _ member: String, _ detail: String, _ value: Int32, _ type: String,
        interface: String = AtSpi.objectEvent, _ any: (inout Outgoing) -> Void
    ) {
        connection?.emit(AtSpi.path(number), interface, member) { message in
            message.string(detail)
            message.int32(value)
            message.int32(0)
            message.container(.variant, type) { any(&$0) }
            message.container(.array, "{sv}") { _ in }
        }
    }
}
