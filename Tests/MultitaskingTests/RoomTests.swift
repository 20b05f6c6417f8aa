import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("The table of rooms") struct RoomTests {
    @Test("P-01: a person who chooses a partner on the home screen chooses none in another idiom")
    func picking() {
        var world = CoreWorld()
        world.send(.idiomsKnown(Idiom.all))
        world.open(1)
        world.act(.controls())
        world.rest()
        world.act(.splitView(window: WindowID(1), side: .left))
        world.rest()
        #expect(world.interface.picking != nil)
        world.act(.idiom("mac"))
        world.rest()
        #expect(
            world.interface.picking == nil && world.system.violations() == []
                && world.system.personViolations(precise: true, at: world.now) == [])
    }

    @Test("rooms and passes have names of their own, which mullion ctl explain prints")
    func names() {
        for names in [System.rooms.map(\.name), System.afterEvent.map(\.name), System.settling.map(\.name)] {
            #expect(!names.isEmpty && Set(names).count == names.count && !names.contains(""))
        }
    }
}
