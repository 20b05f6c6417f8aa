import Geometry

/// How windows of launches get their places: splashes give theirs on, and placeholders are filled (W-19, W-20).
extension Workspace {
    /// - Parameter isNew: whether its launch is looked for; false for windows that are there already.
    func arrival(_ window: Window, isNew: Bool = true) -> Launches.Arrival {
        let least = window.commit.minimum, most = window.commit.maximum, lineage = window.facts.lineage
        // Of a program whose own window is still to come, the launch stays that program's. Most windows are of no such program, and every
        // other window is looked at for this one: with hundreds of them that takes long.
        let isOfLaunch = isNew && (window.launch != nil || launches.all.contains { $0.process.map(lineage.dropFirst().contains) ?? false })
        let own = lineage[..<((isOfLaunch ? lineage.indices.dropFirst().first { bringsWindow(lineage[$0]) } : nil) ?? lineage.endIndex)]
        let isForeign = own.count < lineage.count && (window.launch.flatMap { launches[$0]?.process }.map { !own.contains($0) } ?? false)
        return Launches.Arrival(
            id: window.id, app: window.app, title: window.facts.title, lineage: Array(own), token: isForeign ? nil : window.launch,
            isSplash: window.facts.isSplash, isFixed: !most.isEmpty && least == most,
            isDialog: window.facts.parent != nil && base(of: window.id) == nil,
            isModal: window.facts.isModal == true && window.facts.parent == nil)
    }

    /// Whether this process has made a window that it has not shown yet. X11 programs keep such windows permanently.
    func bringsWindow(_ process: Int32) -> Bool {
        process > 0
            && windows.values.contains { !$0.isMapped && $0.placeholder == nil && !$0.facts.isX11 && $0.facts.lineage.first == process }
    }

    /// The launch that a mapped window without a place belongs to.
    func match(_ window: Window, at now: Moment) -> Launches.Match? {
        guard !launches.all.isEmpty else { return nil }
        return launches.match(
            arrival(window),
            among: windows.values.filter { other in
                other.id != window.id && other.isMapped && other.placeholder == nil
            }.map { arrival($0, isNew: false) }, at: now)
    }

    /// Puts a new window into the place of the placeholder that it fills. A splash stands on the placeholder of its launch until
    /// the window itself comes.
    ///
    /// - Returns: whether it has its place.
    mutating func fillPlaceholder(with id: WindowID, _ match: Launches.Match?, at now: Moment) -> Bool {
        guard let window = windows[id] else { return false }
        if replaceSubstitute(by: window, at: now) { return true }
        guard hasPlaceholders else { return false }
        let launch = match.flatMap { launches[$0.launch] }
        if let match, match.role == .splash, let base = launch?.placeholder, windows[base]?.placeholder != nil {
            takeOut(id)
            if !window.facts.isSplash { edit(id) { $0.standsBefore = true } }
            stand(id, over: base)
            launches.took(match, by: id)
            refocus()
            return true
        }
        guard let placeholder = placeholder(for: window, match, at: now), let was = windows[placeholder] else { return false }
        let wasLate = was.placeholder.map { $0.launch != nil && launches.isLate(kin($0, app: was.app), at: now) } ?? false
        takeOut(id)
        replace(placeholder, by: id)
        launches.brought(arrival(window), match, at: now)
        if let match { launches.took(match, by: id) }
        // The launch was meant for another one, which waits like the rest of them now.
        if let meant = launch?.placeholder, meant != placeholder { edit(meant) { $0.placeholder?.launch = nil } }
        // It is started like the window that stood there, not like the one that its process was started for.
        if launch?.comesForward != true, let command = was.placeholder?.command { edit(id) { $0.command = command } }
        guard launch?.comesForward == true, launch?.isUsed == false else {
            let wasAsked = launch?.placeholder == placeholder || was.placeholder?.process != nil || !was.facts.session.isEmpty
            edit(id) {
                $0.restored = Restored(
                    title: was.facts.title, when: now, placeholder: was.placeholder?.untouched ?? Placeholder(command: []),
                    picture: was.picture,
                    wasAsked: wasAsked, wasAskedByPerson: wasLate, firstTitle: window.facts.title, app: was.app, appID: was.facts.appID,
                    isSettled: window.facts.title == was.facts.title)
                $0.cameLoose = nil
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

    private mutating func replaceSubstitute(by new: Window, at now: Moment) -> Bool {
        guard let substitute = substitute(for: new) else { return false }
        takeOut(new.id)
        let restored = windows[substitute]!.restored
        exchange(substitute, by: new.id)
        edit(new.id) {
            $0.isAdmitted = true
            $0.restored = restored
            $0.restored?.isSettled = true
            $0.restored?.leftOver = nil
            if let command = restored?.placeholder.command { $0.command = command }
            $0.picture = restored?.picture ?? $0.picture
        }
        if let left = restored?.leftOver { destroyed(left) }
        edit(substitute) { $0.restored = nil }
        let page = windows[substitute]!.facts.title
        let own = restored.flatMap { place in
            placeholders.first {
                windows[$0].map { $0.facts.title == page && $0.placeholder.map { self.kin($0, app: restored?.app ?? "") } == kin(place) }
                    ?? false
            }
        }
        // It goes where it belongs itself.
        if let own {
            fillByTitle(own, with: substitute)
        } else {
            // Its title may still come.
            edit(substitute) { $0.cameLoose = now }
            sendBehind(substitute)
        }
        refocus()
        return true
    }

    /// A window stands on another one until something moves it. One that the other stands on itself gets a place behind it.
    mutating func stand(_ id: WindowID, over base: WindowID) {
        guard !leads(base, to: id) else { return sendBehind(id) }
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
        let isDialog = windows[splash].map { !$0.facts.isSplash && ($0.facts.parent != nil || $0.facts.isModal == true) } ?? false
        let wasActive = focus == splash
        guard hasPlace(splash), !waiting.contains(splash) else { return findPlace(for: id, at: .fullScreen) }
        exchange(splash, by: id)
        edit(id) {
            $0.isAdmitted = true
            $0.lastFocus = lastFocus
        }
        // A dialog that came before its window stands on it.
        if !isDialog { sendBehind(splash) } else if windows[splash]?.facts.parent != id { stand(splash, over: id) }
        if isDialog, wasActive, isShown(splash) { setFocus(splash) } else { refocus() }
    }

    /// The first window of a launch goes soon after it came, and another one of its program waits: that one gets the place.
    mutating func passPlaceOn(from id: WindowID, at now: Moment) {
        guard !waiting.isEmpty, hasPlace(id), !waiting.contains(id),
            let (launch, heir) = launches.heir(of: id, among: waiting.compactMap { windows[$0].map { arrival($0, isNew: false) } }, at: now)
        else { return }
        waiting.removeAll { $0 == heir }
        exchange(id, by: heir)
        edit(heir) { $0.isAdmitted = true }
        launches.took(.init(launch: launch, role: .successor(of: id)), by: heir)
    }

    // MARK: Apps that a person opens something with

    /// The most recently used placeholder of an app of which no window is open.
    private func lastPlaceholder(of app: String, except theirs: [WindowID] = []) -> Window? {
        guard hasPlaceholders,
            !windows.values.contains(where: { $0.app == app && $0.isMapped && $0.placeholder == nil && !theirs.contains($0.id) })
        else { return nil }
        return placeholders.compactMap { windows[$0] }.filter {
            $0.app == app && $0.placeholder?.launch == nil && $0.placeholder?.process == nil
        }
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
        if let program = Launches.ownProgram(command) {
            for index in windows.values.indices
            where windows.values[index].facts.lineage.first == process && windows.values[index].placeholder == nil {
                windows.values[index].program = String(program)
                windows.values[index].app = appID(of: windows.values[index])
            }
        }
        guard hasPlaceholders, !launches.all.contains(where: { $0.process == process }) else { return }
        let theirs = windows.values.filter {
            $0.isMapped && $0.placeholder == nil && $0.restored == nil && $0.facts.lineage.contains(process) && hasPlace($0.id)
        }
        guard let first = theirs.first, let app = app(first.app), app.opens(with: command),
            let last = lastPlaceholder(of: app.id, except: theirs.map(\.id)),
            !waiting.contains(first.id) || wasStartedLately(first, at: now)
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
        guard let input = admission.lastInput, now - input.when <= Launches.appPatience, let source = windows[input.window] else {
            return false
        }
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
            // A window that its app opened by itself, and that had no title yet.
            if waiting.contains(id), replaceSubstitute(by: window, at: now) { return }
            return fillLate(window, at: now)
        }
        // From now on a person may have changed it.
        guard isOpen(restored, window, at: now) else { return edit(id) { $0.restored = nil } }
        let kin = kin(restored), title = window.facts.title
        if title == restored.title {
            edit(id) {
                $0.restored?.isSettled = true
                $0.restored?.leftOver = nil
            }
            if let left = restored.leftOver, windows[left]?.placeholder?.launch == nil { destroyed(left) }
            return
        }
        guard kin.isKnown, !title.isEmpty, hasPlace(id) else { return }
        let other = windows.values.first { other in
            guard other.id != id, hasPlace(other.id) else { return false }
            if let placeholder = other.placeholder { return self.kin(placeholder, app: other.app) == kin && other.facts.title == title }
            guard let theirs = other.restored, theirs.leftOver == nil else { return false }
            return self.kin(theirs) == kin && theirs.title == title && other.facts.title != title
                && now - theirs.when <= Workspace.sortPatience
        }
        guard let other else { return }
        if other.placeholder != nil, isShown(id), !isShown(other.id), launches.isExpected(vacancy(other), at: now) { return }
        let focus = focus
        swapPlaces(id, other.id)
        // Each place has its page, its picture and its command: only the window there changes.
        if let placeholder = other.placeholder {
            settle(
                id,
                as: Restored(
                    title: title, when: restored.when, placeholder: placeholder.untouched, picture: other.picture,
                    wasAsked: placeholder.launch != nil,
                    wasAskedByPerson: restored.wasAskedByPerson, firstTitle: restored.firstTitle, app: other.app, appID: other.facts.appID),
                before: restored)
            edit(other.id) {
                $0.placeholder = restored.placeholder
                $0.facts.title = restored.title
                $0.picture = restored.picture
            }
            // The placeholder that was put behind is for the same page: it is not needed twice.
            if let left = restored.leftOver { destroyed(left) }
            // The picture stands for another page now, which may be there without a place.
            for loose in windows.values where loose.isMapped && loose.cameLoose != nil { fillLate(loose, at: now) }
        } else if let theirs = other.restored {
            settle(id, as: theirs, before: restored)
            settle(other.id, as: restored, before: theirs)
        }
        edit(id) { $0.lastFocus = other.lastFocus }
        edit(other.id) { $0.lastFocus = window.lastFocus }
        if focus == id || focus == other.id { self.focus = focus == id ? other.id : id }
        refocus()
    }

    /// A window stands in another place by now.
    private mutating func settle(_ id: WindowID, as place: Restored, before: Restored) {
        edit(id) {
            guard let own = $0.restored else { return }
            var place = place
            place.when = own.when
            place.firstTitle = own.firstTitle
            place.leftOver = nil
            place.isSettled = $0.facts.title == place.title
            $0.restored = place
            $0.command = place.placeholder.command
            // Its own picture stays its own. One that it has from the place stays there.
            if $0.picture == nil || $0.picture == before.picture { $0.picture = place.picture }
        }
    }

    /// Whether the title of a window may still say that it belongs to another place.
    private func isOpen(_ restored: Restored, _ window: Window, at now: Moment) -> Bool {
        if now - restored.when <= Workspace.sortPatience { return true }
        // A browser may ask a person in its first window whether it restores the session, and turns that into a page then.
        let kin = kin(restored)
        guard kin.start != nil, !restored.isSettled, launches.runsAgain(kin, window.facts.lineage) else { return false }
        return placeholders.contains { windows[$0].map { $0.placeholder.map { self.kin($0, app: window.app) } == kin } ?? false }
    }

    /// A window of an app that was started again filled no placeholder, because it had no title yet, or came too late. Now its
    /// title says where it belongs.
    private mutating func fillLate(_ window: Window, at now: Moment) {
        guard hasPlaceholders, let came = window.cameLoose, now - came <= Workspace.sortPatience, !window.facts.title.isEmpty else {
            return
        }
        if let input = admission.lastInput, input.window == window.id, input.when >= came { return }
        guard let restart = launches.restarts.first(where: { $0.processes.contains(where: window.facts.lineage.contains) }) else { return }
        let place = placeholders.first { id in
            windows[id].map { $0.facts.title == window.facts.title && $0.placeholder?.launch == nil && restart.covers(vacancy($0)) }
                ?? false
        }
        if let place { fillByTitle(place, with: window.id) }
    }

    /// A window whose title says so takes the place of this placeholder.
    private mutating func fillByTitle(_ place: WindowID, with id: WindowID) {
        guard let placeholder = windows[place]?.placeholder else { return }
        takeOut(id)
        replace(place, by: id)
        edit(id) {
            $0.command = placeholder.command
            $0.cameLoose = nil
        }
    }

    // MARK: Sorting once the app has brought its windows

    /// Windows that stand in another's place until their app had its time, because they would go out of sight.
    private func sortedLate(until limit: Moment?) -> [(id: WindowID, when: Moment)] {
        guard hasPlaceholders, !launches.restarts.isEmpty else { return [] }
        return windows.values.compactMap { window in
            guard window.isMapped, let place = window.restored, !place.isSettled, window.facts.title != place.title else { return nil }
            let kin = kin(place)
            guard let when = launches.deadline(of: kin), limit.map({ when <= $0 }) ?? true else { return nil }
            let isElsewhere = placeholders.contains { id in
                windows[id].map { other in
                    other.facts.title == window.facts.title && other.placeholder.map { self.kin($0, app: other.app) } == kin
                } ?? false
            }
            return isElsewhere ? (window.id, when) : nil
        }
    }

    func lateSortDeadline(after now: Moment) -> Moment? { sortedLate(until: nil).map(\.when).filter { $0 > now }.min() }

    /// Moves them where their titles say that they belong.
    public mutating func sortLate(at now: Moment) {
        for (id, _) in sortedLate(until: now) { sortRestored(id, at: now) }
    }

    private mutating func swapPlaces(_ a: WindowID, _ b: WindowID) {
        let none = WindowID(0)
        exchange(a, by: none)
        exchange(b, by: a)
        exchange(none, by: b)
    }
}
