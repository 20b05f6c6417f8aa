import Windows

/// The keys of remote controls, by their Linux codes (input-event-codes.h). Keymaps know many of them under no name, so they get
/// their meaning from this table, before the keymap is asked.
///
/// HDMI-CEC brings the same codes: the kernel makes an input device of the television's remote control.
public enum RemoteKeys {
    public struct Line: Hashable, Sendable {
        public var code: UInt32
        /// As in a key binding of the configuration.
        public var symbol: KeySymbol
        /// The code that apps get instead, which every keymap knows; nil: they get the key as it is.
        public var typed: UInt32?
    }

    public static let table: [Line] =
        [
            // KEY_OK and KEY_SELECT are Return.
            Line(code: 352, symbol: .enter, typed: 28), Line(code: 353, symbol: .enter, typed: 28),
            // KEY_BACK and KEY_EXIT.
            Line(code: 158, symbol: .back, typed: nil), Line(code: 174, symbol: .back, typed: 1),
            // KEY_HOMEPAGE and KEY_ROOT_MENU.
            Line(code: 172, symbol: .homePage, typed: nil), Line(code: 0x26a, symbol: .homePage, typed: nil),
            // KEY_MENU and KEY_CONTEXT_MENU.
            Line(code: 139, symbol: .remoteMenu, typed: nil), Line(code: 0x1b6, symbol: .remoteMenu, typed: 127),
            // KEY_INFO, KEY_EPG and KEY_PROGRAM.
            Line(code: 0x166, symbol: .info, typed: nil), Line(code: 0x16d, symbol: .guide, typed: nil),
            Line(code: 0x16a, symbol: .guide, typed: nil),
            Line(code: 0x192, symbol: .channelUp, typed: nil), Line(code: 0x193, symbol: .channelDown, typed: nil),
            Line(code: 0x18e, symbol: .red, typed: nil), Line(code: 0x18f, symbol: .green, typed: nil),
            Line(code: 0x190, symbol: .yellow, typed: nil), Line(code: 0x191, symbol: .blue, typed: nil),
        ]
        + (0...9).map { digit in
            // KEY_NUMERIC_0 to 9 are digits.
            Line(code: 0x200 + digit, symbol: KeySymbol(rawValue: 0x30 + digit), typed: digit == 0 ? 11 : digit + 1)
        }

    /// nil: it is no key of a remote control.
    public static func line(of code: UInt32) -> Line? {
        // Almost every key is one of a keyboard.
        guard code > 138 else { return nil }
        return table.first { $0.code == code }
    }

    /// The code that apps get for a key.
    public static func typed(_ code: UInt32) -> UInt32 { line(of: code)?.typed ?? code }
}
