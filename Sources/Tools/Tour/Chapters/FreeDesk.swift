import Control
import Geometry
import Windows

extension Tour {
    static var freeDesk: Chapter {
        Chapter(
            id: "mac", title: "A desk with free windows",
            about:
                "The idiom mac: windows that a person moves, resizes and puts away; a menu bar, a dock that stands, and keys for apps in turn.",
            idiom: "mac", steps: [begins, moves, resizes, switches, minimizes, menus, ends])
    }

    private static func bar(_ key: String, _ guide: Guide) throws -> Point {
        let frame = try guide.frame(key)
        return Point(frame.center.x + 60, frame.minY - 16)
    }

    private static var begins: Step {
        Step("The idiom changes: every window is in sight", [.desk]) { guide in
            try guide.desk(.qt, .terminal)
            try guide.act(.idiom("mac"), "idiom mac")
            try guide.settle()
            try guide.place("foot", .free)
            try guide.place("featherpad", .free)
            let names = try guide.views("menu-bar/").map(\.id)
            guide.check(
                "the menu bar has the app and its windows", names.contains("menu-bar/app") && names.contains("menu-bar/windows"),
                names.joined(separator: ", "))
            guide.check("the dock stands", try guide.has("dock"), "it is there")
        }
    }

    private static var moves: Step {
        Step("By its title bar to the left edge: a half; away again: its own size", [.desk]) { guide in
            let before = try guide.frame("foot").size, start = try bar("foot", guide)
            try guide.dragShowing(start, to: Point(3, 400), "the preview of a half")
            try guide.settle()
            let screen = try guide.screen(), half = try guide.frame("foot")
            guide.near("it is half as wide as the screen", half.width, screen.width / 2, within: 1)
            try guide.shoot("the left half")
            try guide.drag(try bar("foot", guide), to: Point(screen.center.x, 120), duration: 400, rest: 200)
            try guide.settle()
            guide.near("its own width", try guide.frame("foot").width, before.width, within: 8)
        }
    }

    private static var resizes: Step {
        Step("A finger beside a corner resizes it", [.desk]) { guide in
            let before = try guide.frame("foot"), corner = Point(before.maxX + 10, before.maxY + 10)
            try guide.drag(corner, to: corner + Vector(-140, -90), duration: 400, rest: 150)
            try guide.settle()
            let after = try guide.frame("foot")
            guide.check(
                "it is smaller, and its upper left corner stays",
                after.width < before.width - 80 && after.origin.distance(to: before.origin) < 1, words(after))
        }
    }

    private static var switches: Step {
        Step("Super held, Tab: the apps; let go: the one chosen", [.desk, .everyInput]) { guide in
            try guide.input(.key(key: .init("super")!, pressed: true))
            try guide.input(.press(keys: "Tab"))
            guide.note("Super held, Tab")
            let isOpen = try guide.eventually { try guide.state().open == ["switch"] }
            guide.check("the switcher is open", isOpen, isOpen ? "open" : "closed")
            guide.pause(400)
            try guide.shoot("apps in turn")
            try guide.input(.key(key: .init("super")!, pressed: false))
            try guide.settle()
            try guide.nothingIsOpen()
            try guide.active("featherpad")
        }
    }

    private static var minimizes: Step {
        Step("Minimized, it is a picture in the dock, and a tap brings it back", [.desk]) { guide in
            let id = try guide.id("featherpad")
            try guide.act(.minimize(window: id), "minimize")
            try guide.settle()
            try guide.place("featherpad", .minimized)
            try guide.shoot("in the dock")
            try guide.tap(view: "dock/window/\(id.raw)")
            try guide.settle()
            try guide.active("featherpad")
        }
    }

    private static var menus: Step {
        Step("The menu Windows: full screen and back, and hide the app", [.desk]) { guide in
            try guide.tap(view: "menu-bar/windows")
            try guide.settle()
            try guide.isOpen("menu-bar")
            try guide.shoot("its windows")
            try guide.tap(view: "menu-bar/windows/full")
            try guide.settle()
            guide.equal("it has the whole screen", try guide.frame("featherpad").size, try guide.screen().size)
            try guide.press("Super+Ctrl+f")
            try guide.settle()
            try guide.tap(view: "menu-bar/app")
            try guide.settle()
            try guide.tap(view: "menu-bar/app/hide")
            try guide.settle()
            try guide.active("foot")
        }
    }

    private static var ends: Step {
        Step("Back in the first idiom, each window stands where it was", [.desk]) { guide in
            try guide.act(.idiom("pad"), "idiom pad")
            try guide.settle()
            try guide.place("foot", .full)
            try guide.place("featherpad", .full)
        }
    }
}
