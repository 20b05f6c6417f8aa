import Accessibility
import Clocks
import Foundation
import Geometry
import Glibc
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct HostileClientTests {
    let bus: PrivateBus
    let session: Session

    init() throws {
        bus = try PrivateBus()
        session = Session(bus.environment)
        session.bus.update(shown())
    }

    @Test("X-05: wrong types, unknown objects and huge indices get errors with names")
    func errors() throws {
        session.register()
        let client = try Client(bus, session)
        let prefix = "/org/a11y/atspi/accessible"
        let accessible = "org.a11y.atspi.Accessible", component = "org.a11y.atspi.Component"
        let action = "org.a11y.atspi.Action", properties = "org.freedesktop.DBus.Properties"
        // The Dock is object 1, its first icon 2.
        let calls: [([Any], String)] = [
            (["\(prefix)/root", accessible, "GetChildAtIndex", "(i)", [2_147_483_647]], "InvalidArgs"),
            (["\(prefix)/root", accessible, "GetChildAtIndex", "(i)", [-2_147_483_648]], "InvalidArgs"),
            (["\(prefix)/root", accessible, "GetChildAtIndex", "(s)", ["one"]], "InvalidArgs"),
            (["\(prefix)/root", accessible, "GetChildAtIndex"], "InvalidArgs"),
            (["\(prefix)/root", accessible, "Explode"], "UnknownMethod"),
            (["\(prefix)/99999", accessible, "GetRole"], "UnknownObject"),
            (["\(prefix)/99999999999999999999999999", accessible, "GetRole"], "UnknownObject"),
            (["\(prefix)/01", accessible, "GetRole"], "UnknownObject"),
            (["\(prefix)/0", accessible, "GetRole"], "UnknownObject"),
            (["\(prefix)/1/2", accessible, "GetRole"], "UnknownObject"),
            ([prefix, accessible, "GetRole"], "UnknownObject"),
            (["/", accessible, "GetRole"], "UnknownObject"),
            (["/org/a11y/atspi/cache/1", "org.a11y.atspi.Cache", "GetItems"], "UnknownObject"),
            (["\(prefix)/2", component, "GetExtents", "(u)", [4_294_967_295]], "InvalidArgs"),
            (["\(prefix)/2", component, "Contains", "(iiu)", [0, 0, 9]], "InvalidArgs"),
            (["\(prefix)/2", component, "GetAccessibleAtPoint", "(iiu)", [0, 0, 3]], "InvalidArgs"),
            (["\(prefix)/2", action, "DoAction", "(i)", [3]], "InvalidArgs"),
            (["\(prefix)/2", action, "DoAction", "(i)", [-1]], "InvalidArgs"),
            (["\(prefix)/2", action, "GetName", "(i)", [2_147_483_647]], "InvalidArgs"),
            (["\(prefix)/1", action, "DoAction", "(i)", [0]], "Unknown"),
            (["\(prefix)/root", component, "GetSize"], "Unknown"),
            (["\(prefix)/2", "org.a11y.atspi.Application", "GetLocale", "(u)", [0]], "Unknown"),
            (["\(prefix)/2", properties, "Get", "(ss)", [accessible, "Nonsense"]], "UnknownProperty"),
            (["\(prefix)/2", properties, "Get", "(ss)", ["org.nonsense", "Name"]], "UnknownProperty"),
        ]
        let answers = try #require(try client.ask(["do": "raw", "calls": calls.map(\.0)]) as? [[String: String]])
        for ((call, error), answer) in zip(calls, answers) {
            #expect(answer["error"]?.contains("org.freedesktop.DBus.Error.\(error)") == true, "\(call): \(answer)")
        }
        // At the edges of numbers, and what can be asked besides.
        let good: [[Any]] = [
            ["\(prefix)/2", component, "Contains", "(iiu)", [2_147_483_647, -2_147_483_648, 1]],
            ["\(prefix)/2", properties, "GetAll", "(s)", [accessible]],
            ["\(prefix)/2", "org.freedesktop.DBus.Introspectable", "Introspect"],
            ["\(prefix)/2", action, "GetActions"],
            ["\(prefix)/2", component, "GetMDIZOrder"],
            ["\(prefix)/2", component, "GetPosition", "(u)", [2]],
        ]
        let values = try #require(try client.ask(["do": "raw", "calls": good]) as? [[String: String]])
        #expect(values[0]["value"] == "(false,)")
        #expect(values[1]["value"]?.contains("'dock.notes'") == true)
        #expect(values[2]["value"]?.contains("org.a11y.atspi.Component") == true)
        #expect(values[3]["value"] == "([('press', '', ''), ('Open in Split View', '', ''), ('Close', '', '')],)")
        #expect(values[4]["value"] == "(int16 -1,)")
        #expect(values[5]["value"] == "(10, 10)")
        #expect(session.pressed.isEmpty)
        #expect(session.bus.isRegistered)
    }

    @Test("X-05: a client that floods is served, and costs no memory")
    func flood() throws {
        session.register()
        let client = try Client(bus, session)
        try client.ask(["do": "flood", "count": 2_000], seconds: 60)
        // What is kept of calls grows with every flood. The allocator, or another test, takes some once.
        var least = Int.max
        for _ in 0..<3 where least >= 2_048 {
            let before = residentPages()
            let answer = try client.ask(["do": "flood", "count": 20_000], seconds: 60) as? [String: String]
            #expect(answer?["value"] == "(uint32 75,)")
            #expect(session.bus.isRegistered)
            least = min(least, residentPages() - before)
        }
        #expect(least < 2_048, "8 MB more in each of three floods")
    }

    @Test("X-05: a bus that takes nothing any more is left, not waited for")
    func stuck() throws {
        session.register()
        #expect(bus.send(SIGSTOP, to: "dbus-daemon"))
        let memory = residentPages()
        var longest: Int64 = 0
        // The kernel takes up to 20 000 before any has to be kept here.
        for count in 0..<100_000 where session.bus.isRegistered {
            let before = Clocks.monotonicNanoseconds
            session.bus.update(shown(title: "Notes \(count)"))
            longest = max(longest, Clocks.monotonicNanoseconds - before)
        }
        #expect(!session.bus.isRegistered)
        #expect(session.bus.descriptor == -1)
        // Whoever waited for that bus would wait for ever.
        #expect(longest < 5_000_000_000)
        #expect(residentPages() - memory < 16_384, "64 MB")
    }

    @Test("X-05: names may be anything an app makes up")
    func names() throws {
        let wild = "a\u{0}b\u{FFFE}c\u{1FFFF}d\u{202E}🦀" + String(repeating: "e\u{301}", count: 100_000)
        session.bus.update([
            AccessibleElement(
                id: wild, role: .panel, name: wild, description: wild, frame: Rect(.nan, .infinity, -5, 1e300),
                action: wild, states: States(rawValue: .max)),
            AccessibleElement(id: wild, role: .icon, name: "the same id", frame: .zero),
            AccessibleElement(id: "", role: .icon, name: "", frame: .zero),
        ])
        session.register()
        let client = try Client(bus, session)
        let app = try #require(try client.ask("walk") as? [String: Any])
        let children = try #require(app["children"] as? [[String: Any]])
        #expect(children.count == 2)
        let name = try #require(children[0]["name"] as? String)
        #expect(name.unicodeScalars.starts(with: "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{202E}🦀e".unicodeScalars))
        #expect(name.unicodeScalars.count == 1024)
        #expect((children[0]["screen"] as? [Int])?[2] == 0)
    }

    private func residentPages() -> Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    }
}
