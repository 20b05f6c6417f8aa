import Accessibility
import Clocks
import Foundation
import Geometry
import Testing

/// A Dock, and an app switcher above it.
func shown(focus: String? = nil, title: String = "Notes") -> [AccessibleElement] {
    func states(_ id: String, _ others: States = []) -> States {
        others.union(.focusable).union(id == focus ? .focused : [])
    }
    return [
        AccessibleElement(
            id: "dock", role: .panel, name: "Dock", frame: Rect(200, 700, 600, 80),
            children: [
                AccessibleElement(
                    id: "dock.notes", role: .icon, name: title, description: "App", frame: Rect(210, 710, 60, 60),
                    action: "press", more: [.init(id: "split", name: "Open in Split View"), .init(id: "close", name: "Close")],
                    states: states("dock.notes", [.selectable, .selected])),
                AccessibleElement(
                    id: "dock.mail", role: .pushButton, name: "Mail", frame: Rect(280.4, 710.4, 59.9, 60), action: "press",
                    states: states("dock.mail", .disabled)),
            ]),
        AccessibleElement(
            id: "switcher", role: .dialog, name: "App Switcher", frame: Rect(0, 0, 1000, 700), states: .modal,
            children: [
                AccessibleElement(
                    id: "switcher.silent", role: .toggleButton, name: "Silent", frame: Rect(20, 30, 100, 44),
                    action: "press", states: states("switcher.silent", .checked)),
                AccessibleElement(id: "switcher.title", role: .label, name: "Open apps", frame: Rect(20, 5, 200, 20)),
            ]),
    ]
}

@Suite(.serialized, .timeLimit(.minutes(2)))
struct ClientTests {
    let bus: PrivateBus
    let session: Session

    init() throws {
        bus = try PrivateBus()
        session = Session(bus.environment)
        session.bus.update(shown())
    }

    private func children(_ value: Any?) -> [[String: Any]] {
        (value as? [String: Any])?["children"] as? [[String: Any]] ?? []
    }

    @Test("X-05: a client finds role, name, state, position and action of every control")
    func walk() throws {
        session.register()
        let client = try Client(bus, session)
        let app = try #require(try client.ask("walk") as? [String: Any])
        #expect(app["role"] as? String == "application")
        #expect(app["name"] as? String == "Mullion")
        #expect(app["parent"] as? String == "main")
        let windows = children(app)
        #expect(windows.map { $0["name"] as? String } == ["Dock", "App Switcher"])
        #expect(windows.map { $0["role"] as? String } == ["panel", "dialog"])
        #expect(windows.map { $0["parent"] as? String } == ["Mullion", "Mullion"])
        #expect((windows[1]["states"] as? [String])?.contains("modal") == true)

        let notes = try #require(children(windows[0]).first), mail = children(windows[0])[1]
        #expect(notes["role"] as? String == "icon")
        #expect(notes["number"] as? Int == 26)
        #expect(notes["name"] as? String == "Notes")
        #expect(notes["description"] as? String == "App")
        #expect(notes["id"] as? String == "dock.notes")
        #expect(notes["parent"] as? String == "Dock")
        #expect(notes["index"] as? Int == 0)
        #expect(notes["screen"] as? [Int] == [210, 710, 60, 60])
        #expect(notes["window"] as? [Int] == [10, 10, 60, 60])
        #expect(notes["actions"] as? [String] == ["press", "split", "close"])
        #expect(notes["localized"] as? [String] == ["press", "Open in Split View", "Close"])
        #expect(notes["attributes"] as? [String: String] == ["toolkit": "Mullion", "id": "dock.notes"])
        #expect(notes["interfaces"] as? [String] == ["Accessible", "Action", "Component"])
        #expect(
            notes["states"] as? [String] == [
                "enabled", "focusable", "selectable", "selected", "sensitive", "showing", "visible",
            ])
        #expect(mail["index"] as? Int == 1)
        #expect(mail["screen"] as? [Int] == [280, 710, 60, 60])
        #expect(mail["states"] as? [String] == ["focusable", "showing", "visible"])
        #expect((children(windows[1])[0]["states"] as? [String])?.contains("checked") == true)
        #expect(children(windows[1])[1]["actions"] == nil)
        let about = try #require(try client.ask("about") as? [String: Any])
        #expect(about["toolkit"] as? String == "Mullion")
    }

    @Test("X-05: a client presses a control and gives it the focus, if it can be operated")
    func press() throws {
        session.register()
        let client = try Client(bus, session)
        #expect(try client.ask(["do": "press", "id": "switcher.silent"]) as? Bool == true)
        #expect(session.pressed == ["switcher.silent"])
        #expect(try client.ask(["do": "press", "id": "dock.notes", "index": 2]) as? Bool == true)
        #expect(session.acted == ["dock.notes: close"] && session.pressed == ["switcher.silent"])
        #expect(try client.ask(["do": "press", "id": "dock.mail"]) as? Bool == false)
        #expect(try client.ask(["do": "press", "id": "dock.notes", "index": 7]) as? Bool != true)
        #expect(session.pressed == ["switcher.silent"])

        #expect(try client.ask(["do": "focus", "id": "dock.notes"]) as? Bool == true)
        #expect(try client.ask(["do": "focus", "id": "switcher.title"]) as? Bool == false)
        #expect(session.focused == ["dock.notes"])

        #expect(try client.ask(["do": "at", "window": 1, "point": [25, 40]]) as? String == "switcher.silent")
        #expect(try client.ask(["do": "at", "window": 1, "point": [500, 500]]) as? String == "switcher")
        #expect(try client.ask(["do": "at", "window": 0, "point": [25, 40]]) == nil)
    }

    @Test("X-05: a client gets events for focus, names, added and removed controls, and announcements")
    func events() throws {
        session.register()
        let client = try Client(bus, session)
        try client.ask([
            "do": "listen",
            "events": [
                "object:state-changed", "object:children-changed", "object:property-change", "object:bounds-changed",
                "object:announcement", "window",
            ],
        ])
        session.bus.update(shown(focus: "dock.notes"))
        #expect(client.hears("object:state-changed:focused", "dock.notes", 1))
        #expect(client.hears("window:activate", "dock"))
        #expect(client.hears("object:state-changed:active", "dock", 1))

        session.bus.update(shown(focus: "switcher.silent"))
        #expect(client.hears("object:state-changed:focused", "dock.notes", 0))
        #expect(client.hears("object:state-changed:focused", "switcher.silent", 1))
        #expect(client.hears("window:deactivate", "dock"))
        #expect(client.hears("window:activate", "switcher"))

        session.bus.update(shown(focus: "switcher.silent", title: "Notes, 2 new"))
        #expect(client.hears("object:property-change:accessible-name", "dock.notes"))
        #expect(client.events.contains { $0["any"] as? String == "Notes, 2 new" })

        client.forgetEvents()
        session.bus.update(Array(shown(focus: "dock.notes").prefix(1)))
        #expect(client.hears("object:children-changed:remove", nil, 1))
        #expect(client.hears("window:destroy", nil))
        #expect(client.hears("object:state-changed:focused", "dock.notes", 1))
        #expect(children(try client.ask("walk")).map { $0["name"] as? String } == ["Dock"])
        client.forgetEvents()
        session.bus.update(shown(focus: "dock.notes"))
        #expect(client.hears("object:children-changed:add", nil, 1))
        #expect(client.hears("window:create", "switcher"))
        #expect(children(try client.ask("walk")).map { children($0).count } == [2, 2])

        var moved = shown(focus: "dock.notes")
        moved[0].frame.x = 150
        session.bus.update(moved)
        #expect(client.hears("object:bounds-changed", "dock"))
        session.bus.announce("Split View")
        #expect(client.hears("object:announcement", "dock"))
        #expect(client.events.contains { $0["any"] as? String == "Split View" })
    }

    @Test("X-05: the controls may change while a client looks at them")
    func changing() throws {
        session.register()
        let client = try Client(bus, session)
        var random = SystemRandomNumberGenerator()
        func anything(_ depth: Int = 0) -> [AccessibleElement] {
            (0..<Int.random(in: (depth == 0 ? 2 : 0)...5, using: &random)).map { _ in
                AccessibleElement(
                    id: "\(Int.random(in: 0..<60, using: &random))", role: Role.allCases.randomElement()!,
                    name: "\(Int.random(in: 0..<9, using: &random))", frame: Rect(0, 0, 10, 10),
                    action: Bool.random() ? "press" : nil, states: States(rawValue: .random(in: 0..<(1 << 15))),
                    children: depth < 4 ? anything(depth + 1) : [])
            }
        }
        var next = Clocks.monotonicNanoseconds
        let walks = try client.ask(["do": "stroll", "seconds": 2], seconds: 60) {
            guard Clocks.monotonicNanoseconds >= next else { return }
            next = Clocks.monotonicNanoseconds + 40_000_000
            session.bus.update(anything())
        }
        let report = try #require(walks as? [String: Any])
        let counts = try #require(report["counts"] as? [Int])
        // Answers are errors at worst; none is missing.
        #expect([[], ["Unknown object "]].contains(report["failures"] as? [String]))
        #expect(Set(counts).count > 1, "nothing changed while it walked")
        #expect(session.bus.isRegistered)

        // And what the client knows in the end, partly from events, is what there is.
        session.bus.update(shown())
        let app = try client.ask("walk")
        #expect(
            children(app).map { children($0).map { $0["id"] as? String } } == [
                ["dock.notes", "dock.mail"], ["switcher.silent", "switcher.title"],
            ])
    }
}
