import AudioSessions
import Geometry
import Testing

/// key clicks of on-screen keyboards.
@Suite struct KeyClickTests {
    private static let click = AudioEffect.playSound("button-pressed", .feedback)

    /// A world where time passes between keys.
    private final class Keys {
        var world = World()
        let squeekboard: Int32 = 70, wvkbd: Int32 = 71

        private func clicks(_ event: AudioEvent, after seconds: Double) -> Bool {
            world.now = world.now + seconds
            return world.send(event).contains(KeyClickTests.click)
        }

        func types(_ program: Int32, asks: Bool = false, after seconds: Double = 1) -> Bool {
            clicks(.keyTyped(by: program, asks: asks), after: seconds)
        }

        func requests(_ program: Int32, _ event: String = "button-pressed", after seconds: Double = 1) -> Bool {
            clicks(.feedbackAsked(event, by: program), after: seconds)
        }
    }

    @Test("A-21: a key of a keyboard that asks no service clicks, and so does each request of one that asks")
    func both() {
        let keys = Keys()
        for _ in 0..<3 { #expect(keys.types(keys.wvkbd)) }
        for event in ["button-pressed", "key-pressed"] { #expect(keys.requests(keys.squeekboard, event)) }
        for event in ["button-released", "key-released"] { #expect(!keys.requests(keys.squeekboard, event), "a key sounds once") }
    }

    @Test("A-21: no key is heard twice, whether the request or the key comes first")
    func once() {
        let keys = Keys()
        // The key is first, as long as nothing is known of the keyboard.
        #expect(keys.types(keys.squeekboard, asks: true))
        #expect(!keys.requests(keys.squeekboard, after: 0.1))
        for _ in 0..<5 {
            #expect(keys.requests(keys.squeekboard, after: 0.2))
            #expect(!keys.types(keys.squeekboard, asks: true, after: 0.05))
        }
        // A keyboard beside it is its own.
        #expect(keys.types(keys.wvkbd, after: 0.1))
        // After a rest, the key is first again.
        #expect(keys.types(keys.squeekboard, asks: true, after: 60))
        #expect(!keys.requests(keys.squeekboard, after: 0.2))
        // This request is for another key.
        #expect(keys.requests(keys.squeekboard, after: 0.3))
        // A request that never came takes no later one away.
        #expect(keys.types(keys.squeekboard, after: 60))
        #expect(keys.requests(keys.squeekboard, after: 0.3))
    }

    @Test("A-21: two fast thumbs are heard, a key with a modifier is one key, and a flood is thirty clicks a second")
    func pace() {
        let keys = Keys()
        #expect(keys.types(keys.wvkbd))
        #expect(!keys.types(keys.wvkbd, after: 0.002), "the same press")
        for _ in 0..<20 { #expect(keys.types(keys.wvkbd, after: 0.04)) }
        keys.world.now = keys.world.now + 1
        var heard = 0
        for _ in 0..<1000 where keys.requests(keys.squeekboard, after: 0.001) { heard += 1 }
        #expect((30...34).contains(heard))
    }

    @Test("A-21: where another program serves feedback, only keyboards that cannot ask it click")
    func servedElsewhere() {
        let keys = Keys()
        keys.world.send(.feedbackServedElsewhere(true))
        #expect(!keys.types(keys.squeekboard, asks: true))
        #expect(keys.types(keys.wvkbd))
        keys.world.send(.feedbackServedElsewhere(false))
        #expect(keys.types(keys.squeekboard, asks: true))
    }

    @Test("A-21: no key clicks in silent mode, during a recording or a call, on a locked screen, or if a person does not want it")
    func silent() {
        let keys = Keys()
        keys.world.send(.silenced(true))
        #expect(!keys.types(keys.wvkbd) && !keys.requests(keys.squeekboard))
        keys.world.send(.silenced(false))
        #expect(keys.types(keys.wvkbd))
        keys.world.send(.screenLocked(true))
        #expect(!keys.requests(keys.squeekboard))
        keys.world.send(.screenLocked(false))
        var preferences = AudioPreferences()
        preferences.keyClicks = false
        keys.world.send(.configured(preferences))
        #expect(!keys.types(keys.wvkbd) && !keys.requests(keys.squeekboard))
        keys.world.send(.configured(AudioPreferences()))
        for kind in [SoundKind.recording, .callActive] {
            let keys = Keys()
            keys.world.declare(1, kind)
            #expect(!keys.types(keys.wvkbd) && !keys.requests(keys.squeekboard), "\(kind)")
        }
    }

    @Test("A-21: a key click disturbs no sound")
    func mixes() {
        let keys = Keys()
        keys.world.stream(1, app: 1, .music)
        keys.world.now = keys.world.now + 1
        let effects = keys.world.send(.keyTyped(by: keys.wvkbd, asks: false))
        #expect(effects == [Self.click, .haptic("button-pressed")])
    }

    @Test("A-21: other events play the theme's sound of their name: announcements as alerts")
    func others() {
        let keys = Keys()
        #expect(keys.world.send(.feedbackAsked("message-new-instant", by: 5)).first == .playSound("message-new-instant", .alert))
        #expect(keys.world.send(.feedbackAsked("camera-shutter", by: 5)).first == .playSound("camera-shutter", .feedback))
    }
}
