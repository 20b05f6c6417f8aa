/// How a person reads the keys of an exported menu (W-25).
enum AcceleratorName {
    private static let modifiers = [
        "primary": "Ctrl", "control": "Ctrl", "ctrl": "Ctrl", "ctl": "Ctrl", "shift": "Shift", "shft": "Shift", "alt": "Alt", "mod1": "Alt",
        "super": "Super", "meta": "Meta", "hyper": "Hyper",
    ]
    /// Keysyms whose names say less than the sign on the key.
    private static let signs = [
        "plus": "+", "minus": "-", "equal": "=", "comma": ",", "period": ".", "slash": "/", "backslash": "\\", "semicolon": ";",
        "apostrophe": "'", "grave": "`", "bracketleft": "[", "bracketright": "]", "space": "Space", "Prior": "Page Up", "Next": "Page Down",
        "Page_Up": "Page Up", "Page_Down": "Page Down", "KP_Add": "+", "KP_Subtract": "-", "KP_Multiply": "*", "KP_Divide": "/",
        "KP_Enter": "Enter", "Escape": "Esc",
    ]

    /// "Ctrl+Shift+N" for GTK's "<Primary><Shift>n"; empty if it is no name of a key with modifiers.
    static func shown(_ accelerator: String) -> String {
        var rest = accelerator[...], parts: [String] = []
        while rest.first == "<" {
            guard let end = rest.firstIndex(of: ">"), let modifier = modifiers[rest[rest.index(after: rest.startIndex)..<end].lowercased()]
            else { return "" }
            if !parts.contains(modifier) { parts.append(modifier) }
            rest = rest[rest.index(after: end)...]
        }
        guard !rest.isEmpty, rest.count <= 12 else { return "" }
        let key = String(rest)
        parts.append(signs[key] ?? (key.count == 1 ? key.uppercased() : key.replacing("_", with: " ")))
        return parts.joined(separator: "+")
    }
}
