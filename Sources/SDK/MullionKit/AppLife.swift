import Glibc
import MessageBus

/// Reports an app's own life to it: whether the app is in sight, how long it was frozen, and when memory is short. Also
/// begins background tasks (`BackgroundTask`) and offers state (`WindowState`).
///
/// ```swift
/// let life = try AppLife()
/// life.onPhase = { phase in if phase == .background { player.dropVideo() } }
/// life.onMemoryLow = { cache.removeAll() }
///
/// let task = life.beginTask(name: "Export of Holiday.mov")
/// task.onExpiring = { seconds in export.pause() }
/// export.onProgress = { task.progress = $0 }
/// export.onEnd = { task.end() }
/// ```
///
/// It talks to the shell over the session bus (`org.mullion.Life1`, docs/life-api.md). It has no thread and no event
/// loop: watch `descriptor` for `events`, call `process()` when it is ready or `timeout` has passed, and read all three
/// again when `onLoopChange` is called. A program without a loop calls `wait(seconds:)`. Confined to one thread,
/// callbacks included.
///
/// On a desktop without the service nothing breaks: that desktop freezes no app and keeps no state, and tasks need no
/// permission. When the shell starts or restarts, this object sends it everything again.
public final class AppLife {
    /// How much of the app a person sees or uses.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// A person acts in one of its windows.
        case active
        /// One of its windows is in sight.
        case inactive
        /// The app is out of sight, and the shell may freeze it at any moment.
        case background
    }

    /// nil until the shell reports it, and on other desktops.
    public internal(set) var phase: Phase?
    /// Called when the phase changes.
    public var onPhase: (Phase) -> Void = { _ in }
    /// Called after the shell thawed the app, with the seconds that it was frozen. Clocks continued in the meantime, and
    /// connections may have timed out.
    public var onResumed: (Double) -> Void = { _ in }
    /// Called when memory is short. Release memory whose content can be made again: the shell may end the app soon.
    public var onMemoryLow: () -> Void = {}
    /// Called when `descriptor`, `events` or `timeout` may have changed. Do not call `process()` from here.
    public var onLoopChange: () -> Void = {}
    /// Whether a shell is connected.
    public var isConnected: Bool { link.isServed }

    let link: LifeLink

    /// Starts connecting, without waiting for the shell.
    /// - Parameter busAddress: the session bus, if it is not the default one.
    /// - Throws: `.unavailable` if there is no session bus.
    public init(busAddress: String? = nil) throws(MullionError) {
        link = try LifeLink(address: busAddress)
        link.life = self
        link.begin()
    }

    /// Announces that the app finishes something that a person started. While the task lasts, the shell does not freeze the
    /// app out of sight (S-06). Begin it when the work begins, not when the app goes out of sight.
    /// - Parameter name: the text for people: "Export of Holiday.mov". 1 to 256 bytes.
    public func beginTask(name: String) -> BackgroundTask {
        let task = BackgroundTask(name: name, link)
        link.add(task)
        return task
    }

    /// Leaves the bus. Tasks end, and state is no longer offered. Releasing the last reference does the same.
    public func close() { link.close() }

    deinit { link.close() }

    // MARK: Event loop

    /// The descriptor to watch; -1 after `close()` and when the bus was lost.
    public var descriptor: Int32 { link.connection?.descriptor ?? -1 }
    /// The events to watch `descriptor` for.
    public var events: (read: Bool, write: Bool) { link.connection?.events ?? (false, false) }
    /// Milliseconds until the next required call of `process()`; -1: only when the descriptor is ready. As for poll(2).
    public var timeout: Int32 { link.timeout }

    /// Processes pending messages, and calls back. Never blocks.
    public func process() { link.process() }

    /// Waits until something happens or the time is over, and processes it. For programs without a loop.
    public func wait(seconds: Double = .infinity) { link.wait(seconds: seconds) }
}
