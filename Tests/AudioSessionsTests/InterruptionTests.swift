import Geometry
import Testing

@testable import AudioSessions

@Suite("Interruptions")
struct InterruptionTests {
    @Test("a stream that appears gets its level at once and is connected")
    func appears() {
        var world = World()
        world.stream(1, app: 1)
        #expect(world.last == [.level(StreamID(1), gain: 1, ramp: 0), .connect(StreamID(1), true)])
    }

    @Test("A-17: a prompt lowers music by 14 dB in 250 ms and gives it back in 500 ms; what starts meanwhile starts lowered")
    func prompt() {
        var world = World()
        world.stream(1, app: 1, .music)
        world.stream(2, app: 2, .prompt)
        #expect(world.last.contains { if case .level(StreamID(1), let gain, 0.25) = $0 { isClose(gain, light) } else { false } })
        world.stream(3, app: 3, .gameAmbient)
        #expect(world.last.contains { if case .level(StreamID(3), let gain, 0) = $0 { isClose(gain, light) } else { false } })
        world.stream(4, app: 1, .music)
        #expect(isClose(world.level(4), light))
        world.send(.streamGone(StreamID(2)))
        #expect(world.last.contains(.level(StreamID(1), gain: 1, ramp: 0.5)))
        #expect([1, 3, 4].allSatisfy { world.level($0) == 1 })
    }

    @Test("A-17: a stream that was there before runs at the lowered level from its first sample")
    func startsDucked() {
        var world = World()
        world.stream(1, app: 1, .music, running: false)
        world.stream(2, app: 2, .prompt)
        world.stream(1, app: 1, .music)
        #expect(world.last.contains { if case .level(StreamID(1), let gain, 0) = $0 { isClose(gain, light) } else { false } })
    }

    @Test("ducks are counted: the lowest counts, and the last one that leaves gives the level back")
    func nestedDucks() {
        var world = World()
        world.stream(1, app: 1, .music)
        for number in 2...11 { world.stream(UInt64(number), app: number, number % 2 == 0 ? .notification : .screenReader) }
        #expect(isClose(world.level(1), light))
        for number in (2...10).reversed() { world.send(.streamGone(StreamID(UInt64(number)))) }
        #expect(isClose(world.level(1), light))
        world.send(.streamGone(StreamID(11)))
        #expect(world.level(1) == 1)
    }

    @Test("A-16: another app's music stops music for good, even if it leaves in order")
    func primary() {
        var world = World()
        world.declare(1, .music)
        world.declare(2, .music)
        world.ask(2, .deactivate(notifyOthers: true))
        #expect(world.lastShouldResume[SessionID(1)] == false && world.session(1)?.state == .inactive)
    }

    @Test("A-18: a call pauses a player after the fade and plays it again, faded in")
    func call() {
        var world = World()
        world.stream(1, app: 1)
        world.player("mpv", app: 1, .playing)
        world.stream(2, app: 2, .callActive)
        #expect(world.last.contains(.level(StreamID(1), gain: 0, ramp: 0.15)) && world.isConnected(1) == true)
        #expect(!world.log.contains(.command(PlayerID("mpv"), .pause)))
        world.wait(0.2)
        #expect(world.log.contains(.command(PlayerID("mpv"), .pause)))
        world.player("mpv", app: 1, .paused)
        world.stream(1, app: 1, running: false)
        world.wait(2)
        #expect(world.isConnected(1) == true)
        world.send(.streamGone(StreamID(2)))
        #expect(world.last.contains(.command(PlayerID("mpv"), .play)))
        world.stream(1, app: 1)
        #expect(world.level(1) == 1)
    }

    @Test("A-18: a player that closes its stream when it is paused is played again, too")
    func closesStream() {
        var world = World()
        world.stream(1, app: 1)
        world.player("mpv", app: 1, .playing)
        world.stream(2, app: 2, .callActive)
        world.wait(0.2)
        world.player("mpv", app: 1, .paused)
        world.send(.streamGone(StreamID(1)))
        world.send(.streamGone(StreamID(2)))
        #expect(world.last.contains(.command(PlayerID("mpv"), .play)))
        #expect(world.audio.violations() == [])
    }

    @Test("A-18: what was paused before the call stays paused")
    func pausedBefore() {
        var world = World()
        world.stream(1, app: 1, .music, running: false)
        world.player("mpv", app: 1, .paused)
        world.stream(2, app: 2, .callActive)
        world.wait(2)
        world.send(.streamGone(StreamID(2)))
        world.wait(2)
        #expect(!world.log.contains { if case .command = $0 { true } else { false } })
        var declared = World()
        declared.declare(1, .music)
        declared.ask(1, .setNowPlaying(NowPlayingInfo(), .paused))
        declared.declare(2, .callActive)
        declared.ask(2, .call(.ended))
        #expect(declared.lastShouldResume[SessionID(1)] == false && declared.session(1)?.state == .active)
    }

    @Test("A-18: a pause by the user during the interruption takes precedence")
    func personPauses() {
        var world = World()
        world.stream(1, app: 1)
        world.player("mpv", app: 1, .playing)
        world.stream(2, app: 2, .callActive)
        world.wait(0.2)
        world.player("mpv", app: 1, .paused)
        world.stream(1, app: 1, running: false)
        world.send(.action(.remote(.pause, .key)))
        world.send(.streamGone(StreamID(2)))
        #expect(!world.last.contains(.command(PlayerID("mpv"), .play)))
    }

    @Test("A-18: a call that ends before the fade is over pauses no player")
    func shortCall() {
        var world = World()
        world.stream(1, app: 1)
        world.player("mpv", app: 1, .playing)
        world.stream(2, app: 2, .callActive)
        world.wait(0.1)
        world.send(.streamGone(StreamID(2)))
        world.wait(3)
        #expect(!world.log.contains { if case .command = $0 { true } else { false } } && world.level(1) == 1)
    }

    @Test("a player that is deaf is disconnected after a second, stays silent with its next track, and comes back")
    func deaf() {
        var world = World()
        world.stream(1, app: 1)
        world.player("mpv", app: 1, .playing)
        world.stream(2, app: 2, .callActive)
        world.wait(1.1)
        #expect(world.isConnected(1) == true)
        world.wait(0.1)
        #expect(world.isConnected(1) == false)
        world.send(.streamGone(StreamID(1)))
        world.stream(3, app: 1)
        #expect(world.isConnected(3) == false && world.level(3) == 0)
        world.send(.streamGone(StreamID(2)))
        #expect(world.isConnected(3) == true && world.level(3) == 1)
    }

    @Test("a sound without a player is disconnected after the fade and connected at the end")
    func noPlayer() {
        var world = World()
        world.stream(1, app: 1, .music)
        world.stream(2, app: 2, .alarm)
        #expect(world.isConnected(1) == true)
        world.wait(0.2)
        #expect(world.isConnected(1) == false)
        world.send(.streamGone(StreamID(2)))
        #expect(world.isConnected(1) == true && world.level(1) == 1)
    }

    @Test("a paused player that the user restarts during the call is audible, ducked by 35 dB")
    func playsAgain() {
        var world = World()
        world.stream(1, app: 1)
        world.player("mpv", app: 1, .playing)
        world.stream(2, app: 2, .callActive)
        world.wait(0.2)
        world.player("mpv", app: 1, .paused)
        world.stream(1, app: 1, running: false)
        world.stream(1, app: 1, running: true)
        #expect(world.level(1) == 0)
        world.player("mpv", app: 1, .playing)
        #expect(isClose(world.level(1), strong))
    }

    @Test("nested losses keep the worst: music stopped by music during a call does not resume after both")
    func worst() {
        var world = World()
        world.declare(1, .music)
        world.declare(2, .callActive)
        world.declare(3, .music)
        #expect(isClose(world.session(3)?.duckGain, strong))
        world.ask(3, .deactivate(notifyOthers: true))
        #expect(world.ends[SessionID(1)] == nil)
        world.ask(2, .call(.ended))
        #expect(world.lastShouldResume[SessionID(1)] == false)
        #expect(world.begins == world.ends)
    }

    @Test("A-15: X° becomes resumable when the newcomer notifies others", arguments: [true, false])
    func notifies(_ notify: Bool) {
        var world = World()
        world.declare(1, .music)
        world.declare(2, .gameSolo)
        world.ask(2, .deactivate(notifyOthers: notify))
        #expect(world.lastShouldResume[SessionID(1)] == notify)
    }

    @Test("A-18: a game resumes without asking")
    func game() {
        var world = World()
        world.declare(1, .gameSolo)
        world.declare(2, .gameSolo)
        world.send(.sessionClosed(SessionID(2)))
        #expect(world.lastShouldResume[SessionID(1)] == false && world.session(1)?.state == .active)
    }

    @Test("two sessions of one app never interrupt or lower each other")
    func oneApp() {
        var world = World()
        world.declare(1, app: 1, .music)
        world.declare(2, app: 1, .prompt)
        world.declare(3, app: 1, .callActive)
        #expect([1, 2, 3].allSatisfy { world.session($0)?.state == .active && world.session($0)?.ducks == [] })
    }

    @Test("two processes of one program are two apps; a process and what it started, of one program, are one")
    func programs() {
        var world = World()
        func facts(_ lineage: [Int32], _ kind: SoundKind) -> StreamFacts {
            StreamFacts(app: AudioApp(id: "pw-play", lineage: lineage), ruled: kind)
        }
        world.send(.streamAppeared(StreamID(1), facts([10, 5, 1], .music)))
        world.send(.streamAppeared(StreamID(2), facts([11, 5, 1], .prompt)))
        #expect(isClose(world.level(1), light))
        world.send(.streamAppeared(StreamID(3), facts([12, 10, 5, 1], .alarm)))
        #expect(world.level(1) != 0)
    }

    @Test("a declared session takes over the streams of its app and of what that started")
    func takesOver() {
        var world = World()
        world.send(.streamAppeared(StreamID(1), StreamFacts(app: AudioApp(id: "helper", lineage: [50, 1001, 1]))))
        #expect(world.audio.streams[StreamID(1)]?.session?.isImplied == true)
        world.declare(1, .music)
        #expect(world.audio.streams[StreamID(1)]?.session == SessionID(1))
        world.send(.sessionClosed(SessionID(1)))
        #expect(world.audio.streams[StreamID(1)]?.session?.isImplied == true)
        #expect(world.audio.violations() == [])
    }

    @Test("a declared session that does not obey is disconnected after the fade")
    func disobeys() {
        var world = World()
        world.declare(1, .music)
        world.stream(1, app: 1)
        world.declare(2, .alarm)
        world.wait(0.2)
        #expect(world.isConnected(1) == false)
        world.ask(2, .deactivate(notifyOthers: false))
        #expect(world.isConnected(1) == true && world.level(1) == 1)
    }

    @Test("deactivating with running streams says busy and silences them")
    func busy() {
        var world = World()
        world.declare(1, .music)
        world.stream(1, app: 1)
        #expect(world.ask(1, .deactivate(notifyOthers: false))?.error == .isBusy)
        #expect(world.isConnected(1) == false)
        world.ask(1, .activate)
        #expect(world.isConnected(1) == true && world.level(1) == 1)
    }

    @Test("A-19: a recording goes on while it rings, and ends for good when the call is accepted")
    func recording() {
        var world = World()
        world.declare(1, .recording)
        world.stream(1, app: 1, direction: .input)
        let connected = world.isConnected(1)
        world.declare(2, .callRinging)
        #expect(connected == true && world.isConnected(1) == true && world.begins[SessionID(1)] == nil)
        world.ask(2, .call(.ended))
        #expect(world.begins[SessionID(1)] == nil)
        world.ask(2, .call(.ringing))
        world.ask(2, .call(.accepted))
        #expect(world.begins[SessionID(1)] == 1)
        world.wait(1)
        #expect(world.isConnected(1) == false)
        world.ask(2, .call(.ended))
        #expect(world.lastShouldResume[SessionID(1)] == false && world.isConnected(1) == false)
    }

    @Test("A-19: a session that prefers no interruptions continues during a ringing banner, but not during a full-screen call")
    func banner() {
        var world = World()
        world.declare(1, .music, activate: false)
        world.ask(1, .setCategory(.playback, .standard, [.prefersNoInterruptionsFromSystemAlerts]))
        world.ask(1, .activate)
        world.declare(2, .callRinging)
        #expect(world.begins[SessionID(1)] == nil)
        world.ask(2, .call(.ended))
        world.ask(2, .call(.ringing))
        world.ask(2, .call(.accepted))
        #expect(world.begins[SessionID(1)] == 1)
        world.ask(2, .call(.ended))
        world.ask(2, .call(.ringingFullScreen))
        #expect(world.begins[SessionID(1)] == 2)
        world.send(.sessionClosed(SessionID(2)))
        #expect(world.begins == world.ends && world.lastShouldResume[SessionID(1)] == true)
    }

    @Test("a call that rings and is accepted is one interruption")
    func ringAndAccept() {
        var world = World()
        world.declare(1, .music)
        world.declare(2, .callRinging)
        world.ask(2, .call(.accepted))
        #expect(world.begins[SessionID(1)] == 1 && world.ends[SessionID(1)] == nil)
        world.ask(2, .call(.ended))
        #expect(world.ends[SessionID(1)] == 1 && world.lastShouldResume[SessionID(1)] == true)
    }

    @Test("the microphone is a call's alone: insufficient priority for a recording, playback may")
    func microphone() {
        var world = World()
        world.declare(1, .callActive)
        #expect(world.declare(2, .recording)?.error == .insufficientPriority)
        #expect(world.declare(3, .music) == .done)
        #expect(isClose(world.session(3)?.duckGain, strong))
    }

    @Test("music during a recording is refused unless the user started it")
    func musicDuringRecording() {
        var world = World()
        world.declare(1, .recording)
        #expect(world.declare(2, .music)?.error == .insufficientPriority)
        world.send(.appsInSight([AudioPresence(app: "app2", lineage: [1002], isActive: true)]))
        #expect(world.ask(2, .activate) == .done)
        #expect(world.session(1)?.state == .interrupted)
    }

    @Test("mixWithOthers interrupts nothing and is interrupted only by calls")
    func mixes() {
        var world = World()
        world.declare(1, .music)
        world.declare(2, .music, activate: false)
        world.ask(2, .setCategory(.playback, .standard, [.mixWithOthers]))
        world.ask(2, .activate)
        #expect(world.session(1)?.state == .active && world.session(1)?.ducks == [])
        world.declare(3, .music)
        #expect(world.session(1)?.state == .interrupted && world.session(2)?.state == .active)
        world.declare(4, .callActive)
        #expect(world.session(2)?.state == .interrupted)
    }

    @Test("duckOthers lowers others as long as its session is active, those that come later, too; speech it leaves")
    func ducksOthers() {
        var world = World()
        world.declare(1, .music)
        world.declare(2, .podcast, activate: false)
        world.declare(3, .music, activate: false)
        world.ask(3, .setCategory(.playback, .standard, [.duckOthers]))
        world.ask(3, .activate)
        #expect(isClose(world.session(1)?.duckGain, light))
        world.ask(2, .activate)
        #expect(world.session(2)?.duckGain == 1)
        world.ask(3, .deactivate(notifyOthers: false))
        #expect(world.session(1)?.duckGain == 1)
    }

    @Test("interruptSpokenAudioAndMix interrupts podcasts and mixes with the rest")
    func interruptsSpeech() {
        for (kind, state) in [(SoundKind.podcast, Session.State.interrupted), (.music, .active)] {
            var world = World()
            world.declare(1, kind)
            world.declare(3, .music, activate: false)
            world.ask(3, .setCategory(.playback, .standard, [.interruptSpokenAudioAndMix]))
            world.ask(3, .activate)
            #expect(world.session(1)?.state == state)
            world.ask(3, .deactivate(notifyOthers: false))
            #expect(world.session(1)?.state == .active)
        }
    }

    @Test("the hint is true while a non-mixing app is audible, and goes to apps in front")
    func hint() {
        var world = World()
        world.declare(1, .gameAmbient)
        world.stream(9, app: 9, .music)
        #expect(world.last.contains(.tell(SessionID(1), .secondaryAudioHint(true))))
        world.stream(9, app: 9, .music, running: false)
        world.wait(0.9)
        #expect(!world.log.contains(.tell(SessionID(1), .secondaryAudioHint(false))))
        world.wait(0.2)
        #expect(world.last.contains(.tell(SessionID(1), .secondaryAudioHint(false))))
        world.send(.appsInSight([AudioPresence(app: "app1", lineage: [1001])]))
        world.send(.appsInSight([]))
        world.stream(9, app: 9, .music)
        #expect(!world.last.contains(.tell(SessionID(1), .secondaryAudioHint(true))))
    }

    @Test("the hint changes once when a player starts, whatever its status meanwhile")
    func hintAtStart() {
        var world = World()
        world.declare(1, .gameAmbient)
        // The stream is first, then the player comes and has not begun, the stream stops to fill its buffers, it plays.
        world.stream(9, app: 9, .music)
        world.player("p", app: 9, .stopped)
        world.wait(0.3)
        world.player("p", app: 9, .playing)
        world.stream(9, app: 9, .music, running: false)
        world.wait(0.5)
        world.stream(9, app: 9, .music)
        world.wait(5)
        func hints() -> [AudioEffect] { world.log.filter { if case .tell(_, .secondaryAudioHint) = $0 { true } else { false } } }
        #expect(hints() == [.tell(SessionID(1), .secondaryAudioHint(true))])
        world.player("p", app: 9, .paused)
        world.wait(2)
        #expect(hints().count == 2)
    }

    @Test("freezing an app ends its effects on others; when thawed it continues")
    func freeze() {
        var world = World()
        world.stream(1, app: 1, .music)
        world.stream(2, app: 2, .prompt)
        world.send(.appFreezing(AudioPresence(app: "app2", lineage: [1002])))
        #expect(world.level(1) == 1 && world.isConnected(2) == false)
        world.send(.appFreezing(AudioPresence(app: "app1", lineage: [1001])))
        world.send(.appThawed(AudioPresence(app: "app1", lineage: [1001])))
        #expect(world.isConnected(1) == true && world.level(1) == 1)
    }
}
