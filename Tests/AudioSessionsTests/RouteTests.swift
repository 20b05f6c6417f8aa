import Geometry
import Testing

@testable import AudioSessions

@Suite("Routes (A-08 to A-10)")
struct RouteTests {
    static let both = [World.speaker, World.headphones]

    static func index(_ world: World, _ isMeant: (AudioEffect) -> Bool) -> Int? { world.last.firstIndex(where: isMeant) }

    @Test("A-08: plugged-in headphones are used at once, nothing is paused, and apps get the previous route")
    func plug() {
        var world = World()
        world.declare(1, .music)
        world.stream(1, app: 1)
        world.send(.devicesChanged(outputs: Self.both, inputs: [World.microphone]))
        #expect(world.last.contains(.useOutput(World.headphones.id)))
        #expect(
            world.last.contains(
                .tell(
                    SessionID(1),
                    .routeChanged(
                        .newDeviceAvailable, previous: AudioRoute(output: World.speaker.id, input: World.microphone.id),
                        current: AudioRoute(output: World.headphones.id, input: World.microphone.id)))))
        #expect(!world.last.contains { if case .connect = $0 { true } else if case .level = $0 { true } else { false } })
        #expect(world.begins.isEmpty)
    }

    @Test("A-08: last in wins")
    func lastIn() {
        var world = World()
        world.send(.devicesChanged(outputs: Self.both, inputs: []))
        world.send(.devicesChanged(outputs: Self.both + [World.bluetooth], inputs: []))
        #expect(world.audio.summary.route.output == World.bluetooth.id)
        world.send(.devicesChanged(outputs: Self.both, inputs: []))
        #expect(world.audio.summary.route.output == World.headphones.id)
    }

    @Test(
        "A-09: what plays is disconnected, then paused, before the output changes",
        arguments: [SoundKind.music, .podcast, .video, .gameSolo, .unknown])
    func unplug(_ kind: SoundKind) {
        var world = World(outputs: Self.both)
        world.stream(1, app: 1, kind)
        world.player("mpv", app: 1, .playing)
        world.send(.devicesChanged(outputs: [World.speaker], inputs: []))
        let connect = Self.index(world) { $0 == .connect(StreamID(1), false) }
        let output = Self.index(world) { $0 == .useOutput(World.speaker.id) }
        #expect(connect != nil && output != nil && connect! < output!)
        if kind != .unknown {
            let pause = Self.index(world) { $0 == .command(PlayerID("mpv"), .pause) }
            #expect(pause != nil && connect! < pause! && pause! < output!)
        }
        world.player("mpv", app: 1, .paused)
        world.wait(5)
        #expect(world.isConnected(1) == false)
        #expect(!world.log.contains(.command(PlayerID("mpv"), .play)))
        #expect(world.audio.violations() == [])
        // A person plays it again.
        world.stream(1, app: 1, kind, running: false)
        world.stream(1, app: 1, kind, running: true)
        #expect(world.isConnected(1) == false, "a stream that is moved stops for a moment, too")
        world.stream(1, app: 1, kind, running: false)
        world.wait(0.5)
        #expect(world.isConnected(1) == false)
        world.stream(1, app: 1, kind, running: true)
        #expect(world.isConnected(1) == true && world.level(1) == 1)
    }

    @Test("A-09: a declared session is told why, and that it may not resume")
    func unplugDeclared() {
        var world = World(outputs: Self.both)
        world.declare(1, .music)
        world.stream(1, app: 1)
        world.send(.devicesChanged(outputs: [World.speaker], inputs: [World.microphone]))
        let began = Self.index(world) { $0 == .tell(SessionID(1), .interruptionBegan(.routeDisconnected)) }
        let changed = Self.index(world) { if case .tell(_, .routeChanged(.oldDeviceUnavailable, _, _)) = $0 { true } else { false } }
        #expect(began != nil && changed != nil && began! < changed!)
        world.wait(2)
        #expect(world.lastShouldResume[SessionID(1)] == false && world.isConnected(1) == false)
        world.ask(1, .activate)
        #expect(world.isConnected(1) == true)
    }

    @Test(
        "table 1c: an ambient game is silent for a second; prompts, alarms and screen readers go on",
        arguments: [
            SoundKind.gameAmbient, .prompt, .alarm, .screenReader, .callActive, .callRinging, .notification,
        ])
    func goesOn(_ kind: SoundKind) {
        var world = World(outputs: Self.both)
        world.stream(1, app: 1, kind)
        world.send(.devicesChanged(outputs: [World.speaker], inputs: []))
        #expect(world.isConnected(1) == true && world.level(1) == (kind == .gameAmbient ? 0 : 1))
        #expect(world.implied(app: 1)?.begun == 0)
        world.wait(1.1)
        #expect(world.level(1) == 1)
    }

    @Test("table 1c: a call goes to the receiver, or to the speaker if its session says so", arguments: [false, true])
    func callAfterUnplug(_ isLoud: Bool) {
        var world = World(.phone, outputs: [World.speaker, World.receiver, World.headphones])
        world.declare(1, .callActive, activate: false)
        if isLoud { world.ask(1, .setCategory(.playAndRecord, .voiceChat, [.defaultToSpeaker])) }
        world.ask(1, .call(.accepted))
        #expect(world.audio.summary.route.output == World.headphones.id)
        world.send(.devicesChanged(outputs: [World.speaker, World.receiver], inputs: [World.microphone]))
        #expect(world.audio.summary.route.output == (isLoud ? World.speaker : World.receiver).id && world.begins.isEmpty)
        world.ask(1, .call(.ended))
        #expect(world.audio.summary.route.output == World.speaker.id)
    }

    @Test("A-10: the user's choice moves the sound without a pause and does not count as a loss")
    func pick() {
        var world = World(outputs: Self.both)
        world.declare(1, .music)
        world.stream(1, app: 1)
        world.send(.action(.pickOutput(World.speaker.id)))
        #expect(world.last.contains(.useOutput(World.speaker.id)) && world.audio.summary.isOutputPicked && world.begins.isEmpty)
        #expect(world.last.contains { if case .tell(_, .routeChanged(.override, _, _)) = $0 { true } else { false } })
        world.send(.action(.pickOutput(nil)))
        #expect(world.audio.summary.route.output == World.headphones.id)
        world.send(.action(.pickOutput(PortID("none"))))
        #expect(world.last == [.refuse("there is no output “none”")])
    }

    @Test("A-10: a picked output is given back when it returns; what is plugged in later wins")
    func pickReturns() {
        var world = World(outputs: Self.both + [World.screen])
        world.send(.action(.pickOutput(World.screen.id)))
        world.send(.devicesChanged(outputs: Self.both, inputs: []))
        #expect(world.audio.summary.route.output == World.headphones.id)
        world.send(.devicesChanged(outputs: Self.both + [World.screen], inputs: []))
        #expect(world.audio.summary.route.output == World.screen.id && world.audio.summary.isOutputPicked)
        world.send(.devicesChanged(outputs: Self.both + [World.screen, World.bluetooth], inputs: []))
        #expect(world.audio.summary.route.output == World.bluetooth.id)
    }

    @Test("A-07: every output keeps its own level while it is away")
    func levels() {
        var world = World(outputs: Self.both)
        world.send(.action(.setVolume(0.75, .media)))
        world.send(.devicesChanged(outputs: [World.speaker], inputs: []))
        #expect(world.audio.summary.volumes[.media]?.level == 0.5)
        world.send(.devicesChanged(outputs: Self.both, inputs: []))
        #expect(world.audio.summary.volumes[.media]?.level == 0.75)
        #expect(world.last.contains(.outputLevel(World.headphones.id, level: 0.75, isMuted: false)))
    }

    @Test("sound without a player continues on the next private output")
    func plugAgain() {
        var world = World(outputs: Self.both)
        world.stream(1, app: 1)
        world.send(.devicesChanged(outputs: [World.speaker], inputs: []))
        world.wait(10)
        #expect(world.isConnected(1) == false)
        world.send(.devicesChanged(outputs: Self.both, inputs: []))
        #expect(world.isConnected(1) == true && world.level(1) == 1)
    }

    @Test("the server is lost and comes back: interruptions end, levels are whole, the same route")
    func server() {
        var world = World(outputs: Self.both)
        world.declare(1, .music)
        world.stream(1, app: 1)
        world.stream(2, app: 2, .prompt)
        world.send(.serverChanged(isRunning: false))
        #expect(world.session(1)?.ducks == [] && world.session(1)?.state == .active && world.audio.streams.isEmpty)
        world.send(.serverChanged(isRunning: true))
        world.send(.devicesChanged(outputs: Self.both, inputs: []))
        #expect(world.last.contains(.useOutput(World.headphones.id)) && world.begins.isEmpty)
        world.stream(3, app: 1)
        #expect(world.level(3) == 1 && world.isConnected(3) == true)
    }

    @Test("the server comes back without the headphones: what plays is paused before the speaker is used")
    func serverWithoutHeadphones() {
        var world = World(outputs: Self.both)
        world.declare(1, .music)
        world.send(.serverChanged(isRunning: false))
        world.send(.serverChanged(isRunning: true))
        world.send(.devicesChanged(outputs: [World.speaker], inputs: []))
        #expect(world.begins[SessionID(1)] == 1)
        #expect(world.audio.summary.route.output == World.speaker.id)
    }

    @Test("hands-free Bluetooth is for calls that allow it; music goes by A2DP")
    func handsFree() {
        let hfp = AudioOutput(id: PortID("hfp"), kind: .bluetoothHFP, name: "Earbuds", priority: 1)
        var world = World(outputs: [World.speaker, World.bluetooth, hfp])
        #expect(world.audio.summary.route.output == World.bluetooth.id)
        world.declare(1, .callActive)
        #expect(world.audio.summary.route.output == hfp.id)
        #expect(world.last.contains { if case .tell(_, .routeChanged(.categoryChange, _, _)) = $0 { true } else { false } })
        world.ask(1, .call(.ended))
        #expect(world.audio.summary.route.output == World.bluetooth.id)
    }

    @Test("inputs: the app's preference, the user's choice, availability")
    func inputs() {
        var world = World(inputs: [])
        #expect(world.declare(1, .recording)?.error == .cannotStartRecording)
        world.send(.devicesChanged(outputs: [World.speaker], inputs: [World.microphone, Life.headset]))
        #expect(world.last.contains(.tell(SessionID(1), .inputAvailable(true))) && world.last.contains(.useInput(Life.headset.id)))
        world.send(.action(.pickInput(World.microphone.id)))
        #expect(world.audio.summary.route.input == World.microphone.id)
        #expect(world.ask(1, .preferInput(PortID("none")))?.error == .badParameter)
        world.ask(1, .activate)
        world.ask(1, .preferInput(Life.headset.id))
        #expect(world.audio.summary.route.input == Life.headset.id)
    }
}
