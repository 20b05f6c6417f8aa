import Callers
import Geometry
import Testing

/// A generator that gives the same numbers for the same seed.
struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

@Suite struct OwnerTests {
    @Test("P-06: an owner is written and read as it is, whatever its name")
    func keys() {
        let owners: [Owner] = [
            .shell, .nameless, .user, .sandbox("org.a:b"), .portal(""), .app("foot"), .program("/usr/bin/python3.11 notifier"),
            .app("nameless"), .program("user"),
        ]
        for owner in owners { #expect(Owner(key: owner.key) == owner) }
        #expect(Set(owners.map(\.key)).count == owners.count, "no name makes one owner another one")
        #expect(Owner(key: "what a later shell wrote") == .user)
    }

    @Test("P-06: messages name an owner without the kind of it, and leave alone what is no key")
    func names() {
        for (key, name) in [
            ("app:foot", "foot"), ("program:/usr/bin/python3.11 notifier", "python3.11 notifier"), ("sandbox:org.a:b", "org.a:b"),
            ("nameless", "sandboxes without a name"), ("user", "programs of the user"), ("loud", "loud"), ("", ""),
            ("what:later", "what:later"),
        ] { #expect(Owner.name(ofKey: key) == name) }
    }

    @Test("P-06: a portal of the system speaks for the apps that it names, and nobody else does")
    func portals() {
        #expect(Owner.behind(.program("/usr/libexec/xdg-desktop-portal"), naming: "org.a") == .portal("org.a"))
        #expect(Owner.behind(.program("/usr/libexec/xdg-desktop-portal-gtk"), naming: "") == .nameless)
        #expect(Owner.behind(.program("/usr/libexec/xdg-desktop-portal"), naming: nil) == .program("/usr/libexec/xdg-desktop-portal"))
        for other in [
            Owner.nameless, .sandbox("x"), .app("x"), .program("/home/me/xdg-desktop-portal"), .program("/usr/bin/python3 portal"),
        ] {
            #expect(Owner.behind(other, naming: "org.a") == other)
        }
    }

    @Test("P-06: a sandbox replaces and withdraws nothing of others, nor does one nameless sandbox of another")
    func speaking() {
        #expect(!Owner.nameless.speaks(for: .nameless) && !Owner.nameless.speaks(for: .app("a")))
        #expect(
            Owner.sandbox("a").speaks(for: .sandbox("a")) && !Owner.sandbox("a").speaks(for: .sandbox("b"))
                && !Owner.sandbox("a").speaks(for: .app("a")))
        #expect(
            Owner.app("a").speaks(for: .program("b")) && !Owner.app("a").speaks(for: .sandbox("a"))
                && !Owner.program("b").speaks(for: .nameless))
    }

    @Test("P-06: each share keeps something for everybody, and bounds everybody", arguments: Quota.allCases)
    func shares(quota: Quota) {
        let share = quota.share
        #expect(share.kept > 0 && share.kept <= share.each && share.each <= share.all && share.nameless <= share.each)
    }
}

/// Senders that make connections and invent names, among some that do neither (P-06).
@Suite struct QuotaPropertyTests {
    /// A sender, as it really is. What it says of itself comes on top with each thing that it does.
    private enum Sender: CaseIterable {
        case sandboxA, sandboxB, flatpak, terminal, player

        var owner: Owner {
            switch self {
            case .sandboxA, .sandboxB: .nameless
            case .flatpak: .sandbox("org.example.Chat")
            case .terminal: .app("foot")
            case .player: .program("/usr/bin/mpv")
            }
        }
    }

    @Test(
        "P-06: whatever others hold under whatever names, everybody has what is kept for it",
        arguments: Quota.allCases.filter { $0 != .noticeBytes }, [1, 2] as [UInt64])
    func holdings(quota: Quota, seed: UInt64) {
        var dice = Dice(state: seed &* 7919 &+ UInt64(quota.rawValue.utf8.reduce(0) { $0 &* 31 &+ Int($1) }.magnitude))
        let share = quota.share, scale = max(1, share.all / 100)
        var holdings = Holdings(), held: [Sender: Int] = [:]
        func of(_ owner: Owner) -> Int { held.reduce(0) { $0 + ($1.key.owner == owner ? $1.value : 0) } }
        for _ in 0..<150 {
            let sender = Sender.allCases.randomElement(using: &dice)!, owner = sender.owner
            if Int.random(in: 0..<4, using: &dice) == 0 {
                for _ in 0..<min(held[sender] ?? 0, Int.random(in: 0...3 * scale, using: &dice)) {
                    holdings.giveBack(quota, for: owner)
                    held[sender]! -= 1
                }
            } else {
                var own = of(owner)
                for _ in 0..<Int.random(in: 1...4 * scale, using: &dice) {
                    let mayHave = own < (owner == .nameless ? share.nameless : share.kept)
                    let isTaken = holdings.take(quota, for: owner)
                    if !isTaken, mayHave { Issue.record("\(sender) is refused what is kept for it") }
                    if !isTaken {
                        #expect(holdings.objection(quota, for: owner, "things") != nil)
                        break
                    }
                    own += 1
                    held[sender, default: 0] += 1
                }
            }
            for owner in Set(Sender.allCases.map(\.owner)) {
                #expect(holdings.count(quota, of: owner) == of(owner))
                #expect(of(owner) <= (owner == .nameless ? share.nameless : share.each))
            }
            #expect(holdings.all(quota) == held.values.reduce(0, +))
            #expect(holdings.all(quota) <= share.all + share.nameless + 3 * share.kept)
        }
        // What nameless sandboxes have changes nothing for anybody else.
        var alone = Holdings(), beside = Holdings()
        while beside.take(quota, for: .nameless) {}
        for _ in 0..<min(600, share.each + 1) {
            let (one, other) = (alone.take(quota, for: .app("a")), beside.take(quota, for: .app("a")))
            if one != other { Issue.record("it matters what nameless sandboxes have") }
        }
    }

    @Test("P-06: who does too much is slowed down; who was quiet is not, whatever others do", arguments: Rate.allCases)
    func rates(rate: Rate) {
        let pace = rate.pace
        var rates = Rates(), now = Moment.zero, given = 0
        // Two nameless sandboxes, by any number of connections and names, and two apps that do not stop.
        for step in 0..<400 {
            now = now + 0.01
            for owner in [Owner.nameless, .nameless, .app("loud"), .program("/usr/bin/louder")] {
                for _ in 0..<10 where rates.take(rate, for: owner, at: now) { given += owner == .nameless ? 1 : 0 }
            }
            // One that does something every two seconds.
            if step % 200 == 199 {
                let isAllowed = rates.take(rate, for: .app("quiet"), at: now)
                #expect(isAllowed)
            }
        }
        #expect(Double(given) <= pace.burst + pace.perSecond * 4 + 1)
        #expect(Double(given) >= pace.perSecond * 3.9)
    }

    @Test("P-06: thousands of owners need no memory, and lose nothing by being forgotten")
    func forgotten() {
        var rates = Rates()
        func take(_ owner: Owner, _ second: Int) -> Bool { rates.take(.noticeCalls, for: owner, at: Moment.zero + Double(second)) }
        for second in 0..<3 {
            let given = (0..<1000).count { take(.app("\($0)"), second) }
            #expect(given == 1000)
        }
        while take(.app("busy"), 3) {}
        let given = (0..<1000).count { take(.app("other \($0)"), 3) }
        #expect(given == 1000)
        let isBusy = take(.app("busy"), 3)
        #expect(!isBusy)
    }
}
