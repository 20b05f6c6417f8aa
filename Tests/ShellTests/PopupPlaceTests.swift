import Control
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Where popups open, by a client that asks for them as toolkits do. `PopupPlacementTests` has the rules.
    @Suite(.serialized) struct PopupPlaceTests {
        /// Opens a menu of entries of 32 points, 200 points wide, which draws itself as large as the shell says, and waits for it.
        /// Returns its place in the window geometry of its parent: the window, or the last menu.
        private func open(
            _ client: TestClient, entries: Int, at anchor: Rect, anchor edge: Int = 6, gravity: Int = 8, _ adjustments: Int,
            nested: Bool = false
        ) throws -> Rect {
            let before = try client.events(since: 0, "xdg_popup.configure").count
            let a = [anchor.x, anchor.y, anchor.width, anchor.height].map { String(Int(clamping: $0)) }.joined(separator: ", ")
            if !nested { try client.run("up = window.xdg") }
            try client.run("p = app.shell.create_positioner(); p.set_size(200, \(entries * 32)); p.set_anchor_rect(\(a))")
            try client.run("p.set_anchor(\(edge)); p.set_gravity(\(gravity)); p.set_constraint_adjustment(\(adjustments)); said = {}")
            try client.run("s = new_surface(); x = app.shell.get_xdg_surface(s); q = x.get_popup(up, p); up = x; menus.append((q, x, s))")
            try client.run("q.on('configure', lambda x, y, w, h, said=said: said.update(size=(w, h)))")
            try client.run(
                "paint = lambda s=s, said=said: (s.attach(app.painter.buffer(*said['size'], 0xff0000, 0xff0000), 0, 0), s.damage_buffer(0, 0, 9999, 9999), s.commit())"
            )
            try client.run("x.on('configure', lambda n, x=x, paint=paint: (x.ack_configure(n), paint())); s.commit()")
            try client.shell.wait("the place of the menu") { try client.events(since: 0, "xdg_popup.configure").count > before }
            let n = try client.events(since: 0, "xdg_popup.configure").last?.a.array?.compactMap(\.integer) ?? []
            try #require(n.count == 4)
            return Rect(Double(n[0]), Double(n[1]), Double(n[2]), Double(n[3]))
        }

        private func closeAll(_ client: TestClient) throws {
            try client.run("[each.destroy() for menu in reversed(menus) for each in menu]; menus.clear()")
        }

        @Test func menusFitTheirRoomInFullSplitViewAndSlideOver() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\n") { shell in
                let other = try TestClient(shell, ["--colour", "204080"]), client = try TestClient(shell, ["--colour", "208040"])
                try client.run("menus = []")
                let middle = Rect(500, 400, 100, 30)
                // The shell draws its grip and its home bar above everything, at the top and at the bottom.
                func isSeen(_ rect: Rect) throws {
                    let inside = rect.inset(by: Insets(24, 2, 24, 2))
                    try shell.wait("the menu at \(rect)") { try shell.picture().singleColour(in: inside) == .init(0xff0000) }
                }

                // 20 entries in the middle: 640 points do not fit below the anchor. The menu shrinks, and nothing of it is outside.
                let shrunk = try open(client, entries: 20, at: middle, 32)
                #expect(shrunk == Rect(500, 430, 200, 390))
                try isSeen(shrunk)
                // A submenu of 200 entries beside it, in the coordinates of its parent: flipped to the left, and as high as the screen.
                let nested = try open(client, entries: 200, at: Rect(0, 40, 200, 32), anchor: 7, gravity: 8, 63, nested: true)
                #expect(nested == Rect(200, -430, 200, 820))
                try isSeen(nested.offset(by: Vector(500, 430)))
                let flipped = try open(client, entries: 3, at: Rect(0, 40, 500, 32), anchor: 7, gravity: 8, 63, nested: true)
                #expect(flipped == Rect(-200, 40, 200, 96))
                try closeAll(client)

                try shell.perform(.splitView(window: client.id, side: .left))
                try shell.expectPlaces([client.id: .splitLeft, other.id: .splitRight])
                let inHalf = try open(client, entries: 30, at: Rect(500, 700, 60, 30), 63)
                #expect(inHalf == Rect(500, 0, 200, 820), "a menu may lie over the other window, but not past the screen")
                try isSeen(inHalf)
                try closeAll(client)

                try shell.perform(.slideOver(window: client.id))
                try shell.expectPlaces([client.id: .slideOver])
                let over = try #require(try client.report.frame), long = try open(client, entries: 200, at: Rect(250, 300, 60, 30), 63)
                #expect(long.offset(by: Vector(over.x, over.y)) == Rect(905, 0, 200, 820), "flipped at its anchor")
                shell.expectAlive()
            }
        }

        /// How a window comes to lie so that its popup is out of sight.
        enum Change: CaseIterable {
            case resize, rotate, slideOver, desktop

            func make(_ shell: ShellUnderTest, _ window: WindowID) throws {
                switch self {
                case .resize: try shell.perform(.resizeScreen(size: Size(600, 500)))
                case .rotate: try shell.perform(.rotate(1))
                case .slideOver: try shell.perform(.slideOver(window: window))
                case .desktop: try shell.perform(.idiom("mac"))
                }
            }
        }

        /// It kept the keys where nobody saw it. It goes, with what stands in it, even if its client never destroys it. One in sight stays.
        @Test(arguments: Change.allCases, [false, true]) func aPopupThatGoesOutOfSightIsDismissed_P02_P04(change: Change, grabs: Bool)
            throws
        {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\n") { shell in
                _ = try TestClient(shell)
                let client = try TestClient(shell)
                try shell.tap(Point(500, 400))
                try client.run("window.keeps_popups = True")
                if !grabs { try client.run("window.open_popup(None, 20, 20)") }
                try client.run("window.open_popup(\(grabs ? "app.press" : "None"), 1000, 700)")
                try client.waitFor("xdg_popup.configure") { $0.a[0]?.integer ?? 0 > 900 }
                try shell.settle()
                let mark = try client.mark()
                if grabs { #expect(try client.events(since: 0, "wl_keyboard.enter").count == 2, "the popup has the keys") }
                try change.make(shell, client.id)
                try client.waitFor("xdg_popup.popup_done", since: mark)
                try shell.settle()
                _ = try client.mark()
                #expect(try client.events(since: 0, "xdg_popup.popup_done").count == 1)
                if grabs {
                    #expect(
                        try client.events(since: 0, "wl_keyboard.enter").last?.a[1]
                            == client.events(since: 0, "wl_keyboard.enter").first?.a[1])
                }
                shell.expectAlive()
            }
        }
    }
}
