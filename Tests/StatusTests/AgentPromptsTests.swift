import Foundation
import Geometry
import Status
import Testing

/// The room with its surroundings: what its outcomes said, as `System` and the adapter carry them out.
private struct World: Hashable {
    var prompts = AgentPrompts()
    var isOpen = true
    /// The alert in sight.
    var alert: UInt64?
    /// Questions whose askers wait, and how often each ended.
    var waiting: Set<UInt64> = []
    var ends: [UInt64: Int] = [:]
    /// Those whose service was told that it is their turn.
    var begun: Set<UInt64> = []
    var answers: [PromptAnswer] = []
    var last: UInt64 = 0

    mutating func send(_ event: AgentPrompts.Event) {
        for outcome in prompts.handle(event, in: isOpen, at: .zero) {
            switch outcome {
            case .changed, .empties, .refuse: break
            case .shows(let id):
                #expect(alert == nil, "one is live at a time")
                alert = id
            case .hides(let id):
                #expect(alert == id)
                alert = nil
            case .effect(.begins(let id)):
                #expect(isOpen && begun.insert(id).inserted)
            case .effect(.rests(let id)): #expect(begun.remove(id) != nil)
            case .effect(.identity): break
            case .effect(.answer(let id, let answer)):
                #expect(waiting.contains(id), "nobody waits for it")
                answers = [answer]
                if answer == .cancelled || answer == .refused || isOneShot(id) { end(id) }
            }
        }
        #expect(prompts.violations(in: isOpen) == [])
        #expect(alert == prompts.liveID)
        #expect(isOpen || alert == nil, "nothing is shown over a lock")
        #expect(prompts.count == waiting.count)
    }

    /// Odd ones end with their answer.
    private func isOneShot(_ id: UInt64) -> Bool { id % 2 == 1 }

    private mutating func end(_ id: UInt64) {
        waiting.remove(id)
        begun.remove(id)
        ends[id, default: 0] += 1
    }

    mutating func ask(_ kind: AgentPrompt.Kind) {
        guard last < 3 else { return }
        last += 1
        waiting.insert(last)
        send(.asked(last, AgentPrompt(.program, kind, asker: .program("a\(last)"), endsWithAnswer: isOneShot(last))))
    }

    mutating func withdraw(_ id: UInt64?) {
        guard let id, waiting.contains(id) else { return }
        end(id)
        send(.ended(id))
    }

    static let moves: [@Sendable (inout World) -> Void] = [
        { $0.ask(.secret(isNew: false)) }, { $0.ask(.secret(isNew: true)) }, { $0.ask(.confirm) },
        { $0.send(.wish(.answer, words: Secret("a"), repeated: Secret("a"))) },
        { $0.send(.wish(.answer, words: Secret("a"), repeated: Secret())) },
        { $0.send(.wish(.answer, words: Secret(), repeated: Secret())) },
        { $0.send(.wish(.cancel, words: Secret(), repeated: Secret())) }, { $0.withdraw($0.waiting.min()) },
        { $0.withdraw($0.waiting.max()) },
        { world in
            world.isOpen.toggle()
            world.send(.settled)
        },
        { world in if let id = world.alert { world.send(.again(id, AgentPrompt(.program, .words, endsWithAnswer: id % 2 == 1))) } },
    ]
}

@Suite("X-10: questions of services and programs") struct AgentPromptsTests {
    @Test("every sequence of eight steps: one is live, each ends once, none is seen in a locked session, an empty field is never sent")
    func everySequence() {
        var seen: Set<World> = [World()], open = [World()]
        for _ in 0..<8 {
            var next: [World] = []
            for world in open {
                for move in World.moves {
                    var after = world
                    after.answers = []
                    move(&after)
                    #expect(after.ends.values.allSatisfy { $0 == 1 })
                    for case .words(let secret, _) in after.answers { #expect(!secret.isEmpty) }
                    // A question ends for a reason: the person, or its asker.
                    if seen.insert(after).inserted { next.append(after) }
                }
            }
            open = next
        }
        #expect(seen.count > 300)
    }

    private func asked(_ prompt: AgentPrompt) -> AgentPrompts {
        var prompts = AgentPrompts()
        _ = prompts.handle(.asked(1, prompt), in: true, at: .zero)
        return prompts
    }

    private func wish(_ act: PromptAct, _ words: String = "", _ repeated: String = "", in prompts: inout AgentPrompts) -> [AgentPrompts
        .Outcome]
    {
        prompts.handle(.wish(act, words: Secret(words), repeated: Secret(repeated)), in: true, at: .zero)
    }

    @Test("a wrong password: the question stays, says so, and its field is empty; meanwhile nothing can be sent")
    func wrong() {
        var prompts = asked(AgentPrompt(.authority, .secret(isNew: false), endsWithAnswer: false))
        #expect(
            wish(.answer, "guess", in: &prompts) == [.effect(.answer(1, .words(Secret("guess"), isTicked: false))), .empties, .changed])
        #expect(prompts.isWorking && prompts.liveID == 1)
        #expect(wish(.answer, "again", in: &prompts) == [.refuse("the last answer is being checked")])
        var again = AgentPrompt(.authority, .secret(isNew: false), warning: "2 attempts left", endsWithAnswer: false)
        again.wasWrong = true
        #expect(prompts.handle(.again(1, again), in: true, at: .zero) == [.empties, .changed])
        #expect(!prompts.isWorking && prompts.live?.warning == "2 attempts left")
        #expect(prompts.handle(.ended(1), in: true, at: .zero).first == .hides(1))
    }

    @Test("a new password is sent when it was written twice the same way")
    func new() {
        var prompts = asked(AgentPrompt(.keyring, .secret(isNew: true)))
        #expect(wish(.answer, "one", "two", in: &prompts) == [.changed])
        #expect(prompts.differs)
        #expect(wish(.answer, "one", "one", in: &prompts).first == .effect(.answer(1, .words(Secret("one"), isTicked: false))))
        #expect(prompts.liveID == nil && !prompts.differs)
    }

    @Test("the box, the third button, and the persons to choose from")
    func others() {
        var prompts = asked(
            AgentPrompt(
                .program, .confirm, buttons: .init(no: "_Never"), box: .init("_Remember"), identities: ["anna", "root"], identity: 0,
                endsWithAnswer: false))
        #expect(prompts.live?.buttons.no == "Never" && prompts.live?.box?.label == "Remember")
        #expect(wish(.tick(true), in: &prompts) == [.changed])
        #expect(wish(.identity(1), in: &prompts) == [.effect(.identity(1, 1)), .empties, .changed])
        #expect(prompts.live?.identity == 1)
        #expect(wish(.identity(7), in: &prompts) == [.refuse("no identity has this number")])
        #expect(wish(.answer, in: &prompts).first == .effect(.answer(1, .yes(isTicked: true))))
        var second = asked(AgentPrompt(.program, .confirm, buttons: .init(no: "Never")))
        #expect(wish(.refuse, in: &second).first == .effect(.answer(1, .no)))
        // A message has one button, and Escape presses it.
        var message = asked(AgentPrompt(.program, .confirm, buttons: .init(hasCancel: false)))
        #expect(wish(.cancel, in: &message).first == .effect(.answer(1, .yes(isTicked: false))))
    }

    @Test("P-06: no asker fills the line, and its words are cut")
    func limits() {
        var prompts = AgentPrompts(), refused = 0
        for id in 1...40 as ClosedRange<UInt64> {
            let asker = AgentPrompt.Asker.program("app\(id % 5)")
            let out = prompts.handle(.asked(id, AgentPrompt(.program, .confirm, asker: asker)), in: true, at: .zero)
            if out.contains(.effect(.answer(id, .refused))) { refused += 1 }
        }
        #expect(prompts.count == AgentPrompts.most && refused == 40 - AgentPrompts.most && prompts.violations(in: true) == [])
        var one = AgentPrompts()
        for id in 1...9 as ClosedRange<UInt64> { _ = one.handle(.asked(id, AgentPrompt(.program, .confirm)), in: true, at: .zero) }
        #expect(one.count == AgentPrompts.mostOfOne)
        let long = String(repeating: "\u{202e}word\n", count: 5000)
        let prompt = AgentPrompt(.program, .confirm, asker: .program(long), title: long, message: long, label: long, warning: long)
        #expect(prompt.title.count <= 120 && prompt.message.count <= 2400 && prompt.message.split(separator: "\n").count <= 8)
        #expect(!prompt.title.contains("\u{202e}") && !prompt.message.contains("\u{202e}"))
        if case .program(let name) = prompt.asker { #expect(name.count <= 64) }
        #expect(AgentPrompt(.program, .confirm, asker: .program(" \n")).asker == .unknown)
    }

    @Test("a secret is in no recording")
    func masked() throws {
        let answer = PromptEffect.answer(1, .words(Secret("hunter2"), isTicked: true))
        #expect(!String(decoding: try JSONEncoder().encode(answer), as: UTF8.self).contains("hunter2"))
    }
}
