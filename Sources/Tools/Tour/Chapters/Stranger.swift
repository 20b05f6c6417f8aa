import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var stranger: Chapter {
        Chapter(
            id: "stranger", title: "A stranger\u{2019}s walk",
            about:
                "Somebody who was told nothing, with a finger on what there is to see: an app, a second one beside it, a third over both, and all of them closed.",
            steps: [
                Step("There are icons: tap one", [.home, .realApps]) { guide in
                    try guide.desk()
                    try guide.isHome(true)
                    try guide.window(opening: .terminal) { try guide.tap(view: "home/foot") }
                    try guide.place("foot", .full)
                    try guide.active("foot")
                },
                Step("There is a line at the bottom: push it up a little", [.home]) { guide in
                    let line = try guide.view("indicator").frame
                    try guide.drag(line.center, to: Point(line.center.x, line.center.y - 56), duration: 260, rest: 160)
                    try guide.settle()
                    try guide.isOpen("dock")
                    for icon in try guide.views("dock/") { guide.seen(icon, in: try guide.look()) }
                },
                Step("It has icons: tap another", [.home]) { guide in
                    try guide.installed(demoEntry, .gtk4)
                    try guide.window(opening: .gtk4) { try guide.tap(view: "dock/\(demoEntry)") }
                    try guide.place("gtk4-demo", .full)
                    try guide.nothingIsOpen()
                },
                Step("There are three dots at the top: tap them", [.controls]) { guide in
                    try guide.tap(try guide.grip("gtk4-demo"))
                    try guide.settle()
                    try guide.isOpen("controls")
                    let picture = try guide.look()
                    for choice in try guide.views("controls/") { guide.seen(choice, in: picture) }
                },
                Step("\u{201c}Split View\u{201d} is one of the choices", [.controls, .splitView]) { guide in
                    try guide.tap(view: "controls/split-left")
                    try guide.settle()
                    try guide.place("gtk4-demo", .splitLeft)
                    try guide.place("foot", .splitRight)
                    try guide.nothingIsOpen()
                },
                Step("The dock again; an icon is dragged out of it", [.home, .slideOver, .slideOverSplit]) { guide in
                    try guide.installed("featherpad", .qt)
                    try guide.swipeDock()
                    let icon = try guide.view("dock/featherpad").frame.center
                    try guide.window(opening: .qt) {
                        try guide.touch(icon)
                        try guide.glide(Point(700, 380), duration: 350)
                        guide.pause(200)
                        try guide.shoot("the icon hangs at the finger, its place is shown")
                        try guide.lift()
                    }
                    try guide.place("featherpad", .slideOver)
                    try guide.place("gtk4-demo", .splitLeft)
                },
                Step("The line, pushed up and held: everything that is open", [.switcher]) { guide in
                    try guide.swipeSwitcher(showing: "under the finger")
                    try guide.isOpen("switcher")
                    let cards = try guide.views("switcher/").filter { $0.role == .card }
                    guide.equal("cards", cards.count, 2)
                },
                Step("A tap on one goes there", [.switcher]) { guide in
                    let id = try guide.id("featherpad")
                    try guide.tap(view: "switcher/window/\(id.raw)")
                    try guide.settle()
                    try guide.active("featherpad")
                    try guide.nothingIsOpen()
                },
                Step("The crosses close them, one after the other", [.switcher]) { guide in
                    try guide.swipeSwitcher()
                    for key in ["featherpad", "gtk4-demo", "foot"] {
                        let id = try guide.id(key)
                        try guide.tap(view: "switcher/close/\(id.raw)")
                        try guide.client.waitUntilGone(id, timeout: 4000)
                        try guide.settle()
                        try guide.shoot("\(key) is closed")
                    }
                    guide.equal("windows that are left", try guide.state().windows.count, 0)
                },
                Step("A tap beside: home, where it began", [.home, .switcher]) { guide in
                    if try guide.state().open.contains("switcher") { try guide.tap(Point(60, 760)) }
                    try guide.settle()
                    try guide.isHome(true)
                    try guide.nothingIsOpen()
                },
            ])
    }
}
