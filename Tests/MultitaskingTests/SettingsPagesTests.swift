import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Status
import Testing
import Windows

/// The pages of the settings under a person's fingers (X-03, P-01).
@Suite("X-03: the pages of the settings") struct SettingsPagesTests {
    private func world() -> CoreWorld {
        var world = CoreWorld(idiom: .pad, preferences: Preferences(newWindows: .always))
        world.send(
            .appsChanged([
                App(id: "web.one", name: "One", command: ["one"], mimeTypes: ["x-scheme-handler/https"]),
                App(id: "web.two", name: "Two", command: ["two"], mimeTypes: ["x-scheme-handler/https"]),
                App(id: App.settings, name: "Settings", command: ["mullion"]),
            ]))
        world.open(1)
        var facts = SettingFacts()
        facts.defaultApps = [.web: ["web.two", "web.one"]]
        facts.machine.version = "0.1"
        facts.layouts = ["us", "de"].map { NamedLayout(name: $0, title: $0) }
        world.send(.settingFacts(facts))
        world.rest()
        return world
    }

    private func find(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.last { $0.id == id } }

    private func tap(_ id: ControlID, _ world: inout CoreWorld) throws {
        let found = try #require(find(id, world), "\(id) is not there")
        world.tap(at: found.frame.center)
        world.wait(600)
    }

    private func value(_ key: String, _ world: CoreWorld) -> String? { world.system.views(at: world.now)?.setting(key)?.value.text }

    private func dragUp(from point: Point, _ world: inout CoreWorld) {
        world.drag(from: point, to: Point(point.x, point.y - 200))
        world.wait(1500)
    }

    @Test("a push upwards on a short page, or at the end of a long one, leaves the settings open")
    func pushes() throws {
        var world = world()
        world.act(.controlPage(.about))
        world.wait(1000)
        #expect(world.system.views(at: world.now)?.listPlan?.reach == 0)
        dragUp(from: try #require(find("control-centre/about/version", world)).frame.center, &world)
        #expect(world.interface.isPanelOpen && world.interface.controlPage == .about)
        world.act(.controlPage(.look))
        world.wait(1000)
        world.act(.scroll(100))
        world.wait(2000)
        let plan = try #require(world.system.views(at: world.now)?.listPlan)
        #expect(plan.reach > 0 && world.interface.listScroll.target == plan.reach)
        dragUp(from: plan.window.center, &world)
        #expect(world.interface.isPanelOpen && world.interface.listScroll.target == plan.reach)
        #expect(world.finish() == [])
    }

    @Test("the list of the settings is where it was when a person comes back from a page, and at its top when it opens")
    func comesBack() throws {
        var world = world()
        world.act(.controlPage(.settings))
        world.wait(1000)
        world.act(.scroll(100))
        world.wait(2000)
        let place = world.interface.listScroll.target
        #expect(place > 0)
        try tap("control-centre/page/about", &world)
        #expect(world.interface.controlPage == .about && world.interface.listScroll.target == 0)
        try tap("control-centre/back", &world)
        #expect(world.interface.controlPage == .settings && world.interface.listScroll.target == place)
        world.act(.controlPage(.settings))
        world.wait(1000)
        world.act(.controlPage(.settings))
        world.wait(1000)
        #expect(world.interface.isPanelOpen && world.interface.listScroll.target == 0)
        #expect(world.finish() == [])
    }

    @Test("a person takes back the choice of an app, and the desktop's own is in use again")
    func automatic() throws {
        var world = world()
        #expect(value("default/web", world) == "auto")
        world.act(.controlPage(.defaultApps))
        world.wait(1000)
        try tap("control-centre/setting/default/web/web.one", &world)
        #expect(world.system.chosen.contains(.defaultApp(.web, app: "web.one")))
        try tap("control-centre/setting/default/web/auto", &world)
        #expect(world.effects.contains(.choices(.forget(key: "default/web"))))
        #expect(value("default/web", world) == "auto" && !world.system.chosen.contains(.defaultApp(.web, app: "web.one")))
        #expect(world.finish() == [])
    }

    @Test("a layout that is not there is named with those that are")
    func layouts() throws {
        var world = world()
        world.act(.setting(key: "keyboard-layouts", value: "zzz"))
        #expect(world.effects.contains(.refuse(Refusal("keyboard-layouts: the system has no layout \"zzz\"; it has de, us"))))
        #expect(world.finish() == [])
    }
}
