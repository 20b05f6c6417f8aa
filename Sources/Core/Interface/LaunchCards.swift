import Geometry
import OrderedCollections
import Rooms
import Stage
import Windows

/// The cards of apps that start, until their windows appear.
public struct LaunchCards: Room {
    public private(set) var cards: OrderedDictionary<LaunchID, Interface.LaunchCard> = [:]
    private var isTimed = false

    /// How long a card waits for its window, in seconds. A later window appears all the same.
    public static let patience = 15.0
    /// How long a card stays after its program has exited normally, in seconds: another process that it told may show the window.
    static let handoverPatience = 2.5

    public init() {}

    public enum Event: Hashable, Sendable {
        /// `from`: where the icon is; `to`: where the window will be.
        case began(LaunchID, app: String, icon: AppIcon, from: Rect, to: Rect)
        /// The program failed.
        case failed(LaunchID)
        /// The program exited in order, and showed no window itself.
        case exited(LaunchID)
        /// A person cancels the wait for all.
        case dismissed
        case timeIsUp
        case settled
        /// The places of windows changed, as on a screen that turned.
        case moved([LaunchID: Rect])
    }

    public struct Context: Hashable, Sendable {
        /// The launches that wait for no window any more: it is there, or comes another way.
        public var over: Set<LaunchID>
        public var spring: Spring

        public init(over: Set<LaunchID> = [], spring: Spring) {
            self.over = over
            self.spring = spring
        }
    }

    public enum Outcome: Hashable, Sendable {
        case timer(Moment?)
        /// The wait for the window of this card ended.
        case over(Interface.LaunchCard)
    }

    // MARK: Reading

    public var isEmpty: Bool { cards.isEmpty }
    public var values: [Interface.LaunchCard] { Array(cards.values) }
    public subscript(_ id: LaunchID) -> Interface.LaunchCard? { cards[id] }
    /// The launches whose windows are awaited.
    public var waiting: [LaunchID] { cards.keys.filter { !cards[$0]!.isLeaving } }

    public func isWaiting(for id: LaunchID) -> Bool { cards[id].map { !$0.isLeaving } ?? false }

    public func isMoving(at now: Moment) -> Bool {
        cards.values.contains { !$0.frame.isSettled(at: now) || !$0.opacity.isSettled(at: now) }
    }

    // MARK: Events

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .began(let id, let app, let icon, let from, let to):
            cards[id] = Interface.LaunchCard(app: app, icon: icon, from: from, to: to, at: now, spring: context.spring)
            isTimed = true
            return [.timer(now + Self.patience)]
        case .failed(let id):
            leave(id, context, at: now)
            return []
        case .exited(let id): return isWaiting(for: id) ? [.timer(now + Self.handoverPatience)] : []
        case .dismissed:
            for id in waiting { leave(id, context, at: now) }
            return []
        case .timeIsUp:
            for id in waiting { leave(id, context, at: now) }
            isTimed = false
            return []
        case .moved(let places):
            for (id, place) in places where isWaiting(for: id) { cards[id]!.frame.retarget(place, at: now, spring: context.spring) }
            return []
        case .settled:
            var out: [Outcome] = []
            for id in waiting where context.over.contains(id) {
                out.append(.over(cards[id]!))
                leave(id, context, at: now)
            }
            if isTimed, waiting.isEmpty {
                isTimed = false
                out.append(.timer(nil))
            }
            return out
        }
    }

    /// Fades the card: its window is there, or will not appear.
    private mutating func leave(_ id: LaunchID, _ context: Context, at now: Moment) {
        guard cards[id] != nil else { return }
        cards[id]!.isLeaving = true
        cards[id]!.opacity.retarget(0, at: now, spring: context.spring)
    }

    mutating func forgetFinished(at now: Moment) {
        for (id, card) in cards where card.isLeaving && card.opacity.isSettled(at: now) { cards[id] = nil }
    }

    public func violations(in context: Context) -> [String] {
        isTimed || waiting.isEmpty ? [] : ["law 4: the patience with launches is wrong"]
    }
}

extension LaunchCards {
    public func context(_ launches: Launches, spring: Spring) -> Context {
        let over = waiting.filter { id in
            guard let launch = launches[id] else { return true }
            return launch.isUsed || launch.holder != nil || launches.isOvertaken(id)
        }
        return Context(over: Set(over), spring: spring)
    }
}
