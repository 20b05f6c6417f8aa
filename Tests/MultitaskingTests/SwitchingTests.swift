import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

/// Idioms that begin while windows are open.
@Suite("Switching between idioms")
struct SwitchingTests {
    private let one = WindowID(1), two = WindowID(2), three = WindowID(3)

    private func world() -> CoreWorld {
        var world = CoreWorld()
        world.send(.idiomsKnown(Idiom.all))
        for number in 1...3 as ClosedRange<UInt32> { world.open(number) }
        world.act(.splitView(window: two, side: .right))
        world.act(.slideOver(window: one))
        world.rest()
        return world
    }

    @Test("back on the pad, the arrangement is the one that was there")
    func backOnThePad() {
        for name in ["phone", "mac", "watch", "tv", "vision"] {
            var world = world()
            let before = world.workspace.windows.keys.map { world.place($0) }, focus = world.workspace.focus
            world.act(.idiom(name))
            world.rest()
            #expect(world.workspace.idiom.name == name && world.problems == [])
            #expect(world.workspace.focus == focus, "the active window stays active in \(name)")
            for window in world.workspace.windows.keys {
                world.act(.focus(window: window))
                #expect(world.workspace.isShown(window), "\(window) cannot be reached in \(name)")
            }
            if let focus { world.act(.focus(window: focus)) }
            world.act(.idiom("pad"))
            world.rest()
            #expect(world.workspace.windows.keys.map { world.place($0) } == before, "after \(name)")
        }
    }

    @Test("W-06: Picture in Picture has the size that it had in each idiom, whatever screens and idioms came in between")
    func picture() {
        var world = CoreWorld(size: Size(390, 844), idiom: .phone)
        world.send(.idiomsKnown(Idiom.all))
        for number in 1...2 as ClosedRange<UInt32> { world.open(number) }
        world.setNatural(Size(640, 360), of: one)
        world.act(.pictureInPicture(window: one))
        world.rest()
        func go(_ idiom: String, _ size: Size) -> Size {
            world.act(.idiom(idiom))
            world.send(.screenChanged(Screen(size: size)))
            world.rest()
            return world.frame(one)?.size ?? .zero
        }
        let phone = world.frame(one)!.size, mac = go("mac", Size(1600, 1000))
        for round in 1...3 {
            let back = go("phone", Size(390, 844)), again = go("mac", Size(1600, 1000))
            #expect(
                abs(back.width - phone.width) < 1.5 && abs(again.width - mac.width) < 1.5,
                "round \(round): \(back), not \(phone); \(again), not \(mac)")
        }
        #expect(go("pad", Size(1180, 820)).width < 600)
        #expect(abs(go("phone", Size(390, 844)).width - phone.width) < 1.5 && world.finish() == [])
    }

    @Test("W-10: a switch is one configure for each window, and none of a window whose size stays")
    func oneConfigure() {
        for name in ["phone", "mac", "pad"] {
            var world = world()
            if name == "pad" {
                world.act(.idiom("mac"))
                world.rest()
            }
            let before = world.clients.mapValues(\.configures.count)
            world.act(.idiom(name))
            for (window, client) in world.clients {
                let count = client.configures.count - before[window]!
                #expect(count <= 1, "\(window) got \(count) configures in the switch to \(name)")
            }
        }
    }

    @Test(
        "W-25, V-01: a window that filled a pad stands loose and whole in sight afterwards, also one of X11, which cannot choose",
        arguments: ["mac", "vision"])
    func loose(name: String) throws {
        for isX11 in [true, false] {
            var world = CoreWorld()
            world.send(.idiomsKnown(Idiom.all))
            world.open(1, WindowFacts(appID: "terminal", client: 9, isX11: isX11))
            world.rest()
            world.act(.idiom(name))
            world.rest()
            let room = try #require(world.workspace.freeRoom), frame = try #require(world.workspace.frames()[one])
            #expect(frame.width < room.width * 0.8 && frame.height < room.height * 0.8, "\(isX11): \(frame) in \(room)")
            #expect(room.inset(by: 1).contains(frame, tolerance: 0.5), "\(isX11): \(frame) in \(room)")
            #expect(world.finish() == [])
        }
    }

    @Test("an idiom that does not exist is refused by its name")
    func unknown() {
        var world = world()
        let effects = world.act(.idiom("desk"))
        #expect(effects == [.refuse(Refusal("there is no idiom \"desk\"; there are pad, phone, mac, tv, watch, round-watch, vision"))])
        #expect(world.workspace.idiom == .pad)
    }

    @Test("law 4: a finger, a button and a divider in the middle of a gesture are let go")
    func gestures() {
        var world = world()
        world.act(.slideOverHide)
        world.rest()
        let screen = world.workspace.screen!
        world.touch(1, down: Point(screen.size.width / 2, screen.size.height - 2))
        world.touch(1, to: Point(500, 500))
        #expect(world.system.isGesturing)
        world.act(.idiom("phone"))
        #expect(!world.system.isGesturing)
        world.touch(1, to: Point(300, 300))
        world.lift(1)
        world.rest()
        #expect(world.problems == [])
    }

    @Test("S-05: on a mac the apps behind go on; on a phone they are frozen again")
    func life() {
        var world = world()
        world.act(.idiom("mac"))
        #expect(!world.system.lifecycle.rules.freezesHidden && !world.system.audio.rules.silencesAmbientOutOfSight)
        world.act(.idiom("phone"))
        #expect(world.system.lifecycle.rules.freezesHidden && world.system.audio.rules.keysActOnRinger)
    }

    @Test("an idiom whose data change takes effect at once")
    func changedData() {
        var world = world()
        var wide = Idiom.pad
        wide.split.thickness = 30
        world.send(.idiomsKnown([wide, .phone]))
        world.rest()
        world.act(.focus(window: two))
        let pair = world.workspace.currentSpace!.split!, frames = world.workspace.frames()
        #expect(frames[pair.second]!.minX - frames[pair.first]!.maxX == 30)
    }

    @Test("an X11 window has the size again that it chose, which X11 cannot ask for")
    func x11() {
        var world = CoreWorld()
        world.send(.idiomsKnown(Idiom.all))
        world.act(.idiom("mac"))
        world.open(1, WindowFacts(appID: "a", title: "A", client: 1, isX11: true, isBare: true))
        world.rest()
        #expect(world.clients[one]?.told?.chooses == true && world.workspace[one]?.commit.size == Size(320, 240))
        world.act(.idiom("pad"))
        world.rest()
        #expect(world.workspace[one]?.commit.size == Size(1180, 820))
        world.act(.idiom("mac"))
        world.rest()
        #expect(world.clients[one]?.told?.chooses == false && world.clients[one]?.told?.frame.size == Size(320, 240))
        world.act(.tile(window: one, to: .whole))
        world.rest()
        world.act(.tile(window: one, to: nil))
        world.rest()
        #expect(world.workspace[one]?.commit.size == Size(320, 240) && world.clients[one]?.told?.chooses == false && world.finish() == [])
    }
}
