import Control
import Geometry
import Windows

extension Tour {
    static var notifications: Chapter {
        Chapter(
            id: "notifications", title: "Notifications",
            about: """
                What apps tell comes as a banner over whatever is in front, is answered there, and waits in the list. A focus lets only \
                some of it through.
                """,
            settings: ["[notifications.focus.Work]", "people = [\"Anna\"]"], isLasting: true, steps: noticeSteps)
    }

    private static func notify(_ guide: Guide, _ title: String, _ body: String, _ more: String...) throws {
        guard guide.shell.has("notify-send") else { throw Missing(what: "notify-send", package: "libnotify-bin") }
        try guide.act(.launch(command: ["notify-send", "-a", "Letters"] + more + [title, body]), "An app notifies: “\(title)”")
    }

    private static func banner(_ guide: Guide) throws {
        let isThere = try guide.eventually { try guide.has("notice/open") }
        guide.check("its banner is there", isThere, isThere ? "shown" : "not shown")
        // A touch that was on its way to the app below means the app.
        guide.pause(700)
    }

    private static var noticeSteps: [Step] {
        [
            Step("A banner over the app in front; a swipe up hides it", [.home]) { guide in
                try guide.desk(.terminal)
                try notify(guide, "Anna", "Shall we have lunch at one?", "-A", "inline-reply=Reply", "-A", "read=Mark as Read")
                try banner(guide)
                let picture = try guide.shoot("the banner")
                guide.seen(try guide.view("notice/open"), in: picture)
                let center = try guide.view("notice/open").frame.center
                try guide.drag(center, to: Point(center.x, center.y - 60), duration: 120, rest: 0)
                try guide.settle()
                guide.equal("the banner is gone", try guide.has("notice/open"), false)
            },
            Step("A pull down shows all of it, and an answer is written there", [.home]) { guide in
                try notify(guide, "Anna", "Or at two?", "-A", "inline-reply=Reply", "-A", "read=Mark as Read")
                try banner(guide)
                let center = try guide.view("notice/open").frame.center
                try guide.drag(center, to: Point(center.x, center.y + 80), duration: 250, rest: 0)
                try guide.settle()
                try guide.shoot("all of it")
                try guide.tap(view: "notice/button/0")
                try guide.settle()
                try guide.type("At two, gladly")
                try guide.settle()
                try guide.shoot("the answer")
                guide.equal("the field has it", try guide.view("notice/reply").name, "At two, gladly")
                try guide.tap(view: "notice/send")
                try guide.settle()
                guide.equal("the banner is gone", try guide.has("notice/open"), false)
            },
            Step("The list has what was hidden; the tile of the control centre offers the focus", [.home]) { guide in
                try guide.act(.controlCentre, "The control centre opens")
                try guide.settle()
                try guide.tap(view: "control-centre/do-not-disturb")
                try guide.settle()
                try guide.tap(view: "control-centre/focus/Work")
                try guide.settle()
                try guide.shoot("the focus holds")
                try guide.act(.controlCentre, "The control centre closes")
                try guide.settle()
                try notify(guide, "News", "Nothing that cannot wait")
                guide.pause(1500)
                guide.equal("no banner comes", try guide.has("notice/open"), false)
                try guide.act(.notifications, "The list opens")
                try guide.settle()
                let picture = try guide.shoot("the list")
                guide.seen(try guide.view("notifications/focus"), in: picture)
                try guide.tap(view: "notifications/focus")
                try guide.settle()
                try guide.tap(view: "notifications/clear-all")
                try guide.settle()
                try guide.act(.notifications, "The list closes")
                try guide.settle()
                try guide.nothingIsOpen()
            },
        ]
    }
}
