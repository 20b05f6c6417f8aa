/// Which serials came with a press, a touch or a key, and when. A client shows one to prove that a person acted.
public struct InputSerials: Hashable, Sendable {
    private struct Stretch: Hashable, Sendable {
        var first: UInt32, last: UInt32
        var when: Int64
    }

    /// A ring: the oldest are forgotten.
    private var stretches: [Stretch] = []
    private var next = 0
    private static let most = 64

    public init() {}

    /// All serials from `first` to `last` came with real input. `when` in nanoseconds.
    public mutating func remember(_ first: UInt32, through last: UInt32, at when: Int64) {
        let stretch = Stretch(first: first, last: last, when: when)
        if stretches.count < Self.most {
            stretches.append(stretch)
        } else {
            stretches[next] = stretch
        }
        next = (next + 1) % Self.most
    }

    /// The serial came with real input, no earlier than that. Serials wrap around.
    public func isRecent(_ serial: UInt32, notBefore: Int64) -> Bool {
        stretches.first { Int32(bitPattern: serial &- $0.first) >= 0 && Int32(bitPattern: $0.last &- serial) >= 0 }
            .map { $0.when >= notBefore } ?? false
    }
}
