import Geometry

/// The programs that the shell starts, and which new windows belong to which of them (W-19, W-20).
///
/// It is told what is started, which process runs, which window comes and what ends. It answers which launch a window belongs
/// to, and in which role. It knows neither places nor focus: `Workspace` asks it, and arranges windows accordingly.
public struct Launches: Hashable, Codable, Sendable {
    public struct Launch: Hashable, Codable, Sendable {
        public var id: LaunchID
        public var process: Int32?
        public var destination: Destination?
        public var when: Moment
        /// Whether a window of it came that is no splash.
        public var isUsed = false
        /// The app that was asked for, if known.
        public var app: String?
        public var command: [String]?
        /// The window that it brings back.
        public var placeholder: WindowID?
        /// The window in which a person pinched an item open (W-21).
        public var pinchedFrom: WindowID?
        /// The window that came last for it: a splash, until another one succeeds it.
        public var holder: WindowID?
        /// A person opens something with it in an app whose windows are placeholders: the one that it fills comes forward.
        public var comesForward: Bool?
        /// The window in front, as far as the launch knows; nil: the home screen, where it began.
        var front: Front?
        /// A person arranged something else since: its window waits.
        var overtaken = false
        /// Its windows come over the lock screen. None of them is asked for in the session.
        var isOverLock: Bool?
        /// How many windows more it may open, because it was given so many things to open (W-19).
        var further: Int?

        /// The last shell made it, and its program runs on.
        var isAdopted: Bool?
        /// Its program was started.
        var hasRun: Bool?
        /// Another shell ended while its program started. It is started again once, so that a program that ends the shell does not go on
        /// doing so.
        var isAgain: Bool?

        /// Whether it fills the place of a window of the last session, without a person having opened something with it.
        var comesBack: Bool { placeholder != nil && comesForward != true }
    }

    /// The facts about a new window by which it is matched.
    public struct Arrival: Hashable, Sendable {
        public var id: WindowID
        public var app: String
        public var title: String
        /// Its client's process and the ancestors, nearest first.
        public var lineage: [Int32]
        /// The launch of the activation token that it presented.
        public var token: LaunchID?
        /// Its client declares that it is a splash (X11).
        public var isSplash: Bool
        /// It cannot be resized.
        public var isFixed: Bool
        /// Its client says that it belongs to another window, which is not there yet.
        public var isDialog: Bool
        /// It is modal, and belongs to no other window.
        public var isModal: Bool

        public init(
            id: WindowID, app: String = "", title: String = "", lineage: [Int32] = [], token: LaunchID? = nil,
            isSplash: Bool = false, isFixed: Bool = false, isDialog: Bool = false, isModal: Bool = false
        ) {
            self.isModal = isModal
            self.isDialog = isDialog
            self.id = id
            self.app = app
            self.title = title
            self.lineage = lineage
            self.token = token
            self.isSplash = isSplash
            self.isFixed = isFixed
        }
    }

    public enum Role: Hashable, Sendable {
        /// It is the window that was asked for, and uses the launch up.
        case first
        /// It is a splash, or a dialog that came before its window: the launch stays unused.
        case splash
        /// It takes the place of this window, which was a splash.
        case successor(of: WindowID)
        /// The launch is used up, but its program shows no other window.
        case next
    }

    public struct Match: Hashable, Sendable {
        public var launch: LaunchID
        public var role: Role

        public init(launch: LaunchID, role: Role) {
            self.launch = launch
            self.role = role
        }
    }

    /// In the order of their start.
    public internal(set) var all: [Launch] = []
    var number: UInt32 = 1
    /// Apps that are started again, until their placeholders are filled.
    var restarts: [Restart] = []

    /// Seconds for which a launch's activation token is valid.
    static let patience = 60.0
    /// Seconds after a launch in which another process of the app may answer it without a token, and in which a splash may
    /// be succeeded that does not say that it is one.
    static let appPatience = 15.0

    /// How many windows more than one a launch opens by itself at most.
    static let mostFurther = 15

    public init() {}

    /// The latest moment that it was told.
    var latest: Moment { max(all.map(\.when).max() ?? .zero, restarts.compactMap(\.last).max() ?? .zero) }

    public subscript(_ id: LaunchID) -> Launch? { all.first { $0.id == id } }

    func index(_ id: LaunchID) -> Int? { all.firstIndex { $0.id == id } }

    mutating func edit(_ id: LaunchID, _ change: (inout Launch) -> Void) {
        guard let index = index(id) else { return }
        change(&all[index])
    }

    // MARK: Events

    /// - Parameter app: the app whose window is wanted; nil for a program of an unknown app.
    public mutating func begin(_ app: String?, _ command: [String]?, to destination: Destination?, at now: Moment) -> LaunchID {
        let id = takeNumber()
        all.removeAll { $0.process == nil && now - $0.when > Launches.patience }
        all.append(Launch(id: id, destination: destination, when: now, app: app, command: command))
        return id
    }

    mutating func takeNumber() -> LaunchID {
        defer { number += 1 }
        return LaunchID(number)
    }

    public mutating func started(_ id: LaunchID, process: Int32) {
        edit(id) {
            $0.process = process
            $0.hasRun = true
        }
        for index in restarts.indices where restarts[index].launches.contains(id) { restarts[index].processes.append(process) }
    }

    /// The program exited. Its token stays valid for a while, because a program that runs only once hands it to the
    /// running instance. A failed program's token is void.
    public mutating func ended(_ id: LaunchID, failed: Bool) {
        guard let index = index(id) else { return }
        if let process = all[index].process {
            for index in restarts.indices { restarts[index].processes.removeAll { $0 == process } }
        }
        all[index].process = nil
        guard failed else { return }
        all[index].app = nil
        endRestarts(by: id)
    }

    /// The program could not be started.
    public mutating func failed(_ id: LaunchID) {
        all.removeAll { $0.id == id }
        endRestarts(by: id)
    }

    private mutating func endRestarts(by id: LaunchID) {
        for index in restarts.indices { restarts[index].launches.removeAll { $0 == id } }
        restarts.removeAll { $0.launches.isEmpty && $0.processes.isEmpty }
    }

    /// A window got its place by this match.
    public mutating func took(_ match: Match, by window: WindowID) {
        edit(match.launch) {
            if $0.isUsed, match.role == .first, let further = $0.further { $0.further = further - 1 }
            if match.role != .splash { $0.isUsed = true }
            if match.role != .next { $0.holder = window }
        }
    }

    // MARK: Matching of windows

    /// The launch that a new window belongs to. A token decides first, then the line of processes, and last the app: an app that
    /// runs only once hands the request to the running process, but not always the token. A launch without a window comes
    /// before one that has had its window.
    ///
    /// - Parameter windows: those that are mapped and have a place of their own, without the new one.
    public func match(_ new: Arrival, among windows: @autoclosure () -> [Arrival], at now: Moment) -> Match? {
        if let token = new.token, let launch = self[token] { return Match(launch: token, role: role(of: new, in: launch, windows)) }
        let own = all.filter { $0.process.map(new.lineage.contains) ?? false }
        if let launch = own.last(where: { !$0.isUsed && ($0.holder == nil || now - $0.when <= Launches.patience) }) {
            return Match(launch: launch.id, role: role(of: new, in: launch, windows))
        }
        for launch in own.reversed() {
            if let splash = windows().first(where: { $0.id == launch.holder }), isSplash(splash, of: launch, before: new, at: now) {
                return Match(launch: launch.id, role: .successor(of: splash.id))
            }
        }
        if !new.isSplash, !new.isDialog, let launch = opensFurther(new, own, at: now) { return Match(launch: launch.id, role: .first) }
        if let launch = unused(of: new.app, at: now) ?? handedOver(to: own, at: now) {
            return Match(launch: launch.id, role: role(of: new, in: launch, windows))
        }
        let idle = own.last { launch in !windows().contains { !$0.isSplash && $0.lineage.contains(launch.process!) } }
        return idle.map { Match(launch: $0.id, role: .next) }
    }

    /// The launch that a window will use up that is not shown yet.
    func expected(_ new: Arrival) -> Launch? {
        if let token = new.token, let launch = self[token] { return launch }
        return all.last { !$0.isUsed && $0.process.map(new.lineage.contains) ?? false } ?? unused(of: new.app, at: latest)
            ?? handedOver(to: all.filter { $0.process.map(new.lineage.contains) ?? false }, at: latest)
    }

    /// The launches that began a moment ago and have no window yet, without those that a person overtook.
    public func fresh(at now: Moment) -> [Launch] {
        all.filter { !$0.isUsed && !$0.overtaken && $0.placeholder == nil && now - $0.when <= Launches.appPatience }
    }

    /// The oldest launch of this app that has no window yet.
    public func unused(of app: String, at now: Moment) -> Launch? {
        guard !app.isEmpty else { return nil }
        return all.first { !$0.isUsed && $0.app == app && now - $0.when <= Launches.appPatience }
    }

    /// The oldest launch without a window of a program that runs already, by another launch. One program may be several apps, as
    /// LibreOffice is.
    private func handedOver(to own: [Launch], at now: Moment) -> Launch? {
        let programs = own.compactMap { Launches.ownProgram($0.command) }
        guard !programs.isEmpty else { return nil }
        return all.first { launch in
            !launch.isUsed && now - launch.when <= Launches.appPatience
                && Launches.ownProgram(launch.command).map(programs.contains) ?? false
        }
    }

    /// A launch that had its first window and was given more to open: a program may open a window for each file (W-19).
    private func opensFurther(_ new: Arrival, _ own: [Launch], at now: Moment) -> Launch? {
        let programs = own.compactMap { Launches.ownProgram($0.command) }
        return all.first { launch in
            guard launch.isUsed, let further = launch.further, further > 0, launch.placeholder == nil,
                now - launch.when <= Launches.patience
            else { return false }
            return own.contains { $0.id == launch.id } || (!new.app.isEmpty && launch.app == new.app)
                || Launches.ownProgram(launch.command).map(programs.contains) ?? false
        }
    }

    /// The name of a command's program, without its folder.
    static func program(_ command: [String]?) -> Substring? { command?.first?.split(separator: "/").last }

    /// The same; nil for a program that runs others, and so may be any app.
    static func ownProgram(_ command: [String]?) -> Substring? {
        guard let name = program(command), !runners.contains(String(name.prefix { !$0.isNumber && $0 != "." })) else { return nil }
        return name
    }

    /// Whether a program runs others, so that two processes of it may be any two apps.
    public static func isRunner(_ program: String) -> Bool { ownProgram([program]) == nil }

    private static let runners: Set<String> = [
        "bash", "dash", "sh", "env", "python", "perl", "ruby", "node", "gjs", "java", "lua", "electron", "flatpak", "snap", "wine",
        "xdg-open", "gio",
        "systemd-run", "dbus-run-session", "nohup", "setsid", "timeout", "sudo", "gtk-launch",
    ]

    private func role(of new: Arrival, in launch: Launch, _ windows: () -> [Arrival]) -> Role {
        // A question that comes first is not the requested window. One of an app that comes back stands where its window belongs.
        if new.isSplash || new.isDialog || (new.isModal && launch.placeholder == nil) { return .splash }
        if !launch.isUsed, let holder = launch.holder, windows().contains(where: { $0.id == holder }) { return .successor(of: holder) }
        return .first
    }

    /// Whether a window that used the launch up was only a splash, as another window of the program shows. Toolkits on Wayland
    /// have no way to declare one.
    private func isSplash(_ window: Arrival, of launch: Launch, before new: Arrival, at now: Moment) -> Bool {
        guard !new.isSplash, !new.isDialog, now - launch.when <= Launches.appPatience else { return false }
        if window.isFixed, !new.isFixed { return true }
        if window.app.isEmpty { return !new.app.isEmpty }
        return launch.app != nil && window.app != launch.app && new.app == launch.app
    }

    /// The window that gets the place of one that goes: the first window of a launch was open for a moment, and another one of
    /// the program waits.
    ///
    /// - Parameter waiting: windows that wait, oldest first.
    func heir(of window: WindowID, among waiting: [Arrival], at now: Moment) -> (launch: LaunchID, heir: WindowID)? {
        guard let launch = all.last(where: { $0.holder == window }), now - launch.when <= Launches.appPatience,
            let heir = waiting.first(where: { new in
                !new.isSplash && (new.token == launch.id || launch.process.map(new.lineage.contains) ?? false)
            })
        else { return nil }
        return (launch.id, heir.id)
    }
}
