import MessageBus

/// A menu on the session bus in the form of Qt and KDE (`com.canonical.dbusmenu`): the calls to its app. Each has five seconds.
struct DBusMenuRemote {
    static let interface = "com.canonical.dbusmenu"
    /// In milliseconds.
    static let patience: UInt64 = 5000

    let link: BusLink
    let bus: String
    let path: String

    /// Reads all of it. `properties`: those that the app is asked for; empty: all.
    func layout(_ properties: [String], done: @escaping (Result<[DBusMenuModel.Item]?, BusError>) -> Void) {
        ask(
            "GetLayout",
            { message in
                message.int32(0)
                message.int32(DBusMenuModel.depth)
                message.texts(properties)
            }
        ) { done($0.map(DBusMenuModel.items(in:))) }
    }

    /// Has the app fill a menu that will be seen. `done` gets whether it says that the menu changed; nil: it says nothing.
    func aboutToShow(_ id: Int32, done: @escaping (Bool?) -> Void) {
        ask("AboutToShow", { $0.int32(id) }) { done((try? $0.get())?.bool()) }
    }

    /// "opened", "closed" or "clicked".
    func event(_ id: Int32, _ name: String) {
        ask(
            "Event",
            { message in
                message.int32(id)
                message.string(name)
                message.container(.variant, "i") { $0.int32(0) }
                message.uint32(0)
            })
    }

    private func ask(
        _ member: String, _ arguments: (inout Outgoing) -> Void, done: @escaping (Result<Incoming, BusError>) -> Void = { _ in }
    ) {
        link.call(bus, path, Self.interface, member, timeout: Self.patience, starts: false, arguments, done: done)
    }
}
