import Compositor
import Geometry
import Glibc
import MessageBus
import Multitasking
import Processes

/// Reports calls on the session bus that ask an app to show something. Programs in a terminal, and many file managers, have no activation
/// token to give (W-19). The core decides whether a person asked.
final class ShowRequests {
    private let calls: FrozenCalls

    init(_ shell: Shell) {
        calls = FrozenCalls(shell, "session bus", .showing) { [unowned shell] in BusAddress.session(shell.environment) }
        calls.onCall = { [unowned shell] call in
            guard let caller = call.caller, caller != getpid(), call.callee != caller else { return }
            shell.receive(.showAsked(of: call.callee, by: [caller] + call.ancestors))
        }
    }

    func start() { calls.begin {} }

    func stop() { calls.stop() }
}
