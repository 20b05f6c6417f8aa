import Control
import Geometry
import Testing

@Suite("Gestures taken apart")
struct InputPlanTests {
    static func plan(_ request: InputRequest) throws -> InputPlan { try InputPlan(request) }

    @Test("a drag goes from place to place at a steady speed and lets go at it")
    func drag() throws {
        let plan = try Self.plan(.drag(from: Point(0, 0), to: Point(100, 50), duration: 160, hold: 40))
        #expect(plan.steps.first?.step == .touchDown(0, Point(0, 0)))
        #expect(plan.steps.last?.step == .touchUp(0))
        #expect(abs(plan.duration - 0.2) < 1e-9)
        var places: [(Double, Point)] = []
        for step in plan.steps { if case .touchMotion(_, let at) = step.step { places.append((step.after, at)) } }
        #expect(places.count == 20)
        #expect(places.last?.1 == Point(100, 50))
        #expect(places.last?.0 == plan.duration)
        for (a, b) in zip(places, places.dropFirst()) {
            let speed = a.1.distance(to: b.1) / (b.0 - a.0)
            #expect(abs(speed - Point(0, 0).distance(to: Point(100, 50)) / 0.16) < 1e-6)
        }
    }

    @Test("a drag may rest before it lets go, go by way of places, and be the mouse's")
    func variants() throws {
        let plan = try Self.plan(
            .drag(
                from: Point(0, 0), to: Point(100, 100), via: [Point(100, 0)], duration: 80, rest: 200, pointer: true))
        #expect(plan.steps.prefix(2).map(\.step) == [.pointerMotion(Point(0, 0)), .pointerButton(0x110, pressed: true)])
        #expect(plan.steps.last == .init(after: 0.28, step: .pointerButton(0x110, pressed: false)))
        #expect(plan.steps.contains { $0.step == .pointerMotion(Point(100, 0)) })
        for step in plan.steps {
            if case .pointerMotion(let at) = step.step { #expect(at.x == 100 || at.y == 0) }
        }
    }

    @Test("a drag may begin with a finger that is down, and leave it down")
    func parts() throws {
        let first = try Self.plan(.drag(from: Point(0, 0), to: Point(100, 0), duration: 80, rest: 40, staysDown: true))
        #expect(first.steps.first?.step == .touchDown(0, Point(0, 0)))
        #expect(first.steps.last == .init(after: 0.12, step: .touchMotion(0, Point(100, 0))))
        let second = try Self.plan(.drag(from: Point(100, 0), to: Point(100, 50), duration: 80, touch: 3, isDown: true))
        #expect(second.steps.last == .init(after: 0.08, step: .touchUp(3)))
        #expect(!second.steps.contains { if case .touchDown = $0.step { true } else { false } })
        let mouse = try Self.plan(.drag(from: .zero, to: Point(9, 9), duration: 8, pointer: true, isDown: true, staysDown: true))
        #expect(mouse.steps.allSatisfy { $0.step == .pointerMotion(Point(9, 9)) })
    }

    @Test("two fingers about a place")
    func pinch() throws {
        let plan = try Self.plan(.pinch(center: Point(50, 50), from: 20, to: 40, angle: 90, touch: 3))
        guard case .touchDown(3, let a) = plan.steps[0].step, case .touchDown(4, let b) = plan.steps[1].step else {
            Issue.record("\(plan.steps[0])")
            return
        }
        #expect(a.distance(to: Point(50, 40)) < 1e-9 && b.distance(to: Point(50, 60)) < 1e-9)
        #expect(plan.steps.suffix(2).map(\.step) == [.touchUp(3), .touchUp(4)])
    }

    @Test("keys go down in order and up in reverse")
    func keys() throws {
        // Media keys by the names that the configuration uses.
        #expect(
            try Self.plan(.press(keys: "XF86AudioRaiseVolume")).steps.map(\.step) == [.key(115, pressed: true), .key(115, pressed: false)])
        let plan = try Self.plan(.press(keys: "Super+Shift+Left"))
        #expect(
            plan.steps.map(\.step) == [
                .key(125, pressed: true), .key(42, pressed: true), .key(105, pressed: true), .key(105, pressed: false),
                .key(42, pressed: false), .key(125, pressed: false),
            ])
        let typed = try Self.plan(.type(text: "aB"))
        #expect(
            typed.steps.map(\.step) == [
                .key(30, pressed: true), .key(30, pressed: false), .key(42, pressed: true), .key(48, pressed: true),
                .key(48, pressed: false), .key(42, pressed: false),
            ])
        #expect(zip(typed.steps, typed.steps.dropFirst()).allSatisfy { $0.after <= $1.after })
        #expect(try Self.plan(.press(keys: "Ctrl++")).steps.map(\.step).contains(.key(13, pressed: true)))
    }

    @Test(
        "what cannot be done is refused",
        arguments: [
            (InputRequest.press(keys: "Super+Nothing"), "input.press.keys"), (.press(keys: ""), "input.press.keys"),
            (.press(keys: Array(repeating: "a", count: 200).joined(separator: "+")), "input.press.keys"),
            (.type(text: "ü"), "input.type.text"), (.type(text: String(repeating: "a", count: 40_000)), "input.type.text"),
            (.drag(from: .zero, to: .zero, via: Array(repeating: .zero, count: 257)), "input.drag.via"),
            (.tap(at: .zero, hold: -1), "input.tap.hold"),
            (.drag(from: .zero, to: .zero, duration: 1e12), "input.drag.duration"),
            (.pinch(center: .zero, from: -1, to: 2), "input.pinch.from"),
            (.pinch(center: .zero, from: 1, to: 2, touch: .max), "input.pinch.touch"),
        ] as [(InputRequest, String)])
    func refused(_ request: InputRequest, _ place: String) {
        #expect { try InputPlan(request) } throws: { ($0 as? ControlError)?.where == place }
    }

    @Test("several gestures play at once, each step at its time, and each is answered at its end")
    func player() throws {
        var player = InputPlayer()
        var answered: [String] = []
        func reply(_ name: String) -> ControlReply { ControlReply { _ in answered.append(name) } }
        player.add(try Self.plan(.tap(at: Point(1, 1), hold: 20)), at: .zero, reply: reply("short"))
        player.add(try Self.plan(.tap(at: Point(2, 2), hold: 40, touch: 1)), at: .zero + 0.01, reply: reply("long"))
        var steps: [InputStep] = []
        func run(to now: Moment) { while let (step, _) = player.step(at: now) { steps.append(step) } }
        run(to: .zero)
        #expect(steps == [.touchDown(0, Point(1, 1))])
        #expect(player.deadline == Moment.zero + 0.01)
        run(to: .zero + 0.02)
        #expect(steps.suffix(2) == [.touchDown(1, Point(2, 2)), .touchUp(0)])
        #expect(answered == ["short"] && !player.isEmpty)
        run(to: .zero + 1)
        #expect(steps.last == .touchUp(1) && answered == ["short", "long"] && player.isEmpty && player.deadline == nil)
    }
}
