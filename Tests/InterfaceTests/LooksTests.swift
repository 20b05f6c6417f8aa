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

    @Test(
        "S-02: with larger text no header of the app switcher reaches over another one", arguments: [1.0, 1.5, 2],
        [Size(1180, 820), Size(820, 1180)])
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

    @Test("W-08: a menu names a new window once")
    func newWindowOnce() {
        var world = world(["editor"])
        world.act(.home)
        world.act(.appMenu(app: "editor"))
        world.rest()
        #expect(world.ids.contains("menu/new") && !world.ids.contains("menu/action/new-window"))
        #expect(world.ids.contains("menu/action/draft"))
        // Without a window, the app's own action is the only such row.
        var closed = InterfaceTests.world()
        closed.act(.appMenu(app: "editor"))
        closed.rest()
        #expect(!closed.ids.contains("menu/new") && closed.ids.contains("menu/action/new-window"))
    }

    @Test(
        "X-05: larger text cuts off nothing in the list of keys", arguments: [1.0, 1.5, 2],
        [Size(1180, 820), Size(820, 1180), Size(480, 800)])
    func keys(scale: Double, size: Size) throws {
        var world = world(["editor"], size: size, preferences: Preferences(appearance: Appearance(textScale: scale)))
        world.act(.keyHelp)
        world.rest()
        let panel = try #require(world.control("keys")).frame
        #expect(Rect(origin: .zero, size: size).contains(panel, tolerance: 0.5))
        let lines = texts(world).filter { $0.frame.intersects(panel) && ($0.tone == .primary || $0.tone == .secondary) }
        #expect(lines.count > 50)
        for line in lines {
            #expect(panel.contains(line.frame, tolerance: 0.5))
            #expect(line.size.height >= (line.style.lineHeight * scale).rounded() - 0.5, "\(line.text)")
            #expect(abs(line.size.width / line.frame.width - line.size.height / line.frame.height) < 0.01, "\(line.text)")
            // Caps hold their own words.
            if case .verbatim(let keys) = line.text {
                #expect(
                    line.size.width >= min(Text.width(of: keys) * 0.9, Double(keys.count) * 0.55) * line.style.size * scale, "\(line.text)")
                continue
            }
            if line.text == .message(.keySpace) {
                #expect(line.size.width >= 4 * line.style.size * scale, "\(line.text)")
                continue
            }
            // The meanings of long chords are short.
            if line.tone == .primary, line.style != .headline, line.style != .title {
                #expect(line.size.width >= 12 * line.style.size * scale * 0.9, "\(line.text)")
            }
        }
    }

    @Test("a shadow lifts a panel off a white app without a dark rim", arguments: GlassTests.places.map(\.view))
    func shadows(view: String) throws {
        let it = try #require(GlassTests.places.first { $0.view == view })
        var world = world(["editor"])
        for action in it.actions {
            world.act(action)
            world.rest()
        }
        let frame = try #require(world.controls.last { $0.id.rawValue == it.panel }).frame
        for item in items(world) where item.frame == frame {
            if case .shadow = item.kind { #expect(item.opacity <= 0.16) }
        }
    }
}
