import AudioSessions
import Geometry
import Interface
import MullionTesting
import Multitasking
import Seat
import Testing
import Windows

/// which keys click.
@Suite struct KeyClickRuleTests {
    private static let click = Effect.audio(.playSound("button-pressed", .feedback))
    private let keyboard = PanelID(1), client: UInt64 = 9

    /// An app in front, and an on-screen keyboard at the lower edge.
    private func world() -> CoreWorld {
        var world = CoreWorld()
        world.send(.audio(.serverChanged(isRunning: true)))
        world.open(1, WindowFacts(appID: "editor", client: 1))
        world.send(
            .panelChanged(
                keyboard, PanelFacts(layer: .top, anchors: [.bottom, .left, .right], size: Size(0, 300), zone: 300, client: client)))
        world.send(
            .panelChanged(PanelID(2), PanelFacts(layer: .top, anchors: [.top, .left, .right], size: Size(0, 32), zone: 32, client: 8)))
        return world
    }

    private func types(_ world: inout CoreWorld, client: UInt64? = nil) -> Bool {
        world.send(.programTyped(client: client ?? self.client, process: 40, asks: false)).contains(Self.click)
    }

    private func press(_ world: inout CoreWorld, over panel: PanelID? = PanelID(1), at point: Point = Point(300, 600)) {
        world.wait(1000)
        world.send(.touchDown(0, at: point, over: panel.map { .panel($0) }))
    }

    @Test("A-21: a key that a finger types on an on-screen keyboard clicks")
    func finger() {
        var world = world()
        press(&world)
        #expect(types(&world))
        // It rests on the key, which repeats.
        for _ in 0..<3 {
            world.wait(2000)
            #expect(types(&world))
        }
        world.send(.touchUp(0))
        // A keyboard that types when the finger lifts.
        world.wait(100)
        #expect(types(&world))
        world.wait(1000)
        #expect(!types(&world))
        #expect(world.finish() == [])
    }

    @Test("A-21: a key clicks that a pointer's button types on an on-screen keyboard")
    func pointer() {
        var world = world()
        world.send(.pointerMotion(at: Point(300, 600), over: .panel(keyboard)))
        world.wait(1000)
        #expect(!types(&world))
        world.send(.pointerButton(0x110, pressed: true))
        #expect(types(&world))
        world.send(.pointerButton(0x110, pressed: false))
        #expect(world.finish() == [])
    }

    @Test("A-21: a program that types by itself never clicks, and neither does a hardware keyboard")
    func automation() {
        var world = world()
        #expect(!types(&world))
        #expect(!types(&world, client: 77))
        // While a finger is on the keyboard of another program, on another panel, or on an app.
        press(&world)
        #expect(!types(&world, client: 77))
        world.send(.touchUp(0))
        press(&world, over: PanelID(2), at: Point(300, 10))
        #expect(!types(&world))
        world.send(.touchUp(0))
        press(&world, over: nil, at: Point(300, 300))
        #expect(!types(&world))
        world.send(.touchUp(0))
        press(&world)
        let key = world.send(.key(code: 30, symbol: KeySymbol(rawValue: 0x61), pressed: true, modifiers: [], text: "a"))
        #expect(!key.contains(Self.click))
        world.send(.key(code: 30, symbol: KeySymbol(rawValue: 0x61), pressed: false, modifiers: []))
        world.send(.touchUp(0))
        #expect(world.finish() == [])
    }

    @Test("A-21: no key clicks while the session is locked")
    func locked() {
        var world = world()
        press(&world)
        world.lock()
        #expect(!types(&world))
        world.unlock()
        #expect(world.finish() == [])
    }

    @Test("A-21: a person chooses whether keys click; it lasts, and the configuration file wins")
    func choice() throws {
        var world = world()
        press(&world)
        #expect(world.act(.keyClicks()).contains(.choices(.keep(.keyClicks(false)))))
        #expect(!types(&world))
        world.wait(100)
        #expect(world.act(.keyClicks(true)).contains(.choices(.keep(.keyClicks(true)))))
        #expect(types(&world))
        // The next session.
        var next = self.world()
        next.send(.choices(.restored([.keyClicks(false)])))
        press(&next)
        #expect(!types(&next))
        // A reload of the file does not undo it, unless the file says it.
        next.send(.configured(Preferences()))
        next.wait(100)
        #expect(!types(&next))
        var said = Preferences()
        said.fixed.insert(.keyClicks)
        next.send(.configured(said))
        next.wait(100)
        #expect(types(&next))
        #expect(next.act(.keyClicks(false)) == [.refuse(Refusal("the configuration file says \"audio.key-clicks\""))])
        world.send(.touchUp(0))
        next.send(.touchUp(0))
        #expect(world.finish() == [])
        #expect(next.finish() == [])
    }

    @Test("A-21: the control centre offers it where an on-screen keyboard is used")
    func tile() throws {
        var world = world()
        world.act(.controlCentre)
        world.rest()
        func tile(_ world: CoreWorld) -> ViewControl? {
            world.system.controls(at: world.now).first { $0.id == ControlID(.controlCentre, "key-clicks") }
        }
        #expect(tile(world) == nil, "no keyboard is known")
        world.send(.screenKeyboard(isShown: false))
        world.rest()
        #expect(try #require(tile(world)).press == .keyClicks(false))
        world.act(.press(view: ControlID(.controlCentre, "key-clicks")))
        world.rest()
        #expect(try #require(tile(world)).press == .keyClicks(true))
        // One that cannot be called by hand, and was typed on.
        world.send(.screenKeyboard(isShown: nil))
        #expect(tile(world) == nil)
        press(&world)
        _ = types(&world)
        world.send(.touchUp(0))
        world.rest()
        #expect(tile(world) != nil)
        #expect(world.finish() == [])
    }
}
