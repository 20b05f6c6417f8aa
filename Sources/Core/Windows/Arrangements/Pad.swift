import Geometry

/// Spaces of one window or of a pair, with Slide Over and Picture in Picture in front of them (W-01 to W-06).
public struct Pad: Arranging {
    public var spaces = Spaces()
    public var picture: PictureInPicture?
    public var slideOver = SlideOver()

    public init() {}

    // MARK: Reading

    public var windows: [WindowID] { spaces.list.flatMap(\.windows) + slideOver.stack + (picture.map { [$0.window] } ?? []) }

    public func contains(_ id: WindowID) -> Bool {
        spaces.contains(id) || slideOver.stack.contains(id) || picture?.window == id
    }

    public func place(of id: WindowID, on screen: Screen?) -> Place? {
        if picture?.window == id { return .pictureInPicture }
        if let index = slideOver.stack.firstIndex(of: id) { return .slideOver(index) }
        guard let space = spaces.list.first(where: { $0.contains(id) }) else { return nil }
        guard let split = space.split else { return .full(space.id) }
        let axis = screen.map { split.axis(on: $0.size) } ?? .horizontal
        let isFirst = split.first == id
        return .split(space.id, axis == .horizontal ? (isFirst ? .left : .right) : (isFirst ? .top : .bottom))
    }

    public func placed(on ground: Ground, frame: (WindowID) -> Rect?) -> [Placed] {
        var placed: [Placed] = []
        // A pair, a card and a picture: to grow costs more than to fill.
        placed.reserveCapacity(4)
        if let space = spaces.front {
            let radius = space.split == nil ? 0 : ground.idiom.split.radius
            for id in space.windows { if let place = frame(id) { placed.append(Placed(id, .space, at: place, radius: radius)) } }
        }
        if let card = slideOver.front, !spaces.isHome, let place = frame(card) {
            let outside = ground.slideOverCard(side: slideOver.side, isHidden: true, isAlone: spaces.list.isEmpty)
            placed.append(Placed(card, .slideOver, at: place, from: ground.cardContent(outside)))
        }
        return placed + placedPicture(on: ground, frame)
    }

    public func layer(of id: WindowID) -> Placed.Layer? {
        if slideOver.stack.contains(id) { return .slideOver }
        return picture?.window == id ? .picture : spaces.contains(id) ? .space : nil
    }

    public func handles(on ground: Ground) -> [Handle] {
        var handles: [Handle] = []
        if hasHiddenCards { handles.append(Handle(.slideOver, ground.slideOverHandle(side: slideOver.side))) }
        if let picture, let tab = ground.pictureTab(picture) { handles.append(Handle(.picture, tab)) }
        return handles
    }

    private var hasHiddenCards: Bool { slideOver.isHidden && !slideOver.stack.isEmpty && !spaces.isHome }

    public var hasHandles: Bool { hasHiddenCards || picture?.stashed != nil }

    public func stackHeight(of id: WindowID) -> Int { slideOver.stack.contains(id) ? slideOver.stack.count : 1 }

    public var hasFloating: Bool { !slideOver.stack.isEmpty || picture != nil }

    public var shownRoots: [WindowID] {
        var shown = spaces.front?.windows ?? []
        // A pair has no room for more, and to grow twice costs more than once.
        shown.reserveCapacity(shown.count + 2)
        if let card = slideOver.front, !slideOver.isHidden, !spaces.isHome { shown.append(card) }
        if let picture, picture.stashed == nil { shown.append(picture.window) }
        return shown
    }

    public func isShown(_ id: WindowID) -> Bool {
        if picture?.window == id { return picture?.stashed == nil }
        if let index = slideOver.stack.firstIndex(of: id) { return index == 0 && !slideOver.isHidden && !spaces.isHome }
        return spaces.front?.contains(id) ?? false
    }

    public func parts(on ground: Ground, _ purpose: Purpose, content: (WindowID) -> (commit: WindowCommit, bar: Double)?) -> [WindowID:
        Rect]
    {
        // Room for a pair, some cards and a video: to grow costs more than to fill.
        var frames = [WindowID: Rect](minimumCapacity: 8)
        for space in spaces.list {
            guard let split = space.split else { continue }
            let pair = ground.splitFrames(split, fraction: space.id == purpose.dragged ? purpose.fraction : split.fraction)
            frames[split.first] = pair.first
            frames[split.second] = pair.second
        }
        if !slideOver.stack.isEmpty {
            let isHidden = slideOver.isHidden && !purpose.isForClients
            let card = ground.cardContent(ground.slideOverCard(side: slideOver.side, isHidden: isHidden, isAlone: spaces.list.isEmpty))
            for window in slideOver.stack { frames[window] = card }
        }
        for (id, frame) in pictureParts(on: ground, purpose) { frames[id] = frame }
        return frames
    }

    // MARK: Acts of a person

    public mutating func put(_ id: WindowID, at destination: Destination) throws(Refusal) {
        switch destination {
        case .fullScreen:
            if !spaces.contains(id) { remove(id) }
            spaces.makeFull(id)
        case .splitView(let side): try makeSplit(id, side)
        case .slideOver:
            if slideOver.front != id {
                remove(id)
                slideOver.stack.insert(id, at: 0)
            }
            slideOver.isHidden = false
            spaces.isHome = false
        case .pictureInPicture: break
        }
    }

    public mutating func remove(_ id: WindowID) {
        if picture?.window == id { picture = nil }
        if let index = slideOver.stack.firstIndex(of: id) {
            slideOver.stack.remove(at: index)
            if slideOver.stack.isEmpty { slideOver.isHidden = false }
        }
        spaces.remove(id)
    }

    public mutating func show(_ id: WindowID) {
        if picture?.window == id { return picture!.stashed = nil }
        if let index = slideOver.stack.firstIndex(of: id) {
            spaces.isHome = false
            if index != 0 {
                slideOver.stack.remove(at: index)
                slideOver.stack.insert(id, at: 0)
            }
            slideOver.isHidden = false
        } else if let index = spaces.index(of: id) {
            let space = spaces.list[index].id
            if spaces.current != space || spaces.isHome { spaces.bringForward(space) }
        }
    }

    public mutating func rename(_ old: WindowID, _ new: WindowID) {
        spaces.rename(old, new)
        slideOver.stack = slideOver.stack.map { $0 == old ? new : $0 }
        if picture?.window == old { picture!.window = new }
    }

    public mutating func restore(_ windows: [WindowID], pair: Split?, lastUse: UInt64) -> SpaceID {
        if let pair { return spaces.make(.split(pair), lastUse: lastUse) }
        for window in windows.dropFirst() { _ = spaces.make(.full(window)) }
        return spaces.make(.full(windows[0]), lastUse: lastUse)
    }

    private mutating func makeSplit(_ id: WindowID, _ side: Side) throws(Refusal) {
        // It is already in this split, so the windows change sides.
        if let index = spaces.index(of: id), var split = spaces.list[index].split {
            if (split.first == id) != side.isFirst {
                swap(&split.first, &split.second)
                split.fraction = 1 - split.fraction
            }
            split.portraitAxis = side.axis
            spaces.list[index].content = .split(split)
            spaces.bringForward(spaces.list[index].id)
            return
        }
        guard let partnerSpace = splitPartner(for: id), let old = spaces[partnerSpace]?.content else {
            throw Refusal("Split View needs a second window, and no other is open")
        }
        let isCurrent = spaces.index(of: id).map { spaces.list[$0].id == spaces.current } ?? false
        let slot = spaces.currentIndex
        remove(id)
        let index = spaces.list.firstIndex { $0.id == partnerSpace }!
        var split: Split
        switch old {
        case .full(let partner):
            split = Split(first: side.isFirst ? id : partner, second: side.isFirst ? partner : id)
        case .split(var pair):
            // It replaces the window on that side, which moves to its own space.
            let replaced = side.isFirst ? pair.first : pair.second
            if side.isFirst { pair.first = id } else { pair.second = id }
            split = pair
            _ = spaces.make(.full(replaced), after: index)
        case .free: throw Refusal("freely stacked windows have no Split View")
        }
        split.portraitAxis = side.axis
        spaces.list[index].content = .split(split)
        if isCurrent, let slot, slot < spaces.list.count, index != slot {
            // The pair takes the position of the space that the user was looking at.
            let space = spaces.list.remove(at: index)
            spaces.list.insert(space, at: min(slot, spaces.list.count))
        }
        spaces.bringForward(partnerSpace)
    }

    /// The partner for `id` in a new split: what is in front, or else what was in front before.
    func splitPartner(for id: WindowID) -> SpaceID? {
        if let space = spaces.front, !space.contains(id) { return space.id }
        let others = spaces.list.filter { !$0.contains(id) }
        let full = others.filter { $0.split == nil }
        return (full.isEmpty ? others : full).max { $0.lastUse < $1.lastUse }?.id
    }

    public func violations() -> [String] {
        var found = spaces.violations()
        if slideOver.isHidden, slideOver.stack.isEmpty { found.append("W-02: an empty Slide Over is hidden") }
        if slideOver.side.axis != .horizontal { found.append("W-02: Slide Over stands left or right") }
        for space in spaces.list where space.free != nil { found.append("W-25: a pad has the free space \(space.id.raw)") }
        return found
    }
}
