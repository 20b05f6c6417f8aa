import Chrome
import Control
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// single-pixel-buffer-v1 and presentation-time.
    @Suite(.serialized) struct SurfaceProtocolTests {
        private let still = "launch = []\nreduced-motion = true\n"

        /// A subsurface of 100 x 80 points at 200, 300, of one colour. Tested with both ways of drawing.
        @Test(arguments: ["auto", "wlr"]) func aSinglePixelFillsASurface(draw: String) throws {
            try ShellUnderTest.with(config: still, options: ["--draw", draw]) { shell in
                let client = try TestClient(shell, ["--colour", "202020"])
                try client.run("m = bind('wp_single_pixel_buffer_manager_v1'); top = 0xffffffff")
                try client.run("part = new_surface(); sub = bind('wl_subcompositor').get_subsurface(part, surface)")
                try client.run("sub.set_position(200, 300); sub.set_desync(); view = bind('wp_viewporter').get_viewport(part)")
                try client.run("view.set_destination(100, 80); red = m.create_u32_rgba_buffer(top, 0, 0, top)")
                try client.run("part.attach(red, 0, 0); part.damage_buffer(0, 0, 1, 1); part.commit(); surface.commit()")
                let place = Rect(200, 300, 100, 80)
                try shell.wait("the red rectangle") { try shell.picture().singleColour(in: place) == .init(0xff0000) }
                let picture = try shell.picture()
                #expect(picture[199, 340] == .init(0x202020) && picture[300, 340] == .init(0x202020))
                // Translucent with premultiplied colours; the buffer is destroyed as soon as it is shown.
                try client.run("half = m.create_u32_rgba_buffer(0, 0, top // 2, top // 2)")
                try client.run("part.attach(half, 0, 0); part.damage_buffer(0, 0, 1, 1); part.commit(); half.destroy()")
                try shell.wait("the blue over the grey") {
                    try shell.picture()[250, 340].distance(to: .init(0x10108f)) <= 2
                }
                // The first one is released.
                try client.run("app.log('client', 'red', [repr(red)])")
                let red = try client.waitFor("client.red").a[0]?.string
                try client.waitFor("wl_buffer.release") { $0.o == red }
                // The manager may go; so may the surface under its buffer.
                try client.run("m.destroy(); sub.destroy(); part.destroy(); red.destroy(); surface.commit()")
                try shell.wait("nothing of it") { try shell.picture()[250, 340] == .init(0x202020) }
                client.signal(9)
                try shell.client.waitUntilGone(client.id)
            }
        }

        // MARK: presentation-time

        private func ask(_ client: TestClient, damage: Bool = true) throws {
            try client.run("bind('wp_presentation').feedback(surface)")
            if damage { try client.run("surface.attach(window.buffer, 0, 0); surface.damage_buffer(0, 0, 8, 8)") }
            try client.run("surface.commit()")
        }

        private func answers(_ client: TestClient, since mark: Int) throws -> [String] {
            _ = try client.mark()
            return try client.events(since: mark, "wp_presentation_feedback.presented", "wp_presentation_feedback.discarded").map(\.e)
        }

        /// Even if it asked without drawing anything new.
        @Test func whatIsSeenIsAnsweredWithItsTime() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                var last = 0.0, sequence: Int64 = 0
                for damage in [true, true, false, true, false] {
                    let mark = try client.mark()
                    try ask(client, damage: damage)
                    let event = try client.waitFor("wp_presentation_feedback.presented", since: mark)
                    let a = try (0..<7).map { try #require(event.a[$0]?.integer) }
                    let time = Double(a[1]) + Double(a[2]) / 1e9
                    #expect(a[3] == 16_666_666, "the refresh of 60 Hz in nanoseconds")
                    #expect(a[6] == 1, "at a refresh, composited")
                    #expect(time > last && time <= event.t + 0.001 && time > event.t - 2, "\(time), seen at \(event.t)")
                    #expect(a[5] > sequence)
                    (last, sequence) = (time, a[5])
                }
            }
        }

        @Test func whatIsHiddenIsAnsweredWhenItIsSeenOrReplaced() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                _ = try TestClient(shell)
                let mark = try client.mark()
                try ask(client)
                #expect(try answers(client, since: mark) == [])
                try ask(client)
                try shell.wait("the first to be thrown away") { try answers(client, since: mark) == ["discarded"] }
                // When activated it would redraw, perhaps before this is shown.
                try client.run("app.hangs = True")
                try shell.perform(.focus(window: client.id))
                try shell.wait("the second") { try answers(client, since: mark) == ["discarded", "presented"] }
                try client.run("app.hangs = False")
                // Surfaces and clients may be destroyed before their feedback.
                try client.run("s = new_surface(); bind('wp_presentation').feedback(s); s.commit(); s.destroy()")
                try shell.wait("the third") { try answers(client, since: mark).count == 3 }
                try ask(client)
                client.signal(9)
                try shell.client.waitUntilGone(client.id)
                shell.expectAlive()
            }
        }

        @Test func westonsOwnTest() throws {
            try ShellUnderTest.with(config: still) { shell in
                try shell.open("weston-presentation-shm", of: "weston", ["-f"])
                try shell.wait("its figures") { shell.programLog.split(separator: "\n").count > 30 }
                #expect(!shell.programLog.contains("discarded"), "every frame of it is seen")
            }
        }
    }
}
