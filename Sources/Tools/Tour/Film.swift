import Chrome
import Control
import Geometry
import Glibc
import Multitasking

/// A film of the shell as a folder of pictures. `make tour` makes the animation in the README from them.
///
/// The shell runs with the manual clock, so that pictures are evenly spaced in time, however slow apps and the
/// machine are. Fingers are drawn as pale discs.
final class Film {
    /// Milliseconds from one picture to the next. The Makefile has the same value.
    static let pace = 50.0
    private let guide: Guide
    private let folder: String
    private var count = 0
    private var finger: Point?

    init(_ guide: Guide) {
        self.guide = guide
        folder = "\(guide.out)/film"
        mkdir(folder, 0o755)
    }

    func begin() throws { try guide.client.ask(.clock(.hand)) }
    func end() throws { try guide.client.ask(.clock(.real)) }

    /// Takes a picture. Apps get a moment of real time to draw.
    func shoot() throws {
        try guide.client.ask(.clock(.step(Film.pace)))
        TourShell.sleep(0.03)
        let digits = String(count)
        let file = "\(folder)/\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits).png"
        count += 1
        try guide.client.ask(.screenshot(ScreenshotRequest(path: file)))
        var picture = try PNG.read(file)
        if let finger { Film.draw(finger, into: &picture) }
        do { try PNG.write(picture.halved, to: file) } catch { throw Trouble("\(file): \(error)") }
    }

    /// Takes a separate picture in the size of the screen.
    func still(_ name: String) throws {
        try guide.client.ask(.screenshot(ScreenshotRequest(path: "\(folder)/../\(name).png")))
    }

    func rest(_ pictures: Int) throws { for _ in 0..<pictures { try shoot() } }

    /// Swipes from point to point, and rests for `rest` pictures at the end.
    func swipe(_ from: Point, to: Point, pictures: Int, rest: Int = 0) throws {
        try guide.client.input(.touchDown(touch: 0, at: from))
        finger = from
        try shoot()
        for step in 1...pictures {
            let point = from + (to - from) * (Double(step) / Double(pictures))
            finger = point
            try guide.client.input(.touchMotion(touch: 0, at: point))
            try shoot()
        }
        try self.rest(rest)
        try guide.client.input(.touchUp(touch: 0))
        finger = nil
        try shoot()
    }

    func tap(_ at: Point) throws { try swipe(at, to: at, pictures: 1) }

    private static func draw(_ finger: Point, into picture: inout Picture) {
        let radius = 24.0
        for y in max(0, Int(clamping: finger.y - radius))..<max(0, min(picture.height, Int(clamping: finger.y + radius))) {
            for x in max(0, Int(clamping: finger.x - radius))..<max(0, min(picture.width, Int(clamping: finger.x + radius))) {
                let away = (Point(Double(x) + 0.5, Double(y) + 0.5) - finger).length
                guard away < radius else { continue }
                let share = away > radius - 3 ? 0.75 : 0.45
                let old = picture.pixels[y * picture.width + x]
                var new: UInt32 = 0xff00_0000
                for shift in [0, 8, 16] as [UInt32] {
                    let value = Double(old >> shift & 255)
                    new |= UInt32(clamping: value + (255 - value) * share) << shift
                }
                picture.pixels[y * picture.width + x] = new
            }
        }
    }
}

extension Picture {
    /// Half the size; each pixel is the mean of four.
    fileprivate var halved: Picture {
        var small = Picture(width: width / 2, height: height / 2)
        for y in 0..<small.height {
            for x in 0..<small.width {
                let first = 2 * y * width + 2 * x
                let four = [pixels[first], pixels[first + 1], pixels[first + width], pixels[first + width + 1]]
                var mean: UInt32 = 0
                for shift in [0, 8, 16, 24] as [UInt32] { mean |= ((four.reduce(0) { $0 + ($1 >> shift & 255) } + 2) / 4) << shift }
                small.pixels[y * small.width + x] = mean
            }
        }
        return small
    }
}

extension Tour {
    static var film: Chapter {
        Chapter(
            id: "film", title: "The film",
            about: "The moving picture of README: Split View, the divider, Slide Over, Picture in Picture, the app switcher, home.",
            steps: [
                Step("A finger leads three apps through the arrangements", [.splitView, .slideOver, .picture, .switcher]) { guide in
                    try guide.desk(.qt, .terminal, .gtk4)
                    let size = TourShell.size, film = Film(guide)
                    // At normal speed, and without the apps that other chapters need.
                    try guide.shell.setPace(1)
                    for entry in ["slow-terminal", "broken-app"] { unlink("\(guide.shell.room)/data/applications/\(entry).desktop") }
                    guide.pause(600)
                    try film.begin()
                    defer { try? film.end() }
                    try film.rest(8)
                    // Drag it by its dots to the left edge: Split View with the previous app.
                    try film.swipe(try guide.grip("gtk4-demo"), to: Point(16, size.height * 0.5), pictures: 14, rest: 4)
                    try film.rest(14)
                    let split = try guide.state().divider
                    guide.check("the finger made a Split View", split != nil, split == nil ? "there is no divider" : "there is a divider")
                    let divider = try guide.divider()
                    try film.swipe(divider, to: Point(size.width * 0.66, divider.y), pictures: 14, rest: 2)
                    try film.rest(12)
                    // The app switcher, a card in it, and back.
                    try film.swipe(
                        Point(size.width * 0.5, size.height - 2), to: Point(size.width * 0.5, size.height * 0.55), pictures: 12, rest: 7)
                    try film.rest(14)
                    try film.still("switcher")
                    let isOpen = try guide.state().open.contains("switcher")
                    guide.check("the finger opened the app switcher", isOpen, isOpen ? "it is open" : "it is not open")
                    try guide.client.perform(.focus(window: try guide.id("featherpad")))
                    try film.rest(12)
                    // A window dropped in the outer quarter floats above the one below.
                    try film.swipe(try guide.grip("featherpad"), to: Point(size.width * 0.86, size.height * 0.55), pictures: 14, rest: 4)
                    try film.rest(16)
                    try film.still("split")
                    try film.swipe(Point(size.width * 0.3, size.height - 2), to: Point(size.width * 0.3, size.height * 0.3), pictures: 5)
                    try film.rest(18)
                    let home = try guide.state().home
                    guide.check("the finger went home", home, home ? "the home screen is shown" : "it is not shown")
                }
            ])
    }
}
