import Callers
import Geometry
import Modals
import Notices
import Testing
import Windows

/// A screen with one place for banners, two windows that may wait and two notifications.
private struct World: Hashable {
    var banners = Banners()
    var open: Banners.Place?
    var timer: Moment?
    var isLocked = false
    var isHeld = false
    var waiting: Set<WindowID> = [WindowID(1), WindowID(2)]
    var unread: Set<NoticeID> = [NoticeID(1), NoticeID(2)]
    private var now = Moment.zero

    var context: Banners.Context {
        var context = Banners.Context()
        (context.open, context.isLocked, context.isHeld) = (open, isLocked, isHeld)
        (context.needed, context.there, context.due) = (waiting, [NoticeID(1), NoticeID(2)], unread)
        context.staying = [NoticeID(2)]
        return context
    }

    mutating func send(_ event: Banners.Event) {
        now = now + 1
        for outcome in banners.handle(event, in: context, at: now) {
            switch outcome {
            // No finger and no key is on a banner that comes.
            case .presents(.window(let id, _, _)): (open, isHeld) = (.window(id), false)
            case .presents(.notice(let id, _)): (open, isHeld) = (.notice(id), false)
            case .closes(let place):
                #expect(place == open)
                open = nil
            case .passesOn(let id): open = .window(id)
            case .timer(let moment): timer = moment
            }
        }
    }

    mutating func fire() {
        timer = nil
        send(.timeIsUp)
    }

    static let steps: [@Sendable (inout World) -> Void] = [
        { $0.send(.windowWaits(WindowID(1), isNew: true, app: "mail")) }, { $0.send(.windowWaits(WindowID(2), isNew: false, app: "chat")) },
        { $0.send(.noticeComes(NoticeID(1), payer: .app("mail"))) }, { $0.send(.noticeComes(NoticeID(2), payer: .app("clock"))) },
        { $0.fire() }, { $0.send(.later) }, { $0.send(.leaves) }, { $0.send(.renewed) }, { $0.isLocked.toggle() },
        { $0.isHeld.toggle() }, { $0.waiting.remove(WindowID(1)) }, { $0.unread.remove(NoticeID(1)) },
    ]
}

@Suite("W-19, X-03: one place for banners") struct BannersTests {
    @Test("every sequence of four steps: what is in sight waits or is there, nothing is on a locked screen, and a timer runs for it alone")
    func everySequence() {
        var seen: Set<World> = [World()], open = [World()]
        for _ in 0..<4 {
            var next: [World] = []
            for world in open {
                for step in World.steps {
                    var world = world
                    step(&world)
                    world.send(.settled)
                    #expect(world.banners.violations(in: world.context) == [])
                    #expect(!world.isLocked || world.open == nil)
                    if case .window(let id)? = world.open { #expect(world.waiting.contains(id)) }
                    let isTimed = world.open != nil && !world.isHeld && world.open != .notice(NoticeID(2))
                    #expect((world.timer != nil) == isTimed, "\(world)")
                    if seen.insert(world).inserted { next.append(world) }
                }
            }
            open = next
        }
        #expect(seen.count > 1000)
    }

    @Test("windows come before notifications, and each of an app once in five seconds")
    func order() {
        var world = World()
        world.send(.windowWaits(WindowID(1), isNew: true, app: "mail"))
        world.send(.settled)
        world.send(.noticeComes(NoticeID(1), payer: .app("mail")))
        world.send(.windowWaits(WindowID(2), isNew: true, app: "mail"))
        world.send(.windowWaits(WindowID(2), isNew: true, app: "chat"))
        world.send(.leaves)
        world.send(.settled)
        #expect(world.open == .window(WindowID(2)))
        world.send(.leaves)
        world.send(.settled)
        #expect(world.open == .notice(NoticeID(1)))
    }

    @Test("a window that a person put off is silent until the person sees it")
    func putOff() {
        var world = World()
        world.send(.windowWaits(WindowID(1), isNew: true, app: "mail"))
        world.send(.settled)
        world.send(.later)
        for _ in 0..<6 { world.send(.settled) }
        world.send(.windowWaits(WindowID(1), isNew: false, app: "mail"))
        world.send(.settled)
        #expect(world.open == nil)
        world.waiting.remove(WindowID(1))
        world.send(.settled)
        world.waiting.insert(WindowID(1))
        world.send(.windowWaits(WindowID(1), isNew: false, app: "mail"))
        world.send(.settled)
        #expect(world.open == .window(WindowID(1)))
    }

    @Test("a window whose app gets another name waits once")
    func renamed() {
        var world = World()
        for app in ["mail", "post"] { world.send(.windowWaits(WindowID(1), isNew: true, app: app)) }
        #expect(world.banners.windows == [WindowID(1)] && world.banners.violations(in: world.context) == [])
    }

    @Test("P-06: one owner cannot fill the line")
    func share() {
        var world = World(), banners = world.banners
        for number in 1...100 {
            _ = banners.handle(.noticeComes(NoticeID(UInt32(number)), payer: .app("flood")), in: world.context, at: .zero)
        }
        world.banners = banners
        #expect(banners.notices.count == Quota.banners.share.each && banners.violations(in: world.context) == [])
    }
}
