import Geometry
import Multitasking

/// The requests that clients of the control socket may make while the session is locked (`WhileLocked`).
extension ControlRequest {
    /// The request's entry in the table. Of several topics, the first one that is closed.
    var door: WhileLocked.Door {
        switch self {
        case .get(let query):
            switch query {
            case .state: .getState
            case .windows: .getWindows
            case .version: .getVersion
            case .statistics: .getStatistics
            case .descriptors: .getDescriptors
            case .configuration: .getConfiguration
            case .keys: .getKeys
            case .order: .getOrder
            case .views: .getViews
            case .apps: .getApps
            case .audio: .getAudio
            case .life: .getLife
            case .status: .getStatus
            case .tray: .getTray
            case .settings: .getSettings
            case .home: .getHome
            case .notifications: .getNotifications
            case .violations: .getViolations
            case .configureLog: .getConfigureLog
            }
        case .act: .act
        case .input: .input
        case .screenshot(let screenshot): screenshot.window == nil ? .screenshot : .screenshotOfWindow
        // Following may begin. The table then applies to each report.
        case .follow: .followState
        case .clock: .clock
        case .wait: .wait
        case .ask: .ask
        case .reload: .reload
        case .quit: .quit
        }
    }
}

extension StateReport {
    /// Filters the state for a locked session.
    init(told system: System, at now: Moment) {
        self.init(system, at: now)
        if system.isLocked, WhileLocked.rule(for: .getState) == .withoutNames { removeNames() }
    }

    /// Keeps the windows and their places, so that a script that waits for a window can go on afterwards.
    private mutating func removeNames() {
        search = nil
        for index in windows.indices {
            windows[index].title = ""
            windows[index].appID = ""
            windows[index].app = ""
        }
    }
}

extension LifeReport {
    /// Filters the report for a locked session: removes the names of apps and of their tasks.
    init(told system: System, means: String?) {
        self.init(system.lifecycle, system.workspace, means: means)
        guard system.isLocked, WhileLocked.rule(for: .getLife) == .withoutNames else { return }
        for index in apps.indices {
            apps[index].app = ""
            for reason in apps[index].reasons.indices { apps[index].reasons[reason].name = nil }
        }
        for index in placeholders.indices { (placeholders[index].app, placeholders[index].title) = ("", "") }
    }
}

extension SoundReport {
    /// Filters the sound report for a locked session: removes the names of playing items.
    init(told system: System, at now: Moment) {
        self.init(system, at: now)
        guard system.isLocked, WhileLocked.rule(for: .getAudio) == .withoutNames else { return }
        playing?.title = ""
        playing?.artist = ""
        playing?.album = ""
        playing?.artwork = ""
    }
}
