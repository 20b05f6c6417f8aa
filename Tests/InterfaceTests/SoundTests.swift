import AudioSessions
import Geometry
import Interface
import Journal
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

private let speaker = AudioOutput(id: PortID("speaker"), kind: .speaker, name: "Speaker", priority: 10, level: 0.5)
private let headphones = AudioOutput(id: PortID("headphones"), kind: .headphones, name: "Headphones", priority: 5, level: 0.5)
private let microphone = AudioInput(id: PortID("mic"), kind: .builtIn, name: "Microphone")
private let player = PlayerID("org.mpris.MediaPlayer2.editor")

private func song(duration: Double? = 200) -> NowPlayingInfo {
    var info = NowPlayingInfo()
    info.title = "Nocturne"
    info.artist = "Chopin"
    info.position = 50
    info.duration = duration
    return info
}

private let everything = Set(RemoteCommand.Name.allCases)

/// A sound server with two outputs, and a player of the installed app `editor`.
private func sounding(
    _ commands: Set<RemoteCommand.Name>? = [.play, .pause, .next, .seek], status: PlaybackStatus = .playing, duration: Double? = 200,
    preferences: Preferences = Preferences(), apps: [String] = ["editor"], size: Size = Size(1180, 820)
) -> CoreWorld {
    var world = world(apps, size: size, preferences: preferences)
    world.send(.audio(.serverChanged(isRunning: true)))
    world.send(.audio(.devicesChanged(outputs: [speaker, headphones], inputs: [microphone])))
    if let commands {
        world.send(
            .audio(
                .playerAppeared(
                    player,
                    PlayerFacts(
                        app: AudioApp(id: "editor"), name: "Editor", status: status, commands: commands, info: song(duration: duration)))))
    }
    return world
}

extension CoreWorld {
    fileprivate var summary: AudioSummary { system.audio.summary }
    fileprivate var level: Double { summary.volumes[.media]?.level ?? -1 }
    fileprivate var commanded: [RemoteCommand] {
        effects.compactMap { if case .audio(.command(_, let command)) = $0 { command } else { nil } }
    }
    fileprivate var cardIDs: [String] {
        controls.filter { $0.id.rawValue.hasPrefix("control-centre/playing/") && $0.role == .button }
            .map { String($0.id.rawValue.dropFirst("control-centre/playing/".count)) }
    }
    @_disfavoredOverload fileprivate func slide(_ id: String) -> ViewControl.Slide? { slide(ControlID(rawValue: id)) }
    fileprivate func slide(_ id: ControlID) -> ViewControl.Slide? { control(id)?.slide }
    /// Nothing of the shell's own is open any more, so no time goes on.
    fileprivate mutating func end() -> [String] {
        while !open.isEmpty { act(.dismiss) }
        return finish()
    }
    fileprivate mutating func openControlCentre(_ page: ControlPage = .main) {
        act(.controlPage(page))
        wait(2000)
    }
}

@Suite("A-07: one volume, by finger, pointer, wheel, keys and script")
struct VolumeSliderTests {
    private let id = "control-centre/media"

    @Test("a finger takes the knob from where it is, whether it is on it or not; a tap changes nothing", arguments: [false, true])
    func finger(isMirrored: Bool) throws {
        var world = sounding(preferences: isMirrored ? mirrored() : Preferences())
        world.openControlCentre()
        let slide = try #require(world.slide(id)), frame = try #require(world.control(id)).frame
        #expect(slide.value == 0.5 && slide.isMirrored == isMirrored)
        world.tap(at: Point(frame.maxX - 10, frame.center.y))
        #expect(world.level == 0.5, "a touch by mistake makes nothing loud")
        let start = Point(frame.minX + 20, frame.center.y), quarter = slide.track.width / 4
        world.touch(down: start)
        for step in 1...10 { world.touch(to: start + Vector(quarter * Double(step) / 10, 0)) }
        #expect(abs(world.level - (isMirrored ? 0.25 : 0.75)) < 0.005, "it is heard while the finger moves")
        #expect(abs((world.slide(id)?.value ?? 0) - world.level) < 0.005)
        world.touch(to: start + Vector(isMirrored ? -900 : 2000, 0))
        #expect(world.level == 1)
        world.lift()
        #expect(world.system.interface.sliding == nil)
        #expect(world.end() == [])
    }

    @Test("the pointer takes the knob along, the wheel a sixteenth a notch")
    func pointer() throws {
        var world = sounding()
        world.openControlCentre()
        let slide = try #require(world.slide(id))
        let there = Point(slide.track.minX + slide.track.width * 0.75, slide.track.center.y)
        world.click(there)
        #expect(abs(world.level - 0.75) < 0.005)
        world.send(.pointerMotion(at: there))
        world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: -15, discrete: -120)))
        #expect(abs(world.level - 0.8125) < 0.005, "up is louder")
        world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: 30, discrete: 240)))
        #expect(abs(world.level - 0.6875) < 0.005)
        #expect(world.end() == [])
    }

    @Test("arrows along the slider move it, mirrored too; across it they go on; Home and End", arguments: [false, true])
    func keys(isMirrored: Bool) throws {
        var world = sounding(preferences: isMirrored ? mirrored() : Preferences())
        world.openControlCentre()
        for _ in 0..<20 where world.system.interface.focus?.rawValue != id { world.press("Tab") }
        #expect(world.system.interface.focus?.rawValue == id)
        world.press("Right")
        let next: Double = isMirrored ? 7 : 9
        #expect(world.level == next / 16)
        world.press("Left")
        #expect(world.level == 0.5 && world.system.interface.focus?.rawValue == id)
        world.press("End")
        #expect(world.level == 1)
        world.press("Home")
        #expect(world.level == 0)
        world.press("Down")
        #expect(world.system.interface.focus?.rawValue != id && world.system.interface.focus != nil)
        #expect(world.end() == [])
    }

    @Test("a script moves it, and invalid values are refused with a reason")
    func script() {
        var world = sounding()
        #expect(world.act(.adjust(view: ControlID(rawValue: id), to: 0.3)).refusals == ["no control \"\(id)\" is shown"])
        world.openControlCentre()
        #expect(world.act(.adjust(view: ControlID(rawValue: id), to: 0.3)).refusals == [] && world.level == 0.3)
        #expect(
            world.act(.adjust(view: ControlID(rawValue: id), to: 1.5)).refusals == ["a slider's place is a number from 0 to 1, not 1.5"])
        #expect(world.act(.adjust(view: "control-centre/dark", to: 0.5)).refusals == ["\"control-centre/dark\" is no slider"])
        #expect(world.end() == [])
    }

    @Test("A-07: sound is said to be other while the finger drags it, and not for what touches do elsewhere")
    func soundIsSaidToBeOther() throws {
        var world = sounding()
        world.openControlCentre()
        let frame = try #require(world.control(id)).frame
        world.touch(down: Point(frame.minX + 20, frame.center.y))
        for step in 1...3 {
            let before = (revision: world.system.soundRevision, level: world.level)
            world.touch(to: Point(frame.minX + 20 + 20 * Double(step), frame.center.y))
            #expect(world.level > before.level && world.system.soundRevision > before.revision)
        }
        world.lift()
        let before = world.system.soundRevision
        world.tap(at: Point(frame.maxX - 10, frame.center.y))
        world.touch(down: Point(20, 600))
        world.touch(to: Point(60, 500))
        world.lift()
        #expect(world.system.soundRevision == before)
        #expect(world.end() == [])
    }

    @Test("law 4: a slider that goes away while it is held ends the drag")
    func taken() throws {
        var world = sounding()
        world.openControlCentre()
        let frame = try #require(world.control(id)).frame
        world.touch(down: frame.center)
        world.touch(to: frame.center + Vector(30, 0))
        #expect(world.system.interface.sliding != nil)
        world.send(.audio(.serverChanged(isRunning: false)))
        #expect(world.system.interface.sliding == nil && !world.system.isGesturing)
        world.lift()
        #expect(world.end() == [])
    }

    @Test("X-05: a slider reports its value, and a muted one that it is muted")
    func spoken() throws {
        var world = sounding()
        world.openControlCentre()
        #expect(world.control(id)?.role == .slider && world.slide(id)?.text == "50%" && world.control(id)?.name == .message(.volume))
        world.tap("control-centre/mute")
        #expect(world.summary.volumes[.media]?.isMuted == true && world.control("control-centre/mute")?.isChosen == true)
        #expect(world.end() == [])
    }

    @Test("A-07: an app's own level, on a page of its own")
    func mixer() throws {
        var world = sounding()
        world.send(.audio(.streamAppeared(StreamID(1), StreamFacts(app: AudioApp(id: "editor"), role: "Music"))))
        world.openControlCentre(.apps)
        let slider = try #require(world.control("control-centre/app/editor"))
        #expect(slider.name == .detailed(.volume, "Text Editor") && slider.slide?.value == 1)
        world.act(.adjust(view: slider.id, to: 0.5))
        #expect(world.summary.apps.first?.level == 0.5)
        world.act(.dismiss)
        #expect(world.open == ["control-centre"], "one step back is the first page")
        #expect(world.end() == [])
    }

    @Test("S-06: the menu of an app that plays out of sight stops it")
    func stopsInBackground() throws {
        var world = sounding(nil, apps: ["editor", "terminal"])
        world.send(.audio(.streamAppeared(StreamID(1), StreamFacts(app: AudioApp(id: "editor", lineage: [101, 1]), role: "Music"))))
        world.act(.appMenu(app: "editor"))
        let stop = try #require(world.control("menu/stop"))
        #expect(stop.name == .message(.stopAudio))
        world.act(.press(view: stop.id))
        world.wait(1000)
        #expect(world.system.lifecycle.isFrozen(one), "without the grace period")
        world.act(.appMenu(app: "editor"))
        #expect(world.control("menu/stop") == nil)
        world.act(.dismiss)
        #expect(world.end() == [])
    }

    @Test("S-06: a frozen player goes on before it is told to play, and is told to pause as it is")
    func commandsToFrozen() throws {
        var world = sounding(nil, apps: ["editor", "terminal"])
        let player = PlayerID("org.mpris.MediaPlayer2.editor")
        var facts = PlayerFacts(
            app: AudioApp(id: "editor", lineage: [101, 1]), name: "Editor", status: .playing, commands: [.play, .pause])
        world.send(.audio(.playerAppeared(player, facts)))
        facts.status = .paused
        world.send(.audio(.playerChanged(player, facts)))
        world.act(.fullScreen(window: WindowID(2)))
        world.wait(12_000)
        #expect(world.system.lifecycle.isFrozen(one))
        let effects = world.act(.audio(.remote(.play, .controlCentre)))
        let sent = try #require(effects.firstIndex(of: .audio(.command(player, .play))))
        let thawed = try #require(effects.firstIndex { if case .life(.thaw) = $0 { true } else { false } })
        #expect(thawed < sent && !world.system.lifecycle.isFrozen(one))
        #expect(world.end() == [])
    }

    @Test("an app without a player that an interpreter runs has the name of its desktop entry")
    func scripted() throws {
        var world = sounding()
        world.send(.appsChanged([App(id: "org.example.Tune", name: "Tunes", command: ["python3", "-m", "tune"], script: "tune")]))
        world.send(.audio(.streamAppeared(StreamID(1), StreamFacts(app: AudioApp(id: "tune"), role: "Music"))))
        world.openControlCentre(.apps)
        #expect(world.control("control-centre/app/tune")?.name == .detailed(.volume, "Tunes"))
        #expect(world.end() == [])
    }
}

@Suite("A-13, A-14, A-25: the card of what plays")
struct NowPlayingTests {
    @Test(
        "only what the app takes is there, and play is what it does next",
        arguments: [
            ([RemoteCommand.Name.play, .pause, .next, .previous], PlaybackStatus.playing, ["previous", "play", "next", "app"]),
            ([.play, .pause], .paused, ["play", "app"]), ([.stop], .playing, ["play", "app"]), ([.stop], .paused, ["app"]),
            ([.next], .playing, ["next", "app"]),
            ([.skipForward, .skipBackward, .togglePlayPause], .playing, ["skip-backward", "play", "skip-forward", "app"]),
        ] as [([RemoteCommand.Name], PlaybackStatus, [String])])
    func enabled(commands: [RemoteCommand.Name], status: PlaybackStatus, shown: [String]) {
        var world = sounding(Set(commands), status: .playing)
        world.send(
            .audio(
                .playerChanged(
                    player,
                    PlayerFacts(
                        app: AudioApp(id: "editor"), name: "Editor", status: status, commands: Set(commands), info: song()))))
        world.openControlCentre()
        #expect(Set(world.cardIDs) == Set(shown))
        #expect(world.end() == [])
    }

    @Test("play and pause are sent as what they are, never as the other way round")
    func plain() {
        var world = sounding()
        world.openControlCentre()
        #expect(world.control("control-centre/playing/play")?.name == .message(.pause))
        world.tap("control-centre/playing/play")
        #expect(world.commanded.last == .pause)
        world.send(
            .audio(
                .playerChanged(
                    player,
                    PlayerFacts(
                        app: AudioApp(id: "editor"), name: "Editor", status: .paused, commands: [.play, .pause], info: song()))))
        #expect(world.control("control-centre/playing/play")?.name == .message(.play))
        world.tap("control-centre/playing/play")
        #expect(world.commanded.last == .play)
        #expect(world.end() == [])
    }

    @Test("a place is looked for once, when the finger is lifted; nothing moves it where the app cannot", arguments: [true, false])
    func seek(canSeek: Bool) throws {
        var world = sounding(canSeek ? [.pause, .seek] : [.pause])
        world.openControlCentre()
        let id = "control-centre/playing/position"
        let control = try #require(world.control(id))
        #expect((control.slide != nil) == canSeek)
        let before = world.commanded.count
        world.touch(down: control.frame.center)
        for step in 1...8 { world.touch(to: control.frame.center + Vector(Double(step) * 10, 0)) }
        #expect(world.commanded.count == before)
        let wanted = world.system.interface.sliding?.value
        world.lift()
        if canSeek {
            guard case .seek(let seconds) = world.commanded.last else { return #expect(Bool(false), "nothing was looked for") }
            #expect(abs(seconds - (wanted ?? -1) * 200) < 0.01)
        } else {
            #expect(world.commanded.count == before)
        }
        #expect(world.end() == [])
    }

    @Test("the time advances once a second, but only while it is visible")
    func time() throws {
        var world = sounding()
        #expect(!world.effects.contains { if case .timer(.start(.sound(.playing), _)) = $0 { true } else { false } })
        world.openControlCentre()
        let before = try #require(world.slide("control-centre/playing/position")).value
        world.wait(10_000)
        let after = try #require(world.slide("control-centre/playing/position")).value
        #expect(abs((after - before) * 200 - 10) < 0.01)
        let count = world.effects.filter { if case .timer(.start(.sound(.playing), _)) = $0 { true } else { false } }.count
        #expect(count >= 10)
        world.act(.controlCentre)
        #expect(world.effects.contains(.stopTimer(.sound(.playing))))
        #expect(world.end() == [])
    }

    @Test("tapping the card brings its app to the front")
    func opens() {
        var world = sounding(apps: ["editor", "terminal"])
        world.openControlCentre()
        #expect(world.workspace.focus == two)
        world.tap("control-centre/playing/app")
        #expect(world.workspace.focus == one && world.open == [])
        #expect(world.end() == [])
    }

    @Test("X-05: a screen reader gets title, artist and app")
    func spoken() {
        var world = sounding()
        world.openControlCentre()
        #expect(world.control("control-centre/playing/app")?.name == .verbatim("Nocturne, Chopin, Text Editor"))
        #expect(world.end() == [])
    }
}

@Suite("A-10, A-11: where sound goes")
struct RouteViewTests {
    @Test("the output where there is none is called so in the person's language")
    func noOutput() {
        var world = sounding()
        world.send(.audio(.devicesChanged(outputs: [AudioOutput(id: AudioOutput.nowhere, kind: .virtual, name: "null")], inputs: [])))
        world.openControlCentre()
        #expect(world.control("control-centre/outputs")?.name == .message(.noOutput))
        world.tap("control-centre/outputs")
        world.wait(1000)
        #expect(world.control("control-centre/output/\(AudioOutput.nowhere.raw)")?.name == .message(.noOutput))
        #expect(world.end() == [])
    }

    @Test("the user picks an output, and returns to automatic")
    func pick() {
        var world = sounding()
        world.openControlCentre()
        world.tap("control-centre/outputs")
        world.wait(1000)
        #expect(world.open == ["control-centre", "control-centre/outputs"])
        #expect(world.control("control-centre/automatic")?.isChosen == true)
        world.tap("control-centre/output/headphones")
        #expect(world.summary.route.output == headphones.id && world.summary.isOutputPicked)
        #expect(world.control("control-centre/output/headphones")?.isChosen == true)
        world.tap("control-centre/automatic")
        #expect(!world.summary.isOutputPicked)
        #expect(world.control("control-centre/input/mic") != nil)
        #expect(world.end() == [])
    }

    @Test("the volume view stands at its window, and goes with it")
    func view() throws {
        var world = sounding()
        world.act(.volumeView())
        world.wait(1000)
        #expect(world.open == ["volume"])
        #expect(world.slide("volume-view/media")?.value == 0.5 && world.control("volume-view/output/headphones") != nil)
        world.act(.adjust(view: "volume-view/media", to: 0.75))
        #expect(
            world.level == 0.75 && world.system.views(at: world.now)?.overlay().items.isEmpty == true, "the same level is not shown twice")
        world.send(.windowUnmapped(one))
        world.wait(1000)
        #expect(world.open == [])
        #expect(world.end() == [])
    }

    @Test("law 1: an app opens it at its active window alone, and again after it was closed")
    func asked() {
        var world = sounding(apps: ["editor", "terminal"])
        let app = AudioApp(id: "terminal", lineage: [102, 1]), session = SessionID(7)
        world.send(.audio(.sessionOpened(session, app)))
        func ask(_ number: UInt64) { world.send(.audio(.sessionAsked(session, .showVolume(true), reply: ReplyID(number)))) }
        ask(1)
        world.wait(1000)
        #expect(world.open == ["volume"])
        world.act(.dismiss)
        world.wait(1000)
        ask(2)
        world.wait(1000)
        #expect(world.open == ["volume"])
        world.act(.focus(window: one))
        world.wait(1000)
        #expect(world.open == [])
        ask(3)
        world.wait(1000)
        #expect(world.open == [], "another app is active")
        #expect(world.end() == [])
    }
}

@Suite("A-07: the level that changed is seen for a moment")
struct LevelTests {
    private func isSeen(_ world: CoreWorld) -> Bool {
        !(world.system.views(at: world.now)?.overlay().items.isEmpty ?? true)
    }

    @Test("for one and a half seconds, with no input of its own")
    func shown() throws {
        var world = sounding()
        #expect(!isSeen(world))
        world.act(.audio(.volumeStep(1)))
        world.wait(700)
        #expect(isSeen(world))
        #expect(world.system.views(at: world.now)?.overlay().controls.isEmpty == true)
        let point = Point(690, 50)
        world.touch(down: point)
        #expect(
            world.effects.contains { if case .client(.touchDown(_, one, _)) = $0 { true } else { false } }, "the window under it is touched"
        )
        world.lift()
        world.wait(2500)
        #expect(!isSeen(world))
        #expect(world.end() == [])
    }

    @Test("not beside the slider of the control centre")
    func notTwice() {
        var world = sounding()
        world.openControlCentre()
        world.act(.audio(.volumeStep(1)))
        world.wait(300)
        #expect(!isSeen(world))
        #expect(world.end() == [])
    }

    @Test("over the locker, which is otherwise all that is drawn")
    func locked() {
        var world = sounding()
        world.lock()
        #expect(world.system.items(at: world.now).count == 2)
        world.press("XF86AudioRaiseVolume")
        world.wait(300)
        #expect(world.level == 9.0 / 16 && world.system.items(at: world.now).count > 2)
        world.unlock()
        #expect(world.end() == [])
    }

    @Test("that a microphone is in use is seen and said, until it is muted")
    func recording() {
        var world = sounding(nil)
        world.send(.audio(.streamAppeared(StreamID(9), StreamFacts(app: AudioApp(id: "editor"), direction: .input))))
        #expect(world.control("recording")?.name == .message(.microphoneInUse))
        world.openControlCentre()
        world.tap("control-centre/microphone")
        #expect(world.summary.isMicrophoneMuted && world.control("control-centre/microphone")?.isChosen == true)
        world.act(.controlCentre)
        world.wait(1000)
        #expect(world.control("recording") == nil)
        #expect(world.end() == [])
    }
}

@Suite("X-05: sound on every screen with text of every size")
struct SoundLayoutTests {
    @Test(
        "everything stays on its panel, nothing overlaps, every target has 44 points",
        arguments: [
            Size(1180, 820), Size(820, 1180), Size(390, 844), Size(844, 390), Size(320, 480),
        ], [1.0, 1.5, 2.0])
    func fits(size: Size, scale: Double) throws {
        for isMirrored in [false, true] {
            let preferences = Preferences(appearance: Appearance(textScale: scale, isRightToLeft: isMirrored))
            for page in ControlPage.allCases {
                for isFull in [false, true] {
                    var world = sounding(isFull ? everything : nil, preferences: preferences, size: size)
                    if isFull {
                        world.send(.audio(.streamAppeared(StreamID(1), StreamFacts(app: AudioApp(id: "editor"), role: "Music"))))
                        world.send(.audio(.streamAppeared(StreamID(9), StreamFacts(app: AudioApp(id: "notes"), direction: .input))))
                        world.send(.audio(.sessionOpened(SessionID(1), AudioApp(id: "terminal"))))
                        world.send(.audio(.sessionAsked(SessionID(1), .setCategory(.playAndRecord, .voiceChat, []), reply: ReplyID(1))))
                        world.send(.audio(.sessionAsked(SessionID(1), .call(.ringing), reply: ReplyID(2))))
                        world.send(.audio(.sessionAsked(SessionID(1), .activate, reply: ReplyID(3))))
                    }
                    world.openControlCentre(page)
                    let what =
                        "\(page), \(size.width) x \(size.height), text \(scale)\(isMirrored ? ", mirrored" : "")\(isFull ? ", full" : "")"
                    let panel = try #require(world.control("control-centre")).frame
                    #expect(Rect(origin: .zero, size: size).contains(panel, tolerance: 0.5), "\(what): the panel is at \(panel)")
                    let controls = world.controls.filter { $0.isOperable && $0.id != "indicator" }
                    #expect(controls.count >= 1, "\(what)")
                    for control in controls {
                        #expect(
                            control.target.width >= 44 && control.target.height >= 44,
                            "\(what): \(control.id) is hit within \(control.target)")
                        #expect(panel.contains(control.frame, tolerance: 0.5), "\(what): \(control.id) at \(control.frame) of \(panel)")
                        if let slide = control.slide { #expect(slide.track.width >= 60, "\(what): \(control.id) runs on \(slide.track)") }
                    }
                    for (index, one) in controls.enumerated() {
                        for other in controls.dropFirst(index + 1) {
                            #expect(
                                !one.frame.inset(by: 0.5).intersects(other.frame.inset(by: 0.5)),
                                "\(what): \(one.id) at \(one.frame) lies over \(other.id) at \(other.frame)")
                        }
                    }
                    #expect(world.problems == [], "\(what)")
                }
            }
        }
    }
}
