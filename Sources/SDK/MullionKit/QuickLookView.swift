import MessageBus

/// Files that the shell shows in a window of its own, quick look, so that the app makes none (W-18).
///
/// ```swift
/// let view = try QuickLookView(paths: [report])
/// view.onAnswer = { answer in if case .failed(let error) = answer { status.text = error.text } }
/// ```
///
/// The files go to the shell open, so that a sandboxed app can show files that the shell could not open by their paths. Ask when a person
/// acts; otherwise the window waits behind a badge (W-19). The shell refuses an app that declares that it has a single window.
///
/// It talks to the shell over the session bus (`org.mullion.Views1`, docs/views-api.md). It has no thread and no event loop:
/// watch `descriptor` for `events`, and call `process()` when it is ready or `timeout` has passed. A program without a loop calls `wait()`.
/// Confined to one thread.
public final class QuickLookView {
    /// An open file, with the name that people read.
    public struct File: Hashable, Sendable {
        /// Stays the caller's. It may be closed as soon as the view was asked for.
        public var number: Int32
        /// 1 to 255 bytes without "/".
        public var name: String

        /// The open file `number`, called `name`.
        public init(_ number: Int32, name: String) {
            self.number = number
            self.name = name
        }
    }

    /// The outcome of the request.
    public enum Answer: Hashable, Sendable {
        /// Its window is in front.
        case shown
        /// No person acted in the app, so the window waits behind a badge.
        case waiting
        /// The shell does not show it: there is none, or it refuses. The error says why.
        case failed(MullionError)
    }

    /// The most files at once.
    public static let mostFiles = 64

    /// Called once.
    public var onAnswer: (Answer) -> Void = { _ in }
    /// nil until the window is there.
    public private(set) var answer: Answer?

    private let call: ServiceCall

    /// Asks for the files to be shown, the first one in front, without waiting for it.
    /// - Parameters:
    ///   - files: 1 to 64 regular files.
    ///   - busAddress: the session bus, if it is not the default one.
    /// - Throws: `.unavailable` if there is no session bus.
    public init(_ files: [File], busAddress: String? = nil) throws(MullionError) {
        call = try ServiceCall("View", files, timeout: 60_000_000, busAddress: busAddress) { $0.table([:]) }
        call.onAnswer = { [unowned self] in finish($0) }
    }

    /// The same with files that it opens.
    /// - Throws: also `.cannotOpen`, whose text names the file.
    public convenience init(paths: [String], busAddress: String? = nil) throws(MullionError) {
        let files = try ServiceCall.open(paths)
        defer { ServiceCall.close(files) }
        try self.init(files, busAddress: busAddress)
    }

    // MARK: Event loop

    /// The descriptor to watch; -1 after the answer.
    public var descriptor: Int32 { call.descriptor }
    /// The events to watch `descriptor` for.
    public var events: (read: Bool, write: Bool) { call.events }
    /// Milliseconds until the next required call of `process()`; -1: only when the descriptor is ready. As for poll(2).
    public var timeout: Int32 { call.timeout }

    /// Processes pending messages, and calls back. Never blocks.
    public func process() { call.process() }

    /// Waits for the answer. For programs without a loop.
    public func wait() -> Answer {
        call.wait()
        return answer ?? .failed(MullionError(.failed, "nothing was answered"))
    }

    /// `onAnswer` is not called any more. The window stays.
    public func close() { call.close() }

    private func finish(_ result: Result<Incoming, BusError>) {
        let answer: Answer =
            switch result {
            case .success(let message): message.string() == "waiting" ? .waiting : .shown
            case .failure(let error): .failed(MullionError(error, "shows files"))
            }
        self.answer = answer
        onAnswer(answer)
    }
}
