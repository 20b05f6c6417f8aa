import Compositor
import Control
import Geometry

extension Shell {
    /// Injects a step as if a device had sent it at `when`, in the machine's clock.
    func inject(_ step: InputStep, at when: Moment) {
        switch step {
        case .touchDown(let id, let p): compositor.injectTouchDown(id, p, when)
        case .touchMotion(let id, let p): compositor.injectTouchMotion(id, p, when)
        case .touchUp(let id): compositor.injectTouchUp(id, when)
        case .touchCancel(let id): compositor.injectTouchCancel(id, when)
        case .pointerMotion(let p): compositor.injectPointer(p, when)
        case .pointerButton(let button, let pressed): compositor.injectButton(button, pressed, when)
        case .pointerAxis(let value, let isHorizontal): compositor.injectAxis(isHorizontal: isHorizontal, value, when)
        case .key(let code, let pressed): compositor.injectKey(code, pressed, when)
        case .pen(let p, let pressure, let tiltX, let tiltY): compositor.injectPen(p, pressure: pressure, tiltX: tiltX, tiltY: tiltY, when)
        case .penButton(let button, let pressed): compositor.injectPenButton(button, pressed, when)
        case .penAway: compositor.injectPenAway(when)
        case .touchpad(let gesture, let phase, let fingers, let by, let scale, let rotation):
            let kind: TouchpadGesture =
                switch gesture {
                case .swipe: .swipe
                case .pinch: .pinch
                case .hold: .hold
                }
            let moment: TouchpadPhase =
                switch phase {
                case .begin: .begin
                case .update: .update(x: by.x, y: by.y, scale: scale, rotation: rotation)
                case .end: .end
                case .cancel: .cancel
                }
            compositor.injectTouchpad(kind, moment, fingers: fingers, when)
        }
    }
}
