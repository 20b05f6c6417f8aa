import Geometry

/// Windows of several apps, stacked freely in sizes and places of their own (W-25).
public struct Free: Arranging {
    public var spaces = Spaces()
    public var picture: PictureInPicture?
    /// The frames that a person chose; a window that is hidden and shown again returns to its own.
    public var frames: [WindowID: FreeFrame] = [:]
    /// Windows that a person minimized by their own control, oldest first.
    public var minimized: [WindowID] = []
    /// The minimized windows whose whole app was hidden. They come back together.
    public var hidden: [WindowID] = []
    /// The border that a person drags.
    var resize: LiveResize?
    /// The window that has a Full Space: only it and those of its app are shown (V-01).
    public internal(set) var alone: WindowID?
    /// The other windows of its app. They stand in front of it, wherever they are.
    var companions: [WindowID] = []

    public init() {}

    public var windows: [WindowID] { spaces.list.flatMap(\.windows) + minimized + (picture.map { [$0.window] } ?? []) }

    public func contains(_ id: WindowID) -> Bool { spaces.contains(id) || picture?.window == id || minimized.contains(id) }

    public func place(of id: WindowID, on screen: Screen?) -> Place? {
        if picture?.window == id { return .pictureInPicture }
        if minimized.contains(id) { return .minimized }
        return spaces.list.first { $0.contains(id) }.map { .free($0.id) }
    }

    public func placed(on ground: Ground, frame: (WindowID) -> Rect?) -> [Placed] {
        let windows = shownInFront, depth = ground.idiom.depth
        return (depth.map { farToNear(windows, $0) } ?? windows).compactMap { id in
            guard let place = frame(id) else { return nil }
            var placed = Placed(id, .space, at: place, reach: .input)
            // A dialog is as near as its window.
            placed.keepsDialogs = true
            if let depth { placed.perspective = ground.perspective(at: seenDepth(of: id, depth), depth) }
            return placed
        } + placedPicture(on: ground, frame)
    }

    public var shownRoots: [WindowID] {
        guard let picture, picture.stashed == nil else { return shownInFront }
        return shownInFront + [picture.window]
    }

    public func isShown(_ id: WindowID) -> Bool {
        if picture?.window == id { return picture?.stashed == nil }
        return (spaces.front?.contains(id) ?? false) && isInFullSpace(id)
    }

    private var shownInFront: [WindowID] {
        guard let windows = spaces.front?.windows else { return [] }
        return alone == nil ? windows : windows.filter(isInFullSpace)
    }

    public mutating func put(_ id: WindowID, at destination: Destination) throws(Refusal) {
        guard destination == .fullScreen else { throw Refusal("windows are stacked freely here") }
        if !spaces.contains(id) { add(id, inFront: true) }
        show(id)
        raise(id)
    }

    public mutating func putBehind(_ id: WindowID) {
        add(id, inFront: false)
        if spaces.current == nil { spaces.makeCurrent(spaces.list.last?.id) }
    }

    public mutating func putBeside(_ id: WindowID) { putBehind(id) }

    private mutating func add(_ id: WindowID, inFront: Bool) {
        remove(id)
        let index = spaces.list.firstIndex { $0.id == spaces.current && $0.free != nil } ?? spaces.list.firstIndex { $0.free != nil }
        guard let index, let others = spaces.list[index].free else { return _ = spaces.make(.free([id])) }
        spaces.list[index].content = .free(inFront ? others + [id] : [id] + others)
    }

    public mutating func remove(_ id: WindowID) {
        if picture?.window == id { picture = nil }
        if alone == id { leaveFullSpace() }
        if resize?.window == id { resize = nil }
        minimized.removeAll { $0 == id }
        hidden.removeAll { $0 == id }
        spaces.remove(id)
    }

    public mutating func forget(_ id: WindowID) {
        frames[id] = nil
        companions.removeAll { $0 == id }
    }

    /// Puts a window away, until a person asks for it or its app for anything visible.
    mutating func minimize(_ id: WindowID) {
        guard spaces.contains(id) else { return }
        if alone == id { leaveFullSpace() }
        if resize?.window == id { resize = nil }
        spaces.remove(id)
        minimized.append(id)
    }

    /// Puts the windows of an app away together, back to front.
    mutating func hide(_ windows: [WindowID]) {
        for id in windows where spaces.contains(id) {
            minimize(id)
            hidden.append(id)
        }
    }

    /// Puts windows above all others, in the order in which they stand.
    mutating func raise(_ windows: [WindowID]) {
        for id in spaces.list.flatMap({ $0.free ?? [] }) where windows.contains(id) { raise(id) }
    }

    public mutating func show(_ id: WindowID) {
        if picture?.window == id { return picture!.stashed = nil }
        if minimized.contains(id) { add(id, inFront: true) }
        guard let index = spaces.index(of: id) else { return }
        if !isInFullSpace(id) || alone.flatMap({ spaces.index(of: $0) }) != index { leaveFullSpace() }
        let space = spaces.list[index].id
        if spaces.current != space || spaces.isHome { spaces.bringForward(space) }
    }

    /// Raises a window in which a person acts above all others.
    public mutating func becomesActive(_ id: WindowID) { raise(id) }

    private mutating func raise(_ id: WindowID) {
        guard let index = spaces.index(of: id), let windows = spaces.list[index].free, windows.last != id else { return }
        spaces.list[index].content = .free(windows.filter { $0 != id } + [id])
    }

    public mutating func rename(_ old: WindowID, _ new: WindowID) {
        spaces.rename(old, new)
        minimized = minimized.map { $0 == old ? new : $0 }
        hidden = hidden.map { $0 == old ? new : $0 }
        if alone == old { alone = new }
        if let resize, resize.window == old { self.resize = LiveResize(window: new, frame: resize.frame) }
        companions = companions.map { $0 == old ? new : $0 }
        if let frame = frames.removeValue(forKey: old) { frames[new] = frame }
        if picture?.window == old { picture!.window = new }
    }

    public mutating func restore(_ windows: [WindowID], pair: Split?, lastUse: UInt64) -> SpaceID {
        for id in windows { add(id, inFront: true) }
        return spaces.list[spaces.index(of: windows[0])!].id
    }

    public func parts(on ground: Ground, _ purpose: Purpose, content: (WindowID) -> (commit: WindowCommit, bar: Double)?) -> [WindowID:
        Rect]
    {
        var parts = pictureParts(on: ground, purpose)
        let room = ground.freeRoom, whole = ground.screen.usable, stays = ground.idiom.free.cascade > 0
        // Minimized windows are shown small in the overview.
        for id in spaces.list.flatMap({ $0.free ?? [] }) + minimized {
            guard let (commit, bar) = content(id) else { continue }
            parts[id] =
                resize.flatMap { $0.window == id && !commit.wantsFullscreen ? $0.frame : nil }
                ?? (frames[id] ?? FreeFrame()).content(of: commit, bar: bar, in: room, whole: whole, stays: stays)
        }
        return parts
    }

    public func usual(on screen: Screen) -> Rect? { nil }

    public func offer(_ id: WindowID) -> Offer? {
        guard let frame = frames[id] else { return .chooses }
        if frame.tile != nil { return nil }
        return frame.size.map { .size($0) } ?? .chooses
    }

    public func violations() -> [String] {
        var found = spaces.violations()
        for id in hidden where !minimized.contains(id) { found.append("W-25: \(id) is hidden with its app, and in sight") }
        for space in spaces.list where space.split != nil { found.append("W-25: freely stacked windows have a Split View") }
        if alone == nil, !companions.isEmpty { found.append("V-01: \(companions) stand in no Full Space") }
        if let alone, !(spaces.list.first { $0.id == spaces.current }?.contains(alone) ?? false) {
            found.append("V-01: \(alone) has a Full Space in no space")
        }
        return found
    }
}
