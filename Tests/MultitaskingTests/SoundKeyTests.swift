import AudioSessions
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

/// the keys for sound.
@Suite struct SoundKeyTests {
    private func world() -> CoreWorld {
        var world = CoreWorld()
        world.open(1)
        world.send(.audio(.serverChanged(isRunning: true)))
        world.send(
            .audio(
                .devicesChanged(
                    outputs: [AudioOutput(id: PortID("a"), kind: .speaker, name: "Speaker", level: 0.5)], inputs: [])))
        return world
    }

    private func level(_ world: CoreWorld) -> Double { (world.system.audio.summary.volumes[.media]?.level ?? -1) * 16 }

    private func key(_ name: String, _ pressed: Bool, _ modifiers: Modifiers = []) -> Event {
        let symbol = KeyChord(parsing: name)!.symbol
        return .key(code: symbol.rawValue & 0xff, symbol: symbol, pressed: pressed, modifiers: modifiers)
    }

    @Test(
        "each key does what is printed on it",
        arguments: [
            ("XF86AudioRaiseVolume", AudioAction.volumeStep(1)), ("XF86AudioLowerVolume", .volumeStep(-1)), ("XF86AudioMute", .mute(nil)),
            ("XF86AudioMicMute", .muteMicrophone(nil)), ("XF86AudioPlay", .remote(.togglePlayPause, .key)),
            ("XF86AudioPause", .remote(.pause, .key)), ("XF86AudioStop", .remote(.stop, .key)), ("XF86AudioNext", .remote(.next, .key)),
            ("XF86AudioPrev", .remote(.previous, .key)), ("XF86AudioForward", .remote(.skipForward(nil), .key)),
            ("XF86AudioRewind", .remote(.skipBackward(nil), .key)), ("XF86AudioMedia", .headsetButton()),
        ] as [(String, AudioAction)])
    func bound(name: String, action: AudioAction) throws {
        let chord = try #require(KeyChord(parsing: name))
        #expect(chord.isForSound && chord.description == name)
        #expect(KeyBinding.standard.first { $0.chord == chord }?.action == .audio(action))
    }

    @Test("no client gets them, whatever else is held and whatever view is open")
    func everywhere() {
        var world = world()
        let cases: [(Modifiers, Action?)] = [
            ([], nil), (Modifiers.super, nil), ([.shift, .alt], nil), ([], .controlCentre), ([], .appSwitcher), ([], .keyHelp),
        ]
        for (modifiers, view) in cases {
            if let view { world.act(view) }
            let before = level(world)
            #expect(world.send(key("XF86AudioRaiseVolume", true, modifiers)).contains(.swallowKey))
            #expect(world.send(key("XF86AudioRaiseVolume", false, modifiers)).contains(.swallowKey))
            #expect(level(world) == before + 1)
            if let view { world.act(view) }
        }
        #expect(world.finish() == [])
    }

    @Test("a held volume key repeats until it is let go, another key is pressed, or nobody would hold it so long")
    func repeats() {
        var world = world()
        world.send(key("XF86AudioLowerVolume", true))
        #expect(level(world) == 7)
        world.wait(350)
        #expect(level(world) == 7)
        world.wait(280)
        #expect(level(world) == 4)
        world.send(key("XF86AudioLowerVolume", false))
        world.wait(1000)
        #expect(level(world) == 4)
        world.send(key("XF86AudioRaiseVolume", true))
        world.send(key("XF86AudioMute", true))
        world.wait(2000)
        #expect(level(world) == 5)
        world.send(key("XF86AudioMute", false))
        world.send(key("XF86AudioRaiseVolume", false))
        world.send(key("XF86AudioRaiseVolume", true))
        world.wait(20_000)
        #expect(level(world) == 16)
        let timers = world.effects.filter { if case .timer(.start(.hands(.keyRepeat), _)) = $0 { true } else { false } }.count
        world.wait(20_000)
        #expect(world.effects.filter { if case .timer(.start(.hands(.keyRepeat), _)) = $0 { true } else { false } }.count == timers)
        world.send(key("XF86AudioRaiseVolume", false))
        #expect(world.finish() == [])
    }

    @Test("a locked screen hears these keys and no other, and what they do is for sound alone")
    func locked() {
        var world = world()
        world.send(.configured(Preferences(keys: KeyBinding.standard + [.init("XF86AudioMedia", .home)])))
        world.lock()
        #expect(world.send(key("XF86AudioRaiseVolume", true)).contains(.swallowKey))
        world.send(key("XF86AudioRaiseVolume", false))
        #expect(level(world) == 9)
        #expect(world.send(.key(code: 32, symbol: 0x64, pressed: true, modifiers: .super)).isEmpty)
        let keys = KeyBinding.standard.filter { $0.chord.symbol != 0x1008_ff32 } + [.init("XF86AudioMedia", .home)]
        world.send(.configured(Preferences(keys: keys)))
        #expect(!world.send(key("XF86AudioMedia", true)).contains(.swallowKey))
        #expect(!world.workspace.isHome)
        world.unlock()
        #expect(world.finish() == [])
    }

    @Test("a switch of the device, a cover by script, a sound by name")
    func device() {
        var world = world()
        world.send(.audio(.silenced(true)))
        #expect(world.system.audio.summary.isSilenced)
        var preferences = Preferences()
        preferences.lock.onSleep = false
        world.send(.configured(preferences))
        world.act(.cover(closed: true))
        #expect(world.act(.playSound("message-new-instant")).contains(.audio(.playSound("message-new-instant", .asked))))
        for name in ["", "../x", "-x", "a b", String(repeating: "a", count: 200)] {
            #expect(world.act(.playSound(name)).contains { if case .session(.refuse) = $0 { true } else { false } }, "\(name)")
        }
        #expect(world.finish() == [])
    }
}
