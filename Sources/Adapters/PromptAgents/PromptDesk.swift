import Descriptors
import Status

/// The shell, as services that ask a person see it. Each question has a number of its own, and ends exactly once (law 4).
package protocol PromptDesk: AnyObject {
    /// The number of a new question. `source` hears what becomes of it.
    func number(for source: any PromptSource) -> UInt64
    func ask(_ id: UInt64, _ prompt: AgentPrompt)
    /// The same question again.
    func askAgain(_ id: UInt64, _ prompt: AgentPrompt)
    /// Its asker does not need it any more. Nothing else follows for this number.
    func end(_ id: UInt64)
    func note(_ text: String)
    /// Calls `ready` whenever the descriptor can be read, until the result is called.
    func watch(_ fd: Int32, _ ready: @escaping () -> Void) -> () -> Void
    /// Starts a helper whose standard input and output is the other end of the channel; nil if it cannot be started.
    func start(_ command: [String], channel: inout Descriptor) -> Int32?
    func kill(_ process: Int32)
}

/// A service whose questions the shell asks.
package protocol PromptSource: AnyObject {
    /// A person sees the question.
    func begins(_ id: UInt64)
    /// They do not see it for now. `begins` follows, or `end` of the source's own.
    func rests(_ id: UInt64)
    func identity(_ id: UInt64, _ number: Int)
    func answered(_ id: UInt64, _ answer: PromptAnswer)
}
