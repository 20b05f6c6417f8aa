import AudioSessions
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

/// A call or a video in sight beside another app, on a phone.
@Suite("S-10: a call as a picture")
struct PhoneCallTests {
    private let one = WindowID(1), two = WindowID(2), three = WindowID(3)

    /// Three apps, the first one with a call or with a video, and in front.
    private func world(call: CallState? = .accepted, video: Bool = false, idiom: Idiom = .phone) -> CoreWorld {
        var world = CoreWorld(size: Size(390, 844), idiom: idiom)
        for number in [2, 3, 1] as [UInt32] { world.open(number) }
        world.send(.audio(.serverChanged(isRunning: true)))
        world.send(
            .audio(.devicesChanged(outputs: [AudioOutput(id: PortID("a"), kind: .speaker, name: "Speaker", level: 0.5)], inputs: [])))
        if let call {
            world.send(.audio(.sessionOpened(SessionID(1), AudioApp(id: "app1", lineage: [101]))))
            world.send(.audio(.sessionAsked(SessionID(1), .setCategory(.playAndRecord, .videoChat, []), reply: ReplyID(1))))
            world.send(.audio(.sessionAsked(SessionID(1), .call(.ringing), reply: ReplyID(2))))
            if call != .ringing { world.send(.audio(.sessionAsked(SessionID(1), .call(call), reply: ReplyID(3)))) }
            world.send(.audio(.sessionAsked(SessionID(1), .activate, reply: ReplyID(4))))
        }
        if video {
            world.send(
                .audio(.streamAppeared(StreamID(5), StreamFacts(app: AudioApp(id: "app1", lineage: [101]), isRunning: true, role: "Movie")))
            )
        }
        world.rest()
        return world
    }

    /// The ways to leave an app for another one.
    private static let ways: [(String, @Sendable (inout CoreWorld) -> Void)] = [
        ("a swipe", { $0.drag(from: Point(100, 840), to: Point(300, 842), over: 150, resting: false) }),
        (
            "the switcher",
            {
                $0.act(.appSwitcher)
                $0.rest()
                $0.act(.focus(window: WindowID(2)))
            }
        ),
        (
            "an icon",
            {
                $0.act(.home)
                $0.rest()
                $0.act(.focus(window: WindowID(2)))
            }
        ),
        ("a key", { $0.act(.previousSpace) }),
        ("home", { $0.act(.home) }),
    ]

    @Test("whichever way a person leaves it, and it keeps its shape", arguments: 0..<5)
    func leaves(_ way: Int) {
        var world = world()
        Self.ways[way].1(&world)
        world.rest()
        #expect(world.workspace.pip?.window == one, "\(Self.ways[way].0)")
        #expect((world.workspace.pip?.aspect ?? 9) < 1, "it is upright as its window was")
        #expect(world.workspace.focus != one)
        #expect(world.workspace.isShown(one), "so its app is neither frozen nor silenced")
        #expect(world.finish() == [])
    }

    @Test("a tap on it returns to the call, and the picture is gone")
    func returns() throws {
        var world = world()
        world.act(.previousSpace)
        world.rest()
        let frame = try #require(world.frame(one))
        world.tap(at: frame.center)
        world.rest()
        #expect(world.workspace.pip == nil && world.workspace.currentSpace?.windows == [one] && world.workspace.focus == one)
        // And to leave it once more makes it the picture once more.
        world.act(.previousSpace)
        world.rest()
        #expect(world.workspace.pip?.window == one)
        #expect(world.finish() == [])
    }

    @Test("to hang up ends it: the window stands behind the one in front, one swipe away")
    func hangUp() {
        var world = world()
        world.act(.previousSpace)
        world.rest()
        let front = world.workspace.currentSpace?.windows
        world.act(.pipControls)
        world.wait(500)
        #expect(world.controls.contains { $0.id == "picture-controls/end-call" && $0.press == .audio(.endCall) })
        world.send(.audio(.sessionAsked(SessionID(1), .call(.ended), reply: ReplyID(9))))
        world.rest()
        #expect(world.workspace.pip == nil && world.workspace.currentSpace?.windows == front)
        world.act(.previousSpace)
        #expect(world.workspace.currentSpace?.windows == [one])
        #expect(world.workspace.pip == nil)
        #expect(world.finish() == [])
    }

    @Test("neither a call that only rings nor an app without one, and none on a pad, which keeps a video alone and only at home")
    func others() {
        for var world in [world(call: .ringing), world(call: nil), world(idiom: .pad)] {
            world.act(.previousSpace)
            world.rest()
            #expect(world.workspace.pip == nil)
            #expect(world.finish() == [])
        }
        var film = world(call: nil, video: true)
        film.act(.previousSpace)
        film.rest()
        #expect(film.workspace.pip?.window == one, "a video stays in sight")
        film.act(.pipControls)
        #expect(!film.controls.contains { $0.id == "picture-controls/end-call" })
        #expect(film.finish() == [])
        var pad = world(call: nil, video: true, idiom: .pad)
        pad.act(.previousSpace)
        pad.rest()
        #expect(pad.workspace.pip == nil)
    }

    @Test("a call takes the place of a video that is the picture; another window of the same app is no other app")
    func conflicts() {
        var world = world()
        world.act(.pictureInPicture(window: two))
        world.rest()
        world.act(.previousSpace)
        world.rest()
        #expect(world.workspace.pip?.window == one)
        #expect(world.workspace.spaces.contains { $0.windows == [two] })
        #expect(world.finish() == [])
        var same = self.world()
        same.open(9, WindowFacts(appID: "app1", title: "Contacts", lineage: [101, 1], client: 1))
        same.rest()
        #expect(same.workspace.pip == nil && same.workspace.currentSpace?.windows == [WindowID(9)])
        #expect(same.finish() == [])
    }

    @Test("A-06, A-07: the ringer has a slider and the silence switch beside the volume, and to switch is seen")
    func ringer() throws {
        var world = world(call: nil)
        world.act(.controlCentre)
        world.rest()
        let ringer = try #require(world.controls.first { $0.id == "control-centre/ringer" })
        #expect(ringer.slide != nil && ringer.name == .message(.ringer))
        world.act(.adjust(view: "control-centre/ringer", to: 0.25))
        #expect(world.system.audio.summary.volumes[.ringer]?.level == 0.25 && world.system.audio.summary.volumes[.media]?.level == 0.5)
        world.act(.press(view: "control-centre/ringer-silence"))
        #expect(world.system.audio.summary.isSilenced && world.interface.volume?.content == .ringer)
        #expect(world.controls.first { $0.id == "control-centre/ringer-silence" }?.isChosen == true)
        world.act(.controlCentre)
        world.act(.volumeView())
        world.rest()
        #expect(world.controls.contains { $0.id == "volume-view/ringer" } && world.controls.contains { $0.id == "volume-view/media" })
        // Nothing plays, so keys act on the ringer.
        #expect(world.system.audio.summary.keysActOn == .ringer)
        #expect(world.finish() == [])
        var pad = self.world(call: nil, idiom: .pad)
        pad.act(.controlCentre)
        pad.rest()
        #expect(!pad.controls.contains { $0.id == "control-centre/ringer" })
        pad.act(.audio(.silence(true)))
        #expect(pad.interface.volume == nil)
    }
}
