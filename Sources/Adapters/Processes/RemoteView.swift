import Descriptors
import Glibc

/// Shows the screen in a browser on this machine. wayvnc captures it. A process of this program (`ViewService`)
/// serves noVNC's page and relays the screen to clients that know the secret.
///
/// wayvnc listens only on a socket in a folder that only this user may enter. The other process listens on loopback,
/// which every user of the machine and every page in a browser can reach; hence the secret. The launcher reports the
/// exits of both processes; pass them to `ended`. Never blocks. Confined to one thread.
public final class RemoteView {
    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        public var message: String
        public var description: String { message }
    }

    /// The result of a process exit.
    public enum Ended: Equatable, Sendable {
        /// The process does not belong to the view.
        case another
        case restarted(String)
        case gaveUp(String)
    }

    /// The programs to start, with their environments.
    struct Plan: Equatable {
        var viewer: [String]
        var server: [String]
        var environment: [String: String]
        /// The environment of the server process alone, because it contains the secret.
        var serverEnvironment: [String: String]
    }

    /// The part of noVNC that the page needs.
    private static let client = "core/rfb.js"
    private static let pageFolders = ["/usr/share/novnc", "/usr/local/share/novnc"]
    /// Counts the ends of the view's processes.
    struct Ends {
        private var times: [Double] = []

        /// Processes that exit this often in this many seconds will not work at the next try either.
        static let most = 5, memory = 60.0

        /// A process ended at this time, in seconds of a clock that never jumps. Returns false to give up.
        mutating func ended(at now: Double) -> Bool {
            times.removeAll { now - $0 > Self.memory }
            times.append(now)
            return times.count <= Self.most
        }
    }

    private let launcher: Launcher
    private let plan: Plan
    private let folder: String
    private let log: String?
    /// Kept open when the server restarts, so that no other program takes its port.
    private let listener: Descriptor
    /// The process that takes pictures of the screen.
    public private(set) var viewer: Int32
    private var server: Int32
    private var ends = Ends()

    /// The URL to open in a browser. Anyone who knows it can see and use the session.
    public let url: String

    /// Starts the view.
    ///
    /// - Parameters:
    ///   - server: runs `ViewService.serve`. It gets the secret in `secretVariable`.
    ///   - waylandSocket: absolute path of the shell's Wayland socket.
    ///   - output: name of the output to show, such as `HEADLESS-1`.
    ///   - port: loopback port of the page; nil takes a free one.
    ///   - runtimeDirectory: where the view creates its own folder.
    ///   - log: file for the output of both programs; nil drops it.
    /// - Throws: `Failure` naming the missing package or the port in use.
    public init(
        launcher: Launcher, server command: [String], secretVariable: String, waylandSocket: String, output: String, port: Int?,
        runtimeDirectory: String, environment: [String: String], log: String? = nil
    ) throws(Failure) {
        let path = environment["PATH"]
        guard Executable.find("wayvnc", path: path) != nil else { throw Self.missing("wayvnc") }
        guard let pages = Self.installedPages else {
            throw Self.missing("noVNC's page")
        }
        guard let secret = Self.secret() else { throw Failure(message: "cannot get random numbers from the kernel: \(reason(errno))") }
        guard let (listener, bound) = Self.listen(port) else {
            throw Failure(
                message: port.map { "port \($0) of 127.0.0.1 is taken: choose another with --remote-view" }
                    ?? "no port of 127.0.0.1 is free")
        }
        // One folder per shell, so that several shells do not share wayvnc's sockets.
        folder = "\(runtimeDirectory)/mullion-view-\(bound)"
        let problem: Int32? = mkdir(folder, 0o700) == 0 ? nil : errno
        guard problem == nil || RuntimeDirectory.isOwn(folder) else {
            close(listener)
            throw Failure(message: "cannot make \(folder): \(reason(problem ?? 0))")
        }
        self.listener = Descriptor(listener, owner: "port of the remote view")
        self.launcher = launcher
        self.log = log
        plan = Self.plan(
            server: command, waylandSocket: waylandSocket, output: output, folder: folder, pages: pages,
            environment: environment, secret: (secretVariable, secret))
        url = "http://127.0.0.1:\(bound)/\(secret)/"
        unlink(Self.socket(in: folder))
        do {
            viewer = try launcher.launch(plan.viewer, environment: plan.environment, log: log)
            do {
                server = try launcher.launch(plan.server, environment: plan.serverEnvironment, log: log, channel: listener)
            } catch {
                launcher.signal(viewer, SIGTERM)
                throw error
            }
        } catch {
            throw Failure(message: "the remote view does not start: \(error)")
        }
    }

    /// Handles a process exit. Restarts the view's own processes, unless they end again and again within a minute: wayvnc may end
    /// whenever the screen is turned. `now`: seconds of the monotonic clock.
    public func ended(_ exit: ProcessExit, at now: Double) -> Ended {
        guard exit.pid == viewer || exit.pid == server else { return .another }
        let name = exit.pid == viewer ? "wayvnc" : "the server of the remote view"
        guard ends.ended(at: now) else {
            stop()
            return .gaveUp("\(name) ended again; the remote view is off")
        }
        do {
            if exit.pid == viewer {
                unlink(Self.socket(in: folder))
                viewer = try launcher.launch(plan.viewer, environment: plan.environment, log: log)
            } else {
                server = try launcher.launch(plan.server, environment: plan.serverEnvironment, log: log, channel: listener.number)
            }
        } catch {
            stop()
            return .gaveUp("\(error.message); the remote view is off")
        }
        return .restarted("\(name) ended and was started again")
    }

    /// Terminates both processes and removes the view's folder. The launcher reports their exits.
    public func stop() {
        launcher.signal(viewer, SIGTERM)
        launcher.signal(server, SIGTERM)
        viewer = 0
        server = 0
        for name in ["vnc", "wayvncctl"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    // MARK: Planning

    /// noVNC's folder, if it is installed.
    static var installedPages: String? {
        pageFolders.first { access("\($0)/\(client)", R_OK) == 0 }
    }

    static func plan(
        server: [String], waylandSocket: String, output: String, folder: String, pages: String, environment: [String: String],
        secret: (variable: String, value: String)
    ) -> Plan {
        let path = environment["PATH"]
        var environment = environment
        environment["WAYLAND_DISPLAY"] = waylandSocket
        environment["XDG_RUNTIME_DIR"] = folder
        return Plan(
            // The user's own wayvnc settings are for another purpose, so use empty ones.
            viewer: ["wayvnc", "-C", "/dev/null", "-o", output, "-u", socket(in: folder)],
            server: server + [socket(in: folder), pages, "\(getpid())"],
            environment: environment,
            serverEnvironment: ["PATH": path ?? Executable.standardPath, secret.variable: secret.value])
    }

    /// 128 random bits from the kernel, as 32 letters and digits.
    static func secret() -> String? {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard getentropy(&bytes, bytes.count) == 0 else { return nil }
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private static func socket(in folder: String) -> String { "\(folder)/vnc" }

    private static func missing(_ what: String) -> Failure {
        Failure(message: "\(what) is missing, which the remote view needs; run: apt-get install wayvnc novnc")
    }

    /// Listens on a port of 127.0.0.1, or on a free one for nil. Returns nil if the port is in use.
    static func listen(_ wanted: Int?) -> (descriptor: Int32, port: Int)? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { return nil }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(wanted ?? 0).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: Int? = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard bind(socket, generic, length) == 0, Glibc.listen(socket, 64) == 0, getsockname(socket, generic, &length) == 0
                else { return nil }
                return Int(UInt16(bigEndian: pointer.pointee.sin_port))
            }
        }
        guard let port else {
            close(socket)
            return nil
        }
        return (socket, port)
    }
}
