import CWlroots
import Geometry
import Multitasking
import Seat
import Stage
import Windows

/// Carries out the effects that concern wlroots.
extension Compositor {
    /// - Parameter now: in the machine's clock.
    public func carryOut(_ effect: ClientEffect, at now: Moment) {
        let when = now.nanoseconds
        switch effect {
        case .configure(let id, let configure):
            guard let window = windows[id] else { return }
            var raw = mw_configure()
            raw.sequence = configure.sequence
            raw.x = Int32(clamping: configure.frame.x)
            raw.y = Int32(clamping: configure.frame.y)
            raw.width = Int32(clamping: configure.frame.width)
            raw.height = Int32(clamping: configure.frame.height)
            raw.activated = configure.activated
            raw.arranged = configure.arranged
            raw.fullscreen = configure.fullscreen
            wire?.decides(window)
            mw_window_configure(window, &raw)
        case .place(let id, let origin):
            if let window = windows[id] { mw_window_place(window, Int32(clamping: origin.x), Int32(clamping: origin.y)) }
        case .close(let id):
            if let window = windows[id] {
                mw_window_close(window)
                silence.ask(id, window)
            }
        case .unsavedAnswered(let id, let choice): if let window = windows[id] { protocols?.windowHints.answer(window, choice) }
        case .pinched(let id, let item, let launch): if let window = windows[id] { protocols?.windowHints.pinched(window, item, launch) }
        case .colours(let gains): protocols?.gamma.show(gains, on: output)
        case .input(let input): routing?.use(input)
        case .capabilities(let capabilities): protocols?.windowHints.tell(capabilities)
        case .keyboardFocus(let target): focusKeyboard(target)
        case .dropHeldKeys: routing?.keyboards.dropHeld()
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
            if let window = windows[id] { routing?.pointer.onWindow(window, at: point, when) }
        case .pointerOnBackground(let point):
            guard let output, let routing else { return }
            if !routing.pointer.onBackground(of: output, at: point, when) {
                routing.pointer.clear()
                routing.cursor.setShell(Cursor.arrow.shape)
            }
        case .pointerOnOverlay(let overlay, let point): routing?.pointer.onOverlay(overlay, at: point, when)
        case .pointerOnShell(let cursor):
            routing?.pointer.clear()
            routing?.cursor.setShell(cursor.shape)
        case .pointerButton(let button, let pressed): routing?.deliver(button, pressed: pressed, when)
        case .pointerAxis(let axis):
            routing?.pointer.axis(isHorizontal: axis.isHorizontal, source: axis.source, axis.value, discrete: axis.discrete, when)
        case .pointerFrame: routing?.pointer.frame()
        case .touchDown(let touch, let id, let point):
            if let window = windows[id] { _ = touches?.begin(touch, onWindow: window, at: point, when) }
        case .touchDownOnBackground(let touch, let point):
            if let output { _ = touches?.begin(touch, onBackgroundOf: output, at: point, when) }
        case .touchDownOnOverlay(let touch, let overlay, let point): _ = touches?.begin(touch, on: overlay, at: point, when)
        case .touchMotion(let touch, let point): touches?.moveDecided(touch, to: point, when)
        case .touchUp(let touch): touches?.endDecided(touch, when)
        case .touchFrame: touches?.frame()
        case .touchCancel: touches?.cancel()

        case .configureScreen(let size, let scale, let rotation): configureScreen(size, scale, rotation)
        case .lightScreen(let isLit): if let output { setPower(output, isLit) }
        case .answerScreen(let request, let wish, let test):
            protocols?.screens.answer(request, wish.map { set($0, test: test) } ?? false)
        case .swallowKey: break
        case .typeKey(let code): routing?.keyboards.type(code, when)
        case .movePointer(let point): routing?.injectPointer(to: point, when)
        case .pressPointer(let button, let pressed): routing?.injectButton(button, pressed: pressed, when)
        case .scrollPointer(let isHorizontal, let value): routing?.injectAxis(isHorizontal: isHorizontal, value, when)
        case .hidePointer: routing?.cursor.isHidden = true
        case .textEntry(let active): setTextEntry(active)
        case .lock(let effect): protocols?.lockedSession.carryOut(effect)
        case .keyboardLayout(let number): routing?.keyboards.use(layout: number)
        case .tellIdle(let id, let isIdle): protocols?.idle.tell(id, isIdle: isIdle)
        }
    }

    private func focusKeyboard(_ target: KeyboardTarget) {
        var window: OpaquePointer?
        if case .window(let id) = target { window = windows[id] }
        routing?.keyboards.focus(target, window: window)
    }

    // MARK: Injection

    public func injectTouchDown(_ touch: Int32, _ p: Point, _ when: Moment) { routing?.injectTouchDown(touch, at: p, when.nanoseconds) }
    public func injectTouchMotion(_ touch: Int32, _ p: Point, _ when: Moment) { routing?.injectTouchMotion(touch, to: p, when.nanoseconds) }
    public func injectTouchUp(_ touch: Int32, _ when: Moment) { routing?.injectTouchUp(touch, when.nanoseconds) }
    public func injectTouchCancel(_ touch: Int32, _ when: Moment) { routing?.injectTouchCancel(touch, when.nanoseconds) }
    public func injectPointer(_ p: Point, _ when: Moment) { routing?.injectPointer(to: p, when.nanoseconds) }
    public func injectPointer(by distance: Vector, _ when: Moment) { routing?.injectPointer(by: distance, when.nanoseconds) }
    public func injectButton(_ button: UInt32, _ pressed: Bool, _ when: Moment) {
        routing?.injectButton(button, pressed: pressed, when.nanoseconds)
    }
    public func injectAxis(isHorizontal: Bool, _ value: Double, _ when: Moment) {
        routing?.injectAxis(isHorizontal: isHorizontal, value, when.nanoseconds)
    }
    public func injectPen(_ p: Point, pressure: Double, tiltX: Double, tiltY: Double, _ when: Moment) {
        routing?.penOfScripts.move(to: p, pressure: pressure, tilt: (tiltX, tiltY), when.nanoseconds)
    }
    public func injectPenButton(_ button: UInt32, _ pressed: Bool, _ when: Moment) {
        routing?.penOfScripts.press(button, pressed: pressed, when.nanoseconds)
    }
    public func injectPenAway(_ when: Moment) { routing?.penOfScripts.goAway(when.nanoseconds) }
    public func injectTouchpad(_ gesture: TouchpadGesture, _ phase: TouchpadPhase, fingers: UInt32, _ when: Moment) {
        protocols?.gestures?.inject(gesture, phase, fingers: fingers, when.nanoseconds)
    }
    public func injectKey(_ code: UInt32, _ pressed: Bool, _ when: Moment) {
        routing?.keyboards.inject(code, pressed: pressed, when.nanoseconds)
    }
}

extension Cursor {
    var shape: CursorShape {
        switch self {
        case .arrow: CursorShape(name: "left_ptr", x11: "left_ptr")
        case .hand: CursorShape(name: "hand1", x11: "left_ptr")
        case .grabbing: .grabbing
        case .resizeHorizontally: CursorShape(name: "sb_h_double_arrow", x11: "left_ptr")
        case .resizeDiagonally: CursorShape(name: "bottom_right_corner", x11: "left_ptr")
        case .resizeUpwards: CursorShape(name: "bottom_left_corner", x11: "left_ptr")
        case .resizeVertically: CursorShape(name: "sb_v_double_arrow", x11: "left_ptr")
        }
    }
}
