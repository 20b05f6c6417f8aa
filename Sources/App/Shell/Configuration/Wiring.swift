import Chrome
import Compositor
import Control
import Desktop
import FoundationEssentials
import Geometry
import Glibc
import Interface
import Journal
import Logging
import Multitasking
import Settings
import Windows

extension Settings {
    /// Languages that are written from right to left.
    private static let rightToLeft: Set<String> = ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"]

    private func isRightToLeft(environment: [String: String]) -> Bool {
        switch direction {
        case .leftToRight: false
        case .rightToLeft: true
        case .auto:
            language == .auto
                && DesktopEntries.tongues(environment: environment).first.map(Settings.rightToLeft.contains) ?? false
        }
    }

    /// The part of the configuration for the core.
    ///
    /// - Parameter only: the idiom that replaces all others; nil: there is none.
    func core(environment: [String: String], _ options: ShellOptions) -> Preferences {
        var core = preferences
        if options.withoutStatusBar { core.showsStatus = false }
        let only = options.onlyIdiom
        core.idiom =
            (only?.name ?? idiom).map { name -> IdiomChoice.Setting in name == Self.automaticIdiom ? .automatic : .fixed(name) } ?? .unset
        core.animationSpeed = animationSpeed
        core.appearance.isRightToLeft = isRightToLeft(environment: environment)
        return core
    }
}

extension Settings {
    /// The look of the adapters' pictures.
    func theme(_ appearance: Appearance, environment: [String: String]) -> Theme {
        var theme = Theme()
        theme.isDark = appearance.isDark
        theme.increasedContrast = appearance.increasedContrast
        theme.textScale = appearance.textScale
        theme.isRightToLeft = appearance.isRightToLeft
        theme.accent = appearance.accent
        theme.language =
            Language(rawValue: appearance.language) ?? Language(among: DesktopEntries.tongues(environment: environment))
        return theme
    }

    /// The wallpaper that a person chose, or the one of the file.
    func wallpaper(_ appearance: Appearance) -> WallpaperChoice {
        (appearance.isDark ? WallpaperChoice(appearance.darkWallpaper) : nil) ?? WallpaperChoice(appearance.wallpaper) ?? .standard
    }

    func painted(_ appearance: Appearance) -> Wallpaper {
        switch wallpaper(appearance) {
        case .standard: .standard
        case .colour(let colour):
            .colour(red: Float(colour.red) / 255, green: Float(colour.green) / 255, blue: Float(colour.blue) / 255)
        case .picture(let path): .picture(path: path)
        }
    }
}

extension Colour {
    var floats: Palette.Color { (Float(red) / 255, Float(green) / 255, Float(blue) / 255, 1) }
}

extension ShellOptions {
    /// Applies the command line over the configuration. Called after each reload, too.
    func override(_ settings: inout Settings) {
        if let fixed = self.settings { settings = fixed }
        if let idiom { settings.idiom = idiom }
        if let size { settings.size = size }
        if let scale {
            settings.scale = scale
            settings.preferences.fixed.insert(.scale)
        }
        if backend == .headless { settings.headless = true }
        if let remoteView { settings.remoteView = remoteView }
        if let socket { settings.socket = socket }
        if let audio { settings.soundServer = audio }
        // Before a login there is no session, and no lock but the shell's own.
        if greetd != nil { (settings.launch, settings.preferences.lock.command, settings.preferences.lock.obeysUnlock) = ([], [], false) }
    }

    /// Hardware on a console, nested in another session, otherwise headless.
    func compositor(_ settings: Settings, environment: [String: String]) -> Compositor.Options {
        var out = Compositor.Options()
        out.backend = backend
        if backend == .auto { out.backend = settings.headless ? .headless : Self.backend(in: environment) }
        out.size = settings.size ?? Size(1180, 820)
        out.scale = settings.scale
        out.socket = settings.socket
        out.socketFile = socketFile
        out.xwayland = xwayland
        out.drawsThroughRenderer = drawsThroughRenderer
        out.checksWire = checksLaws
        out.logLevel = settings.logLevel <= .debug ? 3 : 1
        return out
    }

    private static func backend(in environment: [String: String]) -> Compositor.Options.Backend {
        if !(environment["WAYLAND_DISPLAY"] ?? "").isEmpty { return .wayland }
        if !(environment["DISPLAY"] ?? "").isEmpty { return .x11 }
        return Compositor.hasScreenDevice && isOnConsole(environment) ? .drm : .headless
    }

    /// Whether the shell was started on a virtual terminal or by a login manager, not through ssh or as a service.
    private static func isOnConsole(_ environment: [String: String]) -> Bool {
        if !(environment["XDG_VTNR"] ?? "").isEmpty { return true }
        guard let name = ttyname(STDIN_FILENO).map({ String(cString: $0) }), name.hasPrefix("/dev/tty") else { return false }
        return name.dropFirst("/dev/tty".count).first?.isNumber ?? false
    }
}

extension LogLevel {
    static func <= (a: LogLevel, b: LogLevel) -> Bool {
        allCases.firstIndex(of: a)! <= allCases.firstIndex(of: b)!
    }
}
