/// The serials of presses, touches and keys with their times. A client presents one to prove that the user acted.
public struct InputSerials: Hashable, Sendable {
    private struct Stretch: Hashable, Sendable {
        var first: UInt32, last: UInt32
        var when: Int64
    }

    /// A ring buffer that drops the oldest.
    private var stretches: [Stretch] = []
    private var next = 0
    private static let most = 64

    public init() {}

    /// Records that the serials from `first` to `last` came with real input. `when` is in nanoseconds.
    public mutating func remember(_ first: UInt32, through last: UInt32, at when: Int64) {
        let stretch = Stretch(first: first, last: last, when: when)
        if stretches.count < Self.most {
            stretches.append(stretch)
        } else {
            stretches[next] = stretch
        }
        next = (next + 1) % Self.most
    }

    /// Whether the serial came with real input at or after the given time. Serials wrap around.
    public func isRecent(_ serial: UInt32, notBefore: Int64) -> Bool {
        stretches.first { Int32(bitPattern: serial &- $0.first) >= 0 && Int32(bitPattern: $0.last &- serial) >= 0 }
            .map { $0.when >= notBefore } ?? false
    }
}
