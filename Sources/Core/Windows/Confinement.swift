import Geometry

/// Which windows an idiom keeps out of sight: where a person cannot open apps, only those of the programs with which the shell
/// starts are seen, whatever token, portal, service or program asks for another one (law 12).
///
/// An app id that a program chooses does not make it the app: its process does, or the desktop entry of the command that the
/// configuration names.
struct Confinement: Hashable, Codable, Sendable {
    /// The commands with which the shell starts.
    var commands: [[String]] = []
    /// Windows of the programs that those commands started.
    var own: [WindowID] = []
    /// The processes of such windows, the latest last: what they start in turn is another program.
    var processes: [Int32] = []
    /// The connected clients of such windows, without those of X11.
    var clients: [UInt64] = []
    /// Whether one of the windows was X11's: all of those have one client.
    var showedX11 = false
    /// The last launch of such a command that ended well without a window: another process shows it.
    var handedOver: LaunchID?
    /// Windows of other programs, oldest first. They are mapped, stand nowhere, and wait for another idiom.
    var keptOut: [WindowID] = []
    /// The kept-out windows that have no place in any idiom: they waited, or came since.
    var unplaced: [WindowID] = []
    /// The kept-out windows that came since. A person never saw them.
    var unseen: [WindowID] = []

    static let mostProcesses = 64
}

extension Workspace {
    /// Whether the idiom keeps to the programs with which the shell starts.
    public var isConfined: Bool { !idiom.offers.contains(.opening) }

    /// Windows of other programs, which this idiom does not show. Oldest first.
    public var keptOut: [WindowID] { confinement.keptOut }

    public func isKeptOut(_ id: WindowID) -> Bool { !confinement.keptOut.isEmpty && confinement.keptOut.contains(root(of: id)) }

    /// The shell starts with this program.
    public mutating func beginsWith(_ command: [String]) {
        guard !confinement.commands.contains(command) else { return }
        // Without a command, whatever was in front counted as the app.
        if confinement.commands.isEmpty { (confinement.processes, confinement.clients) = ([], []) }
        confinement.own.removeAll()
        confinement.commands.append(command)
        for window in windows.values where window.isMapped && isOwn(window, nil) { noteOwn(window) }
    }

    /// Whether a window of the programs with which the shell starts is there, in sight or not.
    public var hasOwnWindow: Bool { confinement.own.contains { windows[$0]?.placeholder == nil } }

    /// Whether one is awaited: its program was started again after the shell's, or outlived the last shell.
    public var isOwnWindowAwaited: Bool {
        confinement.own.contains { id in
            guard let placeholder = windows[id]?.placeholder else { return false }
            return placeholder.process != nil
                || placeholder.launch.flatMap { launches[$0] }.map { $0.process != nil || $0.holder == nil && !placeholder.hasFailed }
                    ?? false
        }
    }

    /// Whether a program that showed such a window is still there: it hid the window, and may show it again.
    public var isOwnProgramThere: Bool {
        !confinement.clients.isEmpty || (confinement.showedX11 && launches.all.contains { isOwn($0) && $0.isUsed && $0.process != nil })
    }

    /// - Returns: whether it showed one.
    public mutating func clientGone(_ client: UInt64) -> Bool {
        guard let index = confinement.clients.firstIndex(of: client) else { return false }
        confinement.clients.remove(at: index)
        return isConfined
    }

    /// Whether a program of the shell's start runs that never showed a window.
    public func runsWithoutWindow(_ command: [String]) -> Bool {
        launches.all.contains { $0.command == command && $0.process != nil && !$0.isUsed && $0.holder == nil }
    }

    /// The app that the shell starts with, for a person; "" if nothing is known of it.
    public var ownName: String {
        confinement.commands.lazy.compactMap { app(startedBy: $0).flatMap { app($0)?.name } }.first ?? ""
    }

    /// Whether a window may have a place here. Dialogs are judged when they come.
    func isAllowed(_ id: WindowID) -> Bool {
        guard isConfined, !confinement.own.contains(id), let window = windows[id] else { return true }
        return window.prompt != nil && isPrompter(window.facts.appID) && window.facts.sandbox == nil
    }

    func requireAllowed(_ id: WindowID) throws(Refusal) {
        if isKeptOut(id) { throw Refusal("the idiom \(family.name) shows no other app") }
    }

    /// Whether nothing says yet which app is meant.
    private var isAppUnknown: Bool { confinement.commands.isEmpty && confinement.own.isEmpty }

    /// Whether a window that would get a place stays out of sight instead.
    func staysOut(_ id: WindowID) -> Bool { !isAllowed(id) && !isAppUnknown }

    /// Whether a window of another program may come in front at its program's request: only where a person can go to other windows.
    func mayInterrupt(_ window: Window) -> Bool {
        guard !idiom.offers.contains(.switching) else { return true }
        guard let front = focus.flatMap({ windows[$0] }) else { return true }
        return isSameProgram(window, front) || confinement.own.contains(window.id)
    }

    /// Whether a window needs no request: where a person cannot switch windows, the person could not open a window that waits.
    func comesWithoutAsking(_ id: WindowID) -> Bool { !idiom.offers.contains(.switching) && confinement.own.contains(id) }

    // MARK: Whose a window is

    private func isSameProgram(_ one: Window, _ other: Window) -> Bool {
        if let process = one.facts.lineage.first, process > 0, process == other.facts.lineage.first { return true }
        return one.facts.client == other.facts.client && !one.facts.isX11 && !other.facts.isX11
    }

    /// Whether a window is one of the programs with which the shell starts.
    func isOwn(_ window: Window, _ match: Launches.Match?) -> Bool {
        if let placeholder = window.placeholder { return isOwn(command: placeholder.command, app: window.app) }
        let lineage = window.facts.lineage
        if let process = lineage.first, process > 0, confinement.processes.contains(process) { return true }
        if confinement.own.contains(where: { windows[$0].map { $0.placeholder == nil && isSameProgram(window, $0) } ?? false }) {
            return true
        }
        guard !confinement.commands.isEmpty else { return false }
        let app = trustedApp(of: window.id)
        if !app.isEmpty, confinement.commands.contains(where: { listedApp(startedBy: $0) == app }) { return true }
        // A dialog of the app that came first leaves its launch to the main window, not to other programs.
        if let match, let launch = launches[match.launch], isOwn(launch), !launch.isUsed, !hasOwnWindow { return true }
        // A script may start the app. A program that the app starts in turn is another program.
        for launch in launches.all where isOwn(launch) {
            guard let process = launch.process, let place = lineage.firstIndex(of: process) else { continue }
            if !lineage[...place].dropFirst().contains(where: { confinement.processes.contains($0) || bringsWindow($0) }) { return true }
        }
        // The program of the command told another process, such as a service, and ended.
        guard let launch = confinement.handedOver.flatMap({ launches[$0] }) else { return false }
        return !launch.isUsed && !hasOwnWindow
    }

    func isOwn(_ launch: Launches.Launch) -> Bool { launch.command.map(confinement.commands.contains) ?? false }

    private func isOwn(command: [String], app: String) -> Bool {
        confinement.commands.contains { $0 == command || !app.isEmpty && listedApp(startedBy: $0) == app }
    }

    /// A program that the shell starts with ended before it showed a window.
    mutating func noteHandover(of id: LaunchID, failed: Bool) {
        guard let launch = launches[id], isOwn(launch), !launch.isUsed else { return }
        confinement.handedOver = failed ? nil : id
    }

    mutating func noteOwn(_ window: Window) {
        if !confinement.own.contains(window.id) { confinement.own.append(window.id) }
        guard window.placeholder == nil else { return }
        if window.facts.isX11 {
            confinement.showedX11 = true
        } else if window.facts.client != 0, !confinement.clients.contains(window.facts.client) {
            confinement.clients.append(window.facts.client)
        }
        guard let process = window.facts.lineage.first, process > 0, !confinement.processes.contains(process) else { return }
        confinement.processes.append(process)
        if confinement.processes.count > Confinement.mostProcesses { confinement.processes.removeFirst() }
    }

    // MARK: Keeping out

    /// A window is mapped: whose it is, and whether this idiom keeps it out.
    mutating func keepsOut(_ id: WindowID, _ match: Launches.Match?) -> Bool {
        guard let window = windows[id] else { return false }
        if isOwn(window, match) {
            noteOwn(window)
            return false
        }
        guard isConfined else { return false }
        if isDialog(window), isGuest(window) { return false }
        // The app is unknown: the first window decides.
        if isAppUnknown { return false }
        return !(isPrompter(window.facts.appID) && window.facts.sandbox == nil && promptBase(of: window) != nil)
    }

    /// Whether a dialog of another program stands on a window of the app as its modal child, as the file chooser of a portal does.
    private func isGuest(_ window: Window) -> Bool {
        guard let parent = base(of: window.id), let below = windows[parent] else { return false }
        return isSameProgram(window, below) || (window.facts.isModal == true && !window.facts.isX11)
    }

    /// Takes a window out of sight until another idiom begins.
    mutating func keepOut(_ id: WindowID) {
        if windows[id]?.facts.parent != nil {
            edit(id) {
                $0.facts.parent = nil
                $0.raisedOver = nil
            }
            noteChildren()
        }
        if waiting.contains(id) { confinement.unplaced.append(id) }
        takeOut(id)
        confinement.keptOut.append(id)
        if focus.map({ !isShown($0) }) ?? false { focus = nil }
        refocus()
    }

    /// The client of a window that is kept out changed its facts. The window stays out, unless it is a dialog of the app now.
    mutating func keptOutChanged(_ id: WindowID) {
        confinement.keptOut.removeAll { $0 == id }
        guard !keepsOut(id, nil) else { return keepOut(id) }
        leavesKeptOut(id)
        if base(of: id) == nil { findPlace(for: id, at: .fullScreen) }
        refocus()
    }

    /// Brings what is in sight in line with the idiom: takes out what is not the app's, and brings back what is, or what another idiom
    /// shows.
    public mutating func confine() {
        guard isConfined else { return letIn() }
        let placed = arrangement.ask { $0.windows }
        if isAppUnknown { adoptFront(placed) }
        for id in confinement.keptOut where windows[id].map({ isOwn($0, nil) }) ?? false { noteOwn(windows[id]!) }
        let others = (placed + waiting).filter { !isAllowed($0) }
        for id in others {
            if windows[id].map({ isOwn($0, nil) }) ?? false { noteOwn(windows[id]!) } else { keepOut(id) }
        }
        let back = confinement.keptOut.filter(isAllowed)
        guard !back.isEmpty else { return }
        confinement.keptOut.removeAll { back.contains($0) }
        for id in back { leavesKeptOut(id) }
        for id in back { findPlace(for: id, at: focus == nil ? .fullScreen : nil) }
        refocus()
    }

    /// The app is unknown: it is the program in front, or all programs with windows where a person can switch.
    private mutating func adoptFront(_ placed: [WindowID]) {
        let shown = shownRoots, front = focus.map { root(of: $0) }.flatMap { windows[$0] } ?? shown.last.flatMap { windows[$0] }
        let usual = front ?? placed.compactMap { windows[$0] }.max { ($0.lastFocus, $0.id) < ($1.lastFocus, $1.id) }
        guard let usual else { return }
        for id in placed {
            guard let window = windows[id] else { continue }
            let isTheirs =
                id == usual.id || isSameProgram(window, usual) || !usual.app.isEmpty && window.app == usual.app || shown.contains(id)
            if idiom.offers.contains(.switching) || isTheirs { noteOwn(window) }
        }
    }

    /// An idiom begins that shows other programs: those that came unasked meanwhile wait, and the rest is placed as it was.
    ///
    /// - Returns: the windows that get a place.
    @discardableResult
    mutating func takeKeptOut() -> [WindowID] {
        let all = confinement.keptOut, unplaced = all.filter(confinement.unplaced.contains)
        (confinement.keptOut, confinement.unplaced, confinement.unseen) = ([], [], [])
        waiting += unplaced
        return all.filter { !unplaced.contains($0) }
    }

    /// Whether a person never saw it: it came where no other program is shown.
    func isUnseen(_ window: Window) -> Bool { confinement.unseen.contains(window.id) }

    private mutating func letIn() {
        if confinement.commands.isEmpty, !confinement.own.isEmpty {
            (confinement.own, confinement.processes, confinement.clients) = ([], [], [])
        }
        guard !confinement.keptOut.isEmpty else { return }
        for id in takeKeptOut() { findPlace(for: id, at: nil) }
        refocus()
    }

    mutating func exchangeConfined(_ old: WindowID, by new: WindowID) {
        confinement.keptOut = confinement.keptOut.map { $0 == old ? new : $0 }
        confinement.unplaced = confinement.unplaced.map { $0 == old ? new : $0 }
        confinement.unseen.removeAll { $0 == old }
        // A placeholder stands for the same app. A window in the place of another one may be another program's.
        guard windows[old]?.placeholder != nil || windows[new]?.placeholder != nil, let place = confinement.own.firstIndex(of: old) else {
            return
        }
        if confinement.own.contains(new) { confinement.own.remove(at: place) } else { confinement.own[place] = new }
    }

    mutating func leavesConfinement(_ id: WindowID) {
        if !confinement.own.isEmpty { confinement.own.removeAll { $0 == id } }
        leavesKeptOut(id)
    }

    private mutating func leavesKeptOut(_ id: WindowID) {
        if !confinement.unplaced.isEmpty { confinement.unplaced.removeAll { $0 == id } }
        if !confinement.unseen.isEmpty { confinement.unseen.removeAll { $0 == id } }
    }

    /// Keeps a new window out, before a person saw it.
    mutating func keepOut(new id: WindowID, at now: Moment) {
        edit(id) { $0.unaskedSince = now }
        confinement.unplaced.append(id)
        confinement.unseen.append(id)
        keepOut(id)
    }

    // MARK: Further windows of the app

    /// The window on which a further window of the app stands as a sheet, with a bar that closes it: where a person cannot switch
    /// windows, one that filled the screen would have no way back.
    func wayBack(from window: Window, _ match: Launches.Match?) -> WindowID? {
        guard !idiom.offers.contains(.switching), window.facts.parent == nil, modality == .sheets else { return nil }
        if case .successor? = match?.role { return nil }
        return peer(of: window)
    }

    /// Whether a window has the bar that closes it, whatever its client draws.
    func needsWayBack(_ id: WindowID) -> Bool {
        !idiom.offers.contains(.switching) && read(id) { $0.raisedOver != nil && $0.prompt == nil } ?? false
    }

    // MARK: Invariants

    func confinementViolations() -> [String] {
        var found: [String] = []
        for id in confinement.keptOut {
            if windows[id]?.isMapped != true { found.append("\(id) is kept out and not mapped") }
            if isShown(id) { found.append("law 12: \(id) is kept out and shown") }
        }
        if !isConfined, !confinement.keptOut.isEmpty { found.append("the idiom \(idiom.name) keeps out \(confinement.keptOut)") }
        for id in confinement.own where windows[id]?.isMapped != true { found.append("\(id) is the app's and not mapped") }
        if isConfined { for id in shownRoots where staysOut(id) { found.append("law 12: \(id) of another program is shown") } }
        return found
    }
}
