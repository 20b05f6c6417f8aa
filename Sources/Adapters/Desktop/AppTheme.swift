/// The GSettings (`org.gnome.desktop.interface`) that make apps light or dark.
///
/// GTK 4, libadwaita and the portals follow the colour scheme. GTK 3 knows only theme names. A dark theme has the
/// name of the light one plus "-dark".
public struct AppTheme: Equatable, Sendable {
    public static let schema = "org.gnome.desktop.interface"
    public static let themeKey = "gtk-theme"

    /// One setting to write.
    public struct Setting: Equatable, Sendable {
        public var key: String
        public var value: String

        public init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The settings to write, in order.
    /// - Parameters:
    ///   - theme: the current value of `gtk-theme`, without quotes.
    ///   - isInstalled: whether a theme of that name exists. Adwaita's are built into GTK.
    public static func settings(isDark: Bool, theme: String, isInstalled: (String) -> Bool) -> [Setting] {
        let plain = theme.hasSuffix("-dark") ? String(theme.dropLast("-dark".count)) : theme
        guard isDark else {
            // The portal of GTK says of "default" that a person chose nothing.
            return [Setting("color-scheme", "prefer-light")] + (theme == plain ? [] : [Setting(themeKey, plain)])
        }
        let dark = "\(plain)-dark"
        return [Setting("color-scheme", "prefer-dark")]
            + (plain == "Adwaita" || isInstalled(dark) ? [Setting(themeKey, dark)] : [])
    }

    /// Parses the output of `gsettings get`. Returns nil if it is not a quoted string.
    public static func value(printed: String) -> String? {
        let line = printed.split(separator: "\n").first.map(String.init) ?? ""
        guard line.utf8.count >= 2, line.hasPrefix("'"), line.hasSuffix("'") else { return nil }
        return String(line.dropFirst().dropLast())
    }

    /// Folders with installed themes, by the XDG base directories.
    public static func folders(environment: [String: String]) -> [String] {
        let home = environment["HOME"] ?? ""
        let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.local/share"
        return ["\(home)/.themes", "\(data)/themes", "/usr/local/share/themes", "/usr/share/themes"]
    }
}
