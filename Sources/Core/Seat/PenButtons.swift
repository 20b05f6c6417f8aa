/// Buttons of pointing devices, by the kernel's codes.
public enum Button {
    public static let left: UInt32 = 0x110, right: UInt32 = 0x111, middle: UInt32 = 0x112
    /// Buttons of a pen.
    public static let stylus: UInt32 = 0x14b, stylus2: UInt32 = 0x14c
}

/// The pressed buttons of a pen, and the codes under which they were delivered.
public struct PenButtons: Hashable, Sendable {
    private var down: [(raw: UInt32, as: UInt32)] = []

    /// Further buttons are ignored.
    public static let most = 8

    public init() {}

    /// Presses a button and returns the code to deliver; nil if too many are down.
    /// - Parameter isOnPenApp: an app that supports tablets gets the button unchanged. For other apps and the shell
    ///   it becomes a mouse button.
    public mutating func press(_ raw: UInt32, isOnPenApp: Bool) -> UInt32? {
        guard down.count < Self.most else { return nil }
        var button = raw
        if !isOnPenApp {
            if raw == Button.stylus { button = Button.right }
            if raw == Button.stylus2 { button = Button.middle }
        }
        down.append((raw, button))
        return button
    }

    /// Releases a button and returns the code of its press; nil if it was not down.
    public mutating func release(_ raw: UInt32) -> UInt32? {
        down.firstIndex { $0.raw == raw }.map { down.remove(at: $0).as }
    }

    public mutating func releaseAll() -> [UInt32] {
        defer { down = [] }
        return down.map(\.as)
    }

    public static func == (a: PenButtons, b: PenButtons) -> Bool { a.down.elementsEqual(b.down) { $0 == $1 } }

    public func hash(into hasher: inout Hasher) {
        for button in down {
            hasher.combine(button.raw)
            hasher.combine(button.as)
        }
    }
}
