import Geometry
import Stage
import Windows

extension Views {
    /// The name of the front view, for screen readers: the view that takes all touches, else the windows, else the home
    /// screen.
    public var frontName: Text {
        if let modalLayer, let panel = canvas(of: modalLayer).controls.first(where: { $0.role == .panel }) { return panel.name }
        if interface.isOverviewOpen, let overview = interface.overview {
            switch overview.content {
            case .switcher: return .message(.appSwitcher)
            case .expose(let app): return windowsOf(app)
            }
        }
        if let view = interface.modals.last(where: { $0.isOpen && $0.content.window == nil }) { return .verbatim(view.content.title) }
        guard !workspace.showsHome, let windows = workspace.currentSpace?.windows, let first = windows.first else { return .message(.home) }
        if windows.count == 2 { return .message(.pair, windows.map(workspace.appName)) }
        return .verbatim(workspace.appName(of: first))
    }
}

extension ViewControl {
    /// Whether a part of it is on the screen. Of what was scrolled away, screen readers do not say that it shows.
    public func isOnScreen(of size: Size) -> Bool { frame.intersects(Rect(origin: .zero, size: size)) }
}
