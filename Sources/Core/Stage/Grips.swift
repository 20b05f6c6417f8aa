import Geometry
import OrderedCollections
import Windows

/// The appearance of the dots at the top of each window (W-07): visible or hidden, and light or dark depending on
/// what is below them.
///
/// Their touch target exists in either case.
public struct Grips: Hashable, Codable, Sendable {
    /// Windows whose dots are not simply visible: 0 is hidden, 1 is visible.
    private var sight: OrderedDictionary<WindowID, Animated> = [:]
    /// The brightness of the content below the dots of a window.
    private var grounds: OrderedDictionary<WindowID, Ground> = [:]

    public init() {}

    /// The content of an app below its window's dots.
    struct Ground: Hashable, Codable, Sendable {
        var isLight: Bool
        /// Whether the content is clearly on the other side now. The brightness itself is not kept: apps change it with each
        /// frame, and it shows nothing.
        var wantsTurn = false
        /// When the dots last changed between light and dark.
        var turned: Moment

        init(brightness: Double, at now: Moment) {
            isLight = brightness > Ground.middle
            turned = now
        }

        /// The brightness that differs equally from white and black.
        static let middle = 0.46
        /// The hysteresis around the middle, so that the dots do not flicker there.
        static let margin = 0.05
        /// The minimum time between two changes, in seconds.
        static let patience = 0.25

        /// - Parameter brightness: 0 is black, 1 is white.
        mutating func note(_ brightness: Double) {
            wantsTurn = isLight ? brightness < Ground.middle - Ground.margin : brightness > Ground.middle + Ground.margin
        }
    }

    // MARK: Visibility

    /// From 0, hidden, to 1.
    public func opacity(of id: WindowID, at now: Moment) -> Double {
        guard !sight.isEmpty, let seen = sight[id] else { return 1 }
        return max(0, min(1, seen.value(at: now)))
    }

    /// Whether they are hidden or disappearing.
    public func isHidden(_ id: WindowID) -> Bool { sight[id].map { $0.target == 0 } ?? false }

    public var areAllSeen: Bool { sight.values.allSatisfy { $0.target == 1 } }

    public mutating func hide(_ id: WindowID, at now: Moment, spring: Spring) {
        guard !isHidden(id) else { return }
        var seen = sight[id] ?? Animated(1)
        seen.retarget(0, at: now, spring: spring)
        sight.updateValue(seen, forKey: id)
    }

    /// Returns true if something changed.
    public mutating func reveal(_ id: WindowID, at now: Moment, spring: Spring) {
        if isHidden(id) { sight[id]!.retarget(1, at: now, spring: spring) }
    }

    public mutating func revealAll(at now: Moment, spring: Spring) {
        for index in sight.values.indices { sight.values[index].retarget(1, at: now, spring: spring) }
    }

    func isMoving(at now: Moment) -> Bool { sight.values.contains { !$0.isSettled(at: now) } }

    /// Removes default entries, and windows that are not `shown`.
    mutating func forgetFinished(at now: Moment, shown: (WindowID) -> Bool) {
        for index in sight.values.indices { sight.values[index].stopIfSettled(at: now) }
        if !sight.isEmpty { sight.removeAll { !shown($0.key) || ($0.value.target == 1 && $0.value.isSettled(at: now)) } }
        if !grounds.isEmpty { grounds.removeAll { !shown($0.key) } }
    }

    // MARK: Light or dark

    /// nil if unknown.
    func isOnLight(_ id: WindowID) -> Bool? { grounds[id]?.isLight }

    /// Records the brightness below a window's dots. They change at the next `turn`.
    public mutating func note(_ brightness: Double, under id: WindowID, at now: Moment) {
        if grounds[id] == nil { grounds.updateValue(Ground(brightness: brightness, at: now), forKey: id) }
        grounds[id]!.note(brightness)
    }

    /// Applies due changes. Returns when the next is due.
    public mutating func turn(at now: Moment) -> Moment? {
        var next: Moment?
        for index in grounds.values.indices where grounds.values[index].wantsTurn {
            let due = grounds.values[index].turned + Ground.patience
            if due <= now {
                grounds.values[index].isLight.toggle()
                grounds.values[index].wantsTurn = false
                grounds.values[index].turned = now
            } else {
                next = min(next ?? due, due)
            }
        }
        return next
    }
}

extension Stage {
    /// Whether the dots of a window are hidden or disappearing. Every key asks.
    public func isGripHidden(_ id: WindowID) -> Bool { grips.isHidden(id) }

    /// The windows with visible dots that typing in `root` hides: the window and its dialogs. A Slide Over card keeps its dots, because
    /// they cover nothing of its app.
    public func gripsHidden(byTypingIn root: WindowID, _ workspace: Workspace) -> [WindowID] {
        guard workspace.layer(of: root) != .slideOver else { return [] }
        // Most keys come while a person types on, into a window without dialogs.
        if !workspace.hasChildren, isGripHidden(root) { return [] }
        return order.filter { id in
            guard !isGripHidden(id), read(id, { $0.level == .space || $0.base != nil }) ?? false else { return false }
            return id == root || workspace.root(of: id) == root
        }
    }

    /// Windows with hidden dots near a finger or pointer: around their upper edge, and just above it for dots that
    /// stand there.
    public func hiddenGrips(near point: Point, _ workspace: Workspace, at now: Moment) -> [WindowID] {
        guard !grips.areAllSeen else { return [] }
        return shown.keys.filter { grips.isHidden($0) && isNearGrip(of: $0, point, workspace, at: now) }
    }

    /// Whether a point is where a person looks for the dots of a window.
    public func isNearGrip(of id: WindowID, _ point: Point, _ workspace: Workspace, at now: Moment) -> Bool {
        guard let frame = shown[id]?.frame.value(at: now) else { return false }
        let reach = workspace.idiom.target
        let above = Stage.hasGripAbove(sheetCard(of: id, frame, workspace), isSheet: isPulled(id), workspace) ? reach / 2 : 0
        return Rect(frame.x, frame.y - above, frame.width, reach + above).contains(point)
    }
}
