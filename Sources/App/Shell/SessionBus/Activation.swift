import Logging
import MessageBus

/// Tells the session bus what the programs that it starts have to know; again when that has changed.
final class Activation: Adapter {
    private unowned let shell: Shell
    private var environment: ActivationEnvironment?
    private var follower: BusFollower?
    private var told: [String: String] = [:]

    private static let names = [
        "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "PIPEWIRE_RUNTIME_DIR", "PULSE_SERVER",
    ]

    init(_ shell: Shell) { self.shell = shell }

    func start() { tell() }

    func environmentChanged() { tell() }

    func stop() {
        follower?.end()
        environment?.close()
    }

    private func tell() {
        guard shell.adapter(SessionBus.self).isOfThisSession, let address = BusAddress.session(shell.environment) else { return }
        var variables: [String: String] = [:]
        for name in Self.names { variables[name] = shell.environment[name] }
        // What is gone is empty: it cannot be taken back.
        for name in told.keys where variables[name] == nil { variables[name] = "" }
        guard variables != told else { return }
        told = variables
        stop()
        let environment = ActivationEnvironment(address: address, variables: variables) { [unowned shell] reason in
            shell.log.notice("programs that the session bus starts are not told where this shell is: \(reason)")
        }
        self.environment = environment
        follower = BusFollower(environment, shell.compositor)
    }
}
