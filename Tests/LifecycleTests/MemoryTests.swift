import Geometry
import Testing
import Windows

@testable import Lifecycle

@Suite("What is done when memory is short")
struct MemoryTests {
    private static let third = AppProcess(300), fourth = AppProcess(400), more = StateID(2)

    private func kills(_ world: World) -> [AppProcess] {
        world.effects.compactMap { if case .kill(let app) = $0 { app } else { nil } }
    }

    private func answer(_ world: inout World, _ state: StateID, _ event: (StateID, SaveToken) -> LifecycleEvent) throws {
        let token = world.effects.reversed().lazy.compactMap { if case .saveState(state, let token) = $0 { token } else { nil } }.first
        world.handle(event(state, try #require(token)))
    }

    private func watch(_ world: World) -> [Bool] {
        world.kernel.compactMap { if case .watchMemory(let isWanted) = $0 { isWanted } else { nil } }
    }

    /// An app with state, one that does not answer for it, and one without, each in sight for a while, in this order; the
    /// player is in front.
    private func threeInTheBackground() -> World {
        var world = World.twoApps(offersState: true)
        world.change { $0.windowCame(WindowID(3), of: Self.third, name: "third", &$1) }
        world.change { $0.windowCame(WindowID(4), of: Self.fourth, name: "fourth", &$1) }
        world.handle(.stateOffered(Self.more, Self.third))
        for window in [3, 4] as [UInt32] { world.look(WindowID(window)) }
        world.look(World.page)
        world.look(World.film)
        world.wait(9.99)
        return world
    }

    @Test("S-04: who lost nothing is ended first, then who begins anew, and last who did not answer for its state")
    func ranks() throws {
        var world = threeInTheBackground()
        world.wait(0.1)
        try answer(&world, World.text) { .stateSaved($0, $1) }
        world.wait(5)
        #expect([World.editor, Self.third, Self.fourth].allSatisfy { world.life.phase($0) == .frozen })
        // Used last, and saved.
        for _ in 0..<4 { world.handle(.memoryPressure(.critical)) }
        #expect(kills(world) == [World.editor, Self.fourth, Self.third])
        #expect(world.life.violations().isEmpty)
    }

    @Test("S-04: an answer to the first request does not stand for the second; state that could not be stored is not saved")
    func stale() throws {
        for isLost in [false, true] {
            var world = threeInTheBackground()
            // Asked as it went out of sight.
            try answer(&world, World.text) { .stateSaved($0, $1) }
            #expect(world.life.loss(of: World.editor) == .nothing)
            // Asked again before the freeze.
            world.wait(0.1)
            if isLost { try answer(&world, World.text) { .stateLost($0, $1) } }
            world.wait(5)
            #expect(world.life.phase(World.editor) == .frozen && world.life.loss(of: World.editor) == .unsaved)
        }
    }

    @Test("S-04: what is saved counts until the app is in sight again, or says that something changed")
    func renewed() throws {
        var world = threeInTheBackground()
        try answer(&world, World.text) { .stateSaved($0, $1) }
        world.handle(.stateChanged(World.text))
        #expect(world.life.loss(of: World.editor) == .unsaved)
        world.wait(0.1)
        try answer(&world, World.text) { .stateMissing($0, $1) }
        #expect(world.life.loss(of: World.editor) == .nothing, "with nothing to keep, nothing is lost")
        world.look(World.page)
        #expect(world.life.loss(of: World.editor) == .unsaved)
    }

    @Test("S-08: memory pressure is looked at only while an app is frozen")
    func watched() {
        var world = World.twoApps()
        world.look(World.film)
        #expect(watch(world).isEmpty)
        world.handle(.memoryWaited(some: 0, full: 0))
        world.wait(20)
        #expect(watch(world) == [true])
        world.look(World.page)
        #expect(watch(world) == [true, false])
        world.wait(20)
        world.change { $0.windowWent(World.film, &$1) }
        #expect(watch(world) == [true, false, true, false])
    }

    /// Pairs of totals, 2 seconds apart, and what is thought of them.
    @Test(
        "S-08: the share of the time that programs wait counts, not its sum",
        arguments: [
            ([(900_000_000, 900_000_000)], 0, 0),
            ([(0, 0), (250_000, 150_000)], 0, 0),
            ([(0, 0), (350_000, 150_000)], 1, 0),
            ([(0, 0), (350_000, 250_000)], 1, 1),
            ([(0, 0), (1_000_000, 900_000), (1_100_000, 900_000)], 1, 1),
            // The counters of another machine, or of no sense.
            ([(9_000_000, 9_000_000), (0, 0), (100_000, 0)], 0, 0),
        ] as [([(UInt64, UInt64)], Int, Int)])
    func shares(_ totals: [(some: UInt64, full: UInt64)], _ warned: Int, _ ended: Int) {
        var world = World.twoApps()
        world.change { $0.windowCame(WindowID(3), of: Self.third, name: "third", &$1) }
        world.change { $0.configure($0.rules, LifecyclePreferences(kept: ["third"]), &$1) }
        world.look(World.film)
        world.wait(20)
        world.effects = []
        for total in totals {
            world.handle(.memoryWaited(some: total.some, full: total.full))
            // Twice within a moment says nothing new.
            world.handle(.memoryWaited(some: total.some + 100_000, full: total.full + 100_000))
            world.wait(2)
        }
        #expect(world.effects.count { $0 == .memoryLow(Self.third) } == warned)
        #expect(kills(world).count == ended)
        #expect(world.life.phase(Self.third) == .background)
    }

    @Test(
        "S-08: the shell is ended last, whoever started it and with what score",
        arguments: [-1000, -500, 0, 100, 200, 700, 1000] as [Int32])
    func scores(_ own: Int32) {
        let scores = [.inSight, .background, .frozen].map { (standing: LifecycleEffect.Standing) in standing.oomScore(shell: own) }
        #expect(scores == scores.sorted() && scores.allSatisfy { (-1000...1000).contains($0) })
        #expect(scores.allSatisfy { $0 > own || own == 1000 })
    }

    @Test("S-05, V-04: whether apps out of sight are paused is data of each idiom, and not derived from another")
    func idioms() {
        #expect(Idiom.pad.life.freezesHidden && Idiom.watch.life.freezesHidden && !Idiom.mac.life.freezesHidden)
        var idiom = Idiom.mac
        idiom.life.freezesHidden = true
        #expect(idiom.life.freezesHidden && idiom.arrangement == .free)
        var world = World()
        world.change { $0.configure(Idiom.mac.life, LifecyclePreferences(), &$1) }
        world.change { $0.windowCame(World.page, of: World.editor, name: "editor", &$1) }
        world.look()
        world.wait(60)
        #expect(world.life.phase(World.editor) == .background)
    }
}
