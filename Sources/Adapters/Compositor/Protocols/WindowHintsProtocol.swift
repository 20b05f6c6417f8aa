import CWlroots
import Geometry
import WaylandServer
import Windows

/// mullion-windows: what apps declare about their windows (W-12 to W-16, M-03, M-10). The core decides what follows.
final class WindowHintsProtocol: ResourceOwner {
    fileprivate typealias Toplevel = UnsafeMutablePointer<wlr_xdg_toplevel>

    private var global: Global?
    fileprivate unowned let compositor: Compositor
    private(set) var hints: [UnsafeMutablePointer<wlr_xdg_toplevel>: WindowHints] = [:]
    fileprivate var objects: [Toplevel: HintedWindow] = [:]

    init?(_ context: Protocols.Context, _ compositor: Compositor) {
        self.compositor = compositor
        global = Global(context.display, mw_interface_mullion_window_manager_v1(), version: 1, Self.requests, owner: self)
        guard global != nil else { return nil }
    }

    private static let requests = Requests(mullion_window_manager_v1_requests(
        destroy: destroyResource,
        get_window: { client, manager, id, toplevel in
            owner(of: manager, as: WindowHintsProtocol.self).make(client, manager, id, toplevel)
        }))

    private func make(_ client: WaylandClient?, _ manager: WaylandResource?, _ id: UInt32, _ resource: WaylandResource?) {
        let toplevel = mw_xdg_toplevel_of(resource)
        guard toplevel.flatMap({ objects[$0] }) == nil else {
            return mw_post_error(
                manager, MULLION_WINDOW_MANAGER_V1_ERROR_ALREADY_CONSTRUCTED.rawValue, "the toplevel has a mullion_window_v1 already")
        }
        let window = HintedWindow(self, toplevel)
        let made = makeResource(
            client, mw_interface_mullion_window_v1(), version: wl_resource_get_version(manager), id: id, HintedWindow.requests,
            owner: window)
        window.resource = made
        if made != nil, let toplevel { objects[toplevel] = window }
    }

    fileprivate func set(_ toplevel: Toplevel, _ new: WindowHints?) {
        guard hints[toplevel] != new else { return }
        hints[toplevel] = new
        compositor.reportFacts(of: toplevel)
    }

    fileprivate func forget(_ toplevel: Toplevel) {
        objects[toplevel] = nil
        hints[toplevel] = nil
    }

    func answer(_ window: OpaquePointer, _ choice: WindowHints.UnsavedChoice) {
        var info = mw_window_info()
        mw_window_fill_info(window, &info)
        guard let resource = info.toplevel.flatMap({ objects[$0]?.resource }) else { return }
        let number: UInt32 =
            switch choice {
            case .discard: UInt32(MULLION_WINDOW_V1_CHOICE_DISCARD.rawValue)
            case .save: UInt32(MULLION_WINDOW_V1_CHOICE_SAVE.rawValue)
            case .cancel: UInt32(MULLION_WINDOW_V1_CHOICE_CANCEL.rawValue)
            }
        mullion_window_v1_send_answered(resource, number)
    }
}

/// A client's mullion_window_v1. Inert once its window is gone.
private final class HintedWindow: ResourceOwner {
    static let requests = Requests(mullion_window_v1_requests(
        destroy: destroyResource,
        set_style: { _, resource, style, occasion in owner(of: resource, as: HintedWindow.self).setStyle(style, occasion) },
        set_role: { _, resource, role in owner(of: resource, as: HintedWindow.self).setRole(role) },
        set_at_top: { _, resource, flag in owner(of: resource, as: HintedWindow.self).setAtTop(flag) },
        set_unsaved: { _, resource, title, message, discard, save, cancel in
            owner(of: resource, as: HintedWindow.self).setUnsaved(title, message, discard, save, cancel)
        },
        unset_unsaved: { _, resource in owner(of: resource, as: HintedWindow.self).change { $0.unsaved = nil } },
        set_modal: { _, resource, presentation in owner(of: resource, as: HintedWindow.self).setModal(presentation) },
        set_anchor: { _, resource, x, y, width, height in owner(of: resource, as: HintedWindow.self).setAnchor(x, y, width, height) }))

    private unowned let all: WindowHintsProtocol
    var resource: WaylandResource?
    private var toplevel: WindowHintsProtocol.Toplevel?
    private var gone: Listener?

    init(_ all: WindowHintsProtocol, _ toplevel: WindowHintsProtocol.Toplevel?) {
        self.all = all
        self.toplevel = toplevel
        guard let toplevel else { return }
        gone = Listener(mw_xdg_destroy_signal(toplevel)) { [unowned self] _ in
            gone = nil
            self.toplevel = nil
            all.forget(toplevel)
        }
    }

    func resourceDestroyed() {
        resource = nil
        gone = nil
        guard let toplevel else { return }
        self.toplevel = nil
        all.set(toplevel, nil)
        all.forget(toplevel)
    }

    private func change(_ body: (inout WindowHints) -> Void) {
        guard let toplevel else { return }
        var hints = all.hints[toplevel] ?? WindowHints()
        body(&hints)
        all.set(toplevel, hints)
    }

    private func refuse(_ error: mullion_window_v1_error, _ text: String) { mw_post_error(resource, error.rawValue, text) }

    private func setStyle(_ style: UInt32, _ occasion: UInt32) {
        let styles = WindowHints.Style.allCases, occasions = WindowHints.Occasion.allCases
        guard style < styles.count else { return refuse(MULLION_WINDOW_V1_ERROR_INVALID_STYLE, "there is no style \(style): they go from 0 to \(styles.count - 1)") }
        guard occasion < occasions.count else {
            return refuse(MULLION_WINDOW_V1_ERROR_INVALID_OCCASION, "there is no occasion \(occasion): they go from 0 to \(occasions.count - 1)")
        }
        if let toplevel, let window = mw_xdg_window(toplevel.pointee.base) {
            var sight = mw_window_sight()
            mw_window_get_sight(window, &sight)
            guard !sight.mapped else { return refuse(MULLION_WINDOW_V1_ERROR_TOO_LATE, "the window was shown already: set_style comes before its first buffer") }
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
        let most = Int32(UInt16.max)
        guard width > 0, height > 0, width <= most, height <= most, (-most...most).contains(x), (-most...most).contains(y) else {
            return refuse(
                MULLION_WINDOW_V1_ERROR_INVALID_ANCHOR,
                "the anchor \(x), \(y), \(width), \(height) needs a width and a height from 1 to \(most), and a corner from -\(most) to \(most)")
        }
        change { $0.anchor = Rect(Double(x), Double(y), Double(width), Double(height)) }
    }

    private func setAtTop(_ flag: UInt32) {
        guard flag < 2 else { return refuse(MULLION_WINDOW_V1_ERROR_INVALID_FLAG, "at_top is \(flag), and must be 0 or 1") }
        change { $0.isAtTop = flag == 1 }
    }

    private func setUnsaved(
        _ title: UnsafePointer<CChar>?, _ message: UnsafePointer<CChar>?, _ discard: UnsafePointer<CChar>?, _ save: UnsafePointer<CChar>?,
        _ cancel: UnsafePointer<CChar>?
    ) {
        guard let title = text("title", title, 256), let discard = text("discard", discard, 256), let cancel = text("cancel", cancel, 256) else { return }
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
