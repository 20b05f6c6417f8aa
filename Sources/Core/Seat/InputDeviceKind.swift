/// Whether an input device of the kernel is a keyboard on which a person types, or a touch screen (W-25), by what sysfs says of it.
public struct InputDeviceKind: Hashable, Sendable {
    public var isKeyboard: Bool
    public var isTouchScreen: Bool

    /// The keys Q to P, A to L, Z to M and the space bar. Power buttons, volume keys and remote controls lack most of them.
    private static let typed: [Int] = Array(16...25) + Array(30...38) + Array(44...50) + [57]
    private static let touch = 0x14a, toolFinger = 0x145
    private static let direct = 1

    /// - Parameters:
    ///   - keys: `capabilities/key`: hexadecimal words, the lowest last.
    ///   - properties: `properties`, in the same form.
    ///   - path: the device's folder below `/sys/devices`, without symbolic links.
    public init(keys: String, properties: String, path: String) {
        let keys = Bits(keys), properties = Bits(properties)
        // A program made it: the remote view, a test, or a bridge for a television's remote control.
        let isReal = path.hasPrefix("/sys/devices/") && !path.hasPrefix("/sys/devices/virtual/")
        isKeyboard = isReal && Self.typed.allSatisfy { keys[$0] }
        isTouchScreen = isReal && keys[Self.touch] && properties[Self.direct] && !keys[Self.toolFinger]
    }

    private struct Bits {
        private let words: [UInt64]

        init(_ text: String) { words = text.split(whereSeparator: \.isWhitespace).reversed().map { UInt64($0, radix: 16) ?? 0 } }

        subscript(_ bit: Int) -> Bool { bit / 64 < words.count && words[bit / 64] & 1 << UInt64(bit % 64) != 0 }
    }
}
