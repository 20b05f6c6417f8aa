import Compositor
import Control
import Geometry
import Logging
import Multitasking
import Processes
import Settings
import ViewServer
import Windows

/// Programs the shell starts, the configuration it follows, and the view of it in a browser.
extension Shell {
    func launch(_ id: LaunchID, _ command: [String]) {
        var environment = environment
        if store.settings.tellsControlSocket { environment[ControlPath.variable] = control?.path }
        if let token = compositor.token(for: id) {
            environment["XDG_ACTIVATION_TOKEN"] = token
            environment["DESKTOP_STARTUP_ID"] = token
        }
        let log = programLogs.begin(id, command)
        do {
            let process = try launcher.launch(
                command, environment: environment, log: log, directory: isOpeningFirst ? nil : environment["HOME"])
            launches[process] = id
            receive(.launched(id, process: process))
        } catch {
            receive(.launchFailed(id, reason: error.message))
        }
    }

    func watchLauncher() {
        sources.append(compositor.watch(fd: launcher.descriptor) { [unowned self] _ in
            for exit in launcher.drain() { ended(exit) }
        })
    }

    private func ended(_ exit: ProcessExit) {
        if iconPainter?.ended(exit) ?? false { return }
        switch remoteView?.ended(exit) ?? .another {
        case .restarted(let message): return log.warning("\(message)")
        case .gaveUp(let message):
            remoteView = nil
            return log.error("\(message)")
        case .another: break
        }
        switch keyboard?.ended(exit) ?? .another {
        case .restarted: return log.warning("the on-screen keyboard ended and was started again")
        case .gaveUp(let message):
            keyboard = nil
            return log.error("\(message)")
        case .another: break
        }
        if shortSounds.ended(exit) { return }
        if appAppearance.ended(exit.pid, startWriter) { return }
        if soundEnded(exit) { return }
        let name = exit.command.first ?? "?"
        switch exit.reason {
        case .exited(0): log.debug("\(name) ended")
        case .exited(let status): log.notice("\(name) ended with status \(status)")
        case .signalled(let number): log.notice("\(name) was ended by signal \(number)")
        }
        guard let launch = launches.removeValue(forKey: exit.pid) else { return }
        let says = exit.reason == .exited(0) ? nil : programLogs.lastLine(of: launch)
        programLogs.end(launch)
        switch exit.reason {
        case .exited(let status): receive(.launchEnded(launch, status: status, says: says))
        case .signalled(let number): receive(.launchEnded(launch, signal: number, says: says))
        }
    }

    /// What the command line or the configuration names; otherwise the home screen, where everything is found.
    func launchFirst() {
        let commands = options.commands.isEmpty ? store.settings.launch ?? [] : options.commands
        // Who names a file on the command line means the folder that they are in.
        isOpeningFirst = !options.commands.isEmpty
        defer { isOpeningFirst = false }
        for command in commands {
            if let refusal = act(.launch(command: command)) { log.error("\(refusal.reason)") }
        }
    }

    /// What the programs print that the shell needs itself: nobody reads a tablet's console, and a person who asks finds it.
    /// Each that a person starts has a file of its own (`ProgramLogs`).
    var programLog: String { "\(runtime.path)/mullion-\(compositor.socket)/programs.log" }

    // MARK: Configuration

    func watchSettings() {
        guard store.descriptor >= 0 else {
            return log.warning("the configuration is not watched: the machine has no file watches left")
        }
        sources.append(compositor.watch(fd: store.descriptor) { [unowned self] _ in
            if store.drain() { _ = reloadSettings() }
        })
    }

    /// Nil if the configuration in force is the file's; else what is wrong with it.
    func reloadSettings() -> SettingsError? {
        let before = store.settings
        switch store.reload() {
        case .unchanged: return nil
        case .invalid(let error):
            log.error("\(error); the last good configuration stays")
            return error
        case .changed(let settings):
            log.info("the configuration changed")
            receive(.configured(settings.core(environment: environment)))
            showAppearance(system.preferences.appearance)
            checkDock()
            if settings.size != before.size || settings.scale != before.scale {
                // The configuration counts pixels, a person's wish points.
                let size = settings.size.map { $0 * (1 / settings.scale) }
                _ = act(.resizeScreen(size: size, scale: settings.scale))
            }
            return nil
        }
    }

    // MARK: Seen in a browser

    func startRemoteView() {
        guard let server = options.viewServer else { return }
        let port: Int?
        switch store.settings.remoteView {
        case .off: return
        case .automatic:
            guard compositor.backendName == "headless" else { return }
            port = nil
        case .port(let number): port = number
        }
        do {
            let view = try RemoteView(
                launcher: launcher, server: server, secretVariable: ViewService.variable, waylandSocket: "\(runtime.path)/\(compositor.socket)", output: compositor.outputName,
                port: port, runtimeDirectory: runtime.path, environment: environment, log: programLog)
            remoteView = view
            // Nobody can guess it, so it is said however little is logged.
            log.log(
                level: max(.notice, log.logLevel),
                "open \(view.url) in a browser on this machine to see and use the screen; whoever has this address may do the same")
        } catch {
            log.error("no remote view: \(error.message)")
        }
    }
}
