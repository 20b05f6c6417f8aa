import Geometry
import Locking
import Status
import Testing
import Windows

/// A lock screen, what it asked for, and a PAM that says what a test tells it.
private struct World {
    var screen = LockScreen()
    var timer: Moment?
    var running: UInt64?
    var answers: [Secret] = []
    var kept: [Int] = []
    var unlocked: [Bool] = []
    var now = Moment.zero + 100
    var context = LockScreen.Context(layouts: 2)

    mutating func send(_ event: LockScreen.Event) {
        for outcome in screen.handle(event, in: context, at: now) {
            switch outcome {
            case .start(let number, _):
                #expect(running == nil, "two helpers at once")
                running = number
            case .answer(let number, let secret):
                #expect(running == number && !secret.isEmpty, "X-10: an empty field is sent, or no helper asked")
                answers.append(secret)
            case .stop(let number):
                #expect(running == number)
                running = nil
            case .keep(let failures): kept.append(failures)
            case .unlock(let isExpired):
                unlocked.append(isExpired)
                send(.ends)
            case .timer(let moment): timer = moment
            case .layout, .log, .changed, .named: break
            }
        }
        #expect(screen.violations(in: LockScreen.Context()) == [])
    }

    mutating func talk(_ event: TalkEvent) {
        guard let number = running else { return }
        if case .ends = event { running = nil }
        send(.talk(number, event))
    }

    mutating func type(_ text: String) { for letter in text { send(.typed(String(letter))) } }

    mutating func wait(_ seconds: Double) {
        let end = now + seconds
        while let due = timer, due <= end {
            now = max(now, due)
            timer = nil
            send(.timeIsUp)
        }
        now = end
    }

    /// A person types a password, and PAM says no.
    mutating func fails() {
        send(.act(.open))
        talk(.asks("Password: ", isShown: false))
        type("wrong")
        send(.act(.submit))
        talk(.ends(.refused))
    }

    static func up() -> World {
        var world = World()
        world.send(.begins)
        return world
    }
}

@Suite("X-10: the lock screen of the shell") struct LockScreenTests {
    @Test("a right password opens the session, and nothing else does")
    func opens() {
        var world = World.up()
        world.type("sesame")
        #expect(world.screen.isOpen && world.running != nil)
        world.talk(.asks("Password: ", isShown: false))
        world.send(.act(.submit))
        #expect(world.answers == [Secret("sesame")] && world.unlocked.isEmpty)
        world.talk(.ends(.allowed))
        #expect(world.unlocked == [false] && world.kept.last == 0 && !world.screen.isUp)
    }

    @Test("an answer waits for a helper that has not asked yet, and is sent once")
    func early() {
        var world = World.up()
        world.type("sesame")
        world.send(.act(.submit))
        #expect(world.answers.isEmpty && world.screen.isWorking)
        world.talk(.asks("Password: ", isShown: false))
        #expect(world.answers == [Secret("sesame")])
        world.talk(.asks("Code: ", isShown: true))
        #expect(world.answers.count == 1 && !world.screen.isWorking, "the second question has its own answer")
    }

    @Test("an empty field is never sent, and keys during the work of PAM are dropped")
    func dropped() {
        var world = World.up()
        world.send(.act(.open))
        world.talk(.asks("Password: ", isShown: false))
        world.send(.act(.submit))
        #expect(world.answers.isEmpty)
        world.type("a")
        world.send(.act(.submit))
        world.type("more")
        world.send(.act(.submit))
        #expect(world.answers == [Secret("a")] && world.screen.field.isEmpty)
    }

    @Test("three wrong tries wait, each further one longer, and a try in the wait is not taken")
    func waits() {
        var world = World.up(), waits: [Int] = []
        for _ in 0..<8 {
            world.fails()
            waits.append(world.screen.remaining(at: world.now) ?? 0)
            if world.screen.until != nil {
                world.type("more")
                world.send(.act(.submit))
                #expect(world.running == nil)
            }
            world.wait(Double(waits.last!))
            world.send(.act(.close))
        }
        #expect(waits == [0, 0, 5, 15, 30, 60, 300, 300])
        #expect(world.kept == Array(1...8) && world.unlocked.isEmpty, "each try is kept once, before PAM answers")
    }

    @Test("the count is kept over a restart, and the wait begins anew")
    func kept() {
        var world = World()
        world.send(.triedBefore(4))
        world.send(.begins)
        #expect(world.screen.remaining(at: world.now) == 15)
        world.send(.act(.open))
        #expect(world.running == nil && world.screen.isOpen)
        world.wait(15)
        #expect(world.running != nil, "the field is in sight, so the next attempt begins by itself")
    }

    @Test("going back while PAM works counts as a wrong try, and so does a helper that dies after an answer")
    func takenBack() {
        var world = World.up()
        for step in 1...2 {
            world.type("guess")
            world.talk(.asks("Password: ", isShown: false))
            world.send(.act(.submit))
            if step == 1 { world.send(.act(.close)) } else { world.talk(.ends(.broken("the helper has ended"))) }
            #expect(world.kept.last == step && world.unlocked.isEmpty)
        }
        // One that dies before an answer takes no try.
        world.send(.act(.close))
        world.send(.act(.open))
        world.talk(.ends(.broken("the helper has ended")))
        #expect(world.kept.last == 2 && world.screen.trouble == .broken)
    }

    @Test("a PAM that refuses without a question takes no try, and is not asked again and again")
    func refusesUnasked() {
        var world = World.up()
        world.send(.act(.open))
        world.talk(.ends(.refused))
        #expect(world.kept.isEmpty && world.running == nil && world.screen.trouble == .closed && world.screen.until == nil)
        world.wait(20)
        #expect(world.kept.isEmpty)
    }

    @Test("a try is kept before PAM answers, so that a kill of the shell takes none back")
    func keptBefore() {
        var world = World.up()
        world.type("guess")
        world.talk(.asks("Password: ", isShown: false))
        world.send(.act(.submit))
        #expect(world.kept == [1] && world.screen.failures == 0)
        world.talk(.asks("Code: ", isShown: true))
        #expect(world.screen.asksMore)
    }

    @Test("PAM's words are shown on one line each, the last four of them, without signs that turn the text")
    func words() {
        var world = World.up()
        world.send(.act(.open))
        for number in 1...6 { world.talk(.says("The account is locked\n\u{202e}\(number)", isTrouble: true)) }
        #expect(world.screen.words == (3...6).map { "The account is locked \($0)" })
    }

    @Test("a word is shown once, and words of a try before go with the next answer")
    func oneWord() {
        var world = World.up()
        world.send(.act(.open))
        world.talk(.says("Property of Example Ltd.", isTrouble: false))
        func fails(_ word: String) {
            world.talk(.asks("Password: ", isShown: false))
            world.type("guess")
            world.send(.act(.submit))
            world.talk(.says(word, isTrouble: true))
            world.talk(.ends(.refused))
        }
        fails("2 tries are left")
        #expect(world.screen.words == ["Property of Example Ltd.", "2 tries are left"] && world.screen.trouble == .wrong)
        world.talk(.says("Property of Example Ltd.", isTrouble: false))
        #expect(world.screen.words == ["2 tries are left", "Property of Example Ltd."])
        fails("1 try is left")
        #expect(world.screen.words == ["Property of Example Ltd.", "1 try is left"])
    }

    @Test("in a greeter a talk without an answer stays for its person, and a right password that has expired is no wrong try")
    func parked() {
        var world = World.up()
        world.context = LockScreen.Context(account: Secret("ann"), parksTalk: true)
        func open(_ name: String) {
            world.context.account = Secret(name)
            world.send(.act(.open))
        }
        open("ann")
        world.talk(.says("Welcome", isTrouble: false))
        world.talk(.asks("Password: ", isShown: false))
        let first = world.running
        for _ in 0..<3 {
            world.send(.typed("half"))
            world.send(.act(.close))
            #expect(world.running == first && !world.screen.isOpen && world.screen.field.isEmpty)
            open("ann")
        }
        #expect(world.running == first && world.screen.words == ["Welcome"] && world.kept.isEmpty)
        world.send(.act(.close))
        open("ben")
        #expect(world.running != first && world.screen.words.isEmpty)
        world.talk(.asks("Password: ", isShown: false))
        world.send(.act(.close))
        // greetd ends it while no person waits for it.
        world.talk(.ends(.refused))
        #expect(world.screen.trouble == nil && world.kept.isEmpty)
        open("ben")
        world.talk(.asks("Password: ", isShown: false))
        world.send(.typed("old"))
        world.send(.act(.submit))
        world.talk(.ends(.outdated))
        #expect(world.screen.trouble == .outdated && world.kept.last == 0 && world.unlocked.isEmpty && world.screen.failures == 0)
    }

    @Test("in a greeter PAM's own words stand alone for a refusal, and a later visit does not read them")
    func reasons() {
        var world = World.up()
        world.context = LockScreen.Context(account: Secret("ann"), parksTalk: true)
        func fails(_ word: String?) {
            world.talk(.asks("Password: ", isShown: false))
            world.type("guess")
            world.send(.act(.submit))
            if let word { world.talk(.says(word, isTrouble: true)) }
            world.talk(.ends(.refused))
        }
        world.send(.act(.open))
        fails(nil)
        #expect(world.screen.trouble == .wrong && world.screen.words.isEmpty)
        fails("Your account has expired")
        #expect(world.screen.trouble == nil && world.screen.words == ["Your account has expired"] && world.screen.failures == 2)
        world.talk(.asks("Password: ", isShown: false))
        world.send(.act(.close))
        world.send(.act(.open))
        #expect(world.screen.words.isEmpty)
    }

    @Test("a module that talks or asks without end is taken for broken")
    func floods() {
        var world = World.up()
        world.send(.act(.open))
        for _ in 0..<200 { world.talk(.says("flood", isTrouble: false)) }
        #expect(world.running == nil && world.screen.trouble == .broken && world.screen.words.count <= 4)
        world.send(.act(.close))
        world.send(.act(.open))
        world.talk(.asks("a", isShown: false))
        world.talk(.asks("b", isShown: false))
        #expect(world.running == nil && world.screen.trouble == .broken, "two questions without an answer between them")
    }

    @Test("a PAM that hangs is told of after eight seconds, and a person gets away from it")
    func hangs() {
        var world = World.up()
        world.type("a")
        world.talk(.asks("Password: ", isShown: false))
        world.send(.act(.submit))
        world.wait(7)
        #expect(world.screen.trouble == nil)
        world.wait(2)
        #expect(world.screen.trouble == .slow)
        world.send(.act(.close))
        #expect(world.running == nil && !world.screen.isOpen)
    }

    @Test("the clock comes back after half a minute, and the field is empty then")
    func leaves() {
        var world = World.up()
        world.type("half a pass")
        world.talk(.asks("Password: ", isShown: false))
        world.wait(29)
        #expect(world.screen.isOpen)
        world.wait(2)
        #expect(!world.screen.isOpen && world.screen.field.isEmpty && world.running == nil)
    }

    @Test("an expired password opens the session and says so; a closed account does not open it")
    func ends() {
        var world = World.up()
        world.type("a")
        world.talk(.asks("", isShown: false))
        world.send(.act(.submit))
        world.talk(.ends(.closed))
        #expect(world.unlocked.isEmpty && world.screen.trouble == .closed)
        world.send(.act(.close))
        world.type("a")
        world.talk(.asks("", isShown: false))
        world.send(.act(.submit))
        world.talk(.ends(.expired))
        #expect(world.unlocked == [true])
    }

    @Test("an account without a password is open at the first touch")
    func noPassword() {
        var world = World.up()
        world.send(.act(.open))
        world.talk(.ends(.allowed))
        #expect(world.unlocked == [false])
    }

    @Test("words of an attempt that is over change nothing")
    func late() throws {
        var world = World.up()
        world.type("a")
        let old = try #require(world.running)
        world.send(.act(.close))
        world.send(.talk(old, .ends(.allowed)))
        #expect(world.unlocked.isEmpty && world.screen.isUp)
    }

    private enum Step: CaseIterable { case type, submit, open, close, asks, allowed, refused, broken, wait, again }

    private func apply(_ step: Step, _ world: inout World) {
        let wasRunning = world.running != nil, before = world.unlocked.count
        switch step {
        case .type: world.type("x")
        case .submit: world.send(.act(.submit))
        case .open: world.send(.act(.open))
        case .close: world.send(.act(.close))
        case .asks: world.talk(.asks("Password: ", isShown: false))
        case .allowed: world.talk(.ends(.allowed))
        case .refused: world.talk(.ends(.refused))
        case .broken: world.talk(.ends(.broken("dead")))
        case .wait: world.wait(40)
        case .again:
            world.send(.ends)
            world.send(.begins)
        }
        #expect(world.unlocked.count == before + (step == .allowed && wasRunning ? 1 : 0))
        if !world.screen.isUp { world.send(.begins) }
    }

    private func walk(_ world: World, _ depth: Int) {
        guard depth > 0 else { return }
        for step in Step.allCases {
            var next = world
            apply(step, &next)
            walk(next, depth - 1)
        }
    }

    @Test("every sequence of four events keeps the invariants, and only PAM's word opens")
    func sequences() { walk(World.up(), 4) }
}

@Suite("X-10: fingers on the lock screen") struct LockHandsTests {
    private let context = LockHands.Context(list: Rect(0, 100, 400, 200), length: 300)

    @Test("a tap presses the control where it began and ended; a drag presses nothing")
    func taps() {
        var hands = LockHands()
        _ = hands.handle(.down(1, at: Point(10, 500), control: "lock/open"), in: context, at: .zero)
        #expect(hands.handle(.up(1, control: "lock/open"), in: context, at: .zero) == [.marks(nil), .presses("lock/open")])
        _ = hands.handle(.down(1, at: Point(10, 500), control: "lock/open"), in: context, at: .zero)
        #expect(hands.handle(.up(1, control: "lock/close"), in: context, at: .zero) == [.marks(nil)])
        _ = hands.handle(.down(1, at: Point(10, 500), control: "lock/open"), in: context, at: .zero)
        _ = hands.handle(.moved(1, to: Point(60, 500)), in: context, at: .zero)
        #expect(hands.handle(.up(1, control: "lock/open"), in: context, at: .zero) == [])
    }

    @Test("two thumbs on keys press both, in their order")
    func thumbs() {
        var hands = LockHands()
        _ = hands.handle(.down(1, at: Point(10, 500), control: "lock/key/a"), in: context, at: .zero)
        let second = hands.handle(.down(2, at: Point(200, 500), control: "lock/key/b"), in: context, at: .zero)
        #expect(second == [.presses("lock/key/a"), .marks("lock/key/b")])
        #expect(hands.handle(.up(1, control: "lock/key/a"), in: context, at: .zero) == [])
        #expect(hands.handle(.up(2, control: "lock/key/b"), in: context, at: .zero) == [.marks(nil), .presses("lock/key/b")])
    }

    @Test("a swipe up opens, one on the list scrolls it within its length")
    func swipes() {
        var hands = LockHands()
        _ = hands.handle(.down(1, at: Point(10, 500), control: nil), in: context, at: .zero)
        _ = hands.handle(.moved(1, to: Point(10, 400)), in: context, at: .zero)
        #expect(hands.handle(.up(1, control: nil), in: context, at: .zero) == [.swipes(up: true)])
        _ = hands.handle(.down(1, at: Point(10, 250), control: nil), in: context, at: .zero)
        #expect(hands.handle(.moved(1, to: Point(10, 150)), in: context, at: .zero).last == .scrolls)
        #expect(hands.scroll == 100)
        _ = hands.handle(.moved(1, to: Point(10, -900)), in: context, at: .zero)
        #expect(hands.scroll == 300)
        #expect(hands.handle(.up(1, control: nil), in: context, at: .zero) == [])
    }
}
