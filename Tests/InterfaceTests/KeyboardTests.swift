import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("X-02: the shell's own views by keys alone")
struct KeyboardTests {
    @Test("a tap of Super goes home and back; held it lists the keys, and they go with it")
    func superKey() {
        var world = world(["editor"])
        world.superKey(true)
        world.wait(200)
        world.superKey(false)
        #expect(world.workspace.isHome)
        world.superKey(true)
        world.superKey(false)
        #expect(!world.workspace.isHome)
        world.superKey(true)
        world.wait(799)
        #expect(world.open == [])
        world.wait(2)
        #expect(world.open == ["keys"])
        world.wait(300)
        #expect(
            world.system.items(at: world.now).contains {
                if case .art(.text(.message(.keyHome, _), _, _, _, _), _) = $0.kind { true } else { false }
            })
        world.superKey(false)
        #expect(world.open == [] && !world.workspace.isHome)
        #expect(world.finish() == [])
    }

    @Test("Super with another key, a button or a finger does not count as a tap")
    func chords() {
        let uses: [(inout CoreWorld) -> Void] = [
            { $0.press("Super+f") }, { $0.press("Super+z") },
            {
                $0.touch(down: Point(300, 300))
                $0.lift()
            },
            {
                $0.send(.pointerMotion(at: Point(300, 300)))
                $0.send(.pointerButton(0x111, pressed: true))
                $0.send(.pointerButton(0x111, pressed: false))
            },
        ]
        for use in uses {
            var world = world(["editor", "terminal"])
            world.superKey(true)
            use(&world)
            world.wait(1000)
            world.superKey(false)
            #expect(!world.workspace.isHome && world.open == [])
            #expect(world.finish() == [])
        }
    }

    @Test("the list opened by holding and left by Escape does not close the next one that is asked for")
    func helpAgain() {
        var world = world(["editor"])
        world.superKey(true)
        world.wait(900)
        world.press("Escape")
        world.superKey(false)
        world.superKey(true)
        world.press("Super+slash")
        world.superKey(false)
        #expect(world.open == ["keys"])
        #expect(world.finish() == [])
    }

    @Test("M-11: nothing stands over an alert")
    func alert() {
        var world = world()
        world.tap("home/terminal")
        world.send(.launchFailed(LaunchID(1), reason: "no"))
        world.superKey(true)
        world.wait(900)
        world.superKey(false)
        #expect(world.open == ["alert"])
        world.press("Return")
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("every control of every view can be reached by Tab and is pressed by Return")
    func everything() {
        let views: [(KeyChord?, Action)] = [
            ("Super+d", .home), ("Super+space", .search()), ("Super+a", .appSwitcher), ("Super+b", .dock), ("Super+e", .appShelf()),
            ("Super+Shift+e", .appExpose()), ("Super+m", .controls()), ("Super+c", .controlCentre), (nil, .appMenu(app: "editor")),
        ]
        for (chord, action) in views {
            var world = world(["editor", "terminal", "editor"])
            if let chord { world.press(chord) } else { world.act(action) }
            world.rest()
            let wanted = Set(world.controls.filter { $0.press != nil && $0.isFocusable }.map(\.id.rawValue))
            #expect(!wanted.isEmpty, "\(action)")
            var seen: Set<String> = []
            if let focus = world.interface.focus { seen.insert(focus.rawValue) }
            for _ in 0..<(wanted.count + 4) {
                #expect(world.press("Tab").contains(.swallowKey))
                if let focus = world.interface.focus { seen.insert(focus.rawValue) }
            }
            #expect(wanted.subtracting(seen) == [], "\(action)")
            #expect(world.press("Shift+Tab").contains(.swallowKey))
            #expect(world.finish() == [])
        }
    }

    @Test("arrows go through the pages of the home screen, also the other way round", arguments: [false, true])
    func pages(isMirrored: Bool) {
        var world = world(preferences: isMirrored ? mirrored() : Preferences(), installed: many(90))
        world.press("Tab")
        for _ in 0..<30 where world.interface.focus != "home/app0" { world.press("Tab") }
        let forward: KeyChord = isMirrored ? "Left" : "Right", back: KeyChord = isMirrored ? "Right" : "Left"
        for _ in 0..<8 { world.press(forward) }
        #expect(world.interface.home.page == 1)
        #expect(world.interface.focus?.area == .home)
        world.wait(1)
        #expect(world.interface.home.scroll.value(at: world.now) < 400, "it is on its way, not there at once")
        for _ in 0..<16 { world.press(back) }
        #expect(world.interface.home.page == 0)
        world.press("Page_Down")
        #expect(world.interface.home.page == 1)
        #expect(world.finish() == [])
    }

    @Test("the dock opened by its key has the keys until it closes")
    func dock() {
        var world = world(["editor"])
        world.press("Super+b")
        #expect(world.interface.focus?.area == .dock)
        for _ in 0..<10 where world.interface.focus != "dock/terminal" { world.press("Right") }
        world.press("Return")
        #expect(world.launches == [["terminal"]] && world.press("x") == [])
        #expect(world.finish() == [])
    }

    @Test("what the keyboard was at is gone: it is nowhere, and the next key begins anew")
    func gone() {
        var world = world(["editor", "terminal"])
        world.act(.appSwitcher)
        world.rest()
        for _ in 0..<10 where world.interface.focus != "switcher/close/1" { world.press("Tab") }
        world.destroy(one)
        #expect(world.interface.focus == nil)
        world.press("Tab")
        #expect(world.interface.focus != nil)
        #expect(world.finish() == [])
    }

    @Test("a number that is too large is refused")
    func limits() {
        var world = world()
        #expect(world.act(.scroll(Int.min)).refusals == ["scroll by at most 100 pages"])
        #expect(world.act(.textSize(.nan)).refusals.count == 1)
        #expect(world.act(.search(text: String(repeating: "a", count: 300))).refusals == ["a search is at most 256 bytes long"])
        world.send(.erased(Int.max))
        #expect(world.finish() == [])
    }
}
