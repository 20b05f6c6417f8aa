import Chrome
import Control
import FoundationEssentials
import Geometry
import Windows

extension Tour {
    static var x11: Chapter {
        Chapter(
            id: "x11", title: "X11 programs",
            about: "Xwayland is started when the first of them comes. They are windows like all others.",
            steps: [
                Step("xterm opens", [.realApps]) { guide in
                    try guide.desk(.gtk4)
                    let before = try guide.look()
                    try guide.open(.xterm)
                    try guide.place("xterm", .full)
                    let isX11 = try guide.window("xterm").isX11
                    guide.check("it is an X11 window", isX11, isX11 ? "X11" : "Wayland")
                    guide.changed("it is seen", before, try guide.look(), atLeast: 0.05)
                },
                Step("It stands in a Split View and resizes with the divider", [.splitView, .everyApp]) { guide in
                    let screen = try guide.screen()
                    try guide.drag(try guide.grip("xterm"), to: Point(12, 400), duration: 260, rest: 120)
                    try guide.settle()
                    try guide.place("xterm", .splitLeft)
                    let start = try guide.divider()
                    try guide.drag(start, to: Point(screen.width * 0.65, start.y), duration: 500, rest: 250)
                    try guide.settle()
                    let window = try guide.window("xterm")
                    guide.near("it is as wide as its place", window.size.width, (screen.width - 10) * 2 / 3, within: 8)
                },
                Step("Typing reaches it", [.realApps, .everyInput]) { guide in
                    try guide.tap(try guide.frame("xterm").center)
                    try guide.settle()
                    try guide.active("xterm")
                    let file = "\(guide.shell.room)/x11"
                    try guide.type("echo typed | tee \(file)\n")
                    func content() -> String {
                        ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").trimmed
                    }
                    _ = guide.eventually { content() == "typed" }
                    guide.equal("its program got", content(), "typed")
                },
                Step("Its menu opens where it was pressed", [.realApps]) { guide in
                    let frame = try guide.frame("xterm")
                    let place = Point(frame.minX + 160, frame.minY + 200)
                    let before = try guide.look()
                    try guide.input(.key(key: .init("ctrl")!, pressed: true))
                    try guide.input(.pointerMotion(at: place))
                    try guide.input(.pointerButton(pressed: true))
                    guide.note("Ctrl and the left button")
                    guide.pause(500)
                    let open = try guide.shoot("the menu is open")
                    guide.changed("the menu is seen", before, open, in: Rect(place.x - 80, place.y + 20, 160, 300), atLeast: 0.04)
                    try guide.input(.pointerMotion(at: Point(frame.minX + 40, frame.minY + 40)))
                    try guide.input(.pointerButton(pressed: false))
                    try guide.input(.key(key: .init("ctrl")!, pressed: false))
                    guide.pause(400)
                    guide.unchanged(
                        "it is gone again", before, try guide.look(), in: Rect(place.x - 80, place.y + 20, 160, 300), atMost: 0.01)
                },
                Step("Slide Over and Picture in Picture take it too", [.everyApp, .slideOver, .picture]) { guide in
                    let screen = try guide.screen()
                    try guide.drag(try guide.grip("xterm"), to: Point(screen.width * 0.83, 400), duration: 260, rest: 120)
                    try guide.settle()
                    try guide.place("xterm", .slideOver)
                    try guide.shoot("in Slide Over")
                    let card = try guide.card()
                    try guide.drag(
                        Point(card.center.x, card.minY + 10), to: Point(screen.maxX - 130, screen.maxY - 40),
                        via: [Point(card.center.x - 100, card.minY + 250)], duration: 600, rest: 200)
                    try guide.settle()
                    try guide.place("xterm", .pictureInPicture)
                },
                Step("A finger presses the keys of xcalc", [.realApps, .everyInput]) { guide in
                    try guide.desk(.xcalc)
                    guide.pause(400)
                    let before = try guide.look()
                    let frame = try guide.frame("xcalc")
                    try guide.tap(Point(frame.minX + frame.width * 0.3, frame.minY + frame.height * 0.75))
                    guide.pause(400)
                    guide.changed("it answers", before, try guide.look(), in: frame, atLeast: 0.0001)
                },
            ])
    }
}
