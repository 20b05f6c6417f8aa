import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

let one = WindowID(1), two = WindowID(2), three = WindowID(3), four = WindowID(4)

/// Windows 1 and 2 side by side, at rest.
func splitWorld(size: Size = Size(1180, 820), preferences: Preferences = Preferences()) -> CoreWorld {
    var world = CoreWorld(size: size, preferences: preferences)
    world.open(1)
    world.open(2, to: .splitView(.right))
    world.rest()
    return world
}

/// Windows 1 and 2 side by side, 3 in Slide Over, at rest.
func slideOverWorld(size: Size = Size(1180, 820)) -> CoreWorld {
    var world = splitWorld(size: size)
    world.open(3, to: .slideOver)
    world.rest()
    return world
}

/// Window 1 full screen, 2 a picture over it, at rest. `isPip`: by its own protocol, with handles of its own.
func pipWorld(size: Size = Size(1180, 820), isPip: Bool = false) -> CoreWorld {
    var world = CoreWorld(size: size)
    world.open(1)
    world.open(2, WindowFacts(appID: "app2", title: "Window 2", lineage: [102, 1], client: 2, isPip: isPip), to: .pictureInPicture)
    world.rest()
    return world
}

func isSplit(_ world: CoreWorld, _ first: WindowID, _ second: WindowID, _ sourceLocation: SourceLocation = #_sourceLocation) {
    let split = world.workspace.currentSpace?.split
    #expect(split?.first == first && split?.second == second, sourceLocation: sourceLocation)
}

func isFull(_ world: CoreWorld, _ id: WindowID, _ sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(world.workspace.currentSpace?.content == .full(id), sourceLocation: sourceLocation)
}

extension [Effect] {
    var refusals: [String] { compactMap { if case .session(.refuse(let refusal)) = $0 { refusal.reason } else { nil } } }
    func count(_ effect: Effect) -> Int { filter { $0 == effect }.count }
    func configures(_ id: WindowID) -> [Configure] {
        compactMap { if case .client(.configure(id, let configure)) = $0 { configure } else { nil } }
    }
}
