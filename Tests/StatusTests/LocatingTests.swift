import Geometry
import Status
import Testing

/// which apps may know where the device is.
@Suite struct LocatingTests {
    private func moment(_ seconds: Double) -> Moment { .milliseconds(seconds * 1000) }

    private func context(_ decided: [String: Bool] = [:], locked: Bool = false) -> Locating.Context {
        Locating.Context(isLocked: locked, decided: decided)
    }

    @Test("an app asks once for all its requests, and is a user of the location from the moment that one is used")
    func asks() {
        var room = Locating()
        #expect(room.handle(.inUse(false), in: context(), at: moment(0)) == [.used([])])
        #expect(room.handle(.asked(1, app: "maps"), in: context(), at: moment(1)) == [.asks(app: "maps")])
        #expect(room.handle(.asked(2, app: "maps"), in: context(), at: moment(2)) == [])
        #expect(
            room.handle(.wish(.allow(app: "maps", true)), in: context(), at: moment(3))
                == [.remember(app: "maps", true), .answer(1, true), .answer(2, true), .settled(app: "maps")])
        #expect(room.handle(.inUse(true), in: context(), at: moment(4)) == [.used(["maps"])])
        #expect(
            room.handle(.asked(3, app: "sky"), in: context(["sky": true]), at: moment(5)) == [.answer(3, true), .used(["maps", "sky"])])
        #expect(room.handle(.inUse(false), in: context(), at: moment(6)) == [.used([])])
        #expect(room.handle(.inUse(true), in: context(), at: moment(7)) == [.used([""])], "one that nobody was asked about")
    }

    @Test("an app that never began to use it is not named when another one does")
    func old() {
        var room = Locating()
        _ = room.handle(.inUse(false), in: context(), at: moment(0))
        _ = room.handle(.asked(1, app: "maps"), in: context(["maps": true]), at: moment(1))
        #expect(room.handle(.inUse(true), in: context(), at: moment(2 + Locating.patience)) == [.used([""])])
    }

    @Test("what a person refused is refused, and not now is asked again")
    func refused() {
        var room = Locating()
        #expect(room.handle(.asked(1, app: "maps"), in: context(["maps": false]), at: moment(1)) == [.answer(1, false)])
        _ = room.handle(.asked(2, app: "sky"), in: context(), at: moment(2))
        #expect(
            room.handle(.wish(.later(app: "sky")), in: context(), at: moment(3)) == [.answer(2, false), .settled(app: "sky")])
        #expect(room.handle(.asked(3, app: "sky"), in: context(), at: moment(4)) == [.asks(app: "sky")])
        guard case .refuse? = room.handle(.wish(.later(app: "other")), in: context(), at: moment(5)).first else {
            Issue.record("it does not ask")
            return
        }
    }

    @Test("a lock refuses what is asked, and what is asked then")
    func locked() {
        var room = Locating()
        _ = room.handle(.asked(1, app: "maps"), in: context(), at: moment(1))
        #expect(room.handle(.locked, in: context(locked: true), at: moment(2)) == [.answer(1, false), .settled(app: "maps")])
        #expect(room.handle(.asked(2, app: "maps"), in: context(["maps": true], locked: true), at: moment(3)) == [.answer(2, false)])
    }

    @Test("a service that goes withdraws its questions, and so does a request that is withdrawn")
    func withdrawn() {
        var room = Locating()
        _ = room.handle(.inUse(true), in: context(), at: moment(0))
        _ = room.handle(.asked(1, app: "maps"), in: context(), at: moment(1))
        _ = room.handle(.asked(2, app: "maps"), in: context(), at: moment(1))
        #expect(room.handle(.withdrawn(1), in: context(), at: moment(2)) == [])
        #expect(room.handle(.withdrawn(2), in: context(), at: moment(2)) == [.settled(app: "maps")])
        _ = room.handle(.asked(3, app: "maps"), in: context(), at: moment(3))
        #expect(room.handle(.inUse(nil), in: context(), at: moment(4)) == [.used([]), .settled(app: "maps")])
    }

    @Test("a flood of requests has few questions, and an app without a name, or with a long one, none")
    func flood() {
        var room = Locating()
        var asked = 0, refused = 0
        for number in 0..<10_000 {
            for outcome in room.handle(.asked(UInt64(number), app: "app\(number % 5_000)"), in: context(), at: moment(1)) {
                switch outcome {
                case .asks: asked += 1
                case .answer(_, false): refused += 1
                default: Issue.record("\(outcome)")
                }
            }
        }
        #expect(asked == Locating.mostQuestions && refused == 10_000 - 2 * Locating.mostQuestions)
        for name in ["", String(repeating: "a", count: 257)] {
            #expect(room.handle(.asked(1, app: name), in: context(), at: moment(2)) == [.answer(1, false)])
        }
    }

    @Test("every sequence of five events keeps what holds always, and each request gets one answer at most")
    func sequences() {
        let events: [Locating.Event] = [
            .inUse(nil), .inUse(true), .inUse(false), .asked(0, app: "a"), .asked(0, app: "b"), .withdrawn(1),
            .wish(.allow(app: "a", true)),
            .wish(.allow(app: "b", false)), .wish(.later(app: "a")), .locked,
        ]
        func go(_ room: Locating, _ decided: [String: Bool], _ answered: Set<UInt64>, _ depth: Int) {
            guard depth > 0 else { return }
            for event in events {
                var next = room, decided = decided, answered = answered
                let isLocked = event == .locked
                var event = event
                if case .asked(_, let app) = event { event = .asked(UInt64(6 - depth), app: app) }
                for outcome in next.handle(event, in: context(decided, locked: isLocked), at: moment(Double(6 - depth))) {
                    if case .remember(let app, let isAllowed) = outcome { decided[app] = isAllowed }
                    if case .answer(let request, _) = outcome { #expect(answered.insert(request).inserted) }
                }
                #expect(next.violations(in: context(decided, locked: isLocked)).isEmpty)
                go(next, decided, answered, depth - 1)
            }
        }
        go(Locating(), [:], [], 5)
    }
}
