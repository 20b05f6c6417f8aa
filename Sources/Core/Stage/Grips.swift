import Geometry
import OrderedCollections
import Windows

/// How the dots at the top of each window are seen (W-07): there or gone, and light or dark by what lies under them.
///
/// It says nothing about their target, which is there whether they are seen or not.
public struct Grips: Hashable, Codable, Sendable {
    /// Windows whose dots are not simply there: 0 is gone, 1 is seen.
    private var sight: OrderedDictionary<WindowID, Animated> = [:]
    /// What lies under the dots of a window, as far as it is known.
    private var grounds: OrderedDictionary<WindowID, Ground> = [:]

    public init() {}

    /// What an app shows under its window's dots.
    struct Ground: Hashable, Codable, Sendable {
        /// 0 is black, 1 is white.
        var brightness: Double
        var isLight: Bool
        /// When the dots were last turned from light to dark or back.
        var turned: Moment

        init(brightness: Double, at now: Moment) {
            self.brightness = brightness
            isLight = brightness > Ground.middle
            turned = now
        }

        /// At this brightness white and black differ equally from it.
        static let middle = 0.46
        /// So much past the middle it has to be, so that the dots do not flicker at the middle.
        static let margin = 0.05
        /// Seconds from one turn to the next, at least.
        static let patience = 0.25

        var wantsTurn: Bool { isLight ? brightness < Ground.middle - Ground.margin : brightness > Ground.middle + Ground.margin }
    }

    // MARK: There or gone

    /// From 0, gone, to 1.
    public func opacity(of id: WindowID, at now: Moment) -> Double {
        guard !sight.isEmpty, let seen = sight[id] else { return 1 }
        return max(0, min(1, seen.value(at: now)))
    }

    /// They are gone or going.
    public func isHidden(_ id: WindowID) -> Bool { sight[id].map { $0.target == 0 } ?? false }

    public var areAllSeen: Bool { sight.values.allSatisfy { $0.target == 1 } }

    /// True if something changed.
    mutating func hide(_ id: WindowID, at now: Moment, spring: Spring) -> Bool {
        guard !isHidden(id) else { return false }
        var seen = sight[id] ?? Animated(1)
        seen.retarget(0, at: now, spring: spring)
        sight.updateValue(seen, forKey: id)
        return true
    }

    /// True if something changed.
    public mutating func reveal(_ id: WindowID, at now: Moment, spring: Spring) -> Bool {
        guard isHidden(id) else { return false }
        sight[id]!.retarget(1, at: now, spring: spring)
        return true
    }

    public mutating func revealAll(at now: Moment, spring: Spring) {
        for index in sight.values.indices { sight.values[index].retarget(1, at: now, spring: spring) }
    }

    func isMoving(at now: Moment) -> Bool { sight.values.contains { !$0.isSettled(at: now) } }

    /// Forgets what is as it always is, and windows that are not `shown`.
    mutating func forgetFinished(at now: Moment, shown: (WindowID) -> Bool) {
        for index in sight.values.indices { sight.values[index].stopIfSettled(at: now) }
        if !sight.isEmpty { sight.removeAll { !shown($0.key) || ($0.value.target == 1 && $0.value.isSettled(at: now)) } }
        if !grounds.isEmpty { grounds.removeAll { !shown($0.key) } }
    }

    // MARK: Light or dark

    /// nil: nobody knows what lies under them.
    func isOnLight(_ id: WindowID) -> Bool? { grounds[id]?.isLight }

    /// An app shows something of this brightness there now; the dots follow with `turn`.
    /// True if nobody knew before.
    public mutating func note(_ brightness: Double, under id: WindowID, at now: Moment) -> Bool {
        let brightness = max(0, min(1, brightness))
        guard grounds[id] != nil else {
            grounds.updateValue(Ground(brightness: brightness, at: now), forKey: id)
            return true
        }
        grounds[id]!.brightness = brightness
        return false
    }

    /// Turns those that are due. True if one was; and when the next one is.
    public mutating func turn(at now: Moment) -> (isTurned: Bool, next: Moment?) {
        var isTurned = false, next: Moment?
        for index in grounds.values.indices where grounds.values[index].wantsTurn {
            let due = grounds.values[index].turned + Ground.patience
            if due <= now {
                grounds.values[index].isLight.toggle()
                grounds.values[index].turned = now
                isTurned = true
            } else {
                next = min(next ?? due, due)
            }
        }
        return (isTurned, next)
    }
}

extension Stage {
    /// The dots of a window go, and those of its dialogs. Those of a card stay: they cover nothing of its app. True if
    /// something changed.
    public mutating func hideGrips(of root: WindowID, _ workspace: Workspace, at now: Moment, spring: Spring) -> Bool {
        var isChanged = false
        for (id, shown) in shown where shown.level == .space || shown.level == .dialog {
            guard id == root || workspace.root(of: id) == root, !workspace.slideOver.stack.contains(root) else { continue }
            if grips.hide(id, at: now, spring: spring) { isChanged = true }
        }
        return isChanged
    }

    /// Windows whose hidden dots a finger or the pointer comes near: their upper edge, and what lies just above it for dots
    /// that stand there.
    public func hiddenGrips(near point: Point, _ workspace: Workspace, at now: Moment) -> [WindowID] {
        guard !grips.areAllSeen else { return [] }
        let reach = workspace.idiom.target
        return shown.keys.filter { id in
            guard grips.isHidden(id), let window = shown[id] else { return false }
            let frame = window.frame.value(at: now)
            let above = Stage.hasGripAbove(frame, on: window.level, workspace) ? reach / 2 : 0
            return Rect(frame.x, frame.y - above, frame.width, reach + above).contains(point)
        }
    }
}
