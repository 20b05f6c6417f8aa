import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// What a card of the app switcher shows (S-02).
@Suite("S-02: every card has a picture and a name that can be read")
struct CardTests {
    private func world(_ idiom: String, size: Size, count: UInt32 = 3, natural: Size = Size(320, 240)) -> CoreWorld {
        var world = CoreWorld(size: size)
        world.send(.idiomsKnown(Idiom.all))
        world.act(.idiom(idiom))
        for number in 1...count {
            world.create(number, WindowFacts(appID: "app\(number)", title: "A", client: UInt64(number), isBare: true))
            world.setNatural(natural, of: WindowID(number))
            world.send(.activationAsked(WindowID(number), hasRecentSerial: true, launch: nil))
            world.map(number)
        }
        world.rest()
        return world
    }

    private func pictures(_ world: CoreWorld) -> [WindowID: Item] {
        let items = world.system.items(at: world.now).filter { $0.key.part == .cardWindow }
        return Dictionary(items.compactMap { item in item.key.window.map { ($0, item) } }, uniquingKeysWith: { first, _ in first })
    }

    @Test("a window that was minimized, or put away, has its picture in its card", arguments: ["mac", "vision"])
    func putAway(_ idiom: String) {
        var world = world(idiom, size: Size(1440, 900))
        if idiom == "mac" { world.act(.minimize(window: WindowID(2))) } else { world.act(.close(window: WindowID(2))) }
        world.rest()
        #expect(world.place(WindowID(2)) == .minimized)
        world.act(.appSwitcher)
        world.rest()
        let pictures = pictures(world)
        #expect(Set(pictures.keys) == [WindowID(1), WindowID(2), WindowID(3)])
        for (id, item) in pictures { #expect(!item.frame.isEmpty && item.opacity > 0.99, "\(id)") }
        #expect(world.finish() == [])
    }

    @Test("a small window is not enlarged, and its card has the shadow and the corners of one", arguments: ["mac", "vision"])
    func small(_ idiom: String) {
        var world = world(idiom, size: Size(1440, 900))
        world.act(.appSwitcher)
        world.rest()
        for (id, item) in pictures(world) { #expect(item.frame.width <= 320 * 0.91 && item.radius > 0, "\(id)") }
        #expect(world.system.items(at: world.now).count { $0.key.part == .cardShadow } == 3 && world.finish() == [])
    }

    @Test(
        "on a watch the name of an app has the room of a close button; the card still closes",
        arguments: [("watch", Size(272, 340)), ("round-watch", Size(300, 300))])
    func narrow(_ idiom: String, _ size: Size) throws {
        var world = world(idiom, size: size, count: 2)
        world.act(.appSwitcher)
        world.rest()
        let card = try #require(world.controls.first { $0.id.rawValue.hasPrefix("switcher/space/") && $0.isChosen })
        #expect(card.close != nil && !world.controls.contains { $0.id.rawValue.hasPrefix("switcher/close/") })
        #expect(world.finish() == [])
    }
}
