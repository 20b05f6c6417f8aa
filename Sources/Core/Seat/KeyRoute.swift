import Windows

/// The destination of each pressed key of a keyboard. A release always goes where its press went (law 4).
public struct KeyRoute: Hashable, Sendable {
    public enum Destination: Hashable, Sendable {
        /// The shell took it, or it could not be delivered.
        case nobody
        /// The input method, if there still is one.
        case inputMethod
        case client
    }

    private var kept = Codes(), composed = Codes(), sent = Codes()

    public init() {}

    /// - Parameters:
    ///   - isShells: the shell wants the key.
    ///   - hasInputMethod: an input method has the keyboard grab.
    ///   - isStalled: the destination does not read its socket. Then the key is dropped: delayed keys would arrive
    ///     all at once, when the user no longer expects them.
    ///
    /// Ignores a second press without a release, as virtual keyboards may send it: its receiver has the key pressed already (P-05).
    public mutating func press(_ code: UInt32, isShells: Bool, hasInputMethod: Bool, isStalled: Bool) -> Destination {
        guard !isHidden(code), !isAtClient(code) else { return .nobody }
        if isShells || isStalled {
            _ = kept.put(code)
            return .nobody
        }
        if hasInputMethod, composed.put(code) { return .inputMethod }
        return sent.put(code) ? .client : .nobody
    }

    /// Ignores a release without a press. Two keyboards that alternate could otherwise make clients receive endless
    /// keymaps.
    public mutating func release(_ code: UInt32) -> Destination {
        if kept.take(code) { return .nobody }
        if composed.take(code) { return .inputMethod }
        return sent.take(code) ? .client : .nobody
    }

    /// Takes keys that are down at a client from it, and their releases too. The focus leaves the client next, which ends them there (law
    /// 4). Keys at the input method stay.
    public mutating func drop() {
        for code in sent.takeAll() { _ = kept.put(code) }
    }

    /// Notes that the focus entered another surface, which was told that only these keys are down. The client loses the other keys and
    /// their releases: it must not get the release of a key that is not pressed there (P-05).
    public mutating func entered(telling told: [UInt32]) {
        for code in sent.takeAll() { _ = told.contains(code) ? sent.put(code) : kept.put(code) }
    }

    /// Whether a client was told that the key is pressed. While another keyboard holds the same key there, neither a press nor a
    /// release of this one says anything new (P-05).
    public func isAtClient(_ code: UInt32) -> Bool { sent.contains(code) }

    /// Whether the shell or the input method holds the key, so that for clients it is not pressed.
    public func isHidden(_ code: UInt32) -> Bool { kept.contains(code) || composed.contains(code) }

    private struct Codes: Hashable, Sendable {
        private var list: [UInt32] = []
        static let most = 16

        func contains(_ code: UInt32) -> Bool { list.contains(code) }

        /// Returns false if too many keys are down.
        mutating func put(_ code: UInt32) -> Bool {
            if list.contains(code) { return true }
            guard list.count < Self.most else { return false }
            list.append(code)
            return true
        }

        mutating func takeAll() -> [UInt32] {
            defer { list = [] }
            return list
        }

        mutating func take(_ code: UInt32) -> Bool {
            guard let index = list.firstIndex(of: code) else { return false }
            list.remove(at: index)
            return true
        }
    }
}

/// The meaning of a key beyond its keymap.
public enum KeyMeaning {
    /// A headset has one button, whose code depends on the jack's driver. In calls it means something other than the
    /// play key of a keyboard.
    /// - Parameter device: the name of the device; nil for a virtual keyboard.
    public static func symbol(_ base: KeySymbol, device: String?) -> KeySymbol {
        guard base == .audioPlay, let device, device.contains("Headset") || device.contains("Headphone") else { return base }
        return .audioMedia
    }

    /// The text that a key types, if any. Control characters, from letters with Control or from keys such as Return,
    /// are not text.
    public static func text(_ text: String) -> String? {
        guard let first = text.unicodeScalars.first else { return nil }
        return first.value < 0x20 || (0x7f..<0xa0).contains(first.value) ? nil : text
    }
}
