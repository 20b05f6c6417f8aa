import Geometry

/// Moves of freely stacked windows (W-25), by a person or their apps. In other arrangements they have no effect.
extension Workspace {
    /// Moves the top left of a window's geometry to a point of the screen. Other windows stay where they are.
    public mutating func place(_ id: WindowID, at origin: Point) {
        guard origin.x.isFinite, origin.y.isFinite, let window = windows[id] else { return }
        let isPartlyOut = isOut(Rect(origin: origin, size: window.contentSize))
        change(id) {
            $0.fill(nil)
            $0.origin = origin + (window.commit.offset ?? .zero) * -1
            $0.right = nil
            $0.bottom = nil
            $0.isPartlyOut = isPartlyOut
        }
    }

    /// A dialog opens on a window that a person moved partly out of sight: the window comes back, so that the dialog is in sight (P-04).
    mutating func bringIntoSight(_ root: WindowID, with dialog: WindowID) {
        guard arrangement.free?.frames[root]?.isPartlyOut ?? false, isShown(dialog), let frame = frame(of: dialog, partFrames()),
            isOut(frame)
        else { return }
        change(root) { $0.isPartlyOut = false }
    }

    /// Whether a part of a frame lies beyond the area for windows.
    private func isOut(_ frame: Rect) -> Bool { screen.map { !ground(on: $0).freeRoom.contains(frame, tolerance: 0.5) } ?? false }

    private mutating func change(_ id: WindowID, _ change: (inout FreeFrame) -> Void) {
        guard var free = arrangement.free else { return }
        change(&free.frames[id, default: FreeFrame()])
        if free.resize?.window == id { free.resize = nil }
        arrangement.free = free
    }

    /// Whether a person moves and resizes this window freely.
    public func isFree(_ id: WindowID) -> Bool { arrangement.free?.spaces.contains(id) ?? false }

    /// The part of the area for windows that a window fills; nil: it has a size of its own.
    public func tile(of id: WindowID) -> Tile? { arrangement.free?.frames[id]?.tile }

    /// Lets a window fill a part of the area for windows, or have its own size again.
    public mutating func setTile(_ id: WindowID, _ tile: Tile?) throws(Refusal) {
        _ = try require(id)
        guard isFree(id) || arrangement.free?.minimized.contains(id) ?? false else {
            throw Refusal("the idiom \(idiom.name) arranges windows itself")
        }
        // Any other place ends full screen, also if the app asked for it. An X11 window reports the state that the shell set as its own
        // wish.
        if tile == nil || tile != .full && idiom.depth == nil { edit(id) { $0.commit.wantsFullscreen = false } }
        if idiom.depth != nil {
            guard tile == nil || tile == .whole else {
                throw Refusal("in the idiom \(idiom.name) a window fills the whole screen or no part of it")
            }
            try activate(id)
            if tile == nil { arrangement.free?.leaveFullSpace() } else { enterFullSpace(id) }
            return refocus()
        }
        change(id) { $0.fill(tile) }
        try activate(id)
    }

    /// A person drags borders of a window: it gets another size, and the sides that are not dragged stay.
    ///
    /// - Parameters:
    ///   - frame: of its content, on the screen.
    ///   - border: the sides that are dragged.
    public mutating func resize(_ id: WindowID, to frame: Rect, by border: Border) {
        guard isFree(id), let commit = read(id, { $0.commit }), frame.width.isFinite, frame.height.isFinite else { return }
        let least = Size(max(idiom.free.smallest, commit.minimum.width), max(idiom.free.smallest / 2, commit.minimum.height))
        var size = Size(max(least.width, frame.width), max(least.height, frame.height)).rounded
        if commit.maximum.width > 0 { size.width = min(size.width, commit.maximum.width) }
        if commit.maximum.height > 0 { size.height = min(size.height, commit.maximum.height) }
        let isPartlyOut = isOut(frame)
        change(id) {
            $0.fill(nil)
            $0.size = size
            $0.origin = frame.origin + (commit.offset ?? .zero) * -1
            $0.right = border.x < 0 ? frame.maxX : nil
            $0.bottom = border.y < 0 ? frame.maxY : nil
            $0.isPartlyOut = isPartlyOut
        }
        let place = Rect(
            border.x < 0 ? frame.maxX - size.width : frame.x, border.y < 0 ? frame.maxY - size.height : frame.y, size.width, size.height)
        arrangement.free?.resize = LiveResize(window: id, frame: place)
    }

    /// The size that a window has by itself while it fills a part of the screen.
    public func ownSize(of id: WindowID) -> Size? {
        arrangement.free?.frames[id]?.size ?? read(id) { $0.naturalSize ?? $0.contentSize }
    }

    /// Where a window may stand: its title bar, or the top of its own, stays where a person gets hold of it.
    public func reachable(_ frame: Rect, of id: WindowID) -> Rect {
        guard let screen else { return frame }
        return FreeFrame.reachable(frame, bar: titleBar(of: id), in: ground(on: screen).freeRoom, whole: screen.usable)
    }

    /// The height of the title bar that the shell draws above a freely stacked window; 0: its client draws one, or it fills the area.
    public func titleBar(of id: WindowID) -> Double {
        guard idiom.dressing == .titleBar, let free = arrangement.free,
            free.spaces.contains(id) || free.minimized.contains(id) || base(of: id) != nil,
            free.frames[id]?.tile != .full, read(id, { $0.facts.isBare && !$0.commit.wantsFullscreen }) ?? false
        else { return 0 }
        return idiom.free.titleBar
    }

    /// The maximize button of a window's own title bar: fills the area for windows, or undoes that.
    public mutating func zoom(_ id: WindowID, _ isZoomed: Bool) {
        guard windows[id] != nil, arrangement.free != nil else { return }
        if idiom.depth != nil {
            // An app asks, a person acts (law 1): only the active window gets a Full Space by its own button (V-01).
            guard isFree(id), !isZoomed || focus.map({ root(of: $0) }) == id else { return }
            return _ = try? setTile(id, isZoomed ? .whole : nil)
        }
        change(id) { $0.fill(isZoomed ? .whole : nil) }
        if isZoomed { bringBack(id) }
    }

    /// A person, or the window's own control, ends that it fills the whole screen.
    public mutating func leaveFullScreen(_ id: WindowID) {
        if tile(of: id) == .full { change(id) { $0.fill($0.tileAfterFull) } }
    }

    /// Lets a window fill a part of the area for windows, or have its own size again if it does that already.
    public mutating func toggleTile(_ id: WindowID, _ tile: Tile) throws(Refusal) {
        let isThere = self.tile(of: id) == tile || (tile == .full && read(id) { $0.commit.wantsFullscreen } ?? false)
        guard isThere, tile == .full else { return try setTile(id, isThere ? nil : tile) }
        // Afterwards it fills what it filled before, as a window does whose own control leaves full screen.
        let frame = arrangement.free?.frames[id]
        let before = frame?.tile == .full ? frame?.tileAfterFull : frame?.tile
        try setTile(id, before)
    }

    /// A person minimizes a window.
    public mutating func minimize(_ id: WindowID) throws(Refusal) {
        _ = try require(id)
        guard isFree(id) else { throw Refusal("the idiom \(idiom.name) has no minimized windows") }
        putAway(id)
    }

    /// The minimize button: hides the window until a person asks for it again.
    public mutating func putAway(_ id: WindowID) {
        guard windows[id]?.isMapped ?? false, !isDialog(windows[id]!), isFree(id) else { return }
        arrangement.free?.minimize(id)
        refocus()
    }

    /// Shows a minimized window again when its app asks for anything visible.
    public mutating func bringBack(_ id: WindowID) {
        guard arrangement.free?.minimized.contains(id) ?? false else { return }
        try? activate(id)
    }
}
