import Foundation
import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// The wallpaper of one screen (X-03, X-09).
@Suite("X-03: a wallpaper for each screen") struct ScreenWallpaperTests {
    private let desk = Hardware.Output(name: "DP-1", model: "Goldstar U27", serial: "42", width: 600, height: 340)
    private let panel = Hardware.Output(name: "eDP-1", model: "", width: 0, height: 0)

    private func world(_ preferences: Preferences = Preferences(newWindows: .always)) -> CoreWorld {
        var world = CoreWorld(preferences: preferences)
        world.send(.hardware(.output(panel)))
        world.open(1)
        world.rest()
        return world
    }

    private func show(_ output: Hardware.Output, _ world: inout CoreWorld) {
        world.send(.screenRemoved)
        world.send(.hardware(.output(output)))
        world.send(.screenChanged(Screen(size: Size(1180, 820))))
        world.rest()
    }

    private func look(_ world: CoreWorld) -> [String] {
        let appearance = world.system.preferences.appearance
        return [appearance.wallpaper, appearance.darkWallpaper]
    }

    private func set(_ key: String, _ value: String, _ world: inout CoreWorld) { world.act(.setting(key: key, value: value)) }

    private func setting(_ key: String, _ world: CoreWorld) -> Setting? { world.system.views(at: world.now)?.setting(key) }

    @Test("each screen comes with its own, others have that of all, and the adapter hears of each change")
    func change() {
        var world = world()
        set("wallpaper", "#111111", &world)
        show(desk, &world)
        #expect(setting("screen-wallpaper", world)?.title == .message(.screenWallpaper))
        set("screen-wallpaper", "on", &world)
        set("wallpaper", "#222222", &world)
        set("dark-wallpaper", "#333333", &world)
        #expect(look(world) == ["#222222", "#333333"])
        #expect(setting("wallpaper", world)?.title == .list([.message(.wallpaper), .verbatim("Goldstar U27")], ", "))
        let before = world.effects.count
        show(panel, &world)
        #expect(look(world) == ["#111111", ""])
        #expect(setting("wallpaper", world)?.title == .message(.wallpaper))
        let told = world.effects[before...].compactMap { if case .look(.appearance(let look)) = $0 { look.wallpaper } else { nil } }
        #expect(told == ["#111111"])
        // At another connector it is the same screen.
        var moved = desk
        moved.name = "HDMI-A-1"
        show(moved, &world)
        #expect(look(world) == ["#222222", "#333333"])
        // Another one of the same kind is not.
        moved.serial = "43"
        show(moved, &world)
        #expect(look(world) == ["#111111", ""])
        #expect(world.finish() == [])
    }

    @Test("the way back: the switch, a reset of the setting, and a reset of all", arguments: ["switch", "reset", "all"])
    func back(way: String) {
        var world = world()
        set("wallpaper", "#111111", &world)
        set("screen-wallpaper", "on", &world)
        #expect(look(world) == ["#111111", ""], "it begins as it was")
        set("wallpaper", "#222222", &world)
        set("dark-wallpaper", "#333333", &world)
        switch way {
        case "switch": set("screen-wallpaper", "off", &world)
        case "reset": world.act(.resetSettings(key: "screen-wallpaper"))
        default: world.act(.resetSettings())
        }
        world.rest()
        #expect(look(world) == [way == "all" ? "" : "#111111", ""])
        #expect(setting("screen-wallpaper", world)?.value == .flag(false))
        set("screen-wallpaper", "on", &world)
        #expect(look(world)[1] == "", "the dark one of before does not come back")
        #expect(world.finish() == [])
    }

    @Test("the configuration file says it for every screen, and choices of older versions hold")
    func file() throws {
        var preferences = Preferences(newWindows: .always)
        preferences.appearance.wallpaper = ""
        preferences.fixed = .wallpaper
        var world = world(preferences)
        world.send(.choices(.restored([.screenWallpaper(screen: "eDP-1", isDark: false, "#222222"), .wallpaper("#111111")])))
        #expect(look(world) == ["", ""])
        #expect(throws: (any Error).self) { try #require(setting("wallpaper", world)).action("nonsense") }
        preferences.fixed = []
        world.send(.configured(preferences))
        #expect(look(world) == ["#222222", ""])
        let old = try JSONDecoder().decode(Choice.self, from: Data(#"{"wallpaper":{"_0":"/a.png"}}"#.utf8))
        var other = self.world()
        other.send(.choices(.restored([old])))
        #expect(look(other) == ["/a.png", ""])
        #expect(world.finish() == [] && other.finish() == [])
    }

    @Test(
        "a screen is known by what it says of itself, else by its connector",
        arguments: [
            (Hardware.Output(name: "DP-1", model: "A B", serial: "9", width: 1, height: 1), "A B 9", "A B"),
            (Hardware.Output(name: "DP-1", model: "A B", width: 1, height: 1), "A B", "A B"),
            (Hardware.Output(name: "HEADLESS-1", model: "Mullion headless", width: 0, height: 0), "HEADLESS-1", "HEADLESS-1"),
            (Hardware.Output(name: "DP-1", model: "", serial: "9", width: 1, height: 1), "DP-1", "DP-1"),
        ])
    func identity(output: Hardware.Output, id: String, title: String) { #expect(output.identity == id && output.title == title) }
}
