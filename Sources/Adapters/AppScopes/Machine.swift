import Glibc
import MessageBus
import Processes

/// The means that this machine offers for scopes.
struct Machine: Sendable {
    /// For each kind of group, the folder in which the shell can make groups.
    var folders: [ControlGroups.Kind: String] = [:]
    /// The bus address of the user's service manager.
    var manager: String?
    /// The value of MULLION_SCOPES.
    var forced: ScopeMeans?
    /// For each means that is unavailable, the reason in words.
    var lacks: [ScopeMeans: String] = [:]

    /// The available means, best first; never empty.
    var chain: [ScopeMeans] {
        if let forced { return has(forced) ? [forced] : [.processes] }
        return ScopeMeans.allCases.filter(has)
    }

    func has(_ means: ScopeMeans) -> Bool {
        switch means {
        case .systemd: manager != nil
        case .cgroup2: folders[.unified] != nil
        case .freezer1: folders[.freezer] != nil
        case .processes: true
        }
    }

    /// A description for a person.
    var detail: String {
        let means = chain[0]
        if let forced, forced != means {
            return
                "\(ScopeMeans.variable) asks for \(forced.rawValue), which cannot be had: \(lacks[forced] ?? ""); apps are stopped by signals"
        }
        switch means {
        case .systemd: return "the user's service manager makes a scope of each app"
        case .cgroup2: return "control groups below \(folders[.unified] ?? "")"
        case .freezer1: return "the freezer of cgroup1 below \(folders[.freezer] ?? "")"
        case .processes:
            let why = ScopeMeans.allCases.compactMap { lacks[$0] }.joined(separator: "; ")
            return "apps are stopped by signals\(why.isEmpty ? "" : ": \(why)")"
        }
    }

    static func look(environment: [String: String]) -> Machine {
        var machine = Machine()
        machine.forced = environment[ScopeMeans.variable].flatMap(ScopeMeans.init(rawValue:))
        for (kind, means) in [(ControlGroups.Kind.unified, ScopeMeans.cgroup2), (.freezer, .freezer1)] {
            let places = ([ControlGroups.folder(of: nil, kind)] + ControlGroups.folders(kind)).compactMap(\.self)
            machine.folders[kind] = places.first { works($0, kind) }
            if machine.folders[kind] == nil {
                machine.lacks[means] = places.first.map { "no group can be made in \($0)" } ?? "there is no \(means.rawValue) here"
            }
        }
        do throws(Lack) {
            machine.manager = try managerAddress(environment)
        } catch {
            machine.lacks[.systemd] = error.why
        }
        return machine
    }

    private struct Lack: Error { var why: String }

    private static func managerAddress(_ environment: [String: String]) throws(Lack) -> String {
        guard !ControlGroups.folders(.unified).isEmpty else { throw Lack(why: "cgroup2 is not mounted") }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), answers("\(folder)/systemd/private") else {
            throw Lack(why: "no service manager of this user runs")
        }
        // Prefer the manager's own bus: a session bus can exist without a manager on it.
        if access("\(folder)/bus", R_OK | W_OK) == 0 { return BusAddress.unix("\(folder)/bus") }
        guard let address = BusAddress.session(environment) else { throw Lack(why: "there is no session bus") }
        return address
    }

    /// Whether a process listens on this address.
    private static func answers(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// Makes a group and removes it again. File permissions alone do not prove that this works, least of all for root.
    private static func works(_ folder: String, _ kind: ControlGroups.Kind) -> Bool {
        let group = Group(kind: kind, folder: "\(folder)/mullion-probe-\(String(UInt32.random(in: 0 ... .max), radix: 16))")
        guard group.make() == 0 else { return false }
        defer { _ = group.remove() }
        let file = kind == .unified ? "cgroup.freeze" : "freezer.state"
        // Moving a process requires write access to the nearest group above both places.
        return access("\(group.folder)/\(file)", W_OK) == 0 && access("\(folder)/cgroup.procs", W_OK) == 0
    }
}

extension ScopeMeans {
    /// The variable that selects one means, by its raw value, instead of the best one that the machine has.
    public static let variable = "MULLION_SCOPES"
}
