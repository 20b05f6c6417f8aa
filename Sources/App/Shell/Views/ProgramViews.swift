import Callers
import Geometry
import Glibc
import LifeBus
import LifeService
import Modality
import Multitasking
import Processes
import Stage
import Windows

/// Views that the shell shows for programs (M-05): which program asked for each, and over which window it stands. The
/// core decides whether it is shown.
final class ProgramViews: Adapter {
    unowned let shell: Shell
    private lazy var bus = shell.adapter(LifeOnBus.self)
    private var last: UInt32 = 0

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.views]

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .viewAnswered(let id, let answer) = effect, !shell.adapter(ShownFiles.self).answered(id, answer),
            !shell.adapter(SharedThings.self).answered(id, answer)
        else { return }
        bus.viewAnswered(id, answer)
    }

    /// The window of the nearest ancestor that has one, so that an alert of a command stands over its terminal. Of several
    /// windows, the active one, or else the one used last.
    func window(of caller: LifeCaller) -> WindowID? {
        let workspace = shell.system.workspace
        for process in caller.lineage {
            let own = workspace.windows.values.filter { $0.isMapped && $0.facts.lineage.first == process && !$0.facts.isX11 }
            guard !own.isEmpty else { continue }
            return own.max { $0.lastFocus < $1.lastFocus }?.id
        }
        return nil
    }
}

extension ProgramViews: PortalHost {
    func nextView() -> ModalID {
        last &+= 1
        return ModalID(last)
    }

    func showView(_ view: ModalView, over parent: ViewParent, by caller: LifeCaller) {
        var view = view
        switch parent {
        case .screen, .caller:
            let window = window(of: caller)
            if parent == .caller { view.window = window }
            view.asker = asker(caller, window)
            view.program = program(caller)
        case .exported(let name):
            view.window = window(named: name)
            // The portal cannot name every app, but the window that it names may have one.
            let named = view.program.isEmpty ? view.window.map { shell.system.workspace.trustedApp(of: $0) } ?? "" : view.program
            view.asker = named
            view.program = program(caller, naming: named)
        }
        shell.receive(.viewAsked(view))
    }

    /// A window that its app exported, named as portals do.
    private func window(named name: String) -> WindowID? {
        shell.compositor.window(exportedAs: name.hasPrefix("wayland:") ? String(name.dropFirst(8)) : "")
    }

    func app(ofWindow name: String) -> String { window(named: name).map { shell.system.workspace.trustedApp(of: $0) } ?? "" }

    func takePicture(_ path: String, done: @escaping (OfferedPicture?) -> Void) {
        shell.adapter(OfferedPictures.self).take(path, done: done)
    }

    func settle(_ picture: OfferedPicture, isChosen: Bool, done: @escaping (Bool) -> Void) {
        shell.adapter(OfferedPictures.self).settle(picture, isChosen: isChosen, done: done)
    }

    var screen: Rect? { shell.system.isLocked ? nil : shell.system.workspace.screen?.bounds }

    var openWindows: [(id: WindowID, title: String)] {
        let workspace = shell.system.workspace, open = workspace.windows.values.filter(\.isMapped)
        return (open.filter { workspace.isShown($0.id) } + open.filter { !workspace.isShown($0.id) }).map { window in
            let isNamed = !window.facts.title.allSatisfy(\.isWhitespace)
            return (window.id, isNamed ? window.facts.title : workspace.appName(of: window.id))
        }
    }

    func capture(_ part: ScreenPart, done: @escaping (String?) -> Void) { shell.adapter(ScreenPictures.self).take(part, done: done) }

    func colour(at point: Point) -> SIMD3<Double>? { shell.adapter(ScreenPictures.self).colour(at: point) }

    func findMailer(for mail: Mail, done: @escaping (Result<String, MailTrouble>) -> Void) {
        shell.adapter(MailPrograms.self).find(for: mail, done: done)
    }

    func write(_ mail: Mail, with app: String) { shell.receive(.handedOver(HandedOver(mail, in: app))) }

    var wallpaperRefusal: String? {
        shell.system.preferences.fixed.contains(.wallpaper) ? "the configuration file says \"wallpaper\"" : nil
    }

    /// The asker's name for the person: the app of the window that it belongs to, or of the program itself; "" for a sandbox without a
    /// vouched name.
    func asker(_ caller: LifeCaller, _ window: WindowID?) -> String {
        let callers = shell.adapter(AppLives.self).callers
        // A sandbox in a terminal is not the terminal.
        if callers.identity(caller).isSandboxed { return callers.trustedApp(caller) }
        return window.map { shell.system.workspace.trustedApp(of: $0) } ?? callers.trustedApp(caller)
    }

    /// The key of the asker's owner, for the limits (P-06).
    func program(_ caller: LifeCaller, naming app: String? = nil) -> String {
        shell.adapter(AppLives.self).callers.owner(caller, naming: app).key
    }

    func appName(_ id: String) -> String {
        let id = id.hasSuffix(".desktop") ? String(id.dropLast(8)) : id
        return shell.system.workspace.app(id)?.name ?? id
    }

    func words(_ message: PortalMessage) -> String {
        let text: Text =
            switch message {
            case .allow: .message(.allow)
            case .dontAllow: .message(.dontAllow)
            case .cancel: .message(.cancel)
            case .ok: .message(.ok)
            case .openWith: .message(.openWith)
            case .noAppOpens: .message(.noAppOpens)
            case .shareName(let app): app.isEmpty ? .message(.shareNameUnknown) : .message(.shareName, [app])
            case .useAsWallpaper: .message(.useAsWallpaper)
            case .usePicture: .message(.usePicture)
            case .takePictures(let app): app.isEmpty ? .message(.takePicturesUnknown) : .message(.takePictures, [app])
            case .writeMail(let app): .message(.writeMail, [app])
            case .write: .message(.write)
            case .useKeys(let app): app.isEmpty ? .message(.useKeysUnknown) : .message(.useKeys, [app])
            case .takePicture: .message(.takePicture)
            case .wholeScreen: .message(.wholeScreen)
            case .oneWindow: .message(.oneWindow)
            case .partOfScreen: .message(.partOfScreen)
            case .chooseWindow: .message(.chooseWindow)
            case .markPart: .message(.markPart)
            case .takeIt: .message(.takeIt)
            case .pickColour: .message(.pickColour)
            case .useColour: .message(.useColour)
            }
        return shell.adapter(Look.self).painter.string(text)
    }

    var appsWithWindows: [(id: String, isActive: Bool)] {
        let workspace = shell.system.workspace
        return workspace.windows.values.filter(\.isMapped).map { (workspace.trustedApp(of: $0.id), $0.id == workspace.focus) }
    }

    var person: (id: String, name: String) {
        guard let entry = getpwuid(getuid()) else { return ("", "") }
        let id = String(cString: entry.pointee.pw_name)
        let name = String(cString: entry.pointee.pw_gecos).prefix { $0 != "," }
        return (id, name.isEmpty ? id : String(name))
    }

    func withdrawView(_ id: ModalID) { shell.receive(.viewWithdrawn(id)) }
}
