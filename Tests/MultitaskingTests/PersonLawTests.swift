import Geometry
import Interface
import Modality
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// `CoreWorld` checks these laws in every test (`System.personViolations`). Here stand the cases that people met.
@Suite("P-01 to P-04: laws that a person notices")
struct PersonLawTests {
    private func tap(_ world: inout CoreWorld, _ point: Point) {
        world.tap(at: point)
        world.rest()
    }

    @Test(
        "P-02: a press on a window gives it the keys, also where a dialog that is not modal stands on it",
        arguments: ["pad", "phone", "mac", "tv"], [nil, true])
    func dialog(name: String, isModal: Bool?) throws {
        let idiom = try #require(Idiom.allAndPlaces.first { $0.name == name })
        var world = CoreWorld(idiom: idiom)
        world.open(1, WindowFacts(appID: "editor", title: "Text", lineage: [100, 1], client: 1))
        if name == "mac" { world.act(.tile(window: one, to: .left)) }
        world.create(4, WindowFacts(appID: "editor", title: "Find", lineage: [100, 1], client: 1, parent: one, isModal: isModal))
        world.map(4)
        world.rest()
        #expect(world.workspace.focus == four, "what opens in the window that a person uses has the keys")
        let frame = try #require(world.frame(one)), dialog = try #require(world.frame(four))
        let beside = Point(frame.minX + 24, frame.maxY - 40)
        #expect(!dialog.contains(beside))
        tap(&world, beside)
        #expect(world.workspace.focus == (isModal == true ? four : one))
        #expect(world.workspace.isShown(four), "it stays above its window")
        tap(&world, dialog.center)
        #expect(world.workspace.focus == four)
        world.act(.focus(window: one))
        #expect(world.workspace.focus == (isModal == true ? four : one))
        #expect(world.finish() == [])
    }

    @Test(
        "P-02: when a question ends, the keys go to the dialog that it stood on", arguments: ["pad", "mac", "vision", "phone"], [nil, true])
    func questionOfDialog(name: String, isModal: Bool?) throws {
        var world = CoreWorld(idiom: try #require(Idiom.allAndPlaces.first { $0.name == name }))
        world.open(1, WindowFacts(appID: "editor", title: "Text", lineage: [100, 1], client: 1))
        world.create(4, WindowFacts(appID: "editor", title: "Find", lineage: [100, 1], client: 1, parent: one, isModal: isModal))
        world.map(4)
        world.create(5, WindowFacts(appID: "editor", title: "No match", lineage: [100, 1], client: 1, parent: four, isModal: true))
        world.map(5)
        world.rest()
        #expect(world.workspace.focus == WindowID(5))
        world.destroy(WindowID(5))
        world.rest()
        #expect(world.workspace.focus == four)
        #expect(world.finish() == [])
    }

    @Test("P-04: a tap on the upper edge of a dialog below another one brings it back", arguments: ["pad", "mac", "vision"])
    func dialogsStepAside(name: String) throws {
        var world = CoreWorld(idiom: try #require(Idiom.allAndPlaces.first { $0.name == name }))
        world.open(1, WindowFacts(appID: "editor", lineage: [100, 1], client: 1))
        for (raw, id) in [(4, four), (5, WindowID(5))] as [(UInt32, WindowID)] {
            world.create(raw, WindowFacts(appID: "editor", lineage: [100, 1], client: 1, parent: one))
            world.setNatural(Size(320, 200), of: id)
            world.map(raw)
        }
        world.rest()
        let lower = try #require(world.frame(four))
        tap(&world, Point(lower.minX + 40, lower.minY + 22))
        #expect(world.workspace.focus == four)
        #expect(world.finish() == [])
    }

    @Test("P-02: a person who comes back to a window with a dialog finds the keys where they were")
    func comesBack() {
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "editor", lineage: [100, 1], client: 1))
        world.create(4, WindowFacts(appID: "editor", lineage: [100, 1], client: 1, parent: one))
        world.map(4)
        for last in [four, one] {
            world.act(.focus(window: last))
            world.open(2, WindowFacts(appID: "other", lineage: [200, 1], client: 2))
            world.destroy(two)
            world.rest()
            #expect(world.workspace.focus == last)
        }
        #expect(world.finish() == [])
    }

    @Test("P-01: on a desk each choice of an action sheet answers it, and none starts an app of the dock below", arguments: 1...7)
    func actionSheet(count: Int) throws {
        for index in 0..<count {
            var world = CoreWorld(idiom: .mac)
            CoreOp.apps(8).apply(to: &world)
            world.open(1)
            let choices = (0..<count).map { ModalView.Choice("Choice \($0)") }
            world.send(.viewAsked(ModalView(ModalID(3), .actionSheet, over: one, of: "app1", title: "Which?", choices: choices)))
            world.rest()
            let control = try #require(world.controls.first { "\($0.id)" == "modal/3/choice/\(index)" })
            let before = world.effects.count
            world.tap(at: control.frame.center)
            #expect(world.effects[before...].contains { if case .viewAnswered(ModalID(3), _) = $0 { true } else { false } })
            #expect(!world.effects[before...].contains { if case .program = $0 { true } else { false } })
            #expect(world.finish() == [])
        }
    }

    /// Found by random ops: the dots above a dialog reach past the card.
    @Test(
        "P-01: below a dialog on Slide Over or Picture in Picture, no choice of a view is offered that the dots take",
        arguments: [true, false])
    func dialogOnCard(isPicture: Bool) {
        var world = CoreWorld()
        world.open(1)
        world.send(
            .viewAsked(
                ModalView(ModalID(3), .alert, over: one, of: "app1", title: "Which?", choices: (0..<6).map { .init("Choice \($0)") })))
        world.open(2, WindowFacts(appID: "other", lineage: [200, 1], client: 2))
        world.act(isPicture ? .pictureInPicture(window: two) : .slideOver(window: two))
        for width in stride(from: 140.0, through: 700, by: 140) {
            for height in stride(from: 60.0, through: 600, by: 15) {
                world.create(4, WindowFacts(appID: "other", lineage: [200, 1], client: 2, parent: two))
                world.setNatural(Size(width, height), of: four)
                world.map(4)
                world.rest()
                #expect(world.frame(four) != nil)
                world.destroy(four)
            }
        }
        #expect(world.finish() == [])
    }
}
