import CWlroots
import Seat
import Windows

/// Keymaps of xkb, as the core asks for them. A virtual keyboard may send any number: `&+`, as wlroots adds.
extension ShortcutKey {
    /// A symbol of a key in lower case.
    static func symbol(_ keymap: OpaquePointer?, _ code: UInt32, _ layout: UInt32, level: UInt32) -> KeySymbol {
        var symbols: UnsafePointer<xkb_keysym_t>?
        let count = xkb_keymap_key_get_syms_by_level(keymap, code &+ 8, layout, level, &symbols)
        return KeySymbol(rawValue: count > 0 ? xkb_keysym_to_lower(symbols![0]) : 0)
    }

    /// Other meanings of a pressed key in shortcuts, beside its symbol; nil: none.
    static func others(_ keyboard: UnsafeMutablePointer<wlr_keyboard>, _ code: UInt32, isShifted: Bool) -> [KeyAlias]? {
        let keymap = keyboard.pointee.keymap, state = keyboard.pointee.xkb_state
        let count = xkb_keymap_num_layouts(keymap)
        let key = ShortcutKey(
            code: code, symbols: (0..<count).map { symbols(keymap, code, $0) },
            active: Int(xkb_state_serialize_layout(state, XKB_STATE_LAYOUT_EFFECTIVE)),
            effective: KeySymbol(rawValue: xkb_keysym_to_lower(xkb_state_key_get_one_sym(state, code &+ 8))), isShifted: isShifted)
        let aliases = key.aliases(in: (0..<count).map { layout(keymap, $0) })
        return aliases.isEmpty ? nil : aliases
    }

    private static func symbols(_ keymap: OpaquePointer?, _ code: UInt32, _ layout: UInt32) -> Symbols {
        Symbols(symbol(keymap, code, layout, level: 0), symbol(keymap, code, layout, level: 1))
    }

    /// The keys that have names in evdev.
    private static func layout(_ keymap: OpaquePointer?, _ number: UInt32) -> Layout {
        var layout = Layout()
        for code in UInt32(0)..<248 { layout.insert(symbols(keymap, code, number)) }
        return layout
    }
}
