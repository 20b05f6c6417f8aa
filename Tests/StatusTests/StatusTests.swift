import Geometry
import Status
import Testing

/// The room of the device's state alone.
@Suite("X-09: the state of the device") struct StatusTests {
    private let now = Moment.zero

    @Test("every sequence of four events: no fact of a service that is gone or hangs is left, and nothing changes twice")
    func everySequence() {
        let steps: [Status.Event] = [
            .time(TimeOfDay(hour: 9, minute: 5)), .battery(BatteryFacts(percentage: 40)), .battery(nil), .network(NetworkFacts()),
            .network(nil), .bluetooth(Bluetooth(isOn: true)), .bluetooth(nil), .hangs(.battery), .hangs([.network, .bluetooth]),
            .clockSeen(true), .clockSeen(false),
        ]
        var seen: Set<Status> = [Status()], open = [Status()]
        for _ in 0..<4 {
            var next: [Status] = []
            for status in open {
                for step in steps {
                    var after = status
                    _ = after.handle(step, in: (), at: now)
                    #expect(after.violations(in: ()) == [], "\(step)")
                    switch step {
                    case .battery(nil), .hangs(.battery): #expect(after.battery == nil)
                    case .network(nil): #expect(after.network == nil && !after.hanging.contains(.network))
                    case .bluetooth(nil): #expect(after.bluetooth == nil)
                    default: break
                    }
                    var again = after
                    #expect(again.handle(step, in: (), at: now) == [], "\(step) again")
                    if seen.insert(after).inserted { next.append(after) }
                }
            }
            open = next
        }
        #expect(seen.count > 80)
    }

    @Test(
        "a battery that says nonsense is at its end, or is none",
        arguments: [
            (BatteryFacts(percentage: 250), 100), (BatteryFacts(percentage: -3), 0), (BatteryFacts(percentage: .nan), nil),
            (BatteryFacts(percentage: .infinity), nil), (BatteryFacts(percentage: nil), nil),
            (BatteryFacts(isPresent: false, percentage: 50), nil),
            (BatteryFacts(kind: 1, percentage: 50), nil), (BatteryFacts(kind: 3, percentage: 50), 50),
            (BatteryFacts(state: 99, percentage: 49.6), 50),
        ])
    func nonsense(facts: BatteryFacts, percent: Int?) { #expect(facts.battery?.percent == percent) }

    @Test("times: of the way that the battery goes, and none that no battery has")
    func times() {
        func remaining(_ state: Int64, empty: Int64 = 0, full: Int64 = 0) -> Double? {
            BatteryFacts(state: state, percentage: 50, toEmpty: empty, toFull: full).battery?.remaining
        }
        #expect(remaining(2, empty: 3600, full: 60) == 3600)
        #expect(remaining(1, empty: 3600, full: 60) == 60)
        #expect(remaining(4, empty: 3600, full: 60) == nil)
        #expect(remaining(2, empty: -5) == nil)
        #expect(remaining(2, empty: .max) == nil)
        #expect(BatteryFacts(state: 5, percentage: 80).battery?.power == .held, "a limit holds it: it does not charge")
        #expect(BatteryFacts(percentage: 9, warning: 3).battery?.isLow == true)
        #expect(BatteryFacts(state: 1, percentage: 9, warning: 3).battery?.isLow == false, "it is plugged in")
    }

    @Test(
        "names of networks: text as it is, other bytes as numbers, zeros none",
        arguments: [
            (Array("Café".utf8), "Café"), (Array("日本".utf8), "日本"), ([], ""), ([UInt8](repeating: 0, count: 32), ""),
            ([0x43, 0xe9], "C\\xe9"), ([0xff, 0xfe, 0x41], "\\xff\\xfeA"), ([0x41, 0x0a, 0x42], "A\\x0aB"),
            ([0xe2, 0x80, 0xae, 0x41], "\\xe2\\x80\\xaeA"), ([0, 0x41], "\\x00A"), ([0xf0, 0x9f, 0x8d, 0x95], "🍕"),
            ([0xe6, 0x97], "\\xe6\\x97"),
        ] as [([UInt8], String)])
    func names(ssid: [UInt8], name: String) { #expect(NetworkFacts.name(ssid) == name) }

    @Test("two names of bytes that differ never look the same, and none is longer than 32 bytes")
    func noTwins() {
        var random = SystemRandomNumberGenerator(), names: [String: [UInt8]] = [:]
        for _ in 0..<5000 {
            let ssid = (0..<Int.random(in: 1...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let name = NetworkFacts.name(ssid), bytes = Array(ssid.prefix(32))
            if let other = names[name], !name.isEmpty { #expect(other == bytes) }
            names[name] = bytes
        }
    }

    @Test("the strength is four steps, and a strange one is at an end")
    func strength() {
        func steps(_ percent: Int64?) -> Int {
            NetworkFacts(state: 70, kind: "802-11-wireless", strength: percent).network.strength
        }
        #expect([0, 24, 25, 49, 50, 75, 100].map { steps($0) } == [0, 0, 1, 1, 2, 3, 3])
        #expect(steps(-8) == 0 && steps(255) == 3 && steps(nil) == 3)
    }

    @Test("connections: none, connecting, a cable, a page that asks for a login")
    func connections() {
        #expect(NetworkFacts(state: 20).network.link == .none)
        #expect(NetworkFacts(state: 40).network.link == .connecting)
        #expect(NetworkFacts(state: 70, kind: "802-3-ethernet").network.link == .wired)
        #expect(NetworkFacts(state: 60, kind: "gsm").network.link == .cellular)
        #expect(NetworkFacts(state: 60, kind: "wireguard").network.link == .other)
        #expect(NetworkFacts(state: 60, connectivity: 2, kind: "802-11-wireless").network.needsLogin)
        #expect(!NetworkFacts(state: 20, connectivity: 2).network.needsLogin)
        // A browser opens web pages alone, whatever address the service names.
        for (page, isTaken) in [
            ("http://a.example/", true), ("https://a.example/x?y", true), ("", false), ("file:///etc/passwd", false), ("--help", false),
            ("http://a b", false), ("http://a\n", false), ("http://" + String(repeating: "a", count: 2000), false),
        ] {
            let network = NetworkFacts(state: 60, connectivity: 2, checkPage: page).network
            #expect(network.checkPage == (isTaken ? page : NetworkFacts.usualCheckPage), "\(page)")
        }
    }

    @Test("devices of Bluetooth have an order, and a battery of nonsense is none")
    func devices() {
        let all = (0..<40).map { Bluetooth.Device(name: "\($0)", battery: $0 * 10) }
        let bluetooth = Bluetooth(isOn: true, connected: all.reversed())
        #expect(bluetooth.connected == Bluetooth(isOn: true, connected: all).connected && bluetooth.connected.count == Bluetooth.most)
        #expect(Bluetooth.Device(name: "a", battery: 255).battery == nil)
        #expect(Bluetooth(isOn: false, connected: all).connected.isEmpty)
    }

    @Test("what a person sets: a value beyond the ends, and a device that is not there, are refused in words")
    func wishes() {
        var status = Status()
        func send(_ event: Status.Event) -> [Status.Outcome] { status.handle(event, in: (), at: now) }
        #expect(send(.wish(.wireless())) == [.refuse("there is no wireless network device")])
        #expect(send(.wish(.bluetooth(true))) == [.refuse("there is no Bluetooth adapter")])
        #expect(send(.wish(.brightness(0.5))) == [.refuse("the light of this screen cannot be set")])
        #expect(send(.wish(.brightness(.nan))) == [.refuse("a brightness is from 0 to 1, not nan")])
        _ = send(.brightness(0.5))
        #expect(send(.wish(.brightness(1.5))) == [.refuse("a brightness is from 0 to 1, not 1.5")])
        #expect(send(.wish(.brightness(0.25))) == [.changed, .set(.brightness(0.25))])
        #expect(send(.wish(.brightnessStep(1))) == [.changed, .set(.brightness(0.3))])
        #expect(send(.wish(.brightnessStep(-20))) == [.changed, .set(.brightness(0))])
        #expect(send(.wish(.brightnessStep(-1))) == [], "it is at its end")
        #expect(send(.wish(.brightnessStep(.max))) == [.refuse("a step is a small number, not \(Int.max)")])
        _ = send(.network(NetworkFacts(hasWireless: true, isWirelessOn: true)))
        #expect(send(.wish(.wireless())) == [.set(.wireless(false))])
        #expect(send(.wish(.wireless(true))) == [.set(.wireless(true))])
        _ = send(.bluetooth(Bluetooth(isOn: false)))
        #expect(send(.wish(.bluetooth())) == [.set(.bluetooth(true))])
        #expect(send(.refused(.network, "no")) == [.tells(.network, "no")])
    }
}
