import Geometry
import Interface
import Lifecycle
import Multitasking
import Seat
import Stage
import Windows

/// A client as the core sees it: it gets messages, and answers at any time in any way.
public struct CoreClient: Hashable, Sendable {
    public enum Manner: Hashable, Sendable {
        /// Answers every configure at once.
        case prompt
        /// Answers when the test says so.
        case asked
    }

    public let id: WindowID
    public var facts: WindowFacts
    public var manner: Manner
    /// Every configure it got, oldest first (W-10).
    public var configures: [Configure] = []
    public var commit = WindowCommit(size: .zero)
    public var isMapped = false
    public var minimum = Size.zero
    public var maximum = Size.zero
    /// The size it takes when it may choose.
    public var natural = Size(320, 240)
    /// It takes whole steps of this size, as a terminal takes whole lines. 1 x 1: any size.
    public var step = Size(1, 1)

    public var told: Configure? { configures.last }
    public var owesAnswer: Bool { told.map { commit.answered < $0.sequence } ?? false }

    /// Returns the commit that answers the newest configure.
    func answer() -> WindowCommit {
        var answer = commit
        answer.minimum = minimum
        answer.maximum = maximum
        guard let told else { return answer }
        answer.answered = told.sequence
        answer.wantsFullscreen = told.fullscreen
        let wanted = told.chooses ? natural : told.frame.size
        let whole = Size(
            (wanted.width / step.width).rounded(.down) * step.width, (wanted.height / step.height).rounded(.down) * step.height)
        answer.size = Size(max(whole.width, minimum.width), max(whole.height, minimum.height))
        return answer
    }
}

/// One `System` with clients, timers and a hand clock around it. A value: a test can try several futures of one past.
///
/// After every event it checks the core's own invariants and those of its effects; violations are in `problems`.
public struct CoreWorld: Sendable {
    public private(set) var system: System
    public private(set) var now = Moment.milliseconds(1000)
    public private(set) var clients: [WindowID: CoreClient] = [:]
    public private(set) var timers: [TimerID: Moment] = [:]
    public private(set) var ledger = EffectLedger()
    public private(set) var problems: [String] = []
    /// The state at the last look at the laws of a person, and how many there were.
    private var lawsAt: UInt64 = 0, looks = 0
    /// Everything that happened, for replay.
    public private(set) var history: [Happening] = []
    /// Every effect, in order.
    public private(set) var effects: [Effect] = []
    /// Both are kept only if asked for: long runs would fill the memory.
    public var keepsHistory: Bool
    /// Whether everything is checked after each event, or only when it comes to rest.
    public var isChecked = true
    /// Whether it is checked, too, that the shell asks for a frame whenever one would look different.
    public var looksAtFrames = false
    public var manner = CoreClient.Manner.prompt
    /// The places where fingers are down.
    public internal(set) var fingers: [Int32: Point] = [:]
    private let initial: System
    private var answers: [WindowID] = []
    /// Apps that the adapter was asked to freeze; it does so at once.
    private var freezing: [AppProcess] = []
    /// Whether the adapter was asked to note that the session is locked; it does so at once.
    private var isNoting = false

    public struct Happening: Hashable, Sendable {
        public var event: Event
        public var when: Moment
    }

    /// `size` in points; nil: no screen yet. `continues`: the shell was started again after a crash.
    public init(
        size: Size? = Size(1180, 820), idiom: Idiom = .pad, preferences: Preferences = Preferences(), keepsHistory: Bool = true,
        continues: Bool = false
    ) {
        system = System(idiom: idiom, preferences: preferences, continues: continues)
        initial = system
        self.keepsHistory = keepsHistory
        if let size { send(.screenChanged(Screen(size: size))) }
    }

    public var workspace: Workspace { system.workspace }
    public var interface: Interface { system.interface }
    /// The controls that a person can operate now.
    public var controls: [ViewControl] { system.controls(at: now) }

    // MARK: Events

    /// Hands an event over; returns the effects of it alone. Prompt clients have answered when this returns.
    @discardableResult
    public mutating func send(_ event: Event) -> [Effect] {
        let direct = handle(event)
        while !answers.isEmpty || !freezing.isEmpty || isNoting {
            if isNoting {
                isNoting = false
                _ = handle(.lock(.noted))
                continue
            }
            guard freezing.isEmpty else {
                _ = handle(.life(.frozen(freezing.removeFirst())))
                continue
            }
            let id = answers.removeFirst()
            if let client = clients[id], client.owesAnswer { _ = handle(.windowCommitted(id, answered(id, client.answer()))) }
        }
        return direct
    }

    private mutating func handle(_ event: Event) -> [Effect] {
        if keepsHistory { history.append(Happening(event: event, when: now)) }
        let before = looksAtFrames ? system : nil, pressed = isChecked && event.isPress ? system : nil
        let result = system.handle(event, at: now)
        if let before, before.revision == system.revision, before.items(at: now) != system.items(at: now) {
            problems.append("a frame would look different after \(event), and nothing asks for one")
        }
        if keepsHistory { effects += result }
        for effect in result {
            switch effect {
            case .client(.configure(let id, let configure)):
                clients[id]?.configures.append(configure)
                if let client = clients[id], client.manner == .prompt, client.isMapped, !answers.contains(id) { answers.append(id) }
            case .life(.freeze(let app)): freezing.append(app)
            case .noteLock(let isLocked): isNoting = isLocked
            case .timer(.start(let timer, at: let moment)): timers[timer] = moment
            case .timer(.stop(let timer)): timers[timer] = nil
            default: break
            }
        }
        if case .windowDestroyed(let id) = event { clients[id] = nil }
        let wrong = ledger.note(result, of: event, system, at: now)
        guard isChecked else { return result }
        problems += wrong
        problems += system.violations() + personProblems()
        if let pressed { problems += system.pressViolations(of: event, before: pressed, result, at: now) }
        problems += contentProblems() + controlProblems()
        switch event {
        case .windowCreated, .windowDestroyed: problems += leftUndone()
        default: break
        }
        return result
    }

    /// Laws that a person notices. Each look at all controls costs as much as many events, so most looks are left out: by a finger or by the
    /// pointer, after every fourth change.
    private mutating func personProblems() -> [String] {
        guard system.revision != lawsAt else { return [] }
        lawsAt = system.revision
        looks += 1
        return looks % 4 == 0 ? system.personViolations(precise: looks % 8 == 0, at: now) : []
    }

    /// The kept arrangement is written and read, every client goes, and the arrangement comes back.
    public mutating func restart() {
        let kept = system.kept
        for id in clients.keys.sorted() { send(.windowDestroyed(id)) }
        send(.restored(kept, first: WindowID(1_000_000)))
    }

    /// Returns the effects that would follow if a window came or ended now. The core must leave none, although it looks at few things
    /// after each event. Moves under a resting pointer do not count: the next event reports them.
    private func leftUndone() -> [String] {
        var later = system
        let effects = later.handle(.windowRenamed(WindowID(.max), WindowFacts(appID: "", title: "")), at: now).filter {
            switch $0 {
            case .client(.pointerOnWindow), .client(.pointerOnShell), .client(.pointerOnBackground), .pointerFrame: false
            default: true
            }
        }
        return effects.isEmpty ? [] : ["when a window has come or gone, there is still \(effects)"]
    }

    private mutating func answered(_ id: WindowID, _ commit: WindowCommit) -> WindowCommit {
        clients[id]!.commit = commit
        return commit
    }

    @discardableResult
    public mutating func act(_ action: Action) -> [Effect] { send(.action(action)) }

    /// Time passes; timers that fall due happen at their moment.
    @discardableResult
    public mutating func wait(_ milliseconds: Double) -> [Effect] {
        let end = now + milliseconds / 1000
        var effects: [Effect] = []
        while let due = timers.min(by: { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }), due.value <= end {
            timers[due.key] = nil
            now = max(now, due.value)
            effects += send(.timer(due.key))
        }
        now = end
        return effects
    }

    /// Time passes while the shell is busy: timers that fell due have not happened yet.
    public mutating func stall(_ milliseconds: Double) { now = now + milliseconds / 1000 }

    // MARK: Clients

    /// A client creates a window; it is not shown yet.
    public mutating func create(_ raw: UInt32, _ facts: WindowFacts? = nil) {
        let id = WindowID(raw)
        guard clients[id] == nil else { return }
        let facts = facts ?? WindowFacts(appID: "app\(raw)", title: "Window \(raw)", lineage: [Int32(raw) + 100, 1], client: UInt64(raw))
        clients[id] = CoreClient(id: id, facts: facts, manner: manner)
        send(.windowCreated(id, facts))
    }

    /// The client shows its window, with the size it was told or chooses.
    public mutating func map(_ raw: UInt32) {
        let id = WindowID(raw)
        guard let client = clients[id], !client.isMapped else { return }
        clients[id]!.isMapped = true
        send(.windowMapped(id, answered(id, client.answer())))
    }

    /// Clients show windows in one turn of the loop.
    public mutating func map(together raws: [UInt32]) {
        var mapped: [MappedWindow] = []
        for id in raws.map({ WindowID($0) }) {
            guard let client = clients[id], !client.isMapped else { continue }
            clients[id]!.isMapped = true
            mapped.append(MappedWindow(id, answered(id, client.answer())))
        }
        if !mapped.isEmpty { send(.windowsMapped(mapped)) }
    }

    /// A window that a person asked for, open and in front.
    /// Panels of other programs keep so much for themselves at each edge, as far as they get it.
    public mutating func reserve(_ insets: Insets) {
        let edges: [(PanelFacts.Anchors, Double)] = [
            ([.top, .left, .right], insets.top), ([.right, .top, .bottom], insets.right),
            ([.bottom, .left, .right], insets.bottom), ([.left, .top, .bottom], insets.left),
        ]
        for (index, (anchors, zone)) in edges.enumerated() {
            let size = anchors.contains([.left, .right]) ? Size(0, max(zone, 1)) : Size(max(zone, 1), 0)
            let facts = PanelFacts(layer: .top, anchors: anchors, size: size, zone: zone, isMapped: zone > 0)
            let id = PanelID(UInt32(901 + index))
            guard system.seat.panels[id] != nil || facts.isMapped, system.seat.panels[id]?.facts != facts else { continue }
            send(.panelChanged(id, facts))
        }
    }

    @discardableResult
    public mutating func open(_ raw: UInt32, _ facts: WindowFacts? = nil, to destination: Destination? = nil) -> WindowID {
        let id = WindowID(raw)
        create(raw, facts)
        send(.activationAsked(id, hasRecentSerial: true, launch: nil))
        map(raw)
        switch destination {
        case .fullScreen: act(.fullScreen(window: id))
        case .splitView(let side): act(.splitView(window: id, side: side))
        case .slideOver: act(.slideOver(window: id))
        case .pictureInPicture: act(.pictureInPicture(window: id))
        case nil: break
        }
        return id
    }

    public mutating func answer(_ id: WindowID) {
        guard let client = clients[id], client.isMapped, client.owesAnswer else { return }
        send(.windowCommitted(id, answered(id, client.answer())))
    }

    /// Every client that owes an answer gives it.
    public mutating func answerAll() {
        for id in clients.keys.sorted() { answer(id) }
    }

    /// The client commits as it likes.
    public mutating func commit(_ id: WindowID, _ change: (inout WindowCommit) -> Void) {
        guard let client = clients[id], client.isMapped else { return }
        var commit = client.commit
        change(&commit)
        send(.windowCommitted(id, answered(id, commit)))
    }

    public mutating func setManner(_ manner: CoreClient.Manner, of id: WindowID) { clients[id]?.manner = manner }
    public mutating func setMinimum(_ size: Size, of id: WindowID) { clients[id]?.minimum = size }
    public mutating func setMaximum(_ size: Size, of id: WindowID) { clients[id]?.maximum = size }
    public mutating func setStep(_ size: Size, of id: WindowID) { clients[id]?.step = size }
    public mutating func setNatural(_ size: Size, of id: WindowID) { clients[id]?.natural = size }

    public mutating func rename(_ id: WindowID, _ facts: WindowFacts) {
        guard clients[id] != nil else { return }
        clients[id]!.facts = facts
        send(.windowRenamed(id, facts))
    }

    public mutating func unmap(_ id: WindowID) {
        guard clients[id]?.isMapped ?? false else { return }
        clients[id]!.isMapped = false
        clients[id]!.commit = WindowCommit(size: .zero, answered: clients[id]!.commit.answered)
        send(.windowUnmapped(id))
    }

    public mutating func destroy(_ id: WindowID) {
        guard clients[id] != nil else { return }
        send(.windowDestroyed(id))
    }

    /// The client of this window is killed: its connection ends, and then its windows go.
    public mutating func disconnect(_ id: WindowID) {
        guard let client = clients[id]?.facts.client else { return }
        send(.clientGone(client))
        for id in clients.values.filter({ $0.facts.client == client }).map(\.id).sorted() {
            unmap(id)
            destroy(id)
        }
    }

    // MARK: Coming to rest

    /// Clients answer and time passes until nothing can be under way any more.
    public mutating func rest() {
        for _ in 0..<3 {
            answerAll()
            wait(6000)
        }
        // The field of a lock screen closes, a wait after wrong tries ends, and the screen that the power button lit is dark again.
        if [.lockScreen, .powerButton, .finger].contains(where: { timers[.seat($0)] != nil }) { wait(310_000) }
        // Banners come one after another. No more than one in sight and eight that wait may be left by now.
        for _ in 0..<18 where timers[.screen(.banner)] != nil {
            wait(8000)
            answerAll()
        }
        // The last banner may have begun to leave in this moment.
        if system.isMoving(at: now) {
            wait(2000)
            answerAll()
        }
    }

    /// Comes to rest and says everything that is wrong by then; empty: nothing.
    public mutating func finish() -> [String] {
        rest()
        let laws = [false, true].flatMap { isChecked ? system.personViolations(precise: $0, at: now) : [] }
        return problems + system.violations() + laws + restProblems() + (keepsHistory ? replayProblems() : [])
    }

    /// Returns the frame in which a window is shown now, to a hundredth of a point.
    public func frame(_ id: WindowID) -> Rect? {
        func near(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        return system.shownFrame(of: id, at: now).map { Rect(near($0.x), near($0.y), near($0.width), near($0.height)) }
    }

    public func place(_ id: WindowID) -> Place? { workspace.place(of: id) }

    /// Returns everything that is still in progress although every finger is lifted, every client has answered and time has passed.
    public func restProblems() -> [String] {
        var found: [String] = []
        if system.isMoving(at: now) { found.append("at rest, something moves") }
        if system.isGesturing { found.append("at rest, a gesture goes on") }
        if !system.stage.held.isEmpty { found.append("at rest, \(system.stage.held) are held") }
        if workspace.dividerDrag != nil { found.append("at rest, the divider is dragged") }
        if let pinched = system.stage.pinched, !pinched.isDone(at: now) {
            found.append("at rest, an item of \(pinched.window) is pulled open")
        }
        if workspace.windows.values.contains(where: { $0.heldSize != nil }) { found.append("at rest, a picture is held") }
        // Apps in the background are frozen after a while.
        // Where the idiom has a clock for a screen at rest, the shell waits for that.
        let dims = workspace.family.rest.dimsAfter > 0
        if timers.keys.contains(where: { $0 != .life(.alarm) && !(dims && ($0 == .seat(.idle) || $0 == .screen(.rest))) }) {
            found.append("at rest, timers run: \(timers.keys)")
        }
        if !ledger.touches.isEmpty { found.append("at rest, clients have fingers \(ledger.touches.keys.sorted())") }
        if !ledger.buttons.isEmpty { found.append("at rest, clients have buttons down") }
        if !ledger.held.isEmpty { found.append("at rest, \(ledger.held) were not released") }
        found += viewProblems()
        guard workspace.screen != nil else { return found }
        let places = workspace.frames()
        for id in workspace.windows.keys where workspace.isShown(id) {
            guard let frame = system.shownFrame(of: id, at: now) else {
                found.append("at rest, shown \(id) is not drawn")
                continue
            }
            guard let place = places[id].map(workspace.perspective(of: id).seen) else {
                found.append("shown \(id) has no place")
                continue
            }
            if !place.contains(frame, tolerance: 0.1) || !frame.contains(place, tolerance: 0.1) {
                found.append("at rest, \(id) is at \(frame), its place is \(place)")
            }
        }
        if let split = workspace.currentSpace?.split, let a = system.shownFrame(of: split.first, at: now),
            let b = system.shownFrame(of: split.second, at: now), a.inset(by: 0.1).intersects(b)
        {
            found.append("W-11: at rest, neighbours overlap: \(a) and \(b)")
        }
        return found
    }

    /// the control with the keyboard focus exists, and everything that takes all input has a control or goes away by Escape.
    private func controlProblems() -> [String] {
        guard let focus = interface.focus, workspace.screen != nil else { return [] }
        return system.controls(at: now, covered: true).contains { $0.id == focus && $0.isFocusable } || system.isMoving(at: now)
            ? [] : ["X-02: the keyboard is at \(focus), which is not there"]
    }

    /// Returns everything in the shell's own views that is still in progress.
    private func viewProblems() -> [String] {
        var found: [String] = []
        if interface.pressed != nil || interface.lifted != nil { found.append("at rest, something is pressed or in the hand") }
        if system.workspace.isAnyCardOut { found.append("at rest, cards of windows that close are out") }
        if interface.launches.values.contains(where: { !$0.isLeaving }) { found.append("at rest, an app is starting") }
        if !interface.isOverviewOpen {
            // The next event forgets cards that have come to rest.
            let left = system.stage.cards.filter { !$0.value.isLeaving }.keys
            if !left.isEmpty { found.append("at rest, cards are left: \(left)") }
        }
        for card in system.stage.cards.values where card.isHeld { found.append("at rest, a card is held: \(card)") }
        guard workspace.screen != nil, let views = system.views(at: now) else { return found }
        if let overview = interface.overview, overview.isOpen {
            let reach = views.overviewLayout(overview.content).reach
            let scroll = system.stage.scroll.value(at: now)
            if scroll < -0.1 || scroll > reach + 0.1 { found.append("at rest, the switcher is scrolled to \(scroll) of \(reach)") }
        }
        if workspace.showsHome {
            let page = interface.home.page, scroll = interface.home.scroll.value(at: now)
            if !(0..<views.pageCount).contains(page) { found.append("at rest, page \(page) of \(views.pageCount) is in front") }
            if abs(scroll - Double(page) * views.pageStep) > 0.1 { found.append("at rest, page \(page) is at \(scroll)") }
        }
        return found
    }

    /// W-11: whatever size a client has, its picture stays in its place.
    private func contentProblems() -> [String] {
        var found: [String] = []
        for (id, shown) in system.stage.shown {
            guard let window = workspace[id], !window.isAwaited, let picture = system.contentRect(of: id, at: now) else { continue }
            let frame = shown.frame.value(at: now)
            // The frame clips content that a person moves. The content leaves no part of the frame empty that it could fill.
            if window.content.magnified(in: shown.place) != nil {
                func fills(_ start: Double, _ end: Double, _ low: Double, _ high: Double) -> Bool {
                    start <= low + 1 && end >= high - 1 || start >= low - 1 && end <= high + 1
                }
                if !fills(picture.minX, picture.maxX, frame.minX, frame.maxX) || !fills(picture.minY, picture.maxY, frame.minY, frame.maxY)
                {
                    found.append("W-11: \(id)'s picture \(picture) leaves a part of its frame \(frame) empty")
                }
            } else if !frame.contains(picture, tolerance: 1) {
                found.append("W-11: \(id)'s picture \(picture) leaves its frame \(frame), place \(shown.place), size \(window.contentSize)")
            }
        }
        return found
    }

    // MARK: Replay

    /// The same events at the same moments give an equal system and equal effects.
    public func replayProblems() -> [String] {
        var again = initial
        var repeated: [Effect] = []
        for happening in history { repeated += again.handle(happening.event, at: happening.when) }
        var found: [String] = []
        if again != system { found.append("X-07: replayed, the system differs") }
        if repeated != effects { found.append("X-07: replayed, the effects differ") }
        return found
    }
}

extension Event {
    fileprivate var isPress: Bool {
        switch self {
        case .touchDown, .pointerButton(_, pressed: true): true
        default: false
        }
    }
}
