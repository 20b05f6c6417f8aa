import AudioSessions
import Geometry
import Interface
import Lifecycle
import Modality
import Seat
import Windows

/// What the adapters have to do. Values, never closures: tests compare whole lists of them.
/// What is *shown* is no effect: it follows from the state (`System.items`).
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
    /// The picture of this window is about to go out of sight: keep it (W-20).
    case keepPicture(WindowID)
    /// Windows that were set aside come back, by `Event.restored`.
    case bringWindowsBack
    case power(PowerEffect)
    case session(SessionEffect)
    /// How a view ended that a program asked for.
    case viewAnswered(ModalID, ModalAnswer)

    /// Who carries an effect out. Exactly one adapter of the shell takes each kind.
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
        /// What has to be there after a crash or a reboot.
        case keeping
        /// The login manager.
        case power
        /// Programs that asked for views.
        case views
        case session
    }

    public var kind: Kind {
        switch self {
        case .client: .client
        case .program: .program
        case .timer: .timer
        case .look: .look
        case .session: .session
        case .viewAnswered: .views
        case .life(let effect):
            switch effect {
            case .inhibitorEnded, .keepScreenOn, .queryEnd, .cancelEnd, .endClient, .sessionEnds: .sessionPrograms
            default: .life
            }
        case .keepPicture, .bringWindowsBack: .keeping
        case .power: .power
        case .audio(let effect):
            switch effect {
            case .level, .connect, .useOutput, .useInput, .outputLevel, .muteInput: .soundServer
            case .command, .tell, .answer: .soundApps
            case .playSound, .haptic: .feedback
            // `Sound` turns these into effects of the other kinds.
            case .refuse: .session
            case .startTimer, .stopTimer: .timer
            }
        }
    }
}

/// What clients are told and given, and what becomes of the screen.
public enum ClientEffect: Hashable, Codable, Sendable {
    // MARK: Tell clients
    case configure(WindowID, Configure)
    /// X11: the same size at another place.
    case place(WindowID, Point)
    case close(WindowID)
    case keyboardFocus(KeyboardTarget)
    /// Where a panel stands, in points of the screen; its size is what its program is told.
    case placePanel(PanelID, Rect)
    /// Its picture stays as it is until released.
    case hold(WindowID)
    case release(WindowID)
    /// Where popups may open, in the window's own coordinates.
    case popupBounds(WindowID, Rect)
    case dismissPopups(WindowID)
    /// How a person answered the question about unsaved work (M-10).
    case unsavedAnswered(WindowID, WindowHints.UnsavedChoice)
    /// To taskbars, not to the app (W-10).
    case announce(WindowID, activated: Bool, shown: Bool)

    // MARK: Deliver input
    /// `at`: in the window's own unscaled coordinates.
    case pointerOnWindow(WindowID, at: Point)
    /// Over no window; panels behind may take it.
    case pointerOnBackground(at: Point)
    /// Over the shell's own things, with this cursor.
    case pointerOnShell(Cursor)
    case pointerButton(UInt32, pressed: Bool)
    case pointerAxis(PointerAxis)
    case pointerFrame
    case touchDown(Int32, WindowID, at: Point)
    case touchDownOnBackground(Int32, at: Point)
    case touchMotion(Int32, at: Point)
    case touchUp(Int32)
    case touchFrame
    /// A gesture was recognised: the clients' touches end unfinished (law 8).
    case touchCancel
    /// The key was the shell's; no client gets it.
    case swallowKey
    /// The shell's own field wants text, or no more: the on-screen keyboard follows.
    case textEntry(Bool)

    // MARK: The screen
    case configureScreen(size: Size?, scale: Double?, rotation: Int?)
    /// To a program that wished the screen to be so: it is made so, or would be, and the program told whether it could.
    /// Without a wish the answer is no.
    case answerScreen(UInt32, ScreenWish?, test: Bool)
}

public enum ProgramEffect: Hashable, Codable, Sendable {
    case launch(LaunchID, command: [String])
    /// The same for a window that comes back, in the directory in which its program ran.
    case relaunch(LaunchID, command: [String], directory: String?)
}

public enum TimerEffect: Hashable, Codable, Sendable {
    /// `Event.timer` comes at the moment, once. A timer that is started again has only the later moment.
    case start(TimerID, at: Moment)
    case stop(TimerID)
}

public enum LookEffect: Hashable, Codable, Sendable {
    /// The shell looks different now.
    case appearance(Appearance)
}

public enum SessionEffect: Hashable, Codable, Sendable {
    case quit
    /// To whoever sent the action.
    case refuse(Refusal)
}

public enum Cursor: String, Hashable, Codable, Sendable {
    case arrow, hand, grabbing
    case resizeHorizontally, resizeVertically
}

/// Effects by name, without the adapter that they go to.
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
    public static func pointerOnShell(_ cursor: Cursor) -> Effect { .client(.pointerOnShell(cursor)) }
    public static func pointerButton(_ button: UInt32, pressed: Bool) -> Effect { .client(.pointerButton(button, pressed: pressed)) }
    public static func pointerAxis(_ axis: PointerAxis) -> Effect { .client(.pointerAxis(axis)) }
    public static var pointerFrame: Effect { .client(.pointerFrame) }
    public static func touchDown(_ finger: Int32, _ id: WindowID, at point: Point) -> Effect { .client(.touchDown(finger, id, at: point)) }
    public static func touchDownOnBackground(_ finger: Int32, at point: Point) -> Effect { .client(.touchDownOnBackground(finger, at: point)) }
    public static func touchMotion(_ finger: Int32, at point: Point) -> Effect { .client(.touchMotion(finger, at: point)) }
    public static func touchUp(_ finger: Int32) -> Effect { .client(.touchUp(finger)) }
    public static var touchFrame: Effect { .client(.touchFrame) }
    public static var touchCancel: Effect { .client(.touchCancel) }
    public static var swallowKey: Effect { .client(.swallowKey) }
    public static func textEntry(_ isWanted: Bool) -> Effect { .client(.textEntry(isWanted)) }
    public static func configureScreen(size: Size?, scale: Double?, rotation: Int?) -> Effect {
        .client(.configureScreen(size: size, scale: scale, rotation: rotation))
    }
    public static func answerScreen(_ request: UInt32, _ wish: ScreenWish?, test: Bool) -> Effect { .client(.answerScreen(request, wish, test: test)) }
    public static func relaunch(_ id: LaunchID, command: [String], directory: String?) -> Effect {
        .program(.relaunch(id, command: command, directory: directory))
    }
    public static func launch(_ id: LaunchID, command: [String]) -> Effect { .program(.launch(id, command: command)) }
    public static func startTimer(_ timer: TimerID, at moment: Moment) -> Effect { .timer(.start(timer, at: moment)) }
    public static func stopTimer(_ timer: TimerID) -> Effect { .timer(.stop(timer)) }
    public static func appearance(_ appearance: Appearance) -> Effect { .look(.appearance(appearance)) }
    public static var quit: Effect { .session(.quit) }
    public static func refuse(_ refusal: Refusal) -> Effect { .session(.refuse(refusal)) }
}
