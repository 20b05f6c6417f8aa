import Windows

/// Where each key of one keyboard goes. A press and its release go the same way, whatever happened in between (law 4).
public struct KeyRoute: Hashable, Sendable {
    public enum Destination: Hashable, Sendable {
        /// The shell took it, or nobody could.
        case nobody
        /// The input method, if there still is one.
        case inputMethod
        case client
    }

    private var kept = Codes(), composed = Codes(), sent = Codes()

    public init() {}

    /// - Parameters:
    ///   - isShells: the shell wants it.
    ///   - hasInputMethod: an input method has the keys.
    ///   - isStalled: whoever would get it does not read. Nobody gets it then: keys would come all at once when it is forgotten what
    ///     they were for.
    public mutating func press(_ code: UInt32, isShells: Bool, hasInputMethod: Bool, isStalled: Bool) -> Destination {
        if isShells || isStalled {
            _ = kept.put(code)
            return .nobody
        }
        if hasInputMethod, composed.put(code) { return .inputMethod }
        return sent.put(code) ? .client : .nobody
    }

    /// A release without its press says nothing; two keyboards that go on so would have clients told keymaps without end.
    public mutating func release(_ code: UInt32) -> Destination {
        if kept.take(code) { return .nobody }
        if composed.take(code) { return .inputMethod }
        return sent.take(code) ? .client : .nobody
    }

    /// Keys that the shell or the input method keeps are not down as far as clients know.
    public func isHidden(_ code: UInt32) -> Bool { kept.contains(code) || composed.contains(code) }

    private struct Codes: Hashable, Sendable {
        private var list: [UInt32] = []
        static let most = 16

        func contains(_ code: UInt32) -> Bool { list.contains(code) }

        /// False: too many are down.
        mutating func put(_ code: UInt32) -> Bool {
            if list.contains(code) { return true }
            guard list.count < Self.most else { return false }
            list.append(code)
            return true
        }

        mutating func take(_ code: UInt32) -> Bool {
            guard let index = list.firstIndex(of: code) else { return false }
            list.remove(at: index)
            return true
        }
    }
}

/// What a key means, beyond its keymap.
public enum KeyMeaning {
    /// A headset has one button, whichever code the jack's driver gives it; for calls it means something else than the play
    /// key of a keyboard does.
    /// - Parameter device: the name of the device; nil for a keyboard that is no device.
    public static func symbol(_ base: KeySymbol, device: String?) -> KeySymbol {
        guard base == .audioPlay, let device, device.contains("Headset") || device.contains("Headphone") else { return base }
        return .audioMedia
    }

    /// What a key types, if that is text. Control turns letters into control characters, which are none; nor are Return and its like.
    public static func text(_ text: String) -> String? {
        guard let first = text.unicodeScalars.first else { return nil }
        return first.value < 0x20 || (0x7f..<0xa0).contains(first.value) ? nil : text
    }
}
