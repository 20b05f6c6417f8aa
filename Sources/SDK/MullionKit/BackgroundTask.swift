/// Something that a person started, and that goes on while the app is out of sight (`AppLife.beginTask`).
///
/// Out of sight a task has 30 seconds; each progress gives it 30 more, and an app an hour a day. It lasts until `end()`,
/// or until the last reference is released.
public final class BackgroundTask {
    /// What became of a task.
    public enum State: Hashable, Sendable {
        /// The shell has not answered yet.
        case beginning
        case running
        /// Its time is over, or the person ended it. The app may be frozen at any moment.
        case expired
        /// The work goes on as without a task. If there was no shell, the next one is told.
        case refused(AppLifeError)
        case ended
    }

    /// What people read.
    public let name: String
    public internal(set) var state = State.beginning
    /// From 0 to 1; nil: the app does not say. Other values are ignored.
    public var progress: Double? { didSet { if progress != oldValue { link?.tellProgress(of: self) } } }
    /// So many seconds are left. Get further, or save what is done so far.
    public var onExpiring: (Double) -> Void = { _ in }
    /// The task keeps the app awake no more.
    public var onExpired: () -> Void = {}
    /// The shell did not take the task.
    public var onRefused: (AppLifeError) -> Void = { _ in }

    weak var link: LifeLink?
    /// Its number at the shell; nil while the shell does not know it.
    var id: UInt64?

    /// A shell that starts is told of it. One that was there and refused it is not asked again.
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

    /// The work is finished, or given up.
    public func end() {
        guard state != .ended else { return }
        state = .ended
        link?.end(self)
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
    /// Under which it is kept, beside the app's id. It says which window it is: "main", or the path of a document.
    public let name: String
    /// What the app handed over last, before this start; nil: nothing, or the shell has not answered yet (`isReady`).
    public internal(set) var restored: [UInt8]?
    /// Whether it is known what was kept. Also true if there is no shell to ask.
    public internal(set) var isReady = false
    /// `isReady` became true.
    public var onReady: () -> Void = {}
    /// The shell asks. Return at most 1 MiB, and soon: the app may be frozen next. nil: there is nothing to keep, and what
    /// was kept is forgotten.
    public var onSave: () -> [UInt8]? = { nil }
    /// The shell refused: the name is in use, or what was handed over is too large.
    public var onRefused: (AppLifeError) -> Void = { _ in }

    weak var link: LifeLink?
    var id: UInt64?

    /// Offers the state from now on, until `withdraw()` or the last reference is released.
    /// - Parameter name: 1 to 256 bytes, different for each state of the program.
    public init(name: String, in life: AppLife) {
        self.name = name
        link = life.link
        life.link.add(self)
    }

    /// The state is another one now. The shell asks for it about a second later, and once for many changes.
    public func changed() { if let id { link?.tellChanged(id) } }

    /// Waits until it is known what was kept, and returns that. Takes a fraction of a millisecond. Other events are
    /// delivered in the meantime.
    @discardableResult
    public func wait(seconds: Double = 2) -> [UInt8]? {
        link?.wait(for: self, seconds: seconds)
        return restored
    }

    /// Offers it no more. What is kept stays.
    public func withdraw() {
        if let id { link?.withdraw(id) }
        id = nil
        link?.forget(self)
        link = nil
    }

    deinit { if let id { link?.withdraw(id) } }
}
