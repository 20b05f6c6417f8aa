import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Stage
import Testing
import Windows

@Suite("S-07: a person makes and changes a focus in the control centre")
struct FocusModeTests {
    private func control(_ world: CoreWorld, _ id: ControlID) throws -> ViewControl {
        try #require(world.controls.last { $0.id == id }, "no \(id) among \(world.controls.map(\.id.rawValue))")
    }

    private func tap(_ world: inout CoreWorld, _ id: ControlID) throws {
        world.tap(at: try control(world, id).frame.center)
        world.wait(400)
    }

    private func press(_ world: inout CoreWorld, _ symbol: KeySymbol) {
        for pressed in [true, false] { world.send(.key(code: 30, symbol: symbol, pressed: pressed, modifiers: [])) }
    }

    private func apps(_ count: Int) -> [App] { (0..<count).map { App(id: "app\($0)", name: "App \($0)", command: ["app\($0)"]) } }

    @Test("S-07: by finger: name, apps, schedule, on and off, delete")
    func finger() throws {
        var world = CoreWorld()
        world.open(1)
        world.send(.appsChanged(apps(40)))
        world.act(.controlCentre)
        world.wait(1000)
        for id in ["control-centre/do-not-disturb", "control-centre/new-focus", "control-centre/new-focus/work"] as [ControlID] {
            try tap(&world, id)
        }
        #expect(world.interface.openNames.contains("control-centre/focus-mode"))
        #expect(try control(world, "control-centre").name == .message(.focusWork))
        func work() -> NoticeFocus? { world.system.notices.choices.focuses.first { $0.name == "work" } }
        try tap(&world, "control-centre/focus/apps")
        try tap(&world, "control-centre/focus-app/app3")
        try tap(&world, "control-centre/focus/more-apps")
        let second = try #require(world.controls.first { $0.id.path.hasPrefix("focus-app/") })
        #expect(second.id != "control-centre/focus-app/app0")
        world.tap(at: second.frame.center)
        #expect(work()?.apps.count == 2 && work()?.apps.first == "app3")
        try tap(&world, "control-centre/back")
        try tap(&world, "control-centre/focus/times")
        try tap(&world, "control-centre/focus/at-times")
        #expect(work()?.times == [FocusName.work.usualTime])
        for id in [
            "control-centre/focus/from/later", "control-centre/focus/to/earlier", "control-centre/focus/day/5",
            "control-centre/focus/day/0",
        ] as [ControlID] {
            try tap(&world, id)
        }
        #expect(work()?.times == [FocusTime(days: [1, 2, 3, 4, 5], from: 9 * 60 + 30, to: 16 * 60 + 30)])
        try tap(&world, "control-centre/back")
        try tap(&world, "control-centre/focus/urgent")
        try tap(&world, "control-centre/focus/on")
        #expect(work()?.letsUrgentThrough == false && world.system.notices.focus(at: world.now)?.name == "work")
        try tap(&world, "control-centre/focus/on")
        #expect(world.system.notices.focus(at: world.now) == nil)
        try tap(&world, "control-centre/back")
        try tap(&world, "control-centre/focus/work/edit")
        try tap(&world, "control-centre/focus/delete")
        #expect(work() == nil && world.interface.openNames.contains("control-centre/focus"))
        #expect(world.effects.count { $0 == .notice(.keepChoices) } == 12)
        #expect(world.finish() == [])
    }

    private func write(_ world: inout CoreWorld, _ id: UInt32, _ name: String) {
        var content = NoticeContent(app: "chat", name: "Chat", title: name)
        content.category = "im.received"
        world.send(.notice(.notify(NoticeID(id), content, sender: nil, at: 1_799_020_800)))
    }

    @Test("S-07: by finger: people, from those who wrote or called; no row moves while the page is open")
    func people() throws {
        var world = CoreWorld()
        world.open(1)
        func work() -> NoticeFocus? { world.system.notices.choices.focuses.first { $0.name == "work" } }
        func rows() -> [String] { world.controls.filter { $0.id.path.hasPrefix("focus-person/") }.map { String($0.id.path.dropFirst(13)) } }
        world.act(.notice(.newFocus(.work)))
        world.act(.notice(.editFocus("work")))
        world.wait(1000)
        try tap(&world, "control-centre/focus/people")
        #expect(rows() == [])
        #expect(try control(world, "control-centre/nobody").name == .message(.focusNobody))
        try tap(&world, "control-centre/back")
        for index in 1...40 { write(&world, UInt32(index), "Person \(index)") }
        try tap(&world, "control-centre/focus/people")
        let first = rows()
        #expect(first.prefix(2) == ["Person 40", "Person 39"])
        try tap(&world, "control-centre/focus-person/Person 39")
        write(&world, 41, "Zoe")
        world.wait(400)
        #expect(work()?.people == ["Person 39"] && rows() == first)
        for _ in 0..<60 where !rows().contains("Person 1") { try tap(&world, "control-centre/focus/more-apps") }
        try tap(&world, "control-centre/focus-person/Person 1")
        try tap(&world, "control-centre/back")
        #expect(try control(world, "control-centre/focus/people").name == .message(.focusPeople))
        // Those who were chosen come first, and can be taken out.
        try tap(&world, "control-centre/focus/people")
        #expect(rows().prefix(4) == ["Person 39", "Person 1", "Zoe", "Person 40"])
        #expect(try control(world, "control-centre/focus-person/Person 39").isChosen)
        try tap(&world, "control-centre/focus-person/Person 39")
        #expect(work()?.people == ["Person 1"] && rows().first == "Person 39")
        #expect(world.effects.count { $0 == .notice(.keepChoices) } == 4)
        #expect(world.finish() == [])
    }

    @Test("S-07: on a low screen, every name and every focus is reached by More", arguments: [1.0, 2])
    func low(scale: Double) throws {
        var world = CoreWorld(size: Size(844, 390), preferences: Preferences(appearance: Appearance(textScale: scale)))
        world.act(.controlPage(.newFocus))
        world.wait(1000)
        func find(_ prefix: String) throws -> Set<String> {
            var found: Set<String> = []
            for _ in 0..<FocusName.allCases.count {
                found.formUnion(world.controls.map { String($0.id.path) }.filter { $0.hasPrefix(prefix) })
                guard world.controls.contains(where: { $0.id == "control-centre/focus/more-apps" }) else { break }
                try tap(&world, "control-centre/focus/more-apps")
            }
            return found
        }
        #expect(try find("new-focus/").count == FocusName.allCases.count)
        for name in FocusName.allCases { world.act(.notice(.newFocus(name))) }
        world.act(.controlPage(.focus))
        world.wait(1000)
        #expect(try find("focus/").count { $0.hasSuffix("/edit") } == FocusName.allCases.count)
        #expect(world.finish() == [])
    }

    @Test("S-07: by keys alone, and Escape leads back page by page")
    func keys() throws {
        var world = CoreWorld()
        world.open(1)
        world.act(.controlPage(.focus))
        world.wait(1000)
        func go(to id: ControlID) throws {
            for _ in 0..<40 where world.interface.focus != id { press(&world, .tab) }
            try #require(world.interface.focus == id)
            press(&world, .enter)
            world.wait(400)
        }
        for id in [
            "control-centre/new-focus", "control-centre/new-focus/sleep", "control-centre/focus/times", "control-centre/focus/at-times",
        ] as [ControlID] { try go(to: id) }
        #expect(world.system.notices.choices.focuses.first?.times == [FocusName.sleep.usualTime])
        for page in ["focus-mode", "focus"] {
            press(&world, .escape)
            #expect(world.interface.openNames.contains("control-centre/\(page)"))
        }
        press(&world, .escape)
        press(&world, .escape)
        #expect(world.interface.openNames.isEmpty && world.finish() == [])
    }

    @Test("S-07: what the file defines has a lock and no page, and a page about a focus that is gone gives way")
    func fixed() throws {
        var world = CoreWorld()
        var wishes = NoticeChoices.Wishes()
        wishes.focuses = [NoticeFocus(name: "Work")]
        world.act(.notice(.newFocus(.work)))
        world.act(.notice(.editFocus("work")))
        world.wait(500)
        _ = try control(world, "control-centre/focus/delete")
        world.send(.notice(.fixed(wishes)))
        world.wait(500)
        #expect(!world.controls.contains { $0.id == "control-centre/focus/delete" || $0.id == "control-centre/focus/Work/edit" })
        #expect(try control(world, "control-centre/fixed").name == .message(.setInFile))
        #expect(world.act(.notice(.deleteFocus("Work"))).refusals == ["the configuration file defines the focus \"Work\""])
        #expect(world.act(.notice(.focus("nothing"))).refusals == ["there is no focus \"nothing\""])
        world.act(.notice(.editFocus("Work")))
        #expect(world.interface.openNames.contains("control-centre/focus"))
        #expect(world.finish() == [])
    }

    @Test(
        "S-07: on every screen and with large text each page fits, and every target is large enough for a finger",
        arguments: [
            Size(1180, 820), Size(390, 844), Size(844, 390), Size(320, 480),
        ], [1.0, 1.5, 2])
    func layout(size: Size, scale: Double) throws {
        for isMirrored in [false, true] {
            var world = CoreWorld(size: size, preferences: Preferences(appearance: Appearance(textScale: scale, isRightToLeft: isMirrored)))
            world.send(.appsChanged(apps(40)))
            world.act(.notice(.newFocus(.sleep)))
            world.act(.notice(.setFocus(focus: "sleep", what: .time(FocusName.sleep.usualTime))))
            for index in 1...40 { write(&world, UInt32(index), "Person \(index)") }
            world.act(.notice(.editFocus("sleep")))
            for page in [ControlPage.focus, .newFocus, .focusMode, .focusApps, .focusPeople, .focusTimes] {
                if !world.interface.openNames.contains("control-centre/\(page.rawValue)") { world.act(.controlPage(page)) }
                world.wait(1500)
                let what = "\(page), \(size.width) x \(size.height), text \(scale)", panel = try control(world, "control-centre").frame
                #expect(Rect(origin: .zero, size: size).contains(panel, tolerance: 0.5), "\(what): the panel is at \(panel)")
                let parts = world.controls.filter { $0.press != nil && $0.id.area == .controlCentre }
                #expect(parts.count > 2, "\(what)")
                for part in parts {
                    #expect(panel.contains(part.target, tolerance: 0.5), "\(what): \(part.id.rawValue) at \(part.target)")
                    let least = part.id.path.hasPrefix("focus/day") ? 32.0 : 44
                    #expect(part.target.width >= least && part.target.height >= 43.5, "\(what): \(part.id.rawValue) is \(part.target.size)")
                }
                for (index, part) in parts.enumerated() {
                    for other in parts[(index + 1)...] where part.frame.intersection(other.frame).inset(by: 1).isEmpty == false {
                        Issue.record("\(what): \(part.id.rawValue) at \(part.frame) and \(other.id.rawValue) at \(other.frame)")
                    }
                }
            }
        }
    }
}
