import Geometry
import OrderedCollections

/// A screenful between which the user switches.
public struct Space: Hashable, Codable, Sendable {
    public enum Content: Hashable, Codable, Sendable {
        case full(WindowID)
        case split(Split)
        /// Windows at free positions, back to front (W-25).
        case free([WindowID])
    }

    public let id: SpaceID
    public var content: Content
    /// When it was last in front; larger is later.
    public var lastUse: UInt64

    public var windows: [WindowID] {
        switch content {
        case .full(let window): [window]
        case .split(let split): [split.first, split.second]
        case .free(let windows): windows
        }
    }

    public func contains(_ window: WindowID) -> Bool {
        switch content {
        case .full(let w): w == window
        case .split(let split): split.first == window || split.second == window
        case .free(let windows): windows.contains(window)
        }
    }

    public var split: Split? {
        if case .split(let split) = content { split } else { nil }
    }

    public var free: [WindowID]? {
        if case .free(let windows) = content { windows } else { nil }
    }
}

/// Two windows side by side, both interactive (W-04).
public struct Split: Hashable, Codable, Sendable {
    /// The left or top one.
    public var first: WindowID
    public var second: WindowID
    /// The first window's share of the available length.
    public var fraction: Double
    /// The axis on a portrait screen. On a landscape screen it is always left and right.
    public var portraitAxis: Axis

    public init(first: WindowID, second: WindowID, fraction: Double = 0.5, portraitAxis: Axis = .horizontal) {
        self.first = first
        self.second = second
        self.fraction = fraction
        self.portraitAxis = portraitAxis
    }

    public func axis(on screen: Size) -> Axis { screen.isLandscape ? .horizontal : portraitAxis }

    public func other(than window: WindowID) -> WindowID { window == first ? second : first }
}

/// The screenfuls of an arrangement, and the one in front.
public struct Spaces: Hashable, Codable, Sendable {
    /// Left to right, in the order of swiping.
    public internal(set) var list: [Space] = []
    /// The space in front; nil if there is none.
    public internal(set) var current: SpaceID?
    /// A person went to the home screen: no space is visible. `current` is where the person came from.
    public internal(set) var isHome = false
    private var next: UInt32 = 1
    var clock: UInt64 = 0

    public init() {}

    public subscript(_ id: SpaceID) -> Space? { list.first { $0.id == id } }

    func index(of window: WindowID) -> Int? { list.firstIndex { $0.contains(window) } }

    func contains(_ window: WindowID) -> Bool { list.contains { $0.contains(window) } }

    var currentIndex: Int? { current.flatMap { id in list.firstIndex { $0.id == id } } }

    /// The visible space; nil on the home screen.
    public var front: Space? {
        guard !isHome, let current else { return nil }
        return self[current]
    }

    var mostRecent: SpaceID? { list.max { $0.lastUse < $1.lastUse }?.id }

    mutating func make(_ content: Space.Content, after index: Int? = nil, lastUse: UInt64 = 0) -> SpaceID {
        let id = SpaceID(next)
        next += 1
        list.insert(Space(id: id, content: content, lastUse: lastUse), at: index.map { $0 + 1 } ?? list.count)
        return id
    }

    mutating func set(_ content: Space.Content, of id: SpaceID) {
        guard let index = list.firstIndex(where: { $0.id == id }) else { return }
        list[index].content = content
    }

    /// Brings a space in front of everything, including the home screen.
    mutating func bringForward(_ id: SpaceID?) {
        isHome = false
        makeCurrent(id)
    }

    mutating func makeCurrent(_ id: SpaceID?) {
        current = id
        guard let id, let index = list.firstIndex(where: { $0.id == id }) else { return }
        clock += 1
        list[index].lastUse = clock
        dropEmpty()
    }

    /// A space without windows stays only while it is in front.
    mutating func dropEmpty() { list.removeAll { $0.id != current && $0.free?.isEmpty ?? false } }

    /// Removes a window. A window beside it takes its area; otherwise, the next space comes forward below the home screen.
    mutating func remove(_ id: WindowID) {
        guard let index = index(of: id) else { return }
        switch list[index].content {
        case .split(let split): list[index].content = .full(split.other(than: id))
        case .free(let windows) where windows.count > 1: list[index].content = .free(windows.filter { $0 != id })
        case .full, .free:
            let wasCurrent = list[index].id == current
            list.remove(at: index)
            if wasCurrent { makeCurrent(mostRecent) }
        }
    }

    mutating func rename(_ old: WindowID, _ new: WindowID) {
        for index in list.indices {
            switch list[index].content {
            case .full(old): list[index].content = .full(new)
            case .full: break
            case .split(var split):
                if split.first == old { split.first = new }
                if split.second == old { split.second = new }
                list[index].content = .split(split)
            case .free(let windows): list[index].content = .free(windows.map { $0 == old ? new : $0 })
            }
        }
    }

    /// Gives a window a screenful of its own in front. If it was one of a pair, the other one stays open, one swipe away.
    mutating func makeFull(_ id: WindowID) {
        guard let index = index(of: id) else { return bringForward(make(.full(id), after: currentIndex)) }
        if case .split(let split) = list[index].content {
            list[index].content = .full(id)
            _ = make(.full(split.other(than: id)), after: index)
        }
        bringForward(list[index].id)
    }

    func violations() -> [String] {
        var found: [String] = []
        func check(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { found.append(what()) } }
        check(Set(list.map(\.id)).count == list.count, "two spaces share an id")
        check((current == nil) == list.isEmpty, "a space is in front exactly if there is one")
        check(current == nil || self[current!] != nil, "the space in front does not exist")
        for space in list {
            guard let split = space.split else { continue }
            check(split.first != split.second, "W-04: a window is split with itself")
            check((0...1).contains(split.fraction), "W-04: the divider is off the screen")
        }
        return found
    }
}
