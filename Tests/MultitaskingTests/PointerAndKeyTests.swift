import Geometry
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("X-02: the pointer")
struct PointerTests {
    private let left: UInt32 = 0x110

    @Test("motion goes to what is under it, in the window's own coordinates")
    func motion() {
        var world = splitWorld()
        #expect(world.send(.pointerMotion(at: Point(800, 300))) == [.pointerOnWindow(two, at: Point(205, 300))])
        #expect(world.send(.pointerMotion(at: Point(100, 300))) == [.pointerOnWindow(one, at: Point(100, 300))])
        #expect(world.finish() == [])
    }

    @Test("W-07: a click on the dots opens the controls, a drag lifts the window, and the app hears of neither")
    func deferral() {
        var world = splitWorld()
        let grip = Stage.gripPill(of: world.frame(one)!).center
        world.send(.pointerMotion(at: grip))
        #expect(world.send(.pointerButton(left, pressed: true)) == [])
        #expect(world.send(.pointerMotion(at: grip + Vector(2, 2))) == [])
        let click = world.send(.pointerButton(left, pressed: false))
        #expect(!click.contains(.pointerButton(left, pressed: true)) && !click.contains(.pointerButton(left, pressed: false)))
        #expect(world.workspace.focus == one)
        #expect(world.system.interface.popover?.content == .controls(one) && world.system.interface.isPopoverOpen)
        world.act(.dismiss)
        world.rest()

        world.send(.pointerMotion(at: grip))
        world.send(.pointerButton(left, pressed: true))
        let drag = world.send(.pointerMotion(at: grip + Vector(0, 8)))
        #expect(drag.first == .pointerOnShell(.grabbing))
        for y in stride(from: 30.0, through: 400, by: 20) {
            world.wait(16)
            world.send(.pointerMotion(at: Point(1170, y)))
        }
        let end = world.send(.pointerButton(left, pressed: false))
        #expect(!end.contains(.pointerButton(left, pressed: false)))
        isSplit(world, two, one)
        #expect(world.finish() == [])
    }

    /// X11 programs see the first finger as button 1 of the pointer.
    @Test(
        "X-02: one press has one release: a finger and the mouse never press in X11 windows together; in others they do",
        arguments: [true, false])
    func fingerAndMouse(isX11: Bool) {
        var world = CoreWorld()
        world.open(1, WindowFacts(appID: "app1", client: 9, isX11: isX11))
        world.open(2, WindowFacts(appID: "app2", client: 9, isX11: isX11))
        world.act(.splitView(window: two, side: .right))
        world.rest()
        func presses(_ effects: [Effect]) -> Int {
            effects.count { if case .client(.touchDown) = $0 { true } else { $0 == .pointerButton(left, pressed: true) } }
        }
        func releases(_ effects: [Effect]) -> Int { effects.count { $0 == .touchUp(5) || $0 == .pointerButton(left, pressed: false) } }
        let expected = isX11 ? 0 : 1
        world.send(.pointerMotion(at: Point(900, 400)))
        // The finger first, then the mouse, in either order of the releases.
        for fingerFirst in [true, false] {
            #expect(presses(world.send(.touchDown(5, at: Point(300, 400)))) == 1)
            #expect(presses(world.send(.pointerButton(left, pressed: true))) == expected)
            let first = world.send(fingerFirst ? .touchUp(5) : .pointerButton(left, pressed: false))
            let second = world.send(fingerFirst ? .pointerButton(left, pressed: false) : .touchUp(5))
            #expect(releases(first) == (fingerFirst ? 1 : expected) && releases(second) == (fingerFirst ? expected : 1))
        }
        // The mouse first.
        #expect(presses(world.send(.pointerButton(left, pressed: true))) == 1)
        #expect(presses(world.send(.touchDown(5, at: Point(300, 400)))) == expected)
        #expect(releases(world.send(.touchUp(5))) == expected)
        #expect(releases(world.send(.pointerButton(left, pressed: false))) == 1)
        // And again each alone.
        #expect(presses(world.send(.touchDown(5, at: Point(300, 400)))) == 1 && releases(world.send(.touchUp(5))) == 1)
        #expect(
            presses(world.send(.pointerButton(left, pressed: true))) == 1 && releases(world.send(.pointerButton(left, pressed: false))) == 1
        )
        #expect(world.finish() == [])
    }

    @Test("a press holds the pointer to its window until the last button is up")
    func implicitGrab() {
        var world = splitWorld()
        world.send(.pointerMotion(at: Point(100, 300)))
        world.send(.pointerButton(left, pressed: true))
        #expect(world.send(.pointerMotion(at: Point(900, 300))) == [.pointerOnWindow(one, at: Point(900, 300))])
        world.send(.pointerButton(0x111, pressed: true))
        world.send(.pointerButton(left, pressed: false))
        #expect(world.send(.pointerMotion(at: Point(901, 300))) == [.pointerOnWindow(one, at: Point(901, 300))])
        let up = world.send(.pointerButton(0x111, pressed: false))
        #expect(up == [.pointerButton(0x111, pressed: false), .pointerOnWindow(two, at: Point(306, 300))])
        #expect(world.finish() == [])
    }

    @Test("a panel that got the press gets the rest of it")
    func panel() {
        var world = CoreWorld()
        world.reserve(Insets(32, 0, 0, 0))
        world.open(1)
        world.rest()
        world.send(.pointerMotion(at: Point(100, 10)))
        #expect(world.send(.pointerButton(left, pressed: true)) == [.pointerButton(left, pressed: true)])
        #expect(world.send(.pointerMotion(at: Point(100, 400))) == [.pointerOnBackground(at: Point(100, 400))])
        #expect(world.send(.pointerButton(left, pressed: false)).first == .pointerButton(left, pressed: false))
        #expect(world.finish() == [])
    }

    @Test("on the shell's own things other buttons do nothing, to anyone")
    func otherButtons() {
        var world = slideOverWorld()
        world.send(.pointerMotion(at: world.spot(.cardTop)))
        #expect(world.send(.pointerButton(0x111, pressed: true)) == [])
        #expect(world.send(.pointerButton(0x111, pressed: false)) == [])
        #expect(world.finish() == [])
    }

    @Test("Super and a drag take a window from anywhere in it")
    func superDrag() {
        var world = splitWorld()
        world.send(.key(code: 125, symbol: 0xffeb, pressed: true, modifiers: []))
        world.send(.pointerMotion(at: Point(200, 500)))
        let press = world.send(.pointerButton(left, pressed: true))
        #expect(press == [.stopTimer(.hands(.superHeld)), .pointerOnShell(.grabbing)])
        for x in stride(from: 220.0, through: 1160, by: 40) {
            world.wait(16)
            world.send(.pointerMotion(at: Point(x, 500)))
        }
        world.send(.pointerButton(left, pressed: false))
        world.send(.key(code: 125, symbol: 0xffeb, pressed: false, modifiers: .super))
        isSplit(world, two, one)
        // Without Super the press is the app's again.
        world.rest()
        world.send(.pointerMotion(at: Point(200, 500)))
        #expect(world.send(.pointerButton(left, pressed: true)).contains(.pointerButton(left, pressed: true)))
        world.send(.pointerButton(left, pressed: false))
        #expect(world.finish() == [])
    }

    @Test("an app's title bar by pointer: the app's press is ended, the window lifted")
    func titleBar() {
        var world = splitWorld()
        world.send(.pointerMotion(at: Point(100, 15)))
        world.send(.pointerButton(left, pressed: true))
        let effects = world.send(.windowAsked(one, .move()))
        #expect(effects == [.pointerOnShell(.grabbing), .pointerButton(left, pressed: false)])
        for x in stride(from: 120.0, through: 1160, by: 40) {
            world.wait(16)
            world.send(.pointerMotion(at: Point(x, 300)))
        }
        world.send(.pointerButton(left, pressed: false))
        isSplit(world, two, one)
        #expect(world.finish() == [])
    }

    @Test("a window that goes while a button is down on it: no other window gets the release")
    func goesWhilePressed() {
        var world = splitWorld()
        world.send(.pointerMotion(at: Point(100, 300)))
        world.send(.pointerButton(left, pressed: true))
        world.unmap(one)
        world.rest()
        world.send(.pointerMotion(at: Point(120, 300)))
        #expect(world.send(.pointerButton(left, pressed: false)) == [])
        #expect(world.finish() == [])
    }

    @Test("a picture by pointer: drag to another corner, a click shows its controls")
    func picture() {
        var world = pipWorld()
        let middle = world.spot(.picture)
        world.send(.pointerMotion(at: middle))
        world.send(.pointerButton(left, pressed: true))
        for step in 1...20 {
            world.wait(16)
            world.send(.pointerMotion(at: middle + Vector(-35, -20) * Double(step)))
        }
        world.wait(200)
        world.send(.pointerButton(left, pressed: false))
        #expect(world.workspace.pip?.corner == .topLeft)
        world.rest()
        world.send(.pointerMotion(at: world.spot(.picture)))
        world.send(.pointerButton(left, pressed: true))
        #expect(!world.send(.pointerButton(left, pressed: false)).contains(.pointerButton(left, pressed: true)))
        #expect(world.interface.isPipControlsOpen)
        #expect(world.workspace.focus == one)
        #expect(world.finish() == [])
    }

    @Test("the Slide Over handle and the stashed picture by a click")
    func handles() {
        var world = slideOverWorld()
        world.act(.slideOverHide)
        world.rest()
        world.send(.pointerMotion(at: world.spot(.slideOverHandle)))
        world.send(.pointerButton(left, pressed: true))
        world.send(.pointerButton(left, pressed: false))
        #expect(!world.workspace.slideOver.isHidden)
        world.act(.pictureInPicture(window: two))
        world.act(.pipStash(.left))
        world.rest()
        world.send(.pointerMotion(at: world.spot(.pipTab)))
        world.send(.pointerButton(left, pressed: true))
        world.send(.pointerButton(left, pressed: false))
        #expect(world.workspace.pip?.stashed == nil)
        #expect(world.finish() == [])
    }

    @Test("P-01: two menus of a window take the touches on themselves, and none of those between them")
    func betweenMenus() {
        var world = splitWorld()
        world.send(.popupsChanged(one, boxes: [Rect(0, 0, 50, 50), Rect(1000, 700, 50, 50)], grab: false))
        let other = world.workspace.frames()[two] ?? .zero
        #expect(world.touch(down: Point(850, 410)).contains(.touchDown(0, two, at: Point(850 - other.x, 410 - other.y))))
        world.lift()
        #expect(world.touch(down: Point(1020, 720)).contains(.touchDown(0, one, at: Point(1020, 720))))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("a press outside closes the menus that hold the input; a press in them does not")
    func menus() {
        var world = splitWorld()
        world.send(.popupsChanged(one, boxes: [Rect(500, 100, 200, 300)], grab: true))
        // The menu stands out of its window, over the neighbour.
        let inside = world.touch(down: Point(650, 200))
        #expect(inside.contains(.touchDown(0, one, at: Point(650, 200))))
        #expect(!inside.contains(.dismissPopups(one)))
        world.lift()
        #expect(world.touch(down: Point(900, 600)).contains(.dismissPopups(one)))
        world.lift()
        #expect(world.finish() == [])
    }
}

@Suite("X-02: keys")
struct KeyTests {
    private func press(_ chord: KeyChord, in world: inout CoreWorld) -> [Effect] {
        let down = world.send(.key(code: 40, symbol: chord.symbol, pressed: true, modifiers: chord.modifiers))
        return down + world.send(.key(code: 40, symbol: chord.symbol, pressed: false, modifiers: chord.modifiers))
    }

    @Test("every function has a key (law 9): the tour by keyboard alone")
    func tour() {
        var world = CoreWorld()
        for raw in [1, 2, 3] as [UInt32] { world.open(raw) }
        let steps: [(KeyChord, @Sendable (CoreWorld) -> Bool)] = [
            ("Super+Left", { $0.workspace.currentSpace?.split?.first == three }),
            ("Super+Right", { $0.workspace.currentSpace?.split?.second == three }),
            ("Super+bracketright", { $0.workspace.currentSpace?.split?.fraction == 2.0 / 3 }),
            ("Super+bracketleft", { $0.workspace.currentSpace?.split?.fraction == 1.0 / 2 }),
            ("Super+x", { $0.workspace.currentSpace?.split?.first == three }),
            ("Super+f", { $0.workspace.focus == two }),
            ("Super+Down", { $0.workspace.slideOver.front == two }),
            ("Super+Shift+Left", { $0.workspace.slideOver.side == .left }),
            ("Super+Shift+Right", { $0.workspace.slideOver.side == .right }),
            ("Super+s", { $0.workspace.slideOver.isHidden }),
            ("Super+s", { !$0.workspace.slideOver.isHidden }),
            ("Super+Tab", { $0.workspace.currentSpace?.contains(one) == true }),
            ("Super+Down", { $0.workspace.slideOver.stack == [one, two] }),
            ("Super+grave", { $0.workspace.slideOver.stack == [two, one] }),
            ("Super+Shift+grave", { $0.workspace.slideOver.stack == [one, two] }),
            ("Super+p", { $0.workspace.pip?.window == one }),
            ("Super+1", { $0.workspace.pip?.corner == .topLeft }),
            ("Super+2", { $0.workspace.pip?.corner == .topRight }),
            ("Super+3", { $0.workspace.pip?.corner == .bottomLeft }),
            ("Super+4", { $0.workspace.pip?.corner == .bottomRight }),
            ("Super+equal", { $0.workspace.pipWidth == 413 }),
            ("Super+minus", { $0.workspace.pipWidth == 344 }),
            ("Super+h", { $0.workspace.pip?.stashed == .right }),
            ("Super+h", { $0.workspace.pip?.stashed == nil }),
            ("Super+Up", { $0.workspace.currentSpace?.content == .full(two) }),
            ("Super+Shift+Tab", { $0.workspace.currentSpace?.contains(three) == true }),
        ]
        for (chord, holds) in steps {
            let effects = press(chord, in: &world)
            #expect(effects.refusals == [], "\(chord)")
            #expect(effects.count(.swallowKey) == 2, "\(chord): neither its press nor its release is the app's")
            #expect(holds(world), "\(chord)")
        }
        #expect(press("Super+w", in: &world).contains(.close(three)))
        #expect(world.finish() == [])
    }

    @Test("a picture comes back to full screen by keyboard alone")
    func pictureBack() {
        var world = pipWorld()
        while world.workspace.focus != two { _ = press("Super+f", in: &world) }
        _ = press("Super+Up", in: &world)
        isFull(world, two)
        #expect(world.finish() == [])
    }

    @Test("what is no chord of the shell's goes to the app, also with other modifiers")
    func passes() {
        var world = splitWorld()
        #expect(press("Left", in: &world) == [])
        #expect(press("Alt+Left", in: &world) == [])
        #expect(press("Super+Alt+Left", in: &world) == [])
        #expect(press("Super+z", in: &world) == [])
    }

    @Test("Caps Lock and Num Lock do not break chords")
    func locks() {
        var world = splitWorld()
        let effects = world.send(.key(code: 45, symbol: 0x78, pressed: true, modifiers: Modifiers(rawValue: 64 | 2 | 16)))
        #expect(effects.contains(.swallowKey))
        isSplit(world, two, one)
    }

    @Test("a refused wish is said, and its key is the shell's all the same")
    func refused() {
        var world = CoreWorld()
        let effects = press("Super+x", in: &world)
        #expect(effects.refusals == ["no Split View is in front"])
        #expect(effects.count(.swallowKey) == 2)
    }

    @Test("keys of one's own replace the standard ones")
    func own() {
        let preferences = Preferences(keys: [KeyBinding("Ctrl+Alt+x", .swapSides)])
        var world = splitWorld(preferences: preferences)
        #expect(press("Super+x", in: &world) == [])
        #expect(press("Ctrl+Alt+x", in: &world).contains(.swallowKey))
        isSplit(world, two, one)
    }

    @Test("a key press in an app makes its own new window asked for (W-19)")
    func inputGrace() {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        #expect(press("Ctrl+n", in: &world) == [])
        world.create(2, WindowFacts(appID: "app1", lineage: [101, 1], client: 1))
        world.map(2)
        isFull(world, two)
    }
}
