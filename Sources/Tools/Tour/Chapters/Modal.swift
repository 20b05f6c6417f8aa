import Control
import FoundationEssentials
import Geometry
import Windows

extension Tour {
    static var modal: Chapter {
        Chapter(
            id: "modal", title: "Dialogs, alerts and questions",
            about: """
                A dialog is a card on its window, which waits behind it. It goes by a swipe, and its app has the last word. Programs and \
                scripts ask in views of the shell.
                """,
            // A shell of its own, with a bus: programs ask by it.
            settings: ["[life]", "grace = 60.0"], steps: sheetSteps + questionSteps + sharingSteps + lastSteps)
    }

    private static var sheetSteps: [Step] {
        [
            Step("A dialog of any toolkit is a sheet on its window", [.sheet, .realApps]) { guide in
                try guide.desk(.qt)
                try guide.type("Dear Hana,")
                try saveAs(guide)
                let sheet = try guide.window("sheet"), window = try guide.window("featherpad")
                guide.equal("it stands on", sheet.parent.map(guide.name) ?? "nothing", guide.name(window.id))
                guide.near("in the middle of it", sheet.frame?.center.x ?? 0, window.frame?.center.x ?? -1, within: 1)
                try guide.active("sheet")
                try guide.shoot("the window behind is dimmed")
            },
            Step("It goes where its window goes", [.sheet, .moves]) { guide in
                try guide.open(.terminal, to: .splitView(.right))
                try guide.settle()
                guide.pause(400)
                let half = try guide.frame("featherpad"), sheet = try guide.frame("sheet")
                guide.check(
                    "it stands in its half", half.contains(sheet, tolerance: 1),
                    "\(Int(clamping: sheet.x))…\(Int(clamping: sheet.maxX)) in \(Int(clamping: half.x))…\(Int(clamping: half.maxX))")
                try guide.shoot("beside another window, which goes on")
            },
            Step("A finger pulls it down by its dots, and lets it go again", [.sheetSwipe]) { guide in
                let grip = try guide.grip("sheet"), place = try guide.frame("sheet")
                try guide.touch(grip)
                try guide.glide(Point(grip.x, grip.y + 90))
                try guide.shoot("the window behind it gets brighter")
                try guide.glide(Point(grip.x, grip.y + 4))
                try guide.lift()
                try guide.settle()
                guide.equal("it is back", try guide.frame("sheet").y.rounded(), place.y.rounded())
            },
            Step("A swipe down sends it away", [.sheetSwipe]) { guide in
                let grip = try guide.grip("sheet")
                try guide.drag(grip, to: Point(grip.x + 20, grip.y + 320), duration: 180, rest: 0)
                let isGone = try guide.eventually { try guide.state()[guide.id("sheet")] == nil }
                guide.check("its app closed it", isGone, isGone ? "it is gone" : "it is still there")
                try guide.settle()
            },
            Step("A file chooser of a portal is a sheet on the app that asked", [.sheet, .realApps]) { guide in
                guard guide.shell.has("/usr/libexec/xdg-desktop-portal-gtk") else {
                    throw Missing(what: "the file chooser", package: "xdg-desktop-portal-gtk")
                }
                let firefox = App(
                    name: "Firefox", command: ["firefox-esr", "--no-remote", "about:license"], package: "firefox-esr", patience: 60)
                try guide.desk(firefox)
                guide.pause(3000)
                try guide.press("ctrl+o")
                try comes("file chooser", of: "firefox-esr", as: "chooser", guide)
                let chooser = try guide.window("chooser")
                guide.check("nothing behind it gets input", chooser.modal, chooser.modal ? "it is modal" : "it is not")
                try guide.shoot("as tall as the screen, with the edge of the browser behind it")
                let top = try guide.grip("chooser")
                try guide.drag(top, to: Point(top.x, top.y + 360), duration: 200, rest: 0)
                let isGone = try guide.eventually(within: 6) { try guide.state()[guide.id("chooser")] == nil }
                guide.check("a swipe from the top sent it away", isGone, isGone ? "it is gone" : "it is still there")
            },
        ]
    }

    private static var questionSteps: [Step] {
        [
            Step("A script asks: an alert over its terminal", [.alerts]) { guide in
                try ask(
                    "one", "'Install the update?' --message 'The tablet restarts afterwards.' --preferred Install --cancel Later", guide)
                guard try guide.eventually(within: 8, { try guide.has("modal/1/choice/1") }) else { throw Trouble("no alert comes") }
                try guide.settle()
                try guide.shoot("the alert")
                try guide.tap(view: "modal/1/choice/1")
                try answers("one", "Later\nstatus 1\n", guide)
            },
            Step("An action sheet; a touch beside it leaves everything as it is", [.alerts, .leaves]) { guide in
                try ask("two", "'Delete the draft?' --sheet --destructive Delete --cancel 'Keep Editing'", guide)
                guard try guide.eventually(within: 8, { try guide.has("modal/2/choice/0") }) else { throw Trouble("no action sheet comes") }
                try guide.settle()
                try guide.shoot("the action sheet")
                try guide.tap(Point(60, 60))
                try answers("two", "Keep Editing\nstatus 1\n", guide)
            },
            Step("By keys alone: Tab to a choice, Return", [.alerts, .everyInput]) { guide in
                try ask("three", "'Which one?' --choice Left --choice Right --cancel Neither", guide)
                guard try guide.eventually(within: 8, { try guide.has("modal/3/choice/2") }) else { throw Trouble("no alert comes") }
                try guide.settle()
                try guide.press("Tab")
                try guide.press("Tab")
                try guide.settle()
                try guide.shoot("the choice that has the keyboard")
                try guide.press("Return")
                try answers("three", "Right\nstatus 1\n", guide)
            },
        ]
    }

    private static var sharingSteps: [Step] {
        [
            Step("A script shares a text: the activity view, pulled down a little and let go", [.alerts, .slides]) { guide in
                try ask("four", "--text 'Lunch at noon'", guide, by: "share")
                guard try guide.eventually(within: 8, { try guide.has("modal/4/cancel") }) else { throw Trouble("no activity view comes") }
                try guide.settle()
                try guide.shoot("the activity view")
                let card = try card(guide), title = Point(card.center.x, card.minY + 14)
                try guide.touch(title)
                try guide.glide(Point(title.x, title.y + 70))
                guide.near("it follows the finger", try self.card(guide).minY, card.minY + 70, within: 2)
                try guide.shoot("a finger pulls it")
                try guide.glide(Point(title.x, title.y + 3))
                try guide.lift()
                try guide.settle()
                guide.near("it is back", try self.card(guide).minY, card.minY, within: 1)
            },
            Step("A swipe down sends it away, and nothing was shared", [.alerts, .slides]) { guide in
                let card = try card(guide), title = Point(card.center.x, card.minY + 14)
                try guide.drag(title, to: Point(title.x + 8, title.y + 280), duration: 150, rest: 0)
                try answers("four", "status 100\n", guide)
            },
            Step("Shared again, Copy puts it on the clipboard", [.alerts]) { guide in
                try ask("five", "--text 'Lunch at noon'", guide, by: "share")
                guard try guide.eventually(within: 8, { try guide.has("modal/5/cancel") }) else { throw Trouble("no activity view comes") }
                try guide.settle()
                guard let copy = try guide.views("modal/5/choice/").first(where: { $0.name == "Copy" }) else {
                    throw Trouble("Copy is not offered")
                }
                try guide.tap(view: copy.id)
                try answers("five", "copied\nstatus 0\n", guide)
            },
        ]
    }

    private static func card(_ guide: Guide) throws -> Rect {
        guard let card = try guide.views("modal/4").first(where: { $0.id == "modal/4" }) else { throw Trouble("the activity view is gone") }
        return card.frame
    }

    private static var lastSteps: [Step] {
        [
            Step("A loop of alerts is stopped after four", [.alerts]) { guide in
                let end = "\(guide.shell.room)/alerts-end"
                // The limit is about ten seconds of the shell, which does not pass while a busy machine starts the programs.
                let asked = try guide.byHand {
                    // Alerts of the steps before count, too.
                    guide.pause(11_000)
                    try guide.act(
                        .launch(command: [
                            "sh", "-c",
                            "for i in 1 2 3 4 5 6 7; do '\(guide.shell.executable)' alert \"Number $i\"; done; echo >\(end); sleep 60",
                        ]),
                        "a loop of seven alerts")
                    var asked = 0
                    while asked < 8 {
                        var choice: ViewReport?
                        _ = try guide.eventually(within: 8) {
                            choice = try guide.views("modal/").first { $0.id.contains("/choice/") }
                            return choice != nil || FileManager.default.fileExists(atPath: end)
                        }
                        guard let choice else { break }
                        asked += 1
                        try guide.settle()
                        try guide.tap(view: choice.id)
                        _ = try guide.eventually { try !guide.has(choice.id) }
                    }
                    return asked
                }
                let isOver = guide.eventually(within: 8) { FileManager.default.fileExists(atPath: end) }
                guide.check("the loop came to its end", isOver, isOver ? "it ended" : "it still waits for an answer")
                guide.equal("alerts that were shown", asked, 4)
            }
        ]
    }

    // MARK: Helpers

    /// A terminal in which a script asks, and notes the answer.
    private static func ask(_ name: String, _ words: String, _ guide: Guide, by command: String = "alert") throws {
        let file = "\(guide.shell.room)/\(name)"
        let terminal = App(
            name: "a script",
            command: [
                "foot", "sh", "-c", "'\(guide.shell.executable)' \(command) \(words) >\(file) 2>&1; echo status $? >>\(file); sleep 60",
            ], package: "foot")
        try guide.clearViews()
        try guide.open(terminal, as: name)
    }

    private static func answers(_ name: String, _ wanted: String, _ guide: Guide) throws {
        let file = "\(guide.shell.room)/\(name)"
        func said() -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        _ = guide.eventually { said().contains("status") }
        guide.equal("the script hears", said(), wanted)
        try guide.settle()
    }

    private static func saveAs(_ guide: Guide) throws {
        try guide.press("ctrl+shift+s")
        try comes("dialog", of: "featherpad", as: "sheet", guide)
    }

    /// A dialog of an app's window.
    private static func comes(_ what: String, of key: String, as name: String, _ guide: Guide) throws {
        let parent = try guide.id(key)
        var found: WindowID?
        guard
            try guide.eventually(
                within: 10,
                {
                    found = try guide.state().windows.first { $0.parent == parent && $0.place == .dialog }?.id
                    return found != nil
                }), let found
        else { throw Trouble("no \(what) comes") }
        guide.adopt(found, App(name: "its \(what)", command: [name], package: ""), as: name)
        try guide.settle()
        guide.pause(300)
    }
}
