import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var fitting: Chapter {
        Chapter(
            id: "fit", title: "Windows that do not fit",
            about: "Some apps cannot be small, and some are never large. They are scaled or framed, and their neighbour keeps its place.",
            steps: [
                Step("An app that needs more room than the screen has is scaled", [.fits]) { guide in
                    try guide.desk(.terminal)
                    try guide.open(.factory)
                    try scaled(guide, "gtk4-widget-factory")
                },
                Step("In a Split View it stays on its side", [.fits, .splitView]) { guide in
                    let screen = try guide.screen()
                    try guide.drag(
                        try guide.grip("gtk4-widget-factory"), to: Point(screen.maxX - 12, screen.height / 2), duration: 260, rest: 120)
                    try guide.settle()
                    try guide.place("gtk4-widget-factory", .splitRight)
                    try scaled(guide, "gtk4-widget-factory")
                },
                Step("Drag the divider: the neighbour grows, the app shrinks, nothing overlaps", [.fits, .splitView]) { guide in
                    let start = try guide.divider(), screen = try guide.screen()
                    try guide.drag(start, to: Point(screen.width * 0.66, start.y), duration: 350, rest: 120)
                    try guide.settle()
                    try scaled(guide, "gtk4-widget-factory")
                },
                Step("It still takes a finger where it is seen: tap a button of the scaled app", [.fits, .everyInput]) { guide in
                    let picture = try guide.window("gtk4-widget-factory").picture ?? .zero
                    let before = try guide.look()
                    // The tab of its third page, in its header bar beside the dots.
                    let size = try guide.window("gtk4-widget-factory").size
                    let scale = picture.width / max(1, size.width)
                    try guide.tap(Point(picture.center.x + 150 * scale, picture.minY + 22 * scale))
                    guide.pause(500)
                    guide.changed("the app answers", before, try guide.look(), in: picture, atLeast: 0.01)
                },
                Step("In Slide Over it is a small picture of itself", [.fits, .slideOver]) { guide in
                    let screen = try guide.screen()
                    try guide.drag(
                        try guide.grip("gtk4-widget-factory"), to: Point(screen.width * 0.82, screen.height / 2), duration: 260, rest: 120)
                    try guide.settle()
                    try guide.place("gtk4-widget-factory", .slideOver)
                    try scaled(guide, "gtk4-widget-factory")
                },
                Step("An app that is never larger is framed", [.fits]) { guide in
                    try guide.desk(.terminal)
                    let app = App(
                        name: "Weston Simple Damage", command: ["weston-simple-damage"], package: "weston", isLive: true)
                    try guide.open(app)
                    let window = try guide.window("weston-simple-damage")
                    guide.equal("it drew what it always draws", words(window.size), "300 × 200")
                    let rect = window.picture ?? .zero, frame = window.frame ?? .zero
                    guide.near("it stands in the middle, across", rect.center.x, frame.center.x, within: 1)
                    guide.near("it stands in the middle, down", rect.center.y, frame.center.y, within: 1)
                    let picture = try guide.look()
                    let sides = [
                        Rect(10, 60, rect.minX - 20, frame.height - 120),
                        Rect(rect.maxX + 10, 60, frame.maxX - rect.maxX - 20, frame.height - 120),
                    ].map { picture.singleColour(in: $0, tolerance: 1) }
                    guide.check(
                        "around it is one colour", sides[0] != nil && sides[0] == sides[1],
                        sides.map { $0?.description ?? "many" }.joined(separator: " and "))
                },
            ])
    }

    /// It cannot be as small as its place, so its whole picture is drawn scaled down.
    private static func scaled(_ guide: Guide, _ key: String) throws {
        let window = try guide.window(key)
        guard let frame = window.frame, let picture = window.picture, let scale = window.scale else {
            return guide.check("it is seen", false, "nothing of it")
        }
        guide.check(
            "it cannot be as narrow as its place", window.minimum.width > frame.width,
            "it needs \(short(window.minimum.width)) points, its place has \(short(frame.width))")
        guide.check("it is drawn smaller", scale < 1, "scale \(short(scale))")
        guide.near("its shape is kept", picture.width / picture.height, window.size.width / max(1, window.size.height), within: 0.01)
        guide.check("it stays inside its place", frame.contains(picture, tolerance: 1), "\(words(picture)) in \(words(frame))")
    }
}
