import Geometry
import Multitasking
import Windows

/// Measures how many events per second the core handles alone: no drawing, no clients, no sockets.
///
/// Eight windows are open: two side by side, two in Slide Over, one in Picture in Picture, three in other spaces.
public enum CoreBench {
    public struct Result: Sendable {
        public var name: String
        public var eventsPerSecond: Double
    }

    /// Runs the streams one after another, `seconds` each. "mixed" is the figure of interest. `only`: the name of a
    /// single stream.
    public static func run(seconds: Double = 0.5, only: String? = nil) -> [Result] {
        streams.filter { only == nil || $0.0 == only }.map { name, round in
            var bench = Bench()
            let clock = ContinuousClock()
            for _ in 0..<20 { round(&bench) }
            bench.count = 0
            let start = clock.now
            let end = start + .seconds(seconds)
            var now = start
            while now < end {
                for _ in 0..<10 { round(&bench) }
                now = clock.now
            }
            let took = start.duration(to: now)
            let spent = Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18
            return Result(name: name, eventsPerSecond: Double(bench.count) / spent)
        }
    }

    private static let streams: [(String, @Sendable (inout Bench) -> Void)] = [
        ("mixed", { $0.mixed() }),
        ("pointer motion", { $0.pointer(240) }),
        ("touch scrolling", { $0.scroll(240) }),
        ("keys", { $0.keys(60) }),
        ("commits", { $0.commits(480) }),
        ("divider drag with answers", { $0.divider(60) }),
        ("Slide Over drag", { $0.card(60) }),
        ("Picture in Picture drag", { $0.picture(60) }),
        ("layout changes", { $0.layout() }),
    ]

    /// The core with clients that answer at once. Counts events.
    private struct Bench {
        var system = System(idiom: .pad)
        var now = Moment.milliseconds(1000)
        var count = 0
        var owed: [(WindowID, Configure)] = []
        let windows = (1...8 as ClosedRange<UInt32>).map { WindowID($0) }

        init() {
            send(.screenChanged(Screen(size: Size(1180, 820))))
            for id in windows {
                send(.windowCreated(id, WindowFacts(appID: "app", title: "Window", lineage: [Int32(id.raw), 1], client: UInt64(id.raw))))
                send(.activationAsked(id, hasRecentSerial: true, launch: nil))
                send(.windowMapped(id, WindowCommit(size: Size(1180, 820))))
            }
            send(.action(.slideOver(window: WindowID(3))))
            send(.action(.slideOver(window: WindowID(4))))
            send(.action(.pictureInPicture(window: WindowID(5))))
            send(.action(.focus(window: WindowID(1))))
            send(.action(.splitView(window: WindowID(2), side: .right)))
            rest()
        }

        mutating func send(_ event: Event) {
            count += 1
            for effect in system.handle(event, at: now) {
                if case .client(.configure(let id, let configure)) = effect { owed.append((id, configure)) }
            }
            while !owed.isEmpty {
                let (id, configure) = owed.removeFirst()
                let size = configure.chooses ? Size(320, 240) : configure.frame.size
                count += 1
                for effect in system.handle(.windowCommitted(id, WindowCommit(size: size, answered: configure.sequence)), at: now) {
                    if case .client(.configure(let id, let configure)) = effect { owed.append((id, configure)) }
                }
            }
        }

        /// Advances the time.
        mutating func tick(_ milliseconds: Double = 1) { now = now + milliseconds / 1000 }

        mutating func rest() {
            tick(4000)
            send(.x11MenusWantKeys(false))
        }

        mutating func pointer(_ steps: Int) {
            for step in 0..<steps {
                tick()
                send(.pointerMotion(at: Point(20 + Double(step % 200) * 4, 300 + Double(step % 7))))
                send(.pointerFrame)
            }
        }

        mutating func scroll(_ steps: Int) {
            send(.touchDown(0, at: Point(200, 700)))
            for step in 0..<steps {
                tick(4)
                send(.touchMotion(0, at: Point(200, 700 - Double(step) * 2)))
                send(.touchFrame)
            }
            send(.touchUp(0))
        }

        mutating func keys(_ steps: Int) {
            for step in 0..<steps {
                tick(10)
                let code = UInt32(30 + step % 10)
                send(.key(code: code, symbol: KeySymbol(rawValue: 0x61 + code), pressed: true, modifiers: []))
                send(.key(code: code, symbol: KeySymbol(rawValue: 0x61 + code), pressed: false, modifiers: []))
            }
        }

        /// Client commits that change nothing but the picture.
        mutating func commits(_ steps: Int) {
            // Asked for once: to read a window of the whole state costs more than to handle its commit.
            let workspace = system.workspace
            let commits = windows.compactMap { id in workspace[id].map { (id, $0.commit) } }
            for step in 0..<steps {
                tick(1)
                let (id, commit) = commits[step % commits.count]
                send(.windowCommitted(id, commit))
            }
        }

        private mutating func drag(from start: Point, by step: Vector, _ steps: Int) {
            send(.touchDown(0, at: start))
            for index in 1...steps {
                tick(8)
                send(.touchMotion(0, at: start + step * Double(index)))
                send(.touchFrame)
            }
            tick(150)
            send(.touchUp(0))
            rest()
        }

        mutating func divider(_ steps: Int) {
            guard let bar = system.stage.dividerBar(system.workspace, at: now) else { return }
            let toLeft = bar.center.x > 500
            drag(from: bar.center, by: Vector((toLeft ? -180.0 : 180) / Double(steps), 0), steps)
        }

        mutating func card(_ steps: Int) {
            guard let front = system.workspace.slideOver.front, let frame = system.shownFrame(of: front, at: now) else { return }
            let isRight = frame.center.x > 590
            drag(from: Point(frame.center.x, frame.minY - 12), by: Vector((isRight ? -700.0 : 700) / Double(steps), 0), steps)
        }

        mutating func picture(_ steps: Int) {
            guard let pip = system.workspace.pip, let frame = system.shownFrame(of: pip.window, at: now) else { return }
            let isLow = frame.center.y > 410
            drag(from: frame.center, by: Vector(0, (isLow ? -400.0 : 400) / Double(steps)), steps)
        }

        mutating func layout() {
            for action in [
                Action.swapSides, .slideOverNext, .slideOverToggle, .slideOverToggle, .pipCorner(.topLeft), .pipCorner(.bottomRight),
            ] {
                tick(50)
                send(.action(action))
            }
        }

        /// Ten seconds of use: mostly pointing and scrolling while apps draw, with an occasional gesture of the
        /// shell.
        mutating func mixed() {
            for _ in 0..<5 {
                pointer(400)
                scroll(240)
                commits(960)
                keys(40)
            }
            divider(60)
            card(40)
            picture(40)
        }
    }
}
