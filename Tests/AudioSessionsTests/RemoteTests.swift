import Geometry
import Testing

@testable import AudioSessions

@Suite("Remote commands (A-12 to A-14, A-25)")
struct RemoteTests {
    static let all = Set(RemoteCommand.Name.allCases)

    static func world(players: Int, playing: Int? = nil) -> World {
        var world = World()
        for number in 0..<players {
            world.stream(UInt64(number + 1), app: number, number == playing ? nil : .unknown, running: number == playing)
            world.player("p\(number)", app: number, number == playing ? .playing : .paused, commands: [.play, .pause, .next])
        }
        return world
    }

    @Test("1e-1: a call has the headset's button")
    func calls() {
        var world = Self.world(players: 1, playing: 0)
        world.declare(9, .callRinging)
        world.send(.action(.headsetButton(nil)))
        #expect(world.last == [.tell(SessionID(9), .call(.answer))])
        world.ask(9, .call(.accepted))
        world.send(.action(.headsetButton(nil)))
        #expect(world.last == [.tell(SessionID(9), .call(.end))])
        world.ask(9, .call(.ended))
        world.send(.action(.declineCall))
        #expect(world.last == [.refuse("nobody calls")])
    }

    @Test("1e-2: of ten players the one that plays gets it, always", arguments: 0..<10)
    func onePlays(_ playing: Int) {
        var world = Self.world(players: 10, playing: playing)
        world.send(.action(.remote(.togglePlayPause, .key)))
        #expect(world.last == [.command(PlayerID("p\(playing)"), .pause)])
        world.send(.action(.headsetButton(nil)))
        #expect(world.last == [.command(PlayerID("p\(playing)"), .pause)])
        world.player("p\(playing)", app: playing, .paused)
        world.send(.action(.remote(.togglePlayPause, .key)))
        #expect(world.last == [.command(PlayerID("p\(playing)"), .play)])
        world.player("p\(playing)", app: playing, .playing)
        world.send(.playerGone(PlayerID("p\(playing)")))
        world.send(.streamGone(StreamID(UInt64(playing + 1))))
        world.send(.action(.remote(.togglePlayPause, .key)))
        #expect(world.last.isEmpty)
    }

    @Test("1e-3: of several that play the one that does not mix")
    func severalPlay() {
        var world = World()
        world.declare(1, .music)
        world.ask(1, .setCommands(Self.all, skipForward: nil, skipBackward: nil))
        world.declare(2, .music, activate: false)
        world.ask(2, .setCategory(.playback, .standard, [.mixWithOthers]))
        world.ask(2, .setCommands(Self.all, skipForward: nil, skipBackward: nil))
        world.ask(2, .activate)
        world.send(.action(.remote(.next, .key)))
        #expect(world.last == [.tell(SessionID(1), .command(.next))])
    }

    @Test("1e-4: nothing plays, one was interrupted by the system: that one")
    func interrupted() {
        var world = Self.world(players: 2, playing: 0)
        world.stream(50, app: 50, .alarm)
        world.wait(0.2)
        world.player("p0", app: 0, .paused)
        world.player("p1", app: 1, .playing)
        world.player("p1", app: 1, .paused)
        world.send(.action(.remote(.togglePlayPause, .key)))
        #expect(world.last == [.command(PlayerID("p0"), .play)])
    }

    @Test("1e-5: nothing plays: the app in front, if it has something to play")
    func inFront() {
        var world = World()
        world.player("recent", app: 1, .playing)
        world.player("recent", app: 1, .paused)
        world.player("front", app: 2, .paused)
        world.send(.appsInSight([AudioPresence(app: "app2", lineage: [1002], isActive: true)]))
        world.send(.action(.remote(.play, .key)))
        #expect(world.last == [.command(PlayerID("front"), .play)])
        world.send(.appsInSight([AudioPresence(app: "app7", lineage: [1007], isActive: true)]))
        world.send(.action(.remote(.play, .key)))
        #expect(world.last == [.command(PlayerID("recent"), .play)])
    }

    @Test("1e-6: an accessory that the sound went to brings back what played last")
    func accessory() {
        var world = World(outputs: [World.bluetooth])
        world.player("a", app: 1, .playing)
        world.player("a", app: 1, .paused)
        world.send(.action(.remote(.play, .accessory(World.bluetooth.id))))
        #expect(world.last == [.command(PlayerID("a"), .play)])
    }

    @Test("1e-7: nothing plays: what played last; 1e-8: otherwise no target")
    func mostRecent() {
        var world = World()
        world.player("never", app: 3, .paused)
        world.send(.action(.remote(.play, .key)))
        #expect(world.last.isEmpty)
        world.send(.action(.remote(.play, .command)))
        #expect(world.last == [.refuse("nothing plays that could be controlled")])
        for name in ["a", "b"] {
            world.player(name, app: name == "a" ? 1 : 2, .playing)
            world.player(name, app: name == "a" ? 1 : 2, .paused)
        }
        world.send(.action(.remote(.play, .key)))
        #expect(world.last == [.command(PlayerID("b"), .play)])
    }

    @Test(
        "A-12: no command is sent whose result is there already",
        arguments: [
            (PlaybackStatus.paused, RemoteCommand.pause, false), (.stopped, .pause, false), (.stopped, .stop, false),
            (.paused, .stop, true),
            (.playing, .play, false), (.playing, .pause, true), (.paused, .play, true), (.paused, .next, true),
            (.paused, .togglePlayPause, true),
        ])
    func isThere(_ status: PlaybackStatus, _ command: RemoteCommand, _ isSent: Bool) {
        var world = World()
        let commands: Set<RemoteCommand.Name> = [.play, .pause, .stop, .next, .togglePlayPause]
        world.player("p", app: 1, .playing, commands: commands)
        if status != .playing { world.player("p", app: 1, status, commands: commands) }
        world.declare(2, .music, activate: status == .playing)
        world.ask(2, .setCommands(commands, skipForward: nil, skipBackward: nil))
        world.ask(2, .setNowPlaying(NowPlayingInfo(), status))
        world.send(.action(.remote(command, .command)))
        let toSession = world.last.contains { if case .tell(SessionID(2), .command) = $0 { true } else { false } }
        if status == .playing { #expect(toSession == isSent) }
        world.send(.sessionClosed(SessionID(2)))
        world.send(.action(.remote(command, .command)))
        let toPlayer = world.last.contains { if case .command(PlayerID("p"), _) = $0 { true } else { false } }
        #expect(toPlayer == isSent)
        #expect(!world.last.contains { if case .refuse = $0 { true } else { false } })
    }

    @Test("A-12: while a player has not answered, the next command is sent whatever its status")
    func underWay() {
        var world = World()
        world.player("p", app: 1, .playing)
        world.player("p", app: 1, .paused)
        world.send(.action(.remote(.play, .key)))
        #expect(world.last == [.command(PlayerID("p"), .play)])
        world.send(.action(.remote(.pause, .key)))
        #expect(world.last == [.command(PlayerID("p"), .pause)])
        world.player("p", app: 1, .playing)
        world.player("p", app: 1, .paused)
        world.send(.action(.remote(.pause, .key)))
        #expect(world.last.isEmpty)
    }

    @Test("A-18: a pause by the user of what the system has paused is not sent, but counts")
    func pausedTwice() {
        var world = Self.world(players: 1, playing: 0)
        world.stream(50, app: 50, .alarm)
        world.wait(0.2)
        world.player("p0", app: 0, .paused)
        world.send(.action(.remote(.pause, .key)))
        #expect(world.last.isEmpty)
        world.send(.streamGone(StreamID(50)))
        #expect(!world.last.contains(.command(PlayerID("p0"), .play)))
    }

    @Test("A-13: what the target cannot do is dropped, not passed on")
    func enabled() {
        var world = Self.world(players: 2, playing: 0)
        world.player("p0", app: 0, .playing, commands: [.pause])
        world.send(.action(.remote(.next, .key)))
        #expect(world.last.isEmpty)
    }

    @Test("A-14: an app's own skip intervals")
    func skip() {
        var world = World()
        world.declare(1, .podcast)
        #expect(world.ask(1, .setCommands([.skipForward], skipForward: -4, skipBackward: nil))?.error == .badParameter)
        world.ask(1, .setCommands([.skipForward], skipForward: 45, skipBackward: nil))
        world.send(.action(.remote(.skipForward(nil), .key)))
        #expect(world.last == [.tell(SessionID(1), .command(.skipForward(45)))])
    }

    @Test("A-25: the card shows what plays, then what played last")
    func card() {
        var world = Self.world(players: 3, playing: 1)
        #expect(world.audio.summary.playing?.name == "p1" && world.audio.summary.playing?.status == .playing)
        world.player("p1", app: 1, .paused)
        world.player("p2", app: 2, .stopped)
        #expect(world.audio.summary.playing?.name == "p1" && world.audio.summary.playing?.status == .paused)
    }

    /// A phone's player says that it plays, and has no stream here. An app with a stream plays.
    private static func phoneAndPlayer() -> World {
        var world = Self.world(players: 1, playing: 0)
        world.player("phone", app: 7, .playing, commands: [.play, .pause, .next])
        return world
    }

    @Test(
        "A-12: play resumes what the last press paused, although a phone says that it plays",
        arguments: [
            RemoteCommand.togglePlayPause, .play,
        ])
    func resumesWhatWasPaused(_ command: RemoteCommand) {
        var world = Self.phoneAndPlayer()
        for _ in 0..<3 {
            world.send(.action(.remote(.togglePlayPause, .key)))
            #expect(world.last == [.command(PlayerID("p0"), .pause)])
            world.player("p0", app: 0, .paused, commands: [.play, .pause, .next])
            world.stream(1, app: 0, running: false)
            #expect(world.audio.summary.playing?.name == "p0" && world.audio.summary.playing?.status == .paused)
            // A new track on the phone changes nothing.
            world.player("phone", app: 7, .paused, commands: [.play, .pause, .next])
            world.player("phone", app: 7, .playing, commands: [.play, .pause, .next])
            world.send(.action(.remote(command, .key)))
            #expect(world.last == [.command(PlayerID("p0"), .play)])
            world.player("p0", app: 0, .playing, commands: [.play, .pause, .next])
            world.stream(1, app: 0)
        }
    }

    @Test("A-12: a pause after a pause is for what still says that it plays; play then resumes that")
    func pausesWhatStillPlays() {
        var world = Self.phoneAndPlayer()
        world.send(.action(.remote(.pause, .key)))
        world.player("p0", app: 0, .paused, commands: [.play, .pause, .next])
        world.stream(1, app: 0, running: false)
        world.send(.action(.remote(.pause, .key)))
        #expect(world.last == [.command(PlayerID("phone"), .pause)])
        world.player("phone", app: 7, .paused, commands: [.play, .pause, .next])
        world.send(.action(.remote(.togglePlayPause, .key)))
        #expect(world.last == [.command(PlayerID("phone"), .play)])
    }

    @Test("A-12: what was paused by a press is forgotten once it or other sound plays, and when it is gone")
    func pauseIsForgotten() {
        var world = Self.phoneAndPlayer()
        func pause() {
            world.send(.action(.remote(.pause, .key)))
            world.player("p0", app: 0, .paused, commands: [.play, .pause, .next])
            world.stream(1, app: 0, running: false)
        }
        pause()
        // Its app plays and pauses it again.
        world.player("p0", app: 0, .playing, commands: [.play, .pause, .next])
        world.player("p0", app: 0, .paused, commands: [.play, .pause, .next])
        world.send(.action(.remote(.togglePlayPause, .key)))
        #expect(world.last == [.command(PlayerID("phone"), .pause)])
        world = Self.phoneAndPlayer()
        pause()
        world.send(.playerGone(PlayerID("p0")))
        world.send(.action(.remote(.togglePlayPause, .key)))
        #expect(world.last == [.command(PlayerID("phone"), .pause)])
        world = Self.phoneAndPlayer()
        pause()
        // A mixing session starts: the next press is for it.
        world.declare(2, .music, activate: false)
        world.ask(2, .setCategory(.playback, .standard, [.mixWithOthers]))
        world.ask(2, .setCommands(Self.all, skipForward: nil, skipBackward: nil))
        world.ask(2, .activate)
        world.player("phone", app: 7, .paused)
        world.send(.action(.remote(.togglePlayPause, .key)))
        #expect(world.last == [.tell(SessionID(2), .command(.pause))])
    }
}
