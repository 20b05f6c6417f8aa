import Geometry
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

extension CoreWorld {
    /// How much of a window's dots is seen, from 0 to 1.
    fileprivate func dots(_ id: WindowID) -> Double {
        system.items(at: now).first { $0.key.part == .grip && $0.key.window == id }?.opacity ?? 0
    }

    fileprivate func ground(_ id: WindowID) -> Item.Kind? {
        system.items(at: now).first { $0.key.part == .grip && $0.key.window == id }?.kind
    }

    fileprivate mutating func type(_ symbol: KeySymbol = 0x61) {
        send(.key(code: 30, symbol: symbol, pressed: true, modifiers: []))
        send(.key(code: 30, symbol: symbol, pressed: false, modifiers: []))
    }
}

@Suite("W-07: when the dots are seen")
struct DotsTests {
    private func alone(_ preferences: Preferences = Preferences()) -> CoreWorld {
        var world = CoreWorld(preferences: preferences)
        world.open(1)
        world.rest()
        return world
    }

    @Test("they go while a person types, and then the shell rests")
    func typing() {
        var world = alone()
        #expect(world.dots(one) == 1)
        world.type()
        #expect(world.dots(one) > 0.5, "they fade")
        #expect(world.system.isMoving(at: world.now))
        world.rest()
        #expect(world.dots(one) == 0)
        #expect(!world.system.isMoving(at: world.now))
        let revision = world.system.revision
        world.type()
        #expect(world.system.revision == revision, "more keys change nothing")
        #expect(world.timers.isEmpty, "no timer is left")
    }

    @Test("what an input method writes counts as typing")
    func inputMethod() {
        var world = alone()
        world.send(.typedIntoApp)
        world.rest()
        #expect(world.dots(one) == 0)
    }

    @Test("a modifier alone is no typing", arguments: [0xffe1, 0xffe3, 0xffe5, 0xffe9, 0xfe03, 0xff7f] as [KeySymbol])
    func modifiers(symbol: KeySymbol) {
        var world = alone()
        world.type(symbol)
        world.rest()
        #expect(world.dots(one) == 1)
    }

    @Test("a key that the shell takes is no typing in the app")
    func shellKeys() {
        var world = alone()
        world.send(.key(code: 30, symbol: 0x2f, pressed: true, modifiers: .super))
        world.rest()
        #expect(world.dots(one) == 1)
    }

    @Test("they go a second after a touch elsewhere in the window, and no timer is left")
    func touch() {
        var world = alone()
        world.tap(at: Point(400, 500))
        world.wait(900)
        #expect(world.dots(one) == 1)
        world.wait(150)
        world.rest()
        #expect(world.dots(one) == 0)
        #expect(world.timers.isEmpty)
        world.tap(at: Point(400, 500))
        #expect(world.timers.isEmpty, "a touch starts no timer for dots that are gone")
    }

    @Test("a press of the pointer elsewhere in the window does the same")
    func press() {
        var world = alone()
        world.send(.pointerMotion(at: Point(400, 500)))
        world.send(.pointerButton(0x110, pressed: true))
        world.send(.pointerButton(0x110, pressed: false))
        world.wait(1100)
        world.rest()
        #expect(world.dots(one) == 0)
    }

    @Test("with reduced motion they go and come without a fade")
    func reducedMotion() {
        var preferences = Preferences()
        preferences.reducedMotion = true
        var world = alone(preferences)
        world.type()
        #expect(world.dots(one) == 0 && !world.system.isMoving(at: world.now))
        world.send(.pointerMotion(at: Point(300, 20)))
        #expect(world.dots(one) == 1 && !world.system.isMoving(at: world.now))
    }

    @Test("their target is the same when they are gone: a tap there opens the controls and shows them")
    func target() {
        var world = alone()
        world.type()
        world.rest()
        for x in stride(from: 554.0, through: 625, by: 4) {
            #expect(world.system.stage.hit(Point(x, 30), world.workspace, at: world.now) == .window(one, .grip))
        }
        world.tap(at: Point(600, 30))
        world.rest()
        #expect(world.dots(one) == 1)
        #expect(world.interface.isPopoverOpen)
    }

    @Test("a finger or the pointer near the upper edge brings them back; elsewhere it does not")
    func near() {
        var world = alone()
        world.type()
        world.rest()
        world.send(.pointerMotion(at: Point(300, 200)))
        world.rest()
        #expect(world.dots(one) == 0)
        world.send(.pointerMotion(at: Point(300, 30)))
        world.rest()
        #expect(world.dots(one) == 1)
        world.type()
        world.rest()
        world.tap(at: Point(900, 35))
        #expect(world.dots(one) > 0)
        world.wait(1100)
        world.rest()
        #expect(world.dots(one) == 0, "a touch in the app's own title bar is one elsewhere, too")
    }

    @Test(
        "every change of the arrangement brings them back",
        arguments: [
            Action.splitView(window: two, side: .right), .slideOver(window: two), .home, .appSwitcher, .fullScreen(window: two),
        ])
    func arrangement(action: Action) {
        var world = CoreWorld()
        world.open(2)
        world.open(1)
        world.rest()
        world.tap(at: Point(400, 500))
        world.type()
        world.rest()
        #expect(world.dots(one) == 0)
        world.act(action)
        world.rest()
        world.act(.fullScreen(window: one))
        world.rest()
        #expect(world.dots(one) == 1)
        #expect(world.timers[.screen(.dotsTouch)] == nil)
    }

    @Test("in a pair they go where a person types; when the other window becomes active both have theirs")
    func pair() {
        var world = CoreWorld()
        world.open(1)
        world.open(2, to: .splitView(.right))
        world.rest()
        world.type()
        world.rest()
        #expect(world.dots(one) == 1 && world.dots(two) == 0)
        world.tap(at: Point(200, 500))
        world.wait(800)
        #expect(world.dots(one) == 1 && world.dots(two) == 1)
        world.wait(1100)
        world.rest()
        #expect(world.dots(one) == 0 && world.dots(two) == 1)
    }

    @Test("the dots of a card stay: they cover nothing of its app")
    func card() {
        var world = CoreWorld()
        world.open(1)
        world.open(2, to: .slideOver)
        world.rest()
        world.type()
        world.rest()
        #expect(world.system.items(at: world.now).contains { $0.key.part == .gripDot1 && $0.key.window == two && $0.opacity == 1 })
        #expect(world.dots(one) == 1)
    }

    @Test("they are dark on light and light on dark, and turn at most four times a second")
    func ground() {
        var world = alone()
        #expect(world.ground(one) == .fill(.dots))
        world.send(.dotsGround(one, brightness: 0.9))
        #expect(world.ground(one) == .fill(.dotsOnLight))
        world.wait(100)
        world.send(.dotsGround(one, brightness: 0.1))
        #expect(world.ground(one) == .fill(.dotsOnLight))
        world.wait(140)
        #expect(world.ground(one) == .fill(.dotsOnLight))
        world.wait(20)
        #expect(world.ground(one) == .fill(.dotsOnDark))
        #expect(world.timers.isEmpty)
        world.wait(1000)
        world.send(.dotsGround(one, brightness: 0.48))
        #expect(world.ground(one) == .fill(.dotsOnDark), "no flicker at the middle")
        world.send(.dotsGround(one, brightness: 0.6))
        world.send(.dotsGround(one, brightness: 0.1))
        world.wait(300)
        #expect(world.ground(one) == .fill(.dotsOnDark))
        #expect(world.timers.isEmpty)
    }
}
