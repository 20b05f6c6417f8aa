/// The portals of xdg-desktop-portal (docs/portals.md): who serves each of them, and how soon it answers.
extension Doctor {
    /// A backend, as its file in the folder of portals describes it.
    public struct PortalBackend: Equatable, Sendable {
        /// The name of its file: "gtk".
        public var name: String
        public var busName: String
        /// Names of portals: "FileChooser".
        public var portals: [String]
        /// Desktops that it is for, as portals before 1.17 know them.
        public var desktops: [String]

        public init(name: String, busName: String, portals: [String], desktops: [String] = []) {
            (self.name, self.busName, self.portals, self.desktops) = (name, busName, portals, desktops)
        }

        /// Reads a `.portal` file; nil if it names no service.
        public init?(name: String, text: String) {
            func list(_ key: String) -> [String] {
                let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(key)=") }
                return line.map { $0.dropFirst(key.count + 1).split(separator: ";").map(String.init) } ?? []
            }
            guard let busName = list("DBusName").first else { return nil }
            self.init(
                name: name, busName: busName, portals: list("Interfaces").compactMap { $0.split(separator: ".").last.map(String.init) },
                desktops: list("UseIn").map { $0.lowercased() })
        }
    }

    public enum PortalAnswer: Equatable, Sendable {
        case after(milliseconds: Int)
        /// It did not answer within `portalPatience`.
        case late
        /// The name has no owner on the bus and cannot be activated.
        case nobody
    }

    /// The findings about a session's portals. Separate from their evaluation, so that tests can evaluate any session.
    public struct Portals: Equatable, Sendable {
        public var frontend = PortalAnswer.nobody
        public var backends: [PortalBackend] = []
        /// By the backend's name on the bus.
        public var answers: [String: PortalAnswer] = [:]
        /// Portals that the frontend does not offer, though a backend has them: it looked for backends before this one came.
        public var withheld: Set<String> = []
        /// In lower case.
        public var desktops: [String] = []
        /// The lines of `portals.conf`, by portal or "default"; nil if the frontend is older than such files.
        public var preferred: [String: [String]]?

        public init() {}
    }

    /// Seconds within which a portal has to answer. Apps that ask at their start wait for it.
    public static let portalPatience = 2.0

    static let portals: [(name: String, why: String, package: String)] = [
        ("FileChooser", "apps in sandboxes, and browsers, open and save files", "xdg-desktop-portal-gtk"),
        ("AppChooser", "an app lets a person choose what opens a file", ""), ("Access", "an app asks a person whether it may", ""),
        ("Account", "an app asks for the person's name", ""),
        ("Settings", "apps follow the look of the shell", ""),
        ("Notification", "notifications of apps in sandboxes", "xdg-desktop-portal-gtk"), ("Print", "printing", "xdg-desktop-portal-gtk"),
        ("Inhibit", "a film in a sandbox keeps the screen on", ""), ("Wallpaper", "an app offers a picture as the wallpaper", ""),
        ("ScreenCast", "sharing the screen in a call", "xdg-desktop-portal-wlr"),
        ("Screenshot", "apps take pictures of the screen", ""),
        ("Email", "apps begin a mail", ""),
        ("GlobalShortcuts", "apps get keys that they hear in every app", ""),
        ("Secret", "passwords of apps in sandboxes", "gnome-keyring"),
    ]

    /// The backend that the frontend asks for a portal. nil: there is none, or the configuration says "none".
    public static func backend(of portal: String, _ session: Portals) -> PortalBackend? {
        let able = session.backends.filter { $0.portals.contains(portal) }.sorted { $0.name < $1.name }
        guard let preferred = session.preferred else {
            for desktop in session.desktops { if let found = able.first(where: { $0.desktops.contains(desktop) }) { return found } }
            return able.first
        }
        for name in preferred["org.freedesktop.impl.portal.\(portal)"] ?? preferred["default"] ?? [] {
            if name == "none" { return nil }
            if let found = name == "*" ? able.first : able.first(where: { $0.name == name }) { return found }
        }
        return nil
    }

    public static func findings(on session: Portals, isRoot: Bool) -> [Finding] {
        func install(_ package: String) -> String {
            package.isEmpty ? "" : "\(isRoot ? "" : "sudo ")apt-get install --no-install-recommends \(package)"
        }
        let restart = "systemctl --user restart xdg-desktop-portal"
        func finding(_ name: String, _ state: State, _ detail: String, _ why: String, _ mend: String) -> Finding {
            Finding(name: name, state: state, detail: detail, why: why, mend: state == .ok ? "" : mend)
        }
        let bound = "not within \(Int(portalPatience)) s"
        let what = "apps in sandboxes ask for files, printing and the screen by it"
        let frontend: Finding =
            switch session.frontend {
            case .after(let time): finding("portals", .ok, "answer after \(time) ms", what, "")
            case .late: finding("portals", .optional, "no answer, \(bound): apps wait for it as they start", what, restart)
            case .nobody: finding("portals", .optional, "xdg-desktop-portal is not there", what, install("xdg-desktop-portal"))
            }
        guard session.frontend != .nobody else { return [frontend] }
        return [frontend]
            + portals.map { portal in
                let name = "portal \(portal.name)"
                guard let backend = backend(of: portal.name, session) else {
                    return finding(name, .optional, "nobody serves it", portal.why, install(portal.package))
                }
                switch session.answers[backend.busName] ?? .nobody {
                case .after where session.withheld.contains(portal.name):
                    return finding(name, .optional, "\(backend.name) has it, but the portal does not offer it", portal.why, restart)
                case .after(let time): return finding(name, .ok, "\(backend.name), after \(time) ms", portal.why, "")
                case .late: return finding(name, .optional, "\(backend.name) does not answer, \(bound)", portal.why, "")
                case .nobody where backend.name == "mullion": return finding(name, .ok, "Mullion serves it while it runs", portal.why, "")
                case .nobody: return finding(name, .optional, "\(backend.name) cannot be started", portal.why, install(portal.package))
                }
            }
    }

    /// Reads `portals.conf`.
    public static func preferred(_ text: String) -> [String: [String]] {
        var found: [String: [String]] = [:], isHere = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") { isHere = line.hasPrefix("[preferred]") }
            guard isHere, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
            found[String(line[..<equals])] = line[line.index(after: equals)...].split(separator: ";").map(String.init)
        }
        return found
    }
}
