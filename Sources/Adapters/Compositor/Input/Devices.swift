import CWlroots
import Geometry
import Glibc
import Seat
import WaylandServer
import Windows

/// Pointing devices and touch screens, both physical and created by clients.
final class Devices {
    private struct Known {
        var output: String?
        /// No client made it.
        var isReal: Bool
        var destroy: Listener
    }

    private unowned let routing: InputRouting
    private var known: [Device: Known] = [:]
    private var input = InputPreferences()
    private var buttons = DeviceButtons<Device>()
    private var listeners: [Listener] = []

    init(_ routing: InputRouting) { self.routing = routing }

    /// Starts accepting devices.
    func begin() {
        listeners.append(
            Listener(mw_server_backend(routing.server).pointer(to: \.events.new_input)!) { [unowned self] data in
                add(data!.assumingMemoryBound(to: wlr_input_device.self))
                routing.deviceAdded()
            })
        guard let manager = wlr_virtual_pointer_manager_v1_create(mw_server_display(routing.server)) else { return }
        listeners.append(
            Listener(manager.pointer(to: \.events.new_virtual_pointer)!) { [unowned self] data in
                let event = event(data, wlr_virtual_pointer_v1_new_pointer_event.self)
                #if WLR18
                    let device = event.new_pointer.pointer(to: \.pointer.base)!
                #else
                    let device = event.new_pointer.pointer(to: \.input_device)!
                #endif
                attach(device, output: event.suggested_output?.pointee.name, isReal: false)
            })
    }

    func end() { listeners = [] }

    func finish() { known = [:] }

    func add(_ device: Device) {
        switch device.pointee.type {
        case WLR_INPUT_DEVICE_KEYBOARD: routing.keyboards.add(device)
        case WLR_INPUT_DEVICE_POINTER:
            #if WLR18
                attach(device, output: wlr_pointer_from_input_device(device).pointee.output_name)
            #else
                attach(device, output: device.pointee.output_name)
            #endif
        case WLR_INPUT_DEVICE_TOUCH:
            #if WLR18
                attach(device, output: wlr_touch_from_input_device(device).pointee.output_name)
            #else
                attach(device, output: device.pointee.output_name)
            #endif
        case CursorPicture.tablet:
            routing.pens?.addTablet(device)
            attach(device, output: nil)
        default: break
        }
    }

    private func attach(_ device: Device, output: UnsafePointer<CChar>?, isReal: Bool = true) {
        let name = output.map { String(cString: $0) }
        let destroy = Listener(device.pointer(to: \.events.destroy)!) { [unowned self] _ in remove(device) }
        known[device] = Known(output: name, isReal: isReal, destroy: destroy)
        buttons.add(device)
        if isReal { Devices.set(input, of: device) }
        wlr_cursor_attach_input_device(routing.cursor.raw, device)
        routing.cursor.map(device, toOutputCalled: name)
    }

    private func remove(_ device: Device) {
        wlr_cursor_detach_input_device(routing.cursor.raw, device)
        let released = buttons.remove(device)
        if !released.isEmpty, !mw_server_is_ending(routing.server) {
            for button in released { routing.pointerButton(button, pressed: false, mw_now()) }
            routing.pointerFrame()
        }
        known[device] = nil
        if !mw_server_is_ending(routing.server) { routing.deviceRemoved(device) }
    }

    /// Whether no client made this device.
    func isReal(_ device: Device) -> Bool { known[device]?.isReal ?? false }

    /// Returns true if the press or release is to be passed on.
    func change(_ device: Device, _ button: UInt32, pressed: Bool) -> Bool { buttons.change(device, button, pressed: pressed) }

    func use(_ input: InputPreferences) {
        self.input = input
        for (device, known) in known where known.isReal { Devices.set(input, of: device) }
    }

    func outputsChanged() {
        for (device, known) in known { routing.cursor.map(device, toOutputCalled: known.output) }
    }
}
