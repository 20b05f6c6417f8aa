import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Stage
import Status
import Testing
import Windows

/// The dot for unread notifications: where it stands, and what a screen reader finds instead.
@Suite("X-03, X-05: the dot for unread notifications") struct UnreadDotTests {
    private let one = WindowID(1)

    private func world(_ idiom: Idiom, isRightToLeft: Bool = false, textScale: Double = 1, showsStatus: Bool = true) -> CoreWorld {
        var preferences = Preferences(newWindows: .always)
        preferences.appearance.isRightToLeft = isRightToLeft
        preferences.appearance.textScale = textScale
        preferences.showsStatus = showsStatus
        var world = CoreWorld(size: idiom == .phone ? Size(390, 844) : Size(1180, 820), idiom: idiom, preferences: preferences)
        world.open(1, WindowFacts(appID: "recorder", title: "Recorder", client: 77))
        world.send(.timeIs(TimeOfDay(hour: 9, minute: 5)))
        world.send(.status(.battery(BatteryFacts(percentage: 80))))
        world.rest()
        return world
    }

    private func notify(_ world: inout CoreWorld, _ count: UInt32 = 2) {
        for number in 1...count {
            let content = NoticeContent(app: "mail", name: "Mail", title: "Letter \(number)", body: "Lunch at one?")
            world.send(.notice(.notify(NoticeID(number), content, sender: ":1.1", at: 1_800_000_000)))
        }
        world.wait(40_000)
    }

    private func frameOfDot(_ world: CoreWorld) -> Rect? { world.system.items(at: world.now).last { $0.kind == .fill(.badge) }?.frame }

    private func control(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.first { $0.id == id } }

    @Test(
        "it stands in the status bar, beside the time and clear of everything there, and a screen reader hears how many are unread",
        arguments: [Idiom.pad, .phone, .car], [false, true])
    func inBar(idiom: Idiom, isRightToLeft: Bool) throws {
        for textScale in [1, 1.5, 2] {
            var world = world(idiom, isRightToLeft: isRightToLeft, textScale: textScale)
            #expect(frameOfDot(world) == nil && control("status/time", world)?.name == .verbatim("9:05"))
            notify(&world)
            for isWatched in [false, true] {
                if isWatched { world.send(.capture(.begins(client: 77, isOwnView: false))) }
                world.wait(100)
                let bar = try #require(world.workspace.statusBar), dot = try #require(frameOfDot(world))
                let whole = dot.inset(by: -1), case_ = "\(idiom.name) \(textScale) \(isWatched)"
                #expect(bar.contains(whole), "\(case_)")
                #expect(world.frame(one)?.intersects(whole) == false, "\(case_)")
                for id: ControlID in ["status/time", "status/sensors", "status/state"] {
                    if let other = control(id, world) { #expect(!other.frame.intersects(dot), "\(case_) \(id)") }
                }
                // The middle may have a cut-out.
                #expect(abs(dot.center.x - bar.center.x) > 40, "\(case_)")
                #expect((dot.center.x > bar.center.x) == isRightToLeft, "\(case_)")
                #expect(
                    control("status/time", world)?.name == .list([.verbatim("9:05"), .message(.noticesUnread, ["2"])], ", "), "\(case_)")
            }
            world.act(.notifications)
            world.rest()
            world.act(.dismiss)
            world.rest()
            #expect(frameOfDot(world) == nil && control("status/time", world)?.name == .verbatim("9:05"))
            #expect(world.finish() == [])
        }
    }

    @Test("without a status bar it is small and at the very edge, and is a label for a screen reader")
    func atEdge() throws {
        for isFullScreen in [false, true] {
            var world = world(.pad, showsStatus: isFullScreen)
            if isFullScreen {
                world.send(.windowAsked(one, .fullscreen(true)))
                world.answerAll()
                world.rest()
            }
            notify(&world, 1)
            let dot = try #require(frameOfDot(world))
            #expect(dot.maxY <= 5 && dot.width <= 5, "\(dot)")
            let label = try #require(control("notifications/unread", world))
            #expect(label.name == .message(.noticesUnread, ["1"]) && label.role == .label && !label.isHittable && !label.isFocusable)
            #expect(world.finish() == [])
        }
    }

    @Test("in a menu bar it is on the bell, whose name says it")
    func onBell() throws {
        var world = world(.mac)
        notify(&world)
        let bell = try #require(control("menu-bar/notifications", world))
        #expect(bell.frame.contains(try #require(frameOfDot(world))))
        #expect(bell.name == .list([.message(.notifications), .message(.noticesUnread, ["2"])], ", "))
        #expect(control("notifications/unread", world) == nil)
        #expect(world.finish() == [])
    }
}
