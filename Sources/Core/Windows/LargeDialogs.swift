import Geometry

/// Dialogs that cannot be as small as their place, such as LibreOffice's options in Slide Over (W-11).
extension Workspace {
    /// A dialog that would be drawn below this share of its size cannot be read or used.
    static let leastDialogScale = 0.6

    /// The area for a dialog: `room`, the part of its window that is for sheets, or that of the whole screen if the dialog would be drawn
    /// too small in `room`. It depends on the least size of the dialog, not on its present one, so it stays the same while the dialog
    /// answers. Among free windows a dialog that is larger than its window gets the area for windows.
    func roomForLargeDialog(_ window: Window, in room: Rect, _ lines: ModalLines? = nil) -> Rect {
        guard let screen, pip?.window != root(of: window.id, lines) else { return room }
        // Where windows are free, a dialog is a window of its own, and only the screen limits it (W-25).
        if modality == .windows {
            let size = window.contentSize
            guard size.width > room.width || size.height > room.height else { return room }
            return ground(on: screen).freeRoom.inset(by: Insets(titleBar(of: window.id), 0, 0, 0))
        }
        guard modality == .sheets, window.leastDialogScale(in: room.size) < Workspace.leastDialogScale else { return room }
        let whole = sheetRoom(of: window.id, in: screen.usable, lines)
        return window.leastDialogScale(in: whole.size) > window.leastDialogScale(in: room.size) ? whole : room
    }
}

extension Window {
    /// How small a dialog is drawn in an area, from 0 to 1, when it is as small as its client makes it.
    fileprivate func leastDialogScale(in room: Size) -> Double {
        // An X11 program without a minimum is not resized: it may cut off its content.
        let least = commit.minimum.isEmpty && facts.isX11 ? contentSize : commit.minimum
        return min(1, room.width / max(1, least.width), room.height / max(1, least.height))
    }
}
