import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("Clients that misbehave")
struct BadClientTests {
    /// Every state a window can be in when its client is killed: how to bring window 3 there.
    private static let states: [(String, @Sendable (inout CoreWorld) -> Void)] = [
        ("created", { $0.create(3) }),
        (
            "waiting",
            {
                $0.create(3)
                $0.map(3)
            }
        ),
        ("full screen", { $0.open(3) }),
        (
            "behind",
            {
                $0.open(3)
                $0.act(.focus(window: one))
            }
        ),
        ("left", { $0.open(3, to: .splitView(.left)) }),
        ("Slide Over", { $0.open(3, to: .slideOver) }),
        (
            "Slide Over, hidden",
            {
                $0.open(3, to: .slideOver)
                $0.act(.slideOverHide)
            }
        ),
        (
            "Slide Over, behind",
            {
                $0.open(3, to: .slideOver)
                $0.open(4, to: .slideOver)
            }
        ),
        ("a picture", { $0.open(3, to: .pictureInPicture) }),
        (
            "a stashed picture",
            {
                $0.open(3, to: .pictureInPicture)
                $0.act(.pipStash())
            }
        ),
        (
            "with a dialog",
            {
                $0.open(3)
                $0.create(4, WindowFacts(client: 3, parent: three))
                $0.map(4)
            }
        ),
        (
            "a dialog",
            {
                $0.create(3, WindowFacts(client: 1, parent: one))
                $0.map(3)
            }
        ),
        (
            "with an open menu",
            {
                $0.open(3)
                $0.send(.popupsChanged(three, boxes: [Rect(0, 0, 99, 99)], grab: true))
            }
        ),
        (
            "owing an answer",
            {
                $0.open(3)
                $0.setManner(.asked, of: three)
                $0.act(.splitView(window: three, side: .left))
            }
        ),
        (
            "with a finger on it",
            {
                $0.open(3)
                $0.rest()
                $0.touch(down: Point(500, 500))
            }
        ),
        (
            "with a button on it",
            {
                $0.open(3)
                $0.rest()
                $0.send(.pointerMotion(at: Point(500, 500)))
                $0.send(.pointerButton(0x110, pressed: true))
            }
        ),
        (
            "lifted",
            {
                $0.open(3)
                $0.rest()
                $0.touch(down: $0.spot(.grip(0)))
                $0.slide(to: Point(20, 300))
            }
        ),
        (
            "its divider dragged",
            {
                $0.open(3, to: .splitView(.left))
                $0.setManner(.asked, of: three)
                $0.rest()
                $0.touch(down: $0.spot(.divider))
                $0.slide(to: Point(700, 300))
            }
        ),
        (
            "its card dragged",
            {
                $0.open(3, to: .slideOver)
                $0.rest()
                $0.touch(down: $0.spot(.cardTop))
                $0.slide(to: Point(600, 60))
            }
        ),
        (
            "pulled back in",
            {
                $0.open(3, to: .slideOver)
                $0.act(.slideOverHide)
                $0.rest()
                $0.touch(down: $0.spot(.slideOverHandle))
                $0.slide(to: Point(900, 400))
            }
        ),
        (
            "pinched",
            {
                $0.open(3, to: .pictureInPicture)
                $0.rest()
                $0.touch(0, down: $0.spot(.picture))
                $0.touch(1, down: $0.spot(.picture) + Vector(50, 0))
            }
        ),
        (
            "swiped away",
            {
                $0.open(3)
                $0.rest()
                $0.touch(down: Point(590, 815))
                $0.slide(to: Point(300, 815))
            }
        ),
        (
            "in flight",
            {
                $0.open(3, to: .slideOver)
                $0.rest()
                $0.act(.slideOverSide(.left))
                $0.wait(60)
            }
        ),
    ]

    @Test("killed in every state, it is gone, the others go on, and nothing is held", arguments: states.indices)
    func killed(index: Int) {
        let (name, reach) = BadClientTests.states[index]
        for isKill in [true, false] {
            var world = splitWorld()
            reach(&world)
            #expect(world.problems == [], "\(name)")
            if isKill { world.destroy(three) } else { world.unmap(three) }
            world.wait(10)
            #expect(world.workspace.isShown(one) || world.workspace.isShown(two) || world.workspace.isShown(four), "\(name)")
            world.liftAll()
            world.tap(at: Point(300, 600))
            #expect(world.finish() == [], "\(name)")
        }
    }

    @Test("a client that never answers anything is shown as it is, and the rest goes on")
    func neverAnswers() {
        var world = splitWorld()
        world.setManner(.asked, of: one)
        for action in [
            Action.swapSides, .divider(fraction: 0.66), .fullScreen(window: one), .slideOver(window: one), .pictureInPicture(window: one),
        ] {
            world.act(action)
            world.wait(2000)
            #expect(!world.system.isMoving(at: world.now))
            let frame = world.frame(one)!, picture = world.system.contentRect(of: one, at: world.now)!
            #expect(frame.contains(picture, tolerance: 1), "\(action)")
        }
        #expect(world.problems == [])
    }

    @Test(
        "an answer to a configure that was never sent, and sizes that make no sense, do no harm",
        arguments: [
            Size(0, 0), Size(-5, 10), Size(1, 100_000), Size(100_000, 1),
        ])
    func nonsense(size: Size) {
        var world = splitWorld()
        world.commit(one) {
            $0.answered = 4_000_000
            $0.size = size
        }
        world.act(.pictureInPicture(window: one))
        world.act(.slideOver(window: one))
        #expect(world.finish() == [])
    }

    @Test("events for windows that do not exist are not heard")
    func strangers() {
        var world = splitWorld()
        let before = world.workspace
        let id = WindowID(99)
        for event in [
            Event.windowMapped(id, WindowCommit(size: Size(1, 1))), .windowCommitted(id, WindowCommit(size: Size(1, 1))),
            .windowUnmapped(id), .windowDestroyed(id), .windowAsked(id, .move()), .popupsChanged(id, boxes: [Rect(0, 0, 1, 1)], grab: true),
            .windowRenamed(id, WindowFacts()), .activationAsked(id, hasRecentSerial: true, launch: nil), .launched(LaunchID(9), process: 1),
            .touchUp(7), .touchMotion(7, at: .zero), .touchCancel(7), .touchDown(-1, at: .zero), .pointerButton(0x110, pressed: false),
        ] {
            #expect(world.send(event) == [], "\(event)")
        }
        #expect(world.workspace == before)
        #expect(world.finish() == [])
    }

    @Test("hundreds of windows: all are there, in reach, and closed again")
    func many() {
        let count: UInt32 = TestSeed.isSlow ? 500 : 300
        var world = CoreWorld(keepsHistory: false)
        world.isChecked = false
        for raw in 1...count { world.open(raw) }
        #expect(world.workspace.spaces.count == count)
        world.act(.focus(window: WindowID(77)))
        isFull(world, WindowID(77))
        world.act(.splitView(window: WindowID(200), side: .left))
        isSplit(world, WindowID(200), WindowID(77))
        for raw in 1...count { world.destroy(WindowID(raw)) }
        #expect(world.workspace.windows.isEmpty)
        #expect(world.finish() == [])
    }
}

@Suite("Dialogs go with their window")
struct CarriedDialogTests {
    private func world() -> CoreWorld {
        var world = splitWorld()
        world.create(3, WindowFacts(client: 1, parent: one))
        world.map(3)
        world.rest()
        return world
    }

    @Test("lifted, pushed aside and put back")
    func carried() {
        var world = world()
        world.touch(down: world.spot(.grip(0)))
        world.slide(to: Point(700, 300))
        world.wait(1000)
        func isInside() -> Bool { world.frame(one)!.contains(world.frame(three)!, tolerance: 0.1) }
        #expect(isInside())
        // The client draws meanwhile.
        world.commit(one) { $0.size.width -= 1 }
        #expect(isInside())
        world.slide(to: world.spot(.grip(0)) + Vector(-300, 0))
        world.take()
        world.rest()
        #expect(world.frame(three)!.center.distance(to: world.frame(one)!.center) <= 0.5)
        world.touch(down: Point(290, 815))
        world.open(4)
        world.rest()
        world.lift()
        world.touch(down: Point(590, 815))
        world.slide(to: Point(900, 815))
        world.slide(to: Point(990, 815))
        world.lift()
        #expect(world.finish() == [])
    }

    @Test("swiped along with their space")
    func swiped() {
        var world = world()
        world.open(4)
        world.act(.focus(window: one))
        world.rest()
        let before = world.frame(three)!
        world.touch(down: Point(490, 815))
        world.slide(to: Point(290, 815))
        let moved = world.frame(one)!.minX
        #expect(moved < -150)
        #expect(abs(world.frame(three)!.minX - before.minX - moved) < 0.02)
        world.lift()
        #expect(world.finish() == [])
    }
}
