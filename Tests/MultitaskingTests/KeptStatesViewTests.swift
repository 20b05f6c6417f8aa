import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Status
import Testing
import Windows

/// The data kept for apps, and their keys, in the settings.
@Suite("X-03: storage and keys of apps in the settings") struct KeptStatesViewTests {
    private func world(_ idiom: Idiom = .pad) -> CoreWorld {
        var world = CoreWorld(idiom: idiom, preferences: Preferences(newWindows: .always))
        world.send(.appsChanged([App(id: "maps", name: "Atlas", command: ["maps"]), App(id: "sky", name: "Sky", command: ["sky"])]))
        var facts = SettingFacts()
        facts.machine.keeps = true
        world.send(.settingFacts(facts))
        world.open(1)
        world.rest()
        return world
    }

    private func control(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.last { $0.id == id } }

    private func tap(_ id: ControlID, _ world: inout CoreWorld) throws {
        let found = try #require(control(id, world), "\(id) is not there")
        world.tap(at: found.frame.center)
        world.wait(600)
    }

    private func deleted(_ world: CoreWorld) -> [String] {
        world.effects.compactMap { if case .forgetKept(let app) = $0 { app } else { nil } }
    }

    private func measured(_ world: CoreWorld) -> Int { world.effects.count { $0 == .measureKept } }

    @Test("by finger: the page measures, lists the largest first with the sum, asks, and deletes only after the question")
    func page() throws {
        var world = world()
        world.act(.controlPage(.settings))
        world.wait(600)
        world.act(.controlPage(.storage))
        world.wait(600)
        #expect(measured(world) == 1)
        world.send(
            .keptStates(
                .measured([.init(app: "sky", states: 2048, pictures: 0), .init(app: "maps", states: 0, pictures: 3_000_000)])))
        world.rest()
        let first = try #require(control("control-centre/storage/maps", world)),
            second = try #require(control("control-centre/storage/sky", world))
        #expect(first.frame.minY < second.frame.minY)
        try tap("control-centre/storage/maps/more", &world)
        #expect(control("forget-kept", world)?.name == .message(.forgetKept, ["Atlas"]) && deleted(world) == [])
        try tap("forget-kept/cancel", &world)
        #expect(deleted(world) == [] && control("forget-kept", world) == nil)
        try tap("control-centre/storage/maps/more", &world)
        try tap("forget-kept/delete", &world)
        #expect(deleted(world) == ["maps"] && measured(world) == 2 && control("forget-kept", world) == nil)
        while world.interface.isPanelOpen { world.act(.dismiss) }
        #expect(world.finish() == [])
    }

    @Test("windows of that app that wait to come back go, those of others and those that run stay")
    func windows() {
        var before = world()
        for (raw, app) in [(2, "maps"), (3, "sky")] as [(UInt32, String)] {
            for case .program(.launch(let id, _, _)) in before.act(.openApp(app: app)) {
                before.send(.launched(id, process: Int32(100 + raw)))
            }
            before.open(raw, WindowFacts(appID: app, title: app, lineage: [Int32(100 + raw)]))
        }
        var world = world()
        let open = world.open(2, WindowFacts(appID: "maps", title: "Map", lineage: [900]))
        world.send(.restored(before.system.kept, first: WindowID(50)))
        world.rest()
        func waiting() -> [String] {
            world.workspace.windows.values.filter { $0.placeholder != nil }.map(\.app).filter { $0 == "maps" || $0 == "sky" }.sorted()
        }
        #expect(waiting() == ["maps", "sky"])
        world.act(.device(.kept(.delete(app: "maps"))))
        world.rest()
        #expect(waiting() == ["sky"] && world.workspace[open]?.isMapped == true && deleted(world) == ["maps"])
    }

    @Test("the keyboard's page lists the keys of apps, and a finger takes them back")
    func keys() throws {
        var world = world()
        world.send(
            .choices(
                .restored([
                    .shortcuts(app: "maps", [AppShortcut(id: "talk", keys: "Super+F1")]),
                    .shortcuts(app: "sky", [AppShortcut(id: "a", keys: "")]),
                ])))
        world.act(.controlPage(.keyboard))
        world.wait(600)
        let row = try #require(control("control-centre/app-keys/maps", world))
        #expect(row.name == .list([.verbatim("Atlas"), .verbatim("Super+F1")], ", "))
        try tap("control-centre/app-keys/maps/more", &world)
        #expect(world.system.preferences.shortcuts.keys.sorted() == ["sky"])
        #expect(control("control-centre/app-keys/maps", world) == nil && control("control-centre/app-keys/sky", world) != nil)
        while world.interface.isPanelOpen { world.act(.dismiss) }
        #expect(world.finish() == [])
    }
}
