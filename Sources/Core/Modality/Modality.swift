import Callers
import Geometry
import OrderedCollections
import Windows

/// Modal views over windows (M-01 to M-11): which views the shell shows for programs, which wait, and what becomes of sheets
/// that a person dismissed.
///
/// The windows of apps and their dialogs are in `Workspace`. The shell tells this room which dialogs stand on a window there.
public struct Modality: Hashable, Codable, Sendable {
    /// Where a line of views stands.
    enum Host: Hashable, Codable, Sendable {
        case screen
        case window(WindowID)
    }

    /// Shown, bottom to top.
    var lines: OrderedDictionary<Host, [ModalView]> = [:]
    /// The views that come when the one before is answered, oldest first.
    var waiting: OrderedDictionary<Host, [ModalView]> = [:]
    /// When each program showed its last alerts.
    private var shownAlerts: OrderedDictionary<String, [Moment]> = [:]
    /// Sheets on their way out, by window.
    var dismissals: OrderedDictionary<WindowID, Dismissal> = [:]
    /// Views over the screen from which a person went home, oldest first.
    public private(set) var aside: [ModalView] = []
    /// How many views the shell itself showed.
    private var own: UInt32 = 0
    private(set) var nextAlarm: Moment?

    public init() {}

    public enum Outcome: Hashable, Sendable {
        /// The program hears how its view ended.
        case answer(ModalID, ModalAnswer)
        /// The shell's question about the unsaved work of a window ended (M-10).
        case answerUnsaved(WindowID, ModalAnswer)
        /// Popups of this window close, because a card comes (M-11).
        case closePopups(WindowID)
        /// Ask the app to close this window.
        case askToClose(WindowID)
        /// A sheet comes back: its app keeps it.
        case comesBack(WindowID)
        /// The timer has to be set anew: to this moment, or off.
        case alarm(Moment?)
    }

    // MARK: Reading

    /// Every view that is shown, bottom to top.
    public var views: [ModalView] { lines.values.flatMap { $0 } }

    public subscript(_ id: ModalID) -> ModalView? { views.first { $0.id == id } }

    /// The views over a window, or over the screen, bottom to top.
    public func views(over window: WindowID?) -> [ModalView] { lines[Self.host(window)] ?? [] }

    /// Whether a view is the last of its line. Only that one is live: those below wait until it is answered (M-08).
    public func isLive(_ id: ModalID) -> Bool { lines.values.contains { $0.last?.id == id } }

    public var isEmpty: Bool { lines.isEmpty && waiting.isEmpty && dismissals.isEmpty && aside.isEmpty }

    private static func host(_ window: WindowID?) -> Host { window.map { .window($0) } ?? .screen }

    /// Whether a view is shown or waits.
    public func isAsked(_ id: ModalID) -> Bool {
        self[id] != nil || waiting.values.contains { $0.contains { $0.id == id } } || aside.contains { $0.id == id }
    }

    /// Whether a person dismissed this sheet and it is still there.
    public func isGoing(_ sheet: WindowID) -> Bool { dismissals[sheet] != nil }

    private func answer(_ view: ModalView, _ answer: ModalAnswer) -> Outcome {
        view.unsavedWork.map { .answerUnsaved($0, answer) } ?? .answer(view.id, answer)
    }

    // MARK: Views of the shell

    /// The id of the next view of the shell itself. The service that takes the views of programs counts those from 1, so these are counted
    /// from the other end.
    public var nextID: ModalID { ModalID(0 &- (own &+ 1)) }

    /// Whether a person goes home from something, and comes back to it.
    public var hasViewsOverScreen: Bool { lines[.screen] != nil || waiting[.screen] != nil }

    /// The shell's question about the unsaved work of a window, shown or waiting; nil: it was not asked.
    public func question(about window: WindowID) -> ModalID? {
        (views + waiting.values.joined() + aside).first { $0.unsavedWork == window }?.id
    }

    mutating func present(_ view: ModalView, over below: ModalKind?, at now: Moment) -> [Outcome] {
        if view.id == nextID { own &+= 1 }
        if let flaw = view.flaw { return [answer(view, .refused(flaw))] }
        let host = Self.host(view.window)
        if host == .screen, viewsOverScreen(of: view.program) >= ModalRules.overScreen {
            let name = Owner.name(ofKey: view.program)
            return [answer(view, .refused("\(name) has \(ModalRules.overScreen) views over the whole screen already"))]
        }
        guard (lines[host]?.count ?? 0) + (waiting[host]?.count ?? 0) + (host == .screen ? aside.count : 0) < ModalRules.depth else {
            return [answer(view, .refused("\(ModalRules.depth) views stand there or wait already"))]
        }
        if view.kind == .alert {
            var times = (shownAlerts[view.program] ?? []).filter { now - $0 < ModalRules.rateSpan }
            guard times.count < ModalRules.alerts else {
                let name = Owner.name(ofKey: view.program)
                let span = Int(clamping: ModalRules.rateSpan)
                return [answer(view, .refused("M-07: \(name) showed \(times.count) alerts in \(span) seconds"))]
            }
            times.append(now)
            shownAlerts.updateValue(times, forKey: view.program)
            if shownAlerts.count > 64 { shownAlerts.removeAll { $0.value.allSatisfy { now - $0 >= ModalRules.rateSpan } } }
        }
        // A person went home from this program's views.
        if host == .screen, aside.contains(where: { $0.program == view.program }) {
            aside.append(view)
            return []
        }
        var effects: [Outcome] = []
        place(view, below, &effects)
        return effects
    }

    /// The views that a program has over the whole screen, shown or not.
    private func viewsOverScreen(of program: String) -> Int {
        ((lines[.screen] ?? []) + (waiting[.screen] ?? []) + aside).count { $0.program == program }
    }

    // MARK: Home

    /// A person goes home: what programs show over the screen stands aside, with whatever waits for it. Returns whether anything
    /// did.
    mutating func standAside() -> Bool {
        let views = (lines.removeValue(forKey: .screen) ?? []) + (waiting.removeValue(forKey: .screen) ?? [])
        guard !views.isEmpty else { return false }
        aside += views
        return true
    }

    /// A person comes back: the oldest one is shown, and the others wait for it.
    mutating func comeBack() {
        guard !aside.isEmpty else { return }
        let newer = (lines.removeValue(forKey: .screen) ?? []) + (waiting.removeValue(forKey: .screen) ?? [])
        for view in aside + newer {
            if ModalRules.step(view.kind, over: lines[.screen]?.last?.kind) == .stands, waiting[.screen] == nil {
                lines[.screen, default: []].append(view)
            } else {
                waiting[.screen, default: []].append(view)
            }
        }
        aside = []
    }

    private mutating func place(_ view: ModalView, _ below: ModalKind?, _ effects: inout [Outcome]) {
        let host = Self.host(view.window)
        let top = lines[host]?.last
        switch ModalRules.step(view.kind, over: top?.kind ?? below) {
        case .stands: lines[host, default: []].append(view)
        case .closesBelow:
            if let top {
                end(top.id, .closed, &effects)
                place(view, below, &effects)
            } else {
                if let window = view.window { effects.append(.closePopups(window)) }
                lines[host, default: []].append(view)
            }
        case .waits: waiting[host, default: []].append(view)
        case .refused:
            effects.append(answer(view, .refused("a \(view.kind.rawValue) cannot stand over the \(top?.kind.rawValue ?? "view") there")))
        }
    }

    /// A person chose.
    mutating func choose(_ choice: Int, of id: ModalID) -> [Outcome] {
        guard let view = self[id], isLive(id), (0..<view.choiceCount).contains(choice) else { return [] }
        if view.switches.indices.contains(choice), let host = lines.keys.first(where: { lines[$0]!.last?.id == id }) {
            lines[host]![lines[host]!.count - 1].switches[choice].toggle()
            return []
        }
        var effects: [Outcome] = [], answer = ModalAnswer.chose(choice)
        if view.choices.indices.contains(choice), view.choices[choice].role == .preferred {
            if let mark = view.mark { answer = .marked(mark.frame) }
            if !view.switches.isEmpty { answer = .picked(view.switches.indices.filter { view.switches[$0] }) }
        }
        end(id, answer, &effects)
        return effects
    }

    /// A person marked a part of the screen. False if the view asks for none, is not live, or no part of the frame is on the screen.
    mutating func mark(_ frame: Rect, for id: ModalID, on screen: Rect) -> Bool {
        guard isLive(id), let host = lines.keys.first(where: { lines[$0]!.last?.id == id }) else { return false }
        return lines[host]![lines[host]!.count - 1].mark?.move(to: frame, on: screen) ?? false
    }

    /// A person dismissed it: Escape, a swipe, a touch outside. False if it, or one above it, has to be answered.
    mutating func dismiss(_ id: ModalID, _ effects: inout [Outcome]) -> Bool {
        guard let view = self[id], isLive(id) else { return false }
        switch view.dismissal {
        case .chooses(let choice): end(id, .chose(choice), &effects)
        case .choosesNothing: end(id, .dismissed, &effects)
        case .refused: return false
        }
        return true
    }

    /// Its program takes it back, or is gone. It hears nothing.
    mutating func withdraw(_ id: ModalID) -> [Outcome] {
        var effects: [Outcome] = []
        for host in waiting.keys { waiting[host]!.removeAll { $0.id == id } }
        waiting.removeAll { $0.value.isEmpty }
        let left = aside.filter { $0.id != id }
        aside = left
        let view = self[id]
        end(id, .closed, &effects)
        return effects.filter { $0 != view.map { answer($0, .closed) } }
    }

    /// Ends a view, and the views that its program showed on it. A view of another program stays: its question is still open. Then a
    /// waiting view comes.
    private mutating func end(_ id: ModalID, _ answer: ModalAnswer, _ effects: inout [Outcome]) {
        guard let host = lines.keys.first(where: { lines[$0]!.contains { $0.id == id } }),
            let index = lines[host]!.firstIndex(where: { $0.id == id })
        else { return }
        let ended = lines[host]![index], program = ended.program
        let others = lines[host]![(index + 1)...].filter { $0.program != program }
        for above in lines[host]![(index + 1)...].reversed() where above.program == program { effects.append(self.answer(above, .closed)) }
        lines[host]!.replaceSubrange(index..., with: others)
        effects.append(self.answer(ended, answer))
        if lines[host]!.isEmpty { lines[host] = nil }
        guard let queue = waiting[host] else { return }
        // Programs take turns over the screen. Those that still have to wait go to the end of the queue again, in their order.
        var next = host == .screen ? queue.filter { $0.program != program } + queue.filter { $0.program == program } : queue
        waiting[host] = nil
        while !next.isEmpty { place(next.removeFirst(), nil, &effects) }
    }

    // MARK: Windows

    /// A window closed: the views on it are gone, and their programs get an answer.
    mutating func windowGone(_ window: WindowID) -> [Outcome] {
        guard !isEmpty else { return [] }
        var effects: [Outcome] = []
        let host = Host.window(window)
        for view in (lines.removeValue(forKey: host) ?? []).reversed() { effects.append(answer(view, .closed)) }
        for view in waiting.removeValue(forKey: host) ?? [] { effects.append(answer(view, .closed)) }
        if dismissals.removeValue(forKey: window) != nil { setAlarm(&effects) }
        return effects
    }

    mutating func setAlarm(_ effects: inout [Outcome]) {
        let next = dismissals.values.map(\.due).min()
        guard next != nextAlarm else { return }
        nextAlarm = next
        effects.append(.alarm(next))
    }
}
