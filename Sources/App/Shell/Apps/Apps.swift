import Chrome
import Compositor
import Desktop
import Geometry
import Logging
import Multitasking
import Settings
import Windows

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
        shell.receive(.appsChanged(catalogue.apps + (shell.options.withoutSettingsIcon ? [] : [settings])))
        shell.receive(.audio(.categoriesChanged(catalogue.categories)))
        checkDock()
    }

    /// The settings of the shell stand among the apps.
    private var settings: App {
        let theme = shell.adapter(Look.self).painter.theme
        return App(
            id: App.settings, name: theme.language.words(.settings), keywords: Language.allCases.map { $0.words(.settings) },
            icon: "preferences-system", command: ["mullion", "settings"], isSingleWindow: true)
    }

    /// The language that the configuration names: apps are called in the language of the shell.
    private var language: String? {
        let own = shell.system.preferences.appearance.language
        return own.isEmpty ? nil : own
    }

    func settingsChanged(from before: Settings) {
        followLanguage()
        checkDock()
    }

    func followLanguage() {
        guard let catalogue, catalogue.language != language else { return }
        catalogue.language = language
        _ = catalogue.reload()
        // At least the settings have another name.
        reportApps()
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
