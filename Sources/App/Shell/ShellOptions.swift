import Compositor
import Geometry
import Settings
import Windows

/// What a person said on the command line of `mullion run`. What is nil or empty is as the configuration says.
public struct ShellOptions: Sendable {
    public var idiom: Idiom?
    /// Of a headless or nested screen, in pixels, as in the configuration.
    public var size: Size?
    /// Pixels per point.
    public var scale: Double?
    public var backend = Compositor.Options.Backend.auto
    public var remoteView: RemoteViewChoice?
    public var audio: SoundServerChoice?
    /// Name of the Wayland socket.
    public var socket: String?
    /// The configuration file; nil: the usual place.
    public var config: String?
    /// In place of what the configuration says, for who runs the shell in a process of its own making.
    public var settings: Settings?
    /// The file that the session is recorded to.
    public var record: String?
    public var xwayland = true
    /// Draw through wlroots' renderer also where pixman could do it directly.
    public var drawsThroughRenderer = false
    /// The clock stands still but for `clock step` on the control socket.
    public var handClock = false
    /// Seconds after which the shell ends by itself.
    public var quitAfter: Double?
    /// The command that draws icons (`IconService`); nil: they are drawn by the shell itself.
    public var iconPainter: [String]?
    /// The command that serves the remote view (`ViewService`); nil: there is none.
    public var viewServer: [String]?
    /// Programs to start with.
    public var commands: [[String]] = []

    public init() {}
}
