import Geometry
import Testing

@testable import AudioSessions

/// What comes together in the corners of the table: a loss within a loss, a microphone that goes away, two calls.
@Suite("Corners of the rules (A-07, A-09, A-18, A-20)")
struct CornerTests {
    static let both = [World.speaker, World.headphones]
    static let usb = AudioInput(id: PortID("usb"), kind: .usb, name: "USB", priority: 1)

    @Test(
        "A-09, A-18: headphones pulled during an interruption: what it took does not go on by the speaker",
        arguments: [SoundKind.music, .podcast, .video])
    func lossWithinLoss(_ kind: SoundKind) {
        for isDeclared in [true, false] {
            var world = World(outputs: Self.both)
            if isDeclared { world.declare(1, kind) } else { world.player("p", app: 1, .playing) }
            world.stream(10, app: 1, kind)
            world.declare(2, .callActive)
            world.wait(0.2)
            if !isDeclared {
                world.player("p", app: 1, .paused)
                world.stream(10, app: 1, kind, running: false)
            }
            world.wait(5)
            world.send(.devicesChanged(outputs: [World.speaker], inputs: [World.microphone]))
            world.wait(5)
            world.ask(2, .call(.ended))
            if isDeclared {
                #expect(world.lastShouldResume[SessionID(1)] == false && world.begins[SessionID(1)] == 1 && world.ends[SessionID(1)] == 1)
                #expect(world.isConnected(10) == false)
            }
            #expect(!world.log.contains(.command(PlayerID("p"), .play)))
            #expect(world.audio.violations() == [])
        }
    }

    @Test("A-09: a deaf sound without a player stays off the speaker after the call, and goes on in private")
    func deafWithinLoss() {
        for comesBackEarly in [false, true] {
            var world = World(outputs: Self.both)
            world.stream(1, app: 1, .music)
            world.declare(2, .callActive)
            world.wait(2)
            world.send(.devicesChanged(outputs: [World.speaker], inputs: [World.microphone]))
            world.wait(2)
            if comesBackEarly { world.send(.devicesChanged(outputs: Self.both, inputs: [World.microphone])) }
            world.ask(2, .call(.ended))
            #expect(world.isConnected(1) == comesBackEarly)
            world.send(.devicesChanged(outputs: Self.both, inputs: [World.microphone]))
            #expect(world.isConnected(1) == true && world.level(1) == 1)
            #expect(world.audio.violations() == [])
        }
    }

    @Test("A-09: headphones pulled while the app is frozen: thawed, it does not go on by the speaker")
    func lossWhileFrozen() {
        var world = World(outputs: Self.both)
        world.stream(1, app: 1, .music)
        let presence = AudioPresence(app: "app1", lineage: World.app(1).lineage)
        world.send(.appFreezing(presence))
        world.send(.devicesChanged(outputs: [World.speaker], inputs: []))
        world.wait(2)
        world.send(.appThawed(presence))
        #expect(world.isConnected(1) == false)
        world.send(.devicesChanged(outputs: Self.both, inputs: []))
        #expect(world.isConnected(1) == true)
        #expect(world.audio.violations() == [])
    }

    @Test("a microphone that is pulled is an old device gone; without another one a recording is interrupted, and told why")
    func microphoneGone() {
        var world = World(inputs: [World.microphone])
        world.send(.devicesChanged(outputs: [World.speaker], inputs: [World.microphone, Self.usb]))
        world.declare(1, .recording)
        world.declare(2, .music, activate: false)
        world.log = []
        world.send(.devicesChanged(outputs: [World.speaker], inputs: [World.microphone]))
        #expect(Self.reasons(of: 1, in: world.log) == [.oldDeviceUnavailable] && world.begins.isEmpty)
        world.log = []
        world.send(.devicesChanged(outputs: [World.speaker], inputs: []))
        #expect(Self.reasons(of: 1, in: world.log) == [.noSuitableRouteForCategory])
        #expect(Self.reasons(of: 2, in: world.log) == [.oldDeviceUnavailable])
        #expect(world.log.first == .tell(SessionID(1), .inputAvailable(false)))
        let begin = world.log.firstIndex(of: .tell(SessionID(1), .interruptionBegan(.routeDisconnected)))
        let route = world.log.firstIndex { if case .tell(SessionID(1), .routeChanged) = $0 { true } else { false } }
        #expect(begin != nil && route != nil && begin! < route!)
        world.wait(3)
        #expect(world.lastShouldResume[SessionID(1)] == false && world.session(1)?.state == .inactive)
        #expect(world.ask(1, .activate)?.error == .cannotStartRecording)
        #expect(world.audio.violations() == [])
    }

    static func reasons(of session: UInt64, in log: [AudioEffect]) -> [RouteChangeReason] {
        log.compactMap { if case .tell(SessionID(session), .routeChanged(let reason, _, _)) = $0 { reason } else { nil } }
    }

    @Test("apps hear of a wake from sleep, also if the route is the same")
    func wake() {
        var world = World()
        world.declare(1, .music, activate: false)
        world.send(.wokeUp)
        #expect(Self.reasons(of: 1, in: world.last) == [.wakeFromSleep])
    }

    @Test("A-20: a headset's microphone is pulled under the closed cover: the built-in one is covered, so who listens is interrupted")
    func coveredLater() {
        var world = World()
        world.send(.devicesChanged(outputs: [World.speaker], inputs: [World.microphone, Life.headset]))
        world.declare(1, .callActive)
        world.send(.coverClosed(true))
        #expect(world.begins.isEmpty)
        world.send(.devicesChanged(outputs: [World.speaker], inputs: [World.microphone]))
        #expect(
            world.last.contains(.tell(SessionID(1), .interruptionBegan(.builtInMicMuted)))
                && world.last.contains(.tell(SessionID(1), .call(.end))))
        world.send(.coverClosed(false))
        #expect(world.lastShouldResume[SessionID(1)] == false && world.audio.violations() == [])
    }

    @Test("A-20, A-21: a call that rings does not listen yet: the cover leaves it alone, and short sounds sound")
    func ringingListensToNothing() {
        var world = World()
        world.declare(1, .callRinging)
        world.send(.coverClosed(true))
        #expect(world.begins.isEmpty && !world.last.contains(.tell(SessionID(1), .call(.end))))
        world.send(.systemSound("message-new-instant", .alert))
        #expect(world.last.contains(.playSound("message-new-instant", .alert)))
    }

    @Test("the microphone is a call's alone, whatever mode another app asks for; a call that a person accepts goes before")
    func twoCalls() {
        for mode in [Mode.standard, .voiceChat, .videoChat] {
            var world = World()
            world.declare(1, .callActive)
            world.send(.sessionOpened(SessionID(2), World.app(2)))
            world.ask(2, .setCategory(.playAndRecord, mode, []))
            #expect(world.ask(2, .activate)?.error == .insufficientPriority, "\(mode)")
            #expect(world.begins.isEmpty)
            #expect(world.ask(2, .call(.ringing)) == .done && world.ask(2, .call(.accepted)) == .done)
            #expect(world.session(1)?.state == .interrupted)
            world.ask(2, .call(.ended))
            #expect(world.lastShouldResume[SessionID(1)] == true && world.session(1)?.state == .active)
        }
    }

    @Test("A-07: the volume keys act on a call before an alarm, whichever began first")
    func keys() {
        for kinds in [[SoundKind.alarm, .callActive], [.callActive, .alarm], [.callRinging, .callActive]] {
            var world = World(.phone)
            for (number, kind) in kinds.enumerated() { world.declare(UInt64(number + 1), kind) }
            #expect(world.audio.summary.keysActOn == .call, "\(kinds)")
        }
    }

    @Test("interruptSpokenAudioAndMix ducks nothing without duckOthers, even in a navigation app")
    func spokenAndMix() {
        var world = World()
        world.declare(1, .music)
        world.stream(1, app: 1)
        world.declare(2, .podcast)
        world.ask(2, .setCategory(.playback, .spokenAudio, [.mixWithOthers]))
        world.ask(1, .activate)
        world.ask(2, .activate)
        world.declare(3, .prompt, activate: false)
        world.ask(3, .setCategory(.playback, .voicePrompt, [.interruptSpokenAudioAndMix]))
        world.ask(3, .activate)
        #expect(world.level(1) == 1 && world.session(2)?.state == .interrupted)
        world.ask(3, .setCategory(.playback, .voicePrompt, [.interruptSpokenAudioAndMix, .duckOthers]))
        #expect(isClose(world.level(1), light))
        world.ask(3, .deactivate(notifyOthers: true))
        #expect(world.level(1) == 1 && world.lastShouldResume[SessionID(2)] == true && world.audio.violations() == [])
    }

    @Test("1e-7: a player whose stream began last is the one that played last, though it says that it is paused")
    func playsWhilePaused() {
        var world = World()
        world.player("honest", app: 1, .playing)
        world.player("honest", app: 1, .paused)
        world.player("liar", app: 2, .paused)
        world.stream(2, app: 2, .music)
        world.send(.action(.remote(.togglePlayPause, .key)))
        #expect(world.last == [.command(PlayerID("liar"), .play)])
    }

    @Test("A-12: of several players of one program the one that plays gets it, wherever it stands among them")
    func severalOfOneProgram() {
        for playing in 0..<3 {
            var world = World()
            for number in 0..<3 { world.player("p\(number)", app: 1, number == playing ? .playing : number == 0 ? .stopped : .paused) }
            world.stream(1, app: 1, .music)
            world.send(.action(.remote(.togglePlayPause, .key)))
            #expect(world.last == [.command(PlayerID("p\(playing)"), .pause)])
            world.player("p\(playing)", app: 1, .paused)
            world.stream(1, app: 1, .music, running: false)
            world.send(.action(.remote(.togglePlayPause, .key)))
            #expect(world.last == [.command(PlayerID("p\(playing)"), .play)])
        }
    }

    @Test("an impossible duration, position or rate is refused by name")
    func nowPlayingOutOfRange() {
        var world = World()
        world.declare(1, .music)
        func answer(_ change: (inout NowPlayingInfo) -> Void) -> SessionAnswer? {
            var info = NowPlayingInfo()
            change(&info)
            return world.ask(1, .setNowPlaying(info, .playing))
        }
        let wrong: [(String, (inout NowPlayingInfo) -> Void)] = [
            ("duration", { $0.duration = -1 }), ("duration", { $0.duration = 1e308 }), ("duration", { $0.duration = .nan }),
            ("position", { $0.position = -0.5 }), ("position", { $0.position = .infinity }), ("position", { $0.position = 1e9 }),
            ("rate", { $0.rate = 1e300 }), ("rate", { $0.rate = -101 }), ("rate", { $0.rate = .nan }),
        ]
        for (name, change) in wrong {
            guard case .failed(let error) = answer(change) else {
                Issue.record("\(name) was taken")
                continue
            }
            #expect(error.kind == .badParameter && error.text.contains(name), "\(error.text)")
        }
        #expect(world.session(1)?.info == nil)
        #expect(answer { ($0.duration, $0.position, $0.rate) = (0, 20, 0) } == .done)
        #expect(answer { $0.rate = -2 } == .done)
    }

    @Test("A-13: a command with an invalid number is refused with a reason, and reaches no app")
    func numbersOfCommands() {
        var world = World()
        world.declare(1, .music)
        world.ask(1, .setCommands(Set(RemoteCommand.Name.allCases), skipForward: nil, skipBackward: nil))
        for (command, text) in [
            (RemoteCommand.skipForward(-3), "-3.0"), (.skipBackward(0), "0.0"), (.skipForward(.nan), "nan"),
            (.skipBackward(1e9), "million"),
            (.seek(-5), "-5.0"), (.seek(.nan), "nan"), (.seek(1e300), "1e+300"), (.changeRate(0), "0.1 to 16"),
            (.changeRate(.infinity), "inf"),
        ] {
            world.send(.action(.remote(command, .key)))
            guard world.last.count == 1, case .refuse(let reason)? = world.last.first else {
                Issue.record("\(command): \(world.last)")
                continue
            }
            #expect(reason.contains(text))
        }
        for command in [RemoteCommand.skipForward(0.5), .skipBackward(nil), .seek(0), .changeRate(16)] {
            world.send(.action(.remote(command, .key)))
            #expect(world.last == [.tell(SessionID(1), .command(command))])
        }
    }

    @Test("A-12: while something plays that has no controls, the keys start no other app over it; its card and the app in front do")
    func nothingIsStartedOver() {
        func world() -> World {
            var world = World()
            world.player("recent", app: 1, .playing)
            world.player("recent", app: 1, .paused)
            world.stream(2, app: 2, .music)
            return world
        }
        for command in [RemoteCommand.togglePlayPause, .play] {
            for source in [RemoteSource.key, .accessory(nil)] {
                var world = world()
                world.send(.action(.remote(command, source)))
                #expect(world.last.isEmpty, "\(command) by \(source): \(world.last)")
            }
            var asked = world()
            asked.send(.action(.remote(command, .command)))
            #expect(asked.last == [.refuse("nothing plays that could be controlled")])
            var card = world()
            card.send(.action(.remote(command, .controlCentre)))
            #expect(card.last == [.command(PlayerID("recent"), .play)])
            var inFront = world()
            inFront.send(.appsInSight([AudioPresence(app: "app1", lineage: World.app(1).lineage, isActive: true)]))
            inFront.send(.action(.remote(command, .key)))
            #expect(inFront.last == [.command(PlayerID("recent"), .play)])
            var over = world()
            over.stream(2, app: 2, .music, running: false)
            over.send(.action(.remote(command, .key)))
            #expect(over.last == [.command(PlayerID("recent"), .play)])
        }
    }

    @Test("A-07: a call that ends when its session was over already leaves its sound at the level of its new kind")
    func endedLate() {
        var world = World()
        world.send(.action(.setVolume(0.5, .ringer)))
        world.declare(1, .callRinging)
        world.stream(1, app: 1)
        #expect(isClose(world.level(1), 0.125))
        world.stream(1, app: 1, running: false)
        world.ask(1, .deactivate(notifyOthers: false))
        #expect(world.ask(1, .call(.ended)) == .done)
        #expect(world.audio.violations() == [] && world.factors(1)?.volumeClass == 1)
    }
}
