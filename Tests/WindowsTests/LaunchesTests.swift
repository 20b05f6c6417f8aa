import Geometry
import Testing
import Windows

@Suite("Launches")
struct LaunchesTests {
    private let now = Moment.milliseconds(1000)

    private func new(_ raw: UInt32, app: String = "app", process: Int32 = 10, token: LaunchID? = nil, splash: Bool = false)
        -> Launches.Arrival
    {
        .init(id: WindowID(raw), app: app, lineage: [process, 1], token: token, isSplash: splash)
    }

    @Test("W-19: a token decides before the processes, these before the app, and the newest unused launch comes first")
    func order() {
        var launches = Launches()
        let first = launches.begin("app", nil, to: nil, at: now)
        launches.started(first, process: 10)
        let second = launches.begin("app", nil, to: nil, at: now)
        launches.started(second, process: 11)
        #expect(launches.match(new(1), among: [], at: now) == .init(launch: first, role: .first))
        #expect(launches.match(new(1, token: second), among: [], at: now) == .init(launch: second, role: .first))
        #expect(launches.match(new(1, process: 12), among: [], at: now) == .init(launch: first, role: .first))
        #expect(launches.match(new(1, app: "other", process: 12), among: [], at: now) == nil)
        launches.took(.init(launch: first, role: .first), by: WindowID(1))
        // The process of the first answers the second.
        #expect(launches.match(new(2), among: [new(1)], at: now) == .init(launch: second, role: .first))
        launches.took(.init(launch: second, role: .first), by: WindowID(2))
        #expect(launches.match(new(3), among: [new(1), new(2)], at: now) == nil)
        #expect(launches.match(new(3), among: [], at: now) == .init(launch: first, role: .next))
    }

    @Test("W-19: a splash uses no launch up, and the window that was asked for succeeds it")
    func splash() {
        var launches = Launches()
        let id = launches.begin(nil, nil, to: nil, at: now)
        launches.started(id, process: 10)
        let splash = new(1, app: "", splash: true)
        #expect(launches.match(splash, among: [], at: now) == .init(launch: id, role: .splash))
        launches.took(.init(launch: id, role: .splash), by: splash.id)
        #expect(launches[id]?.isUsed == false)
        #expect(launches.match(new(2), among: [splash], at: now + 60) == .init(launch: id, role: .successor(of: splash.id)))
        #expect(launches.match(new(2), among: [], at: now + 60) == .init(launch: id, role: .first))
    }

    @Test(
        "W-19: a window that used a launch up gives way only at the start, and only to one that was meant",
        arguments: [
            ("", "app", 1.0, true), ("", "", 1.0, false), ("loader", "app", 1.0, true), ("loader", "other", 1.0, false),
            ("app", "app", 1.0, false),
            ("loader", "app", 16.0, false),
        ])
    func successor(before: String, after: String, seconds: Double, succeeds: Bool) {
        var launches = Launches()
        let id = launches.begin("app", nil, to: nil, at: now)
        launches.started(id, process: 10)
        launches.took(.init(launch: id, role: .first), by: WindowID(1))
        let match = launches.match(new(2, app: after), among: [new(1, app: before)], at: now + seconds)
        #expect(match == (succeeds ? .init(launch: id, role: .successor(of: WindowID(1))) : nil))
    }
}
