import AudioSessions
import Geometry
import Interface
import Lifecycle
import Modality
import Seat
import Windows

/// Everything that can happen to the shell, as values: recorded, they replay to the same state.
public enum Event: Hashable, Codable, Sendable {
    // MARK: The screen
    case screenChanged(Screen)
    case screenRemoved
    /// A program wishes the screen to be so (output-management). An answer is due.
    case screenAsked(UInt32, ScreenWish, test: Bool)

    // MARK: Panels of other programs (layer-shell)
    /// A panel is new, or its program committed something else.
    case panelChanged(PanelID, PanelFacts)
    case panelGone(PanelID)
    /// A finger or a button went down on it.
    case panelPressed(PanelID)
    /// Menus of X11 programs that belong to no window want keys, or no more.
    case x11MenusWantKeys(Bool)

    // MARK: Windows
    case windowCreated(WindowID, WindowFacts)
    case windowRenamed(WindowID, WindowFacts)
    case windowMapped(WindowID, WindowCommit)
    /// Several at once, oldest first: what follows from all of them is done once.
    case windowsMapped([MappedWindow])
    /// Size, limits or the answered configure changed.
    case windowCommitted(WindowID, WindowCommit)
    case windowAsked(WindowID, WindowRequest)
    case windowUnmapped(WindowID)
    case windowDestroyed(WindowID)
    /// A client's connection has ended. Windows that it still has go next: it did not close them itself.
    case clientGone(UInt64)
    /// A free window was put with its top left at a point of the screen (W-25). Who arranges windows for a person sends
    /// it; so far that is the conformance module.
    case windowPlaced(WindowID, at: Point)
    case popupsChanged(WindowID, bounds: Rect, grab: Bool)
    /// What is seen beside the dots of a window got lighter or darker: from 0, black, to 1, white.
    case dotsGround(WindowID, brightness: Double)
    /// A client presented an activation token (W-19).
    case activationAsked(WindowID, hasRecentSerial: Bool, launch: LaunchID?)

    // MARK: Launches
    case launched(LaunchID, process: Int32)
    case launchFailed(LaunchID, reason: String)
    /// `status`: what it ended with; `signal`: what ended it. Neither: nobody knows. `says`: the last line that it printed.
    case launchEnded(LaunchID, status: Int32? = nil, signal: Int32? = nil, says: String? = nil)

    // MARK: Apps
    /// Everything that is installed, in the order in which people read it.
    case appsChanged([App])

    // MARK: Input, in points of the screen
    case touchDown(Int32, at: Point)
    case touchMotion(Int32, at: Point)
    case touchUp(Int32)
    /// The device took the touch back.
    case touchCancel(Int32)
    case touchFrame
    case pointerMotion(at: Point)
    /// Linux button codes: 0x110 left, 0x111 right, 0x112 middle.
    case pointerButton(UInt32, pressed: Bool)
    case pointerAxis(PointerAxis)
    case pointerFrame
    /// `symbol`: keysym of the key alone, without modifiers.
    /// `text`: what it types with them.
    case key(code: UInt32, symbol: KeySymbol, pressed: Bool, modifiers: Modifiers, text: String? = nil)
    /// An input method wrote into the shell's own field.
    case typed(String)
    /// An input method took characters away before the caret.
    case erased(Int)
    /// An input method wrote into an app's field, or took something away there.
    case typedIntoApp

    /// A locker took the session, or gave it back.
    case locked(Bool)

    /// Of sound: the sound server, players, sessions, switches.
    case audio(AudioEvent)
    /// The session begins with this arrangement (W-20). `first`: the first of as many free numbers as it has windows.
    case restored(KeptArrangement, first: WindowID)
    /// The shell failed several times, so that many windows of the last session stay closed (W-20).
    case windowsSetAside(Int)
    /// The picture of a window was kept under this name.
    case pictureKept(WindowID, name: String)
    /// What an app's process was started with, so that it can be started again.
    case programKnown(AppProcess, command: [String], directory: String?)
    /// Of the life of apps: scopes, state, background tasks, memory.
    case life(LifecycleEvent)
    /// Of the machine: sleep and shutdown.
    case power(PowerEvent)

    /// A program asks for a view of the shell, or takes it back.
    case viewAsked(ModalView)
    case viewWithdrawn(ModalID)

    /// The client of a window that was asked to close has said nothing for a while.
    case windowSilent(WindowID)

    // MARK: People and time
    /// A person's wish by key, ctl or the shell's own controls.
    case action(Action)
    case timer(TimerID)
    case configured(Preferences)
}

/// A window that its client shows for the first time, or again, and with what.
public struct MappedWindow: Hashable, Codable, Sendable {
    public var id: WindowID
    public var commit: WindowCommit

    public init(_ id: WindowID, _ commit: WindowCommit) {
        self.id = id
        self.commit = commit
    }
}

/// What a client asks for. Apps ask, people act (law 1): only a request that follows from what a person is doing in that
/// window right now changes anything.
public enum WindowRequest: Hashable, Codable, Sendable {
    case fullscreen(Bool)
    case maximize(Bool)
    case minimize
    /// Its own title bar is being dragged: by this finger, by the pointer (-1), or nobody knows by which (X11).
    case move(by: Int32? = nil)
    /// An edge of it is being dragged, by whom as for `move`.
    case resize(by: Int32? = nil)
    /// `byPerson`: from a taskbar or another trusted program.
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

    /// Those that are part of a chord; the locks are not.
    static let chords: Modifiers = [.shift, .control, .alt, .super]
}

public enum TimerID: String, Hashable, Codable, Sendable, CaseIterable {
    /// A slow client was waited for long enough while the divider moved.
    case dividerPatience
    /// The same after any other change of layout.
    case layoutPatience
    /// A finger rests on something that has a menu.
    case longPress
    /// A finger that came up from the bottom edge rests.
    case swipeHold
    /// The Super key is held alone.
    case superHeld
    /// Windows that were asked to close have had time to answer.
    case closePatience
    /// An app that was started has had time to show a window.
    case launchPatience
    /// The controls of a picture were there long enough.
    case pipControls
    /// A person touched a window elsewhere than at its dots a while ago.
    case dotsTouch
    /// The dots of a window may turn from light to dark, or back, again.
    case dotsTurn
    /// A key of the shell's own is held.
    case keyRepeat
    /// The time of what plays is a second further.
    case playing
    /// Something is due for an app in the background (`Lifecycle`).
    case life
    /// A sheet that a person dismissed goes on its way, or has been waited for long enough.
    case modality
    /// The machine waits for apps before it sleeps or is switched off.
    case power
    /// Of sound; what each is for says `AudioTimer`.
    case audioFade, audioDeafPlayer, audioVolumeShown, audioRouteSettled, audioHintsFell
}

/// What a person chose in the configuration that the core has to know.
public struct Preferences: Hashable, Codable, Sendable {
    public var newWindows: Admission.Policy
    public var pictureInPicture: [PictureInPictureRule]
    /// Law 2: duration zero, not another path.
    public var reducedMotion: Bool
    /// 2 is twice as fast.
    public var animationSpeed: Double
    public var keys: [KeyBinding]
    public var appearance: Appearance
    public var audio = AudioPreferences()
    public var life = LifecyclePreferences()

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

    /// Recordings made before the shell had views of its own say nothing of how it looks.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        newWindows = try fields.decode(Admission.Policy.self, forKey: .newWindows)
        pictureInPicture = try fields.decode([PictureInPictureRule].self, forKey: .pictureInPicture)
        reducedMotion = try fields.decode(Bool.self, forKey: .reducedMotion)
        animationSpeed = try fields.decode(Double.self, forKey: .animationSpeed)
        keys = try fields.decode([KeyBinding].self, forKey: .keys)
        appearance = try fields.decodeIfPresent(Appearance.self, forKey: .appearance) ?? Appearance()
        audio = try fields.decodeIfPresent(AudioPreferences.self, forKey: .audio) ?? AudioPreferences()
        life = try fields.decodeIfPresent(LifecyclePreferences.self, forKey: .life) ?? LifecyclePreferences()
    }
}
