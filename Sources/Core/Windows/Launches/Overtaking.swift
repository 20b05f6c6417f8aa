import Geometry

/// The windows and views in front: enough to see that a person arranged something else.
struct Front: Hashable, Codable, Sendable {
    var space: SpaceID
    var first: WindowID?
    var second: WindowID?
    /// The window of Slide Over in sight.
    var card: WindowID?
}

/// Launches that a person's later act overtook (W-19).
///
/// A program that takes long to start must not cover what the person arranged meanwhile: its window waits. A person overtakes
/// it by bringing another window, Split View, Slide Over or space to the front, or by using the window of a later launch. The home
/// screen, the app switcher, a turned screen and keys for the app in front overtake nothing, and neither does another launch alone.
extension Launches {
    /// Whether the window of this launch may come in front when it is there.
    private func isPending(_ launch: Launch) -> Bool {
        (!launch.isUsed || launch.further ?? 0 > 0) && launch.placeholder == nil && launch.pinchedFrom == nil && launch.comesForward != true
    }

    var hasPending: Bool { all.contains(where: isPending) }

    public func isOvertaken(_ id: LaunchID) -> Bool { self[id]?.overtaken ?? false }

    /// A person acted otherwise. `before`: only launches that began before this one.
    mutating func overtake(before id: LaunchID? = nil) {
        for index in all.indices {
            if all[index].id == id { return }
            if isPending(all[index]) { all[index].overtaken = true }
        }
    }

    /// - Parameter front: nil: the home screen, from where a person comes back to what was in front.
    mutating func follow(_ front: Front?, byPerson: Bool) {
        guard let front else { return }
        for index in all.indices where all[index].front != front && isPending(all[index]) {
            if byPerson { all[index].overtaken = true }
            all[index].front = front
        }
    }

    /// A person uses this window: launches before it come too late.
    mutating func used(_ window: WindowID) {
        guard hasPending, let launch = all.last(where: { $0.holder == window }) else { return }
        overtake(before: launch.id)
    }
}

extension Workspace {
    private var front: Front? {
        guard let space = currentSpace else { return nil }
        var front = Front(space: space.id, card: slideOver.isHidden ? nil : slideOver.front)
        switch space.content {
        case .full(let window): front.first = window
        case .split(let split): (front.first, front.second) = (split.first, split.second)
        case .free: break
        }
        return front
    }

    /// Something happened. `byPerson`: a person did it. Call it after every event.
    public mutating func followFront(byPerson: Bool) {
        guard launches.hasPending else { return }
        launches.follow(front, byPerson: byPerson)
    }

    mutating func noteFront(of launch: LaunchID) {
        let front = front
        launches.edit(launch) { $0.front = front }
    }

    /// Whether the window that answers a launch has to wait. One whose splash a person opened takes the place of that.
    func isOvertaken(_ match: Launches.Match?) -> Bool {
        guard let match, let launch = launches[match.launch], launch.overtaken else { return false }
        guard match.role != .next else { return launch.isOverLock ?? false }
        if case .successor(let splash) = match.role { return waiting.contains(splash) || !hasPlace(splash) }
        return true
    }

    /// Whether a person uses the app in front that was started by this launch, so that a program that it started in turn may act for it
    /// (W-19).
    func isUsed(_ launch: Launches.Launch, at now: Moment) -> Bool {
        guard let active = usedWindow(at: now), let process = launch.process else { return false }
        return active.facts.lineage.contains(process)
    }

    /// The same for the app of a window.
    func isUsed(_ window: WindowID, at now: Moment) -> Bool {
        guard let active = usedWindow(at: now), let process = active.facts.lineage.first, process > 0 else { return false }
        return read(window) { $0.facts.lineage.first } == process
    }

    /// The active window, if its app got the last press, and got it a moment ago.
    func usedWindow(at now: Moment) -> Window? {
        guard let input = admission.lastInput, now - input.when <= Admission.startGrace, let focus, let active = windows[focus],
            let source = windows[input.window], source.facts.lineage.first == active.facts.lineage.first
        else { return nil }
        return active
    }
}
