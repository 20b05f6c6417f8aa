import CWlroots
import Descriptors
import Glibc
import Multitasking
import Seat
import WaylandServer

/// Built-in switches: mute, the cover (lid) over screen and microphone, and the fold of a convertible (W-25). libinput
/// reports only some kinds of switches, and keeps their state to itself, so the state is read from the kernel. Used only on a console of
/// our own: nested or headless, the switches belong to another shell.
final class Switches {
    private final class Device {
        let number: dev_t
        /// A duplicate of libinput's descriptor, if libinput uses the device. Never read events from it, or libinput
        /// misses them.
        var copy = Descriptor.none
        /// Opened through the session for the shell alone, if libinput does not use the device.
        var opened: UnsafeMutablePointer<wlr_device>?
        var state: SwitchState
        var watch: DescriptorWatch?

        init(_ number: dev_t, _ state: SwitchState) {
            self.number = number
            self.state = state
        }

        var descriptor: Int32 { opened?.pointee.fd ?? copy.number }
    }

    private let server: OpaquePointer
    private let session: UnsafeMutablePointer<wlr_session>
    private var devices: [Device] = []
    private lazy var later = AfterTurn(mw_server_loop(server)) { [unowned self] in look() }

    /// Returns nil if there is no console.
    init?(_ server: OpaquePointer) {
        guard let session = mw_server_session(server) else { return nil }
        self.server = server
        self.session = session
        lookSoon()
    }

    deinit {
        for device in devices { close(device) }
    }

    private func close(_ device: Device) {
        device.watch = nil
        if let opened = device.opened { wlr_session_close_file(session, opened) }
        device.opened = nil
        device.copy.close()
    }

    /// libinput finishes adding a new device at the end of this turn of the loop.
    func lookSoon() { later.ask() }

    /// Looks for new devices.
    func look() {
        guard session.pointee.active, let folder = opendir("/sys/class/input") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix("event") { add(name) }
        }
    }

    private func add(_ name: String) {
        let path = "/dev/input/\(name)"
        var status = stat()
        guard let line = Self.firstLine(of: "/sys/class/input/\(name)/device/capabilities/sw"), let state = SwitchState(capabilities: line),
            stat(path, &status) == 0, !devices.contains(where: { $0.number == status.st_rdev })
        else { return }
        let device = Device(status.st_rdev, state)
        // A session can open a device only once.
        let taken = elements(of: session.pointer(to: \.devices)!, by: \wlr_device.link).first { $0.pointee.dev == status.st_rdev }
        if let taken {
            device.copy = Descriptor(fcntl(taken.pointee.fd, 1030 /* F_DUPFD_CLOEXEC */, 0), owner: "switch of a device")
        } else {
            device.opened = wlr_session_open_file(session, path)
        }
        if device.descriptor >= 0 {
            device.watch = DescriptorWatch(mw_server_loop(server), device.descriptor, .readable) { [unowned self, unowned device] events in
                happened(device, events)
            }
        }
        guard device.watch != nil else { return close(device) }
        devices.append(device)
        ask(device, isFirst: true)
    }

    static func firstLine(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].prefix { $0 != 0x0a }, as: UTF8.self) : nil
    }

    private func happened(_ device: Device, _ events: DescriptorWatch.Events) {
        var isGone = !events.isDisjoint(with: [.hangup, .error])
        if let opened = device.opened, !isGone {
            // Discard the events. The state is queried instead.
            var room = [UInt8](repeating: 0, count: 64 * MemoryLayout<input_event>.size)
            var count = 0
            repeat { count = read(opened.pointee.fd, &room, room.count) } while count > 0
            isGone = count == 0 || (errno != EAGAIN && errno != EINTR)
        }
        guard isGone else { return ask(device, isFirst: false) }
        devices.removeAll { $0 === device }
        if device.state.tellsTabletMode { Compositor.of(server).emit(.hardware(.tabletMode(nil))) }
        close(device)
    }

    /// EVIOCGSW, of as many bytes as `bits` has.
    private static let state = UInt(2) << 30 | UInt(MemoryLayout<UInt>.size) << 16 | 0x45 << 8 | 0x1b

    /// Queries the state and reports changes.
    private func ask(_ device: Device, isFirst: Bool) {
        var bits: UInt = 0
        guard ioctl(device.descriptor, Self.state, &bits) >= 0 else { return }
        let news = device.state.set(bits, isFirst: isFirst)
        if let isSilent = news.silence { Compositor.of(server).emit(.audio(.silenced(isSilent))) }
        if let isCovered = news.cover { Compositor.of(server).emit(.audio(.coverClosed(isCovered))) }
        if let isTablet = news.tabletMode { Compositor.of(server).emit(.hardware(.tabletMode(isTablet))) }
    }
}
