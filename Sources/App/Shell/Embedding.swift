import Compositor
import Control
import Geometry
import Multitasking
import Windows

/// The shell inside another program's process, which is how the conformance tests run it.
extension Shell {
    /// The `wl_display`, for connections that come by another way than the socket.
    package var display: OpaquePointer { compositor.display }

    /// Until the shell ends, `body` is called whenever the descriptor can be read.
    package func watch(fd: Int32, _ body: @escaping () -> Void) {
        watch(fd, body)
    }

    package func end() { quit() }

    /// As if a device had sent it just now.
    package func inject(_ step: InputStep) { inject(step, at: Compositor.now()) }

    package func movePointer(by distance: Vector) { compositor.injectPointer(by: distance, Compositor.now()) }

    /// Puts the free window that this `wlr_surface` is of (W-25).
    package func place(surface: OpaquePointer, at origin: Point) {
        guard let id = compositor.window(of: surface) else { return }
        receive(.windowPlaced(id, at: origin))
    }
}
