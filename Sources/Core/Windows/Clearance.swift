import Geometry

/// Keeps floating windows clear of views that must stay reachable: Picture in Picture of the dock and dialogs, dialogs of
/// the Slide Over card. Moves only what is drawn. The chosen corner is remembered, and used again as soon as it is
/// free.
extension Workspace {
    /// The area of the dock on the screen; nil while it is hidden.
    public mutating func setDockArea(_ area: Rect?) { dockArea = area }

    /// Moves a dialog of a window below the Slide Over card beside the card, if its window has room.
    func clearOfCard(_ dialog: Rect, of id: WindowID, over room: Rect) -> Rect {
        guard let screen, !slideOver.stack.isEmpty, !slideOver.isHidden, arrangement.spaces.contains(root(of: id)) else { return dialog }
        let card = slideOverCard(on: screen, side: slideOver.side, isHidden: false)
        guard card.intersects(dialog) else { return dialog }
        let margin = idiom.slideOver.margin
        let low = slideOver.side == .left ? max(room.minX, card.maxX + margin) : room.minX
        let high = slideOver.side == .left ? room.maxX : min(room.maxX, card.minX - margin)
        let x =
            high - low >= dialog.width
            ? low + ((high - low - dialog.width) / 2).rounded() : slideOver.side == .left ? room.maxX - dialog.width : room.minX
        return Rect(x, dialog.y, dialog.width, dialog.height)
    }

    /// Moves the picture beside the dock and dialogs, as near to its corner as possible.
    func clearPip(in frames: inout [WindowID: Rect], on screen: Screen) {
        guard let pip, pip.stashed == nil, let wanted = frames[pip.window] else { return }
        var obstacles = dockArea.map { [$0] } ?? []
        for id in children where windows[id]?.isMapped ?? false {
            guard case .dialog = place(of: id), let frame = frames[id], isShown(id), root(of: id) != pip.window else { continue }
            // A dialog that fills the area leaves no free place.
            if frame.width * frame.height < 0.8 * screen.usable.width * screen.usable.height { obstacles.append(frame) }
        }
        guard obstacles.contains(where: wanted.intersects) else { return }
        let margin = idiom.picture.margin, room = screen.usable.inset(by: margin)
        let columns = [wanted.x, pip.corner.isLeft ? room.maxX - wanted.width : room.minX]
        var rows = [wanted.y, room.minY, room.maxY - wanted.height]
        // On whole points, so that its content stays sharp: a dialog that is scaled lies between them.
        for obstacle in obstacles {
            rows += [(obstacle.minY - margin - wanted.height).rounded(.down), (obstacle.maxY + margin).rounded(.up)]
        }
        rows.sort { abs($0 - wanted.y) < abs($1 - wanted.y) }
        func put(_ frame: Rect) {
            frames[pip.window] = frame
            for id in dialogs(of: pip.window) {
                guard let dialog = frames[id] else { continue }
                frames[id] =
                    frame.size == wanted.size
                    ? dialog.offset(by: frame.origin - wanted.origin) : dialogFrame(dialog.size, over: frame, in: frame)
            }
        }
        for x in columns {
            for y in rows {
                let frame = Rect(x, y, wanted.width, wanted.height)
                if room.contains(frame, tolerance: 0.5), !obstacles.contains(where: frame.intersects) { return put(frame) }
            }
        }
        // It fits nowhere at its size, so make it smaller, in the largest gap beside all obstacles.
        let above = (obstacles.map(\.minY).min() ?? 0) - margin - room.minY, below = room.maxY - (obstacles.map(\.maxY).max() ?? 0) - margin
        let before = (obstacles.map(\.minX).min() ?? 0) - margin - room.minX,
            after = room.maxX - (obstacles.map(\.maxX).max() ?? 0) - margin
        let share = max(above / wanted.height, below / wanted.height, before / wanted.width, after / wanted.width)
        let size = Size(wanted.width * share, wanted.height * share).rounded
        guard share < 1, size.width >= screen.shorterSide * idiom.picture.smallest * 0.75 else { return }
        func fits(_ gap: Double, _ length: Double) -> Bool { gap / length >= share - 0.0001 }
        let isLeft = fits(before, wanted.width) || (!fits(after, wanted.width) && pip.corner.isLeft)
        let isTop =
            fits(above, wanted.height) && (pip.corner.isTop || !fits(below, wanted.height))
            || (!fits(above, wanted.height) && !fits(below, wanted.height) && pip.corner.isTop)
        put(Rect(isLeft ? room.minX : room.maxX - size.width, isTop ? room.minY : room.maxY - size.height, size.width, size.height))
    }
}
