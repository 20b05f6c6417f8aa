import Geometry
import Rooms

/// Marks notifications as read: all when a person closes the list, and an app's when it comes to the front.
public struct Reading: Room {
    private var wasListOpen = false
    /// The app that was active after the last event.
    private var active: String?

    public init() {}

    public enum Event: Hashable, Sendable { case settled }

    public struct Context: Hashable, Sendable {
        public var isListOpen: Bool
        public var app: String?
        public var process: Int32?

        public init(isListOpen: Bool, app: String?, process: Int32?) {
            (self.isListOpen, self.app, self.process) = (isListOpen, app, process)
        }
    }

    public enum Outcome: Hashable, Sendable {
        case listOpened
        /// All of them are read.
        case listClosed
        case reads(app: String, process: Int32?)
    }

    /// Whether the end of the list has not been noted yet.
    public var isReading: Bool { wasListOpen }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        var out: [Outcome] = []
        if wasListOpen != context.isListOpen { out.append(wasListOpen ? .listClosed : .listOpened) }
        wasListOpen = context.isListOpen
        if let app = context.app, !app.isEmpty, app != active { out.append(.reads(app: app, process: context.process)) }
        active = context.app
        return out
    }
}
