import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var keyboardAlone: Chapter {
        Chapter(
            id: "keyboard-alone", title: "By keyboard alone",
            about: "No finger, no pointer: from the home screen to every view of the shell, and to the end of every window.",
            steps: keyboardHome + keyboardViews)
    }

    private static var keyboardHome: [Step] {
        [
            Step("Type on the home screen, Return opens what was found first", [.everyInput, .home]) { guide in
                try guide.desk()
                try guide.type("slow")
                try guide.settle()
                try guide.isOpen("search")
                try guide.shoot("typing searches")
                try guide.window(opening: slow, as: "slow") { try guide.press("Return") }
                try guide.active("slow")
                _ = try guide.eventually { try guide.state().open.isEmpty }
            },
            Step("A tap of the Super key: home, and back", [.everyInput, .home]) { guide in
                try guide.press("Super")
                try guide.settle()
                try guide.isHome(true)
                try guide.press("Super")
                try guide.settle()
                try guide.isHome(false)
                try guide.active("slow")
            },
            Step("Arrows go from icon to icon, Return opens, the Menu key asks", [.everyInput, .home]) { guide in
                try guide.press("Super+d")
                try guide.settle()
                try walk(guide, to: "home/foot")
                try guide.shoot("a ring around the icon")
                try guide.press("Menu")
                try guide.settle()
                try guide.isOpen("menu")
                try guide.shoot("its menu")
                try guide.press("Escape")
                try guide.settle()
                try guide.nothingIsOpen()
                try walk(guide, to: "home/foot")
                try guide.window(opening: .terminal) { try guide.press("Return") }
                try guide.active("foot")
            },
            Step("Super held: the list of keys; let go, it is gone", [.everyInput]) { guide in
                try guide.input(.key(key: .init("super")!, pressed: true))
                guide.note("Super held")
                let isOpen = try guide.eventually(within: 2.5) { try guide.state().open == ["keys"] }
                guide.check("the keys are listed", isOpen, isOpen ? "listed" : "not listed")
                guide.pause(250)
                let picture = try guide.shoot("the list")
                for line in try guide.views("keys/").prefix(40) { guide.seen(line, in: picture) }
                try guide.input(.key(key: .init("super")!, pressed: false))
                try guide.settle()
                try guide.nothingIsOpen()
                try guide.active("foot")
            },
        ]
    }

    private static var keyboardViews: [Step] {
        [
            Step("The app switcher: arrows, Delete, Return", [.everyInput, .switcher]) { guide in
                try guide.desk(.gtk4, .qt, .terminal)
                try guide.press("Super+a")
                try guide.settle()
                try guide.isOpen("switcher")
                guard let qt = try guide.window("featherpad").space, let gtk = try guide.window("gtk4-demo").space else {
                    throw Trouble("an app has no space")
                }
                try walk(guide, to: "switcher/space/\(qt.raw)")
                try guide.shoot("a ring around a card")
                try guide.press("Delete")
                try guide.client.waitUntilGone(try guide.id("featherpad"), timeout: 4000)
                try guide.settle()
                guide.check("the app is closed", true, "gone")
                try walk(guide, to: "switcher/space/\(gtk.raw)")
                try guide.press("Return")
                try guide.settle()
                try guide.nothingIsOpen()
                try guide.active("gtk4-demo")
            },
            Step("The multitasking controls: Split View", [.everyInput, .controls, .splitView]) { guide in
                try guide.press("Super+m")
                try guide.settle()
                try guide.isOpen("controls")
                try walk(guide, to: "controls/split-right")
                try guide.shoot("a ring around a choice")
                try guide.press("Return")
                try guide.settle()
                try guide.place("gtk4-demo", .splitRight)
                try guide.place("foot", .splitLeft)
            },
            Step("A new window, the shelf, App Expos\u{e9}", [.everyInput, .shelf, .expose]) { guide in
                try guide.desk(.terminal)
                try guide.window(opening: .terminal, as: "second") { try guide.press("Super+Shift+n") }
                try guide.active("second")
                try guide.press("Super+e")
                try guide.settle()
                try guide.isOpen("shelf")
                try walk(guide, to: "shelf/window/\(try guide.id("foot").raw)")
                try guide.press("Return")
                try guide.settle()
                try guide.active("foot")
                try guide.press("Super+Shift+e")
                try guide.settle()
                try guide.isOpen("expose")
                try walk(guide, to: "switcher/window/\(try guide.id("second").raw)")
                try guide.shoot("App Expos\u{e9}")
                try guide.press("Return")
                try guide.settle()
                try guide.active("second")
            },
            Step("The dock: Tab into it, Return", [.everyInput, .home]) { guide in
                try guide.installed(demoEntry, .gtk4)
                try guide.desk(.terminal)
                try guide.press("Super+b")
                try guide.settle()
                try guide.isOpen("dock")
                try walk(guide, to: "dock/\(demoEntry)")
                try guide.shoot("a ring around an icon of the dock")
                try guide.window(opening: .gtk4) { try guide.press("Return") }
                try guide.active("gtk4-demo")
                try guide.nothingIsOpen()
            },
            Step("Notifications and the control centre", [.everyInput, .home, .accessible]) { guide in
                try guide.press("Super+Shift+w")
                try guide.settle()
                try guide.isOpen("notifications")
                try guide.press("Escape")
                try guide.settle()
                try guide.press("Super+c")
                try guide.settle()
                try guide.isOpen("control-centre")
                try walk(guide, to: "control-centre/dark")
                try guide.press("space")
                try guide.settle()
                guide.check("dark, by the space bar", try guide.view("control-centre/dark").chosen, "dark")
                try guide.shoot("dark")
                try guide.press("space")
                try guide.settle()
                guide.check("and light again", try !guide.view("control-centre/dark").chosen, "light")
                try guide.press("Escape")
                try guide.settle()
                try guide.nothingIsOpen()
            },
            Step("Pages of a small home screen", [.everyInput, .home]) { guide in
                let size = try guide.screen().size
                try guide.desk()
                try guide.client.perform(.resizeScreen(size: Size(640, 560)))
                defer {
                    try? guide.client.perform(.resizeScreen(size: size))
                    try? guide.settle()
                }
                try guide.settle()
                try guide.firstPage(by: .keys)
                try guide.press("Page_Down")
                try guide.settle()
                guide.equal("page", try guide.state().page, 1)
                try guide.press("Page_Up")
                try guide.settle()
                guide.equal("page", try guide.state().page, 0)
            },
        ]
    }

    /// Presses Tab until the focus ring is on the control, as a user would.
    private static func walk(_ guide: Guide, to id: String) throws {
        for _ in 0..<60 where try !guide.view(id, by: .keys).focused { try guide.client.input(.press(keys: "Tab")) }
        guide.note("Tab until \(id) has the ring")
        try guide.settle()
        let isThere = try guide.view(id).focused
        guide.check("the keyboard reaches \(try guide.view(id).name)", isThere, isThere ? "it has the ring" : "it is never reached")
    }

    // MARK: Pointer

    static var pointerAlone: Chapter {
        Chapter(
            id: "pointer-alone", title: "By pointer alone",
            about: "A mouse with two buttons and a wheel.",
            steps: pointerHome + pointerViews)
    }

    private static var pointerHome: [Step] {
        [
            Step("Click an icon; click the line at the bottom: home", [.everyInput, .home]) { guide in
                try guide.desk()
                try guide.window(opening: .terminal) { try guide.click(view: "home/foot") }
                try guide.active("foot")
                try guide.click(view: "indicator")
                try guide.settle()
                try guide.isHome(true)
                try guide.click(view: "home/foot")
                try guide.settle()
                try guide.active("foot")
            },
            Step("The right button: an app\u{2019}s menu", [.everyInput, .home]) { guide in
                try guide.click(view: "indicator")
                try guide.settle()
                let place = try guide.view("home/foot", by: .pointer).frame.center
                guide.note("right click \(Int(clamping: place.x)), \(Int(clamping: place.y))")
                try guide.input(.click(at: place, button: .right))
                try guide.settle()
                try guide.isOpen("menu")
                try guide.shoot("the menu")
                try guide.click(view: "menu/all")
                try guide.settle()
                try guide.isOpen("expose")
                try guide.shoot("App Expos\u{e9}")
                try guide.click(view: "switcher/window/\(try guide.id("foot").raw)")
                try guide.settle()
                try guide.active("foot")
            },
            Step("Search: click the field, type, click", [.everyInput, .home]) { guide in
                try guide.click(view: "indicator")
                try guide.settle()
                try guide.click(view: "search")
                try guide.type("gtk d")
                try guide.settle()
                try guide.installed(demoEntry, .gtk4)
                try guide.window(opening: .gtk4) { try guide.click(view: "home/\(demoEntry)") }
                try guide.active("gtk4-demo")
            },
            Step("The wheel turns pages of a small home screen", [.everyInput, .home]) { guide in
                let size = try guide.screen().size
                try guide.desk()
                try guide.client.perform(.resizeScreen(size: Size(640, 560)))
                defer {
                    try? guide.client.perform(.resizeScreen(size: size))
                    try? guide.settle()
                }
                try guide.settle()
                try guide.firstPage(by: .pointer)
                try guide.input(.pointerMotion(at: Point(320, 380)))
                try guide.input(.pointerAxis(value: 15))
                guide.note("the wheel, one notch")
                try guide.settle()
                guide.equal("page", try guide.state().page, 1)
                try guide.drag(Point(200, 380), to: Point(500, 380), duration: 200, pointer: true)
                try guide.settle()
                guide.equal("dragged back, page", try guide.state().page, 0)
            },
        ]
    }

    private static var pointerViews: [Step] {
        [
            Step("Click the dots, click a choice", [.everyInput, .controls]) { guide in
                try guide.desk(.gtk4, .terminal)
                let frame = try guide.frame("foot")
                try guide.click(Point(frame.center.x, frame.minY + 10))
                try guide.settle()
                try guide.isOpen("controls")
                try guide.click(view: "controls/split-left")
                try guide.settle()
                try guide.place("foot", .splitLeft)
                try guide.place("gtk4-demo", .splitRight)
            },
            Step("Drag up from the bottom edge: the dock; drag an icon to the middle", [.everyInput, .home, .slideOver]) { guide in
                try guide.installed("featherpad", .qt)
                try dock(guide)
                let icon = try guide.view("dock/featherpad").frame.center
                try guide.window(opening: .qt) {
                    try guide.drag(icon, to: Point(720, 380), duration: 400, rest: 150, pointer: true)
                }
                try guide.place("featherpad", .slideOver)
            },
            Step("Drag up and rest: the app switcher. The wheel, a drag, a click", [.everyInput, .switcher]) { guide in
                try switcher(guide)
                let card = try guide.view("switcher/window/\(try guide.id("featherpad").raw)").frame.center
                try guide.drag(card, to: Point(card.x, card.y - 400), duration: 200, pointer: true)
                try guide.client.waitUntilGone(try guide.id("featherpad"), timeout: 4000)
                try guide.settle()
                guide.check("dragged up it closes", true, "gone")
                try guide.click(Point(60, 60))
                try guide.settle()
                try guide.nothingIsOpen()
            },
            Step("The app shelf: click the plus, click a window", [.everyInput, .shelf]) { guide in
                try guide.desk(.terminal)
                let frame = try guide.frame("foot")
                try guide.click(Point(frame.center.x, frame.minY + 10))
                try guide.settle()
                try guide.click(view: "controls/all")
                try guide.settle()
                try guide.isOpen("shelf")
                try guide.window(opening: .terminal, as: "second") { try guide.click(view: "shelf/add") }
                try guide.active("second")
                try guide.click(Point(frame.center.x, frame.minY + 10))
                try guide.settle()
                try guide.click(view: "controls/all")
                try guide.settle()
                try guide.click(view: "shelf/window/\(try guide.id("foot").raw)")
                try guide.settle()
                try guide.active("foot")
            },
            Step("Drag down from the top edge: notifications, control centre", [.everyInput, .home]) { guide in
                try guide.desk()
                for (x, name) in [(300.0, "notifications"), (1000.0, "control-centre")] {
                    try guide.drag(Point(x, 2), to: Point(x, 260), duration: 240, rest: 60, pointer: true)
                    try guide.settle()
                    try guide.isOpen(name)
                    try guide.shoot(name)
                    try guide.click(Point(200, 700))
                    try guide.settle()
                }
                try guide.nothingIsOpen()
                try guide.desk(.terminal)
                try guide.drag(Point(300, 1), to: Point(300, 260), duration: 240, rest: 60, pointer: true)
                try guide.settle()
                let open = try guide.state().open
                guide.check("over an app, too", open == ["notifications"], open.isEmpty ? "nothing opened" : open.joined(separator: ", "))
                try guide.clearViews()
                try guide.settle()
            },
            Step("The dots of a window, and Close", [.everyInput, .controls]) { guide in
                try guide.desk(.terminal)
                let frame = try guide.frame("foot"), id = try guide.id("foot")
                try guide.click(Point(frame.center.x, frame.minY + 10))
                try guide.settle()
                try guide.click(view: "controls/close")
                try guide.client.waitUntilGone(id, timeout: 3000)
                try guide.settle()
                try guide.isHome(true)
            },
        ]
    }

    private static func dock(_ guide: Guide) throws {
        let y = try guide.screen().maxY
        try guide.drag(Point(300, y - 2), to: Point(300, y - 60), duration: 260, rest: 160, pointer: true)
        try guide.settle()
        try guide.isOpen("dock")
    }

    private static func switcher(_ guide: Guide) throws {
        let y = try guide.screen().maxY
        try guide.drag(Point(300, y - 2), to: Point(300, y - 240), duration: 300, rest: 500, pointer: true)
        try guide.settle()
        try guide.isOpen("switcher")
        try guide.shoot("the app switcher")
    }
}
