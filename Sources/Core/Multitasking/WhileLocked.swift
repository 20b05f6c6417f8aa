import AudioSessions
import Windows

/// What a locked session still does, and for whom: the one table. Whoever opens a new way into the shell adds a line.
///
/// `Sources/C/CWlroots` carries out what is said here of Wayland's protocols, of X11 and of devices, so that a mistake above it
/// shows nothing; the control socket asks here.
public enum WhileLocked: String, Hashable, Sendable {
    /// As without a lock.
    case asEver
    /// It reaches, or shows, the locker and nobody else.
    case locker
    /// What it tells has no titles, and no names of apps.
    case withoutNames
    /// It is refused, or answered with nothing.
    case nothing

    /// A way into the shell.
    public enum Door: String, Hashable, Sendable, CaseIterable {
        // MARK: Wayland, by the names of the configuration's privileges
        /// Pictures of the screen are pictures of the locker.
        case screenCapture = "screen-capture"
        /// What was copied; to copy something is possible, for a password may have to be taken off the clipboard.
        case clipboard
        /// The remote view and a locker's own keypad need it.
        case virtualInput = "virtual-input"
        case inputMethod = "input-method"
        case panels
        /// Titles, and to close or activate: a taskbar's windows go, and come again.
        case windowList = "window-list"
        /// Size, rotation and power of the screen.
        case screens
        /// Another locker may take over from one that died.
        case sessionLock = "session-lock"
        case sandboxes
        /// Dialogs on windows of other programs: they are seen after the lock.
        case foreignParents = "foreign-parents"
        case idle
        case pictureInPicture = "picture-in-picture"

        // MARK: Devices
        /// Keys of the device's own keyboards for sound.
        case soundKeys
        /// Ctrl+Alt+F1 to F12 on them. A keyboard of a program's never switches consoles.
        case consoleKeys
        case otherInput

        // MARK: X11
        /// Windows, keys, the clipboard, new programs: all of them wait.
        case x11

        // MARK: The control socket
        case getState, getWindows, getAudio, getLife, getVersion, getStatistics, getDescriptors, getKeys, getApps, getViews, getConfigureLog
        /// For each action `allows` says more.
        case act
        case input, screenshot, screenshotOfWindow, followState, followEvents, clock, wait, reload, quit
    }

    public static func rule(for door: Door) -> WhileLocked {
        switch door {
        case .screenCapture, .virtualInput, .otherInput, .input, .screenshot: .locker
        case .clipboard, .inputMethod, .panels, .windowList, .x11: .nothing
        case .screens, .sessionLock, .sandboxes, .foreignParents, .idle, .pictureInPicture, .soundKeys, .consoleKeys: .asEver
        case .getState, .getWindows, .getAudio, .getLife, .followState, .wait: .withoutNames
        case .getVersion, .getStatistics, .getDescriptors, .getKeys, .getApps, .clock, .reload, .act: .asEver
        // There is no control that could be operated.
        case .getViews: .asEver
        // Events hold titles; a shell that ends leaves the session open.
        case .getConfigureLog, .screenshotOfWindow, .followEvents, .quit: .nothing
        }
    }

    /// How the screen looks and lies, and what is heard.
    public static func allows(_ action: Action) -> Bool {
        switch action {
        case .rotate, .resizeScreen, .darkAppearance, .reducedMotion, .textSize, .audio, .cover: true
        default: false
        }
    }

    /// What taskbars ask of a window, as far as it came here; what an app wishes for its own window is heard as ever.
    static func allows(_ request: WindowRequest) -> Bool {
        switch request {
        case .close, .activate(byPerson: true), .minimize: false
        default: true
        }
    }

    /// Input that gets through all the same is nobody's.
    static func isDeaf(to event: Event) -> Bool {
        switch event {
        // Those for sound stand on the device, and say nothing about a password.
        case .key(_, let symbol, _, _, _) where symbol.isForSound: false
        case .windowAsked(_, let request): !allows(request)
        case .touchDown, .touchMotion, .touchUp, .touchCancel, .touchFrame, .pointerMotion, .pointerButton, .pointerAxis,
            .pointerFrame, .key, .typed, .erased, .typedIntoApp:
            true
        default: false
        }
    }

    public static let refusal = "the screen is locked"
}
