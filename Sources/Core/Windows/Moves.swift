import Geometry
import OrderedCollections

/// The user's changes to the arrangement. Each one leaves all other windows in place, or next to it.
extension Workspace {
    func require(_ id: WindowID) throws(Refusal) -> Window {
        guard let window = windows[id] else { throw Refusal("there is no \(id)") }
        guard window.isMapped else { throw Refusal("\(id) is not shown by its app yet") }
        return window
    }

    /// Dialogs move with their window. A prominent window is one of its own as soon as a person moves it (W-17).
    private mutating func movable(_ id: WindowID) throws(Refusal) -> WindowID {
        _ = try require(id)
        let id = moved(by: id)
        guard windows[id]!.raisedOver != nil else { return id }
        windows[id]!.raisedOver = nil
        windows[id]!.facts.parent = nil
        windows[id]!.facts.isModal = nil
        noteChildren()
        return id
    }

    /// The window that goes where a person moves this one: its root, or a prominent window on the way there.
    public func moved(by id: WindowID) -> WindowID {
        var id = id
        while let window = windows[id], isDialog(window), window.raisedOver == nil, let parent = window.facts.parent { id = parent }
        return id
    }

    public mutating func move(_ id: WindowID, to destination: Destination) throws(Refusal) {
        // A move to full screen never has to go back, and to keep the state for that would copy every window.
        let before = destination == .fullScreen ? nil : self
        let id = try movable(id)
        do throws(Refusal) {
            switch destination {
            case .fullScreen: makeFull(id)
            case .splitView(let side): try makeSplit(id, side)
            case .slideOver: try makeSlideOver(id)
            case .pictureInPicture: try makePictureInPicture(id)
            }
        } catch {
            // A prominent window stays where it was raised.
            if let before { self = before }
            throw error
        }
        edit(id) { $0.isAdmitted = true }
        guard destination == .pictureInPicture else { return setFocus(id) }
        // Picture in Picture takes no keyboard input, so the focus goes to what is below it.
        if let focus, root(of: focus) == id { self.focus = nil }
        refocus()
    }

    private mutating func makeFull(_ id: WindowID) {
        if idiom.hasFreeWindows { return makeFree(id, inFront: true) }
        if let index = spaceIndex(of: id) {
            if case .split(let split) = spaces[index].content {
                // The partner stays open, one swipe away.
                spaces[index].content = .full(id)
                _ = makeSpace(.full(split.other(than: id)), after: index)
            }
            bringForward(spaces[index].id)
            return
        }
        takeOut(id)
        bringForward(makeSpace(.full(id), after: currentIndex))
    }

    private mutating func makeSplit(_ id: WindowID, _ side: Side) throws(Refusal) {
        guard idiom.hasSplitView else { throw Refusal("the idiom \(idiom.name) has no Split View") }
        // It is already in this split, so the windows change sides.
        if let index = spaceIndex(of: id), var split = spaces[index].split {
            if (split.first == id) != side.isFirst {
                swap(&split.first, &split.second)
                split.fraction = 1 - split.fraction
            }
            split.portraitAxis = side.axis
            spaces[index].content = .split(split)
            bringForward(spaces[index].id)
            return
        }
        guard let partnerSpace = splitPartner(for: id),
            let partnerIndex = spaces.firstIndex(where: { $0.id == partnerSpace })
        else { throw Refusal("Split View needs a second window, and no other is open") }
        let old = spaces[partnerIndex].content
        let isCurrent = spaceIndex(of: id).map { spaces[$0].id == current } ?? false
        let slot = currentIndex
        takeOut(id)
        let index = spaces.firstIndex { $0.id == partnerSpace }!
        var split: Split
        switch old {
        case .full(let partner):
            split = Split(first: side.isFirst ? id : partner, second: side.isFirst ? partner : id)
        case .split(var pair):
            // It replaces the window on that side, which moves to its own space.
            let replaced = side.isFirst ? pair.first : pair.second
            if side.isFirst { pair.first = id } else { pair.second = id }
            split = pair
            _ = makeSpace(.full(replaced), after: index)
        case .free:
            throw Refusal("the idiom \(idiom.name) has free windows")
        }
        split.portraitAxis = side.axis
        spaces[index].content = .split(split)
        if isCurrent, let slot, slot < spaces.count, index != slot {
            // The pair takes the position of the space that the user was looking at.
            let space = spaces.remove(at: index)
            spaces.insert(space, at: min(slot, spaces.count))
        }
        bringForward(partnerSpace)
    }

    /// The partner for `id` in a new split: what is in front, or else what was in front before.
    public func splitPartner(for id: WindowID) -> SpaceID? {
        if let space = currentSpace, !space.contains(id) { return space.id }
        let others = spaces.filter { !$0.contains(id) }
        let full = others.filter { $0.split == nil }
        return (full.isEmpty ? others : full).max { $0.lastUse < $1.lastUse }?.id
    }

    /// Throws the reason if Slide Over is not available here.
    public func requireRoomForSlideOver() throws(Refusal) {
        guard !idiom.hasSlideOver else { return }
        guard idiom.isSmall, let size = screen?.size else { throw Refusal("the idiom \(idiom.name) has no Slide Over") }
        throw Refusal(
            "Slide Over needs a tablet's screen; one of \(Int(clamping: size.width))x\(Int(clamping: size.height)) points has no room beside an app")
    }

    private mutating func makeSlideOver(_ id: WindowID) throws(Refusal) {
        if !slideOver.stack.contains(id) { try requireRoomForSlideOver() }
        if slideOver.stack.first != id {
            takeOut(id)
            slideOver.stack.insert(id, at: 0)
        }
        slideOver.isHidden = false
        isHome = false
    }

    private mutating func makePictureInPicture(_ id: WindowID) throws(Refusal) {
        guard idiom.hasPictureInPicture else { throw Refusal("the idiom \(idiom.name) has no Picture in Picture") }
        if pip?.window == id {
            pip!.stashed = nil
            return
        }
        takeOut(id)
        var corner = Corner.bottomRight
        if let replaced = pip?.window {
            corner = pip!.corner
            pip = nil
            _ = makeSpace(.full(replaced), after: currentIndex)
            if current == nil { current = spaces.last?.id }
        }
        let shape = windows[id]!.naturalSize ?? Size(16, 9)
        pip = PictureInPicture(window: id, corner: corner, width: 0, aspect: shape.width / shape.height)
        if let screen { setPipShape(shape, on: screen) }
    }

    // MARK: Split View

    /// Moves the divider to a share of the first window, within the limits of the idiom.
    public mutating func setDivider(_ fraction: Double) throws(Refusal) {
        guard let index = currentIndex, var split = spaces[index].split else {
            throw Refusal("no Split View is in front")
        }
        guard fraction.isFinite else { throw Refusal("the divider's place must be a number between 0 and 1") }
        split.fraction = max(0, min(1, fraction))
        spaces[index].content = .split(split)
    }

    /// Where the divider would rest when released at `fraction`. nil if one window remains, the larger one.
    public func dividerRest(_ fraction: Double) -> Double? {
        guard fraction > idiom.dividerEdge, fraction < 1 - idiom.dividerEdge else { return nil }
        return idiom.dividerSnaps.min { abs($0 - fraction) < abs($1 - fraction) }
    }

    /// Ends a drag of the divider. It snaps, or one window remains (W-04).
    public mutating func dropDivider(_ fraction: Double) throws(Refusal) {
        guard let split = currentSpace?.split else { throw Refusal("no Split View is in front") }
        if let rest = dividerRest(fraction) {
            try setDivider(rest)
        } else {
            try setDivider(0.5)
            try move(fraction < 0.5 ? split.second : split.first, to: .fullScreen)
        }
    }

    public mutating func swapSplit() throws(Refusal) {
        guard let index = currentIndex, var split = spaces[index].split else {
            throw Refusal("no Split View is in front")
        }
        swap(&split.first, &split.second)
        split.fraction = 1 - split.fraction
        spaces[index].content = .split(split)
    }

    // MARK: Spaces

    public mutating func showSpace(_ id: SpaceID) throws(Refusal) {
        guard let space = space(id) else { throw Refusal("there is no space \(id.raw)") }
        bringForward(id)
        let wanted = space.windows.max { windows[$0]!.lastFocus < windows[$1]!.lastFocus }
        if let wanted { setFocus(wanted) }
    }

    /// Whether a space lies to the right (+1) or left (-1) of the one in front.
    public func hasNeighbour(_ step: Int) -> Bool { currentIndex.map { spaces.indices.contains($0 + step) } ?? false }

    /// The neighbouring space to the right (+1) or left (-1). Keys and scripts wrap around; a finger finds an end there.
    public mutating func showNeighbour(_ step: Int, wraps: Bool = true) throws(Refusal) {
        guard spaces.count > 1, let index = currentIndex, wraps || hasNeighbour(step) else { throw Refusal("there is no other space to go to") }
        try showSpace(spaces[(index + step + spaces.count) % spaces.count].id)
    }

    /// Shows the home screen in front of everything but Picture in Picture, or hides it.
    public mutating func setHome(_ wanted: Bool) throws(Refusal) {
        if !wanted, spaces.isEmpty, slideOver.stack.isEmpty { throw Refusal("no window is open") }
        isHome = wanted
        if wanted {
            focus = nil
        } else if let current {
            try showSpace(current)
        } else {
            refocus()
        }
    }

    // MARK: Slide Over

    private func requireSlideOver() throws(Refusal) -> WindowID {
        guard let front = slideOver.front else {
            try requireRoomForSlideOver()
            throw Refusal("no window is in Slide Over")
        }
        return front
    }

    public mutating func setSlideOverSide(_ side: Side) throws(Refusal) {
        let front = try requireSlideOver()
        guard side.axis == .horizontal else { throw Refusal("Slide Over stands left or right") }
        slideOver.side = side
        slideOver.isHidden = false
        isHome = false
        setFocus(front)
    }

    public mutating func setSlideOverHidden(_ hidden: Bool) throws(Refusal) {
        let front = try requireSlideOver()
        slideOver.isHidden = hidden
        if !hidden { isHome = false }
        if hidden { refocus() } else { setFocus(front) }
    }

    /// Flips through the stack. Forward brings the next one to the front.
    public mutating func flipSlideOver(forward: Bool) throws(Refusal) {
        _ = try requireSlideOver()
        guard slideOver.stack.count > 1 else { throw Refusal("only one window is in Slide Over") }
        if forward {
            slideOver.stack.append(slideOver.stack.removeFirst())
        } else {
            slideOver.stack.insert(slideOver.stack.removeLast(), at: 0)
        }
        slideOver.isHidden = false
        isHome = false
        setFocus(slideOver.stack[0])
    }

    // MARK: Picture in Picture

    private func requirePip() throws(Refusal) -> PictureInPicture {
        guard let pip else { throw Refusal("no window is in Picture in Picture") }
        return pip
    }

    public mutating func setPipCorner(_ corner: Corner) throws(Refusal) {
        _ = try requirePip()
        pip!.corner = corner
        pip!.stashed = nil
    }

    /// The displayed width in points; nil without a picture or a screen.
    public var pipWidth: Double? {
        guard let pip, let screen else { return nil }
        return clampedPipWidth(pip.width, aspect: pip.aspect, on: screen)
    }

    /// In points. Clamped to the limits of the idiom.
    public mutating func setPipWidth(_ width: Double) throws(Refusal) {
        let picture = try requirePip()
        guard let screen else { throw Refusal("there is no screen") }
        guard width.isFinite, width > 0 else { throw Refusal("a width must be a number of points above 0") }
        pip!.width = clampedPipWidth(width, aspect: picture.aspect, on: screen)
    }

    public mutating func setPipStashed(_ side: Side?) throws(Refusal) {
        let picture = try requirePip()
        if let side {
            guard side.axis == .horizontal else { throw Refusal("Picture in Picture is stashed left or right") }
            pip!.stashed = side
            pip!.corner = Corner(top: picture.corner.isTop, left: side == .left)
            refocus()
        } else {
            pip!.stashed = nil
        }
    }

    mutating func setPipShape(_ natural: Size, on screen: Screen) {
        guard !natural.isEmpty, pip != nil else { return }
        let aspect = max(0.4, min(2.6, natural.width / natural.height))
        guard pip!.width == 0 || abs(aspect - pip!.aspect) > 0.01 else { return }
        // All pictures have the same area, whatever their shape.
        let side = shorterSide(screen) * idiom.pipFirst
        let width = pip!.width == 0 ? side * (aspect > 1 ? 1 : aspect * 1.2) : pip!.width * (aspect / pip!.aspect).squareRoot()
        pip!.aspect = aspect
        pip!.width = clampedPipWidth(width, aspect: aspect, on: screen)
    }

    func clampedPipWidth(_ width: Double, aspect: Double, on screen: Screen) -> Double {
        let side = shorterSide(screen)
        let room = screen.usable.inset(by: idiom.pipMargin)
        let largest = max(1, min(side * idiom.pipLargest, room.width, room.height * aspect))
        return max(min(side * idiom.pipSmallest, largest), min(width, largest)).rounded()
    }

    // MARK: Waiting windows

    /// The user opens a window that waits (W-19).
    public mutating func admitWaiting(_ id: WindowID, to destination: Destination = .fullScreen) throws(Refusal) {
        _ = try require(id)
        guard waiting.contains(id) else { throw Refusal("\(id) is not waiting") }
        try move(id, to: destination)
    }
}
