/// The reason why a file cannot be shown: a kind that is known in each language of the shell, and words for a terminal.
public struct Trouble: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, CaseIterable, Sendable {
        case missing, folder
        /// A device, a pipe or a socket.
        case special
        case empty, forbidden, unknown, unreadable
        /// In bytes or in pixels.
        case large
        case broken
        /// By a password.
        case locked
        /// A library is not installed.
        case library
        /// More time or memory than a helper gets.
        case costly
        /// The kernel does not confine the helper, so nothing is read.
        case unconfined
    }

    public var kind: Kind
    /// The end of a sentence that begins with the file's name, in English.
    public var reason: String

    public init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    public var description: String { reason }
}
