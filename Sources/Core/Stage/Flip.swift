import Geometry
import OrderedCollections
import Windows

/// Flipping the Slide Over stack: the front card goes with the finger, and the next one comes from behind it.
extension Stage {
    /// A card that is not in front any more, and still seen: on its way aside, or back behind the front one.
    struct Passing: Hashable, Codable, Sendable {
        var target: Rect
        /// It is drawn over the front card, as it was in the hand.
        var isAbove: Bool
    }

    /// How much smaller the next card is while it is behind.
    static let behindScale = 0.9

    /// Where a card stands behind the front one, `share` of the way to its place.
    private static func behind(_ place: Rect, _ share: Double) -> Rect {
        Rect(center: place.center, size: place.size * (behindScale + (1 - behindScale) * share))
    }

    /// The next card comes, `share` (0 to 1) of its way. Where it is drawn already it goes on from there.
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
            // It is still leaving: the finger was quick.
            _ = take(id, at: now, catching: .layout)
            shown[id]!.order = -1
            shown[id]!.place = place
            passing[id] = nil
            sortOrder()
        }
        shown[id]!.follow(frame, at: now)
        if shown[id]!.opacity.isSettled(at: now) { shown[id]!.opacity.set(opacity) } else { shown[id]!.opacity.carry(to: opacity) }
    }

    /// No card comes any more: the one that did goes back behind.
    public mutating func endComing(at now: Moment) {
        guard let id = coming, let window = shown[id] else { return coming = nil }
        coming = nil
        letGo(id, at: now)
        passing[id] = Passing(target: Stage.behind(window.place, 0), isAbove: false)
    }

    /// The finger lets go, and the stack is flipped: the card in the hand goes on aside, the next one to its place.
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
