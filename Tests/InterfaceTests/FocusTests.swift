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

private let arrows: [(chord: KeyChord, way: Side)] = [("Left", .left), ("Up", .top), ("Right", .right), ("Down", .bottom)]

/// The rule by which arrow keys move the focus, on rectangles alone.
@Suite("X-02: the rule of the focus") struct FocusRuleTests {
    @Test("a control in the beam comes before a nearer one beside it; upwards only if it is near enough")
    func beam() {
        let source = Rect(0, 0, 100, 40)
        #expect(FocusRule.next(from: source, .right, among: [Rect(110, 60, 40, 40), Rect(400, 10, 40, 40)]) == 1)
        #expect(FocusRule.next(from: source, .bottom, among: [Rect(0, 700, 100, 40), Rect(120, 60, 40, 40)]) == 1)
        #expect(FocusRule.next(from: source, .bottom, among: [Rect(0, 90, 100, 40), Rect(120, 60, 40, 40)]) == 0)
        #expect(FocusRule.next(from: source, .left, among: [Rect(110, 0, 40, 40)]) == nil)
    }

    @Test("whatever the layout, the arrow keys reach every control from every other")
    func reach() {
        var random = SeededGenerator(seed: TestSeed.first)
        for round in 0..<60 {
            let count = Int.random(in: 1...24, using: &random)
            let places = (0..<count).map { _ in
                Rect(
                    Double.random(in: 0...1000, using: &random).rounded(), Double.random(in: 0...700, using: &random).rounded(),
                    Double.random(in: 4...(round % 2 == 0 ? 80 : 700), using: &random).rounded(),
                    Double.random(in: 4...90, using: &random).rounded())
            }
            let sliders = Set(places.indices.filter { _ in Int.random(in: 0..<6, using: &random) == 0 })
            let map = FocusMap(places, keepsSideways: sliders)
            for index in places.indices { #expect(map.reach(from: index).count == count, "from \(index) in \(places), sliders \(sliders)") }
        }
    }
}

/// A television and a remote control with four arrows, OK and Back.
@Suite("X-02: every control of every view by arrow keys alone") struct FocusReachTests {
    private func television(_ size: Size, textScale: Double = 1, apps: Int = 14, mirrored: Bool = false) -> CoreWorld {
        var preferences = Preferences()
        preferences.appearance.textScale = textScale
        preferences.appearance.isRightToLeft = mirrored
        var world = CoreWorld(size: size, idiom: .tv, preferences: preferences)
        world.send(.appsChanged(catalogue + many(apps)))
        return world
    }

    private func focusable(_ world: CoreWorld) -> Set<ControlID> {
        Set(world.controls.filter(\.isFocusable).map(\.id))
    }

    /// All that a person reaches by arrow keys. Where a key leads depends on where the person came from, since the opposite key leads
    /// back: so a control counts as another place for each one before it.
    private func reached(_ world: CoreWorld) -> Set<ControlID> {
        struct Place: Hashable {
            var page: Int
            var focus: ControlID
            var before: ControlID?
        }
        var found: Set<ControlID> = [], visited: Set<Place> = [], open: [(world: CoreWorld, before: ControlID?)] = [(world, nil)]
        while let (there, before) = open.popLast() {
            var here = there
            here.rest()
            guard let focus = here.interface.focus,
                visited.insert(Place(page: here.interface.home.page, focus: focus, before: before)).inserted
            else { continue }
            found.insert(focus)
            for (chord, _) in arrows {
                var next = here
                next.press(chord)
                let isSamePage = next.interface.home.page == here.interface.home.page
                if next.interface.focus != focus || !isSamePage { open.append((next, isSamePage ? focus : nil)) }
            }
        }
        return found
    }

    /// Follows every arrow key from everywhere.
    private func check(_ world: CoreWorld, _ what: String, _ location: SourceLocation = #_sourceLocation) {
        guard let start = world.interface.focus else {
            if !focusable(world).isEmpty { Issue.record("\(what): no control has the focus", sourceLocation: location) }
            return
        }
        var found: Set<ControlID> = [start], open = [world], shown = focusable(world), visited: Set<String> = []
        while var here = open.popLast() {
            here.rest()
            shown.formUnion(focusable(here))
            guard let focus = here.interface.focus, visited.insert("\(here.interface.home.page) \(focus)").inserted else { continue }
            for (chord, way) in arrows {
                var next = here
                next.press(chord)
                guard let reached = next.interface.focus else {
                    Issue.record("\(what): \(chord) on \(focus) leaves no focus", sourceLocation: location)
                    continue
                }
                found.insert(reached)
                let key = "\(next.interface.home.page) \(reached)"
                if reached != focus, next.interface.home.page == here.interface.home.page {
                    var back = next
                    back.press(arrows.first { $0.way == way.opposite }!.chord)
                    if next.controls.last(where: { $0.id == reached })?.slide == nil || way.axis == .vertical {
                        #expect(
                            back.interface.focus == focus, "\(what): \(chord) and back from \(focus) by \(reached)",
                            sourceLocation: location)
                    }
                }
                if !visited.contains(key) { open.append(next) }
            }
        }
        var lost = shown.subtracting(found).filter { $0.area != .home || world.interface.focus?.area == .home }
        if !lost.isEmpty { lost.subtract(reached(world)) }
        #expect(lost.isEmpty, "\(what): \(lost.map(\.rawValue).sorted()) are never reached", sourceLocation: location)
        #expect(world.problems == [], sourceLocation: location)
    }

    private static let sizes = [Size(1920, 1080), Size(1280, 720), Size(640, 480)]

    @Test("the home screen, its pages, the search and the menu of an app", arguments: sizes)
    func home(size: Size) {
        var world = television(size, apps: 40)
        world.rest()
        check(world, "home")
        var menu = world
        menu.act(.appMenu(app: "editor"))
        menu.rest()
        check(menu, "menu")
        world.act(.search(text: "app 1"))
        world.rest()
        check(world, "search")
    }

    @Test("the app switcher, and alerts", arguments: sizes)
    func switcher(size: Size) {
        var world = television(size)
        for (index, app) in ["editor", "browser", "terminal", "notes", "context"].enumerated() {
            world.open(UInt32(index + 1), facts(app, UInt32(index + 1)))
        }
        world.rest()
        #expect(world.interface.focus == nil, "the keys are the app's")
        world.act(.appSwitcher)
        world.rest()
        #expect(world.interface.focus == world.card(of: four), "the app that was used before")
        check(world, "switcher")
        world.act(.dismiss)
        world.act(.openApp(app: "app1"))
        world.send(.launchEnded(LaunchID(1), status: 1))
        world.rest()
        #expect(world.open.contains("alert"))
        check(world, "alert")
    }

    @Test("the control centre with sound, and its pages", arguments: [1, 1.5, 2])
    func controlCentre(textScale: Double) {
        for page in ControlPage.allCases {
            // A screen that is unused for so long would rest.
            var world = television(Size(1920, 1080), textScale: textScale)
            world.open(1, facts("editor", 1))
            world.send(
                .audio(
                    .devicesChanged(
                        outputs: [
                            AudioOutput(id: PortID("tv"), kind: .hdmi, name: "Television"),
                            AudioOutput(id: PortID("bar"), kind: .bluetoothA2DP, name: "Sound Bar"),
                        ],
                        inputs: [])))
            world.act(page == .main ? .controlCentre : .controlPage(page))
            world.rest()
            check(world, "control centre, \(page.rawValue)")
        }
    }

    @Test("the list of notifications with groups, threads, answers and buttons", arguments: [1, 1.5])
    func notifications(textScale: Double) {
        var world = television(Size(1920, 1080), textScale: textScale)
        world.open(1, facts("editor", 1))
        world.act(.notifications)
        world.rest()
        check(world, "no notification")
        for id in 1...9 as ClosedRange<UInt32> {
            var content = NoticeContent(
                app: id % 3 == 0 ? "notes" : "mail", name: "Mail", title: "Anna \(id)", body: "Shall we have lunch?")
            content.hasDefault = true
            content.thread = id % 2 == 0 ? "anna" : ""
            if id > 5 { content.buttons = [NoticeButton(key: "reply", label: "Reply"), NoticeButton(key: "archive", label: "Archive")] }
            world.send(.notice(.notify(NoticeID(id), content, sender: ":1.5", at: 1_800_000_000)))
        }
        world.rest()
        check(world, "the list")
        world.act(.notice(.unfold(group: "mail")))
        world.rest()
        check(world, "an unfolded group")
    }

    @Test("views of programs over an app and over the whole screen")
    func programs() {
        for kind in [ModalKind.alert, .actionSheet] {
            for window in [one, nil] as [WindowID?] {
                var world = television(Size(1920, 1080))
                world.open(1, facts("editor", 1))
                world.send(
                    .viewAsked(
                        ModalView(
                            ModalID(1), kind, over: window, of: "editor", title: "Delete?", message: "This cannot be undone.",
                            choices: [.init("Delete", .destructive), .init("Keep", .preferred), .init("Ask Later")])))
                world.rest()
                #expect(world.interface.focus == "modal/1/choice/1", "what the program proposes")
                check(world, "\(kind) over \(window.map(\.description) ?? "the screen")")
            }
        }
    }

    @Test("from right to left the arrows go where they point")
    func mirrored() {
        var world = television(Size(1920, 1080), mirrored: true)
        world.rest()
        let first = world.interface.focus!, place = world.middle(first)
        world.press("Left")
        #expect(world.middle(world.interface.focus!).x < place.x)
        world.act(.home)
        world.act(.home)
        world.rest()
        check(world, "mirrored home")
    }

    @Test("a list that changes, a card that closes and a view that goes leave the focus at the neighbour")
    func neverLost() {
        var world = television(Size(1920, 1080))
        for (index, app) in ["editor", "browser", "terminal"].enumerated() { world.open(UInt32(index + 1), facts(app, UInt32(index + 1))) }
        world.rest()
        world.act(.appSwitcher)
        world.rest()
        #expect(world.interface.focus == world.card(of: two))
        world.send(.windowUnmapped(two))
        world.rest()
        #expect(world.interface.focus?.isPart(of: "switcher") == true && world.interface.focus != "switcher")
        world.press("Escape")
        world.act(.home)
        world.rest()
        world.press("Down")
        world.rest()
        let lost = world.interface.focus!, spot = world.middle(lost)
        world.send(.appsChanged((catalogue + many(14)).filter { lost != ControlID(.home, $0.id) }))
        world.rest()
        #expect(world.interface.focus != lost && world.middle(world.interface.focus!).distance(to: spot) < 400, "a neighbour of its place")
        world.act(.controlCentre)
        world.rest()
        let there = world.interface.focus
        #expect(there?.area == .controlCentre)
        world.press("Escape")
        world.rest()
        #expect(world.interface.focus?.area == .home)
    }

    @Test("an output of 96 pixels has room for nothing, and hangs nothing")
    func tiny() {
        for size in [Size(96, 96), Size(1, 1), Size(96, 1080)] {
            var world = television(size)
            world.open(1, facts("editor", 1))
            for action in [Action.home, .appSwitcher, .controlCentre, .search(text: "a"), .keyHelp, .appMenu(app: "editor"), .home] {
                world.act(action)
                world.rest()
                for (chord, _) in arrows { world.press(chord) }
                world.press("Return")
                world.press("Escape")
                world.rest()
            }
            #expect(world.problems == [])
        }
    }
}

/// What a person sees from three metres away.
@Suite("tv: the measures of the views") struct TelevisionViewTests {
    @Test("text has 29 points, controls 66, and nothing stands in the 80 and 60 points at the edges")
    func measures() {
        var world = CoreWorld(size: Size(1920, 1080), idiom: .tv)
        world.send(.appsChanged(catalogue + many(40)))
        for (index, app) in ["editor", "browser"].enumerated() { world.open(UInt32(index + 1), facts(app, UInt32(index + 1))) }
        let room = Rect(80, 60, 1760, 960)
        for action in [Action.home, .controlCentre, .appSwitcher, .keyHelp] {
            world.act(action)
            world.rest()
            for control in world.controls where control.role != .panel && control.id.area != .switcher {
                #expect(room.contains(control.frame, tolerance: 1), "\(control.id) stands at \(control.frame)")
                if control.isOperable { #expect(control.target.height >= 66 && control.target.width >= 66, "\(control.id)") }
            }
            let items = world.system.items(at: world.now)
            for item in items {
                guard case .art(.text(_, let style, _, _, _), let size) = item.kind, style == .body else { continue }
                #expect(abs(style.size * item.frame.height / size.height - 29) < 0.6)
                #expect(abs(item.frame.height / size.height - item.detail) < 0.01, "it is painted for the pixels that it covers")
            }
            world.act(.dismiss)
        }
    }

    @Test("the ring around the focus stands around the control")
    func ring() {
        var world = CoreWorld(size: Size(1920, 1080), idiom: .tv)
        world.send(.appsChanged(catalogue))
        world.rest()
        let focus = world.interface.focus!, frame = world.control(focus)!.frame
        let ring = world.system.items(at: world.now).first { if case .art(.outline(.focus, _, _), _) = $0.kind { true } else { false } }
        #expect(ring.map { $0.frame.contains(frame) && $0.frame.width - frame.width < 24 } == true)
    }
}
