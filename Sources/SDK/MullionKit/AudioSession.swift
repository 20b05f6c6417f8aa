import Glibc
import MessageBus

/// Declares an app's sound to the shell, and reports interruptions, route changes, and commands of the user.
///
/// ```swift
/// let session = try AudioSession()
/// session.onEvent = { event in
///     switch event {
///     case .interruptionBegan: player.pause()
///     case .interruptionEnded(let shouldResume) where shouldResume: player.play()
///     case .command(.pause): player.pause()
///     default: break
///     }
/// }
/// session.setCategory(.playback, mode: .spokenAudio)
/// session.activate().whenDone { result in if case .success = result { player.play() } }
/// ```
///
/// A session talks to the shell over the session bus (`org.mullion.AudioSession1`, docs/audio-api.md). It has no
/// thread and no event loop. Instead, the app's loop watches its file descriptor: watch `descriptor` for `events`,
/// call `process()` when it is ready or `timeout` has passed, and read all three again when `onLoopChange` is called.
/// In GLib this is one `g_unix_fd_add`, in epoll one entry. A program without a loop calls `wait(seconds:)`.
///
/// Requests are sent at once and answered later. Each returns a `Reply`, which you can wait for in one of three
/// ways, or ignore. A session is confined to one thread, callbacks included.
///
/// On a desktop without session support, nothing breaks: requests fail with `.unavailable`, and the app plays as
/// usual. When the shell starts or restarts, the session reports its state again.
public final class AudioSession {
    /// Receives events. Called from `process()` and the methods that wait.
    public var onEvent: (Event) -> Void = { _ in }
    /// `descriptor`, `events` or `timeout` may have changed. Do not call `process()` from here.
    public var onLoopChange: () -> Void = {}

    /// Whether the session may play now. Only the shell decides this.
    public internal(set) var state = State.inactive
    /// The app's current output and input.
    public internal(set) var currentRoute = Route()
    /// The volume that the user set for the current output, 0 to 1; 0 while muted. Apps cannot change it (see
    /// `setLevel`).
    public internal(set) var outputVolume = 0.0
    /// Whether there is a microphone or another input.
    public internal(set) var isInputAvailable = false
    /// Whether the shell is available and knows the session.
    public var isConnected: Bool { link.path != nil }

    let link: ServiceLink
    /// The session's requests, to be repeated when the shell restarts.
    var wishes = Wishes()

    struct Wishes {
        var category: (Category, Mode, Options)?
        var commands: (Set<RemoteCommand.Name>, Double?, Double?)?
        var nowPlaying: (NowPlaying?, PlaybackStatus)?
        var level: Double?
        var isActive = false
    }

    /// Starts connecting, without waiting for the shell.
    /// - Parameter busAddress: the session bus, if it is not the default one.
    /// - Throws: `.unavailable` if there is no session bus.
    public init(busAddress: String? = nil) throws(MullionError) {
        link = try ServiceLink(address: busAddress)
        link.session = self
        link.begin()
    }

    // MARK: Declarations

    /// Declares the purpose of the sound. Takes effect at once, even while the session is active. A change clears the
    /// options. Fails with `.badParameter` for an option that the category does not allow, and with
    /// `.missingEntitlement` for `.alarm` or `.ringer` if the app is not a clock or a phone.
    @discardableResult
    public func setCategory(_ category: Category, mode: Mode = .standard, options: Options = []) -> Reply<Void> {
        wishes.category = (category, mode, options)
        return link.send("SetCategory") {
            $0.string(category.rawValue)
            $0.string(mode.rawValue)
            $0.texts(options.names)
        }
    }

    /// Asks to play. Other sessions are interrupted or ducked according to the categories. Wait for the answer before
    /// playing. Fails with `.insufficientPriority` for the microphone during another app's call, and with
    /// `.cannotStartRecording` or `.cannotStartPlaying` where the rules forbid it.
    @discardableResult
    public func activate() -> Reply<Void> {
        let reply = link.send("Activate")
        reply.whenDone { [weak self] in if case .success = $0 { self?.wishes.isActive = true } }
        return reply
    }

    /// Ends playing.
    /// - Parameter notifyOthers: tells interrupted sessions that they may resume. For short sounds: a prompt,
    ///   a call, a recording.
    ///
    /// Fails with `.isBusy` if sound is still playing. The session becomes inactive anyway.
    @discardableResult
    public func deactivate(notifyOthers: Bool = false) -> Reply<Void> {
        wishes.isActive = false
        return link.send("Deactivate") { $0.bool(notifyOthers) }
    }

    /// Sets the session's level below the system volume, 0 to 1. Fails with `.badParameter` for another number.
    @discardableResult
    public func setLevel(_ level: Double) -> Reply<Void> {
        wishes.level = level
        return link.send("SetLevel") { $0.double(level) }
    }

    /// The commands that the app handles now. It gets no others. Omit those that make no sense at the moment,
    /// such as `.next` at the end of a list.
    /// - Parameters:
    ///   - skipForward: the app's own interval in seconds, which the controls show.
    ///   - skipBackward: the same, backwards.
    ///
    /// Fails with `.badParameter` for an interval that is not 0.1 to 3600 seconds.
    @discardableResult
    public func setCommands(
        _ commands: Set<RemoteCommand.Name>, skipForward: Double? = nil, skipBackward: Double? = nil
    ) -> Reply<Void> {
        wishes.commands = (commands, skipForward, skipBackward)
        return link.send("SetCommands") {
            var values: [String: BusValue] = [:]
            values["skipForward"] = skipForward.map { .number($0) }
            values["skipBackward"] = skipBackward.map { .number($0) }
            $0.texts(commands.map(\.rawValue).sorted())
            $0.table(values)
        }
    }

    /// Reports the item that plays, for the shell's controls; nil if nothing plays. Call this after changes (a new item, a pause, a
    /// jump), not every second, because the shell advances the position itself. Fails with `.badParameter` for a text, time or rate outside
    /// the limits of `NowPlaying`; then the controls keep what they showed.
    @discardableResult
    public func setNowPlaying(_ info: NowPlaying?, status: PlaybackStatus = .playing) -> Reply<Void> {
        wishes.nowPlaying = (info, status)
        return link.send("SetNowPlaying") { $0.table(info?.values(status) ?? [:]) }
    }

    /// The input that the app prefers; nil lets the shell choose. Fails with `.badParameter` if there is no such input.
    @discardableResult
    public func preferInput(_ id: String?) -> Reply<Void> {
        link.send("PreferInput") { $0.string(id ?? "") }
    }

    /// Only for phone apps: a call rings, was accepted or has ended. When the user answers with the shell's own
    /// controls, this arrives as `Event.call`. Fails with `.badParameter` if the session's category is neither `.playAndRecord` nor
    /// `.ringer`, and with `.notActive` for the end of a call that did not begin.
    @discardableResult
    public func setCallState(_ state: CallState) -> Reply<Void> {
        link.send("SetCallState") { $0.string(state.rawValue) }
    }

    /// Shows the shell's volume view over the app's window: a level slider and a choice of outputs.
    @discardableResult
    public func showVolume(_ isShown: Bool = true) -> Reply<Void> {
        link.send("ShowVolume") { $0.bool(isShown) }
    }

    /// Plays a short system sound. Needs no active session. Respects the silence switch and recordings.
    /// - Parameter name: from the freedesktop Sound Naming Specification, such as "message-new-instant".
    @discardableResult
    public func playSystemSound(_ name: String, _ kind: SystemSound = .alert) -> Reply<Void> {
        link.sendToManager("PlaySystemSound") {
            $0.string(name)
            $0.string(kind.rawValue)
        }
    }

    /// Ends the session permanently. Releasing the last reference does the same.
    public func close() { link.close() }

    deinit { link.close() }

    // MARK: Event loop

    /// The descriptor to watch; -1 after `close()` and when the bus was lost.
    public var descriptor: Int32 { link.connection?.descriptor ?? -1 }
    /// The events to watch `descriptor` for.
    public var events: (read: Bool, write: Bool) { link.connection?.events ?? (false, false) }
    /// Milliseconds until the next required call of `process()`; -1: only when the descriptor is ready. As for
    /// poll(2).
    public var timeout: Int32 { link.timeout }

    /// Processes pending messages, and calls back. Never blocks.
    public func process() { link.process() }

    /// Waits until something happens or the time is over, and processes it. For programs without a loop.
    public func wait(seconds: Double = .infinity) { link.wait(seconds: seconds) }
}
