import Geometry
import Logging
import Processes
import Settings
import ViewServer

/// The screen in a browser on this machine.
final class RemoteViewAdapter: Adapter {
    private unowned let shell: Shell
    private var view: RemoteView?

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        guard let server = shell.options.viewServer else { return }
        let port: Int?
        switch shell.store.settings.remoteView {
        case .off: return
        case .automatic:
            guard shell.compositor.backendName == "headless" else { return }
            port = nil
        case .port(let number): port = number
        }
        do {
            let view = try RemoteView(
                launcher: shell.launcher, server: server, secretVariable: ViewService.variable,
                waylandSocket: "\(shell.runtime.path)/\(shell.compositor.socket)", output: shell.compositor.outputName,
                port: port, runtimeDirectory: shell.runtime.path, environment: shell.environment, log: shell.programLog)
            self.view = view
            shell.compositor.ownViewer = view.viewer
            // Log it at any log level, because a person cannot guess the URL.
            shell.log.log(
                level: max(.notice, shell.log.logLevel),
                "open \(view.url) in a browser on this machine to see and use the screen; whoever has this address may do the same")
        } catch {
            shell.log.error("no remote view: \(error.message)")
        }
    }

    func ended(_ exit: ProcessExit) -> Bool {
        switch view?.ended(exit, at: shell.clock.now() - .zero) ?? .another {
        case .another: return false
        case .restarted(let message):
            shell.compositor.ownViewer = view?.viewer ?? 0
            shell.log.warning("\(message)")
        case .gaveUp(let message):
            view = nil
            shell.log.error("\(message)")
        }
        return true
    }

    func stop() { view?.stop() }
}
