import Chrome
import Control
import FoundationEssentials
import Geometry
import Windows

extension Tour {
    static var input: Chapter {
        Chapter(
            id: "input", title: "Typing, copying, menus",
            about:
                "Tools that a person runs beside the apps, the clipboard both ways, menus under a finger, and the line between the shell\u{2019}s gestures and the app\u{2019}s touches.",
            steps: [
                Step("wtype types into the terminal", [.realApps, .everyInput]) { guide in
                    try guide.desk(.terminal)
                    guide.pause(300)
                    let file = "\(guide.shell.room)/typed"
                    try guide.shell.run(["wtype", "echo Hello from wtype | tee \(file)", "-k", "Return"], package: "wtype")
                    guide.note("wtype \"echo Hello from wtype\"")
                    try arrives(guide, "Hello from wtype", in: file)
                },
                Step("What wl-copy holds is pasted into the terminal", [.realApps]) { guide in
                    let file = "\(guide.shell.room)/pasted"
                    let copy = try guide.shell.start(["wl-copy", "--foreground", "from the clipboard"], package: "wl-clipboard")
                    defer { guide.shell.end(copy.pid) }
                    guide.pause(250)
                    guide.note("wl-copy \"from the clipboard\"")
                    try guide.type("echo '")
                    try guide.press("Ctrl+Shift+v")
                    guide.pause(250)
                    try guide.type("' | tee \(file)\n")
                    try arrives(guide, "from the clipboard", in: file)
                },
                Step("What is copied in the terminal comes out of wl-paste", [.realApps]) { guide in
                    try guide.type("clear; echo copied-in-the-terminal\n")
                    guide.pause(400)
                    let frame = try guide.frame("foot")
                    let word = Point(frame.minX + 60, frame.minY + 11)
                    try guide.click(word)
                    try guide.click(word)
                    guide.pause(250)
                    let primary = try guide.shell.result(of: ["wl-paste", "--primary", "--no-newline"], package: "wl-clipboard").output
                    guide.equal("the selection, by wl-paste --primary", primary, "copied-in-the-terminal")
                    try guide.press("Ctrl+Shift+c")
                    guide.pause(250)
                    let text = try guide.shell.result(of: ["wl-paste", "--no-newline"], package: "wl-clipboard").output
                    guide.equal("the clipboard, by wl-paste", text, "copied-in-the-terminal")
                },
                Step("grim takes the same picture that the shell takes", [.realApps]) { guide in
                    let file = "\(guide.shell.room)/grim.png"
                    try guide.settle()
                    try guide.shell.run(["grim", file], package: "grim")
                    guide.unchanged("pixel by pixel", try guide.look(), try PNG.read(file), atMost: 0.0005)
                },
                Step("A menu opens under a finger and closes at a tap beside it: GTK 4", [.realApps, .everyInput]) { guide in
                    try guide.desk(.gtk4)
                    guide.pause(300)
                    let frame = try guide.frame("gtk4-demo")
                    try menu(
                        guide, at: Point(frame.maxX - 67, frame.minY + 24), in: Rect(frame.maxX - 260, frame.minY + 50, 250, 120),
                        away: frame.center)
                },
                Step("A menu of a Qt app", [.realApps, .everyInput]) { guide in
                    try guide.desk(.qt)
                    guide.pause(300)
                    let frame = try guide.frame("featherpad")
                    try menu(
                        guide, at: Point(frame.minX + 14, frame.minY + 9), in: Rect(frame.minX + 2, frame.minY + 24, 140, 120),
                        away: frame.center)
                },
                Step("The dots are the shell\u{2019}s; beside them the top of the window is the app\u{2019}s", [.everyInput, .controls]) {
                    guide in
                    try guide.desk(.terminal)
                    let trace = "\(guide.shell.room)/touch.trace"
                    try guide.open(App.gtk3.telling(to: trace), as: "told")
                    let dots = try guide.grip("told")
                    try guide.tap(Point(dots.x + 120, dots.y + 8))
                    guide.pause(150)
                    guide.equal("beside the dots it got", touches(trace), ["down", "up"])
                    try guide.tap(dots)
                    try guide.settle()
                    guide.equal("of a tap on the dots it got nothing more", touches(trace), ["down", "up"])
                    guide.equal("its controls are open", try guide.state().open, ["controls"])
                    try guide.tap(Point(60, 600))
                    try guide.settle()
                    guide.equal("and closed by a tap beside them", try guide.state().open, [])
                    guide.equal("of which the app got nothing", touches(trace), ["down", "up"])
                },
                Step("A finger in the app, another lifts the window: the app\u{2019}s touches are taken back", [.everyInput, .moves]) {
                    guide in
                    let trace = "\(guide.shell.room)/touch.trace"
                    let before = touches(trace).count
                    try guide.touch(Point(420, 420), finger: 1)
                    guide.pause(60)
                    try guide.touch(try guide.grip("told"))
                    try guide.glide(Point(500, 300), duration: 250)
                    guide.pause(200)
                    guide.equal("while it is dragged it got", Array(touches(trace).dropFirst(before)), ["down", "cancel"])
                    try guide.shoot("the window hangs at the finger")
                    try guide.glide(Point(12, 400), duration: 250)
                    guide.pause(150)
                    try guide.lift()
                    try guide.lift(finger: 1)
                    try guide.settle()
                    guide.equal("and nothing after that", Array(touches(trace).dropFirst(before)), ["down", "cancel"])
                    try guide.place("told", .splitLeft)
                },
            ])
    }

    private static func arrives(_ guide: Guide, _ text: String, in file: String) throws {
        func content() -> String {
            ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").trimmed
        }
        _ = guide.eventually { content() == text }
        guide.equal("the terminal's program got", content(), text)
    }

    private static func menu(_ guide: Guide, at place: Point, in area: Rect, away: Point) throws {
        let before = try still(guide)
        try guide.tap(place)
        _ = try guide.eventually { try guide.look().difference(from: before, in: area, tolerance: 12).count > 500 }
        // It may fade in.
        _ = try still(guide)
        let open = try guide.shoot("open")
        guide.changed("the menu is seen", before, open, in: area, atLeast: 0.03)
        try guide.tap(away)
        guide.pause(150)
        guide.unchanged("it is gone again", before, try still(guide), in: area, atMost: 0.03)
    }

    /// Waits until nothing but a caret changes, because an app that is still in layout may lose a touch.
    private static func still(_ guide: Guide) throws -> Picture {
        var last = try guide.look()
        _ = try guide.eventually(within: 5) {
            guide.pause(250)
            let next = try guide.look()
            defer { last = next }
            return next.difference(from: last, tolerance: 12).count < 200
        }
        return last
    }

    /// The touch events that the app got, one for each finger that came or went.
    private static func touches(_ trace: String) -> [String] {
        let text = (try? String(contentsOfFile: trace, encoding: .utf8)) ?? ""
        return ProtocolMessage.events(in: text)
            .filter { $0.interface == "wl_touch" && ["down", "up", "cancel"].contains($0.name) }.map(\.name)
    }
}
