import Status

/// A question of a program for the person, in an alert of the shell.
public struct AskRequest: Hashable, Codable, Sendable {
    public var kind: Kind
    public var title: String?
    public var message: String?
    /// The name of the field.
    public var label: String?
    /// Why it is asked again.
    public var warning: String?
    /// The words on the buttons.
    public var yes: String?
    public var no: String?
    public var cancel: String?

    public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// A password, and a new one, which is written twice.
        case secret
        case newSecret = "new-secret"
        /// A line that may be seen.
        case words
        case confirm
        /// It has one button.
        case message
    }

    public init(
        _ kind: Kind, title: String? = nil, message: String? = nil, label: String? = nil, warning: String? = nil, yes: String? = nil,
        no: String? = nil, cancel: String? = nil
    ) {
        self.kind = kind
        self.title = title
        self.message = message
        self.label = label
        self.warning = warning
        (self.yes, self.no, self.cancel) = (yes, no, cancel)
    }

    /// As the shell asks it.
    public func prompt(asker: AgentPrompt.Asker) -> AgentPrompt {
        let kind: AgentPrompt.Kind =
            switch self.kind {
            case .secret: .secret(isNew: false)
            case .newSecret: .secret(isNew: true)
            case .words: .words
            case .confirm, .message: .confirm
            }
        return AgentPrompt(
            .program, kind, asker: asker, title: title ?? "", message: message ?? "", label: label ?? "", warning: warning ?? "",
            buttons: .init(yes: yes ?? "", cancel: cancel ?? "", no: no, hasCancel: self.kind != .message))
    }
}

/// The end of a question.
public struct AskReport: Hashable, Codable, Sendable {
    public var outcome: Outcome
    /// The line that the person wrote.
    public var text: String?

    public enum Outcome: String, Hashable, Codable, Sendable {
        case words, yes, no, cancelled
        /// Too many questions wait.
        case refused
    }

    public init(_ answer: PromptAnswer) {
        switch answer {
        case .words(let secret, _): (outcome, text) = (.words, secret.text)
        case .yes: outcome = .yes
        case .no: outcome = .no
        case .cancelled: outcome = .cancelled
        case .refused: outcome = .refused
        }
    }
}
