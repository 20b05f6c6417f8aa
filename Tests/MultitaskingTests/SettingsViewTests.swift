import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Seat
import Stage
import Status
import Testing
import Windows

/// The settings on the screen, by finger, keys and script.
@Suite("X-03: the settings") struct SettingsViewTests {
    private func world(_ idiom: Idiom = .pad, _ preferences: Preferences = Preferences(newWindows: .always)) -> CoreWorld {
        var world = CoreWorld(idiom: idiom, preferences: preferences)
        world.send(
            .appsChanged([App(id: "foot", name: "Foot", command: ["foot"]), App(id: App.settings, name: "Settings", command: ["mullion"])]))
        world.open(1)
        world.send(.timeIs(TimeOfDay(hour: 9, minute: 5)))
        world.send(.status(.network(NetworkFacts(hasWireless: true, isWirelessOn: true, state: 20))))
        var facts = SettingFacts()
        facts.words = [.accentColour: ["Accent Colour", "アクセントカラー", "강조 색상"], .keyClicks: ["Key Clicks", "キークリック音", "키 소리"]]
        facts.wallpapers = ["/home/someone/Pictures/Sea.png"]
        facts.machine.version = "0.1"
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

    private func type(_ text: String, _ world: inout CoreWorld) {
        for character in text.unicodeScalars {
            for isPressed in [true, false] {
                world.send(
                    .key(
                        code: 30, symbol: KeySymbol(rawValue: character.value < 0x100 ? character.value : 0x100_0000 + character.value),
                        pressed: isPressed, modifiers: [], text: String(character)))
            }
        }
        world.wait(300)
    }

    private func value(_ key: String, _ world: CoreWorld) -> String? { world.system.views(at: world.now)?.setting(key)?.value.text }

    @Test("X-03: the search knows the words of every setting and of every page")
    func searched() throws {
        var world = CoreWorld()
        world.send(.status(.brightness(0.5)))
        world.send(.nightLight(.possible(true)))
        world.send(.turning(.sensor(true)))
        world.send(.audio(.serverChanged(isRunning: true)))
        world.send(.hardware(.output(Hardware.Output(name: "DP-1", model: "Goldstar U2723QE", serial: "12", width: 600, height: 340))))
        let known = Set(Views.searchedTitles), views = try #require(world.system.views(at: world.now))
        for setting in views.settings {
            if case .message(let message, _) = setting.title { #expect(known.contains(message), "\(setting.key)") }
        }
    }

    @Test("its icon opens it, pages lead back to it, and it closes from its first page")
    func opens() throws {
        var world = world()
        world.act(.openApp(app: App.settings))
        world.wait(1000)
        #expect(world.interface.controlPage == .settings && world.workspace.launches.all.isEmpty)
        let frame = try #require(find("control-centre", world)).frame
        #expect(abs(frame.center.x - 590) < 1)
        try tap("control-centre/page/look", &world)
        #expect(find("control-centre", world)?.frame == frame, "one frame for all pages")
        try tap("control-centre/back", &world)
        #expect(world.interface.controlPage == .settings)
        try tap("control-centre/page/wireless", &world)
        #expect(world.interface.controlPage == .wireless && world.system.wireless.isSeen)
        try tap("control-centre/back", &world)
        #expect(world.interface.controlPage == .settings, "not the control centre")
        try tap("control-centre/back", &world)
        #expect(!world.interface.isPanelOpen)
        // The control centre has its own frame again.
        world.act(.controlCentre)
        world.wait(1000)
        #expect(try #require(find("control-centre", world)).frame.center.x > 700)
        world.act(.controlCentre)
        #expect(world.finish() == [])
    }

    @Test("Super and comma opens it")
    func key() {
        var world = world()
        for isPressed in [true, false] {
            world.send(.key(code: 51, symbol: KeySymbol(rawValue: 0x2c), pressed: isPressed, modifiers: .super))
        }
        #expect(world.interface.controlPage == .settings && world.interface.isPanelOpen)
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test("switches, choices and sliders set what they say, for the next session, too")
    func sets() throws {
        var world = world()
        world.act(.controlPage(.look))
        world.wait(1000)
        try tap("control-centre/setting/appearance/dark", &world)
        #expect(world.system.preferences.appearance.isDark)
        try tap("control-centre/setting/accent/green", &world)
        #expect(world.system.preferences.appearance.accent == .green && world.system.chosen.contains(.accent(.green)))
        world.act(.scroll(100))
        world.wait(2000)
        try tap("control-centre/setting/increased-contrast", &world)
        #expect(world.system.preferences.appearance.increasedContrast)
        let slider = try #require(find("control-centre/setting/text-size", world)?.slide)
        world.act(slider.action(at: 0.5))
        #expect(world.system.preferences.appearance.textScale == 1.5)
        world.act(.dismiss)
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test("every setting that a script can set is set and read back; what it cannot be is refused, and names what is allowed")
    func everySetting() {
        var world = world()
        world.send(.audio(.serverChanged(isRunning: true)))
        world.send(.status(.brightness(0.5)))
        world.send(.turning(.sensor(true)))
        var facts = SettingFacts()
        facts.layouts = ["us", "de", "kr(kr104)"].map { NamedLayout(name: $0, title: $0) }
        world.send(.settingFacts(facts))
        let all = world.system.views(at: world.now)?.settings ?? []
        #expect(Set(all.map(\.key)).count == all.count && all.count > 20)
        for setting in all {
            var others: [String] = []
            switch setting.kind {
            case .flag: others = [setting.value == .flag(true) ? "off" : "on"]
            case .names(let names, _): others = names.map(\.name).filter { $0 != setting.value.text }
            case .number(let range, let step, _):
                others = [Setting.text(range.lowerBound + step), Setting.text(range.upperBound)].filter { $0 != setting.value.text }
            }
            for other in others.prefix(3) {
                world.act(.setting(key: setting.key, value: other))
                // The size of the screen and the volume are others' to set.
                if setting.key != "scale", !setting.key.hasPrefix("volume.") {
                    #expect(value(setting.key, world) == other, "\(setting.key)")
                }
            }
            let effects = world.act(.setting(key: setting.key, value: "nonsense"))
            #expect(
                effects.contains { if case .session(.refuse(let refusal)) = $0 { refusal.reason.hasPrefix(setting.key) } else { false } },
                "\(setting.key)")
        }
        world.act(.setting(key: "colour", value: "red"))
        #expect(world.effects.contains(.refuse(Refusal("there is no setting \"colour\""))))
        // All of it is undone.
        world.act(.resetSettings())
        for setting in all where setting.choice != nil { #expect(value(setting.key, world) == setting.value.text, "\(setting.key)") }
        #expect(!world.system.chosen.contains { if case .accent = $0 { true } else { false } })
        #expect(world.finish() == [])
    }

    @Test("what the configuration file fixes has a lock, names the line, and is set by no one here")
    func fixed() throws {
        var preferences = Preferences(newWindows: .always)
        preferences.fixed = [.appearance, .increasedContrast]
        preferences.fixedLines = ["appearance": 3, "increased-contrast": 4]
        var world = world(.pad, preferences)
        world.act(.controlPage(.look))
        world.wait(1000)
        #expect(find("control-centre/setting/appearance/dark", world)?.press == nil)
        #expect(world.controls.contains { $0.name == .message(.setInFileAt, ["3", "appearance"]) })
        world.act(.setting(key: "appearance", value: "dark"))
        #expect(!world.system.preferences.appearance.isDark)
        #expect(world.effects.contains(.refuse(Refusal("the configuration file says \"appearance\""))))
        world.act(.choose(.increasedContrast(true)))
        #expect(!world.system.preferences.appearance.increasedContrast)
        world.act(.dismiss)
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test(
        "the search finds a setting in every language, without accents and case, and sets it there",
        arguments: ["accent", "강조", "ｱｸｾﾝﾄ", "ÀCCENT"])
    func search(text: String) throws {
        var world = world()
        world.act(.controlPage(.settings))
        world.wait(1000)
        try tap("control-centre/search", &world)
        type(text, &world)
        #expect(find("control-centre/page/look/accent", world) != nil)
        #expect(find("control-centre/page/wireless", world) == nil)
        try tap("control-centre/page/look/accent", &world)
        #expect(world.interface.controlPage == .look)
        world.act(.dismiss)
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test("a field pastes by Ctrl+V, also where V has another letter, by Shift+Insert, and by a finger that rests")
    func pastes() throws {
        var world = world()
        world.act(.controlPage(.settings))
        world.wait(600)
        func pasted(_ symbol: KeySymbol, _ modifiers: Modifiers, _ others: [KeyAlias] = []) -> Bool {
            let effects = world.send(.key(code: 47, symbol: symbol, pressed: true, modifiers: modifiers, others: others))
            world.send(.key(code: 47, symbol: symbol, pressed: false, modifiers: modifiers, others: others))
            return effects.contains(.copying(.paste))
        }
        #expect(!pasted(0x76, .control), "no field has the keys")
        try tap("control-centre/search", &world)
        #expect(pasted(0x76, .control) && pasted(.insert, .shift))
        #expect(pasted(0x0ebd, .control, [KeyAlias(0x76)]), "a Korean keyboard")
        #expect(!pasted(0x76, []) && !pasted(0x76, [.control, .alt]) && !pasted(.insert, []))
        let field = try #require(find("control-centre/search", world)).frame.center
        world.touch(down: field)
        #expect(world.wait(1000).contains(.copying(.paste)))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("a search that finds nothing says so, and Escape empties the field before it leaves")
    func nothing() throws {
        var world = world()
        world.act(.controlPage(.settings))
        world.wait(1000)
        try tap("control-centre/search", &world)
        type("zzz", &world)
        #expect(world.controls.contains { $0.name == .message(.nothingFound, ["zzz"]) })
        world.act(.dismiss)
        #expect(world.interface.isPanelOpen && find("control-centre/page/wireless", world) != nil)
        world.act(.dismiss)
        #expect(!world.interface.isPanelOpen)
        #expect(world.finish() == [])
    }

    @Test("apps: their notifications and whether they run in the background, and a reset of all")
    func apps() throws {
        var world = world()
        world.act(.controlPage(.background))
        world.wait(1000)
        try tap("control-centre/setting/background/foot", &world)
        #expect(world.system.preferences.life.kept == ["foot"])
        world.act(.controlPage(.noticeApps))
        world.wait(600)
        try tap("control-centre/notice-app/foot", &world)
        #expect(world.interface.isNoticeListOpen && world.interface.notices.settings == "foot")
        world.act(.setting(key: "notifications/foot", value: "off"))
        #expect(world.system.notices.choices.manner(of: "foot") == .off)
        world.act(.controlPage(.reset))
        world.wait(600)
        try tap("control-centre/reset/all", &world)
        #expect(world.system.preferences.life.kept == [])
        while world.interface.isPanelOpen { world.act(.dismiss) }
        #expect(world.finish() == [])
    }

    @Test("every page in every idiom keeps its controls on the screen", arguments: [Idiom.pad, .phone, .mac, .tv, .watch, .vision])
    func idioms(idiom: Idiom) {
        var world = world(idiom)
        for page in ControlPage.allCases where page.isOfSettings {
            world.act(.controlPage(page))
            world.rest()
            guard world.interface.isPanelOpen else { continue }
            let bounds = world.workspace.screen!.bounds
            for one in world.controls { #expect(bounds.contains(one.frame), "\(idiom.name) \(page) \(one.id)") }
            #expect(world.restProblems() == [], "\(idiom.name) \(page)")
        }
        while world.interface.isPanelOpen { world.act(.dismiss) }
        #expect(world.finish() == [])
    }
}
