import Geometry

/// Dialogs that cannot be as small as their place, such as LibreOffice's options in Slide Over (W-11).
extension Workspace {
    /// A dialog that would be drawn below this share of its size cannot be read or used.
    static let leastDialogScale = 0.6

    /// The area for a dialog: `room`, the part of its window that is for sheets, or that of the whole screen if the dialog would be drawn
    /// too small in `room`. It depends on what the dialog needs at least, not on what it shows now, so it stays the same while
    /// the dialog answers.
    func roomForLargeDialog(_ window: Window, in room: Rect, _ lines: ModalLines? = nil) -> Rect {
        guard let screen, modality == .sheets, window.leastDialogScale(in: room.size) < Workspace.leastDialogScale,
            pip?.window != root(of: window.id, lines)
        else { return room }
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
