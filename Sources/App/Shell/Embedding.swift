import Compositor
import Control
import Geometry
import Multitasking
import Windows

/// The shell inside another program's process. The conformance tests run it like this.
extension Shell {
    /// The `wl_display`, for connections that do not use the socket.
    package var display: OpaquePointer { compositor.display }

    /// Calls `body` whenever the descriptor is readable, until the shell ends.
    package func watch(fd: Int32, _ body: @escaping () -> Void) {
        watch(fd, body)
    }

    package func end() { quit() }

    /// Injects an input step at the current time.
    package func inject(_ step: InputStep) { inject(step, at: Compositor.now()) }

    package func movePointer(by distance: Vector) { compositor.injectPointer(by: distance, Compositor.now()) }

    /// Moves the free window of this `wlr_surface` (W-25).
    package func place(surface: OpaquePointer, at origin: Point) {
        guard let id = compositor.window(of: surface) else { return }
        receive(.windowPlaced(id, at: origin))
    }
}
