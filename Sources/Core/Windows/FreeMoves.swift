import Geometry

/// What apps and persons ask of freely stacked windows (W-25). Where windows are arranged, none of it has an effect.
extension Workspace {
    /// Moves the top left of a window's geometry to a point of the screen. Other windows stay where they are.
    public mutating func place(_ id: WindowID, at origin: Point) {
        guard origin.x.isFinite, origin.y.isFinite, let window = windows[id] else { return }
        arrangement.free?.frames[id, default: FreeFrame()].origin = origin + (window.commit.offset ?? .zero) * -1
    }

    /// Gives a freely stacked window that has no place yet one: in the middle, or below and beside the window that stands there.
    mutating func findRoom(for id: WindowID) {
        guard let screen, let free = arrangement.free, free.spaces.contains(id), free.frames[id]?.origin == nil, idiom.free.cascade > 0,
            let window = windows[id], window.isMapped
        else { return }
        let room = screen.usable.inset(by: Insets(titleBar(of: id), 0, 0, 0)), step = idiom.free.cascade
        // It may still have the size of another idiom's place, and chooses another one now.
        let size = Size(min(window.contentSize.width, room.width * 0.7), min(window.contentSize.height, room.height * 0.7))
        var place = Rect(center: room.center, size: size).rounded.origin
        let taken = free.frames.compactMap { free.spaces.contains($0.key) ? $0.value.origin : nil }
        for _ in 0..<max(1, taken.count) where taken.contains(where: { abs($0.x - place.x) < step / 2 && abs($0.y - place.y) < step / 2 }) {
            place = place + Vector(step, step)
            if place.x + size.width > room.maxX || place.y + size.height > room.maxY { place = room.origin }
        }
        arrangement.free?.frames[id, default: FreeFrame()].origin = place
    }

    /// The height of the title bar that the shell draws above a freely stacked window; 0: its client draws one, or it fills the area.
    public func titleBar(of id: WindowID) -> Double {
        guard idiom.dressing == .titleBar, let free = arrangement.free, free.spaces.contains(id), read(id, { $0.facts.isBare && !$0.commit.wantsFullscreen }) ?? false
        else { return 0 }
        return idiom.free.titleBar
    }

    /// The maximize button of a window's own title bar: fills the area for windows, or undoes that.
    public mutating func zoom(_ id: WindowID, _ isZoomed: Bool) {
        guard windows[id] != nil, arrangement.free != nil else { return }
        arrangement.free?.frames[id, default: FreeFrame()].isZoomed = isZoomed
        if isZoomed { bringBack(id) }
    }

    /// The minimize button: hides the window until a person asks for it again.
    public mutating func putAway(_ id: WindowID) {
        guard windows[id]?.isMapped ?? false, !isDialog(windows[id]!) else { return }
        arrangement.free?.minimize(id)
        refocus()
    }

    /// Shows a minimized window again when its app asks for anything visible.
    public mutating func bringBack(_ id: WindowID) {
        guard arrangement.free?.minimized.contains(id) ?? false else { return }
        try? activate(id)
    }
}
