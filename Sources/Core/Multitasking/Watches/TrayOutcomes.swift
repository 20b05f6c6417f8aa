import Geometry
import Interface
import Tray
import Windows

/// The items of apps in the tray: where a person's wishes go, and what follows from their room.
extension System {
    mutating func tray(_ event: Tray.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in tray.handle(event, in: !screenful.isLocked, at: now) {
            switch outcome {
            case .changed: screenful.sight.device.tray = tray
            case .open(let key, let ask): turn.send(.tray(.open(key, ask: ask)))
            case .contextMenu(let key, let ask): turn.send(.tray(.contextMenu(key, ask: ask)))
            case .expects(let process): screenful.workspace.personAsks(process, at: now)
            case .readMenu(let key, let ask): turn.send(.tray(.readMenu(key, ask: ask)))
            case .closeMenu(let key): turn.send(.tray(.closeMenu(key)))
            case .menusOpen(let key, let menus): turn.send(.tray(.menusOpen(key, menus)))
            case .press(let key, let entry): turn.send(.tray(.press(key, entry: entry)))
            case .showsItems: show(.tray, at: now)
            case .showsMenu:
                show(.trayMenu, at: now)
                screenful.interface.showTrayMenu([])
            case .showsSubmenu(let path): screenful.interface.showTrayMenu(path)
            case .leavesMenu: leave(.trayMenu, for: .tray)
            case .leavesViews: if screenful.interface.isControlCentreOpen { screenful.closeViews(at: now) }
            case .refuse(let reason): turn.send(.refuse(Refusal(reason)))
            }
        }
        screenful.drawsAnew()
        if case .wish = event { turn.ask(.settle()) }
    }

    /// A menu of the tray is read while its page is in sight.
    mutating func followTray(_ page: ControlPage?, at now: Moment, _ turn: inout Turn) {
        guard tray.menu != nil || tray.trouble != nil else { return }
        let isOpen = page == .tray || page == .trayMenu
        tray(.seen(isOpen: isOpen, menu: page == .trayMenu ? screenful.interface.trayPath : nil), at: now, &turn)
    }
}
