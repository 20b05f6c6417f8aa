import CWlroots
import Geometry
import Seat
import WaylandServer

/// pointer-constraints-v1: an app holds the pointer in place (games) or inside a region (drawing, virtual machines).
///
/// A constraint is active while its surface has the pointer, its window has the keyboard, and there is no drag. It
/// activates only while the pointer is inside its region. It breaks when the app loses the pointer or the keyboard,
/// for example to the app switcher, another window, a panel, or a finger on another app. A persistent one activates
/// again when both return.
final class PointerConstraints {
    private typealias Raw = UnsafeMutablePointer<wlr_pointer_constraint_v1>

    private let context: Protocols.Context
    private let seat: UnsafeMutablePointer<wlr_seat>
    private var newConstraint: Listener?
    /// Newest first.
    private var all: [Constraint] = []
    /// The active constraint.
    private var active: Constraint?
    /// Warps the pointer after the turn, because a client's request may be in progress.
    private var later: AfterTurn?
    private var warpsTo = Point(0, 0)

    init?(_ context: Protocols.Context) {
        guard let seat = InputRouting.of(server: context.server)?.wlr, let manager = wlr_pointer_constraints_v1_create(context.display)
        else {
            return nil
        }
        self.context = context
        self.seat = seat
        later = AfterTurn(context.loop) { [unowned self] in InputRouting.of(server: context.server)?.warp(to: Point(warpsTo.x, warpsTo.y)) }
        newConstraint = Listener(manager.pointer(to: \.events.new_constraint)!) { [unowned self] data in
            let constraint = Constraint(data!.assumingMemoryBound(to: wlr_pointer_constraint_v1.self))
            all.insert(constraint, at: 0)
            constraint.listeners = [
                Listener(constraint.raw.pointer(to: \.events.destroy)!) { [unowned self, unowned constraint] _ in end(constraint) },
                Listener(constraint.raw.pointer(to: \.events.set_region)!) { [unowned self, unowned constraint] _ in
                    regionSet(constraint)
                },
            ]
            check()
        }
    }

    // MARK: Geometry

    /// Confines a point of the screen that the pointer is about to move to.
    /// - Returns: nil if the pointer does not move at all.
    func goal(_ x: Double, _ y: Double) -> Point? {
        guard let active else { return Point(x, y) }
        if active.isLock { return nil }
        guard let map = map(active) else { return Point(x, y) }
        return active.region.goal(from: pointer, to: map.toSurface(Point(x, y))).map(map.toScreen)
    }

    /// The pointer's position on the focused surface.
    private var pointer: Point { Point(seat.pointee.pointer_state.sx, seat.pointee.pointer_state.sy) }

    /// nil if the surface is not visible.
    private func map(_ constraint: Constraint) -> Map? {
        var box = wlr_fbox()
        guard mw_surface_seen(context.server, constraint.surface, &box) else { return nil }
        let size = constraint.size
        return Map(origin: Point(box.x, box.y), kx: size.width / box.width, ky: size.height / box.height)
    }

    private func warp(_ constraint: Constraint, to point: Point) {
        let size = constraint.size
        guard point.x >= 0, point.y >= 0, point.x < size.width, point.y < size.height, let map = map(constraint) else { return }
        warpsTo = map.toScreen(point)
        later?.ask()
    }

    /// Maps points of the screen to the surface and back, as last drawn.
    private struct Map {
        let origin: Point
        let kx, ky: Double

        func toSurface(_ p: Point) -> Point { Point((p.x - origin.x) * kx, (p.y - origin.y) * ky) }
        func toScreen(_ p: Point) -> Point { Point(origin.x + p.x / kx, origin.y + p.y / ky) }
    }

    // MARK: Activation

    /// Activates or breaks constraints after a change of the focus, a drag, or the pointer's position.
    func check() {
        guard !all.isEmpty, !context.isEnding else { return }
        if let was = active, !mayHold(was.surface) {
            active = nil
            wlr_pointer_constraint_v1_send_deactivated(was.raw) // may destroy it
        }
        guard active == nil, let focused = seat.pointee.pointer_state.focused_surface else { return }
        let here = pointer
        guard let next = all.first(where: { $0.surface == focused && mayHold(focused) && $0.region.contains(here) }) else { return }
        active = next
        wlr_pointer_constraint_v1_send_activated(next.raw)
    }

    private func mayHold(_ surface: Surface) -> Bool {
        guard InputRouting.of(server: context.server)?.drag?.raw == nil, seat.pointee.pointer_state.focused_surface == surface,
            InputRouting.of(server: context.server)?.pointer.isOnWindow ?? false,
            let window = InputRouting.of(server: context.server)?.keyboards.window,
            let keys = seat.pointee.keyboard_state.focused_surface
        else { return false }
        return mw_window_of_surface(context.server, surface) == window && mw_window_of_surface(context.server, keys) == window
    }

    // MARK: Life cycle

    private func end(_ constraint: Constraint) {
        constraint.listeners = []
        all.removeAll { $0 === constraint }
        guard active === constraint else { return }
        active = nil
        // The app released the pointer. Move the cursor to where the app drew its own.
        let state = constraint.raw.pointer(to: \.current)!
        if state.pointee.committed & UInt32(WLR_POINTER_CONSTRAINT_V1_STATE_CURSOR_HINT.rawValue) != 0, !context.isEnding {
            warp(constraint, to: Point(state.pointee.cursor_hint.x, state.pointee.cursor_hint.y))
        }
    }

    private func regionSet(_ constraint: Constraint) {
        guard active === constraint else { return check() }
        let here = pointer, region = constraint.region
        if !constraint.isLock, !region.contains(here), let nearest = region.nearest(to: here) { warp(constraint, to: nearest) }
    }

    /// A surface's constraint.
    private final class Constraint {
        let raw: Raw
        var listeners: [Listener] = []

        init(_ raw: Raw) {
            self.raw = raw
            takeRegion()
        }

        var surface: Surface { raw.pointee.surface }
        var isLock: Bool { raw.pointee.type == WLR_POINTER_CONSTRAINT_V1_LOCKED }

        var size: Size {
            let state = surface.pointer(to: \.current)!
            return Size(Double(state.pointee.width), Double(state.pointee.height))
        }

        /// The region, clipped to the surface. An unset region is unbounded.
        var region: PointerRegion {
            let state = surface.pointer(to: \.current)!
            var region = pixman_region32_t()
            pixman_region32_init(&region)
            defer { pixman_region32_fini(&region) }
            pixman_region32_intersect_rect(
                &region, raw.pointer(to: \.region)!, 0, 0, UInt32(bitPattern: state.pointee.width),
                UInt32(bitPattern: state.pointee.height))
            var count: Int32 = 0
            let boxes = pixman_region32_rectangles(&region, &count)
            return PointerRegion(
                UnsafeBufferPointer(start: boxes, count: Int(count)).map {
                    PointerRegion.Box(Int($0.x1), Int($0.y1), Int($0.x2), Int($0.y2))
                })
        }

        /// wlroots 0.18 applies the region of a new constraint at the surface's next commit. Until then it would
        /// allow the whole surface.
        private func takeRegion() {
            #if WLR18
                let pending = raw.pointer(to: \.pending.region)!, current = raw.pointer(to: \.current.region)!
                guard pixman_region32_not_empty(pending) != 0 else { return }
                pixman_region32_copy(current, pending)
                pixman_region32_intersect(raw.pointer(to: \.region)!, surface.pointer(to: \.input_region)!, current)
            #endif
        }
    }
}
