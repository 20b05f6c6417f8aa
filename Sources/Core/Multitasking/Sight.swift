import AudioSessions
import Interface
import Lifecycle
import Modality
import Notices
import Watches
import Windows

/// Facts of other rooms that the screen shows, as values: each room owns its facts, and `System` passes them on when they change. Nothing
/// on the screen changes them.
struct Sight: Hashable, Codable, Sendable {
    var preferences: Preferences
    /// The idioms that a person can choose.
    var idioms: [Idiom]
    /// The keys of the idiom in effect.
    var keys: [KeyBinding]
    /// Whether a locker holds the session.
    var isLocked = false
    /// Whether the session is being locked, and something of it may still be in sight.
    var isLockComing = false
    /// The lock screen of the shell.
    var lock = LockSight()
    /// Whether a person can see the screen: it is on, this console is in front, and the machine is awake.
    var isLit = true, isAwake = true
    /// The audible sound.
    var heard = AudioSummary()
    /// Why windows in the background run.
    var awake: [WindowID: [AwakeReason]] = [:]
    var notices = Notices()
    /// The state of the device.
    var device = DeviceSight()
    /// Facts for the settings.
    var facts = SettingFacts()
    /// The clients that share the screen.
    var sharers: [UInt64] = []
    /// Modal views over windows.
    var modality = Modality()
    /// The keys of apps.
    var shortcuts = GlobalShortcuts()
    var isWristDown = false
    var gaze = Gaze()
    /// The window that fills the screen by its own request.
    var immersed: WindowID?
    /// The window of a call that is a picture only as long as the call lasts.
    var pictureOfCall: WindowID?

    /// Whether something hears, sees, watches or locates a person.
    var isWatched: Bool {
        heard.isRecording || !sharers.isEmpty || !device.sensors.cameras.isEmpty || !device.sensors.locators.isEmpty
            || device.status.isRecording ?? false
    }

    /// Facts for the settings, with the preferences that hold.
    var shownFacts: SettingFacts {
        var out = facts
        out.animationSpeed = preferences.animationSpeed
        out.showsStatus = preferences.showsStatus
        out.lines = preferences.fixedLines
        out.input = preferences.input
        out.controls = preferences.controls
        out.nightLight = preferences.nightLight
        out.startApps = preferences.startApps
        out.ownDefaults = preferences.ownDefaults
        out.lock = preferences.lock
        out.location = preferences.location
        out.shortcuts = preferences.shortcuts
        out.screen = preferences.screen
        return out
    }

    /// The state of the device. Without its bar there is no time, and nothing beside it. A lock screen is a clock whatever else shows it.
    var shownDevice: DeviceSight {
        guard !preferences.showsStatus, !lock.screen.isUp else { return device }
        var out = device
        out.status.hideTime()
        return out
    }
}
