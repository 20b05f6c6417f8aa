import Geometry
import Idioms
import Rooms

/// The wrist that wears the device: lowered, the screen shows nothing private, and clips fall silent; the app in front stays.
public struct Wrist: Room {
    public private(set) var isDown = false

    public init() {}

    public enum Event: Hashable, Sendable {
        /// A sensor or a person says where the wrist is.
        case moved(isRaised: Bool)
        /// A touch, a button or a key of a person.
        case used
    }

    public enum Outcome: Hashable, Sendable {
        case drawn
        /// The views of the shell close.
        case closesViews
        /// The idiom in effect knows no wrist.
        case refused
    }

    public mutating func handle(_ event: Event, in idiom: Idiom, at now: Moment) -> [Outcome] {
        switch event {
        case .moved(let isRaised):
            guard idiom.wrist != nil else { return [.refused] }
            guard isDown == isRaised else { return [] }
            isDown = !isRaised
            return isDown ? [.drawn, .closesViews] : [.drawn]
        case .used:
            guard isDown else { return [] }
            isDown = false
            return [.drawn]
        }
    }

    public mutating func begin(_ idiom: Idiom, at now: Moment) -> [Outcome] {
        guard isDown else { return [] }
        isDown = false
        return [.drawn]
    }

    public func violations(in idiom: Idiom) -> [String] {
        isDown && idiom.wrist == nil ? ["A-24: a wrist is down where none is known"] : []
    }
}
