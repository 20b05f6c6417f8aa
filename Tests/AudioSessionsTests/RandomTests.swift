import Geometry
import Idioms
import Testing

@testable import AudioSessions

/// Chance that can be told again.
struct Chance: RandomNumberGenerator {
    var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    mutating func one<T>(of list: [T]) -> T { list[below(list.count)] }
}

/// Anything that can happen, in a world of six apps.
struct Life {
    var chance: Chance
    var nextStream: UInt64 = 0
    var nextSession: UInt64 = 0
    var streams: [UInt64] = []
    var sessions: [UInt64] = []

    static let outputs = [World.speaker, World.headphones, World.bluetooth, World.screen, World.receiver]
    static let headset = AudioInput(id: PortID("headset"), kind: .headset, name: "Headset", priority: 5)

    mutating func facts(app: Int) -> StreamFacts {
        StreamFacts(
            app: World.app(app), direction: chance.one(of: [.output, .output, .output, .input, .monitor]),
            isRunning: chance.below(3) > 0, isMuted: chance.below(8) == 0,
            role: chance.one(of: ["", "", "Music", "Movie", "Communication", "Notification", "Navigation", "Alarm"]),
            appCategories: chance.one(of: [[], [], ["Game"], ["VideoConference"], ["Audio", "Player"]]),
            ruled: chance.below(3) == 0 ? chance.one(of: SoundKind.allCases) : nil)
    }

    mutating func presence() -> AudioPresence {
        let app = chance.below(6)
        return AudioPresence(app: "app\(app)", lineage: [Int32(1000 + app), 1], isActive: chance.below(2) == 0)
    }

    mutating func step(_ world: inout World) {
        let app = chance.below(6)
        switch chance.below(40) {
        case 0...4 where streams.count < 12:
            nextStream += 1
            streams.append(nextStream)
            world.send(.streamAppeared(StreamID(nextStream), facts(app: app)))
        case 5...11:
            guard !streams.isEmpty else { return }
            let id = StreamID(chance.one(of: streams))
            guard var facts = world.audio.streams[id]?.facts else { return }
            switch chance.below(6) {
            case 0: facts.isMuted.toggle()
            case 1: facts.ruled = chance.one(of: SoundKind.allCases)
            case 2 where chance.below(5) == 0: facts.app = World.app(app)
            default: facts.isRunning.toggle()
            }
            world.send(.streamChanged(id, facts))
        case 12, 13:
            guard !streams.isEmpty else { return }
            world.send(.streamGone(StreamID(streams.remove(at: chance.below(streams.count)))))
        case 14, 15:
            let name = "player\(app)"
            world.player(
                name, app: app, chance.one(of: PlaybackStatus.allCases), commands: Set(chance.below(4) == 0 ? [] : [.play, .pause, .next]))
        case 16: world.send(.playerGone(PlayerID("player\(app)")))
        case 17 where sessions.count < 8:
            nextSession += 1
            sessions.append(nextSession)
            world.send(.sessionOpened(SessionID(nextSession), World.app(app)))
            let (category, mode, _) = World.recipe(chance.one(of: SoundKind.allCases))
            world.ask(nextSession, .setCategory(category, mode, []))
        case 19:
            guard !sessions.isEmpty else { return }
            world.send(.sessionClosed(SessionID(sessions.remove(at: chance.below(sessions.count)))))
        case 20...26:
            guard !sessions.isEmpty else { return }
            ask(chance.one(of: sessions), &world)
        case 27: world.send(.appsInSight((0..<chance.below(4)).map { _ in presence() }))
        case 28: world.send(.appFreezing(presence()))
        case 29, 30: world.send(.appThawed(AudioPresence(app: "app\(app)", lineage: [Int32(1000 + app), 1])))
        case 31, 32:
            world.send(
                .devicesChanged(
                    outputs: Self.outputs.filter { _ in chance.below(3) > 0 },
                    inputs: [World.microphone, Self.headset].filter { _ in chance.below(3) > 0 }))
        case 33: world.send(chance.one(of: [.silenced(true), .silenced(false), .screenLocked(true), .screenLocked(false), .wokeUp]))
        case 34: world.send(chance.one(of: [.coverClosed(true), .coverClosed(false), .goesToSleep, .wokeUp]))
        case 35 where chance.below(8) == 0:
            world.send(.serverChanged(isRunning: false))
            streams = []
            world.send(.serverChanged(isRunning: true))
            world.send(.devicesChanged(outputs: [World.speaker, World.headphones], inputs: [World.microphone]))
        case 36: world.send(.action(action(app: app)))
        case 37: world.send(.systemSound("bell", chance.one(of: SystemSoundKind.allCases)))
        case 38: world.send(.windowClosed(presence()))
        case 39: world.send(.streamsSetUpAnew)
        default: world.wait(Double(chance.below(20)) / 10)
        }
    }

    private mutating func ask(_ session: UInt64, _ world: inout World) {
        switch chance.below(12) {
        case 0...3: world.ask(session, .activate)
        case 4, 5: world.ask(session, .deactivate(notifyOthers: chance.below(2) == 0))
        case 6:
            let (category, mode, _) = World.recipe(chance.one(of: SoundKind.allCases))
            world.ask(session, .setCategory(category, mode, Options(rawValue: UInt32(1 << chance.below(10)))))
        case 7: world.ask(session, .call(chance.one(of: CallState.allCases)))
        case 8: world.ask(session, .setNowPlaying(NowPlayingInfo(), chance.one(of: PlaybackStatus.allCases)))
        case 9: world.ask(session, .setCommands([.play, .pause], skipForward: 15, skipBackward: nil))
        case 10: world.ask(session, .setLevel(Double(chance.below(11)) / 10))
        default: world.ask(session, chance.below(2) == 0 ? .showVolume(true) : .preferInput(World.microphone.id))
        }
    }

    private mutating func action(app: Int) -> AudioAction {
        switch chance.below(10) {
        case 0: .volumeStep(chance.below(5) - 2)
        case 1: .setVolume(Double(chance.below(11)) / 10, chance.one(of: VolumeClass.allCases))
        case 2: .setAppVolume(0.5, app: "app\(app)")
        case 3: .mute(nil)
        case 4: .pickOutput(chance.below(3) == 0 ? nil : chance.one(of: Self.outputs).id)
        case 5: .muteMicrophone(nil)
        case 6: .remote(chance.one(of: [.play, .pause, .next, .togglePlayPause]), .key)
        case 7: .headsetButton(nil)
        case 8: chance.one(of: [.answerCall, .declineCall, .endCall])
        default: .silence(nil)
        }
    }

    /// Everything ends: nothing may be left of it.
    mutating func end(_ world: inout World) {
        for session in sessions { world.send(.sessionClosed(SessionID(session))) }
        for stream in streams { world.send(.streamGone(StreamID(stream))) }
        for app in 0..<6 { world.send(.playerGone(PlayerID("player\(app)"))) }
        world.wait(5)
        streams = []
        sessions = []
    }
}

@Suite("Random lives")
struct RandomTests {
    /// Twelve lives of 2,000 events in the normal run.
    @Test("a life of sessions, plugs, calls and crashes keeps every invariant, and leaves nothing", arguments: Idiom.all)
    func lives(_ idiom: Idiom) throws {
        for seed in 0..<UInt64(isSlow ? 200 : 2) {
            var world = World(idiom)
            var life = Life(chance: Chance(seed * 6 + UInt64(Idiom.all.firstIndex(of: idiom)!) + 1))
            for step in 0..<2000 {
                life.step(&world)
                let violations = world.audio.violations()
                guard violations.isEmpty else {
                    Issue.record("seed \(seed), step \(step): \(violations); after \(world.last)")
                    return
                }
                for session in world.audio.sessions.values where session.isDeclared && world.begins[session.id, default: 0] != session.begun
                {
                    Issue.record("seed \(seed), step \(step): \(session.id) was not told what happened")
                    return
                }
                world.log.removeAll(keepingCapacity: true)
            }
            life.end(&world)
            #expect(world.audio.violations() == [])
            #expect(world.audio.sessions.isEmpty && world.audio.streams.isEmpty && world.audio.players.isEmpty && world.audio.apps.isEmpty)
            #expect(world.audio.appsByName.isEmpty && world.audio.appsByProcess.isEmpty)
            #expect(world.begins == world.ends)
        }
    }
}
