import AudioSessions
import Geometry
import Interface
import MullionTesting
import Multitasking
import Seat
import Status
import Testing
import Windows

/// A television: four arrows, OK, back and home.
@Suite("tv: the keys of a remote control") struct RemoteTests {
    private let one = WindowID(1), two = WindowID(2)

    private func world(_ windows: Int = 2) -> CoreWorld {
        var world = CoreWorld(size: Size(1920, 1080), idiom: .tv)
        CoreOp.apps(6).apply(to: &world)
        for raw in 1...max(1, UInt32(windows)) where windows > 0 { world.open(raw, CoreOp.facts(raw, parent: nil, app: Int(raw) - 1)) }
        world.rest()
        return world
    }

    @Test("back goes to the app as Escape when it is released; held, it goes home and the app gets nothing")
    func back() {
        var world = world()
        let down = world.key(.back, true)
        #expect(down.contains(.swallowKey) && !down.contains(.client(.typeKey(1))))
        #expect(world.key(.back, false).contains(.client(.typeKey(1))))
        world.key(.back, true)
        world.wait(700)
        #expect(world.workspace.isHome)
        #expect(!world.key(.back, false).contains(.client(.typeKey(1))))
        #expect(world.problems == [])
    }

    @Test("a release that a busy machine hears of before the late timer is still that of a held key", arguments: [true, false])
    func lateTimer(_ isHeld: Bool) {
        var world = world()
        world.key(.back, true)
        world.stall(isHeld ? 700 : 300)
        let up = world.key(.back, false)
        #expect(world.workspace.isHome == isHeld && up.contains(.client(.typeKey(1))) == !isHeld)
        world.wait(1000)
        #expect(world.workspace.isHome == isHeld && world.problems == [])
    }

    @Test("back leaves one level after the other, and at home it stays")
    func levels() {
        var world = world()
        world.act(.home)
        world.act(.controlPage(.outputs))
        #expect(world.interface.openNames == ["control-centre", "control-centre/outputs"])
        for left in [["control-centre"], [], []] {
            world.key(.back, true)
            world.key(.back, false)
            #expect(world.interface.openNames == left)
        }
        #expect(world.workspace.isHome && world.interface.focus?.area == .home)
    }

    @Test("home goes home and stays there; pressed twice it opens the app switcher, where OK goes to the app")
    func home() {
        for symbol in [KeySymbol.homePage, .home] {
            var world = world()
            world.tap(symbol)
            #expect(world.workspace.isHome)
            world.wait(900)
            world.tap(symbol)
            world.rest()
            #expect(world.workspace.isHome)
            world.wait(900)
            world.tap(symbol)
            world.wait(100)
            world.tap(symbol)
            #expect(world.interface.openNames == ["switcher"])
            world.rest()
            world.tap(.enter)
            world.rest()
            #expect(world.workspace.focus == two && !world.workspace.isHome)
            #expect(world.problems == [])
        }
    }

    @Test("on the pad the same keys are the app's")
    func pad() {
        var world = CoreWorld()
        world.open(1)
        for symbol in [KeySymbol.back, .homePage, .remoteMenu, .red, .info] {
            #expect(world.key(symbol, true) == [] && world.key(symbol, false) == [])
        }
    }

    @Test("W-26: one picture is opened, swapped and closed by keys")
    func picture() {
        var world = world()
        world.tap(.green)
        world.rest()
        #expect(world.workspace.pip?.window == two && world.workspace.focus == one)
        world.tap(.green)
        world.rest()
        #expect(world.workspace.pip?.window == one && world.workspace.focus == two)
        world.tap(.yellow)
        world.rest()
        #expect(world.interface.openNames == ["picture-controls"] && world.interface.focus?.area == .pipControls)
        #expect(world.interface.focus == "picture-controls/full", "P-03: not at the cross")
        for _ in 0..<4 where world.interface.focus != "picture-controls/swap" { world.tap(.leftArrow) }
        #expect(world.interface.focus == "picture-controls/swap")
        world.tap(.enter)
        world.rest()
        #expect(world.workspace.pip?.window == two && world.workspace.focus == one)
        world.tap(.yellow)
        world.rest()
        for key in [KeySymbol.leftArrow, .upArrow, .leftArrow] where world.interface.focus != "picture-controls/close" { world.tap(key) }
        #expect(world.interface.focus == "picture-controls/close")
        #expect(world.tap(.enter).contains(.close(two)))
        #expect(world.problems == [])
    }

    @Test("W-26: another picture takes the place of the first, which becomes an app of its own again")
    func onePicture() {
        var world = world(3)
        world.tap(.green)
        world.act(.pictureInPicture(window: two))
        world.rest()
        #expect(world.workspace.pip?.window == two)
        #expect(world.workspace.spaces.count == 2)
        #expect(world.act(.slideOver(window: one)) == [.refuse(Refusal("the idiom tv has no Slide Over"))])
        #expect(world.problems == [])
    }

    @Test("a held arrow goes on in the shell's own views")
    func heldArrow() {
        var world = world(0)
        world.rest()
        let start = world.interface.focus
        world.key(.rightArrow, true)
        let first = world.interface.focus
        world.wait(1000)
        #expect(start != first && first != world.interface.focus)
        world.key(.rightArrow, false)
        let here = world.interface.focus
        world.wait(2000)
        #expect(world.interface.focus == here && world.timers[.hands(.keyRepeat)] == nil)
    }

    // MARK: The pointer that keys move

    @Test("the menu key fetches a pointer; arrows move it faster and faster, OK presses, edges scroll, back puts it away")
    func pointer() {
        var world = world()
        #expect(world.tap(.remoteMenu).contains(.client(.movePointer(Point(960, 540)))))
        world.key(.rightArrow, true)
        let slow = world.travel(200)
        _ = world.travel(700)
        let fast = world.travel(200)
        #expect(slow > 20 && fast > 3 * slow, "\(slow), then \(fast)")
        let more = world.travelled(3000)
        #expect(more.last?.x == 1919)
        #expect(world.sent { if case .client(.scrollPointer(isHorizontal: true, let way)) = $0 { way > 0 } else { false } })
        world.key(.rightArrow, false)
        #expect(world.key(.enter, true).contains(.client(.pressPointer(0x110, pressed: true))))
        #expect(world.key(.enter, false).contains(.client(.pressPointer(0x110, pressed: false))))
        let put = world.key(.back, true)
        #expect(put.contains(.client(.hidePointer)))
        #expect(!world.key(.back, false).contains(.client(.typeKey(1))))
        #expect(!world.key(.rightArrow, true).contains(.swallowKey), "the app has its keys again")
        #expect(world.problems == [])
    }

    @Test("law 4: a pointer that goes away while its button is down releases it; unused, it is put away")
    func pointerGoes() {
        var world = world()
        world.tap(.remoteMenu)
        world.key(.enter, true)
        let effects = world.tap(.homePage)
        #expect(effects.contains(.client(.pressPointer(0x110, pressed: false))) && effects.contains(.client(.hidePointer)))
        world.key(.enter, false)
        world.act(.home)
        world.rest()
        world.tap(.remoteMenu)
        world.wait(13_000)
        #expect(world.sent { $0 == .client(.hidePointer) })
        #expect(world.act(.keyPointer(shown: false)) == [])
        world.act(.home)
        #expect(world.act(.keyPointer(shown: true)) == [.refuse(Refusal("no app has the keys"))])
        #expect(world.problems == [])
    }

    // MARK: The screen at rest

    @Test("after minutes without use the screen dims and a clock moves; the key that wakes it reaches nothing")
    func rest() {
        var world = world()
        world.send(.idle(.activity))
        world.wait(299_000)
        #expect(!world.interface.isResting)
        world.wait(2000)
        #expect(world.interface.isResting && world.interface.openNames.contains("rest"))
        #expect(world.sent { $0 == .look(.tellTime) })
        world.send(.timeIs(TimeOfDay(hour: 21, minute: 5)))
        let first = world.controls.first { $0.id == "rest/clock" }
        #expect(first?.name == .verbatim("21:05"))
        world.wait(31_000)
        #expect(world.controls.first { $0.id == "rest/clock" }?.frame != first?.frame)
        let down = world.key(.rightArrow, true)
        #expect(down.contains(.swallowKey) && !world.interface.isResting)
        #expect(world.key(.rightArrow, false).contains(.swallowKey))
        world.rest()
        #expect(world.key(.rightArrow, true).contains(.swallowKey) == false)
        world.key(.rightArrow, false)
        #expect(world.problems == [])
    }

    @Test("a finger and a button that wake the screen reach no app")
    func wakeByTouch() {
        var world = world()
        world.wait(302_000)
        #expect(world.interface.isResting)
        #expect(!world.send(.touchDown(0, at: Point(900, 500))).contains { if case .client(.touchDown) = $0 { true } else { false } })
        world.send(.touchUp(0))
        world.wait(302_000)
        #expect(world.interface.isResting)
        #expect(!world.send(.pointerButton(0x110, pressed: true)).contains { if case .client(.pointerButton) = $0 { true } else { false } })
        world.send(.pointerButton(0x110, pressed: false))
        #expect(!world.interface.isResting && world.problems == [])
    }

    @Test("while a program keeps the device from being idle, as a film does, the screen stays")
    func film() {
        var world = world()
        world.send(.idle(.inhibitor(IdleInhibitorID(1), on: .window(two))))
        world.wait(900_000)
        #expect(!world.interface.isResting)
        world.send(.idle(.inhibitorGone(IdleInhibitorID(1))))
        world.wait(301_000)
        #expect(world.interface.isResting)
        world.act(.idiom("pad"))
        #expect(!world.interface.isResting || world.workspace.idiom == .tv)
    }

    @Test("the pad never rests like that, and waits for nothing")
    func padNeverRests() {
        var world = CoreWorld()
        world.open(1)
        world.wait(3_600_000)
        #expect(!world.interface.isResting && world.timers[.seat(.idle)] == nil)
    }
}

extension CoreWorld {
    /// The keys of a remote control by their meaning; each has a code of its own.
    @discardableResult
    fileprivate mutating func key(_ symbol: KeySymbol, _ isPressed: Bool) -> [Effect] {
        send(.key(code: symbol.rawValue & 0xfff, symbol: symbol, pressed: isPressed, modifiers: []))
    }

    @discardableResult
    fileprivate mutating func tap(_ symbol: KeySymbol) -> [Effect] { key(symbol, true) + key(symbol, false) }

    fileprivate func sent(_ test: (Effect) -> Bool) -> Bool { effects.contains(where: test) }

    /// Where the pointer went meanwhile.
    fileprivate mutating func travelled(_ milliseconds: Double) -> [Point] {
        let before = effects.count
        wait(milliseconds)
        return effects[before...].compactMap { if case .client(.movePointer(let point)) = $0 { point } else { nil } }
    }

    fileprivate mutating func travel(_ milliseconds: Double) -> Double {
        let way = travelled(milliseconds)
        guard let first = way.first, let last = way.last else { return 0 }
        return first.distance(to: last)
    }
}
