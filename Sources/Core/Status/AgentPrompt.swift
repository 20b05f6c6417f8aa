import Geometry

/// A question of a service or a program that a person answers in an alert of the shell: a password, a yes, or only "understood".
///
/// Its words come from outside. `init` cuts them, so that none fills the screen or the memory.
public struct AgentPrompt: Hashable, Codable, Sendable {
    public var source: Source
    public var asker: Asker
    /// A few words of the asker; empty: the shell's own for the source.
    public private(set) var title: String
    public private(set) var message: String
    public var kind: Kind
    /// The name of the field, such as "Password:"; empty: the shell's own.
    public private(set) var label: String
    /// Why it is asked again, or what the service says meanwhile.
    public private(set) var warning: String
    /// The last answer was wrong, and the service has no words for it.
    public var wasWrong = false
    public var buttons: Buttons
    /// A box that a person can tick, such as "Unlock automatically".
    public var box: Box?
    /// Those as whom a person can answer, by the names of their accounts, and the one in effect.
    public private(set) var identities: [String] = []
    public private(set) var identity = 0
    /// The answer is the end of it. Otherwise it stays, without taking keys, until the asker asks again or ends it.
    public var endsWithAnswer = true

    public enum Source: String, Hashable, Codable, Sendable, CaseIterable {
        /// polkit: a program wants something that changes the machine.
        case authority
        /// The keyring of passwords.
        case keyring
        /// A program that asks by itself: `pinentry-mullion` and `mullion-askpass`.
        case program
    }

    /// The program that asks, as the kernel names it.
    public enum Asker: Hashable, Codable, Sendable {
        case program(String)
        /// The kernel does not say which one it is.
        case unknown
    }

    public enum Kind: Hashable, Codable, Sendable {
        /// One line. `isNew`: a new password, which is written twice.
        case secret(isNew: Bool)
        /// One line that may be seen, such as a name.
        case words
        case confirm
        /// The service works, or waits for something outside, such as a finger on a reader.
        case waiting
    }

    /// The words on the buttons; empty: the shell's own.
    public struct Buttons: Hashable, Codable, Sendable {
        public private(set) var yes: String
        public private(set) var cancel: String
        /// A third one, "no" besides "cancel"; nil: there is none.
        public private(set) var no: String?
        /// Whether anything can be cancelled. A message has one button.
        public var hasCancel: Bool

        public init(yes: String = "", cancel: String = "", no: String? = nil, hasCancel: Bool = true) {
            (self.yes, self.cancel) = (AgentPrompt.label(yes), AgentPrompt.label(cancel))
            self.no = no.map(AgentPrompt.label).flatMap { $0.isEmpty ? nil : $0 }
            self.hasCancel = hasCancel
        }
    }

    public struct Box: Hashable, Codable, Sendable {
        public private(set) var label: String
        public var isTicked: Bool

        /// nil: it has no words.
        public init?(_ label: String, isTicked: Bool = false) {
            self.label = AgentPrompt.label(label)
            self.isTicked = isTicked
            if self.label.isEmpty { return nil }
        }
    }

    public init(
        _ source: Source, _ kind: Kind, asker: Asker = .unknown, title: String = "", message: String = "", label: String = "",
        warning: String = "", buttons: Buttons = Buttons(), box: Box? = nil, identities: [String] = [], identity: Int = 0,
        endsWithAnswer: Bool = true
    ) {
        self.source = source
        self.kind = kind
        self.asker = asker
        if case .program(let name) = asker {
            let clean = name.oneLine(64)
            self.asker = clean.isEmpty ? .unknown : .program(clean)
        }
        self.title = title.oneLine(120)
        self.message = AgentPrompt.words(message)
        self.label = label.oneLine(64)
        self.warning = AgentPrompt.words(warning, lines: 3)
        self.buttons = buttons
        self.box = box
        self.identities = identities.prefix(16).map { $0.oneLine(64) }
        self.identity = self.identities.indices.contains(identity) ? identity : 0
        self.endsWithAnswer = endsWithAnswer
    }

    mutating func choose(_ identity: Int) { if identities.indices.contains(identity) { self.identity = identity } }

    /// The words on a button. An underscore before a letter marks a key in other toolkits.
    fileprivate static func label(_ text: String) -> String {
        var out = "", isMark = false
        for character in text {
            if character == "_", !isMark {
                isMark = true
                continue
            }
            isMark = false
            out.append(character)
        }
        return out.oneLine(48)
    }

    /// Words in at most so many lines.
    private static func words(_ text: String, lines: Int = 8) -> String {
        text.prefix(2000).split(separator: "\n", omittingEmptySubsequences: true).map { String($0).oneLine(300) }.filter { !$0.isEmpty }
            .prefix(lines).joined(separator: "\n")
    }
}

/// An act of a person on a question.
public enum PromptAct: Hashable, Codable, Sendable {
    /// Sends what stands in the field, or says yes.
    case answer
    /// The third button.
    case refuse
    case cancel
    case tick(Bool)
    /// Answers as another person.
    case identity(Int)
}

/// The end of one round of a question, for its asker.
public enum PromptAnswer: Hashable, Codable, Sendable {
    case words(Secret, isTicked: Bool)
    case yes(isTicked: Bool)
    /// The third button.
    case no
    case cancelled
    /// Too many questions wait.
    case refused
}

/// A message to the adapter that brought a question.
public enum PromptEffect: Hashable, Codable, Sendable {
    /// It is its turn: a person sees it now.
    case begins(UInt64)
    /// A person does not see it any more, because the session is locked. `begins` follows.
    case rests(UInt64)
    case answer(UInt64, PromptAnswer)
    /// A person answers as the one with this number.
    case identity(UInt64, Int)
}
