import AudioSessions
import Geometry
import Interface
import Seat
import Windows

/// What the adapters have to do. Values, never closures: tests compare whole lists of them.
/// What is *shown* is no effect: it follows from the state (`System.items`).
public enum Effect: Hashable, Codable, Sendable {
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

    // MARK: Do
    case launch(LaunchID, command: [String])
    case startTimer(TimerID, at: Moment)
    case stopTimer(TimerID)
    /// The shell's own field wants text, or no more: the on-screen keyboard follows.
    case textEntry(Bool)
    /// The shell looks different now.
    case appearance(Appearance)
    case configureScreen(size: Size?, scale: Double?, rotation: Int?)
    /// To a program that wished the screen to be so: it is made so, or would be, and the program told whether it could.
    /// Without a wish the answer is no.
    case answerScreen(UInt32, ScreenWish?, test: Bool)
    case audio(AudioEffect)
    case quit
    /// To whoever sent the action.
    case refuse(Refusal)
}

public enum Cursor: String, Hashable, Codable, Sendable {
    case arrow, hand, grabbing
    case resizeHorizontally, resizeVertically
}
