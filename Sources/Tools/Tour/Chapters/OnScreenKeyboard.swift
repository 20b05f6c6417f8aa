import Chrome
import Control
import FoundationEssentials
import Geometry
import Windows

extension Tour {
    static var onScreenKeyboard: Chapter {
        Chapter(
            id: "osk", title: "On-screen keyboard",
            about:
                "A field has the keyboard, so one comes up from the bottom edge, and windows make room for it. It is squeekboard, unmodified.",
            settings: ["on-screen-keyboard = \"on\""],
            steps: [
                Step("A terminal opens: the keyboard comes, the window makes room", [.everyInput, .realApps]) { guide in
                    guard guide.shell.has("squeekboard") else { throw Missing(what: "squeekboard", package: "squeekboard") }
                    let screen = try guide.screen()
                    let reader = App(
                        name: "a program that reads a line",
                        command: ["foot", "sh", "-c", "read line; echo \"$line\" > \"\(guide.shell.room)/line\"; exec sh"],
                        package: "foot")
                    try guide.desk([("reader", reader)])
                    try comes(guide)
                    let frame = try guide.frame("reader")
                    guide.check("the window ends above the keyboard", frame.maxY < screen.maxY - 150, words(frame))
                    guide.near("nothing is free between them", frame.maxY, try keyboard(guide).minY, within: 1)
                    let isSeen = try guide.look().singleColour(in: try keyboard(guide).inset(by: 4), tolerance: 8) == nil
                    guide.check("its keys are seen", isSeen, isSeen ? "many colours" : "one colour")
                },
                Step("Typing by finger reaches the app", [.everyInput, .realApps]) { guide in
                    for letter in "hello" { try tap(letter, guide) }
                    try guide.shoot("typed")
                    try guide.tap(try key(row: 3, from: 0.94, guide))
                    func content() -> String {
                        ((try? String(contentsOfFile: "\(guide.shell.room)/line", encoding: .utf8)) ?? "").trimmed
                    }
                    _ = guide.eventually { content() == "hello" }
                    guide.equal("the program got", content(), "hello")
                },
                Step("In Split View both windows end above it", [.splitView, .everyInput]) { guide in
                    try guide.open(.flower)
                    let isGone = try guide.eventually(within: 4) { try keyboard(guide).height < 1 }
                    guide.check("it goes, for that app has no field", isGone, isGone ? "gone" : words(try keyboard(guide)))
                    try guide.act(.splitView(window: try guide.id("reader"), side: .left), "Split View")
                    try guide.settle()
                    try guide.tap(try guide.frame("reader").center)
                    try comes(guide)
                    let top = try keyboard(guide).minY
                    for key in ["reader", "weston-flower"] { guide.near("\(key) ends there", try guide.frame(key).maxY, top, within: 1) }
                    let before = try guide.look()
                    for letter in "split" { try tap(letter, guide) }
                    guide.pause(500)
                    guide.changed("typing is seen on the left", before, try guide.look(), in: try guide.frame("reader"), atLeast: 0.0004)
                },
                Step("A Slide Over card ends above it, too", [.slideOver, .everyInput]) { guide in
                    try guide.act(.slideOver(window: try guide.id("reader")), "Slide Over")
                    try guide.settle()
                    try comes(guide)
                    let card = try guide.card(), top = try keyboard(guide).minY
                    guide.check(
                        "the card ends above the keyboard", card.maxY <= top + 0.5, "\(words(card)); the keyboard begins at \(short(top))")
                    let before = try guide.look()
                    for letter in "card" { try tap(letter, guide) }
                    guide.pause(500)
                    guide.changed("typing is seen in it", before, try guide.look(), in: card, atLeast: 0.0004)
                },
                Step("A tap in an app without fields: it goes, and the room is given back", [.everyInput]) { guide in
                    let frame = try guide.frame("weston-flower"), screen = try guide.screen()
                    try guide.tap(Point(frame.minX + 60, frame.minY + 200))
                    let isGone = try guide.eventually(within: 4) { try keyboard(guide).height < 1 }
                    guide.check("the keyboard is gone", isGone, isGone ? "gone" : words(try keyboard(guide)))
                    try guide.settle()
                    guide.near("the window has its whole height", try guide.frame("weston-flower").maxY, screen.maxY, within: 1)
                },
                Step("A flick from the bottom edge goes home past the keyboard", [.home, .everyInput]) { guide in
                    try guide.desk(.terminal)
                    try comes(guide)
                    try guide.swipeHome()
                    try guide.isHome(true)
                    let isGone = try guide.eventually(within: 4) { try keyboard(guide).height < 1 }
                    guide.check("the keyboard is gone", isGone, isGone ? "gone" : words(try keyboard(guide)))
                },
                Step("Search on the home screen types by it", [.home, .everyInput]) { guide in
                    try guide.desk()
                    try guide.tap(view: "search")
                    try comes(guide)
                    for letter in "foot" { try tap(letter, guide, terminal: false) }
                    guide.pause(300)
                    guide.equal("looked for", try guide.state().search ?? "nothing", "foot")
                    try guide.shoot("found")
                    try guide.client.perform(.dismiss)
                    let isGone = try guide.eventually(within: 4) { try keyboard(guide).height < 1 }
                    guide.check("the keyboard is gone", isGone, isGone ? "gone" : words(try keyboard(guide)))
                },
            ])
    }

    /// The exclusive zone of the keyboard.
    private static func keyboard(_ guide: Guide) throws -> Rect {
        guard let screen = try guide.state().screen else { throw Trouble("there is no screen") }
        return Rect(0, screen.usable.maxY, screen.size.width, screen.bounds.maxY - screen.usable.maxY)
    }

    private static func comes(_ guide: Guide) throws {
        let isThere = try guide.eventually(within: 8) { try keyboard(guide).height > 100 }
        guide.check("the keyboard comes", isThere, isThere ? words(try keyboard(guide)) : "it did not come within 8 s")
        guard isThere else { throw Trouble("there is no keyboard to type on") }
        try guide.settle()
        guide.pause(400)
    }

    /// The centre of a key. For a terminal, there is a row of control keys above the letters.
    private static func key(row: Int, from share: Double, _ guide: Guide, terminal: Bool = true) throws -> Point {
        let all = try keyboard(guide)
        let down = terminal ? 0.242 + 0.2147 * Double(row) : (Double(row) + 0.5) / 4
        return Point(all.minX + all.width * share, all.minY + all.height * down)
    }

    /// The rows are those of a US keyboard.
    private static func tap(_ letter: Character, _ guide: Guide, terminal: Bool = true) throws {
        for (row, keys) in ["qwertyuiop", "asdfghjkl", "zxcvbnm"].enumerated() {
            guard let index = keys.firstIndex(of: letter).map({ keys.distance(from: keys.startIndex, to: $0) }) else { continue }
            let margin = (10 - Double(keys.count)) / 2
            try guide.tap(try key(row: row, from: (margin + Double(index) + 0.5) / 10, guide, terminal: terminal))
            guide.pause(60)
        }
    }
}
