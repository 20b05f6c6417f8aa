import AudioSessions
import Callers
import Clocks
import Foundation
import Glibc
import MullionTesting
import Testing

@testable import AudioBus

@Suite(.serialized, .timeLimit(.minutes(5)))
struct PlayerTests {
    let bus: TestBus
    let rig: Rig

    init() throws {
        bus = try TestBus()
        rig = Rig(bus)
        rig.connect()
    }

    private func id(_ name: String) -> PlayerID { PlayerID("org.mpris.MediaPlayer2.\(name)") }

    @Test("MPRIS: a player's facts are known when it appears, and follow it")
    func facts() throws {
        let script = try rig.player("lounge", "Paused", bus)
        #expect(rig.run { rig.players[id("lounge")] != nil })
        let facts = try #require(rig.players[id("lounge")])
        #expect(facts.name == "Lounge")
        #expect(facts.status == .paused)
        #expect(
            facts.commands == [
                .play, .pause, .togglePlayPause, .stop, .next, .skipForward, .skipBackward, .seek, .changeRate,
            ])
        #expect(facts.info.title == "Title of lounge")
        #expect(facts.info.artist == "One, Two")
        #expect(facts.info.duration == 180)
        #expect(facts.info.position == 5)
        // The process identifies it, not the player's own name ("bank").
        #expect(facts.app.id == "player")
        #expect(facts.app.lineage.first == script.process.processIdentifier)
        #expect(facts.app.lineage.contains(getpid()))

        try script.write(["set": ["PlaybackStatus": ["s", "Playing"], "CanGoNext": ["b", false]]])
        #expect(rig.run { rig.players[id("lounge")]?.status == .playing })
        #expect(rig.players[id("lounge")]?.commands.contains(.next) == false)
        try script.write(["seeked": 90_000_000])
        #expect(rig.run { rig.players[id("lounge")]?.info.position == 90 })
        script.end()
        #expect(rig.run { rig.events.last == .playerGone(id("lounge")) })
    }

    @Test(
        "A-13: what a player cannot do is not among its commands",
        arguments: [
            ("CanPause", [RemoteCommand.Name.pause, .togglePlayPause]), ("CanPlay", [.play, .togglePlayPause]), ("CanGoNext", [.next]),
            ("CanSeek", [.seek, .skipForward, .skipBackward]), ("CanControl", RemoteCommand.Name.allCases),
        ])
    func abilities(_ name: String, _ lost: [RemoteCommand.Name]) throws {
        let script = try rig.player("radio", "Playing", bus)
        #expect(rig.run { rig.players[id("radio")] != nil })
        let all = try #require(rig.players[id("radio")]?.commands)
        try script.write(["set": [name: ["b", false]]])
        #expect(rig.run { rig.players[id("radio")]?.commands == all.subtracting(lost) })
        try script.write(["set": [name: ["b", true]]])
        #expect(rig.run { rig.players[id("radio")]?.commands == all })
    }

    @Test("MPRIS: players that were there before are found, playerctld is none")
    func found() throws {
        let first = try rig.player("early", "Playing", bus), proxy = try rig.player("playerctld", "Playing", bus)
        let other = Rig(bus)
        #expect(other.run { other.players.count == 1 })
        _ = other.run(seconds: 0.3) { false }
        #expect(Array(other.players.keys) == [id("early")])
        withExtendedLifetime((first, proxy)) {}
    }

    @Test("MPRIS: commands arrive")
    func commands() throws {
        let script = try rig.player("lounge", "Playing", bus)
        #expect(rig.run { rig.players[id("lounge")] != nil })
        let sent: [(RemoteCommand, String)] = [
            (.pause, "Pause"), (.play, "Play"), (.next, "Next"),
            (.previous, "Previous"), (.skipForward(30), "Seek"), (.skipBackward(nil), "Seek"), (.seek(60), "SetPosition"),
            (.changeRate(9), "set Rate"), (.stop, "Stop"),
        ]
        for (index, (command, name)) in sent.enumerated() {
            rig.bus.perform(.command(id("lounge"), command))
            #expect(rig.run { script.commands.count == index + 1 }, "\(command)")
            #expect(script.commands.last == name)
            if name == "Pause" { #expect(rig.run { rig.players[id("lounge")]?.status == .paused }) }
            if name == "Play" { #expect(rig.run { rig.players[id("lounge")]?.status == .playing }) }
        }
        let arguments = script.lines.compactMap { $0["args"] as? [Any] }
        #expect(arguments.contains { ($0 as? [Int]) == [30_000_000] })
        #expect(arguments.contains { ($0 as? [Int]) == [-10_000_000] })
        #expect(arguments.contains { ($0.first as? String) == "/track/1" && ($0.last as? Int) == 60_000_000 })
        #expect(arguments.contains { ($0 as? [Double]) == [2] }, "no faster than it can")
    }

    @Test("MPRIS: a stopped player holds nothing up, and is not sent what it would do when it wakes")
    func stopped() throws {
        let script = try rig.player("lounge", "Paused", bus)
        #expect(rig.run { rig.players[id("lounge")] != nil })
        kill(script.process.processIdentifier, SIGSTOP)
        usleep(50_000)
        let before = Clocks.monotonicNanoseconds
        rig.bus.perform(.command(id("lounge"), .play))
        rig.bus.perform(.command(id("lounge"), .pause))
        #expect(Clocks.monotonicNanoseconds - before < 200_000_000)
        #expect(rig.notes.contains { $0.contains("stopped") })
        #expect(rig.run { rig.notes.contains { $0.contains("did not do Pause") } }, "in 300 ms")
        kill(script.process.processIdentifier, SIGCONT)
        #expect(rig.run { script.commands.contains("Pause") })
        #expect(!script.commands.contains("Play"))
    }

    @Test("MPRIS: what is of the wrong type counts as not said; megabytes are cut")
    func junk() throws {
        let script = try rig.player("lounge", "Playing", bus)
        #expect(rig.run { rig.players[id("lounge")] != nil })
        try script.write([
            "set": [
                "PlaybackStatus": ["i", 7], "Metadata": ["s", "none"], "CanPlay": ["s", "yes"], "Rate": ["d", 1e300],
                "CanGoNext": ["b", false],
            ]
        ])
        #expect(rig.run { rig.players[id("lounge")]?.commands.contains(.next) == false })
        #expect(rig.players[id("lounge")]?.status == .playing)
        #expect(rig.players[id("lounge")]?.commands.contains(.play) == true)
        #expect(rig.players[id("lounge")]?.info.title == "Title of lounge")
        #expect(rig.players[id("lounge")]?.info.rate == 1)

        try script.write(["junk": 8])
        #expect(rig.run { rig.players[id("lounge")]?.info.title != "Title of lounge" })
        let info = try #require(rig.players[id("lounge")]?.info)
        #expect(info.title.utf8.count <= 1024 && info.artist.utf8.count <= 1024)
        #expect(info.artwork.isEmpty)
        try script.write(["set": ["Metadata": ["a{sv}", [:] as [String: String]]]])
        #expect(rig.run { rig.players[id("lounge")]?.info.title == "" })
    }

    @Test("MPRIS: a flood of changes is reported a few times a second, the last one in the end")
    func flood() throws {
        let script = try rig.player("lounge", "Playing", bus)
        #expect(rig.run { rig.players[id("lounge")] != nil })
        let before = rig.events.count
        try script.write(["flood": 3000])
        #expect(rig.run(seconds: 60) { rig.players[id("lounge")]?.info.title == "Title 2999" })
        #expect(rig.events.count - before < 300, "\(rig.events.count - before) events")
    }

    @Test("MPRIS: a thousand players do not fill the shell, and the places get free again")
    func thousand() throws {
        let crowd = try Script("crowd.py", ["1000"], bus)
        rig.scripts.append(crowd)
        #expect(rig.run(seconds: 120) { crowd.lines.contains { $0["ready"] != nil } })
        #expect(rig.run(seconds: 120) { rig.players.count == Quota.players.share.each })
        _ = rig.run(seconds: 0.5) { false }
        #expect(rig.players.count == Quota.players.share.each)
        #expect(rig.notes.count == 1)
        crowd.end()
        #expect(rig.run(seconds: 60) { rig.players.isEmpty })
        let script = try rig.player("lounge", "Playing", bus)
        #expect(rig.run { rig.players[id("lounge")]?.status == .playing })
        withExtendedLifetime(script) {}
    }

    @Test("MPRIS: without a bus all players are gone")
    func busGone() throws {
        let script = try rig.player("lounge", "Playing", bus)
        #expect(rig.run { rig.players[id("lounge")] != nil })
        bus.stop()
        #expect(rig.run { rig.players.isEmpty && !rig.bus.isConnected })
        #expect(rig.bus.descriptor == -1)
        withExtendedLifetime(script) {}
    }
}
