import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Status
import Testing
import Windows

/// The pages of the control centre for networks, devices and power, by finger and keys.
@Suite("X-09: networks and devices in the control centre") struct DevicePagesTests {
    private let homeID = "486f6d65-personal"

    private func world(_ idiom: Idiom = .pad, networks: Int = 3) -> CoreWorld {
        var world = CoreWorld(idiom: idiom, preferences: Preferences(newWindows: .always))
        world.open(1)
        world.send(.timeIs(TimeOfDay(hour: 9, minute: 5)))
        world.send(.status(.network(NetworkFacts(hasWireless: true, isWirelessOn: true, state: 20))))
        world.send(.status(.bluetooth(Bluetooth(isOn: true))))
        world.send(.status(.ends([.turnOff, .restart, .suspend])))
        world.rest()
        return world
    }

    private func points(_ count: Int = 3) -> WirelessFacts {
        WirelessFacts(
            points: (0..<count).map { number in
                .init(
                    path: "/p/\(number)", ssid: Array((number == 0 ? "Home" : "net \(number)").utf8), strength: 90 - Int64(number % 80),
                    flags: 1,
                    rsn: 0x100)
            })
    }

    private func open(_ world: inout CoreWorld, _ count: Int = 3) {
        world.act(.controlPage(.wireless))
        world.send(.wireless(.facts(points(count))))
        world.wait(1500)
    }

    private func control(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.last { $0.id == id } }

    private func tap(_ id: ControlID, _ world: inout CoreWorld) throws {
        let found = try #require(control(id, world), "\(id) is not there")
        world.tap(at: found.frame.center)
        world.wait(600)
    }

    private func type(_ text: String, _ world: inout CoreWorld) {
        for character in text.unicodeScalars {
            for isPressed in [true, false] {
                world.send(
                    .key(
                        code: character.value, symbol: KeySymbol(rawValue: character.value), pressed: isPressed, modifiers: [],
                        text: String(character)))
            }
        }
    }

    private func press(_ symbol: KeySymbol, _ world: inout CoreWorld) {
        for isPressed in [true, false] { world.send(.key(code: 200, symbol: symbol, pressed: isPressed, modifiers: [])) }
        world.wait(600)
    }

    private func statusEffects(_ world: CoreWorld) -> [StatusEffect] {
        world.effects.compactMap { if case .status(let effect) = $0 { effect } else { nil } }
    }

    @Test("by finger: from the control centre to the list, to a network, its password, and Join")
    func joins() throws {
        var world = world()
        world.act(.controlCentre)
        world.wait(1000)
        try tap("control-centre/wireless/page", &world)
        #expect(statusEffects(world).contains(.watchNetworks(true)))
        world.send(.wireless(.facts(points())))
        world.wait(500)
        try tap(ControlID(.controlCentre, "wireless/\(homeID)"), &world)
        #expect(world.interface.controlPage == .networkPassword && world.interface.isWritingSecret)
        #expect(control("control-centre/wireless/join", world)?.press == nil, "nothing is written yet")
        type("correct horse", &world)
        world.wait(300)
        #expect(world.interface.form.text(of: .networkPassword).text == "correct horse")
        let field = try #require(control("control-centre/wireless/password", world))
        #expect(field.role == .field && field.name == .message(.password), "a screen reader does not speak it")
        try tap("control-centre/wireless/password/reveal", &world)
        #expect(control("control-centre/wireless/password", world)?.name == .verbatim("correct horse"))
        try tap("control-centre/wireless/join", &world)
        let join = WirelessJoin(ssid: Array("Home".utf8), security: .personal, password: Secret("correct horse"))
        #expect(statusEffects(world).contains(.join(1, join)))
        #expect(world.interface.controlPage == .wireless)
        #expect(world.interface.form.text(of: .networkPassword).isEmpty, "it is kept nowhere")
        // It was wrong: the page comes back and says so.
        world.send(.wireless(.ended(attempt: 1, .noSecret)))
        world.wait(600)
        #expect(world.controls.contains { $0.name == .message(.wrongPassword) })
        type("correct horses", &world)
        press(.enter, &world)
        #expect(statusEffects(world).contains { if case .join(2, _) = $0 { true } else { false } })
        world.send(.wireless(.ended(attempt: 2, .connected)))
        #expect(statusEffects(world).contains(.keepNetwork(2)))
        try tap("control-centre/back", &world)
        #expect(statusEffects(world).contains(.watchNetworks(false)))
        world.act(.controlCentre)
        #expect(world.finish() == [])
    }

    @Test("a recording has no sign of a password, and replays to the same state")
    func masked() throws {
        var world = world()
        open(&world)
        try tap(ControlID(.controlCentre, "wireless/\(homeID)"), &world)
        let key = Event.key(code: 35, symbol: KeySymbol(rawValue: 0x68), pressed: true, modifiers: .shift, text: "H")
        #expect(
            world.system.masked(key) == .key(code: 30, symbol: KeySymbol(rawValue: 0x61), pressed: true, modifiers: [], text: "a"))
        #expect(world.system.masked(.typed("horse")) == .typed("aaaaa"))
        let enter = Event.key(code: 28, symbol: .enter, pressed: true, modifiers: [])
        #expect(world.system.masked(enter) == enter)
        world.act(.dismiss)
        #expect(world.system.masked(key) == key)
        world.act(.controlCentre)
        #expect(world.finish() == [])
    }

    @Test("Escape leaves the password for the list, and NetworkManager's own question is answered by that")
    func escape() {
        var world = world()
        world.send(.wireless(.asked(5, ssid: Array("Home".utf8), security: .personal, isNew: true, mayAsk: true)))
        world.wait(1000)
        #expect(world.interface.controlPage == .networkPassword && world.interface.isPanelOpen)
        press(.escape, &world)
        #expect(statusEffects(world).contains(.answerNetwork(5, nil)))
        #expect(world.interface.controlPage == .wireless)
        press(.escape, &world)
        press(.escape, &world)
        #expect(!world.interface.isPanelOpen)
        #expect(world.finish() == [])
    }

    @Test("two hundred networks scroll by finger, wheel and keys, and nothing beyond the panel can be pressed")
    func scrolls() throws {
        var world = world()
        open(&world, 200)
        let panel = try #require(control("control-centre", world)).frame
        #expect(panel.maxY <= 820)
        let first = ControlID(.controlCentre, "wireless/\(homeID)")
        let before = try #require(control(first, world)).frame
        world.touch(down: Point(panel.center.x, panel.maxY - 60))
        for step in 1...10 { world.touch(to: Point(panel.center.x, panel.maxY - 60 - 30 * Double(step))) }
        world.lift()
        world.wait(1500)
        #expect(control(first, world).map { $0.frame.minY < before.minY } ?? true)
        for one in world.controls where one.id.area == .controlCentre && one.role != .panel {
            #expect(panel.contains(one.frame.center), "\(one.id)")
        }
        world.act(.scroll(100))
        world.wait(2000)
        let place = world.interface.form.scroll.target
        #expect(place > 5000)
        #expect(control("control-centre/wireless/other", world) != nil)
        world.act(.scroll(-100))
        world.wait(2000)
        #expect(world.interface.form.scroll.target == 0)
        for _ in 0..<30 { press(.downArrow, &world) }
        let focus = try #require(world.interface.focus), focused = try #require(control(focus, world))
        #expect(panel.contains(focused.frame) && world.interface.form.scroll.target > 0)
        // A push down on the head closes the panel, as on other pages.
        world.act(.controlCentre)
        #expect(world.finish() == [])
    }

    @Test("a device that asks shows its digits, and a person says whether they are the same")
    func pairs() throws {
        var world = world()
        world.act(.controlCentre)
        world.wait(1000)
        try tap("control-centre/bluetooth/page", &world)
        world.send(.pairing(.devices([NearDevice(path: "/org/bluez/hci0/dev_1", name: "Buds", icon: "audio-headphones")])))
        world.wait(500)
        try tap("control-centre/bluetooth/dev_1", &world)
        #expect(statusEffects(world).contains(.device("/org/bluez/hci0/dev_1", .pair)))
        world.send(.pairing(.asked(1, path: "/org/bluez/hci0/dev_1", name: "Buds", .sameDigits(42), isPaired: false)))
        world.wait(600)
        #expect(control("control-centre/pairing/code", world)?.name == .list([.message(.code), .verbatim("000 042")], ", "))
        try tap("control-centre/pairing/yes", &world)
        #expect(statusEffects(world).contains(.answerDevice(1, .yes)))
        world.send(.pairing(.done(path: "/org/bluez/hci0/dev_1", failure: nil)))
        #expect(statusEffects(world).suffix(2) == [.device("/org/bluez/hci0/dev_1", .trust), .device("/org/bluez/hci0/dev_1", .connect)])
        world.act(.controlCentre)
        #expect(world.finish() == [])
    }

    @Test(
        "a device that two adapters know has two rows, and what went wrong is said in words; unknown words stay as they are",
        arguments: [
            ("br-connection-page-timeout", Text.message(.deviceAway)), ("le-connection-abort-by-local", .message(.deviceBroken)),
            ("br-connection-new", .verbatim("br-connection-new")),
        ])
    func reasons(words: String, text: Text) throws {
        var world = world()
        world.act(.controlCentre)
        world.wait(1000)
        try tap("control-centre/bluetooth/page", &world)
        world.send(
            .pairing(
                .devices(
                    [0, 1].map { NearDevice(path: "/org/bluez/hci\($0)/dev_1", name: "Buds", icon: "audio-headphones", isPaired: true) })))
        world.wait(500)
        #expect(control("control-centre/bluetooth/dev_1", world) != nil)
        try tap("control-centre/bluetooth/hci1/dev_1", &world)
        #expect(statusEffects(world).contains(.device("/org/bluez/hci1/dev_1", .connect)))
        world.send(.pairing(.done(path: "/org/bluez/hci1/dev_1", failure: words)))
        world.wait(500)
        let trouble = Text.list([.message(.notConnectedTo, ["Buds"]), text], ": ")
        #expect(world.controls.contains { $0.name == trouble })
        world.act(.controlCentre)
        #expect(world.finish() == [])
    }

    @Test("a password or a code that is asked for ends when the session is locked")
    func locks() {
        var world = world()
        world.send(.wireless(.asked(5, ssid: Array("Home".utf8), security: .personal, isNew: true, mayAsk: true)))
        world.lock()
        #expect(statusEffects(world).contains(.answerNetwork(5, nil)) && !world.interface.isPanelOpen)
        world.send(.wireless(.asked(6, ssid: Array("Home".utf8), security: .personal, isNew: true, mayAsk: true)))
        #expect(statusEffects(world).contains(.answerNetwork(6, nil)))
        world.unlock()
        #expect(world.finish() == [])
    }

    @Test("aeroplane mode switches every radio off, and brings back those that were on")
    func aeroplane() throws {
        var world = world()
        world.send(.status(.bluetooth(Bluetooth(isOn: false))))
        world.act(.device(.aeroplane(true)))
        #expect(statusEffects(world).suffix(1) == [.set(.wireless(false))])
        world.send(.status(.network(NetworkFacts(hasWireless: true, isWirelessOn: false))))
        world.act(.controlCentre)
        world.wait(1000)
        #expect(control("control-centre/aeroplane", world)?.isChosen == true)
        try tap("control-centre/aeroplane", &world)
        #expect(statusEffects(world).suffix(1) == [.set(.wireless(true))], "Bluetooth was off before")
        world.act(.controlCentre)
        #expect(world.finish() == [])
    }

    @Test("power off waits for apps, as a log-out does, and then the machine is turned off instead of the session alone")
    func turnsOff() throws {
        var world = world()
        world.act(.controlCentre)
        world.wait(1000)
        try tap("control-centre/power", &world)
        try tap("control-centre/power/turn-off", &world)
        #expect(!statusEffects(world).contains(.set(.end(.turnOff))), "the window is asked to close first")
        world.destroy(WindowID(1))
        world.wait(60000)
        #expect(statusEffects(world).contains(.set(.end(.turnOff))))
        #expect(!world.effects.contains(.quit))
    }

    @Test("sleep is at once, and what the machine cannot do is refused in words")
    func suspends() {
        var world = world()
        world.act(.device(.end(.suspend)))
        #expect(statusEffects(world).suffix(1) == [.set(.end(.suspend))])
        world.send(.status(.ends([])))
        world.act(.device(.end(.restart)))
        #expect(world.effects.contains(.refuse(Refusal("the machine cannot do that now"))))
        #expect(world.finish() == [])
    }

    @Test("the screen turns with the device, and a tile locks that for the next session, too")
    func turns() throws {
        var world = world()
        world.send(.turning(.sensor(true)))
        #expect(statusEffects(world).suffix(1) == [.sense(true)])
        world.send(.turning(.held(.left)))
        #expect(world.effects.contains(.configureScreen(size: nil, scale: nil, rotation: 1)))
        world.act(.controlCentre)
        world.wait(1000)
        try tap("control-centre/rotation-lock", &world)
        #expect(statusEffects(world).suffix(1) == [.sense(false)])
        #expect(world.system.chosen.contains(.rotationLock(true)))
        #expect(control("control-centre/rotation-lock", world)?.isChosen == true)
        world.act(.controlCentre)
        #expect(world.finish() == [])
    }

    @Test(
        "on every screen the radios have their own room, and no control lies on another one",
        arguments: [Size(1180, 820), Size(390, 844), Size(844, 390), Size(320, 568)], [1.0, 2])
    func room(size: Size, textScale: Double) {
        var preferences = Preferences(newWindows: .always)
        preferences.appearance.textScale = textScale
        var world = CoreWorld(size: size, idiom: size.width < 500 || size.height < 500 ? .phone : .pad, preferences: preferences)
        world.send(.status(.network(NetworkFacts(hasWireless: true, isWirelessOn: true, state: 20))))
        world.send(.status(.bluetooth(Bluetooth(isOn: true))))
        world.send(.status(.ends(MachineEnd.allCases)))
        world.send(.status(.brightness(0.5)))
        world.send(.audio(.serverChanged(isRunning: true)))
        world.act(.controlCentre)
        world.wait(1500)
        let all = world.controls.filter { $0.id.area == .controlCentre && $0.isOperable }
        #expect(all.contains { $0.id == "control-centre/wireless" } && all.contains { $0.id == "control-centre/bluetooth/page" })
        for (index, one) in all.enumerated() {
            for other in all[(index + 1)...] {
                let both = one.frame.intersection(other.frame)
                #expect(both.width < 1 || both.height < 1, "\(one.id) lies on \(other.id)")
            }
        }
        world.act(.controlCentre)
        #expect(world.finish() == [])
    }

    @Test("keys for the light of the screen")
    func brightnessKeys() {
        var world = world()
        world.send(.status(.brightness(0.5)))
        for (symbol, share) in [(KeySymbol(rawValue: 0x1008_ff02), 0.55), (KeySymbol(rawValue: 0x1008_ff03), 0.5)] {
            press(symbol, &world)
            #expect(statusEffects(world).last == .set(.brightness(share)))
        }
        #expect(world.finish() == [])
    }

    @Test("a network that asks for a login says so in the control centre, and its page opens that page in the person's browser")
    func login() throws {
        for address in ["https://check.example.org/nm", "", "file:///etc/passwd", "--evil"] {
            var world = world()
            world.send(
                .appsChanged([
                    App(
                        id: "web", name: "Web", command: ["web"], takesFiles: true, mimeTypes: ["text/html", "x-scheme-handler/https"],
                        filePlace: FilePlace(index: 1, isMany: false, takesAddresses: true))
                ]))
            func connected(_ connectivity: Int64) -> Event {
                .status(
                    .network(
                        NetworkFacts(
                            hasWireless: true, isWirelessOn: true, state: 60, connectivity: connectivity, checkPage: address,
                            kind: "802-11-wireless", ssid: Array("Home".utf8), strength: 90)))
            }
            world.send(connected(4))
            world.act(.device(.network(.logIn)))
            #expect(world.effects.contains(.refuse(Refusal("no network asks for a login"))))
            world.send(connected(2))
            world.act(.controlCentre)
            world.wait(1000)
            #expect(
                control("control-centre/wireless/page", world)?.name == .list([.message(.wireless), .message(.networkLogin)], ", "))
            world.act(.controlCentre)
            world.act(.controlPage(.wireless))
            var facts = points()
            facts.profiles = [.init(path: "/s/1", ssid: Array("Home".utf8), keyManagement: "wpa-psk")]
            facts.active = [.init(profile: "/s/1", state: 2)]
            world.send(.wireless(.facts(facts)))
            world.wait(1500)
            try tap(ControlID(.controlCentre, "wireless/\(homeID)"), &world)
            let button = try #require(control("control-centre/network/log-in", world)?.press)
            let launched = world.act(button).compactMap {
                if case .program(.launch(_, let command, _)) = $0 { command } else { nil }
            }
            #expect(launched.last == ["web", address.hasPrefix("https") ? address : "http://nmcheck.gnome.org/"])
            #expect(!world.interface.isPanelOpen)
            #expect(world.finish() == [])
        }
    }
}
