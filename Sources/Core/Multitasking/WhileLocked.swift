import AudioSessions
import Windows

/// What a locked session still does, and for whom: the only table of this. Every new way into the shell adds a line.
///
/// `Sources/C/CWlroots` enforces it for Wayland's protocols, X11 and devices, so that a mistake above that layer reveals
/// nothing. The control socket asks this table.
public enum WhileLocked: String, Hashable, Sendable {
    /// It works as without a lock.
    case asEver
    /// It reaches, or shows, only the locker.
    case locker
    /// Its answers contain no titles and no names of apps.
    case withoutNames
    /// It is refused, or its answer is empty.
    case nothing

    /// A way into the shell.
    public enum Door: String, Hashable, Sendable, CaseIterable {
        // MARK: Wayland, by the names of the configuration's privileges
        /// A capture of the screen shows the locker.
        case screenCapture = "screen-capture"
        /// Reading what was copied. Copying stays possible, because a password may have to be replaced on the clipboard.
        case clipboard
        /// The remote view and a locker's own keypad need it.
        case virtualInput = "virtual-input"
        case inputMethod = "input-method"
        case panels
        /// Titles, closing and activating: a taskbar's windows disappear, and return after the lock.
        case windowList = "window-list"
        /// Size, rotation and power of the screen.
        case screens
        /// Another locker may take over from one that died.
        case sessionLock = "session-lock"
        case sandboxes
        /// Dialogs on windows of other programs: they appear after the lock.
        case foreignParents = "foreign-parents"
        case idle
        case pictureInPicture = "picture-in-picture"

        // MARK: Devices
        /// Keys for sound on the device's own keyboards.
        case soundKeys
        /// Ctrl+Alt+F1 to F12 on those keyboards. A program's virtual keyboard never switches consoles.
        case consoleKeys
        case otherInput

        // MARK: X11
        /// Windows, keys, the clipboard and new programs of X11 all wait.
        case x11

        // MARK: The control socket
        case getState, getWindows, getAudio, getLife, getVersion, getStatistics, getDescriptors, getConfiguration, getKeys, getApps, getViews, getConfigureLog, getNotifications
        /// For actions, `allows` says more.
        case act
        case input, screenshot, screenshotOfWindow, followState, followEvents, clock, wait, reload, quit
    }

    public static func rule(for door: Door) -> WhileLocked {
        switch door {
        case .screenCapture, .virtualInput, .otherInput, .input, .screenshot: .locker
        case .clipboard, .inputMethod, .panels, .windowList, .x11: .nothing
        case .screens, .sessionLock, .sandboxes, .foreignParents, .idle, .pictureInPicture, .soundKeys, .consoleKeys: .asEver
        case .getState, .getWindows, .getAudio, .getLife, .followState, .wait: .withoutNames
        case .getVersion, .getStatistics, .getDescriptors, .getConfiguration, .getKeys, .getApps, .clock, .reload, .act: .asEver
        // There is no control to operate.
        case .getViews: .asEver
        // Events contain titles, and a shell that ends leaves the session open.
        case .getConfigureLog, .getNotifications, .screenshotOfWindow, .followEvents, .quit: .nothing
        }
    }

    /// Allowed are actions that change the screen's appearance, rotation and idiom, and sound.
    public static func allows(_ action: Action) -> Bool {
        switch action {
        case .rotate, .resizeScreen, .idiom, .tabletMode, .darkAppearance, .reducedMotion, .textSize, .audio, .cover, .wrist: true
        default: false
        }
    }

    /// Which requests of taskbars for a window are allowed. An app's request for its own window always is.
    static func allows(_ request: WindowRequest) -> Bool {
        switch request {
        case .close, .activate(byPerson: true), .minimize: false
        default: true
        }
    }

    /// Whether to ignore an input event that arrives in spite of the lock.
    static func isDeaf(to event: Event) -> Bool {
        switch event {
        // Keys for sound are printed on the device, and reveal nothing about a password.
        case .key(_, let symbol, _, _, _, _) where symbol.isForSound: false
        case .windowAsked(_, let request): !allows(request)
        case .touchDown, .touchMotion, .touchUp, .touchCancel, .touchFrame, .pointerMotion, .pointerButton, .pointerAxis,
            .pointerFrame, .key, .typed, .erased, .typedIntoApp, .bellRung, .programTyped:
            true
        default: false
        }
    }

    public static let refusal = "the screen is locked"
}
