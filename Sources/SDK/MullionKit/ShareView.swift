import MessageBus

/// Lets a person send files or a text to another app, to the clipboard or to a folder: the shell's activity view over the
/// program's window (M-05).
///
/// ```swift
/// let view = try ShareView(paths: [report])
/// view.onAnswer = { answer in if case .failed(let error) = answer { status.text = error.text } }
/// ```
///
/// The files go to the shell open. Each app gets a path, so the shared files may be changed by the app that a person
/// chooses. It talks to the shell over the session bus (`org.mullion.Views1`, docs/views-api.md). It has no thread and no event
/// loop: watch `descriptor` for `events`, and call `process()` when it is ready or `timeout` has passed. A program without a loop calls
/// `wait()`. Confined to one thread.
/// Releasing the last reference withdraws the view.
public final class ShareView {
    /// An open file, with the name that people read.
    public typealias File = QuickLookView.File

    /// The outcome of the view.
    public enum Answer: Hashable, Sendable {
        /// This app got it: the id of its desktop entry.
        case shared(app: String)
        /// The clipboard has it.
        case copied
        /// A copy lies in the folder for downloads.
        case saved
        /// A mail with it was begun.
        case mailed
        /// A person dismissed the view.
        case dismissed
        /// The view's window closed.
        case closed
        /// The shell does not show the view, or the person's choice did not work. The error says why.
        case failed(MullionError)
    }

    /// The most files at once, and the most bytes of a text.
    public static let mostFiles = 64, longestText = 32_768

    /// Called once.
    public var onAnswer: (Answer) -> Void = { _ in }
    /// nil while the view is shown.
    public private(set) var answer: Answer?

    private let call: ServiceCall

    /// Asks the shell to show the view, without waiting for it.
    /// - Parameters:
    ///   - files: at most 64 regular files, open for reading.
    ///   - text: accompanies the files in a copy or a mail; without files, the view shares the text itself.
    ///   - busAddress: the session bus, if it is not the default one.
    /// - Throws: `.unavailable` if there is no session bus.
    public init(_ files: [File] = [], text: String = "", busAddress: String? = nil) throws(MullionError) {
        // A person may take any time.
        call = try ServiceCall("Share", files, timeout: 7 * 24 * 3_600_000_000, busAddress: busAddress) {
            $0.string(text)
            $0.table([:])
        }
        call.onAnswer = { [unowned self] in finish($0) }
    }

    /// The same with files that it opens.
    /// - Throws: also `.cannotOpen`, whose text names the file.
    public convenience init(paths: [String], text: String = "", busAddress: String? = nil) throws(MullionError) {
        let files = try ServiceCall.open(paths)
        defer { ServiceCall.close(files) }
        try self.init(files, text: text, busAddress: busAddress)
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

    /// Withdraws the view. `onAnswer` is not called any more.
    public func close() { call.close() }

    private func finish(_ result: Result<Incoming, BusError>) {
        let answer: Answer
        switch result {
        case .success(let message):
            let outcome = message.string() ?? "", app = message.string() ?? ""
            answer =
                switch outcome {
                case "shared": .shared(app: app)
                case "copied": .copied
                case "saved": .saved
                case "mailed": .mailed
                case "dismissed": .dismissed
                case "closed": .closed
                default: .failed(MullionError(.failed, "the shell answered \"\(outcome)\""))
                }
        case .failure(let error):
            answer = .failed(MullionError(error, "shares files"))
        }
        self.answer = answer
        onAnswer(answer)
    }
}
