import Geometry
import Interface
import Multitasking
import Stage
import Windows

/// One of the shell's own controls, as `mullion ctl views` shows it and `mullion ctl press` presses it.
public struct ViewReport: Hashable, Codable, Sendable {
    public var id: String
    public var role: ViewControl.Role
    /// In the user's language.
    public var name: String
    /// In points of the screen.
    public var frame: Rect
    /// The area where a finger hits it.
    public var target: Rect
    /// The action of a press; nil if it cannot be pressed.
    public var press: Action?
    /// The action of a long press.
    public var menu: Action?
    /// The action of the Delete key or an upward swipe.
    public var close: Action?
    /// The position of a slider, 0 to 1; nil if it is not a slider.
    public var value: Double?
    /// The value in words: "50 %", "1:05 / 3:20".
    public var text: String?
    /// Whether it represents the thing in front, or is switched on.
    public var chosen: Bool
    /// Whether it has the keyboard focus.
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
