import Geometry
import Idioms
import Testing

@testable import AudioSessions

@Suite("Switches, volumes, sight and idioms")
struct SwitchTests {
    static func sees(_ apps: Int..., active: Int? = nil) -> AudioEvent {
        .appsInSight(apps.map { AudioPresence(app: "app\($0)", lineage: [Int32(1000 + $0)], isActive: $0 == active ?? apps.first) })
    }

    @Test(
        "A-01 to A-06: the silence switch, category by category",
        arguments: [
            (Category.soloAmbient, true), (.ambient, true), (.playback, false), (.playAndRecord, false), (.alarm, false), (.ringer, true),
        ])
    func silence(_ category: Category, _ isSilenced: Bool) {
        var world = World()
        world.send(.sessionOpened(SessionID(1), World.app(1)))
        world.ask(1, .setCategory(category, .standard, []))
        world.ask(1, .activate)
        world.stream(1, app: 1)
        world.send(.silenced(true))
        #expect(world.level(1) == (isSilenced ? 0 : 1))
        world.send(.action(.silence(nil)))
        #expect(world.level(1) == 1 && !world.audio.summary.isSilenced)
    }

    @Test("A-06: of apps that declare nothing, those that the user started stay audible, the rest is silent", arguments: SoundKind.allCases)
    func silenceKinds(_ kind: SoundKind) {
        var world = World()
        world.stream(1, app: 1, kind)
        world.send(.silenced(true))
        let isSilent = [.gameSolo, .gameAmbient, .callRinging, .notification, .click, .unknown].contains(kind)
        #expect(world.level(1) == (isSilent ? 0 : 1), "\(kind)")
        world.send(Self.sees(1))
        #expect(world.level(1) == (isSilent && kind != .unknown ? 0 : 1), "\(kind)")
    }

    @Test("A-06: a sound that the user asked for is audible in silent mode, one of unknown origin is not")
    func asked() {
        var world = World()
        world.send(.silenced(true))
        world.stream(1, app: 1, role: "test")
        world.stream(2, app: 2)
        world.stream(3, app: 3, role: "click")
        #expect(world.level(1) == 1 && world.level(2) == 0 && world.level(3) == 0)
    }

    @Test(
        "A-03: a new session manager stops all streams for a moment; what is lowered or interrupted stays so until the other sound ends",
        arguments: [
            SoundKind.notification, .callActive, .alarm, .prompt,
        ], [1, 2])
    func setUpAnew(_ other: SoundKind, _ players: Int) {
        var world = World()
        for number in 1...players { world.stream(UInt64(number), app: number, number == 1 ? .music : .gameAmbient) }
        world.wait(2)
        let free = (1...players).map { world.level(UInt64($0)) }
        world.stream(9, app: 9, other)
        world.wait(2)
        let before = (1...players).map { world.level(UInt64($0)) }
        world.send(.streamsSetUpAnew)
        for number in 1...players { world.stream(UInt64(number), app: number, number == 1 ? .music : .gameAmbient, running: false) }
        world.stream(9, app: 9, other, running: false)
        world.wait(0.4)
        // The music runs again before what lowers it, as it is the older stream.
        for number in 1...players { world.stream(UInt64(number), app: number, number == 1 ? .music : .gameAmbient) }
        world.stream(9, app: 9, other)
        for _ in 0..<5 {
            #expect((1...players).map { world.level(UInt64($0)) } == before)
            world.wait(1)
        }
        world.stream(9, app: 9, other, running: false)
        world.wait(3)
        if other == .notification { #expect((1...players).map { world.level(UInt64($0)) } == free) }
        // A stream that stays away has ended.
        world.stream(9, app: 9, other)
        world.wait(2)
        world.send(.streamsSetUpAnew)
        world.stream(9, app: 9, other, running: false)
        world.wait(4)
        if other == .notification { #expect((1...players).map { world.level(UInt64($0)) } == free) }
    }

    @Test("A-01, A-02: the locked screen silences ambient sound, not playback")
    func locked() {
        var world = World()
        world.declare(1, .gameAmbient)
        world.stream(1, app: 1)
        world.declare(2, .music)
        world.stream(2, app: 2)
        world.send(.screenLocked(true))
        #expect(world.level(1) == 0 && world.level(2) == 1)
        world.send(.screenLocked(false))
        #expect(world.level(1) == 1)
    }

    @Test(
        "S-05: on phone and pad video and games pause out of sight and go on in sight; music goes on",
        arguments: [
            (Idiom.pad, true), (.phone, true), (.mac, false), (.vision, false),
        ])
    func outOfSight(_ idiom: Idiom, _ pauses: Bool) {
        for (kind, stops) in [(SoundKind.video, pauses), (.gameSolo, pauses), (.music, false)] {
            var world = World(idiom)
            world.send(Self.sees(1))
            world.stream(1, app: 1, kind)
            world.player("p", app: 1, .playing)
            world.send(Self.sees(2))
            #expect((world.implied(app: 1)?.state == .interrupted) == stops, "\(kind) on \(idiom)")
            world.wait(0.2)
            #expect(world.log.contains(.command(PlayerID("p"), .pause)) == stops)
            if stops { world.player("p", app: 1, .paused) }
            world.send(Self.sees(1))
            #expect(world.log.contains(.command(PlayerID("p"), .play)) == stops)
            #expect(world.level(1) == 1 || idiom == .vision)
        }
    }

    @Test("S-10: what is visible beside a call continues")
    func inSight() {
        var world = World(.phone)
        world.send(Self.sees(1, 2))
        world.stream(1, app: 1, .gameAmbient)
        world.send(Self.sees(2, 1))
        #expect(world.level(1) == 1)
    }

    @Test("A-20: closing the cover interrupts users of the built-in microphone and ends calls; opening restarts nothing")
    func cover() {
        var world = World()
        world.declare(1, .callActive)
        world.stream(1, app: 1, direction: .input)
        world.declare(2, .music)
        world.send(.coverClosed(true))
        #expect(world.last.contains(.muteInput(true)) && world.last.contains(.tell(SessionID(1), .interruptionBegan(.builtInMicMuted))))
        #expect(world.last.contains(.tell(SessionID(1), .call(.end))) && world.begins[SessionID(2)] == nil)
        #expect(world.isConnected(1) == false)
        world.send(.coverClosed(false))
        #expect(world.lastShouldResume[SessionID(1)] == false && world.isConnected(1) == false)
        #expect(world.last.contains(.muteInput(false)))
    }

    @Test("A-20: overrideMutedMic stays active; a headset's microphone is not covered; recording cannot start behind the cover")
    func coverOverridden() {
        var world = World()
        world.declare(1, .callActive, activate: false)
        world.ask(1, .setCategory(.playAndRecord, .voiceChat, [.overrideMutedMic]))
        world.ask(1, .activate)
        world.send(.coverClosed(true))
        #expect(world.begins.isEmpty && world.last.contains(.muteInput(true)))
        world.ask(1, .deactivate(notifyOthers: false))
        #expect(world.declare(2, .recording)?.error == .cannotStartRecording)
        world.send(.devicesChanged(outputs: [World.speaker], inputs: [World.microphone, Life.headset]))
        #expect(world.last.contains(.muteInput(false)))
        #expect(world.ask(2, .activate) == .done)
    }

    @Test("A-20: a microphone used for an unknown purpose is not opened again, either")
    func coverUnknown() {
        var world = World()
        world.stream(1, app: 1, direction: .input)
        world.stream(2, app: 1)
        world.send(.coverClosed(true))
        world.send(.coverClosed(false))
        #expect(world.isConnected(1) == false && world.isConnected(2) == true)
        world.stream(1, app: 1, running: false, direction: .input)
        world.wait(0.5)
        world.stream(1, app: 1, direction: .input)
        #expect(world.isConnected(1) == true)
    }

    @Test("A-07: five factors, each apart; levels are cubic")
    func factors() {
        var world = World()
        world.declare(1, .callActive)
        world.stream(1, app: 1)
        world.ask(1, .setLevel(0.5))
        world.send(.action(.setVolume(0.5, .call)))
        world.send(.action(.setAppVolume(0.5, app: "app1")))
        world.stream(2, app: 2, .screenReader)
        let factors = world.factors(1)!
        #expect(factors.route == 0.125 && factors.volumeClass == 0.125 && isClose(factors.app, 0.015625))
        #expect(isClose(factors.duck, light) && factors.fade == 1)
        #expect(isClose(world.level(1), 0.125 * 0.015625 * light))
        world.send(.streamGone(StreamID(2)))
        #expect(isClose(world.level(1), 0.125 * 0.015625))
    }

    @Test("A-07: no session can say how loud the system is; levels outside of 0 to 1 are errors", arguments: [-0.1, 1.1, .nan, .infinity])
    func badLevels(_ level: Double) {
        var world = World()
        world.declare(1, .music)
        #expect(world.ask(1, .setLevel(level))?.error == .badParameter)
        world.send(.action(.setVolume(level, nil)))
        #expect(world.last.contains { if case .refuse = $0 { true } else { false } })
    }

    @Test("A-07: the keys move the system volume, in a call the call's, on a quiet phone the ringer's; the level is shown for a while")
    func keys() {
        var world = World()
        world.send(.action(.volumeStep(1)))
        #expect(world.last.contains(.outputLevel(World.speaker.id, level: 0.5625, isMuted: false)))
        #expect(world.audio.summary.shownVolume == .media)
        world.wait(2)
        #expect(world.audio.summary.shownVolume == nil)
        world.send(.action(.mute(nil)))
        #expect(
            world.last.contains(.outputLevel(World.speaker.id, level: 0.5625, isMuted: true))
                && world.audio.summary.volumes[.media]?.isMuted == true)
        world.declare(1, .callActive)
        world.send(.action(.volumeStep(-4)))
        #expect(world.audio.summary.volumes[.call]?.level == 0.75 && world.audio.summary.shownVolume == .call)
        var phone = World(.phone)
        phone.send(.action(.volumeStep(-8)))
        #expect(phone.audio.summary.volumes[.ringer]?.level == 0.5)
        phone.stream(1, app: 1, .music)
        #expect(phone.audio.summary.keysActOn == .media)
        phone.stream(2, app: 2, .notification)
        #expect(phone.level(2) == 0.125)
    }

    @Test("A-07: a level that an accessory sets is the system volume, and is shown")
    func accessoryLevel() {
        var world = World()
        world.send(.outputLevelChanged(World.speaker.id, level: 0.25, isMuted: false))
        #expect(world.audio.summary.volumes[.media]?.level == 0.25 && world.audio.summary.shownVolume == .media)
    }

    @Test("A-21: short sounds obey the silence switch and are kept out of recordings")
    func systemSounds() {
        var world = World()
        world.send(.systemSound("bell", .alert))
        #expect(world.last == [.playSound("bell", .alert), .haptic("bell")])
        world.send(.silenced(true))
        world.send(.systemSound("bell", .feedback))
        #expect(world.last == [.haptic("bell")])
        world.send(.systemSound("test", .asked))
        #expect(world.last.first == .playSound("test", .asked))
        world.send(.silenced(false))
        world.declare(1, .recording)
        world.send(.systemSound("bell", .alert))
        #expect(world.last.isEmpty)
        world.ask(1, .setCategory(.record, .standard, [.allowHapticsAndSystemSoundsDuringRecording]))
        world.send(.systemSound("bell", .alert))
        #expect(!world.last.isEmpty)
    }

    @Test("A-21: bells sound ten times a second at most, and never in silent mode or into a recording")
    func bell() {
        var world = World()
        var rung = 0
        for milliseconds in stride(from: 0, to: 1000, by: 20) {
            world.now = .milliseconds(Double(milliseconds))
            if world.send(.bellRung).contains(.playSound("bell-window-system", .feedback)) { rung += 1 }
        }
        #expect(rung == 10)
        world.now = .milliseconds(2000)
        world.send(.silenced(true))
        #expect(!world.send(.bellRung).contains { if case .playSound = $0 { true } else { false } })
        world.send(.silenced(false))
        world.declare(1, .recording)
        world.now = .milliseconds(3000)
        #expect(world.send(.bellRung).isEmpty)
    }

    @Test("A-22: on mac a notification lowers nothing")
    func mac() {
        for (idiom, gain) in [(Idiom.mac, 1.0), (.pad, light)] {
            var world = World(idiom)
            world.stream(1, app: 1, .music)
            world.stream(2, app: 2, .notification)
            #expect(isClose(world.level(1), gain))
        }
    }

    @Test("A-23: on tv alerts and notifications are silent, feedback is not")
    func tv() {
        var world = World(.tv)
        world.stream(1, app: 1, .notification)
        #expect(world.level(1) == 0)
        world.send(.systemSound("bell", .alert))
        #expect(world.last.isEmpty)
        world.send(.systemSound("click", .feedback))
        #expect(world.last == [.playSound("click", .feedback)])
    }

    @Test("A-24: on watch clips sound in front alone, long-form audio goes on")
    func watch() {
        var world = World(.watch, outputs: [World.headphones])
        world.send(Self.sees(1, 2, active: 1))
        world.stream(1, app: 1, .gameAmbient)
        world.stream(2, app: 2, .music)
        world.send(Self.sees(2))
        #expect(world.level(1) == 0 && world.level(2) == 1)
    }

    @Test("A-24: on watch long-form audio waits until a person chooses an output, or connects a private one")
    func routeChoice() {
        func world(_ idiom: Idiom, _ kind: SoundKind = .music) -> World {
            var world = World(idiom)
            world.send(Self.sees(1, active: 1))
            world.stream(1, app: 1, kind)
            return world
        }
        #expect(world(.phone).level(1) == 1)
        var picked = world(.watch)
        #expect(picked.level(1) == 0 && picked.audio.summary.waitsForRoute?.id == "app1")
        picked.send(.action(.pickOutput(PortID("speaker"))))
        #expect(picked.level(1) == 1 && picked.audio.summary.waitsForRoute == nil)
        var connected = world(.watch)
        connected.send(.devicesChanged(outputs: [World.speaker, World.bluetooth], inputs: []))
        connected.wait(2)
        #expect(connected.level(1) == 1 && connected.audio.summary.waitsForRoute == nil)
        let clip = world(.watch, .gameAmbient)
        #expect(clip.level(1) == 1, "a clip waits for nothing")
        var left = world(.watch)
        left.send(.rulesChanged(Idiom.pad.sound))
        #expect(left.level(1) == 1)
    }

    @Test("V-07: on vision what people look away from is lowered, unless it is Now Playing")
    func lookAway() {
        var world = World(.vision)
        world.send(Self.sees(1, 2, active: 1))
        world.stream(1, app: 1, .gameAmbient)
        world.stream(2, app: 2, .music)
        world.player("p", app: 2, .playing)
        world.send(Self.sees(1, 2, 3, active: 3))
        #expect(isClose(world.level(1), light) && world.level(2) == 1)
        world.send(Self.sees(1, 2, 3, active: 1))
        #expect(world.level(1) == 1)
    }

    @Test("V-05: on vision closing the window of what is Now Playing pauses it; it can be played again without a window")
    func closing() {
        var world = World(.vision)
        world.send(Self.sees(2))
        world.stream(2, app: 2, .music)
        world.player("p", app: 2, .playing)
        world.send(.windowClosed(AudioPresence(app: "app2", lineage: [1002])))
        #expect(world.last == [.command(PlayerID("p"), .pause)])
        world.player("p", app: 2, .paused)
        world.send(.appsInSight([]))
        world.send(.action(.remote(.play, .controlCentre)))
        #expect(world.last.contains(.command(PlayerID("p"), .play)))
        var pad = World()
        pad.stream(2, app: 2, .music)
        pad.player("p", app: 2, .playing)
        pad.send(.windowClosed(AudioPresence(app: "app2", lineage: [1002])))
        #expect(pad.last.isEmpty)
    }
}
