import AudioSessions
import Geometry
import Stage
import Status
import Windows

/// A page of rows on which a person reads and sets something, as a value. It scrolls if it is longer than its panel.
struct Form {
    var title: Text
    var sections: [FormSection]
    /// The action of the Return key in a field.
    var submit: Action?

    init(_ title: Text, _ sections: [FormSection], submit: Action? = nil) {
        self.title = title
        self.sections = sections.filter { !$0.rows.isEmpty || $0.note != nil }
        self.submit = submit
    }
}

struct FormSection {
    var title: Text?
    var rows: [FormRow]
    /// An explanation below the rows.
    var note: Text?
    /// Something went wrong: the note has the colour of that.
    var isAlarming = false

    init(_ rows: [FormRow], title: Text? = nil, note: Text? = nil, isAlarming: Bool = false) {
        self.rows = rows
        self.title = title
        self.note = note
        self.isAlarming = isAlarming
    }
}

struct FormRow {
    /// Below the page's own: "wireless/486f6d65-personal".
    var id: String
    var text: Text
    var kind: Kind
    /// The present value, at the end of the row.
    var value: Text?
    /// A second line.
    var detail: Text?
    var symbol: Symbol?
    var icon: AppIcon?
    var tone = Tone.primary
    /// A sign at the end of the row.
    var mark: Symbol?
    /// The configuration file says it.
    var isFixed = false
    /// The words for screen readers, if they differ.
    var spoken: Text?
    /// The action of a button at the end of the row, such as "More about this network".
    var more: (name: Text, action: Action)?
    var moreSymbol = Symbol.chevronForward
    /// The action of a long press or the right button.
    var menu: Action?

    enum Kind {
        case label
        case button(Action?)
        /// It leads to another page.
        case page(Action)
        case toggle(Bool, Action?)
        /// One of several.
        case choice(Bool, Action?)
        /// `words`: the amount at a share of the range, as a person reads it.
        case slider(Double, words: @Sendable (Double) -> String, Text, ViewControl.Slide.Sets?)
        /// A value with two buttons beside it.
        case steps(less: Action?, more: Action?)
        case field(FormField, placeholder: Text)
    }
}

/// The page of rows that is open: how far it is scrolled, and what a person writes there.
public struct FormState: Hashable, Codable, Sendable {
    public var scroll = Animated(0)
    /// Rows out of sight count, too: the keys are faster than the springs.
    var isWhole = false
    /// The field that gets typed text.
    public var writing: FormField?
    /// The fields as they stand.
    public private(set) var texts: [FormField: Secret] = [:]
    /// A person wants to see the signs of a password.
    public var isRevealed = false

    public init() {}

    public func text(of field: FormField) -> Secret { texts[field] ?? Secret() }

    mutating func write(_ text: String) {
        guard let writing else { return }
        let clean = String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }), before = self.text(of: writing).text
        guard !clean.isEmpty, before.utf8.count + clean.utf8.count <= FormField.longest else { return }
        texts[writing] = Secret(before + clean)
    }

    mutating func erase(_ count: Int) {
        guard let writing, let text = texts[writing]?.text, !text.isEmpty else { return }
        texts[writing] = text.count > count ? Secret(String(text.dropLast(max(1, count)))) : nil
    }

    mutating func clear(_ field: FormField) { texts[field] = nil }
}

extension Interface {
    /// Whether a page of rows gets typed text.
    public var isWritingInForm: Bool {
        isPromptOpen || isAlertOpen ? isPromptOpen && prompt.form.writing != nil : isPanelOpen && form.writing != nil
    }

    /// Whether a password is being written, which no recording holds.
    public var isWritingSecret: Bool { isPromptOpen || (isWritingInForm && form.writing?.isSecret ?? false) }

    /// The fields among which this one is.
    func form(of field: FormField) -> FormState { field.isOfPrompt ? prompt.form : form }

    /// A page begins: at its top, with empty fields, or with one in which a person writes.
    public mutating func beginForm(writing field: FormField? = nil) {
        form = FormState()
        form.writing = field
    }

    public mutating func act(_ act: FormAct) throws(Refusal) {
        guard !isPromptOpen else {
            try prompt.act(act)
            return focus = nil
        }
        guard isPanelOpen else { throw Refusal("no page with fields is open") }
        switch act {
        case .write(let field?) where field.isOfPrompt, .paste(let field) where field.isOfPrompt: throw Refusal("nothing is asked")
        case .write(let field): form.writing = field
        case .paste(let field): form.writing = field
        case .clear(let field): form.clear(field)
        case .reveal: form.isRevealed.toggle()
        }
        focus = nil
    }

    /// Whether one of the shell's fields has the keys, besides the search of the home screen.
    public var isWriting: Bool { isWritingInForm || isReplying }

    /// Writes in the field that has the keys. Returns whether one has.
    public mutating func write(_ text: String) -> Bool {
        guard isWriting else { return false }
        guard isWritingInForm else {
            writeReply(text)
            return true
        }
        guard !isPromptOpen else {
            prompt.write(text)
            focus = nil
            return true
        }
        form.write(text)
        followField()
        return true
    }

    /// Removes signs from the end of the field that has the keys. Returns whether one has.
    public mutating func erase(_ count: Int) -> Bool {
        guard isWriting else { return false }
        guard isWritingInForm else {
            eraseReply(count)
            return true
        }
        guard !isPromptOpen else {
            prompt.erase(count)
            focus = nil
            return true
        }
        form.erase(count)
        followField()
        return true
    }

    /// The results of a search begin at the top.
    private mutating func followField() {
        focus = nil
        if form.writing == .settingsSearch { form.scroll.set(0) }
    }

    /// The list of the open panel, which scrolls.
    public var listScroll: Animated {
        get { isNoticeListOpen ? notices.scroll : form.scroll }
        set { if isNoticeListOpen { notices.scroll = newValue } else { form.scroll = newValue } }
    }

    /// Scrolls the list of the open panel. At rest already, nothing changes.
    public mutating func setListScroll(_ value: Double) { listScroll.set(value) }
}
