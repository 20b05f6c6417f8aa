import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("The look of the shell's own views")
struct LooksTests {
    private func items(_ world: CoreWorld) -> [Item] { world.system.items(at: world.now) }

    private func pictures(_ world: CoreWorld, of window: WindowID) -> [Item] {
        items(world).filter { $0.kind == .window(window) && $0.opacity > 0 }
    }

    private func texts(_ world: CoreWorld) -> [(text: Text, style: TextStyle, tone: Tone, size: Size, frame: Rect)] {
        items(world).compactMap { item in
            guard case .art(.text(let text, let style, let tone, _, _), let size) = item.kind else { return nil }
            return (text, style, tone, size, item.frame)
        }
    }

    @Test("W-09: in App Exposé only the app's windows are seen, each in the shape of its place")
    func exposeOverAPair() throws {
        var world = world(["editor", "terminal", "notes"])
        world.act(.slideOver(window: three))
        world.act(.focus(window: two))
        world.act(.splitView(window: one, side: .left))
        world.rest()
        let place = try #require(world.workspace.frames()[one])
        #expect(!pictures(world, of: two).isEmpty && !pictures(world, of: three).isEmpty)
        world.act(.appExpose(app: "editor"))
        for _ in 0..<40 {
            #expect(pictures(world, of: two).isEmpty && pictures(world, of: three).isEmpty)
            #expect(!items(world).contains { $0.key.part == .dividerPill })
            world.wait(16)
        }
        world.rest()
        let card = try #require(world.cardFrame(.window(one)))
        #expect(abs(card.width / card.height - place.width / place.height) < 0.02)
        world.act(.dismiss)
        world.rest()
        #expect(!pictures(world, of: two).isEmpty && !pictures(world, of: three).isEmpty)
        #expect(world.finish() == [])
    }

    @Test("S-02: with larger text no header of the app switcher reaches over another one", arguments: [1.0, 1.5, 2], [Size(1180, 820), Size(820, 1180)])
    func headers(scale: Double, size: Size) {
        var world = world(
            ["editor", "terminal", "notes", "context", "browser", "editor", "terminal"], size: size,
            preferences: Preferences(appearance: Appearance(textScale: scale)))
        for (window, side) in [(one, Side.left), (three, .right)] {
            world.act(.focus(window: window == one ? two : four))
            world.act(.splitView(window: window, side: side))
        }
        for window in [WindowID(5), WindowID(6), WindowID(7)] { world.act(.slideOver(window: window)) }
        world.act(.appSwitcher)
        world.rest()
        let closes = world.controls.filter { $0.id.rawValue.hasPrefix("switcher/close/") }.map(\.frame)
        let headers = texts(world).filter { $0.tone == .onWallpaper || $0.tone == .onWallpaperSecondary }.map(\.frame) + closes
        #expect(closes.count == 7 && headers.count > 7)
        for (index, header) in headers.enumerated() {
            #expect(!headers.dropFirst(index + 1).contains { $0.inset(by: 0.5).intersects(header.inset(by: 0.5)) }, "\(header)")
        }
    }

    @Test("S-02: two cards stand in the middle of the screen; the third of three stands in the middle of its column")
    func middle() throws {
        var pair = world(["editor", "terminal"])
        pair.act(.appSwitcher)
        pair.rest()
        let two = try #require(pair.cardFrame(.space(pair.space(of: one))))
        #expect(abs(two.center.y - 410) <= 1)
        var world = world(["editor", "terminal", "notes"])
        world.act(.appSwitcher)
        world.rest()
        let cards = [three, InterfaceTests.two, one].compactMap { world.cardFrame(.space(world.space(of: $0))) }
        #expect(cards.count == 3 && cards[2].minX > cards[0].maxX)
        #expect(abs(cards[2].center.y - (cards[0].center.y + cards[1].center.y) / 2) <= 1)
    }
}
