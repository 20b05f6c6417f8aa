import AudioSessions
import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

private let player = PlayerID("org.mpris.MediaPlayer2.editor")

/// `browser` in front, `editor` as a picture that plays a film.
private func picture(playing: Bool = true, preferences: Preferences = Preferences(), isPip: Bool = false) -> CoreWorld {
    var world = world(["browser"], preferences: preferences)
    var film = facts("editor", 2)
    film.isPip = isPip
    world.open(2, film, to: .pictureInPicture)
    world.rest()
    if playing {
        var info = NowPlayingInfo()
        info.title = "A Film"
        world.send(
            .audio(
                .playerAppeared(
                    player,
                    PlayerFacts(
                        app: AudioApp(id: "editor"), name: "Editor", status: .playing,
                        commands: [.play, .pause, .skipForward, .skipBackward, .next],
                        info: info))))
    }
    return world
}

extension CoreWorld {
    fileprivate var buttons: [String] {
        controls.filter { $0.id.area == .pipControls && !$0.id.path.isEmpty }.map { String($0.id.path) }
    }
    fileprivate var touches: Int {
        effects.count { if case .client(.touchDown(_, two, _)) = $0 { true } else { false } }
    }
    fileprivate var commanded: [RemoteCommand] {
        effects.compactMap { if case .audio(.command(_, let command)) = $0 { command } else { nil } }
    }
}

@Suite("W-06: the controls on Picture in Picture")
struct PictureControlsTests {
    @Test("a tap shows close, full screen and what its app plays; the app gets no tap; they go after four seconds")
    func tap() {
        var world = picture()
        let middle = world.frame(two)!.center
        world.tap(at: middle)
        world.wait(1000)
        #expect(world.open == ["picture-controls"])
        #expect(world.buttons == ["close", "full", "skip-backward", "play", "skip-forward"])
        #expect(world.touches == 0)
        for id in world.buttons {
            let control = world.control("picture-controls/\(id)")!
            #expect(world.frame(two)!.contains(control.frame), "\(id) stands on the picture")
        }
        world.wait(3500)
        #expect(world.open == [] && world.buttons == [])
        #expect(world.place(two) == .pictureInPicture)
        #expect(world.finish() == [])
    }

    @Test("a second tap hides them; a tap on another app leaves them until their time is over")
    func again() {
        var world = picture()
        let picture = world.frame(two)!
        world.tap(at: picture.center)
        world.wait(600)
        world.tap(at: Point(picture.minX + 12, picture.maxY - 8))
        #expect(world.open == [])
        world.tap(at: picture.center)
        world.wait(600)
        world.tap(at: Point(200, 400))
        #expect(world.open == ["picture-controls"])
        #expect(world.finish() == [])
    }

    @Test("its buttons do what they say, and using them gives them more time")
    func buttons() {
        var world = picture()
        world.tap(at: world.frame(two)!.center)
        world.wait(3000)
        world.tap("picture-controls/play")
        #expect(world.commanded.last == .pause)
        world.wait(3000)
        #expect(world.open == ["picture-controls"], "it was used a moment ago")
        world.tap("picture-controls/skip-forward")
        #expect(world.commanded.last == .skipForward(10))
        world.tap("picture-controls/full")
        #expect(world.place(two) == .full(world.space(of: two)))
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("close asks the app to close")
    func close() {
        var world = picture()
        world.tap(at: world.frame(two)!.center)
        world.tap("picture-controls/close")
        #expect(world.closes == [two])
        world.destroy(two)
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("what another app plays is not controlled here")
    func otherApp() {
        var world = picture(playing: false)
        world.send(
            .audio(
                .playerAppeared(
                    player,
                    PlayerFacts(
                        app: AudioApp(id: "browser"), status: .playing, commands: [.play, .pause], info: NowPlayingInfo()))))
        world.act(.pipControls)
        #expect(world.buttons == ["close", "full"])
        #expect(world.finish() == [])
    }

    @Test("keys: Super+Shift+P gives them the keyboard, arrows and Return work, Escape leaves; nothing times out meanwhile")
    func keys() {
        var world = picture()
        world.press("Super+Shift+p")
        #expect(world.interface.focus == "picture-controls/play")
        world.wait(6000)
        #expect(world.open == ["picture-controls"])
        world.press("Right")
        #expect(world.interface.focus == "picture-controls/skip-forward")
        world.press("Return")
        #expect(world.commanded == [.skipForward(10)])
        world.press("Escape")
        #expect(world.open == [] && world.interface.focus == nil)
        world.press("Super+Shift+p")
        world.press("Super+Shift+p")
        #expect(world.open == [])
        #expect(world.finish() == [])
    }

    @Test("a screen reader finds the picture's controls, and `mullion ctl press` presses them")
    func byName() {
        var world = picture()
        #expect(world.control("picture/controls")?.name == .message(.pipControls, ["Text Editor"]))
        world.act(.press(view: "picture/controls"))
        #expect(world.control("picture/controls") == nil)
        #expect(world.act(.press(view: "picture-controls/full")).refusals == [])
        #expect(world.place(two) == .full(world.space(of: two)))
        #expect(world.act(.pipControls).refusals == ["no window is in Picture in Picture"])
        #expect(world.finish() == [])
    }

    @Test("the pointer clicks them, and its click on the picture does not reach the app")
    func pointer() {
        var world = picture()
        world.click(world.frame(two)!.center)
        #expect(world.open == ["picture-controls"])
        #expect(!world.effects.contains(.pointerButton(0x110, pressed: true)))
        world.click(world.middle("picture-controls/full"))
        #expect(world.place(two) == .full(world.space(of: two)))
        #expect(world.finish() == [])
    }

    @Test("a drag that begins on a button moves the picture, and they go along")
    func drag() {
        var world = picture()
        world.tap(at: world.frame(two)!.center)
        world.wait(500)
        let start = world.middle("picture-controls/play")
        world.touch(down: start)
        for step in 1...20 {
            world.wait(16)
            world.touch(to: start + Vector(-35 * Double(step), -20 * Double(step)))
        }
        world.wait(200)
        #expect(world.frame(two)!.contains(world.control("picture-controls/play")!.frame.center))
        world.lift()
        #expect(world.commanded == [])
        #expect(world.workspace.pip?.corner == .topLeft)
        #expect(world.finish() == [])
    }

    @Test("a stashed picture has none; they bring it back")
    func stashed() {
        var world = picture()
        world.act(.pipControls)
        world.act(.pipStash())
        #expect(world.open == [])
        world.act(.pipControls)
        #expect(world.workspace.pip?.stashed == nil && world.open == ["picture-controls"])
        #expect(world.finish() == [])
    }

    @Test("a picture by its own protocol has handles of its own: its app gets the tap, and the controls show, too")
    func ownProtocol() {
        var world = picture(isPip: true)
        world.tap(at: world.frame(two)!.center)
        #expect(world.touches == 1)
        #expect(world.open == ["picture-controls"])
        #expect(world.finish() == [])
    }

    @Test("the smallest picture has room for all of them, each under a finger of its own")
    func smallest() {
        var world = picture()
        world.act(.pipWidth(1))
        world.rest()
        world.act(.pipControls)
        world.wait(500)
        for id in world.buttons {
            let control = world.control("picture-controls/\(id)")!
            #expect(world.frame(two)!.contains(control.frame), "\(id): \(control.frame)")
            for other in world.buttons where other != id {
                #expect(!control.frame.intersects(world.control("picture-controls/\(other)")!.frame), "\(id) lies over \(other)")
            }
        }
        #expect(world.finish() == [])
    }
}

@Suite("W-06: a video continues in a corner when the user goes home")
struct HomeVideoTests {
    private func film(fullscreen: Bool = true, status: PlaybackStatus = .playing, app: String = "editor") -> CoreWorld {
        var world = world(["browser", "editor"])
        if fullscreen {
            world.send(.windowAsked(two, .fullscreen(true)))
            world.commit(two) { $0.wantsFullscreen = true }
        }
        var info = NowPlayingInfo()
        info.title = "A Film"
        world.send(
            .audio(
                .playerAppeared(
                    player,
                    PlayerFacts(
                        app: AudioApp(id: app), status: status, commands: [.play, .pause], info: info))))
        world.rest()
        return world
    }

    @Test("by key and by a swipe up: the window that plays becomes the picture, without a jump", arguments: [false, true])
    func goesHome(isSwipe: Bool) {
        var world = film()
        if isSwipe { world.swipe(Vector(0, -500), speed: 1500) } else { world.act(.home) }
        #expect(world.workspace.isHome && world.place(two) == .pictureInPicture)
        world.rest()
        #expect(world.frame(two)!.maxX == 1180 - 14)
        world.act(.openApp(app: "editor"))
        #expect(world.place(two) == .full(world.space(of: two)))
        #expect(world.finish() == [])
    }

    @Test("not what is paused, what another app plays, or what plays beside its bars as music does")
    func others() {
        for world in [film(status: .paused), film(app: "browser"), film(fullscreen: false)] {
            var world = world
            world.act(.home)
            #expect(world.workspace.isHome && world.workspace.pip == nil)
            #expect(world.finish() == [])
        }
    }

    @Test("video sound suffices, without full screen")
    func videoSound() {
        var world = world(["browser", "editor"])
        world.send(.audio(.serverChanged(isRunning: true)))
        world.send(.audio(.streamAppeared(StreamID(7), StreamFacts(app: AudioApp(id: "editor", lineage: [102, 1]), role: "Movie"))))
        world.rest()
        world.act(.home)
        #expect(world.place(two) == .pictureInPicture)
        #expect(world.finish() == [])
    }

    @Test("another picture keeps its place")
    func second() {
        var world = film()
        world.open(3, facts("notes", 3), to: .pictureInPicture)
        world.rest()
        world.act(.home)
        #expect(world.place(three) == .pictureInPicture)
        #expect(world.place(two) == .full(world.space(of: two)))
        #expect(world.finish() == [])
    }
}
