import RealModule

/// The motion of a damped spring in closed form. Any moment can be computed independently of earlier ones.
public struct Spring: Hashable, Codable, Sendable {
    /// The period of the undamped oscillation in seconds. Smaller is faster.
    public var response: Double
    /// 1 settles without overshoot; below 1 it overshoots.
    public var damping: Double

    public init(response: Double, damping: Double) {
        self.response = response
        self.damping = damping
    }

    /// For windows that change places.
    public static let layout = Spring(response: 0.36, damping: 1)
    /// For thrown things: Slide Over cards and Picture in Picture.
    public static let thrown = Spring(response: 0.4, damping: 0.82)
    /// For reduced motion: the same states without animation (law 2).
    public static let instant = Spring(response: 0, damping: 1)

    /// The same spring, faster or slower by the ratio of `other` to `layout`.
    public func atThePace(of other: Spring) -> Spring {
        Spring(response: response * other.response / Spring.layout.response, damping: damping)
    }

    /// The displacement and velocity after `t` seconds, from displacement `x` and velocity `v`, towards 0.
    public func motion(displacement x: Double, velocity v: Double, after t: Double) -> (displacement: Double, velocity: Double) {
        guard response > 0 else { return (0, 0) }
        guard t > 0 else { return (x, v) }
        let omega = 2 * Double.pi / response
        if damping >= 1 {
            let e = Double.exp(-omega * t)
            let c = v + omega * x
            return ((x + c * t) * e, (v - omega * c * t) * e)
        }
        let decay = damping * omega
        let swing = omega * (1 - damping * damping).squareRoot()
        let e = Double.exp(-decay * t), sine = Double.sin(swing * t), cosine = Double.cos(swing * t)
        let c = (v + decay * x) / swing
        return (
            e * (x * cosine + c * sine),
            e * (v * cosine - (decay * c + swing * x) * sine)
        )
    }
}

/// A number in motion: its displacement and velocity at a start time, and its target.
///
/// Retargeting keeps position and velocity, so motion can be caught and reversed at any time without a jump.
public struct Animated: Hashable, Codable, Sendable {
    public private(set) var target: Double
    private var displacement: Double
    private var velocity: Double
    private var start: Moment
    private var spring: Spring

    public init(_ value: Double) {
        target = value
        displacement = 0
        velocity = 0
        start = .zero
        spring = .instant
    }

    private func state(at now: Moment) -> (displacement: Double, velocity: Double) {
        if displacement == 0 && velocity == 0 { return (0, 0) }
        return spring.motion(displacement: displacement, velocity: velocity, after: now - start)
    }

    /// The value at a moment. Returns the exact target once the difference is invisible, so that resting content is
    /// aligned to whole pixels and sharp.
    public func value(at now: Moment) -> Double {
        let s = state(at: now)
        return isRest(s) ? target : target + s.displacement
    }

    /// Units per second.
    public func velocity(at now: Moment) -> Double { state(at: now).velocity }

    /// Whether the motion has ended: the difference is invisible and stays so. A spring only loses energy, so it
    /// stays at rest. Displacement alone would be small each time it swings through the middle.
    public func isSettled(at now: Moment) -> Bool {
        displacement == 0 && velocity == 0 || isRest(state(at: now))
    }

    private func isRest(_ s: (displacement: Double, velocity: Double)) -> Bool {
        let swing = s.velocity * spring.response / (2 * Double.pi)
        return s.displacement * s.displacement + swing * swing < 0.05 * 0.05
    }

    /// Moves to `new` from here. `velocity` replaces the current one (a finger that let go).
    public mutating func retarget(_ new: Double, at now: Moment, spring: Spring, velocity: Double? = nil) {
        if new == target && velocity == nil { return }
        let s = state(at: now)
        displacement = target + s.displacement - new
        self.velocity = velocity ?? s.velocity
        target = new
        start = now
        self.spring = spring
        if spring.response <= 0 {
            displacement = 0
            self.velocity = 0
        }
    }

    /// Sets the value without motion (a finger holds it).
    public mutating func set(_ value: Double) {
        target = value
        displacement = 0
        velocity = 0
    }

    /// Moves the target along with a finger, without changing the remaining displacement.
    public mutating func carry(to value: Double) { target = value }

    /// Whether it is so far from its target, or about to be, that the motion is visible.
    public func isOnItsWay(at now: Moment, by distance: Double) -> Bool {
        abs(value(at: now) - target) > distance || abs(value(at: now + 0.016) - target) > distance
    }

    /// Lets go at this velocity in units per second. The next `retarget` continues from there.
    public mutating func release(at now: Moment, velocity: Double) {
        let speed = velocity + (isSettled(at: now) ? 0 : self.velocity(at: now))
        set(value(at: now))
        guard speed != 0 else { return }
        self.velocity = speed
        start = now
        spring = .layout
    }

    /// Ends a motion that is settled.
    public mutating func stopIfSettled(at now: Moment) {
        guard displacement != 0 || velocity != 0, isSettled(at: now) else { return }
        displacement = 0
        velocity = 0
    }
}

/// A rectangle whose four components move by the same spring, so that adjacent rectangles that move together stay
/// adjacent.
public struct AnimatedRect: Hashable, Codable, Sendable {
    public var x: Animated
    public var y: Animated
    public var width: Animated
    public var height: Animated

    public init(_ r: Rect) {
        x = Animated(r.x)
        y = Animated(r.y)
        width = Animated(r.width)
        height = Animated(r.height)
    }

    /// The size is never negative, although a spring may overshoot.
    public func value(at now: Moment) -> Rect {
        Rect(x.value(at: now), y.value(at: now), max(0, width.value(at: now)), max(0, height.value(at: now)))
    }

    public var target: Rect { Rect(x.target, y.target, width.target, height.target) }

    public func isSettled(at now: Moment) -> Bool {
        x.isSettled(at: now) && y.isSettled(at: now) && width.isSettled(at: now) && height.isSettled(at: now)
    }

    /// - Parameter velocity: of the whole rectangle; replaces the velocity of its origin.
    public mutating func retarget(_ r: Rect, at now: Moment, spring: Spring, velocity: Vector? = nil) {
        x.retarget(r.x, at: now, spring: spring, velocity: velocity?.dx)
        y.retarget(r.y, at: now, spring: spring, velocity: velocity?.dy)
        width.retarget(r.width, at: now, spring: spring)
        height.retarget(r.height, at: now, spring: spring)
    }

    public mutating func set(_ r: Rect) {
        x.set(r.x)
        y.set(r.y)
        width.set(r.width)
        height.set(r.height)
    }

    public func isOnItsWay(at now: Moment, by distance: Double) -> Bool {
        x.isOnItsWay(at: now, by: distance) || y.isOnItsWay(at: now, by: distance) || width.isOnItsWay(at: now, by: distance)
            || height.isOnItsWay(at: now, by: distance)
    }

    /// Stops at the current position.
    public mutating func stop(at now: Moment) { set(value(at: now)) }

    /// Moves along with a finger; see `Animated.carry`.
    public mutating func carry(to r: Rect) {
        x.carry(to: r.x)
        y.carry(to: r.y)
        width.carry(to: r.width)
        height.carry(to: r.height)
    }

    /// Lets go at the pace of the finger that carried it, but no faster than `most`.
    public mutating func release(at now: Moment, pace: Pace?, most: Double = .infinity) {
        let speed = pace?.velocity(at: now, most: most) ?? .zero
        x.release(at: now, velocity: speed.x)
        y.release(at: now, velocity: speed.y)
        width.release(at: now, velocity: speed.width)
        height.release(at: now, velocity: speed.height)
    }

    public mutating func stopIfSettled(at now: Moment) {
        x.stopIfSettled(at: now)
        y.stopIfSettled(at: now)
        width.stopIfSettled(at: now)
        height.stopIfSettled(at: now)
    }
}

/// The velocity of a finger, from its last twentieth of a second: a finger that turned back a moment ago goes back.
public struct VelocityTracker: Hashable, Codable, Sendable {
    private var samples: [Sample] = []

    struct Sample: Hashable, Codable, Sendable {
        var when: Moment
        var point: Point
    }

    public init() {}

    public mutating func add(_ point: Point, at when: Moment) {
        if let last = samples.last, when <= last.when {
            samples[samples.count - 1].point = point
            return
        }
        samples.append(Sample(when: when, point: point))
        while samples.count > 2, when - samples[0].when > 0.05 { samples.removeFirst() }
    }

    /// Points per second at `now`; zero if the finger has rested for a tenth of a second.
    public func velocity(at now: Moment) -> Vector {
        guard let first = samples.first, let last = samples.last, samples.count > 1, now - last.when < 0.1 else {
            return .zero
        }
        let span = last.when - first.when
        guard span > 0.001 else { return .zero }
        return (last.point - first.point) * (1 / span)
    }
}

/// The velocity and growth of a rectangle that follows a finger.
public struct Pace: Hashable, Codable, Sendable {
    private var origin = VelocityTracker()
    private var size = VelocityTracker()

    public init() {}

    public mutating func add(_ r: Rect, at when: Moment) {
        origin.add(r.origin, at: when)
        size.add(Point(r.width, r.height), at: when)
    }

    /// The change of the four components per second. `most` limits the speed of the origin, and scales the rest in
    /// proportion.
    public func velocity(at now: Moment, most: Double = .infinity) -> Rect {
        let way = origin.velocity(at: now), growth = size.velocity(at: now)
        let share = way.length > most ? most / way.length : 1
        return Rect(way.dx * share, way.dy * share, growth.dx * share, growth.dy * share)
    }
}

/// The distance that something thrown with `velocity` would travel under friction. Determines the corner or edge that
/// it was thrown at.
public func projectedDistance(velocity: Double) -> Double {
    // The distance of a velocity that decays by 0.4 % per millisecond, the usual rate of touch lists.
    velocity * 0.25
}

extension Spring {
    /// Limits the velocity of a flick, so that what is flicked overshoots its resting place only a little.
    public func tamed(_ velocity: Double, over way: Double) -> Double {
        guard response > 0 else { return 0 }
        let most = (abs(way) + 40) * 2 * .pi / response
        return max(-most, min(most, velocity))
    }
}
