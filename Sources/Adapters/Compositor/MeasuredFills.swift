import CWlroots
import Windows

/// Fills of the current list beside which the brightness of the screen is measured, with the last report of each.
struct MeasuredFills {
    private var fills: [(key: UInt64, window: WindowID, isKnown: Bool)] = []
    private var last: [WindowID: Int32] = [:]

    /// A new list begins.
    mutating func removeAll() { fills.removeAll(keepingCapacity: true) }

    /// `isKnown`: whether the core knows the brightness already.
    mutating func add(_ key: UInt64, _ window: WindowID, isKnown: Bool) { fills.append((key, window, isKnown)) }

    /// The brightness beside each fill where it differs clearly from the last report, from 0 to 1.
    mutating func news(of output: OpaquePointer) -> [(window: WindowID, brightness: Double)] {
        guard !fills.isEmpty else { return [] }
        var news: [(WindowID, Double)] = []
        for (key, window, isKnown) in fills {
            let brightness = mw_output_beside(output, key)
            guard brightness >= 0 else { continue }
            if isKnown, let before = last[window], abs(before - brightness) < 16 { continue }
            last[window] = brightness
            news.append((window, Double(brightness) / 255))
        }
        if last.count > 2 * fills.count + 16 { last = last.filter { known in fills.contains { $0.window == known.key } } }
        return news
    }
}
