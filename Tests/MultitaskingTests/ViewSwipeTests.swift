import Geometry
import Interface
import Modality
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// The cards of action sheets and activity views under a finger (M-05, M-14).
@Suite("Swipes on views of the shell") struct ViewSwipeTests {
    private static let id = ModalID(1)

    private func world(_ kind: ModalKind = .activity, size: Size = Size(1180, 820)) -> CoreWorld {
        var world = CoreWorld(size: size)
        world.send(
            .appsChanged([
                App(
                    id: "viewer", name: "Viewer", command: ["viewer"], takesFiles: true, mimeTypes: ["image/png"],
                    filePlace: FilePlace(index: 1, isMany: true, takesAddresses: false))
            ]))
        world.open(1)
        ask(&world, kind)
        world.rest()
        return world
    }

    private func ask(_ world: inout CoreWorld, _ kind: ModalKind) {
        let sharing = kind == .activity ? Sharing(files: [Sharing.File("a.png", types: ["image/png"])]) : nil
        let choices = kind == .activity ? [] : [ModalView.Choice("Delete", .destructive), .init("Keep", .cancel)]
        world.send(.viewAsked(ModalView(Self.id, kind, over: one, of: "app1", title: "A thing", choices: choices, sharing: sharing)))
    }

    private func answers(_ world: CoreWorld) -> [ModalAnswer] {
        world.effects.compactMap { if case .viewAnswered(_, let answer) = $0 { answer } else { nil } }
    }

    private func card(_ world: CoreWorld) -> Rect? { world.system.controls(at: world.now).last { $0.id == "modal/1" }?.frame }

    /// Where fingers come down on a card: on its title, on a button, and on an app or the last button.
    private func spots(_ world: CoreWorld) -> [Point] {
        let card = card(world)!
        let buttons = world.system.controls(at: world.now).filter { $0.id.isPart(of: "modal/1") && $0.press != nil && $0.role != .panel }
        return [Point(card.center.x, card.minY + 10), buttons.first!.frame.center, buttons.last!.frame.center]
    }

    @Test(
        "M-05, M-14: a swipe down from anywhere on the card dismisses an activity view and an action sheet, and chooses nothing else",
        arguments: [
            ModalKind.activity, .actionSheet,
        ])
    func dismisses(kind: ModalKind) {
        for spot in spots(world(kind)) {
            for (way, milliseconds) in [(60.0, 60.0), (320, 200), (320, 900)] {
                var world = world(kind)
                let before = card(world)!
                world.touch(down: spot)
                world.slide(to: spot + Vector(4, way), over: milliseconds)
                let moved = card(world)!.y - before.y
                // No further than out of sight.
                #expect(abs(moved - min(way, 828 - before.y)) < 1, "it follows the finger: \(moved) of \(way)")
                world.lift()
                world.rest()
                #expect(answers(world) == [kind == .activity ? .dismissed : .chose(1)], "\(spot) \(way) \(milliseconds)")
                #expect(card(world) == nil)
                #expect(!world.effects.contains { if case .share = $0 { true } else { false } })
                #expect(world.finish() == [])
            }
        }
    }

    @Test(
        "M-14: pulled a little, pulled back, pulled up or sideways it springs back to its place; upwards it resists",
        arguments: [
            ModalKind.activity, .actionSheet,
        ])
    func springsBack(kind: ModalKind) {
        for spot in spots(world(kind)) {
            for ways in [[Vector(0, 60)], [Vector(0, 300), Vector(0, 20)], [Vector(0, -200)], [Vector(340, 0)], [Vector(-150, -90)]] {
                var world = world(kind)
                let place = card(world)!
                world.touch(down: spot)
                for way in ways { world.slide(to: spot + way, over: 600) }
                world.wait(400)
                #expect(card(world)!.y > place.y - 40, "it resists")
                world.lift()
                world.rest()
                #expect(answers(world) == [], "\(spot) \(ways)")
                #expect(card(world) == place)
                #expect(world.finish() == [])
            }
        }
    }

    @Test("M-09: an action sheet whose program names no choice that cancels has a button that dismisses it; with one it has that")
    func cancels() throws {
        var world = CoreWorld()
        world.open(1)
        world.send(
            .viewAsked(
                ModalView(
                    Self.id, .actionSheet, over: one, of: "app1", title: "A thing",
                    choices: [.init("Archive"), .init("Delete", .destructive)])))
        world.rest()
        func buttons(_ world: CoreWorld) -> [ViewControl] {
            world.system.controls(at: world.now).filter { $0.role == .button && $0.id.area == .modal }
        }
        #expect(buttons(world).map(\.name) == [.verbatim("Archive"), .verbatim("Delete"), .message(.cancel)])
        world.tap(at: try #require(buttons(world).last).frame.center)
        world.rest()
        #expect(answers(world) == [.dismissed])
        #expect(buttons(self.world(.actionSheet)).map(\.name) == [.verbatim("Delete"), .verbatim("Keep")])
        #expect(world.finish() == [])
    }

    @Test("M-07: an alert with a long message is wider, so that more of it can be read; one with a short message is not")
    func longMessages() throws {
        func width(_ message: String, size: Size = Size(1180, 820)) throws -> Double {
            var world = CoreWorld(size: size)
            world.open(1)
            world.send(.viewAsked(ModalView(Self.id, .alert, over: one, of: "app1", title: "A thing", message: message)))
            world.rest()
            let frame = try #require(world.system.controls(at: world.now).first { $0.id == "modal/1/message" }).frame.inset(by: -20)
            #expect(world.frame(one)!.contains(frame))
            return frame.width
        }
        #expect(try width("A few words.") == 320)
        #expect(try width(String(repeating: "word ", count: 800)) == 640)
        #expect(try width(String(repeating: "word ", count: 800), size: Size(480, 320)) < 480)
    }

    @Test("M-14: a finger catches the card on its way up and back, where it is, and takes it away")
    func interruptible() throws {
        var world = world()
        let place = try #require(card(world)), spot = Point(place.center.x, place.minY + 10)
        world.drag(from: spot, to: spot + Vector(0, 120), over: 300)
        world.wait(30)
        let onItsWay = try #require(card(world)).y
        #expect(onItsWay > place.y + 20 && onItsWay < place.y + 120)
        // On an app, which is not chosen.
        let button = try #require(world.system.controls(at: world.now).last { $0.id == "modal/1/choice/0" }).frame.center
        world.touch(down: button)
        let caught = try #require(card(world)).y
        world.wait(200)
        #expect(try #require(card(world)).y == caught, "it stands under the finger")
        world.slide(to: button + Vector(0, 40), over: 100)
        #expect(abs(try #require(card(world)).y - caught - 40) < 1)
        world.slide(to: button + Vector(0, 300), over: 300)
        world.lift()
        world.rest()
        #expect(answers(world) == [.dismissed])
        #expect(world.finish() == [])

        // On its way in.
        var second = CoreWorld()
        second.open(1)
        second.rest()
        ask(&second, .actionSheet)
        for _ in 0..<100 where card(second).map({ $0.minY > 720 }) ?? true { second.wait(8) }
        let coming = try #require(card(second))
        #expect(coming.minY > 640, "not there yet")
        second.touch(down: Point(coming.center.x, coming.minY + 6))
        second.wait(150)
        let held = try #require(card(second))
        #expect(abs(held.y - coming.y) < 0.5, "\(held) after \(coming)")
        second.lift()
        second.rest()
        #expect(answers(second) == [] && card(second) != nil)
        #expect(second.finish() == [])
    }

    @Test("Its program or its window goes while a finger holds it, or another finger takes over: nothing is left behind (law 4)")
    func goesUnderTheFinger() throws {
        for event in [0, 1, 2, 3] {
            var world = world()
            let spot = spots(world)[0]
            world.touch(down: spot)
            world.slide(to: spot + Vector(0, 80), over: 100)
            switch event {
            case 0: world.send(.viewWithdrawn(Self.id))
            case 1: world.destroy(one)
            case 2: world.act(.home)
            default: world.take()
            }
            world.slide(to: spot + Vector(0, 200), over: 100)
            world.lift()
            world.rest()
            #expect(world.finish() == [], "\(event)")
        }
    }

    @Test("M-01: a tap on the words of a card leaves nothing; one beside the card does", arguments: [ModalKind.activity, .actionSheet])
    func tapOnWords(kind: ModalKind) {
        var world = world(kind)
        world.tap(at: spots(world)[0])
        world.rest()
        #expect(answers(world) == [])
        world.tap(at: Point(60, 60))
        #expect(answers(world).count == 1)
        #expect(world.finish() == [])
    }

    @Test("M-07: an alert stays where it is")
    func alertStays() throws {
        var world = world(.alert)
        let place = try #require(card(world))
        world.drag(from: Point(place.center.x, place.minY + 10), to: Point(place.center.x, place.minY + 400), over: 150, resting: false)
        world.rest()
        #expect(card(world) == place && answers(world) == [])
        #expect(world.finish() == [])
    }

    @Test("M-14: a view slides in to the last point of its way, without a jump at the end", arguments: [ModalKind.activity, .actionSheet])
    func slides(kind: ModalKind) throws {
        var world = CoreWorld()
        world.open(1)
        ask(&world, kind)
        var ys: [Double] = []
        for _ in 0..<400 where world.system.isMoving(at: world.now) {
            world.wait(4)
            if let y = card(world)?.y { ys.append(y) }
        }
        let end = try #require(ys.last)
        // The steps become smaller and smaller.
        let steps = zip(ys, ys.dropFirst()).map { abs($0 - $1) }
        let late = try #require(ys.firstIndex { abs($0 - end) < 40 })
        #expect(steps[late...].max() ?? 0 < 4, "\(steps.suffix(12))")
        #expect(zip(steps[late...], steps[late...].dropFirst()).allSatisfy { $1 <= $0 + 0.51 }, "\(steps.suffix(30))")
    }
}
