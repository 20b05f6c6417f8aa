import Geometry

/// Where windows stand in one idiom, as it is kept on disk (W-20). Windows are named as in `KeptArrangement`.
///
/// Values that later shells may extend are kept as text, so that this one reads the rest.
public struct KeptPlaces: Hashable, Codable, Sendable {
    /// The idiom; nil: older shells kept the arrangement of one idiom without its name.
    public var idiom: String?
    /// `ArrangementKind`.
    public var kind: String?
    public var spaces: [KeptSpace] = []
    /// The space in front, as a position in `spaces`.
    public var current: Int?
    public var isHome = false
    /// Front first.
    public var slideOver: [UInt32] = []
    public var slideOverSide = Side.right
    public var isSlideOverHidden = false
    public var pip: KeptPicture?
    /// The places of freely stacked windows; nil where there are none.
    public var frames: [KeptFrame]?
    /// Oldest first.
    public var minimized: [UInt32]?

    public init() {}
}

/// The place of a freely stacked window (`FreeFrame`).
public struct KeptFrame: Hashable, Codable, Sendable {
    public var window: UInt32
    /// In points of the screen.
    public var origin: Point?
    public var size: Size?
    public var right: Double?
    public var bottom: Double?
    /// `Tile`.
    public var tile: String?
    public var tileAfterFull: String?
    /// Whether a person moved a part of it out of sight.
    public var isPartlyOut: Bool?

    init(_ window: UInt32, _ frame: FreeFrame) {
        self.window = window
        origin = frame.origin
        size = frame.size
        right = frame.right
        bottom = frame.bottom
        tile = frame.tile?.rawValue
        tileAfterFull = frame.tileAfterFull?.rawValue
        isPartlyOut = frame.isPartlyOut ? true : nil
    }

    /// Only values that can come from a real session.
    var frame: FreeFrame {
        func sane(_ length: Double?) -> Double? { length.flatMap { abs($0) <= 1_000_000 ? $0 : nil } }
        var frame = FreeFrame()
        if let origin, let x = sane(origin.x), let y = sane(origin.y) {
            frame.origin = Point(x, y)
            frame.right = sane(right)
            frame.bottom = sane(bottom)
        }
        frame.size = size.flatMap { $0.isPlausible ? $0 : nil }
        frame.tile = tile.flatMap { Tile(rawValue: $0) }
        frame.tileAfterFull = tileAfterFull.flatMap { Tile(rawValue: $0) }.flatMap { frame.tile == .full && $0 != .full ? $0 : nil }
        frame.isPartlyOut = isPartlyOut ?? false
        return frame
    }
}

extension KeptArrangement {
    /// The arrangement that was in effect.
    var places: KeptPlaces {
        get {
            var places = KeptPlaces()
            (places.idiom, places.kind, places.spaces, places.current, places.isHome) = (idiom, kind, spaces, current, isHome)
            (places.slideOver, places.slideOverSide, places.isSlideOverHidden) = (slideOver, slideOverSide, isSlideOverHidden)
            (places.pip, places.frames, places.minimized) = (pip, frames, minimized)
            return places
        }
        set {
            (idiom, kind, spaces, current, isHome) = (newValue.idiom, newValue.kind, newValue.spaces, newValue.current, newValue.isHome)
            (slideOver, slideOverSide, isSlideOverHidden) = (newValue.slideOver, newValue.slideOverSide, newValue.isSlideOverHidden)
            (pip, frames, minimized) = (newValue.pip, newValue.frames, newValue.minimized)
        }
    }
}

extension Arrangement {
    /// Returns the arrangement as it is kept.
    ///
    /// - Parameter known: the numbers of the windows that are kept.
    func kept(_ name: String, _ known: Set<UInt32>) -> KeptPlaces {
        func numbers(_ windows: [WindowID]) -> [UInt32] { windows.map(\.raw).filter(known.contains) }
        var kept = KeptPlaces()
        kept.idiom = name
        kept.kind = kind.rawValue
        for space in spaces.list {
            let windows = numbers(space.windows)
            guard !windows.isEmpty else { continue }
            if space.id == spaces.current { kept.current = kept.spaces.count }
            let split = windows.count == 2 ? space.split : nil
            kept.spaces.append(
                KeptSpace(
                    windows: windows, fraction: split?.fraction, portraitAxis: split?.portraitAxis, lastUse: space.lastUse))
        }
        kept.isHome = spaces.isHome
        kept.slideOver = numbers(slideOver.stack)
        kept.slideOverSide = slideOver.side
        kept.isSlideOverHidden = slideOver.isHidden
        if let picture, known.contains(picture.window.raw) {
            kept.pip = KeptPicture(
                window: picture.window.raw, corner: picture.corner, width: picture.width, aspect: picture.aspect, stashed: picture.stashed)
        }
        if let free {
            kept.frames = numbers(free.frames.keys.sorted()).map { KeptFrame($0, free.frames[WindowID($0)]!) }
            kept.minimized = numbers(free.minimized)
        }
        return kept
    }

    /// Puts windows back where they were kept. Windows that it has keep their places.
    ///
    /// - Parameters:
    ///   - ids: the windows that it does not have yet, by their kept numbers. Each is taken out with its place.
    ///   - admits: whether a person may put windows at such a place here.
    ///   - offersHome: whether a home screen that was in front comes back. An idiom that offers none has no way to leave it.
    mutating func restore(_ kept: KeptPlaces, _ ids: inout [UInt32: WindowID], offersHome: Bool, admits: (Destination) -> Bool) {
        let latest = KeptArrangement.latest
        change { $0.spaces.clock = min(latest, max($0.spaces.clock, kept.spaces.map(\.lastUse).max() ?? 0)) }
        // Each window has one place only.
        func take(_ number: UInt32) -> WindowID? { ids.removeValue(forKey: number) }

        for frame in kept.frames ?? [] where free != nil { if let id = ids[frame.window] { free!.frames[id] = frame.frame } }
        if let old = kept.pip, admits(.pictureInPicture), picture == nil, let window = take(old.window) {
            let width = old.width.isFinite && old.width > 0 ? old.width : 0
            let aspect = old.aspect.isFinite && old.aspect > 0 ? old.aspect : 16 / 9
            var new = PictureInPicture(window: window, corner: old.corner, width: width, aspect: aspect)
            new.stashed = old.stashed.flatMap { $0.axis == .horizontal ? $0 : nil }
            picture = new
        }
        if kind == .pad, admits(.slideOver) {
            let stack = kept.slideOver.compactMap(take)
            if slideOver.stack.isEmpty, !stack.isEmpty {
                if kept.slideOverSide.axis == .horizontal { slideOver.side = kept.slideOverSide }
                slideOver.isHidden = kept.isSlideOverHidden
            }
            slideOver.stack += stack
        }
        if free != nil { free!.minimized += (kept.minimized ?? []).compactMap(take) }
        let wasEmpty = spaces.list.isEmpty
        var front: SpaceID?, hasDesk = false
        for (index, space) in kept.spaces.enumerated() {
            let windows = space.windows.compactMap(take)
            guard !windows.isEmpty else { continue }
            var pair: Split?
            if windows.count == 2, kind == .pad, admits(.splitView(.left)), let fraction = space.fraction, (0...1).contains(fraction) {
                pair = Split(first: windows[0], second: windows[1], fraction: fraction, portraitAxis: space.portraitAxis ?? .horizontal)
            }
            let lastUse = min(space.lastUse, latest)
            // On a desk, windows that shared a space share one again. The first one joins the windows there (W-25).
            let isDesk = kind == .free && hasDesk
            let id = change { all in
                guard isDesk else { return all.restore(windows, pair: pair, lastUse: lastUse) }
                for window in windows { all.remove(window) }
                return all.spaces.make(.free(windows), lastUse: lastUse)
            }
            hasDesk = true
            if index == kept.current { front = id }
        }
        change {
            if wasEmpty, let front = front ?? $0.spaces.mostRecent {
                $0.spaces.bringForward(front)
                $0.spaces.isHome = kept.isHome && offersHome
            } else if $0.spaces.current == nil, let any = $0.spaces.mostRecent {
                $0.spaces.bringForward(any)
            }
        }
    }
}

extension Workspace {
    /// Puts placeholders where the windows of a kept arrangement were, in every idiom that had one. Existing windows keep their
    /// places.
    ///
    /// - Parameter first: the first of a range of free numbers, one for each window in the arrangement.
    public mutating func restore(_ kept: KeptArrangement, first: WindowID, at now: Moment) {
        guard kept.version <= KeptArrangement.newest else { return }
        var ids = restorePlaceholders(kept, first: first)
        clock = min(KeptArrangement.latest, max(clock, kept.windows.map(\.lastFocus).max() ?? 0))
        // Waiting windows have no place.
        waiting = kept.waiting.compactMap { ids.removeValue(forKey: $0) } + waiting
        restorePlaces(kept.appPlaces ?? [])
        // An older shell had one idiom: the one that is in effect now.
        let last = kept.idiom ?? family.name
        let places = idiom.places, isEmpty = arrangement.ask { $0.windows.isEmpty }
        for stood in [kept.places] + (kept.elsewhere ?? []) {
            let name = stood.idiom ?? last
            if name == family.name {
                var left = ids
                arrangement.restore(stood, &left, offersHome: idiom.offers.contains(.home)) { places.contains($0.kind) }
            } else if let kind = stood.kind.flatMap({ ArrangementKind(rawValue: $0) }), elsewhere[name].map({ $0.kind == kind }) ?? true {
                var left = ids, old = elsewhere[name] ?? Arrangement(kind)
                old.restore(stood, &left, offersHome: true) { _ in true }
                elsewhere[name] = old
            }
        }
        adoptLaunches(kept.launching ?? [], at: now)
        adoptRestored(ids.values.sorted(), from: last == family.name ? nil : elsewhere[last], isEmpty: isEmpty)
        for id in placeholders {
            if let window = earlyWindow(for: id) {
                takeOut(window)
                replace(id, by: window)
            }
        }
        refocus()
    }

    /// Programs that a person started a moment before the shell ended, and that still run: their windows were asked for (W-19).
    private mutating func adoptLaunches(_ kept: [KeptLaunch], at now: Moment) {
        for old in kept.prefix(Workspace.mostAdopted) {
            guard let process = old.process?.number else {
                guard old.isStartedAgain(at: now) else { continue }
                let id = launches.begin(old.app, old.command, to: nil, at: now)
                // A program that is not known to be gone may have been started all the same, and then its window comes.
                launches.edit(id) { if old.isGone == true { $0.isAgain = true } else { $0.isAdopted = true } }
                noteFront(of: id)
                if let app = old.app, let early = waiting.first(where: { windows[$0]?.app == app && !isOfLaunch(windows[$0]!) }) {
                    takeEarly(early, by: id)
                }
                continue
            }
            guard !launches.all.contains(where: { $0.process == process }) else { continue }
            let id = launches.begin(old.app, old.command, to: nil, at: now)
            launches.edit(id) {
                $0.isAdopted = true
                $0.isAgain = old.isAgain
            }
            launches.started(id, process: process)
            noteFront(of: id)
            // It may have connected before the arrangement was read.
            if let early = waiting.first(where: { windows[$0]?.facts.lineage.contains(process) ?? false }) { takeEarly(early, by: id) }
        }
    }

    private mutating func takeEarly(_ window: WindowID, by launch: LaunchID) {
        launches.took(.init(launch: launch, role: .first), by: window)
        try? admitWaiting(window, to: .fullScreen)
    }

    /// Whether a program that this shell started, or that it awaits, shows the window.
    func isOfLaunch(_ window: Window) -> Bool { launches.all.contains { $0.process.map(window.facts.lineage.contains) ?? false } }

    private static let mostAdopted = 16

    /// Gives windows a place that have none in this idiom.
    ///
    /// - Parameters:
    ///   - ids: every window that was restored.
    ///   - old: the arrangement that was in effect; nil: that of this idiom.
    ///   - isEmpty: whether no other window was here.
    private mutating func adoptRestored(_ ids: [WindowID], from old: Arrangement?, isEmpty: Bool) {
        let known = Set(arrangement.ask { $0.windows })
        adopt(ids.filter { !known.contains($0) }, from: old)
        if arrangement.spaces.current == nil, let any = arrangement.spaces.mostRecent { arrangement.change { $0.spaces.bringForward(any) } }
        if isEmpty, let old {
            let active = old.shownRoots.filter { ids.contains($0) }.max { lastFocus(of: $0) < lastFocus(of: $1) }
            arrangement.change { next in
                if let active, next.contains(active) { next.show(active) }
                next.spaces.isHome = old.spaces.isHome && !next.spaces.list.isEmpty && idiom.offers.contains(.home)
            }
        }
        sizePlaceholders()
        for id in ids { findRoom(for: id) }
        if let picture = pip, ids.contains(picture.window) {
            edit(picture.window) { $0.naturalSize = $0.naturalSize ?? $0.commit.size }
            if let screen, let natural = windows[picture.window]?.naturalSize { setPipShape(natural, on: screen) }
        }
    }

    private mutating func restorePlaceholders(_ kept: KeptArrangement, first: WindowID) -> [UInt32: WindowID] {
        var ids: [UInt32: WindowID] = [:]
        for window in kept.windows where ids[window.number] == nil && !window.command.isEmpty && !isPrompter(window.appID) {
            let id = addPlaceholder(
                Placeholder(
                    command: window.command, directory: window.directory, process: window.process, origin: window.origin ?? window.process),
                as: WindowID(first.raw &+ UInt32(ids.count)),
                appID: window.appID, title: window.title, session: window.session ?? "")
            ids[window.number] = id
            edit(id) {
                $0.commit.size = window.size.isPlausible ? window.size : Size(640, 480)
                $0.naturalSize = window.natural.flatMap { $0.isPlausible ? $0 : nil }
                $0.picture = window.picture
                $0.lastFocus = min(window.lastFocus, KeptArrangement.latest)
            }
        }
        return ids
    }

    /// No client answers for placeholders: where windows have sizes of their own, each has the one that its window had.
    mutating func sizePlaceholders() {
        guard let free = arrangement.free else { return }
        for id in placeholders where free.contains(id) {
            guard let size = free.frames[id]?.size ?? windows[id]?.naturalSize else { continue }
            edit(id) { $0.commit.size = size }
        }
    }

    /// The window of a program that outlived the last shell and connected before this arrangement was restored.
    private func earlyWindow(for placeholder: WindowID) -> WindowID? {
        guard let was = windows[placeholder], let process = was.placeholder?.process else { return nil }
        let theirs = windows.values.filter {
            $0.placeholder == nil && $0.isMapped && hasPlace($0.id) && $0.app == was.app && $0.facts.lineage.contains(process.number)
        }
        return (theirs.first { $0.facts.title == was.facts.title } ?? theirs.first)?.id
    }
}

extension Size {
    fileprivate var isPlausible: Bool {
        width.isFinite && height.isFinite && width >= 1 && height >= 1 && width <= 32768 && height <= 32768
    }
}
