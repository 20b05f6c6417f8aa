/// The layouts of keyboards that the system has, as xkeyboard-config lists them.
public enum KeyboardLayouts {
    /// Layouts with their variants behind them: ("us", "English (US)"), ("us(dvorak)", "English (Dvorak)").
    public static func all(in folder: String = "/usr/share/X11/xkb/rules") -> [(name: String, title: String)] {
        var layouts: [(name: String, title: String)] = [], variants: [String: [(name: String, title: String)]] = [:], section = ""
        let text = String(decoding: KeyFile.bytes(of: "\(folder)/evdev.lst") ?? [], as: UTF8.self)
        for line in text.split(separator: "\n") {
            if line.hasPrefix("!") {
                section = line.dropFirst().filter { $0 != " " }
                continue
            }
            let words = line.drop { $0 == " " }, name = words.prefix { $0 != " " }, title = words.dropFirst(name.count).drop { $0 == " " }
            guard !name.isEmpty, !title.isEmpty else { continue }
            switch section {
            case "layout" where name != "custom": layouts.append((String(name), String(title)))
            case "variant":
                let layout = String(title.prefix { $0 != ":" })
                variants[layout, default: []].append(("\(layout)(\(name))", String(title.dropFirst(layout.count + 1).drop { $0 == " " })))
            default: break
            }
        }
        layouts.sort { $0.title < $1.title }
        return Array(layouts.flatMap { [$0] + (variants[$0.name] ?? []) }.prefix(2000))
    }
}
