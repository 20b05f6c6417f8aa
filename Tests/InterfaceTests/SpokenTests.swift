import Geometry
import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("X-05: controls that the stage draws have names for screen readers")
struct SpokenTests {
    private func world(rightToLeft: Bool) -> CoreWorld {
        CoreWorld(preferences: Preferences(appearance: Appearance(isRightToLeft: rightToLeft)))
    }

    @Test("the dots of each window of a pair lie on it, whichever way people read", arguments: [false, true])
    func dots(rightToLeft: Bool) throws {
        var world = world(rightToLeft: rightToLeft)
        world.open(1)
        world.open(2, to: .splitView(.right))
        world.rest()
        for raw in [1, 2] as [UInt32] {
            let control = try #require(world.system.controls(at: world.now).first { $0.id == "dots/\(raw)" })
            let window = try #require(world.frame(WindowID(raw)))
            #expect(window.contains(control.frame), "\(control.frame) is not on \(window)")
            #expect(control.press == .controls(window: WindowID(raw)))
        }
        #expect(world.finish() == [])
    }

    @Test("the handles of what was pushed past an edge bring it back", arguments: [false, true])
    func handles(rightToLeft: Bool) throws {
        var world = world(rightToLeft: rightToLeft)
        world.open(1)
        world.open(2, to: .slideOver)
        world.open(3, to: .pictureInPicture)
        world.act(.slideOverHide)
        world.act(.pipStash(.left))
        world.rest()
        let handle = try #require(world.system.controls(at: world.now).first { $0.id == "slide-over/show" })
        let tab = try #require(world.system.controls(at: world.now).first { $0.id == "picture/show" })
        #expect(handle.frame.center.x > 1000 && tab.frame.center.x < 100)
        world.act(.press(view: "slide-over/show"))
        world.act(.press(view: "picture/show"))
        world.rest()
        #expect(!world.workspace.slideOver.isHidden && world.workspace.pip?.stashed == nil)
        #expect(!world.system.controls(at: world.now).contains { $0.id == "slide-over/show" || $0.id == "picture/show" })
        #expect(world.finish() == [])
    }
}
