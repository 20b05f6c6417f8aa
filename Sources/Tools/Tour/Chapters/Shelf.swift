import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var shelf: Chapter {
        Chapter(
            id: "shelf", title: "App shelf and App Expos\u{e9}",
            about:
                "All windows of one app: along the bottom while the app stays in sight, or over the whole screen. Each has a control that opens another.",
            steps: shelfSteps + exposeSteps)
    }

    private static func terminal(_ name: String, _ colour: String) -> App {
        App(name: "foot", command: ["foot", "-o", "colors.background=\(colour)", "--title", name], package: "foot")
    }

    private static var shelfSteps: [Step] {
        [
            Step("An app with several windows, opened from home: its shelf", [.shelf]) { guide in
                try guide.desk([
                    ("red", terminal("Red", "5a2d2d")), ("green", terminal("Green", "2a4d3a")), ("blue", terminal("Blue", "17384f")),
                ])
                try guide.installed("foot", .terminal)
                try guide.swipeHome()
                try guide.tap(view: "home/foot")
                try guide.settle()
                try guide.isOpen("shelf")
                try guide.active("blue")
                let thumbs = try guide.views("shelf/window/"), picture = try guide.look()
                guide.equal("its windows, by name", thumbs.map(\.name).sorted(), ["Blue", "Green", "Red"])
                for thumb in thumbs {
                    let id = WindowID(UInt32(thumb.id.split(separator: "/").last ?? "") ?? 0)
                    guard let mine = try guide.look(id).meanColour(), let there = picture.meanColour(in: thumb.frame.inset(by: 6)) else {
                        continue
                    }
                    guide.check(
                        "\(thumb.name) is a live picture", mine.distance(to: there) < 30,
                        "mean colours differ by \(mine.distance(to: there)) of 255")
                }
            },
            Step("A tap on one brings it forward", [.shelf]) { guide in
                let id = try guide.id("red")
                try guide.tap(view: "shelf/window/\(id.raw)")
                try guide.settle()
                try guide.active("red")
                try guide.nothingIsOpen()
            },
            Step("A tap beside closes the shelf, and is the app\u{2019}s", [.shelf]) { guide in
                try openShelf(guide, "red")
                try guide.tap(Point(600, 300))
                try guide.settle()
                try guide.nothingIsOpen()
                try guide.active("red")
            },
            Step("The plus opens another window", [.shelf]) { guide in
                try openShelf(guide, "red")
                let before = try guide.state().windows.count
                try guide.window(opening: .terminal, as: "added") { try guide.tap(view: "shelf/add") }
                guide.equal("windows", try guide.state().windows.count, before + 1)
                try guide.active("added")
                try guide.place("added", .full)
            },
            Step("A thumb is flicked up: its window closes", [.shelf]) { guide in
                try openShelf(guide, "added")
                let id = try guide.id("green")
                let thumb = try guide.view("shelf/window/\(id.raw)").frame.center
                try guide.drag(thumb, to: Point(thumb.x, thumb.y - 320), duration: 160)
                let isGone = (try? guide.client.waitUntilGone(id, timeout: 2500)) != nil
                guide.check("Green is closed", isGone, isGone ? "gone" : "it is still open")
                try guide.settle()
                try guide.isOpen("shelf")
            },
            Step("By key: to a thumb, and Delete closes its window", [.shelf, .everyInput]) { guide in
                try guide.desk([("red", terminal("Red", "5a2d2d")), ("blue", terminal("Blue", "17384f"))])
                try guide.press("Super+e")
                try guide.settle()
                try guide.isOpen("shelf")
                let id = try guide.id("red")
                // The app has the keyboard focus until Tab with the shelf's key held moves it into the shelf.
                for _ in 0..<6 where try !(guide.view("shelf/window/\(id.raw)").focused) { try guide.press("Tab") }
                let isThere = try guide.view("shelf/window/\(id.raw)").focused
                guide.check("the keyboard is at Red", isThere, isThere ? "it has a ring" : "it is elsewhere")
                try guide.shoot("a ring around it")
                try guide.press("Delete")
                let isGone = (try? guide.client.waitUntilGone(id, timeout: 2500)) != nil
                guide.check("Red is closed", isGone, isGone ? "gone" : "it is still open")
            },
            Step("A window that opened unasked has a badge, in the dock and in the shelf", [.shelf, .asked]) { guide in
                try guide.desk()
                let sneaky = App(
                    name: "a program with a delay", command: ["foot", "sh", "-c", "sleep 2.6; foot --title Unasked & sleep 60"],
                    package: "foot")
                try guide.open(sneaky, as: "first")
                let waits = try guide.eventually(within: 6) { try !guide.state().waiting.isEmpty }
                guide.check("a window waits", waits, waits ? "one" : "none")
                guard let waiting = try guide.state().waiting.first else { return }
                guide.adopt(waiting, .terminal, as: "unasked")
                try guide.swipeDock()
                let icon = try guide.view("dock/foot")
                guide.check("the dock\u{2019}s icon tells of it", icon.name.contains("1"), icon.name)
                let picture = try guide.shoot("the badge in the dock")
                let corner = Rect(icon.frame.maxX - 14, icon.frame.minY - 6, 16, 14)
                let colour = picture.meanColour(in: corner)
                guide.check(
                    "the badge is red", colour.map { $0.red > 140 && $0.red > $0.green + 40 } ?? false, colour?.description ?? "nothing")
                try guide.tap(view: "dock/foot")
                try guide.settle()
                try guide.isOpen("shelf")
                try guide.shoot("the badge in the shelf")
                try guide.tap(view: "shelf/window/\(waiting.raw)")
                try guide.settle()
                try guide.place("unasked", .full)
                try guide.active("unasked")
                guide.equal("nothing waits any more", try guide.state().waiting.count, 0)
            },
        ]
    }

    private static var exposeSteps: [Step] {
        [
            Step("\u{201c}Show All Windows\u{201d} in the app\u{2019}s menu: App Expos\u{e9}", [.expose]) { guide in
                try guide.desk([
                    ("red", terminal("Red", "5a2d2d")), ("green", terminal("Green", "2a4d3a")), ("blue", terminal("Blue", "17384f")),
                ])
                try guide.swipeHome()
                try guide.hold(view: "home/foot")
                try guide.lift()
                try guide.tap(view: "menu/all")
                try guide.settle()
                try guide.isOpen("expose")
                let cards = try guide.views("switcher/window/")
                guide.equal("cards", cards.count, 3)
                guide.check("and a tile with a plus", try guide.has("expose/add"), try guide.view("expose/add").name)
            },
            Step("Swipe one up: it closes, the others close up", [.expose]) { guide in
                let id = try guide.id("green")
                let card = try guide.view("switcher/window/\(id.raw)").frame.center
                try guide.drag(card, to: Point(card.x, card.y - 460), duration: 160)
                try guide.client.waitUntilGone(id, timeout: 4000)
                try guide.settle()
                guide.equal("cards", try guide.views("switcher/window/").count, 2)
            },
            Step("A tap on a card goes there", [.expose]) { guide in
                let id = try guide.id("red")
                try guide.tap(view: "switcher/window/\(id.raw)")
                try guide.settle()
                try guide.active("red")
                try guide.place("red", .full)
                try guide.nothingIsOpen()
            },
            Step("The plus opens another window", [.expose]) { guide in
                try guide.swipeDock()
                try guide.hold(view: "dock/foot")
                try guide.lift()
                try guide.tap(view: "menu/all")
                try guide.settle()
                try guide.isOpen("expose")
                try guide.window(opening: .terminal, as: "added") { try guide.tap(view: "expose/add") }
                try guide.active("added")
                try guide.nothingIsOpen()
                try guide.desk()
            },
        ]
    }

    /// Through the window's controls.
    private static func openShelf(_ guide: Guide, _ key: String) throws {
        try guide.tap(try guide.grip(key))
        try guide.settle()
        try guide.tap(view: "controls/all")
        try guide.settle()
        try guide.isOpen("shelf")
    }
}
