import CWlroots
import Glibc
import Multitasking
import Seat
import WaylandServer
import Windows

/// The kinds of input devices that are connected (W-25). Used only on a console of our own: nested or headless, the devices belong to
/// another shell. The kernel is asked, because libinput shows power buttons as keyboards, too.
final class Attached {
    private let server: OpaquePointer
    private let session: UnsafeMutablePointer<wlr_session>
    private var hasKeyboard = false, hasTouch = false
    /// Mice and touchpads that have moved.
    private var moved: Set<Device> = []
    private lazy var later = AfterTurn(mw_server_loop(server)) { [unowned self] in look() }

    /// Returns nil if there is no console.
    init?(_ server: OpaquePointer) {
        guard let session = mw_server_session(server) else { return nil }
        self.server = server
        self.session = session
        lookSoon()
    }

    /// A device came or went. The kernel's folders are complete at the end of this turn of the loop.
    func lookSoon() { later.ask() }

    /// A real pointing device moved.
    func moved(_ device: Device) {
        guard moved.insert(device).inserted, moved.count == 1 else { return }
        tell(.pointerMoved(true))
    }

    func removed(_ device: Device) {
        if moved.remove(device) != nil, moved.isEmpty { tell(.pointerMoved(false)) }
        lookSoon()
    }

    private func look() {
        // On another console every device is gone for this one.
        guard session.pointee.active, let folder = opendir("/sys/class/input") else { return }
        defer { closedir(folder) }
        var kinds: [InputDeviceKind] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix("event"), let path = realpath("/sys/class/input/\(name)", nil) else { continue }
            defer { free(path) }
            let device = "/sys/class/input/\(name)/device"
            kinds.append(
                InputDeviceKind(
                    keys: Switches.firstLine(of: "\(device)/capabilities/key") ?? "",
                    properties: Switches.firstLine(of: "\(device)/properties") ?? "",
                    path: String(cString: path)))
        }
        let keyboard = kinds.contains(where: \.isKeyboard), touch = kinds.contains(where: \.isTouchScreen)
        if keyboard != hasKeyboard { tell(.keyboard(keyboard)) }
        if touch != hasTouch { tell(.touch(touch)) }
        (hasKeyboard, hasTouch) = (keyboard, touch)
    }

    private func tell(_ event: HardwareEvent) { Compositor.of(server).emit(.hardware(event)) }
}
