import Foundation
import Testing

@testable import AudioSessions

@Suite("Categories, options and what apps may ask")
struct OptionsTests {
    @Test("every option has one name, and every name one option")
    func names() {
        #expect(Set(Options.names.map(\.name)).count == Options.names.count)
        #expect(Options.names.reduce(into: Options()) { $0.formUnion($1.option) }.rawValue == (1 << Options.names.count) - 1)
    }

    @Test("A-01 to A-05: options that a category does not have are errors that say which ones do")
    func legality() {
        let table: [(Options, [Category])] = [
            (.mixWithOthers, [.playback, .playAndRecord]), (.duckOthers, [.ambient, .playback, .playAndRecord]),
            (.interruptSpokenAudioAndMix, [.playback, .playAndRecord]), (.allowBluetooth, [.record, .playAndRecord]),
            (.allowBluetoothA2DP, [.playAndRecord]), (.defaultToSpeaker, [.playAndRecord]), (.overrideMutedMic, [.playAndRecord]),
            (.prefersNoInterruptionsFromSystemAlerts, Category.allCases),
            (.allowHapticsAndSystemSoundsDuringRecording, [.record, .playAndRecord]),
            (.prefersInterruptionOnRouteDisconnect, Category.allCases),
        ]
        for (option, categories) in table {
            for category in Category.allCases {
                let error = SessionError.check(category, .standard, option)
                #expect((error == nil) == categories.contains(category), "\(option.listed) with \(category)")
                if let error {
                    #expect(error.kind == .badParameter && error.text.contains(option.listed[0]) && error.text.contains(category.rawValue))
                }
            }
        }
        #expect(SessionError.check(.record, .voiceChat, [])?.kind == .badParameter)
        #expect(SessionError.check(.playback, .standard, Options(rawValue: 1 << 20))?.kind == .badParameter)
    }

    @Test("alarms and ringers are granted: a sandboxed app that is not listed does not get them")
    func granted() {
        var world = World()
        for (number, id, isGranted) in [(1, "org.evil.App", false), (2, "org.gnome.clocks", true)] {
            world.send(.sessionOpened(SessionID(UInt64(number)), AudioApp(id: id, lineage: [Int32(number)], isSandboxed: true)))
            let answer = world.ask(UInt64(number), .setCategory(.alarm, .standard, []))
            #expect((answer == .done) == isGranted && (answer?.error == .missingEntitlement) == !isGranted)
        }
        world.ask(1, .setCategory(.playAndRecord, .voiceChat, []))
        #expect(world.ask(1, .call(.ringing))?.error == .missingEntitlement)
    }

    @Test("an app may have 32 sessions; asks to others are answered all the same")
    func tooMany() {
        var world = World()
        for number in 1...10_000 { world.send(.sessionOpened(SessionID(UInt64(number)), World.app(1))) }
        #expect(world.audio.sessions.count == AudioSessions.sessionsPerApp && !world.audio.mayOpen(World.app(1)))
        #expect(world.ask(9000, .activate)?.error == .expiredSession)
        #expect(world.audio.mayOpen(World.app(2)))
    }

    @Test("a change of category clears the options, and cannot break what others were promised")
    func changes() {
        var world = World()
        world.declare(1, .music, activate: false)
        world.ask(1, .setCategory(.playback, .standard, [.mixWithOthers]))
        world.ask(1, .setCategory(.ambient, .standard, []))
        #expect(world.session(1)?.options == [])
        world.ask(1, .activate)
        world.declare(2, .callActive)
        world.ask(1, .activate)
        #expect(world.ask(1, .setCategory(.record, .standard, []))?.error == .insufficientPriority)
        #expect(world.session(1)?.category == .ambient && world.audio.violations() == [])
    }

    @Test("streams are classified by rule, role, player, category and id; the rest is unknown (A-26)")
    func classification() {
        func kind(
            _ role: String = "", _ id: String = "thing", _ categories: [String] = [], player: Bool = false, mic: Bool = false,
            ruled: SoundKind? = nil, input: Bool = false
        ) -> SoundKind {
            Classification.kind(
                of: StreamFacts(
                    app: AudioApp(id: id), direction: input ? .input : .output, role: role, appCategories: categories, ruled: ruled),
                hasPlayer: player, usesMicrophone: mic)
        }
        #expect(kind() == .unknown)
        #expect(kind("Music", ruled: .alarm) == .alarm)
        #expect(kind("Movie", player: true) == .video)
        #expect(kind(player: true) == .music)
        #expect(kind("", "mpv", player: true) == .video)
        #expect(kind("", "org.gnome.Podcasts", player: true) == .podcast)
        #expect(kind("", "thing", ["Game"]) == .gameAmbient)
        #expect(kind("", "thing", ["AudioVideo", "Audio", "AudioVideoEditing"]) == .unknown)
        #expect(kind("", "zoom", ["VideoConference"]) == .unknown && kind("", "zoom", ["VideoConference"], mic: true) == .callActive)
        #expect(kind(input: true) == .unknown && kind("", "rec", ["Audio", "Recorder"], input: true) == .recording)
        #expect(kind("", "rec", ["Audio", "Recorder"]) == .music)
        #expect(kind("", "orcaslicer") == .unknown && kind("", "speech-dispatcher-espeak") == .screenReader)
    }

    @Test("the user's rule comes first, and takes effect at once")
    func rules() {
        var world = World()
        world.stream(1, app: 1, role: "Music")
        #expect(world.implied(app: 1)?.kind == .music)
        var preferences = AudioPreferences()
        preferences.rules = [AudioPreferences.Rule(app: "APP1", kind: .podcast)]
        world.send(.configured(preferences))
        #expect(world.implied(app: 1)?.kind == .podcast && world.implied(app: 1)?.state == .active)
        #expect(world.audio.violations() == [] && world.level(1) == 1)
    }

    @Test("what is said twice is the same, and everything survives being written and read (X-07)")
    func codable() throws {
        var world = World()
        var life = Life(chance: Chance(7))
        for _ in 0..<500 { life.step(&world) }
        let copy = try JSONDecoder().decode(AudioSessions.self, from: JSONEncoder().encode(world.audio))
        #expect(copy == world.audio)
    }
}
