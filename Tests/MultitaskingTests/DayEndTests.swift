import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Status
import Testing
import Windows

/// The power button, a low battery and the end of the machine's work, as the shell carries them out.
@Suite("X-10: the end of the day") struct DayEndTests {
    private func world(_ idiom: Idiom = .pad) -> CoreWorld {
        var world = CoreWorld(idiom: idiom)
        world.open(1)
        world.send(.status(.ends([.turnOff, .restart, .suspend])))
        world.rest()
        return world
    }

    private func press(_ world: inout CoreWorld, for milliseconds: Double = 100) {
        world.send(.powerButton(isDown: true))
        world.wait(milliseconds)
        world.send(.powerButton(isDown: false))
    }

    private func lights(_ world: CoreWorld) -> [Bool] {
        world.effects.compactMap { if case .client(.lightScreen(let isLit)) = $0 { isLit } else { nil } }
    }

    private func alerts(_ world: CoreWorld) -> PowerAlert? {
        if world.interface.isPopoverOpen, case .power(let alert)? = world.interface.popover?.content { alert } else { nil }
    }

    private func find(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.last { $0.id == id } }

    @Test("law 13: a short press locks before the screen is dark, fingers in a bag do nothing, and the next press shows the lock")
    func short() throws {
        var world = world()
        press(&world)
        #expect(world.system.isLocked && world.system.lockScreen.isUp && lights(world) == [false])
        world.send(.screenLit(false))
        for step in 0..<5 {
            world.send(.lockScreen(.input(.down(1, at: Point(400, 700)))))
            world.send(.lockScreen(.input(.moved(1, to: Point(400, 700 - Double(step) * 100)))))
            world.send(.lockScreen(.input(.up(1))))
        }
        #expect(!world.system.lockScreen.isOpen && lights(world) == [false])
        world.send(.powerButton(isDown: true))
        #expect(lights(world).last == true)
        world.send(.screenLit(true))
        world.send(.powerButton(isDown: false))
        #expect(world.system.lockScreen.isUp && !world.system.lockScreen.isOpen)
        world.unlockOwn()
        world.wait(60_000)
        #expect(lights(world).last == true, "it falls dark on the lock screen alone")
        #expect(world.finish() == [])
    }

    @Test("a key lights the dark screen, and writes nothing on the lock screen")
    func keys() {
        var world = world()
        press(&world)
        world.send(.screenLit(false))
        world.send(.lockScreen(.input(.key(KeySymbol(rawValue: 0x61), text: "a"))))
        #expect(lights(world).last == true && world.system.lockScreen.field.isEmpty && !world.system.lockScreen.isOpen)
        world.send(.screenLit(true))
        world.send(.lockScreen(.input(.key(KeySymbol(rawValue: 0x61), text: "a"))))
        #expect(world.system.lockScreen.field.text == "a")
        world.unlockOwn()
        #expect(world.finish() == [])
    }

    @Test(
        "a long press opens the ways to end the work, and no view of the session over the lock",
        arguments: [Idiom.pad, .phone, .mac, .tv, .watch])
    func long(idiom: Idiom) {
        var world = world(idiom)
        press(&world, for: 1500)
        #expect(!world.system.isLocked && lights(world) == [])
        guard idiom.offers.contains(.controlCentre) else { return }
        #expect(world.interface.isPanelOpen && world.interface.controlPage == .power)
        world.act(.dismiss)
        world.act(.dismiss)
        world.act(.lockScreen(.lock))
        press(&world, for: 1500)
        #expect(world.system.lockScreen.isUp && !world.interface.isPanelOpen)
        world.unlockOwn()
        #expect(world.finish() == [])
    }

    @Test("in a kiosk, which has no lock, the screen is dark, and a finger lights it and reaches nothing")
    func kiosk() {
        var world = world(.kiosk)
        press(&world)
        #expect(!world.system.isLocked && lights(world) == [false])
        world.send(.screenLit(false))
        let before = world.effects.count
        world.send(.touchDown(1, at: Point(400, 300), over: nil))
        #expect(lights(world).last == true)
        #expect(!world.effects.dropFirst(before).contains { if case .client(.touchDown) = $0 { true } else { false } })
        world.send(.screenLit(true))
        world.send(.touchUp(1))
        #expect(world.finish() == [])
    }

    @Test("without lock-power-button the shell ignores the button and releases its inhibitor")
    func others() {
        var world = world()
        #expect(world.effects.contains(.power(.holdButton(true))))
        world.act(.setting(key: "lock-power-button", value: "off"))
        #expect(world.effects.contains(.power(.holdButton(false))))
        press(&world)
        #expect(!world.system.isLocked && lights(world) == [])
        #expect(world.finish() == [])
    }

    @Test("the alert of a low battery shows the percentage, saves power by a tap, and closes when the charger is plugged in")
    func battery() throws {
        var world = world()
        func send(_ percent: Double, _ warning: Int64, state: Int64 = 2) {
            world.send(.status(.battery(BatteryFacts(state: state, percentage: percent, warning: warning))))
            world.wait(600)
        }
        send(40, 1)
        #expect(alerts(world) == nil)
        send(10, 3)
        #expect(alerts(world) == .lowBattery)
        #expect(world.controls.contains { $0.name == .message(.lowBatteryMessage, ["10%"]) })
        world.act(.dismiss)
        world.wait(600)
        send(9, 3)
        #expect(alerts(world) == nil)
        world.send(.status(.profiles(PowerProfiles(active: "balanced", all: ["power-saver", "balanced"]))))
        send(5, 4)
        let save = try #require(find("power-alert/save", world))
        world.tap(at: save.frame.center)
        world.wait(600)
        #expect(alerts(world) == nil && world.effects.contains(.status(.set(.powerProfile("power-saver")))))
        send(2, 5)
        #expect(world.controls.contains { $0.name == .message(.emptyBatteryMessage, ["2%"]) })
        send(3, 1, state: 1)
        #expect(alerts(world) == nil)
        #expect(world.finish() == [])
    }

    @Test("law 12: what holds the machine up is named, and a person can go on anyway: apps end first, then the machine")
    func heldUp() throws {
        var world = world()
        world.send(
            .status(
                .blockers([PowerBlocker(name: "Writer", reason: "A disc is being burned", isForShutdown: true, isForSleep: false)])))
        world.act(.device(.end(.turnOff)))
        world.wait(600)
        #expect(alerts(world) == .heldUp(.turnOff))
        #expect(world.controls.contains { $0.name == .message(.heldUp, ["Writer"]) })
        #expect(world.controls.contains { $0.name == .verbatim("Writer: A disc is being burned") })
        let cancel = try #require(find("power-alert/cancel", world))
        world.tap(at: cancel.frame.center)
        world.wait(600)
        #expect(alerts(world) == nil && !world.effects.contains { if case .status(.set) = $0 { true } else { false } })
        world.act(.device(.end(.restart)))
        world.wait(600)
        let anyway = try #require(find("power-alert/anyway", world))
        world.tap(at: anyway.frame.center)
        world.wait(600)
        world.send(.windowDestroyed(WindowID(1)))
        world.wait(20_000)
        #expect(world.effects.contains(.status(.set(.endAnyway(.restart)))))
        #expect(!world.effects.contains(.status(.set(.end(.restart)))))
    }

    @Test("prepared updates are told once, and installed by a restart")
    func updates() throws {
        var world = world()
        world.send(.status(.updates(true)))
        world.wait(600)
        #expect(alerts(world) == .updatesReady)
        world.act(.dismiss)
        world.wait(600)
        world.act(.controlPage(.power))
        world.wait(600)
        #expect(find("control-centre/power/update", world)?.press == .device(.end(.update)))
        world.act(.dismiss)
        world.act(.dismiss)
        #expect(world.finish() == [])
    }
}
