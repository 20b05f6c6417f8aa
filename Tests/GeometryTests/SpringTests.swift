import Foundation
import Geometry
import Testing

@Suite("Springs")
struct SpringTests {
    /// The same spring by small steps: x'' = -2ζω x' - ω² x (Runge-Kutta of the fourth order).
    private func integrate(_ spring: Spring, _ x0: Double, _ v0: Double, until end: Double) -> (Double, Double) {
        let omega = 2 * Double.pi / spring.response, steps = 4000, h = end / Double(steps)
        func slope(_ x: Double, _ v: Double) -> (Double, Double) { (v, -2 * spring.damping * omega * v - omega * omega * x) }
        var x = x0, v = v0
        for _ in 0..<steps {
            let a = slope(x, v)
            let b = slope(x + a.0 * h / 2, v + a.1 * h / 2)
            let c = slope(x + b.0 * h / 2, v + b.1 * h / 2)
            let d = slope(x + c.0 * h, v + c.1 * h)
            x += h / 6 * (a.0 + 2 * b.0 + 2 * c.0 + d.0)
            v += h / 6 * (a.1 + 2 * b.1 + 2 * c.1 + d.1)
        }
        return (x, v)
    }

    @Test(
        "the closed form is the motion itself",
        arguments: [
            Spring.layout, .thrown, Spring(response: 0.16, damping: 1), Spring(response: 0.5, damping: 0.3),
        ])
    func closedForm(spring: Spring) {
        for (x, v) in [(100.0, 0.0), (-300, 2000), (0, -5000), (595, -1200)] {
            for t in [0.01, 0.05, 0.13, 0.3, 0.8] {
                let exact = spring.motion(displacement: x, velocity: v, after: t)
                let stepped = integrate(spring, x, v, until: t)
                #expect(abs(exact.displacement - stepped.0) < 0.001, "at \(t)")
                #expect(abs(exact.velocity - stepped.1) < 0.05, "at \(t)")
            }
        }
    }

    @Test("the layout spring never overshoots from rest; it is there within a second")
    func layout() {
        for t in stride(from: 0.0, through: 2, by: 0.01) {
            let x = Spring.layout.motion(displacement: 500, velocity: 0, after: t).displacement
            #expect(x >= 0 && x <= 500)
        }
        var value = Animated(0)
        value.retarget(1180, at: .zero, spring: .layout)
        #expect(value.isSettled(at: .milliseconds(1000)))
        #expect(!value.isSettled(at: .milliseconds(100)))
    }

    @Test("reduced motion is there at once")
    func instant() {
        var value = Animated(0)
        value.retarget(100, at: .zero, spring: .instant, velocity: 5000)
        #expect(value.value(at: .zero) == 100 && value.velocity(at: .zero) == 0)
        #expect(value.isSettled(at: .zero))
    }

    @Test("law 2: sent elsewhere in flight, neither place nor speed jumps")
    func retarget() {
        for spring in [Spring.layout, .thrown] {
            var value = Animated(0)
            value.retarget(600, at: .zero, spring: .layout)
            for step in 1...20 {
                let now = Moment.milliseconds(Double(step) * 23)
                let place = value.value(at: now), speed = value.velocity(at: now)
                value.retarget(step.isMultiple(of: 2) ? 600 : -100, at: now, spring: spring)
                #expect(abs(value.value(at: now) - place) < 1e-9)
                #expect(abs(value.velocity(at: now) - speed) < 1e-6)
            }
        }
    }

    @Test("the same target again changes nothing; a finger's speed does")
    func sameTarget() {
        var value = Animated(0)
        value.retarget(100, at: .zero, spring: .layout)
        let before = value
        value.retarget(100, at: .milliseconds(50), spring: .thrown)
        #expect(value == before)
        value.retarget(100, at: .milliseconds(50), spring: .thrown, velocity: 900)
        #expect(abs(value.velocity(at: .milliseconds(50)) - 900) < 1e-9)
        #expect(abs(value.value(at: .milliseconds(50)) - before.value(at: .milliseconds(50))) < 1e-9)
    }

    @Test("a finger holds it; at rest it is exactly where it belongs")
    func setAndSettle() {
        var value = Animated(0)
        value.retarget(100, at: .zero, spring: .layout)
        value.set(40)
        #expect(value.value(at: .milliseconds(500)) == 40)
        value.retarget(100, at: .zero, spring: .layout)
        value.stopIfSettled(at: .milliseconds(10))
        #expect(value.value(at: .milliseconds(10)) < 100, "not at rest yet")
        value.stopIfSettled(at: .milliseconds(3000))
        #expect(value.value(at: .milliseconds(3000)) == 100)
    }

    @Test("a moment before the start, and one very long after it, are no trap")
    func extremes() {
        var value = Animated(0)
        value.retarget(100, at: .milliseconds(1000), spring: .layout)
        #expect(value.value(at: .zero) == 0)
        #expect(value.value(at: Moment(nanoseconds: .max)) == 100)
        value.retarget(-100, at: Moment(nanoseconds: .max), spring: .thrown)
        #expect(value.value(at: Moment(nanoseconds: .max)).isFinite)
    }

    @Test("neighbours that move together stay neighbours")
    func neighbours() {
        var left = AnimatedRect(Rect(0, 0, 585, 820)), right = AnimatedRect(Rect(595, 0, 585, 820))
        left.retarget(Rect(0, 0, 390, 820), at: .zero, spring: .layout)
        right.retarget(Rect(400, 0, 780, 820), at: .zero, spring: .layout)
        for step in 0...60 {
            let now = Moment.milliseconds(Double(step) * 16)
            #expect(abs(right.value(at: now).minX - left.value(at: now).maxX - 10) < 1e-6)
            #expect(abs(right.value(at: now).maxX - 1180) < 1e-6)
        }
    }

    @Test("a size never becomes negative, however it overshoots")
    func size() {
        var rect = AnimatedRect(Rect(0, 0, 1000, 1000))
        rect.retarget(Rect(0, 0, 1, 1), at: .zero, spring: Spring(response: 0.4, damping: 0.3))
        for step in 0...100 {
            let r = rect.value(at: .milliseconds(Double(step) * 10))
            #expect(r.width >= 0 && r.height >= 0)
        }
    }

    @Test("written and read in flight, it goes on the same")
    func json() throws {
        var rect = AnimatedRect(Rect(0, 0, 100, 100))
        rect.retarget(Rect(50, 60, 70, 80), at: .milliseconds(5), spring: .thrown, velocity: Vector(100, -3))
        let again = try JSONDecoder().decode(AnimatedRect.self, from: JSONEncoder().encode(rect))
        #expect(again == rect)
        #expect(again.value(at: .milliseconds(77)) == rect.value(at: .milliseconds(77)))
    }
}

@Suite("How fast a finger moves")
struct VelocityTests {
    @Test("a finger that turned back 33 ms ago goes the way that it came last")
    func turnedBack() {
        var tracker = VelocityTracker(), x = 1000.0
        for step in 0..<14 {
            x += step < 12 ? -12 : 12
            tracker.add(Point(x, 0), at: .zero + Double(step) / 60)
        }
        #expect(tracker.velocity(at: .zero + 13.0 / 60).dx > 0)
    }

    @Test("an even pace is measured as it is, whatever the rate of samples", arguments: [1.0, 4, 8, 16])
    func even(milliseconds: Double) {
        var tracker = VelocityTracker()
        var t = 0.0
        while t <= 300 {
            tracker.add(Point(t * 1.5, -t), at: .milliseconds(t))
            t += milliseconds
        }
        let v = tracker.velocity(at: .milliseconds(300))
        #expect(abs(v.dx - 1500) < 1 && abs(v.dy + 1000) < 1)
    }

    @Test("a finger that rests before it is lifted throws nothing")
    func rested() {
        var tracker = VelocityTracker()
        for t in 0..<20 { tracker.add(Point(Double(t) * 10, 0), at: .milliseconds(Double(t) * 8)) }
        #expect(tracker.velocity(at: .milliseconds(160)).dx > 1000)
        #expect(tracker.velocity(at: .milliseconds(300)) == .zero)
    }

    @Test("only the last twentieth of a second counts")
    func recent() {
        var tracker = VelocityTracker()
        for t in 0..<50 { tracker.add(Point(Double(t) * 50, 0), at: .milliseconds(Double(t) * 8)) }
        for t in 0..<20 { tracker.add(Point(2450 - Double(t), 0), at: .milliseconds(400 + Double(t) * 8)) }
        #expect(tracker.velocity(at: .milliseconds(552)).dx < 0)
    }

    @Test("samples of one moment, and clocks that go back, are no trap")
    func sameMoment() {
        var tracker = VelocityTracker()
        tracker.add(Point(0, 0), at: .milliseconds(10))
        tracker.add(Point(500, 0), at: .milliseconds(10))
        #expect(tracker.velocity(at: .milliseconds(10)) == .zero)
        tracker.add(Point(700, 0), at: .milliseconds(5))
        #expect(tracker.velocity(at: .milliseconds(10)) == .zero)
    }
}
