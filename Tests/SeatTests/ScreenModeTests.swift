import Seat
import Testing

@Suite("Screens: which mode a wish comes to")
struct ScreenModeTests {
    private let now = ScreenMode(width: 1920, height: 1080, refresh: 60000)
    private let modes = [(1920, 1080, 60000), (1280, 720, 50000), (1280, 720, 60000), (1280, 720, 59940)].map {
        ScreenMode(width: Int32($0.0), height: Int32($0.1), refresh: Int32($0.2))
    }

    private func resize(_ width: Int32, _ height: Int32, _ refresh: Int32 = 0, kind: ScreenResize.Kind = .fixed) -> ScreenResize {
        ScreenResize(from: now, to: ScreenMode(width: width, height: height, refresh: refresh), modes: modes, kind: kind)
    }

    @Test("the fastest of a size, or the nearest to a refresh that is named")
    func modesOfASize() {
        #expect(resize(1280, 720) == .mode(2))
        #expect(resize(1280, 720, 59950) == .mode(3))
        #expect(resize(1280, 720, 10) == .mode(1))
    }

    @Test("an unchanged or invalid size changes nothing")
    func nothing() {
        #expect(resize(1920, 1080) == .nothing && resize(1920, 1080, 60000) == .nothing)
        #expect(resize(0, 1080) == .nothing && resize(1920, -1, 50000) == .nothing)
        #expect(resize(1920, 1080, 30000) == .mode(0), "another pace takes the nearest mode of the size")
    }

    @Test("a size without a mode: a device has none, a nested screen keeps its pace, the shell's own takes any")
    func withoutAMode() {
        #expect(resize(1000, 700) == .impossible)
        #expect(resize(1000, 700, kind: .nested) == .custom(ScreenMode(width: 1000, height: 700, refresh: 0)))
        #expect(resize(1000, 700, 30000, kind: .nested) == .impossible)
        #expect(resize(1000, 700, kind: .virtual) == .custom(ScreenMode(width: 1000, height: 700, refresh: 60000)))
        #expect(resize(1000, 700, 30000, kind: .virtual) == .custom(ScreenMode(width: 1000, height: 700, refresh: 30000)))
    }

    @Test("numbers at the ends of their range come to no harm")
    func extremes() {
        #expect(resize(1280, 720, .max) == .mode(2))
        #expect(resize(.max, .max, .max, kind: .virtual) == .custom(ScreenMode(width: .max, height: .max, refresh: .max)))
    }
}
