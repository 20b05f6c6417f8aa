import ArgumentParser
import Descriptors
import FoundationEssentials
import Glibc
import LinuxLibrary
import Processes
import Shell

struct GreeterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "greeter", abstract: "Greet people under greetd: the login in the look of the shell.",
        usage: "mullion greeter [OPTIONS]",
        discussion: """
            greetd starts it (docs/greeter.md), and names its socket in GREETD_SOCK. It takes the options of `mullion run`, \
            launches nothing, and ends when greetd has taken a session.
            """)

    @OptionGroup var options: RunCommand

    /// greetd names its socket to its greeter alone.
    private static let variable = "GREETD_SOCK"

    func validate() throws {
        guard options.command.isEmpty else { throw ValidationError("A greeter starts no programs: \(options.command[0])") }
        guard options.remoteView == nil || options.remoteView == .off else { throw ValidationError("A greeter has no remote view.") }
    }

    func run() throws {
        guard let socket = ProcessInfo.processInfo.environment[Self.variable], !socket.isEmpty else {
            throw Failure(
                """
                GREETD_SOCK is not set: greetd has to start the greeter. Put this into /etc/greetd/config.toml, and restart greetd \
                (docs/greeter.md):
                    [default_session]
                    command = "dbus-run-session mullion greeter"
                    user = "_greetd"
                """)
        }
        Descriptors.holdStandard(takesInput: true)
        // greetd that is restarted ends `dbus-run-session`, and not the greeter behind it.
        _ = mullion_prctl(1, UInt(SIGTERM), nil) // PR_SET_PDEATHSIG
        if !options.once, Supervisor.isWanted(environment: ProcessInfo.processInfo.environment) { try options.supervise() }
        // The programs that the shell starts have no business with it.
        unsetenv(Self.variable)
        var shell = options.shellOptions
        shell.greetd = socket
        shell.remoteView = .off
        shell.xwayland = false
        shell.keepsWindows = false
        try Shell(shell).run()
    }
}
