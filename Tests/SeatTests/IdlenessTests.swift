import Geometry
import Seat
import Testing
import Windows

/// One who waits for idleness as simply as can be: it looks every millisecond at everything.
private struct Model {
    var timeouts: [IdleWatchID: Int] = [:], from: [IdleWatchID: Int] = [:]
    var inhibitors: [IdleInhibitorID: IdleInhibitorPlace] = [:]
    var lastActivity = 0
    var shown: Set<WindowID> = [], panels: Set<PanelID> = []
    var isHeld = false, wasInhibited = false

    var isInhibited: Bool {
        isHeld
            || inhibitors.values.contains {
                switch $0 {
                case .window(let id): shown.contains(id)
                case .panel(let id): panels.contains(id)
                case .nothing: false
                }
            }
    }

    mutating func idle(at now: Int) -> Set<IdleWatchID> {
        if wasInhibited, !isInhibited { lastActivity = now }
        wasInhibited = isInhibited
        return isInhibited ? [] : Set(timeouts.keys.filter { max(lastActivity, from[$0]!) + timeouts[$0]! <= now })
    }
}

/// `Idleness` and its timer, millisecond by millisecond.
private struct Run {
    var idleness = Idleness()
    var model = Model()
    var now = 1000
    var alarm: Int?
    var told: [IdleWatchID: Bool] = [:]
    var tells = 0
    var problems: [String] = []

    var moment: Moment { .milliseconds(Double(now)) }

    mutating func take(_ effects: [IdleEffect]) {
        for effect in effects {
            switch effect {
            case .tell(let id, let isIdle):
                if told[id] == isIdle || model.timeouts[id] == nil { problems.append("\(id) is told \(isIdle) at the wrong time") }
                told[id] = isIdle
                tells += 1
            case .wake(let moment): alarm = moment.map { Int($0.nanoseconds / 1_000_000) }
            }
        }
    }

    mutating func handle(_ event: IdleEvent) {
        switch event {
        case .activity: model.lastActivity = now
        case .watchAdded(let id, let milliseconds):
            if model.timeouts[id] == nil { (model.timeouts[id], model.from[id], told[id]) = (Int(milliseconds), now, false) }
        case .watchGone(let id): (model.timeouts[id], model.from[id], told[id]) = (nil, nil, nil)
        case .watchRestarted(let id): if model.from[id] != nil { model.from[id] = now }
        case .inhibitor(let id, let place): model.inhibitors[id] = place
        case .inhibitorGone(let id): model.inhibitors[id] = nil
        }
        take(idleness.handle(event, at: moment))
        look()
    }

    /// What is shown is looked at after every event, and compared with the model.
    mutating func look() {
        let panels = model.panels
        take(idleness.follow(isHeld: model.isHeld, windows: model.shown.sorted(), isSeen: { panels.contains($0) }, at: moment))
        let idle = model.idle(at: now)
        if Set(told.filter(\.value).keys) != idle { problems.append("at \(now), told are \(told), and idle are \(idle)") }
        if model.isInhibited != idleness.isInhibited { problems.append("at \(now), inhibited: \(model.isInhibited)") }
        problems += idleness.violations()
    }

    mutating func wait(_ milliseconds: Int) {
        for _ in 0..<milliseconds {
            now += 1
            if let due = alarm, due <= now {
                alarm = nil
                take(idleness.timeIsUp(at: moment))
            }
            look()
        }
    }
}

@Suite("Idleness")
struct IdlenessTests {
    private let one = IdleWatchID(1), two = IdleWatchID(2), film = IdleInhibitorID(1), window = WindowID(7)

    @Test("idle once after the timeout since the last activity; in use again at the next one")
    func counts() {
        var idleness = Idleness()
        #expect(idleness.handle(.watchAdded(one, milliseconds: 100), at: .milliseconds(0)) == [.wake(at: .milliseconds(100))])
        #expect(idleness.used(at: .milliseconds(30)) == [], "activity sets no timer")
        #expect(idleness.timeIsUp(at: .milliseconds(100)) == [.wake(at: .milliseconds(130))])
        #expect(idleness.timeIsUp(at: .milliseconds(130)) == [.tell(one, isIdle: true)])
        #expect(idleness.used(at: .milliseconds(500)) == [.tell(one, isIdle: false), .wake(at: .milliseconds(600))])
        #expect(idleness.handle(.watchGone(one), at: .milliseconds(510)) == [.wake(at: nil)])
        #expect(idleness.used(at: .milliseconds(520)) == [])
    }

    @Test("with a timeout of zero it is idle again at once; a program's own word counts for its own watch")
    func restarts() {
        var idleness = Idleness()
        #expect(idleness.handle(.watchAdded(one, milliseconds: 0), at: .zero) == [.tell(one, isIdle: true)])
        #expect(idleness.used(at: .milliseconds(5)) == [.tell(one, isIdle: false), .tell(one, isIdle: true)])
        _ = idleness.handle(.watchAdded(two, milliseconds: 10), at: .milliseconds(5))
        #expect(idleness.timeIsUp(at: .milliseconds(15)) == [.tell(two, isIdle: true)])
        #expect(idleness.handle(.watchRestarted(two), at: .milliseconds(20)) == [.tell(two, isIdle: false), .wake(at: .milliseconds(30))])
        #expect(idleness.handle(.watchRestarted(IdleWatchID(9)), at: .milliseconds(20)) == [])
    }

    @Test("a film in sight keeps everybody from being told, and idle time begins anew when it ends")
    func inhibited() {
        var idleness = Idleness()
        _ = idleness.handle(.watchAdded(one, milliseconds: 100), at: .zero)
        _ = idleness.timeIsUp(at: .milliseconds(100))
        _ = idleness.handle(.inhibitor(film, on: .window(window)), at: .milliseconds(200))
        #expect(idleness.follow(isHeld: false, windows: [], isSeen: { _ in false }, at: .milliseconds(200)) == [], "it is out of sight")
        #expect(
            idleness.follow(isHeld: false, windows: [window], isSeen: { _ in false }, at: .milliseconds(250)) == [.tell(one, isIdle: false)]
        )
        #expect(idleness.used(at: .milliseconds(5000)) == [] && idleness.timeIsUp(at: .milliseconds(9000)) == [])
        _ = idleness.handle(.inhibitor(film, on: .nothing), at: .milliseconds(9500))
        #expect(
            idleness.follow(isHeld: false, windows: [window], isSeen: { _ in false }, at: .milliseconds(9500))
                == [.wake(at: .milliseconds(9600))])
        #expect(idleness.follow(isHeld: true, windows: [], isSeen: { _ in false }, at: .milliseconds(9550)) == [.wake(at: nil)])
    }

    @Test("random events: everybody is told what one who looks all the time would tell", arguments: 1...8 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var state = seed
        func roll(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        var run = Run()
        for _ in 0..<300 {
            let watch = IdleWatchID(UInt32(roll(4))), inhibitor = IdleInhibitorID(UInt32(roll(3)))
            switch roll(12) {
            case 0, 1: run.handle(.watchAdded(watch, milliseconds: [0, 1, 7, 40][roll(4)]))
            case 2: run.handle(.watchGone(watch))
            case 3: run.handle(.watchRestarted(watch))
            case 4:
                run.handle(
                    .inhibitor(inhibitor, on: [.window(WindowID(UInt32(roll(3)))), .panel(PanelID(UInt32(roll(2)))), .nothing][roll(3)]))
            case 5, 6: run.handle(.inhibitorGone(inhibitor))
            case 7:
                run.model.shown.formSymmetricDifference([WindowID(UInt32(roll(3)))])
                run.model.panels.formSymmetricDifference([PanelID(UInt32(roll(2)))])
                run.look()
            case 8:
                run.model.isHeld = roll(4) == 0
                run.look()
            case 9: run.handle(.activity)
            default: run.wait([1, 3, 10, 45][roll(4)])
            }
            #expect(run.problems == [])
            guard run.problems.isEmpty else { return }
        }
        #expect(run.tells > 10)
    }
}
