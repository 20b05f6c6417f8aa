import Geometry
import Rooms

/// An act of a person on what the shell keeps for an app.
public enum KeptAct: Hashable, Codable, Sendable {
    /// Asks whether to delete it.
    case ask(app: String)
    case delete(app: String)
}

/// The data that the shell keeps for each app, so that it comes back as it was left: its size, while a person looks at it, and its removal.
public struct KeptStates: Room {
    public struct Item: Hashable, Codable, Sendable {
        /// The app's id.
        public var app: String
        /// Of states and of what is noted about them, and of pictures of windows.
        public var states: Int64, pictures: Int64

        public init(app: String, states: Int64, pictures: Int64) {
            self.app = app
            self.states = states
            self.pictures = pictures
        }

        public var bytes: Int64 { states + pictures }
    }

    /// The largest first.
    public private(set) var items: [Item] = []
    public private(set) var isSeen = false

    public static let most = 200

    public init() {}

    public enum Event: Hashable, Codable, Sendable {
        case seen(Bool)
        case measured([Item])
        case wish(KeptAct)
    }

    public enum Outcome: Hashable, Sendable {
        case changed
        case measure
        case asks(app: String)
        case delete(app: String)
        case refuse(String)
    }

    public mutating func handle(_ event: Event, in context: Void, at now: Moment) -> [Outcome] {
        switch event {
        case .seen(let isSeen):
            guard isSeen != self.isSeen else { return [] }
            self.isSeen = isSeen
            items = []
            return [.changed] + (isSeen ? [.measure] : [])
        case .measured(let new):
            guard isSeen else { return [] }
            let sorted = Array(new.filter { $0.bytes > 0 }.sorted { ($1.bytes, $0.app) < ($0.bytes, $1.app) }.prefix(KeptStates.most))
            guard sorted != items else { return [] }
            items = sorted
            return [.changed]
        case .wish(.ask(let app)):
            return items.contains { $0.app == app } ? [.asks(app: app)] : [.refuse("nothing of \"\(app)\" is in the list")]
        case .wish(.delete(let app)):
            guard (1...256).contains(app.utf8.count) else { return [.refuse("an app has a name of 1 to 256 bytes")] }
            return [.delete(app: app)] + (isSeen ? [.measure] : [])
        }
    }

    public func violations(in context: Void) -> [String] {
        !isSeen && !items.isEmpty ? ["sizes are held while the page is closed"] : []
    }
}
