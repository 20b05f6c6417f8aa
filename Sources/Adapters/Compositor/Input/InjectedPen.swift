import CWlroots
import Geometry
import Glibc

/// A virtual tablet for injection. Its events take the same path as those of a real one.
final class InjectedPen {
    private unowned let routing: InputRouting
    private let tablet = UnsafeMutablePointer<wlr_tablet>.allocate(capacity: 1)
    private let tool = UnsafeMutablePointer<wlr_tablet_tool>.allocate(capacity: 1)
    #if !WLR18
        private let device = Device.allocate(capacity: 1)
    #endif
    private var isNear = false, isDown = false

    #if WLR18
        /// wlroots keeps pointers to these. They are written once and live as long as the process.
        private nonisolated(unsafe) static let name = UnsafePointer<CChar>(strdup("mullion")!)
        private nonisolated(unsafe) static let tabletKind: UnsafePointer<wlr_tablet_impl> = {
            let kind = UnsafeMutablePointer<wlr_tablet_impl>.allocate(capacity: 1)
            kind.initialize(to: wlr_tablet_impl(name: name))
            return UnsafePointer(kind)
        }()
    #else
        /// wlroots keeps pointers to these. They are written once and live as long as the process. Its `destroy`
        /// callbacks free nothing, because this object owns the structs.
        private nonisolated(unsafe) static let tabletKind: UnsafePointer<wlr_tablet_impl> = {
            let kind = UnsafeMutablePointer<wlr_tablet_impl>.allocate(capacity: 1)
            kind.initialize(to: wlr_tablet_impl(destroy: { _ in }))
            return UnsafePointer(kind)
        }()
    #endif

    init(_ routing: InputRouting) {
        self.routing = routing
        tablet.initialize(to: wlr_tablet())
        tool.initialize(to: wlr_tablet_tool())
        tool.pointee.type = WLR_TABLET_TOOL_TYPE_PEN
        tool.pointee.pressure = true
        tool.pointee.tilt = true
        wl_signal_init(tool.pointer(to: \.events.destroy)!)
        #if WLR18
            wlr_tablet_init(tablet, Self.tabletKind, Self.name)
            routing.devices.add(tablet.pointer(to: \.base)!)
        #else
            device.initialize(to: wlr_input_device())
            wlr_tablet_init(tablet, Self.tabletKind)
            wlr_input_device_init(device, WLR_INPUT_DEVICE_TABLET_TOOL, Keyboards.deviceKind, "mullion", 0, 0)
            device.pointee.tablet = tablet
            routing.devices.add(device)
        #endif
    }

    /// Signals the destruction while the seat still listens.
    deinit {
        wl_signal_emit(tool.pointer(to: \.events.destroy)!, tool)
        #if WLR18
            wlr_tablet_finish(tablet)
        #else
            wlr_input_device_destroy(device)
            device.deallocate()
        #endif
        tablet.deallocate()
        tool.deallocate()
    }

    /// - Parameters:
    ///   - point: in points of the screen.
    ///   - pressure: 0 to 1; above 0 the tip is down.
    ///   - tilt: in degrees.
    func move(to point: Point, pressure: Double, tilt: (x: Double, y: Double), _ when: Int64) {
        var width = 0.0, height = 0.0
        guard let output = mw_server_first_output(routing.server), mw_output_points(routing.server, output, &width, &height) else { return }
        let x = point.x / width, y = point.y / height
        if !isNear {
            isNear = true
            var event = PenProximityEvent()
            set(&event, when)
            (event.x, event.y, event.state) = (x, y, WLR_TABLET_TOOL_PROXIMITY_IN)
            wl_signal_emit(tablet.pointer(to: \.events.proximity)!, &event)
        }
        if isDown != (pressure > 0) {
            isDown = pressure > 0
            var event = PenTipEvent()
            set(&event, when)
            (event.x, event.y, event.state) = (x, y, isDown ? WLR_TABLET_TOOL_TIP_DOWN : WLR_TABLET_TOOL_TIP_UP)
            wl_signal_emit(tablet.pointer(to: \.events.tip)!, &event)
        }
        var event = PenAxisEvent()
        set(&event, when)
        (event.x, event.y, event.pressure, event.tilt_x, event.tilt_y) = (x, y, pressure, tilt.x, tilt.y)
        event.updated_axes =
            WLR_TABLET_TOOL_AXIS_X.rawValue | WLR_TABLET_TOOL_AXIS_Y.rawValue | WLR_TABLET_TOOL_AXIS_PRESSURE.rawValue
            | WLR_TABLET_TOOL_AXIS_TILT_X.rawValue | WLR_TABLET_TOOL_AXIS_TILT_Y.rawValue
        wl_signal_emit(tablet.pointer(to: \.events.axis)!, &event)
    }

    func press(_ button: UInt32, pressed: Bool, _ when: Int64) {
        guard isNear else { return }
        var event = PenButtonEvent()
        set(&event, when)
        (event.button, event.state) = (button, pressed ? WLR_BUTTON_PRESSED : WLR_BUTTON_RELEASED)
        wl_signal_emit(tablet.pointer(to: \.events.button)!, &event)
    }

    func goAway(_ when: Int64) {
        guard isNear else { return }
        (isNear, isDown) = (false, false)
        var event = PenProximityEvent()
        set(&event, when)
        event.state = WLR_TABLET_TOOL_PROXIMITY_OUT
        wl_signal_emit(tablet.pointer(to: \.events.proximity)!, &event)
    }

    #if WLR18
        private func set(_ event: inout PenProximityEvent, _ when: Int64) {
            (event.tablet, event.tool, event.time_msec) = (tablet, tool, milliseconds(when))
        }
        private func set(_ event: inout PenTipEvent, _ when: Int64) {
            (event.tablet, event.tool, event.time_msec) = (tablet, tool, milliseconds(when))
        }
        private func set(_ event: inout PenAxisEvent, _ when: Int64) {
            (event.tablet, event.tool, event.time_msec) = (tablet, tool, milliseconds(when))
        }
        private func set(_ event: inout PenButtonEvent, _ when: Int64) {
            (event.tablet, event.tool, event.time_msec) = (tablet, tool, milliseconds(when))
        }
    #else
        private func set(_ event: inout PenProximityEvent, _ when: Int64) {
            (event.device, event.tool, event.time_msec) = (device, tool, milliseconds(when))
        }
        private func set(_ event: inout PenTipEvent, _ when: Int64) {
            (event.device, event.tool, event.time_msec) = (device, tool, milliseconds(when))
        }
        private func set(_ event: inout PenAxisEvent, _ when: Int64) {
            (event.device, event.tool, event.time_msec) = (device, tool, milliseconds(when))
        }
        private func set(_ event: inout PenButtonEvent, _ when: Int64) {
            (event.device, event.tool, event.time_msec) = (device, tool, milliseconds(when))
        }
    #endif
}
