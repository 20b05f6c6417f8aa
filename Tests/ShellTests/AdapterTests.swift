import Geometry
import Glibc
import Multitasking
import Processes
import Settings
import Testing

@testable import Shell

/// The shell in this process with one additional adapter.
@Suite("Adapters are peers")
struct AdapterTests {
    /// Starts a program, gets every event and the program's exit, and then ends the shell.
    private final class Toy: EventObserver {
        unowned let shell: Shell
        var steps: [String] = []
        var process: Int32?
        var events: [Event] = []
        var effects: [Effect] = []

        init(_ shell: Shell) { self.shell = shell }

        func start() { steps.append("start") }

        func allStarted() {
            steps.append("all started")
            shell.environment["MULLION_TOY"] = "1"
            shell.environmentChanged()
            shell.receive(.action(.darkAppearance(true)))
            process = try? shell.launcher.launch(["true"], environment: ["PATH": "/usr/bin:/bin"])
        }

        func environmentChanged() { steps.append("environment") }

        func didHandle(_ event: Event, _ effects: [Effect]) {
            events.append(event)
            self.effects += effects
        }

        func ended(_ exit: ProcessExit) -> Bool {
            guard exit.pid == process else { return false }
            steps.append("ended")
            shell.quit()
            return true
        }

        func stop() { steps.append("stop") }
    }

    /// Claims effects that belong to another adapter.
    private final class Thief: Adapter {
        let carriesOut = [Effect.Kind.timer]
    }

    private var options: ShellOptions {
        var settings = Settings()
        settings.logLevel = .critical
        settings.onScreenKeyboard = .off
        settings.launch = []
        var options = ShellOptions()
        options.settings = settings
        options.backend = .headless
        options.remoteView = .off
        options.audio = .off
        options.xwayland = false
        // In case the program's exit is never reported.
        options.quitAfter = 20
        return options
    }

    @Test("an adapter starts, gets events and the exits of its programs, and stops")
    func toy() throws {
        var toy: Toy?
        let shell = try Shell(
            options,
            adding: [
                { shell in
                    let made = Toy(shell)
                    toy = made
                    return made
                }
            ])
        try shell.run()
        let seen = try #require(toy)
        #expect(seen.steps == ["start", "all started", "environment", "ended", "stop"])
        #expect(seen.events.contains(.action(.darkAppearance(true))))
        #expect(seen.effects.contains { $0.kind == .look })
    }

    @Test("every kind of effect has exactly one adapter")
    func oneCarrier() throws {
        #expect(throws: ShellError.self) { _ = try Shell(options, adding: [{ _ in Thief() }]) }
        let shell = try Shell(options)
        #expect(Set(shell.adapters.flatMap(\.carriesOut)) == Set(Effect.Kind.allCases))
        #expect(shell.adapters.flatMap(\.carriesOut).count == Effect.Kind.allCases.count)
    }
}
