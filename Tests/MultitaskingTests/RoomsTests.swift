import AudioSessions
import Geometry
import Interface
import Seat
import Stage
import Testing
import Windows

@testable import Multitasking

/// The rooms of `System` by themselves: what one does without the others, and how they wish things of one another.
@Suite("Rooms of the system")
struct RoomsTests {
    private let now = Moment.milliseconds(1000)

    private func screenful() -> Screenful {
        var screenful = Screenful(idiom: .pad, preferences: Preferences())
        screenful.setScreen(Screen(size: Size(1180, 820)), at: now)
        return screenful
    }

    @Test("an effect waits behind the wish that was asked before it, and what follows from the wish comes first")
    func order() {
        var turn = Turn()
        turn.send(.touchFrame)
        turn.ask(.hover)
        turn.send(.pointerFrame)
        #expect(turn.effects == [.touchFrame] && turn.hasWishes)
        turn.grantWishes { wish, turn in
            switch wish {
            case .hover:
                turn.send(.touchCancel)
                turn.ask(.settle())
                turn.send(.swallowKey)
            case .settle: turn.send(.quit)
            default: Issue.record("an unexpected wish")
            }
        }
        #expect(turn.effects == [.touchFrame, .touchCancel, .quit, .swallowKey, .pointerFrame] && !turn.hasWishes)
    }

    @Test("the screen carries out an action with no hands there, and asks for sound")
    func deskAlone() throws {
        var screenful = screenful(), turn = Turn()
        try screenful.perform(.controlCentre, at: now, &turn)
        #expect(screenful.interface.isPanelOpen && turn.effects.isEmpty && !turn.hasWishes)
        try screenful.perform(.audio(.volumeStep(1)), at: now, &turn)
        var asked: [AudioEvent] = []
        turn.grantWishes { wish, _ in if case .sound(let event) = wish { asked.append(event) } }
        #expect(asked == [.action(.volumeStep(1))] && turn.effects.isEmpty)
    }

    @Test("law 8: hands let go of what an action moves, and only of that")
    func handsLetGo() throws {
        var screenful = screenful(), hands = Hands(), turn = Turn()
        try screenful.perform(.darkAppearance(true), at: now, &turn)
        hands.touchDown(0, at: Point(590, 400), over: nil, &screenful, now, &turn)
        #expect(hands.isGesturing && hands.held == .pages)
        try hands.perform(.darkAppearance(false), &screenful, at: now, &turn)
        #expect(hands.isGesturing)
        try hands.perform(.search(), &screenful, at: now, &turn)
        #expect(!hands.isGesturing && hands.violations(screenful).isEmpty && screenful.violations().isEmpty)
    }

    @Test("one table says what the effects of each room are: in order, each timer by its room, and wishes as wishes")
    func table() {
        var turn = Turn()
        turn.send([IdleEffect.wake(at: now), .tell(IdleWatchID(3), isIdle: true), .wake(at: nil)])
        turn.send([CopyEffect.wake(now)])
        turn.send([AudioEffect.startTimer(.fade, at: now), .stopTimer(.fade), .refuse("no"), .useOutput(nil)])
        turn.send([ChoiceEffect.keep(.rotation(1))])
        #expect(
            turn.effects == [
                .startTimer(.seat(.idle), at: now), .client(.tellIdle(IdleWatchID(3), isIdle: true)), .stopTimer(.seat(.idle)),
                .startTimer(.seat(.copying), at: now),
                .startTimer(.audio(.fade), at: now), .stopTimer(.audio(.fade)), .refuse(Refusal("no")), .audio(.useOutput(nil)),
                .choices(.keep(.rotation(1))),
            ])
        turn.send([IdleEffect.tell(.shell, isIdle: true)])
        #expect(turn.hasWishes && turn.effects.count == 9)
    }

    @Test("adapters are told differences, and the first look is none")
    func toldOnce() {
        var lastSent = LastSent(), turn = Turn()
        lastSent.tellKeyboard(.shell, &turn)
        lastSent.tellKeyboard(.shell, &turn)
        lastSent.tellTextEntry(false, &turn)
        lastSent.tellAppearance(Preferences(), &turn)
        var dark = Appearance()
        dark.isDark.toggle()
        lastSent.tellAppearance(Preferences(appearance: dark), &turn)
        #expect(turn.effects == [.keyboardFocus(.shell), .appearance(dark)])
    }
}
