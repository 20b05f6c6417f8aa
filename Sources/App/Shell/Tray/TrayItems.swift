import Compositor
import Geometry
import Glibc
import Lifecycle
import Logging
import MessageBus
import Multitasking
import NoticeBus
import Processes
import Tray

/// The items that apps keep in the tray: programs register them with the notification service, and this adapter reads them. The core
/// decides what a person sees.
final class TrayItems: EventObserver {
    private unowned let shell: Shell
    private var bus: TrayBus?
    private var follower: BusFollower?
    private var icons: TrayIcons?
    private weak var notices: NoticeBus?
    /// The items that are there, in the order in which they came.
    private var items: [(key: String, sender: NoticeSender, path: String)] = []
    /// Why items were left out, so that the log says it once for each connection.
    private var leftOut: Set<String> = []
    private var noted: [String: String] = [:]

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.tray]

    private var folder: String { "\(shell.adapter(SessionStore.self).folder ?? shell.sessionFolder)/tray" }
    /// The list of items for the next shell on this bus.
    private var list: String { "\(folder)/items" }

    func start() {
        guard let address = BusAddress.session(shell.environment) else { return }
        icons = TrayIcons(shell.compositor, folder: folder)
        let bus = TrayBus(address: address)
        bus.onWords = { [unowned self] in tell($0, $1) }
        bus.onAnswered = { [unowned shell] in shell.receive(.tray(.answered(ask: $0, $1))) }
        bus.onMenu = { [unowned shell] in shell.receive(.tray(.menu(ask: $0, $1))) }
        bus.onNote = { [unowned shell] in shell.log.info("\($0)") }
        bus.mayAsk = { [unowned self] in !isFrozen($0) }
        bus.token = { [unowned shell] in shell.compositor.tokenOfPerson() }
        self.bus = bus
        follower = BusFollower(bus, shell.compositor)
    }

    /// The service with which programs register their items.
    func follow(_ notices: NoticeBus) {
        guard bus != nil else { return }
        self.notices = notices
        notices.recallTray = { [unowned self] in recalled(on: $0) }
        notices.onTrayItem = { [unowned self] sender, path, isThere in
            if isThere { came(sender, path) } else { went(sender.name + path) }
        }
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .tray(let effect) = effect, let bus else { return }
        switch effect {
        case .open(let key, let ask):
            wake(key)
            bus.ask(key, "Activate", ask)
        case .contextMenu(let key, let ask):
            wake(key)
            bus.ask(key, "ContextMenu", ask)
        case .readMenu(let key, let ask):
            wake(key)
            bus.openMenu(key, ask)
        case .closeMenu(let key): bus.closeMenu(key)
        case .menusOpen(let key, let menus):
            wake(key)
            bus.menusOpen(key, menus)
        case .press(let key, let entry):
            wake(key)
            bus.press(key, entry)
        }
    }

    /// An app that runs again can be read.
    func didCarryOut(_ event: Event) {
        if case .life = event, let bus, bus.hasStale { bus.look() }
    }

    func stop() {
        follower?.end()
        follower = nil
        bus?.close()
        bus = nil
        icons?.finish()
        icons = nil
    }

    // MARK: Which items are there

    private func came(_ sender: NoticeSender, _ path: String) {
        let key = sender.name + path
        guard !items.contains(where: { $0.key == key }) else { return }
        guard items.count < TrayLimits.items, items.count(where: { $0.sender === sender }) < TrayLimits.each else {
            if leftOut.insert(sender.name).inserted {
                shell.log.notice("items of \(sender.owner) in the tray are left out: there are too many")
            }
            return
        }
        items.append((key, sender, path))
        bus?.add(key, sender.name, path)
        write()
    }

    private func went(_ key: String) {
        guard let index = items.firstIndex(where: { $0.key == key }) else { return }
        leftOut.remove(items[index].sender.name)
        items.remove(at: index)
        noted[key] = nil
        bus?.remove(key)
        icons?.forget(key)
        shell.receive(.tray(.gone(key)))
        write()
    }

    private func write() {
        guard let id = notices?.busID else { return }
        mkdir(folder, 0o700)
        let lines = [id] + items.map(\.key)
        do { try PrivateFile.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: list) } catch {
            shell.log.debug("the items of the tray are not noted for the next shell: \(error)")
        }
    }

    private func recalled(on bus: String) -> [String] {
        let lines = (readSmallFile(list, limit: 64 << 10) ?? "").split(separator: "\n").map(String.init)
        // Another bus gives the same numbers to other programs.
        return lines.first == bus ? Array(lines.dropFirst()) : []
    }

    // MARK: What an item shows

    private func tell(_ key: String, _ words: TrayWords) {
        guard let item = items.first(where: { $0.key == key }) else { return }
        var facts = TrayFacts(key: key)
        (facts.name, facts.title, facts.tooltip, facts.state) = (words.name, words.title, words.tooltip, words.state)
        (facts.isMenu, facts.hasMenu) = (words.isMenu, words.menu != nil)
        facts.app = shell.adapter(Notifications.self).processApp(item.sender)
        facts.process = item.sender.process
        let picture = words.shown
        var source = TrayIcons.Source(pixels: picture.pixels)
        // A confined program may not be allowed to read the file that it names.
        if !item.sender.owner.isConfined {
            source.files =
                picture.name.hasPrefix("/")
                ? [picture.name] : words.themePath.isEmpty ? [] : TrayIcons.files(picture.name, below: words.themePath)
        }
        let name = picture.name.hasPrefix("/") ? "" : picture.name
        let isOfTheme = !name.isEmpty && shell.adapter(Apps.self).catalogue?.findIcon(name, 64) != nil
        if isOfTheme, source.files.isEmpty { source = TrayIcons.Source() }
        guard source != TrayIcons.Source() else {
            facts.icon = isOfTheme ? name : nil
            shell.receive(.tray(.item(facts)))
            return
        }
        icons?.keep(source, of: key) { [unowned self] path in
            facts.icon = path ?? (isOfTheme ? name : nil)
            if path == nil, noted[key] != picture.name {
                noted[key] = picture.name
                shell.log.info("\(key) in the tray names an icon that cannot be read: \(picture.name)")
            }
            if items.contains(where: { $0.key == key }) { shell.receive(.tray(.item(facts))) }
        }
    }

    // MARK: Frozen apps

    private func app(of key: String) -> AppProcess? {
        guard let item = items.first(where: { $0.key == key }), let caller = shell.adapter(Notifications.self).caller(item.sender) else {
            return nil
        }
        return shell.adapter(AppLives.self).callers.process(caller)
    }

    private func isFrozen(_ key: String) -> Bool {
        app(of: key).flatMap { shell.system.lifecycle.apps[$0] }?.isSuspended ?? false
    }

    /// A frozen app runs for a while, so that it can answer.
    private func wake(_ key: String) {
        if let app = app(of: key), shell.system.lifecycle.apps[app] != nil { shell.receive(.life(.called(app))) }
    }
}
