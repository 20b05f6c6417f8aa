import Geometry

/// A way to arrange windows: where each stands, and what a person may do with it there.
///
/// It is a value and knows windows by number only. `Workspace` asks it for places and tells it of every window that comes,
/// goes or is moved; the stage draws what it has `placed`. Its windows are all mapped and have a place of their own: dialogs
/// stand on their windows, and windows that wait (W-19) stand nowhere.
public protocol Arranging: Hashable, Codable, Sendable {
    /// The screenfuls between which a person switches.
    var spaces: Spaces { get set }
    /// Picture in Picture (W-06); nil if there is none.
    var picture: PictureInPicture? { get set }

    // MARK: Reading

    /// Every window that it holds.
    var windows: [WindowID] { get }
    func contains(_ id: WindowID) -> Bool
    /// nil: it does not hold the window.
    func place(of id: WindowID, on screen: Screen?) -> Place?
    /// The windows to draw, back to front, without dialogs.
    func placed(_ idiom: Idiom) -> [Placed]
    /// Windows that are visible at least in part, back to front, without dialogs.
    var shownRoots: [WindowID] { get }
    /// Whether it holds the window, and at least a part of it is visible.
    func isShown(_ id: WindowID) -> Bool
    /// How dialogs stand on its windows.
    var modality: ModalStyle { get }
    /// Whether the app switcher shows each window by itself, instead of each space.
    var isSwitchedByWindow: Bool { get }

    // MARK: What a person does

    /// Puts a window at a place, in front of others. It may hold the window already. Picture in Picture is not such a place,
    /// because a picture has a shape.
    mutating func put(_ id: WindowID, at destination: Destination) throws(Refusal)
    /// Puts a window that it does not hold behind the others, where a person finds it.
    mutating func putBehind(_ id: WindowID)
    /// Puts a window that it does not hold next to the one in front, without covering that.
    mutating func putBeside(_ id: WindowID)
    /// Takes a window out. What was behind or beside it takes its area.
    mutating func remove(_ id: WindowID)
    /// Brings a window that it holds into sight.
    mutating func show(_ id: WindowID)
    /// A person chooses a space that is not the neighbour of the one in front.
    mutating func choose(_ space: SpaceID)
    /// This window becomes the active one.
    mutating func becomesActive(_ id: WindowID)
    /// A person touches this window, or types into it.
    mutating func isUsed(_ id: WindowID)
    /// A window that it does not hold no longer exists.
    mutating func forget(_ id: WindowID)
    /// The window `new` takes the place of `old`, as when a window fills its placeholder (W-20).
    mutating func rename(_ old: WindowID, _ new: WindowID)

    /// Puts windows back that shared a space when they were kept (W-20), without bringing it forward.
    ///
    /// - Parameters:
    ///   - windows: at least one, back to front.
    ///   - pair: the Split View that they made.
    /// - Returns: the space of the first one.
    mutating func restore(_ windows: [WindowID], pair: Split?, lastUse: UInt64) -> SpaceID

    // MARK: Sizes

    /// The rectangles of those windows that do not have the whole area.
    ///
    /// - Parameter content: what a window's client drew last, and the height of the shell's bar above it; nil if there is no such window.
    func parts(on ground: Ground, _ purpose: Purpose, content: (WindowID) -> (commit: WindowCommit, bar: Double)?) -> [WindowID: Rect]
    /// The area of a window that has no part of its own; nil if every window has a frame of its own.
    func usual(on screen: Screen) -> Rect?
    /// The size that a window is sent, if that is not the size of its frame.
    func offer(_ id: WindowID) -> Offer?

    /// The invariants that do not hold; empty if all do.
    func violations() -> [String]
}

/// How dialogs stand on windows.
public enum ModalStyle: Hashable, Sendable {
    /// As sheets that slide in, dim what they keep from a person, and are swiped away (M-01 to M-04).
    case sheets
    /// As windows that their apps size, centred on their windows.
    case windows
}

/// The size that an arrangement offers a window instead of that of its frame.
public enum Offer: Hashable, Sendable {
    /// It chooses its size.
    case chooses
    /// This size, which a person gave it.
    case size(Size)
}

/// A window as the stage draws it.
public struct Placed: Hashable, Sendable {
    public var id: WindowID
    public var layer: Layer
    /// Of its corners, in points.
    public var radius: Double
    /// Where it gets input.
    public var reach: Reach

    public enum Layer: Hashable, Sendable {
        case space, slideOver, picture
    }

    public enum Reach: String, Hashable, Codable, Sendable {
        /// In its whole frame.
        case frame
        /// Only where its client takes input; elsewhere, what is below gets it.
        case input
    }

    public init(_ id: WindowID, _ layer: Layer, radius: Double = 0, reach: Reach = .frame) {
        self.id = id
        self.layer = layer
        self.radius = radius
        self.reach = reach
    }
}

/// The parts that all arrangements share: spaces, and a picture above them.
extension Arranging {
    public var windows: [WindowID] { spaces.list.flatMap(\.windows) + (picture.map { [$0.window] } ?? []) }

    public func contains(_ id: WindowID) -> Bool { spaces.contains(id) || picture?.window == id }

    public var shownRoots: [WindowID] {
        var shown = spaces.front?.windows ?? []
        if let picture, picture.stashed == nil { shown.append(picture.window) }
        return shown
    }

    public func isShown(_ id: WindowID) -> Bool {
        if picture?.window == id { return picture?.stashed == nil }
        return spaces.front?.contains(id) ?? false
    }

    public var modality: ModalStyle { .sheets }

    public var isSwitchedByWindow: Bool { false }

    public mutating func putBehind(_ id: WindowID) {
        _ = spaces.make(.full(id))
        if spaces.current == nil { spaces.makeCurrent(spaces.list.last?.id) }
    }

    public mutating func putBeside(_ id: WindowID) {
        _ = spaces.make(.full(id), after: spaces.currentIndex)
        if spaces.current == nil { spaces.current = spaces.list.last?.id }
    }

    public mutating func remove(_ id: WindowID) {
        if picture?.window == id { picture = nil }
        spaces.remove(id)
    }

    public mutating func show(_ id: WindowID) {
        if picture?.window == id { return picture!.stashed = nil }
        guard let index = spaces.index(of: id) else { return }
        let space = spaces.list[index].id
        if spaces.current != space || spaces.isHome { spaces.bringForward(space) }
    }

    public mutating func choose(_ space: SpaceID) { spaces.bringForward(space) }

    public mutating func becomesActive(_ id: WindowID) {}

    public mutating func isUsed(_ id: WindowID) {}

    public mutating func forget(_ id: WindowID) {}

    public mutating func rename(_ old: WindowID, _ new: WindowID) {
        spaces.rename(old, new)
        if picture?.window == old { picture!.window = new }
    }

    public mutating func restore(_ windows: [WindowID], pair: Split?, lastUse: UInt64) -> SpaceID {
        for window in windows.dropFirst() { _ = spaces.make(.full(window)) }
        return spaces.make(.full(windows[0]), lastUse: lastUse)
    }

    public func parts(on ground: Ground, _ purpose: Purpose, content: (WindowID) -> (commit: WindowCommit, bar: Double)?) -> [WindowID: Rect] {
        pictureParts(on: ground, purpose)
    }

    public func usual(on screen: Screen) -> Rect? { screen.usable }

    public func offer(_ id: WindowID) -> Offer? { nil }

    public func violations() -> [String] { spaces.violations() }

    func pictureParts(on ground: Ground, _ purpose: Purpose) -> [WindowID: Rect] {
        guard var picture else { return [:] }
        if purpose.isForClients { picture.stashed = nil }
        return [picture.window: ground.pictureFrame(picture)]
    }

    func placedPicture(_ idiom: Idiom) -> [Placed] {
        picture.map { [Placed($0.window, .picture, radius: idiom.picture.radius)] } ?? []
    }
}
