import CWlroots
import Windows

/// The place of a window's menus on the session bus, as its client names it. Only its form is checked.
public struct MenuSource: Hashable, Sendable {
    public enum Form: Hashable, Sendable {
        /// GTK's form: the path of a menu bar (`org.gtk.Menus`), and those of the actions that begin with "app." and "win."
        /// (`org.gtk.Actions`); empty: there are none.
        case gtk(menuBar: String, app: String, window: String)
        /// The form of Qt and KDE: the path of a menu bar (`com.canonical.dbusmenu`).
        case dbusMenu(path: String)
    }

    /// The unique name of the connection.
    public var bus: String
    public var form: Form

    /// nil unless all parts have the form that the bus demands.
    public init?(bus: String, form: Form) {
        func isPath(_ path: String) -> Bool {
            path.utf8.count <= 255 && path.first == "/"
                && path.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f
                        || byte == 0x2f
                }
        }
        let isName =
            bus.first == ":" && (2...255).contains(bus.utf8.count)
            && bus.utf8.dropFirst().allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f || byte == 0x2e
                    || byte == 0x2d
            }
        let isWhole =
            switch form {
            case .gtk(let menuBar, let app, let window):
                isPath(menuBar) && (app.isEmpty || isPath(app)) && (window.isEmpty || isPath(window))
            case .dbusMenu(let path): isPath(path)
            }
        guard isName, isWhole else { return nil }
        self.bus = bus
        self.form = form
    }
}

/// The menus that clients name for their surfaces, before and while these are windows.
final class ExportedMenus {
    typealias Surface = UnsafeMutablePointer<wlr_surface>

    private unowned let compositor: Compositor
    private var sources: [Surface: MenuSource] = [:]

    init(_ compositor: Compositor) { self.compositor = compositor }

    func set(_ surface: Surface, _ source: MenuSource?) {
        guard sources[surface] != source else { return }
        sources[surface] = source
        guard let toplevel = mw_xdg_toplevel_on(surface), let window = mw_xdg_window(toplevel.pointee.base), let id = compositor.ids[window]
        else { return }
        compositor.onMenuSource(id, source)
    }

    /// The window of a toplevel was made, after its client had described it.
    func created(_ toplevel: UnsafeMutablePointer<wlr_xdg_toplevel>) {
        guard let surface = toplevel.pointee.base.pointee.surface, let source = sources[surface] else { return }
        set(surface, nil)
        set(surface, source)
    }
}
