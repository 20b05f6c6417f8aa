import Geometry
import Interface
import Multitasking
import Stage
import Windows

/// One of the shell's own controls, as `mullion ctl views` shows it and `mullion ctl press` presses it.
public struct ViewReport: Hashable, Codable, Sendable {
    public var id: String
    public var role: ViewControl.Role
    /// In the person's language.
    public var name: String
    /// In points of the screen.
    public var frame: Rect
    /// Where a finger hits it.
    public var target: Rect
    /// What pressing it does; nil: it cannot be pressed.
    public var press: Action?
    /// What resting on it opens.
    public var menu: Action?
    /// What the Delete key or a swipe upwards does.
    public var close: Action?
    /// How far a slider is, 0 to 1; nil for what is none.
    public var value: Double?
    /// The same in words: "50 %", "1:05 / 3:20".
    public var text: String?
    /// It stands for what is in front, or is switched on.
    public var chosen: Bool
    /// The keyboard is at it.
    public var focused: Bool

    init(_ control: ViewControl, name: String, focus: String?) {
        id = control.id.rawValue
        role = control.role
        self.name = name
        frame = control.frame
        target = control.target
        press = control.press
        menu = control.menu
        close = control.close
        value = control.slide?.value
        text = control.slide?.text
        chosen = control.isChosen
        focused = control.id.rawValue == focus
    }
}
