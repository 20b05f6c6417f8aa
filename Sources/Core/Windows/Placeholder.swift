import Geometry

/// Marks a window whose program does not run: the shell ended it in the background, or the session has just begun (W-20).
///
/// Such a window has a place like others, and shows its last picture there. When it comes into sight, its program is
/// started, and the program's window takes its place.
public struct Placeholder: Hashable, Codable, Sendable {
    /// How to start the program.
    public var command: [String]
    public var directory: String?
    /// Its program outlived the last shell, and may connect to this one.
    public var process: KeptProcess?
    /// The process that had the window. All placeholders of one process are filled by one restart, as far as that brings them.
    public var origin: KeptProcess?
    /// The program was started; its window has not appeared yet.
    public var launch: LaunchID?
    /// The program could not be started. It is tried again when a person taps the window or brings it forward.
    public var hasFailed = false
    /// A person tapped it. Its program is started even if the session has another window whose program runs already.
    public var isTapped = false
    /// It stands there only until this moment: its app, which runs, may bring the window that belongs there.
    public var awaitedUntil: Moment?

    public init(command: [String], directory: String? = nil, process: KeptProcess? = nil, origin: KeptProcess? = nil) {
        self.origin = origin
        self.command = command
        self.directory = directory
        self.process = process
    }
}

extension Workspace {
    /// Placeholders are numbered from here, so that they never collide with windows, which count up from 1.
    private static let firstPlaceholder: UInt32 = 0x4000_0000

    public var hasPlaceholders: Bool { !placeholders.isEmpty }

    /// Placeholders in sight whose programs have to be started, the most recently used first.
    public func placeholdersToStart(at now: Moment) -> [WindowID] {
        guard hasPlaceholders else { return [] }
        var begunKin: Set<Kin> = []
        var begun = Set(
            windows.values.compactMap { window in
                window.placeholder.map { $0.launch != nil } ?? window.isMapped ? window.facts.sessionID : nil
            })
        return shownRoots.filter {
            windows[$0]?.placeholder.map {
                $0.launch == nil && !$0.hasFailed && (($0.process == nil && $0.awaitedUntil == nil) || $0.isTapped)
            } ?? false
        }
        .sorted { windows[$0]!.lastFocus > windows[$1]!.lastFocus }
        .filter { id in
            // The process that had it may bring it back with another one.
            guard let placeholder = windows[id]!.placeholder, !placeholder.isTapped else { return true }
            let kin = kin(placeholder, app: windows[id]!.app)
            guard !launches.isExpected(vacancy(windows[id]!), at: now), question(of: kin) == nil, !isAwaited(kin) else { return false }
            guard kin.isKnown, !launches.hasRestarted(kin) else { return kin.start == nil }
            return begunKin.insert(kin).inserted
        }
        .filter { id in
            // One program shows all windows of a session. A second one would take the session from the first.
            guard let session = windows[id]!.facts.sessionID, windows[id]!.placeholder?.isTapped != true else { return true }
            return begun.insert(session).inserted
        }
    }

    /// Whether programs that outlived the last shell are awaited.
    public var hasRunningPrograms: Bool {
        placeholders.contains { windows[$0]?.placeholder?.process != nil }
            || launches.all.contains { $0.isAdopted == true && ($0.process != nil || $0.hasRun != true) }
    }

    /// Browsers among them. One that has lost its screen keeps its profile, and a second one only says that it runs already.
    public var outlivedBrowsers: [Int32] {
        Set(
            placeholders.compactMap { id in
                windows[id].flatMap { window in
                    window.placeholder.flatMap { kin($0, app: window.app).start == nil ? nil : $0.process?.number }
                }
            }
        ).sorted()
    }

    /// Whether a program is awaited that outlived the last shell, and may bring windows of these.
    private func isAwaited(_ kin: Kin) -> Bool {
        kin.isKnown
            && placeholders.contains { id in
                windows[id].map { window in window.placeholder.map { $0.process != nil && self.kin($0, app: window.app) == kin } ?? false }
                    ?? false
            }
    }

    /// Such a program ended, or (nil) all of them had enough time to connect: they are started like others, browsers when they have ended.
    public mutating func forgetRunningPrograms(_ process: Int32? = nil) {
        let browsers = process == nil ? outlivedBrowsers : []
        for id in placeholders {
            guard let awaited = windows[id]?.placeholder?.process,
                process.map({ $0 == awaited.number }) ?? !browsers.contains(awaited.number)
            else { continue }
            edit(id) { $0.placeholder?.process = nil }
        }
        for launch in launches.all where launch.isAdopted == true && (process == nil || launch.process == process) {
            launches.ended(launch.id, failed: false)
            let isLost = isLost(launch, hasEnded: process != nil)
            launches.edit(launch.id) {
                $0.isAdopted = nil
                $0.hasRun = !isLost
                if isLost { $0.isAgain = true }
            }
        }
    }

    /// Launches whose program the last shell could not start, or that ended with it: it is started now (W-19).
    public mutating func takeLost() -> [(launch: LaunchID, app: String?, command: [String])] {
        launches.all.compactMap { launch in
            guard launch.isAgain == true, launch.isAdopted != true, launch.hasRun != true, launch.process == nil,
                let command = launch.command
            else { return nil }
            launches.edit(launch.id) { $0.hasRun = true }
            return (launch.id, launch.app, command)
        }
    }

    /// Whether an adopted launch has to be started again: its program ended with the last shell, or was perhaps never started. One that
    /// runs on without a window is left alone.
    private func isLost(_ launch: Launches.Launch, hasEnded: Bool) -> Bool {
        guard !launch.isUsed, launch.holder == nil else { return false }
        guard launch.hasRun == true else { return true }
        guard hasEnded, launch.isAgain != true else { return false }
        // A program that runs only once may have left its window to one that outlived the last shell, too.
        return !windows.values.contains { $0.isMapped && $0.placeholder == nil && $0.app == launch.app && !isOfLaunch($0) }
    }

    /// A placeholder with this command, so that a program of the command line is not started twice.
    public func placeholder(startedBy command: [String]) -> WindowID? {
        placeholders.first { windows[$0]?.placeholder?.command == command }
    }

    /// - Parameter id: nil for any.
    mutating func addPlaceholder(
        _ placeholder: Placeholder, as id: WindowID? = nil, appID: String, title: String, session: String
    ) -> WindowID {
        var id = id ?? WindowID(Workspace.firstPlaceholder)
        while windows[id] != nil {
            nextPlaceholder += 1
            id = WindowID(Workspace.firstPlaceholder + nextPlaceholder)
        }
        created(id, WindowFacts(appID: appID, title: title, session: session))
        placeholders.append(id)
        edit(id) {
            $0.placeholder = placeholder
            $0.isMapped = true
            $0.isAdmitted = true
        }
        return id
    }

    /// Begins to start the program of a placeholder.
    ///
    /// - Returns: nil if it is none.
    public mutating func restartPlaceholder(_ id: WindowID, at now: Moment) -> (launch: LaunchID, command: [String])? {
        guard let window = windows[id], let placeholder = window.placeholder else { return nil }
        launches.forgetRestarts(without: vacancies, at: now)
        let kin = kin(placeholder, app: window.app)
        // The first start brings back the browser's own session. From then on it is asked for single windows.
        let command =
            kin.start.map { launches.hasRestarted(kin) ? Browsers.window(placeholder.command, of: app(window.app)) : $0 }
            ?? placeholder.command
        let launch = launches.begin(window.app.isEmpty ? nil : window.app, command, to: nil, at: now)
        launches.restarts(vacancy(window), by: launch, at: now)
        edit(id) { $0.placeholder?.launch = launch }
        return (launch, command)
    }

    /// When a placeholder in sight is no longer expected to be filled by a program that runs, or a double has had its time; nil if
    /// neither is.
    public func restartDeadline(at now: Moment) -> Moment? {
        let doubles = [doublesDeadline(after: now), strangersDeadline(after: now), lateSortDeadline(after: now)].compactMap(\.self).min()
        guard hasPlaceholders else { return doubles }
        let next = launches.nextDeadline(
            of: shownRoots.compactMap { windows[$0]?.placeholder == nil ? nil : vacancy(windows[$0]!) }, at: now)
        return [next, doubles, awaitedDeadline].compactMap(\.self).min()
    }

    /// The launch of a placeholder failed. Returns the placeholder, if it still is one. Others that wait for the same program have
    /// failed with it.
    public mutating func placeholderFailed(_ launch: LaunchID) -> WindowID? {
        guard let id = placeholders.first(where: { windows[$0]?.placeholder?.launch == launch }), let failed = windows[id]?.placeholder
        else { return nil }
        for other in placeholders {
            guard let placeholder = windows[other]?.placeholder else { continue }
            let theirs = kin(placeholder, app: windows[other]!.app)
            let isSame = theirs.start != nil || placeholder.command == failed.command
            let waits = theirs.isKnown && theirs == kin(failed, app: windows[id]!.app) && isSame && placeholder.launch == nil
            guard other == id || waits else { continue }
            edit(other) {
                $0.placeholder?.launch = nil
                $0.placeholder?.hasFailed = true
            }
        }
        return id
    }

    /// A person tapped a placeholder: its program is started again if it failed, ended without showing a window, or shows none.
    public mutating func retryPlaceholder(_ id: WindowID, at now: Moment) -> Bool {
        guard let window = windows[id], let placeholder = window.placeholder else { return false }
        let runs = placeholder.launch.flatMap { launches[$0] }.flatMap { $0.process == nil ? nil : $0 }
        if let runs, !isStuck(window, at: now) || runs.holder != nil { return false }
        // A browser still brings its session back: one that is asked now would open a window more.
        if runs == nil, !placeholder.hasFailed, kin(placeholder, app: window.app).start != nil,
            launches.isExpected(vacancy(window), at: now)
        {
            return false
        }
        // It waits for something that does not answer, or that is gone, as a client of `foot --server` does without its server.
        let own = runs == nil && !isHopeless(window) ? nil : app(window.app)?.command
        edit(id) {
            if let own, !own.isEmpty { $0.placeholder?.command = own }
            $0.placeholder?.launch = nil
            $0.placeholder?.hasFailed = false
            $0.placeholder?.isTapped = true
            $0.placeholder?.awaitedUntil = nil
        }
        return true
    }

    /// A person brings a placeholder forward, by name or from the switcher: a program that failed, or that shows no window, is started
    /// again, as otherwise nothing would happen. One that just began, or is awaited, is left alone.
    public mutating func reopenPlaceholder(_ id: WindowID, at now: Moment) {
        guard let window = windows[id], window.placeholder?.hasFailed == true || isStuck(window, at: now) || isLeftOver(window, at: now)
        else { return }
        _ = retryPlaceholder(id, at: now)
    }

    /// Whether the program of a placeholder had enough time for a window, and brought none.
    private func isStuck(_ window: Window, at now: Moment) -> Bool {
        guard let launch = window.placeholder?.launch.flatMap({ launches[$0] }), !launch.isUsed else { return false }
        return launch.process != nil && now - launch.when >= Restart.firstPatience
    }

    /// Whether the command of a placeholder failed, and would fail again: it failed after a tap already, or starts a program that
    /// another one must serve.
    private func isHopeless(_ window: Window) -> Bool {
        guard let placeholder = window.placeholder, placeholder.hasFailed, let own = app(window.app)?.command else { return false }
        return placeholder.isTapped || Launches.program(placeholder.command) != Launches.program(own)
    }

    func vacancy(_ window: Window) -> Vacancy {
        var vacancy = Vacancy(
            id: window.id, app: window.app, title: window.facts.title, command: window.placeholder?.command ?? [],
            origin: window.placeholder?.origin, launch: window.placeholder?.launch)
        vacancy.isShown = isShown(window.id)
        if let placeholder = window.placeholder { vacancy.kin = kin(placeholder, app: window.app) }
        return vacancy
    }

    /// The placeholders, and whether a window that stands elsewhere for now has the title of one.
    private var vacancies: [Vacancy] {
        let claims = windows.values.filter { $0.isMapped && !$0.facts.title.isEmpty && $0.restored.map { !$0.isSettled } ?? false }
        return placeholders.compactMap { windows[$0].map(vacancy) }.map { vacancy in
            var vacancy = vacancy
            vacancy.isClaimed = claims.contains { $0.facts.title == vacancy.title && kin($0.restored!) == vacancy.kin }
            return vacancy
        }
    }

    /// The placeholder that a new window fills: the one that its app names, one of a program that outlived the last shell, or one
    /// that its program was started for.
    func placeholder(for window: Window, _ match: Launches.Match?, at now: Moment) -> WindowID? {
        guard hasPlaceholders, !window.facts.isSplash else { return nil }
        if !window.facts.session.isEmpty, let id = placeholders.first(where: { windows[$0]?.facts.session == window.facts.session }) {
            return id
        }
        let awaited = placeholders.filter { windows[$0]?.placeholder?.process.map { window.facts.lineage.contains($0.number) } ?? false }
        if let id = awaited.first(where: { windows[$0]?.facts.title == window.facts.title })
            ?? awaited.first(where: { windows[$0]?.app == window.app })
        {
            return id
        }
        let new = arrival(window)
        return launches.restart(of: new, match, at: now) == nil ? nil : launches.vacancy(for: new, match, among: vacancies, at: now)
    }

    /// Puts the new window in the place of the placeholder.
    mutating func replace(_ placeholder: WindowID, by id: WindowID) {
        guard let was = windows[placeholder], was.placeholder != nil, !hasPlace(id) else { return }
        exchange(placeholder, by: id)
        edit(id) {
            $0.isAdmitted = true
            // It came before the arrangement was restored.
            $0.unaskedSince = nil
            $0.lastFocus = was.lastFocus
            $0.picture = was.picture
        }
        let splashes = childrenOf[placeholder] ?? []
        placeholders.removeAll { $0 == placeholder }
        windows[placeholder] = nil
        for child in splashes {
            let window = windows[child]
            // A prompt, or a dialog that came before its window, stays where a person sees it.
            if window?.prompt != nil || window?.facts.isSplash == false && window?.standsBefore == true {
                stand(child, over: id)
            } else {
                sendBehind(child)
            }
        }
        if pip?.window == id, let natural = windows[id]?.naturalSize, let screen { setPipShape(natural, on: screen) }
        refocus()
    }

    /// The shell ended the program of a frozen window: puts a placeholder in its place.
    ///
    /// - Returns: nil if the window has no place of its own.
    @discardableResult
    public mutating func leavePlaceholder(for id: WindowID, _ placeholder: Placeholder) -> WindowID? {
        guard let was = windows[id], was.isMapped, was.placeholder == nil, hasPlace(id) else { return nil }
        let new = addPlaceholder(placeholder, appID: was.facts.appID, title: was.facts.title, session: was.facts.session)
        exchange(id, by: new)
        edit(new) {
            $0.commit.size = was.commit.size
            $0.naturalSize = was.naturalSize
            $0.picture = was.picture
            $0.lastFocus = was.lastFocus
        }
        return new
    }

    mutating func exchange(_ old: WindowID, by new: WindowID) {
        arrangement.change { $0.rename(old, new) }
        for name in elsewhere.keys {
            elsewhere[name]!.change {
                // The new window may have a place of its own in another idiom.
                if $0.contains(old), $0.contains(new) { $0.remove(new) }
                $0.rename(old, new)
            }
        }
        waiting = waiting.map { $0 == old ? new : $0 }
        exchangeConfined(old, by: new)
        if focus == old { focus = new }
    }
}
