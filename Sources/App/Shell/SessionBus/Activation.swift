import Logging
import MessageBus

/// Passes the session's environment to the session bus, for the programs that it starts. Repeats this after changes.
final class Activation: Adapter {
    private unowned let shell: Shell
    private var environment: ActivationEnvironment?
    private var follower: BusFollower?
    private var lastSent: [String: String] = [:]

    private static let names = [
        "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "PIPEWIRE_RUNTIME_DIR", "PULSE_SERVER",
    ]

    init(_ shell: Shell) { self.shell = shell }

    func start() { sendVariables() }

    func environmentChanged() { sendVariables() }

    func stop() {
        follower?.end()
        environment?.close()
    }

    private func sendVariables() {
        guard shell.adapter(SessionBus.self).isOfThisSession, let address = BusAddress.session(shell.environment) else { return }
        var variables: [String: String] = [:]
        for name in Self.names { variables[name] = shell.environment[name] }
        // D-Bus cannot unset a variable, so send an empty value.
        for name in lastSent.keys where variables[name] == nil { variables[name] = "" }
        guard variables != lastSent else { return }
        lastSent = variables
        stop()
        let environment = ActivationEnvironment(address: address, variables: variables) { [unowned shell] reason in
            shell.log.notice("the session bus could not be given this session's environment: \(reason)")
        }
        self.environment = environment
        follower = BusFollower(environment, shell.compositor)
    }
}
