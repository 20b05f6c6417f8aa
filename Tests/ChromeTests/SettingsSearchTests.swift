import Chrome
import Geometry
import Idioms
import MullionTesting
import Multitasking
import Stage
import Status
import Testing
import Tray
import Windows

@testable import Interface

/// The search over the settings, with the words of the catalogues.
@Suite("X-03: the search over the settings") struct SettingsSearchTests {
    /// A device that has everything.
    private func world() -> CoreWorld {
        var world = CoreWorld(size: Size(1180, 2000), idiom: .pad, preferences: Preferences(newWindows: .always))
        let types = DefaultKind.allCases.map { $0.types[0] }
        world.send(
            .appsChanged([
                App(id: "firefox", name: "Firefox", command: ["firefox"], mimeTypes: types),
                App(id: App.settings, name: "Settings", command: ["mullion"]),
            ]))
        world.send(.idiomsKnown(Idiom.allAndPlaces))
        world.open(1)
        world.send(.status(.brightness(0.5)))
        world.send(.nightLight(.possible(true)))
        world.send(.turning(.sensor(true)))
        world.send(.audio(.serverChanged(isRunning: true)))
        world.send(.status(.bluetooth(Bluetooth(isOn: true))))
        world.send(.status(.network(NetworkFacts(hasWireless: true, isWirelessOn: true, hasCellular: true, state: 20))))
        world.send(.status(.flashLight(false)))
        world.send(.status(.recording(false)))
        world.send(.status(.profiles(PowerProfiles(active: "balanced", all: ["power-saver", "balanced", "performance"]))))
        world.send(.status(.ends(MachineEnd.allCases)))
        world.send(.hardware(.output(Hardware.Output(name: "DP-1", model: "Goldstar U2723QE", serial: "12", width: 600, height: 340))))
        var stick = VolumeFacts(path: "/b/sdb1")
        (stick.label, stick.bytes, stick.isRemovable, stick.drive, stick.canPowerOff) = ("Stick", 16_000_000_000, true, "/d/stick", true)
        world.send(.drives(.volumes([stick])))
        world.send(.tray(.item(TrayFacts(key: ":1.5/a", title: "Chat", state: .attention, process: 900, hasMenu: true))))
        var facts = SettingFacts()
        for message in Views.searchedTitles { facts.words[message] = Language.searched(message) }
        facts.layouts = ["us", "de"].map { NamedLayout(name: $0, title: $0) }
        facts.machine.keeps = true
        (facts.machine.version, facts.machine.system, facts.machine.kernel, facts.machine.processor) = ("0.1", "Linux", "6.12", "fast")
        facts.machine.memory = 1 << 33
        facts.hasKeyboard = true
        world.send(.settingFacts(facts))
        world.act(.controlPage(.settings))
        world.rest()
        world.act(.form(.write(.settingsSearch)))
        return world
    }

    /// Typed by a person.
    private func find(_ text: String, _ world: inout CoreWorld) throws -> [FormRow] {
        world.act(.form(.clear(.settingsSearch)))
        world.act(.form(.write(.settingsSearch)))
        world.send(.typed(text))
        let form = try #require(world.system.views(at: world.now)?.form(of: .settings))
        return form.sections.flatMap(\.rows).filter { !$0.isField }
    }

    /// The words of a title in a language.
    private func words(_ text: Text, _ language: Language) -> String? {
        switch text {
        case .message(let message, _): language.words(message)
        case .verbatim(let name), .similar(let name): name
        case .list(let texts, _): texts.compactMap { words($0, language) }.joined(separator: " ")
        default: nil
        }
    }

    @Test("it finds every row of every page in every language", arguments: Language.allCases)
    func everyRow(language: Language) throws {
        var world = world()
        let views = try #require(world.system.views(at: world.now))
        let pages = views.settingsPages.joined().compactMap { link -> (FormRow, ControlPage)? in
            guard case .page(.controlPage(let page)) = link.kind else { return nil }
            return (link, page)
        }
        #expect(pages.count > 15)
        var count = 0
        for (link, page) in pages {
            var titles = [link.text]
            titles += views.form(of: page)?.sections.flatMap(\.rows).filter { !$0.isField }.map(\.text) ?? []
            titles += views.settings.filter { $0.page == page || page == .display && $0.page == .idioms }.flatMap { setting in
                guard case .names(let names, _) = setting.kind, page != .noticeApps else { return [setting.title] }
                return [setting.title] + names.map(\.title)
            }
            for title in titles {
                let text = try #require(words(title, language), "\(page) \(title)")
                count += 1
                let isThere = views.settingsFound(SearchText(text)).contains { row in
                    row.text == title || row.text == link.text || row.detail == link.text
                }
                #expect(isThere, "\(page): \(text)")
            }
        }
        #expect(count > 100)
        world.act(.dismiss)
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test(
        "it finds what people type: without hyphens and spaces, in another spelling, and by another word",
        arguments: [
            ("wifi", Message.wireless), ("wi-fi", .wireless), ("wi fi", .wireless), ("Wi‑Fi", .wireless), ("와이파이", .wireless),
            ("ワイファイ", .wireless), ("無線lan", .wireless), ("darkmode", .appearance), ("다크모드", .appearance), ("ダークモード", .appearance),
            ("airplane", .aeroplane), ("aeroplane", .aeroplane), ("비행기모드", .aeroplane), ("機内", .aeroplane), ("colour", .accentColour),
            ("color", .accentColour), ("tablet", .idiom), ("tray", .tray), ("usb", .drives), ("camera", .privacy),
            ("password", .lockScreen),
            ("passwort", nil), ("log out", .logOut), ("logout", .logOut), ("log-out", .logOut), ("reboot", .restart),
            ("shutdown", .turnOff), ("e-mail", .defaultMail), ("browser", .defaultWeb), ("keyboardlayout", .keyboardLayouts),
            ("kernel", .kernel), ("green", .accentColour), ("xifi", nil), ("odeda", nil),
        ] as [(String, Message?)])
    func typed(text: String, message: Message?) throws {
        var world = world()
        let found = try find(text, &world)
        if let message { #expect(found.contains { $0.text == .message(message) }, "\(found.map(\.text))") } else { #expect(found.isEmpty) }
        world.act(.dismiss)
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test("an app is found on each page that has a switch for it")
    func app() throws {
        var world = world()
        let ids = Set(try find("firefox", &world).map(\.id))
        #expect(
            ids.isSuperset(of: ["setting/start/firefox", "setting/background/firefox", "page/notice-apps/notifications/firefox"]), "\(ids)")
        world.act(.dismiss)
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test("a tile is no switch among the results: its switch would take it from the control centre")
    func tile() throws {
        var world = world()
        let row = try #require(try find("airplane", &world).first { $0.text == .message(.aeroplane) })
        if case .page(.controlPage(.controls)) = row.kind {} else { #expect(Bool(false), "\(row.kind)") }
        world.act(.dismiss)
        world.act(.dismiss)
        #expect(world.finish() == [])
    }
}
