import CToolkit
import Glibc
import MullionKit

extension App {
    /// GTK's `wl_display`, for MullionKit; nil where GTK runs on something else.
    public static var waylandDisplay: OpaquePointer? { OpaquePointer(ct_display()) }
}

/// GTK's windows as MullionKit needs them.
extension Window: ToolkitWindow {
    public var waylandSurface: OpaquePointer? { OpaquePointer(ct_window_surface(raw)) }

    public func show(token: String?) { ct_window_present(raw, token) }

    public func setParent(_ parent: any ToolkitWindow) { if let parent = parent as? Window { ct_window_set_parent(raw, parent.raw) } }

    /// Puts the content into the window, without showing it.
    public func fill(_ content: Widget) { ct_window_fill(raw, content.raw) }

    /// Called when the window is about to close, whoever closes it.
    public func onClose(_ body: @escaping () -> Void) { ct_window_on_close(raw, callVoid, Held<Void>(body).pointer()) }

    public func close() { ct_window_close(raw) }

    /// Called when content may have moved.
    public func onLayout(_ body: @escaping () -> Void) { ct_window_on_layout(raw, callVoid, Held<Void>(body).pointer()) }

    /// Where a widget lies in the window; nil if it is not seen.
    public func bounds(of widget: Widget) -> ModalPresentation.Anchor? {
        var out: [Int32] = [0, 0, 0, 0]
        guard ct_bounds(widget.raw, raw, &out) else { return nil }
        return .init(x: out[0], y: out[1], width: out[2], height: out[3])
    }
}

extension Widget {
    /// A menu of one entry, by a long press or the secondary button. `title`: its text at the moment.
    @discardableResult
    public func menu(_ title: @escaping () -> String, _ chosen: @escaping () -> Void) -> Self {
        let text = Unmanaged.passRetained(Titled(title)).toOpaque()
        ct_menu(
            raw, { strdup(Unmanaged<Titled>.fromOpaque($0!).takeUnretainedValue().body()) }, text, callVoid, Held<Void>(chosen).pointer())
        return self
    }

    private final class Titled {
        let body: () -> String

        init(_ body: @escaping () -> String) { self.body = body }
    }
}
