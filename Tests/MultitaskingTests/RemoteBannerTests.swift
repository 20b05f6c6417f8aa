import AudioSessions
import Geometry
import Interface
import Modality
import MullionTesting
import Multitasking
import Notices
import Stage
import Testing
import Windows

/// A banner comes while something else has the focus: four arrows, OK and back reach its buttons and leave them again.
@Suite("X-02, P-03: a remote control and what comes by itself") struct RemoteBannerTests {
    private func television(apps: Int = 40, windows: UInt32 = 0) -> CoreWorld {
        var world = CoreWorld(size: Size(1920, 1080), idiom: .tv)
        CoreOp.apps(apps).apply(to: &world)
        for raw in 1...max(1, windows) where windows > 0 { world.open(raw, CoreOp.facts(raw, parent: nil, app: Int(raw) - 1)) }
        world.rest()
        return world
    }

    private func notify(_ world: inout CoreWorld) {
        var content = NoticeContent(app: "mail", name: "Mail", title: "Anna", body: "Shall we have lunch at one?")
        content.hasDefault = true
        content.buttons = [NoticeButton(key: "yes", label: "Yes"), NoticeButton(key: "no", label: "No")]
        world.send(.notice(.notify(NoticeID(1), content, sender: ":1.5", at: 1_800_000_000)))
        world.wait(1000)
    }

    private func key(_ symbol: KeySymbol, _ world: inout CoreWorld) {
        for isPressed in [true, false] { world.send(.key(code: 40, symbol: symbol, pressed: isPressed, modifiers: [])) }
        world.wait(700)
    }

    /// Presses an arrow until the focus is where it is wanted. Returns where it was before the last press.
    @discardableResult
    private func go(_ symbol: KeySymbol, _ world: inout CoreWorld, until isThere: (ControlID) -> Bool) -> ControlID? {
        var before: ControlID?
        for _ in 0..<12 where !(world.interface.focus.map(isThere) ?? false) {
            before = world.interface.focus
            key(symbol, &world)
        }
        return before
    }

    @Test(
        "up leads to the banner of a notification, its buttons are reached, and down leads back to where the focus was",
        arguments: [0, 1, 3])
    func arrows(steps: Int) throws {
        var world = television()
        for _ in 0..<steps { key(.rightArrow, &world) }
        let before = try #require(world.interface.focus)
        #expect(before.area == .home)
        notify(&world)
        #expect(world.interface.focus == before, "it takes no focus")
        let last = go(.upArrow, &world) { $0.area == .notice }
        #expect(world.interface.focus == "notice/open")
        #expect(world.controls.contains { $0.id == "notice/button/1" }, "it shows its buttons")
        key(.downArrow, &world)
        #expect(
            world.interface.focus?.isPart(of: "notice/button") ?? false || world.interface.focus == "notice/later",
            "down goes through the banner first")
        // It stays while the focus is on it.
        world.wait(30_000)
        #expect(world.interface.openNames.contains("notice"))
        go(.downArrow, &world) { !$0.isOnBanner }
        #expect(world.interface.focus == last)
        #expect(world.interface.notices.banner?.content.isExpanded == false)
        world.wait(12_000)
        #expect(!world.interface.openNames.contains("notice") && world.interface.focus == last)
        #expect(world.finish() == [])
    }

    @Test("every button of a banner is reached by arrows")
    func everyButton() throws {
        var start = television()
        notify(&start)
        go(.upArrow, &start) { $0.area == .notice }
        let wanted = Set(start.controls.filter { $0.id.area == .notice && $0.isFocusable }.map(\.id))
        #expect(wanted.count >= 5, "\(wanted)")
        var found: Set<ControlID> = [], open = [start]
        while let here = open.popLast() {
            guard let focus = here.interface.focus, focus.area == .notice, found.insert(focus).inserted else { continue }
            for arrow in [KeySymbol.upArrow, .downArrow, .leftArrow, .rightArrow] {
                var next = here
                key(arrow, &next)
                open.append(next)
            }
        }
        #expect(found == wanted)
    }

    @Test("back on a banner hides it, and the focus is where it was", arguments: [0, 2])
    func back(steps: Int) throws {
        var world = television()
        for _ in 0..<steps { key(.rightArrow, &world) }
        notify(&world)
        let before = try #require(go(.upArrow, &world) { $0.area == .notice })
        #expect(world.interface.focus?.area == .notice)
        key(.back, &world)
        world.rest()
        #expect(!world.interface.openNames.contains("notice") && world.workspace.showsHome)
        #expect(world.interface.focus == before)
        #expect(world.finish() == [])
    }

    @Test("a notification that its app withdraws gives the focus back")
    func withdrawn() throws {
        var world = television()
        key(.rightArrow, &world)
        notify(&world)
        let before = try #require(go(.upArrow, &world) { $0.area == .notice })
        #expect(world.interface.focus == "notice/open")
        world.send(.notice(.close(NoticeID(1))))
        world.rest()
        #expect(world.interface.focus == before)
        #expect(world.finish() == [])
    }

    @Test("the banner of a window that waits begins at Open, and not at Later")
    func waiting() throws {
        var world = television(windows: 1)
        world.act(.home)
        world.wait(20_000)
        world.create(9, WindowFacts(appID: "files", lineage: [909, 1], client: 59))
        world.map(9)
        world.wait(1000)
        guard world.interface.openNames.contains("banner") else { return #expect(Bool(false), "no banner: \(world.interface.openNames)") }
        let before = try #require(go(.upArrow, &world) { $0.area == .banner })
        #expect(world.interface.focus == "banner/open")
        key(.leftArrow, &world)
        #expect(world.interface.focus == "banner/later")
        key(.enter, &world)
        world.rest()
        #expect(!world.interface.openNames.contains("banner"))
        #expect(world.interface.focus == before)
        #expect(world.finish() == [])
    }

    @Test("over an app the arrows stay the app's")
    func overApp() {
        var world = television(windows: 1)
        notify(&world)
        #expect(world.interface.openNames.contains("notice"))
        #expect(!world.send(.key(code: 103, symbol: .upArrow, pressed: true, modifiers: [])).contains(.swallowKey))
        #expect(world.interface.focus == nil)
    }

    // MARK: Where the focus begins

    @Test("P-03: the controls of a picture begin at Full Screen, and at Play if something plays")
    func picture() throws {
        var world = television(windows: 2)
        world.act(.pictureInPicture())
        world.rest()
        key(.yellow, &world)
        #expect(world.interface.openNames == ["picture-controls"])
        #expect(world.interface.focus == "picture-controls/full")
        #expect(world.finish() == [])
    }

    @Test("W-26: the control that swaps a picture has the ground of those beside it, and a symbol that nothing else in sight has")
    func swap() throws {
        var world = television(windows: 2)
        world.act(.pictureInPicture())
        world.rest()
        key(.yellow, &world)
        let items = world.system.items(at: world.now)
        func look(_ id: ControlID) throws -> (ground: [Item.Kind], symbols: [Symbol]) {
            let frame = try #require(world.controls.last { $0.id == id }).frame
            let own = items.filter { frame.contains($0.frame, tolerance: 0.5) }
            return (
                own.filter { $0.frame == frame && $0.radius > 0 }.map(\.kind),
                own.compactMap { if case .art(.symbol(let symbol, _), _) = $0.kind { symbol } else { nil } }
            )
        }
        let swap = try look("picture-controls/swap"), full = try look("picture-controls/full")
        #expect(swap.symbols == [.swap] && full.symbols == [.fullScreen])
        #expect(swap.ground.contains(.fill(.controls)) && full.ground.contains(.fill(.controls)))
        world.act(.controlCentre)
        world.rest()
        let symbols = world.system.items(at: world.now).compactMap {
            if case .art(.symbol(let symbol, _), _) = $0.kind { symbol } else { nil }
        }
        #expect(symbols.contains(.rotate) && symbols.contains(.notices))
    }

    @Test("P-03: no view begins at what removes or leaves something", arguments: ControlPage.allCases)
    func pages(page: ControlPage) throws {
        var world = television(apps: 8, windows: 1)
        world.send(.audio(.devicesChanged(outputs: [AudioOutput(id: PortID("tv"), kind: .hdmi, name: "Television")], inputs: [])))
        if page.parent != .main || page == .focusMode { world.act(.notice(.newFocus(.work))) }
        world.act(page == .main ? .controlCentre : .controlPage(page))
        world.rest()
        guard world.interface.controlPage == page else { return }
        let focus = try #require(world.interface.focus), all = world.controls.filter(\.isFocusable)
        let control = try #require(all.last { $0.id == focus })
        let isLeaving = [Action.dismiss, .audio(.declineCall), .audio(.endCall)].contains(control.press)
        #expect(!isLeaving || all.allSatisfy { $0.press == .dismiss || $0.destroys(Modality()) }, "\(page) begins at \(focus)")
    }

    @Test("P-03: the list of notifications begins at no button that clears it")
    func list() throws {
        var world = television(apps: 8)
        notify(&world)
        world.act(.notifications)
        world.rest()
        let focus = try #require(world.interface.focus), control = try #require(world.controls.last { $0.id == focus })
        #expect(focus.area == .notifications && control.press != .notice(.clearAll) && control.press != .notice(.clear(group: "mail")))
        #expect(world.finish() == [])
    }

    @Test("P-03: Return on the controls of a dialog, which can only be closed, closes nothing until a person moved there")
    func onlyClose() throws {
        var world = CoreWorld()
        world.open(1)
        world.create(2, WindowFacts(appID: "app1", title: "Find", lineage: [101, 1], client: 1, parent: one))
        world.map(2)
        world.rest()
        world.act(.controls(window: two))
        world.rest()
        #expect(world.controls.filter { $0.id.area == .controls && $0.isFocusable }.map(\.press) == [.close(window: two)])
        func pressed(_ symbol: KeySymbol) -> [Effect] {
            [true, false].flatMap { world.send(.key(code: 28, symbol: symbol, pressed: $0, modifiers: [])) }
        }
        #expect(!pressed(.enter).contains(.close(two)))
        _ = pressed(.downArrow)
        #expect(pressed(.enter).contains(.close(two)) || world.workspace.sinking.contains(two))
    }

    // MARK: The list

    @Test("X-02: a tile of the control centre opens the list of notifications, by arrows and OK", arguments: [0, 1])
    func tile(windows: UInt32) throws {
        var world = television(apps: 8, windows: windows)
        notify(&world)
        world.wait(12_000)
        key(.info, &world)
        world.rest()
        #expect(world.interface.openNames == ["control-centre"])
        var found: Set<ControlID> = [], open = [world], there: CoreWorld?
        while let here = open.popLast(), there == nil {
            guard let focus = here.interface.focus, found.insert(focus).inserted else { continue }
            if focus == "control-centre/notifications" { there = here }
            for arrow in [KeySymbol.upArrow, .downArrow, .leftArrow, .rightArrow] {
                var next = here
                key(arrow, &next)
                open.append(next)
            }
        }
        world = try #require(there, "reached only \(found)")
        key(.enter, &world)
        world.rest()
        #expect(world.interface.openNames == ["notifications"] && world.interface.focus?.area == .notifications)
        key(.back, &world)
        world.rest()
        #expect(world.interface.openNames == [])
        #expect(world.finish() == [])
    }

    @Test("where a finger swipes from the edge the control centre has no such tile")
    func noTile() {
        var world = CoreWorld()
        world.open(1)
        world.act(.controlCentre)
        world.rest()
        #expect(!world.controls.contains { $0.id == "control-centre/notifications" })
    }
}
