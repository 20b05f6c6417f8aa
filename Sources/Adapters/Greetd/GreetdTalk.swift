import Locking
import Status

/// One attempt of a person to log in, as greetd hears it: the words of greetd become those of a talk with PAM.
public struct GreetdTalk: Sendable {
    public enum Step: Hashable, Sendable {
        /// `create_session` is on its way. `isAgain`: the rest of another attempt was cancelled.
        case creates(isAgain: Bool)
        /// The rest of another attempt is being cancelled.
        case clears
        case asks
        case works
        case allowed
        case starts
        /// greetd has nothing of this attempt any more, or ends it.
        case over
    }

    public enum Outcome: Hashable, Sendable {
        case send(GreetdRequest)
        case tell(TalkEvent)
        case started
        case refused(String)
        /// Send `cancel_session`: the attempt is over.
        case cancel
    }

    public let person: String
    public private(set) var step = Step.creates(isAgain: false)

    public init(person: String) { self.person = person }

    /// Whether greetd has a session of this attempt that has to be cancelled.
    public var isOpen: Bool { step != .over }

    public var first: GreetdRequest { .createSession(user: person) }

    public mutating func answer(_ secret: Secret) -> [Outcome] {
        guard step == .asks else { return [] }
        step = .works
        return [.send(.answer(secret.text))]
    }

    public mutating func start(_ session: GreeterSession) -> [Outcome] {
        guard step == .allowed else { return [.refused("there is no login")] }
        step = .starts
        return [.send(.startSession(command: session.command.map(Self.quoted), environment: session.environment))]
    }

    public mutating func hear(_ reply: GreetdReply) -> [Outcome] {
        switch (step, reply) {
        case (.creates, .message(let kind, let text)), (.works, .message(let kind, let text)):
            switch kind {
            case .visible, .secret:
                step = .asks
                return [.tell(.asks(text, isShown: kind == .visible))]
            case .info, .error:
                step = .works
                return [.tell(.says(text, isTrouble: kind == .error)), .send(.answer(nil))]
            }
        case (.creates, .success), (.works, .success):
            step = .allowed
            return [.tell(.ends(.allowed))]
        // "a session is already being configured": another greeter, or this one before a crash, left it.
        case (.creates(isAgain: false), .error(isAuthentication: false, _)):
            step = .clears
            return [.send(.cancelSession)]
        case (.clears, .success), (.clears, .error):
            step = .creates(isAgain: true)
            return [.send(first)]
        case (.creates, .error(let isAuthentication, let text)), (.works, .error(let isAuthentication, let text)):
            step = .over
            guard isAuthentication else { return [.cancel, .tell(.ends(.broken("greetd: \(text)")))] }
            let words = Self.words(of: text)
            return [.cancel] + (words.isEmpty ? [] : [.tell(.says(words, isTrouble: true))]) + [.tell(.ends(Self.end(of: text)))]
        case (.starts, .success):
            step = .over
            return [.started]
        case (.starts, .error(_, let text)):
            step = .over
            return [.cancel, .refused(text)]
        case (.over, _): return []
        case (.asks, _), (.allowed, _), (.clears, .message), (.starts, .message): return breakOff("greetd answers out of turn")
        }
    }

    /// The connection is of no use any more.
    public mutating func breakOff(_ why: String) -> [Outcome] {
        defer { step = .over }
        switch step {
        case .over: return []
        case .starts, .allowed: return [.cancel, .refused(why)]
        case .creates, .clears, .asks, .works: return [.cancel, .tell(.ends(.broken(why)))]
        }
    }

    // MARK: Words

    /// greetd passes on the name of PAM's error, "pam_authenticate: AUTH_ERR", which says nothing to a person.
    private static func code(of text: String) -> String? {
        let last = text.split(separator: " ").last.map(String.init) ?? ""
        return !last.isEmpty && last.allSatisfy({ $0 == "_" || $0.isASCII && ($0.isUppercase || $0.isNumber) }) ? last : nil
    }

    static func words(of text: String) -> String { code(of: text) == nil ? text : "" }

    private static func end(of text: String) -> TalkEnd {
        switch code(of: text) {
        case "ACCT_EXPIRED", "PERM_DENIED", "CRED_EXPIRED": .closed
        // No greetd asks for a new password (0.9 to 0.10.3).
        case "NEW_AUTHTOK_REQD": .outdated
        default: .refused
        }
    }

    /// greetd puts the words of the command into one line for a shell.
    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "_-./:=+,@%".utf8.contains(byte)
                }
            }
        return isPlain ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
