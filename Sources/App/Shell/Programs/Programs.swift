import Compositor
import Control
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import Logging
import Modality
import Multitasking
import Processes
import Windows

/// Launches programs for the user, and handles the exits of all child processes.
final class Programs: EventObserver {
    private unowned let shell: Shell
    private var launches: [Int32: LaunchID] = [:]
    private lazy var logs = ProgramLogs(folder: "\(shell.programLog.dropLast(".log".count))")
    /// Whether the commands of the command line are being launched.
    private var isOpeningFirst = false
    /// Those commands, until the session is unlocked for the first time.
    private var first: [[String]] = []
    /// Apps that a person wants to open at login, likewise.
    private var startApps: [String] = []
    private var source: EventSource?

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.program]

    func start() {
        let launcher = shell.launcher
        source = shell.compositor.watch(fd: launcher.descriptor) { [unowned shell] _ in
            for exit in launcher.drain() { shell.ended(exit) }
        }
    }

    /// Launches the programs of the command line or the configuration. Without any, the home screen shows.
    func allStarted() {
        first = shell.options.commands.isEmpty ? shell.store.settings.launch ?? [] : shell.options.commands
        // After a failure of the shell, it is still the same session.
        if shell.options.commands.isEmpty, !shell.options.continues { startApps = shell.system.preferences.startApps }
        openFirst()
    }

    func turned() { if !first.isEmpty || !startApps.isEmpty { openFirst() } }

    private func openFirst() {
        guard !shell.system.isLocked else { return }
        let commands = first
        first.removeAll()
        // A file name on the command line is relative to the current directory.
        isOpeningFirst = !shell.options.commands.isEmpty
        defer { isOpeningFirst = false }
        for command in commands {
            shell.receive(.beginsWith(command, isAgain: shell.options.continues))
        }
        let apps = startApps
        startApps.removeAll()
        let open = Set(shell.system.workspace.windows.values.map(\.app))
        for app in apps where !open.contains(app) && shell.system.workspace.apps.contains(where: { $0.id == app }) {
            if let refusal = shell.act(.openApp(app: app)) { shell.log.warning("\(app) does not open at login: \(refusal)") }
        }
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .program(let effect) = effect else { return }
        switch effect {
        case .launch(let id, let command, let directory):
            let directory = isOpeningFirst ? nil : folder(directory)
            // A missing program is an error in the answer of `mullion ctl launch`.
            guard let name = command.first, Executable.find(name, path: shell.environment["PATH"]) != nil else {
                return launchSoon(id, command, directory: directory)
            }
            shell.adapter(Keeper.self).beforeStart { [weak self] in
                FaultPoint.reach(.starts)
                self?.launchSoon(id, command, directory: directory)
                FaultPoint.reach(.started)
            }
        case .relaunch(let id, let command, let directory):
            launchSoon(id, command, directory: folder(directory))
            FaultPoint.reach(.launched)
        case .showFiles(let id, let command, let request): show(id, command, for: request)
        }
    }

    /// The home folder stands in for a folder that is gone.
    private func folder(_ wanted: String?) -> String? {
        if let wanted, access(wanted, X_OK) == 0 { return wanted }
        return shell.environment["HOME"]
    }

    /// Launches a program once the session manager is reachable: a program asks only once which windows to restore.
    private func launchSoon(_ id: LaunchID, _ command: [String], directory: String?) {
        shell.adapter(LifeOnBus.self).whenServing { [weak self] in
            self?.shell.adapter(Notifications.self).whenServing { self?.launch(id, command, directory: directory) }
        }
    }

    /// Quick look for the files of another program (W-18).
    private func show(_ id: LaunchID, _ command: [String], for request: ModalID) {
        let shown = shell.adapter(ShownFiles.self)
        let files = shown.files(of: request)
        defer { withExtendedLifetime(files) {} }
        switch launch(id, command, directory: shell.environment["HOME"], files: files.map { $0.file.number }) {
        case .success(let process): shown.started(request, process: process)
        case .failure(let error): shown.failed(request, error.message)
        }
    }

    /// - Parameters:
    ///   - directory: nil for the shell's own.
    ///   - files: that it gets, with the numbers from 3.
    @discardableResult
    private func launch(
        _ id: LaunchID, _ command: [String], directory: String?, files: [Int32] = []
    ) -> Result<Int32, LaunchError> {
        var environment = shell.environment
        if shell.store.settings.tellsControlSocket { environment[ControlPath.variable] = shell.adapter(ControlSocket.self).path }
        // Qt connects again, as of 6.5, when a shell that failed is back. Without a supervisor none comes back.
        if shell.options.socketFile != nil { environment["QT_WAYLAND_RECONNECT"] = "1" }
        if let token = shell.compositor.token(for: id) {
            environment["XDG_ACTIVATION_TOKEN"] = token
            environment["DESKTOP_STARTUP_ID"] = token
        }
        let log = logs.begin(id, command)
        do {
            let process = try shell.launcher.launch(
                command, environment: environment, log: log, directory: directory, files: files)
            launches[process] = id
            shell.receive(.launched(id, process: process))
            return .success(process)
        } catch {
            shell.receive(.launchFailed(id, reason: error.message))
            return .failure(error)
        }
    }

    func ended(_ exit: ProcessExit) -> Bool {
        let name = exit.command.first ?? "?"
        switch exit.reason {
        case .exited(0): shell.log.debug("\(name) ended")
        case .exited(let status): shell.log.notice("\(name) ended with status \(status)")
        case .signalled(let number): shell.log.notice("\(name) was ended by signal \(number)")
        }
        guard let launch = launches.removeValue(forKey: exit.pid) else { return false }
        let says = exit.reason == .exited(0) ? nil : logs.lastLine(of: launch)
        logs.end(launch)
        shell.adapter(ShownFiles.self).ended(exit.pid, says: says)
        switch exit.reason {
        case .exited(let status): shell.receive(.launchEnded(launch, status: status, says: says))
        case .signalled(let number): shell.receive(.launchEnded(launch, signal: number, says: says))
        }
        return true
    }

    func stop() {
        shell.launcher.endAll(patience: 1500)
        shell.adapter(AppLives.self).programsEnded()
        source?.cancel()
        source = nil
        let log = shell.programLog
        unlink(log)
        try? FileManager.default.removeItem(atPath: logs.folder)
        try? FileManager.default.removeItem(atPath: "\(shell.sessionFolder)/keyboard")
        try? FileManager.default.removeItem(atPath: "\(shell.sessionFolder)/tray")
        try? FileManager.default.removeItem(atPath: shell.sharedFolder)
        rmdir(shell.sessionFolder)
    }
}

extension Shell {
    /// The folder for files of this session, in the runtime directory.
    var sessionFolder: String { "\(runtime.path)/mullion-\(compositor.socket)" }

    /// Copies of shared files for apps, as long as the session lasts.
    var sharedFolder: String { "\(sessionFolder)/shared" }

    /// The output of programs that the shell itself needs. A tablet has no console to read, but the output can be found here.
    /// Each program that the user launches has its own file (`ProgramLogs`).
    var programLog: String { "\(sessionFolder)/programs.log" }
}
