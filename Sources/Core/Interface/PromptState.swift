import Geometry
import Windows

/// The open question as a person answers it: what stands in its fields, and whether keys mean it already.
///
/// Keys that were meant for an app write nothing here and send nothing: after it appears, and after each dropped key, there has to be a
/// pause first. A person who chooses a field or a button by hand means it at once.
public struct PromptState: Hashable, Codable, Sendable {
    public internal(set) var form = FormState()
    /// Since when no key came; nil: keys mean the question.
    private var quietSince: Moment?

    /// When it came into sight.
    private var shownAt: Moment?
    /// Whether an answer is wanted now. While the service works, keys write nothing.
    private var takesText = false

    /// The pause, in seconds.
    public static let pause = 0.7

    public init() {}

    mutating func began(at now: Moment) { (quietSince, shownAt) = (now, now) }

    func isNew(at now: Moment) -> Bool { shownAt.map { now - $0 < Views.touchGuard } ?? false }

    mutating func empty(writing field: FormField?, takesText: Bool) {
        form = FormState()
        form.writing = field
        self.takesText = takesText
    }

    mutating func write(_ text: String) { if takesText { form.write(text) } }

    mutating func erase(_ count: Int) { if takesText { form.erase(count) } }

    mutating func meant() { quietSince = nil }

    mutating func dropsKey(at now: Moment) -> Bool {
        guard let since = quietSince else { return false }
        quietSince = now - since >= Self.pause ? nil : now
        return quietSince != nil
    }

    mutating func act(_ act: FormAct) throws(Refusal) {
        switch act {
        case .write(let field):
            guard field?.isOfPrompt ?? true else { throw Refusal("a question is in front of that field") }
            form.writing = field ?? form.writing
        case .paste(let field):
            guard field.isOfPrompt else { throw Refusal("a question is in front of that field") }
            form.writing = field
        case .clear(let field):
            guard field.isOfPrompt else { throw Refusal("a question is in front of that field") }
            form.clear(field)
        case .reveal: form.isRevealed.toggle()
        }
        meant()
    }
}

extension Interface {
    /// Whether the question of a service or a program is open.
    public var isPromptOpen: Bool { if isPopoverOpen, case .prompt = popover?.content { true } else { false } }

    /// A question came into sight, or came back.
    public mutating func promptBegan(at now: Moment) { prompt.began(at: now) }

    /// Whether a finger that comes down now was meant for the app below.
    public func isPromptNew(at now: Moment) -> Bool { isPromptOpen && prompt.isNew(at: now) }

    /// Its fields begin empty; nil: it has none.
    public mutating func emptyPrompt(writing field: FormField?, takesText: Bool) { prompt.empty(writing: field, takesText: takesText) }

    /// A person acted on the question by hand.
    public mutating func promptMeant() { prompt.meant() }

    /// Whether a key was not meant for the question in sight.
    public mutating func dropsKey(at now: Moment) -> Bool { isPromptOpen && prompt.dropsKey(at: now) }

    /// Whether Return sends the field that a person writes in: the keys go there, and no other control has them.
    public var isWritingAtFocus: Bool {
        guard isWriting else { return false }
        guard isPromptOpen, let focus, let field = prompt.form.writing else { return focus == nil }
        return focus == ControlID(.prompt, field.rawValue)
    }
}
