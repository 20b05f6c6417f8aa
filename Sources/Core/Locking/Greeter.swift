import Geometry
import Rooms
import Status
import Windows

/// The greeter: who logs in, and to which session (X-10, decision 0200). It stands on the lock screen of a shell that has no session, and
/// that no word opens: the talk with greetd ends in a session of another process.
public struct Greeter: Room {
    public private(set) var isOn = false
    /// nil: they are still looked for.
    public private(set) var facts: GreeterFacts?
    public private(set) var memory = GreeterMemory()
    public private(set) var page = GreetPage.people
    public private(set) var person: Person?
    public private(set) var starting: Start?
    /// greetd did not start the session, and says this.
    public private(set) var trouble: String?
    public private(set) var isReading = false
    /// The session that a person chose since the start.
    private var chosenSession: String?
    /// Whether the only person was chosen by the greeter, so that no session may begin without an act of a person.
    private var isChosenAlone = false
    /// The moment for which a timer runs.
    private var awaited: Moment?

    public enum Person: Hashable, Codable, Sendable {
        case listed(String)
        /// The field takes a name.
        case typing
        /// It may be a password that was typed into the wrong field.
        case typed(Secret)
    }

    /// A session that greetd was asked to start.
    public struct Start: Hashable, Codable, Sendable {
        public var number: UInt64
        public var session: GreeterSession
        public var person: Person
        public var isSlow = false
        /// greetd took it: the shell ends.
        public var isDone = false
        var since: Moment
    }

    public enum Event: Hashable, Sendable {
        case outside(GreeterEvent)
        case act(GreetAct)
        /// A person wants to log in, without saying who.
        case opens
        case named(Secret)
        case back
        /// The field was closed.
        case closed
        /// The person of the talk of this number may log in.
        case allowed(UInt64, isAnswered: Bool)
        case timeIsUp
    }

    public enum Outcome: Hashable, Sendable {
        /// Lock this shell, and stay locked.
        case lock
        /// Show the field for the person, and begin to talk with greetd.
        case ask
        /// Close it.
        case drop
        case start(UInt64, GreeterSession)
        /// End the talk of this number.
        case stop(UInt64)
        case keep(GreeterMemory)
        case prefer(Choice)
        case read(Bool)
        case end(MachineEnd)
        /// The shell has done its work.
        case ends
        case timer(Moment?)
        case changed
    }

    /// Signs of greetd's words that are shown.
    static let longestWords = 300

    public init() {}

    /// Whether the field takes a name.
    public var asksName: Bool { person == .typing }
    /// Whether what is typed goes to the field.
    public var takesText: Bool { page == .people && person != nil && starting == nil }
    public var people: [GreeterPerson] { facts?.people ?? [] }
    public var sessions: [GreeterSession] { facts?.sessions ?? [] }

    /// The name for greetd; nil: no person is chosen.
    public var account: Secret? {
        switch person {
        case .listed(let name): Secret(name)
        case .typed(let name): name
        case .typing, nil: nil
        }
    }

    /// The person whose row is in front: the one of the last login.
    public var front: GreeterPerson? { people.first { $0.name == memory.person } ?? (people.count == 1 ? people.first : nil) }

    /// The session that would start now: a person's choice, the last one of the person, Mullion, or the first.
    public var session: GreeterSession? {
        var wanted: [String] = []
        if let chosenSession { wanted.append(chosenSession) }
        let name: String? =
            switch person {
            case .listed(let name): name
            case nil: front?.name
            case .typing, .typed: nil
            }
        if let name, let last = memory.sessions[name] { wanted.append(last) }
        wanted.append("mullion")
        for id in wanted { if let found = sessions.first(where: { $0.id == id }) { return found } }
        return sessions.first
    }

    // MARK: Events

    public mutating func handle(_ event: Event, in context: Void = (), at now: Moment) -> [Outcome] {
        let before = self
        var out = take(event, at: now)
        if self != before { out.append(.changed) }
        let next = starting.flatMap { $0.isSlow || $0.isDone ? nil : $0.since + LockScreen.slow }
        if next != awaited {
            awaited = next
            out.append(.timer(next))
        }
        return out
    }

    private mutating func take(_ event: Event, at now: Moment) -> [Outcome] {
        if case .outside(.begins) = event {
            guard !isOn else { return [] }
            isOn = true
            return [.lock]
        }
        guard isOn else { return [] }
        switch event {
        case .outside(let event): return hear(event)
        case .act(let act): return starting == nil ? carryOut(act) : []
        case .opens:
            page = .people
            guard starting == nil else { return [] }
            if let front { return choose(front.name) }
            return people.isEmpty && facts != nil ? carryOut(.other) : []
        case .named(let name):
            guard asksName, !name.isEmpty else { return [] }
            person = .typed(name)
            return [.ask]
        case .back: return back()
        case .closed:
            if starting == nil { person = nil }
            return []
        case .allowed(let number, let isAnswered): return allowed(number, isAnswered: isAnswered, at: now)
        case .timeIsUp:
            awaited = nil
            if let since = starting?.since, since + LockScreen.slow <= now { starting?.isSlow = true }
            return []
        }
    }

    private mutating func hear(_ event: GreeterEvent) -> [Outcome] {
        switch event {
        case .begins: return []
        case .found(let found):
            guard facts == nil else { return [] }
            var facts = found
            facts.people = Array(found.people.prefix(GreeterFacts.mostPeople))
            facts.sessions = Array(found.sessions.prefix(GreeterFacts.mostSessions))
            (self.facts, memory) = (facts, facts.memory)
            var out = facts.look.filter(GreeterLook.takes).prefix(GreeterLook.most).map(Outcome.prefer)
            if !GreeterMemory.textScales.contains(memory.textScale) { memory.textScale = 1 }
            if memory.textScale != 1 { out.append(.prefer(.textSize(memory.textScale))) }
            if memory.isContrasted { out.append(.prefer(.increasedContrast(true))) }
            if memory.showsKeys { out.append(.prefer(.lock(.keys(.letters)))) }
            if memory.readsAloud, facts.hasReader {
                isReading = true
                out.append(.read(true))
            }
            guard facts.people.count == 1, person == nil else { return out }
            isChosenAlone = true
            person = .listed(facts.people[0].name)
            return out + [.ask]
        case .started(let number):
            guard let starting, starting.number == number, !starting.isDone else { return [] }
            self.starting?.isDone = true
            if case .listed(let name) = starting.person {
                memory.person = name
                if memory.sessions.count >= GreeterMemory.most, memory.sessions[name] == nil { memory.sessions = [:] }
                memory.sessions[name] = starting.session.id
            }
            return [.keep(memory), .ends]
        case .refused(let number, let why):
            guard let starting, starting.number == number, !starting.isDone else { return [] }
            self.starting = nil
            trouble = why.oneLine(Self.longestWords)
            return [.stop(number)]
        case .readerEnded:
            isReading = false
            return []
        }
    }

    private mutating func carryOut(_ act: GreetAct) -> [Outcome] {
        switch act {
        case .person(let name): return choose(name)
        case .other:
            guard person == nil else { return [] }
            (person, page, trouble) = (.typing, .people, nil)
            return [.ask]
        case .page(let page):
            self.page = page
            return []
        case .session(let id):
            guard sessions.contains(where: { $0.id == id }) else { return [] }
            (chosenSession, page) = (id, .people)
            return []
        case .textSize:
            let all = GreeterMemory.textScales, here = all.firstIndex(of: memory.textScale) ?? 0
            memory.textScale = all[(here + 1) % all.count]
            return [.prefer(.textSize(memory.textScale)), .keep(memory)]
        case .contrast:
            memory.isContrasted.toggle()
            return [.prefer(.increasedContrast(memory.isContrasted)), .keep(memory)]
        case .reader:
            guard facts?.hasReader ?? false else { return [] }
            isReading.toggle()
            memory.readsAloud = isReading
            return [.read(isReading), .keep(memory)]
        case .keys:
            memory.showsKeys.toggle()
            return [.prefer(.lock(.keys(memory.showsKeys ? .letters : .auto))), .keep(memory)]
        case .end(let end):
            // On waking, the people are shown again.
            if end == .suspend { page = .people }
            return [.end(end)]
        }
    }

    private mutating func choose(_ name: String) -> [Outcome] {
        guard person == nil, people.contains(where: { $0.name == name }) else { return [] }
        (person, page, trouble, isChosenAlone) = (.listed(name), .people, nil, false)
        return [.ask]
    }

    private mutating func back() -> [Outcome] {
        if let starting {
            guard !starting.isDone else { return [] }
            self.starting = nil
            person = nil
            return [.stop(starting.number)]
        }
        guard page == .people else {
            page = .people
            return []
        }
        trouble = nil
        guard person != nil else { return [] }
        person = nil
        return [.drop]
    }

    private mutating func allowed(_ number: UInt64, isAnswered: Bool, at now: Moment) -> [Outcome] {
        guard let person, let session, starting == nil else { return [.stop(number), .drop] }
        // An account without a password: a person has to want its session, after a log-out, too.
        guard isAnswered || !isChosenAlone else {
            self.person = nil
            return [.stop(number), .drop]
        }
        starting = Start(number: number, session: session, person: person, since: now)
        page = .people
        self.person = nil
        return [.drop, .start(number, session)]
    }

    // MARK: Invariants

    public func violations(in context: Void = ()) -> [String] {
        var found: [String] = []
        if !isOn, person != nil || starting != nil || facts != nil { found.append("X-10: the greeter is at work, and not on") }
        if starting != nil, person != nil { found.append("X-10: a session starts, and another person is asked") }
        return found
    }
}
