import Geometry
import OrderedCollections
import Windows

/// Flips the Slide Over stack: the front card follows the finger, and the next one appears from behind it.
extension Stage {
    /// A card that is no longer in front but still visible: moving aside, or back behind the front one.
    struct Passing: Hashable, Codable, Sendable {
        var target: Rect
        /// Whether it is drawn above the front card, as it was while dragged.
        var isAbove: Bool
    }

    /// The scale of the next card while it is behind.
    static let behindScale = 0.9

    /// The frame of a card behind the front one, `share` of the way to its place.
    private static func behind(_ place: Rect, _ share: Double) -> Rect {
        Rect(center: place.center, size: place.size * (behindScale + (1 - behindScale) * share))
    }

    /// Shows the next card at `share` (0 to 1) of its way. If it is already visible, it continues from there.
    public mutating func come(_ id: WindowID, to place: Rect, share: Double, at now: Moment) {
        if coming != id { endComing(at: now) }
        coming = id
        let frame = Stage.behind(place, share), opacity = min(1, share * 2)
        if shown[id] == nil {
            shown[id] = Shown(
                frame: AnimatedRect(frame), opacity: Animated(opacity), radius: Animated(0), level: .lifted, place: place, order: -1)
            held.append(id)
            sortOrder()
        } else if !held.contains(id) {
            // It is still leaving, because the finger was fast.
            _ = take(id, at: now, catching: .layout)
            shown[id]!.order = -1
            shown[id]!.place = place
            passing[id] = nil
            sortOrder()
        }
        shown[id]!.follow(frame, at: now)
        if shown[id]!.opacity.isSettled(at: now) { shown[id]!.opacity.set(opacity) } else { shown[id]!.opacity.carry(to: opacity) }
    }

    /// No card appears any more. The current one goes back behind.
    public mutating func endComing(at now: Moment) {
        guard let id = coming, let window = shown[id] else { return coming = nil }
        coming = nil
        letGo(id, at: now)
        passing[id] = Passing(target: Stage.behind(window.place, 0), isAbove: false)
    }

    /// The finger let go and the stack is flipped: the dragged card continues aside, and the next one moves to its
    /// place.
    public mutating func flipped(_ front: WindowID, by way: Double, at now: Moment) {
        guard let window = shown[front] else { return }
        if let id = coming {
            letGo(id, at: now)
            coming = nil
        }
        let step = window.place.width * (way < 0 ? -1 : 1)
        passing[front] = Passing(target: window.place.offset(by: Vector(step, 0)), isAbove: true)
    }
}

/// By a drag along the card's lower strip, or by an action.
extension Stage {
    /// The card follows the finger, and the next one appears from behind it; the only card of a stack resists.
    public mutating func flip(_ window: WindowID, from start: Rect, by dx: Double, _ workspace: Workspace, at now: Moment) {
        let stack = workspace.slideOver.stack
        guard stack.count > 1, stack.first == window else {
            endComing(at: now)
            return hold(window, at: start.offset(by: Vector(rubberBand(dx, low: 0, high: 0, give: 0.15), 0)), now: now)
        }
        hold(window, at: start.offset(by: Vector(dx, 0)), now: now)
        guard dx != 0, let place = workspace.frame(of: window, workspace.partFrames()) else { return }
        come(dx < 0 ? stack[1] : stack[stack.count - 1], to: place, share: min(1, abs(dx) / max(1, place.width)), at: now)
    }

    /// The same motion without a finger, before the stack is flipped.
    public mutating func flipStack(forward: Bool, _ workspace: Workspace, at now: Moment) {
        let slideOver = workspace.slideOver
        guard slideOver.stack.count > 1, !slideOver.isHidden, !workspace.isHome,
            let place = workspace.frame(of: slideOver.stack[0], workspace.partFrames())
        else { return }
        come(forward ? slideOver.stack[1] : slideOver.stack[slideOver.stack.count - 1], to: place, share: 0, at: now)
        flipped(slideOver.stack[0], by: forward ? -1 : 1, at: now)
    }
}
