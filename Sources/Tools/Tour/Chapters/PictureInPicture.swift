import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var picture: Chapter {
        Chapter(
            id: "picture", title: "Picture in Picture",
            about: "A small window above everything: any window on request, and those that announce themselves.",
            steps: [
                Step("Drag a window by its dots to a lower corner", [.picture, .moves]) { guide in
                    try guide.desk(.gtk4, .flower)
                    let screen = try guide.screen()
                    try guide.dragShowing(
                        try guide.grip("weston-flower"), to: Point(screen.maxX - 120, screen.maxY - 40), "where it will stand")
                    try guide.place("weston-flower", .pictureInPicture)
                    try inCorner(guide, .bottomRight)
                    try guide.place("gtk4-demo", .full)
                    try guide.active("gtk4-demo")
                },
                Step("A video that was sent to a corner: mpv", [.picture, .realApps]) { guide in
                    try guide.desk(.gtk4)
                    try guide.open(.video, to: .pictureInPicture)
                    try guide.place("mpv", .pictureInPicture)
                    let window = try guide.window("mpv")
                    guide.near(
                        "it has the video's shape", (window.frame?.width ?? 0) / max(1, window.frame?.height ?? 1), 16.0 / 9, within: 0.03)
                    let frame = try guide.frame("mpv").inset(by: 20)
                    let first = try guide.look()
                    let plays = try guide.eventually { try guide.look().difference(from: first, in: frame, tolerance: 20).count > 50 }
                    guide.check("it plays", plays, plays ? "its picture changes by itself" : "its picture stands still")
                },
                Step("Throw it to the upper left: it flies on to the corner", [.picture]) { guide in
                    try guide.shell.setPace(1)
                    defer { try? guide.shell.setPace(TourShell.usualPace) }
                    let start = try guide.frame("mpv").center
                    let flying = try guide.byHand {
                        try guide.touch(start)
                        try guide.glide(start + Vector(-260, -200), duration: 130, lifts: true)
                        guide.pause(60)
                        return try guide.window("mpv").shownFrame?.center ?? .zero
                    }
                    try guide.settle()
                    try inCorner(guide, .topLeft)
                    let home = try guide.frame("mpv").center
                    let wasBetween = flying.distance(to: home) > 20
                    guide.check(
                        "it was still on its way after it was let go", wasBetween,
                        "\(Int(clamping: flying.distance(to: home))) points to go")
                },
                Step("Catch it in flight: it stays under the finger", [.picture]) { guide in
                    try guide.shell.setPace(1)
                    defer { try? guide.shell.setPace(TourShell.usualPace) }
                    let screen = try guide.screen()
                    let start = try guide.frame("mpv").center
                    try guide.byHand {
                        try guide.touch(start)
                        try guide.glide(start + Vector(240, 160), duration: 110, lifts: true)
                        guide.pause(90)
                        guard let flying = try guide.window("mpv").shownFrame else { throw Trouble("mpv is not seen") }
                        try guide.touch(flying.center, finger: 1)
                        try guide.glide(flying.center + Vector(14, 0), duration: 60, finger: 1)
                    }
                    guard let caught = try guide.window("mpv").shownFrame else { throw Trouble("mpv is not seen") }
                    guide.pause(300)
                    guard let later = try guide.window("mpv").shownFrame else { throw Trouble("mpv is not seen") }
                    let rests = Corner.allCases.map { corner in
                        Point(
                            corner.isLeft ? later.width / 2 : screen.maxX - later.width / 2,
                            corner.isTop ? later.height / 2 : screen.maxY - later.height / 2)
                    }
                    let away = rests.map { $0.distance(to: later.center) }.min() ?? 0
                    guide.check("it was caught away from any corner", away > 40, "\(Int(clamping: away)) points from the nearest")
                    guide.near("it stays where it was caught, across", later.minX, caught.minX, within: 1)
                    guide.near("it stays where it was caught, down", later.minY, caught.minY, within: 1)
                    try guide.shoot("caught in the middle of its flight")
                    try guide.lift(finger: 1)
                    try guide.settle()
                },
                Step("Drag it to every corner", [.picture]) { guide in
                    let screen = try guide.screen()
                    for corner in [Corner.topRight, .bottomRight, .bottomLeft, .topLeft] {
                        let end = Point(corner.isLeft ? 240 : screen.maxX - 240, corner.isTop ? 140 : screen.maxY - 140)
                        try guide.drag(try guide.frame("mpv").center, to: end, duration: 260, rest: 180)
                        try guide.settle()
                        try inCorner(guide, corner)
                    }
                },
                Step("Spread two fingers: it grows", [.picture]) { guide in
                    let before = try guide.frame("mpv")
                    try guide.pinch(before.center, from: 90, to: 150)
                    try guide.settle()
                    let after = try guide.frame("mpv")
                    guide.check("it is wider", after.width > before.width * 1.4, "\(short(before.width)) to \(short(after.width)) points")
                    guide.near("it keeps its shape", after.width / after.height, before.width / before.height, within: 0.03)
                },
                Step("Pinch: it shrinks", [.picture]) { guide in
                    let before = try guide.frame("mpv")
                    try guide.pinch(before.center, from: 200, to: 110)
                    try guide.settle()
                    let after = try guide.frame("mpv")
                    guide.check(
                        "it is narrower", after.width < before.width * 0.7, "\(short(before.width)) to \(short(after.width)) points")
                },
                Step("Push it past the edge: a tab stays", [.picture]) { guide in
                    let frame = try guide.frame("mpv")
                    let before = try guide.look()
                    try guide.drag(frame.center, to: Point(6, frame.center.y), duration: 150)
                    try guide.settle()
                    let stashed = try guide.state().pictureInPicture?.stashed
                    guide.equal("it is put away at the edge", stashed?.rawValue ?? "not put away", "left")
                    let tab = Rect(3, frame.center.y - 20, 14, 40)
                    guide.changed("its place is free", before, try guide.look(), in: frame.inset(by: 30), atLeast: 0.3)
                    guide.changed("a tab is seen at the edge", before, try guide.look(), in: tab, atLeast: 0.2)
                },
                Step("Tap the tab: it comes back", [.picture]) { guide in
                    let y = try guide.state().pictureInPicture.map { $0.corner.isTop } ?? true
                    let tab = try tabPlace(guide, isTop: y)
                    try guide.tap(tab)
                    try guide.settle()
                    try inCorner(guide, .topLeft)
                },
                Step("Push it away again, and pull the tab", [.picture]) { guide in
                    let frame = try guide.frame("mpv")
                    try guide.drag(frame.center, to: Point(4, frame.center.y), duration: 150)
                    try guide.settle()
                    try guide.drag(Point(6, frame.center.y), to: Point(180, frame.center.y), duration: 250)
                    try guide.settle()
                    try inCorner(guide, .topLeft)
                },
                Step("Spread wide: the video takes the whole screen", [.picture, .moves]) { guide in
                    let frame = try guide.frame("mpv")
                    try guide.pinch(Point(frame.center.x + 60, frame.center.y + 40), from: 60, to: 560, duration: 400)
                    try guide.settle()
                    try guide.place("mpv", .full)
                },
            ])
    }

    private static func tabPlace(_ guide: Guide, isTop: Bool) throws -> Point {
        let id = try guide.id("mpv")
        guard let picture = try guide.state().pictureInPicture, picture.window == id else {
            throw Trouble("mpv is not Picture in Picture")
        }
        let height = picture.width / picture.aspect, screen = try guide.screen()
        return Point(8, isTop ? 14 + height / 2 : screen.maxY - 14 - height / 2)
    }

    private static func inCorner(_ guide: Guide, _ corner: Corner) throws {
        let state = try guide.state()
        guard let picture = state.pictureInPicture, let frame = state[picture.window]?.frame, let screen = state.screen?.bounds else {
            return guide.check("Picture in Picture is there", false, "none")
        }
        guide.equal("it is in the corner", picture.corner.rawValue, corner.rawValue)
        let across = corner.isLeft ? frame.minX : screen.maxX - frame.maxX
        let down = corner.isTop ? frame.minY : screen.maxY - frame.maxY
        guide.check("it stands there", (0...24).contains(across) && (0...24).contains(down), words(frame))
        guide.check("it is small", frame.width < screen.width * 0.7, "\(short(frame.width)) of \(short(screen.width)) points wide")
    }
}
