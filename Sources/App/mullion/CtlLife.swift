import ArgumentParser
import Control
import Lifecycle
import Multitasking
import Windows

// The life of apps: which run, which are frozen, and why.

struct CtlLife: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "life", abstract: "Show which apps run, which are frozen, and why an app in the background runs.")
    @OptionGroup var shell: ShellChoice
    @Flag(help: "As JSON.") var json = false
    @Flag(help: "As JSON, indented for people.") var pretty = false

    func run() throws {
        let answer = try shell.connect().ask(.get(.life))
        if json || pretty { return print(answer.text(pretty: pretty)) }
        print(Self.text(try answer.decoded(as: LifeReport.self)))
    }

    /// One line for each app, then one for each window whose program does not run.
    static func text(_ report: LifeReport) -> String {
        guard !report.apps.isEmpty || !report.placeholders.isEmpty else { return "no app has a window" }
        let apps = report.apps.map { app in
            let name = app.app.isEmpty ? "process" : app.app.onOneLine
            let reasons = app.reasons.map(text).joined(separator: ", ")
            return "\(name) (\(app.process)): \(app.phase.rawValue)\(reasons.isEmpty ? "" : ", \(reasons)")"
        }
        let placeholders = report.placeholders.map { window in
            let name = window.app.isEmpty ? "a program" : window.app.onOneLine
            let state =
                switch window.state {
                case .waits: "is started again when it is shown"
                case .starts: "is being started again"
                case .awaited: "outlived the last shell, and is awaited"
                case .failed: "could not be started again"
                }
            return "\(name) (window \(window.window.raw)): \(state)"
        }
        return (apps + placeholders).joined(separator: "\n")
    }

    private static func text(_ reason: LifeReport.Reason) -> String {
        switch reason.kind {
        case "sound": "plays sound"
        case "recording": "records"
        case "call": "has a call"
        case "picture-in-picture": "has a picture at the side"
        case "called": "was called"
        case "kept": "is kept running"
        case "allowed": "may run in the background"
        case "inhibits": "inhibitor \(reason.inhibitor ?? 0): \((reason.name ?? "").onOneLine)"
        case "task":
            "task \(reason.task ?? 0): \((reason.name ?? "").onOneLine)" + (reason.progress.map { ", \(Int(clamping: $0 * 100)) %" } ?? "")
        default: "cannot be frozen: \((reason.name ?? "?").onOneLine)"
        }
    }
}

struct CtlKeep: Acting {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Let an app run in the background, or freeze it there like others.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The app, as `mullion ctl apps` names it.") var app: String
    @Argument(help: "on, off or toggle.") var state = CtlAudio.Switch.toggle
    var action: Action { .keepRunning(app: app, state.value) }
}

struct CtlStop: Acting {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop what an app plays, records or shows at the side, out of sight: it is frozen like others.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The app, as `mullion ctl apps` names it.") var app: String
    var action: Action { .stopInBackground(app: app) }
}

struct CtlEndTask: Acting {
    static let configuration = CommandConfiguration(
        commandName: "end-task", abstract: "End a background task before its time: its app is frozen like others.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "Its number in `mullion ctl life`.") var task: UInt64
    var action: Action { .endTask(task) }
}

struct CtlOpenWithoutState: Acting {
    static let configuration = CommandConfiguration(
        commandName: "open-without-state",
        abstract: "Open an app without the state that it handed over. It gets none until it hands over a new one.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "Its id, which `mullion ctl apps` shows.") var app: String
    var action: Action { .openWithoutState(app: app) }
}

struct CtlForgetShortcuts: Acting {
    static let configuration = CommandConfiguration(
        commandName: "forget-shortcuts", abstract: "Take the keys back that an app has in every app.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The id of the app.") var app: String
    var action: Action { .forgetShortcuts(app: app) }
}

struct CtlEndInhibitor: Acting {
    static let configuration = CommandConfiguration(
        commandName: "end-inhibitor", abstract: "End what an app asked the shell not to do: it keeps nobody from logging out any more.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "Its number in `mullion ctl life`.") var inhibitor: UInt32
    var action: Action { .endInhibitor(inhibitor) }
}
