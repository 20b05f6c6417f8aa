import AudioSessions
import MessageBus

/// Translates D-Bus values to requests and back. The error for an unknown value names the expected one.
extension SessionRequest {
    private static let limits = BusValue.Limits(text: 256 << 10, entries: 64)
    /// The maximum length of displayed text, in UTF-8 bytes.
    static let longestText = 1024

    init(_ call: Incoming) throws(SessionError) {
        func bad(_ text: String) -> SessionError { SessionError(.badParameter, text) }
        switch call.member {
        case "SetCategory":
            guard let category = call.value(Self.limits)?.text, let mode = call.value(Self.limits)?.text,
                let names = call.value(Self.limits)?.texts
            else { throw bad("a category, a mode and a list of options are expected") }
            var options: Options = []
            for name in names {
                guard let known = Options.names.first(where: { $0.name == name }) else {
                    throw bad("no option is called \(Self.quoted(name)); there is \(Self.list(Options.names.map(\.name)))")
                }
                options.insert(known.option)
            }
            self = .setCategory(
                try Self.choice(category, "category"), mode.isEmpty ? .standard : try Self.choice(mode, "mode"), options)
        case "Activate": self = .activate
        case "Deactivate": self = .deactivate(notifyOthers: call.value()?.flag ?? false)
        case "SetLevel":
            guard let level = call.value()?.number else { throw bad("the level is no number") }
            self = .setLevel(level)
        case "SetCommands":
            guard let names = call.value(Self.limits)?.texts, let table = call.table(Self.limits) else {
                throw bad("a list of commands and a table are expected")
            }
            var commands: Set<RemoteCommand.Name> = []
            for name in names { commands.insert(try Self.choice(name, "command")) }
            let values = Words(table, known: ["skipForward", "skipBackward"])
            try values.refuseUnknown()
            self = .setCommands(
                commands, skipForward: try values.number("skipForward"), skipBackward: try values.number("skipBackward"))
        case "SetNowPlaying":
            guard let table = call.table(Self.limits) else { throw bad("a table is expected") }
            guard !table.isEmpty else {
                self = .setNowPlaying(nil, .stopped)
                return
            }
            let values = Words(
                table, known: ["title", "artist", "album", "artwork", "duration", "position", "rate", "status"])
            try values.refuseUnknown()
            var info = NowPlayingInfo()
            info.title = try values.text("title")
            info.artist = try values.text("artist")
            info.album = try values.text("album")
            info.artwork = try values.text("artwork", longest: Self.limits.text)
            if !info.artwork.isEmpty, !info.artwork.hasPrefix("file:///"), !info.artwork.hasPrefix("data:image/") {
                throw bad("artwork: a file: or data:image/ URL is expected")
            }
            info.duration = try values.number("duration")
            info.position = try values.number("position") ?? 0
            info.rate = try values.number("rate") ?? 1
            let status = try values.text("status")
            self = .setNowPlaying(info, status.isEmpty ? .playing : try Self.choice(status, "status"))
        case "SetCallState": self = .call(try Self.choice(call.value(Self.limits)?.text ?? "", "state"))
        case "ShowVolume": self = .showVolume(call.value()?.flag ?? false)
        case "PreferInput":
            guard let port = call.value()?.text else { throw bad("the id of an input is expected, or an empty string") }
            self = .preferInput(port.isEmpty ? nil : PortID(port))
        default: throw bad("no such method")
        }
    }

    static func choice<Choice>(_ text: String, _ what: String) throws(SessionError) -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let choice = Choice(rawValue: text) else {
            throw SessionError(
                .badParameter, "no \(what) is called \(quoted(text)); there is \(list(Choice.allCases.map(\.rawValue)))")
        }
        return choice
    }

    private static func quoted(_ text: String) -> String { "\"\(text.prefix(64))\"" }
    static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

/// A dictionary of named values from an app.
private struct Words {
    private let table: [String: BusValue]
    private let known: [String]

    init(_ table: [String: BusValue], known: [String]) {
        self.table = table
        self.known = known
    }

    func refuseUnknown() throws(SessionError) {
        guard let name = table.keys.sorted().first(where: { !known.contains($0) }) else { return }
        throw SessionError(
            .badParameter, "\"\(name.prefix(64))\" is not known here; there is \(SessionRequest.list(known))")
    }

    func text(_ name: String, longest: Int = SessionRequest.longestText) throws(SessionError) -> String {
        guard let value = table[name] else { return "" }
        if case .other("s") = value { throw SessionError(.badParameter, "\(name): longer than \(longest) bytes") }
        guard let text = value.text else { throw SessionError(.badParameter, "\(name): a string is expected") }
        guard text.utf8.count <= longest else {
            throw SessionError(.badParameter, "\(name): longer than \(longest) bytes")
        }
        return text
    }

    func number(_ name: String) throws(SessionError) -> Double? {
        guard let value = table[name] else { return nil }
        guard let number = value.number else { throw SessionError(.badParameter, "\(name): a number is expected") }
        return number
    }
}

extension RemoteCommand {
    /// The arguments of a command.
    var arguments: [String: BusValue] {
        switch self {
        case .skipForward(let seconds), .skipBackward(let seconds): seconds.map { ["interval": .number($0)] } ?? [:]
        case .seek(let seconds): ["position": .number(seconds)]
        case .changeRate(let rate): ["rate": .number(rate)]
        case .play, .pause, .stop, .togglePlayPause, .next, .previous: [:]
        }
    }
}

/// Names of outputs and inputs, including those that were recently removed.
struct PortNames {
    private var outputs: [PortID: AudioOutput] = [:]
    private var inputs: [PortID: AudioInput] = [:]

    mutating func learn(_ summary: AudioSummary) {
        // Devices return under the same names. No machine sees more than a hundred.
        if outputs.count > 100 { outputs = [:] }
        if inputs.count > 100 { inputs = [:] }
        for output in summary.outputs { outputs[output.id] = output }
        for input in summary.inputs { inputs[input.id] = input }
    }

    func describe(_ route: AudioRoute) -> [String: BusValue] {
        var values: [String: BusValue] = [:]
        if let id = route.output {
            values["output"] = .text(id.raw)
            values["outputKind"] = outputs[id].map { .text($0.kind.rawValue) }
            values["outputName"] = outputs[id].map { .text($0.name) }
        }
        if let id = route.input {
            values["input"] = .text(id.raw)
            values["inputKind"] = inputs[id].map { .text($0.kind.rawValue) }
            values["inputName"] = inputs[id].map { .text($0.name) }
        }
        return values
    }
}
