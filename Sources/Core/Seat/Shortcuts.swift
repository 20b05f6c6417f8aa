import Windows

/// Another meaning of a key in shortcuts, beside its symbol in the person's layout.
public struct KeyAlias: Hashable, Codable, Sendable {
    public var symbol: KeySymbol
    /// The Shift key is needed for the symbol, so it is no part of the shortcut.
    public var usesShift: Bool

    public init(_ symbol: KeySymbol, usesShift: Bool = false) {
        self.symbol = symbol
        self.usesShift = usesShift
    }
}

/// A key that is pressed with the Super, Control or Alt key, as its keymap describes it. All symbols are in lower case.
public struct ShortcutKey {
    /// The symbols of a key in one layout.
    public struct Symbols: Hashable, Sendable {
        /// Without modifiers, and with Shift.
        public var plain: KeySymbol, shifted: KeySymbol

        public init(_ plain: KeySymbol, _ shifted: KeySymbol) {
            self.plain = plain
            self.shifted = shifted
        }
    }

    /// As in evdev.
    public var code: UInt32
    /// By layout.
    public var symbols: [Symbols]
    /// The layout in use.
    public var active: Int
    /// The symbol with the modifiers that are held.
    public var effective: KeySymbol
    public var isShifted: Bool

    public init(code: UInt32, symbols: [Symbols], active: Int, effective: KeySymbol, isShifted: Bool) {
        self.code = code
        self.symbols = symbols
        self.active = active
        self.effective = effective
        self.isShifted = isShifted
    }

    /// The symbols of all keys of a layout.
    public struct Layout: Hashable, Sendable {
        public var plain: Set<KeySymbol> = [], shifted: Set<KeySymbol> = []

        public init() {}

        public mutating func insert(_ symbols: Symbols) {
            plain.insert(symbols.plain)
            shifted.insert(symbols.shifted)
        }

        func has(_ symbol: KeySymbol) -> Bool { plain.contains(symbol) || shifted.contains(symbol) }

        /// Whether it types the Latin letters. Hebrew layouts have them with Shift.
        var isLatin: Bool { (UInt32(0x61)...0x7a).count { plain.contains(KeySymbol(rawValue: $0)) } >= ShortcutKey.latinLetters }
    }

    /// A layout with this many of the 26 letters is Latin.
    static let latinLetters = 20

    /// The key's other meanings, best first. A shortcut means the key that has its symbol in the person's layout, with or without Shift,
    /// else in their first Latin layout, else the key at its place on a US keyboard.
    ///
    /// - Parameter layouts: by layout, as `symbols`.
    public func aliases(in layouts: [Layout]) -> [KeyAlias] {
        guard symbols.indices.contains(active), layouts.indices.contains(active) else { return [] }
        let own = symbols[active], layout = layouts[active]
        var found: [KeyAlias] = []
        func add(_ symbol: KeySymbol, usesShift: Bool = false) {
            let alias = KeyAlias(symbol, usesShift: usesShift)
            if symbol.rawValue != 0, symbol != own.plain, !found.contains(alias) { found.append(alias) }
        }
        // Digits need Shift on a French keyboard, and Latin letters on a Hebrew one. Shortcuts mean the key that has them.
        if own.shifted.isDigit || own.shifted.isLetter { add(own.shifted) }
        // Slash needs Shift on a German keyboard, and a bracket needs AltGr.
        if !effective.isLetter { add(effective, usesShift: isShifted) }
        let latin = layouts.indices.first { $0 != active && symbols.indices.contains($0) && layouts[$0].isLatin }
        if let latin {
            let other = symbols[latin]
            if !layout.has(other.plain) { add(other.plain) }
            if other.shifted.isDigit, !layout.has(other.shifted) { add(other.shifted) }
            if isShifted, !other.shifted.isLetter, !layout.has(other.shifted) { add(other.shifted, usesShift: true) }
        }
        if let place = Self.places[code], !layout.has(place), latin.map({ !layouts[$0].has(place) }) ?? true { add(place) }
        return found
    }

    /// The symbols of a US keyboard by code.
    static let places: [UInt32: KeySymbol] = {
        var places: [UInt32: KeySymbol] = [:]
        for (first, row) in [(UInt32(2), "1234567890-="), (16, "qwertyuiop[]"), (30, "asdfghjkl;'`"), (43, "\\zxcvbnm,./")] {
            for (offset, sign) in row.unicodeScalars.enumerated() { places[first + UInt32(offset)] = KeySymbol(rawValue: sign.value) }
        }
        return places
    }()
}

extension KeySymbol {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(rawValue) }
    /// A Latin letter without accent, in lower case.
    fileprivate var isLetter: Bool { (0x61...0x7a).contains(rawValue) }
}
