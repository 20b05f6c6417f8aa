import Geometry
import Rooms

/// The questions of services and programs to a person, in the order in which they came. One is live at a time, and each ends exactly once
/// (law 4): by an answer, by a person who cancels it, or by its asker.
///
/// In a locked session none is live: they wait, and nothing of them is shown (law 12).
public struct AgentPrompts: Room {
    private struct Entry: Hashable, Codable, Sendable {
        var id: UInt64
        var prompt: AgentPrompt
        /// The service has an answer, and has not said yet what it thinks of it.
        var isWorking = false
    }

    private var line: [Entry] = []
    /// The question that a person sees.
    private var shown: UInt64?
    /// The new password was not written the same way twice.
    public private(set) var differs = false

    public static let most = 16
    /// The most of one asker, so that none fills the line.
    public static let mostOfOne = 4

    public init() {}

    public enum Event: Hashable, Codable, Sendable {
        /// A new question. Its number belongs to no other one.
        case asked(UInt64, AgentPrompt)
        /// The same question again: the answer was wrong, or the service wants to know more.
        case again(UInt64, AgentPrompt)
        /// Its asker does not need it any more.
        case ended(UInt64)
        /// `words`, `repeated`: the fields as they stand.
        case wish(PromptAct, words: Secret, repeated: Secret)
        /// The session may be locked or open now.
        case settled
    }

    public enum Outcome: Hashable, Sendable {
        case changed
        /// This one is in sight now.
        case shows(UInt64)
        /// It closes.
        case hides(UInt64)
        /// Nothing stands in the fields any more.
        case empties
        case effect(PromptEffect)
        case refuse(String)
    }

    /// The question that a person sees; nil: none.
    public var live: AgentPrompt? { shown.flatMap { id in line.first { $0.id == id }?.prompt } }
    public var liveID: UInt64? { shown }
    /// Whether its service works, so that nothing can be answered.
    public var isWorking: Bool { shown != nil && (line.first?.isWorking ?? false || line.first?.prompt.kind == .waiting) }
    public var count: Int { line.count }

    /// - Parameter isOpen: whether the session is not locked.
    public mutating func handle(_ event: Event, in isOpen: Bool, at now: Moment) -> [Outcome] {
        // Nothing is shown over a lock, whatever comes.
        let out = follow(isOpen)
        return out + take(event) + follow(isOpen)
    }

    private mutating func take(_ event: Event) -> [Outcome] {
        switch event {
        case .settled: return []
        case .asked(let id, let prompt):
            guard !line.contains(where: { $0.id == id }) else { return [] }
            let own = line.count { $0.prompt.source == prompt.source && $0.prompt.asker == prompt.asker }
            guard line.count < AgentPrompts.most, own < AgentPrompts.mostOfOne else { return [.effect(.answer(id, .refused))] }
            line.append(Entry(id: id, prompt: prompt))
            return [.changed]
        case .again(let id, let prompt):
            guard let index = line.firstIndex(where: { $0.id == id }) else { return [] }
            let isSame = line[index].prompt.kind == prompt.kind && !line[index].isWorking
            line[index].prompt = prompt
            line[index].isWorking = false
            differs = false
            return (id == shown && !isSame ? [.empties] : []) + [.changed]
        case .ended(let id):
            guard let index = line.firstIndex(where: { $0.id == id }) else { return [] }
            return remove(index)
        case .wish(let act, let words, let repeated): return carryOut(act, words, repeated)
        }
    }

    private mutating func carryOut(_ act: PromptAct, _ words: Secret, _ repeated: Secret) -> [Outcome] {
        guard let id = shown, let index = line.firstIndex(where: { $0.id == id }) else { return [.refuse("nothing is asked")] }
        let entry = line[index], prompt = entry.prompt
        switch act {
        case .cancel:
            guard prompt.buttons.hasCancel else { return answer(.yes(isTicked: false), index) }
            return [.effect(.answer(id, .cancelled))] + remove(index)
        case .identity(let number):
            guard prompt.identities.indices.contains(number) else { return [.refuse("no identity has this number")] }
            guard number != prompt.identity else { return [] }
            line[index].prompt.choose(number)
            return [.effect(.identity(id, number)), .empties, .changed]
        case .tick(let isTicked):
            guard prompt.box != nil else { return [.refuse("there is nothing to tick")] }
            line[index].prompt.box?.isTicked = isTicked
            return [.changed]
        case .refuse:
            guard prompt.buttons.no != nil, !entry.isWorking else { return [.refuse("this cannot be refused, only cancelled")] }
            return answer(.no, index)
        case .answer:
            guard !entry.isWorking else { return [.refuse("the last answer is being checked")] }
            let isTicked = prompt.box?.isTicked ?? false
            switch prompt.kind {
            case .waiting: return [.refuse("there is nothing to answer yet")]
            case .confirm: return answer(.yes(isTicked: isTicked), index)
            case .words, .secret:
                guard !words.isEmpty else { return [.refuse("nothing is written yet")] }
                if prompt.kind == .secret(isNew: true), words.text != repeated.text {
                    guard !differs else { return [] }
                    differs = true
                    return [.changed]
                }
                return answer(.words(words, isTicked: isTicked), index)
            }
        }
    }

    private mutating func answer(_ answer: PromptAnswer, _ index: Int) -> [Outcome] {
        let effect = Outcome.effect(.answer(line[index].id, answer))
        guard !line[index].prompt.endsWithAnswer else { return [effect] + remove(index) }
        line[index].isWorking = true
        differs = false
        return [effect, .empties, .changed]
    }

    private mutating func remove(_ index: Int) -> [Outcome] {
        let id = line.remove(at: index).id
        guard id == shown else { return [.changed] }
        shown = nil
        differs = false
        return [.hides(id), .empties, .changed]
    }

    private mutating func follow(_ isOpen: Bool) -> [Outcome] {
        let wanted = isOpen ? line.first?.id : nil
        guard wanted != shown else { return [] }
        var out: [Outcome] = []
        if let id = shown { out += [.hides(id), .effect(.rests(id))] }
        shown = wanted
        differs = false
        out.append(.empties)
        if let id = wanted { out += [.shows(id), .effect(.begins(id))] }
        return out + [.changed]
    }

    public func violations(in isOpen: Bool) -> [String] {
        var found: [String] = []
        if line.count > AgentPrompts.most { found.append("\(line.count) questions wait") }
        if Set(line.map(\.id)).count < line.count { found.append("a question waits twice") }
        if let shown, shown != line.first?.id { found.append("a question is in sight out of its turn") }
        if shown != nil, !isOpen { found.append("a question is in sight in a locked session") }
        if shown == nil, isOpen, !line.isEmpty { found.append("a question waits unseen") }
        if differs, live?.kind != .secret(isNew: true) { found.append("passwords differ that are not written twice") }
        return found
    }
}
