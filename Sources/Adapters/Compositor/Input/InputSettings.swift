import CWlroots
import Interface
import Windows

/// Carries out how a person sets keyboards and pointers.
extension InputRouting {
    func use(_ input: InputPreferences) {
        keyboards.use(input)
        devices.use(input)
    }
}

extension Devices {
    /// Sets what libinput can set. A device that a client made has nothing of it.
    static func set(_ input: InputPreferences, of device: Device) {
        guard wlr_input_device_is_libinput(device), let handle = wlr_libinput_get_device_handle(device) else { return }
        if libinput_device_config_accel_is_available(handle) != 0 { libinput_device_config_accel_set_speed(handle, input.pointerSpeed) }
        if libinput_device_config_scroll_has_natural_scroll(handle) != 0 {
            libinput_device_config_scroll_set_natural_scroll_enabled(handle, input.naturalScrolling ? 1 : 0)
        }
        if libinput_device_config_tap_get_finger_count(handle) > 0 {
            libinput_device_config_tap_set_enabled(handle, input.tapToClick ? LIBINPUT_CONFIG_TAP_ENABLED : LIBINPUT_CONFIG_TAP_DISABLED)
        }
    }
}

extension Compositor {
    /// Paints the same picture once more, for a program that waits for one.
    public func paintAgain() {
        guard let output else { return }
        mw_output_damage_all(output)
        mw_output_schedule(output)
    }

    /// The ends of the gamma ramps of a virtual output; empty for others.
    public var colours: [UInt16] { output.map { GammaControl.colours(of: $0) } ?? [] }

    /// The layouts of real keyboards with their letters, the one in use first. If none has Latin letters, which passwords have, one more
    /// has, for keys on the screen. Empty before there is a keymap.
    public var keyboards: [ScreenLetters] { routing?.keyboards.letters ?? [] }

    /// Whether there is a real keyboard with letters.
    public var hasKeyboard: Bool { routing?.keyboards.hasReal ?? false }
}

extension Keyboards {
    /// The rows of a keyboard from Q, A and Z, by the kernel's numbers.
    private static let rows: [ClosedRange<UInt32>] = [16...27, 30...40, 44...53]

    fileprivate var letters: [ScreenLetters] {
        guard let keymap = ownKeymap else { return [] }
        var all = (0..<xkb_keymap_num_layouts(keymap)).map { Self.letters(of: keymap, layout: $0) }.filter { !$0.rows.isEmpty }
        if !all.contains(where: \.isLatin), let latin = Self.keymap([KeyboardLayout(layout: "us")]) {
            all.append(Self.letters(of: latin, layout: 0))
            xkb_keymap_unref(latin)
        }
        return all
    }

    private static func letters(of keymap: OpaquePointer, layout: UInt32) -> ScreenLetters {
        func sign(_ code: UInt32, level: UInt32) -> String? {
            var symbols: UnsafePointer<xkb_keysym_t>?
            guard xkb_keymap_key_get_syms_by_level(keymap, code + 8, layout, level, &symbols) > 0, let symbol = symbols?.pointee else {
                return nil
            }
            let scalar = xkb_keysym_to_utf32(symbol)
            return scalar > 0x20 ? Unicode.Scalar(scalar).map { String(Character($0)) } : nil
        }
        let rows = rows.map { row in
            row.compactMap { code in sign(code, level: 0).map { ScreenLetters.Key(plain: $0, shifted: sign(code, level: 1) ?? $0) } }
        }
        let name = xkb_keymap_layout_get_name(keymap, layout).map { String(cString: $0) } ?? ""
        return ScreenLetters(name: name, rows: rows.filter { !$0.isEmpty })
    }

    /// A keymap of these layouts; nil: the system has none.
    static func keymap(_ layouts: [KeyboardLayout]) -> OpaquePointer? {
        guard let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS) else { return nil }
        defer { xkb_context_unref(context) }
        return layouts.map(\.layout).joined(separator: ",").withCString { names in
            layouts.map(\.variant).joined(separator: ",").withCString { variants in
                var rules = xkb_rule_names()
                rules.layout = names
                rules.variant = variants
                return xkb_keymap_new_from_names(context, &rules, XKB_KEYMAP_COMPILE_NO_FLAGS)
            }
        }
    }
}
