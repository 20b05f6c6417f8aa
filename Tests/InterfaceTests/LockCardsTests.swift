import Geometry
import Interface
import Notices
import Testing

/// The cards over a locker by themselves: two notifications that go, and one that stays until it is answered.
private struct World: Hashable {
    var cards = LockCards()
    var isLocked = true
    var there: Set<NoticeID> = [NoticeID(1), NoticeID(2), NoticeID(3)]
    var staying: Set<NoticeID> = [NoticeID(3)]
    var timer: Moment?
    var over: Set<NoticeID> = []
    private var now = Moment.zero

    var context: LockCards.Context {
        var context = LockCards.Context(isLocked: isLocked)
        (context.there, context.saying, context.staying, context.due) = (there, there, staying, there)
        return context
    }

    mutating func send(_ event: LockCards.Event, after seconds: Double = 1) {
        now = now + seconds
        for outcome in cards.handle(event, in: context, at: now) {
            switch outcome {
            case .over(let id), .rings(let id):
                #expect(!cards.contains(id))
                over.insert(id)
            case .timer(let moment): timer = moment
            }
        }
    }

    mutating func fire() {
        guard let due = timer else { return }
        timer = nil
        send(.timeIsUp, after: max(0, due - now))
    }

    static let steps: [@Sendable (inout World) -> Void] = [
        { $0.send(.comes(NoticeID(1))) }, { $0.send(.comes(NoticeID(2))) }, { $0.send(.comes(NoticeID(3))) }, { $0.fire() },
        { $0.send(.answered(NoticeID(1))) }, { $0.isLocked.toggle() }, { $0.there.remove(NoticeID(2)) }, { $0.staying = [] },
    ]
}

@Suite("S-07: cards over a locker") struct LockCardsTests {
    @Test(
        "every sequence of five steps: each card is a notification, none is left on an unlocked screen, and a timer runs for those that go")
    func everySequence() {
        var seen: Set<World> = [World()], open = [World()]
        for _ in 0..<5 {
            var next: [World] = []
            for world in open {
                for step in World.steps {
                    var world = world
                    step(&world)
                    world.send(.settled)
                    #expect(world.cards.violations(in: world.context) == [])
                    #expect(world.cards.ids.allSatisfy(world.there.contains) && (world.isLocked || world.cards.isEmpty))
                    #expect((world.timer != nil) == world.cards.ids.contains { !world.staying.contains($0) })
                    if seen.insert(world).inserted { next.append(world) }
                }
            }
            open = next
        }
        #expect(seen.count > 500)
    }

    @Test("a card that stays is in front of those that go by themselves, and becomes a banner when the session is unlocked")
    func front() {
        var world = World()
        for number: UInt32 in [3, 1, 2] { world.send(.comes(NoticeID(number))) }
        #expect(world.cards.front == NoticeID(3))
        world.isLocked = false
        #expect(
            world.cards.handle(.settled, in: world.context, at: Moment.zero + 60).prefix(3)
                == [.rings(NoticeID(3)), .over(NoticeID(1)), .over(NoticeID(2))])
    }
}
