import Processes
import Settings

/// Tells apps whether a person wants them light or dark: by GSettings (`org.gnome.desktop.interface`), which GTK 3, GTK 4,
/// libadwaita and the portals watch, so those that run change at once. GTK 3 knows no colour scheme, only the name of a theme.
///
/// GSettings are the person's and stay. So nothing is written until dark is wanted here, and a shell that is not the session
/// of its bus (in a window of another desktop) leaves them alone.
struct AppAppearance {
    /// The processes that write. A second wish waits for the first, so that the last one stands.
    private(set) var writer: Int32?
    private var wanted: Bool?
    private var told = false

    /// The theme of the same name with "-dark" behind it, if there is one. Adwaita's is built into GTK.
    private static let script = """
        schema=org.gnome.desktop.interface
        theme=$(gsettings get $schema gtk-theme) || exit 0
        theme=${theme#\\'}; theme=${theme%\\'}; plain=${theme%-dark}
        if [ "$1" = dark ]; then
            gsettings set $schema color-scheme prefer-dark
            for folder in "$HOME/.themes" "${XDG_DATA_HOME:-$HOME/.local/share}/themes" /usr/local/share/themes /usr/share/themes; do
                if [ "$plain" = Adwaita ] || [ -d "$folder/$plain-dark" ]; then
                    gsettings set $schema gtk-theme "$plain-dark"
                    break
                fi
            done
        else
            gsettings set $schema color-scheme default
            [ "$theme" = "$plain" ] || gsettings set $schema gtk-theme "$plain"
        fi
        """

    mutating func tell(isDark: Bool, _ start: ([String]) -> Int32?) {
        guard isDark != told else { return wanted = nil }
        guard writer == nil else { return wanted = isDark }
        told = isDark
        writer = start(["sh", "-c", Self.script, "sh", isDark ? "dark" : "light"])
    }

    /// True if it was a writer of its own; then the next one begins, if there is another wish.
    mutating func ended(_ process: Int32, _ start: ([String]) -> Int32?) -> Bool {
        guard process == writer else { return false }
        writer = nil
        if let wanted {
            self.wanted = nil
            tell(isDark: wanted, start)
        }
        return true
    }
}

extension Shell {
    func tellApps(isDark: Bool) {
        guard isSessionOfBus else { return }
        appAppearance.tell(isDark: isDark, startWriter)
    }

    func startWriter(_ command: [String]) -> Int32? {
        guard Executable.find("gsettings", path: environment["PATH"]) != nil else {
            log.notice("apps are not told of the dark look: gsettings is missing (package libglib2.0-bin)")
            return nil
        }
        return try? launcher.launch(command, environment: environment, log: programLog)
    }
}
