import Glibc
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
/// loop: watch `descriptor` for `events` and call `process()`; a program without a loop calls `wait()`. Confined to one
/// thread. Releasing the last reference withdraws the view.
public final class ShellView {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A message, or a question that has to be answered (M-07).
        case alert
        /// Choices that follow from what a person just did (M-10).
        case actionSheet = "action-sheet"
    }

    public struct Choice: Hashable, Sendable {
        public enum Role: String, Hashable, Sendable, CaseIterable {
            case normal
            /// The choice that Return makes.
            case preferred
            /// The choice loses data.
            case destructive
            /// The choice changes nothing. Escape and a touch beside the view make it.
            case cancel
        }

        public var label: String
        public var role: Role

        public init(_ label: String, _ role: Role = .normal) {
            self.label = label
            self.role = role
        }
    }

    public enum Answer: Hashable, Sendable {
        /// This choice, counted from 0.
        case chose(Int)
        /// A person dismissed it without a choice.
        case dismissed
        /// The view's window closed.
        case closed
        /// The shell does not show the view, or there is no shell. The text says why.
        case failed(String)
    }

    /// Called once.
    public var onAnswer: (Answer) -> Void = { _ in }
    /// nil while the view is shown.
    public private(set) var answer: Answer?

    private var connection: BusConnection?
    private var isProcessing = false
    private static let service = "org.mullion.Views1", path = "/org/mullion/Views1"

    /// Asks the shell to show the view, without waiting for it.
    /// - Parameters:
    ///   - choices: in the order of the view; if empty, the view offers "OK".
    ///   - isOverScreen: whether it covers the whole screen instead of the program's window.
    ///   - busAddress: the session bus, if it is not the default one.
    /// - Throws: if there is no session bus.
    public init(
        _ kind: Kind, title: String, message: String = "", choices: [Choice] = [], isOverScreen: Bool = false, busAddress: String? = nil
    ) throws(ShellViewError) {
        var environment: [String: String] = [:]
        for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        guard let address = busAddress.flatMap(BusAddress.usable) ?? BusAddress.session(environment) else {
            throw ShellViewError("there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
        }
        guard let bus = BusConnection(address: address, handler: self) else {
            throw ShellViewError("the session bus cannot be reached: \(address)")
        }
        connection = bus
        // A person may take any amount of time.
        let isSent = bus.call(Self.service, Self.path, Self.service, "Ask", token: 1, timeout: UInt64.max) {
            $0.startNothing()
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
        if !isSent { throw ShellViewError("the session bus takes no message") }
    }

    deinit { connection?.close() }

    /// Withdraws the view. `onAnswer` is not called any more.
    public func close() {
        guard !isProcessing else { return onAnswer = { _ in } }
        connection?.close()
        connection = nil
    }

    // MARK: Event loop

    /// The descriptor to watch; -1 after the answer.
    public var descriptor: Int32 { connection?.descriptor ?? -1 }
    /// What to watch it for.
    public var events: (read: Bool, write: Bool) { connection?.events ?? (false, false) }

    /// Processes what is pending, and calls back. Never blocks.
    public func process() {
        guard let connection, !isProcessing else { return }
        isProcessing = true
        let isThere = connection.process(steps: 64)
        isProcessing = false
        if !isThere, answer == nil { finish(.failed("the session bus is lost")) }
        if answer != nil {
            self.connection = nil
            connection.close()
        }
    }

    /// Waits for the answer. For programs without a loop.
    public func wait() -> Answer {
        while answer == nil, let connection {
            var ready = pollfd(fd: connection.descriptor, events: Int16(POLLIN) | (connection.events.write ? Int16(POLLOUT) : 0), revents: 0)
            let left = connection.deadline.map { Int32(clamping: max(0, ($0 - monotonicNow() + 999_999) / 1_000_000)) } ?? -1
            _ = poll(&ready, 1, left)
            process()
        }
        return answer ?? .closed
    }

    private func finish(_ answer: Answer) {
        guard self.answer == nil else { return }
        self.answer = answer
        onAnswer(answer)
    }
}

extension ShellView: BusHandler {
    package func has(_ path: String, _ interface: String) -> Bool { false }
    package func method(_ call: Incoming) -> Int32 { -ENOSYS }
    package func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing) {}
    package func set(_ path: String, _ interface: String, _ property: String, _ value: Incoming) {}
    package func signal(_ signal: Incoming) {}

    package func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        switch answer {
        case .success(let message):
            let outcome = message.string() ?? "", choice = message.int32() ?? -1
            switch outcome {
            case "chosen": finish(.chose(Int(choice)))
            case "dismissed": finish(.dismissed)
            default: finish(.closed)
            }
        case .failure(let error):
            finish(.failed(error.name.hasSuffix("ServiceUnknown") ? "no shell that shows views is on the session bus" : error.text))
        }
    }
}

/// Why a view cannot be requested.
public struct ShellViewError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A message for the app's developer.
    public var text: String

    public init(_ text: String) { self.text = text }

    public var description: String { text }
}
