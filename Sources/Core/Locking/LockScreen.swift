import Geometry
import Rooms
import Status
import Windows

/// The lock screen of the shell: its field, the talk with PAM, and the wrong tries (X-10, law 13).
///
/// It is up while the shell itself is the locker of the session (`SessionLock`). The session opens only by the outcome `unlock`, which
/// only PAM's word brings.
public struct LockScreen: Room {
    public private(set) var isUp = false
    /// Whether the field is shown; otherwise the clock alone.
    public private(set) var isOpen = false
    /// Whether the ways to end the machine's work are shown in place of the clock.
    public private(set) var showsEnds = false
    /// Whether the end that a person chose here was held up by a program, which only the session can name.
    public private(set) var isHeldUp = false
    /// The answer that is being written.
    public private(set) var field = Secret()
    public private(set) var isRevealed = false
    public private(set) var isShifted = false
    /// The keys that a person asked for since the screen came up.
    public private(set) var keys: LockKeys?
    /// The layout in use, among those of the person.
    public private(set) var layout = 0
    public private(set) var talk: LockTalk?
    /// The words of PAM in the present attempt.
    public private(set) var words: [String] = []
    /// How many of the first of them are of the attempt before.
    private var stale = 0
    public private(set) var trouble: Trouble?
    /// Wrong tries since a right one.
    public private(set) var failures = 0
    /// Until when no further try is taken.
    public private(set) var until: Moment?
    /// Whether the talk that let a person in had got an answer.
    public private(set) var wasAnswered = false
    /// The number of wrong tries that the next shell was told.
    private var told = 0
    /// The answer that waits for PAM to ask.
    private var waiting: Secret?
    /// Since when PAM works on an answer, or the helper starts.
    private var worksSince: Moment?
    /// The notification for which a person unlocks.
    public private(set) var notice: UInt32?
    public private(set) var lastNumber: UInt64 = 0
    private var lastUse = Moment.zero
    /// The moment for which a timer runs, and the last one at which the rest of a wait was drawn.
    private var awaited: Moment?, drawn = Moment.zero

    public enum Trouble: String, Hashable, Codable, Sendable, CaseIterable {
        /// The answers were wrong.
        case wrong
        /// The account may not be used now.
        case closed
        /// The password has expired, and cannot be changed here.
        case outdated
        /// Passwords cannot be checked.
        case broken
        /// PAM takes long.
        case slow
    }

    /// From so many wrong tries on, a person waits.
    public static let free = 3
    /// Seconds to wait after the third wrong try, the fourth, and so on.
    static let pauses = [5.0, 15, 30, 60, 300]
    /// Seconds without use after which the clock comes back.
    public static let patience = 30.0
    /// Seconds after which a person is told that PAM takes long.
    public static let slow = 8.0
    /// Bytes of an answer. PAM takes 511 and a zero.
    public static let longest = 511
    /// Texts of PAM that are shown, and those after which it is taken for broken.
    static let shownWords = 4, mostTexts = 64, mostQuestions = 32
    /// Signs of one text that are shown.
    static let longestWords = 300

    public init() {}

    public enum Event: Hashable, Sendable {
        /// The shell before this one counted so many wrong tries.
        case triedBefore(Int)
        /// The shell is the locker now.
        case begins
        /// The session is open, or another locker has it.
        case ends
        case act(LockAct)
        /// A program holds up the end of the machine's work.
        case heldUp
        case typed(String)
        case talk(UInt64, TalkEvent)
        /// The reader knows the finger of the person.
        case fingerMatches
        /// A finger, a key or the pointer was used.
        case used
        case timeIsUp
    }

    public enum Outcome: Hashable, Sendable {
        /// Start the helper for this attempt. `byFinger`: it asks for no password.
        case start(UInt64, byFinger: Bool)
        case answer(UInt64, Secret)
        /// End the helper of this attempt.
        case stop(UInt64)
        /// The session may be opened.
        case unlock(isExpired: Bool)
        /// A person typed the name of an account.
        case named(Secret)
        /// Keep the number of wrong tries for the next shell.
        case keep(failures: Int)
        /// Real keyboards have this layout.
        case layout(Int)
        /// Tell the log.
        case log(String)
        case timer(Moment?)
        case changed
    }

    public struct Context: Hashable, Sendable {
        /// How many layouts the person has.
        public var layouts: Int
        /// Whether the field takes the name of a person, so that there is no talk yet.
        public var asksName: Bool
        /// The person for whom a greeter asks. nil: this is the session of one person.
        public var account: Secret?
        /// Whether a talk without an answer stays when a person goes back, because PAM counts its end as a wrong password.
        public var parksTalk: Bool

        public init(layouts: Int = 1, asksName: Bool = false, account: Secret? = nil, parksTalk: Bool = false) {
            self.layouts = layouts
            self.asksName = asksName
            self.account = account
            self.parksTalk = parksTalk
        }
    }

    /// Whether PAM asks for more than one answer, and has got one.
    public var asksMore: Bool { if case .asks = talk?.step { talk?.isAnswered ?? false } else { false } }

    /// Whether something typed has an effect.
    public var takesText: Bool { isUp && until == nil && !isWorking }

    /// Whether an answer is on its way, or PAM works on it.
    public var isWorking: Bool { waiting != nil || talk?.step == .works }

    /// Whether the session can be tried now.
    public var canSubmit: Bool { takesText && !field.isEmpty }

    /// Seconds until a person may try again.
    public func remaining(at now: Moment) -> Int? { until.map { max(1, Int(clamping: ($0 - now).rounded(.up))) } }

    // MARK: Events

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        let before = self
        var out = take(event, context, at: now)
        if self != before { out.append(.changed) }
        let next = due
        if next != awaited {
            awaited = next
            // Before the session opens, which stops it.
            out.insert(.timer(next), at: 0)
        }
        return out
    }

    private mutating func take(_ event: Event, _ context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .triedBefore(let count):
            if !isUp { (failures, told) = (max(0, count), max(0, count)) }
            return []
        case .begins:
            guard !isUp else { return [] }
            isUp = true
            lastUse = now
            // A wait that another shell began, begins anew: no clock tells how much of it is left.
            if failures >= Self.free { until = now + pause }
            return []
        case .ends:
            guard isUp else { return [] }
            let out = close(Context())
            let before = self
            self = LockScreen()
            // Its timer still runs.
            (lastNumber, layout, awaited) = (before.lastNumber, before.layout, before.awaited)
            return out
        case .used:
            lastUse = now
            return []
        case .act(let act): return isUp ? carryOut(act, context, at: now) : []
        case .heldUp:
            isHeldUp = showsEnds
            return []
        case .typed(let text):
            guard isUp else { return [] }
            lastUse = now
            return open(context, at: now) + write(text)
        case .talk(let number, let event):
            guard let talk, talk.number == number else { return [] }
            return hear(event, talk, context, at: now)
        case .fingerMatches:
            guard isUp else { return [] }
            // An answer that is on its way stays a try.
            let out = stopTalk(at: now)
            (field, waiting) = (Secret(), nil)
            return out + begin(context, byFinger: true, at: now)
        case .timeIsUp: return timeIsUp(context, at: now)
        }
    }

    private mutating func carryOut(_ act: LockAct, _ context: Context, at now: Moment) -> [Outcome] {
        lastUse = now
        switch act {
        case .lock: return []
        case .open: return open(context, at: now)
        case .openNotice(let number):
            notice = number
            return open(context, at: now)
        case .close: return close(context)
        case .type(let text):
            defer { isShifted = false }
            return open(context, at: now) + write(text)
        case .erase:
            guard takesText else { return [] }
            field = Secret(String(field.text.dropLast()))
            return []
        case .submit: return submit(context, at: now)
        case .reveal: isRevealed.toggle()
        case .shift: isShifted.toggle()
        case .keys(let keys):
            self.keys = keys
            isShifted = false
        case .nextLayout:
            guard context.layouts > 1 else { return [] }
            layout = (layout + 1) % context.layouts
            return [.layout(layout)]
        case .ends:
            let out = close(context)
            showsEnds = true
            return out
        case .end: isHeldUp = false
        case .greet, .over, .back: return []
        }
        return []
    }

    /// Shows the field, and begins an attempt: an account without a password is open then.
    private mutating func open(_ context: Context, at now: Moment) -> [Outcome] {
        if !isOpen { drawn = now }
        (isOpen, showsEnds, isHeldUp) = (true, false, false)
        guard until == nil, !context.asksName, talk == nil || talk?.account != context.account else { return [] }
        // A talk that was left open, for another person.
        let out = stopTalk(at: now)
        return out + begin(context, at: now)
    }

    private mutating func begin(_ context: Context, byFinger: Bool = false, at now: Moment) -> [Outcome] {
        lastNumber += 1
        talk = LockTalk(number: lastNumber)
        (talk!.isByFinger, talk!.account) = (byFinger, context.account)
        (words, stale) = ([], 0)
        worksSince = now
        return [.start(lastNumber, byFinger: byFinger)]
    }

    private mutating func stopTalk(at now: Moment? = nil) -> [Outcome] {
        guard let talk else { return [] }
        return [.stop(talk.number)] + (talk.isAnswered ? countFailure(at: now) : [])
    }

    /// Back to the clock. An attempt with an answer counts as a wrong one, so that it cannot be taken back before PAM says so.
    private mutating func close(_ context: Context) -> [Outcome] {
        var out: [Outcome] = []
        if context.parksTalk, let talk, !talk.isAnswered, case .asks = talk.step {
            waiting = nil
        } else {
            out = stopTalk()
            (talk, waiting, worksSince) = (nil, nil, nil)
        }
        (field, isRevealed, isShifted, isOpen) = (Secret(), false, false, false)
        (showsEnds, isHeldUp, notice) = (false, false, nil)
        // The words of an open talk stay, and those of the try before it go.
        words = talk == nil ? [] : Array(words.dropFirst(stale))
        (stale, trouble) = (0, nil)
        return out
    }

    private mutating func write(_ text: String) -> [Outcome] {
        // Keys during the work of PAM are dropped: they would land in the app after the unlocking.
        guard takesText else { return [] }
        let clean = String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f })
        guard !clean.isEmpty, field.text.utf8.count + clean.utf8.count <= Self.longest else { return [] }
        field = Secret(field.text + clean)
        if trouble == .wrong { trouble = nil }
        return []
    }

    private mutating func submit(_ context: Context, at now: Moment) -> [Outcome] {
        // An empty field is never sent: it counts as a wrong try with pam_faillock.
        guard canSubmit else { return [] }
        let answer = field
        (field, isRevealed, isShifted) = (Secret(), false, false)
        guard !context.asksName else { return [.named(answer)] }
        worksSince = now
        guard let talk else {
            waiting = answer
            (isOpen, showsEnds, isHeldUp) = (true, false, false)
            return begin(context, at: now)
        }
        guard case .asks = talk.step else {
            waiting = answer
            return []
        }
        return send(answer)
    }

    private mutating func send(_ answer: Secret) -> [Outcome] {
        guard let number = talk?.number else { return [] }
        talk?.step = .works
        talk?.isAnswered = true
        waiting = nil
        // Words of the try before say nothing of this one.
        words.removeFirst(stale)
        stale = 0
        // A kill of the shell takes no try back either.
        told = failures + 1
        return [.keep(failures: told), .answer(number, answer)]
    }

    // MARK: PAM

    private mutating func hear(_ event: TalkEvent, _ talk: LockTalk, _ context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .asks(let prompt, let isShown):
            self.talk?.questions += 1
            guard talk.questions < Self.mostQuestions else { return breakOff("PAM asks without end", talk, context, at: now) }
            if case .asks = talk.step { return breakOff("the helper asks twice at once", talk, context, at: now) }
            self.talk?.step = .asks(Self.line(prompt), isShown: isShown)
            worksSince = nil
            if trouble == .slow { trouble = nil }
            guard let waiting else { return [] }
            worksSince = now
            return send(waiting)
        case .says(let text, _):
            self.talk?.texts += 1
            if talk.isAnswered { self.talk?.hasReason = true }
            guard talk.texts < Self.mostTexts else { return breakOff("PAM talks without end", talk, context, at: now) }
            let line = Self.line(text)
            guard !line.isEmpty else { return [] }
            if let said = words.firstIndex(of: line) {
                words.remove(at: said)
                if said < stale { stale -= 1 }
            }
            words.append(line)
            if words.count > Self.shownWords {
                words.removeFirst()
                stale = max(0, stale - 1)
            }
            return []
        case .ends(let end): return ends(end, talk, context, at: now)
        }
    }

    private mutating func breakOff(_ why: String, _ talk: LockTalk, _ context: Context, at now: Moment) -> [Outcome] {
        [.stop(talk.number)] + ends(.broken(why), talk, context, at: now)
    }

    private mutating func ends(_ end: TalkEnd, _ talk: LockTalk, _ context: Context, at now: Moment) -> [Outcome] {
        (self.talk, waiting, worksSince) = (nil, nil, nil)
        (field, isRevealed) = (Secret(), false)
        // It was left open, and no person waits for it.
        if !isOpen, !talk.isByFinger, !talk.isAnswered, context.parksTalk {
            (words, stale) = ([], 0)
            return []
        }
        // The words for what went wrong are at the field.
        if talk.isByFinger, end != .allowed, end != .expired { (isOpen, showsEnds) = (true, false) }
        switch end {
        case .allowed, .expired:
            (failures, told, wasAnswered) = (0, 0, talk.isAnswered)
            trouble = nil
            return [.keep(failures: 0), .unlock(isExpired: end == .expired)]
        // Without an answer it was no try: PAM lets this account in at no time, or not now.
        case .refused where !talk.isAnswered:
            trouble = .closed
            return []
        case .refused:
            // greetd says no more of an account that has expired, and its password may be right: PAM's own words do.
            trouble = context.parksTalk && talk.hasReason ? nil : .wrong
            return countFailure(at: now) + (until == nil && isOpen ? again(context, at: now) : [])
        case .outdated:
            trouble = .outdated
            // It was the right password.
            (failures, told) = (0, 0)
            return [.keep(failures: 0)]
        case .closed:
            trouble = .closed
            return talk.isAnswered ? countFailure(at: now) : []
        case .broken(let why):
            trouble = .broken
            // A helper that dies takes no try back.
            return [.log(why)] + (talk.isAnswered ? countFailure(at: now) : [])
        }
    }

    /// A new attempt after a wrong one. The words of the last one stay in sight until PAM says something else.
    private mutating func again(_ context: Context, at now: Moment) -> [Outcome] {
        let kept = words
        let out = begin(context, at: now)
        (words, stale) = (kept, kept.count)
        return out
    }

    private mutating func countFailure(at now: Moment? = nil) -> [Outcome] {
        failures += 1
        if failures >= Self.free { until = (now ?? lastUse) + pause }
        guard told != failures else { return [] }
        told = failures
        return [.keep(failures: failures)]
    }

    private var pause: Double { Self.pauses[min(max(0, failures - Self.free), Self.pauses.count - 1)] }

    private static func line(_ text: String) -> String { text.oneLine(longestWords) }

    // MARK: Time

    private var due: Moment? {
        guard isUp else { return nil }
        var all: [Moment] = []
        if let until { all.append(isOpen ? min(until, drawn + 1) : until) }
        if isOpen || showsEnds, !isWorking { all.append(lastUse + Self.patience) }
        if let worksSince, trouble != .slow { all.append(worksSince + Self.slow) }
        return all.min()
    }

    private mutating func timeIsUp(_ context: Context, at now: Moment) -> [Outcome] {
        (awaited, drawn) = (nil, now)
        var out: [Outcome] = []
        if let until, until <= now {
            self.until = nil
            if trouble == .wrong { trouble = nil }
            if isOpen, talk == nil, !context.asksName { out += again(context, at: now) }
        }
        if let worksSince, worksSince + Self.slow <= now { trouble = .slow }
        if isOpen || showsEnds, !isWorking, lastUse + Self.patience <= now { out += close(context) }
        return out
    }

    // MARK: Invariants

    public func violations(in context: Context) -> [String] {
        var found: [String] = []
        if isOpen && showsEnds || isHeldUp && !showsEnds { found.append("X-10: two pages of the lock screen at once") }
        if notice != nil, !isOpen { found.append("X-10: a person unlocks for a notification, and there is no field") }
        if !isUp, talk != nil || !field.isEmpty || waiting != nil || isOpen || showsEnds {
            found.append("X-10: the lock screen is at work, and not up")
        }
        if waiting != nil, talk == nil { found.append("X-10: a password waits, and nothing asks for it") }
        if until != nil, talk?.isAnswered ?? false { found.append("X-10: a try is under way while a person has to wait") }
        if worksSince != nil, talk == nil { found.append("X-10: the shell waits for no talk") }
        if field.text.utf8.count > Self.longest { found.append("X-10: the field is too long for PAM") }
        return found
    }
}
