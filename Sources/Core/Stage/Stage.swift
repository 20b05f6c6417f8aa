import Geometry
import OrderedCollections
import Windows

/// The visible windows and their motion towards their places.
///
/// Motion is a function of time (`Spring`), so nothing happens between events, and any moment can be computed.
public struct Stage: Hashable, Codable, Sendable {
    private var byAddress = ByAddress()
    /// Layers in drawing order, back to front.
    public enum Level: Int, Hashable, Codable, Sendable, Comparable {
        case leaving, space, dialog, slideOver, picture, lifted

        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

        init(_ layer: Placed.Layer) {
            switch layer {
            case .space: self = .space
            case .slideOver: self = .slideOver
            case .picture: self = .picture
            }
        }
    }

    public struct Shown: Hashable, Codable, Sendable {
        public var frame: AnimatedRect
        public var opacity: Animated
        public var radius: Animated
        public var level: Level
        /// Its place in the arrangement. While a finger holds it, its frame is elsewhere.
        public var place: Rect
        var order: Int
        /// For a dialog, the window that it stands on and moves with.
        var base: WindowID?
        /// The pace at which a finger moves it.
        var pace: Pace?
        /// The spring by which it catches up with a finger that moved on before it was known to take the window.
        var catching: Spring?
        /// How a dialog stands on its window; nil for others.
        public internal(set) var presentation: WindowHints.Presentation?
        /// Where it gets input.
        var reach = Placed.Reach.frame
        /// Of a popover, for its place.
        var arrow: PopoverArrow?
        /// How its place is seen (V-02), and how clearly.
        var perspective = Perspective.none
        var presence = 1.0

        /// Where it is drawn at rest.
        var rest: Rect { perspective.seen(place) }
    }

    public internal(set) var shown: OrderedDictionary<WindowID, Shown> = [:]
    /// Back to front. Cached, so that drawing and hit tests need not sort.
    public private(set) var order: [WindowID] = []
    /// Where the lifted window would go if it was released now.
    @Indirect public private(set) var preview: AnimatedRect?
    /// Held by a finger. `update` does not move these.
    public internal(set) var held: OrderedSet<WindowID> = []
    /// Moved along the screen by a finger, together with their space.
    private var pushed: OrderedSet<WindowID> = []
    /// The appearance of the dots of each window.
    public var grips = Grips()
    /// The brightness of the content below the bars that the shell draws on sheets (M-13).
    public var bars = Grips()
    /// The next card of Slide Over while a finger flips the stack.
    public internal(set) var coming: WindowID?
    /// An item that two fingers pull open (W-21).
    @Indirect public internal(set) var pinched: PinchedItem?
    /// Cards of Slide Over that moved behind another one but are still visible.
    var passing: OrderedDictionary<WindowID, Passing> = [:]
    /// Spaces and windows that are shown small. They are not drawn in their places.
    public internal(set) var cards: OrderedDictionary<CardID, Card> = [:]
    /// Where minimized windows are shown small: they leave into these places, and come out of them (W-25).
    public var slots: OrderedDictionary<WindowID, Rect> = [:]
    /// Where people read from right to left, the controls on bars stand at the other side; nil elsewhere.
    public var mirrorsBars: Bool?
    /// The scroll position of the app switcher, in points.
    public var scroll = Animated(0)

    public init() {}

    public func isMoving(at now: Moment) -> Bool {
        for window in shown.values
        where !(window.frame.isSettled(at: now) && window.opacity.isSettled(at: now) && window.radius.isSettled(at: now)) {
            return true
        }
        if let preview, !preview.isSettled(at: now) { return true }
        if let pinched, pinched.isMoving(at: now) { return true }
        if !cards.isEmpty, !scroll.isSettled(at: now) || cards.values.contains(where: { !$0.isSettled(at: now) }) {
            return true
        }
        return grips.isMoving(at: now)
    }

    public func frame(of id: WindowID, at now: Moment) -> Rect? {
        read(id) { $0.frame.value(at: now) }
    }

    /// Where it stands in the arrangement, wherever a finger holds it; nil if it is not shown.
    public func place(of id: WindowID) -> Rect? { read(id) { $0.place } }

    /// nil if it is not shown.
    public func level(of id: WindowID) -> Level? { read(id) { $0.level } }

    /// A part of the state of a shown window. `shown[id]` copies all of it, which costs more than most parts do.
    func read<Part>(_ id: WindowID, _ part: (borrowing Shown) -> Part) -> Part? {
        guard let index = shown.index(forKey: id) else { return nil }
        return part(shown.values.elements[index])
    }

    // MARK: Following the arrangement

    /// Animates all windows to their places in the arrangement. `thrown`: the window that a finger just released.
    public mutating func update(
        _ workspace: Workspace, at now: Moment, spring: Spring = .layout, thrown: WindowID? = nil
    ) {
        defer { forgetFinishedCards(workspace, at: now) }
        guard let screen = workspace.screen else {
            shown.removeAll()
            cards.removeAll()
            order.removeAll()
            held.removeAll()
            pushed.removeAll()
            passing = [:]
            coming = nil
            pinched = nil
            return
        }
        let parts = workspace.partFrames(), lines = workspace.modalLines()
        var wanted: OrderedDictionary<WindowID, (frame: Rect, level: Level, radius: Double, base: WindowID?, placed: Int)> = [:]
        // To grow costs more than to fill.
        wanted.reserveCapacity(8)
        let placed = workspace.placed(parts)
        func want(_ id: WindowID, at frame: Rect, _ level: Level, _ radius: Double, on base: WindowID? = nil, _ index: Int) {
            let level = held.contains(id) && self.level(of: id) == .lifted ? .lifted : level
            wanted[id] = (frame, level, radius, base, index)
            for dialog in workspace.dialogs(of: id) {
                guard let frame = workspace.frame(of: dialog, parts) else { continue }
                let above = level == .space && !placed[index].keepsDialogs ? .dialog : level
                want(dialog, at: frame, above, workspace.isCovering(dialog, lines) ? radius : 10, on: base ?? id, index)
            }
        }
        for (index, window) in placed.enumerated() { want(window.id, at: window.frame, Level(window.layer), window.radius, index) }

        var heirs: [WindowID: Shown] = [:]
        // Windows that stop being shown leave with an animation. Unmapped ones disappear at once.
        for id in shown.keys.elements.filter({ wanted[$0] == nil }) {
            guard let old = shown[id], workspace.isMapped(id) else {
                shown[id] = nil
                passing[id] = nil
                if coming == id { coming = nil }
                held.remove(id)
                pushed.remove(id)
                continue
            }
            // A held window stays, whatever came in front in the meantime.
            if isHeld(id, on: old.base) { continue }
            if old.level == .leaving {
                if !isVisible(old, at: now) {
                    shown[id] = nil
                    passing[id] = nil
                }
                continue
            }
            if exits[id] == nil, let heir = heir(of: old, among: wanted.lazy.map { ($0.key, $0.value.frame, $0.value.level) }, at: now) {
                shown[id] = nil
                heirs[heir] = old
                continue
            }
            var window = old
            let from = old.level == .slideOver ? old.frame.value(at: now) : old.rest
            window.level = .leaving
            // Windows that were pushed aside move out of sight without fading.
            if exits[id] == nil { window.opacity.retarget(0, at: now, spring: spring) }
            window.frame.retarget(passing[id]?.target ?? slots[id] ?? exit(of: id, from: from, screen), at: now, spring: spring)
            shown.updateValue(window, forKey: id)
        }
        var index = 0
        for (id, target) in wanted {
            index += 1
            let place = placed[target.placed], perspective = place.perspective, presence = place.presence
            let goal = sunk(target.frame, of: id, workspace, screen, lines) ?? perspective.seen(target.frame)
            if shown.index(forKey: id) == nil {
                let fromItem = pinchedEntrance(of: id, at: now) ?? slots[id],
                    isRisen = target.base != nil && workspace.modality == .sheets && !workspace.isPopover(id, lines)
                shown[id] =
                    heirs[id]
                    ?? Shown(
                        frame: AnimatedRect(
                            fromItem
                                ?? (isRisen
                                    ? Stage.below(screen, target.frame)
                                    : target.base == nil ? entrance(of: place, to: goal) : Stage.entrance(to: goal))),
                        opacity: Animated(
                            fromItem == nil && (target.level == .slideOver || target.base != nil) && !workspace.isPopover(id, lines) ? 1 : 0
                        ),
                        radius: Animated(target.radius), level: target.level, place: target.frame, order: index)
            }
            if !passing.isEmpty { passing[id] = nil }
            let presentation = target.base == nil ? nil : workspace.presentation(of: id, lines)
            let arrow = arrow(of: id, presentation, workspace, parts, lines)
            let isHeld = isHeld(id, on: target.base), isThrown = thrown.map { $0 == id || $0 == target.base } ?? false
            let opacity = isFading(id, workspace, lines) ? 0 : presence
            func settle(_ window: inout Shown) {
                window.level = target.level
                window.place = target.frame
                window.order = index
                window.base = target.base
                window.reach = place.reach
                window.presentation = presentation
                window.arrow = arrow
                window.perspective = perspective
                window.presence = presence
                window.radius.retarget(target.radius, at: now, spring: spring)
                window.opacity.retarget(opacity, at: now, spring: spring)
                if !isHeld { window.frame.retarget(goal, at: now, spring: isThrown ? Spring.thrown.atThePace(of: spring) : spring) }
            }
            // In its place: to take a window out and put it back costs more than all of this.
            settle(&shown.values[shown.index(forKey: id)!])
        }
        sortOrder()
        exits.removeAll()
        updatePinched(workspace, at: now, spring: spring)
        if !workspace.hasFloating && shown.isEmpty { preview = nil }
    }

    /// The new window that continues the entrance of a window that leaves before it is half visible. If a program
    /// opens a hundred windows, only one entrance is visible.
    private func heir(
        of old: Shown, among wanted: some Sequence<(id: WindowID, frame: Rect, level: Level)>, at now: Moment
    ) -> WindowID? {
        guard old.level == .space, old.base == nil, old.opacity.target == 1, old.opacity.value(at: now) < 0.5 else { return nil }
        return wanted.first { $0.level == .space && $0.frame == old.place && shown[$0.id] == nil }?.id
    }

    private func isHeld(_ id: WindowID, on base: WindowID?) -> Bool {
        if held.isEmpty, pushed.isEmpty { return false }
        return held.contains(id) || pushed.contains(id) || base.map { held.contains($0) || pushed.contains($0) } ?? false
    }

    mutating func sortOrder() {
        var ranks: [(level: Level, order: Int, id: WindowID)] = []
        ranks.reserveCapacity(shown.count)
        let windows = shown.values.elements
        for (index, id) in shown.keys.enumerated() { ranks.append((windows[index].level, windows[index].order, id)) }
        ranks.sort { a, b in a.level != b.level ? a.level < b.level : a.order < b.order }
        order.removeAll(keepingCapacity: true)
        for rank in ranks { order.append(rank.id) }
    }

    func isVisible(_ window: Shown, at now: Moment) -> Bool {
        window.level != .leaving || !(window.opacity.isSettled(at: now) && window.frame.isSettled(at: now))
    }

    private func entrance(of placed: Placed, to target: Rect) -> Rect { placed.entrance ?? Stage.entrance(to: target) }

    /// A window that appears in its place grows a little.
    private static func entrance(to target: Rect) -> Rect { Rect(center: target.center, size: target.size * 0.92) }

    /// Where sheets slide in from, and where they slide out to (M-14).
    static func below(_ screen: Screen, _ frame: Rect) -> Rect {
        frame.offset(by: Vector(0, max(0, screen.bounds.maxY + shadowBlur - frame.minY)))
    }

    /// Where a dismissed sheet slides out to, with everything on it.
    private func sunk(_ frame: Rect, of id: WindowID, _ workspace: Workspace, _ screen: Screen, _ lines: ModalLines) -> Rect? {
        guard !isFading(id, workspace, lines), let base = workspace.hiddenBase(of: id, lines), let place = shown[base]?.place else {
            return nil
        }
        return frame.offset(by: Stage.below(screen, place).origin - place.origin)
    }

    /// Windows that were pushed aside by a swipe leave in that direction.
    private var exits: [WindowID: Double] = [:]

    private func exit(of id: WindowID, from frame: Rect, _ screen: Screen) -> Rect {
        guard let dx = exits[id] else { return frame }
        return frame.offset(by: Vector(dx, 0))
    }

    // MARK: Fingers

    /// A finger takes a window and its dialogs at their drawn frames, even in motion. `catching`: the spring by which
    /// the window catches up with a finger that has moved on already.
    public mutating func take(_ id: WindowID, at now: Moment, catching: Spring? = nil) -> Rect? {
        guard let frame = frame(of: id, at: now) else { return nil }
        held.append(id)
        for index in shown.values.indices where shown.keys[index] == id || shown.values[index].base == id {
            shown.values[index].frame.stop(at: now)
            shown.values[index].pace = nil
            shown.values[index].catching = catching
            shown.values[index].level = .lifted
        }
        sortOrder()
        return frame
    }

    /// The finger holds the window at this rectangle now.
    public mutating func hold(_ id: WindowID, at frame: Rect, now: Moment) {
        guard held.contains(id), let place = read(id, { $0.place }) else { return }
        for index in shown.keys.indices where stands(at: index, on: id) {
            let target = shown.keys[index] == id ? frame : frame.map(shown.values.elements[index].place, from: place)
            shown.values[index].follow(target, at: now)
        }
    }

    /// Releases the window at its pace. The next `update` animates it to its place.
    public mutating func letGo(_ id: WindowID, at now: Moment) {
        held.remove(id)
        for index in shown.keys.indices where stands(at: index, on: id) { shown.values[index].release(at: now) }
    }

    /// Whether the window at `index` of `shown` is this one, or a dialog on it.
    private func stands(at index: Int, on id: WindowID) -> Bool { shown.keys[index] == id || shown.values.elements[index].base == id }

    /// Stops the two windows beside a divider where they are drawn. They catch up with the arrangement by `spring`.
    public mutating func stop(_ ids: [WindowID], _ workspace: Workspace, at now: Moment, spring: Spring) {
        let frames = workspace.frames()
        for id in ids {
            for window in [id] + workspace.dialogs(of: id) {
                guard let frame = frames[window], let index = shown.index(forKey: window) else { continue }
                shown.values[index].frame.stop(at: now)
                shown.values[index].place = frame
                shown.values[index].frame.retarget(shown.values[index].rest, at: now, spring: spring)
            }
        }
    }

    /// Whether it is still visibly moving. With less than two points to go, it can be pressed as if it were at rest.
    public func isInFlight(_ id: WindowID, at now: Moment) -> Bool {
        read(id) { $0.frame.isOnItsWay(at: now, by: Stage.stillMoving) } ?? false
    }

    public static let stillMoving = 2.0

    /// Moves windows to their places without animation, because a live resize follows the finger itself.
    public mutating func snap(_ ids: [WindowID], _ workspace: Workspace, at now: Moment) {
        let frames = workspace.frames()
        for id in ids where !held.contains(id) {
            for window in [id] + workspace.dialogs(of: id) {
                guard let frame = frames[window], let index = shown.index(forKey: window) else { continue }
                shown.values[index].place = frame
                shown.values[index].follow(shown.values[index].rest, at: now)
            }
        }
    }

    /// Moves the space in front to its place without animation, and removes windows that leave, because cards show
    /// that transition. Floating windows keep their own motion.
    public mutating func snapSpaces(_ workspace: Workspace) {
        let frames = workspace.frames()
        for (id, window) in shown {
            let root = window.base ?? id
            if let layer = workspace.layer(of: root), layer != .space { continue }
            if window.level == .leaving {
                shown[id] = nil
            } else if let frame = frames[id], !isHeld(id, on: window.base), let index = shown.index(forKey: id) {
                shown.values[index].frame.set(window.perspective.seen(frame))
                shown.values[index].opacity.set(shown.values[index].presence)
            }
        }
        sortOrder()
    }

    /// A window took the place of another one.
    public mutating func exchange(_ old: WindowID, by new: WindowID) {
        guard let window = shown.removeValue(forKey: old), shown[new] == nil else { return }
        shown[new] = window
        if held.remove(old) != nil { held.append(new) }
        sortOrder()
    }

    /// Puts everything into its place without animation.
    public mutating func snapAll() {
        for index in shown.values.indices {
            shown.values[index].frame.set(shown.values[index].rest)
            shown.values[index].opacity.set(shown.values[index].presence)
        }
    }

    /// Whether a finger moves spaces along the edge.
    public var isPushing: Bool { !pushed.isEmpty }

    /// The horizontal offset of the space in front from its place. A swipe may catch it in motion.
    public func panned(_ workspace: Workspace, at now: Moment) -> Double {
        guard let window = workspace.currentSpace?.windows.first.flatMap({ shown[$0] }) else { return 0 }
        return window.frame.x.value(at: now) - window.rest.x
    }

    /// Whether it is still moving from a swipe along the edge, and only horizontally.
    public func isPanning(_ workspace: Workspace, at now: Moment) -> Bool {
        guard let window = workspace.currentSpace?.windows.first.flatMap({ shown[$0] }), !window.frame.x.isSettled(at: now)
        else { return false }
        return window.frame.width.isSettled(at: now) && window.frame.y.isSettled(at: now) && window.frame.height.isSettled(at: now)
    }

    /// A finger takes the space in front where it is drawn; see `take`.
    public mutating func takeSpace(_ workspace: Workspace, at now: Moment, catching: Spring? = nil) {
        for id in workspace.currentSpace?.windows ?? [] {
            for index in shown.values.indices where shown.keys[index] == id || shown.values[index].base == id {
                shown.values[index].frame.stop(at: now)
                shown.values[index].pace = nil
                shown.values[index].catching = catching
            }
        }
    }

    /// A finger moves the space in front by `dx` points. Its neighbours follow at its sides, -1 to the left, 1 to the
    /// right. `exit`: the side to which the space in front leaves.
    public mutating func pan(
        _ workspace: Workspace, neighbours: [(space: Space, side: Double)], by dx: Double, exit: Double, at now: Moment
    ) {
        guard let screen = workspace.screen, let space = workspace.currentSpace else { return }
        let step = screen.size.width + Stage.panGap
        let frames = workspace.frames()
        exits.removeAll()
        var lead: Animated?
        func each(_ id: WindowID, exit: Double, _ change: (inout Shown) -> Void) {
            for index in shown.values.indices where shown.keys[index] == id || shown.values[index].base == id {
                change(&shown.values[index])
                exits[shown.keys[index]] = exit
            }
            pushed.append(id)
        }
        for id in space.windows {
            each(id, exit: exit * step) { $0.follow($0.rest.offset(by: Vector(dx, 0)), at: now) }
            if lead == nil, let window = shown[id] {
                lead = window.frame.x
                lead!.carry(to: window.frame.x.target - window.rest.x)
            }
        }
        for (neighbour, side) in neighbours {
            for (index, id) in neighbour.windows.enumerated() {
                guard let frame = frames[id], let lead else { continue }
                // Leave alone a window that fades out elsewhere, after a change other than a swipe.
                if let window = shown[id], window.level == .leaving, window.opacity.value(at: now) > 0.01 {
                    let drawn = window.frame.value(at: now)
                    let beside = lead.value(at: now) + window.place.x + side * step
                    if abs(drawn.x - beside) > 1, drawn.intersects(screen.bounds) { continue }
                }
                if shown[id] == nil {
                    order.insert(id, at: 0)
                    shown[id] = Shown(
                        frame: AnimatedRect(frame), opacity: Animated(1), radius: Animated(0), level: .space, place: frame,
                        order: index + 8)
                }
                each(id, exit: side * step) { window in
                    if window.level == .leaving { window.level = .space }
                    window.opacity.retarget(1, at: now, spring: .layout)
                    // It catches up together with the space in front.
                    window.frame.x = lead
                    window.frame.x.carry(to: window.place.x + dx + side * step)
                    if window.pace == nil { window.pace = Pace() }
                    window.pace!.add(Rect(window.frame.x.target, window.place.y, window.place.width, window.place.height), at: now)
                }
            }
        }
    }

    /// The finger releases the spaces at their pace. The next `update` animates them to their places.
    public mutating func letGoOfSpaces(at now: Moment) {
        for index in shown.values.indices {
            let window = shown.values[index]
            guard pushed.contains(shown.keys[index]) || window.base.map(pushed.contains) ?? false else { continue }
            shown.values[index].release(at: now)
        }
        pushed.removeAll()
    }

    public mutating func showPreview(_ frame: Rect?, at now: Moment, spring: Spring) {
        guard let frame else {
            preview = nil
            return
        }
        if preview == nil { preview = AnimatedRect(Rect(center: frame.center, size: frame.size * 0.9)) }
        preview!.retarget(frame, at: now, spring: spring)
    }

    /// Ends motions that are at rest.
    public mutating func forgetFinished(at now: Moment) {
        if pinched?.isDone(at: now) ?? false { pinched = nil }
        for index in shown.values.indices {
            shown.values[index].frame.stopIfSettled(at: now)
            shown.values[index].opacity.stopIfSettled(at: now)
            shown.values[index].radius.stopIfSettled(at: now)
        }
        let shown = shown
        if grips != Grips() { grips.forgetFinished(at: now) { shown[$0] != nil } }
        if bars != Grips() { bars.forgetFinished(at: now) { shown[$0] != nil } }
    }

    public static let cardRadius = 14.0
    static let panGap = 20.0
}
