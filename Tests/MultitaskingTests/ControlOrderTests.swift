import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Status
import Testing
import Windows

/// The control centre as a person arranges it, and on screens that are too small for it.
@Suite("X-03: an arranged control centre") struct ControlOrderTests {
    private func world(_ idiom: Idiom = .pad, size: Size? = nil) -> CoreWorld {
        var world = CoreWorld(idiom: idiom, preferences: Preferences(newWindows: .always))
        world.open(1)
        if let size { world.send(.screenChanged(Screen(size: size, scale: 1))) }
        world.send(.audio(.serverChanged(isRunning: true)))
        world.send(.status(.brightness(0.5)))
        world.send(.status(.flashLight(false)))
        world.send(.status(.recording(false)))
        world.send(.nightLight(.possible(true)))
        world.send(.status(.network(NetworkFacts(hasWireless: true, isWirelessOn: true, state: 20))))
        world.send(.status(.bluetooth(Bluetooth(isOn: true))))
        world.rest()
        return world
    }

    private func find(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.last { $0.id == id } }

    private func tiles(_ world: CoreWorld) -> [String] {
        let all = ["dark", "motion", "text", "flash-light", "night-light", "record"]
        return world.controls.filter { $0.id.area == .controlCentre }.map { String($0.id.path) }.filter(all.contains)
    }

    private func tap(_ id: ControlID, _ world: inout CoreWorld) throws {
        let found = try #require(find(id, world), "\(id) is not there")
        world.tap(at: found.frame.center)
        world.wait(600)
    }

    @Test("P-01: on the page of the tiles a switch and an arrow lie beside each other, and each does its own")
    func switches() throws {
        var world = world()
        _ = world.act(.controlPage(.controls))
        world.wait(600)
        let arrows = world.controls.filter { $0.id.rawValue.hasSuffix("/more") }
        #expect(arrows.count > 2)
        let drawn = world.system.items(at: world.now).filter { item in
            guard case .fill(let paint) = item.kind, paint == .accent || paint == .track else { return false }
            return item.frame.size == Size(46, 28)
        }
        #expect(drawn.count > 2)
        for item in drawn {
            #expect(!arrows.contains { $0.frame.intersects(item.frame) }, "an arrow lies over the switch at \(item.frame)")
        }
        let place = try #require(drawn.last).frame.center, before = world.system.preferences.controls
        world.tap(at: place)
        world.wait(600)
        #expect(world.system.preferences.controls.order == before.order && world.system.preferences.controls.hidden.count == 1)
    }

    @Test("by finger: a tile is taken away, another one comes up, and a reset undoes it")
    func arranges() throws {
        var world = world()
        world.act(.controlCentre)
        world.wait(1000)
        #expect(tiles(world) == ["night-light", "flash-light", "record", "dark", "motion", "text"])
        world.act(.controlPage(.controls))
        world.wait(1000)
        world.act(.scroll(100))
        world.wait(1000)
        try tap("control-centre/setting/control/motion", &world)
        #expect(world.system.views(at: world.now)?.setting("control/motion")?.value == .flag(false))
        for _ in 0..<2 { try tap("control-centre/setting/control/text/more", &world) }
        world.act(.dismiss)
        world.act(.dismiss)
        world.act(.controlCentre)
        world.wait(1000)
        #expect(
            tiles(world) == ["night-light", "flash-light", "record", "text", "dark"], "text came over motion, which is hidden, and dark")
        world.act(.resetSettings())
        #expect(tiles(world) == ["night-light", "flash-light", "record", "dark", "motion", "text"])
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test("tiles for what the machine has switch it, and are gone with it")
    func machine() throws {
        var world = world()
        world.act(.controlCentre)
        world.wait(1000)
        for (tile, setting) in [("flash-light", DeviceSetting.flashLight(true)), ("record", .record(true))] {
            let effects = world.act(.press(view: ControlID(.controlCentre, tile)))
            #expect(effects.contains(.status(.set(setting))))
        }
        world.act(.press(view: "control-centre/night-light"))
        #expect(find("control-centre/night-light", world)?.isChosen ?? false)
        world.send(.status(.flashLight(nil)))
        world.send(.nightLight(.possible(false)))
        #expect(tiles(world) == ["record", "dark", "motion", "text"])
        let refused = world.act(.device(.flashLight()))
        #expect(refused.contains { if case .session(.refuse) = $0 { true } else { false } })
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test(
        "on a screen that is too small for everything it scrolls, and every control comes into sight whole",
        arguments: [Size(320, 240), Size(480, 320), Size(240, 240), Size(360, 480)])
    func scrolls(size: Size) throws {
        var world = world(.phone, size: size)
        world.act(.controlCentre)
        world.wait(1000)
        var seen: Set<ControlID> = []
        let limit = Rect(0, 0, size.width, size.height)
        for _ in 0..<12 {
            for control in world.controls where control.id.area == .controlCentre && control.isOperable {
                #expect(limit.inset(by: -0.5).contains(control.frame.center))
                if control.frame.height >= 40 || control.frame.height == control.frame.width { seen.insert(control.id) }
            }
            world.act(.scroll(1))
            world.wait(600)
        }
        for tile in ["night-light", "flash-light", "record", "dark", "motion", "text", "brightness", "wireless", "bluetooth"] {
            #expect(seen.contains(ControlID(.controlCentre, tile)), "\(tile)")
        }
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test("A-07: a key for the light shows its level for a moment, above everything, and nothing in the control centre")
    func light() {
        var world = world()
        func isShown() -> Bool { world.system.views(at: world.now)?.overlay().items.isEmpty == false }
        world.act(.device(.brightnessStep(1)))
        world.wait(500)
        #expect(isShown())
        world.act(.device(.brightnessStep(1)))
        world.wait(1400)
        #expect(isShown(), "the last key counts")
        world.wait(1000)
        #expect(!isShown())
        world.send(.status(.brightness(nil)))
        world.act(.device(.brightnessStep(1)))
        world.wait(300)
        #expect(!isShown(), "there is no light to set")
        #expect(world.finish() == [])
    }
}
