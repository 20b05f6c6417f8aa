import Seat
import Testing

@Suite("X-02: the pace of the primary selection")
struct SelectionPaceTests {
    private let millisecond: Int64 = 1_000_000

    @Test("one at once, the next after a pause")
    func waits() {
        var pace = SelectionPace()
        #expect(pace.wait(at: 5) == 0)
        pace.set(at: 5)
        #expect(pace.wait(at: 5) == SelectionPace.pause && pace.wait(at: 5 + 20 * millisecond) == SelectionPace.pause - 20 * millisecond)
        #expect(pace.wait(at: 5 + SelectionPace.pause) == 0 && pace.wait(at: 5 + 500 * millisecond) == 0)
    }

    @Test("a finger that selects text at 60 to 500 Hz stays within the limit", arguments: [60, 90, 120, 240, 500] as [Int64])
    func finger(rate: Int64) {
        var pace = SelectionPace(), bytes: UInt32 = 0
        // GTK sets it twice with each motion, with ten types.
        for number in 0..<rate {
            for _ in 0..<2 { bytes += pace.count(ClientLimits.selectionRoom + 400, at: number * 1_000 * millisecond / rate) }
        }
        #expect(bytes < UInt32(ClientLimits.selections) / 4)
    }

    @Test("a flood of large ones counts as if each pause had its largest", arguments: [1, 3, 7, 49, 51] as [Int64])
    func flood(step: Int64) {
        var pace = SelectionPace(), bytes: UInt32 = 0, pauses = 0
        for number in 0..<(1_000 / step) {
            let now = number * step * millisecond, isNew = pace.wait(at: now) == 0
            pauses += isNew ? 1 : 0
            // Small first, then large.
            bytes += pace.count(isNew ? 512 : UInt32(ClientLimits.types), at: now)
        }
        #expect(pauses <= 20 && bytes == UInt32(pauses) * (step >= 50 ? 512 : UInt32(ClientLimits.types)))
    }
}
