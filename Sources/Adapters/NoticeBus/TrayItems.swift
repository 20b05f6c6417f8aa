import Callers
import MessageBus

/// `org.kde.StatusNotifierWatcher`: programs ask it once, at their start, whether there is a tray. Qt sends notifications of
/// `QSystemTrayIcon` only if there is one. The shell shows no tray: a person opens an app by its icon, and the app informs by
/// notifications (decision 0144).
extension NoticeBus {
    static let watcher = "org.kde.StatusNotifierWatcher", watcherPath = "/StatusNotifierWatcher"
    private static let itemPath = "/StatusNotifierItem"

    func exportTray(on bus: BusConnection) {
        bus.export(
            Self.watcher, below: Self.watcherPath,
            [
                .method("RegisterStatusNotifierItem", takes: "s"), .method("RegisterStatusNotifierHost", takes: "s"),
                .signal("StatusNotifierItemRegistered", "s"), .signal("StatusNotifierItemUnregistered", "s"),
                .signal("StatusNotifierHostRegistered", ""),
                .property("RegisteredStatusNotifierItems", "as"), .property("IsStatusNotifierHostRegistered", "b"),
                .property("ProtocolVersion", "i"),
            ])
    }

    func getTray(_ property: String, _ value: inout Outgoing) {
        switch property {
        case "RegisteredStatusNotifierItems": value.texts(trayItems.keys.sorted().flatMap { trayItems[$0]! })
        // Programs look only once, at their start, and ignore later changes.
        case "IsStatusNotifierHostRegistered": value.bool(true)
        default: value.int32(0)
        }
    }

    func serveTray(_ call: Incoming, _ sender: NoticeSender) -> Int32 {
        guard let name = call.string(), name.utf8.count <= 512 else { return call.refuse("InvalidArgs", "a name is expected") }
        guard call.member == "RegisterStatusNotifierItem" else { return call.reply { _ in } }
        let item = call.sender + Self.path(ofItem: name)
        if !(trayItems[call.sender] ?? []).contains(item) {
            if let objection = holdings.objection(.trayItems, for: sender.owner, "items") {
                return call.refuse("LimitsExceeded", objection)
            }
            _ = holdings.take(.trayItems, for: sender.owner)
            trayItems[call.sender, default: []].append(item)
            tellTray("StatusNotifierItemRegistered", item)
        }
        return call.reply { _ in }
    }

    func trayOwnerGone(_ sender: NoticeSender) {
        for item in trayItems.removeValue(forKey: sender.name) ?? [] {
            holdings.giveBack(.trayItems, for: sender.owner)
            tellTray("StatusNotifierItemUnregistered", item)
        }
    }

    private func tellTray(_ member: String, _ item: String) { connection?.emit(Self.watcherPath, Self.watcher, member) { $0.string(item) } }

    /// The object of an item: programs name its path, a name on the bus, or both in one.
    static func path(ofItem name: String) -> String {
        let path = name.firstIndex(of: "/").map { String(name[$0...]) } ?? itemPath
        let isPath =
            path.count > 1 && !path.hasSuffix("/") && !path.contains("//")
            && path.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95 || $0 == 47 }
        return isPath ? path : itemPath
    }
}
