/// The identity of a program, as far as another party vouches for it. Only this file decides it, from facts that adapters
/// find out (`Evidence`). Only `allows` decides what a sandbox may do on the session bus.
///
/// A program outside any sandbox can pretend to be any other program of its user, so the shell believes its claims about itself.
/// A program in a sandbox can say anything, so nothing that it says counts: neither its window's app id, nor an argument of a
/// call, nor a file in its own root.
public enum Identity: Hashable, Codable, Sendable {
    /// Outside any sandbox. The absolute path of the program; "" if unknown.
    case program(String)
    /// An app in a sandbox, by the name that its engine vouches for. `engine`: "org.flatpak", "snap", the engine of a security
    /// context, or `launcher`.
    case app(String, engine: String)
    /// A sandbox without a vouched name, by a number that no other one gets while the shell runs.
    case container(UInt64)

    /// The engine of apps that the shell itself started from their desktop entries.
    public static let launcher = "mullion"
    public static let flatpak = "org.flatpak"
    public static let snap = "snap"

    public var isSandboxed: Bool { if case .program = self { false } else { true } }

    /// The name in `[privileges]`: the path of a program, or the name of an app in a sandbox; "" if there is none.
    public var name: String {
        switch self {
        case .program(let path): path
        case .app(let app, _): app
        case .container: ""
        }
    }

    /// The vouched app; nil outside a sandbox, and for a sandbox without a name.
    public var vouchedApp: String? { if case .app(let app, _) = self { app } else { nil } }

    /// The app under which something is kept that has to outlive the connection; nil: there is none.
    ///
    /// Flatpak's ids are those of desktop entries, as are the shell's own. Other engines have names of their own, so a snap
    /// "foot" is not the program foot.
    ///
    /// - Parameter claim: the program's claim about itself.
    public func owner(claiming claim: @autoclosure () -> String) -> String? {
        switch self {
        case .program: claim()
        case .app(let app, Self.flatpak), .app(let app, Self.launcher): app
        case .app(let app, let engine): "\(engine):\(app)"
        case .container: nil
        }
    }

    /// The app id that a window counts under where trust follows from it. A Flatpak's further entries begin with its own id
    /// and a dot.
    public func app(claiming claim: String) -> String {
        switch self {
        case .program: claim
        case .app(let app, _): claim.hasPrefix("\(app).") ? claim : app
        case .container: ""
        }
    }
}

// MARK: The decision

extension Identity {
    /// The facts about a process or a connection from the kernel, the service manager, sandbox engines and the shell's own records.
    public struct Evidence: Hashable, Sendable {
        /// The statement of a sandbox engine about the connection (security-context). `app` is empty if that engine is in a sandbox itself.
        public struct Context: Hashable, Sendable {
            public var engine: String
            public var app: String
            /// The number of the context.
            public var number: UInt64

            public init(engine: String, app: String, number: UInt64) {
                self.engine = engine
                self.app = app
                self.number = number
            }
        }

        public var context: Context?
        /// nil: the process cannot be inspected. Inside a sandbox the path is meaningless.
        public var executable: String?
        /// Whether its namespaces are the shell's and it shows no sandbox's file.
        public var isOutside = false
        /// `/proc/PID/cgroup`.
        public var groups = ""
        /// Whether it has a control group file system that it may write to: then it can choose its group's name.
        public var movesGroups = true
        /// The label that AppArmor confines it with; "" if none does.
        public var label = ""
        /// `.flatpak-info` in its own root, which it may have written itself.
        public var flatpakInfo: String?
        /// The app from whose desktop entry the shell started the process or an ancestor, with no other app's window between.
        public var launched: String?
        /// The identity of an ancestor in a sandbox.
        public var ancestor: Identity?
        /// The number of the connection.
        public var connection: UInt64 = 0

        public init() {}
    }

    public init(_ evidence: Evidence) {
        self =
            if let context = evidence.context {
                context.app.isEmpty ? .container(context.number) : .app(context.app, engine: context.engine)
            } else if let snap = Self.snap(evidence) {
                .app(snap, engine: Self.snap)
            } else if evidence.isOutside, let path = evidence.executable {
                .program(path)
            } else if let app = Self.flatpak(evidence) {
                .app(app, engine: Self.flatpak)
            } else if let ancestor = evidence.ancestor, ancestor.vouchedApp != nil {
                ancestor
            } else if let app = evidence.launched, !app.isEmpty {
                .app(app, engine: Self.launcher)
            } else {
                .container(evidence.connection)
            }
    }

    /// A snap's control group names it. For a program that can move itself to another group, the label has to agree, too.
    private static func snap(_ evidence: Evidence) -> String? {
        guard let name = snap(groups: evidence.groups) else { return nil }
        return evidence.isOutside || !evidence.movesGroups || evidence.label.hasPrefix("snap.\(name).") ? name : nil
    }

    /// `.flatpak-info` alone proves nothing: a program that makes a mount namespace can put one there. The user's service manager makes
    /// Flatpak's scope, and the app cannot reach control groups.
    private static func flatpak(_ evidence: Evidence) -> String? {
        guard let info = evidence.flatpakInfo, !evidence.movesGroups, let app = flatpak(groups: evidence.groups), app == flatpak(info: info)
        else { return nil }
        return app
    }

    /// The name in `.flatpak-info`, of an app or of a bare runtime.
    static func flatpak(info: String) -> String {
        var group = ""
        for line in info.split(separator: "\n") {
            if line.hasPrefix("[") { group = String(line) }
            guard group == "[Application]" || group == "[Runtime]", line.hasPrefix("name=") else { continue }
            return String(line.dropFirst("name=".count))
        }
        return ""
    }

    /// The app of `app-flatpak-ID-NUMBER.scope`. Only slices and the user's manager may stand above it: a process that owns its
    /// own group can make any group below that.
    static func flatpak(groups: String) -> String? {
        let prefix = "app-flatpak-", suffix = ".scope"
        for line in groups.split(separator: "\n") {
            let path = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
            for part in path.split(separator: "/") {
                if part.hasSuffix(".slice") || (part.hasPrefix("user@") && part.hasSuffix(".service")) { continue }
                guard part.hasPrefix(prefix), part.hasSuffix(suffix) else { break }
                let words = part.dropFirst(prefix.count).dropLast(suffix.count)
                guard let dash = words.lastIndex(of: "-"), dash != words.startIndex else { break }
                // systemd escapes dashes within the id.
                return words[..<dash].split(separator: "\\x2d", omittingEmptySubsequences: false).joined(separator: "-")
            }
        }
        return nil
    }

    /// The snap of a process, from the names of its control groups: `snap.NAME.APP-UUID.scope`.
    static func snap(groups: String) -> String? {
        for part in groups.split(whereSeparator: { $0 == "/" || $0 == "\n" }) where part.hasPrefix("snap.") {
            let names = part.split(separator: ".")
            if names.count >= 3 { return String(names[1]) }
        }
        return nil
    }
}

// MARK: Permissions of a sandbox on the session bus

extension Identity {
    /// The services of the shell on the session bus.
    public enum BusDoor: String, Hashable, Sendable, CaseIterable {
        /// `org.mullion.Life1`: its own state, tasks and phases.
        case life
        /// `org.mullion.Views1`: alerts, quick look and sharing, which name the asker.
        case views
        /// `org.freedesktop.impl.portal`: questions in the name of any app. Only the portal asks them.
        case portals
        /// The session manager: its own inhibitors, under its own name.
        case inhibit
        /// The session manager: taking part in the end of the session, under its own name.
        case register
        /// The session manager: instances of an app that come back.
        case restore
        /// The session manager: the inhibitors of other programs, by app and reason.
        case listInhibitors
        /// The session manager: ending the session.
        case logOut
    }

    /// Whether it may use this door, for this app if the door is for one.
    public func allows(_ door: BusDoor, for app: String? = nil) -> Bool {
        guard isSandboxed else { return true }
        return switch door {
        case .life, .views, .inhibit, .register: true
        case .restore: app != nil && app == owner(claiming: "")
        case .portals, .listInhibitors, .logOut: false
        }
    }
}

// MARK: Windows

extension Workspace {
    /// The id of a window's app that trust follows; "" for a sandbox without a vouched name.
    public func trustedApp(of id: WindowID) -> String {
        guard let window = windows[id] else { return "" }
        guard let identity = window.facts.sandbox else { return window.app }
        return appID(named: identity.app(claiming: window.facts.appID))
    }

    /// The app from whose desktop entry the shell started a process: `Evidence.launched`.
    ///
    /// A command in a terminal is not the terminal, so no process between may have a window of its own.
    ///
    /// - Parameter lineage: the process and its ancestors, nearest first.
    public func launchedApp(_ lineage: [Int32]) -> String? {
        for process in lineage {
            if process != lineage.first, windows.values.contains(where: { $0.facts.lineage.first == process }) { return nil }
            if let launch = launches.all.first(where: { $0.process == process }) { return entry(of: launch) }
        }
        return nil
    }

    /// The app whose desktop entry a launch really runs, perhaps with things to open. A window's own app id may be another's.
    public func entry(of launch: Launches.Launch) -> String? {
        guard let app = launch.app.flatMap(app), let command = launch.command else { return nil }
        return app.isStarted(by: command) ? app.id : nil
    }
}

extension App {
    /// Whether these words are the command of its entry or of an action, with things to open in their place or at the end. The
    /// program counts without its folder.
    fileprivate func isStarted(by words: [String]) -> Bool {
        func plain(_ words: [String]) -> [Substring] {
            words.enumerated().map { $0.offset == 0 ? $0.element.split(separator: "/").last ?? "" : Substring($0.element) }
        }
        let words = plain(words)
        if ([command] + actions.map(\.command)).contains(where: { !$0.isEmpty && words.starts(with: plain($0)) }) { return true }
        guard let place = filePlace, (1...max(1, command.count)).contains(place.index), words.count >= command.count else { return false }
        let own = plain(command), rest = own[min(own.count, place.index + (place.within == nil ? 0 : 1))...]
        if let within = place.within {
            // A command does not open its own program.
            guard place.index < words.count - rest.count, words[place.index].hasPrefix(within.before) else { return false }
            guard words[words.count - rest.count - 1].hasSuffix(within.after) else { return false }
        }
        return words.starts(with: own[..<place.index]) && words.suffix(rest.count).elementsEqual(rest)
    }
}
