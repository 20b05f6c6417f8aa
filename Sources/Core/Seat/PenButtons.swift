/// Buttons of pointing devices, by the kernel's numbers.
public enum Button {
    public static let left: UInt32 = 0x110, right: UInt32 = 0x111, middle: UInt32 = 0x112
    /// Of a pen.
    public static let stylus: UInt32 = 0x14b, stylus2: UInt32 = 0x14c
}

/// The buttons of a pen that are down, and what each stands for.
public struct PenButtons: Hashable, Sendable {
    private var down: [(raw: UInt32, as: UInt32)] = []

    /// More at once are not heard of.
    public static let most = 8

    public init() {}

    /// The button that is pressed now; nil: too many are.
    /// - Parameter isOnPenApp: an app that knows pens gets the button as it is. For the shell and for apps that know no pens it is
    ///   one of a mouse.
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

    /// The button that is let go: what its press was. nil: it was not down.
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
