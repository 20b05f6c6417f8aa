import AudioSessions
import Geometry
import Interface
import Modality
import MullionTesting
import Multitasking
import Notices
import Stage
import Testing
import Windows

/// Where an idiom does not offer opening apps, no window of another program comes in sight, whatever asks for it (law 12).
@Suite("An idiom that keeps to its app") struct ConfinementTests {
    private let one = WindowID(1), other = WindowID(9)

    /// The app runs as process 100, started by the shell's start.
    private func world(_ idiom: Idiom = .kiosk, policy: Admission.Policy = .asked) -> CoreWorld {
        var world = CoreWorld(idiom: idiom, preferences: Preferences(newWindows: policy))
        CoreOp.apps(6).apply(to: &world)
        world.send(.beginsWith(["kiosk-page"]))
        world.send(.launched(LaunchID(1), process: 100))
        world.create(1, WindowFacts(appID: "page", title: "Page", lineage: [100, 1], client: 1))
        world.map(1)
        world.rest()
        return world
    }

    /// A mail program that the app started for a link: its process comes from the app's.
    private let mailer = WindowFacts(appID: "mailer", title: "New Mail", lineage: [300, 100, 1], client: 30)

    private static let idioms: [Idiom] = [
        .kiosk, without(.opening, .pad), without(.opening, .mac), without(.opening, .tv), without([.opening, .switching], .phone),
        without([.opening, .home], .car),
        without([.opening, .switching], .vision), without(.opening, .watch),
    ]

    private static func without(_ offers: Offers, _ idiom: Idiom) -> Idiom {
        var idiom = idiom
        idiom.name = "own"
        idiom.offers.subtract(offers)
        return idiom
    }

    private enum Way: CaseIterable {
        case token, tokenLater, tokenOfTheLaunch, inputGrace, bus, busLater, policy, taskbar, actions, itself, dialogOfItsOwn
    }

    @Test(
        "a program that the app starts and that shows its window first is not the app, and the launch stays the app's", arguments: idioms,
        [true, false])
    func childFirst(idiom: Idiom, hasToken: Bool) {
        var world = CoreWorld(idiom: idiom)
        CoreOp.apps(6).apply(to: &world)
        world.send(.beginsWith(["kiosk-page"]))
        world.send(.launched(LaunchID(1), process: 100))
        world.create(1, WindowFacts(appID: "page", title: "Page", lineage: [100, 1], client: 1))
        world.create(9, mailer)
        // The app gave its own token on.
        if hasToken { world.send(.activationAsked(other, hasRecentSerial: false, launch: LaunchID(1))) }
        world.map(9)
        world.wait(300)
        #expect(!world.workspace.isShown(other) && world.workspace.keptOut == [other])
        world.map(1)
        world.rest()
        #expect(world.workspace.isShown(one) && world.workspace.focus == one && world.workspace.keptOut == [other])
        #expect(world.finish() == [])
    }

    @Test(
        "whatever token, service, taskbar, script or program asks for it, a window of another program stays out of sight", arguments: idioms
    )
    func ways(idiom: Idiom) {
        for way in Way.allCases {
            var world = world(idiom, policy: way == .policy ? .always : .asked)
            world.tap(at: Point(400, 400))
            world.create(9, mailer)
            switch way {
            case .token: world.send(.activationAsked(other, hasRecentSerial: true, launch: nil))
            case .tokenOfTheLaunch: world.send(.activationAsked(other, hasRecentSerial: false, launch: LaunchID(1)))
            case .bus: world.send(.showAsked(of: 300, by: [100]))
            case .dialogOfItsOwn:
                world.rename(
                    other,
                    {
                        var facts = mailer
                        facts.isModal = true
                        return facts
                    }())
            default: break
            }
            if way == .itself || way == .policy { world.wait(20_000) }
            world.map(9)
            switch way {
            case .tokenLater:
                world.send(.activationAsked(other, hasRecentSerial: true, launch: nil))
                world.send(.tokenShownAgain(other, launch: LaunchID(1), usedFor: one))
            case .busLater: world.send(.showAsked(of: 300, by: [100]))
            case .taskbar: world.send(.windowAsked(other, .activate(byPerson: true)))
            case .actions:
                let acts: [Action] = [
                    .focus(window: other), .fullScreen(window: other), .openWaiting(window: other), .openWaiting(),
                    .splitView(window: other, side: .left),
                    .slideOver(window: other), .pictureInPicture(window: other), .openApp(app: "mailer"), .nextSpace,
                    .tile(window: other, to: .left),
                    .putInSpace(window: other, nil), .moveToSpace(window: other, 1),
                ]
                for act in acts { world.act(act) }
            default: break
            }
            world.rest()
            #expect(!world.workspace.isShown(other) && world.frame(other) == nil, "\(idiom.name), \(way)")
            #expect(world.workspace.focus == one || world.workspace.isHome, "\(idiom.name), \(way)")
            #expect(world.clients[other]!.configures.allSatisfy { !$0.activated }, "\(idiom.name), \(way)")
            // The app goes: nothing else takes its place.
            world.destroy(one)
            world.wait(1000)
            #expect(!world.workspace.isShown(other), "\(idiom.name), \(way), after the app")
            #expect(world.problems == [], "\(idiom.name), \(way)")
        }
    }

    @Test("where apps can be opened but not switched, a window comes in front only by a launch of the person")
    func openingAlone() {
        let idiom = Self.without(.switching, .phone)
        var world = world(idiom)
        world.tap(at: Point(200, 400))
        world.create(9, mailer)
        world.send(.activationAsked(other, hasRecentSerial: true, launch: nil))
        world.map(9)
        #expect(world.place(other) == .waiting && world.workspace.focus == one)
        let effects = world.act(.launch(command: ["clock"]))
        guard case .program(.launch(let launch, _, _))? = effects.first else { return #expect(Bool(false), "nothing was launched") }
        world.send(.launched(launch, process: 400))
        world.create(8, WindowFacts(appID: "clock", title: "Clock", lineage: [400, 1], client: 8))
        world.map(8)
        #expect(world.workspace.focus == WindowID(8) && world.finish() == [])
    }

    @Test(
        "a file chooser of a portal stands on the app; what else its program opens stays out of sight, and so does the chooser once the app is gone"
    )
    func guests() {
        var world = world()
        world.create(2, WindowFacts(appID: "portal", title: "Open File", lineage: [500, 1], client: 50, parent: one, isModal: true))
        world.map(2)
        world.rest()
        #expect(world.place(WindowID(2)) == .dialog(of: one) && world.workspace.focus == WindowID(2))
        world.create(
            3, WindowFacts(appID: "portal", title: "New Folder", lineage: [500, 1], client: 50, parent: WindowID(2), isModal: true))
        world.map(3)
        #expect(world.workspace.isShown(WindowID(3)))
        world.tap(at: Point(400, 400))
        world.create(4, WindowFacts(appID: "files", title: "Files", lineage: [600, 1], client: 60))
        world.send(.activationAsked(WindowID(4), hasRecentSerial: true, launch: nil))
        world.map(4)
        world.create(5, WindowFacts(appID: "portal", title: "Open With", lineage: [500, 1], client: 50))
        world.map(5)
        // Not modal, or of X11: not asked by the app.
        world.create(6, WindowFacts(appID: "stray", title: "Stray", lineage: [700, 1], client: 70, parent: one, isModal: false))
        world.map(6)
        world.create(
            7, WindowFacts(appID: "stray", title: "Stray", lineage: [700, 1], client: 71, parent: one, isX11: true, isModal: true))
        world.map(7)
        for raw in 4...7 as ClosedRange<UInt32> { #expect(!world.workspace.isShown(WindowID(raw)), "\(raw)") }
        world.destroy(one)
        for raw in 2...7 as ClosedRange<UInt32> { #expect(!world.workspace.isShown(WindowID(raw)), "\(raw) after the app") }
        #expect(world.problems == [])
    }

    @Test("a chooser that names its parent only after it is there becomes a dialog of the app")
    func lateParent() {
        var world = world()
        var facts = WindowFacts(appID: "portal", title: "Open File", lineage: [500, 1], client: 50)
        world.create(2, facts)
        world.map(2)
        #expect(!world.workspace.isShown(WindowID(2)))
        (facts.parent, facts.isModal) = (one, true)
        world.rename(WindowID(2), facts)
        #expect(world.place(WindowID(2)) == .dialog(of: one) && world.workspace.focus == WindowID(2))
        facts.parent = nil
        world.rename(WindowID(2), facts)
        #expect(!world.workspace.isShown(WindowID(2)) && world.workspace.focus == one && world.finish() == [])
    }

    @Test("a further window of the app stands on it with a bar that closes it, whatever its client draws", arguments: [false, true])
    func popup(isBare: Bool) {
        var world = world()
        world.wait(30_000)
        world.create(2, WindowFacts(appID: "page", title: "Popup", lineage: [100, 1], client: 1, isBare: isBare))
        world.map(2)
        world.rest()
        let popup = WindowID(2)
        #expect(world.place(popup) == .dialog(of: one) && world.workspace.focus == popup && world.workspace.isShown(one))
        #expect(world.workspace.bar(of: popup) > 0 && world.workspace.bar(of: one) == 0)
        let close = world.system.stage.barControls(of: popup, world.workspace, at: world.now).first { $0.control == .close }
        guard let close else { return #expect(Bool(false), "nothing closes it") }
        let before = world.effects.count
        world.tap(at: close.frame.center)
        world.wait(600)
        #expect(world.effects[before...].contains { if case .client(.close(popup)) = $0 { true } else { false } })
        world.destroy(popup)
        world.rest()
        #expect(world.workspace.focus == one && world.frame(one)?.size == world.workspace.screen?.size)
        // The app itself is not closed by the same command.
        #expect(world.act(.close()) == [.refuse(Refusal("the idiom kiosk does not offer closing"))])
        #expect(world.finish() == [])
    }

    @Test("its main window takes the place of its first one, such as a splash, when that goes")
    func splash() {
        var world = world()
        world.create(2, WindowFacts(appID: "page", title: "Main", lineage: [100, 1], client: 1))
        world.map(2)
        world.destroy(one)
        world.rest()
        #expect(world.workspace.focus == WindowID(2) && world.frame(WindowID(2))?.size == world.workspace.screen?.size)
        #expect(world.workspace.bar(of: WindowID(2)) == 0 && world.finish() == [])
    }

    @Test("what was open before is kept out while the idiom lasts, and stands where it was afterwards; what came meanwhile waits")
    func andBack() {
        var kiosk = Idiom.kiosk
        kiosk.offers = .idioms
        var world = CoreWorld()
        world.send(.idiomsKnown([.pad, kiosk]))
        world.send(.beginsWith(["kiosk-page"]))
        world.send(.launched(LaunchID(1), process: 100))
        world.create(1, WindowFacts(appID: "page", title: "Page", lineage: [100, 1], client: 1))
        world.map(1)
        for raw in 2...3 as ClosedRange<UInt32> { world.open(raw) }
        world.act(.splitView(window: WindowID(3), side: .right))
        world.rest()
        let before = world.workspace.spaces.map(\.content)
        world.act(.idiom("kiosk"))
        world.rest()
        #expect(
            world.workspace.shownRoots == [one] && world.workspace.focus == one
                && Set(world.workspace.keptOut) == [WindowID(2), WindowID(3)])
        world.create(9, mailer)
        world.map(9)
        world.act(.idiom("pad"))
        world.rest()
        #expect(world.workspace.idiom.name == "pad" && world.workspace.spaces.map(\.content) == before && world.workspace.keptOut == [])
        #expect(world.workspace.waiting == [other] && world.finish() == [])
    }

    @Test("without a command the app is what is in front")
    func unnamed() {
        var world = CoreWorld()
        world.send(.idiomsKnown([.pad, .kiosk]))
        for raw in 1...2 as ClosedRange<UInt32> { world.open(raw) }
        world.act(.idiom("kiosk"))
        world.rest()
        #expect(world.workspace.shownRoots == [WindowID(2)] && world.workspace.keptOut == [one])
        world.open(3)
        #expect(world.workspace.shownRoots == [WindowID(2)] && world.finish() == [])
    }

    @Test("the app is found behind a script, behind a service that its program told, and by its desktop entry")
    func found() {
        // A script starts a question and then the app.
        var world = CoreWorld(idiom: .kiosk)
        world.send(.beginsWith(["sh", "kiosk.sh"]))
        world.send(.launched(LaunchID(1), process: 90))
        world.create(1, WindowFacts(appID: "question", title: "Ready?", lineage: [91, 90, 1], client: 1))
        world.map(1)
        world.destroy(one)
        world.create(2, WindowFacts(appID: "page", title: "Page", lineage: [100, 90, 1], client: 2))
        world.map(2)
        world.rest()
        #expect(world.workspace.focus == WindowID(2))
        world.create(9, WindowFacts(appID: "mailer", title: "", lineage: [300, 100, 90, 1], client: 30))
        world.map(9)
        #expect(!world.workspace.isShown(other) && world.finish() == [])

        // The program tells a service, and ends.
        world = CoreWorld(idiom: .kiosk)
        world.send(.beginsWith(["gapplication", "launch", "org.page"]))
        world.send(.launched(LaunchID(1), process: 90))
        world.send(.launchEnded(LaunchID(1), status: 0))
        world.wait(1500)
        world.create(1, WindowFacts(appID: "org.page", title: "Page", lineage: [100, 1], client: 1))
        world.map(1)
        world.rest()
        #expect(world.workspace.focus == one)
        world.create(9, mailer)
        world.map(9)
        #expect(!world.workspace.isShown(other) && world.finish() == [])
    }

    /// Found by random windows.
    @Test("a window of another program that takes the place of the app's splash is not the app", arguments: [true, false])
    func placeOfSplash(isX11: Bool) {
        var kiosk = Idiom.kiosk
        kiosk.offers = .idioms
        var world = CoreWorld()
        world.send(.idiomsKnown([.pad, kiosk]))
        world.send(.beginsWith(["kiosk-page"]))
        world.send(.launched(LaunchID(1), process: 100))
        world.create(1, WindowFacts(appID: "page", title: "", lineage: [100, 1], client: 1, isX11: isX11))
        world.map(1)
        world.create(9, mailer)
        world.send(.activationAsked(other, hasRecentSerial: false, launch: LaunchID(1)))
        world.map(9)
        world.rest()
        world.act(.idiom("kiosk"))
        world.rest()
        #expect(!world.workspace.isShown(other) && world.workspace.isShown(one) && world.workspace.focus == one && world.finish() == [])
    }

    /// Found by random windows.
    @Test("a program to which the app gave its launch while other programs were shown is not the app afterwards")
    func launchGivenOn() {
        var kiosk = Idiom.kiosk
        kiosk.offers = .idioms
        var world = CoreWorld()
        world.send(.idiomsKnown([.pad, kiosk]))
        world.send(.beginsWith(["kiosk-page"]))
        world.send(.launched(LaunchID(1), process: 100))
        world.create(9, WindowFacts(appID: "mailer", title: "New Mail", lineage: [500, 1], client: 50))
        world.send(.activationAsked(other, hasRecentSerial: true, launch: LaunchID(1)))
        world.create(1, WindowFacts(appID: "page", title: "Page", lineage: [100, 1], client: 1))
        world.map(1)
        world.map(9)
        world.rest()
        world.act(.idiom("kiosk"))
        world.rest()
        #expect(!world.workspace.isShown(other) && world.workspace.isShown(one) && world.finish() == [])
    }

    @Test("a prompt by its name stands over the app; a small window of a helper does not")
    func prompts() {
        var world = world()
        world.create(9, WindowFacts(appID: "helper", title: "", lineage: [300, 100, 1], client: 30))
        world.setMinimum(Size(300, 200), of: other)
        world.setMaximum(Size(300, 200), of: other)
        world.map(9)
        #expect(!world.workspace.isShown(other))
        world.create(2, WindowFacts(appID: "gcr-prompter", title: "Unlock", lineage: [400, 1], client: 40))
        world.map(2)
        world.rest()
        #expect(world.workspace.focus == WindowID(2) && world.place(WindowID(2)) == .dialog(of: one))
        world.destroy(WindowID(2))
        #expect(world.workspace.focus == one && world.finish() == [])
    }

    @Test(
        "random windows, parents, tokens, taps and idioms: only the app and its dialogs are seen where nobody opens apps, and nothing is lost"
    )
    func random() {
        // The first ones found a window in two places of another idiom, and a dialog that stayed in sight after its window.
        let seeds: [UInt64] = [14409, 19816] + (0..<(TestSeed.isSlow ? 200 : 25) as Range<UInt64>).map { TestSeed.first &+ $0 }
        for seed in seeds {
            var random = SeededGenerator(seed: seed)
            func roll(_ most: Int) -> Int { Int.random(in: 0..<most, using: &random) }
            let idioms: [Idiom] =
                [Idiom.pad]
                + Self.idioms.enumerated().map { number, own -> Idiom in
                    var idiom = own
                    idiom.name = "own\(number)"
                    idiom.offers.insert(.idioms)
                    return idiom
                }
            var world = CoreWorld(idiom: idioms[1])
            CoreOp.apps(6).apply(to: &world)
            world.send(.idiomsKnown(idioms))
            // Whatever comes before the app's own window may be the app: a script may start it, or a service that it tells.
            let isKnown = roll(4) > 0
            var own: Set<Int32> = [100]
            var hasShownItself = false
            if isKnown {
                world.send(.beginsWith(["kiosk-page"]))
                world.send(.launched(LaunchID(1), process: 100))
            }
            for _ in 0..<80 {
                let raw = UInt32(1 + roll(8)), id = WindowID(raw)
                let lineages: [[Int32]] = [[100, 1], [300, 100, 1], [500, 1], [100, 1], [600, 1]], index = roll(5)
                var facts = WindowFacts(
                    appID: ["page", "mailer", "portal", "page", "gcr-prompter"][index], title: "\(raw)", lineage: lineages[index],
                    client: UInt64(lineages[index][0]),
                    isX11: roll(8) == 0, isModal: [nil, true, false][roll(3)])
                if roll(3) == 0 { facts.parent = WindowID(UInt32(1 + roll(8))) }
                if facts.parent == id { facts.parent = nil }
                switch roll(12) {
                case 0, 1, 2:
                    world.create(raw, facts)
                    if roll(2) == 0 {
                        world.send(.activationAsked(id, hasRecentSerial: roll(2) == 0, launch: roll(2) == 0 ? LaunchID(1) : nil))
                    }
                    if let process = world.clients[id]?.facts.lineage.first, process == 100 || !world.workspace.hasOwnWindow {
                        own.insert(process)
                    }
                    world.map(raw)
                case 3: if world.clients[id] != nil { world.send(.activationAsked(id, hasRecentSerial: true, launch: nil)) }
                case 4: world.destroy(id)
                case 5: world.unmap(id)
                case 6:
                    if let old = world.clients[id] {
                        world.rename(
                            id,
                            {
                                var new = old.facts
                                new.parent = facts.parent
                                new.isModal = facts.isModal
                                return new
                            }())
                    }
                case 7: world.tap(at: Point(Double(roll(1180)), Double(roll(820))))
                case 8: world.send(.showAsked(of: [300, 500, 600][roll(3)], by: [100]))
                case 9: world.act(.idiom(idioms[roll(idioms.count)].name))
                case 10:
                    world.act(
                        [.fullScreen(window: id), .focus(window: id), .close(window: id), .openWaiting(window: id), .home, .nextSpace][
                            roll(6)])
                default: world.wait(Double([50, 700, 3000][roll(3)]))
                }
                let workspace = world.workspace
                // Until the program of the launch shows a window, it may be a script: what it starts is the app.
                let mapped = world.clients.filter { workspace[$0.key]?.isMapped == true }.map(\.value.facts.lineage)
                hasShownItself = hasShownItself || mapped.contains { $0[0] == 100 }
                if !hasShownItself { own.formUnion(mapped.filter { $0.contains(100) }.map { $0[0] }) }
                if workspace.isConfined {
                    for shown in workspace.shownWindows where workspace.root(of: shown) == shown {
                        guard isKnown, let facts = world.clients[shown]?.facts, facts.appID != "gcr-prompter" else { continue }
                        #expect(own.contains(facts.lineage[0]), "seed \(seed): \(shown) \(facts)")
                    }
                }
                guard world.problems == [] else { break }
            }
            #expect(world.problems == [], "seed \(seed)")
        }
    }

    // MARK: Views and files for programs

    @Test("an activity view lists no app, a portal's list of apps is refused, and nothing is opened for anybody")
    func views() {
        var world = world()
        let sharing = Sharing(files: [.init("a.txt", types: ["text/plain"])], mailsFiles: true)
        world.send(.viewAsked(ModalView(ModalID(1), .activity, over: one, of: "page", title: "a.txt", sharing: sharing)))
        #expect(world.interface.modals.last?.content.sharing?.targets == [.copy, .save])
        world.send(.viewWithdrawn(ModalID(1)))
        var choice = ModalView.Choice("Editor")
        choice.opens = "editor"
        let asked = world.send(
            .viewAsked(ModalView(ModalID(2), .actionSheet, over: one, of: "page", title: "Open With", choices: [choice])))
        #expect(asked.contains { if case .viewAnswered(ModalID(2), .refused) = $0 { true } else { false } })
        let files = world.send(.filesAsked(FilesRequest(ModalID(3), from: one, command: ["view"])))
        #expect(files.contains { if case .viewAnswered(ModalID(3), .refused) = $0 { true } else { false } })
        let handed = world.send(.handedOver(HandedOver(.app("app2"), ["/tmp/a.txt"])))
        #expect(!(files + handed).contains { if case .program = $0 { true } else { false } })
        #expect(world.finish() == [])
    }

    // MARK: The app ends

    @Test(
        "the app that ends is started again within five seconds each time, the screen says so, and nothing runs in circles",
        arguments: [0.1, 1, 4, 30])
    func again(lives: Double) {
        var world = world()
        for round in 0..<12 {
            let window = UInt32(100 + round), process = Int32(1000 + round), launch = LaunchID(UInt32(2 + round))
            world.wait(lives * 1000)
            world.disconnect(round == 0 ? one : WindowID(window - 1))
            world.send(.launchEnded(LaunchID(UInt32(1 + round)), signal: 9))
            #expect(world.interface.startNote?.isAgain == true, "round \(round)")
            #expect(world.controls.contains { $0.id == ControlID(.start, "again") })
            let before = world.effects.count
            var waited = 0.0
            func starts() -> Int { world.effects[before...].count { if case .program(.launch) = $0 { true } else { false } } }
            while starts() == 0, waited < 6000 {
                world.wait(100)
                waited += 100
            }
            #expect(waited <= 2500, "round \(round): \(waited) ms")
            #expect(starts() == 1 && world.interface.openNames == [])
            world.send(.launched(launch, process: process))
            world.create(window, WindowFacts(appID: "page", title: "Page", lineage: [process, 1], client: UInt64(window)))
            world.map(window)
            #expect(world.interface.startNote == nil && world.workspace.focus == WindowID(window), "round \(round)")
        }
        #expect(world.finish() == [])
    }

    @Test("one that ends before it shows a window is tried every two seconds, and one that starts slowly is left to start")
    func fails() {
        var world = world()
        world.disconnect(one)
        world.send(.launchEnded(LaunchID(1), status: 1))
        var next: UInt32 = 2
        for _ in 0..<30 {
            world.wait(1000)
            let count = world.effects.count { if case .program(.launch) = $0 { true } else { false } }
            if count >= next {
                world.send(.launched(LaunchID(next), process: Int32(1000 + next)))
                world.send(.launchEnded(LaunchID(next), status: 1))
                next += 1
            }
        }
        #expect((8...18).contains(next), "\(next) starts in 30 seconds")
        world.wait(2500)
        world.send(.launched(LaunchID(next), process: 5000))
        let before = world.effects.count { if case .program(.launch) = $0 { true } else { false } }
        world.wait(25_000)
        #expect(world.effects.count { if case .program(.launch) = $0 { true } else { false } } == before, "it is starting")
        #expect(world.interface.startNote != nil && world.interface.openNames == [] && world.problems == [])
    }
}
