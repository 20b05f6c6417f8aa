import AudioSessions
import Geometry

/// What a person can ask the shell to do; the same words for keys, `mullion ctl` and the shell's own controls (law 9).
/// Where a window may be left out, the active one is meant. None of them is open to apps (W-23).
public enum Action: Hashable, Codable, Sendable {
    /// One window over the whole screen (W-07).
    case fullScreen(window: WindowID? = nil)
    /// Beside the window in front (W-04). `side` top and bottom stack the two on an upright screen.
    case splitView(window: WindowID? = nil, side: Side)
    /// Floating over the rest (W-01, W-03, W-05).
    case slideOver(window: WindowID? = nil)
    /// Small, above everything (W-06).
    case pictureInPicture(window: WindowID? = nil)
    case close(window: WindowID? = nil)
    /// Brings a window to the front, wherever it is, and makes it active.
    case focus(window: WindowID)
    case focusNext

    /// The first window's share of a Split View, 0 to 1. It snaps as a finger's drag does unless `exact`.
    case divider(fraction: Double, exact: Bool? = nil)
    /// To the next place where the divider snaps: -1 left or up, 1 right or down. Past the last one window is left.
    case dividerStep(Int)
    case swapSides

    case slideOverSide(Side)
    case slideOverHide
    case slideOverShow
    /// Hides it, or brings it back.
    case slideOverToggle
    case slideOverNext
    case slideOverPrevious

    case pictureCorner(Corner)
    /// In points.
    case pictureWidth(Double)
    /// 1 larger, -1 smaller.
    case pictureStep(Int)
    case pictureStash(Side? = nil)
    case pictureShow
    /// Stashes it, or brings it back.
    case pictureToggle
    /// Shows its controls: close, back to full size, and those of what it plays. Hides them if they are shown.
    case pictureControls

    case nextSpace
    case previousSpace
    case showSpace(SpaceID)

    /// Opens a window that waited (W-19); the oldest if none is named.
    case openWaiting(window: WindowID? = nil, to: Destination? = nil)
    /// Starts a program; its window was asked for.
    case launch(command: [String], to: Destination? = nil)

    // MARK: Apps
    /// Brings the app's window that was used last to the front, or starts the app. `app` is the name of its desktop
    /// entry, or the app id of windows that have none.
    case openApp(app: String, to: Destination? = nil)
    /// Another window of an app (W-08); of the active one if none is named.
    case newWindow(app: String? = nil, to: Destination? = nil)
    /// One of the actions that its desktop entry offers.
    case appAction(app: String, action: String)
    /// Both windows of a pair, or the one of a full-screen space.
    case closeSpace(SpaceID)

    // MARK: The shell's own views
    /// The home screen, and from there back to what was in front.
    case home
    /// The app switcher (S-02).
    case appSwitcher
    /// The dock over the app in front.
    case dock
    /// All windows of an app along the bottom (W-08); of the active one if none is named.
    case appShelf(app: String? = nil)
    /// All windows of an app over the whole screen (W-09).
    case appExpose(app: String? = nil)
    /// The multitasking controls of a window (W-07).
    case controls(window: WindowID? = nil)
    /// The menu of an app: its actions, its windows.
    case appMenu(app: String)
    /// The search field of the home screen, with this text in it.
    case search(text: String? = nil)
    case notifications
    case controlCentre
    /// The keys and what they do.
    case keyHelp
    /// Goes one step back: closes the menu, panel or switcher in front.
    case dismiss
    /// Presses one of the shell's own controls, by its name in `mullion ctl views`.
    case press(view: ControlID)
    /// Gives the keyboard's focus to one of them, where the keys are the shell's: a screen reader asks for it.
    case keyFocus(view: ControlID)
    /// Scrolls the view in front by pages: -1 or 1.
    case scroll(Int)
    case addToDock(app: String)
    case removeFromDock(app: String)
    case darkAppearance(Bool)
    case reducedMotion(Bool)
    /// 1 is the usual size.
    case textSize(Double)

    // MARK: Sound
    /// Volume, output, playback, calls.
    case audio(AudioAction)
    /// A page of the control centre: opens it there, or closes it if it shows that page.
    case controlPage(ControlPage)
    /// Level and route at a window; at the active one if none is named.
    case volumeView(window: WindowID? = nil)
    /// Moves one of the shell's own sliders, by its name in `mullion ctl views`, to a share of its range from 0 to 1.
    case adjust(view: ControlID, to: Double)
    /// A short sound by its freedesktop name.
    case playSound(String)
    /// The cover over screen and built-in microphone, where no switch says so.
    case cover(closed: Bool)

    /// Turns the screen: quarter turns counter-clockwise from upright, 0 to 3.
    case rotate(Int)
    /// Another size of a headless or nested screen, in points, or another scale.
    case resizeScreen(size: Size? = nil, scale: Double? = nil)
    case quit
}

public enum ControlPage: String, CaseIterable, Hashable, Codable, Sendable {
    case main
    /// Where sound leaves and enters.
    case outputs
    /// Each app's own level.
    case apps
}
