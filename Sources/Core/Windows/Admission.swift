import Geometry
import OrderedCollections

/// Decides which new windows may appear by themselves (W-19).
///
/// The user asked for a window if the shell launched its program, if it presents an activation token made from recent
/// input to the app in front, or if it is opened through the shell. A client that cannot present a token (X11
/// programs, most video players) is admitted for two seconds after real input to its own active window.
public struct Admission: Hashable, Codable, Sendable {
    public enum Policy: String, Hashable, Codable, Sendable, CaseIterable {
        /// Only windows that the user asked for appear. The others wait.
        case asked
        /// Every window appears, for kiosks that trust their programs.
        case always
    }

    public struct Launch: Hashable, Codable, Sendable {
        public var id: LaunchID
        public var process: Int32?
        public var destination: Destination?
        public var when: Moment
        /// Whether a window of it was admitted.
        public var isUsed = false
        /// The app that was asked for, if known.
        public var app: String?
        public var command: [String]?
        /// The window that it brings back.
        public var placeholder: WindowID?
        /// The window in which a person pinched an item open (W-21).
        public var pinchedFrom: WindowID?
    }

    public var policy: Policy
    public var pictureInPicture: [PictureInPictureRule]
    public var launches: [Launch] = []
    public var nextLaunch: UInt32 = 1
    /// The last press of a finger, button or key that a client got, and the client.
    public var lastInput: Input?

    public struct Input: Hashable, Codable, Sendable {
        public var window: WindowID
        public var when: Moment
    }

    /// Seconds for which a launch's activation token is valid.
    static let launchPatience = 60.0
    /// Seconds after a launch in which another process of the app may answer it without a token.
    static let appPatience = 15.0
    /// Seconds after a press in which a new window of the active client counts as asked for.
    static let inputGrace = 2.0

    init(policy: Policy, pictureInPicture: [PictureInPictureRule]) {
        self.policy = policy
        self.pictureInPicture = pictureInPicture
    }
}

/// Identifies Picture in Picture windows by name. An empty field matches anything.
public struct PictureInPictureRule: Hashable, Codable, Sendable {
    /// The beginning of the app id, in lower case.
    public var appID: String
    /// The whole title, in lower case.
    public var title: String

    public init(appID: String, title: String) {
        self.appID = appID.lowercased()
        self.title = title.lowercased()
    }

    func matches(_ facts: WindowFacts) -> Bool {
        guard !(appID.isEmpty && title.isEmpty) else { return false }
        return (appID.isEmpty || PictureInPictureRule.begins(facts.appID, with: appID))
            && (title.isEmpty || PictureInPictureRule.isSame(facts.title, title))
    }

    /// `lower` must be in lower case. Text beyond ASCII takes a slower path.
    private static func begins(_ text: String, with lower: String) -> Bool {
        switch common(text, lower) {
        case nil: text.lowercased().hasPrefix(lower)
        case let length?: length == lower.utf8.count
        }
    }

    private static func isSame(_ text: String, _ lower: String) -> Bool {
        switch common(text, lower) {
        case nil: text.lowercased() == lower
        case let length?: length == lower.utf8.count && length == text.utf8.count
        }
    }

    /// The length in bytes of the common prefix, ignoring case; nil if bytes are not sufficient to tell.
    private static func common(_ text: String, _ lower: String) -> Int? {
        var length = 0
        var others = lower.utf8.makeIterator()
        for byte in text.utf8 {
            guard byte < 0x80 else { return nil }
            guard let other = others.next() else { return length }
            guard other < 0x80 else { return nil }
            guard (byte &- 65 < 26 ? byte | 32 : byte) == other else { return length }
            length += 1
        }
        return length
    }

    /// Firefox and Chromium give their video windows these titles (Chromium leaves the app id empty or sets its own).
    /// No video player is listed, because a user who starts one wants to see it in full.
    public static let known = [
        PictureInPictureRule(appID: "", title: "Picture-in-Picture"),
        PictureInPictureRule(appID: "", title: "Picture in Picture"),
    ]
}

extension Workspace {
    /// Changes the admission policy and the Picture in Picture rules, after the configuration was reloaded.
    public mutating func setAdmission(_ policy: Admission.Policy, announcing: [PictureInPictureRule]) {
        admission.policy = policy
        admission.pictureInPicture = PictureInPictureRule.known + announcing
    }

    /// - Parameter app: the app whose window is wanted; nil for a program of an unknown app.
    public mutating func beginLaunch(
        of app: String? = nil, _ command: [String]? = nil, to destination: Destination?, at now: Moment
    ) -> LaunchID {
        let id = LaunchID(admission.nextLaunch)
        admission.nextLaunch += 1
        admission.launches.removeAll { $0.process == nil && now - $0.when > Admission.launchPatience }
        admission.launches.append(.init(id: id, process: nil, destination: destination, when: now, app: app, command: command))
        return id
    }

    /// A number for a launch that nobody asked for: its window waits like any other that nobody asked for.
    public mutating func numberLaunch() -> LaunchID {
        defer { admission.nextLaunch += 1 }
        return LaunchID(admission.nextLaunch)
    }

    /// Whether a person acted in this window, or another one of its app, a moment ago (W-19).
    public func wasActedOn(_ id: WindowID, at now: Moment) -> Bool {
        windows[id].map { hasInputGrace($0, at: now) } ?? false
    }

    public mutating func launched(_ id: LaunchID, process: Int32) {
        guard let index = admission.launches.firstIndex(where: { $0.id == id }) else { return }
        admission.launches[index].process = process
    }

    /// The program exited. Its token stays valid for a while, because a program that runs only once hands it to the
    /// running instance. A failed program's token is void.
    public mutating func launchEnded(_ id: LaunchID, failed: Bool = false) {
        guard let index = admission.launches.firstIndex(where: { $0.id == id }) else { return }
        admission.launches[index].process = nil
        if failed { admission.launches[index].app = nil }
    }

    /// The program could not be started.
    public mutating func launchFailed(_ id: LaunchID) {
        admission.launches.removeAll { $0.id == id }
    }

    public mutating func noteInput(_ window: WindowID, at now: Moment) {
        admission.lastInput = .init(window: window, when: now)
    }

    public mutating func forgetInput() { admission.lastInput = nil }

    /// Whether the window announces itself as a small video.
    public func announcesPip(_ facts: WindowFacts) -> Bool {
        idiom.hasPictureInPicture && (facts.isPip || admission.pictureInPicture.contains { $0.matches(facts) })
    }

    /// The client maps a window, for the first time or again.
    public mutating func mapped(_ id: WindowID, _ commit: WindowCommit, at now: Moment) {
        guard windows[id] != nil else { return }
        if windows[id]!.isMapped { return committed(id, commit) }
        edit(id) {
            $0.isMapped = true
            $0.isLate = false
        }
        committed(id, commit)
        let isAllowed = windows[id]!.isAdmitted || admission.policy == .always || launchIndex(for: windows[id]!, at: now) != nil || hasInputGrace(windows[id]!, at: now)
        let pinched = launchIndex(for: windows[id]!, at: now).flatMap { admission.launches[$0].pinchedFrom == nil ? nil : $0 }
        if isAllowed { raise(prominent: id, pinchedFrom: pinched.flatMap { admission.launches[$0].pinchedFrom }) }
        let window = windows[id]!
        if isDialog(window) {
            windows[id]!.isAdmitted = true
            if let pinched { admission.launches[pinched].isUsed = true }
            return refocus()
        }
        let launch = launchIndex(for: window, at: now)
        let command = launch.flatMap { admission.launches[$0].command }
        edit(id) { $0.command = command ?? $0.command }
        if let placeholder = placeholder(for: window, launch: launch) {
            if let launch { admission.launches[launch].isUsed = true }
            return replace(placeholder, by: id)
        }
        let isAsked = window.isAdmitted || launch != nil || admission.policy == .always || hasInputGrace(window, at: now)
        guard isAsked else {
            waiting.append(id)
            return
        }
        var destination = Destination.fullScreen
        if window.facts.hints?.resolvedStyle == .standard, idiom.hasSplitView, let peer = peer(of: window) {
            // Beside its peer, if there is room (W-15).
            if case .full = place(of: root(of: peer)) { destination = .splitView(.right) }
        }
        if announcesPip(window.facts) { destination = .pictureInPicture }
        if let launch {
            if !admission.launches[launch].isUsed, let wanted = admission.launches[launch].destination {
                destination = wanted
            }
            admission.launches[launch].isUsed = true
        }
        findPlace(for: id, at: destination)
    }

    /// A client presented an activation token for one of its windows.
    public mutating func activationAsked(_ id: WindowID, hasRecentSerial: Bool, launch: LaunchID?, at now: Moment) {
        guard windows[id] != nil else { return }
        var destination: Destination?
        var isAsked = hasRecentSerial
        if let launch, let index = admission.launches.firstIndex(where: { $0.id == launch }),
            now - admission.launches[index].when < Admission.launchPatience, !admission.launches[index].isUsed
        {
            isAsked = true
            destination = admission.launches[index].destination
            if windows[id]!.isMapped { admission.launches[index].isUsed = true } else { windows[id]!.launch = launch }
        }
        // The app shows an existing window instead of a new one.
        if !isAsked, let index = launchIndex(forAppOf: windows[id]!, at: now) {
            isAsked = true
            destination = admission.launches[index].destination
        }
        guard isAsked else { return }
        guard windows[id]!.isMapped else {
            // Remember it until the window maps.
            windows[id]!.isAdmitted = true
            return
        }
        if waiting.contains(id), let destination {
            findPlace(for: id, at: destination)
        } else if pip?.window == root(of: id) {
            // Picture in Picture is only watched, so the keyboard focus stays.
            pip!.stashed = nil
        } else {
            try? activate(id)
        }
    }

    /// The launch that a new window belongs to: by its token, its process, or its app if the token was lost. An app
    /// that runs only once hands the request to the running process, but not always the token.
    func launchIndex(for window: Window, at now: Moment) -> Int? {
        if let launch = window.launch, let index = admission.launches.firstIndex(where: { $0.id == launch }) { return index }
        for (index, launch) in admission.launches.enumerated() {
            guard let process = launch.process, window.facts.lineage.contains(process) else { continue }
            if !launch.isUsed { return index }
            // Splash screens: a launched program that shows no window at the moment may show its main window.
            let showsAnother = windows.values.contains {
                $0.id != window.id && $0.isMapped && $0.facts.lineage.contains(process)
            }
            if !showsAnother { return index }
        }
        return launchIndex(forAppOf: window, at: now)
    }

    /// The oldest launch of this window's app that has no window yet.
    private func launchIndex(forAppOf window: Window, at now: Moment) -> Int? {
        guard !window.app.isEmpty else { return nil }
        return admission.launches.firstIndex {
            !$0.isUsed && $0.app == window.app && now - $0.when <= Admission.appPatience
        }
    }

    private func hasInputGrace(_ window: Window, at now: Moment) -> Bool {
        guard let input = admission.lastInput, now - input.when <= Admission.inputGrace, let focus,
            let source = windows[input.window], let active = windows[focus],
            root(of: input.window) == root(of: focus) || source.facts.client == active.facts.client
        else { return false }
        if window.facts.isX11 != source.facts.isX11 { return isDescendant(window, of: source) }
        return (window.facts.client == source.facts.client && !window.facts.isX11) || isDescendant(window, of: source)
    }

    private func isDescendant(_ window: Window, of source: Window) -> Bool {
        guard let process = source.facts.lineage.first, process > 0 else { return false }
        return window.facts.lineage.contains(process)
    }
}
