import ArgumentParser
import AudioSessions
import Control
import Journal
import Multitasking
import Windows

// Sound: levels, routes, playback, calls.

struct CtlAudio: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audio", abstract: "Volume, output, playback, calls, short sounds.",
        subcommands: [
            State.self, Volume.self, AppVolume.self, Mute.self, Silence.self, KeyClicks.self, Microphone.self, Output.self, Input.self,
            View.self,
            Play.self, Pause.self, Stop.self, Toggle.self, Next.self, Previous.self, Skip.self, Seek.self, Rate.self, Headset.self,
            Call.self, Cover.self, Sound.self,
        ], defaultSubcommand: State.self)

    struct State: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "state", abstract: "Show what there is to hear.")
        @OptionGroup var shell: ShellChoice
        @Flag(help: "As JSON.") var json = false
        @Flag(help: "As JSON, indented for people.") var pretty = false

        func run() throws {
            let answer = try shell.connectForSound().ask(.get(.audio))
            if json || pretty { return print(answer.text(pretty: pretty)) }
            print(AudioText(try answer.decoded(as: SoundReport.self)).text)
        }
    }

    // MARK: Levels

    struct Volume: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "volume", abstract: "Show or set a volume.",
            discussion: "Write a level down after --, as in `mullion ctl audio volume -- -10`.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "From 0 to 100; with + or - in front of it that much up or down; `up` or `down`: a step of the keys.")
        var level: String?
        @Option(name: .customLong("of"), help: ArgumentHelp("media, ringer, alarm or call; else what the keys act on.", valueName: "class"))
        var kind: VolumeClass?

        func run() throws {
            let client = try shell.connectForSound()
            let report = try client.ask(.get(.audio), for: SoundReport.self)
            let kind = self.kind ?? report.keys
            guard let level else {
                let volume = try Volume.current(report, kind)
                return print("\(AudioText.percent(volume.level))\(volume.muted ? ", muted" : "")")
            }
            switch level {
            case "up": return try client.perform(.audio(.volumeStep(1, self.kind)))
            case "down": return try client.perform(.audio(.volumeStep(-1, self.kind)))
            default: break
            }
            guard let number = Double(level), number.isFinite else {
                throw ValidationError("a volume is a number from 0 to 100, or up, or down; not \"\(level)\"")
            }
            if level.hasPrefix("+") || level.hasPrefix("-") {
                let wanted = try Volume.current(report, kind).level + number / 100
                return try client.perform(.audio(.setVolume(max(0, min(1, wanted)), kind)))
            }
            guard (0...100).contains(number) else { throw ValidationError("a volume is from 0 to 100, not \(level)") }
            try client.perform(.audio(.setVolume(number / 100, kind)))
        }

        private static func current(_ report: SoundReport, _ kind: VolumeClass) throws -> SoundReport.Volume {
            guard report.server else { throw ControlError("there is no sound server") }
            guard let volume = report.volumes[kind.rawValue] else { throw ControlError("there is no output whose volume could change") }
            return volume
        }
    }

    struct AppVolume: Acting {
        static let configuration = CommandConfiguration(commandName: "app-volume", abstract: "One app's own level below the system volume.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "The app, as `mullion ctl audio` names it.") var app: String
        @Argument(help: "From 0 to 100.") var level: Double
        var action: Action {
            get throws {
                guard (0...100).contains(level) else { throw ValidationError("a level is from 0 to 100, not \(level)") }
                return .audio(.setAppVolume(level / 100, app: app))
            }
        }
    }

    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off, toggle
        var value: Bool? { self == .toggle ? nil : self == .on }
    }

    struct Mute: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "mute", abstract: "Mute the output.")
        @OptionGroup var shell: ShellChoice
        @Argument var state = Switch.toggle
        func run() throws { try shell.connectForSound().perform(.audio(.mute(state.value))) }
    }

    struct Silence: Acting {
        static let configuration = CommandConfiguration(
            commandName: "silence", abstract: "Silent mode: only what somebody asked for sounds.")
        @OptionGroup var shell: ShellChoice
        @Argument var state = Switch.toggle
        var action: Action { .audio(.silence(state.value)) }
    }

    struct KeyClicks: Acting {
        static let configuration = CommandConfiguration(
            commandName: "key-clicks", abstract: "Whether the keys of on-screen keyboards click.")
        @OptionGroup var shell: ShellChoice
        @Argument var state = Switch.toggle
        var action: Action { .keyClicks(state.value) }
    }

    struct Microphone: Acting {
        static let configuration = CommandConfiguration(commandName: "microphone", abstract: "Mute the microphone: on is muted.")
        @OptionGroup var shell: ShellChoice
        @Argument var state = Switch.toggle
        var action: Action { .audio(.muteMicrophone(state.value)) }
    }

    // MARK: Routes

    struct Output: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "output", abstract: "Where sound goes: list it, or pick it.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its number, name, a part of it, or id; `automatic` leaves the choice to the shell. Left out: a list.") var output:
            String?

        func run() throws {
            let client = try shell.connectForSound()
            let report = try client.ask(.get(.audio), for: SoundReport.self)
            guard let output else { return print(AudioText(report).ports(report.outputs, current: report.output)) }
            if output == "automatic" { return try client.perform(.audio(.pickOutput(nil))) }
            let port = try SoundReport.find(output, among: report.outputs, what: "output")
            try client.perform(.audio(.pickOutput(PortID(port.id))))
        }
    }

    struct Input: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "input", abstract: "Where sound comes from: list it, or pick it.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its number, name, a part of it, or id; `automatic` leaves the choice to the shell. Left out: a list.") var input:
            String?

        func run() throws {
            let client = try shell.connectForSound()
            let report = try client.ask(.get(.audio), for: SoundReport.self)
            guard let input else { return print(AudioText(report).ports(report.inputs, current: report.input)) }
            if input == "automatic" { return try client.perform(.audio(.pickInput(nil))) }
            let port = try SoundReport.find(input, among: report.inputs, what: "input")
            try client.perform(.audio(.pickInput(PortID(port.id))))
        }
    }

    struct View: Acting {
        static let configuration = CommandConfiguration(
            commandName: "view", abstract: "Open or close level and output at a window, in the control centre or on its pages.")
        enum Place: String, ExpressibleByArgument, CaseIterable { case window, outputs, apps }
        @OptionGroup var shell: ShellChoice
        @Argument(help: "window: at a window; outputs, apps: pages of the control centre.") var place = Place.window
        @Option(help: "The window; the active one if left out.") var window: WindowID?
        var action: Action {
            switch place {
            case .window: .volumeView(window: window)
            case .outputs: .controlPage(.outputs)
            case .apps: .controlPage(.apps)
            }
        }
    }

    // MARK: Playback

    struct Play: Remote {
        static let configuration = CommandConfiguration(commandName: "play", abstract: "Play.")
        @OptionGroup var shell: ShellChoice
        var command: RemoteCommand { .play }
    }

    struct Pause: Remote {
        static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause.")
        @OptionGroup var shell: ShellChoice
        var command: RemoteCommand { .pause }
    }

    struct Stop: Remote {
        static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop.")
        @OptionGroup var shell: ShellChoice
        var command: RemoteCommand { .stop }
    }

    struct Toggle: Remote {
        static let configuration = CommandConfiguration(commandName: "toggle", abstract: "Play or pause, as the play key does.")
        @OptionGroup var shell: ShellChoice
        var command: RemoteCommand { .togglePlayPause }
    }

    struct Next: Remote {
        static let configuration = CommandConfiguration(commandName: "next", abstract: "The next track.")
        @OptionGroup var shell: ShellChoice
        var command: RemoteCommand { .next }
    }

    struct Previous: Remote {
        static let configuration = CommandConfiguration(commandName: "previous", abstract: "The previous track.")
        @OptionGroup var shell: ShellChoice
        var command: RemoteCommand { .previous }
    }

    struct Skip: Remote {
        static let configuration = CommandConfiguration(commandName: "skip", abstract: "Skip forward or back.")
        enum Way: String, ExpressibleByArgument, CaseIterable { case forward, back }
        @OptionGroup var shell: ShellChoice
        @Argument var way: Way
        @Argument(help: "Seconds; as far as the app prefers if left out.") var seconds: Double?
        var command: RemoteCommand { way == .forward ? .skipForward(seconds) : .skipBackward(seconds) }
    }

    struct Seek: Remote {
        static let configuration = CommandConfiguration(commandName: "seek", abstract: "Go to a place in what plays.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Seconds from the beginning.") var seconds: Double
        var command: RemoteCommand { .seek(seconds) }
    }

    struct Rate: Remote {
        static let configuration = CommandConfiguration(commandName: "rate", abstract: "How fast it plays.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "1 is as it was made.") var rate: Double
        var command: RemoteCommand { .changeRate(rate) }
    }

    struct Headset: Acting {
        static let configuration = CommandConfiguration(commandName: "headset", abstract: "As the one button of a headset: calls first.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .audio(.headsetButton()) }
    }

    struct Call: Acting {
        static let configuration = CommandConfiguration(
            commandName: "call", abstract: "Answer, decline or end a call, or silence what rings.")
        enum What: String, ExpressibleByArgument, CaseIterable { case answer, decline, end, silence }
        @OptionGroup var shell: ShellChoice
        @Argument var what: What
        var action: Action {
            switch what {
            case .answer: .audio(.answerCall)
            case .decline: .audio(.declineCall)
            case .end: .audio(.endCall)
            case .silence: .audio(.silenceRinging)
            }
        }
    }

    // MARK: The device

    struct Cover: Acting {
        static let configuration = CommandConfiguration(
            commandName: "cover", abstract: "As if the cover were closed or opened, where no switch says so.")
        enum State: String, ExpressibleByArgument, CaseIterable { case closed, open }
        @OptionGroup var shell: ShellChoice
        @Argument var state: State
        var action: Action { .cover(closed: state == .closed) }
    }

    struct Sound: Acting {
        static let configuration = CommandConfiguration(
            commandName: "sound", abstract: "A short sound, by its freedesktop name, as message-new-instant.")
        @OptionGroup var shell: ShellChoice
        @Argument var name: String
        var action: Action { .playSound(name) }
    }
}

extension VolumeClass: ExpressibleByArgument {}

/// A command to the app that plays.
protocol Remote: Acting {
    var command: RemoteCommand { get }
}

extension Remote {
    var action: Action { .audio(.remote(command, .command)) }

    func validate() throws {
        if let complaint = command.complaint { throw ValidationError(complaint) }
    }
}

/// Formats the report for a terminal.
struct AudioText {
    let report: SoundReport

    init(_ report: SoundReport) { self.report = report }

    static func percent(_ level: Double) -> String { "\(Int(clamping: (level * 100).rounded()))" }

    var text: String {
        var lines: [String] = []
        if !report.server { lines.append("no sound server") }
        for kind in VolumeClass.allCases {
            guard let volume = report.volumes[kind.rawValue] else { continue }
            let notes = [volume.muted ? "muted" : "", report.keys == kind ? "the keys act on it" : ""].filter { !$0.isEmpty }
            lines.append(
                "volume \(kind.rawValue) \(Self.percent(volume.level))" + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"))
        }
        if report.silenced { lines.append("silent mode") }
        if report.recording { lines.append("the microphone is in use") }
        if report.microphoneMuted { lines.append("the microphone is muted") }
        if let call = report.call { lines.append("call \(call.state.rawValue), \(call.app.onOneLine)") }
        if let playing = report.playing {
            let what = [playing.title, playing.artist].filter { !$0.isEmpty }.joined(separator: ", ")
            let time = playing.duration.map { " \(Self.clock(playing.position)) of \(Self.clock($0))" } ?? ""
            let who = playing.name.isEmpty ? playing.app : playing.name
            lines.append("\(playing.status.rawValue) \(who.onOneLine)\(what.isEmpty ? "" : ": \(what.onOneLine)")\(time)")
            lines.append("  takes \(playing.commands.map(\.rawValue).joined(separator: ", "))")
        }
        if !report.outputs.isEmpty {
            lines.append("outputs\(report.picked ? "" : " (automatic)")\n" + ports(report.outputs, current: report.output))
        }
        if !report.inputs.isEmpty { lines.append("inputs\n" + ports(report.inputs, current: report.input)) }
        if !report.apps.isEmpty {
            lines.append("apps")
            lines += report.apps.map {
                "  \($0.app.onOneLine) \(Self.percent($0.level)) \($0.kind.rawValue)\($0.sounding ? ", sounds" : "")"
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Numbers the ports as `find` does. A star marks the one in use.
    func ports(_ ports: [SoundReport.Port], current: String?) -> String {
        ports.isEmpty
            ? "none"
            : ports.enumerated().map { index, port in
                "\(port.id == current ? "*" : " ") \(index + 1) \(port.name.onOneLine) (\(port.kind), \(port.id.onOneLine))"
            }.joined(separator: "\n")
    }

    private static func clock(_ seconds: Double) -> String {
        let whole = Int(clamping: max(0, min(359_999, seconds)))
        return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    }
}
