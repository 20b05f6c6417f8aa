import Geometry
import MullionTesting
import Stage
import Testing
import Windows

@testable import Interface
@testable import Multitasking

@Suite("What a person sees of the shell's own views")
struct SightTests {
    private func items(_ world: CoreWorld) -> [Item] { world.system.items(at: world.now) }

    private func symbols(_ world: CoreWorld) -> [(symbol: Symbol, frame: Rect)] {
        items(world).compactMap { item in
            guard case .art(.symbol(let symbol, _), _) = item.kind, item.opacity > 0.5 else { return nil }
            return (symbol, item.frame)
        }
    }

    private func fills(_ world: CoreWorld, _ paint: Paint) -> [Rect] {
        items(world).filter { $0.kind == .fill(paint) && $0.opacity > 0.3 }.map(\.frame)
    }

    // MARK: Text size

    @Test(
        "X-05: symbols grow with the text beside them",
        arguments: [
            ("controls", [Action.controls()], Symbol.newWindow), ("control centre", [.controlCentre], .rotate),
            ("menu", [.home, .appMenu(app: "editor")], .fullScreen),
        ])
    func symbolsGrow(what: String, actions: [Action], symbol: Symbol) throws {
        func side(_ scale: Double) throws -> Double {
            var world = world(["editor"], preferences: Preferences(appearance: Appearance(textScale: scale)))
            for action in actions { world.act(action) }
            world.rest()
            return try #require(symbols(world).last { $0.symbol == symbol }).frame.width
        }
        let usual = try side(1), large = try side(2)
        #expect(large >= usual * 1.3, "\(what): \(usual), \(large)")
    }

    // MARK: Control centre

    @Test(
        "X-03: no tile of the control centre is left over in a row of its own, or it is as wide as the row",
        arguments: [Size(1180, 820), Size(820, 1180), Size(390, 844)], [1.0, 2])
    func tiles(size: Size, scale: Double) throws {
        for isSounding in [false, true] {
            var world = world(["editor"], size: size, preferences: Preferences(appearance: Appearance(textScale: scale)))
            world.send(.idiomsKnown(Idiom.all))
            if isSounding { world.send(.audio(.serverChanged(isRunning: true))) }
            world.act(.controlCentre)
            world.rest()
            let names = [
                "silence", "outputs", "apps", "microphone", "key-clicks", "keyboard", "menus", "surroundings", "do-not-disturb", "dark",
                "motion", "text", "rotate", "idiom", "power", "aeroplane", "rotation-lock",
            ]
            let tiles = world.controls.filter { control in
                control.press != nil && names.contains { control.id.rawValue == "control-centre/\($0)" }
            }
            let rows = Dictionary(grouping: tiles) { $0.frame.y }.sorted { $0.key < $1.key }.map(\.value)
            let last = try #require(rows.last), first = try #require(rows.first)
            let whole = first.map(\.frame.maxX).max()! - first.map(\.frame.minX).min()!
            #expect(rows.count == 1 || last.count > 1 || abs(last[0].frame.width - whole) < 2, "\(rows.map { $0.map(\.id.rawValue) })")
        }
    }

    @Test(
        "rows are even",
        arguments: [(6, 4, 3), (5, 4, 3), (4, 4, 4), (9, 4, 3), (8, 4, 4), (7, 4, 4), (10, 4, 4), (3, 4, 4), (1, 4, 4), (2, 1, 1)])
    func even(count: Int, most: Int, columns: Int) { #expect(Views.evenColumns(count, most: most) == columns) }

    @Test("S-07: what is on or off in a focus has a switch, that is filled when it is on")
    func switches() throws {
        var world = world(["editor"])
        world.act(.controlCentre)
        world.act(.notice(.newFocus(.work)))
        world.rest()
        func knob(_ id: String) throws -> Rect {
            let row = try #require(world.control(id)).frame
            return try #require(fills(world, .knob).first { row.contains($0.center) }, "\(id) has no switch")
        }
        let off = try knob("control-centre/focus/on"), on = try knob("control-centre/focus/urgent")
        #expect(on.x > off.x + 10)
        world.tap("control-centre/focus/on")
        world.rest()
        #expect(try knob("control-centre/focus/on").x == on.x)
        world.act(.controlPage(.focusTimes))
        world.rest()
        _ = try knob("control-centre/focus/at-times")
        world.act(.dismiss)
        world.rest()
        for name in ["control-centre/focus/apps", "control-centre/focus/people"] {
            let row = try #require(world.control(name)).frame
            #expect(!fills(world, .knob).contains { row.contains($0.center) }, "\(name) leads to a page")
        }
    }

    @Test(
        "W-25: every idiom can be chosen on the smallest screen, with the largest text", arguments: [Idiom.watch, .roundWatch], [1.0, 2])
    func everyIdiom(idiom: Idiom, scale: Double) {
        var world = CoreWorld(size: Size(272, 340), idiom: idiom, preferences: Preferences(appearance: Appearance(textScale: scale)))
        world.send(.idiomsKnown(Idiom.all))
        world.act(.controlCentre)
        world.act(.controlPage(.idioms))
        var seen: Set<String> = []
        for _ in 0..<12 {
            world.rest()
            let shown = world.controls.filter { $0.id.rawValue.hasPrefix("control-centre/idiom/") && $0.press != nil }
            for control in shown { #expect(world.workspace.screen!.bounds.contains(control.frame)) }
            seen.formUnion(shown.map(\.id.rawValue))
            guard shown.contains(where: { $0.id == "control-centre/idiom/more" }) else { break }
            world.act(.press(view: "control-centre/idiom/more"))
        }
        for one in Idiom.all { #expect(seen.contains("control-centre/idiom/\(one.name)"), "\(one.name)") }
    }

    // MARK: Multitasking controls

    @Test("W-07: the controls cover the strip in which an app has its title, and do not cut it in half")
    func controlsOverTitle() throws {
        var world = world(["editor"])
        world.act(.controls())
        world.rest()
        let panel = try #require(world.controls.first { $0.role == .panel && $0.id == "controls" }).frame
        #expect(panel.minY <= 8 && panel.height > 60)
    }

    // MARK: Shelf

    @Test("W-08: the shelf is as wide as its cards, and no wider than the screen", arguments: [1, 2, 12])
    func shelfWidth(count: Int) throws {
        var world = world(Array(repeating: "editor", count: count))
        world.act(.appShelf(app: "editor"))
        world.rest()
        let panel = try #require(world.controls.first { $0.role == .panel && $0.id == "shelf" }).frame
        let cards = world.controls.filter { $0.id.rawValue.hasPrefix("shelf/window/") || $0.id == "shelf/add" }
        #expect(cards.count == count + 1)
        for card in cards { #expect(panel.contains(card.frame, tolerance: 0.5)) }
        #expect(abs(panel.center.x - 590) < 1 && panel.width <= 1156 && (count > 2 || panel.width < 640))
    }

    // MARK: Dock

    @Test("W-25: a full dock becomes smaller, and drops nothing", arguments: [Idiom.mac, .pad], [Size(1180, 820), Size(820, 1180)])
    func fullDock(idiom: Idiom, size: Size) throws {
        let chosen = many(16)
        var world = CoreWorld(size: size, idiom: idiom, preferences: Preferences(appearance: Appearance(dock: chosen.map(\.id))))
        world.send(.appsChanged(chosen + catalogue))
        world.open(1, facts("editor", 1))
        world.open(2, facts("terminal", 2))
        if idiom == .mac { world.act(.minimize(window: one)) } else { world.act(.dock) }
        world.rest()
        let panel = try #require(world.controls.first { $0.role == .panel && $0.id == "dock" }).frame
        let icons = world.controls.filter { $0.id.rawValue.hasPrefix("dock/") && $0.press != nil }
        let names = icons.map(\.id.rawValue)
        // A finger needs 44 points for each: on a narrow screen there are none for apps that are not chosen.
        for app in chosen.map(\.id) + (idiom == .pad && size.width < 900 ? [] : ["editor", "terminal"]) {
            #expect(names.contains("dock/\(app)"), "\(app) is missing")
        }
        if idiom == .mac { #expect(names.contains("dock/window/1")) }
        #expect(world.workspace.screen!.bounds.contains(panel) && icons.allSatisfy { panel.contains($0.frame, tolerance: 0.5) })
        #expect(icons[0].frame.width < 56 && icons[0].frame.width >= 24)
        for (a, b) in zip(icons, icons.dropFirst()) { #expect(b.frame.minX - a.frame.maxX >= 4) }
        if idiom == .pad { for icon in icons { #expect(icon.target.width >= 44) } }
    }

    @Test("a dock with few places keeps to them, and one with room has icons of the usual size")
    func usualDock() throws {
        var phone = CoreWorld(
            size: Size(390, 844), idiom: .phone, preferences: Preferences(appearance: Appearance(dock: many(9).map(\.id))))
        phone.send(.appsChanged(many(9)))
        phone.act(.home)
        phone.rest()
        #expect(phone.controls.filter { $0.id.rawValue.hasPrefix("dock/") }.count == 4)
        var world = world(["editor"])
        world.act(.dock)
        world.rest()
        #expect(try #require(world.control("dock/editor")).frame.width == 56)
    }

    // MARK: Starting an app on a desk

    @Test("W-25: an app that starts on a desk covers nothing: its icon in the dock tells", arguments: ["editor", "app3"])
    func startOnDesk(app: String) throws {
        var world = CoreWorld(size: Size(1180, 820), idiom: .mac)
        world.send(.appsChanged(catalogue + many(5)))
        world.open(1, facts("terminal", 1))
        world.rest()
        world.act(.openApp(app: app))
        for _ in 0..<30 {
            #expect(fills(world, .launching).isEmpty)
            world.wait(16)
        }
        let icon = try #require(world.control("dock/\(app)"))
        guard case .message(.opening, _) = icon.name else {
            Issue.record("\(icon.name)")
            return
        }
        #expect(fills(world, .accent).contains { abs($0.center.x - icon.frame.center.x) < 1 && $0.width <= 6 })
        world.send(.launchFailed(LaunchID(1), reason: "no such program"))
        world.rest()
        let waiting = world.interface.launches.values.filter { !$0.isLeaving }
        #expect(waiting.isEmpty)
    }

    @Test("elsewhere a card still grows out of the icon", arguments: [Idiom.pad, .phone])
    func startElsewhere(idiom: Idiom) {
        var world = CoreWorld(size: Size(820, 1180), idiom: idiom)
        world.send(.appsChanged(catalogue))
        world.act(.openApp(app: "editor"))
        world.wait(300)
        #expect(!fills(world, .launching).isEmpty)
    }

    // MARK: Frozen apps

    @Test("S-02: the card of an app that was frozen before the screen turned is its picture, without black bars")
    func frozenCard() throws {
        var world = world(["editor", "terminal"])
        world.wait(15_000)
        try #require(world.workspace[one]?.isSuspended == true)
        world.send(.screenChanged(Screen(size: Size(820, 1180))))
        world.rest()
        world.act(.appSwitcher)
        world.rest()
        let all = items(world)
        #expect(!all.contains { $0.key.window == one && $0.kind == .fill(.letterbox) })
        let picture = try #require(all.first { $0.kind == .window(one) }), clip = try #require(picture.clip)
        #expect(picture.frame.contains(clip, tolerance: 0.5), "what is seen of \(clip) is picture at \(picture.frame)")
        #expect(abs(picture.frame.width / picture.frame.height - 1180.0 / 820) < 0.02)
    }

    // MARK: Targets

    @Test("what a finger touches is as large as the idiom says, crosses, too", arguments: [Idiom.car, .vision, .pad])
    func targets(idiom: Idiom) {
        let views: [(String, [Action])] = [
            ("controls", [.controls()]), ("control centre", [.controlCentre]), ("idioms", [.controlCentre, .controlPage(.idioms)]),
            ("focuses", [.controlCentre, .controlPage(.focus)]), ("a focus", [.controlCentre, .notice(.newFocus(.work))]),
            ("its apps", [.controlCentre, .notice(.newFocus(.work)), .controlPage(.focusApps)]),
            ("menu", [.home, .appMenu(app: "editor")]),
            ("switcher", [.appSwitcher]), ("exposé", [.appExpose(app: "editor")]), ("shelf", [.appShelf(app: "editor")]), ("home", [.home]),
            ("dock", [.dock]),
        ]
        for (name, actions) in views {
            var world = CoreWorld(size: Size(1280, 800), idiom: idiom)
            world.send(.idiomsKnown(Idiom.all))
            world.send(.appsChanged(catalogue))
            for raw in 1...3 as ClosedRange<UInt32> { world.open(raw, facts("editor", raw)) }
            for action in actions { world.act(action) }
            world.rest()
            for control in world.controls where control.press != nil && control.id != "indicator" && control.id.area != .sheet {
                #expect(
                    control.target.width >= idiom.target - 0.5 && control.target.height >= idiom.target - 0.5,
                    "\(idiom.name), \(name): \(control.id) is hit within \(control.target)")
            }
        }
    }

    @Test("the bar of a sheet is as high as the idiom's target, and its cross as wide", arguments: [Idiom.car, .pad])
    func sheetCross(idiom: Idiom) throws {
        var world = CoreWorld(size: Size(1280, 800), idiom: idiom)
        world.send(.appsChanged(catalogue))
        world.open(1, facts("editor", 1))
        var dialog = facts("editor", 2, parent: 1)
        dialog.isBare = true
        dialog.isModal = true
        world.open(2, dialog)
        world.rest()
        let cross = try #require(world.control("sheet/2/close"))
        #expect(cross.frame.width >= max(44, idiom.target) && cross.frame.height >= max(44, idiom.target))
        #expect(world.system.screenful.hit(cross.frame.center, at: world.now) == .view("sheet/2/close"))
    }

    // MARK: Title bars

    @Test("M-13: what covers the bar of a window says nothing about the tone of its app")
    func coveredBar() throws {
        var world = CoreWorld(size: Size(1180, 820), idiom: .mac)
        world.send(.appsChanged(catalogue))
        func bare(_ raw: UInt32, _ app: String) -> WindowFacts {
            var facts = facts(app, raw)
            facts.isBare = true
            return facts
        }
        world.open(1, bare(1, "editor"))
        world.rest()
        func rules(_ world: CoreWorld) -> [Item.Part: Set<WindowID>] {
            Dictionary(grouping: items(world).filter { [.sheetRule, .dimmedSheetRule].contains($0.key.part) }, by: \.key.part).mapValues {
                Set($0.compactMap(\.key.window))
            }
        }
        #expect(rules(world)[.sheetRule] == [one])
        world.open(2, bare(2, "terminal"))
        world.rest()
        let frames = world.workspace.frames(), first = try #require(frames[one]), second = try #require(frames[two])
        let isCovered = Rect(second.x, second.y - 40, second.width, second.height + 40).intersects(
            Rect(first.x, first.y - 10, first.width, 20))
        #expect(rules(world)[.sheetRule] == (isCovered ? [two] : [one, two]))
        world.act(.focus(window: one))
        world.rest()
        let lower = Rect(second.x, second.y - 40, second.width, 48).intersects(first)
        #expect(rules(world)[.sheetRule]?.contains(one) == true && rules(world)[.sheetRule]?.contains(two) == !lower)
        #expect(isCovered || lower, "the test covers something")
        #expect(world.finish() == [])
    }

    @Test("X-04: from right to left the controls on bars stand at the other side", arguments: [Idiom.mac, .vision])
    func mirroredBars(idiom: Idiom) throws {
        func controls(_ isMirrored: Bool) throws -> (close: Rect, zoom: Rect, window: Rect) {
            var world = CoreWorld(size: Size(1180, 820), idiom: idiom, preferences: isMirrored ? mirrored() : Preferences())
            world.send(.appsChanged(catalogue))
            var facts = facts("editor", 1)
            facts.isBare = true
            world.open(1, facts)
            world.rest()
            let close = try #require(world.control("sheet/1/close")).frame, zoom = try #require(world.control("sheet/1/zoom")).frame
            let window = try #require(world.system.screenful.stage.frame(of: one, at: world.now))
            // What is drawn there is what is hit there.
            #expect(world.system.screenful.hit(close.center, precise: true, at: world.now) == .view("sheet/1/close"))
            return (close, zoom, window)
        }
        let usual = try controls(false), other = try controls(true)
        #expect(usual.close.center.x < usual.zoom.center.x && other.close.center.x > other.zoom.center.x)
        #expect(abs(usual.close.center.x - usual.window.minX - (other.window.maxX - other.close.center.x)) < 1)
    }

    // MARK: Depths

    @Test("V-01: new windows stand before the person, and do not flee into the corners", arguments: [Size(640, 480), Size(900, 640)])
    func inSpace(size: Size) throws {
        var world = CoreWorld(size: Size(1280, 800), idiom: .vision)
        world.send(.appsChanged(catalogue))
        for raw in 1...6 as ClosedRange<UInt32> {
            let id = WindowID(raw)
            world.create(raw, facts("editor", raw))
            world.setMinimum(size, of: id)
            world.setMaximum(size, of: id)
            world.send(.activationAsked(id, hasRecentSerial: true, launch: nil))
            world.map(raw)
            world.rest()
            let place = try #require(world.workspace.frames()[WindowID(raw)])
            #expect(world.workspace.screen!.bounds.contains(place))
            guard raw > 2 else { continue }
            #expect(abs(place.center.x - 640) < 320 && abs(place.center.y - 400) < 200, "window \(raw) at \(place)")
        }
        let centers = (1...6 as ClosedRange<UInt32>).compactMap { world.workspace.frames()[WindowID($0)]?.center }
        for (index, center) in centers.enumerated() where size.width < 700 {
            #expect(!centers.dropFirst(index + 1).contains { $0.distance(to: center) < 8 }, "two windows at one place")
        }
    }

    // MARK: Right to left

    @Test(
        "X-04: what a person pulls and presses is mirrored",
        arguments: [
            ("control centre", [Action.controlCentre]), ("a focus", [.controlCentre, .notice(.newFocus(.work))]),
            ("its times", [.controlCentre, .notice(.newFocus(.work)), .controlPage(.focusTimes)]), ("dock", [.dock]),
            ("shelf", [.appShelf(app: "editor")]),
            ("menu", [.home, .appMenu(app: "editor")]), ("notifications", [.notifications]), ("switcher", [.appSwitcher]),
            ("keys", [.keyHelp]),
        ])
    func mirroredViews(what: String, actions: [Action]) {
        func controls(_ preferences: Preferences) -> [ViewControl] {
            var world = world(["editor", "terminal"], preferences: preferences)
            for action in actions { world.act(action) }
            world.rest()
            return world.controls.filter { $0.press != nil && $0.role != .card && $0.id != "indicator" }
        }
        let usual = controls(Preferences()),
            other = Dictionary(controls(mirrored()).map { ($0.id, $0.frame) }, uniquingKeysWith: { a, _ in a })
        #expect(!usual.isEmpty || what == "notifications" || what == "keys")
        for control in usual {
            guard let frame = other[control.id] else { continue }
            let mirror = 1180 - control.frame.maxX
            #expect(abs(frame.minX - mirror) < 1.5, "\(what): \(control.id) at \(control.frame), mirrored at \(frame)")
        }
    }
}
