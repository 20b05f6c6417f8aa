import Status

/// A word of the helper that speaks with PAM, in one attempt to unlock the session.
public enum TalkEvent: Hashable, Codable, Sendable {
    /// PAM asks. `isShown`: the answer may be read by others, such as the code of a token.
    case asks(String, isShown: Bool)
    /// PAM tells something, such as how long an account stays closed.
    case says(String, isTrouble: Bool)
    case ends(TalkEnd)
}

/// How an attempt to unlock the session ended.
public enum TalkEnd: Hashable, Codable, Sendable {
    case allowed
    /// The person is the right one, and the password has to be changed.
    case expired
    /// The same, and the talk cannot change it: greetd.
    case outdated
    /// The answers are wrong.
    case refused
    /// The account may not be used now, whatever the answers.
    case closed
    /// The helper did not start, died, or said something that means nothing. Its words are for the log.
    case broken(String)
}

/// An attempt to unlock the session: a conversation with PAM.
public struct LockTalk: Hashable, Codable, Sendable {
    /// The number by which the adapter knows it.
    public var number: UInt64
    public var step = Step.begins
    /// For whom a greeter asks.
    var account: Secret?
    /// A finger stands for the password: PAM says only whether the account may be used.
    public var isByFinger = false
    /// Whether it got an answer, so that it counts as a try whatever comes of it.
    public var isAnswered = false
    /// Whether PAM said something about the answer.
    var hasReason = false
    /// How many texts came, and how many questions.
    var texts = 0, questions = 0

    public enum Step: Hashable, Codable, Sendable {
        /// The helper starts, or PAM has not asked yet.
        case begins
        case asks(String, isShown: Bool)
        /// PAM works on an answer.
        case works
    }
}
