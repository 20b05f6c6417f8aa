import CWlroots
import Geometry
import Multitasking
import WaylandServer
import Windows

/// mullion-windows: declarations of apps about their windows (W-12 to W-16, W-21, W-22, M-03, M-10). The core decides the consequences.
final class WindowHintsProtocol {
    private var global: Global?
    fileprivate unowned let compositor: Compositor
    private var managers: [ObjectIdentifier: Manager] = [:]
    private var capabilities: WindowCapabilities = []
    /// By surface: a toolkit may describe a window before its surface is a toplevel.
    private var hints: [Surface: WindowHints] = [:]
    fileprivate var objects: [Surface: HintedWindow] = [:]
    /// Surfaces whose pinchable items changed in this turn of the loop. A list that scrolls moves all of them.
    private var moved: [Surface] = []
    private lazy var afterTurn = AfterTurn(loop) { [unowned self] in reportMoved() }
    private let loop: OpaquePointer

    init?(_ context: Protocols.Context, _ compositor: Compositor) {
        self.compositor = compositor
        loop = context.loop
        let interface = mw_interface_mullion_window_manager_v1()
        global = Global(context.display, interface, version: 2) { [unowned self] binding in
            let manager = Manager(self)
            manager.resource = makeResource(
                binding.client, interface, version: binding.version, id: binding.id, Manager.requests, owner: manager)
            guard manager.resource != nil, binding.version >= 2 else { return }
            managers[ObjectIdentifier(manager)] = manager
            manager.tell(capabilities)
        }
        guard global != nil else { return nil }
    }

    func tell(_ new: WindowCapabilities) {
        capabilities = new
        for manager in managers.values { manager.tell(new) }
    }

    fileprivate func forget(_ manager: Manager) { managers[ObjectIdentifier(manager)] = nil }

    fileprivate func make(
        _ client: WaylandClient?, _ manager: WaylandResource?, _ id: UInt32, _ surface: Surface?, _ gone: UnsafeMutablePointer<wl_signal>?
    ) {
        guard surface.flatMap({ objects[$0] }) == nil else {
            return mw_post_error(
                manager, MULLION_WINDOW_MANAGER_V1_ERROR_ALREADY_CONSTRUCTED.rawValue, "the toplevel has a mullion_window_v1 already")
        }
        let window = HintedWindow(self, surface, gone)
        let made = makeResource(
            client, mw_interface_mullion_window_v1(), version: wl_resource_get_version(manager), id: id, HintedWindow.requests,
            owner: window)
        window.resource = made
        if made != nil, let surface { objects[surface] = window }
    }

    // MARK: Declarations

    func hints(of toplevel: UnsafeMutablePointer<wlr_xdg_toplevel>) -> WindowHints? { hints[toplevel.pointee.base.pointee.surface] }

    fileprivate func hints(of surface: Surface) -> WindowHints? { hints[surface] }

    fileprivate func set(_ surface: Surface, _ new: WindowHints?) {
        guard hints[surface] != new else { return }
        hints[surface] = new
        if let toplevel = mw_xdg_toplevel_on(surface) { compositor.reportFacts(of: toplevel) }
    }

    fileprivate func forget(_ surface: Surface) {
        objects[surface] = nil
        hints[surface] = nil
        moved.removeAll { $0 == surface }
    }

    fileprivate func itemsMoved(_ surface: Surface) {
        if !moved.contains(surface) { moved.append(surface) }
        afterTurn.ask()
    }

    private func reportMoved() {
        let surfaces = moved
        moved.removeAll()
        for surface in surfaces { reportItems(of: surface) }
    }

    fileprivate func reportItems(of surface: Surface, gone: Bool = false) {
        guard let toplevel = mw_xdg_toplevel_on(surface), let window = mw_xdg_window(toplevel.pointee.base), let id = compositor.ids[window]
        else { return }
        compositor.emit(.pinchablesChanged(id, gone ? [] : objects[surface]?.items ?? []))
    }

    /// The window of a toplevel was made, after its client had described it.
    func created(_ toplevel: UnsafeMutablePointer<wlr_xdg_toplevel>) {
        guard let surface = toplevel.pointee.base.pointee.surface, let object = objects[surface], !object.items.isEmpty else { return }
        reportItems(of: surface)
    }

    // MARK: Events

    private func object(of window: OpaquePointer) -> HintedWindow? {
        var info = mw_window_info()
        mw_window_fill_info(window, &info)
        return info.toplevel.flatMap { objects[$0.pointee.base.pointee.surface] }
    }

    func answer(_ window: OpaquePointer, _ choice: WindowHints.UnsavedChoice) {
        guard let resource = object(of: window)?.resource else { return }
        let number: UInt32 =
            switch choice {
            case .discard: UInt32(MULLION_WINDOW_V1_CHOICE_DISCARD.rawValue)
            case .save: UInt32(MULLION_WINDOW_V1_CHOICE_SAVE.rawValue)
            case .cancel: UInt32(MULLION_WINDOW_V1_CHOICE_CANCEL.rawValue)
            }
        mullion_window_v1_send_answered(resource, number)
    }

    func pinched(_ window: OpaquePointer, _ item: UInt32, _ launch: LaunchID) {
        guard let resource = object(of: window)?.resource, let token = compositor.activation?.token(for: launch.raw) else { return }
        mullion_window_v1_send_pinched(resource, item, token)
    }
}

/// A client's mullion_window_manager_v1.
private final class Manager: ResourceOwner {
    static let requests = Requests(
        mullion_window_manager_v1_requests(
            destroy: destroyResource,
            get_window: { client, resource, id, toplevelResource in
                let toplevel = mw_xdg_toplevel_of(toplevelResource)
                owner(of: resource, as: Manager.self).all.make(
                    client, resource, id, toplevel?.pointee.base.pointee.surface, toplevel.map { mw_xdg_destroy_signal($0) })
            },
            get_window_of_surface: { client, resource, id, surfaceResource in
                let surface = wlr_surface_from_resource(surfaceResource)
                owner(of: resource, as: Manager.self).all.make(client, resource, id, surface, surface?.pointer(to: \.events.destroy))
            }))

    /// Not unowned: a client's objects may outlive the shell's other parts.
    fileprivate let all: WindowHintsProtocol
    var resource: WaylandResource?

    init(_ all: WindowHintsProtocol) { self.all = all }

    func tell(_ capabilities: WindowCapabilities) {
        if let resource { mullion_window_manager_v1_send_capabilities(resource, capabilities.rawValue) }
    }

    func resourceDestroyed() {
        resource = nil
        all.forget(self)
    }
}

/// A client's mullion_window_v1. Inert once its window is gone.
fileprivate final class HintedWindow: ResourceOwner {
    static let requests = Requests(
        mullion_window_v1_requests(
            destroy: destroyResource,
            set_style: { _, resource, style, occasion in owner(of: resource, as: HintedWindow.self).setStyle(style, occasion) },
            set_role: { _, resource, role in owner(of: resource, as: HintedWindow.self).setRole(role) },
            set_at_top: { _, resource, flag in owner(of: resource, as: HintedWindow.self).setAtTop(flag) },
            set_unsaved: { _, resource, title, message, discard, save, cancel in
                owner(of: resource, as: HintedWindow.self).setUnsaved(title, message, discard, save, cancel)
            },
            unset_unsaved: { _, resource in owner(of: resource, as: HintedWindow.self).change { $0.unsaved = nil } },
            set_modal: { _, resource, presentation in owner(of: resource, as: HintedWindow.self).setModal(presentation) },
            set_anchor: { _, resource, x, y, width, height in owner(of: resource, as: HintedWindow.self).setAnchor(x, y, width, height) },
            set_pinchable: { _, resource, id, x, y, width, height in
                owner(of: resource, as: HintedWindow.self).setPinchable(id, x, y, width, height)
            },
            unset_pinchable: { _, resource, id in owner(of: resource, as: HintedWindow.self).unsetPinchable(id) }))

    private let all: WindowHintsProtocol
    var resource: WaylandResource?
    private var surface: Surface?
    private var gone: Listener?
    /// The items that a person can pinch open.
    private(set) var items: [Pinchable] = []

    /// `gone`: the end of the toplevel or the surface that it describes.
    init(_ all: WindowHintsProtocol, _ surface: Surface?, _ gone: UnsafeMutablePointer<wl_signal>?) {
        self.all = all
        self.surface = surface
        guard let surface, let gone else { return }
        self.gone = Listener(gone) { [unowned self] _ in
            self.gone = nil
            self.surface = nil
            items = []
            all.forget(surface)
        }
    }

    func resourceDestroyed() {
        resource = nil
        gone = nil
        guard let surface else { return }
        self.surface = nil
        all.set(surface, nil)
        if !items.isEmpty { all.reportItems(of: surface, gone: true) }
        all.forget(surface)
    }

    private func change(_ body: (inout WindowHints) -> Void) {
        guard let surface else { return }
        var hints = all.hints(of: surface) ?? WindowHints()
        body(&hints)
        all.set(surface, hints)
    }

    private func refuse(_ error: mullion_window_v1_error, _ text: String) { mw_post_error(resource, error.rawValue, text) }

    private func setStyle(_ style: UInt32, _ occasion: UInt32) {
        let styles = WindowHints.Style.allCases, occasions = WindowHints.Occasion.allCases
        guard style < styles.count else {
            return refuse(MULLION_WINDOW_V1_ERROR_INVALID_STYLE, "there is no style \(style): they go from 0 to \(styles.count - 1)")
        }
        guard occasion < occasions.count else {
            return refuse(
                MULLION_WINDOW_V1_ERROR_INVALID_OCCASION, "there is no occasion \(occasion): they go from 0 to \(occasions.count - 1)")
        }
        if let surface, let toplevel = mw_xdg_toplevel_on(surface), let window = mw_xdg_window(toplevel.pointee.base) {
            var sight = mw_window_sight()
            mw_window_get_sight(window, &sight)
            guard !sight.mapped else {
                return refuse(MULLION_WINDOW_V1_ERROR_TOO_LATE, "the window was shown already: set_style comes before its first buffer")
            }
        }
        change {
            $0.style = styles[Int(style)]
            $0.occasion = occasions[Int(occasion)]
        }
    }

    private func setRole(_ role: UInt32) {
        let roles = WindowHints.Role.allCases
        guard role < roles.count else { return refuse(MULLION_WINDOW_V1_ERROR_INVALID_ROLE, "there is no role \(role): 0 or 1") }
        change { $0.role = roles[Int(role)] }
    }

    private func setModal(_ presentation: UInt32) {
        let all: [WindowHints.Presentation?] = [nil, .sheet, .fullScreen, .popover, .currentContext]
        guard presentation < all.count else {
            return refuse(
                MULLION_WINDOW_V1_ERROR_INVALID_PRESENTATION,
                "there is no presentation \(presentation): 0 none, 1 sheet, 2 full_screen, 3 popover, 4 current_context")
        }
        change { $0.presentation = all[Int(presentation)] }
    }

    private func setAnchor(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32) {
        guard let anchor = rect("anchor", x, y, width, height, MULLION_WINDOW_V1_ERROR_INVALID_ANCHOR) else { return }
        change { $0.anchor = anchor }
    }

    private func setPinchable(_ id: UInt32, _ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32) {
        guard let frame = rect("pinchable \(id)", x, y, width, height, MULLION_WINDOW_V1_ERROR_INVALID_PINCHABLE) else { return }
        guard let surface else { return }
        if let index = items.firstIndex(where: { $0.id == id }) {
            guard items[index].frame != frame else { return }
            items[index].frame = frame
        } else {
            guard items.count < Pinchable.most else {
                return refuse(
                    MULLION_WINDOW_V1_ERROR_TOO_MANY_PINCHABLES,
                    "the pinchable \(id) is one too many: a window has at most \(Pinchable.most)")
            }
            items.append(Pinchable(id: id, frame: frame))
        }
        all.itemsMoved(surface)
    }

    private func unsetPinchable(_ id: UInt32) {
        guard let surface, let index = items.firstIndex(where: { $0.id == id }) else { return }
        items.remove(at: index)
        all.itemsMoved(surface)
    }

    /// A rectangle in a window; posts an error and returns nil if it is empty or too far away.
    private func rect(_ name: String, _ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32, _ error: mullion_window_v1_error) -> Rect? {
        let most = Int32(UInt16.max)
        guard width > 0, height > 0, width <= most, height <= most, (-most...most).contains(x), (-most...most).contains(y) else {
            refuse(
                error,
                "the \(name) \(x), \(y), \(width), \(height) needs a width and a height from 1 to \(most), and a corner from -\(most) to \(most)"
            )
            return nil
        }
        return Rect(Double(x), Double(y), Double(width), Double(height))
    }

    private func setAtTop(_ flag: UInt32) {
        guard flag < 2 else { return refuse(MULLION_WINDOW_V1_ERROR_INVALID_FLAG, "at_top is \(flag), and must be 0 or 1") }
        change { $0.isAtTop = flag == 1 }
    }

    private func setUnsaved(
        _ title: UnsafePointer<CChar>?, _ message: UnsafePointer<CChar>?, _ discard: UnsafePointer<CChar>?, _ save: UnsafePointer<CChar>?,
        _ cancel: UnsafePointer<CChar>?
    ) {
        guard let title = text("title", title, 256), let discard = text("discard", discard, 256), let cancel = text("cancel", cancel, 256)
        else { return }
        var unsaved = WindowHints.Unsaved(title: title, discard: discard, cancel: cancel)
        if let message {
            guard let message = text("message", message, 2048, mayBeEmpty: true) else { return }
            unsaved.message = message
        }
        if let save {
            guard let save = text("save", save, 256) else { return }
            unsaved.save = save
        }
        change { $0.unsaved = unsaved }
    }

    /// The value as text; posts an error and returns nil if it is not valid.
    private func text(_ name: String, _ raw: UnsafePointer<CChar>?, _ most: Int, mayBeEmpty: Bool = false) -> String? {
        guard let raw, let text = String(validatingCString: raw) else {
            refuse(MULLION_WINDOW_V1_ERROR_INVALID_TEXT, "\(name) is not UTF-8")
            return nil
        }
        guard text.utf8.count <= most, mayBeEmpty || !text.isEmpty else {
            refuse(MULLION_WINDOW_V1_ERROR_INVALID_TEXT, "\(name) has \(text.utf8.count) bytes: from \(mayBeEmpty ? 0 : 1) to \(most)")
            return nil
        }
        return text
    }
}
