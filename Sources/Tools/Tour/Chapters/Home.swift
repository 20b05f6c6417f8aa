import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static let slow = App(name: "Slow Terminal", command: ["foot"], package: "foot")
    static let demoEntry = "org.gtk.Demo4"

    static var home: Chapter {
        Chapter(
            id: "home", title: "Home",
            about: "The installed apps, the dock, search. An app opens out of its icon and goes back into it.",
            steps: homeSteps + menuSteps)
    }

    private static var homeSteps: [Step] {
        [
            Step("A fresh start is the home screen: every installed app has an icon", [.home, .accessible]) { guide in
                try guide.desk()
                try guide.isHome(true)
                let apps = try guide.client.ask(.get(.apps), for: [Windows.App].self)
                var icons: [ViewReport] = []
                let pages = try guide.state().pages
                for page in 0..<pages {
                    if page > 0 { try guide.turnPage(1) }
                    let picture = try guide.look(), shown = try guide.views("home/")
                    for icon in shown + (try guide.views("dock/")) { guide.seen(icon, in: picture) }
                    icons += shown
                }
                try guide.firstPage()
                guide.equal("icons on \(pages == 1 ? "the page" : "\(pages) pages")", icons.count, apps.count)
                let names = Set(icons.map(\.name)), lacking = apps.filter { !names.contains($0.name) }
                guide.check(
                    "they are named as the apps are", lacking.isEmpty,
                    lacking.first?.name ?? icons.map(\.name).sorted().joined(separator: ", "))
            },
            Step("A tap on an icon: the app\u{2019}s card stands for it until its window comes", [.home]) { guide in
                try guide.window(opening: slow, as: "slow") {
                    let before = try guide.look()
                    try guide.tap(view: "home/slow-terminal")
                    guide.pause(450)
                    try guide.isOpen("launching")
                    let card = try guide.shoot("the card, while the app starts")
                    guide.changed("the card covers the screen", before, card, atLeast: 0.7)
                }
                try guide.isHome(false)
                try guide.place("slow", .full)
                guide.equal("it belongs to the app", try guide.window("slow").app, "slow-terminal")
                _ = try guide.eventually { try guide.state().open.isEmpty }
                try guide.nothingIsOpen()
            },
            Step("A flick up from the bottom edge: home, the window goes into its icon", [.home]) { guide in
                try guide.swipeHome(showing: "on its way under the finger")
                try guide.isHome(true)
                guide.equal("the window is not shown", try guide.window("slow").shown, false)
            },
            Step("A tap on the icon of an open app brings its window back", [.home]) { guide in
                let before = try guide.state().windows.count
                try guide.tap(view: "home/slow-terminal")
                try guide.settle()
                try guide.isHome(false)
                try guide.active("slow")
                guide.equal("no other window opened", try guide.state().windows.count, before)
            },
            Step("Search: tap the field, type, tap what was found", [.home, .everyInput]) { guide in
                try guide.swipeHome()
                try guide.tap(view: "search")
                try guide.settle()
                try guide.isOpen("search")
                try guide.type("slow t")
                try guide.settle()
                guide.equal("it is looked for", try guide.state().search ?? "nothing", "slow t")
                guide.equal("found", try guide.views("home/").map(\.id), ["home/slow-terminal"])
                try guide.shoot("what was found")
                try guide.tap(view: "home/slow-terminal")
                try guide.settle()
                try guide.active("slow")
                try guide.nothingIsOpen()
            },
            Step("What is not there is not found; the field\u{2019}s own control clears it", [.home]) { guide in
                try guide.swipeHome()
                try guide.tap(view: "search")
                try guide.type("qzqz")
                try guide.settle()
                guide.equal("found", try guide.views("home/").map(\.id), ["home/empty"])
                guide.check("it says so", try guide.view("home/empty").name.contains("qzqz"), try guide.view("home/empty").name)
                try guide.shoot("nothing found")
                try guide.tap(view: "search/clear")
                try guide.settle()
                try guide.nothingIsOpen()
                let icons = try guide.views("home/").count
                guide.check("the icons are back", icons > 1, "\(icons) on this page")
            },
            Step("A pull down on the home screen searches too", [.home]) { guide in
                try guide.drag(Point(590, 560), to: Point(590, 700), duration: 260, rest: 100)
                try guide.settle()
                try guide.isOpen("search")
                try guide.tap(Point(150, 770))
                try guide.settle()
                try guide.nothingIsOpen()
            },
            Step("An app that fails says so", [.home]) { guide in
                try guide.tap(view: "home/broken-app")
                let told = try guide.eventually(within: 5) { try guide.state().open.contains("alert") }
                guide.check("an alert is there", told, told ? "there" : "nothing came")
                try guide.settle()
                let name = try guide.view("alert/text").name
                guide.check("it names the app", name.contains("Broken App"), name)
                try guide.shoot("the alert")
                try guide.tap(view: "alert/ok")
                try guide.settle()
                try guide.nothingIsOpen()
                try guide.isHome(true)
            },
            Step("A small screen has pages: turn them by finger", [.home]) { guide in
                let size = try guide.screen().size
                try guide.client.perform(.resizeScreen(size: Size(640, 560)))
                defer {
                    try? guide.client.perform(.resizeScreen(size: size))
                    try? guide.settle()
                }
                guide.note("a screen of 640 by 560 points")
                try guide.settle()
                try guide.firstPage()
                let pages = try guide.state().pages, first = try guide.views("home/").map(\.id)
                guide.check("there are several", pages > 1, "\(pages)")
                try guide.shoot("the first page")
                try guide.drag(Point(520, 330), to: Point(120, 330), duration: 200)
                try guide.settle()
                guide.equal("page", try guide.state().page, 1)
                let second = try guide.views("home/").map(\.id)
                guide.check("it holds other apps", Set(first).isDisjoint(with: second), second.joined(separator: ", "))
                try guide.shoot("the second page")
                try guide.drag(Point(120, 330), to: Point(520, 330), duration: 200)
                try guide.settle()
                guide.equal("page", try guide.state().page, 0)
                try guide.tap(view: "pages")
                try guide.settle()
                guide.equal("a tap on the dots below turns it, too", try guide.state().page, 1)
            },
            Step("An app that is installed appears, and goes when it is removed", [.home]) { guide in
                try guide.shell.install("newcomer", "Name=Newcomer\nExec=foot --app-id newcomer\nIcon=foot")
                guide.note("a desktop entry is written")
                let came = try guide.eventually(within: 5) {
                    try guide.client.ask(.get(.apps), for: [Windows.App].self).contains { $0.id == "newcomer" }
                }
                guide.check("it is known", came, came ? "known" : "not known after 5 s")
                guide.note("its icon: \(words(try guide.view("home/newcomer").frame))")
                try guide.settle()
                try guide.shoot("a new app")
                guide.shell.uninstall("newcomer")
                let went = try guide.eventually(within: 5) { try !guide.has("home/newcomer") }
                guide.check("and gone again", went, went ? "gone" : "still there after 5 s")
            },
        ]
    }

    private static var menuSteps: [Step] {
        [
            Step("A finger that rests on an icon: the app\u{2019}s menu", [.home, .everyInput]) { guide in
                try guide.desk()
                try guide.hold(view: "home/slow-terminal")
                try guide.shoot("under the finger")
                try guide.lift()
                try guide.settle()
                try guide.isOpen("menu")
                let items = try guide.views("menu/").map(\.name)
                guide.check("it offers the app\u{2019}s own action", items.contains("Open a Wide One"), items.joined(separator: ", "))
                try guide.tapBeside("menu")
                try guide.nothingIsOpen()
            },
            Step("Its own action opens a window", [.home]) { guide in
                try guide.desk()
                try guide.hold(view: "home/slow-terminal")
                try guide.lift()
                try guide.window(opening: slow, as: "wide") { try guide.tap(view: "menu/action/wide") }
                guide.equal("its title", try guide.window("wide").title, "Wide")
                try guide.place("wide", .full)
            },
            Step("Into the dock, and out of it", [.home]) { guide in
                // A person cannot change a dock that the file sets.
                try guide.shell.configure(without: "dock")
                defer { try? guide.shell.configure() }
                try guide.swipeHome()
                try guide.hold(view: "home/broken-app")
                try guide.lift()
                try guide.tap(view: "menu/dock")
                try guide.settle()
                guide.check(
                    "it is in the dock", try guide.eventually { try guide.has("dock/broken-app") },
                    try guide.views("dock/").map(\.id).joined(separator: ", "))
                try guide.shoot("in the dock")
                try guide.hold(view: "dock/broken-app")
                try guide.lift()
                try guide.shoot("its menu there")
                try guide.tap(view: "menu/undock")
                try guide.settle()
                guide.check(
                    "it is out again", try guide.eventually { try !guide.has("dock/broken-app") },
                    try guide.views("dock/").map(\.id).joined(separator: ", "))
            },
            Step("In Split View and in Slide Over, from the menu", [.home, .splitView, .slideOver]) { guide in
                try guide.desk(.terminal)
                try guide.swipeDock()
                try guide.hold(view: "dock/\(demoEntry)")
                try guide.lift()
                try guide.shoot("over an app")
                try guide.window(opening: .gtk4) { try guide.tap(view: "menu/split") }
                try guide.place("gtk4-demo", .splitRight)
                try guide.place("foot", .splitLeft)
                try guide.swipeDock()
                try guide.hold(view: "dock/\(demoEntry)")
                try guide.lift()
                try guide.tap(view: "menu/slide")
                try guide.settle()
                try guide.place("gtk4-demo", .slideOver)
                try guide.place("foot", .full)
            },
        ]
    }
}
