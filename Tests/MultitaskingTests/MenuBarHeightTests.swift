import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

extension FreeDeskTests {
    @Test("X-05: the menu bar is as high as its text needs, and windows begin below it", arguments: [1, 1.35, 1.5, 2])
    func barGrows(scale: Double) throws {
        var world = world()
        world.act(.tile(window: three, to: .whole))
        world.rest()
        let usual = try #require(world.frame(three))
        world.act(.textSize(scale))
        world.rest()
        let bar = try #require(world.workspace.menuBar)
        #expect(bar.height == 8 + (TextStyle.headline.lineHeight * scale).rounded())
        let inBar = world.system.items(at: world.now).filter { item in
            guard case .art(.text(_, let style, _, _, _), _) = item.kind else { return false }
            return (style == .headline || style == .body) && item.frame.minY < bar.maxY
        }
        #expect(inBar.count >= 2)
        for item in inBar {
            #expect(bar.contains(item.frame, tolerance: 0.5) && item.frame.height >= (TextStyle.body.lineHeight * scale).rounded() - 0.5)
        }
        for control in world.controls where control.id.area == .menuBar {
            #expect(bar.contains(control.frame, tolerance: 0.5), "\(control.id)")
        }
        for id in world.workspace.shownRoots { #expect(try #require(world.frame(id)).minY >= bar.maxY - 0.5, "\(id) lies below the bar") }
        // Back to the usual size: nothing is left of it.
        world.act(.textSize(1))
        world.rest()
        #expect(world.workspace.menuBar?.height == 28 && world.frame(three) == usual && world.finish() == [])
    }
}
