import Chrome
import Control
import Foundation
import Geometry
import Windows

extension Tour {
    static var onScreenKeyboard: Chapter {
        Chapter(
            id: "osk", title: "On-screen keyboard",
            about: "A field has the keyboard, so one comes up from the bottom edge, and windows make room for it. It is squeekboard, unmodified.",
            settings: ["on-screen-keyboard = \"on\""],
            steps: [
                Step("A terminal opens: the keyboard comes, the window makes room", [.everyInput, .realApps]) { guide in
                    guard guide.shell.has("squeekboard") else { throw Missing(what: "squeekboard", package: "squeekboard") }
                    let screen = try guide.screen()
                    let reader = App(
                        name: "a program that reads a line", command: ["foot", "sh", "-c", "read line; echo \"$line\" > \"\(guide.shell.room)/line\"; exec sh"],
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
                        ((try? String(contentsOfFile: "\(guide.shell.room)/line", encoding: .utf8)) ?? "")
                            .trimmingCharacters(in: .whitespacesAndNewlines)
                    }
                    _ = guide.eventually { content() == "hello" }
                    guide.equal("the program got", content(), "hello")
                },
            ])
    }

    /// The room that the keyboard has taken.
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

    private static func key(row: Int, from share: Double, _ guide: Guide) throws -> Point {
        let all = try keyboard(guide)
        return Point(all.minX + all.width * share, all.minY + all.height * (Double(row) + 0.5) / 4)
    }

    /// Its rows are those of a US keyboard.
    private static func tap(_ letter: Character, _ guide: Guide) throws {
        for (row, keys) in ["qwertyuiop", "asdfghjkl", "zxcvbnm"].enumerated() {
            guard let index = keys.firstIndex(of: letter).map({ keys.distance(from: keys.startIndex, to: $0) }) else { continue }
            let margin = (10 - Double(keys.count)) / 2
            try guide.tap(try key(row: row, from: (margin + Double(index) + 0.5) / 10, guide))
            guide.pause(60)
        }
    }
}
