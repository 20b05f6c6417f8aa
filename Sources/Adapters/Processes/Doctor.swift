import Glibc

/// Reports things that the machine lacks for the shell, the features that need them, and the commands that fix it.
public enum Doctor {
    public enum State: String, Codable, Sendable {
        case ok
        /// The shell does not work without it.
        case missing
        /// The shell works, except for the feature that `why` names.
        case optional
    }

    public struct Finding: Equatable, Codable, Sendable {
        public var name: String
        public var state: State
        /// The thing that was found or is missing.
        public var detail: String
        /// The feature that needs it.
        public var why: String
        /// A command that fixes it; empty if all is well or hardware is missing.
        public var mend: String

        public init(name: String, state: State, detail: String, why: String, mend: String) {
            (self.name, self.state, self.detail, self.why, self.mend) = (name, state, detail, why, mend)
        }
    }

    /// The facts about a machine. Separate from their evaluation, so that tests can evaluate any machine.
    public struct Machine: Equatable, Sendable {
        public var isRoot = false
        /// Programs in the search path, by name, with their paths.
        public var programs: [String: String] = [:]
        /// The path of noVNC's page.
        public var remotePage: String?
        /// How libseat can open devices: `logind`, `seatd`, or `root`.
        public var seat: String?
        /// Display devices.
        public var cards: [String] = []
        /// GPUs, and those that this user can open.
        public var renderNodes: [String] = []
        public var usableRenderNodes: [String] = []
        public var runtimeDirectory = ""
        /// The reason why the runtime directory is missing.
        public var runtimeFailure: String?
        public var fontFolder: String?
        public var keyboardRules: String?
        public var cursorTheme: String?
        /// The library that reads PDF.
        public var poppler: String?
        /// The file with what PAM asks on the lock screen.
        public var pamService: String?
        /// The session bus address, from the environment or the default location.
        public var sessionBus: String?

        public init() {}
    }

    static let programs = ["Xwayland", "wayvnc", "foot", "pipewire", "wireplumber", "pipewire-pulse", "bwrap", "mpv"]

    /// Examines this machine.
    public static func examine(environment: [String: String]) -> [Finding] {
        findings(on: look(environment: environment))
    }

    // MARK: Evaluation

    /// Evaluates a machine. Findings are sorted by importance.
    public static func findings(on machine: Machine) -> [Finding] {
        let sudo = machine.isRoot ? "" : "sudo "
        func install(_ package: String) -> String { "\(sudo)apt-get install --no-install-recommends \(package)" }
        func check(
            _ name: String, found: String?, lacking: String, state: State = .optional, why: String, mend: String
        ) -> Finding {
            Finding(
                name: name, state: found == nil ? state : .ok, detail: found ?? lacking, why: why,
                mend: found == nil ? mend : "")
        }
        func program(_ name: String, package: String, why: String) -> Finding {
            check(name, found: machine.programs[name], lacking: "not installed", why: why, mend: install(package))
        }
        return [
            check(
                "runtime directory", found: machine.runtimeFailure == nil ? machine.runtimeDirectory : nil,
                lacking: machine.runtimeFailure ?? "", state: .missing,
                why: "apps find the shell through a socket in it",
                mend: "export XDG_RUNTIME_DIR=$(mktemp -d)"),
            check(
                "keyboard layouts", found: machine.keyboardRules, lacking: "no xkb rules", state: .missing,
                why: "without a keymap no keyboard works, and some apps end", mend: install("xkb-data")),
            check(
                "fonts", found: machine.fontFolder, lacking: "no font installed", state: .missing,
                why: "the shell's own text and most apps need one", mend: install("fonts-dejavu-core")),
            check(
                "cursor theme", found: machine.cursorTheme, lacking: "none installed",
                why: "shows the pointer; touch works without", mend: install("adwaita-icon-theme")),
            program("Xwayland", package: "xwayland", why: "runs X11 apps"),
            check(
                "seat", found: machine.seat, lacking: "neither logind nor seatd answers",
                why: "opens display and touch screen on a console; nested and headless work without",
                mend: install("seatd") + " && \(sudo)systemctl enable --now seatd"),
            check(
                "display", found: machine.cards.isEmpty ? nil : machine.cards.joined(separator: ", "),
                lacking: "no /dev/dri/card*",
                why: "the shell on the machine's own screen; without, it runs nested, or headless with the remote view",
                mend: ""),
            renderNode(machine, sudo: sudo),
            program("wayvnc", package: "wayvnc", why: "remote view: reads the screen"),
            check(
                "noVNC", found: machine.remotePage, lacking: "not installed",
                why: "remote view: the page in the browser", mend: install("novnc")),
            program("foot", package: "foot", why: "a terminal for the first sight"),
            program("pipewire", package: "pipewire", why: "sound"),
            program("wireplumber", package: "wireplumber", why: "sound: finds devices and prepares streams"),
            program("pipewire-pulse", package: "pipewire-pulse", why: "sound of apps that speak PulseAudio, most of them"),
            program(
                "bwrap", package: "bubblewrap", why: "quick look: confines what reads files; without, a filter of system calls alone does"),
            check(
                "poppler", found: machine.poppler, lacking: "not installed", why: "quick look: PDF",
                mend: install("libpoppler-glib8")),
            check(
                "unlocking", found: machine.pamService, lacking: "no /etc/pam.d/mullion: PAM's \"other\" decides",
                why: "the lock screen asks PAM for the password as that file says",
                mend: "\(sudo)install -m 644 packaging/mullion.pam /etc/pam.d/mullion"),
            program("mpv", package: "mpv", why: "quick look: sounds and videos"),
            check(
                "session bus",
                found: machine.sessionBus ?? machine.programs["dbus-daemon"].map { "none yet: the shell starts one by \($0)" },
                lacking: "none, and no dbus-daemon to start one",
                why: "media keys of players, audio sessions, apps that are asked for twice, file choosers and settings of apps",
                mend: install("dbus")),
        ]
    }

    private static func renderNode(_ machine: Machine, sudo: String) -> Finding {
        var finding = Finding(
            name: "graphics", state: .ok, detail: machine.usableRenderNodes.joined(separator: ", "),
            why: "draws with the graphics processor; without, the processor draws", mend: "")
        if machine.usableRenderNodes.isEmpty {
            finding.state = .optional
            if machine.renderNodes.isEmpty {
                finding.detail = "no /dev/dri/renderD*"
            } else {
                finding.detail = "this user may not open \(machine.renderNodes.joined(separator: ", "))"
                finding.mend = "\(sudo)usermod -a -G render,video $(id -un), then log in again"
            }
        }
        return finding
    }

    // MARK: Output

    /// A table for a terminal: state, what, detail. Problems also show why they matter and which command fixes them.
    public static func render(_ findings: [Finding]) -> String {
        let stateWidth = findings.map(\.state.rawValue.count).max() ?? 0
        let nameWidth = findings.map(\.name.count).max() ?? 0
        let indent = String(repeating: " ", count: stateWidth + nameWidth + 4)
        var lines: [String] = []
        for finding in findings {
            lines.append(
                pad(finding.state.rawValue, stateWidth) + "  " + pad(finding.name, nameWidth) + "  "
                    + finding.detail)
            if finding.state == .ok { continue }
            lines.append(indent + "for:   " + finding.why)
            if !finding.mend.isEmpty { lines.append(indent + "mend:  " + finding.mend) }
        }
        let missing = findings.count { $0.state == .missing }
        lines.append("")
        lines.append(missing == 0 ? "Mullion can run here." : "Mullion cannot run here yet: \(missing) missing.")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

// MARK: - Inspection

extension Doctor {
    /// Collects facts without evaluating them.
    static func look(environment: [String: String]) -> Machine {
        var machine = Machine()
        machine.isRoot = geteuid() == 0
        for name in programs + ["dbus-daemon"] {
            machine.programs[name] = Executable.find(name, path: environment["PATH"])
        }
        machine.remotePage = RemoteView.installedPages
        machine.seat = seat(isRoot: machine.isRoot)
        let devices = names(in: "/dev/dri")
        machine.cards = devices.filter { $0.hasPrefix("card") }.map { "/dev/dri/\($0)" }
        machine.renderNodes = devices.filter { $0.hasPrefix("renderD") }.map { "/dev/dri/\($0)" }
        machine.usableRenderNodes = machine.renderNodes.filter { access($0, R_OK | W_OK) == 0 }
        do {
            machine.runtimeDirectory = try RuntimeDirectory.resolve(environment: environment).path
        } catch {
            machine.runtimeFailure = error.message
        }
        let home = environment["HOME"] ?? ""
        machine.fontFolder = ["/usr/share/fonts", "/usr/local/share/fonts", "\(home)/.local/share/fonts"]
            .first { holdsFont($0, depth: 0) }
        machine.keyboardRules = ["/usr/share/X11/xkb", "/usr/share/xkeyboard-config-2"]
            .first { access("\($0)/rules/evdev", R_OK) == 0 }
        machine.cursorTheme = ["/usr/share/icons", "\(home)/.local/share/icons", "\(home)/.icons"].lazy
            .flatMap { folder in names(in: folder).map { "\(folder)/\($0)" } }
            .first { !names(in: "\($0)/cursors").isEmpty }
        machine.pamService = ["/etc/pam.d/mullion", "/usr/lib/pam.d/mullion"].first { access($0, R_OK) == 0 }
        machine.poppler = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"].lazy
            .map { "\($0)/libpoppler-glib.so.8" }.first { access($0, R_OK) == 0 }
        machine.sessionBus = environment["DBUS_SESSION_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 }
        let usual = machine.runtimeDirectory + "/bus"
        if machine.sessionBus == nil, access(usual, F_OK) == 0 { machine.sessionBus = "unix:path=\(usual)" }
        return machine
    }

    private static func seat(isRoot: Bool) -> String? {
        if access("/run/seatd.sock", F_OK) == 0 { return "seatd" }
        if access("/run/systemd/seats/seat0", F_OK) == 0 { return "logind" }
        return isRoot ? "root opens devices itself" : nil
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let item = readdir(directory) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func holdsFont(_ folder: String, depth: Int) -> Bool {
        guard depth < 5 else { return false }
        return names(in: folder).contains { name in
            let isFont = [".ttf", ".otf", ".ttc", ".pcf.gz"].contains { name.lowercased().hasSuffix($0) }
            return isFont || holdsFont("\(folder)/\(name)", depth: depth + 1)
        }
    }
}
