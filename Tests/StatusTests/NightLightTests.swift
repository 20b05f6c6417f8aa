import Geometry
import Status
import Testing

/// The room of the night light alone.
@Suite("X-05: night light") struct NightLightTests {
    private let now = Moment.zero

    private func at(_ hour: Int, _ minute: Int = 0) -> NightLight.Event { .time(TimeOfDay(hour: hour, minute: minute)) }

    private func preferences(from: Double = 22, to: Double = 7, scheduled: Bool = true) -> NightLightPreferences {
        var out = NightLightPreferences()
        out.set(.schedule(scheduled))
        out.set(.from(from))
        out.set(.to(to))
        return out
    }

    private func room(_ preferences: NightLightPreferences) -> NightLight {
        var room = NightLight()
        _ = room.handle(.possible(true), in: preferences, at: now)
        return room
    }

    @Test(
        "it is on between its hours, also over midnight, and the whole day if both are the same",
        arguments: [
            (22.0, 7.0, [22, 23, 0, 6], [7, 12, 21]), (8, 17, [8, 12, 16], [7, 17, 0]), (5, 5, [0, 5, 12, 23], []),
            (24, 6, [0, 5], [6, 23]), (20, 24, [20, 23], [0, 19]),
        ])
    func hours(from: Double, to: Double, on: [Int], off: [Int]) {
        let preferences = preferences(from: from, to: to)
        for (hours, isOn) in [(on, true), (off, false)] {
            for hour in hours {
                var room = room(preferences)
                _ = room.handle(at(hour), in: preferences, at: now)
                #expect(room.isOn(preferences) == isOn, "\(hour)")
            }
        }
    }

    @Test("a person who switches it decides until the schedule would next change it")
    func byHand() {
        let preferences = preferences()
        var room = room(preferences)
        _ = room.handle(at(21), in: preferences, at: now)
        #expect(!room.isOn(preferences))
        #expect(room.handle(.wish(nil), in: preferences, at: now).contains(.changed))
        #expect(room.isOn(preferences))
        _ = room.handle(at(21, 59), in: preferences, at: now)
        #expect(room.isOn(preferences))
        #expect(room.handle(at(22), in: preferences, at: now) == [], "nothing is to be seen")
        _ = room.handle(.wish(false), in: preferences, at: now)
        _ = room.handle(at(6, 59), in: preferences, at: now)
        #expect(!room.isOn(preferences))
        _ = room.handle(at(7), in: preferences, at: now)
        _ = room.handle(at(22), in: preferences, at: now)
        #expect(room.isOn(preferences))
    }

    @Test("more warmth takes blue first, and red never")
    func colours() throws {
        var preferences = preferences(scheduled: false), room = room(preferences), last = 1.0
        for warmth in stride(from: 0.0, through: 1, by: 0.25) {
            preferences.set(.warmth(warmth))
            let out = room.handle(warmth == 0 ? .wish(true) : .settled, in: preferences, at: now)
            guard case .show(let gains)? = out.first else {
                Issue.record("\(warmth): nothing is shown")
                return
            }
            #expect(gains.red == 1 && gains.blue < gains.green && gains.green < 1 && gains.blue < last)
            last = gains.blue
        }
        #expect(room.handle(.wish(false), in: preferences, at: now) == [.show(ColourGains()), .changed])
    }

    @Test("every sequence of four events keeps what holds always, and tells the screen nothing twice")
    func sequences() {
        let events: [NightLight.Event] = [
            .possible(true), .possible(false), at(12), at(23), .wish(nil), .wish(true), .wish(false), .settled,
        ]
        let contexts = [preferences(), preferences(scheduled: false)]
        var tried = 0
        func walk(_ room: NightLight, _ shown: ColourGains, _ depth: Int) {
            guard depth > 0 else { return }
            for event in events {
                for context in contexts {
                    var next = room, now = shown
                    if case .possible(let isPossible) = event, isPossible != room.isPossible { now = ColourGains() }
                    for outcome in next.handle(event, in: context, at: self.now) {
                        guard case .show(let gains) = outcome else { continue }
                        #expect(gains != now)
                        now = gains
                    }
                    #expect(next.violations(in: context).isEmpty)
                    #expect((now != ColourGains()) == next.isOn(context), "\(event)")
                    tried += 1
                    walk(next, now, depth - 1)
                }
            }
        }
        walk(NightLight(), ColourGains(), 4)
        #expect(tried > 60_000)
    }

    @Test("a screen that cannot says so")
    func impossible() {
        var room = NightLight()
        #expect(room.handle(.wish(true), in: preferences(), at: now) == [.refuse("the colours of this screen cannot be changed")])
    }
}
