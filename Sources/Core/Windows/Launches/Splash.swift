import Geometry

/// How windows of launches get their places: splashes give theirs on, and placeholders are filled (W-19, W-20).
extension Workspace {
    func arrival(_ window: Window) -> Launches.Arrival {
        let least = window.commit.minimum, most = window.commit.maximum
        return Launches.Arrival(
            id: window.id, app: window.app, title: window.facts.title, lineage: window.facts.lineage, token: window.launch,
            isSplash: window.facts.isSplash, isFixed: !most.isEmpty && least == most)
    }

    /// The launch that a mapped window without a place belongs to.
    func match(_ window: Window, at now: Moment) -> Launches.Match? {
        guard !launches.all.isEmpty else { return nil }
        return launches.match(arrival(window), among: windows.values.filter { other in
            other.id != window.id && other.isMapped && other.placeholder == nil
        }.map(arrival), at: now)
    }

    /// Puts a new window into the place of the placeholder that it fills. A splash stands on the placeholder of its launch until
    /// the window itself comes.
    ///
    /// - Returns: whether it has its place.
    mutating func fillPlaceholder(with id: WindowID, _ match: Launches.Match?, at now: Moment) -> Bool {
        guard let window = windows[id] else { return false }
        if replaceSubstitute(by: window) { return true }
        guard hasPlaceholders else { return false }
        let launch = match.flatMap { launches[$0.launch] }
        if let match, match.role == .splash, let base = launch?.placeholder, windows[base]?.placeholder != nil {
            takeOut(id)
            stand(id, over: base)
            launches.took(match, by: id)
            refocus()
            return true
        }
        guard let placeholder = placeholder(for: window, match, at: now), let was = windows[placeholder] else { return false }
        takeOut(id)
        replace(placeholder, by: id)
        launches.brought(arrival(window), match, at: now)
        if let match { launches.took(match, by: id) }
        guard launch?.comesForward == true, launch?.isUsed == false else {
            let wasAsked = launch?.placeholder == placeholder || was.placeholder?.process != nil || !was.facts.session.isEmpty
            edit(id) {
                $0.restored = Restored(
                    title: was.facts.title, origin: was.placeholder?.origin, when: now, vacated: wasAsked ? nil : was.placeholder,
                    firstTitle: window.facts.title, command: was.placeholder?.command, directory: was.placeholder?.directory,
                    app: was.app)
            }
            sortRestored(id, at: now)
            return true
        }
        // A person opened something with it, and it stays where they see it.
        if let destination = launch?.destination { try? move(id, to: destination) } else { try? activate(id) }
        return true
    }

    /// The window that fills the placeholder which was the new one's, and never was what stood there: a question of the app,
    /// before it restores its windows.
    private func substitute(for new: Window) -> WindowID? {
        guard !new.facts.title.isEmpty else { return nil }
        return windows.values.first { other in
            other.id != new.id && other.isMapped && other.restored?.title == new.facts.title && other.facts.title != new.facts.title
                && other.facts.lineage.first == new.facts.lineage.first && hasPlace(other.id) && !waiting.contains(other.id)
        }?.id
    }

    private mutating func replaceSubstitute(by new: Window) -> Bool {
        guard let substitute = substitute(for: new) else { return false }
        takeOut(new.id)
        let restored = windows[substitute]!.restored
        exchange(substitute, by: new.id)
        edit(new.id) {
            $0.isAdmitted = true
            $0.restored = restored
        }
        edit(substitute) { $0.restored = nil }
        sendBehind(substitute)
        refocus()
        return true
    }

    private mutating func stand(_ id: WindowID, over base: WindowID) {
        edit(id) {
            $0.isAdmitted = true
            $0.raisedOver = base
            $0.facts.parent = base
            $0.facts.isModal = true
        }
        noteChildren()
    }

    /// A splash whose successor has come gets a space of its own behind the others, until its client takes it away.
    mutating func sendBehind(_ id: WindowID) {
        guard windows[id] != nil else { return }
        edit(id) {
            $0.raisedOver = nil
            $0.facts.parent = nil
            $0.facts.isModal = nil
        }
        noteChildren()
        if windows[id]?.isMapped == true, !hasPlace(id) { findPlace(for: id, at: nil) }
    }

    /// The window that was asked for takes the place of its splash.
    mutating func succeed(_ splash: WindowID, by id: WindowID, _ match: Launches.Match) {
        launches.took(match, by: id)
        let lastFocus = windows[splash]?.lastFocus ?? 0
        guard hasPlace(splash), !waiting.contains(splash) else { return findPlace(for: id, at: .fullScreen) }
        exchange(splash, by: id)
        edit(id) {
            $0.isAdmitted = true
            $0.lastFocus = lastFocus
        }
        sendBehind(splash)
        refocus()
    }

    /// The first window of a launch goes soon after it came, and another one of its program waits: that one gets the place.
    mutating func passPlaceOn(from id: WindowID, at now: Moment) {
        guard !waiting.isEmpty, hasPlace(id), !waiting.contains(id),
            let (launch, heir) = launches.heir(of: id, among: waiting.compactMap { windows[$0].map(arrival) }, at: now)
        else { return }
        waiting.removeAll { $0 == heir }
        exchange(id, by: heir)
        edit(heir) { $0.isAdmitted = true }
        launches.took(.init(launch: launch, role: .successor(of: id)), by: heir)
    }

    // MARK: Apps that a person opens something with

    /// The most recently used placeholder of an app of which no window is open.
    private func lastPlaceholder(of app: String, except theirs: [WindowID] = []) -> Window? {
        guard hasPlaceholders, !windows.values.contains(where: { $0.app == app && $0.isMapped && $0.placeholder == nil && !theirs.contains($0.id) })
        else { return nil }
        return placeholders.compactMap { windows[$0] }.filter { $0.app == app && $0.placeholder?.launch == nil && $0.placeholder?.process == nil }
            .max { $0.lastFocus < $1.lastFocus }
    }

    /// A person opens a link or a file with an app that has placeholders only: what the program shows fills them, as it may restore
    /// its windows besides, and the first one comes forward.
    mutating func openInPlaceholder(_ launch: LaunchID, at now: Moment) {
        guard let begun = launches[launch], let name = begun.app, let app = app(name), app.opens(with: begun.command ?? []),
            let last = lastPlaceholder(of: name)
        else { return }
        launches.restarts(vacancy(last), by: launch, isWhole: true, at: now)
        launches.edit(launch) { $0.comesForward = true }
        edit(last.id) { $0.placeholder?.launch = launch }
    }

    /// The command of a program that another one started is known: it may open a link or a file for a person, too.
    public mutating func programKnown(_ process: Int32, _ command: [String], at now: Moment) {
        guard hasPlaceholders, !launches.all.contains(where: { $0.process == process }) else { return }
        let theirs = windows.values.filter {
            $0.isMapped && $0.placeholder == nil && $0.restored == nil && $0.facts.lineage.contains(process) && hasPlace($0.id)
        }
        guard let first = theirs.first, let app = app(first.app), app.opens(with: command),
            let last = lastPlaceholder(of: app.id, except: theirs.map(\.id)), !waiting.contains(first.id) || wasStartedLately(first, at: now)
        else { return }
        launches.adopt(process, for: vacancy(last), at: now)
        let isSeen = waiting.contains(first.id) || isShown(first.id)
        for window in theirs where window.id == first.id || waiting.contains(window.id) {
            _ = fillPlaceholder(with: window.id, nil, at: now)
        }
        edit(first.id) { $0.restored = nil }
        if isSeen { try? activate(first.id) }
    }

    /// Whether a person acted in the program that started this one's client, not longer ago than a program takes to start.
    private func wasStartedLately(_ window: Window, at now: Moment) -> Bool {
        guard let input = admission.lastInput, now - input.when <= Launches.appPatience, let source = windows[input.window] else { return false }
        return isDescendant(window, of: source)
    }

    // MARK: Apps that restore their own windows

    /// Seconds after a window filled a placeholder in which its title may still say that it belongs to another one.
    private static let sortPatience = 30.0

    /// A window that filled a placeholder has a title by now that says where it belongs: it changes places with the window, or
    /// the placeholder, that stands there.
    mutating func sortRestored(_ id: WindowID, at now: Moment) {
        guard let window = windows[id] else { return }
        guard let restored = window.restored else {
            // One that its app opened by itself, and that had no title yet.
            if waiting.contains(id) { _ = replaceSubstitute(by: window) }
            return
        }
        // From now on a person may have changed it.
        guard now - restored.when <= Workspace.sortPatience else { return edit(id) { $0.restored = nil } }
        guard restored.origin != nil, !window.facts.title.isEmpty, window.facts.title != restored.title, hasPlace(id) else { return }
        let title = window.facts.title
        let other = windows.values.first { other in
            guard other.id != id, hasPlace(other.id) else { return false }
            if let placeholder = other.placeholder { return placeholder.origin == restored.origin && other.facts.title == title }
            guard let theirs = other.restored else { return false }
            return theirs.origin == restored.origin && theirs.title == title && other.facts.title != title && now - theirs.when <= Workspace.sortPatience
        }
        guard let other else { return }
        let focus = focus
        swapPlaces(id, other.id)
        let vacated = other.placeholder.map { $0.launch == nil ? $0 : nil } ?? other.restored?.vacated
        edit(id) {
            $0.restored?.title = title
            $0.restored?.vacated = vacated
            $0.lastFocus = other.lastFocus
            $0.picture = other.picture
        }
        edit(other.id) {
            $0.restored?.title = restored.title
            $0.restored?.vacated = restored.vacated
            if $0.placeholder != nil { $0.facts.title = restored.title }
            $0.lastFocus = window.lastFocus
            $0.picture = window.picture
        }
        if focus == id || focus == other.id { self.focus = focus == id ? other.id : id }
        refocus()
    }

    private mutating func swapPlaces(_ a: WindowID, _ b: WindowID) {
        let none = WindowID(0)
        exchange(a, by: none)
        exchange(b, by: a)
        exchange(none, by: b)
    }
}
