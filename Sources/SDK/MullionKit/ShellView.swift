import MessageBus

/// An alert or an action sheet that the shell shows over the program's window, like its own (M-05).
///
/// ```swift
/// let question = try ShellView(.actionSheet, title: "Discard your changes?", choices: [
///     .init("Discard", .destructive), .init("Keep Editing", .cancel),
/// ])
/// question.onAnswer = { answer in if answer == .chose(0) { document.discard() } }
/// ```
///
/// It talks to the shell over the session bus (`org.mullion.Views1`, docs/views-api.md). It has no thread and no event
/// loop: watch `descriptor` for `events`, and call `process()` when it is ready or `timeout` has passed. A program without a
/// loop calls `wait()`. Confined to one thread. Releasing the last reference withdraws the view.
public final class ShellView {
    /// The form of the view.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A message, or a question that has to be answered (M-07).
        case alert
        /// Choices that follow from the last act of a person (M-10).
        case actionSheet = "action-sheet"
    }

    /// A button of the view.
    public struct Choice: Hashable, Sendable {
        /// The effect of a choice, which decides its look and its key.
        public enum Role: String, Hashable, Sendable, CaseIterable {
            /// No special role.
            case normal
            /// The choice that Return makes.
            case preferred
            /// The choice loses data.
            case destructive
            /// The choice changes nothing. Escape and a touch beside the view make it.
            case cancel
        }

        /// The text of the button: 1 to 256 bytes.
        public var label: String
        /// At most one choice is preferred, and at most one cancels.
        public var role: Role

        /// A button with this label and role.
        public init(_ label: String, _ role: Role = .normal) {
            self.label = label
            self.role = role
        }
    }

    /// How the view ended.
    public enum Answer: Hashable, Sendable {
        /// This choice, counted from 0.
        case chose(Int)
        /// A person dismissed it without a choice.
        case dismissed
        /// The view's window closed.
        case closed
        /// The shell does not show the view, or there is no shell. The error says why.
        case failed(MullionError)
    }

    /// Called once.
    public var onAnswer: (Answer) -> Void = { _ in }
    /// nil while the view is shown.
    public private(set) var answer: Answer?

    private let call: ServiceCall

    /// Asks the shell to show the view, without waiting for it.
    /// - Parameters:
    ///   - choices: in the order of the view; if empty, the view offers "OK".
    ///   - isOverScreen: whether it covers the whole screen instead of the program's window.
    ///   - busAddress: the session bus, if it is not the default one.
    /// - Throws: `.unavailable` if there is no session bus.
    public init(
        _ kind: Kind, title: String, message: String = "", choices: [Choice] = [], isOverScreen: Bool = false, busAddress: String? = nil
    ) throws(MullionError) {
        // A person may take any amount of time.
        call = try ServiceCall("Ask", timeout: UInt64.max, busAddress: busAddress) {
            $0.string(kind.rawValue)
            $0.string(title)
            $0.string(message)
            $0.table(isOverScreen ? ["screen": .flag(true)] : [:])
            $0.container(.array, "(ss)") {
                for choice in choices {
                    $0.container(.structure, "ss") {
                        $0.string(choice.label)
                        $0.string(choice.role.rawValue)
                    }
                }
            }
        }
        call.onAnswer = { [unowned self] in finish($0) }
    }

    /// Withdraws the view. `onAnswer` is not called any more.
    public func close() { call.close() }

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
        return answer ?? .closed
    }

    private func finish(_ result: Result<Incoming, BusError>) {
        let answer: Answer
        switch result {
        case .success(let message):
            let outcome = message.string() ?? "", choice = message.int32() ?? -1
            switch outcome {
            case "chosen": answer = .chose(Int(choice))
            case "dismissed": answer = .dismissed
            default: answer = .closed
            }
        case .failure(let error): answer = .failed(MullionError(error, "shows views"))
        }
        self.answer = answer
        onAnswer(answer)
    }
}
