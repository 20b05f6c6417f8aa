import Geometry
import Idioms
import Rooms
import Seeded
import Testing
import Watches
import Windows

private let start = Moment.zero + 1000

@Suite("A-24: the wrist") struct WristTests {
    @Test("it is lowered and raised where one is known, and raised by use")
    func moves() {
        var wrist = Wrist()
        #expect(wrist.handle(.moved(isRaised: false), in: .watch, at: start) == [.drawn, .closesViews] && wrist.isDown)
        #expect(wrist.handle(.moved(isRaised: false), in: .watch, at: start) == [])
        #expect(wrist.handle(.used, in: .watch, at: start) == [.drawn] && !wrist.isDown)
        #expect(wrist.handle(.used, in: .watch, at: start) == [])
        #expect(wrist.handle(.moved(isRaised: false), in: .pad, at: start) == [.refused] && !wrist.isDown)
    }

    @Test("another idiom begins with the wrist up")
    func begins() {
        var wrist = Wrist()
        _ = wrist.handle(.moved(isRaised: false), in: .watch, at: start)
        #expect(wrist.violations(in: .watch) == [] && wrist.violations(in: .pad).count == 1)
        #expect(wrist.begin(.pad, at: start) == [.drawn] && wrist.begin(.pad, at: start) == [])
        #expect(wrist.violations(in: .pad) == [])
    }
}

@Suite("V-01, V-02: the eyes and the surroundings") struct GazeTests {
    private func context(_ idiom: Idiom = .vision) -> Gaze.Context {
        Gaze.Context(idiom: idiom, screen: Rect(0, 0, 800, 600), spring: .instant)
    }

    @Test("a point on the screen is looked at, and another idiom forgets it")
    func looks() {
        var gaze = Gaze()
        let point = Point(10, 20)
        #expect(gaze.handle(.looked(at: point), in: context(), at: start) == [.drawn, .looks(at: point)] && gaze.point == point)
        #expect(gaze.handle(.looked(at: Point(900, 20)), in: context(), at: start) == [.refused("the point is not on the screen")])
        #expect(gaze.point == point && gaze.violations(in: context()) == [] && gaze.violations(in: context(.pad)).count == 1)
        #expect(gaze.begin(.pad, at: start) == [.drawn] && gaze.point == nil)
        #expect(gaze.handle(.looked(at: point), in: context(.pad), at: start).count == 1 && gaze.point == nil)
    }

    @Test("the surroundings are dimmed by a share, toggled, and stay dim in the next idiom")
    func dims() {
        var gaze = Gaze()
        #expect(gaze.handle(.dim(nil), in: context(), at: start) == [.drawn, .keeps(Gaze.dim)] && gaze.isDim)
        #expect(gaze.handle(.dim(nil), in: context(), at: start) == [.drawn, .keeps(0)] && !gaze.isDim)
        for share in [-0.1, 1.1, .nan] {
            guard case .refused? = gaze.handle(.dim(share), in: context(), at: start).first else {
                Issue.record("\(share) is taken")
                continue
            }
        }
        #expect(gaze.handle(.wasDim(1), in: context(), at: start) == [.drawn] && gaze.isDim)
        _ = gaze.begin(.pad, at: start)
        #expect(gaze.isDim && gaze.surroundings.value(at: start) == 0.9)
    }
}

@Suite("W-06: the controls on Picture in Picture") struct PictureControlsTests {
    @Test("they close after a while, with their picture and with the lock; a timer runs exactly while they are unused")
    func random() {
        var random = SeededRandom(seed: 7), timer: Moment?, room = PictureControls(), context = PictureControls.Context()
        context.patience = 3
        var now = start
        for _ in 0..<4000 {
            now = now + 0.5
            var outcomes: [PictureControls.Outcome] = []
            switch random.next() % 9 {
            case 0: (context.isOpen, context.shown) = (context.picture != nil, context.picture)
            case 1: context.picture = [nil, WindowID(1), WindowID(2)].randomElement(using: &random)!
            case 2: context.hasFocus.toggle()
            case 3: context.isPressed.toggle()
            case 4: context.isLocked = random.next() % 4 == 0
            case 5: outcomes += room.handle(.used, in: context, at: now)
            default: break
            }
            if let due = timer, due <= now {
                timer = nil
                outcomes += room.handle(.timeIsUp, in: context, at: now)
                if outcomes.contains(.closes) { context.isOpen = false }
            }
            let settled = room.handle(.settled, in: context, at: now)
            if settled.contains(.closes) { context.isOpen = false }
            for outcome in outcomes + settled { if case .timer(let moment) = outcome { timer = moment } }
            if context.isOpen {
                #expect(context.picture == context.shown && !context.isLocked)
                #expect((timer != nil) == (!context.hasFocus && !context.isPressed))
            } else {
                #expect(timer == nil)
            }
        }
    }
}

@Suite("S-10: the picture of a call") struct CallPictureTests {
    private let call = WindowID(1), map = WindowID(2), film = WindowID(3)

    private func context(here: WindowID?, picture: WindowID? = nil, hasCall: Bool = true) -> CallPicture.Context {
        var context = CallPicture.Context()
        context.isKept = true
        context.here = here
        context.picture = picture
        context.hasCall = hasCall
        for (id, app) in [(call, "phone"), (map, "map"), (film, "player")] {
            context.windows[id] = CallPicture.Candidate(
                space: SpaceID(id.raw), app: app, isInCall: id == call && hasCall, playsVideo: id == film)
        }
        return context
    }

    @Test("a call and a film stay in sight when a person leaves them for another app")
    func leaves() {
        for window in [call, film] {
            var room = CallPicture()
            #expect(room.handle(.settled, in: context(here: window), at: start) == [])
            #expect(room.handle(.settled, in: context(here: map), at: start) == [.picture(window, of: SpaceID(window.raw))])
        }
    }

    @Test("not for another window of the same app, not in a locked session, and not where the idiom keeps nothing in sight")
    func stays() {
        for change in [
            { (context: inout CallPicture.Context) in context.windows[WindowID(2)]!.app = "phone" }, { $0.isLocked = true },
            { $0.isKept = false },
        ] {
            var room = CallPicture(), next = context(here: map)
            _ = room.handle(.settled, in: context(here: call), at: start)
            change(&next)
            #expect(room.handle(.settled, in: next, at: start) == [])
        }
    }

    @Test("the picture of a call goes back with its call, and that of a film stays")
    func ends() {
        for (window, isInCall) in [(call, true), (film, false)] {
            var room = CallPicture()
            _ = room.handle(.pictured(window, isInCall: isInCall), in: context(here: nil), at: start)
            #expect(room.handle(.settled, in: context(here: map, picture: window), at: start) == [])
            let end = room.handle(.settled, in: context(here: map, picture: window, hasCall: false), at: start)
            #expect(end == (isInCall ? [.putBack] : []) && room.ofCall == nil)
        }
    }

    @Test("a film becomes no picture where there is one")
    func taken() {
        var room = CallPicture()
        _ = room.handle(.settled, in: context(here: film, picture: map), at: start)
        #expect(room.handle(.settled, in: context(here: call, picture: map), at: start) == [])
    }

    @Test("another idiom forgets what was in front")
    func begins() {
        var room = CallPicture()
        _ = room.handle(.settled, in: context(here: film), at: start)
        _ = room.begin(.pad, at: start)
        #expect(room == CallPicture())
    }
}

@Suite("W-07: when the dots are shown") struct DotsTests {
    private func sight(_ active: WindowID?, immersed: WindowID? = nil) -> Dots.Sight {
        Dots.Sight(
            content: nil, card: nil, isCardHidden: false, isHome: false, isOverviewOpen: false, active: active, screen: nil,
            immersed: immersed)
    }

    @Test("they hide a while after a touch, once, and come back with another arrangement")
    func touches() {
        var dots = Dots()
        #expect(dots.handle(.touched(WindowID(1)), in: 1, at: start) == [.touchTimer(start + 1)])
        #expect(dots.handle(.touched(WindowID(1)), in: 1, at: start + 0.5) == [])
        #expect(dots.handle(.touchIsOld, in: 1, at: start + 1) == [.hides(WindowID(1))])
        _ = dots.handle(.touched(WindowID(2)), in: 1, at: start + 2)
        #expect(dots.handle(.settled(sight(WindowID(2))), in: 1, at: start + 2) == [.touchTimer(nil), .showsAll])
        #expect(dots.handle(.settled(sight(WindowID(2))), in: 1, at: start + 2) == [])
        #expect(dots.handle(.touchIsOld, in: 1, at: start + 3) == [])
    }

    @Test("those of a window that fills the screen hide at once")
    func immersed() {
        var dots = Dots()
        #expect(
            dots.handle(.settled(sight(WindowID(1), immersed: WindowID(1))), in: 1, at: start) == [.showsAll, .hidesImmersed(WindowID(1))])
        #expect(dots.immersed == WindowID(1))
    }

    @Test("one timer runs while dots may turn")
    func turns() {
        var dots = Dots()
        #expect(dots.handle(.turns(nil), in: 1, at: start) == [])
        #expect(dots.handle(.turns(start + 2), in: 1, at: start) == [.turnTimer(start + 2)])
        #expect(dots.handle(.turns(start + 3), in: 1, at: start) == [])
        #expect(dots.handle(.turns(nil), in: 1, at: start) == [.turnTimer(nil)])
    }
}

@Suite("X-05: the screen at rest") struct RestTests {
    private func context(_ dimsAfter: Double, isResting: Bool = false, isLocked: Bool = false) -> Rest.Context {
        var rules = RestRules()
        rules.dimsAfter = dimsAfter
        rules.moves = 30
        return Rest.Context(rules: rules, isLocked: isLocked, isResting: isResting)
    }

    @Test("the shell waits for as long as the idiom says")
    func waits() {
        var rest = Rest()
        #expect(rest.handle(.settled, in: context(60), at: start) == [.watches(milliseconds: 60_000)])
        #expect(rest.handle(.settled, in: context(60), at: start) == [])
        #expect(rest.handle(.settled, in: context(90), at: start) == [.watches(milliseconds: nil), .watches(milliseconds: 90_000)])
        #expect(rest.handle(.settled, in: context(0), at: start) == [.watches(milliseconds: nil)])
    }

    @Test("the screen rests when it is unused, and wakes; the clock moves while it rests")
    func rests() {
        var rest = Rest()
        let begins: [Rest.Outcome] = [.asksForTime, .timer(start + 30)]
        #expect(rest.handle(.unused(true), in: context(60), at: start) == [.rests] + begins)
        for isNot in [context(0), context(60, isResting: true), context(60, isLocked: true)] {
            #expect(rest.handle(.unused(true), in: isNot, at: start) == [])
        }
        #expect(rest.handle(.moves, in: context(60, isResting: true), at: start) == [.movesClock] + begins)
        #expect(rest.handle(.moves, in: context(60), at: start) == [])
        #expect(rest.handle(.unused(false), in: context(60, isResting: true), at: start) == [.wakes, .timer(nil)])
        #expect(rest.handle(.unused(false), in: context(60), at: start) == [])
    }
}
