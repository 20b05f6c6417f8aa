import Geometry
import Stage
import Windows

/// The spaces of a desk, in a row above the cards of the app switcher (W-25).
extension Views {
    var hasSpaceRow: Bool { workspace.idiom.free.spaces && !workspace.spaces.isEmpty && screen.size.height >= 480 }

    /// The room that the row takes from the cards.
    var spaceRowHeight: Double { hasSpaceRow ? Views.spaceTile + line(.caption) + 20 : 0 }

    private static let spaceTile = 84.0

    /// The tiles of the spaces, and the one that makes another space.
    var spaceRow: (spaces: [(space: Space, frame: Rect)], add: Rect) {
        let count = Double(workspace.spaces.count + 1), gap = 16.0
        let shape = screen.size.width / max(1, screen.size.height)
        let width = min((Views.spaceTile * shape).rounded(), 160, ((room.width - 48 - (count - 1) * gap) / count).rounded(.down))
        let size = Size(width, min(Views.spaceTile, (width / shape).rounded())), top = room.y + 24
        let left = room.center.x - (count * (width + gap) - gap) / 2
        func place(_ index: Int) -> Rect { Rect((left + Double(index) * (width + gap)).rounded(), top, size.width, size.height) }
        return (workspace.spaces.enumerated().map { ($0.element, place($0.offset)) }, place(workspace.spaces.count))
    }

    /// Where a window is dropped that a finger carries to a point of the screen; nil: on no tile. `.some(nil)`: on the tile of a new space.
    public func spaceTile(at point: Point) -> SpaceID?? {
        guard hasSpaceRow, case .switcher? = interface.overview?.content else { return nil }
        let row = spaceRow
        if let hit = row.spaces.first(where: { onScreen($0.frame).inset(by: -8).contains(point) }) { return .some(hit.space.id) }
        return onScreen(row.add).inset(by: -8).contains(point) ? .some(nil) : nil
    }

    func addSpaceRow(_ canvas: inout Canvas) {
        guard hasSpaceRow else { return }
        let row = spaceRow, frames = workspace.frames()
        for (index, (space, frame)) in row.spaces.enumerated() {
            let id = ControlID(.switcher, "desk/\(space.id.raw)"), name = Text.message(.spaceNumber, ["\(index + 1)"])
            let isCurrent = space.id == workspace.current
            if isCurrent { canvas.fill(ControlID(.switcher, "desk/ring"), .accent, frame.inset(by: -3), radius: 11) }
            canvas.fill(id, .wallpaper, frame, radius: 8)
            for window in space.windows.suffix(8) {
                guard let place = frames[window], let screen = workspace.screen else { continue }
                let small = frame.map(own(place).intersection(own(screen.bounds)), from: own(screen.bounds))
                guard small.width >= 4, small.height >= 4 else { continue }
                addThumbnail(
                    &canvas, ControlID(.switcher, "desk/\(space.id.raw)/\(window.raw)"), window, place, canvas.placed(small), radius: 2)
            }
            let label = Rect(frame.x - 8, frame.maxY + 4, frame.width + 16, line(.caption))
            canvas.text(id, part: 2, name, .caption, isCurrent ? .onWallpaper : .onWallpaperSecondary, label, .center)
            canvas.control(id, .button, name, frame, press: .showSpace(space.id), chosen: isCurrent, focusRadius: 8)
        }
        let id = ControlID(.switcher, "desk/add")
        canvas.fill(id, .dock, row.add, radius: 8)
        canvas.symbol(id, .add, .primary, in: row.add, side: 24)
        canvas.press(id, row.add, radius: 8)
        canvas.control(id, .button, .message(.newSpace), row.add, press: .newSpace, focusRadius: 8)
    }
}
