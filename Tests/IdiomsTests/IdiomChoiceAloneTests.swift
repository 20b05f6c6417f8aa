import Geometry
import Idioms
import Rooms
import Seeded
import Testing

@Suite("W-25: which idiom the hardware asks for") struct IdiomChoiceAloneTests {
    private let start = Moment.zero + 1000
    private let lit = IdiomChoice.Ground(offered: ["pad", "phone", "mac", "tv"], screen: Size(1180, 820), isLit: true)
    private var dark: IdiomChoice.Ground { IdiomChoice.Ground(offered: lit.offered, screen: lit.screen, isLit: false) }

    private func known(_ setting: IdiomChoice.Setting = .automatic) -> IdiomChoice {
        var choice = IdiomChoice(idiom: "pad", setting: setting)
        _ = choice.handle(.hardware(.known), in: lit, at: start)
        return choice
    }

    @Test("a change counts after a second, and one that goes back does not")
    func patience() {
        var choice = known()
        #expect(choice.handle(.hardware(.keyboard(true)), in: lit, at: start) == [.timer(start + 1)])
        #expect(choice.handle(.hardware(.keyboard(false)), in: lit, at: start + 0.5) == [.timer(nil)])
        #expect(choice.handle(.lasted, in: lit, at: start + 1) == [])
        _ = choice.handle(.hardware(.keyboard(true)), in: lit, at: start + 2)
        #expect(choice.handle(.lasted, in: lit, at: start + 3) == [.begins("mac")] && choice.settled == "mac")
    }

    @Test("nothing counts while the screen is dark")
    func counts() {
        var choice = known()
        _ = choice.handle(.hardware(.keyboard(true)), in: lit, at: start)
        #expect(choice.handle(.followed, in: dark, at: start) == [.timer(nil)])
        #expect(choice.handle(.lasted, in: dark, at: start + 1) == [])
        #expect(choice.handle(.followed, in: lit, at: start + 2) == [.timer(start + 3)])
    }

    @Test("W-20: a person's choice comes back while the rules name what they named then; a fixed idiom does not")
    func restored() {
        for (setting, settled, comes) in [
            (IdiomChoice.Setting.automatic, "pad", true), (.automatic, "mac", false), (.fixed("pad"), "pad", false),
        ] {
            var choice = known(setting)
            let outcomes = choice.handle(.restored(last: "tv", settled: settled), in: lit, at: start)
            #expect(outcomes == (comes ? [.begins("tv")] : []), "\(setting) \(settled)")
            // It is asked once.
            #expect(choice.handle(.restored(last: "tv", settled: settled), in: lit, at: start) == [])
        }
    }

    @Test("the configuration counts at once")
    func configured() {
        var choice = known()
        #expect(choice.handle(.configured(.fixed("tv"), IdiomRule.standard), in: lit, at: start) == [.begins("tv")])
        #expect(choice.handle(.configured(.fixed("tv"), IdiomRule.standard), in: lit, at: start) == [])
    }

    @Test("whatever happens, a timer runs exactly while a change has to last", arguments: 1...20)
    func random(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed)), choice = known(), timer: Moment?, now = start
        for _ in 0..<400 {
            now = now + Double(random.next() % 8) / 4
            var outcomes: [IdiomChoice.Outcome] = []
            let ground = random.next() % 6 == 0 ? dark : lit
            if let due = timer, due <= now {
                timer = nil
                outcomes += choice.handle(.lasted, in: ground, at: now)
            }
            switch random.next() % 5 {
            case 0: outcomes += choice.handle(.hardware(.keyboard(random.next() % 2 == 0)), in: ground, at: now)
            case 1:
                outcomes += choice.handle(.hardware(.tabletMode([nil, true, false].randomElement(using: &random)!)), in: ground, at: now)
            case 2: outcomes += choice.handle(.chosen, in: ground, at: now)
            default: outcomes += choice.handle(.followed, in: ground, at: now)
            }
            for outcome in outcomes { if case .timer(let moment) = outcome { timer = moment } }
            if timer != nil { #expect(choice.pending != nil && choice.pending != choice.settled) }
        }
    }
}
