import CWlroots
import WaylandServer

/// xdg-dialog: a window declares itself a dialog, and modal to its parent or not.
final class Dialogs: ResourceOwner {
    fileprivate typealias Toplevel = UnsafeMutablePointer<wlr_xdg_toplevel>

    private var global: Global?
    fileprivate var dialogs: [Toplevel: Dialog] = [:]

    init?(_ context: Protocols.Context) {
        global = Global(context.display, mw_interface_xdg_wm_dialog_v1(), version: 1, Dialogs.requests, owner: self)
        guard global != nil else { return nil }
    }

    /// Whether the dialog blocks its parent, in whichever protocol its client speaks. nil: the client cannot say.
    func isModal(_ toplevel: UnsafeMutablePointer<wlr_xdg_toplevel>) -> Bool? {
        if foreign.contains(toplevel) || dialogs[toplevel]?.isModal == true { return true }
        let gtk = gtkModality[toplevel.pointee.base.pointee.surface]
        return gtk ?? dialogs[toplevel].map(\.isModal)
    }

    /// Windows whose parent is another client's.
    private var foreign: Set<Toplevel> = []
    /// The modality that GTK reports through its own protocol, by surface.
    private var gtkModality: [UnsafeMutablePointer<wlr_surface>: Bool] = [:]

    func setForeign(_ toplevel: UnsafeMutablePointer<wlr_xdg_toplevel>, _ isForeign: Bool) {
        if isForeign { foreign.insert(toplevel) } else { foreign.remove(toplevel) }
    }

    /// nil: GTK's object is gone.
    func gtkSays(_ surface: UnsafeMutablePointer<wlr_surface>, isModal: Bool?) {
        guard gtkModality[surface] != isModal else { return }
        gtkModality[surface] = isModal
        guard let toplevel = mw_xdg_toplevel_on(surface), let window = mw_xdg_window(toplevel.pointee.base) else { return }
        mw_window_report_renamed(window)
    }

    private static let requests = Requests(
        xdg_wm_dialog_v1_requests(
            destroy: destroyResource,
            get_xdg_dialog: { client, manager, id, toplevel in
                owner(of: manager, as: Dialogs.self).make(client, manager, id, toplevel)
            }))

    private func make(_ client: WaylandClient?, _ manager: WaylandResource?, _ id: UInt32, _ resource: WaylandResource?) {
        let toplevel = mw_xdg_toplevel_of(resource)
        guard toplevel.flatMap({ dialogs[$0] }) == nil else {
            return mw_post_error(manager, XDG_WM_DIALOG_V1_ERROR_ALREADY_USED.rawValue, "the window is a dialog already")
        }
        let dialog = Dialog(self, toplevel)
        let made = makeResource(
            client, mw_interface_xdg_dialog_v1(), version: wl_resource_get_version(manager), id: id, Dialog.requests,
            owner: dialog)
        if made != nil, let toplevel { dialogs[toplevel] = dialog }
    }
}

/// A client's xdg_dialog_v1. Inert once its window is gone.
private final class Dialog: ResourceOwner {
    static let requests = Requests(
        xdg_dialog_v1_requests(
            destroy: destroyResource,
            set_modal: { _, resource in owner(of: resource, as: Dialog.self).set(modal: true) },
            unset_modal: { _, resource in owner(of: resource, as: Dialog.self).set(modal: false) }))

    private unowned let all: Dialogs
    private var toplevel: Dialogs.Toplevel?
    private var toplevelGone: Listener?
    private(set) var isModal = false

    init(_ all: Dialogs, _ toplevel: Dialogs.Toplevel?) {
        self.all = all
        self.toplevel = toplevel
        guard let toplevel else { return }
        toplevelGone = Listener(mw_xdg_destroy_signal(toplevel)) { [unowned self] _ in forget() }
    }

    func resourceDestroyed() {
        let was = toplevel
        forget()
        if let was { report(was) }
    }

    private func forget() {
        toplevelGone = nil
        guard let was = toplevel else { return }
        toplevel = nil
        if all.dialogs[was] === self { all.dialogs[was] = nil }
    }

    private func set(modal: Bool) {
        guard let toplevel, isModal != modal else { return }
        isModal = modal
        report(toplevel)
    }

    private func report(_ toplevel: Dialogs.Toplevel) {
        if let window = mw_xdg_window(toplevel.pointee.base) { mw_window_report_renamed(window) }
    }
}
