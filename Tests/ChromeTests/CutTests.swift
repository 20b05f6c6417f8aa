import Chrome
import Geometry
import Idioms
import Interface
import MullionTesting
import Multitasking
import Stage
import Status
import Testing
import Tray
import Windows

/// P-07: what the shell says can be read to its end.
@Suite("P-07: labels that are whole")
struct CutTests {
    struct Place: Sendable, CustomTestStringConvertible {
        var idiom: Idiom
        var size: Size
        var testDescription: String { "\(idiom.name) \(size.width) x \(size.height)" }
    }

    private static let places: [Place] = [
        Place(idiom: .pad, size: Size(1180, 820)), Place(idiom: .pad, size: Size(820, 1180)), Place(idiom: .phone, size: Size(390, 844)),
        Place(idiom: .mac, size: Size(1440, 900)), Place(idiom: .tv, size: Size(1920, 1080)), Place(idiom: .vision, size: Size(1280, 800)),
        Place(idiom: .watch, size: Size(368, 448)), Place(idiom: .roundWatch, size: Size(454, 454)),
        Place(idiom: .car, size: Size(1280, 720)),
    ]

    private static let views: [(String, [Action])] = [
        ("home", [.home]), ("nothing found", [.home, .search(text: "xyzzy")]), ("dock", [.dock]), ("switcher", [.appSwitcher]),
        ("exposé", [.appExpose(app: "editor")]),
        ("shelf", [.appShelf(app: "editor")]), ("controls", [.controls()]), ("menu", [.home, .appMenu(app: "editor")]),
        ("menu of the dock", [.dock, .appMenu(app: "editor")]), ("notifications", [.notifications]), ("control centre", [.controlCentre]),
        ("idioms", [.controlCentre, .controlPage(.idioms)]), ("focuses", [.controlCentre, .controlPage(.focus)]),
        ("new focus", [.controlCentre, .controlPage(.newFocus)]), ("a focus", [.controlCentre, .notice(.newFocus(.work))]),
        ("its apps", [.controlCentre, .notice(.newFocus(.work)), .controlPage(.focusApps)]),
        ("its people", [.controlCentre, .notice(.newFocus(.work)), .controlPage(.focusPeople)]),
        ("its times", [.controlCentre, .notice(.newFocus(.work)), .controlPage(.focusTimes)]),
        ("networks", [.controlPage(.wireless)]), ("hidden network", [.controlPage(.wireless), .device(.network(.joinHidden(.personal)))]),
        ("tray", [.controlPage(.tray)]), ("drives", [.controlPage(.drives)]), ("menu of the tray", [.tray(.menu(1))]),
        ("devices", [.controlPage(.bluetooth)]), ("power", [.controlPage(.power)]), ("settings", [.controlPage(.settings)]),
        ("look", [.controlPage(.look)]), ("display", [.controlPage(.display)]), ("sounds", [.controlPage(.sounds)]),
        ("language", [.controlPage(.language)]), ("apps' notifications", [.controlPage(.noticeApps)]),
        ("background", [.controlPage(.background)]), ("privacy", [.controlPage(.privacy)]), ("about", [.controlPage(.about)]),
        ("storage", [.controlPage(.storage)]), ("forget kept", [.controlPage(.storage)]),
        ("keyboard", [.controlPage(.keyboard)]), ("layouts", [.controlPage(.layouts)]), ("pointer", [.controlPage(.pointer)]),
        ("lock", [.controlPage(.lock)]),
        ("tiles", [.controlPage(.controls)]), ("default apps", [.controlPage(.defaultApps)]), ("start apps", [.controlPage(.startApps)]),
        ("reset", [.controlPage(.reset)]), ("keys", [.keyHelp]), ("picking", [.controls(), .press(view: "controls/split-left")]),
        ("bar menu", [.barMenu()]), ("location", [.home]), ("question of polkit", []), ("question of a new password", []),
        ("question of a program", []), ("locked", [.lockScreen(.lock)]), ("lock field", [.lockScreen(.lock)]),
        ("greeter begins", []), ("greeter people", []), ("greeter sessions", []), ("greeter aids", []), ("greeter power", []),
        ("greeter name", []), ("greeter broken", []), ("greeter starts", []), ("greeter slow", []),
    ]

    /// A question with as many of the shell's own words as there are.
    private static func question(_ name: String) -> AgentPrompt {
        switch name {
        case "question of polkit":
            var prompt = AgentPrompt(.authority, .secret(isNew: false), asker: .program("udisksd"), identities: ["anna", "root"])
            prompt.wasWrong = true
            return prompt
        case "question of a new password": return AgentPrompt(.keyring, .secret(isNew: true))
        default: return AgentPrompt(.program, .waiting)
        }
    }

    /// The words of the shell that are cut, in each view.
    private func cuts(_ place: Place, _ language: Language, _ textScale: Double, only: String? = nil) -> [String] {
        let painter = makePainter {
            $0.language = language
            $0.textScale = textScale
        }
        var found: [String] = []
        for (name, actions) in Self.views where only == nil || name == only {
            var world = CoreWorld(
                size: place.size, idiom: place.idiom, preferences: Preferences(appearance: Appearance(textScale: textScale)),
                keepsHistory: false)
            world.send(.idiomsKnown(Idiom.all))
            CoreOp.apps(5).apply(to: &world)
            for raw in [1, 2, 3] as [UInt32] { world.open(raw, CoreOp.facts(raw, parent: nil, app: raw == 3 ? 0 : Int(raw) - 1)) }
            world.send(.status(.network(NetworkFacts(hasWireless: true, isWirelessOn: true, state: 20))))
            world.send(.status(.bluetooth(Bluetooth(isOn: true))))
            world.send(.status(.ends(MachineEnd.allCases)))
            world.send(.status(.profiles(PowerProfiles(active: "balanced", all: PowerProfiles.known))))
            world.send(.status(.brightness(0.5)))
            world.send(.turning(.sensor(true)))
            world.send(.nightLight(.possible(true)))
            world.send(.status(.flashLight(false)))
            world.send(.status(.recording(false)))
            var stick = VolumeFacts(path: "/b/sdb1")
            (stick.label, stick.bytes, stick.isRemovable, stick.drive, stick.canPowerOff) = (
                "Stick", 16_000_000_000, true, "/d/stick", true
            )
            stick.mountPoints = ["/media/stick"]
            world.send(.drives(.volumes([stick])))
            _ = world.act(.device(.drive(.eject("sdb1"))))
            world.send(
                .hardware(.output(Hardware.Output(name: "DP-1", model: "Goldstar U2723QE", serial: "12", width: 600, height: 340))))
            world.send(.locating(.inUse(true)))
            if name.hasPrefix("location") {
                world.send(.locating(.asked(1, app: "org.example.Maps")))
            } else {
                _ = world.act(.device(.location(.allow(app: "org.example.Maps", true))))
            }
            world.send(.tray(.item(TrayFacts(key: ":1.5/a", title: "Chat", state: .attention, process: 900, hasMenu: true))))
            if name.hasPrefix("question") {
                world.send(.prompts(.asked(1, Self.question(name))))
                world.wait(1000)
            }
            for action in actions { _ = world.act(action) }
            if name.hasPrefix("greeter") { world.greet(name) }
            if name == "lock field" {
                world.send(.lockScreen(.input(.key(.enter, text: nil))))
                if let number = world.system.lockScreen.talk?.number { world.send(.lockScreen(.talk(number, .ends(.broken("dead"))))) }
            }
            world.send(.keptStates(.measured([KeptStates.Item(app: "editor", states: 4000, pictures: 2_000_000)])))
            if name == "forget kept" { _ = world.act(.device(.kept(.ask(app: "editor")))) }
            world.rest()
            for item in world.system.items(at: world.now) {
                guard case .art(let art, let size) = item.kind, case .text(let text, _, _, _, _) = art, item.opacity > 0.3 else { continue }
                // Names may be cut, and no sign of a password may.
                if let width = text.nameWidth, name != "lock field" || width > 1.2 { continue }
                if painter.isCut(art, size: size) { found.append("\(name): \(painter.string(text)) in \(size)") }
            }
        }
        return found
    }

    @Test("on the narrowest screen each key of the lock screen shows its sign")
    func narrow() {
        let cuts = cuts(Place(idiom: .phone, size: Size(300, 450)), .english, 1, only: "lock field")
        #expect(cuts.isEmpty, "\(cuts.joined(separator: "\n"))")
    }

    @Test("at the usual size of text nothing of the shell's own words is cut", arguments: places, Language.allCases)
    func usual(place: Place, language: Language) {
        let cuts = cuts(place, language, 1)
        #expect(cuts.isEmpty, "\(cuts.joined(separator: "\n"))")
    }

    @Test("with the largest text no two controls of a view read the same", arguments: places, Language.allCases)
    func large(place: Place, language: Language) {
        let cuts = cuts(place, language, 2)
        #expect(cuts.isEmpty, "\(cuts.joined(separator: "\n"))")
    }
}
