import Desktop
import Testing

@Suite("Settings for the dark look of apps")
struct AppThemeTests {
    private typealias Setting = AppTheme.Setting

    @Test(
        "dark: the theme of the same name with -dark, if it is there",
        arguments: [
            ("Adwaita", [], ["Adwaita-dark"]), ("Adwaita-dark", [], ["Adwaita-dark"]), ("Yaru", ["Yaru-dark"], ["Yaru-dark"]),
            ("Yaru", [], []), ("Yaru", ["Yaru"], []), ("Breeze-dark", ["Breeze-dark"], ["Breeze-dark"]), ("", [], []),
        ])
    func dark(theme: String, installed: [String], written: [String]) {
        let settings = AppTheme.settings(isDark: true, theme: theme) { installed.contains($0) }
        #expect(settings == [Setting("color-scheme", "prefer-dark")] + written.map { Setting("gtk-theme", $0) })
    }

    @Test(
        "light: the theme loses -dark, and any other stays",
        arguments: [("Adwaita", []), ("Adwaita-dark", ["Adwaita"]), ("Yaru-dark", ["Yaru"]), ("Yaru", []), ("darkness", [])])
    func light(theme: String, written: [String]) {
        let settings = AppTheme.settings(isDark: false, theme: theme) { _ in true }
        #expect(settings == [Setting("color-scheme", "prefer-light")] + written.map { Setting("gtk-theme", $0) })
    }

    @Test(
        "what gsettings prints",
        arguments: [("'Adwaita'\n", "Adwaita"), ("''\n", ""), ("No such schema\n", nil), ("", nil), ("'", nil), ("'a'\nb", "a")])
    func printed(text: String, value: String?) { #expect(AppTheme.value(printed: text) == value) }

    @Test("themes lie in the person's folders and the system's")
    func folders() {
        #expect(
            AppTheme.folders(environment: ["HOME": "/h"]) == [
                "/h/.themes", "/h/.local/share/themes", "/usr/local/share/themes", "/usr/share/themes",
            ])
        #expect(AppTheme.folders(environment: ["HOME": "/h", "XDG_DATA_HOME": "/d"])[1] == "/d/themes")
    }
}
