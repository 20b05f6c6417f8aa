import Desktop
import FoundationEssentials
import Glibc
import Logging
import Processes

/// Makes apps light or dark through GSettings. GTK 3, GTK 4, libadwaita and the portals watch these, so running apps
/// change at once. `AppTheme` decides the values, and `gsettings` reads and writes it.
///
/// GSettings belong to the user and persist. So nothing is written until dark is chosen here, and a shell that does
/// not own the session of its bus (nested in another desktop) leaves them alone.
final class AppAppearance: Adapter {
    private unowned let shell: Shell
    private var lastIsDark = false
    /// The last choice made while a process was running.
    private var wanted: Bool?
    private var work: Work?

    private struct Work {
        var process: Int32
        var isDark: Bool
        /// Settings still to be written; nil while the current theme is being read.
        var left: [AppTheme.Setting]?
    }

    init(_ shell: Shell) { self.shell = shell }

    func start() { tell(isDark: shell.system.preferences.appearance.isDark) }

    func tell(isDark: Bool) {
        guard shell.adapter(SessionBus.self).isOfThisSession else { return }
        guard work == nil else { return wanted = isDark }
        guard isDark != lastIsDark else { return }
        lastIsDark = isDark
        guard Executable.find("gsettings", path: shell.environment["PATH"]) != nil else {
            return shell.log.notice("apps cannot be switched to dark: gsettings is missing (package libglib2.0-bin)")
        }
        unlink(answer)
        guard let process = run(["get", AppTheme.schema, AppTheme.themeKey], log: answer) else { return }
        work = Work(process: process, isDark: isDark)
    }

    func ended(_ exit: ProcessExit) -> Bool {
        guard let ended = work, exit.pid == ended.process else { return false }
        var left = ended.left ?? (exit.reason == .exited(0) ? settings(isDark: ended.isDark) : [])
        work = nil
        while work == nil, !left.isEmpty {
            let setting = left.removeFirst()
            let process = run(["set", AppTheme.schema, setting.key, setting.value], log: shell.programLog)
            work = process.map { Work(process: $0, isDark: ended.isDark, left: left) }
        }
        if work == nil, let wanted {
            self.wanted = nil
            tell(isDark: wanted)
        }
        return true
    }

    func stop() { unlink(answer) }

    /// The output of `gsettings get`.
    private var answer: String { "\(shell.sessionFolder)/appearance" }

    private func run(_ words: [String], log: String) -> Int32? {
        try? shell.launcher.launch(["gsettings"] + words, environment: shell.environment, log: log)
    }

    private func settings(isDark: Bool) -> [AppTheme.Setting] {
        guard let text = try? String(contentsOfFile: answer, encoding: .utf8), let theme = AppTheme.value(printed: text) else { return [] }
        let folders = AppTheme.folders(environment: shell.environment)
        return AppTheme.settings(isDark: isDark, theme: theme) { name in folders.contains { access("\($0)/\(name)", F_OK) == 0 } }
    }
}
