import Geometry

/// The arrangement as it is kept on disk, so that every window is restored where it was (W-20).
///
/// Windows are named by numbers that are valid within this value only. A reader must not trust any part of it.
public struct KeptArrangement: Hashable, Codable, Sendable {
    /// Incremented when older shells could not read it.
    public static let newest = 1

    public var version = KeptArrangement.newest
    public var windows: [KeptWindow] = []
    public var spaces: [KeptSpace] = []
    /// The space in front, as a position in `spaces`.
    public var current: Int?
    public var isHome = false
    /// Front first.
    public var slideOver: [UInt32] = []
    public var slideOverSide = Side.right
    public var isSlideOverHidden = false
    public var pip: KeptPicture?
    /// Oldest first.
    public var waiting: [UInt32] = []
    /// Minimized windows of a desk with free windows, oldest first. Older shells did not keep them.
    public var minimized: [UInt32]?
    /// Where a person last had the windows of apps (W-25). Older shells did not keep it.
    public var places: [FreePlace]?

    // MARK: Older shells did not keep these

    /// The idiom that was in effect. What stands above is its arrangement.
    public var idiom: String?
    /// The idiom that the hardware and the configuration named then (`IdiomChoice`).
    public var settledIdiom: String?
    /// The type of its arrangement.
    public var kind: String?
    public var frames: [KeptFrame]?
    public var minimized: [UInt32]?
    /// The arrangements of other idioms.
    public var elsewhere: [KeptPlaces]?

    /// Larger counts cannot come from a real session.
    static let latest: UInt64 = 1 << 48

    public init() {}
}

public struct KeptWindow: Hashable, Codable, Sendable {
    public var number: UInt32
    public var appID: String
    public var title: String
    /// `WindowFacts.session`.
    public var session: String?
    /// The command that starts its program.
    public var command: [String]
    public var directory: String?
    /// The process of its program, which may outlive the shell.
    public var process: KeptProcess?
    /// The process that had the window, running or not. Older shells did not keep it.
    public var origin: KeptProcess?
    /// In points.
    public var size: Size
    /// The size that its app chose for it. Older shells did not keep it.
    public var natural: Size?
    /// The name that an adapter gave to its last picture.
    public var picture: String?
    /// When it last had the focus; larger is later.
    public var lastFocus: UInt64
    /// Its place among freely stacked windows. Older shells did not keep it.
    public var frame: FreeFrame?
}

/// A process, so that it is not confused with a later one of the same number.
public struct KeptProcess: Hashable, Codable, Sendable {
    public var number: Int32
    /// When it began, as the kernel counts it.
    public var started: UInt64

    public init(number: Int32, started: UInt64) {
        self.number = number
        self.started = started
    }
}

public struct KeptSpace: Hashable, Codable, Sendable {
    /// One window, or the two of a Split View: left or top first.
    public var windows: [UInt32]
    /// The first window's share of a Split View.
    public var fraction: Double?
    public var portraitAxis: Axis?
    /// When it was last in front; larger is later.
    public var lastUse: UInt64

    public init(windows: [UInt32], fraction: Double?, portraitAxis: Axis?, lastUse: UInt64) {
        self.windows = windows
        self.fraction = fraction
        self.portraitAxis = portraitAxis
        self.lastUse = lastUse
    }
}

public struct KeptPicture: Hashable, Codable, Sendable {
    public var window: UInt32
    public var corner: Corner
    /// In points.
    public var width: Double
    public var aspect: Double
    public var stashed: Side?

    public init(window: UInt32, corner: Corner, width: Double, aspect: Double, stashed: Side?) {
        self.window = window
        self.corner = corner
        self.width = width
        self.aspect = aspect
        self.stashed = stashed
    }
}

extension Workspace {
    /// The arrangement with every window whose program can be started again. Dialogs are left out: they are part of their
    /// windows.
    ///
    /// - Parameter program: how to start the program of a window; nil if unknown.
    public func kept(program: (Window) -> (command: [String], directory: String?, process: KeptProcess?)?) -> KeptArrangement {
        var kept = KeptArrangement()
        let placed = windowsWithPlace
        for window in windows.values where window.isMapped && placed.contains(window.id) && !window.facts.isSplash {
            guard let program = program(window), !program.command.isEmpty else { continue }
            kept.windows.append(KeptWindow(
                number: window.id.raw, appID: window.facts.appID, title: window.facts.title,
                session: window.facts.session.isEmpty ? nil : window.facts.session, command: program.command, directory: program.directory, process: program.process,
                origin: window.placeholder.map(\.origin) ?? program.process,
                size: window.commit.size, natural: window.naturalSize, picture: window.picture, lastFocus: window.lastFocus))
        }
        let known = Set(kept.windows.map(\.number))
        kept.places = arrangement.kept(family.name, known)
        let others = elsewhere.sorted { $0.key < $1.key }.map { $0.value.kept($0.key, known) }
        kept.elsewhere = others.isEmpty ? nil : others
        kept.waiting = waiting.map(\.raw).filter(known.contains)
        return kept
    }
                size: window.commit.size, picture: window.picture, lastFocus: window.lastFocus,
                frame: arrangement.free?.frames[window.id]))
        }
        let known = Set(kept.windows.map(\.number))
        func numbers(_ windows: [WindowID]) -> [UInt32] { windows.map(\.raw).filter(known.contains) }
        for space in spaces {
            let windows = numbers(space.windows)
            guard !windows.isEmpty else { continue }
            if space.id == current { kept.current = kept.spaces.count }
            let split = windows.count == 2 ? space.split : nil
            kept.spaces.append(KeptSpace(
                windows: windows, fraction: split?.fraction, portraitAxis: split?.portraitAxis, lastUse: space.lastUse))
        }
        kept.isHome = isHome
        kept.slideOver = numbers(slideOver.stack)
        kept.slideOverSide = slideOver.side
        kept.isSlideOverHidden = slideOver.isHidden
        if let pip, known.contains(pip.window.raw) {
            kept.pip = KeptPicture(
                window: pip.window.raw, corner: pip.corner, width: pip.width, aspect: pip.aspect, stashed: pip.stashed)
        }
        kept.waiting = numbers(waiting)
        if let free = arrangement.free { kept.minimized = numbers(free.minimized) }
        if !keptPlaces.isEmpty { kept.places = keptPlaces }
        return kept
    }

    // Larger counts cannot come from a real session.
    private static let latest: UInt64 = 1 << 48

    /// Puts placeholders where the windows of a kept arrangement were. Existing windows keep their places.
    ///
    /// - Parameter first: the first of a range of free numbers, one for each window in the arrangement.
    public mutating func restore(_ kept: KeptArrangement, first: WindowID) {
        guard kept.version <= KeptArrangement.newest else { return }
        var ids: [UInt32: WindowID] = [:]
        for window in kept.windows where ids[window.number] == nil && !window.command.isEmpty {
            let id = addPlaceholder(
                Placeholder(command: window.command, directory: window.directory, process: window.process, origin: window.origin ?? window.process), as: WindowID(first.raw &+ UInt32(ids.count)),
                appID: window.appID, title: window.title, session: window.session ?? "")
            ids[window.number] = id
            edit(id) {
                $0.commit.size = window.size.isPlausible ? window.size : Size(640, 480)
                $0.picture = window.picture
                $0.lastFocus = min(window.lastFocus, Workspace.latest)
            }
        }
        clock = min(Workspace.latest, max(clock, kept.windows.map(\.lastFocus).max() ?? 0))
        arrangement.change { $0.spaces.clock = min(Workspace.latest, max($0.spaces.clock, kept.spaces.map(\.lastUse).max() ?? 0)) }
        // Each window has one place only.
        func take(_ number: UInt32) -> WindowID? { ids.removeValue(forKey: number) }

        if let picture = kept.pip, admits(.pictureInPicture), pip == nil, let window = take(picture.window) {
            let width = picture.width.isFinite && picture.width > 0 ? picture.width : 0
            let aspect = picture.aspect.isFinite && picture.aspect > 0 ? picture.aspect : 16 / 9
            arrangement.picture = PictureInPicture(window: window, corner: picture.corner, width: width, aspect: aspect)
            arrangement.picture!.stashed = picture.stashed.flatMap { $0.axis == .horizontal ? $0 : nil }
            edit(window) { $0.naturalSize = $0.commit.size }
            if let screen, width == 0 { setPipShape(windows[window]!.commit.size, on: screen) }
        }
        if admits(.slideOver) {
            let stack = kept.slideOver.compactMap(take)
            if slideOver.stack.isEmpty, !stack.isEmpty {
                if kept.slideOverSide.axis == .horizontal { arrangement.slideOver.side = kept.slideOverSide }
                arrangement.slideOver.isHidden = kept.isSlideOverHidden
            }
            arrangement.slideOver.stack += stack
        }
        waiting = kept.waiting.compactMap(take) + waiting
        restorePlaces(kept.places ?? [])
        if arrangement.free != nil {
            for window in kept.windows { if let id = ids[window.number], let frame = window.frame?.plausible { arrangement.free!.frames[id] = frame } }
            arrangement.free!.minimized = (kept.minimized ?? []).compactMap(take) + arrangement.free!.minimized
        }
        let wasEmpty = spaces.isEmpty
        var front: SpaceID?
        for (index, space) in kept.spaces.enumerated() {
            let windows = space.windows.compactMap(take)
            guard !windows.isEmpty else { continue }
            var pair: Split?
            if windows.count == 2, admits(.splitView(.left)), let fraction = space.fraction, (0...1).contains(fraction) {
                pair = Split(first: windows[0], second: windows[1], fraction: fraction, portraitAxis: space.portraitAxis ?? .horizontal)
            }
            let id = arrangement.change { $0.restore(windows, pair: pair, lastUse: min(space.lastUse, Workspace.latest)) }
            if index == kept.current { front = id }
        }
        // Windows without a place, or with one that this idiom does not have.
        for window in kept.windows { if let id = take(window.number) { _ = arrangement.change { $0.restore([id], pair: nil, lastUse: 0) } } }
        arrangement.change {
            if wasEmpty, let front = front ?? $0.spaces.mostRecent {
                $0.spaces.bringForward(front)
                $0.spaces.isHome = kept.isHome
            } else if $0.spaces.current == nil, let any = $0.spaces.mostRecent {
                $0.spaces.bringForward(any)
            }
        }
        for id in placeholders { if let window = earlyWindow(for: id) { takeOut(window); replace(id, by: window) } }
        refocus()
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
