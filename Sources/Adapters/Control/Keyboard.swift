/// The keys of a US keyboard with their Linux codes, by name and by the text they type.
enum Keyboard {
    static let shift: UInt32 = 42

    /// Keys whose name is not the text they type.
    private static let named: [String: UInt32] = [
        "escape": 1, "backspace": 14, "tab": 15, "return": 28, "enter": 28, "control_l": 29, "ctrl": 29, "control": 29,
        "shift_l": 42, "shift": 42, "shift_r": 54, "alt_l": 56, "alt": 56, "space": 57, "caps_lock": 58,
        "control_r": 97, "print": 99, "alt_r": 100, "home": 102, "up": 103, "page_up": 104, "left": 105, "right": 106,
        "end": 107, "down": 108, "page_down": 109, "insert": 110, "delete": 111, "super_l": 125, "super": 125,
        "logo": 125, "super_r": 126, "menu": 127,
        "minus": 12, "equal": 13, "plus": 13, "bracketleft": 26, "bracketright": 27, "semicolon": 39, "apostrophe": 40,
        "grave": 41, "backslash": 43, "comma": 51, "period": 52, "slash": 53,
        "f1": 59, "f2": 60, "f3": 61, "f4": 62, "f5": 63, "f6": 64, "f7": 65, "f8": 66, "f9": 67, "f10": 68,
        "f11": 87, "f12": 88,
        // Named as in the configuration.
        "xf86audiomute": 113, "xf86audiolowervolume": 114, "xf86audioraisevolume": 115, "xf86audionext": 163, "xf86audioplay": 164,
        "xf86audioprev": 165, "xf86audiostop": 166, "xf86audiorewind": 168, "xf86audiopause": 201, "xf86audioforward": 208,
        "xf86homepage": 172, "xf86back": 158, "xf86menukb": 139, "xf86ok": 352, "xf86info": 0x166, "xf86guide": 0x16d,
        "xf86channelup": 0x192, "xf86channeldown": 0x193, "xf86red": 0x18e, "xf86green": 0x18f, "xf86yellow": 0x190, "xf86blue": 0x191,
        "xf86audiomicmute": 248, "xf86audiomedia": 226, "xf86monbrightnessdown": 224, "xf86monbrightnessup": 225, "xf86poweroff": 116,
    ]

    /// Rows of keys: the characters without and with Shift, and the code of the first key.
    private static let rows: [(plain: String, shifted: String, first: UInt32)] = [
        ("1234567890-=", "!@#$%^&*()_+", 2),
        ("qwertyuiop[]", "QWERTYUIOP{}", 16),
        ("asdfghjkl;'`", "ASDFGHJKL:\"~", 30),
        ("\\zxcvbnm,./", "|ZXCVBNM<>?", 43),
    ]

    /// Characters to keys.
    private static let written: [Character: (code: UInt32, shifted: Bool)] = {
        var keys: [Character: (code: UInt32, shifted: Bool)] = [" ": (57, false), "\n": (28, false), "\t": (15, false)]
        for row in rows {
            for (index, sign) in row.plain.enumerated() { keys[sign] = (row.first + UInt32(index), false) }
            for (index, sign) in row.shifted.enumerated() { keys[sign] = (row.first + UInt32(index), true) }
        }
        return keys
    }()

    static func key(writing sign: Character) -> (code: UInt32, shifted: Bool)? { written[sign] }

    static func code(named name: String) -> UInt32? {
        if name.count == 1, let sign = name.first { return written[sign]?.code ?? written[Character(name.lowercased())]?.code }
        return named[name.lowercased()]
    }

    /// The keys of "Super+Shift+Left" in the order to press them; nil if one is unknown. "Ctrl++" is Ctrl and the
    /// plus key.
    static func chord(_ text: String) -> [UInt32]? {
        var names: [Substring] = text.split(separator: "+", omittingEmptySubsequences: false)
        if names.count > 1, names.suffix(2) == ["", ""] {
            names.removeLast(2)
            names.append("plus")
        }
        if text == "+" { names = ["plus"] }
        var codes: [UInt32] = []
        for name in names {
            guard let code = code(named: String(name)) else { return nil }
            codes.append(code)
        }
        return codes.isEmpty ? nil : codes
    }
}
