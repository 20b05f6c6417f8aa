import Geometry
import Testing

@Suite("Whole numbers from outside")
struct WholeNumberTests {
    @Test("a number that a type does not hold becomes its nearest one, and NaN 0")
    func clamped() {
        #expect([1e308, 1e19, .infinity].map { Int32(clamping: $0) } == [.max, .max, .max])
        #expect([-1e308, -1e19, -.infinity].map { Int64(clamping: $0) } == [.min, .min, .min])
        #expect([-1, 255.9, 256, 1e300].map { UInt8(clamping: $0) } == [0, 255, 255, 255])
        #expect(Int(clamping: Double.nan) == 0 && UInt64(clamping: Double.nan) == 0)
    }

    @Test("a number that a type holds loses its fraction, as in Swift's own conversion")
    func held() {
        #expect([2.9, -2.9, 0.5, -0.0, 1e15].map { Int(clamping: $0) } == [2, -2, 0, 0, 1_000_000_000_000_000])
        #expect(Int32(clamping: 2_147_483_646.7) == 2_147_483_646 && Int32(clamping: -2_147_483_648.0) == .min)
        #expect(Int64(clamping: 9_223_372_036_854_774_784.0) == 9_223_372_036_854_774_784)
        #expect(UInt64(clamping: 18_446_744_073_709_549_568.0) == 18_446_744_073_709_549_568)
        #expect(Int(clamping: Float(3.7)) == 3)
    }

    @Test("a moment that is farther than time goes is the last one")
    func moments() {
        let now = Moment.milliseconds(1000)
        #expect(now + 1e300 == Moment(nanoseconds: .max) && now + .infinity == Moment(nanoseconds: .max))
        #expect(now + -1e300 == Moment(nanoseconds: .min + now.nanoseconds))
        #expect(now + .nan == now && now + 0.5 == Moment.milliseconds(1500))
    }
}
