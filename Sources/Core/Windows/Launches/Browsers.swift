import Geometry

/// How web browsers bring their windows back (W-20).
///
/// A browser keeps its session itself. After a crash it opens its windows again, whatever it was started with. A start with an
/// address would add that page once more, as a tab or a window. So one start without addresses serves all its placeholders, and the
/// browser is asked for an address only where its own session did not bring the page.
enum Browsers {
    /// A family of browsers and its options.
    private struct Family {
        /// Programs, without a number or suffix such as `-stable`.
        var programs: Set<String>
        /// Makes the first start bring the last session back. Without it, these browsers open a blank window and offer a button.
        var restoring: [String] = []
    }

    private static let families = [
        Family(programs: ["firefox", "firefox-esr", "librewolf", "waterfox", "floorp", "icecat", "epiphany", "epiphany-browser", "falkon"]),
        Family(
            programs: [
                "chromium", "chromium-browser", "chrome", "google-chrome", "google-chrome-stable", "google-chrome-beta", "brave",
                "brave-browser",
                "vivaldi", "vivaldi-stable", "microsoft-edge", "microsoft-edge-stable", "opera",
            ], restoring: ["--restore-last-session"]),
    ]

    private static let newWindow = "--new-window"
    /// Options that say how an address is opened, and nothing else.
    private static let opening: Set<String> = [newWindow, "-new-window", "--new-tab", "-new-tab", "--url", "-url"]

    private static func family(_ command: [String]) -> Family? {
        Launches.program(command).flatMap { name in families.first { $0.programs.contains(String(name)) } }
    }

    /// Options with which a browser is no ordinary one: its windows are not part of the session that it keeps.
    private static let apart = [
        "--app=", "--kiosk", "-kiosk", "--private-window", "-private-window", "--private", "-private", "--incognito", "--inprivate",
        "--guest",
    ]

    /// A command of a browser as the start and the addresses to open; nil: it is no browser, or this command is a matter of its own.
    private static func parts(_ command: [String], _ app: App?) -> (base: [String], addresses: [String])? {
        guard let app, app.isBrowser, let program = command.first,
            !command.contains(where: { word in apart.contains { word.hasPrefix($0) } })
        else { return nil }
        let isSame = Launches.program(command) == Launches.program(app.command), own = isSame ? app.command.dropFirst() : []
        let words = command.dropFirst(), rest = words.starts(with: own) ? words.dropFirst(own.count) : words
        let opened = rest.filter { !opening.contains($0) }
        if opened.allSatisfy({ !$0.hasPrefix("-") }) { return ([program] + own, Array(opened)) }
        // One with options, such as a profile: the argument after an option may be its value.
        let isAddress = { (word: String) in !word.hasPrefix("-") && word.contains("://") }
        return ([program] + words.filter { !opening.contains($0) && !isAddress($0) }, words.filter(isAddress))
    }

    /// The command that brings all windows of the browser back that had this one; nil: the app is no browser, or this command is a
    /// matter of its own.
    static func start(_ command: [String], of app: App?) -> [String]? {
        parts(command, app).map { $0.base + (family(command)?.restoring ?? []) }
    }

    /// The command that opens one window of a browser that runs: with its address, if it had one.
    static func window(_ command: [String], of app: App?) -> [String] {
        guard let (base, addresses) = parts(command, app), !addresses.isEmpty, family(command) != nil else { return command }
        return base + [newWindow] + addresses
    }

    /// Whether a command names the page of its window, so that it can be brought back without the browser's own session.
    static func hasAddress(_ command: [String], of app: App?) -> Bool { parts(command, app).map { !$0.addresses.isEmpty } ?? false }
}

extension App {
    /// Whether it opens pages of the web, and so keeps a session of its own.
    public var isBrowser: Bool { mimeTypes.contains("x-scheme-handler/http") || mimeTypes.contains("x-scheme-handler/https") }
}

/// The placeholders that one start of a program serves.
struct Kin: Hashable, Codable, Sendable {
    /// The process that had the windows.
    var origin: KeptProcess?
    /// The app, if it is a browser.
    var app: String?
    /// The command that brings all its windows back.
    var start: [String]?

    /// Whether it names anything.
    var isKnown: Bool { origin != nil || start != nil }

    init(origin: KeptProcess?) { self.origin = origin }

    init(app: String, start: [String]) { (self.app, self.start) = (app, start) }
}

extension Workspace {
    func kin(_ placeholder: Placeholder, app name: String) -> Kin {
        Browsers.start(placeholder.command, of: app(name)).map { Kin(app: name, start: $0) } ?? Kin(origin: placeholder.origin)
    }

    func kin(_ restored: Restored) -> Kin { kin(restored.placeholder, app: restored.app ?? "") }

    /// A placeholder of a browser for which its session brought no window: it waits until a person asks for it.
    func isLeftOver(_ window: Window, at now: Moment) -> Bool {
        guard let placeholder = window.placeholder, placeholder.launch == nil else { return false }
        let kin = kin(placeholder, app: window.app)
        return kin.start != nil && launches.hasRestarted(kin) && !launches.isExpected(vacancy(window), at: now)
    }

    /// Pictures of filled placeholders. They are still needed although no window shows them, because a window that does not fill its place
    /// puts the placeholder back.
    public var picturesOfPlaces: [String] { windows.values.compactMap { $0.restored?.picture } }

    // MARK: Pages that the session of a browser did not bring

    /// Windows of browsers that stand where a page belongs which did not come, and whose address is known. Such a window may be a
    /// blank one, or the browser's own question whether to restore.
    private func strangers(until limit: Moment?) -> [(id: WindowID, when: Moment)] {
        guard !launches.restarts.isEmpty else { return [] }
        return windows.values.compactMap { window in
            guard window.isMapped, let place = window.restored, !place.isSettled, !place.title.isEmpty, place.leftOver == nil,
                !place.wasAskedByPerson,
                hasPlace(window.id), Browsers.hasAddress(place.placeholder.command, of: app(place.app ?? "")),
                let when = launches.deadline(of: kin(place))
            else { return nil }
            return limit.map { when <= $0 } ?? true ? (window.id, when) : nil
        }
    }

    /// When the next of them has had its time to become that page.
    func strangersDeadline(after now: Moment) -> Moment? { strangers(until: nil).map(\.when).filter { $0 > now }.min() }

    /// Puts the placeholders of such pages behind: each can be had by a tap. The windows stay where a person sees them.
    public mutating func leavePagesOver(at now: Moment) {
        for (id, _) in strangers(until: now) {
            guard let stranger = windows[id], let place = stranger.restored else { continue }
            let left = addPlaceholder(place.placeholder, appID: place.appID ?? stranger.facts.appID, title: place.title, session: "")
            edit(left) {
                $0.commit.size = stranger.commit.size
                $0.naturalSize = stranger.naturalSize
                $0.picture = place.picture
            }
            edit(id) {
                $0.restored?.leftOver = left
                if $0.picture == place.picture { $0.picture = nil }
            }
            findPlace(for: left, at: nil)
        }
    }
}

extension Launches {
    /// When the restart that serves these placeholders has had its time.
    func deadline(of kin: Kin) -> Moment? { restarts.first { $0.serves(kin) }?.deadline }

    /// Whether the app had its time to bring these windows by itself.
    func isLate(_ kin: Kin, at now: Moment) -> Bool { deadline(of: kin).map { $0 <= now } ?? false }
}
