/// Requests of playback controls.
public enum RemoteCommand: Hashable, Codable, Sendable {
    case play, pause, stop, togglePlayPause
    case next, previous
    /// Seconds; nil for the app's own interval.
    case skipForward(Double?), skipBackward(Double?)
    /// Seeks to a position in the item, in seconds.
    case seek(Double)
    case changeRate(Double)

    public enum Name: String, CaseIterable, Hashable, Codable, Sendable {
        case play, pause, stop, togglePlayPause, next, previous, skipForward, skipBackward, seek, changeRate
    }

    public var name: Name {
        switch self {
        case .play: .play
        case .pause: .pause
        case .stop: .stop
        case .togglePlayPause: .togglePlayPause
        case .next: .next
        case .previous: .previous
        case .skipForward: .skipForward
        case .skipBackward: .skipBackward
        case .seek: .seek
        case .changeRate: .changeRate
        }
    }

    /// A message for the user if the command's number is invalid, otherwise nil. A control keeps its meaning,
    /// so a negative skip is invalid.
    public var complaint: String? {
        switch self {
        case .skipForward(let seconds?), .skipBackward(let seconds?):
            seconds > 0 && seconds < 1e6 ? nil : "a skip has more than 0 and less than a million seconds, not \(seconds)"
        case .seek(let position):
            (0..<1e9).contains(position) ? nil : "a place has from 0 to a billion seconds, not \(position)"
        case .changeRate(let rate): (0.1...16).contains(rate) ? nil : "a rate is from 0.1 to 16, not \(rate)"
        default: nil
        }
    }
}

/// The source of a command, which determines its target.
public enum RemoteSource: Hashable, Codable, Sendable {
    case key, controlCentre, command
    /// A button of a headset or another accessory; nil if it is unknown which one.
    case accessory(PortID?)
}

/// The item that an app reports as playing.
public struct NowPlayingInfo: Hashable, Codable, Sendable {
    public var title = ""
    public var artist = ""
    public var album = ""
    /// A file or data URL. Others are not fetched.
    public var artwork = ""
    /// Seconds; nil if endless or unknown.
    public var duration: Double?
    /// Seconds at the time of the report, and the playback rate.
    public var position = 0.0
    public var rate = 1.0

    public init() {}
}

public enum PlaybackStatus: String, CaseIterable, Hashable, Codable, Sendable {
    case playing, paused, stopped
}

/// A media player on the session bus (MPRIS), as it describes itself.
public struct PlayerFacts: Hashable, Codable, Sendable {
    public var app: AudioApp
    /// MPRIS Identity: the name that users know.
    public var name: String
    public var status: PlaybackStatus
    public var commands: Set<RemoteCommand.Name>
    public var info: NowPlayingInfo

    public init(
        app: AudioApp, name: String = "", status: PlaybackStatus = .stopped, commands: Set<RemoteCommand.Name> = [],
        info: NowPlayingInfo = NowPlayingInfo()
    ) {
        self.app = app
        self.name = name
        self.status = status
        self.commands = commands
        self.info = info
    }
}
