import Geometry

/// The window of an app over the lock screen of the shell. Both rectangles are in points of the screen.
public struct WindowOverLock: Hashable, Codable, Sendable {
    public var window: WindowID
    public var frame: Rect
    public var area: Rect
    /// How many times as large as its own points it is shown; at most 1.
    public var scale: Double

    public init(window: WindowID, frame: Rect, area: Rect, scale: Double = 1) {
        self.window = window
        self.frame = frame
        self.area = area
        self.scale = scale
    }
}

extension Workspace {
    /// Begins a launch whose window comes over the lock. In the session it waits, as one that opened without being asked for.
    public mutating func beginLaunchOverLock(of app: App, at now: Moment) -> LaunchID {
        let id = launches.begin(app.id, app.command, to: nil, at: now)
        launches.edit(id) { ($0.overtaken, $0.isOverLock) = (true, true) }
        return id
    }

    /// A window is shown over the lock, or none is any more.
    public mutating func setOverLock(_ new: WindowOverLock?) { overLock = new }
}

extension KeySymbol {
    /// Whether an app over the lock screen never gets this key, with Super held or not: it leads away from apps elsewhere, too.
    public func staysOnLock(withSuper isSuper: Bool) -> Bool { isSuper || leadsHome }

    /// Whether it leads back from an app over the lock screen.
    public var leadsHome: Bool { [.leftSuper, .rightSuper, .homePage, .back].contains(self) }
}
