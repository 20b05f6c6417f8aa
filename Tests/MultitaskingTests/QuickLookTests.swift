import Geometry
import Modality
import MullionTesting
import Multitasking
import Testing
import Windows

/// Files that programs hand over to be shown in a window of quick look (W-18, W-19).
@Suite("Files for quick look") struct QuickLookRequestTests {
    private static let command = ["mullion", "view", "--descriptor", "3=film.png"]

    private func ask(_ world: inout CoreWorld, from window: WindowID? = one) -> [Effect] {
        let before = world.effects.count
        world.send(.filesAsked(FilesRequest(ModalID(7), from: window, command: Self.command)))
        return Array(world.effects[before...])
    }

    private func launch(_ effects: [Effect]) -> LaunchID? {
        for case .program(.showFiles(let id, let command, let request)) in effects where command == Self.command && request == ModalID(7) {
            return id
        }
        return nil
    }

    private func refusal(_ effects: [Effect]) -> String? {
        for case .viewAnswered(ModalID(7), .refused(let why)) in effects { return why }
        return nil
    }

    /// A window of quick look.
    private func comes(_ world: inout CoreWorld, _ number: UInt32, process: Int32) {
        world.create(number, WindowFacts(appID: FilesRequest.appID, lineage: [process, 1], client: UInt64(number)))
        world.map(number)
    }

    private func opens(_ world: inout CoreWorld, _ launch: LaunchID) {
        world.send(.launched(launch, process: 400))
        comes(&world, 9, process: 400)
    }

    @Test("W-18, W-19: asked for as a person acts in the app, the window comes to the front")
    func acted() throws {
        var world = CoreWorld()
        world.open(1)
        world.tap(at: Point(300, 300))
        let effects = ask(&world)
        opens(&world, try #require(launch(effects)))
        #expect(world.system.workspace.focus == WindowID(9))
        #expect(world.system.workspace.waiting == [])
        // Its files are gone after a restart.
        #expect(!world.system.kept.windows.contains { $0.appID == FilesRequest.appID })
        #expect(world.finish() == [])
    }

    @Test("W-19: asked for by nobody, the window waits, and no more than eight of them")
    func unasked() throws {
        var world = CoreWorld()
        world.open(1)
        world.wait(5000)
        opens(&world, try #require(launch(ask(&world))))
        #expect(world.system.workspace.focus == one)
        #expect(world.system.workspace.waiting == [WindowID(9)])
        for number in UInt32(10)..<17 { comes(&world, number, process: Int32(number) + 500) }
        #expect(world.system.workspace.waiting.count == 8)
        #expect(refusal(ask(&world)) == "W-19: nobody asked for it, and 8 windows of quick look wait already")
        #expect(launch(ask(&world, from: nil)) == nil)
        #expect(world.finish() == [])
    }

    @Test("W-18: an app of a single window, a locked screen and no screen are refused")
    func refused() throws {
        var world = CoreWorld()
        world.send(.appsChanged([App(id: "app1", name: "Hermit", command: ["hermit"], isSingleWindow: true)]))
        world.open(1)
        world.tap(at: Point(300, 300))
        #expect(
            refusal(ask(&world)) == "W-18: Hermit has a single window (SingleMainWindow in its desktop entry), so no other is opened for it"
        )
        world.lock()
        #expect(refusal(ask(&world)) == "the screen is locked")
        world.unlock()
        world.send(.screenRemoved)
        #expect(refusal(ask(&world)) == "there is no screen")
        #expect(world.finish() == [])
    }
}
