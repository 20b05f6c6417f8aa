import Accessibility
import Chrome
import Compositor
import Desktop
import Geometry
import Glibc
import Interface
import Multitasking
import Settings
import Stage
import Windows

/// How the shell looks, what is installed, and what those hear who do not see it.
extension Shell {
    // MARK: Painting

    func setUpLook() {
        if let command = options.iconPainter {
            iconPainter = IconPainter(
                command: command, launcher: launcher, compositor: compositor, environment: environment, log: log,
                drawn: { [unowned self] in wantFrame() })
        }
        painter.onUnusableWallpaper = { [unowned self] path in
            guard unusableWallpaper != path else { return }
            unusableWallpaper = path
            let reason = access(path, R_OK) == 0 ? "it is no picture that can be read" : String(cString: strerror(errno))
            log.warning("\(store.path): wallpaper: \(path): \(reason); the standard wallpaper is shown")
        }
        compositor.paint = { [unowned self] art, size, scale, isPatient in
            let picture: Picture
            if art == .wallpaper {
                let (width, height) = painter.extent(size, scale: scale)
                return .opaque(width: width, height: height) { [painter] in
                    painter.paintWallpaper(width: width, height: height, into: $0)
                }
            }
            // Nobody waits for artwork: any program that plays names it, and it may take as long as it likes.
            if let iconPainter, let file = painter.file(of: art, size: size, scale: scale), !isPatient || file.kind == .artwork {
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
        showAppearance(system.preferences.appearance)
    }

    /// Theme, language or wallpaper changed: everything of the shell's own is painted anew.
    func showAppearance(_ appearance: Appearance) {
        let settings = store.settings
        painter.theme = settings.theme(appearance, environment: environment)
        painter.wallpaper = settings.painted
        let theme = painter.theme
        compositor.palette = Palette { paint in
            let colour = Tokens.colour(of: paint, theme)
            return (colour.red, colour.green, colour.blue, colour.alpha)
        }
        if case .colour(let colour) = settings.wallpaper { compositor.palette.wallpaper = colour.floats }
        compositor.repaintAll()
        accessibleControls = nil
        restWhenQuiet()
    }

    // MARK: Apps

    func watchApps() {
        let catalogue = AppCatalogue(environment: environment)
        self.catalogue = catalogue
        receive(.appsChanged(catalogue.apps))
        checkDock()
        guard catalogue.descriptor >= 0 else { return log.warning("installed apps are not watched: the machine has no file watches left") }
        // Installing a package touches many files; they are read when it has been quiet for a moment.
        let quiet = compositor.timer { [unowned self] in
            guard catalogue.reload() else { return }
            iconPainter?.forget()
            compositor.repaintAll()
            receive(.appsChanged(catalogue.apps))
            checkDock()
        }
        sources.append(quiet)
        sources.append(compositor.watch(fd: catalogue.descriptor) { _ in
            if catalogue.drain() { quiet.arm(Compositor.now() + 0.3) }
        })
    }

    /// Names in the configured dock that no installed app has: they are left out of the dock, and said once.
    func checkDock() {
        guard let catalogue else { return }
        let installed = catalogue.apps.map(\.id)
        let unknown = store.settings.preferences.appearance.dock.filter { !installed.contains($0) }
        for app in unknown where !unknownInDock.contains(app) {
            log.warning("\(store.path): dock: no installed app is called \"\(app)\".\(LikelyWord.hint(for: app, among: installed))")
        }
        unknownInDock = Set(unknown)
    }

    // MARK: Accessibility bus

    func startAccessibility() {
        let bus = AccessibilityBus(applicationName: "Mullion", environment: environment)
        accessibility = bus
        bus.onPress = { [unowned self] id in
            if let refusal = act(.press(view: ControlID(rawValue: id))) { log.debug("\(id) was not pressed: \(refusal.reason)") }
        }
        bus.onAdjust = { [unowned self] id, share in
            if let refusal = act(.adjust(view: ControlID(rawValue: id), to: share)) { log.debug("\(id) was not moved: \(refusal.reason)") }
        }
        bus.onFocus = { [unowned self] id in
            if let refusal = act(.keyFocus(view: ControlID(rawValue: id))) { log.debug("\(id) did not get the focus: \(refusal.reason)") }
        }
        accessibilityFollower = BusFollower(bus, compositor)
        tellAccessibility()
    }

    /// What can be operated now, as it lies when everything has come to rest.
    func tellAccessibility() {
        guard let accessibility, accessibility.isRegistered || accessibleControls == nil else { return }
        let controls = system.controls(at: clock.now())
        let focus = system.interface.focus
        guard accessibleControls.map({ $0 != controls }) ?? true || accessibleFocus != focus else { return }
        accessibleControls = controls
        accessibleFocus = focus
        accessibility.update(elements(controls, focus: focus))
    }

    /// Panels hold what stands on them; what stands on none is the screen's own.
    private func elements(_ controls: [ViewControl], focus: ControlID?) -> [AccessibleElement] {
        var screen = AccessibleElement(
            id: "screen", role: .frame, name: painter.string(.message(.home)), frame: system.workspace.screen?.bounds ?? .zero)
        var panels: [AccessibleElement] = []
        for control in controls {
            let element = element(control, isFocused: control.id == focus)
            if control.role == .panel {
                panels.append(element)
            } else if let index = panels.lastIndex(where: { control.id.isPart(of: ControlID(rawValue: $0.id)) }) {
                panels[index].children.append(element)
            } else {
                screen.children.append(element)
            }
        }
        screen.children += panels
        return [screen]
    }

    private func element(_ control: ViewControl, isFocused: Bool) -> AccessibleElement {
        var states: States = []
        if control.isFocusable { states.insert(.focusable) }
        if isFocused { states.insert(.focused) }
        if control.role == .toggle {
            states.insert(.checkable)
            if control.isChosen { states.insert(.checked) }
        } else if control.isChosen {
            states.insert([.selectable, .selected])
        }
        return AccessibleElement(
            id: control.id.rawValue, role: Role(control.role), name: painter.string(control.name), frame: control.frame,
            action: control.press == nil ? nil : "press",
            value: control.slide.map { .init(share: $0.value, text: $0.text) }, states: states)
    }
}

extension Role {
    fileprivate init(_ role: ViewControl.Role) {
        self = switch role {
        case .panel: .panel
        case .button: .pushButton
        case .toggle: .toggleButton
        case .icon: .icon
        case .menuItem: .menuItem
        case .card: .listItem
        case .label: .label
        case .field: .entry
        case .alert: .alert
        case .tab: .pageTab
        case .slider: .slider
        }
    }
}
