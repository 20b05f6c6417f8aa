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
        try requireAllowed(id)
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
        let isFull = spaces.contains { $0.content == .full(id) }
        joinFullSpace(id)
        do throws(Refusal) {
            if destination.kind != .slideOver || !slideOver.stack.contains(id) { try require(destination.kind) }
            if destination == .pictureInPicture {
                makePictureInPicture(id)
            } else {
                try arrangement.change { (all) throws(Refusal) in try all.put(id, at: destination) }
            }
        } catch {
            // A prominent window stays where it was raised.
            if let before { self = before }
            throw error
        }
        if !sinking.isEmpty { sinking.remove(id) }
        waiting.removeAll { $0 == id }
        edit(id) { $0.isAdmitted = true }
        // A person takes a window out of the full screen that its app chose, or asks for the whole screen where it has that: the app's own
        // bars come back, which a finger may not reach otherwise (P-04). A film becomes full again when its picture does.
        if destination != .pictureInPicture, destination != .fullScreen || isFull { edit(id) { $0.commit.wantsFullscreen = false } }
        holdDividers()
        guard destination == .pictureInPicture else { return setFocus(id) }
        // Picture in Picture takes no keyboard input, so the focus goes to the window below it.
        if let focus, root(of: focus) == id { self.focus = nil }
        refocus()
    }

    /// The partner for `id` in a new split: what is in front, or else what was in front before. nil: there is none, or no Split
    /// View here.
    public func splitPartner(for id: WindowID) -> SpaceID? {
        if case .pad(let pad) = arrangement { pad.splitPartner(for: id) } else { nil }
    }

    /// Throws the reason if windows cannot be put at such a place here.
    public func require(_ place: Places) throws(Refusal) {
        guard !idiom.places.contains(place) else { return }
        let name =
            switch place {
            case .slideOver: "Slide Over"
            case .splitView: "Split View"
            case .pictureInPicture: "Picture in Picture"
            default: "such place"
            }
        guard whole?.places.contains(place) ?? false, let size = screen?.size else {
            throw Refusal("the idiom \(idiom.name) has no \(name)")
        }
        throw Refusal(
            "\(name) needs a tablet's screen; one of \(Int(clamping: size.width))x\(Int(clamping: size.height)) points has no room beside an app"
        )
    }

    private mutating func makePictureInPicture(_ id: WindowID) {
        if pip?.window == id { return arrangement.picture!.stashed = nil }
        takeOut(id)
        var corner = Corner.bottomRight
        if let replaced = pip?.window {
            corner = pip!.corner
            arrangement.picture = nil
            arrangement.change { $0.putBeside(replaced) }
        }
        let shape = windows[id]!.naturalSize ?? Size(16, 9)
        arrangement.picture = PictureInPicture(window: id, corner: corner, width: 0, aspect: shape.width / shape.height)
        if let screen { setPipShape(shape, on: screen) }
    }

    // MARK: Split View

    /// Moves the divider to a share of the first window, within the limits of the idiom.
    public mutating func setDivider(_ fraction: Double) throws(Refusal) {
        guard let current, var split = space(current)?.split else { throw Refusal("no Split View is in front") }
        guard fraction.isFinite else { throw Refusal("the divider's place must be a number between 0 and 1") }
        split.fraction = max(0, min(1, fraction))
        arrangement.change { $0.spaces.set(.split(split), of: current) }
    }

    /// Where the divider would rest when released at `fraction`. nil if one window remains, the larger one.
    public func dividerRest(_ fraction: Double) -> Double? {
        guard fraction > idiom.split.edge, fraction < 1 - idiom.split.edge else { return nil }
        return idiom.split.snaps.min { abs($0 - fraction) < abs($1 - fraction) }
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

    /// Sets a divider that a person does not move to the first rest position of the idiom in every pair, whichever window is at which side
    /// of it.
    mutating func holdDividers() {
        guard idiom.split.fixed, let share = idiom.split.snaps.first else { return }
        for space in spaces {
            guard var split = space.split, split.fraction != share else { continue }
            split.fraction = share
            arrangement.change { $0.spaces.set(.split(split), of: space.id) }
        }
    }

    public mutating func swapSplit() throws(Refusal) {
        guard let current, var split = space(current)?.split else { throw Refusal("no Split View is in front") }
        swap(&split.first, &split.second)
        split.fraction = 1 - split.fraction
        arrangement.change { $0.spaces.set(.split(split), of: current) }
        holdDividers()
    }

    // MARK: Spaces

    public mutating func showSpace(_ id: SpaceID) throws(Refusal) {
        guard space(id) != nil else { throw Refusal("there is no space \(id.raw)") }
        arrangement.change { $0.choose(id) }
        focusSpace(id)
    }

    private mutating func focusSpace(_ id: SpaceID) {
        guard let space = space(id) else { return }
        let wanted = space.windows.max { windows[$0]!.lastFocus < windows[$1]!.lastFocus }
        if let wanted { return setFocus(wanted) }
        guard space.windows.isEmpty else { return }
        focus = nil
        refocus()
    }

    /// Whether a space lies to the right (+1) or left (-1) of the one in front.
    public func hasNeighbour(_ step: Int) -> Bool { arrangement.spaces.currentIndex.map { spaces.indices.contains($0 + step) } ?? false }

    /// The neighbouring space to the right (+1) or left (-1). Keys and scripts wrap around; a finger finds an end there.
    public mutating func showNeighbour(_ step: Int, wraps: Bool = true) throws(Refusal) {
        guard spaces.count > 1, let index = arrangement.spaces.currentIndex, wraps || hasNeighbour(step) else {
            throw Refusal("there is no other space to go to")
        }
        let neighbour = spaces[(index + step + spaces.count) % spaces.count].id
        arrangement.change { $0.spaces.bringForward(neighbour) }
        focusSpace(neighbour)
    }

    /// Shows the home screen in front of everything but Picture in Picture, or hides it.
    public mutating func setHome(_ wanted: Bool) throws(Refusal) {
        if !wanted, spaces.isEmpty, slideOver.stack.isEmpty { throw Refusal("no window is open") }
        arrangement.change { $0.spaces.isHome = wanted }
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
            try require(.slideOver)
            throw Refusal("no window is in Slide Over")
        }
        return front
    }

    public mutating func setSlideOverSide(_ side: Side) throws(Refusal) {
        let front = try requireSlideOver()
        guard side.axis == .horizontal else { throw Refusal("Slide Over stands left or right") }
        changeSlideOver {
            $0.side = side
            $0.isHidden = false
        }
        setFocus(front)
    }

    public mutating func setSlideOverHidden(_ hidden: Bool) throws(Refusal) {
        let front = try requireSlideOver()
        changeSlideOver(showing: !hidden) { $0.isHidden = hidden }
        if hidden { refocus() } else { setFocus(front) }
    }

    /// Flips through the stack. Forward brings the next one to the front.
    public mutating func flipSlideOver(forward: Bool) throws(Refusal) {
        _ = try requireSlideOver()
        guard slideOver.stack.count > 1 else { throw Refusal("only one window is in Slide Over") }
        changeSlideOver {
            if forward { $0.stack.append($0.stack.removeFirst()) } else { $0.stack.insert($0.stack.removeLast(), at: 0) }
            $0.isHidden = false
        }
        setFocus(slideOver.stack[0])
    }

    /// - Parameter showing: the card comes into sight.
    private mutating func changeSlideOver(showing: Bool = true, _ change: (inout SlideOver) -> Void) {
        guard case .pad(var pad) = arrangement else { return }
        change(&pad.slideOver)
        if showing { pad.spaces.isHome = false }
        arrangement = .pad(pad)
    }

    // MARK: Picture in Picture

    private func requirePip() throws(Refusal) -> PictureInPicture {
        guard let pip else { throw Refusal("no window is in Picture in Picture") }
        return pip
    }

    public mutating func setPipCorner(_ corner: Corner) throws(Refusal) {
        _ = try requirePip()
        arrangement.picture!.corner = corner
        arrangement.picture!.stashed = nil
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
        arrangement.picture!.width = clampedPipWidth(width, aspect: picture.aspect, on: screen)
    }

    public mutating func setPipStashed(_ side: Side?) throws(Refusal) {
        let picture = try requirePip()
        if let side {
            guard side.axis == .horizontal else { throw Refusal("Picture in Picture is stashed left or right") }
            arrangement.picture!.stashed = side
            arrangement.picture!.corner = Corner(top: picture.corner.isTop, left: side == .left)
            refocus()
        } else {
            arrangement.picture!.stashed = nil
        }
    }

    mutating func setPipShape(_ natural: Size, on screen: Screen) {
        guard !natural.isEmpty, pip != nil else { return }
        let aspect = max(0.4, min(2.6, natural.width / natural.height))
        guard pip!.width == 0 || abs(aspect - pip!.aspect) > 0.01 else { return }
        // All pictures have the same area, whatever their shape.
        let side = screen.shorterSide * idiom.picture.first
        let width = pip!.width == 0 ? side * (aspect > 1 ? 1 : aspect * 1.2) : pip!.width * (aspect / pip!.aspect).squareRoot()
        arrangement.picture!.aspect = aspect
        arrangement.picture!.width = clampedPipWidth(width, aspect: aspect, on: screen)
    }

    /// Gives the picture the shape of such a size, unless it is a video's and has one of its own.
    public mutating func shapePicture(like size: Size) {
        guard let screen else { return }
        arrangement.picture?.width = 0
        setPipShape(size, on: screen)
    }

    /// The picture is a window like others again, beside the one in front.
    public mutating func putPictureBack() {
        guard let id = pip?.window else { return }
        arrangement.picture = nil
        arrangement.change { $0.putBeside(id) }
        refocus()
    }

    func clampedPipWidth(_ width: Double, aspect: Double, on screen: Screen) -> Double {
        ground(on: screen).pictureWidth(width, aspect: aspect)
    }

    // MARK: Waiting windows

    /// The user opens a window that waits (W-19).
    public mutating func admitWaiting(_ id: WindowID, to destination: Destination = .fullScreen) throws(Refusal) {
        _ = try require(id)
        guard waiting.contains(id) else { throw Refusal("\(id) is not waiting") }
        try move(id, to: destination)
    }
}
