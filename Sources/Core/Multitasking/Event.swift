import AudioSessions
import Geometry
import Interface
import Lifecycle
import Locking
import Modality
import Notices
import Seat
import Status
import Tray
import Windows

/// Everything that can happen to the shell, as values. Replaying a recording of them gives the same state.
///
/// Input comes a thousand times a second, so large and rare values are `indirect`: they would make every event large.
public enum Event: Hashable, Codable, Sendable {
    // MARK: The screen
    case screenChanged(Screen)
    case screenRemoved
    /// The screen was switched on or off, or another console is in front, or no longer.
    case screenLit(Bool)
    /// Another session has the seat (false), or this one has it again.
    case sessionActive(Bool)
    /// The power button of the device is pressed (true) or released.
    case powerButton(isDown: Bool)
    /// The hardware changed: a connected device, or how the device is folded (W-25).
    indirect case hardware(HardwareEvent)
    /// A program asks for a configuration of the screen (output-management), and expects an answer.
    case screenAsked(UInt32, ScreenWish, test: Bool)

    // MARK: Panels of other programs (layer-shell)
    /// A panel is new, or its program committed a change.
    case panelChanged(PanelID, PanelFacts)
    case panelGone(PanelID)
    /// Menus of X11 programs that belong to no window need the keyboard, or no longer do.
    case x11MenusWantKeys(Bool)

    // MARK: Windows
    indirect case windowCreated(WindowID, WindowFacts)
    indirect case windowRenamed(WindowID, WindowFacts)
    case windowMapped(WindowID, WindowCommit)
    /// Several windows at once, oldest first: their consequences are computed once.
    case windowsMapped([MappedWindow])
    /// The size, the limits or the answered configure changed.
    case windowCommitted(WindowID, WindowCommit)
    case windowAsked(WindowID, WindowRequest)
    case windowUnmapped(WindowID)
    case windowDestroyed(WindowID)
    /// A client's connection has ended. Windows that it still has go next: it did not close them itself.
    case clientGone(UInt64)
    /// A free window was put with its top left at a point of the screen (W-25). A program that arranges windows for a person sends it. So
    /// far that is the conformance module.
    case windowPlaced(WindowID, at: Point)
    case popupsChanged(WindowID, boxes: [Rect], grab: Bool)
    /// The menus that an app exports for a window (W-25).
    indirect case menusChanged(WindowID, [ExportedMenu])
    /// The items of a window that a person can pinch open (W-21).
    case pinchablesChanged(WindowID, [Pinchable])
    /// The content beside the dots of a window became lighter or darker: from 0, black, to 1, white.
    case dotsGround(WindowID, brightness: Double)
    /// The same for an app's picture below the bar of a sheet.
    case barGround(WindowID, brightness: Double)
    /// A client rings the bell, for one of its windows or for none in particular.
    case bellRung(WindowID?, client: UInt64)
    /// A virtual keyboard or an input method of a client typed a key. `asks`: whether the process can ask a feedback service.
    case programTyped(client: UInt64, process: Int32, asks: Bool)
    /// A client presented an activation token (W-19).
    case activationAsked(WindowID, hasRecentSerial: Bool, launch: LaunchID?)
    /// A client presented one that is used up, too old, or not the shell's. `launch`: that it was made for; `usedFor`: the window that
    /// used it.
    case tokenShownAgain(WindowID, launch: LaunchID?, usedFor: WindowID?)
    /// A program asks another one on the session bus to show something. `callers`: the caller and its ancestors, nearest first.
    case showAsked(of: Int32, by: [Int32])

    // MARK: Launches
    case launched(LaunchID, process: Int32)
    /// A program of the configuration or the command line, with which the shell starts.
    /// `isAgain`: the shell was started again after a crash.
    case beginsWith([String], isAgain: Bool = false)
    case launchFailed(LaunchID, reason: String)
    /// `status`: its exit status; `signal`: the signal that killed it; both nil if unknown. `says`: the last line that it printed.
    case launchEnded(LaunchID, status: Int32? = nil, signal: Int32? = nil, says: String? = nil)

    // MARK: Apps
    /// All installed apps, in the order in which they are shown.
    case appsChanged([App])

    // MARK: Input, in points of the screen. `over`: what of other programs takes input there, above everything that the shell arranges.
    case touchDown(Int32, at: Point, over: Overlay? = nil)
    case touchMotion(Int32, at: Point)
    case touchUp(Int32)
    /// The device cancelled the touch.
    case touchCancel(Int32)
    case touchFrame
    case pointerMotion(at: Point, over: Overlay? = nil)
    /// Linux button codes: 0x110 left, 0x111 right, 0x112 middle.
    case pointerButton(UInt32, pressed: Bool)
    case pointerAxis(PointerAxis)
    case pointerFrame
    /// `symbol`: keysym of the key alone, without modifiers.
    /// `text`: the text that it types with the modifiers.
    case key(code: UInt32, symbol: KeySymbol, pressed: Bool, modifiers: Modifiers, text: String? = nil, others: [KeyAlias]? = nil)
    /// An input method wrote into the shell's own text field.
    case typed(String)
    /// An input method deleted characters before the caret.
    case erased(Int)
    /// An input method wrote or deleted text in an app's field.
    case typedIntoApp

    /// A locker asks for the session, covers the screen, unlocks or dies.
    case lock(LockEvent)
    /// Input for the lock screen of the shell, and the words of PAM.
    case lockScreen(LockScreenEvent)
    /// Of the fingerprint reader, while the session is locked.
    case finger(FingerEvent)
    /// A program waits for the device to be idle, or keeps it from that.
    case idle(IdleEvent)
    /// A program begins or ends to share the screen.
    case capture(CaptureEvent)
    /// A program copied something, or the copied content is gone.
    case copying(CopyEvent)

    /// From sound: the sound server, players, sessions, switches.
    indirect case audio(AudioEvent)
    /// The session begins with this arrangement (W-20). `first`: the first of a range of free numbers, one for each window.
    case restored(KeptArrangement, first: WindowID)
    /// A program that outlived the last shell has ended, without connecting to this one.
    case outlivedProgramEnded(Int32)
    /// The number of windows that stay closed because the shell crashed several times, in this start or an earlier one (W-20).
    case windowsSetAside(Int)
    /// Nothing of this session is kept on the disk, or the last one is lost (W-20).
    case storeTrouble(StoreTrouble)
    /// Everything that the disk did not take is kept now.
    case storeKeepsAgain
    /// All faults in the files that a person edits; empty: the files are correct.
    case filesWrong([FileTrouble])
    /// The picture of a window was kept under this name.
    case pictureKept(WindowID, name: String)
    /// The command that started an app's process, so that the shell can start it again. `started`: when the process began, as the
    /// kernel counts it.
    case programKnown(AppProcess, command: [String], directory: String?, started: UInt64? = nil)
    /// From the life of apps: scopes, state, background tasks, memory.
    case life(LifecycleEvent)
    /// From the machine: sleep and shutdown.
    case power(PowerEvent)

    /// A program asks for a view of the shell, or withdraws the request.
    indirect case viewAsked(ModalView)
    /// A program asks for files to be shown in a window of their own.
    case filesAsked(FilesRequest)
    case viewWithdrawn(ModalID)
    /// The content that a person sent to an app is ready to be opened.
    case handedOver(HandedOver)
    case sharingFailed(Sharing.Target, SharingTrouble)
    /// From programs that notify, and from the clock on the wall.
    indirect case notice(NoticeEvent)

    /// The person's choices in the last session.
    indirect case choices(ChoiceEvent)
    /// Whether the on-screen keyboard is shown; nil: none can be called.
    case screenKeyboard(isShown: Bool?)
    /// A second input method gets nothing, because another program has the text fields. Both by the names of their programs.
    case inputMethodUnheard(String, client: UInt64, present: String)

    /// The client of a window that was asked to close has not answered for a while.
    case windowSilent(WindowID)

    // MARK: People and time
    /// A person's action, by key, ctl or the shell's own controls.
    case action(Action)
    case timer(TimerID)
    indirect case configured(Preferences)
    /// The time of day, as `LookEffect.tellTime` or `StatusEffect.clock` asked for.
    case timeIs(TimeOfDay)
    /// From the services of the machine.
    case status(Status.Event)
    indirect case wireless(Wireless.Event)
    indirect case pairing(Pairing.Event)
    case turning(Turning.Event)
    /// From UDisks.
    indirect case drives(Drives.Event)
    /// From GeoClue.
    indirect case locating(Locating.Event)
    /// The data kept for apps.
    indirect case keptStates(KeptStates.Event)
    /// Questions of services and programs to a person.
    indirect case prompts(AgentPrompts.Event)
    /// From apps with items in the tray.
    indirect case tray(Tray.Event)
    /// From programs that want shortcuts.
    indirect case shortcuts(ShortcutEvent)
    /// The facts of the settings about the machine and the catalogues.
    indirect case settingFacts(SettingFacts)
    case nightLight(NightLight.Event)
    /// The programs that have a camera open.
    indirect case cameras([AudioApp])
    /// The idioms that a person can choose. One that is in effect and changed takes effect; one that is gone stays in effect.
    indirect case idiomsKnown([Idiom])
}

extension Event {
    /// Whether a person may have arranged something by it.
    var isAct: Bool {
        switch self {
        case .action, .windowAsked(_, .activate(byPerson: true)): true
        default: isUse
        }
    }

    /// Whether it is a person who uses the device.
    var isUse: Bool {
        switch self {
        case .touchDown, .touchMotion, .touchUp, .pointerMotion, .pointerButton, .pointerAxis, .key, .typed, .erased, .typedIntoApp,
            .lockScreen(.input):
            true
        default: false
        }
    }
}

/// A window that its client maps, for the first time or again.
public struct MappedWindow: Hashable, Codable, Sendable {
    public var id: WindowID
    public var commit: WindowCommit

    public init(_ id: WindowID, _ commit: WindowCommit) {
        self.id = id
        self.commit = commit
    }
}

/// A request of a client. Apps ask, people act (law 1): a request has an effect only if it follows from what a person
/// is doing in that window right now.
public enum WindowRequest: Hashable, Codable, Sendable {
    case fullscreen(Bool)
    case maximize(Bool)
    case minimize
    /// A drag of its own title bar: by this finger, by the pointer (-1), or by an unknown one (X11).
    case move(by: Int32? = nil)
    /// A drag of its edge; `by` as for `move`. `border`: the edges that it names; nil: it named none.
    case resize(by: Int32? = nil, border: Border? = nil)
    /// `byPerson`: it comes from a taskbar or another trusted program.
    case activate(byPerson: Bool)
    /// From a taskbar.
    case close
}

public struct PointerAxis: Hashable, Codable, Sendable {
    public var isHorizontal: Bool
    /// As in wl_pointer.axis_source.
    public var source: Int32
    /// In points.
    public var value: Double
    /// In 1/120 of a wheel's notch.
    public var discrete: Int32

    public init(isHorizontal: Bool, source: Int32, value: Double, discrete: Int32) {
        self.isHorizontal = isHorizontal
        self.source = source
        self.value = value
        self.discrete = discrete
    }
}

public struct Modifiers: OptionSet, Hashable, Codable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let shift = Modifiers(rawValue: 1)
    public static let control = Modifiers(rawValue: 4)
    public static let alt = Modifiers(rawValue: 8)
    public static let `super` = Modifiers(rawValue: 64)

    /// The modifiers that are part of a chord, which the locks are not.
    static let chords: Modifiers = [.shift, .control, .alt, .super]
}

/// The part of the person's configuration that the core needs.
public struct Preferences: Hashable, Codable, Sendable {
    public var newWindows: Admission.Policy
    public var pictureInPicture: [PictureInPictureRule]
    /// Law 2: durations are zero, on the same code path.
    public var reducedMotion: Bool
    /// 2 is twice as fast.
    public var animationSpeed: Double
    public var keys: [KeyBinding]
    public var appearance: Appearance
    public var audio = AudioPreferences()
    public var life = LifecyclePreferences()
    /// When the session is locked, and how it is unlocked.
    public var lock = LockPreferences()
    /// Whether the time and the state of the device are shown, where the idiom has a place for them.
    public var showsStatus = true
    /// Whether the screen stays as it is when the device is turned.
    public var locksRotation = false
    public var input = InputPreferences()
    public var nightLight = NightLightPreferences()
    public var controls = ControlOrder()
    /// The apps that open when a session begins.
    public var startApps: [String] = []
    /// The kinds of things for which a person chose an app.
    public var ownDefaults: [DefaultKind] = []
    /// Whether apps may know where the device is, as far as a person has decided.
    public var location: [String: Bool] = [:]
    /// The keys that a person gave to apps, or refused to them.
    public var shortcuts: [String: [AppShortcut]] = [:]
    /// The screen in use; nil: none says what it is.
    public var screen: OwnScreen?
    /// The lines of the configuration file that fix something, by key.
    public var fixedLines: [String: Int] = [:]
    /// How the idiom is chosen, and the rules for the hardware.
    public var idiom = IdiomChoice.Setting.unset
    public var idiomRules = IdiomRule.standard
    /// App ids of programs whose windows are prompts, besides `Prompts.known` (W-19).
    public var prompts: [String] = []
    /// The settings that the configuration file fixes, so that no choice of a person changes them.
    public var fixed: FixedSettings = []
    /// Apps that run in the background because the configuration file says so.
    public var fixedApps: [String] = []

    public init(
        newWindows: Admission.Policy = .asked, pictureInPicture: [PictureInPictureRule] = [], reducedMotion: Bool = false,
        animationSpeed: Double = 1, keys: [KeyBinding] = KeyBinding.standard, appearance: Appearance = Appearance()
    ) {
        self.appearance = appearance
        self.newWindows = newWindows
        self.pictureInPicture = pictureInPicture
        self.reducedMotion = reducedMotion
        self.animationSpeed = animationSpeed
        self.keys = keys
    }
}
