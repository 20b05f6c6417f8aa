/// Work that a person started and that continues while the app is out of sight (`AppLife.beginTask`).
///
/// Out of sight, a task has 30 seconds, and 30 more after each progress. All tasks of an app together have an hour a day.
/// A task lasts until `end()`, or until the last reference is released.
public final class BackgroundTask {
    /// The state of a task.
    public enum State: Hashable, Sendable {
        /// The shell has not answered yet.
        case beginning
        /// The shell knows the task, and does not freeze the app.
        case running
        /// The task's time is over, or a person ended it. The shell may freeze the app at any moment.
        case expired
        /// The shell refused the task. The work continues as without one. If no shell ran, the next one is asked.
        case refused(MullionError)
        /// The app ended the task.
        case ended
    }

    /// The text for people.
    public let name: String
    /// How far the task is with the shell. `onExpired` and `onRefused` report its end.
    public internal(set) var state = State.beginning
    /// From 0 to 1; nil if the app does not know. Other values are ignored.
    public var progress: Double? { didSet { if progress != oldValue { link?.tellProgress(of: self) } } }
    /// Called with the seconds that are left. Make progress, or save the work done so far.
    public var onExpiring: (Double) -> Void = { _ in }
    /// Called when the task no longer keeps the app awake.
    public var onExpired: () -> Void = {}
    /// Called when the shell refuses the task.
    public var onRefused: (MullionError) -> Void = { _ in }

    weak var link: LifeLink?
    /// Its number at the shell; nil while the shell does not know it.
    var id: UInt64?

    /// Whether to announce the task to a shell that starts. A shell that refused it is not asked again.
    var waitsForShell: Bool {
        switch state {
        case .beginning, .running: true
        case .refused(let error): error.kind == .unavailable
        case .expired, .ended: false
        }
    }

    init(name: String, _ link: LifeLink) {
        self.name = name
        self.link = link
    }

    /// Ends the task: the work is finished, or given up.
    public func end() {
        guard state != .ended else { return }
        state = .ended
        link?.end(self)
    }

    /// Ends a task whose end matters to the person who started it, and notifies the person: "Saved to Videos." At most 1024 bytes.
    ///
    /// The shell shows a notification with the task's name and this text if the app was in sight when the task began, and is out of sight
    /// now. The result of a routine task waits in the app: use `end()` for it (S-07).
    public func end(telling text: String) {
        guard state != .ended else { return }
        state = .ended
        link?.end(self, telling: text)
    }

    deinit { if let id, state != .ended { link?.endTask(id) } }
}

/// State that the app hands over when the shell asks, and gets back when it starts again (S-04, W-20).
///
/// ```swift
/// let state = WindowState(name: "main", in: life)
/// state.onSave = { document.encoded() }
/// if let bytes = state.wait() { document = Document(bytes) }
/// document.onChange = { state.changed() }
/// ```
public final class WindowState {
    /// The name that identifies the state among the app's: "main", or the path of a document.
    public let name: String
    /// The bytes that the app handed over before this start; nil if none, or if the shell has not answered yet (`isReady`).
    public internal(set) var restored: [UInt8]?
    /// Whether `restored` is final. Also true if there is no shell to ask.
    public internal(set) var isReady = false
    /// Called when `isReady` becomes true.
    public var onReady: () -> Void = {}
    /// Called when the shell asks for the state. Return at most 1 MiB, and soon: the shell may freeze the app next. Return
    /// nil if there is nothing to keep; the shell then deletes the kept state.
    public var onSave: () -> [UInt8]? = { nil }
    /// Called when the shell refuses: the name is in use, or the state is too large.
    public var onRefused: (MullionError) -> Void = { _ in }

    weak var link: LifeLink?
    var id: UInt64?

    /// Offers the state until `withdraw()`, or until the last reference is released.
    /// - Parameter name: 1 to 256 bytes, different for each state of the program.
    public init(name: String, in life: AppLife) {
        self.name = name
        link = life.link
        life.link.add(self)
    }

    /// Reports that the state changed. The shell asks for it about a second later, once for many changes.
    public func changed() { if let id { link?.tellChanged(id) } }

    /// Waits until the kept state is known, and returns it. Takes a fraction of a millisecond. Other events are delivered in
    /// the meantime.
    @discardableResult
    public func wait(seconds: Double = 2) -> [UInt8]? {
        link?.wait(for: self, seconds: seconds)
        return restored
    }

    /// Stops offering the state. The kept state stays.
    public func withdraw() {
        if let id { link?.withdraw(id) }
        id = nil
        link?.forget(self)
        link = nil
    }

    deinit { if let id { link?.withdraw(id) } }
}
