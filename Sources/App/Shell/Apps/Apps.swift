import Compositor
import Desktop
import Geometry
import Logging
import Multitasking
import Settings

/// The installed apps.
final class Apps: Adapter {
    private unowned let shell: Shell
    private(set) var catalogue: AppCatalogue?
    private var sources: [EventSource] = []
    private var loop: WatchLoop?
    /// Names that the log has already reported.
    private var unknownInDock: Set<String> = []

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        let catalogue = AppCatalogue(environment: shell.environment, language: language)
        self.catalogue = catalogue
        reportApps()
        // Installing a package changes many files. Reload them after a quiet moment.
        let renew = { [unowned self] in
            guard catalogue.reload() else { return }
            shell.adapter(Look.self).repaintIcons()
            reportApps()
        }
        let quiet = shell.compositor.timer(renew)
        sources.append(quiet)
        loop = WatchLoop(
            shell, catalogue.watch, "installed apps",
            changed: {
                if catalogue.drain() { quiet.arm(Compositor.now() + 0.3) }
            }, renew: renew)
    }

    private func reportApps() {
        guard let catalogue else { return }
        shell.receive(.appsChanged(catalogue.apps))
        shell.receive(.audio(.categoriesChanged(catalogue.categories)))
        checkDock()
    }

    /// The language that the configuration names: apps are called in the language of the shell.
    private var language: String? {
        let chosen = shell.store.settings.language
        return chosen == .auto ? nil : chosen.rawValue
    }

    func settingsChanged(from before: Settings) {
        if let catalogue, catalogue.language != language {
            catalogue.language = language
            if catalogue.reload() { reportApps() }
        }
        checkDock()
    }

    /// Logs each name in the configured dock that matches no installed app, once. The dock leaves it out.
    private func checkDock() {
        guard let catalogue else { return }
        let installed = catalogue.apps.map(\.id)
        let unknown = shell.store.settings.preferences.appearance.dock.filter { !installed.contains($0) }
        for app in unknown where !unknownInDock.contains(app) {
            shell.log.warning(
                "\(shell.store.path): dock: there is no installed app \"\(app)\".\(LikelyWord.hint(for: app, among: installed))")
        }
        unknownInDock = Set(unknown)
    }

    func stop() {
        for source in sources { source.cancel() }
        sources.removeAll()
        loop?.cancel()
        loop = nil
    }
}
