import Geometry
import Idioms

/// How things move, by a person's choices.
extension Preferences {
    var spring: Spring {
        guard !reducedMotion else { return .instant }
        return Spring(response: Spring.layout.response / animationSpeed, damping: Spring.layout.damping)
    }

    /// The spring with which flicked things glide to their resting place.
    var momentum: Spring {
        guard !reducedMotion else { return .instant }
        return Spring(response: 0.55 / animationSpeed, damping: 1)
    }

    /// The spring with which a thing catches up with a finger that moved before the gesture was recognised.
    func catching(_ measures: GestureMeasures) -> Spring {
        guard !reducedMotion else { return .instant }
        return Spring(response: measures.catchResponse / animationSpeed, damping: 1)
    }

    /// The spring with which a lifted window becomes small.
    func lifting(_ measures: GestureMeasures) -> Spring { reducedMotion ? .instant : Spring(response: measures.liftResponse, damping: 1) }

    /// 1 where people read from left to right, -1 where they read from right to left, where pages run the other way.
    var readingWay: Double { appearance.isRightToLeft ? -1 : 1 }
}
