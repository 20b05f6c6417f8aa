import Geometry
import QuickLook
import Testing

/// W-18: what fingers, keys and wheel do to the state of quick look.
@Suite struct QuickLookTests {
    private var look = QuickLook(count: 3, size: Size(1000, 864))
    private var now = Moment.milliseconds(1000)

    init() {
        for file in 0..<3 { look.show(.picture(Size(2000, 1600)), of: file, at: now) }
    }

    private mutating func swipe(_ from: Point, _ to: Point, milliseconds: Double = 200) {
        look.down(0, from, at: now)
        for step in 1...10 {
            now = now + milliseconds / 10_000
            let share = Double(step) / 10
            look.move(0, from + (to - from) * share, at: now)
        }
        look.up(0, at: now)
    }

    private mutating func rest() {
        for _ in 0..<400 where look.isMoving(at: now) { now = now + 0.016 }
        #expect(!look.isMoving(at: now))
    }

    private func frame(_ file: Int, page: Int = 0) -> Rect? {
        look.placements(at: now).first { $0.file == file && $0.page == page }?.frame
    }

    @Test("W-18: a picture fits the area below the bar, and is never blown up")
    mutating func fits() {
        #expect(frame(0) == Rect(0, 64, 1000, 800))
        look.show(.picture(Size(100, 50)), of: 0, at: now)
        #expect(frame(0) == Rect(450, 64 + 375, 100, 50))
        #expect(frame(1) == nil)
    }

    @Test("W-18: a swipe flips to the next file and back; past the ends it springs back")
    mutating func flips() {
        look.down(0, Point(800, 400), at: now)
        look.move(0, Point(700, 402), at: now + 0.05)
        look.move(0, Point(600, 402), at: now + 0.1)
        let beside = look.placements(at: now + 0.1)
        #expect(beside.map(\.file) == [0, 1])
        #expect(beside[0].frame.x == -100)
        look.up(0, at: now + 0.4)
        now = now + 0.4
        rest()
        #expect(look.front == 0)

        swipe(Point(800, 400), Point(400, 410))
        #expect(look.front == 1)
        rest()
        #expect(frame(1)?.x == 0)
        swipe(Point(200, 400), Point(700, 410))
        rest()
        #expect(look.front == 0)
        swipe(Point(200, 400), Point(700, 410))
        rest()
        #expect(look.front == 0)
        #expect(frame(0)?.x == 0)
    }

    @Test("W-18: two fingers zoom around what is between them, and no further than eight times")
    mutating func pinches() {
        let middle = Point(300, 300)
        look.down(0, middle + Vector(-50, 0), at: now)
        look.down(1, middle + Vector(50, 0), at: now)
        look.move(0, middle + Vector(-100, 0), at: now)
        look.move(1, middle + Vector(100, 0), at: now)
        #expect(abs(look.zoom(at: now) - 2) < 1e-9)
        // The point of the picture between the fingers: 300, 236 below the bar.
        #expect(frame(0) == Rect(-300, 300 - 2 * 236, 2000, 1600))
        look.move(0, middle + Vector(-4000, 0), at: now)
        look.move(1, middle + Vector(4000, 0), at: now)
        #expect(look.zoom(at: now) < 10)
        look.up(0, at: now)
        look.up(1, at: now)
        rest()
        #expect(look.zoom(at: now) == 8)
        // A finger now moves the picture, and flips nothing.
        let before = frame(0)!
        swipe(Point(500, 400), Point(300, 350), milliseconds: 3000)
        #expect(look.front == 0)
        #expect(frame(0)!.x < before.x - 100)
        rest()
        look.resetZoom(at: now)
        rest()
        #expect(frame(0) == Rect(0, 64, 1000, 800))
    }

    @Test("W-18: pinched smaller than the window it springs back")
    mutating func springsBack() {
        look.down(0, Point(300, 400), at: now)
        look.down(1, Point(700, 400), at: now)
        look.move(0, Point(450, 400), at: now)
        look.move(1, Point(550, 400), at: now)
        #expect(look.zoom(at: now) < 0.8)
        look.up(1, at: now)
        look.up(0, at: now)
        rest()
        #expect(frame(0) == Rect(0, 64, 1000, 800))
    }

    @Test("W-18: a double tap zooms to twice the size at that place, and back")
    mutating func doubleTap() {
        for place in [Point(700, 600), Point(704, 604)] {
            look.down(0, place, at: now)
            look.up(0, at: now + 0.05)
            now = now + 0.15
        }
        rest()
        #expect(look.zoom(at: now) == 2)
        #expect(frame(0)!.contains(Point(700, 600)))
        for _ in 0..<2 {
            look.down(0, Point(200, 200), at: now)
            look.up(0, at: now + 0.05)
            now = now + 0.15
        }
        rest()
        #expect(look.zoom(at: now) == 1)
    }

    @Test("W-18: a swipe down closes; a short one does not")
    mutating func drops() {
        swipe(Point(500, 300), Point(500, 360), milliseconds: 1000)
        rest()
        #expect(!look.isDone)
        #expect(frame(0) == Rect(0, 64, 1000, 800))
        swipe(Point(500, 200), Point(510, 600))
        #expect(look.isDone)
    }

    @Test("W-18: pages are a column to scroll, which a swipe down does not close")
    mutating func pages() {
        look.show(.pages(Array(repeating: Size(600, 800), count: 5000)), of: 0, at: now)
        #expect(look.page(at: now)! == (0, 5000))
        #expect(frame(0)!.width == 960)
        swipe(Point(500, 700), Point(500, 100))
        rest()
        #expect(look.page(at: now)!.number > 0)
        look.scrollToEnd(true, at: now)
        rest()
        #expect(look.page(at: now)!.number == 4999)
        #expect(abs(frame(0, page: 4999)!.maxY - (864 - 12)) < 1)
        #expect(look.placements(at: now).count <= 3)
        look.scrollToEnd(false, at: now)
        rest()
        swipe(Point(500, 200), Point(510, 700))
        rest()
        #expect(!look.isDone)
        #expect(look.page(at: now)!.number == 0)
    }

    @Test("W-18: in another size of the window the same page is in the middle")
    mutating func resized() {
        look.show(.pages(Array(repeating: Size(600, 800), count: 50)), of: 0, at: now)
        look.scroll(by: Vector(0, 20_000), animated: false, at: now)
        let before = look.page(at: now)!.number
        look.resize(Size(390, 844), at: now)
        #expect(abs(look.page(at: now)!.number - before) <= 1)
        look.resize(Size(390, 0), at: now)
        #expect(look.size == Size(390, 844))
    }

    @Test("W-18: wheel and keys zoom and scroll no further than the content goes, whatever they say")
    mutating func wheel() {
        look.zoom(by: 100, at: now)
        rest()
        #expect(look.zoom(at: now) == 8)
        for way in [Vector(1e12, 1e12), Vector(-1e12, -1e12), Vector(.nan, 0), Vector(.infinity, 0)] {
            look.scroll(by: way, animated: false, at: now)
            #expect(frame(0)!.contains(Rect(0, 64, 1000, 800), tolerance: 1))
        }
        look.zoom(by: .nan, at: now)
        look.zoom(by: -1, at: now)
        #expect(look.zoom(at: now) == 8)
        let back = look.flip(by: -1, at: now), on = look.flip(by: 1, at: now)
        #expect(!back && on)
        #expect(look.zoom(at: now) == 1)
    }

    @Test("W-18: a notice neither zooms nor scrolls, and flips")
    mutating func notice() {
        look.show(.notice, of: 0, at: now)
        look.zoom(by: 2, at: now)
        look.down(0, Point(300, 400), at: now)
        look.down(1, Point(700, 400), at: now)
        look.move(1, Point(900, 400), at: now)
        look.up(0, at: now)
        look.up(1, at: now)
        rest()
        #expect(look.placements(at: now) == [.init(file: 0, page: 0, frame: look.area)])
        swipe(Point(800, 400), Point(300, 400))
        #expect(look.front == 1)
    }

    @Test("W-18: fingers that the shell takes leave everything in its place")
    mutating func cancelled() {
        look.down(0, Point(800, 400), at: now)
        look.move(0, Point(500, 400), at: now + 0.05)
        look.cancel(at: now + 0.06)
        look.move(0, Point(100, 400), at: now + 0.07)
        look.up(0, at: now + 0.08)
        now = now + 0.1
        rest()
        #expect(look.front == 0)
        #expect(frame(0)?.x == 0)
    }
}
