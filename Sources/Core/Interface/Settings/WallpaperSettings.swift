import Geometry
import Stage
import Windows

/// The wallpaper, of all screens or of the one in use alone.
extension Views {
    private var wallpapers: [(name: String, title: Text)] {
        [("standard", .message(.standardWallpaper))] + Wallpapers.colours.map { ($0.colour, .message($0.title)) }
            + facts.wallpapers.map { ($0, .similar(Wallpapers.name(of: $0))) }
    }

    var wallpaperSettings: [Setting] {
        let own = facts.screen.flatMap { $0.hasWallpaper ? $0 : nil }
        let light = appearance.wallpaper.isEmpty ? "standard" : appearance.wallpaper
        let dark = appearance.darkWallpaper.isEmpty ? "same" : appearance.darkWallpaper
        @Sendable func choice(_ value: String, isDark: Bool) -> Windows.Choice {
            own.map { .screenWallpaper(screen: $0.id, isDark: isDark, value) } ?? (isDark ? .darkWallpaper(value) : .wallpaper(value))
        }
        func title(_ message: Message) -> Text { own.map { .list([.message(message), .verbatim($0.title)], ", ") } ?? .message(message) }
        var out = [
            Setting(
                key: "wallpaper", page: .look, title: title(.wallpaper), kind: .names(wallpapers, other: Wallpapers.other),
                value: .name(light), fixes: .wallpaper, choice: choice(light, isDark: false).key
            ) { .choose(choice($0.text, isDark: false)) },
            Setting(
                key: "dark-wallpaper", page: .look, title: title(.darkWallpaper),
                kind: .names([("same", .message(.sameWallpaper))] + wallpapers, other: Wallpapers.other), value: .name(dark),
                fixes: .darkWallpaper, choice: choice(dark, isDark: true).key
            ) { .choose(choice($0.text, isDark: true)) },
        ]
        if let screen = facts.screen {
            var choosesOwn = Setting(
                key: "screen-wallpaper", page: .look, title: .message(.screenWallpaper), kind: .flag, value: .flag(own != nil),
                fixes: .wallpaper, choice: Windows.Choice.screenWallpaper(screen: screen.id, isDark: false, light).key
            ) { .choose(.screenWallpaper(screen: screen.id, isDark: false, $0 == .flag(true) ? light : "")) }
            choosesOwn.detail = .verbatim(screen.title)
            // Before the lists that it is about.
            out.insert(choosesOwn, at: 0)
        }
        return out
    }
}

/// The wallpapers that a person can choose besides own pictures.
enum Wallpapers {
    static let other = "a colour such as #232b3a or the absolute path of a picture"

    static let colours: [(colour: String, title: Message)] = [
        ("#1b3a5c", .colourBlue), ("#3d2a58", .colourPurple), ("#274a36", .colourGreen), ("#5a2b2b", .colourRed),
        ("#2b2d33", .colourGraphite),
    ]

    /// The name of a picture's file, without its folder and its extension.
    static func name(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}
