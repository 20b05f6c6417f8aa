import Foundation
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("Where windows are")
struct WindowRuleTests {
    @Test("S-01: every app multitasks; none has to say so")
    func everyAppMultitasks() {
        for app in ["foot", "", "Firefox", "org.kde.dolphin"] {
            var world = CoreWorld()
            world.open(1)
            world.open(2, WindowFacts(appID: app, client: 2))
            for destination in [Destination.splitView(.left), .slideOver, .pictureInPicture, .fullScreen] {
                let action: Action =
                    switch destination {
                    case .splitView(let side): .splitView(window: two, side: side)
                    case .slideOver: .slideOver(window: two)
                    case .pictureInPicture: .pictureInPicture(window: two)
                    case .fullScreen: .fullScreen(window: two)
                    }
                #expect(world.act(action).refusals == [])
            }
            #expect(world.finish() == [])
        }
    }

    @Test("W-01: Slide Over floats over a window that stays full screen")
    func slideOver() {
        var world = CoreWorld()
        world.open(1)
        world.open(2, to: .slideOver)
        world.rest()
        isFull(world, one)
        #expect(world.frame(one) == Rect(0, 0, 1180, 820))
        #expect(world.frame(two) == Rect(795, 34, 375, 758))
        #expect(world.workspace.focus == two)
        #expect(world.finish() == [])
    }

    @Test("W-02: Slide Over goes to the other side, hides past the edge and comes back")
    func slideOverSides() {
        var world = slideOverWorld()
        world.act(.slideOverSide(.left))
        world.rest()
        #expect(world.frame(three)?.minX == 10)
        world.act(.slideOverHide)
        world.rest()
        #expect(world.frame(three)!.maxX < 0)
        #expect(world.workspace.focus != three)
        world.act(.slideOverShow)
        world.rest()
        #expect(world.frame(three)?.minX == 10)
        #expect(world.workspace.focus == three)
        #expect(world.act(.slideOverSide(.top)).refusals == ["Slide Over stands left or right"])
        #expect(world.finish() == [])
    }

    @Test("W-03: several windows in Slide Over are a stack to flip through")
    func slideOverStack() {
        var world = slideOverWorld()
        world.open(4, to: .slideOver)
        world.open(5, to: .slideOver)
        #expect(world.workspace.slideOver.stack == [WindowID(5), four, three])
        world.act(.slideOverNext)
        #expect(world.workspace.slideOver.stack == [four, three, WindowID(5)])
        world.act(.slideOverPrevious)
        world.act(.slideOverPrevious)
        #expect(world.workspace.slideOver.stack == [three, WindowID(5), four])
        #expect(world.workspace.focus == three)
        #expect(world.finish() == [])
    }

    @Test("W-04: two windows side by side, both interactive")
    func splitView() {
        var world = splitWorld()
        #expect(world.frame(one) == Rect(0, 0, 585, 820))
        #expect(world.frame(two) == Rect(595, 0, 585, 820))
        world.tap(at: Point(200, 500))
        #expect(world.workspace.focus == one)
        world.tap(at: Point(900, 500))
        #expect(world.workspace.focus == two)
        world.act(.swapSides)
        isSplit(world, two, one)
        #expect(world.finish() == [])
    }

    @Test("W-04: a third window takes the place of the one on that side, which stays open")
    func thirdWindow() {
        var world = splitWorld()
        world.open(3)
        world.act(.showSpace(world.workspace.spaces.first { $0.split != nil }!.id))
        world.act(.splitView(window: three, side: .left))
        isSplit(world, three, two)
        if case .full = world.place(one) {} else { Issue.record("\(String(describing: world.place(one)))") }
        #expect(world.finish() == [])
    }

    @Test("W-04: full screen for one of a pair leaves the other one swipe away")
    func fullFromSplit() {
        var world = splitWorld()
        world.act(.fullScreen(window: two))
        isFull(world, two)
        world.act(.nextSpace)
        isFull(world, one)
        #expect(world.finish() == [])
    }

    @Test("W-04: Split View needs a second window, and says so")
    func splitAlone() {
        var world = CoreWorld()
        world.open(1)
        #expect(world.act(.splitView(side: .left)).refusals == ["Split View needs a second window, and no other is open"])
        #expect(world.finish() == [])
    }

    @Test("W-05: a third window in Slide Over over a Split View")
    func slideOverOverSplit() {
        var world = slideOverWorld()
        isSplit(world, one, two)
        #expect(world.place(three) == .slideOver(0))
        for id in [one, two, three] { #expect(world.workspace.isShown(id)) }
        #expect(world.finish() == [])
    }

    @Test("W-06: Picture in Picture floats in a corner, keeps its shape and is never typed into")
    func picture() {
        var world = CoreWorld()
        world.open(1)
        world.create(2, WindowFacts(appID: "browser", title: "Picture-in-Picture", client: 2))
        world.setNatural(Size(1920, 800), of: two)
        world.send(.activationAsked(two, hasRecentSerial: true, launch: nil))
        world.map(2)
        world.rest()
        #expect(world.place(two) == .pictureInPicture)
        let frame = world.frame(two)!
        #expect(abs(frame.width / frame.height - 2.4) < 0.02)
        #expect(frame.maxX == 1180 - 14 && frame.maxY == 820 - 14)
        #expect(world.workspace.focus == one)
        #expect(world.clients[two]!.configures.first?.chooses == true)
        #expect(world.finish() == [])
    }

    @Test("W-06: a second picture sends the first one to a space of its own, in the same corner")
    func secondPicture() {
        var world = pipWorld()
        world.act(.pipCorner(.topLeft))
        world.open(3, to: .pictureInPicture)
        #expect(world.place(three) == .pictureInPicture)
        #expect(world.workspace.pip?.corner == .topLeft)
        if case .full = world.place(two) {} else { Issue.record("the first picture is nowhere") }
        #expect(world.finish() == [])
    }

    @Test(
        "W-06: windows announce themselves by title and app id",
        arguments: [
            ("firefox", "Picture-in-Picture"), ("", "Picture in picture"), ("chromium", "PICTURE IN PICTURE"),
            ("KINO.call", "\u{212A}"),
        ])
    func announced(appID: String, title: String) {
        var world = CoreWorld(preferences: Preferences(pictureInPicture: [PictureInPictureRule(appID: "kino", title: "")]))
        world.open(1)
        world.open(2, WindowFacts(appID: appID, title: title, client: 2))
        #expect(world.place(two) == .pictureInPicture)
        #expect(world.finish() == [])
    }

    @Test("W-06: a player opens full screen, with its own wish for it or without", arguments: [false, true])
    func playerIsSeen(fullscreen: Bool) {
        var world = CoreWorld()
        world.open(1)
        world.create(2, WindowFacts(appID: "mpv", title: "film.mkv - mpv", client: 2))
        world.send(.activationAsked(two, hasRecentSerial: true, launch: nil))
        if fullscreen { world.send(.windowAsked(two, .fullscreen(true))) }
        world.map(2)
        isFull(world, two)
        #expect(world.clients[two]!.configures.allSatisfy { !$0.chooses && $0.frame.size == Size(1180, 820) })
        #expect(world.finish() == [])
    }

    @Test(
        "W-06: names that only begin like theirs are no picture's, and capitals beyond ASCII count as small ones",
        arguments: [
            ("", "Picture-in-Pictur", false), ("", "Picture-in-Picture 2", false), ("mp", "", false), ("xmpv", "", false),
            ("", "\u{C4}PFEL", true), ("", "\u{E4}pfel", true), ("", "apfel", false), ("\u{212A}ino", "", true), ("kin", "", false),
        ])
    func announcedExactly(appID: String, title: String, isPip: Bool) {
        let rules = [PictureInPictureRule(appID: "", title: "\u{C4}pfel"), PictureInPictureRule(appID: "Kino", title: "")]
        let workspace = Workspace(idiom: .pad, announcing: rules)
        #expect(workspace.announcesPip(WindowFacts(appID: appID, title: title)) == isPip)
    }

    @Test("taskbars hear again of a window that hid itself and comes back")
    func announcedAgain() {
        var preferences = Preferences()
        preferences.newWindows = .always
        var world = CoreWorld(preferences: preferences)
        world.open(1)
        world.rest()
        world.unmap(one)
        world.rest()
        let before = world.effects.count
        world.map(1)
        world.rest()
        #expect(world.effects[before...].contains(.announce(one, activated: true, shown: true)))
        #expect(world.finish() == [])
    }

    @Test("an answer from a window that nobody sees changes nothing, and one from a window in sight is drawn")
    func quietAnswers() {
        var world = CoreWorld()
        world.manner = .asked
        world.open(1)
        world.open(2)
        world.rest()
        world.act(.focus(window: one))
        world.wait(2000)
        world.send(.x11MenusWantKeys(false))
        let before = world.system.revision
        #expect(world.clients[one]!.owesAnswer && world.clients[two]!.owesAnswer)
        world.answer(two)
        #expect(world.system.revision == before && !world.clients[two]!.owesAnswer)
        world.answer(one)
        #expect(world.system.revision > before)
        #expect(world.finish() == [])
    }

    @Test("W-06: a window is Picture in Picture by its role, whatever its name, where there is Picture in Picture")
    func announcedByRole() {
        var world = CoreWorld()
        world.open(1)
        world.open(2, WindowFacts(appID: "org.example.Call", client: 2, isPip: true))
        #expect(world.place(two) == .pictureInPicture)
        #expect(world.finish() == [])
        #expect(!Workspace(idiom: .watch).announcesPip(WindowFacts(isPip: true)))
        // Recordings made before say nothing of it, and what is no picture is written as ever.
        let old = #"{"appID":"a","title":"","lineage":[],"client":1,"isX11":false}"#
        #expect(try! JSONDecoder().decode(WindowFacts.self, from: Data(old.utf8)) == WindowFacts(appID: "a", client: 1))
        #expect(try! !String(decoding: JSONEncoder().encode(WindowFacts(appID: "a")), as: UTF8.self).contains("isPip"))
        #expect(try! JSONDecoder().decode(WindowRequest.self, from: Data(#"{"resize":{}}"#.utf8)) == .resize())
    }

    @Test("W-10: toured through every configuration, a window is told only sizes and whether it is active")
    func apartFromSizes() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        let tour: [Action] = [
            .splitView(window: two, side: .left), .swapSides, .divider(fraction: 1.0 / 3), .slideOver(window: two), .slideOverHide,
            .slideOverShow, .slideOverSide(.left), .pictureInPicture(window: two), .pipStash(), .pipShow, .fullScreen(window: two),
        ]
        for action in tour {
            #expect(world.act(action).refusals == [])
            world.rest()
        }
        for configure in world.clients[two]!.configures {
            let plain = Configure(
                sequence: configure.sequence, frame: configure.frame, chooses: false, activated: configure.activated,
                arranged: true, fullscreen: false)
            #expect(configure == plain)
        }
        #expect(world.finish() == [])
    }

    @Test("W-10: the same size in another configuration is not even told")
    func sameSizeIsSilent() {
        var world = slideOverWorld()
        let before = world.clients[three]!.configures
        world.act(.focus(window: three))
        world.act(.slideOverSide(.left))
        world.act(.slideOverHide)
        world.act(.slideOverShow)
        world.rest()
        let told = world.clients[three]!.configures.dropFirst(before.count)
        // Hiding takes the keys away and showing gives them back; nothing else was said.
        #expect(told.map(\.activated) == [false, true])
        #expect(Set(told.map(\.frame.size)) == Set([before.last!.frame.size]))
        #expect(world.finish() == [])
    }

    @Test("W-11: a client larger than its place is scaled down into it, and never over its neighbour")
    func largeMinimum() {
        var world = CoreWorld()
        world.open(1)
        world.create(2)
        world.setMinimum(Size(900, 900), of: two)
        world.send(.activationAsked(two, hasRecentSerial: true, launch: nil))
        world.map(2)
        world.act(.splitView(window: two, side: .left))
        world.rest()
        // 585 points for 900: drawn at 0.65, it fills a place of 820 points with 1262.
        #expect(world.clients[two]!.commit.size == Size(900, 1262))
        let picture = world.system.contentRect(of: two, at: world.now)!
        #expect(world.frame(two)!.contains(picture))
        #expect(picture.contains(world.frame(two)!, tolerance: 0.5), "there are bands beside \(picture)")
        // A tap still reaches the same spot of the app, in its own coordinates.
        let effects = world.touch(down: picture.center)
        #expect(effects.contains(.touchDown(0, two, at: Point(450, 631))))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("W-11: a small client is letterboxed and stays sharp")
    func smallClient() {
        var world = CoreWorld()
        world.open(1)
        world.commit(one) { $0.size = Size(401, 300) }
        world.rest()
        let picture = world.system.contentRect(of: one, at: world.now)!
        #expect(picture == Rect(390, 260, 401, 300))
        #expect(world.finish() == [])
    }

    @Test("W-11: becoming active is no new size: a letterboxed picture is not stretched while its client answers")
    func activationDoesNotStretch() {
        var world = splitWorld()
        world.commit(one) { $0.size = Size(500, 800) }
        world.setManner(.asked, of: one)
        world.rest()
        let picture = world.system.contentRect(of: one, at: world.now)
        world.act(.focus(window: one))
        #expect(world.clients[one]!.owesAnswer)
        #expect(world.system.contentRect(of: one, at: world.now) == picture)
        #expect(world.timers.isEmpty, "nobody waits for such an answer")
        #expect(world.finish() == [])
    }

    @Test("W-17: a window can be moved anywhere after it opened, from anywhere")
    func anywhere() {
        let places: [(String, @Sendable (WindowID) -> Action)] = [
            ("full screen", { .fullScreen(window: $0) }), ("left", { .splitView(window: $0, side: .left) }),
            ("right", { .splitView(window: $0, side: .right) }), ("Slide Over", { .slideOver(window: $0) }),
            ("Picture in Picture", { .pictureInPicture(window: $0) }),
        ]
        for (_, from) in places {
            for (name, to) in places {
                var world = CoreWorld()
                world.open(1)
                world.open(2)
                world.act(from(two))
                #expect(world.act(to(two)).refusals == [], "to \(name)")
                switch (name, world.place(two)) {
                case ("full screen", .full), ("left", .split(_, .left)), ("right", .split(_, .right)), ("Slide Over", .slideOver(0)),
                    ("Picture in Picture", .pictureInPicture):
                    break
                default: Issue.record("\(name): \(String(describing: world.place(two)))")
                }
                #expect(world.finish() == [])
            }
        }
    }

    @Test("W-23: no request of a client changes a layout or names one")
    func requestsNameNoLayout() {
        for request in [WindowRequest.fullscreen(true), .maximize(true), .maximize(false), .minimize, .resize(), .move()] {
            var world = slideOverWorld()
            for id in [one, two, three] {
                let before = world.workspace
                world.send(.windowAsked(id, request))
                #expect(world.workspace.spaces == before.spaces)
                #expect(world.workspace.slideOver == before.slideOver)
                #expect(world.workspace.focus == before.focus)
                #expect(world.frame(id) == world.workspace.frames()[id])
            }
            #expect(world.finish() == [])
        }
    }

    @Test("W-23: the wish for full screen is granted within the same place and told back")
    func fullscreenWish() {
        var world = splitWorld()
        let effects = world.send(.windowAsked(two, .fullscreen(true)))
        let told = effects.configures(two)
        #expect(told.count == 1)
        #expect(told.first?.fullscreen == true)
        #expect(told.first?.frame == Rect(595, 0, 585, 820))
        #expect(world.finish() == [])
    }

    @Test("Law 1: a hidden app that asks for attention is not brought to the front")
    func askedToActivate() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.send(.windowAsked(one, .activate(byPerson: false)))
        isFull(world, two)
        world.send(.windowAsked(one, .activate(byPerson: true)))
        isFull(world, one)
        #expect(world.finish() == [])
    }

    @Test("A dialog stands in the middle of its window, moves with it, and gets the keys")
    func dialogs() {
        var world = splitWorld()
        world.create(4, WindowFacts(appID: "app1", client: 1, parent: one))
        world.map(4)
        #expect(world.place(four) == .dialog(of: one))
        #expect(world.workspace.focus == two, "the person is working elsewhere")
        world.act(.focus(window: one))
        #expect(world.workspace.focus == one, "P-02: a person named this window")
        world.act(.focus(window: four))
        #expect(world.workspace.focus == four)
        world.rest()
        #expect(world.frame(four)!.center.distance(to: world.frame(one)!.center) <= 0.5)
        #expect(world.frame(four)?.size == Size(320, 240))
        world.act(.slideOver(window: four))
        #expect(world.place(one) == .slideOver(0))
        world.rest()
        #expect(abs(world.frame(four)!.center.x - world.frame(one)!.center.x) <= 0.5)
        #expect(world.frame(four)!.maxY == world.frame(one)!.maxY, "M-06: in a narrow place it stands at the bottom")
        world.destroy(four)
        #expect(world.workspace.focus == one)
        #expect(world.finish() == [])
    }

    @Test("Parents in a circle: each window keeps a place where it can be seen")
    func circleOfParents() {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.open(3)
        for (child, parent) in [(one, two), (two, three), (three, one), (one, one)] {
            var facts = world.clients[child]!.facts
            facts.parent = parent
            world.rename(child, facts)
        }
        for id in [one, two, three] { #expect(world.workspace.isShown(world.workspace.root(of: id)) || world.place(id) != nil) }
        #expect([one, two, three].contains { world.workspace.root(of: $0) == $0 && world.workspace.isShown($0) })
        #expect(world.finish() == [])
    }

    @Test("A dialog outlives its window")
    func orphan() {
        var world = CoreWorld()
        world.open(1)
        world.create(2, WindowFacts(client: 1, parent: one))
        world.map(2)
        world.create(3, WindowFacts(client: 1, parent: two))
        world.map(3)
        world.destroy(two)
        #expect(world.place(three) == .dialog(of: one))
        world.destroy(one)
        if case .full = world.place(three) {} else { Issue.record("the dialog is lost") }
        #expect(world.workspace.isShown(three))
        #expect(world.finish() == [])
    }

    @Test("X11 windows are told where they are, others are not")
    func places() {
        var world = CoreWorld()
        world.open(1)
        world.open(2, WindowFacts(appID: "XTerm", client: 2, isX11: true), to: .splitView(.left))
        world.rest()
        let effects = world.act(.swapSides)
        #expect(effects.contains(.place(two, Point(595, 0))))
        #expect(effects.configures(two) == [] && effects.configures(one) == [])
        #expect(world.finish() == [])
    }
}
