import Glibc
import MessageBus

/// What an app says about its sound, and what becomes of it: when others interrupt it, where it sounds, what the
/// person's keys ask for.
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
/// A session speaks to the shell over the session bus (`org.mullion.AudioSession1`, docs/audio-api.md). It has no thread
/// and no loop of its own: it lends a file descriptor to whatever loop the app has. Watch `descriptor` for what `events`
/// says, call `process()` when it is ready or `timeout` is over, and look again at all three when `onLoopChange` is
/// called. In GLib that is one `g_unix_fd_add` and in epoll one entry; a program without a loop calls `wait(seconds:)`.
///
/// Requests are sent at once and answered later: each gives an `AudioReply`, to be waited for in one of three ways, or not
/// at all. A session belongs to one thread; everything is called, and calls back, on it.
///
/// Under a desktop that knows no sessions nothing breaks: requests fail with `.unavailable`, and an app plays as it
/// always did. When the shell comes, or comes back, it is told everything anew.
public final class AudioSession {
    /// What happens to the session. Called from `process()` and from what waits.
    public var onEvent: (Event) -> Void = { _ in }
    /// `descriptor`, `events` or `timeout` may have changed. Do not call `process()` from here.
    public var onLoopChange: () -> Void = {}

    /// Whether the session may sound now. Interrupted or not, it is the shell that says.
    public internal(set) var state = State.inactive
    /// Where the app sounds now, and hears.
    public internal(set) var currentRoute = Route()
    /// As the person set it for the current output, 0 to 1; 0 while muted. Apps have no say in it (`setLevel`).
    public internal(set) var outputVolume = 0.0
    /// There is a microphone, or another input.
    public internal(set) var isInputAvailable = false
    /// The shell is there and knows the session.
    public var isConnected: Bool { link.path != nil }

    let link: ServiceLink
    /// What was said, to be said again to a shell that starts anew.
    var wishes = Wishes()

    struct Wishes {
        var category: (Category, Mode, Options)?
        var commands: (Set<RemoteCommand.Name>, Double?, Double?)?
        var nowPlaying: (NowPlaying?, PlaybackStatus)?
        var level: Double?
        var isActive = false
    }

    /// Begins to connect; does not wait for the shell.
    /// - Parameter busAddress: the session bus, if it is not the usual one.
    /// - Throws: `.unavailable` if there is no session bus.
    public init(busAddress: String? = nil) throws(AudioSessionError) {
        link = try ServiceLink(address: busAddress)
        link.session = self
        link.begin()
    }

    // MARK: What it says of itself

    /// Says what the sound is for. Takes effect at once, also while the session is active; a change clears the options.
    /// Fails with `.badParameter` for an option that the category does not have, and with `.missingEntitlement` for
    /// `.alarm` and `.ringer` of an app that is no clock and no phone.
    @discardableResult
    public func setCategory(_ category: Category, mode: Mode = .standard, options: Options = []) -> AudioReply {
        wishes.category = (category, mode, options)
        return link.send("SetCategory") {
            $0.string(category.rawValue)
            $0.string(mode.rawValue)
            $0.texts(options.names)
        }
    }

    /// Asks to sound. Others are interrupted or lowered as the categories have it; wait for the answer before playing.
    /// Fails with `.insufficientPriority` for the microphone during another app's call, and with
    /// `.cannotStartRecording` or `.cannotStartPlaying` where the rules do not let it.
    @discardableResult
    public func activate() -> AudioReply {
        let reply = link.send("Activate")
        reply.whenDone { [weak self] in if case .success = $0 { self?.wishes.isActive = true } }
        return reply
    }

    /// The sound is over.
    /// - Parameter notifyOthers: those who were interrupted are told that they may resume. For what is short: a
    ///   prompt, a call, a recording.
    ///
    /// Fails with `.isBusy` if sound still plays; the session is inactive all the same.
    @discardableResult
    public func deactivate(notifyOthers: Bool = false) -> AudioReply {
        wishes.isActive = false
        return link.send("Deactivate") { $0.bool(notifyOthers) }
    }

    /// Its level below the system volume, 0 to 1.
    @discardableResult
    public func setLevel(_ level: Double) -> AudioReply {
        wishes.level = level
        return link.send("SetLevel") { $0.double(level) }
    }

    /// The commands that the app handles now: others never reach it. Leave out what makes no sense at the moment,
    /// such as `.next` at the end of a list.
    /// - Parameters:
    ///   - skipForward: the app's own interval in seconds, which the controls show.
    ///   - skipBackward: the same, backwards.
    @discardableResult
    public func setCommands(
        _ commands: Set<RemoteCommand.Name>, skipForward: Double? = nil, skipBackward: Double? = nil
    ) -> AudioReply {
        wishes.commands = (commands, skipForward, skipBackward)
        return link.send("SetCommands") {
            var values: [String: BusValue] = [:]
            values["skipForward"] = skipForward.map { .number($0) }
            values["skipBackward"] = skipBackward.map { .number($0) }
            $0.texts(commands.map(\.rawValue).sorted())
            $0.table(values)
        }
    }

    /// What is playing, for the controls of the shell; nil: nothing any more. Say it when something changes (a new
    /// item, paused, jumped), not for every second: the position goes on by itself.
    @discardableResult
    public func setNowPlaying(_ info: NowPlaying?, status: PlaybackStatus = .playing) -> AudioReply {
        wishes.nowPlaying = (info, status)
        return link.send("SetNowPlaying") { $0.table(info?.values(status) ?? [:]) }
    }

    /// The input that the app would like; nil: whichever the shell finds best.
    @discardableResult
    public func preferInput(_ id: String?) -> AudioReply {
        link.send("PreferInput") { $0.string(id ?? "") }
    }

    /// Of a phone alone: a call rings, was accepted or has ended. What the person does with the shell's own controls comes
    /// as `Event.call`.
    @discardableResult
    public func setCallState(_ state: CallState) -> AudioReply {
        link.send("SetCallState") { $0.string(state.rawValue) }
    }

    /// Shows the shell's volume view over the app's window: a level slider and the choice of the output.
    @discardableResult
    public func showVolume(_ isShown: Bool = true) -> AudioReply {
        link.send("ShowVolume") { $0.bool(isShown) }
    }

    /// Plays a short sound of the system. It needs no session: silence switch and recordings are heeded.
    /// - Parameter name: of the freedesktop sound naming specification, such as "message-new-instant".
    @discardableResult
    public func playSystemSound(_ name: String, _ kind: SystemSound = .alert) -> AudioReply {
        link.sendToManager("PlaySystemSound") {
            $0.string(name)
            $0.string(kind.rawValue)
        }
    }

    /// Ends the session for good; so does its last reference.
    public func close() { link.close() }

    deinit { link.close() }

    // MARK: In the app's loop

    /// What the loop watches; -1 after `close()` and when the bus was lost.
    public var descriptor: Int32 { link.connection?.descriptor ?? -1 }
    /// What it is watched for.
    public var events: (read: Bool, write: Bool) { link.connection?.events ?? (false, false) }
    /// Milliseconds until `process()` has to be called in any case; -1: only when the descriptor is ready. As poll(2).
    public var timeout: Int32 { link.timeout }

    /// Does what can be done now, and calls back. Never waits.
    public func process() { link.process() }

    /// Waits until something happened or the time is over, and does what can be done then: for programs without a loop.
    public func wait(seconds: Double = .infinity) { link.wait(seconds: seconds) }
}
