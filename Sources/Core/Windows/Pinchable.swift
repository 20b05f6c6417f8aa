import Geometry

/// An item in a window that a person can pinch open (W-21), as its app declares it.
public struct Pinchable: Hashable, Codable, Sendable {
    /// The app's own number.
    public var id: UInt32
    /// In the window's own coordinates.
    public var frame: Rect

    public init(id: UInt32, frame: Rect) {
        self.id = id
        self.frame = frame
    }

    /// The maximum number in one window.
    public static let most = 64
}

extension Workspace {
    public mutating func setPinchables(_ items: [Pinchable], of id: WindowID) {
        guard windows[id] != nil else { return }
        windows[id]!.pinchables = items
    }

    /// The item at a point in a window's own coordinates. Where items overlap, the smallest counts: it is in front of what
    /// contains it. A small item has the reach of a touch target. While a menu of the window is open, fingers are for the menu.
    public func pinchable(at point: Point, in id: WindowID) -> Pinchable? {
        guard idiom.capabilities.contains(.pinch), let window = windows[id], !window.pinchables.isEmpty, window.popups.isEmpty
        else { return nil }
        let bounds = Rect(origin: .zero, size: window.contentSize)
        return window.pinchables.lazy.map { Pinchable(id: $0.id, frame: $0.frame.intersection(bounds)) }
            .filter { !$0.frame.isEmpty && $0.frame.grown(toAtLeast: idiom.target).contains(point) }
            .min { $0.frame.width * $0.frame.height < $1.frame.width * $1.frame.height }
    }

    /// A person pinched an item open: the app's next window counts as requested (W-19), and is prominent.
    public mutating func beginPinchedLaunch(from window: WindowID, at now: Moment) -> LaunchID {
        let app = windows[window].flatMap { $0.app.isEmpty ? nil : $0.app }
        let launch = beginLaunch(of: app, to: nil, at: now)
        launches.edit(launch) { $0.pinchedFrom = window }
        return launch
    }

    /// Whether a window of this launch was admitted.
    public func isUsed(_ launch: LaunchID) -> Bool { launches[launch]?.isUsed ?? true }
}
