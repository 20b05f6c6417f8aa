import AudioSessions
import Seat
import Windows

/// The functions of a locked session and their users: the only table of this. Every new way into the shell adds a line.
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
    public enum Door: Hashable, Sendable {
        /// By a protocol of Wayland.
        case privilege(Privilege)

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
        case getState, getWindows, getAudio, getLife, getStatus, getTray, getSettings, getHome, getVersion, getStatistics, getDescriptors,
            getConfiguration, getKeys,
            getOrder,
            getApps,
            getViews, getConfigureLog, getNotifications, getViolations
        /// For actions, `deed(of:)` says more.
        case act
        case input, screenshot, screenshotOfWindow, followState, followEvents, clock, wait, ask, reload, quit
        /// The clock of a shell that began with one by hand, which is one that is tested.
        case clockOfTests
    }

    public static func rule(for door: Door) -> WhileLocked {
        switch door {
        // A capture of the screen shows the locker. The remote view and a locker's own keypad need virtual input.
        case .privilege(.screenCapture), .privilege(.virtualInput), .otherInput, .input, .screenshot: .locker
        // Reading copied content. Copying stays possible, because a password may have to be replaced on the clipboard.
        case .privilege(.clipboard), .privilege(.inputMethod), .privilege(.panels): .nothing
        // Titles, closing and activating: a taskbar's windows disappear, and return after the lock.
        case .privilege(.windowList), .x11: .nothing
        // Another locker may take over from one that died. Dialogs on windows of other programs appear after the lock.
        case .privilege(.sessionLock), .privilege(.foreignParents): .asEver
        // Size, rotation and power of the screen.
        case .privilege(.screens), .privilege(.sandboxes), .privilege(.idle), .privilege(.pictureInPicture), .soundKeys, .consoleKeys:
            .asEver
        case .getState, .getWindows, .getAudio, .getLife, .getStatus, .followState, .wait: .withoutNames
        case .getVersion, .getStatistics, .getDescriptors, .getConfiguration, .getKeys, .getOrder, .getApps, .clockOfTests, .reload, .act:
            .asEver
        // A question waits until the session is open.
        case .ask: .asEver
        // The only controls to operate are those of a card over the locker, which is visible without a password.
        case .getViews: .asEver
        // Numbers of connections and objects, and only in a shell that is tested.
        case .getViolations: .asEver
        // A wait after wrong passwords is as long as it says.
        case .clock: .nothing
        // Events contain titles, and a shell that ends leaves the session open.
        case .getConfigureLog, .getNotifications, .getTray, .getSettings, .getHome, .screenshotOfWindow, .followEvents, .quit: .nothing
        }
    }

    /// The outcome of an action of a person or a script. The shell follows facts of the device: a switch, a sensor, or a stand-in for one.
    /// Choices for a session wait until the person has unlocked it: its look, size, idiom and rotation.
    /// A plugged output, and programs that arrange outputs (`Privilege.screens`), come by other events.
    public enum Deed: Hashable, Sendable {
        /// It works as without a lock.
        case done
        /// It works for a card that stands over the locker, and is refused for everything else.
        case onCard
        /// It is refused (`refusal`), and nothing of it waits.
        case refused
    }

    public static func deed(of action: Action) -> Deed {
        switch action {
        // Sound reveals nothing, and its keys are on the device (decision 0057).
        case .audio: .done
        // So does the light of the screen.
        case .device(.brightness), .device(.brightnessStep), .device(.powerButton): .done
        case .device, .tray, .prompt, .form, .setting, .resetSettings, .choose, .arrangeHome, .forgetShortcuts: .refused
        // They stand in for a switch of the device that no driver reports.
        case .tabletMode, .cover, .wrist: .done
        case .press, .notice(.dismiss), .notice(.snooze): .onCard
        case .lockScreen(.lock): .done
        // The controls of the lock screen do the rest.
        case .lockScreen: .refused
        case .notice: .refused
        // Choices of how the session looks.
        case .idiom, .darkAppearance, .reducedMotion, .textSize, .rotate, .resizeScreen, .surroundings, .keyClicks: .refused
        // Windows, and where they are.
        case .fullScreen, .splitView, .slideOver, .pictureInPicture, .close, .tile, .toggleTile, .minimize, .hideApp, .quitApp, .switchApps,
            .switchWindows, .barMenu, .chooseMenuItem, .magnify, .depth, .depthStep, .focus, .focusNext, .divider, .dividerStep, .swapSides,
            .slideOverSide, .slideOverHide, .slideOverShow, .slideOverToggle, .slideOverNext, .slideOverPrevious, .pipCorner, .pipWidth,
            .pipStep,
            .pipStash, .pipShow, .pipToggle, .pipControls, .pipSwap, .nextSpace, .newSpace, .moveToSpace, .putInSpace, .previousSpace,
            .showSpace,
            .openWaiting, .closeSpace:
            .refused
        // Apps, and their work.
        case .launch, .openApp, .newWindow, .appAction, .endApp, .openWithoutState, .keepRunning, .stopInBackground, .endTask,
            .endInhibitor:
            .refused
        // The shell's own views, none of which is there.
        case .home, .appSwitcher, .dock, .appShelf, .appExpose, .controls, .appMenu, .search, .notifications, .controlCentre, .sensors,
            .keyHelp,
            .dismiss,
            .keyFocus, .scroll, .addToDock, .removeFromDock, .controlPage, .volumeView, .adjust, .chooseView, .dismissView, .markView,
            .moreApps,
            .keyPointer,
            .screenKeyboard, .bannerLater, .gaze, .gazePress:
            .refused
        // The person would not know the reason of the sound.
        case .playSound: .refused
        // A shell that ends leaves the session open, and a person without the password could see the windows that come back.
        case .quit, .quitAnyway, .bringWindowsBack, .startClean: .refused
        }
    }

    /// Which requests of taskbars for a window are allowed. An app's request for its own window always is.
    static func allows(_ request: WindowRequest) -> Bool {
        switch request {
        case .close, .activate(byPerson: true), .minimize: false
        case .fullscreen, .maximize, .move, .resize, .activate(byPerson: false): true
        }
    }

    /// Whether to ignore an event that arrives in spite of the lock. The shell takes everything else: programs and the device continue,
    /// and the shell draws their changes after the unlocking.
    public static func isDeaf(to event: Event) -> Bool {
        switch event {
        // Keys for sound are printed on the device, and reveal nothing about a password.
        case .key(_, let symbol, _, _, _, _): !symbol.isForSound
        case .windowAsked(_, let request): !allows(request)
        // Input is the locker's.
        case .touchDown, .touchMotion, .touchUp, .touchCancel, .touchFrame, .pointerMotion, .pointerButton, .pointerAxis, .pointerFrame,
            .typed, .erased,
            .typedIntoApp, .bellRung, .programTyped:
            true
        // Facts of the device are followed: an output, a fold, a sensor, sleep.
        case .screenChanged, .screenRemoved, .screenLit, .sessionActive, .powerButton, .hardware, .screenAsked, .power, .idle, .timeIs,
            .status, .wireless, .pairing,
            .turning, .nightLight, .cameras, .drives, .locating, .keptStates, .prompts, .tray, .settingFacts, .timer:
            false
        // `deed(of:)` decides.
        case .action: false
        // The lock itself, and taps beside the locker.
        case .lock, .lockScreen, .finger: false
        // Panels, windows and programs, which are not visible now.
        case .panelChanged, .panelGone, .x11MenusWantKeys, .windowCreated, .windowRenamed, .windowMapped, .windowsMapped, .windowCommitted,
            .windowUnmapped,
            .windowDestroyed, .clientGone, .windowPlaced, .popupsChanged, .menusChanged, .pinchablesChanged, .dotsGround, .barGround,
            .activationAsked,
            .tokenShownAgain, .showAsked, .launched, .beginsWith, .launchFailed, .launchEnded, .appsChanged, .capture, .copying, .audio,
            .restored,
            .outlivedProgramEnded, .windowsSetAside, .storeTrouble, .storeKeepsAgain, .filesWrong, .pictureKept, .programKnown, .life,
            .viewAsked, .filesAsked, .viewWithdrawn,
            .handedOver, .sharingFailed, .shortcuts, .notice, .choices, .screenKeyboard, .inputMethodUnheard, .windowSilent:
            false
        // The configuration file is followed, so that a locker can be named in it.
        case .configured, .idiomsKnown: false
        }
    }

    public static let refusal = "the screen is locked"
}
