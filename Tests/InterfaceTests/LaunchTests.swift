import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("X-03: starting apps")
struct LaunchTests {
    private let first = LaunchID(1)

    @Test("its card comes out of its icon at once; its window takes the card's place without a jump")
    func card() {
        var world = world()
        let icon = world.control("home/terminal")!.frame
        world.tap("home/terminal")
        let card = world.interface.launches[first]!
        #expect(card.app == "terminal" && world.open.contains("launching"))
        #expect(card.frame.value(at: world.now).center.distance(to: icon.center) < 30)
        #expect(card.frame.target == Rect(0, 0, 1180, 820))
        world.send(.launched(first, process: 101))
        world.wait(80)
        let before = world.interface.launches[first]!.frame.value(at: world.now)
        world.create(1, facts("terminal", 1))
        world.map(1)
        #expect(world.workspace.currentSpace?.windows == [one] && !world.workspace.isHome)
        let after = world.cardFrame(.space(world.space(of: one)))!
        #expect(abs(after.x - before.x) < 1 && abs(after.width - before.width) < 1)
        world.rest()
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("a missing program: an alert says why, and a tap closes it")
    func failure() {
        var world = world()
        world.tap("home/terminal")
        world.send(.launchFailed(first, reason: "no such program"))
        #expect(
            world.interface.popover?.content == .alert(title: .message(.couldNotOpen, ["Terminal"]), message: .verbatim("no such program")))
        world.rest()
        world.tap("alert/ok")
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test(
        "an alert has no empty line below a title of one line, and room for two where it needs them",
        arguments: [("Terminal", 1), ("Gallery of Contemporary Pictures", 2)])
    func titleLines(name: String, lines: Int) throws {
        var world = InterfaceTests.world([], installed: [App(id: "terminal", name: name, command: ["terminal"])])
        world.tap("home/terminal")
        world.send(.launchFailed(first, reason: "no such program"))
        world.rest()
        let panel = try #require(world.control("alert")).frame, message = try #require(world.control("alert/message")).frame
        #expect(message.minY - panel.minY == 20 + 20 * Double(lines) + 8)
        #expect(world.finish() == [])
    }

    @Test("a program that ends at once is quoted, in one line that can be read")
    func quoted() {
        for (printed, said) in [
            ("editor: cannot open display", "editor: cannot open display"), ("\u{1b}[31merror:\u{1b}[0m\tno\u{7} bus ", "error:no bus"),
            (String(repeating: "x", count: 500), String(repeating: "x", count: 159) + "…"),
        ] {
            var world = world()
            world.tap("home/browser")
            world.send(.launched(first, process: 101))
            world.send(.launchEnded(first, status: 1, says: printed))
            #expect(
                world.interface.popover?.content
                    == .alert(
                        title: .message(.couldNotOpen, ["Browser"]), message: .message(.endedWithStatusSaying, ["1", said])))
            // A line of the alert has about 38 letters.
            world.rest()
            let lines = (world.control("alert/message")?.frame.height ?? 0) / TextStyle.callout.lineHeight
            #expect(lines >= Double(said.count + 30) / 38, "there is room for all that it said, not for \(lines) lines")
        }
        var silent = world()
        silent.tap("home/browser")
        silent.send(.launchEnded(first, signal: 11, says: " \u{7}"))
        #expect(
            silent.interface.popover?.content
                == .alert(
                    title: .message(.couldNotOpen, ["Browser"]), message: .message(.endedBySignal, ["11"])))
    }

    @Test("an alert reports an exit at once with a status or by a signal; after status 0 the window may still come")
    func ends() {
        for (status, signal, message) in [
            (1, nil, Text.message(.endedWithStatus, ["1"])), (nil, 11, .message(.endedBySignal, ["11"])), (0, nil, nil),
        ] as [(Int32?, Int32?, Text?)] {
            var world = world()
            world.tap("home/browser")
            world.send(.launched(first, process: 101))
            world.send(.launchEnded(first, status: status, signal: signal))
            if let message {
                #expect(world.interface.popover?.content == .alert(title: .message(.couldNotOpen, ["Browser"]), message: message))
            } else {
                #expect(world.open == ["launching"])
                // The one that ran already shows another window, with the token that it was handed.
                world.create(1, facts("browser", 1))
                world.send(.activationAsked(one, hasRecentSerial: false, launch: first))
                world.map(1)
                #expect(world.workspace.focus == one && world.open == [])
            }
            #expect(world.finish() == [])
        }
    }

    @Test("after fifteen seconds the card goes; a window that comes later appears all the same")
    func patience() {
        var world = world()
        world.tap("home/terminal")
        world.send(.launched(first, process: 101))
        world.wait(14_900)
        #expect(world.open == ["launching"])
        world.wait(200)
        #expect(world.open == [])
        world.create(1, facts("terminal", 1))
        world.map(1)
        #expect(world.workspace.focus == one)
        #expect(world.finish() == [])
    }

    @Test("an app that ended long after its window came says nothing")
    func later() {
        var world = world()
        world.tap("home/terminal")
        world.send(.launched(first, process: 101))
        world.create(1, facts("terminal", 1))
        world.map(1)
        world.rest()
        world.send(.launchEnded(first, status: 1))
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("openApp brings an open app forward, and a second tap while it starts does not start it again")
    func once() {
        var world = world(["editor"])
        world.act(.home)
        world.act(.openApp(app: "editor"))
        #expect(world.launches.isEmpty && world.workspace.focus == one && !world.workspace.isHome)
        world.act(.home)
        world.rest()
        world.tap("home/terminal")
        world.wait(50)
        world.tap("home/terminal")
        #expect(world.launches == [["terminal"]])
        #expect(world.finish() == [])
    }

    @Test("newWindow by the entry's own action; an app that has no window yet is simply started")
    func newWindow() {
        var world = world(["terminal"])
        world.act(.newWindow(app: "editor"))
        #expect(world.launches == [["editor"]])
        world.open(2, facts("editor", 2))
        world.act(.newWindow())
        #expect(world.launches.last == ["editor", "--new-window"])
        world.act(.newWindow(app: "terminal"))
        #expect(world.launches.last == ["terminal"])
        #expect(world.finish() == [])
    }

    @Test("W-08: a single-window app has no + and no New Window; newWindow shows its window")
    func single() {
        var world = world(["browser", "editor"])
        world.act(.controls(window: one))
        world.act(.focus(window: one))
        world.act(.controls(window: one))
        #expect(!world.ids.contains("controls/new"))
        world.act(.appShelf(app: "browser"))
        #expect(!world.ids.contains("shelf/add"))
        world.act(.appExpose(app: "browser"))
        #expect(!world.ids.contains("expose/add"))
        world.act(.appExpose(app: "editor"))
        world.rest()
        #expect(world.ids.contains("expose/add"))
        world.act(.newWindow(app: "browser"))
        #expect(world.launches.isEmpty && world.workspace.focus == one)
        #expect(world.finish() == [])
    }

    @Test("W-19: a window that nobody asked for is counted on its app's icons, and an entry of the shelf opens it")
    func badge() {
        var world = world(["editor", "terminal"])
        world.create(3, facts("editor", 3))
        world.map(3)
        #expect(world.place(three) == .waiting)
        world.act(.home)
        world.rest()
        for icon in ["home/editor", "dock/editor"] {
            #expect(world.control(icon)?.name == .message(.appWithBadge, ["Text Editor", "1"]), "\(icon)")
        }
        #expect(world.system.items(at: world.now).contains { $0.kind == .fill(.badge) })
        world.tap("home/editor")
        #expect(world.open == ["shelf"], "its other window is one tap away")
        world.rest()
        #expect(world.control("shelf/window/3")?.press == .openWaiting(window: three))
        world.tap("shelf/window/3")
        #expect(world.workspace.focus == three && world.open == [])
        #expect(!world.system.items(at: world.now).contains { $0.kind == .fill(.badge) })
        #expect(world.finish() == [])
    }
}
