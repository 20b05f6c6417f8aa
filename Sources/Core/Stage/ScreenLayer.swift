import Windows

/// The layers of the screen, back to front. Drawing goes up this list, and a touch goes down it (P-01).
///
/// A locker comes before all of them, and so does a surface of another program above everything: an adapter reports it with the input.
public enum ScreenLayer: Hashable, Sendable, CaseIterable {
    /// The shell's ground, and the panels that programs put there. They get input that no layer above takes.
    case wallpaper
    /// The home screen, and menu bar and dock where an idiom keeps them below the windows.
    case home
    /// The windows of the space, and their dialogs.
    case windows
    /// Menu bar and dock where they stand above the windows.
    case bars
    /// Menus of these windows: the bars have the touches below an open menu only.
    case menus
    /// The ground of the app switcher, and its small windows.
    case switcherGround, cards
    /// Views for programs over a window of the space (M-05).
    case windowViews
    /// Slide Over floats over the space, and over the views that stand on its windows.
    case slideOver
    case pinched
    /// Picture in Picture where an idiom keeps it below the shell's views.
    case lowPicture
    /// Apps that start.
    case launches
    /// The line at the lower edge, and the dots.
    case marks
    /// Views for programs over the screen, or over a window in Slide Over (M-05).
    case views
    case switcher, shelf
    case picture
    /// The tabs of windows that were pushed past an edge.
    case handles
    /// Where a lifted window would go, and the window itself.
    case preview, lifted
    case pictureControls
    /// Nothing is drawn here: swipes from the edges of the home screen and the app switcher begin above the views there.
    case edges
    /// The dock that a person brought, and the view that asks for the second app of a pair.
    case dock, picking
    case unread, banners
    /// The time and the state of the device, in a bar of their own.
    case status
    case panel, popover
    /// An icon that a finger carries.
    case carried
    case overlay, rest
    /// Panels of other programs, the picture that a client drags, and the area outside of a round screen.
    case panels, dragIcon, aroundDisc

    /// The layer of a window that is shown in its place.
    init(_ level: Stage.Level, _ workspace: Workspace) {
        switch level {
        case .leaving, .space, .dialog: self = .windows
        case .slideOver: self = .slideOver
        case .picture: self = workspace.idiom.layers.picture == .above ? .picture : .lowPicture
        case .lifted: self = .lifted
        }
    }
}
