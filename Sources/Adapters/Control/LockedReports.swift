import Geometry
import Multitasking

/// What a client of the control socket is told while the session is locked (`WhileLocked`).
extension ControlRequest {
    /// The line of the table that it belongs to; of several topics the first that is shut.
    var door: WhileLocked.Door {
        switch self {
        case .get(let query):
            switch query {
            case .state: .getState
            case .windows: .getWindows
            case .version: .getVersion
            case .statistics: .getStatistics
            case .descriptors: .getDescriptors
            case .keys: .getKeys
            case .views: .getViews
            case .apps: .getApps
            case .audio: .getAudio
            case .configureLog: .getConfigureLog
            }
        case .act: .act
        case .input: .input
        case .screenshot(let screenshot): screenshot.window == nil ? .screenshot : .screenshotOfWindow
        // To begin is possible; what is told then follows the table of itself.
        case .follow: .followState
        case .clock: .clock
        case .wait: .wait
        case .reload: .reload
        case .quit: .quit
        }
    }
}

extension StateReport {
    /// As the lock lets it be told.
    init(told system: System, at now: Moment) {
        self.init(system, at: now)
        if system.isLocked, WhileLocked.rule(for: .getState) == .withoutNames { removeNames() }
    }

    /// Which windows there are and where they stand is kept: a script that waits for one goes on afterwards.
    private mutating func removeNames() {
        search = nil
        for index in windows.indices {
            windows[index].title = ""
            windows[index].appID = ""
            windows[index].app = ""
        }
    }
}

extension SoundReport {
    /// As the lock lets it be told: what plays is not named.
    init(told system: System, at now: Moment) {
        self.init(system, at: now)
        guard system.isLocked, WhileLocked.rule(for: .getAudio) == .withoutNames else { return }
        playing?.title = ""
        playing?.artist = ""
        playing?.album = ""
        playing?.artwork = ""
    }
}
