import Geometry
import Idioms
import Testing

@testable import AudioSessions

/// What nobody hears leaves other sound as it is.
@Suite("What is silenced lowers nothing (A-06, A-17, A-23)")
struct HeardTests {
    /// The sounds that announce something, and what silences each.
    enum Hush: CaseIterable {
        case silentMode, television, ringer, alarm, app

        func silences(_ kind: SoundKind) -> Bool {
            switch self {
            case .silentMode: kind == .notification || kind == .callRinging
            case .television: kind == .notification
            case .ringer: kind == .notification || kind == .callRinging
            case .alarm: kind == .alarm
            case .app: true
            }
        }

        var idiom: Idiom { self == .television ? .tv : .phone }

        func begin(_ world: inout World, app: Int = 2) {
            switch self {
            case .silentMode: world.send(.silenced(true))
            case .television: break
            case .ringer: world.send(.action(.setVolume(0, .ringer)))
            case .alarm: world.send(.action(.setVolume(0, .alarm)))
            case .app: world.send(.action(.setAppVolume(0, app: "app\(app)")))
            }
        }
    }

    static let announcing: [SoundKind] = [.notification, .prompt, .alarm, .callRinging, .screenReader]

    @Test("music plays on at its level while an announcement is silenced", arguments: announcing, Hush.allCases)
    func music(_ kind: SoundKind, _ hush: Hush) {
        var world = World(hush.idiom)
        world.stream(1, app: 1, .music)
        // The app is known by a stream of its own before its volume is set.
        world.stream(3, app: 2, .click, running: false)
        hush.begin(&world)
        world.stream(2, app: 2, kind)
        world.wait(1)
        let isHeard = !hush.silences(kind)
        #expect(world.implied(app: 1)?.state == .active || isHeard)
        #expect((isClose(world.level(1), 1) && world.isConnected(1) == true) == !isHeard)
        world.send(.streamGone(StreamID(2)))
        world.wait(2)
        #expect(isClose(world.level(1), 1))
        #expect(world.audio.violations() == [])
    }

    @Test("A-23: a notification lowers nothing on a television")
    func television() {
        var world = World(.tv)
        world.stream(1, app: 1, .music)
        world.stream(2, app: 2, .notification)
        #expect(world.level(2) == 0)
        #expect(isClose(world.level(1), 1))
        #expect(world.implied(app: 1)?.ducks == [])
    }

    @Test("A-17: switched to silent in the middle, music rises; switched back, it is lowered again")
    func inTheMiddle() {
        var world = World(.phone)
        world.stream(1, app: 1, .music)
        world.stream(2, app: 2, .notification)
        for _ in 0..<3 {
            #expect(isClose(world.level(1), light))
            world.send(.silenced(true))
            #expect(isClose(world.level(1), 1))
            world.send(.silenced(false))
            #expect(isClose(world.level(1), light))
            world.send(.action(.setVolume(0, .ringer)))
            #expect(isClose(world.level(1), 1))
            world.send(.action(.setVolume(0.5, .ringer)))
        }
        #expect(world.audio.violations() == [])
    }

    @Test("an alarm at volume 0 pauses music once somebody turns it up, and what a ring paused stays paused when it is silenced")
    func louder() {
        var world = World(.phone)
        world.stream(1, app: 1, .music)
        world.send(.action(.setVolume(0, .alarm)))
        world.stream(2, app: 2, .alarm)
        #expect(world.implied(app: 1)?.state == .active)
        world.send(.action(.setVolume(0.5, .alarm)))
        #expect(world.implied(app: 1)?.state == .interrupted)
        world.send(.streamGone(StreamID(2)))
        world.wait(1)
        #expect(world.implied(app: 1)?.state == .active)

        world.declare(3, .callRinging)
        #expect(world.implied(app: 1)?.state == .interrupted)
        world.send(.silenced(true))
        world.wait(1)
        #expect(world.implied(app: 1)?.state == .interrupted)
        world.ask(3, .call(.ended))
        #expect(world.implied(app: 1)?.state == .active)
        #expect(world.audio.violations() == [])
    }

    @Test("a call that rings in silent mode leaves music alone until it is answered")
    func answered() {
        var world = World(.phone)
        world.stream(1, app: 1, .music)
        world.send(.silenced(true))
        world.declare(3, .callRinging)
        #expect(world.implied(app: 1)?.state == .active && isClose(world.level(1), 1))
        world.ask(3, .call(.accepted))
        #expect(world.implied(app: 1)?.state == .interrupted)
    }

    @Test(
        "what starts beside a silenced announcement starts at its full level, and does not wait",
        arguments: [SoundKind.music, .podcast, .video])
    func newcomer(_ kind: SoundKind) {
        for announcement in [SoundKind.prompt, .alarm, .callRinging] {
            var world = World(.phone)
            world.stream(2, app: 2, announcement)
            world.send(.action(.setAppVolume(0, app: "app2")))
            world.stream(1, app: 1, kind)
            #expect(world.implied(app: 1)?.state == .active && isClose(world.level(1), 1), "\(announcement)")
            #expect(world.audio.violations() == [])
        }
    }

    @Test("a silenced app that asked to lower others does not; media at volume 0 still takes the place of other media")
    func declared() {
        var world = World(.phone)
        world.stream(1, app: 1, .music)
        world.send(.sessionOpened(SessionID(2), World.app(2)))
        world.ask(2, .setCategory(.ambient, .standard, [.duckOthers]))
        world.send(.silenced(true))
        world.ask(2, .activate)
        #expect(isClose(world.level(1), 1))
        world.send(.silenced(false))
        #expect(isClose(world.level(1), light))
        world.ask(2, .setLevel(0))
        #expect(isClose(world.level(1), 1))
        world.declare(3, .music, activate: false)
        world.ask(3, .setLevel(0))
        world.ask(3, .activate)
        #expect(world.implied(app: 1)?.state == .interrupted)
        #expect(world.audio.violations() == [])
    }

    @Test("a notification that a recording keeps silent lowers nothing")
    func underRecording() {
        var world = World()
        world.declare(5, .recording)
        world.stream(1, app: 1, .unknown)
        world.stream(2, app: 2, .notification)
        #expect(world.level(2) == 0)
        #expect(isClose(world.level(1), 1))
        #expect(world.audio.violations() == [])
    }

    @Test("the microphone counts, not the level: a call at volume 0 pauses music")
    func call() {
        var world = World()
        world.stream(1, app: 1, .music)
        world.send(.action(.setVolume(0, .call)))
        world.declare(2, .callActive)
        #expect(world.implied(app: 1)?.state == .interrupted)
    }

    @Test("every short sequence of switches and announcements ends at the full level, and keeps the invariants")
    func sequences() {
        let steps: [@Sendable (inout World) -> Void] = [
            { $0.send(.silenced(!$0.audio.isSilenced)) },
            { $0.send(.action(.setVolume($0.audio.volumes.ringer == 0 ? 0.5 : 0, .ringer))) },
            { $0.send(.action(.setAppVolume($0.audio.volumes.apps["app2"] == 0 ? 1 : 0, app: "app2"))) },
            { $0.stream(2, app: 2, .notification, running: !($0.audio.streams[StreamID(2)]?.facts.isRunning ?? false)) },
            { $0.stream(3, app: 2, .prompt, running: !($0.audio.streams[StreamID(3)]?.facts.isRunning ?? false)) },
            { $0.stream(4, app: 4, .alarm, running: !($0.audio.streams[StreamID(4)]?.facts.isRunning ?? false)) },
            { $0.send(.rulesChanged($0.audio.rules.silencesAlerts ? Idiom.phone.sound : Idiom.tv.sound)) },
            { $0.stream(1, app: 1, .music, running: !($0.audio.streams[StreamID(1)]?.facts.isRunning ?? false)) },
        ]
        var start = World(.phone)
        start.stream(1, app: 1, .music)
        start.stream(9, app: 2, .click, running: false)
        func go(_ world: World, _ path: [Int]) {
            let heard = world.audio.sessions.values.filter { $0.state == .active && $0.mayDuck && !$0.isUnheard }
            let music = world.implied(app: 1)
            if heard.isEmpty, music?.state == .active, music?.duckGain != 1 { Issue.record("\(path): lowered by nobody") }
            let violations = world.audio.violations()
            guard violations.isEmpty else {
                Issue.record("\(path): \(violations)")
                return
            }
            guard path.count < 4 else { return }
            for (index, step) in steps.enumerated() {
                var next = world
                step(&next)
                go(next, path + [index])
            }
        }
        go(start, [])
    }
}

/// A player says which controls it has.
@Suite("A control that a player lacks is never sent (A-13)")
struct LackingControlTests {
    @Test("a player that cannot pause is not paused by the shell: its streams are disconnected")
    func interrupted() {
        var world = World()
        world.stream(1, app: 1, .music)
        world.player("radio", app: 1, .playing, commands: [.play, .stop])
        world.stream(2, app: 2, .alarm)
        world.wait(2)
        #expect(!world.log.contains { if case .command(PlayerID("radio"), _) = $0 { true } else { false } })
        #expect(world.isConnected(1) == false)
        world.send(.streamGone(StreamID(2)))
        world.wait(2)
        #expect(world.isConnected(1) == true && isClose(world.level(1), 1))
        #expect(world.audio.violations() == [])
    }

    @Test(
        "keys, headsets, the control centre and commands send only what it has",
        arguments: [RemoteSource.key, .accessory(nil), .controlCentre, .command])
    func sources(_ source: RemoteSource) {
        let wanted: [RemoteCommand] = [
            .play, .pause, .stop, .togglePlayPause, .next, .previous, .skipForward(nil), .skipBackward(nil), .seek(3), .changeRate(2),
        ]
        for status in PlaybackStatus.allCases {
            for bits in 0..<32 {
                let names: [RemoteCommand.Name] = [.play, .pause, .next, .seek, .stop]
                let has = Set(names.indices.filter { bits >> $0 & 1 == 1 }.map { names[$0] })
                for command in wanted {
                    var world = World()
                    world.stream(1, app: 1, .music, running: status == .playing)
                    world.player("p", app: 1, .playing, commands: has)
                    if status != .playing { world.player("p", app: 1, status, commands: has) }
                    world.send(.action(.remote(command, source)))
                    for case .command(_, let sent) in world.last where !has.contains(sent.name) {
                        Issue.record("\(sent.name) was sent to a player with \(has)")
                    }
                }
            }
        }
    }

    @Test("V-05: closing the window of a broadcast that cannot pause stops it")
    func closed() {
        for (commands, sent) in [(Set([RemoteCommand.Name.play, .stop]), RemoteCommand.stop), ([.play, .pause, .stop], .pause)] {
            var world = World(.vision)
            world.stream(1, app: 1, .music)
            world.player("radio", app: 1, .playing, commands: commands)
            world.send(.windowClosed(AudioPresence(app: "app1", lineage: [1001])))
            #expect(world.last.contains(.command(PlayerID("radio"), sent)))
        }
    }
}
