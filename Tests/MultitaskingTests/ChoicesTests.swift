import AudioSessions
import Foundation
import Geometry
import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("What a person sets stays set")
struct ChoicesTests {
    private let outputs = [
        AudioOutput(id: PortID("speaker"), kind: .speaker, name: "Speaker"), AudioOutput(id: PortID("usb"), kind: .usb, name: "USB"),
    ]

    private func world(_ preferences: Preferences = Preferences(), idiom: Idiom = .pad, _ kept: [Choice] = []) -> CoreWorld {
        var world = CoreWorld(size: nil, idiom: idiom, preferences: preferences)
        if !kept.isEmpty { world.send(.choices(.restored(kept))) }
        world.send(.screenChanged(Screen(size: Size(1180, 820))))
        world.send(.appsChanged([App(id: "notes", name: "Notes", command: ["notes"]), App(id: "mail", name: "Mail", command: ["mail"])]))
        world.send(.idiomsKnown([.pad, .phone, .mac, .vision]))
        world.send(.hardware(.known))
        world.send(.audio(.serverChanged(isRunning: true)))
        world.send(.audio(.devicesChanged(outputs: outputs, inputs: [])))
        return world
    }

    /// What an adapter keeps, as it comes back from the disk.
    private func kept(_ world: CoreWorld) throws -> [Choice] {
        var disk: [String: Data] = [:]
        for effect in world.effects {
            switch effect {
            case .choices(.keep(let choice)): disk[choice.key] = try JSONEncoder().encode(choice)
            case .choices(.forget(let key)): disk[key] = nil
            default: break
            }
        }
        return try disk.sorted { $0.key < $1.key }.map { try JSONDecoder().decode(Choice.self, from: $0.value) }
    }

    private func dock(_ world: CoreWorld) -> [String] {
        world.controls.filter { $0.id.area == .dock }.compactMap { if case .openApp(let app, _) = $0.press { app } else { nil } }
    }

    private let acts: [Action] = [
        .darkAppearance(true), .reducedMotion(true), .textSize(1.35), .addToDock(app: "notes"), .removeFromDock(app: "mail"),
        .keepRunning(app: "mail", true), .audio(.silence(true)), .audio(.muteMicrophone(true)), .audio(.setVolume(0.4, .ringer)),
        .audio(.setVolume(0.5, .alarm)), .audio(.setVolume(0.25, .media)), .rotate(1), .resizeScreen(scale: 1.5), .idiom("vision"),
        .surroundings(0.6),
    ]

    @Test("everything that a person sets is kept at once, and holds in the next session")
    func kept() throws {
        var before = world()
        for act in acts {
            let count = before.effects.count
            #expect(before.act(act).refusals.isEmpty)
            #expect(
                before.effects[count...].contains { if case .choices(.keep) = $0 { true } else { false } },
                "\(act) is kept in its own event")
        }
        let disk = try kept(before)
        #expect(Set(disk) == Set(before.system.chosen))
        let after = world(Preferences(), disk)
        for world in [before, after] {
            let preferences = world.system.preferences
            #expect(preferences.appearance.isDark && preferences.reducedMotion && preferences.appearance.textScale == 1.35)
            #expect(preferences.life.kept == ["mail"])
            #expect(world.interface.dockApps == ["notes"])
            let sound = world.system.audio.summary
            #expect(sound.isSilenced && sound.isMicrophoneMuted)
            #expect(sound.volumes[.ringer]?.level == 0.4 && sound.volumes[.alarm]?.level == 0.5 && sound.volumes[.media]?.level == 0.25)
            #expect(world.workspace.family.name == "vision" && world.system.views(at: world.now)?.isDim ?? false)
        }
        #expect(after.effects.contains(.configureScreen(size: nil, scale: 1.5, rotation: 1)))
        #expect(Set(after.system.chosen) == Set(disk), "nothing is lost or doubled by the restart")
        for world in [before, after] {
            var world = world
            #expect(world.finish() == [])
        }
    }

    @Test("a reload of the configuration changes only what the file says")
    func reload() {
        var world = world()
        for act in acts { world.act(act) }
        let before = world.system.preferences
        var file = Preferences()
        file.animationSpeed = 2
        world.send(.configured(file))
        #expect(world.system.preferences.animationSpeed == 2)
        #expect(world.system.preferences.appearance == before.appearance && world.system.preferences.reducedMotion)
        #expect(world.system.preferences.life.kept == ["mail"] && world.interface.dockApps == ["notes"])
        #expect(world.workspace.family.name == "vision" && world.system.audio.summary.isSilenced)
        #expect(world.finish() == [])
    }

    @Test("where the file says something, it wins, the view says so, and the choice comes back when it says nothing any more")
    func file() throws {
        var world = world(Preferences(), [.darkAppearance(true), .textSize(1.35), .dock(["mail"]), .keepRunning(app: "notes", true)])
        #expect(world.system.preferences.appearance.isDark)
        var file = Preferences(appearance: Appearance(dock: ["notes"]))
        file.fixed = [.appearance, .reducedMotion, .textSize, .dock]
        file.fixedApps = ["mail"]
        file.life.kept = ["mail"]
        world.send(.configured(file))
        #expect(!world.system.preferences.appearance.isDark && world.system.preferences.appearance.textScale == 1)
        #expect(world.system.preferences.life.kept == ["mail", "notes"], "a person chooses for the apps that the file does not name")
        for act in [
            Action.darkAppearance(true), .reducedMotion(true), .textSize(1.5), .addToDock(app: "mail"), .keepRunning(app: "mail", false),
        ] {
            #expect(world.act(act).refusals.first?.hasPrefix("the configuration file says") ?? false, "\(act)")
        }
        #expect(world.act(.keepRunning(app: "notes", false)).refusals.isEmpty)
        world.act(.controlCentre)
        world.wait(1000)
        for tile in ["dark", "motion", "text"] {
            let control = try #require(world.controls.first { $0.id == ControlID(.controlCentre, tile) })
            #expect(control.press == nil)
        }
        #expect(world.controls.contains { $0.id == "control-centre/fixed" && $0.name == .message(.setInFile) })
        world.send(.configured(Preferences()))
        #expect(world.system.preferences.appearance.isDark && world.system.preferences.appearance.textScale == 1.35)
        #expect(world.interface.dockApps == ["mail"])
        #expect(world.controls.first { $0.id == "control-centre/dark" }?.press == .darkAppearance(false))
        #expect(!world.controls.contains { $0.id == "control-centre/fixed" })
        #expect(world.finish() == [])
    }

    @Test("what nobody can have chosen is left out")
    func impossible() {
        let bad: [Choice] = [
            .textSize(.nan), .textSize(9), .rotation(7), .scale(0), .surroundings(-1), .keepRunning(app: "", true), .idiom("", settled: ""),
            .audio(.volume(.media, 0.5)), .audio(.volume(.ringer, .infinity)), .audio(.app("x", 3)),
            .audio(.level(PortID("speaker"), -1, isMuted: false)),
            .audio(.route(output: nil, input: nil, among: Array(repeating: PortID("x"), count: 300))),
        ]
        var world = world(Preferences(), bad)
        #expect(world.system.chosen.isEmpty && world.system.preferences == Preferences())
        #expect(world.finish() == [])
    }

    @Test("A-09: an output that a person picked stays picked, unless another one was plugged in since")
    func route() throws {
        var before = world()
        before.act(.audio(.pickOutput(PortID("speaker"))))
        #expect(before.system.audio.summary.route.output == PortID("speaker"))
        let disk = try kept(before)
        #expect(world(Preferences(), disk).system.audio.summary.route.output == PortID("speaker"))
        var plugged = CoreWorld()
        plugged.send(.choices(.restored(disk)))
        plugged.send(.audio(.serverChanged(isRunning: true)))
        plugged.send(
            .audio(
                .devicesChanged(
                    outputs: outputs + [AudioOutput(id: PortID("phones"), kind: .headphones, name: "Headphones")], inputs: [])))
        #expect(plugged.system.audio.summary.route.output == PortID("phones"))
        // Before any device is known, another choice does not lose this one.
        var early = CoreWorld()
        early.send(.choices(.restored(disk)))
        early.act(.audio(.silence(true)))
        #expect(early.system.chosen.contains { $0.key == "audio/route" } && early.system.chosen.contains { $0.key == "audio/silence" })
        // Automatic again.
        before.act(.audio(.pickOutput(nil)))
        #expect(try !kept(before).contains { $0.key == "audio/route" })
        #expect(before.finish() == [] && plugged.finish() == [])
    }

    @Test("A-06: the switch of the device says whether it is silent, not the last session")
    func hardwareSwitch() {
        var world = CoreWorld()
        world.send(.audio(.silenced(false)))
        world.send(.choices(.restored([.audio(.silence(true))])))
        #expect(!world.system.audio.summary.isSilenced)
        #expect(world.finish() == [])
    }

    @Test("W-25: a chosen idiom comes back unless the hardware names another one, also if a person chose the usual one last")
    func idiom() throws {
        var before = world()
        before.act(.idiom("mac"))
        let disk = try kept(before)
        #expect(world(Preferences(), disk).workspace.family.name == "mac")
        var automatic = Preferences()
        automatic.idiom = .automatic
        var docked = CoreWorld(preferences: automatic)
        docked.send(.choices(.restored([.idiom("phone", settled: "pad")])))
        docked.send(.idiomsKnown([.pad, .phone, .mac]))
        docked.send(.hardware(.keyboard(true)))
        docked.send(.hardware(.known))
        #expect(docked.workspace.family.name == "mac")
        var arrangement = before.system.kept
        arrangement.idiom = "mac"
        arrangement.settledIdiom = "pad"
        before.act(.idiom("pad"))
        var after = world(Preferences(), try kept(before))
        after.send(.restored(arrangement, first: WindowID(1_000_000)))
        #expect(after.workspace.family.name == "pad", "an older arrangement does not overrule the choice")
        #expect(before.finish() == [] && docked.finish() == [] && after.finish() == [])
    }

    @Test("the on-screen keyboard that was called by hand comes back, and one that was hidden does not")
    func screenKeyboard() throws {
        var world = world()
        world.send(.screenKeyboard(isShown: false))
        #expect(world.act(.screenKeyboard(shown: true)).contains(.showScreenKeyboard(true)))
        world.send(.screenKeyboard(isShown: true))
        let disk = try kept(world)
        var after = self.world(Preferences(), disk)
        #expect(after.send(.screenKeyboard(isShown: false)).contains(.showScreenKeyboard(true)))
        after.send(.screenKeyboard(isShown: true))
        // Its own key hides it.
        after.send(.screenKeyboard(isShown: false))
        #expect(!after.system.chosen.contains { $0.key == "screen-keyboard" })
        #expect(world.finish() == [] && after.finish() == [])
    }
}
