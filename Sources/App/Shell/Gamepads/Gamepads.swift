import Compositor
import Descriptors
import Geometry
import Glibc
import Multitasking
import Processes
import Seat

/// Gamepads, which libinput leaves out. The shell reads one only while no app has it open: an app that plays with it has it alone.
///
/// A device that cannot be read, such as in a container, is left out silently.
final class Gamepads: Adapter {
    private final class Pad {
        let name: String
        var descriptor = Descriptor.none
        var source: EventSource?
        var pad = Gamepad()
        var watch: Int32 = -1

        init(_ name: String) { self.name = name }
    }

    private unowned let shell: Shell
    private let folder: String
    private var isOn = false
    private var notices = Descriptor.none
    private var noticesSource: EventSource?
    private var folderWatch: Int32 = -1
    private var pads: [String: Pad] = [:]

    init(_ shell: Shell, folder: String = "/dev/input") {
        self.shell = shell
        self.folder = folder
    }

    let carriesOut = [Effect.Kind.devices]

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .devices(let rules) = effect else { return }
        shell.compositor.switchesConsoles = rules.consoles
        shell.adapter(PostureSensor.self).setOn(rules.posture)
        if rules.gamepads { begin() } else { end() }
    }

    func stop() { end() }

    private func begin() {
        guard !isOn else { return }
        isOn = true
        notices = Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), owner: "watch of the gamepads")
        guard notices.isOpen else { return }
        folderWatch = inotify_add_watch(notices.number, folder, UInt32(IN_CREATE | IN_ATTRIB | IN_DELETE))
        noticesSource = shell.compositor.watch(fd: notices.number) { [unowned self] _ in noticed() }
        guard let listing = opendir(folder) else { return }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            appeared(name)
        }
    }

    private func end() {
        guard isOn else { return }
        isOn = false
        for pad in pads.values { close(pad) }
        pads.removeAll()
        noticesSource?.cancel()
        noticesSource = nil
        notices.close()
    }

    // MARK: Devices that come, go and are opened

    private func appeared(_ name: String) {
        guard isOn, name.hasPrefix("event"), !(pads[name]?.descriptor.isOpen ?? false), notices.isOpen else { return }
        let pad = pads[name] ?? Pad(name)
        guard open(pad) else { return }
        if pad.watch < 0 { pad.watch = inotify_add_watch(notices.number, path(of: pad), UInt32(IN_OPEN | IN_CLOSE)) }
        pads[name] = pad
        check(pad)
    }

    private func path(of pad: Pad) -> String { "\(folder)/\(pad.name)" }

    private func open(_ pad: Pad) -> Bool {
        let number = Glibc.open(path(of: pad), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return false }
        pad.descriptor = Descriptor(number, owner: "gamepad")
        guard let ranges = Self.ranges(of: number) else {
            pad.descriptor.close()
            return false
        }
        pad.pad = Gamepad(ranges: ranges)
        pad.source = shell.compositor.watch(fd: number) { [unowned self, unowned pad] _ in read(pad) }
        return true
    }

    private func close(_ pad: Pad) {
        guard pad.descriptor.isOpen else { return }
        // The loop has a descriptor of its own, so the device is let go of only with it.
        pad.source?.cancel()
        pad.source = nil
        pad.descriptor.close()
        tell(pad.pad.end())
    }

    private func noticed() {
        guard notices.isOpen else { return }
        var events: [(watch: Int32, mask: UInt32, name: String)] = []
        withUnsafeTemporaryAllocation(byteCount: 8192, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while case let length = Glibc.read(notices.number, buffer.baseAddress, buffer.count), length > 0 {
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= length {
                    let event = buffer.baseAddress!.advanced(by: offset).assumingMemoryBound(to: inotify_event.self).pointee
                    let text = buffer.baseAddress!.advanced(by: offset + MemoryLayout<inotify_event>.size)
                    let name = event.len > 0 ? String(cString: text.assumingMemoryBound(to: CChar.self)) : ""
                    events.append((event.wd, event.mask, name))
                    offset += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }
        var used: Set<String> = []
        for event in events {
            if event.watch == folderWatch {
                if event.mask & UInt32(IN_DELETE) != 0 {
                    if let pad = pads.removeValue(forKey: event.name) { close(pad) }
                } else {
                    appeared(event.name)
                }
            } else if let pad = pads.values.first(where: { $0.watch == event.watch }) {
                used.insert(pad.name)
            }
        }
        for name in used.sorted() { if let pad = pads[name] { check(pad) } }
    }

    /// Some program opened or closed the device: the shell lets go of it while an app has it, and takes it again.
    ///
    /// The kernel merges equal notices, so they cannot be counted. The shell asks it which processes have the device.
    private func check(_ pad: Pad) {
        let isTaken = OpenFiles.isOpenElsewhere(path(of: pad))
        if isTaken, pad.descriptor.isOpen {
            shell.log.info("an app has the gamepad \(pad.name); the shell reads it no more")
            close(pad)
        } else if !isTaken, !pad.descriptor.isOpen {
            _ = open(pad)
        }
    }

    // MARK: Reading

    /// struct input_event: the time, then type, code and value.
    private static let eventSize = 2 * MemoryLayout<Int>.size + 8

    private func read(_ pad: Pad) {
        guard pad.descriptor.isOpen else { return }
        let number = pad.descriptor.number
        var changes: [Gamepad.Change] = [], isGone = false
        withUnsafeTemporaryAllocation(byteCount: 64 * Self.eventSize, alignment: 8) { buffer in
            // A pad that reports faster than the shell reads waits for the next turn.
            for _ in 0..<16 {
                let length = Glibc.read(number, buffer.baseAddress, buffer.count)
                guard length > 0 else {
                    isGone = length == 0 || (errno != EAGAIN && errno != EINTR)
                    break
                }
                for start in stride(from: 0, to: length - Self.eventSize + 1, by: Self.eventSize) {
                    changes += pad.pad.handle(
                        Gamepad.Report(
                            type: buffer.load(fromByteOffset: start + Self.eventSize - 8, as: UInt16.self),
                            code: buffer.load(fromByteOffset: start + Self.eventSize - 6, as: UInt16.self),
                            value: buffer.load(fromByteOffset: start + Self.eventSize - 4, as: Int32.self)))
                }
            }
        }
        tell(changes)
        guard isGone else { return }
        close(pad)
        pads[pad.name] = nil
    }

    private func tell(_ changes: [Gamepad.Change]) {
        for change in changes { shell.compositor.injectKey(change.key, change.isPressed, Compositor.now()) }
    }

    /// The ranges of a gamepad's sticks; nil: it is none.
    private static func ranges(of number: Int32) -> [UInt16: Gamepad.Range]? {
        /// EVIOCGBIT(EV_KEY, 96).
        var bits = [UInt8](repeating: 0, count: 96)
        guard bits.withUnsafeMutableBytes({ ioctl(number, ask(0x21, 96), $0.baseAddress!) }) >= 0,
            Gamepad.isOne({ bits[Int($0 / 8)] & (1 << UInt8($0 % 8)) != 0 })
        else { return nil }
        var ranges: [UInt16: Gamepad.Range] = [:]
        for axis in [0, 1, 0x10, 0x11] as [UInt16] {
            // EVIOCGABS: value, minimum, maximum, fuzz, flat, resolution.
            var facts = [Int32](repeating: 0, count: 6)
            guard facts.withUnsafeMutableBytes({ ioctl(number, ask(0x40 + UInt(axis), 24), $0.baseAddress!) }) >= 0 else { continue }
            if facts[2] > facts[1] { ranges[axis] = Gamepad.Range(minimum: facts[1], maximum: facts[2]) }
        }
        return ranges
    }

    /// _IOC(_IOC_READ, 'E', number, length).
    private static func ask(_ number: UInt, _ length: UInt) -> UInt { 2 << 30 | length << 16 | 0x45 << 8 | number }
}
