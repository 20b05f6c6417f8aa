import Seat
import Testing
import Windows

@Suite("Keys, buttons and serials of devices")
struct KeyRouteTests {
    @Test("law 4: a release goes where its press went, whatever changed in between")
    func releases() {
        var route = KeyRoute()
        #expect(route.press(30, isShells: false, hasInputMethod: false, isStalled: false) == .client)
        #expect(route.press(31, isShells: true, hasInputMethod: true, isStalled: false) == .nobody)
        #expect(route.press(32, isShells: false, hasInputMethod: true, isStalled: false) == .inputMethod)
        #expect(route.press(33, isShells: false, hasInputMethod: true, isStalled: true) == .nobody)
        #expect([30, 31, 32, 33].map { route.isHidden($0) } == [false, true, true, true])
        #expect(route.release(31) == .nobody)
        #expect(route.release(32) == .inputMethod)
        #expect(route.release(33) == .nobody)
        #expect(route.release(30) == .client)
        #expect(route.release(30) == .nobody, "a release without its press")
        #expect(!route.isHidden(31))
    }

    @Test("W-19: keys that a client held are nobody's after a prompt has come, and so are their releases")
    func dropped() {
        var route = KeyRoute()
        _ = route.press(30, isShells: false, hasInputMethod: false, isStalled: false)
        _ = route.press(31, isShells: false, hasInputMethod: true, isStalled: false)
        route.drop()
        #expect(route.isHidden(30))
        #expect(route.release(30) == .nobody)
        #expect(route.release(31) == .inputMethod)
        #expect(!route.isHidden(30))
    }

    @Test("P-05: the release of a key that the next surface was not told of is nobody's")
    func entered() {
        var route = KeyRoute()
        for code: UInt32 in [30, 31, 42] { _ = route.press(code, isShells: false, hasInputMethod: code == 31, isStalled: false) }
        #expect([30, 31, 42, 50].map { route.isAtClient($0) } == [true, false, true, false])
        route.entered(telling: [42])
        #expect([30, 31, 42].map { route.isAtClient($0) } == [false, false, true])
        #expect(route.release(30) == .nobody)
        #expect(route.release(31) == .inputMethod)
        #expect(route.release(42) == .client)
        #expect(route.press(30, isShells: false, hasInputMethod: false, isStalled: false) == .client)
    }

    @Test("a keyboard that holds more keys than anybody has fingers")
    func many() {
        var route = KeyRoute()
        for code in 0..<UInt32(16) { #expect(route.press(code, isShells: false, hasInputMethod: true, isStalled: false) == .inputMethod) }
        #expect(route.press(16, isShells: false, hasInputMethod: true, isStalled: false) == .client)
        for code in 17..<UInt32(32) { #expect(route.press(code, isShells: false, hasInputMethod: false, isStalled: false) == .client) }
        #expect(route.press(32, isShells: false, hasInputMethod: false, isStalled: false) == .nobody)
        #expect(route.press(5, isShells: false, hasInputMethod: true, isStalled: false) == .nobody, "it is down already")
    }

    @Test("P-05: no receiver gets a second press without a release, or a release without a press, whatever a keyboard sends")
    func alternating() {
        // Every sequence of six steps: a press for each kind of receiver, a release, a drop.
        for number in 0..<Int(7 * 7 * 7 * 7 * 7 * 7) {
            var route = KeyRoute(), rest = number, holder: KeyRoute.Destination?, steps: [Int] = []
            for _ in 0..<6 {
                let step = rest % 7
                rest /= 7
                steps.append(step)
                switch step {
                case 0...3:
                    let told = route.press(30, isShells: step == 1, hasInputMethod: step == 2, isStalled: step == 3)
                    if told != .nobody {
                        #expect(holder == nil, "\(steps)")
                        holder = told
                    }
                case 4:
                    let told = route.release(30)
                    if told != .nobody {
                        #expect(holder == told, "\(steps)")
                        holder = nil
                    }
                case 5:
                    route.drop()
                    if holder == .client { holder = nil }
                default:
                    route.entered(telling: [])
                    if holder == .client { holder = nil }
                }
            }
        }
    }

    @Test("A-13: the single button of a headset; control characters are not text")
    func meaning() {
        #expect(KeyMeaning.symbol(.audioPlay, device: "HDA Intel PCH Headphone") == .audioMedia)
        #expect(KeyMeaning.symbol(.audioPlay, device: "AT Translated Set 2 keyboard") == .audioPlay)
        #expect(KeyMeaning.symbol(.audioPlay, device: nil) == .audioPlay)
        #expect(KeyMeaning.symbol(.audioNext, device: "Headset") == .audioNext)
        #expect(KeyMeaning.text("a") == "a" && KeyMeaning.text("한") == "한" && KeyMeaning.text("\u{a0}") == "\u{a0}")
        for text in ["", "\r", "\u{1b}", "\u{7f}", "\u{85}", "\u{9f}"] { #expect(KeyMeaning.text(text) == nil, "\(text.debugDescription)") }
    }

    @Test("a button is up when the last device lets go of it")
    func buttons() {
        var buttons = DeviceButtons<Int>()
        #expect(buttons.change(9, 1, pressed: false) == true, "a device that is not known")
        buttons.add(1)
        buttons.add(2)
        #expect(buttons.change(1, 272, pressed: true) == true)
        #expect(buttons.change(1, 272, pressed: true) == false, "twice")
        #expect(buttons.change(2, 272, pressed: true) == false, "it is down already")
        #expect(buttons.change(1, 272, pressed: false) == false)
        #expect(buttons.change(2, 272, pressed: false) == true)
        #expect(buttons.change(2, 272, pressed: false) == false)
        _ = buttons.change(1, 273, pressed: true)
        _ = buttons.change(1, 274, pressed: true)
        _ = buttons.change(2, 273, pressed: true)
        #expect(buttons.remove(1) == [274])
        for button in 0..<UInt32(15) { #expect(buttons.change(2, button, pressed: true) == true) }
        #expect(buttons.change(2, 99, pressed: true) == false, "too many")
    }

    @Test("W-19: the client that a person uses may ask whatever its serial, and no other client")
    func lastUsed() {
        var used = LastUsed<Int>()
        #expect(!used.mayAsk(1, focused: 1, at: 0), "nothing was used yet")
        used.used(1, at: 100)
        #expect(used.mayAsk(1, focused: 1, at: 100 + Activations.serialLife))
        #expect(!used.mayAsk(1, focused: 1, at: 101 + Activations.serialLife), "too long ago")
        #expect(!used.mayAsk(1, focused: 2, at: 100) && !used.mayAsk(1, focused: nil, at: 100), "without the focus")
        #expect(!used.mayAsk(2, focused: 1, at: 100), "a client in the background")
        #expect(!used.mayAsk(2, focused: 2, at: 100), "focused, but not used")
        used.used(2, at: 200)
        #expect(!used.mayAsk(1, focused: 1, at: 200), "the person went on to another client")
    }

    @Test("W-19: which serials came with real input, also when they wrap around")
    func serials() {
        var serials = InputSerials()
        serials.remember(.max - 1, through: 1, at: 100)
        for serial in [UInt32.max - 1, .max, 0, 1] { #expect(serials.isRecent(serial, notBefore: 100)) }
        #expect(!serials.isRecent(0, notBefore: 101))
        #expect(!serials.isRecent(2, notBefore: 0) && !serials.isRecent(.max - 2, notBefore: 0))
        for n in 0..<UInt32(64) { serials.remember(10 + n, through: 10 + n, at: 200) }
        #expect(!serials.isRecent(0, notBefore: 0), "forgotten")
        #expect(serials.isRecent(10, notBefore: 200) && serials.isRecent(73, notBefore: 200))
    }
}
