import Lifecycle
import Processes

/// Looks at processes, to see whether they have run (`FirstTurns`).
enum ProcessSights {
    /// Those that exist. One look takes about 30 us for each.
    static func look(at processes: some Sequence<Int32>) -> [Int32: FirstTurns.Sight] {
        var sights: [Int32: FirstTurns.Sight] = [:]
        for process in processes { sights[process] = sight(of: process) }
        return sights
    }

    /// Of its first thread, in which toolkits run their timers.
    private static func sight(of process: Int32) -> FirstTurns.Sight? {
        guard let text = readSmallFile("/proc/\(process)/status", limit: 4096) else { return nil }
        return sight(inStatus: text)
    }

    static func sight(inStatus text: String) -> FirstTurns.Sight? {
        var state: FirstTurns.Sight.State?, switches: UInt64 = 0
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = line[..<colon],
                value = line[line.index(after: colon)...].drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            if name.elementsEqual("State".utf8) {
                state =
                    switch value.first {
                    case UInt8(ascii: "S"), UInt8(ascii: "I"): .rests
                    case UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "Z"), UInt8(ascii: "X"): .stopped
                    default: .runs
                    }
            } else if name.elementsEqual("voluntary_ctxt_switches".utf8) || name.elementsEqual("nonvoluntary_ctxt_switches".utf8) {
                switches &+= UInt64(String(decoding: value, as: UTF8.self)) ?? 0
            }
        }
        return state.map { FirstTurns.Sight(switches: switches, $0) }
    }
}
