import Geometry
import OrderedCollections

/// Decides which new windows may appear by themselves (W-19).
///
/// The user asked for a window if the shell launched its program, if it presents an activation token made from recent
/// input to the app in front, or if it is opened through the shell. A client that cannot present a token (X11
/// programs, most video players) is admitted for two seconds after real input to its own active window. The first window of a
/// program that the active app started has 15 seconds, because programs take that long to start from a terminal.
public struct Admission: Hashable, Codable, Sendable {
    public enum Policy: String, Hashable, Codable, Sendable, CaseIterable {
        /// Only windows that the user asked for appear. The others wait.
        case asked
        /// Every window appears, for kiosks that trust their programs.
        case always
    }

    public var policy: Policy
    public var pictureInPicture: [PictureInPictureRule]
    /// App ids of prompts besides `Prompts.known`, in lower case.
    public var prompts: Set<String> = []
    /// The last press of a finger, button or key that a client got, and the client.
    public var lastInput: Input?

    /// The last program that was asked to show something, for the app that a person used.
    var shown: Shown?

    struct Shown: Hashable, Codable, Sendable {
        var process: Int32
        var when: Moment
    }

    public struct Input: Hashable, Codable, Sendable {
        public var window: WindowID
        public var when: Moment
    }

    /// Seconds after a press in which a new window of the active client counts as asked for.
    static let inputGrace = 2.0
    /// Seconds after a press in which what the active app started may act for it: the first window of a program, and windows for which
    /// a token of the active app is shown again.
    static let startGrace = Launches.appPatience

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
    public mutating func setAdmission(_ policy: Admission.Policy, announcing: [PictureInPictureRule], prompts: [String] = []) {
        admission.prompts = Set(prompts.map { $0.lowercased() })
        admission.policy = policy
        admission.pictureInPicture = PictureInPictureRule.known + announcing
    }

    /// - Parameter app: the app whose window is wanted; nil for a program of an unknown app.
    public mutating func beginLaunch(
        of app: String? = nil, _ command: [String]? = nil, to destination: Destination?, at now: Moment
    ) -> LaunchID {
        let id = launches.begin(app, command, to: destination, at: now)
        if let command, let further = app.flatMap(self.app)?.opened(by: command).map({ $0.count - 1 }), further > 0 {
            launches.edit(id) { $0.further = min(further, Launches.mostFurther) }
        }
        noteFront(of: id)
        openInPlaceholder(id, at: now)
        return id
    }

    /// A number for a launch without a request: its window waits like any other that opened without a request.
    public mutating func numberLaunch() -> LaunchID { launches.takeNumber() }

    /// Whether a person acted in this window, or another one of its app, a moment ago (W-19).
    public func wasActedOn(_ id: WindowID, at now: Moment) -> Bool {
        windows[id].map { hasInputGrace($0, at: now) } ?? false
    }

    public mutating func launched(_ id: LaunchID, process: Int32) { launches.started(id, process: process) }

    public mutating func launchEnded(_ id: LaunchID, failed: Bool = false) {
        launches.ended(id, failed: failed)
        noteHandover(of: id, failed: failed)
    }

    /// The program could not be started.
    public mutating func launchFailed(_ id: LaunchID) { launches.failed(id) }

    public mutating func noteInput(_ window: WindowID, at now: Moment) {
        admission.lastInput = .init(window: window, when: now)
        launches.used(root(of: window))
    }

    public mutating func forgetInput() {
        admission.lastInput = nil
        admission.shown = nil
    }

    /// Whether the window announces itself as a small video.
    public func announcesPip(_ facts: WindowFacts) -> Bool {
        admits(.pictureInPicture) && (facts.isPip || admission.pictureInPicture.contains { $0.matches(facts) })
    }

    /// The client maps a window, for the first time or again.
    public mutating func mapped(_ id: WindowID, _ commit: WindowCommit, at now: Moment) {
        guard windows[id] != nil else { return }
        let prompts = promptsInSight
        defer { keepInFront(prompts) }
        if windows[id]!.isMapped { return committed(id, commit) }
        edit(id) {
            $0.isMapped = true
            $0.isLate = false
        }
        committed(id, commit)
        inheritLens(id)
        let match = match(windows[id]!, at: now)
        if keepsOut(id, match) {
            return keepOut(new: id, at: now)
        }
        if asks(windows[id]!, match) { return promptComes(id, match, at: now) }
        let launch = match.flatMap { launches[$0.launch] }
        let isLate = isOvertaken(match)
        let mayInterrupt = mayInterrupt(windows[id]!)
        let isByAct =
            mayInterrupt && (windows[id]!.isAdmitted || hasInputGrace(windows[id]!, at: now) || wasAskedToShow(windows[id]!, at: now))
        let isAsked = isByAct || (match != nil && !isLate) || mayInterrupt && (admission.policy == .always || comesWithoutAsking(id))
        if isAsked { raise(prominent: id, pinchedFrom: launch?.pinchedFrom, wayBack: wayBack(from: windows[id]!, match)) }
        let window = windows[id]!
        if isDialog(window) {
            windows[id]!.isAdmitted = true
            if let match, launch?.pinchedFrom != nil { launches.took(match, by: id) }
            dialogCame(id)
            return refocus()
        }
        edit(id) { $0.command = launch?.command ?? $0.command }
        if fillPlaceholder(with: id, match, at: now) { return }
        if hasPlaceholders, launches.restart(of: arrival(window), match, at: now) != nil { edit(id) { $0.cameLoose = now } }
        guard isAsked else {
            if let match, isLate { launches.took(match, by: id) }
            edit(id) { $0.unaskedSince = now }
            waiting.append(id)
            return
        }
        if let match, case .successor(let splash) = match.role { return succeed(splash, by: id, match) }
        var destination = Destination.fullScreen
        if window.facts.hints?.resolvedStyle == .standard, admits(.splitView(.right)), let peer = peer(of: window) {
            // Beside its peer, if there is room (W-15).
            if case .full = place(of: root(of: peer)) { destination = .splitView(.right) }
        }
        if announcesPip(window.facts) { destination = .pictureInPicture }
        if let match {
            if let launch, !launch.isUsed, let wanted = launch.destination { destination = wanted }
            // A place that a person chose is an arrangement of theirs.
            if launch?.destination != nil { launches.overtake(before: match.launch) }
            launches.took(match, by: id)
        } else if isByAct {
            launches.overtake()
        }
        findPlace(for: id, at: destination)
        findRoom(for: id)
    }

    /// A client presented an activation token for one of its windows.
    public mutating func activationAsked(_ id: WindowID, hasRecentSerial: Bool, launch: LaunchID?, at now: Moment) {
        guard let window = windows[id], !isKeptOut(id) else { return }
        let prompts = promptsInSight
        defer { keepInFront(prompts) }
        var destination: Destination?
        var isAsked = hasRecentSerial && mayInterrupt(window)
        if let launch, let found = launches[launch], found.isUsed {
            // The launched program passed its own token on, as a terminal does. A program that it started acts for it.
            isAsked = isAsked || isUsed(found, at: now) && mayInterrupt(window)
        } else if let launch, let found = launches[launch], now - found.when < Launches.patience {
            // A window that comes back by itself has its place, and takes nothing from windows that a person uses.
            isAsked = isAsked || (!found.overtaken && !found.comesBack)
            destination = found.destination
            if windows[id]!.isMapped {
                let match = Launches.Match(launch: launch, role: windows[id]!.facts.isSplash ? .splash : .first)
                if waiting.contains(id) {
                    edit(id) { $0.command = found.command ?? $0.command }
                    if fillPlaceholder(with: id, match, at: now) { return }
                }
                launches.took(match, by: id)
            } else {
                windows[id]!.launch = launch
            }
        }
        // The app shows an existing window instead of a new one.
        if !isAsked, let found = launches.unused(of: windows[id]!.app, at: now), !found.comesBack {
            isAsked = !found.overtaken
            destination = found.destination
            if windows[id]!.isMapped { launches.took(.init(launch: found.id, role: .first), by: id) }
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
            arrangement.picture!.stashed = nil
        } else {
            try? activate(id)
        }
    }

    /// A client presented a token for one of its windows that was used before, or is too old: by this launch, or for that window.
    public mutating func tokenShownAgain(_ id: WindowID, launch: LaunchID?, usedFor window: WindowID?, at now: Moment) {
        activationAsked(id, hasRecentSerial: window.map { isUsed($0, at: now) } ?? false, launch: launch, at: now)
    }

    private func hasInputGrace(_ window: Window, at now: Moment) -> Bool {
        guard let input = admission.lastInput, now - input.when <= Admission.startGrace, let focus,
            let source = windows[input.window], let active = windows[focus],
            root(of: input.window) == root(of: focus) || source.facts.client == active.facts.client
        else { return false }
        if now - input.when > Admission.inputGrace { return isDescendant(window, of: source) && isFirst(window) }
        if window.facts.isX11 != source.facts.isX11 { return isDescendant(window, of: source) }
        return (window.facts.client == source.facts.client && !window.facts.isX11) || isDescendant(window, of: source)
    }

    /// Whether its program shows no other window, and so may have been started a moment ago.
    private func isFirst(_ window: Window) -> Bool {
        !windows.values.contains { $0.id != window.id && $0.isMapped && $0.facts.lineage.first == window.facts.lineage.first }
    }

    func isDescendant(_ window: Window, of source: Window) -> Bool {
        guard let process = source.facts.lineage.first, process > 0 else { return false }
        return window.facts.lineage.contains(process)
    }
}
