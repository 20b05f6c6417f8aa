import Geometry
import Interface
import MullionTesting
import Multitasking
import Seat
import Testing
import Windows

/// Screens with room for next to nothing, in every idiom.
@Suite("Tiny screens") struct TinyScreenTests {
    static let sizes = [Size(96, 96), Size(96, 1080), Size(1080, 96), Size(200, 200), Size(1, 1)]

    private func world(_ idiom: Idiom, _ size: Size) -> CoreWorld {
        var world = CoreWorld(size: size, idiom: idiom)
        CoreOp.apps(6).apply(to: &world)
        world.send(.idiomsKnown(Idiom.allAndPlaces))
        for raw in 1...3 as ClosedRange<UInt32> { world.open(raw, CoreOp.facts(raw, parent: nil, app: Int(raw) - 1)) }
        world.rest()
        return world
    }

    private static let actions: [Action] = [
        .home, .appSwitcher, .controlCentre, .controlPage(.outputs), .controlPage(.idioms), .notifications, .keyHelp, .search(text: "a"),
        .appMenu(app: "editor"),
        .appShelf(), .appExpose(), .controls(), .dock, .volumeView(), .splitView(side: .right), .slideOver(), .pictureInPicture(),
        .fullScreen(), .tile(to: .left),
        .minimize(), .depthStep(1), .surroundings(1), .wrist(raised: false), .wrist(raised: true), .keyPointer(shown: true), .switchApps(1),
        .barMenu(), .close(),
    ]

    /// Each action in every second idiom at each size; `make test-slow` has all.
    @Test("nothing hangs and nothing is lost, whatever is opened, touched and typed", arguments: Idiom.allAndPlaces.map(\.name))
    func everything(name: String) {
        let number = Idiom.allAndPlaces.firstIndex { $0.name == name }!, idiom = Idiom.allAndPlaces[number]
        for (row, size) in Self.sizes.enumerated() {
            var world = world(idiom, size)
            for (column, action) in Self.actions.enumerated() where TestSeed.isSlow || (number + row + column) % 2 == 0 {
                world.act(action)
                for key in ["Right", "Down", "Left", "Up", "Tab", "Escape"] as [KeyChord] {
                    for pressed in [true, false] {
                        world.send(.key(code: key.symbol.rawValue & 0xff, symbol: key.symbol, pressed: pressed, modifiers: []))
                    }
                }
                world.touch(0, down: Point(size.width / 2, size.height - 1))
                world.slide(0, to: Point(size.width / 2, 2), over: 120, steps: 4)
                world.lift(0)
                world.wait(200)
                #expect(world.problems == [], "\(idiom.name) \(size) \(action)")
                guard world.problems == [] else { return }
            }
            // Every window is still there and is reached on a screen that has room.
            world.send(.screenChanged(Screen(size: Size(1180, 820), scale: 1)))
            world.act(.dismiss)
            for id in world.workspace.windows.keys where world.workspace.isMapped(id) && idiom.offers.contains(.switching) {
                world.act(.focus(window: id))
                world.rest()
                #expect(world.workspace.isShown(id), "\(idiom.name) \(size): \(id) is lost")
            }
            #expect(world.finish() == [], "\(idiom.name) \(size)")
        }
    }

    @Test("clients are told at least one point each way", arguments: Idiom.allAndPlaces.map(\.name))
    func told(name: String) {
        let idiom = Idiom.allAndPlaces.first { $0.name == name }!
        for size in Self.sizes {
            let world = world(idiom, size)
            for (id, client) in world.clients {
                guard let frame = client.told?.frame else { continue }
                let isOwn = frame.size == .zero
                #expect(isOwn || frame.width >= 1 && frame.height >= 1, "\(idiom.name) \(size): \(id) is told \(frame.size)")
            }
        }
    }
}

/// Devices that misbehave, in the idioms that read them.
@Suite("Devices that vanish or flood") struct BadDeviceTests {
    /// A key of a device that is unplugged is released by the compositor; it may also never be.
    @Test("law 4: a key whose device vanished while it was down repeats no longer, in any idiom", arguments: Idiom.allAndPlaces.map(\.name))
    func vanishes(name: String) {
        let idiom = Idiom.allAndPlaces.first { $0.name == name }!
        var world = CoreWorld(size: Size(1280, 720), idiom: idiom)
        CoreOp.apps(12).apply(to: &world)
        for raw in 1...2 as ClosedRange<UInt32> { world.open(raw, CoreOp.facts(raw, parent: nil, app: Int(raw) - 1)) }
        world.rest()
        for symbol in [KeySymbol.rightArrow, .back, .homePage, .enter, .leftSuper] {
            world.send(.key(code: symbol.rawValue & 0xfff, symbol: symbol, pressed: true, modifiers: []))
            world.wait(400)
            world.send(.key(code: symbol.rawValue & 0xfff, symbol: symbol, pressed: false, modifiers: []))
            let focus = world.interface.focus
            world.wait(3000)
            #expect(world.interface.focus == focus && world.timers[.hands(.keyRepeat)] == nil, "\(idiom.name) \(symbol)")
        }
        #expect(world.finish() == [], "\(idiom.name)")
    }

    @Test("a held arrow whose release never comes moves the focus until another key is pressed, and hangs nothing")
    func neverReleased() {
        var world = CoreWorld(size: Size(1280, 720), idiom: .tv)
        CoreOp.apps(12).apply(to: &world)
        world.rest()
        world.send(.key(code: 106, symbol: .rightArrow, pressed: true, modifiers: []))
        world.wait(20_000)
        let focus = world.interface.focus
        #expect(focus != nil)
        world.send(.key(code: 108, symbol: .downArrow, pressed: true, modifiers: []))
        world.send(.key(code: 108, symbol: .downArrow, pressed: false, modifiers: []))
        world.wait(5000)
        #expect(world.timers[.hands(.keyRepeat)] == nil)
        world.send(.key(code: 106, symbol: .rightArrow, pressed: false, modifiers: []))
        #expect(world.finish() == [])
    }

    @Test("a thousand keys in a second are a thousand steps, and each is done")
    func flood() {
        var world = CoreWorld(size: Size(1280, 720), idiom: .tv)
        CoreOp.apps(12).apply(to: &world)
        world.rest()
        for step in 0..<1000 {
            let symbol: KeySymbol = step % 2 == 0 ? .rightArrow : .leftArrow, code: UInt32 = step % 2 == 0 ? 106 : 105
            world.send(.key(code: code, symbol: symbol, pressed: true, modifiers: []))
            world.send(.key(code: code, symbol: symbol, pressed: false, modifiers: []))
            if step % 50 == 49 { world.wait(50) }
        }
        #expect(world.interface.focus != nil)
        #expect(world.finish() == [])
    }

    @Test(
        "W-11: every way to a scale has the same range, and a refusal names it",
        arguments: [
            (0.49, false), (0.5, true), (1, true), (4.5, true), (8, true), (8.01, false), (16, false), (0, false), (-1, false),
            (.nan, false), (.infinity, false),
        ] as [(Double, Bool)])
    func scales(_ scale: Double, isKnown: Bool) {
        var world = CoreWorld(size: Size(1180, 820))
        let said = world.act(.resizeScreen(scale: scale))
        #expect(said.contains(.refuse(Refusal("a scale is from 0.5 to 8, not \(scale)"))) == !isKnown)
        let wish = ScreenWish(pixels: Size(1180, 820), refresh: 0, scale: scale, transform: 0)
        let answer = world.send(.screenAsked(1, wish, test: true)).compactMap {
            if case .client(.answerScreen(1, let wish, _)) = $0 { wish?.scale } else { nil }
        }
        #expect(answer == (isKnown ? [scale] : []))
        #expect(Choice.scale(scale).isPossible == isKnown && Screen.scales.contains(scale) == isKnown)
    }
}
