import Geometry
import Multitasking
import Seat
import Windows

/// Fingers on a `CoreWorld`, in points of the screen.
extension CoreWorld {
    @discardableResult
    public mutating func touch(_ finger: Int32 = 0, down point: Point) -> [Effect] {
        guard fingers[finger] == nil else { return [] }
        fingers[finger] = point
        let effects = send(.touchDown(finger, at: point, over: overlay(at: point)))
        return effects + send(.touchFrame)
    }

    /// Returns the overlay that an adapter would report at this point: the topmost mapped panel above the windows.
    public func overlay(at point: Point) -> Overlay? {
        let above = system.seat.panels.filter { system.seat.takesInput(.panel($0.key)) && $0.value.frame?.contains(point) ?? false }
        let top = above.elements.reversed().max { $0.value.facts.layer.rawValue < $1.value.facts.layer.rawValue }
        return top.map { .panel($0.key) }
    }

    /// nil if the panel has no place on the screen.
    func middle(ofPanel raw: UInt32) -> Point? {
        guard let screen = workspace.screen, let frame = system.seat.panels[PanelID(raw)]?.frame else { return nil }
        let x = max(frame.minX, 0), y = max(frame.minY, 0)
        guard x < min(frame.maxX, screen.size.width), y < min(frame.maxY, screen.size.height) else { return nil }
        return Point((x + min(frame.maxX, screen.size.width)) / 2, (y + min(frame.maxY, screen.size.height)) / 2)
    }

    /// The pointer moves.
    @discardableResult
    public mutating func point(at point: Point) -> [Effect] { send(.pointerMotion(at: point, over: overlay(at: point))) }

    @discardableResult
    public mutating func touch(_ finger: Int32 = 0, to point: Point) -> [Effect] {
        guard fingers[finger] != nil else { return [] }
        fingers[finger] = point
        return send(.touchMotion(finger, at: point))
    }

    /// A straight way at an even pace, the last point at the end of it.
    public mutating func slide(_ finger: Int32 = 0, to end: Point, over milliseconds: Double = 200, steps: Int = 12) {
        guard let start = fingers[finger] else { return }
        for step in 1...steps {
            wait(milliseconds / Double(steps))
            touch(finger, to: start + (end - start) * (Double(step) / Double(steps)))
        }
    }

    @discardableResult
    public mutating func lift(_ finger: Int32 = 0) -> [Effect] {
        guard fingers.removeValue(forKey: finger) != nil else { return [] }
        return send(.touchUp(finger))
    }

    /// The device takes the touch back.
    @discardableResult
    public mutating func take(_ finger: Int32 = 0) -> [Effect] {
        guard fingers.removeValue(forKey: finger) != nil else { return [] }
        return send(.touchCancel(finger))
    }

    /// Down, a straight way, a rest if asked for (then nothing is thrown), up.
    public mutating func drag(_ finger: Int32 = 0, from start: Point, to end: Point, over milliseconds: Double = 300, resting: Bool = true)
    {
        touch(finger, down: start)
        slide(finger, to: end, over: milliseconds)
        if resting { wait(150) }
        lift(finger)
    }

    public mutating func tap(_ finger: Int32 = 0, at point: Point) {
        touch(finger, down: point)
        wait(60)
        lift(finger)
    }

    /// Returns the point of a spot; fails if the spot does not exist.
    public func spot(_ spot: CoreSpot) -> Point {
        guard let point = spot.point(in: self) else { preconditionFailure("there is no \(spot)") }
        return point
    }

    /// Everything is let go of.
    public mutating func liftAll() {
        for finger in fingers.keys.sorted() { lift(finger) }
        for button in [0x110, 0x111, 0x112] as [UInt32] { send(.pointerButton(button, pressed: false)) }
    }
}
