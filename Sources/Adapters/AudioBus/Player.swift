import AudioSessions
import Callers
import MessageBus
import Processes

/// A media player on the bus, as far as it has described itself. A value of the wrong type or too long counts as
/// missing.
struct Player {
    let id: PlayerID
    /// The unique name of its connection.
    let owner: String
    /// The player names that the connection owns. The first one is the id.
    var names: [String]
    var app = AudioApp(id: "")
    var process: Int32 = 0

    var identity = ""
    var status = PlaybackStatus.stopped
    /// The capabilities that it claims: CanPlay, CanGoNext and so on.
    var can: Set<String> = []
    var info = NowPlayingInfo()
    var rates: (lowest: Double, highest: Double) = (1, 1)
    /// The current track, by the object path that the player gave it.
    var track: String?
    /// When `info.position` was true, in nanoseconds.
    var positionSince: Int64 = 0

    /// The last report about the player; nil before the first one.
    var told: PlayerFacts?
    /// Whether it has described itself at least once.
    var isKnown = false
    var asking = Asking()
    var askingPosition = Asking()
    /// When to ask a silent player again.
    var retry: Int64?
    var pause: Int64 = 1_000_000_000
    /// The owner whose quota it uses; nil until the bus has named it.
    var payer: Owner?
    var allowance = Allowance(burst: 20, perSecond: 10)
    /// When to report a change that was held back by the rate limit.
    var overdue: Int64?

    /// At most one query of a kind is in flight. A reason to ask again waits for its answer.
    struct Asking {
        var isOnItsWay = false
        var again = false
    }

    static let limits = BusValue.Limits(text: 256 << 10, entries: 128)

    // MARK: Reading

    mutating func describe(_ values: [String: BusValue]) {
        if let name = values["Identity"]?.text { identity = Self.short(name) }
    }

    /// Applies some or all properties of `org.mpris.MediaPlayer2.Player`.
    mutating func take(_ values: [String: BusValue], at now: Int64) {
        if let text = values["PlaybackStatus"]?.text, let status = Self.statuses[text], status != self.status {
            advance(to: now)
            self.status = status
        }
        for name in Self.abilities {
            guard let flag = values[name]?.flag else { continue }
            if flag { can.insert(name) } else { can.remove(name) }
        }
        if let rate = values["Rate"]?.number, rate != info.rate, abs(rate) <= 100 {
            advance(to: now)
            info.rate = rate
        }
        if let rate = values["MinimumRate"]?.number, abs(rate) <= 100 { rates.lowest = rate }
        if let rate = values["MaximumRate"]?.number, abs(rate) <= 100 { rates.highest = rate }
        if let metadata = values["Metadata"]?.table { take(metadata: metadata, at: now) }
        if let position = values["Position"]?.integer { take(position: position, at: now) }
    }

    mutating func take(position microseconds: Int64, at now: Int64) {
        info.position = max(0, Double(microseconds) / 1e6)
        positionSince = now
    }

    private mutating func take(metadata: [String: BusValue], at now: Int64) {
        func first(_ name: String) -> String {
            let value = metadata[name]
            return Self.short(value?.text ?? value?.texts?.prefix(16).joined(separator: ", ") ?? "")
        }
        let newTrack = metadata["mpris:trackid"]?.text
        if newTrack != track {
            track = newTrack
            take(position: 0, at: now)
        }
        info.title = first("xesam:title")
        info.artist = first("xesam:artist")
        info.album = first("xesam:album")
        let artwork = metadata["mpris:artUrl"]?.text ?? ""
        let isFile = artwork.hasPrefix("file:///") && artwork.utf8.count <= 4096
        info.artwork = isFile || artwork.hasPrefix("data:image/") ? artwork : ""
        let length = metadata["mpris:length"]?.number ?? 0
        info.duration = length > 0 ? length / 1e6 : nil
    }

    /// Advances the position to the current time at the player's own rate.
    mutating func advance(to now: Int64) {
        if status == .playing { info.position = max(0, info.position + info.rate * Double(now - positionSince) / 1e9) }
        positionSince = now
    }

    private static let statuses: [String: PlaybackStatus] = ["Playing": .playing, "Paused": .paused, "Stopped": .stopped]
    private static let abilities = ["CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek", "CanControl"]

    /// Limits displayed text. A kilobyte is more than any screen shows.
    static func short(_ text: String) -> String {
        guard text.utf8.count > 1024 else { return text }
        return String(decoding: text.utf8.prefix(1024), as: UTF8.self)
    }

    // MARK: Reporting

    var facts: PlayerFacts {
        PlayerFacts(app: app, name: identity, status: status, commands: commands, info: info)
    }

    private var commands: Set<RemoteCommand.Name> {
        guard can.contains("CanControl") else { return [] }
        var commands: Set<RemoteCommand.Name> = [.stop]
        if can.contains("CanPlay") { commands.insert(.play) }
        if can.contains("CanPause") { commands.insert(.pause) }
        // By the specification, `PlayPause` needs a player that pauses.
        if commands.isSuperset(of: [.play, .pause]) { commands.insert(.togglePlayPause) }
        if can.contains("CanGoNext") { commands.insert(.next) }
        if can.contains("CanGoPrevious") { commands.insert(.previous) }
        if can.contains("CanSeek") { commands.formUnion([.skipForward, .skipBackward, .seek]) }
        if rates.lowest < rates.highest { commands.insert(.changeRate) }
        return commands
    }
}
