import Geometry
import OrderedCollections
import Windows

/// What is on the screen and how it gets there: every shown window's rectangle on its way to its place.
///
/// Motion is a function of time (`Spring`), so nothing happens between events: any moment can be asked for.
public struct Stage: Hashable, Codable, Sendable {
    /// Drawn in this order, back to front.
    public enum Level: Int, Hashable, Codable, Sendable, Comparable {
        case leaving, space, dialog, slideOver, picture, lifted

        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    public struct Shown: Hashable, Codable, Sendable {
        public var frame: AnimatedRect
        public var opacity: Animated
        public var radius: Animated
        public var level: Level
        /// Where its place is; while a finger holds it, its frame is elsewhere.
        public var place: Rect
        var order: Int
        /// For a dialog, the window it stands on and goes with.
        var base: WindowID?
    }

    public private(set) var shown: OrderedDictionary<WindowID, Shown> = [:]
    /// Back to front; kept so that drawing and hit tests need not sort.
    public private(set) var order: [WindowID] = []
    /// Where the lifted window would go if let go now.
    public private(set) var preview: AnimatedRect?
    /// Held by a finger: `update` leaves these where they are.
    public private(set) var held: OrderedSet<WindowID> = []
    /// Spaces and windows that are shown small; what is here is not drawn in its place.
    public internal(set) var cards: OrderedDictionary<CardID, Card> = [:]
    /// How far the app switcher is scrolled, in points.
    public var scroll = Animated(0)

    public init() {}

    public func isMoving(at now: Moment) -> Bool {
        for window in shown.values
        where !(window.frame.isSettled(at: now) && window.opacity.isSettled(at: now) && window.radius.isSettled(at: now)) {
            return true
        }
        if let preview, !preview.isSettled(at: now) { return true }
        if !cards.isEmpty, !scroll.isSettled(at: now) || cards.values.contains(where: { !$0.isSettled(at: now) }) {
            return true
        }
        return false
    }

    public func frame(of id: WindowID, at now: Moment) -> Rect? { shown[id]?.frame.value(at: now) }

    /// nil if it is not shown.
    public func level(of id: WindowID) -> Level? { shown[id]?.level }

    // MARK: Following the arrangement

    /// Draws everything shown towards where the arrangement wants it. `velocity`: of a finger that just let go of `of`.
    public mutating func update(
        _ workspace: Workspace, at now: Moment, spring: Spring = .layout, thrown: (window: WindowID, velocity: Vector)? = nil
    ) {
        defer { settleCards(workspace, at: now) }
        guard let screen = workspace.screen else {
            shown.removeAll()
            cards.removeAll()
            order.removeAll()
            held.removeAll()
            return
        }
        let parts = workspace.partFrames()
        var wanted: OrderedDictionary<WindowID, (frame: Rect, level: Level, radius: Double, base: WindowID?)> = [:]
        func want(_ id: WindowID, _ level: Level, _ radius: Double, on base: WindowID? = nil) {
            guard let frame = workspace.frame(of: id, parts) else { return }
            let level = held.contains(id) ? .lifted : level
            wanted[id] = (frame, level, radius, base)
            for dialog in workspace.dialogs(of: id) { want(dialog, level == .space ? .dialog : level, 10, on: base ?? id) }
        }
        if let space = workspace.currentSpace {
            for id in space.windows { want(id, .space, space.split == nil ? 0 : Stage.splitRadius) }
        }
        if let front = workspace.slideOver.front, !workspace.isHome { want(front, .slideOver, 0) }
        if let pip = workspace.pip { want(pip.window, .picture, Stage.pictureRadius) }

        // What is no longer wanted leaves; what its client took away is gone at once.
        for (id, old) in shown where wanted[id] == nil {
            guard workspace[id]?.isMapped == true else {
                shown[id] = nil
                held.remove(id)
                continue
            }
            // Under a finger it stays, whatever came in front meanwhile.
            if isHeld(id, old) { continue }
            if old.level == .leaving {
                if !isVisible(old, at: now) { shown[id] = nil }
                continue
            }
            var window = old
            let from = old.level == .slideOver ? old.frame.value(at: now) : old.place
            window.level = .leaving
            window.opacity.retarget(0, at: now, spring: spring)
            window.frame.retarget(exit(of: id, from: from, screen), at: now, spring: spring)
            shown.updateValue(window, forKey: id)
        }
        var index = 0
        for (id, target) in wanted {
            index += 1
            var window = shown[id] ?? Shown(
                frame: AnimatedRect(entrance(of: target.level, to: target.frame, workspace, screen)),
                opacity: Animated(target.level == .slideOver ? 1 : 0), radius: Animated(target.radius),
                level: target.level, place: target.frame, order: index)
            window.level = target.level
            window.place = target.frame
            window.order = index
            window.base = target.base
            window.radius.retarget(target.radius, at: now, spring: spring)
            window.opacity.retarget(1, at: now, spring: spring)
            if !isHeld(id, window) {
                let isThrown = thrown?.window == id
                let way = isThrown ? Spring.thrown.atThePace(of: spring) : spring
                window.frame.retarget(target.frame, at: now, spring: way, velocity: isThrown ? thrown!.velocity : nil)
            }
            shown.updateValue(window, forKey: id)
        }
        sortOrder()
        exits.removeAll()
        if workspace.slideOver.stack.isEmpty && workspace.pip == nil && shown.isEmpty { preview = nil }
    }

    private func isHeld(_ id: WindowID, _ window: Shown) -> Bool {
        held.contains(id) || window.base.map(held.contains) ?? false
    }

    private mutating func sortOrder() {
        var ranks: [(level: Level, order: Int, id: WindowID)] = []
        ranks.reserveCapacity(shown.count)
        for (id, window) in shown { ranks.append((window.level, window.order, id)) }
        ranks.sort { a, b in a.level != b.level ? a.level < b.level : a.order < b.order }
        order.removeAll(keepingCapacity: true)
        for rank in ranks { order.append(rank.id) }
    }

    func isVisible(_ window: Shown, at now: Moment) -> Bool {
        window.level != .leaving || !(window.opacity.isSettled(at: now) && window.frame.isSettled(at: now))
    }

    private func entrance(of level: Level, to target: Rect, _ workspace: Workspace, _ screen: Screen) -> Rect {
        switch level {
        case .slideOver:
            let card = workspace.slideOverCard(on: screen, side: workspace.slideOver.side, isHidden: true)
            return workspace.cardContent(card)
        case .space, .leaving, .dialog, .picture, .lifted:
            let size = target.size * 0.92
            return Rect(center: target.center, size: size)
        }
    }

    /// Windows that were pushed aside by a swipe leave that way.
    private var exits: [WindowID: Double] = [:]

    private func exit(of id: WindowID, from frame: Rect, _ screen: Screen) -> Rect {
        guard let dx = exits[id] else { return frame }
        return frame.offset(by: Vector(dx, 0))
    }

    // MARK: Fingers

    /// A finger holds this window at this rectangle. `spring`: it catches up with the finger by it.
    public mutating func hold(_ id: WindowID, at frame: Rect, now: Moment, spring: Spring? = nil) {
        guard let place = shown[id]?.place else { return }
        let isNew = held.append(id).inserted
        for index in shown.values.indices where shown.keys[index] == id || shown.values[index].base == id {
            let window = shown.values[index], other = shown.keys[index]
            let target = other == id ? frame : frame.map(window.place, from: place)
            if let spring, spring != .instant {
                shown.values[index].frame.retarget(target, at: now, spring: spring)
            } else {
                shown.values[index].frame.set(target)
            }
            if isNew { shown.values[index].level = .lifted }
        }
        if isNew { sortOrder() }
    }

    /// Lets go; the next `update` draws it to its place.
    public mutating func letGo(_ id: WindowID) { held.remove(id) }

    /// Puts windows where the arrangement has them, without motion (a live resize follows the finger itself).
    public mutating func snap(_ ids: [WindowID], _ workspace: Workspace) {
        let frames = workspace.frames()
        for id in ids where !held.contains(id) {
            for window in [id] + workspace.dialogs(of: id) {
                guard let frame = frames[window], let index = shown.index(forKey: window) else { continue }
                shown.values[index].frame.set(frame)
                shown.values[index].place = frame
            }
        }
    }

    /// Puts the space in front where the arrangement has it, without motion, and forgets those that leave: cards show the
    /// way there. What floats over it moves by itself.
    public mutating func snapSpaces(_ workspace: Workspace) {
        let frames = workspace.frames()
        for (id, window) in shown {
            let root = window.base ?? id
            if workspace.slideOver.stack.contains(root) || workspace.pip?.window == root { continue }
            if window.level == .leaving {
                shown[id] = nil
            } else if let frame = frames[id], !isHeld(id, window), let index = shown.index(forKey: id) {
                shown.values[index].frame.set(frame)
                shown.values[index].opacity.set(1)
            }
        }
        sortOrder()
    }

    /// How far the space in front is from its place, sideways: a swipe may catch it on its way.
    public func panned(_ workspace: Workspace, at now: Moment) -> Double {
        guard let window = workspace.currentSpace?.windows.first.flatMap({ shown[$0] }) else { return 0 }
        return window.frame.x.value(at: now) - window.frame.x.target
    }

    /// A finger pushes the space in front aside by `dx` points; its neighbour follows behind.
    public mutating func pan(_ workspace: Workspace, neighbour: Space?, by dx: Double, at now: Moment) {
        guard let screen = workspace.screen, let space = workspace.currentSpace else { return }
        let step = screen.size.width + Stage.panGap
        let frames = workspace.frames()
        exits.removeAll()
        func put(_ id: WindowID, _ offset: Double, exit: Double, radius: Double, _ index: Int) {
            guard let frame = frames[id] else { return }
            if shown[id] == nil { order.insert(id, at: 0) }
            var window = shown[id] ?? Shown(
                frame: AnimatedRect(frame), opacity: Animated(1), radius: Animated(radius), level: .space, place: frame,
                order: index)
            window.level = .space
            window.opacity.set(1)
            window.frame.set(frame.offset(by: Vector(offset, 0)))
            shown.updateValue(window, forKey: id)
            exits[id] = exit
            for index in shown.values.indices where shown.values[index].base == id {
                shown.values[index].frame.set(shown.values[index].place.offset(by: Vector(offset, 0)))
                exits[shown.keys[index]] = exit
            }
        }
        for (index, id) in space.windows.enumerated() {
            put(id, dx, exit: dx < 0 ? -step : step, radius: 0, index)
        }
        for (index, id) in (neighbour?.windows ?? []).enumerated() {
            let away = dx < 0 ? step : -step
            put(id, dx + away, exit: away, radius: 0, index + 8)
        }
    }

    public mutating func showPreview(_ frame: Rect?, at now: Moment, spring: Spring) {
        guard let frame else {
            preview = nil
            return
        }
        if preview == nil { preview = AnimatedRect(Rect(center: frame.center, size: frame.size * 0.9)) }
        preview!.retarget(frame, at: now, spring: spring)
    }

    /// Motions that have come to rest are forgotten.
    public mutating func settle(at now: Moment) {
        for index in shown.values.indices {
            shown.values[index].frame.settle(at: now)
            shown.values[index].opacity.settle(at: now)
            shown.values[index].radius.settle(at: now)
        }
    }

    public static let splitRadius = 10.0
    public static let cardRadius = 14.0
    public static let pictureRadius = 12.0
    static let panGap = 20.0
}
