import Foundation
import Geometry
import Status
import Testing

/// The room of wireless networks alone.
@Suite("X-09: wireless networks") struct WirelessTests {
    private let now = Moment.zero
    private let home = WirelessFacts.Point(path: "/p/1", ssid: Array("Home".utf8), strength: 80, flags: 1, rsn: 0x100)
    private let cafe = WirelessFacts.Point(path: "/p/2", ssid: Array("Café".utf8), strength: 40)
    private let firm = WirelessFacts.Point(path: "/p/3", ssid: Array("Firm".utf8), strength: 60, flags: 1, rsn: 0x200)
    private let homeID = "486f6d65-personal", cafeID = "436166c3a9-open", firmID = "4669726d-enterprise"

    private func facts(saved: Bool = false, active: Int64? = nil) -> WirelessFacts {
        WirelessFacts(
            points: [home, cafe, firm], profiles: saved ? [.init(path: "/s/1", ssid: home.ssid, keyManagement: "wpa-psk")] : [],
            active: active.map { [.init(profile: "/s/1", state: $0)] } ?? [])
    }

    private func room(_ facts: WirelessFacts? = nil) -> Wireless {
        var room = Wireless()
        _ = room.handle(.seen(true), in: true, at: now)
        _ = room.handle(.facts(facts ?? self.facts()), in: true, at: now)
        return room
    }

    private func wish(_ action: WirelessAction, name: String = "", password: String = "") -> Wireless.Event {
        .wish(action, name: Secret(name), password: Secret(password))
    }

    @Test("the list: one row for each name and protection, what is in use first, then saved ones, then by strength")
    func list() {
        let second = WirelessFacts.Point(path: "/p/4", ssid: home.ssid, strength: 20, flags: 1, rsn: 0x400)
        let far = WirelessFacts.Profile(path: "/s/2", ssid: Array("Far".utf8), keyManagement: "sae")
        var all = facts(saved: true)
        all.points += [
            second, .init(path: "/p/5", ssid: [], strength: 90), .init(path: "/p/6", ssid: [UInt8](repeating: 0, count: 32), strength: 90),
        ]
        all.profiles.append(far)
        let networks = all.networks
        #expect(networks.map(\.name) == ["Home", "Far", "Firm", "Café"], "a hidden network has no row")
        #expect(networks[0].strength == 3 && networks[0].isSaved && networks[0].security == .personal)
        #expect(networks[1].strength == nil && networks[3].security == .open)
        #expect(facts(saved: true, active: 2).networks[0].state == .connected)
        #expect(facts(saved: true, active: 1).networks[0].state == .connecting)
    }

    @Test("ten thousand access points are two hundred rows, saved ones among them, and no row moves between two readings")
    func thousands() {
        let points = (0..<10_000).map { number in
            WirelessFacts.Point(path: "/p/\(number)", ssid: Array("net \(number)".utf8), strength: Int64(number % 100))
        }
        let saved = WirelessFacts.Profile(path: "/s/1", ssid: Array("net 100".utf8), keyManagement: "")
        let facts = WirelessFacts(points: points, profiles: [saved])
        let networks = facts.networks
        #expect(networks.count == WirelessFacts.most && networks[0].name == "net 100")
        #expect(WirelessFacts(points: points.shuffled(), profiles: [saved]).networks == networks)
    }

    @Test(
        "protection: from the words of NetworkManager",
        arguments: [
            (0, 0, 0, .open), (1, 0, 0, .wep), (1, 0x100, 0, .personal), (1, 0, 0x500, .personal), (1, 0, 0x400, .personal),
            (1, 0, 0x200, .enterprise), (1, 0, 0x2000, .enterprise), (0, 0, 0x800, .open), (-1, -1, -1, .personal),
        ] as [(Int64, Int64, Int64, WirelessSecurity)])
    func security(flags: Int64, wpa: Int64, rsn: Int64, security: WirelessSecurity) {
        #expect(WirelessSecurity(flags: flags, wpa: wpa, rsn: rsn) == security)
    }

    @Test("passwords: by their length, and 64 digits for a key")
    func passwords() {
        let personal = WirelessSecurity.personal, wep = WirelessSecurity.wep
        #expect(
            !personal.isPossible("1234567") && personal.isPossible("12345678") && personal.isPossible(String(repeating: "x", count: 63)))
        #expect(!personal.isPossible(String(repeating: "x", count: 64)) && personal.isPossible(String(repeating: "aF", count: 32)))
        #expect(personal.isPossible("pässwör"), "its bytes count")
        #expect(wep.isPossible("12345") && wep.isPossible("0123456789") && !wep.isPossible("012345678x") && !wep.isPossible("123456"))
    }

    @Test("an open network is joined at once, and kept once it has worked")
    func open() {
        var room = room()
        let join = WirelessJoin(ssid: cafe.ssid, security: .open)
        #expect(room.handle(wish(.join(cafeID)), in: true, at: now) == [.join(1, join), .changed])
        #expect(room.handle(.ended(attempt: 2, .connected), in: true, at: now) == [], "another attempt")
        #expect(room.handle(.ended(attempt: 1, .connected), in: true, at: now) == [.keep(1), .changed])
        #expect(room.attempt == nil)
    }

    @Test("a new network asks for its password; a wrong one asks again, and leaves no profile behind")
    func wrongPassword() {
        var room = room()
        #expect(room.handle(wish(.join(homeID)), in: true, at: now) == [.asks, .changed])
        #expect(room.handle(wish(.answer, password: "short"), in: true, at: now) == [.changed])
        #expect(room.trouble == .badPassword(.personal) && room.question != nil)
        let join = WirelessJoin(ssid: home.ssid, security: .personal, password: Secret("wrong one"))
        #expect(room.handle(wish(.answer, password: "wrong one"), in: true, at: now) == [.join(1, join), .changed, .settled])
        #expect(room.handle(.ended(attempt: 1, .noSecret), in: true, at: now) == [.asks, .changed])
        #expect(room.question?.wasWrong == true)
        #expect(room.handle(wish(.cancel), in: true, at: now) == [.settled, .changed])
        #expect(room.question == nil && room.attempt == nil)
    }

    @Test("a saved network is joined by its profile, and NetworkManager asks if its password is wrong")
    func agent() {
        var room = room(facts(saved: true))
        #expect(
            room.handle(wish(.join(homeID)), in: true, at: now)
                == [.join(1, WirelessJoin(ssid: home.ssid, security: .personal, profile: "/s/1")), .changed])
        #expect(
            room.handle(.asked(7, ssid: home.ssid, security: .personal, isNew: true, mayAsk: true), in: true, at: now) == [.asks, .changed])
        #expect(room.question?.wasWrong == true)
        #expect(
            room.handle(wish(.answer, password: "the right one"), in: true, at: now)
                == [.answer(7, Secret("the right one")), .settled, .changed])
        #expect(room.handle(.ended(attempt: 1, .connected), in: true, at: now) == [.changed], "it is saved already")
    }

    @Test("a network with WPA3 that does not answer asks for its password again; a saved or an open one does not")
    func silent() {
        var room = room()
        _ = room.handle(wish(.join(homeID)), in: true, at: now)
        _ = room.handle(wish(.answer, password: "wrong one"), in: true, at: now)
        #expect(room.handle(.ended(attempt: 1, .failed), in: true, at: now) == [.asks, .changed])
        #expect(room.question?.wasWrong == false && room.trouble == .failed(name: "Home"), "nothing says that it was wrong")
        _ = room.handle(wish(.cancel), in: true, at: now)
        _ = room.handle(wish(.join(cafeID)), in: true, at: now)
        #expect(room.handle(.ended(attempt: 2, .failed), in: true, at: now) == [.changed])
        #expect(room.question == nil && room.trouble == .failed(name: "Café"))
    }

    @Test("a person who goes back from NetworkManager's question is not told that the network failed")
    func back() {
        for end in [wish(.cancel), .seen(false)] {
            var room = room()
            _ = room.handle(wish(.join(homeID)), in: true, at: now)
            _ = room.handle(wish(.answer, password: "wrong one"), in: true, at: now)
            _ = room.handle(.asked(1, ssid: home.ssid, security: .personal, isNew: true, mayAsk: true), in: true, at: now)
            #expect(room.handle(end, in: true, at: now).contains(.answer(1, nil)))
            _ = room.handle(.ended(attempt: 1, .failed), in: true, at: now)
            #expect(room.trouble == nil && room.question == nil && room.attempt == nil)
        }
    }

    @Test("a question that is asked unseen, or by no person's wish, has no answer at once")
    func unseen() {
        var room = Wireless()
        let asked = Wireless.Event.asked(1, ssid: home.ssid, security: .personal, isNew: false, mayAsk: true)
        #expect(room.handle(asked, in: false, at: now) == [.answer(1, nil)])
        #expect(
            room.handle(.asked(2, ssid: home.ssid, security: .personal, isNew: false, mayAsk: false), in: true, at: now)
                == [.answer(2, nil)])
        #expect(
            room.handle(.asked(3, ssid: firm.ssid, security: .enterprise, isNew: false, mayAsk: true), in: true, at: now)
                == [.answer(3, nil)])
        #expect(room.handle(asked, in: true, at: now) == [.asks, .changed])
        #expect(room.handle(.locked, in: false, at: now) == [.answer(1, nil), .settled, .changed])
        // One question follows another: the first one is over.
        _ = room.handle(asked, in: true, at: now)
        #expect(
            room.handle(.asked(4, ssid: home.ssid, security: .personal, isNew: true, mayAsk: true), in: true, at: now)
                == [.answer(1, nil), .asks, .changed])
        #expect(room.handle(.withdrawn(1), in: true, at: now) == [], "it is over")
        #expect(room.handle(.withdrawn(4), in: true, at: now) == [.settled, .changed])
    }

    @Test("a hidden network: its name has 1 to 32 bytes, and its protection is chosen")
    func hidden() {
        var room = room()
        #expect(room.handle(wish(.joinHidden(.personal)), in: true, at: now) == [.asks, .changed])
        #expect(room.handle(wish(.answer, name: "", password: "12345678"), in: true, at: now) == [.changed])
        #expect(room.trouble == .badName)
        #expect(room.handle(wish(.joinHidden(.open)), in: true, at: now) == [.changed], "the same question")
        var join = WirelessJoin(ssid: Array("Attic".utf8), security: .open)
        join.isHidden = true
        #expect(
            room.handle(wish(.answer, name: "Attic", password: "left over"), in: true, at: now) == [.join(1, join), .changed, .settled])
        #expect(room.handle(wish(.joinHidden(.enterprise)), in: true, at: now) == [.refuse("a network of a company cannot be joined here")])
    }

    @Test("what cannot be is refused in words: a network that is gone, one of a company, one that is not saved")
    func refused() {
        var room = room()
        #expect(room.handle(wish(.join("x")), in: true, at: now) == [.refuse("no wireless network \"x\" is in the list")])
        #expect(room.handle(wish(.join(firmID)), in: true, at: now) == [.changed])
        #expect(room.trouble == .enterprise(name: "Firm"))
        #expect(room.handle(wish(.forget(homeID)), in: true, at: now) == [.refuse("no saved network \"\(homeID)\" is in the list")])
        #expect(room.handle(wish(.leave), in: true, at: now) == [.refuse("no wireless network is in use")])
        #expect(room.handle(wish(.answer), in: true, at: now) == [.refuse("no password is asked for")])
        #expect(room.handle(wish(.details("x")), in: true, at: now) == [.refuse("no wireless network \"x\" is in the list")])
        _ = room.handle(wish(.join(cafeID)), in: true, at: now)
        _ = room.handle(.ended(attempt: 1, .refused("not you")), in: true, at: now)
        #expect(room.trouble == .says("not you"))
    }

    @Test("every sequence of five events: nothing is listed unseen, and no question waits in a locked session")
    func everySequence() {
        let steps: [(Wireless.Event, Bool)] = [
            (.seen(true), true), (.seen(false), true), (.facts(facts(saved: true, active: 2)), true), (.facts(nil), true),
            (wish(.join(homeID)), true), (wish(.join(cafeID)), true), (wish(.joinHidden(.personal)), true),
            (wish(.answer, name: "n", password: "12345678"), true), (wish(.cancel), true), (wish(.forget(homeID)), true),
            (.asked(1, ssid: home.ssid, security: .personal, isNew: false, mayAsk: true), true), (.withdrawn(1), true),
            (.ended(attempt: 1, .noSecret), true), (.ended(attempt: 1, .failed), true), (.ended(attempt: 1, .connected), true),
            (.locked, false),
            (.asked(2, ssid: home.ssid, security: .personal, isNew: false, mayAsk: true), false),
        ]
        var seen: Set<Wireless> = [Wireless()], open = [Wireless()]
        for _ in 0..<5 {
            var next: [Wireless] = []
            for room in open {
                for (step, isOpen) in steps {
                    var after = room
                    let outcomes = after.handle(step, in: isOpen, at: now)
                    #expect(after.violations(in: isOpen) == [], "\(step)")
                    // Every request of NetworkManager that waits ends with the question.
                    if let request = room.question?.request, after.question?.request != request, step != .withdrawn(request) {
                        #expect(outcomes.contains { if case .answer(request, _) = $0 { true } else { false } }, "\(step)")
                    }
                    if seen.insert(after).inserted { next.append(after) }
                }
            }
            open = next
        }
        #expect(seen.count > 40)
    }

    @Test("a password is in no report and no recording")
    func secrets() throws {
        let encoder = JSONEncoder()
        let text = String(decoding: try encoder.encode([Secret("correct horse")]), as: UTF8.self)
        #expect(text == #"["aaaaaaaaaaaaa"]"#)
        let join = WirelessJoin(ssid: [65], security: .personal, password: Secret("correct horse"))
        #expect(!String(decoding: try encoder.encode(join), as: UTF8.self).contains("horse"))
    }
}
