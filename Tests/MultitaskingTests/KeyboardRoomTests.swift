import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

/// The room that an on-screen keyboard takes counts for the windows and the dock of a desk (X-02, W-25).
@Suite("X-02, W-25: windows stand above the keyboard and the dock")
struct KeyboardRoomTests {
    @Test(
        "whatever size a window has, no part of it is under the keyboard or the dock while the keyboard is up, and it comes back",
        arguments: [
            Size(1180, 820), Size(1024, 768), Size(1366, 768), Size(1024, 600), Size(800, 600), Size(1280, 400),
        ])
    func aboveBoth(size: Size) throws {
        for share in [0.3, 0.4, 0.5, 0.6] {
            for tile in [nil, Tile.whole, .left] {
                var world = CoreWorld(size: size, idiom: .mac)
                world.send(.appsChanged(["a", "b"].map { App(id: $0, name: "App \($0)", command: [$0]) }))
                world.create(1, WindowFacts(appID: "a", title: "A", client: 1, isBare: true))
                world.setNatural(Size(400, min(500, size.height - 160)), of: WindowID(1))
                world.send(.activationAsked(WindowID(1), hasRecentSerial: true, launch: nil))
                world.map(1)
                world.rest()
                if let tile { world.act(.tile(window: WindowID(1), to: tile)) }
                world.rest()
                let before = try #require(world.workspace.frames()[WindowID(1)])
                world.reserve(Insets(0, 0, (size.height * share).rounded(), 0))
                world.rest()
                let frame = try #require(world.workspace.frames()[WindowID(1)]), usable = try #require(world.workspace.screen?.usable)
                #expect(usable.contains(frame, tolerance: 1), "\(size) \(share): \(frame) in \(usable)")
                if let dock = world.controls.first(where: { $0.id == "dock" })?.frame {
                    #expect(
                        frame.intersection(dock).isEmpty, "\(size) \(share) \(String(describing: tile)): the dock \(dock) covers \(frame)")
                }
                world.reserve(.zero)
                world.rest()
                #expect(world.workspace.frames()[WindowID(1)] == before)
                #expect(world.finish() == [])
            }
        }
    }
}
