import CWlroots
import WaylandServer

/// xdg-decoration, and KDE's older protocol for the same, which GTK 3 uses: no title bars. "Server side" means that the
/// client draws none. The shell draws a bar only on sheets, which need a title and a way to close them (M-09, M-12).
final class Decorations {
    private typealias Decoration = UnsafeMutablePointer<wlr_xdg_toplevel_decoration_v1>
    private typealias OldDecoration = UnsafeMutablePointer<wlr_server_decoration>

    private unowned let compositor: Compositor
    private var listeners: [Listener] = []
    private var known: [Decoration: [Listener]] = [:]
    private var oldKnown: [OldDecoration: [Listener]] = [:]
    /// Surfaces whose clients draw no bar.
    private var bare: Set<UnsafeMutablePointer<wlr_surface>> = []

    /// Returns nil if out of memory.
    init?(_ server: OpaquePointer) {
        compositor = Compositor.of(server)
        let display = mw_server_display(server)
        guard let manager = wlr_xdg_decoration_manager_v1_create(display), let old = wlr_server_decoration_manager_create(display) else {
            return nil
        }
        // Without it GTK 3 draws its own title bar and shadow.
        wlr_server_decoration_manager_set_default_mode(old, WLR_SERVER_DECORATION_MANAGER_MODE_SERVER.rawValue)
        listeners = [
            Listener(manager.pointer(to: \.events.new_toplevel_decoration)!) { [unowned self] data in
                add(data!.assumingMemoryBound(to: wlr_xdg_toplevel_decoration_v1.self))
            },
            Listener(old.pointer(to: \.events.new_decoration)!) { [unowned self] data in
                addOld(data!.assumingMemoryBound(to: wlr_server_decoration.self))
            },
        ]
    }

    /// Whether the client of a window draws neither a title nor a way to close it.
    func isBare(_ toplevel: UnsafeMutablePointer<wlr_xdg_toplevel>) -> Bool { bare.contains(toplevel.pointee.base.pointee.surface) }

    private func set(_ surface: UnsafeMutablePointer<wlr_surface>, isBare: Bool) {
        guard bare.contains(surface) != isBare else { return }
        if isBare { bare.insert(surface) } else { bare.remove(surface) }
        if let toplevel = mw_xdg_toplevel_on(surface) { compositor.reportFacts(of: toplevel) }
    }

    private func add(_ decoration: Decoration) {
        #if WLR18
            let base = decoration.pointee.toplevel.pointee.base!
        #else
            let base = decoration.pointee.surface!
        #endif
        let surface = base.pointee.surface!
        var listeners = [
            Listener(decoration.pointer(to: \.events.destroy)!) { [unowned self] _ in
                known[decoration] = nil
                bare.remove(surface)
            },
            Listener(decoration.pointer(to: \.events.request_mode)!) { [unowned self] _ in decide(decoration) },
        ]
        #if WLR18
            listeners.append(
                Listener(surface.pointer(to: \.events.commit)!) { [unowned self] _ in
                    if base.pointee.initial_commit { decide(decoration) }
                })
        #endif
        known[decoration] = listeners
        listeners = []
        decide(decoration)
        set(surface, isBare: true)
    }

    private func decide(_ decoration: Decoration) {
        #if WLR18
            // The mode is decided at the initial commit.
            guard decoration.pointee.toplevel.pointee.base.pointee.initialized else { return }
        #endif
        wlr_xdg_toplevel_decoration_v1_set_mode(decoration, WLR_XDG_TOPLEVEL_DECORATION_V1_MODE_SERVER_SIDE)
    }

    private func addOld(_ decoration: OldDecoration) {
        let surface = decoration.pointee.surface!
        oldKnown[decoration] = [
            Listener(decoration.pointer(to: \.events.destroy)!) { [unowned self] _ in
                oldKnown[decoration] = nil
                bare.remove(surface)
            },
            Listener(decoration.pointer(to: \.events.mode)!) { [unowned self] _ in decide(old: decoration) },
        ]
        decide(old: decoration)
    }

    private func decide(old decoration: OldDecoration) {
        set(decoration.pointee.surface, isBare: decoration.pointee.mode == WLR_SERVER_DECORATION_MANAGER_MODE_SERVER.rawValue)
    }
}
