import Chrome
import Control
import Geometry
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// cursor-shape-v1, checked by a screen copy that includes the cursor.
    @Suite(.serialized) struct CursorShapeTests {
        private let still = "launch = []\nreduced-motion = true\n"

        /// The screen around a point, including the cursor.
        private func cursor(_ shell: ShellUnderTest, about point: Point) throws -> Picture {
            try ShellUnderTest.require("grim", of: "grim")
            let path = "\(shell.room)/cursor.png"
            let (status, output) = try shell.run(["grim", "-c", path])
            guard status == 0 else { throw ShellUnderTest.Failure("grim: \(output)") }
            return try PNG.read(path).cropped(to: Rect(point.x - 40, point.y - 40, 80, 80))
        }

        @Test func shapesAreShownToWhomeverHasThePointer() throws {
            try ShellUnderTest.with(config: still) { shell in
                let other = try TestClient(shell, ["--colour", "202020"])
                let client = try TestClient(shell, ["--colour", "202020"], to: .splitView(.right))
                let here = Point(900, 400), there = Point(200, 400)
                try shell.client.input(.pointerMotion(at: there))
                let arrow = try cursor(shell, about: there)
                try shell.client.input(.pointerMotion(at: here))
                let enter = try client.waitFor("wl_pointer.enter")
                let serial = try #require(enter.a[0]?.integer)
                #expect(try cursor(shell, about: here) == arrow, "it has said nothing yet")
                try client.run("d = bind('wp_cursor_shape_manager_v1').get_pointer(pointer); s = \(serial)")
                try client.run("d.set_shape(s, 9)")
                _ = try client.mark()
                let text = try cursor(shell, about: here)
                #expect(text != arrow && text.isDrawn())
                // Any shape of the protocol, then back to the arrow.
                try client.run("[d.set_shape(s, n) for n in range(1, 37)]; d.set_shape(s, 1)")
                _ = try client.mark()
                #expect(try cursor(shell, about: here) == arrow)
                // A surface replaces a shape, and a shape replaces a surface.
                try client.run("pointer.set_cursor(s, None, 0, 0)")
                _ = try client.mark()
                #expect(try !cursor(shell, about: here).isDrawn(), "hidden")
                try client.run("d.set_shape(s, 9)")
                _ = try client.mark()
                #expect(try cursor(shell, about: here) == text)
                // Serials that the client never got are ignored, and so is a client without the pointer.
                try client.run("d.set_shape(s + 100000, 1); d.set_shape(0, 1)")
                _ = try client.mark()
                try other.run("bind('wp_cursor_shape_manager_v1').get_pointer(pointer).set_shape(s if 's' in globals() else 1, 1)")
                _ = try other.mark()
                #expect(try cursor(shell, about: here) == text)
                try shell.client.input(.pointerMotion(at: there))
                #expect(try cursor(shell, about: there) == arrow)
            }
        }

        @Test(arguments: [0, 37, 0xffff_ffff] as [UInt32]) func anUnknownShapeIsAnError(shape: UInt32) throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try client.run("bind('wp_cursor_shape_manager_v1').get_pointer(pointer).set_shape(1, \(shape))")
                let error = try client.protocolError()
                #expect(error.object.hasPrefix("wp_cursor_shape_device_v1#") && error.code == 1)
                try shell.client.waitUntilGone(client.id)
            }
        }

        @Test func shapesOfTheSecondVersionNeedIt() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try client.run("m = connection.bind('wp_cursor_shape_manager_v1', 1); m.get_pointer(pointer).set_shape(1, 36)")
                #expect(try client.protocolError().code == 1)
            }
        }

        @Test func theyMayEndInAnyOrder() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try shell.client.input(.pointerMotion(at: Point(400, 400)))
                try client.waitFor("wl_pointer.enter")
                try client.run("m = bind('wp_cursor_shape_manager_v1'); d = m.get_pointer(pointer); m.destroy()")
                try client.run("pointer.release(); app.connection.roundtrip(); d.set_shape(1, 9); d.destroy()")
                _ = try client.mark()
                shell.expectAlive()
            }
        }
    }
}
