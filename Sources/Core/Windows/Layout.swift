import Geometry
import OrderedCollections

/// Computes rectangles from places: a function of the arrangement and the screen, in points.
extension Workspace {
    func ground(on screen: Screen) -> Ground { Ground(idiom, screen, dock: dockArea, menuBar: menuBarHeight) }

    /// The two windows of a pair and the divider between them, for a share of the first window.
    public func splitFrames(_ split: Split, fraction: Double, on screen: Screen) -> (first: Rect, divider: Rect, second: Rect) {
        ground(on: screen).splitFrames(split, fraction: fraction)
    }

    /// The share of the first window for which the divider's centre is at `point`.
    public func dividerFraction(at point: Point, axis: Axis, on screen: Screen) -> Double {
        let room = screen.usable
        let half = idiom.split.thickness / 2
        let fraction =
            axis == .horizontal
            ? (point.x - room.x - half) / max(1, room.width - 2 * half)
            : (point.y - room.y - half) / max(1, room.height - 2 * half)
        return max(0, min(1, fraction))
    }

    /// The whole card of Slide Over, with its strips. If hidden, past the edge.
    public func slideOverCard(on screen: Screen, side: Side, isHidden: Bool) -> Rect {
        ground(on: screen).slideOverCard(side: side, isHidden: isHidden, isAlone: spaces.isEmpty)
    }

    /// The part of a card for the app.
    public func cardContent(_ card: Rect) -> Rect {
        card.inset(by: Insets(idiom.slideOver.topStrip, 0, idiom.slideOver.bottomStrip, 0))
    }

    /// The card around an app's part.
    public func cardAround(_ content: Rect) -> Rect {
        Rect(
            content.x, content.y - idiom.slideOver.topStrip, content.width,
            content.height + idiom.slideOver.topStrip + idiom.slideOver.bottomStrip)
    }

    public func pipFrame(_ pip: PictureInPicture, on screen: Screen) -> Rect { ground(on: screen).pictureFrame(pip) }

    /// The future frame of a window that goes to `destination`, for its first configure.
    public func expectedFrame(_ destination: Destination, on screen: Screen) -> Rect {
        switch destination {
        case .slideOver where admits(.slideOver):
            return cardContent(slideOverCard(on: screen, side: slideOver.side, isHidden: false))
        case .splitView(let side) where admits(destination) && current != nil:
            let pair = Split(first: WindowID(0), second: WindowID(0), portraitAxis: side.axis)
            let frames = splitFrames(pair, fraction: currentSpace?.split?.fraction ?? 0.5, on: screen)
            return side.isFirst ? frames.first : frames.second
        default:
            return screen.usable
        }
    }

    /// The frame of a dialog: centred on its parent, but inside the area of the window at the root (W-11).
    public func dialogFrame(_ size: Size, over parent: Rect, in room: Rect) -> Rect {
        dialogFrame(WindowContent(size: size, isStretched: false), over: parent, in: room)
    }

    public func dialogFrame(_ content: WindowContent, over parent: Rect, in room: Rect) -> Rect {
        let size = content.size
        guard !size.isEmpty else { return parent }
        let fitting = content.taken(in: room)
        guard parent != room else { return fitting }
        let left = parent.center.x - fitting.width / 2, top = parent.center.y - fitting.height / 2
        let isScaled = fitting.size != size
        return Rect(isScaled ? left : left.rounded(), isScaled ? top : top.rounded(), fitting.width, fitting.height).clamped(to: room)
    }

    /// The rectangle of every mapped window that has a place, visible or not. `telling`: the rectangles for
    /// configures, which are ahead of the visible ones during a drag of the divider.
    public func frames(telling: Bool = false) -> [WindowID: Rect] {
        guard let screen else { return [:] }
        var frames = partFrames(telling: telling)
        frames.reserveCapacity(windows.count)
        for space in spaces {
            if case .full(let window) = space.content, frames[window] == nil { frames[window] = screen.usable }
        }
        for window in waiting + confinement.keptOut { frames[window] = screen.usable }
        return frames
    }

    /// The same for one window, where `parts` is `partFrames()`. Cheaper for a few of many windows.
    public func frame(of id: WindowID, _ parts: [WindowID: Rect]) -> Rect? {
        parts[id] ?? (hasPlace(id) ? screen?.usable : nil)
    }

    /// The rectangles of only those windows that do not have the whole area: in pairs, in Slide Over, free, dialogs,
    /// and Picture in Picture.
    public func partFrames(telling: Bool = false) -> [WindowID: Rect] {
        guard let screen else { return [:] }
        var how = Purpose(isForClients: telling)
        if telling, let drag = dividerDrag, drag.space == current, let sent = drag.sent { (how.dragged, how.fraction) = (drag.space, sent) }
        var frames = arrangement.parts(on: ground(on: screen), how) { id in
            read(id) { window in
                var commit = window.commit
                commit.size = window.contentSize
                return (commit, titleBar(of: id))
            }
        }
        if screen.status > 0 {
            for space in spaces { if case .full(let window) = space.content, fillsScreen(window) { frames[window] = screen.whole } }
        }
        // Parents come before dialogs, because a dialog may stand on a dialog.
        let lines = modalLines()
        for id in children where windows[id]?.isMapped ?? false && frame(of: id, frames) == nil {
            placeDialog(id, in: &frames, lines, depth: 0)
        }
        clearPip(in: &frames, on: screen)
        return frames
    }

    private func placeDialog(_ id: WindowID, in frames: inout [WindowID: Rect], _ lines: ModalLines, depth: Int) {
        guard let window = windows[id], let parent = window.facts.parent, windows[parent] != nil, depth < 16 else { return }
        if frame(of: parent, frames) == nil { placeDialog(parent, in: &frames, lines, depth: depth + 1) }
        guard let over = frame(of: parent, frames) else { return }
        let place = frame(of: root(of: id, lines), frames) ?? over
        if let frame = presentedFrame(id, over: over, in: place, lines) { return frames[id] = frame }
        let own = sheetRoom(of: id, in: place, lines), room = roomForLargeDialog(window, in: own, lines)
        // One that takes the whole screen stands in its middle.
        var frame = dialogFrame(window.content, over: room == own || modality == .windows ? over : screen?.usable ?? over, in: room)
        if modality == .sheets, pip?.window != root(of: id, lines) {
            // In a narrow place a sheet stands at the bottom, where a finger reaches it (M-06).
            if idiom.isCompact(room.size) { frame.y = room.maxY - frame.height }
            // The upper edge of a sheet behind stays visible (M-02), unless this one is so tall that it covers it anyway.
            let lowered = over.minY + Workspace.sheetStep
            if base(of: parent) != nil, frame.minY < lowered,
                lowered + frame.height <= room.maxY || frame.minY > over.minY - Workspace.sheetStep
            {
                frame.y = min(lowered, max(room.maxY - frame.height, room.minY))
            }
        }
        let step = idiom.target + bar(of: id, lines), bottom = modality == .windows ? freeRoom?.maxY ?? room.maxY : room.maxY
        for other in childrenOf[parent] ?? [] where other != id && windows[other]?.isMapped ?? false {
            // A touch on the upper edge of another dialog brings that one back (P-04).
            guard let below = frames[other], frame.contains(below), below.minY + step + frame.height <= bottom else { continue }
            frame.y = below.minY + step
        }
        frames[id] = clearOfCard(frame, of: id, over: room)
    }

    /// The area for the sheets of a window: its upper edge stays visible (M-02), with the grip of the sheet on it.
    /// For a sheet whose title the shell draws, the area below its bar.
    func sheetRoom(of id: WindowID, in frame: Rect, _ lines: ModalLines? = nil) -> Rect {
        guard modality == .sheets, frame.height > 4 * Workspace.sheetTop else { return frame }
        return frame.inset(by: Insets(Workspace.sheetTop + bar(of: id, lines), 0, 0, 0))
    }

    /// The height of the bar with title and controls that the shell puts above the content of a window whose client draws none: of
    /// a sheet (M-09, M-12), or of a freely stacked window (W-25).
    public func bar(of id: WindowID, _ lines: ModalLines? = nil) -> Double {
        if modality == .windows || (idiom.dressing == .titleBar && base(of: id) == nil) { return titleBar(of: id) }
        guard read(id, { $0.facts.isBare }) ?? false || needsWayBack(id), base(of: id) != nil,
            pip?.window != root(of: id, lines), !isPopover(id, lines)
        else { return 0 }
        return sheetBar
    }

    /// The height of that bar on a sheet: its cross, as wide as it is high, is a touch target.
    var sheetBar: Double { max(44, idiom.target) }

    static let sheetTop = 22.0
    /// How much lower a sheet on a sheet begins.
    static let sheetStep = 12.0

    public enum Telling: Hashable, Sendable {
        case configure(WindowID, Configure)
        /// The same size at another position, which only X11 clients need to know.
        case place(WindowID, Point)
    }

    /// The configures that are needed now: the differences to what each window was last sent, with new sequence
    /// numbers (W-10).
    public mutating func configures() -> [Telling] {
        guard let screen else { return [] }
        followLenses()
        let frames = partFrames(telling: true), lines = modalLines()
        var changed: [Telling] = []
        for index in staleWindows(frames) {
            let window = windows.values[index]
            var desired = Configure(
                sequence: 0, frame: screen.usable, chooses: false, activated: focus == window.id, arranged: true,
                fullscreen: window.commit.wantsFullscreen || tile(of: window.id) == .full)
            if let overLock, overLock.window == window.id {
                (desired.frame, desired.activated, desired.fullscreen) = (overLock.area, true, false)
            } else if window.facts.parent.map({ windows[$0]?.isMapped == true }) ?? false,
                !hasPlace(window.id)
            {
                let place = frame(of: root(of: window.id, lines), frames) ?? screen.usable
                let room = roomForLargeDialog(window, in: sheetRoom(of: window.id, in: place, lines), lines)
                desired.arranged = false
                desired.frame = frames[window.id] ?? screen.usable
                if let presentation = presentation(of: window.id, lines), presentation.isCovering {
                    let over = window.facts.parent.flatMap { frame(of: $0, frames) } ?? place
                    desired.frame = presentedFrame(window.id, over: over, in: place, lines) ?? desired.frame
                    desired.arranged = true
                } else if modality == .sheets,
                    let size = window.dialogSize(in: room.size, fillsWidth: idiom.sheetsFillWidth && idiom.isCompact(room.size))
                {
                    desired.frame = Rect(origin: desired.frame.origin, size: size)
                } else {
                    desired.chooses = true
                }
            } else if !desired.fullscreen || pip?.window != window.id,
                let offer = window.isMapped ? arrangement.offer(window.id) : expectedOffer(window) ?? arrangement.offer(window.id)
            {
                switch fitting(offer, window, on: screen) {
                case .chooses:
                    (desired.chooses, desired.arranged) = (!desired.fullscreen, false)
                    // X11 cannot ask a program to choose: without a size it keeps that of its last place. It gets the one that it chose.
                    if desired.chooses, window.facts.isX11, window.isMapped, window.lastConfigure?.chooses == false {
                        desired.chooses = false
                        let own =
                            window.naturalSize
                            ?? window.commit.permitted(Workspace.loose(window.contentSize, in: ground(on: screen).freeRoom))
                        desired.frame = Rect(origin: frames[window.id]?.origin ?? screen.usable.origin, size: own)
                    }
                case .size(let size):
                    desired.arranged = false
                    if !desired.fullscreen { desired.frame = Rect(origin: frames[window.id]?.origin ?? screen.usable.origin, size: size) }
                }
            } else if window.isMapped {
                desired.frame = frames[window.id] ?? screen.usable
            } else {
                let wanted = expectedDestination(window)
                if let taken = takenPlaceholder(window) {
                    desired.frame = frames[taken] ?? screen.usable
                } else if wanted == .pictureInPicture || willBeProminent(window) {
                    // It shows its natural shape first. A video then gets a size of that shape.
                    desired.chooses = true
                    desired.arranged = false
                } else {
                    desired.frame = expectedFrame(wanted, on: screen)
                }
            }
            let place = desired.frame.size
            if desired.arranged { desired.frame = Rect(origin: desired.frame.origin, size: window.filling(place)) }
            // An X11 program accepts any size, but draws what it can: in a corner, or cut off (W-11).
            if window.facts.isX11, window.isMapped, !desired.fullscreen {
                desired.frame = Rect(origin: desired.frame.origin, size: window.commit.permitted(desired.frame.size))
            }
            desired.frame = Workspace.whole(desired.frame)
            if desired.chooses {
                desired.frame.width = 0
                desired.frame.height = 0
            }
            // A client that does not answer gets the latest size when it does, or when the finger lets go.
            if dividerDrag != nil, window.isLate, window.lastConfigure != nil { continue }
            // A frozen client gets one configure with everything when it is thawed.
            if window.isSuspended || window.placeholder != nil { continue }
            if desired.arranged { windows.values[index].note(place: place) }
            if let lastConfigure = window.lastConfigure, lastConfigure.says(sameAs: desired) {
                if window.facts.isX11, lastConfigure.frame.origin != desired.frame.origin {
                    windows.values[index].lastConfigure!.frame = desired.frame
                    changed.append(.place(window.id, desired.frame.origin))
                }
                continue
            }
            desired.sequence = nextSequence
            if window.lastConfigure?.frame.size != desired.frame.size { windows.values[index].resized = nextSequence }
            nextSequence &+= 1
            windows.values[index].lastConfigure = desired
            changed.append(.configure(window.id, desired))
        }
        return changed
    }

    /// Converts a rectangle for a client: whole points, and at least one.
    private static func whole(_ frame: Rect) -> Rect {
        let rect = frame.rounded
        return Rect(rect.x, rect.y, max(1, rect.width), max(1, rect.height))
    }

    /// The indices of windows that may need a configure. Excludes windows that have the whole area and were told so.
    /// This runs at every event, and most windows are excluded, so it copies none.
    private func staleWindows(_ parts: [WindowID: Rect]) -> [Int] {
        guard let screen, let area = arrangement.usual(on: screen) else { return Array(windows.values.indices) }
        let usual = Workspace.whole(area), focus = focus, mayBeLaunched = !launches.all.isEmpty
        let all = windows.values.elements
        var found: [Int] = []
        /// The last window that was not Picture in Picture by its facts. Windows of the same app often follow each other.
        var plain: Int?
        for index in all.indices {
            guard let lastConfigure = all[index].lastConfigure, lastConfigure.frame.size == usual.size, !lastConfigure.chooses,
                lastConfigure.arranged,
                lastConfigure.activated == (focus == all[index].id), lastConfigure.fullscreen == all[index].commit.wantsFullscreen,
                all[index].facts.parent == nil, all[index].id != overLock?.window, all[index].filling(usual.size) == usual.size,
                !all[index].facts.isX11 || lastConfigure.frame.origin == usual.origin,
                parts.isEmpty || parts[all[index].id] == nil
            else {
                found.append(index)
                continue
            }
            guard !all[index].isMapped else { continue }
            if !mayBeLaunched, !all[index].facts.isPip {
                if let plain, all[plain].facts.appID == all[index].facts.appID, all[plain].facts.title == all[index].facts.title {
                    continue
                }
                if !announcesPip(all[index].facts) {
                    plain = index
                    continue
                }
            }
            found.append(index)
        }
        return found
    }

    /// The placeholder that an unmapped window will replace.
    private func takenPlaceholder(_ window: Window) -> WindowID? {
        guard hasPlaceholders else { return nil }
        return placeholder(for: window, expectedLaunch(window).map { .init(launch: $0.id, role: .first) }, at: launches.latest)
    }

    private func expectedLaunch(_ window: Window) -> Launches.Launch? { launches.expected(arrival(window)) }

    /// Whether an unmapped window will be raised over another one (W-14), so that it chooses its size.
    private func willBeProminent(_ window: Window) -> Bool {
        guard window.facts.parent == nil else { return false }
        if asks(window), promptBase(of: window) != nil { return true }
        if expectedLaunch(window)?.pinchedFrom.map(isShown) ?? false { return true }
        return window.facts.hints?.resolvedStyle == .prominent && peer(of: window) != nil
    }

    private func expectedDestination(_ window: Window) -> Destination {
        let launch = expectedLaunch(window)
        if let destination = launch?.destination { return destination }
        return announcesPip(window.facts) ? .pictureInPicture : .fullScreen
    }
}
