import ArgumentParser
import Control
import Geometry
import Journal
import Multitasking
import Windows

struct CtlKeyboard: Acting {
    enum Wish: String, CaseIterable, ExpressibleByArgument { case show, hide }

    static let configuration = CommandConfiguration(
        commandName: "keyboard", abstract: "Call or hide the on-screen keyboard, whatever has the focus.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "show or hide; without it, the other of the two.") var wish: Wish?
    var action: Action { .screenKeyboard(shown: wish.map { $0 == .show }) }
}

struct CtlLock: Acting {
    static let configuration = CommandConfiguration(commandName: "lock", abstract: "Lock the session.")
    @OptionGroup var shell: ShellChoice
    var action: Action { .lockScreen(.lock) }
}

struct CtlKeyPointer: Acting {
    static let configuration = CommandConfiguration(
        commandName: "key-pointer", abstract: "Fetch the pointer that arrow keys move, or put it away.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "show or hide; without it, the other of the two.") var wish: CtlKeyboard.Wish?
    var action: Action { .keyPointer(shown: wish.map { $0 == .show }) }
}

struct CtlRotate: Acting {
    static let configuration = CommandConfiguration(commandName: "rotate", abstract: "Turn the screen.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "Quarter turns counter-clockwise from upright, 0 to 3.") var turns: Int
    var action: Action { .rotate(turns) }
}

struct CtlResize: Acting {
    static let configuration = CommandConfiguration(
        commandName: "resize", abstract: "Another size of a headless or nested screen.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: ArgumentHelp("In points.", valueName: "WIDTHxHEIGHT"), transform: Size.fromCommandLine) var size: Size
    var action: Action { .resizeScreen(size: size) }
}

struct CtlScale: Acting {
    static let configuration = CommandConfiguration(commandName: "scale", abstract: "Another number of pixels per point.")
    @OptionGroup var shell: ShellChoice
    @Argument var scale: Double
    var action: Action { .resizeScreen(scale: scale) }
}

struct CtlWait: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait for something; fail if it does not come in time.",
        subcommands: [Idle.self, Window.self, Gone.self, Sound.self])

    struct Patience: ParsableArguments {
        @OptionGroup var shell: ShellChoice
        @Option(help: ArgumentHelp("How long at most.", valueName: "ms")) var timeout = 5000.0
    }

    struct Idle: Asking {
        static let configuration = CommandConfiguration(
            commandName: "idle", abstract: "Until nothing moves and every window has answered what it was told.")
        @OptionGroup var patience: Patience
        var shell: ShellChoice { patience.shell }
        var request: ControlRequest { .wait(WaitRequest(until: .idle, timeout: patience.timeout)) }
    }

    struct Window: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "window", abstract: "Until a window is there; print its number.")
        @OptionGroup var patience: Patience
        @Option(name: .customLong("app-id"), help: "Its app id, exactly.") var appID: String?
        @Option(help: "A part of its title.") var title: String?
        @Option(help: "Only one with a higher number than this window.") var after: WindowID?

        func run() throws {
            let window = try patience.shell.connect().waitForWindow(
                appID: appID, title: title, after: after, timeout: patience.timeout)
            print(window.id.raw)
        }
    }

    struct Gone: Asking {
        static let configuration = CommandConfiguration(commandName: "gone", abstract: "Until a window is not there any more.")
        @OptionGroup var patience: Patience
        @Argument var window: WindowID
        var shell: ShellChoice { patience.shell }
        var request: ControlRequest { .wait(WaitRequest(until: .gone(window: window), timeout: patience.timeout)) }
    }

    struct Sound: Asking {
        static let configuration = CommandConfiguration(
            commandName: "sound", abstract: "Until it is known where sound goes, or that there is no sound.")
        @OptionGroup var patience: Patience
        var shell: ShellChoice { patience.shell }
        var request: ControlRequest { .wait(WaitRequest(until: .sound, timeout: patience.timeout)) }
    }
}

struct CtlClock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock", abstract: "Stop the shell's clock and step it by hand, for tests; print where it stands.",
        discussion: "While the clock is held by hand nothing moves and no timer fires but by `clock step`.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "hand, real or step; without, it is only read.") var what: What?
    @Argument(help: ArgumentHelp("For step.", valueName: "ms")) var milliseconds: Double?

    enum What: String, ExpressibleByArgument, CaseIterable { case hand, real, step }

    func validate() throws {
        guard (what == .step) == (milliseconds != nil) else { throw ValidationError("It is: clock step MS.") }
    }

    func run() throws {
        let request: ClockRequest =
            switch what {
            case .hand: .hand
            case .real: .real
            case .step: .step(milliseconds ?? 0)
            case nil: .read
            }
        let report = try shell.connect().ask(.clock(request), for: ClockReport.self)
        print("\(report.hand ? "hand" : "real") \(report.now.nanoseconds)")
    }
}

struct CtlReload: Asking {
    static let configuration = CommandConfiguration(commandName: "reload", abstract: "Read the configuration again.")
    @OptionGroup var shell: ShellChoice
    var request: ControlRequest { .reload }
}

struct CtlSend: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send a line of JSON as it is, and print the answer.",
        discussion: "For example: mullion ctl send '{\"get\":\"version\"}'")
    @OptionGroup var shell: ShellChoice
    @Argument var json: String
    @Option(help: ArgumentHelp("How long to wait for the answer.", valueName: "ms")) var timeout = 10_000.0

    func run() throws {
        let line = Array(json.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 })
        let answer = try shell.connect().send(raw: line, within: timeout / 1000)
        print(answer.text())
        if answer["error"] != nil { throw ExitCode.failure }
    }
}

struct CtlLogOut: Acting {
    static let configuration = CommandConfiguration(
        commandName: "log-out", abstract: "Let apps save, and end the session unless one of them objects.")
    @OptionGroup var shell: ShellChoice
    @Flag(help: "Whatever apps say.") var anyway = false
    var action: Action { anyway ? .quitAnyway : .quit }
}

struct CtlBringBack: Acting {
    static let configuration = CommandConfiguration(
        commandName: "bring-windows-back", abstract: "Bring back the windows that stayed closed because the shell had failed several times."
    )
    @OptionGroup var shell: ShellChoice
    var action: Action { .bringWindowsBack }
}

struct CtlStartClean: Acting {
    static let configuration = CommandConfiguration(
        commandName: "start-clean", abstract: "Leave the windows closed that the shell asks about after it failed several times.")
    @OptionGroup var shell: ShellChoice
    var action: Action { .startClean }
}

struct CtlQuit: Asking {
    static let configuration = CommandConfiguration(commandName: "quit", abstract: "End the shell and what it launched.")
    @OptionGroup var shell: ShellChoice
    var request: ControlRequest { .quit }
}
