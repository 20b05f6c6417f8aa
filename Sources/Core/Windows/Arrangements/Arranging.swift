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
    ///
    /// - Parameters:
    ///   - ground: the screen, and the measures of the idiom.
    ///   - frame: the rectangle of a window, as `parts` computed it.
    func placed(on ground: Ground, frame: (WindowID) -> Rect?) -> [Placed]
    /// Where it floats: in a space, in the stack of Slide Over, or as the picture. nil: it does not hold the window.
    func layer(of id: WindowID) -> Placed.Layer?
    /// The marks at the edges of the screen for windows that were pushed past them, in front of each other as listed.
    func handles(on ground: Ground) -> [Handle]
    /// Whether there is any.
    var hasHandles: Bool { get }
    /// How many windows lie in the stack in which a window lies; 1 outside of stacks.
    func stackHeight(of id: WindowID) -> Int
    /// Whether anything floats above the spaces, visible or not.
    var hasFloating: Bool { get }
    /// Windows that are visible at least in part, back to front, without dialogs.
    var shownRoots: [WindowID] { get }
    /// Whether it holds the window, and at least a part of it is visible.
    func isShown(_ id: WindowID) -> Bool

    // MARK: Acts of a person

    /// Puts a window at a place, in front of others. It may hold the window already. Picture in Picture is not such a place,
    /// because a picture has a shape.
    mutating func put(_ id: WindowID, at destination: Destination) throws(Refusal)
    /// Puts a window that it does not hold behind the others, where a person finds it.
    mutating func putBehind(_ id: WindowID)
    /// Puts a window that it does not hold next to the one in front, without covering that.
    mutating func putBeside(_ id: WindowID)
    /// Takes a window out. The window behind or beside it takes its area.
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
    /// - Parameter content: the last picture of a window's client, and the height of the shell's bar above it; nil if there is no such
    ///   window.
    func parts(on ground: Ground, _ purpose: Purpose, content: (WindowID) -> (commit: WindowCommit, bar: Double)?) -> [WindowID: Rect]
    /// The area of a window that has no part of its own; nil if every window has a frame of its own.
    func usual(on screen: Screen) -> Rect?
    /// The size that a window is sent, if that is not the size of its frame.
    func offer(_ id: WindowID) -> Offer?

    /// The invariants that do not hold; empty if all do.
    func violations() -> [String]
}

/// The size that an arrangement offers a window instead of that of its frame.
public enum Offer: Hashable, Sendable {
    /// It chooses its size.
    case chooses
    /// This size, which a person gave it.
    case size(Size)
}

/// A window as the stage draws it: all that the stage knows of its place.
public struct Placed: Hashable, Sendable {
    public var id: WindowID
    public var layer: Layer
    /// Where it stands on the screen, in points.
    public var frame: Rect
    /// Of its corners, in points.
    public var radius: Double
    /// Where it gets input.
    public var reach: Reach
    /// Where it comes from when it is new; nil: it appears in its place.
    public var entrance: Rect?
    /// How it is seen at its depth (V-02), and how clearly, from 0 to 1.
    public var perspective = Perspective.none
    public var presence = 1.0
    /// Whether its dialogs are drawn at its own depth, instead of above all windows.
    public var keepsDialogs = false

    public enum Layer: Hashable, Sendable {
        case space, slideOver, picture
    }

    public enum Reach: String, Hashable, Codable, Sendable {
        /// In its whole frame.
        case frame
        /// Only where its client takes input. Elsewhere the window below gets it.
        case input
    }

    public init(_ id: WindowID, _ layer: Layer, at frame: Rect, radius: Double = 0, reach: Reach = .frame, from entrance: Rect? = nil) {
        self.id = id
        self.layer = layer
        self.frame = frame
        self.radius = radius
        self.reach = reach
        self.entrance = entrance
    }
}

/// A mark at an edge of the screen for a window that was pushed past it, by which a person gets it back (W-02, W-06).
public struct Handle: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case slideOver, picture }

    public var kind: Kind
    public var frame: Rect

    public init(_ kind: Kind, _ frame: Rect) {
        self.kind = kind
        self.frame = frame
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

    public func layer(of id: WindowID) -> Placed.Layer? { picture?.window == id ? .picture : spaces.contains(id) ? .space : nil }

    public func handles(on ground: Ground) -> [Handle] { picture.flatMap(ground.pictureTab).map { [Handle(.picture, $0)] } ?? [] }

    public var hasHandles: Bool { picture?.stashed != nil }

    public func stackHeight(of id: WindowID) -> Int { 1 }

    public var hasFloating: Bool { picture != nil }

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

    public func parts(on ground: Ground, _ purpose: Purpose, content: (WindowID) -> (commit: WindowCommit, bar: Double)?) -> [WindowID:
        Rect]
    {
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

    func placedPicture(on ground: Ground, _ frame: (WindowID) -> Rect?) -> [Placed] {
        guard let picture, let place = frame(picture.window) else { return [] }
        return [Placed(picture.window, .picture, at: place, radius: ground.idiom.picture.radius)]
    }
}
