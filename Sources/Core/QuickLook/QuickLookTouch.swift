import Geometry

/// Fingers, wheel and keys.
extension QuickLook {
    struct Tap: Hashable, Sendable {
        var when: Moment
        var place: Point
    }

    /// The state of the fingers.
    enum Touch: Hashable, Sendable {
        case none
        /// One finger that has not moved far enough to begin a gesture.
        case undecided(begin: Point, since: Moment)
        /// Between files. `origin`: of `slide`, when the finger was at `begin`.
        case flip(begin: Point, origin: Double)
        /// Down, to close the window.
        case drop(begin: Point)
        case scroll(begin: Point, origin: Point)
        /// Two fingers. `anchor`: the point of the content at zoom 1 that stays between them.
        case pinch(first: Int, second: Int, zoom: Double, apart: Double, anchor: Point)
        /// The rest of a gesture that is over.
        case spent
    }

    /// Points that a finger moves before a gesture begins.
    static let slop = 10.0
    static let doubleTapTime = 0.35
    static let doubleTapReach = 40.0
    private static let give = 120.0

    // MARK: Fingers

    /// A finger below the bar.
    public mutating func down(_ finger: Int, _ at: Point, at now: Moment) {
        fingers[finger] = at
        switch fingers.count {
        case 1:
            tracker = VelocityTracker()
            tracker.add(at, at: now)
            // A touch stops moving content.
            if !left.isSettled(at: now) || !top.isSettled(at: now) || !zoom.isSettled(at: now) {
                left.set(left.value(at: now))
                top.set(top.value(at: now))
                zoom.set(zoom.value(at: now))
            }
            if slide.isSettled(at: now) {
                touch = .undecided(begin: at, since: now)
            } else {
                slide.set(slide.value(at: now))
                touch = .flip(begin: at, origin: slide.target)
            }
        case 2:
            beginPinch(at: now)
        default:
            break
        }
    }

    private mutating func beginPinch(at now: Moment) {
        tapped = nil
        guard !files[front].frames.isEmpty else {
            touch = .spent
            return
        }
        slide.retarget(0, at: now, spring: .layout)
        drop.retarget(0, at: now, spring: .layout)
        let pair = fingers.keys.sorted()
        let a = fingers[pair[0]]!, b = fingers[pair[1]]!
        let scale = zoom.value(at: now), middle = Point((a.x + b.x) / 2, (a.y + b.y) / 2)
        let anchor = Point(
            (middle.x - area.x - left.value(at: now)) / scale, (middle.y - area.y - top.value(at: now)) / scale)
        touch = .pinch(first: pair[0], second: pair[1], zoom: scale, apart: max(20, a.distance(to: b)), anchor: anchor)
    }

    public mutating func move(_ finger: Int, _ to: Point, at now: Moment) {
        guard fingers[finger] != nil else { return }
        fingers[finger] = to
        if case .pinch(let first, let second, let began, let apart, let anchor) = touch {
            guard let a = fingers[first], let b = fingers[second] else { return }
            let wished = began * max(1, a.distance(to: b)) / apart
            let scale = max(0.4, pulled(wished, in: 1...Self.mostZoom, give: wished < 1 ? 0.5 : 2))
            hold(anchor, at: Point((a.x + b.x) / 2, (a.y + b.y) / 2), zoom: scale)
            return
        }
        guard fingers.count == 1 else { return }
        tracker.add(to, at: now)
        if case .undecided(let begin, _) = touch, begin.distance(to: to) >= Self.slop { decide(begin, to, at: now) }
        switch touch {
        case .flip(let begin, let origin):
            let wished = origin + to.x - begin.x
            let step = size.width
            slide.set(pulled(wished, in: (front < count - 1 ? -step : 0)...(front > 0 ? step : 0), give: Self.give))
        case .drop(let begin):
            drop.set(max(0, to.y - begin.y))
        case .scroll(let begin, let origin):
            left.set(pulled(origin.x + to.x - begin.x, in: range(horizontally: true, zoom: zoom.target), give: Self.give))
            top.set(pulled(origin.y + to.y - begin.y, in: range(horizontally: false, zoom: zoom.target), give: Self.give))
        default:
            break
        }
    }

    private mutating func decide(_ begin: Point, _ to: Point, at now: Moment) {
        tapped = nil
        let way = to - begin
        let isSideways = abs(way.dx) > abs(way.dy)
        let isZoomed = zoom.value(at: now) > 1.01
        if !isZoomed, isSideways {
            touch = .flip(begin: to, origin: slide.value(at: now))
        } else if isZoomed || isTall(front) {
            touch = .scroll(begin: to, origin: Point(left.value(at: now), top.value(at: now)))
        } else {
            touch = way.dy > 0 ? .drop(begin: to) : .spent
        }
    }

    /// The content's point `anchor` at a place of the window.
    private mutating func hold(_ anchor: Point, at place: Point, zoom scale: Double) {
        zoom.set(scale)
        left.set(place.x - area.x - anchor.x * scale)
        top.set(place.y - area.y - anchor.y * scale)
    }

    public mutating func up(_ finger: Int, at now: Moment) {
        guard let place = fingers.removeValue(forKey: finger) else { return }
        let speed = tracker.velocity(at: now)
        switch touch {
        case .pinch(let first, let second, _, _, _):
            guard finger == first || finger == second else { return }
            endPinch(at: now)
            touch = .spent
        case .undecided(_, let since):
            touch = .none
            if now - since < 0.4 { tap(place, at: now) }
        case .flip:
            touch = .none
            endFlip(speed.dx, at: now)
        case .drop:
            touch = .none
            if drop.target + projectedDistance(velocity: speed.dy) > area.height * 0.4, speed.dy > -50 {
                isDone = true
            } else {
                drop.retarget(0, at: now, spring: .layout, velocity: speed.dy)
            }
        case .scroll:
            touch = .none
            throwContent(speed, at: now)
        case .none, .spent:
            break
        }
        if fingers.isEmpty { touch = .none }
    }

    /// The shell took the fingers for a gesture of its own.
    public mutating func cancel(at now: Moment) {
        fingers = [:]
        touch = .none
        tapped = nil
        slide.retarget(0, at: now, spring: .layout)
        drop.retarget(0, at: now, spring: .layout)
        settle(at: now)
    }

    private mutating func endFlip(_ speed: Double, at now: Moment) {
        let going = slide.target + projectedDistance(velocity: speed)
        if going < -size.width / 2, front < count - 1 {
            flip(by: 1, velocity: speed, at: now)
        } else if going > size.width / 2, front > 0 {
            flip(by: -1, velocity: speed, at: now)
        } else {
            slide.retarget(0, at: now, spring: .layout, velocity: speed)
        }
    }

    private mutating func throwContent(_ speed: Vector, at now: Moment) {
        func end(_ value: Animated, _ speed: Double, horizontally: Bool) -> Double {
            bounded(value.target + projectedDistance(velocity: speed) * 2, horizontally: horizontally)
        }
        // Slower than the springs of windows: a list glides.
        let glide = Spring(response: 1.1, damping: 1)
        func spring(_ value: Animated, horizontally: Bool) -> Spring {
            range(horizontally: horizontally, zoom: zoom.target).contains(value.target) ? glide : .layout
        }
        left.retarget(end(left, speed.dx, horizontally: true), at: now, spring: spring(left, horizontally: true), velocity: speed.dx)
        top.retarget(end(top, speed.dy, horizontally: false), at: now, spring: spring(top, horizontally: false), velocity: speed.dy)
    }

    private mutating func endPinch(at now: Moment) {
        let scale = zoom.target, end = min(max(scale, 1), Self.mostZoom)
        zoomContent(to: end, around: Point(area.center.x, area.center.y), at: now)
    }

    /// Animates to a zoom so that the content at `place` stays there, as far as it may.
    private mutating func zoomContent(to new: Double, around place: Point, at now: Moment) {
        let scale = zoom.value(at: now)
        let x = (place.x - area.x - left.value(at: now)) / scale, y = (place.y - area.y - top.value(at: now)) / scale
        zoom.retarget(new, at: now, spring: .layout)
        left.retarget(bounded(place.x - area.x - x * new, horizontally: true, zoom: new), at: now, spring: .layout)
        top.retarget(bounded(place.y - area.y - y * new, horizontally: false, zoom: new), at: now, spring: .layout)
    }

    private mutating func tap(_ place: Point, at now: Moment) {
        if let last = tapped, now - last.when < Self.doubleTapTime, last.place.distance(to: place) < Self.doubleTapReach {
            tapped = nil
            guard !files[front].frames.isEmpty else { return }
            zoomContent(to: zoom.target > 1.01 ? 1 : 2, around: place, at: now)
        } else {
            tapped = Tap(when: now, place: place)
        }
    }

    // MARK: Keys and wheel

    /// To another file. Returns false if there is none.
    @discardableResult
    public mutating func flip(by step: Int, velocity: Double? = nil, at now: Moment) -> Bool {
        guard files.indices.contains(front + step), step != 0 else { return false }
        front += step
        slide.set(slide.value(at: now) + Double(step) * (size.width + Self.gap))
        slide.retarget(0, at: now, spring: .layout, velocity: velocity)
        drop.set(0)
        rest()
        return true
    }

    /// Larger or smaller, around a place or the middle.
    public mutating func zoom(by factor: Double, around place: Point? = nil, at now: Moment) {
        guard !files[front].frames.isEmpty, factor.isFinite, factor > 0 else { return }
        zoomContent(to: min(max(zoom.target * factor, 1), Self.mostZoom), around: place ?? area.center, at: now)
    }

    public mutating func resetZoom(at now: Moment) {
        guard !files[front].frames.isEmpty else { return }
        zoomContent(to: 1, around: area.center, at: now)
    }

    /// By the wheel or a touchpad: at once. By keys: in motion.
    public mutating func scroll(by way: Vector, animated: Bool, at now: Moment) {
        guard way.dx.isFinite, way.dy.isFinite else { return }
        let x = bounded(left.target - way.dx, horizontally: true), y = bounded(top.target - way.dy, horizontally: false)
        if animated {
            left.retarget(x, at: now, spring: .layout)
            top.retarget(y, at: now, spring: .layout)
        } else {
            left.set(x)
            top.set(y)
        }
    }

    /// A page up or down, with a line of overlap.
    public mutating func scroll(pages: Double, at now: Moment) {
        scroll(by: Vector(0, pages * max(40, area.height - 40)), animated: true, at: now)
    }

    /// To the first or last page.
    public mutating func scrollToEnd(_ isEnd: Bool, at now: Moment) {
        scroll(by: Vector(0, isEnd ? 1e9 : -1e9), animated: true, at: now)
    }
}
