import Foundation
import Geometry
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

/// A named seed repeats one run.
private let seeds: [UInt64] = (0..<(TestSeed.named != nil ? 1 : TestSeed.isSlow ? 10 : 3)).map { TestSeed.first &+ $0 }

@Suite("Generated: whatever happens, the rules hold")
struct GeneratedTests {
    @Test("random ops", arguments: seeds)
    func random(seed: UInt64) {
        print("random ops: MULLION_SEED=\(seed)")
        let failure = CoreRun.random(seed: seed, count: TestSeed.isSlow ? 200_000 : 2000)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test("S-05, law 4: random ops in every idiom, and switches between them", arguments: seeds)
    func switching(seed: UInt64) {
        print("random switches: MULLION_SEED=\(seed)")
        let failure = CoreRun.random(seed: seed, count: TestSeed.isSlow ? 200_000 : 2000, switching: true)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test("the shell asks for a frame whenever one would look different, in every idiom")
    func frames() {
        let failure = CoreRun.random(seed: seeds[0], count: TestSeed.isSlow ? 50_000 : 700, switching: true, looksAtFrames: true)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    /// Found by random ops: the dock below the menu was still a control that a screen reader spoke.
    @Test("P-01: a menu of a card of Slide Over covers the dock of the home screen")
    func menuOverDock() {
        #expect(
            CoreRun.problems(of: [
                .apps(6), .create(3, parent: 2, app: 4), .create(4, parent: 3, app: 4), .map(3), .screen(Size(820, 1180), scale: 2),
                .create(5, parent: nil, app: 7), .answerAll, .rename(5, parent: 3, app: 1), .map(5),
                .popups(5, Rect(-20, 40, 200, 300), grab: false), .reserved(Insets(32, 0, 0, 0)), .map(4),
                .ask(5, .activate(byPerson: true)), .action(.slideOver(window: WindowID(4))),
            ]) == [])
    }

    /// Found by random ops: another card moved the one with the focus beyond the edge.
    @Test("P-03: the row of the switcher follows the focus when windows come and go") func switcherFollows() {
        #expect(
            CoreRun.problems(of: [
                .create(1, parent: 3, app: 7), .create(2, parent: 1, app: 5), .rename(2, parent: nil, app: 2), .action(.idiom("tv")),
                .map(1), .create(5, parent: nil, app: 6), .map(2), .drag(0, .edge(.bottom), to: .share(0.659, 0.664), 600),
                .activation(2, recent: true, launch: 3), .drag(1, .control(1), to: .control(7), 600), .action(.home),
                .action(.appSwitcher), .map(5), .wait(301), .button(272, pressed: true), .activation(5, recent: true, launch: nil),
                .action(.slideOverPrevious),
            ]) == [])
    }

    /// Found by random ops: its window stayed behind others.
    @Test("V-02: the active window is in front, also when it, or what it stands on, becomes a dialog or is none any more")
    func dialogs() {
        #expect(
            CoreRun.problems(of: [
                .create(1, parent: 3, app: 4), .create(2, parent: 1, app: 0), .create(3, parent: nil, app: 3), .mapTogether([3, 1, 2]),
                .activation(3, recent: true, launch: nil), .action(.idiom("vision")), .rename(1, parent: 2, app: 3),
            ]) == [])
        #expect(
            CoreRun.problems(of: [
                .create(1, parent: 3, app: 4), .create(3, parent: nil, app: 3), .mapTogether([3, 1, 2]),
                .activation(3, recent: true, launch: nil),
                .action(.idiom("vision")), .rename(1, parent: 2, app: 3),
            ]) == [])
        #expect(
            CoreRun.problems(of: [
                .create(3, parent: nil, app: 7), .map(3), .create(5, parent: nil, app: 6), .action(.idiom("vision")),
                .activation(3, recent: true, launch: nil),
                .action(.idiom("watch")), .mapTogether([2, 5, 5]), .rename(5, parent: 3, app: 7), .rename(5, parent: nil, app: 5),
                .action(.idiom("vision")),
            ]) == [])
    }

    /// Found by random ops: the next banner was due while the app switcher stood before it, and nothing settled.
    @Test("W-19: a banner's timer follows a finger on it, and a window that goes behind another view")
    func bannerTimer() {
        #expect(
            CoreRun.problems(of: [
                .create(2, parent: nil, app: 5), .mapTogether([1, 1, 2]), .action(.appSwitcher), .wait(2000), .action(.idiom("phone")),
                .down(1, .control(19)), .create(7, parent: 2, app: 5),
            ]) == [])
        #expect(
            CoreRun.problems(of: [
                .create(4, parent: nil, app: 2), .create(5, parent: nil, app: 4), .action(.appSwitcher), .mapTogether([4, 5, 1]),
                .action(.appExpose(app: "editor")), .destroy(5),
            ]) == [])
    }

    /// Found by random ops: a finger caught the card on its way to the row.
    @Test("X-02: the keyboard does not stay at the header of a card that a finger catches in flight")
    func focusOnCaughtCard() {
        #expect(
            CoreRun.problems(of: [
                .create(3, parent: nil, app: 2),
                .action(.appSwitcher),
                .mapTogether([1, 1, 3]),
                .activation(3, recent: true, launch: nil),
                .key("Shift+Tab", pressed: true),
                .drag(2, .share(0.644, 0.304), to: .edge(.bottom), 600),
            ]) == [])
    }

    /// Found by random ops: a swipe from the bottom edge closed the shelf, and the finger rested.
    @Test("X-02: the keyboard does not stay in a shelf that a swipe closes")
    func focusInSwipedShelf() {
        #expect(
            CoreRun.problems(of: [
                .action(.appSwitcher),
                .create(4, parent: 3, app: 3),
                .rename(4, parent: nil, app: 0),
                .map(4),
                .wait(11000),
                .action(.appShelf(app: "editor")),
                .key("Tab", pressed: true),
                .drag(2, .edge(.bottom), to: .share(0.881, 0.191), 600),
            ]) == [])
    }

    /// Found by random ops: the button went down on a window's dots, a finger on the shelf's, and the pointer moved on.
    @Test("law 4: a pointer's drag leaves alone what a finger holds")
    func pointerBesideFinger() {
        #expect(
            CoreRun.problems(of: [
                .create(2, parent: nil, app: 2),
                .create(4, parent: nil, app: 6),
                .activation(4, recent: true, launch: nil),
                .activation(2, recent: true, launch: nil),
                .map(4),
                .point(.picture),
                .button(272, pressed: true),
                .map(2),
                .action(.appShelf(app: "mpv")),
                .down(1, .control(4)),
                .point(.grip(1)),
            ]) == [])
    }

    /// Found by random ops: a hidden window with an open menu was frozen when its own sheet came.
    @Test("law 7: a sheet comes to a window that is frozen with an open menu")
    func sheetOnFrozenWindow() {
        #expect(
            CoreRun.problems(of: [
                .create(3, parent: 1, app: 1),
                .map(3),
                .create(7, parent: 3, app: 0),
                .popups(3, Rect(-20, 40, 200, 300), grab: true),
                .wait(11_000),
                .map(7),
            ]) == [])
    }

    /// Found by random ops: the menu of a Picture in Picture at the side was asked to close by a touch elsewhere.
    @Test("law 7: a touch beside the open menu of a frozen window")
    func touchBesideFrozenMenu() {
        #expect(
            CoreRun.problems(of: [
                .create(2, parent: nil, app: 4),
                .map(2),
                .create(3, parent: 2, app: 7),
                .map(3),
                .action(.pictureInPicture(window: WindowID(3))),
                .popups(3, Rect(-20, 40, 200, 300), grab: true),
                .action(.pipToggle),
                .wait(11_000),
                .down(2, .edge(.bottom)),
            ]) == [])
    }

    /// Found by random ops: a dialog that was being closed was moved beside the window that it came from.
    @Test("M-03: a sheet that is being dismissed becomes a window of its own")
    func dismissedSheetMoves() {
        #expect(
            CoreRun.problems(of: [
                .reserved(Insets(0, 0, 300, 0)),
                .create(3, parent: nil, app: 5),
                .action(.openApp(app: "org.example.Browser", to: .splitView(.right))),
                .activation(3, recent: true, launch: nil),
                .create(4, parent: nil, app: 1),
                .map(4),
                .map(3),
                .action(.close(window: nil)),
                .action(.splitView(window: WindowID(3), side: .bottom)),
            ]) == [])
    }

    /// Found by random ops: a finger held an app of the home screen when its window came.
    @Test("law 4: the home screen goes away under a finger")
    func homeGoesUnderFinger() {
        #expect(
            CoreRun.problems(of: [
                .create(2, parent: nil, app: 5),
                .down(0, .view("home/", 2)),
                .activation(2, recent: true, launch: 0),
                .map(2),
                .move(0, .control(38)),
                .create(4, parent: nil, app: 3),
            ]) == [])
    }

    /// Found by random ops: a restored window was closed before its program was back.
    @Test("law 4: a placeholder is closed under a finger")
    func placeholderClosedUnderFinger() {
        #expect(
            CoreRun.problems(of: [
                .create(3, parent: nil, app: 1),
                .map(3),
                .restart,
                .action(.openApp(app: "org.example.Browser", to: nil)),
                .down(0, .share(0.45, 0.861)),
                .action(.close(window: nil)),
            ]) == [])
    }

    /// Found by random ops: the window was not raised any more, and had no place either.
    @Test("W-17: a prominent window that nothing can stand beside stays raised when a person asks for Split View")
    func prominentWithoutPartner() {
        #expect(
            CoreRun.problems(of: [
                .create(1, parent: nil, app: 2),
                .map(1),
                .create(3, parent: nil, app: 2),
                .action(.slideOver(window: WindowID(1))),
                // A person acts in the window, so what it opens is raised over it.
                .key(KeyChord("Tab"), pressed: true),
                .map(3),
                .action(.splitView(side: .right)),
            ]) == [])
    }

    /// Found by random ops: a scaled dialog pushed Picture in Picture to a place between two points.
    @Test("W-11: Picture in Picture beside a scaled dialog stays on whole points")
    func pipBesideScaledDialog() {
        #expect(
            CoreRun.problems(of: [
                .create(2, parent: nil, app: 3),
                .create(3, parent: 1, app: 1),
                .map(2),
                .activation(2, recent: true, launch: 1),
                .create(4, parent: nil, app: 7),
                .map(3),
                .map(4),
                .action(.pictureInPicture(window: nil)),
                .answer(2),
                .action(.slideOver(window: WindowID(3))),
                .rename(4, parent: 3, app: 3),
            ]) == [])
    }

    /// Found by random ops: panels leave a window no room, and its person goes home before it answered.
    @Test("nobody is waited for who is out of sight")
    func waitingAtHome() {
        #expect(
            CoreRun.problems(of: [
                .create(3, parent: nil, app: 5),
                .activation(3, recent: true, launch: 3),
                .action(.reducedMotion(true)),
                .map(3),
                .reserved(Insets(600, 500, 600, 700)),
                .action(.home),
                .create(7, parent: nil, app: 5),
            ]) == [])
    }

    /// Found by random ops: Tab put the keyboard on an app of the page that a finger then swiped away.
    @Test("X-02: the keyboard leaves a page of the home screen that is swiped away")
    func keyboardOnSwipedPage() {
        #expect(
            CoreRun.problems(of: [
                .key(KeyChord(modifiers: [], symbol: .downArrow), pressed: true),
                .key(KeyChord(modifiers: [], symbol: .tab), pressed: true),
                .drag(0, .share(0.972, 0.591), to: .edge(.left), 600),
            ]) == [])
    }

    @Test("P-01: a card whose upper part is below a picture takes no finger")
    func cardBelowAPicture() {
        var world = CoreSmallWorld.television()
        for op in [.action(.home), .action(.appSwitcher)] as [CoreOp] { op.apply(to: &world) }
        #expect(world.problems == [])
    }

    /// A rule broken on purpose is found, and its list of ops is short.
    @Test("a wrong list of ops is shrunk to what matters")
    func shrinks() {
        var generator = CoreGenerator(seed: 7)
        let noise = (0..<60).map { _ in generator.next() }
        let ops = CoreRun.shrink(noise + [.wait(0.5), .scroll] + noise) { $0.contains(.wait(0.5)) && $0.contains(.scroll) ? ["wrong"] : [] }
        #expect(ops.count == 2 && Set(ops) == [.wait(0.5), .scroll])
    }

    /// A small part of all pairs, another one each time; `make test-slow` runs all of them.
    @Test("every pair of ops in a small world", arguments: 0..<CoreSmallWorld.count)
    func pairs(world: Int) {
        let start = CoreSmallWorld.start(world)
        #expect(start.problems == [])
        let part = TestSeed.isSlow ? nil : (number: Int(TestSeed.first % 70), of: 70)
        let failure = CoreRun.exhaustive(from: start, first: CoreSmallWorld.ops[...], depth: 2, part: part)
        #expect(failure == nil, "part \(part?.number ?? 0): \(failure?.description ?? "")")
    }

    @Test("every sequence of three ops in a small world", .enabled(if: TestSeed.isSlow), arguments: 0..<CoreSmallWorld.count, 0..<8)
    func triples(world: Int, part: Int) {
        let start = CoreSmallWorld.start(world)
        let ops = CoreSmallWorld.ops, size = (ops.count + 7) / 8
        let first = ops[min(ops.count, part * size)..<min(ops.count, (part + 1) * size)]
        let failure = CoreRun.exhaustive(from: start, first: first, depth: 3)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test("X-07: the whole state at any moment survives being written and read")
    func stateSurvivesJSON() throws {
        for seed in 1...12 as ClosedRange<UInt64> {
            var generator = CoreGenerator(seed: seed)
            var world = CoreRun.world()
            for index in 0..<60 {
                generator.next().apply(to: &world)
                guard index % 10 == 9 else { continue }
                let again = try JSONDecoder().decode(System.self, from: JSONEncoder().encode(world.system))
                #expect(again == world.system)
                #expect(try Digest(of: again) == Digest(of: world.system))
            }
        }
    }

    @Test("law 4, W-20: a placeholder that is closed under a finger takes the touch with it")
    func closedPlaceholder() {
        #expect(
            CoreRun.problems(of: [
                .create(2, parent: nil, app: 5), .create(3, parent: 2, app: 7), .mapTogether([2, 3, 2]),
                .action(.fullScreen(window: WindowID(3))), .destroy(3), .restart, .down(2, .share(0.889, 0.085)),
                .action(.closeSpace(SpaceID(2))),
            ]) == [])
    }

    @Test("X-07: events survive being written and read, and replay to the same state")
    func eventsSurviveJSON() throws {
        var generator = CoreGenerator(seed: 3)
        var world = CoreRun.world()
        for _ in 0..<150 { generator.next().apply(to: &world) }
        let events = world.history.map(\.event)
        let again = try JSONDecoder().decode([Event].self, from: JSONEncoder().encode(events))
        #expect(again == events)
        var system = System(idiom: .pad)
        for (event, happening) in zip(again, world.history) { _ = system.handle(event, at: happening.when) }
        #expect(system == world.system)
        #expect(try JSONDecoder().decode([Effect].self, from: JSONEncoder().encode(world.effects)) == world.effects)
    }
}
