import Geometry

extension Stage.Shown {
    /// Follows a finger, or catches up with it.
    mutating func follow(_ target: Rect, at now: Moment) {
        if let spring = catching {
            frame.retarget(target, at: now, spring: spring)
            catching = nil
        } else {
            frame.carry(to: target)
        }
        if pace == nil { pace = Pace() }
        pace!.add(target, at: now)
    }

    /// No finger holds it any more.
    mutating func release(at now: Moment) {
        frame.release(at: now, pace: pace)
        pace = nil
        catching = nil
    }
}
