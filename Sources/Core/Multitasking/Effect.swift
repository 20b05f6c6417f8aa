import AudioSessions
import Geometry
import Interface
import Lifecycle
import Locking
import Modality
import Notices
import Seat
import Stage
import Status
import Windows

/// A task for the adapters. Effects are values, never closures, so that tests can compare whole lists of them.
/// The picture on the screen is not an effect: it follows from the state (`System.items`).
///
/// Each case is for one adapter (`Effect.Kind`). The static functions of `Effect` make effects without naming the case:
/// `.configure(id, configure)` is `.client(.configure(id, configure))`.
public enum Effect: Hashable, Codable, Sendable {
    case client(ClientEffect)
    case program(ProgramEffect)
    case timer(TimerEffect)
    case look(LookEffect)
    case audio(AudioEffect)
    case life(LifecycleEffect)
    /// Keep a picture of this window, which is about to go out of sight (W-20).
    case keepPicture(WindowID)
    /// Restore the windows that were set aside; they arrive as `Event.restored`.
    case bringWindowsBack
    /// Do not offer the windows that were set aside at the next start.
    case forgetWindowsAside
    /// End a program that outlived the last shell, and has no window: politely first. `outlivedProgramEnded` follows.
    case endOutlived(Int32)
    /// Tell how much is kept for each app (`KeptStates.Event.measured`).
    case measureKept
    /// Delete what is kept for an app but the states that its programs offer now.
    case forgetKept(app: String)
    case power(PowerEffect)
    case session(SessionEffect)
    /// Reads, keeps and offers of copied content. `CopyEffect.wake` becomes a timer.
    case copying(CopyEffect)
    /// Write down that the session is locked, and answer with `LockEvent.noted`; or remove that note.
    case noteLock(Bool)
    /// Write down how many wrong tries a person made, so that the next shell counts further.
    case noteTries(Int)
    /// The talk with PAM.
    case unlocking(UnlockEffect)
    case finger(FingerEffect)
    /// Start a locker with this command, instead of one that the shell started before.
    case startLocker([String])
    /// Show the on-screen keyboard whatever has the focus, or hide it (law 9).
    case showScreenKeyboard(Bool)
    /// How a view that a program asked for ended.
    case viewAnswered(ModalID, ModalAnswer)
    /// A person chose the target for the content of this view. Content that is handed to an app comes back as `Event.handedOver`.
    case share(ModalID, Sharing.Target)
    /// A person chose an item of a menu that an app exports.
    case menus(MenuEffect)

    /// The rules for reading keyboards and gamepads.
    case devices(DeviceRules)
    /// Messages to programs that notified, and the notifications to keep.
    case notice(NoticeEffect)
    /// A choice of a person, for the next session.
    case choices(ChoiceEffect)
    case status(StatusEffect)
    /// Answers to services and programs that ask a person.
    case prompt(PromptEffect)
    /// Requests to apps with items in the tray.
    case tray(TrayEffect)
    /// Messages to programs that have shortcuts.
    case shortcuts(ShortcutEffect)

    /// The adapter that carries an effect out. Each kind belongs to exactly one adapter of the shell.
    public enum Kind: Int, CaseIterable, Sendable {
        /// wlroots.
        case client
        case program
        case timer
        case look
        /// PipeWire.
        case soundServer
        /// Players and apps with audio sessions, on the session bus.
        case soundApps
        /// Short sounds and haptics.
        case feedback
        /// Scopes of apps, their state and their background tasks.
        case life
        /// Programs that speak to the session manager.
        case sessionPrograms
        /// The store of data that must survive a crash or a reboot.
        case keeping
        /// The store of a person's choices.
        case choices
        /// The login manager.
        case power
        /// Programs that asked for views.
        case views
        /// Sharing by programs.
        case sharing
        /// Copied content.
        case copying
        /// Programs that notify.
        case notices
        case session
        /// The note for the next shell that the session is locked.
        case lockNote
        /// The configured locker.
        case locker
        /// The helper that speaks with PAM.
        case unlocking, finger
        case screenKeyboard
        /// Menus that apps export.
        case menus
        /// Gamepads, and keys that the kernel knows.
        case devices
        /// The clock, and the services that tell of the device.
        case status
        /// Services and programs that ask a person.
        case prompts
        /// Apps with items in the tray.
        case tray
        /// Programs that have shortcuts.
        case shortcuts
    }

    public var kind: Kind {
        switch self {
        case .client: .client
        case .program: .program
        case .timer: .timer
        case .look: .look
        case .session: .session
        case .noteLock, .noteTries: .lockNote
        case .unlocking: .unlocking
        case .finger: .finger
        case .startLocker: .locker
        case .showScreenKeyboard: .screenKeyboard
        case .viewAnswered: .views
        case .share: .sharing
        case .menus: .menus
        case .devices: .devices
        case .copying: .copying
        case .notice: .notices
        case .choices: .choices
        case .status: .status
        case .prompt: .prompts
        case .tray: .tray
        case .shortcuts: .shortcuts
        case .life(let effect):
            switch effect {
            case .inhibitorEnded, .forbidBackground, .queryEnd, .cancelEnd, .endClient, .sessionEnds, .sessionGoesOn: .sessionPrograms
            default: .life
            }
        case .keepPicture, .bringWindowsBack, .forgetWindowsAside, .endOutlived, .measureKept, .forgetKept: .keeping
        case .power: .power
        case .audio(let effect):
            switch effect {
            case .level, .connect, .measure, .useOutput, .useInput, .outputLevel, .muteInput: .soundServer
            case .command, .tell, .answer: .soundApps
            case .playSound, .haptic: .feedback
            // `Sound` turns these into effects of the other kinds.
            case .refuse: .session
            case .startTimer, .stopTimer: .timer
            }
        }
    }
}

/// Messages to clients, and changes to the screen.
public enum ClientEffect: Hashable, Codable, Sendable {
    // MARK: Tell clients
    case configure(WindowID, Configure)
    /// X11: the same size at another place.
    case place(WindowID, Point)
    case close(WindowID)
    case keyboardFocus(KeyboardTarget)
    /// Takes keys that are down from all clients, and their releases too. The surface that gets the keyboard next does not know of them.
    case dropHeldKeys
    /// A panel's rectangle, in points of the screen; its program is sent the size.
    case placePanel(PanelID, Rect)
    /// Keep showing the window's current content until it is released.
    case hold(WindowID)
    case release(WindowID)
    /// Where popups may open, in the window's own coordinates.
    case popupBounds(WindowID, Rect)
    case dismissPopups(WindowID)
    /// How a person answered the question about unsaved work (M-10).
    case unsavedAnswered(WindowID, WindowHints.UnsavedChoice)
    /// A person pinched an item of a window open; the launch is the one of the app's new window (W-21).
    case pinched(WindowID, item: UInt32, LaunchID)
    /// The operations on windows that the idiom offers (W-22).
    case capabilities(WindowCapabilities)
    /// The colours of the screen, by factors.
    case colours(ColourGains)
    /// How keyboards and pointers behave.
    case input(InputPreferences)
    /// For taskbars, not for the app (W-10).
    case announce(WindowID, activated: Bool, shown: Bool)

    // MARK: Deliver input
    /// `at`: in the window's own unscaled coordinates.
    case pointerOnWindow(WindowID, at: Point)
    /// The pointer is over no window; panels behind the windows may take it.
    case pointerOnBackground(at: Point)
    /// The pointer is over a panel above everything, or an X11 menu there.
    case pointerOnOverlay(Overlay, at: Point)
    /// The pointer is over the shell's own views, with this cursor.
    case pointerOnShell(Cursor)
    case pointerButton(UInt32, pressed: Bool)
    case pointerAxis(PointerAxis)
    case pointerFrame
    case touchDown(Int32, WindowID, at: Point)
    case touchDownOnBackground(Int32, at: Point)
    case touchDownOnOverlay(Int32, Overlay, at: Point)
    case touchMotion(Int32, at: Point)
    case touchUp(Int32)
    case touchFrame
    /// A gesture was recognised: the clients' touches end unfinished (law 8).
    case touchCancel
    /// The shell took the key; no client gets it.
    case swallowKey
    /// The shell's own text field gained or lost the keyboard: the on-screen keyboard follows.
    case textEntry(Bool)
    /// Press and release a key at the surface with the keyboard focus, by its Linux code.
    case typeKey(UInt32)
    /// Move, press and scroll the pointer as if a device had done it; the events follow.
    case movePointer(Point)
    case pressPointer(UInt32, pressed: Bool)
    case scrollPointer(isHorizontal: Bool, Double)
    /// Hide the pointer until it moves.
    case hidePointer
    /// Hide the session behind a locker, or show it again.
    case lock(LockEffect)
    /// Real keyboards have this one of their layouts.
    case keyboardLayout(Int)
    /// The device is unused, or in use again.
    case tellIdle(IdleWatchID, isIdle: Bool)

    // MARK: The screen
    case configureScreen(size: Size?, scale: Double?, rotation: Int?)
    /// The screen is dark from now on, or lit.
    case lightScreen(Bool)
    /// Answers a program that asked for a configuration of the screen: apply it, or test it, and report whether that
    /// succeeded. Without a wish the answer is no.
    case answerScreen(UInt32, ScreenWish?, test: Bool)
}

public enum ProgramEffect: Hashable, Codable, Sendable {
    /// In the directory that its desktop entry names, if any; otherwise in the home folder (decision 0014).
    case launch(LaunchID, command: [String], directory: String?)
    /// The same for a window that is restored, in the directory in which its program ran.
    case relaunch(LaunchID, command: [String], directory: String?)
    /// The same with the open files of a request.
    case showFiles(LaunchID, command: [String], for: ModalID)
}

public enum TimerEffect: Hashable, Codable, Sendable {
    /// `Event.timer` arrives once, at this moment. Starting a timer again replaces its moment.
    case start(TimerID, at: Moment)
    case stop(TimerID)
}

public enum LookEffect: Hashable, Codable, Sendable {
    /// The shell's appearance changed.
    case appearance(Appearance)
    /// Tell the time of day (`Event.timeIs`).
    case tellTime
}

/// The helper that speaks with PAM, in the attempt of a number. `LockScreenEvent.talk` answers.
/// An act of the fingerprint reader.
public enum FingerEffect: Hashable, Codable, Sendable {
    /// Wait for a finger.
    case read
    /// Leave the reader to others.
    case stop
    case log(String)
}

public enum UnlockEffect: Hashable, Codable, Sendable {
    /// `byFinger`: without a password.
    case start(UInt64, byFinger: Bool)
    case answer(UInt64, Secret)
    case stop(UInt64)
    /// Why a password could not be checked, for the log.
    case log(String)
    /// Begin to talk with greetd about this person.
    case greet(UInt64, Secret)
    /// Have greetd start the session of the person of this talk. `GreeterEvent.started` or `.refused` answers.
    case startSession(UInt64, GreeterSession)
    case keepMemory(GreeterMemory)
    case reader(Bool)
}

public enum StatusEffect: Hashable, Codable, Sendable {
    /// Tell the time now, and with every minute; false: no more.
    case clock(Bool)
    case set(DeviceSetting)
    /// Tell the wireless networks, and search for them; false: no more.
    case watchNetworks(Bool)
    /// `Wireless.Event.ended` answers with the number.
    case join(UInt64, WirelessJoin)
    /// The profile of an attempt stays on the disk.
    case keepNetwork(UInt64)
    case forgetNetworks([String])
    case leaveNetwork
    /// The answer to `Wireless.Event.asked`; nil: there is none.
    case answerNetwork(UInt64, Secret?)
    /// Tell the devices of Bluetooth, and search for them; false: no more.
    case watchDevices(Bool)
    /// A deed for BlueZ with a device, by its path. `Pairing.Event.done` answers.
    case device(String, DeviceDeed)
    case answerDevice(UInt64, Pairing.Answer)
    /// `Drives.Event.ended` answers with the number.
    case drive(UInt64, Drives.Step)
    /// The answer to `Locating.Event.asked`.
    case answerLocation(UInt64, Bool)
    /// Tell how the device is held; false: no more.
    case sense(Bool)
}

public enum DeviceDeed: String, Hashable, Codable, Sendable {
    case pair, trust, connect, disconnect, forget, cancel
}

/// Requests to apps about their items in the tray, by the items' keys. `Tray.Event.answered` and `.menu` answer with the number.
public enum TrayEffect: Hashable, Codable, Sendable {
    /// Come forward.
    case open(String, ask: UInt64)
    /// Show your own menu.
    case contextMenu(String, ask: UInt64)
    /// Tell the menu, and each change of it.
    case readMenu(String, ask: UInt64)
    case closeMenu(String)
    /// These menus within the menu are open now, the outermost first.
    case menusOpen(String, [Int32])
    case press(String, entry: Int32)
}

/// The functions of devices that the idiom permits.
public struct DeviceRules: Hashable, Codable, Sendable {
    /// Whether Ctrl+Alt+F1 to F12 go to the kernel's other consoles.
    public var consoles = true
    /// Whether gamepads are read.
    public var gamepads = false
    /// Whether a sensor says how the device is held (`HardwareEvent.held`).
    public var posture = false

    public init() {}
}

/// Requests to apps that export menus.
public enum MenuEffect: Hashable, Codable, Sendable {
    /// This item was chosen, by its number.
    case choose(WindowID, UInt32)
    /// These menus of a window are open now, by their numbers, the outermost first; empty: none is any more. An app may fill a menu only
    /// when it opens, and clean up when it closes.
    case open(WindowID, [UInt32])
    /// Whether the shell shows the menus of apps, so that they need not.
    case gather(Bool)
}

public enum SessionEffect: Hashable, Codable, Sendable {
    case quit
    /// For the sender of the action.
    case refuse(Refusal)
}

/// Makes effects by name, without naming their adapter.
extension Effect {
    public static func configure(_ id: WindowID, _ configure: Configure) -> Effect { .client(.configure(id, configure)) }
    public static func place(_ id: WindowID, _ origin: Point) -> Effect { .client(.place(id, origin)) }
    public static func close(_ id: WindowID) -> Effect { .client(.close(id)) }
    public static func keyboardFocus(_ target: KeyboardTarget) -> Effect { .client(.keyboardFocus(target)) }
    public static func placePanel(_ id: PanelID, _ frame: Rect) -> Effect { .client(.placePanel(id, frame)) }
    public static func hold(_ id: WindowID) -> Effect { .client(.hold(id)) }
    public static func release(_ id: WindowID) -> Effect { .client(.release(id)) }
    public static func popupBounds(_ id: WindowID, _ bounds: Rect) -> Effect { .client(.popupBounds(id, bounds)) }
    public static func dismissPopups(_ id: WindowID) -> Effect { .client(.dismissPopups(id)) }
    public static func announce(_ id: WindowID, activated: Bool, shown: Bool) -> Effect {
        .client(.announce(id, activated: activated, shown: shown))
    }
    public static func pointerOnWindow(_ id: WindowID, at point: Point) -> Effect { .client(.pointerOnWindow(id, at: point)) }
    public static func pointerOnBackground(at point: Point) -> Effect { .client(.pointerOnBackground(at: point)) }
    public static func pointerOnOverlay(_ overlay: Overlay, at point: Point) -> Effect { .client(.pointerOnOverlay(overlay, at: point)) }
    public static func pointerOnShell(_ cursor: Cursor) -> Effect { .client(.pointerOnShell(cursor)) }
    public static func pointerButton(_ button: UInt32, pressed: Bool) -> Effect { .client(.pointerButton(button, pressed: pressed)) }
    public static func pointerAxis(_ axis: PointerAxis) -> Effect { .client(.pointerAxis(axis)) }
    public static var pointerFrame: Effect { .client(.pointerFrame) }
    public static func touchDown(_ finger: Int32, _ id: WindowID, at point: Point) -> Effect { .client(.touchDown(finger, id, at: point)) }
    public static func touchDownOnBackground(_ finger: Int32, at point: Point) -> Effect {
        .client(.touchDownOnBackground(finger, at: point))
    }
    public static func touchDownOnOverlay(_ finger: Int32, _ overlay: Overlay, at point: Point) -> Effect {
        .client(.touchDownOnOverlay(finger, overlay, at: point))
    }
    public static func touchMotion(_ finger: Int32, at point: Point) -> Effect { .client(.touchMotion(finger, at: point)) }
    public static func touchUp(_ finger: Int32) -> Effect { .client(.touchUp(finger)) }
    public static var touchFrame: Effect { .client(.touchFrame) }
    public static var touchCancel: Effect { .client(.touchCancel) }
    public static var swallowKey: Effect { .client(.swallowKey) }
    public static func textEntry(_ isWanted: Bool) -> Effect { .client(.textEntry(isWanted)) }
    public static func configureScreen(size: Size?, scale: Double?, rotation: Int?) -> Effect {
        .client(.configureScreen(size: size, scale: scale, rotation: rotation))
    }
    public static func answerScreen(_ request: UInt32, _ wish: ScreenWish?, test: Bool) -> Effect {
        .client(.answerScreen(request, wish, test: test))
    }
    public static func relaunch(_ id: LaunchID, command: [String], directory: String?) -> Effect {
        .program(.relaunch(id, command: command, directory: directory))
    }
    public static func launch(_ id: LaunchID, command: [String], directory: String? = nil) -> Effect {
        .program(.launch(id, command: command, directory: directory))
    }
    public static func startTimer(_ timer: TimerID, at moment: Moment) -> Effect { .timer(.start(timer, at: moment)) }
    public static func stopTimer(_ timer: TimerID) -> Effect { .timer(.stop(timer)) }
    public static func appearance(_ appearance: Appearance) -> Effect { .look(.appearance(appearance)) }
    public static var quit: Effect { .session(.quit) }
    public static func refuse(_ refusal: Refusal) -> Effect { .session(.refuse(refusal)) }
}
