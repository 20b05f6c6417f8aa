import Chrome
import Compositor
import Geometry
import Glibc
import Interface
import Logging
import Multitasking
import Processes
import Settings
import Stage
import Status

/// The look of the shell: paints its own pictures.
final class Look: Adapter {
    private unowned let shell: Shell
    let painter: Painter
    private let iconPainter: IconPainter?
    /// The wallpaper that the log has already reported.
    private var unusableWallpaper: String?

    init(_ shell: Shell) {
        self.shell = shell
        let compositor = shell.compositor
        painter = Painter { [unowned shell] name, pixels in shell.adapter(Apps.self).catalogue?.findIcon(name, pixels) }
        iconPainter = shell.options.iconPainter.map { [unowned shell] command in
            IconPainter(
                command: command, launcher: shell.launcher, compositor: compositor, environment: shell.environment, log: shell.log,
                drawn: { [unowned shell] in shell.adapter(Display.self).wantFrame() })
        }
        painter.onUnusableWallpaper = { [unowned self] path in
            guard unusableWallpaper != path else { return }
            unusableWallpaper = path
            let reason = Wallpaper.objection(to: path) ?? "it cannot be read at this size"
            let isOfFile = shell.store.settings.wallpaper == .picture(path), file = isOfFile ? "\(shell.store.path): " : ""
            shell.log.warning("\(file)wallpaper: \(path): \(reason); the standard wallpaper is shown")
        }
        painter.ground = { [unowned compositor] in compositor.ground.map { Picture(width: $0.width, height: $0.height, pixels: $0.pixels) }
        }
        compositor.paint = { [unowned self] art, size, scale, isPatient in paint(art, size, scale, isPatient) }
        show(shell.system.preferences.appearance)
    }

    let carriesOut = [Effect.Kind.look]

    func start() { painter.findFonts() }

    func carryOut(_ effect: Effect, at moment: Moment) {
        switch effect {
        case .look(.appearance(let appearance)):
            show(appearance)
            shell.adapter(AppAppearance.self).tell(isDark: appearance.isDark)
            shell.adapter(Apps.self).followLanguage()
            shell.adapter(LifeOnBus.self).tellLook()
        case .look(.tellTime): tellTime()
        default: break
        }
    }

    /// The colour of what is chosen, for apps.
    var accent: SIMD3<Double> {
        let colour = Tokens.colour(of: .accent as Paint, painter.theme)
        return SIMD3(Double(colour.red), Double(colour.green), Double(colour.blue))
    }

    /// The time of day in the person's time zone.
    func tellTime() {
        var seconds = time(nil), local = tm()
        guard localtime_r(&seconds, &local) != nil else { return }
        shell.receive(
            .timeIs(
                TimeOfDay(
                    hour: Int(local.tm_hour), minute: Int(local.tm_min),
                    day: CalendarDay(month: Int(local.tm_mon) + 1, day: Int(local.tm_mday), weekday: Int(local.tm_wday)))))
    }

    func settingsChanged(from before: Settings) { show(shell.system.preferences.appearance) }

    func ended(_ exit: ProcessExit) -> Bool { iconPainter?.ended(exit) ?? false }

    func stop() { iconPainter?.close() }

    private static func opaque(_ colour: Colour4) -> UInt32 {
        func byte(_ part: Double) -> UInt32 { UInt32(clamping: max(0, min(255, (part * 255).rounded()))) }
        return 0xff << 24 | byte(Double(colour.red)) << 16 | byte(Double(colour.green)) << 8 | byte(Double(colour.blue))
    }

    /// A plain window with an icon in its middle. `size` in points.
    func placeholder(_ icon: AppIcon, size: Size) -> Picture {
        // Large enough to be known in a card of the app switcher, too.
        let side = max(96, min(320, Int(clamping: min(size.width, size.height) / 3)))
        var picture = Picture(
            width: Int(clamping: size.width), height: Int(clamping: size.height), fill: Self.opaque(Tokens.colour(of: .card, painter.theme))
        )
        let drawn = painter.picture(of: .icon(icon), size: Size(Double(side), Double(side)), scale: 1)
        let left = (picture.width - drawn.width) / 2, top = (picture.height - drawn.height) / 2
        for y in 0..<drawn.height {
            for x in 0..<drawn.width where drawn.pixels[y * drawn.width + x] >> 24 > 127 {
                picture.pixels[(top + y) * picture.width + left + x] = drawn.pixels[y * drawn.width + x]
            }
        }
        return picture
    }

    /// The installed icons changed.
    func repaintIcons() {
        iconPainter?.forget()
        shell.compositor.repaintAll()
    }

    private func paint(_ art: Art, _ size: Size, _ scale: Double, _ isPatient: Bool) -> Painted {
        let picture: Picture
        if art == .wallpaper {
            let (width, height) = painter.extent(size, scale: scale)
            return .opaque(width: width, height: height) { [painter] in
                painter.paintWallpaper(width: width, height: height, into: $0)
            }
        }
        if case .placeholder(let window) = art { return shell.adapter(Keeper.self).picture(of: window, isPatient) }
        // Never wait for a picture that any program can set: decoding may take arbitrarily long.
        if let iconPainter, let file = painter.file(of: art, size: size, scale: scale), !isPatient || file.kind != .icon {
            switch iconPainter.picture(of: file) {
            case .later: return .later
            case .picture(let drawn): picture = painter.picture(of: art, drawn: drawn, size: size, scale: scale)
            case .nothing: picture = painter.picture(of: art, drawn: nil, size: size, scale: scale)
            }
        } else {
            picture = painter.picture(of: art, size: size, scale: scale)
        }
        return .picture(picture.pixels, width: picture.width, height: picture.height)
    }

    /// The theme, the language or the wallpaper changed. Repaints everything of the shell.
    private func show(_ appearance: Appearance) {
        let settings = shell.store.settings
        painter.theme = settings.theme(appearance, environment: shell.environment)
        painter.wallpaper = settings.painted(appearance)
        let theme = painter.theme
        let compositor = shell.compositor
        compositor.palette = Palette { paint in
            let colour = Tokens.colour(of: paint, theme)
            return (colour.red, colour.green, colour.blue, colour.alpha)
        }
        if case .colour(let colour) = settings.wallpaper(appearance) { compositor.palette.wallpaper = colour.floats }
        compositor.repaintAll()
        guard shell.isSetUp else { return }
        shell.adapter(Accessibility.self).languageChanged()
        shell.adapter(Display.self).restWhenQuiet()
    }
}
