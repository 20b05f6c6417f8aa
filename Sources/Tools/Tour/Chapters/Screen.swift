import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var screen: Chapter {
        Chapter(
            id: "screen", title: "Turned, larger, sharper",
            about: "The tablet is turned and the resolution changes. Every window stays where a person put it.",
            steps: [
                Step("Everything at once: a pair, a card and a picture", [.splitView, .slideOverSplit, .picture]) { guide in
                    try guide.desk(.gtk3, .terminal)
                    let screen = try guide.screen()
                    try guide.drag(try guide.grip("foot"), to: Point(12, screen.height / 2), duration: 260, rest: 120)
                    try guide.settle()
                    try guide.open(.gtk4)
                    try guide.drag(
                        try guide.grip("gtk4-demo"), to: Point(screen.width * 0.84, screen.height / 2), duration: 260, rest: 120)
                    try guide.settle()
                    try guide.open(.video, to: .pictureInPicture)
                    try guide.drag(try guide.frame("mpv").center, to: Point(220, screen.maxY - 130), duration: 250, rest: 100)
                    try guide.settle()
                    try everyPlace(guide, "splitLeft", "splitRight")
                },
                Step("Turn it upright", [.moves, .fits]) { guide in
                    try guide.act(.rotate(1), "turn the screen")
                    try guide.settle()
                    guide.equal("the screen", words(try guide.screen().size), "820 × 1180")
                    try everyPlace(guide, "splitLeft", "splitRight")
                },
                Step("Turn it back", [.moves]) { guide in
                    try guide.act(.rotate(0), "turn the screen")
                    try guide.settle()
                    guide.equal("the screen", words(try guide.screen().size), "1180 × 820")
                    try everyPlace(guide, "splitLeft", "splitRight")
                },
                Step("Another resolution", [.moves]) { guide in
                    try guide.act(.resizeScreen(size: Size(1366, 1024)), "resize the screen to 1366 × 1024")
                    try guide.settle()
                    guide.equal("the screen", words(try guide.screen().size), "1366 × 1024")
                    try everyPlace(guide, "splitLeft", "splitRight")
                },
                Step("Twice as sharp: two pixels for a point", [.moves]) { guide in
                    try guide.act(.resizeScreen(size: Size(1180, 820), scale: 2), "1180 × 820 points at scale 2")
                    try guide.settle()
                    let state = try guide.state()
                    guide.equal("pixels for a point", state.screen?.scale ?? 0, 2)
                    let picture = try guide.look()
                    guide.equal("the picture", "\(picture.width) × \(picture.height)", "2360 × 1640")
                    try everyPlace(guide, "splitLeft", "splitRight")
                },
                Step("Back to where it was", [.moves]) { guide in
                    try guide.act(.resizeScreen(size: Size(1180, 820), scale: 1), "1180 × 820 points at scale 1")
                    try guide.settle()
                    try everyPlace(guide, "splitLeft", "splitRight")
                },
                Step("Upright: drag a window to the bottom edge, one above the other", [.splitView, .moves]) { guide in
                    try guide.desk(.gtk4, .terminal)
                    try guide.act(.rotate(3), "turn the screen upright")
                    try guide.settle()
                    let screen = try guide.screen()
                    try guide.dragShowing(
                        try guide.grip("foot"), to: Point(screen.center.x, screen.maxY - 12), "to the bottom edge", duration: 500)
                    try guide.place("foot", .splitBottom)
                    try guide.place("gtk4-demo", .splitTop)
                },
                Step("Drag it to the top edge: they change places", [.splitView, .moves]) { guide in
                    let screen = try guide.screen()
                    try guide.drag(try guide.grip("foot"), to: Point(screen.center.x, 14), duration: 500, rest: 200)
                    try guide.settle()
                    try guide.place("foot", .splitTop)
                    try guide.place("gtk4-demo", .splitBottom)
                },
                Step("Drag the divider between them", [.splitView]) { guide in
                    let start = try guide.divider(), screen = try guide.screen()
                    try guide.drag(Point(start.x - 150, start.y), to: Point(start.x - 150, screen.height * 0.35), duration: 350, rest: 120)
                    try guide.settle()
                    let fraction = try guide.state().divider?.fraction ?? 0
                    guide.near("it rests at a third", fraction, 1.0 / 3, within: 0.005)
                    let top = try guide.frame("foot")
                    guide.near("the upper window's height", top.height, (screen.height - 10) / 3, within: 2)
                },
                Step("Turned back, they stand side by side", [.splitView]) { guide in
                    try guide.act(.rotate(0), "turn the screen")
                    try guide.settle()
                    try guide.place("foot", .splitLeft)
                    try guide.place("gtk4-demo", .splitRight)
                },
            ])
    }

    private static func everyPlace(_ guide: Guide, _ first: String, _ second: String) throws {
        let state = try guide.state()
        let places = try ["foot", "gtk3-demo", "gtk4-demo", "mpv"].map { key in
            state[try guide.id(key)]?.place.rawValue ?? "gone"
        }
        guide.equal(
            "terminal, GTK 3, GTK 4 and video are", places.joined(separator: ", "),
            [first, second, "slideOver", "pictureInPicture"].joined(separator: ", "))
        let seen = state.windows.filter(\.shown).count
        guide.equal("windows that are seen", seen, 4)
    }
}
