import Compositor
import Geometry
import Settings
import Windows

/// Options of the `mullion run` command line. Values that are nil or empty follow the configuration.
public struct ShellOptions: Sendable {
    /// The name of the idiom to begin with.
    public var idiom: String?
    /// An idiom that replaces all others, for programs that embed the shell.
    public var onlyIdiom: Idiom?
    /// The size of a headless or nested screen, in pixels, as in the configuration.
    public var size: Size?
    /// Pixels per point.
    public var scale: Double?
    public var backend = Compositor.Options.Backend.auto
    public var remoteView: RemoteViewChoice?
    public var audio: SoundServerChoice?
    /// Name of the Wayland socket.
    public var socket: String?
    /// The configuration file; nil for the default location.
    public var config: String?
    /// Replaces the configuration file, for programs that embed the shell.
    public var settings: Settings?
    /// The file that the session is recorded to.
    public var record: String?
    /// The socket of this name, already bound and listening.
    public var socketFile: Int32?
    public var xwayland = true
    /// Do without the status bar, whatever the configuration says.
    public var withoutStatusBar = false
    public var withoutSettingsIcon = false
    /// Keep windows on disk, and bring back those of the last session (W-20).
    public var keepsWindows = false
    /// The shell failed again and again: do not bring windows back.
    public var startsClean = false
    /// The shell was started again after a crash: a person's choices for the session still hold.
    public var continues = false
    /// Draws through wlroots' renderer even where pixman could draw directly.
    public var drawsThroughRenderer = false
    /// The clock stands still except for `clock step` on the control socket.
    public var handClock = false
    /// The shell checks the laws that a person notices and the laws of events to clients, and answers `get violations`.
    public var checksLaws = false
    /// Seconds after which the shell quits by itself.
    public var quitAfter: Double?
    /// The command that paints icons (`IconService`); nil paints them in this process.
    public var iconPainter: [String]?
    /// The command that serves the remote view (`ViewService`); nil disables it.
    public var viewServer: [String]?
    /// The socket of greetd: the shell is a greeter, and nothing else.
    public var greetd: String?
    /// Programs to launch at the start.
    public var commands: [[String]] = []

    public init() {}
}
