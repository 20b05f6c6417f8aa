import AudioSessions
import Clocks
import Foundation
import Geometry
import Glibc
import MullionTesting
import Testing

@testable import AudioBus

/// Real players, the bus and the rules together: which player gets a key.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct KeyTests {
    let bus: TestBus
    let rig: Rig
    let rules = Rules()

    /// The core, in the rig's loop.
    final class Rules {
        var audio = AudioSessions()

        func handle(_ event: AudioEvent) -> [AudioEffect] { audio.handle(event, at: Moment(nanoseconds: Clocks.monotonicNanoseconds)) }
    }

    init() throws {
        bus = try TestBus()
        rig = Rig(bus)
        rig.decide = { [rules] in rules.handle($0) }
        rig.bus.state = { [rules] in rules.audio.state(of: $0) }
        rig.bus.mayOpen = { [rules] in rules.audio.mayOpen($0) }
        rig.connect()
    }

    private func press(_ command: RemoteCommand, from source: RemoteSource = .key) {
        for effect in rules.handle(.action(.remote(command, source))) { rig.bus.perform(effect) }
    }

    private func id(_ name: String) -> PlayerID { PlayerID("org.mpris.MediaPlayer2.\(name)") }

    @Test("A-12: ten players, one plays: keys reach it and never start another", arguments: [0, 4, 9])
    func tenPlayers(playing: Int) throws {
        var players: [Script] = []
        for number in 0..<10 { players.append(try rig.player("p\(number)", number == playing ? "Playing" : "Paused", bus)) }
        #expect(rig.run { rig.players.count == 10 })
        var status: PlaybackStatus? { rig.players[id("p\(playing)")]?.status }
        var expected: [String] = []
        func expect(_ command: String, then end: PlaybackStatus?) {
            expected.append(command)
            #expect(rig.run { players[playing].commands == expected }, "\(players[playing].commands)")
            if let end { #expect(rig.run { status == end }) }
        }
        for _ in 0..<3 {
            press(.togglePlayPause)
            expect("Pause", then: .paused)
            press(.play)
            expect("Play", then: .playing)
        }
        press(.next, from: .accessory(nil))
        expect("Next", then: nil)
        // It does not support this: no other player gets it.
        press(.previous)
        press(.pause)
        expect("Pause", then: .paused)
        // Others appear and report things; the one that played last is still the target.
        let late = try rig.player("late", "Paused", bus)
        try players[(playing + 1) % 10].write(["set": ["Metadata": ["a{sv}", [:] as [String: String]]]])
        _ = rig.run(seconds: 0.3) { false }
        press(.togglePlayPause)
        expect("Play", then: .playing)

        // When it is gone, the key starts no other player.
        players[playing].end()
        #expect(rig.run { rig.players[id("p\(playing)")] == nil })
        for command: RemoteCommand in [.togglePlayPause, .play, .pause, .next] { press(command) }
        _ = rig.run(seconds: 0.5) { false }
        for (number, player) in players.enumerated() where number != playing {
            #expect(player.commands.isEmpty, "p\(number) was told \(player.commands)")
        }
        #expect(late.commands.isEmpty)
    }

    @Test("A-12: a session that plays gets the key before players that do not; A-13: only what it handles")
    func sessionFirst() throws {
        let paused = try rig.player("paused", "Paused", bus)
        #expect(rig.run { rig.players.count == 1 })
        let client = try rig.client(bus)
        let path = try rig.session(client)
        try rig.call(client, path, "SetCategory", "(ssas)", ["playback", "", [] as [String]])
        try rig.call(client, path, "SetCommands", "(asa{sv})", [["play", "pause", "skipForward"], ["skipForward": ["d", 45.0]]])
        try rig.call(client, path, "SetNowPlaying", "(a{sv})", [["title": ["s", "Here"], "status": ["s", "playing"]]])
        #expect(try rig.call(client, path, "Activate")["answer"] != nil)
        press(.togglePlayPause)
        press(.next)
        press(.skipForward(nil))
        func heard() -> [String] {
            client.lines.filter { $0["signal"] as? String == "RemoteCommand" }.compactMap { ($0["args"] as? [Any])?.first as? String }
        }
        #expect(rig.run { heard().count == 2 }, "\(heard())")
        #expect(heard() == ["pause", "skipForward"])
        let skip = client.lines.last { $0["signal"] as? String == "RemoteCommand" }?["args"] as? [Any]
        #expect((skip?.last as? [String: Double])?["interval"] == 45)
        #expect(paused.commands.isEmpty)
    }

    @Test("A-16, A-15: over the bus one app interrupts another, and tells it that it may go on")
    func interruption() throws {
        let music = try rig.client(bus), prompt = try rig.client(bus)
        let first = try rig.session(music), second = try rig.session(prompt)
        try rig.call(music, first, "SetCategory", "(ssas)", ["playback", "spokenAudio", [] as [String]])
        try rig.call(music, first, "SetNowPlaying", "(a{sv})", [["title": ["s", "Here"], "status": ["s", "playing"]]])
        #expect(try rig.call(music, first, "Activate")["answer"] != nil)
        func told(_ name: String) -> [Any]? { music.lines.first { $0["signal"] as? String == name }?["args"] as? [Any] }
        func state() throws -> String? {
            let answer = try rig.ask(
                music,
                [
                    "do": "call", "path": first, "interface": "org.freedesktop.DBus.Properties", "member": "Get",
                    "signature": "(ss)", "args": ["org.mullion.AudioSession1.Session", "State"],
                ])
            return (answer["answer"] as? [String])?.first
        }
        #expect(try state() == "active")
        try rig.call(prompt, second, "SetCategory", "(ssas)", ["playback", "voicePrompt", ["interruptSpokenAudioAndMix"]])
        #expect(try rig.call(prompt, second, "Activate")["answer"] != nil)
        #expect(rig.run { told("InterruptionBegan")?.first as? String == "standard" })
        #expect(try state() == "interrupted")
        #expect(try rig.call(prompt, second, "Deactivate", "(b)", [true])["answer"] != nil)
        #expect(rig.run { told("InterruptionEnded") != nil })

        // The rules refuse an option that the category does not have, with a reason.
        let refused = try rig.call(music, first, "SetCategory", "(ssas)", ["soloAmbient", "", ["mixWithOthers"]])
        #expect(refused["error"] as? String == "org.mullion.AudioSession1.Error.BadParameter")
        #expect((refused["text"] as? String)?.contains("mixWithOthers") == true)
        let level = try rig.call(music, first, "SetLevel", "(d)", [-2.0])
        #expect(level["error"] as? String == "org.mullion.AudioSession1.Error.BadParameter")
        let input = try rig.call(music, first, "PreferInput", "(s)", ["nowhere"])
        #expect(input["error"] as? String == "org.mullion.AudioSession1.Error.BadParameter")
        prompt.end()
        music.end()
        #expect(rig.run { rig.closed.count == 2 })
    }

    @Test("A-12: mpv, through its MPRIS plug-in, is seen, paused, moved and played")
    func mpv() throws {
        let plugin = "/usr/lib/mpv-mpris/mpris.so"
        try #require(access("/usr/bin/mpv", X_OK) == 0 && access(plugin, R_OK) == 0, "apt-get install mpv mpv-mpris")
        let file = bus.folder + "/silence.wav"
        try wave(seconds: 120).write(to: URL(fileURLWithPath: file))
        let mpv = Process()
        mpv.executableURL = URL(fileURLWithPath: "/usr/bin/mpv")
        mpv.arguments = [
            "--no-config", "--load-scripts=no", "--script=\(plugin)", "--ao=null", "--no-video", "--loop-file", "--really-quiet", file,
        ]
        mpv.environment = bus.environment
        mpv.standardOutput = FileHandle.nullDevice
        mpv.standardError = FileHandle.nullDevice
        try mpv.run()
        defer {
            // Without a terminal, only this ends it.
            kill(mpv.processIdentifier, SIGKILL)
            mpv.waitUntilExit()
        }
        let player = id("mpv")
        #expect(rig.run(seconds: 60) { rig.players[player]?.status == .playing })
        let facts = try #require(rig.players[player])
        #expect(facts.app.id == "mpv")
        #expect(facts.app.lineage.first == mpv.processIdentifier)
        #expect(facts.commands.isSuperset(of: [.play, .pause, .seek, .skipForward]))
        #expect(rig.run { rig.players[player]?.info.title == "silence.wav" })
        #expect(rig.run { rig.players[player]?.info.duration == 120 })
        press(.togglePlayPause)
        #expect(rig.run { rig.players[player]?.status == .paused })
        press(.seek(60))
        #expect(rig.run { abs((rig.players[player]?.info.position ?? 0) - 60) < 1 })
        press(.skipForward(20))
        #expect(rig.run { abs((rig.players[player]?.info.position ?? 0) - 80) < 1 })
        press(.changeRate(1.5))
        #expect(rig.run { rig.players[player]?.info.rate == 1.5 })
        press(.play)
        #expect(rig.run { rig.players[player]?.status == .playing })

        // When stopped it blocks nothing, and a wish to play is not kept for later.
        press(.pause)
        #expect(rig.run { rig.players[player]?.status == .paused })
        kill(mpv.processIdentifier, SIGSTOP)
        usleep(20_000)
        let before = Clocks.monotonicNanoseconds
        press(.play)
        #expect(Clocks.monotonicNanoseconds - before < 200_000_000)
        kill(mpv.processIdentifier, SIGCONT)
        _ = rig.run(seconds: 1) { false }
        #expect(rig.players[player]?.status == .paused)
    }

    private func wave(seconds: Int) -> Data {
        func number<T: FixedWidthInteger>(_ value: T) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
        let size = UInt32(seconds * 8000 * 2)
        var data = Data("RIFF".utf8) + number(size + 36) + Data("WAVEfmt ".utf8) + number(UInt32(16)) + number(UInt16(1))
        data += number(UInt16(1)) + number(UInt32(8000)) + number(UInt32(16000)) + number(UInt16(2)) + number(UInt16(16))
        return data + Data("data".utf8) + number(size) + Data(count: Int(size))
    }
}
