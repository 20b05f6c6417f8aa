import Geometry

/// Where a person last had a window of an app (W-25).
public struct FreePlace: Hashable, Codable, Sendable {
    public var app: String
    /// The frame of the window's content, in points of the screen.
    public var frame: Rect
    /// Whether a person chose the size. Otherwise windows of the app choose it themselves.
    public var isSized: Bool
    public var tile: Tile?

    /// How many apps are remembered.
    static let most = 100

    var isPlausible: Bool {
        [frame.x, frame.y, frame.width, frame.height].allSatisfy { $0.isFinite && abs($0) <= 32768 } && frame.width >= 1
            && frame.height >= 1 && !app.isEmpty
    }
}

/// Places of new freely stacked windows: where the last window of the app was, else below and beside the window in front.
extension Workspace {
    /// A window closes: the next one of its app opens there.
    mutating func rememberPlace(of id: WindowID) {
        guard let place = freePlace(of: id) else { return }
        freePlaces.removeAll { $0.app == place.app }
        freePlaces.append(place)
        if freePlaces.count > FreePlace.most { freePlaces.removeFirst(freePlaces.count - FreePlace.most) }
    }

    /// The places to keep for the next session: those of closed windows, and those of open ones.
    var keptPlaces: [FreePlace] {
        var copy = self
        for id in arrangement.free?.windows ?? [] { copy.rememberPlace(of: id) }
        return copy.freePlaces
    }

    /// Takes over the kept places of the last session. No part of them is trusted.
    mutating func restorePlaces(_ kept: [FreePlace]) {
        freePlaces = kept.suffix(FreePlace.most).filter(\.isPlausible)
    }

    private func freePlace(of id: WindowID) -> FreePlace? {
        guard idiom.free.cascade > 0, let free = arrangement.free, let frame = free.frames[id], let origin = frame.origin,
            let window = windows[id],
            window.isMapped, !window.app.isEmpty, free.contains(id), pip?.window != id
        else { return nil }
        let corner = origin + (window.commit.offset ?? .zero)
        let size = frame.size ?? (frame.tile == nil ? window.contentSize : window.naturalSize ?? window.contentSize)
        let place = FreePlace(
            app: window.app, frame: Rect(origin: corner, size: size), isSized: frame.size != nil,
            tile: frame.tile == .full ? nil : frame.tile)
        return place.isPlausible ? place : nil
    }

    /// The place of the app's window that was used last, or where its last one was.
    private func lastPlace(ofApp app: String, but id: WindowID) -> FreePlace? {
        guard !app.isEmpty else { return nil }
        let open = windows.values.filter { $0.app == app && $0.id != id && $0.isMapped && isFree($0.id) }.max {
            $0.lastFocus < $1.lastFocus
        }
        return open.flatMap { freePlace(of: $0.id) } ?? freePlaces.last { $0.app == app }
    }

    /// The size that a window gets before it shows itself, if a person chose one for its app.
    func expectedOffer(_ window: Window) -> Offer? {
        guard arrangement.kind == .free, idiom.free.cascade > 0, let screen, let place = lastPlace(ofApp: window.app, but: window.id),
            place.isSized,
            window.facts.parent == nil
        else { return nil }
        let room = ground(on: screen).freeRoom
        return .size(Size(min(place.frame.width, room.width), min(place.frame.height, room.height)).rounded)
    }

    /// The size that the shell offers a freely stacked window: at most that of the room, so that the whole window is in sight, also after
    /// the screen became smaller (P-04, W-25). When the room grows, the window gets back the size that it, or a person, chose.
    func fitting(_ offer: Offer, _ window: Window, on screen: Screen) -> Offer {
        guard window.isMapped, arrangement.kind == .free, idiom.free.cascade > 0, idiom.depth == nil, !window.commit.wantsFullscreen,
            !(arrangement.free?.frames[window.id]?.isPartlyOut ?? false)
        else { return offer }
        let room = ground(on: screen).freeRoom.inset(by: Insets(titleBar(of: window.id), 0, 0, 0)).size
        func least(_ size: Size) -> Size { Size(min(size.width, room.width), min(size.height, room.height)).rounded }
        switch offer {
        case .size(let size): return .size(least(size))
        case .chooses:
            let wasTold = window.lastConfigure.map { !$0.chooses && !$0.arranged } ?? false
            guard let own = window.naturalSize, !own.isEmpty, wasTold || least(own) != own.rounded else { return .chooses }
            return .size(least(own))
        }
    }

    /// A size for a window that filled its place in another idiom, and never chose one.
    static func loose(_ size: Size, in room: Rect) -> Size {
        Size(min(size.width, room.width * 0.7), min(size.height, room.height * 0.7)).rounded
    }

    private func fillsScreen(_ window: Window) -> Bool {
        window.commit.wantsFullscreen || window.lastConfigure?.fullscreen ?? false || arrangement.free?.frames[window.id]?.tile == .full
    }

    /// A window that was born in full screen has its own size for the first time: it gets its place.
    mutating func findRoomAfterFullScreen(for id: WindowID) {
        guard let free = arrangement.free, free.spaces.contains(id), free.frames[id]?.origin == nil, free.frames[id]?.tile == nil,
            let window = windows[id], let told = window.lastConfigure,
            // An X11 program may choose a size that the shell did not tell it.
            window.commit.answered >= told.sequence || window.facts.isX11 && window.contentSize != screen?.usable.size
        else { return }
        findRoom(for: id)
    }

    /// Gives a freely stacked window that has no place yet one. One that was born in full screen gets it when it leaves that.
    mutating func findRoom(for id: WindowID) {
        guard let screen, let free = arrangement.free, free.spaces.contains(id), free.frames[id]?.origin == nil, idiom.free.cascade > 0,
            let window = windows[id], window.isMapped, idiom.depth != nil || !fillsScreen(window)
        else { return }
        let bar = titleBar(of: id), step = idiom.free.cascade
        let room = ground(on: screen).freeRoom.inset(by: Insets(bar, 0, 0, 0))
        let last = lastPlace(ofApp: window.app, but: id)
        // It may still have the size of another idiom's place, and chooses another one now.
        let isNew = window.lastConfigure.map { $0.chooses || !$0.arranged } ?? true
        var size = window.contentSize
        if !isNew { size = window.naturalSize ?? Workspace.loose(size, in: room) }
        if let measures = idiom.depth {
            return arrangement.free!.frames[id, default: FreeFrame()].origin = roomInSpace(
                for: id, Size(min(size.width, room.width), min(size.height, room.height)), in: screen.usable, measures)
        }
        var frame = free.frames[id] ?? FreeFrame()
        if let size = frame.size {
            frame.size = size
        } else if let last, last.isSized {
            size = window.commit.permitted(Size(min(last.frame.width, room.width), min(last.frame.height, room.height))).rounded
            frame.size = size
        }
        let others = free.frames.filter { $0.key != id && free.spaces.contains($0.key) && $0.value.tile == nil }.compactMap {
            $0.value.origin
        }
        let front = shownRoots.last { $0 != id && isFree($0) && free.frames[$0]?.tile == nil && free.frames[$0]?.origin != nil }
        func isTaken(_ point: Point) -> Bool { others.contains { abs($0.x - point.x) < step / 2 && abs($0.y - point.y) < step / 2 } }
        func fitted(_ point: Point) -> Point { FreeFrame.inside(Rect(origin: point, size: size), bar: 0, room).rounded.origin }
        var place: Point
        if let last {
            place = fitted(last.frame.origin)
        } else if let front, let origin = free.frames[front]?.origin {
            // Its title stays in sight.
            place = Point(origin.x + step, origin.y + max(step, bar))
            place = place.y + size.height > room.maxY ? fitted(Point(place.x, room.y)) : fitted(place)
        } else {
            // There is less above it than below.
            place = fitted(Point(room.center.x - size.width / 2, room.y + max(0, room.height - size.height) * 0.4))
        }
        for turn in 0..<max(1, others.count + 1) where isTaken(place) {
            let next = fitted(place + Vector(step, step))
            place = next == place || next.y <= place.y ? fitted(Point(room.x + Double(turn) * step, room.y)) : next
        }
        frame.origin = place + (window.commit.offset ?? .zero) * -1
        frame.tile = frame.tile ?? (others.isEmpty || last?.tile == .whole ? last?.tile : nil)
        arrangement.free?.frames[id] = frame
    }
}

/// Apps whose windows are stacked freely.
extension Workspace {
    /// Whether windows are stacked freely.
    public var isFreelyStacked: Bool { arrangement.kind == .free }

    /// The free windows that a person minimized by their own control, oldest first, without those of hidden apps.
    public var minimizedWindows: [WindowID] {
        guard let free = arrangement.free else { return [] }
        return free.minimized.filter { !free.hidden.contains($0) }
    }

    /// Whether a window out of sight was put away with its app.
    public func isHiddenWithApp(_ id: WindowID) -> Bool { arrangement.free?.hidden.contains(id) ?? false }

    /// Puts all windows of an app away, until a person asks for one of them.
    public mutating func hide(app: String) throws(Refusal) {
        guard var free = arrangement.free else { throw Refusal("the idiom \(idiom.name) hides no apps") }
        let theirs = free.spaces.list.flatMap { $0.free ?? [] }.filter { windows[$0]?.app == app }
        guard !theirs.isEmpty else { throw Refusal("no window of \(app) is in sight") }
        free.hide(theirs)
        arrangement.free = free
        refocus()
    }

    /// A window of a hidden app is asked for: all of them come back, and it comes in front.
    mutating func showHidden(with id: WindowID) {
        guard let free = arrangement.free, free.hidden.contains(id), let app = windows[id]?.app else { return }
        for other in free.hidden where other != id && windows[other]?.app == app { arrangement.free?.show(other) }
    }

    /// The window that a person means by an app: the last one used of those that are not minimized, if there is one.
    public func frontWindow(ofApp app: String) -> WindowID? {
        let theirs = windows(of: app)
        guard let free = arrangement.free else { return theirs.first }
        return theirs.first { !free.minimized.contains($0) || free.hidden.contains($0) } ?? theirs.first
    }

    /// A person asks for an app: all its windows come in front, in their order.
    public mutating func raiseApp(_ app: String) {
        let theirs = windows(of: app)
        arrangement.free?.raise(theirs)
    }

    /// The front window of each app, which looks different from its others (W-25).
    public func isMain(_ id: WindowID) -> Bool {
        guard let free = arrangement.free, let app = windows[id]?.app else { return false }
        return free.spaces.list.flatMap { $0.free ?? [] }.last { windows[$0]?.app == app } == id
    }

    /// The area for freely stacked windows, below the menu bar and above a dock that stands; nil without a screen.
    public var freeRoom: Rect? { screen.map { ground(on: $0).freeRoom } }

    /// Whether the dock stands in sight (W-25).
    public var hasStandingDock: Bool {
        idiom.home.dockStands && !isFullScreenInFront && !(screen.map { ground(on: $0).dockMakesWay } ?? false)
    }

    /// The height of the menu bar; 0: the idiom has none.
    public var menuBarHeight: Double { idiom.free.menuBar > 0 ? grownMenuBar ?? idiom.free.menuBar : 0 }

    public mutating func setMenuBar(height: Double?) { grownMenuBar = height == idiom.free.menuBar ? nil : height }

    /// The menu bar, while it is in sight; nil otherwise.
    public var menuBar: Rect? {
        guard idiom.free.menuBar > 0, let room = screen?.usable, !isFullScreenInFront || windowBelowBar != nil else { return nil }
        return Rect(room.x, room.y, room.width, menuBarHeight)
    }

    /// Where a pointer that rests opens the overview; nil: nowhere.
    public var hotCorner: Point? {
        guard let size = screen?.size else { return nil }
        return switch idiom.free.hotCorner {
        case .none: nil
        case .topLeft: .zero
        case .topRight: Point(size.width - 1, 0)
        case .bottomLeft: Point(0, size.height - 1)
        case .bottomRight: Point(size.width - 1, size.height - 1)
        }
    }

    /// Whether menu bar or standing dock may be at a point. Most points are over apps.
    public func mayRest(at point: Point) -> Bool {
        if let bar = menuBar, bar.contains(point) { return true }
        guard hasStandingDock, let dock = dockArea else { return false }
        return dock.inset(by: -6).contains(point)
    }
}
