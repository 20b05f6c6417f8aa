/// Modifier keys that are held while the key of a chord goes down.
public struct KeyModifiers: OptionSet, Hashable, Codable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let shift = KeyModifiers(rawValue: 1)
    public static let ctrl = KeyModifiers(rawValue: 2)
    public static let alt = KeyModifiers(rawValue: 4)
    /// The key with the logo; Globe on an iPad keyboard.
    public static let `super` = KeyModifiers(rawValue: 8)

    static let names: [(name: String, modifier: KeyModifiers)] = [
        ("Super", .super), ("Ctrl", .ctrl), ("Alt", .alt), ("Shift", .shift),
    ]
}

/// A key with its modifiers, written `Super+Shift+Left`.
public struct KeyChord: Hashable, Codable, Sendable, CustomStringConvertible {
    public var modifiers: KeyModifiers
    /// The X keysym of the key without Shift: what `xkb_state_key_get_one_sym` gives on level one.
    public var keysym: UInt32

    public init(_ modifiers: KeyModifiers, keysym: UInt32) {
        self.modifiers = modifiers
        self.keysym = keysym
    }

    /// What makes a text no chord, in words for a person.
    public struct ParseError: Error, Equatable, Sendable {
        public var message: String
    }

    /// Reads `Super+Ctrl+Left`. Modifiers are Super, Ctrl, Alt and Shift, capital or not, in any order.
    public init(parsing text: String) throws(ParseError) {
        var modifiers: KeyModifiers = []
        var key: String?
        let parts = text.split(separator: "+", omittingEmptySubsequences: false).map {
            $0.trimming(while: \.isWhitespace)
        }
        for (index, part) in parts.enumerated() {
            if part.isEmpty {
                throw ParseError(message: "\"\(text)\" is no key: write it like \"Super+Left\", and the + key as plus")
            }
            if let modifier = Self.modifier(part) {
                modifiers.insert(modifier)
            } else if index < parts.count - 1 {
                throw ParseError(message: "\"\(part)\" is no modifier: there are Super, Ctrl, Alt and Shift")
            } else {
                key = part
            }
        }
        guard let key else {
            throw ParseError(message: "\"\(text)\" has modifiers but no key: write it like \"Super+Left\"")
        }
        guard let keysym = Keysym.named(key) else {
            throw ParseError(message: "\"\(key)\" is no key that Mullion knows: "
                + "a letter, a digit, F1 to F24, or a name such as Left, Tab, Return, space, minus")
        }
        if modifiers.isSubset(of: .shift), !Keysym.mayStandAlone(keysym) {
            throw ParseError(message: "\"\(text)\" would take the key away from every app: "
                + "add Super, Ctrl or Alt")
        }
        self.init(modifiers, keysym: keysym)
    }

    public var description: String {
        let held = KeyModifiers.names.filter { modifiers.contains($0.modifier) }.map(\.name)
        return (held + [Keysym.name(keysym)]).joined(separator: "+")
    }

    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        do {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: error.message))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    private static func modifier(_ text: String) -> KeyModifiers? {
        KeyModifiers.names.first { $0.name.lowercased() == text.lowercased() }?.modifier
    }
}

/// Names and numbers of the keys that a chord may use, from the X keysym registry.
enum Keysym {
    /// First name of a number is the one shown.
    private static let table: [(name: String, keysym: UInt32)] = [
        ("Left", 0xff51), ("Up", 0xff52), ("Right", 0xff53), ("Down", 0xff54),
        ("Home", 0xff50), ("End", 0xff57), ("Page_Up", 0xff55), ("Prior", 0xff55), ("PageUp", 0xff55),
        ("Page_Down", 0xff56), ("Next", 0xff56), ("PageDown", 0xff56),
        ("Tab", 0xff09), ("Return", 0xff0d), ("Enter", 0xff0d), ("Escape", 0xff1b), ("Esc", 0xff1b),
        ("BackSpace", 0xff08), ("Delete", 0xffff), ("Insert", 0xff63), ("Menu", 0xff67),
        ("Print", 0xff61), ("Pause", 0xff13),
        ("space", 0x20), ("minus", 0x2d), ("plus", 0x2b), ("equal", 0x3d), ("comma", 0x2c), ("period", 0x2e),
        ("slash", 0x2f), ("backslash", 0x5c), ("semicolon", 0x3b), ("apostrophe", 0x27), ("grave", 0x60),
        ("bracketleft", 0x5b), ("bracketright", 0x5d),
        ("XF86AudioRaiseVolume", 0x1008_ff13), ("XF86AudioLowerVolume", 0x1008_ff11),
        ("XF86AudioMute", 0x1008_ff12), ("XF86AudioPlay", 0x1008_ff14), ("XF86AudioNext", 0x1008_ff17),
        ("XF86AudioPrev", 0x1008_ff16), ("XF86HomePage", 0x1008_ff18), ("XF86PowerOff", 0x1008_ff2a),
        ("XF86MonBrightnessUp", 0x1008_ff02), ("XF86MonBrightnessDown", 0x1008_ff03),
        ("XF86LaunchA", 0x1008_ff4a), ("XF86TaskPane", 0x1008_ff7f), ("XF86RotateWindows", 0x1008_ff74),
    ] + (1...24).map { ("F\($0)", 0xffbe + UInt32($0) - 1) }

    static func named(_ name: String) -> UInt32? {
        let wanted = name.lowercased()
        if wanted.unicodeScalars.count == 1, let scalar = wanted.unicodeScalars.first {
            // Printable ASCII and Latin-1 have their own numbers as keysyms.
            return (0x21...0x7e).contains(scalar.value) || (0xa1...0xff).contains(scalar.value) ? scalar.value : nil
        }
        return table.first { $0.name.lowercased() == wanted }?.keysym
    }

    static func name(_ keysym: UInt32) -> String {
        if let name = table.first(where: { $0.keysym == keysym })?.name { return name }
        guard keysym <= 0xff, let scalar = Unicode.Scalar(keysym) else { return "0x" + String(keysym, radix: 16) }
        return String(Character(scalar)).uppercased()
    }

    /// Keys that no app types with: media keys, function keys, Print.
    static func mayStandAlone(_ keysym: UInt32) -> Bool {
        keysym >= 0x1008_0000 || (0xffbe...0xffd5).contains(keysym) || keysym == 0xff61
    }
}

extension Substring {
    func trimming(while isOutside: (Character) -> Bool) -> String {
        var text = self
        while let first = text.first, isOutside(first) { text.removeFirst() }
        while let last = text.last, isOutside(last) { text.removeLast() }
        return String(text)
    }
}
