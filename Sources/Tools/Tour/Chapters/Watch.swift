import AudioSessions
import Control
import Geometry
import Windows

extension Tour {
    static var watch: Chapter {
        Chapter(
            id: "watch", title: "A watch",
            about:
                "One app at a time, and quick ways between favourites and recent apps: the dock, a swipe, the crown. A lowered wrist hides what is private.",
            idiom: "watch", settings: ["idiom = \"watch\""], size: Size(368, 448), hasSound: true, steps: watchSteps + watchSoundSteps)
    }

    /// The same on a disc.
    static var roundWatch: Chapter {
        Chapter(
            id: "round-watch", title: "A round watch",
            about: "A disc: apps stand in the square inside the circle, and what comes near the edge grows smaller and paler.",
            idiom: "round-watch", settings: ["idiom = \"round-watch\""], size: Size(454, 454), steps: roundSteps)
    }

    /// An app that knows small screens.
    private static let small = App(name: "foot", command: ["foot", "--font", "monospace:size=9"], package: "foot")

    private static var watchSteps: [Step] {
        [
            Step("The home screen: apps, and a dock of favourites", [.oneApp, .home]) { guide in
                try guide.isHome(true)
                let favourites = try guide.views("dock/")
                guide.check("the dock has at most four icons", (1...4).contains(favourites.count), "\(favourites.count)")
            },
            Step("A favourite opens over the whole screen, without any control of a window", [.oneApp]) { guide in
                try guide.window(opening: .terminal) { try guide.tap(view: "dock/foot") }
                try guide.place("foot", .full)
                guide.equal("it has the whole screen", try guide.frame("foot").size, try guide.screen().size)
                try guide.client.perform(.home)
                try guide.settle()
                try guide.window(opening: .qt) { try guide.tap(view: "dock/featherpad") }
                try guide.active("featherpad")
                guide.equal("windows in sight", try guide.state().windows.count { $0.shown }, 1)
            },
            Step("A swipe along the lower edge goes to the app used before, and back", [.oneApp]) { guide in
                try guide.swipeAlong(1)
                try guide.active("foot")
                try guide.swipeAlong(-1)
                try guide.active("featherpad")
            },
            Step("The crown does the same", [.oneApp, .everyInput]) { guide in
                let room = try guide.screen()
                for (value, key) in [(-15.0, "foot"), (15, "featherpad")] {
                    try guide.input(.pointerMotion(at: Point(room.center.x, room.maxY - 2)))
                    guide.note("one notch of the crown")
                    try guide.input(.pointerAxis(value: value))
                    try guide.settle()
                    try guide.active(key)
                }
            },
            Step("The app switcher shows recent apps, and closes one", [.switcher, .oneApp]) { guide in
                try guide.swipeSwitcher()
                try guide.isOpen("switcher")
                try guide.shoot("recent apps")
                let card = try guide.view("switcher/space/\(try guide.window("foot").space?.raw ?? 0)")
                guide.seen(card, in: try guide.look())
                try guide.drag(card.frame.center, to: Point(card.frame.center.x, card.frame.center.y - 220), duration: 140)
                try guide.client.waitUntilGone(try guide.id("foot"), timeout: 4000 * Guide.patience)
                try guide.settle()
                try guide.act(.dismiss, "the switcher closes")
            },
            Step("Notifications and the control centre from the upper edge", [.oneApp]) { guide in
                let room = try guide.screen()
                for (x, name) in [(room.width * 0.25, "notifications"), (room.width * 0.75, "control-centre")] {
                    try guide.pull(at: x)
                    try guide.isOpen(name)
                    try guide.shoot(name)
                    try guide.act(.dismiss, "it closes")
                    try guide.settle()
                }
            },
            Step("An app that is too large is one card, which two fingers enlarge and make whole again", [.oneApp, .fits]) { guide in
                try guide.open(.factory)
                let id = try guide.id("gtk4-widget-factory")
                func picture() throws -> Rect { try guide.state()[id]?.picture ?? .zero }
                let room = try guide.screen(), whole = try picture(), scale = try guide.state()[id]?.scale ?? 1
                guide.check(
                    "all of it is in sight", scale < 1 && whole.width <= room.width + 1 && whole.height <= room.height + 1, "\(whole)")
                try guide.shoot("a large app on a watch")
                guide.note("two fingers spread")
                try guide.input(.pinch(center: room.center, from: 60, to: 150, duration: 300))
                try guide.settle()
                guide.check("it is larger", try picture().width > whole.width * 1.8, "\(try picture())")
                try guide.shoot("enlarged by two fingers")
                guide.note("two fingers pinch")
                try guide.input(.pinch(center: room.center, from: 160, to: 30, duration: 300))
                try guide.settle()
                guide.check("all of it is in sight again", try picture() == whole, "\(try picture())")
            },
            Step("A lowered wrist: the icon of the app alone, and the next touch only wakes", [.wrist]) { guide in
                try guide.open(small, as: "foot")
                try guide.type("echo a secret")
                try guide.settle()
                let before = try guide.look()
                try guide.act(.wrist(raised: false), "the wrist is lowered")
                try guide.settle()
                let dark = try guide.shoot("on a lowered wrist")
                guide.changed("nothing of the app is seen", before, dark, atLeast: 0.3)
                try guide.active("foot")
                try guide.tap(try guide.screen().center)
                try guide.settle()
                guide.unchanged("the touch woke it, and did nothing else", before, try guide.look(), atMost: 0.03)
            },
        ]
    }

    /// Plays music until it is closed.
    private static func player(_ file: String) -> App {
        App(
            name: "a player",
            command: ["foot", "--title", "Music", "sh", "-c", "printf 'Music'; exec pw-play --media-role=Music '\(file)'"], package: "foot")
    }

    private static func music(_ guide: Guide) throws -> SessionsReport.Session? { try guide.sound().sessions.first { $0.kind == .music } }

    private static var watchSoundSteps: [Step] {
        [
            Step("Long-form audio waits until a person chooses an output", [.wrist]) { guide in
                guard guide.shell.hasSound else { throw Missing(what: "a sound server", package: "pipewire wireplumber pipewire-pulse") }
                let file = try guide.shell.makeTone()
                try guide.open(player(file), as: "music")
                let waits = try guide.eventually(within: 10) { try music(guide)?.interruptedBy == ["no output was chosen"] }
                guide.check("nothing is heard yet", waits, "\(try music(guide)?.interruptedBy ?? [])")
                let asks = try guide.eventually { try guide.state().open.contains("control-centre/outputs") }
                guide.check("the outputs are offered", asks, try guide.state().open.joined(separator: ", "))
                guide.pause(500)
                try guide.shoot("where it shall be heard")
                guard let output = try guide.views("control-centre/output").first(where: { $0.press != nil }) else {
                    throw Trouble("no output is offered")
                }
                try guide.tap(view: output.id)
                let plays = try guide.eventually(within: 10) { try music(guide)?.interruptedBy.isEmpty ?? false }
                guide.check("it plays", plays, plays ? "it does" : "it does not")
            },
            Step("With the wrist down, long-form audio goes on", [.wrist]) { guide in
                guard guide.shell.hasSound else { throw Missing(what: "a sound server", package: "pipewire wireplumber pipewire-pulse") }
                try guide.act(.wrist(raised: false), "the wrist is lowered")
                guide.pause(800)
                let session = try music(guide)
                guide.check("it plays on", session?.state == "active", session?.state ?? "it is gone")
                try guide.shoot("the wrist is down")
                try guide.act(.wrist(raised: true), "the wrist is raised")
                try guide.settle()
                try guide.active("music")
            },
        ]
    }

    private static var roundSteps: [Step] {
        [
            Step("Icons grow smaller towards the edge of the disc", [.oneApp]) { guide in
                try guide.isHome(true)
                let center = try guide.screen().center
                let far = try guide.views("dock/").filter { $0.frame.center.distance(to: center) + $0.frame.width / 2 > 227 }
                guide.check("the dock stands inside the disc", far.isEmpty, far.first?.id ?? "it does")
            },
            Step("An app stands in the square inside the circle", [.oneApp]) { guide in
                try guide.window(opening: .terminal) { try guide.tap(view: "dock/foot") }
                let side = 454 * (1 - 2 * 0.1464)
                guide.near("its side", try guide.frame("foot").width, side, within: 2)
                try guide.client.perform(.home)
                try guide.settle()
                try guide.window(opening: .qt) { try guide.tap(view: "dock/featherpad") }
                try guide.active("featherpad")
            },
            Step("A swipe, the switcher and the control centre", [.oneApp, .switcher]) { guide in
                try guide.swipeAlong(1)
                try guide.active("foot")
                try guide.act(.appSwitcher, "the app switcher")
                try guide.settle()
                try guide.shoot("recent apps")
                try guide.act(.dismiss, "it closes")
                try guide.act(.controlCentre, "the control centre")
                try guide.settle()
                try guide.shoot("the control centre")
                try guide.act(.dismiss, "it closes")
            },
            Step("The wrist is lowered", [.wrist]) { guide in
                try guide.act(.wrist(raised: false), "the wrist is lowered")
                try guide.settle()
                try guide.shoot("the icon of the app, pale")
                try guide.act(.wrist(raised: true), "the wrist is raised")
                try guide.settle()
                try guide.active("foot")
            },
        ]
    }
}
