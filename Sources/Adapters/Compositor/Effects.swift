import CWlroots
import Geometry
import Multitasking
import Seat
import Windows

/// Effects that wlroots carries out.
extension Compositor {
    /// `now`: by the machine's clock.
    public func carryOut(_ effect: ClientEffect, at now: Moment) {
        let when = now.nanoseconds
        switch effect {
        case .configure(let id, let configure):
            guard let window = windows[id] else { return }
            var raw = mw_configure()
            raw.sequence = configure.sequence
            raw.x = Int32(configure.frame.x)
            raw.y = Int32(configure.frame.y)
            raw.width = Int32(configure.frame.width)
            raw.height = Int32(configure.frame.height)
            raw.activated = configure.activated
            raw.arranged = configure.arranged
            raw.fullscreen = configure.fullscreen
            mw_window_configure(window, &raw)
        case .place(let id, let origin):
            if let window = windows[id] { mw_window_place(window, Int32(origin.x), Int32(origin.y)) }
        case .close(let id):
            if let window = windows[id] { mw_window_close(window) }
        case .keyboardFocus(let target): focusKeyboard(target)
        case .placePanel(let id, let frame): panels?.place(id, frame)
        case .hold(let id):
            if let window = windows[id] { mw_window_hold(window, true) }
        case .release(let id):
            if let window = windows[id] { mw_window_hold(window, false) }
        case .popupBounds(let id, let bounds):
            guard let window = windows[id] else { return }
            var box = mw_box(x: bounds.x, y: bounds.y, width: bounds.width, height: bounds.height)
            mw_window_set_popup_bounds(window, &box)
        case .dismissPopups(let id):
            if let window = windows[id] { mw_window_dismiss_popups(window) }
        case .announce(let id, let activated, let shown):
            guard let window = windows[id] else { return }
            mw_window_set_sight(window, activated, shown)
            protocols?.taskbars.announce(window)

        case .pointerOnWindow(let id, let point):
            if let window = windows[id] { _ = mw_seat_pointer_on_window(server, window, point.x, point.y, when) }
        case .pointerOnBackground(let point):
            guard let output else { return }
            if !mw_seat_pointer_on_background(server, output, point.x, point.y, when) {
                mw_seat_pointer_clear(server)
                show(Cursor.arrow.shape)
            }
        case .pointerOnShell(let cursor):
            mw_seat_pointer_clear(server)
            show(cursor.shape)
        case .pointerButton(let button, let pressed): mw_seat_pointer_button(server, button, pressed, when)
        case .pointerAxis(let axis):
            mw_seat_pointer_axis(server, axis.isHorizontal ? 1 : 0, axis.source, axis.value, axis.discrete, when)
        case .pointerFrame: mw_seat_pointer_frame(server)
        case .touchDown(let touch, let id, let point):
            if let window = windows[id] { _ = touches?.begin(touch, onWindow: window, at: point, when) }
        case .touchDownOnBackground(let touch, let point):
            if let output { _ = touches?.begin(touch, onBackgroundOf: output, at: point, when) }
        case .touchMotion(let touch, let point): touches?.moveDecided(touch, to: point, when)
        case .touchUp(let touch): touches?.endDecided(touch, when)
        case .touchFrame: touches?.frame()
        case .touchCancel: touches?.cancel()

        case .configureScreen(let size, let scale, let rotation): configureScreen(size, scale, rotation)
        case .answerScreen(let request, let wish, let test):
            protocols?.screens.answer(request, wish.map { set($0, test: test) } ?? false)
        case .swallowKey: break
        case .textEntry(let active): setTextEntry(active)
        }
    }

    private func show(_ cursor: CursorShape) { mw_seat_set_cursor(server, cursor.name, cursor.x11) }

    private func focusKeyboard(_ target: KeyboardTarget) {
        switch target {
        // The shell hears of every key before anyone; while its views have the keys no client does.
        case .nobody, .shell, .locker: mw_seat_focus(server, Int32(MW_KEYBOARD_NOBODY.rawValue), nil, 0)
        case .window(let id): mw_seat_focus(server, Int32(MW_KEYBOARD_WINDOW.rawValue), windows[id], 0)
        case .panel(let id): mw_seat_focus(server, Int32(MW_KEYBOARD_PANEL.rawValue), nil, id.raw)
        case .x11Menus: mw_seat_focus(server, Int32(MW_KEYBOARD_X11_MENUS.rawValue), nil, 0)
        }
    }

    // MARK: Injection

    public func injectTouchDown(_ touch: Int32, _ p: Point, _ when: Moment) { mw_inject_touch_down(server, touch, p.x, p.y, when.nanoseconds) }
    public func injectTouchMotion(_ touch: Int32, _ p: Point, _ when: Moment) { mw_inject_touch_motion(server, touch, p.x, p.y, when.nanoseconds) }
    public func injectTouchUp(_ touch: Int32, _ when: Moment) { mw_inject_touch_up(server, touch, when.nanoseconds) }
    public func injectTouchCancel(_ touch: Int32, _ when: Moment) { mw_inject_touch_cancel(server, touch, when.nanoseconds) }
    public func injectPointer(_ p: Point, _ when: Moment) { mw_inject_pointer_absolute(server, p.x, p.y, when.nanoseconds) }
    public func injectPointer(by distance: Vector, _ when: Moment) { mw_inject_pointer_relative(server, distance.dx, distance.dy, when.nanoseconds) }
    public func injectButton(_ button: UInt32, _ pressed: Bool, _ when: Moment) { mw_inject_pointer_button(server, button, pressed, when.nanoseconds) }
    public func injectAxis(isHorizontal: Bool, _ value: Double, _ when: Moment) { mw_inject_pointer_axis(server, isHorizontal ? 1 : 0, value, when.nanoseconds) }
    public func injectPen(_ p: Point, pressure: Double, tiltX: Double, tiltY: Double, _ when: Moment) {
        mw_inject_pen(server, p.x, p.y, pressure, tiltX, tiltY, when.nanoseconds)
    }
    public func injectPenButton(_ button: UInt32, _ pressed: Bool, _ when: Moment) {
        mw_inject_pen_button(server, button, pressed, when.nanoseconds)
    }
    public func injectPenAway(_ when: Moment) { mw_inject_pen_away(server, when.nanoseconds) }
    public func injectTouchpad(_ gesture: TouchpadGesture, _ phase: TouchpadPhase, fingers: UInt32, _ when: Moment) {
        protocols?.gestures?.inject(gesture, phase, fingers: fingers, when.nanoseconds)
    }
    public func injectKey(_ code: UInt32, _ pressed: Bool, _ when: Moment) { mw_inject_key(server, code, pressed, when.nanoseconds) }
}

extension Cursor {
    var shape: CursorShape {
        switch self {
        case .arrow: CursorShape(name: "left_ptr", x11: "left_ptr")
        case .hand: CursorShape(name: "hand1", x11: "left_ptr")
        case .grabbing: .grabbing
        case .resizeHorizontally: CursorShape(name: "sb_h_double_arrow", x11: "left_ptr")
        case .resizeVertically: CursorShape(name: "sb_v_double_arrow", x11: "left_ptr")
        }
    }
}
