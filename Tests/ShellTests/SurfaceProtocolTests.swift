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

        /// A subsurface of 100 x 80 points at 200, 300, of one colour. Both ways of drawing take it.
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
                // Half transparent, its colours multiplied; the buffer is destroyed as soon as it is shown.
                try client.run("half = m.create_u32_rgba_buffer(0, 0, top // 2, top // 2)")
                try client.run("part.attach(half, 0, 0); part.damage_buffer(0, 0, 1, 1); part.commit(); half.destroy()")
                try shell.wait("the blue over the grey") {
                    try shell.picture()[250, 340].distance(to: .init(0x10108f)) <= 2
                }
                // The first is free again.
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
    }
}
