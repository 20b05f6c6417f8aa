import Callers
import MessageBus

/// `org.kde.StatusNotifierWatcher`: programs ask it once, at their start, whether there is a tray, and register their items with it. Qt
/// sends notifications of `QSystemTrayIcon` only if there is one (decision 0188).
///
/// Most programs register only once. So a shell that starts anew looks for items by the names on the bus, and by the list of the last
/// shell.
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
        if let objection = takeTrayItem(Self.path(ofItem: name), of: sender) { return call.refuse("LimitsExceeded", objection) }
        return call.reply { _ in }
    }

    /// Returns why it is refused; nil: it is in the list.
    func takeTrayItem(_ path: String, of sender: NoticeSender) -> String? {
        let item = sender.name + path
        guard !(trayItems[sender.name] ?? []).contains(item) else { return nil }
        if let objection = holdings.objection(.trayItems, for: sender.owner, "items") { return objection }
        _ = holdings.take(.trayItems, for: sender.owner)
        trayItems[sender.name, default: []].append(item)
        tellTray("StatusNotifierItemRegistered", item)
        onTrayItem(sender, path, true)
        return nil
    }

    func trayOwnerGone(_ sender: NoticeSender) {
        for item in trayItems.removeValue(forKey: sender.name) ?? [] {
            holdings.giveBack(.trayItems, for: sender.owner)
            tellTray("StatusNotifierItemUnregistered", item)
            onTrayItem(sender, String(item.dropFirst(sender.name.count)), false)
        }
    }

    // MARK: Items that were there before

    /// The most items of the last shell that are asked for, and names on the bus.
    private static let mostRecalled = 128

    /// The shell owns the watcher's name now.
    func findTrayItems() {
        link.callBus("GetId") { [weak self] answer in
            guard let self, let id = (try? answer.get())?.string() else { return }
            busID = id
            for item in recallTray(id).prefix(Self.mostRecalled) {
                guard item.hasPrefix(":"), let start = item.firstIndex(of: "/") else { continue }
                recall(String(item[..<start]), String(item[start...]))
            }
        }
        link.callBus("ListNames") { [weak self] answer in
            guard let self, let message = try? answer.get(), let names = message.wholeArray(of: "s", limit: 4096, { message.string() })
            else { return }
            for name in names.filter({ !$0.hasPrefix(":") && $0.contains(".StatusNotifierItem-") }).prefix(Self.mostRecalled) {
                link.callBus("GetNameOwner", { $0.string(name) }) { [weak self] answer in
                    if let owner = (try? answer.get())?.string() { self?.recall(owner, Self.itemPath) }
                }
            }
        }
    }

    /// One that is no item any more does not answer, and is not shown.
    private func recall(_ name: String, _ path: String) {
        guard let sender = client(name), Self.path(ofItem: path) == path else { return }
        guard sender.process != nil else { return waitForIdentity(name, trayItem: path) }
        if let objection = takeTrayItem(path, of: sender) { onNote("an item of the tray is left out: \(objection)") }
    }

    private func tellTray(_ member: String, _ item: String) { connection?.emit(Self.watcherPath, Self.watcher, member) { $0.string(item) } }

    /// The object of an item: programs name its path, a name on the bus, or both in one.
    static func path(ofItem name: String) -> String {
        let path = name.firstIndex(of: "/").map { String(name[$0...]) } ?? itemPath
        return isObject(path) ? path : itemPath
    }

    /// Whether a text is the path of an object on a bus, below the root.
    package static func isObject(_ path: String) -> Bool {
        path.hasPrefix("/") && path.count > 1 && !path.hasSuffix("/") && !path.contains("//")
            && path.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95 || $0 == 47 }
    }
}
