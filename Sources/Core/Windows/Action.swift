import AudioSessions
import Geometry
import Notices
import Status

/// An action that the user can ask of the shell. Keys, `mullion ctl` and the shell's own controls use the same actions (law
/// 9). Without a window, the active one is meant. Apps can use none of them (W-23).
public enum Action: Hashable, Codable, Sendable {
    /// One window fills the screen (W-07).
    case fullScreen(window: WindowID? = nil)
    /// Next to the window in front (W-04). `side` top and bottom stack the two windows on a portrait screen.
    case splitView(window: WindowID? = nil, side: Side)
    /// Floats above the other windows (W-01, W-03, W-05).
    case slideOver(window: WindowID? = nil)
    /// Small, above everything (W-06).
    case pictureInPicture(window: WindowID? = nil)
    case close(window: WindowID? = nil)
    /// Lets a freely stacked window fill a part of the screen; nil: it has its own size again (W-25).
    case tile(window: WindowID? = nil, to: Tile?)
    /// The same, or its own size again if it fills that part already.
    case toggleTile(window: WindowID? = nil, to: Tile)
    /// Hides a freely stacked window until a person asks for it.
    case minimize(window: WindowID? = nil)
    /// Hides all windows of an app until one is asked for, by default of the active app.
    case hideApp(app: String? = nil)
    /// Closes all windows of an app, by default of the active one.
    case quitApp(app: String? = nil)
    /// Steps through the open apps: 1 to the next, -1 to the previous one. While Super is held, its release chooses.
    case switchApps(Int)
    /// The same for the windows of the active app.
    case switchWindows(Int)
    /// Opens a menu of the menu bar by its name, by default the first.
    case barMenu(String? = nil)
    /// Chooses an item of a menu that the app of a window exports.
    case chooseMenuItem(window: WindowID, item: UInt32)
    /// Moves or scales the visible part of a window that its place shows in part (W-11).
    case magnify(window: WindowID? = nil, by: LensChange)
    /// Moves a window of the Shared Space to a depth behind the screen, in points (V-01).
    case depth(window: WindowID? = nil, to: Double)
    /// The same by steps: -1 nearer, 1 farther.
    case depthStep(window: WindowID? = nil, Int)
    /// A person looks at this point of the screen; nil: away from it. No client is told (V-02).
    case gaze(at: Point?)
    /// The person raises or lowers the wrist with the device.
    case wrist(raised: Bool)
    /// A press where the person looks.
    case gazePress
    /// How dark the surroundings of windows are, from 0 to 1; nil: toggles.
    case surroundings(Double? = nil)
    /// Brings a window to the front from anywhere, and makes it active.
    case focus(window: WindowID)
    case focusNext

    /// The first window's share of a Split View, 0 to 1. Snaps like a drag unless `exact`.
    case divider(fraction: Double, exact: Bool? = nil)
    /// Moves the divider to the next snap position: -1 left or up, 1 right or down. Past the last one, one window
    /// remains.
    case dividerStep(Int)
    case swapSides

    case slideOverSide(Side)
    case slideOverHide
    case slideOverShow
    /// Hides or shows it.
    case slideOverToggle
    case slideOverNext
    case slideOverPrevious

    case pipCorner(Corner)
    /// In points.
    case pipWidth(Double)
    /// 1 larger, -1 smaller.
    case pipStep(Int)
    case pipStash(Side? = nil)
    case pipShow
    /// Stashes it, or brings it back.
    case pipToggle
    /// Toggles its controls: close, full size, and playback.
    case pipControls
    /// The window in front becomes the picture, and the picture fills the screen (W-26).
    case pipSwap

    case nextSpace
    /// Makes an empty space of freely stacked windows and shows it (W-25).
    case newSpace
    /// Moves a window to the next space (1) or the previous one (-1). After the last one it gets a space of its own.
    case moveToSpace(window: WindowID? = nil, Int)
    /// Moves a window to a space; nil: to a new one after the others.
    case putInSpace(window: WindowID, SpaceID?)
    case previousSpace
    case showSpace(SpaceID)

    /// Opens a window that waits (W-19), by default the oldest.
    case openWaiting(window: WindowID? = nil, to: Destination? = nil)
    /// Launches a program. Its window counts as asked for.
    case launch(command: [String], to: Destination? = nil)

    // MARK: Apps
    /// Brings the app's most recently used window to the front, or launches the app. `app` is the name of its desktop
    /// entry, or the app id of windows without one.
    case openApp(app: String, to: Destination? = nil)
    /// Another window of an app (W-08), by default of the active one.
    case newWindow(app: String? = nil, to: Destination? = nil)
    /// One of the actions in its desktop entry.
    case appAction(app: String, action: String)
    /// Closes both windows of a pair, or the window of a full-screen space.
    case closeSpace(SpaceID)

    /// Arranges everything by the idiom of this name (docs/idioms.md).
    case idiom(String)
    /// How a convertible is folded, if no switch reports it: true as a tablet, nil without a switch (W-25).
    case tabletMode(on: Bool?)

    // MARK: The shell's own views
    /// Toggles between the home screen and the windows that were in front.
    case home
    /// The app switcher (S-02).
    case appSwitcher
    /// The dock over the app in front.
    case dock
    /// An app's windows along the bottom (W-08), by default those of the active app.
    case appShelf(app: String? = nil)
    /// An app's windows over the whole screen (W-09).
    case appExpose(app: String? = nil)
    /// The multitasking controls of a window (W-07).
    case controls(window: WindowID? = nil)
    /// The menu of an app: its actions, its windows.
    case appMenu(app: String)
    /// The search field of the home screen, with this text.
    case search(text: String? = nil)
    case notifications
    /// An act of a person on a notification, or a choice for an app's notifications.
    case notice(NoticeAct)
    case controlCentre
    /// An act on the lock screen of the shell; `.lock` locks the session.
    case lockScreen(LockAct)
    /// The list of keys.
    case keyHelp
    /// Goes one step back: closes the menu, panel or switcher in front.
    case dismiss
    /// Presses one of the shell's own controls, by its id in `mullion ctl views`.
    case press(view: ControlID)
    /// Gives the keyboard focus to one of the shell's controls, as a screen reader may ask.
    case keyFocus(view: ControlID)
    /// Scrolls the view in front by pages: -1 or 1.
    case scroll(Int)
    case addToDock(app: String)
    case removeFromDock(app: String)
    case darkAppearance(Bool)
    case reducedMotion(Bool)
    /// 1 is the default size.
    case textSize(Double)

    // MARK: Sound
    /// Volume, output, playback, calls.
    case audio(AudioAction)
    /// Toggles the control centre at this page.
    case controlPage(ControlPage)
    /// Volume and output for a window, by default the active one.
    case volumeView(window: WindowID? = nil)
    /// Sets one of the shell's own sliders, by its id in `mullion ctl views`, to a share of its range from 0 to 1.
    case adjust(view: ControlID, to: Double)
    /// Plays a short sound by its freedesktop name.
    case playSound(String)
    /// Whether the keys of on-screen keyboards click; nil: toggles.
    case keyClicks(Bool? = nil)
    /// The apps that listen to a person or see the screen.
    case sensors
    /// Wireless networks, Bluetooth, the light of the screen, power.
    case device(DeviceAction)
    /// Items of apps in the tray.
    case tray(TrayAct)
    /// Fields on a page of rows.
    case form(FormAct)
    /// Sets one of the settings, by its key in `mullion ctl settings`.
    case setting(key: String, value: String)
    /// The settings as they were at first; nil: all of them.
    case resetSettings(key: String? = nil)
    /// How the home screen is arranged.
    case arrangeHome(HomeAct)
    /// A preference of a person that no other action makes.
    case choose(Choice)
    /// The cover over screen and built-in microphone, if no switch reports it.
    case cover(closed: Bool)

    // MARK: The life of apps
    /// Lets an app run in the background, or freezes it there like others (S-06); nil: toggles.
    case keepRunning(app: String, Bool? = nil)
    /// Stops an app's sound, recording or Picture in Picture out of sight (S-06): it is frozen like others.
    case stopInBackground(app: String)
    /// Ends a background task early, by its number in `mullion ctl life`.
    case endTask(UInt64)
    /// Ends an app's inhibitor, by its number in `mullion ctl life`.
    case endInhibitor(UInt32)

    /// Answers a view that the shell shows for a program, by its number: with a choice, counted from 0, or with none.
    case chooseView(UInt32, Int)
    case dismissView(UInt32)
    /// Marks a part of the screen for a view that asks for one, by its number. A point is a frame without size.
    case markView(UInt32, Rect)
    /// Takes the keys back that an app has wherever the person is.
    case forgetShortcuts(app: String)
    /// Shows more apps in an activity view, by its number.
    case moreApps(UInt32)

    /// Ends the app of a window by force. Work in it may be lost.
    case endApp(window: WindowID)

    /// Opens an app without the state that it handed over, because it ends on it again and again (S-04).
    case openWithoutState(app: String)

    /// Fetches the pointer that arrow keys move, or puts it away; nil: toggles.
    case keyPointer(shown: Bool? = nil)
    /// Shows the on-screen keyboard whatever has the focus, or hides it; nil: toggles.
    case screenKeyboard(shown: Bool? = nil)
    /// Rotates the screen: counter-clockwise quarter turns from upright, 0 to 3.
    case rotate(Int)
    /// Changes the size of a headless or nested screen, in points, or its scale.
    case resizeScreen(size: Size? = nil, scale: Double? = nil)
    /// Logs out: apps save, and those that object are named to the person.
    case quit
    /// Logs out, whatever apps say.
    case quitAnyway
    /// Brings back the windows that stayed closed because the shell had failed several times (W-20).
    case bringWindowsBack
    /// They stay closed.
    case startClean
    /// Answers the question of a service or a program, or cancels it.
    case prompt(PromptAct)
    /// Hide the banner of a window that waits; its badge stays (W-19).
    case bannerLater
}

/// A change to an app that its place shows in part.
public enum LensChange: Hashable, Codable, Sendable {
    case larger, smaller
    /// Its share of the app's own size.
    case scale(Double)
    /// As small as the idiom allows.
    case automatic
    /// The part to that side comes into sight, by half of the place.
    case left, right, up, down
}

public enum ControlPage: String, CaseIterable, Hashable, Codable, Sendable {
    case main
    /// Outputs and inputs.
    case outputs
    /// The level of each app.
    case apps
    /// The idioms that a person can choose.
    case idioms
    /// Do Not Disturb, and the focuses.
    case focus
    /// The names for a new focus; one focus, the apps and the people that come through, and its times.
    case newFocus = "new-focus", focusMode = "focus-mode", focusApps = "focus-apps", focusPeople = "focus-people", focusTimes =
        "focus-times"
    /// Wireless networks; one of them, and its password. Devices of Bluetooth; one of them, and its code.
    case wireless, network, networkPassword = "network-password", bluetooth, device, pairing
    /// How the machine ends its work.
    case power
    /// The items of apps in the tray, and the menu of one of them.
    case tray, trayMenu = "tray-menu"
    /// Removable drives.
    case drives
    /// The settings, and their pages.
    case settings, look, display, sounds, language, noticeApps = "notice-apps", background, privacy, about, reset
    /// The data kept for apps.
    case storage
    case keyboard, layouts, pointer, controls, lock, defaultApps = "default-apps", startApps = "start-apps"

    /// Whether it stands in the frame of the settings wherever it was opened from.
    public var isOfSettings: Bool { self == .settings || parent == .settings || self == .layouts }

    /// Where Escape and the back button lead.
    public var parent: ControlPage {
        switch self {
        case .main, .outputs, .apps, .idioms, .focus, .wireless, .bluetooth, .power, .tray, .drives, .settings: .main
        case .look, .display, .sounds, .language, .noticeApps, .background, .privacy, .storage, .about, .reset, .keyboard, .pointer,
            .controls,
            .defaultApps, .startApps, .lock:
            .settings
        case .layouts: .keyboard
        case .network, .networkPassword: .wireless
        case .device, .pairing: .bluetooth
        case .trayMenu: .tray
        case .newFocus, .focusMode: .focus
        case .focusApps, .focusPeople, .focusTimes: .focusMode
        }
    }
}
