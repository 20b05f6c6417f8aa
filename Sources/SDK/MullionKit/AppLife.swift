import Glibc
import MessageBus

/// What an app sees of its own life: whether it is in sight, how long it was frozen, and when memory is short. It begins
/// background tasks (`BackgroundTask`) and offers state (`WindowState`).
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
/// On a desktop without the service nothing breaks: nothing is frozen there, no state is kept, and tasks need nobody's
/// leave. When the shell starts or restarts, it is told everything again.
public final class AppLife {
    /// What an app is at a moment.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// A person acts in one of its windows.
        case active
        /// It is in sight.
        case inactive
        /// It is out of sight, and may be frozen at any moment.
        case background
    }

    /// nil while the shell has not said, and where there is none.
    public internal(set) var phase: Phase?
    /// The app is in another phase now.
    public var onPhase: (Phase) -> Void = { _ in }
    /// The app was frozen for so many seconds, and goes on. Clocks went on, and connections may be gone.
    public var onResumed: (Double) -> Void = { _ in }
    /// Give back what can be made anew. The app may be ended soon.
    public var onMemoryLow: () -> Void = {}
    /// `descriptor`, `events` or `timeout` may have changed. Do not call `process()` from here.
    public var onLoopChange: () -> Void = {}
    /// Whether the shell is there.
    public var isConnected: Bool { link.isServed }

    let link: LifeLink

    /// Starts connecting, without waiting for the shell.
    /// - Parameter busAddress: the session bus, if it is not the default one.
    /// - Throws: `.unavailable` if there is no session bus.
    public init(busAddress: String? = nil) throws(AppLifeError) {
        link = try LifeLink(address: busAddress)
        link.life = self
        link.begin()
    }

    /// Says that the app finishes something that a person started. While the task lasts, the app is not frozen out of
    /// sight (S-06). Begin it when the work begins, not when the app goes out of sight.
    /// - Parameter name: what people read: "Export of Holiday.mov". 1 to 256 bytes.
    public func beginTask(name: String) -> BackgroundTask {
        let task = BackgroundTask(name: name, link)
        link.add(task)
        return task
    }

    /// Leaves the bus. Tasks end, and state is offered no more. Releasing the last reference does the same.
    public func close() { link.close() }

    deinit { link.close() }

    // MARK: Event loop

    /// The descriptor to watch; -1 after `close()` and when the bus was lost.
    public var descriptor: Int32 { link.connection?.descriptor ?? -1 }
    /// What to watch it for.
    public var events: (read: Bool, write: Bool) { link.connection?.events ?? (false, false) }
    /// Milliseconds until the next required call of `process()`; -1: only when the descriptor is ready. As for poll(2).
    public var timeout: Int32 { link.timeout }

    /// Processes what is pending, and calls back. Never blocks.
    public func process() { link.process() }

    /// Waits until something happens or the time is over, and processes it. For programs without a loop.
    public func wait(seconds: Double = .infinity) { link.wait(seconds: seconds) }
}

/// Why the shell does not do what an app asked for.
public struct AppLifeError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case badParameter, nameInUse, tooMany, tooLarge, unknown
        /// The program belongs to no app that has a window.
        case noApp
        /// There is no session bus, or no shell on it that serves this.
        case unavailable
        /// Anything else; the text says what.
        case failed
    }

    public var kind: Kind
    /// A message for the app's developer.
    public var text: String

    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    public var description: String { "\(kind.rawValue): \(text)" }

    init(_ error: BusError) {
        let prefix = "\(LifeLink.service).Error."
        if error.name.hasPrefix(prefix) {
            let name = error.name.dropFirst(prefix.utf8.count)
            self.init(Kind(rawValue: name.prefix(1).lowercased() + name.dropFirst()) ?? .failed, error.text)
        } else {
            self.init(.failed, error.text.isEmpty ? error.name : error.text)
        }
    }
}
