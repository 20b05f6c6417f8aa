import AudioSessions
import Compositor
import Descriptors
import Geometry
import Glibc
import Multitasking
import Processes

/// Tells which programs use a camera. The kernel reports each opening of a device, so the shell asks nothing while all are closed.
///
/// The sound server's PipeWire opens cameras for its clients. Those are known from its graph.
final class Cameras: Adapter {
    private unowned let shell: Shell
    private var notices = Descriptor(-1, owner: "cameras")
    private var source: EventSource?
    private var timer: EventSource?
    private var isDue = false
    /// The names of the devices by their watches.
    private var devices: [Int32: String] = [:]
    private var holders: [AudioApp] = []
    private var streams: [AudioApp] = []

    init(_ shell: Shell) { self.shell = shell }

    private var folder: String { shell.environment["MULLION_CAMERAS"] ?? "/dev" }
    /// Programs that look into every device when it comes, and those that hand pictures on.
    private static let servers: Set<String> = ["pipewire", "wireplumber", "pipewire-media-session"]
    /// From the opening of a device until the look at who has it, in seconds. A program that only asks for its name has closed it by then.
    private static let delay = 0.3

    func start() {
        notices = Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), owner: "cameras")
        guard notices.isOpen else { return shell.log.warning("the use of cameras is not told: no inotify") }
        timer = shell.compositor.timer { [unowned self] in
            isDue = false
            look()
        }
        source = shell.compositor.watch(fd: notices.number) { [unowned self] _ in drain() }
        follow()
    }

    private func follow() {
        inotify_add_watch(notices.number, folder, UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB))
        for name in names where !devices.values.contains(name) {
            let watch = inotify_add_watch(notices.number, "\(folder)/\(name)", UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE))
            if watch >= 0 { devices[watch] = name }
        }
        later()
    }

    private var names: [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < 64, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name.hasPrefix("video"), Int(name.dropFirst(5)) != nil, isCamera("\(folder)/\(name)") { names.append(name) }
        }
        return names
    }

    /// Codecs are such devices as well. udev says what each one can do.
    private func isCamera(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR,
            // Numbers of devices as udev writes them: these have small ones.
            let facts = readSmallFile(
                "/run/udev/data/c\(status.st_rdev >> 8 & 0xfff):\(status.st_rdev & 0xff | status.st_rdev >> 12 & 0xfff00)"),
            let line = facts.split(separator: "\n").first(where: { $0.hasPrefix("E:ID_V4L_CAPABILITIES=") })
        else { return true }
        return line.contains(":capture:") && !line.contains(":video_output:")
    }

    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 16_384), hasNew = false
        while true {
            let count = read(notices.number, &buffer, buffer.count)
            guard count > 0 else { break }
            buffer.withUnsafeBytes { bytes in
                var place = 0
                while place + MemoryLayout<inotify_event>.size <= count {
                    let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                    if event.mask & UInt32(IN_IGNORED) != 0 { devices[event.wd] = nil }
                    if devices[event.wd] == nil { hasNew = true }
                    place += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }
        if hasNew { follow() } else { later() }
    }

    /// A program that opens it a thousand times in a second makes the shell look three times.
    private func later() {
        guard !isDue else { return }
        isDue = true
        timer?.arm(Compositor.now() + Self.delay)
    }

    private func look() {
        let paths = Set(devices.values.map { "\(folder)/\($0)" })
        holders =
            paths.isEmpty
            ? []
            : OpenFiles.holders(of: paths).compactMap { process in
                let identity = AppIdentity.of(process: process)
                guard !Self.servers.contains(identity.id) else { return nil }
                return AudioApp(id: identity.id, lineage: identity.lineage, isSandboxed: identity.isSandboxed)
            }
        tell()
    }

    /// The apps that see through the sound server's PipeWire.
    func streams(_ apps: [AudioApp]) {
        streams = apps
        tell()
    }

    private func tell() {
        var seen: [AudioApp] = []
        for app in holders + streams where !seen.contains(where: { $0.id == app.id && $0.lineage == app.lineage }) { seen.append(app) }
        shell.receive(.cameras(seen))
    }

    func stop() {
        source?.cancel()
        timer?.cancel()
        (source, timer) = (nil, nil)
    }
}
