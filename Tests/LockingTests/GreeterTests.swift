import Geometry
import Locking
import Status
import Testing
import Windows

/// A greeter, and what it asked for.
private struct Desk {
    var greeter = Greeter()
    var out: [Greeter.Outcome] = []
    var timer: Moment?
    var now = Moment.zero + 100

    mutating func send(_ event: Greeter.Event) {
        out = greeter.handle(event, at: now)
        for case .timer(let moment) in out { timer = moment }
        out.removeAll { if case .timer = $0 { true } else { $0 == .changed } }
        #expect(greeter.violations() == [])
    }

    mutating func wait(_ seconds: Double) {
        now = now + seconds
        guard let due = timer, due <= now else { return }
        timer = nil
        send(.timeIsUp)
    }

    static let sway = GreeterSession(id: "sway", title: "Sway", command: ["sway"])
    static let mullion = GreeterSession(id: "mullion", title: "Mullion", command: ["mullion-session"], desktops: ["Mullion"])
    static let ann = GreeterPerson(name: "ann", title: "Ann Example"), ben = GreeterPerson(name: "ben", title: "Ben Example")

    static func with(_ people: [GreeterPerson], _ memory: GreeterMemory = GreeterMemory()) -> Desk {
        var desk = Desk()
        desk.send(.outside(.begins))
        #expect(desk.out == [.lock])
        desk.send(.outside(.found(GreeterFacts(people: people, sessions: [sway, mullion], memory: memory, hasReader: true))))
        return desk
    }
}

@Suite("X-10: the greeter") struct GreeterTests {
    @Test("a person is chosen, let in, and greetd starts the session; what was chosen is kept")
    func logsIn() {
        var desk = Desk.with([Desk.ann, Desk.ben])
        #expect(desk.out.isEmpty && desk.greeter.account == nil)
        desk.send(.act(.session("sway")))
        desk.send(.act(.person("ben")))
        #expect(desk.out == [.ask] && desk.greeter.account == Secret("ben"))
        desk.send(.allowed(3, isAnswered: true))
        #expect(desk.out == [.drop, .start(3, Desk.sway)] && !desk.greeter.takesText)
        desk.send(.outside(.started(2)))
        #expect(desk.out.isEmpty, "the answer of another attempt")
        desk.send(.outside(.started(3)))
        var memory = GreeterMemory()
        (memory.person, memory.sessions) = ("ben", ["ben": "sway"])
        #expect(desk.out == [.keep(memory), .ends])
        desk.send(.back)
        #expect(desk.out.isEmpty, "nothing takes a session back")
    }

    @Test("each person has the session of the last time, and else Mullion")
    func sessions() {
        var memory = GreeterMemory()
        (memory.person, memory.sessions) = ("ann", ["ann": "sway", "ben": "gone"])
        var desk = Desk.with([Desk.ann, Desk.ben], memory)
        #expect(desk.greeter.front == Desk.ann && desk.greeter.session == Desk.sway)
        desk.send(.act(.person("ben")))
        #expect(desk.greeter.session == Desk.mullion)
        desk.send(.act(.session("nothing")))
        #expect(desk.greeter.session == Desk.mullion)
    }

    @Test("the only person is asked at once; a login without a question needs an act of a person")
    func alone() {
        var desk = Desk.with([Desk.ann])
        #expect(desk.out == [.ask])
        desk.send(.allowed(1, isAnswered: false))
        #expect(desk.out == [.stop(1), .drop] && desk.greeter.person == nil)
        desk.send(.opens)
        #expect(desk.out == [.ask])
        desk.send(.allowed(2, isAnswered: false))
        #expect(desk.out == [.drop, .start(2, Desk.mullion)])
        #expect(Desk.with([Desk.ann, Desk.ben]).out.isEmpty)
    }

    @Test("a name that is typed is a secret, and is asked like any other")
    func other() {
        var desk = Desk.with([Desk.ann, Desk.ben])
        desk.send(.act(.other))
        #expect(desk.out == [.ask] && desk.greeter.asksName && desk.greeter.account == nil)
        desk.send(.named(Secret("")))
        #expect(desk.out.isEmpty && desk.greeter.asksName)
        desk.send(.named(Secret("carl")))
        #expect(desk.out == [.ask] && desk.greeter.account == Secret("carl"))
        desk.send(.allowed(4, isAnswered: true))
        desk.send(.outside(.started(4)))
        #expect(desk.out == [.keep(GreeterMemory()), .ends], "its name is kept nowhere")
    }

    @Test("a start that fails says so, one that takes long too, and both lead back")
    func failing() {
        var desk = Desk.with([Desk.ann, Desk.ben])
        desk.send(.act(.person("ann")))
        desk.send(.allowed(1, isAnswered: true))
        desk.send(.outside(.refused(1, "no\nseat")))
        #expect(desk.out == [.stop(1)] && desk.greeter.trouble == "no seat" && desk.greeter.starting == nil)
        desk.send(.act(.person("ann")))
        #expect(desk.greeter.trouble == nil)
        desk.send(.allowed(2, isAnswered: true))
        desk.wait(7)
        #expect(desk.greeter.starting?.isSlow == false)
        desk.wait(1)
        #expect(desk.greeter.starting?.isSlow == true)
        desk.send(.back)
        #expect(desk.out == [.stop(2)] && desk.greeter.starting == nil)
        desk.send(.outside(.started(2)))
        #expect(desk.out.isEmpty, "it was taken back")
    }

    @Test("nothing happens without begins, and nothing before a person")
    func off() {
        var desk = Desk()
        for event in [Greeter.Event.act(.person("ann")), .opens, .allowed(1, isAnswered: true), .outside(.started(1)), .back] {
            desk.send(event)
            #expect(desk.out.isEmpty && !desk.greeter.isOn)
        }
        desk = Desk.with([Desk.ann, Desk.ben])
        desk.send(.allowed(1, isAnswered: true))
        #expect(desk.out == [.stop(1), .drop])
        desk.send(.act(.person("root")))
        #expect(desk.out.isEmpty && desk.greeter.person == nil)
    }

    @Test("X-05: text size, contrast, the reader and keys are kept, and hold at the next start")
    func aids() {
        var desk = Desk.with([Desk.ann, Desk.ben])
        for act in [GreetAct.textSize, .contrast, .reader, .keys] { desk.send(.act(act)) }
        let memory = desk.greeter.memory
        #expect(memory.textScale == 1.5 && memory.isContrasted && memory.readsAloud && memory.showsKeys)
        desk = Desk.with([Desk.ann, Desk.ben], memory)
        #expect(desk.out == [.prefer(.textSize(1.5)), .prefer(.increasedContrast(true)), .prefer(.lock(.keys(.letters))), .read(true)])
        desk.send(.outside(.readerEnded))
        #expect(!desk.greeter.isReading)
    }

    @Test("pages stand over the people, and back leads from them")
    func pages() {
        var desk = Desk.with([Desk.ann, Desk.ben])
        for page in GreetPage.allCases where page != .people {
            desk.send(.act(.page(page)))
            #expect(desk.greeter.page == page && !desk.greeter.takesText)
            desk.send(.back)
            #expect(desk.greeter.page == .people && desk.out.isEmpty)
        }
        desk.send(.act(.end(.restart)))
        #expect(desk.out == [.end(.restart)])
    }
}
