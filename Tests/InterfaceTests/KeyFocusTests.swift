import Geometry
import Seeded
import Testing
import Windows

@testable import Interface

/// The keyboard focus by itself: it knows the controls that it is given, and nothing else.
@Suite("X-02: the keyboard focus alone") struct KeyFocusTests {
    private func control(_ number: Int, _ area: ControlID.Area, at place: Point) -> ViewControl {
        ViewControl(
            id: ControlID(area, "\(number)"), role: number % 3 == 0 ? .card : .button, name: .verbatim("\(number)"),
            frame: Rect(origin: place, size: Size(60, 44)), target: Rect(origin: place, size: Size(60, 44)))
    }

    private func context(_ random: inout SeededRandom) -> KeyFocus.Context {
        var all: [ViewControl] = []
        for number in 0..<Int.random(in: 0...9, using: &random) {
            let area: ControlID.Area = [.home, .dock, .controls, .notice].randomElement(using: &random)!
            all.append(
                control(number, area, at: Point(Double.random(in: 0...900, using: &random), Double.random(in: 0...700, using: &random))))
        }
        var context = KeyFocus.Context(all)
        // The same control always does the same.
        context.destroying = Set(all.map(\.id).filter { $0.path.utf8.reduce(0) { $0 + Int($1) } % 2 == 0 })
        context.leaving = Set(all.map(\.id).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
        context.isAlways = Bool.random(using: &random)
        context.takesKeys = Int.random(in: 0..<5, using: &random) > 0
        context.ownsKeys = context.takesKeys && Int.random(in: 0..<4, using: &random) > 0
        context.view = ["home", "panel", "alert"].randomElement(using: &random)!
        context.openViews = ["home", context.view]
        context.hasPages = context.view == "home"
        context.beginning = [.first, .card(isSecond: true), .icon(nil), .answer(nil)].randomElement(using: &random)!
        return context
    }

    @Test(
        "P-03: after every event the focus is on a control that is there, and the shell gives none to one that destroys", arguments: 1...40)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed), focus = KeyFocus()
        for _ in 0..<200 {
            let context = context(&random)
            _ = focus.handle(.settled, in: context, at: .zero)
            if let at = focus.at {
                #expect(context.all.contains { $0.id == at })
                let isForced = context.all.allSatisfy { context.destroying.contains($0.id) }
                if context.isAlways, focus.heir == at, !isForced { #expect(!context.destroying.contains(at)) }
            } else if context.isAlways {
                #expect(!context.ownsKeys || context.all.isEmpty)
            }
            let event: KeyFocus.Event = [
                .moved(.left), .moved(.right), .moved(.top), .moved(.bottom), .stepped(1), .stepped(-1), .scrolled, .forgotten, .pressed,
            ].randomElement(using: &random)!
            for outcome in focus.handle(event, in: context, at: .zero) {
                if case .took(let control, _) = outcome { #expect(focus.at == control.id && context.all.contains(control)) }
            }
        }
    }

    @Test("the opposite key leads back, over however many steps")
    func back() {
        let all = (0..<9).map { control($0, .home, at: Point(Double($0 % 3) * 100, Double($0 / 3) * 100)) }
        var context = KeyFocus.Context(all), focus = KeyFocus()
        (context.takesKeys, context.ownsKeys) = (true, true)
        _ = focus.handle(.stepped(1), in: context, at: .zero)
        let start = focus.at
        for way: Side in [.right, .bottom, .right, .bottom, .top, .left, .top, .left] {
            _ = focus.handle(.moved(way), in: context, at: .zero)
        }
        #expect(focus.at == start)
    }

    @Test("where a person was in a view is where the focus comes back")
    func comesBack() {
        let home = (0..<4).map { control($0, .home, at: Point(Double($0) * 100, 0)) }, panel = [control(9, .controls, at: Point(300, 300))]
        var context = KeyFocus.Context(home), focus = KeyFocus()
        (context.isAlways, context.takesKeys, context.ownsKeys, context.view, context.openViews) = (
            true, true, true, "home", ["home", "panel"]
        )
        _ = focus.handle(.settled, in: context, at: .zero)
        _ = focus.handle(.moved(.right), in: context, at: .zero)
        _ = focus.handle(.moved(.right), in: context, at: .zero)
        _ = focus.handle(.settled, in: context, at: .zero)
        (context.all, context.view) = (panel, "panel")
        _ = focus.handle(.settled, in: context, at: .zero)
        #expect(focus.at == panel[0].id)
        (context.all, context.view) = (home, "home")
        _ = focus.handle(.settled, in: context, at: .zero)
        #expect(focus.at == home[2].id)
    }
}
