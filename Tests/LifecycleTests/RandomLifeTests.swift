import Geometry
import Testing
import Windows

@testable import Lifecycle

@Suite("Random lives of apps")
struct RandomLifeTests {
    struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    enum Op: CaseIterable {
        case come, go, look, lookElsewhere, lookNowhere, wait, waitLong, sound, allows, stops, quiet, task, further, taskEnds, called, fills
        case frozen, failed, offers, withdraws, changes, saved, saveAll, keep, pressure, waited, lost, notifies
        case inhibits, uninhibits, endsInhibitor, registers, leaves, agrees, objects, logsOut, logsOutAnyway, stays, shutsDown, staysOn
    }

    private func run(_ op: Op, in world: inout World, _ random: inout Random) {
        let number = UInt32(1 + random.next() % 4)
        let window = WindowID(number), app = AppProcess(Int32(100 * (1 + number % 3))), task = TaskID(UInt64(number))
        switch op {
        case .come: world.change { $0.windowCame(window, of: app, name: "app\(app.head)", &$1) }
        case .go:
            world.change {
                $0.windowWent(window, &$1)
                $0.windowClosed(window, &$1)
            }
        case .look: world.look(window)
        case .lookElsewhere: world.look(window, WindowID(1 + number % 4))
        case .lookNowhere: world.change { $0.seen([], active: nil, &$1) }
        case .wait: world.wait(Double(random.next() % 40) / 10, freezes: random.next() % 3 > 0)
        case .waitLong: world.wait(15, freezes: random.next() % 3 > 0)
        case .sound: world.change { $0.setReasons([app: [.sound]], nowPlaying: app, &$1) }
        case .allows: world.handle(.backgroundAllowed(number % 2 == 0 ? ["app\(app.head)"] : []))
        case .stops: world.change { _ = $0.stop(app: "app\(app.head)", &$1) }
        case .quiet: world.change { $0.setReasons([:], &$1) }
        case .task: world.handle(.taskBegan(task, app, name: "t"))
        case .further: world.handle(.taskAdvanced(task, progress: Double(random.next() % 100) / 100))
        case .taskEnds: world.handle(.taskEnded(task))
        case .notifies: world.handle(.notificationUsed)
        case .called: world.handle(.called(app))
        case .fills: world.handle(.connectionFills(app))
        case .frozen: world.handle(.frozen(app))
        case .failed: world.handle(.freezeFailed(app, reason: "no"))
        case .offers: world.handle(.stateOffered(StateID(UInt64(number)), app))
        case .withdraws: world.handle(.stateWithdrawn(StateID(UInt64(number))))
        case .changes: world.handle(.stateChanged(StateID(UInt64(number))))
        case .saved: world.handle(.stateSaved(StateID(UInt64(number)), SaveToken(UInt32(random.next() % 8))))
        case .saveAll: world.handle(.saveAll)
        case .keep: world.change { $0.configure($0.rules, LifecyclePreferences(kept: number == 1 ? ["app100"] : []), &$1) }
        case .inhibits:
            let kinds = Inhibitor.Kinds(rawValue: UInt32(random.next() % 32)),
                owner = SessionOwner(process: number == 4 ? nil : app, name: "app100")
            world.handle(.inhibited(Inhibitor(InhibitorID(number), of: owner, reason: "", kinds: kinds)))
        case .uninhibits: world.handle(.uninhibited(InhibitorID(number)))
        case .endsInhibitor: world.change { $0.endInhibitor(InhibitorID(number), &$1) }
        case .registers: world.handle(.clientRegistered(SessionClientID(number), SessionOwner(process: app, name: "")))
        case .leaves: world.handle(.clientLeft(SessionClientID(number)))
        case .agrees: world.handle(.clientAnswered(SessionClientID(number), objection: nil))
        case .objects: world.handle(.clientAnswered(SessionClientID(number), objection: "no"))
        case .logsOut: world.change { $0.logOut(isForced: false, &$1) }
        case .logsOutAnyway: world.change { $0.logOut(isForced: true, &$1) }
        case .stays: world.change { $0.cancelLogOut(&$1) }
        case .shutsDown: world.change { $0.shutDown(&$1) }
        case .staysOn: world.change { $0.staysOn(&$1) }
        case .waited:
            let random = random.next()
            world.handle(.memoryWaited(some: random % 5_000_000, full: random % 3_000_000))
        case .lost: world.handle(.stateLost(StateID(UInt64(number)), SaveToken(UInt32(random.next() % 8))))
        case .pressure: world.handle(.memoryPressure(number % 2 == 0 ? .some : .critical))
        }
    }

    @Test("S-03, S-06, law 4: a thousand random lives keep every invariant, and each freeze has its thaw", arguments: 0..<10)
    func lives(_ part: UInt64) {
        for seed in part * 100..<(part + 1) * 100 {
            var random = Random(state: seed)
            var world = World()
            for step in 0..<120 {
                let op = Op.allCases.randomElement(using: &random)!
                run(op, in: &world, &random)
                let broken = world.life.violations()
                guard broken.isEmpty else {
                    Issue.record("seed \(seed), step \(step), \(op): \(broken)")
                    return
                }
            }
            checkPairs(world, "seed \(seed)")
        }
    }

    @Test("every sequence of three operations after a freeze keeps every invariant")
    func exhaustive() {
        func after(_ op: Op, _ past: (world: World, random: Random)) -> (world: World, random: Random) {
            var (world, random) = past
            run(op, in: &world, &random)
            return (world, random)
        }
        var start = World.twoApps(offersState: true)
        start.look(World.film)
        start.wait(13)
        for first in Op.allCases {
            let one = after(first, (start, Random(state: 7)))
            for second in Op.allCases {
                let two = after(second, one)
                for third in Op.allCases {
                    let world = after(third, two).world
                    let broken = world.life.violations()
                    if !broken.isEmpty {
                        Issue.record("\(first), \(second), \(third): \(broken)")
                        return
                    }
                    checkPairs(world, "\(first), \(second), \(third)")
                }
            }
        }
    }

    /// Freeze and thaw take turns for each app, and so do silence and sound.
    private func checkPairs(_ world: World, _ what: String) {
        var still: Set<AppProcess> = []
        for effect in world.effects {
            switch effect {
            case .freeze(let id):
                if !still.insert(id).inserted { Issue.record("\(what): \(id) is frozen twice") }
            case .thaw(let id):
                if still.remove(id) == nil { Issue.record("\(what): \(id) is thawed and was not frozen") }
            case .kill(let id): still.remove(id)
            default: break
            }
        }
    }
}
