import Geometry

/// The fingers that were handed to clients: whose each one is, how it is delivered, and what its client still has to be told.
/// There is one book for windows, backgrounds and panels, so that no finger has two owners.
///
/// `Surface` names what a finger is on; it is only compared.
public struct Fingers<Surface: Hashable> {
    /// Whose a finger is, from its touch to its lift.
    public enum Owner: Hashable, Sendable { case window, background, panel }

    /// How a client hears of a finger.
    public enum Delivery: Hashable, Sendable {
        case touch
        /// The client knows no touch: the finger stands in for the pointer.
        case pointer
        /// The client knows no touch, and the pointer is taken.
        case nothing
    }

    public struct Finger {
        public let id: Int32
        public let owner: Owner
        public let delivery: Delivery
        /// The surface's top left, in the coordinates that the finger comes in.
        public let origin: Point
        /// nil once the finger was lifted from it, or it is gone.
        public fileprivate(set) var surface: Surface?
        /// Where the finger is on the surface.
        public fileprivate(set) var place: Point
        /// Its client did not read, so its last motion was held back.
        public fileprivate(set) var isOwed = false
        /// Of the event that told its client of the touch.
        public fileprivate(set) var serial: UInt32 = 0
    }

    /// The newest first.
    public private(set) var all: [Finger] = []

    public init() {}

    public subscript(id: Int32) -> Finger? {
        index(id).map { all[$0] }
    }

    /// A finger stands in for the pointer.
    public var hasStandIn: Bool { all.contains { $0.delivery == .pointer && $0.surface != nil } }

    /// How a client hears of the next finger. A pointer that is held, or that another finger stands in for, is nobody else's.
    public func delivery(knowsTouch: Bool, pointerIsHeld: Bool) -> Delivery {
        if knowsTouch { return .touch }
        return pointerIsHeld || hasStandIn ? .nothing : .pointer
    }

    /// A finger came down. The caller has ended and forgotten an earlier one of the same number.
    public mutating func begin(_ id: Int32, _ owner: Owner, on surface: Surface, at place: Point, origin: Point, _ delivery: Delivery) {
        forget(id)
        all.insert(Finger(id: id, owner: owner, delivery: delivery, origin: origin, surface: surface, place: place), at: 0)
    }

    public mutating func delivered(_ id: Int32, serial: UInt32) {
        if let index = index(id) { all[index].serial = serial }
    }

    /// A finger moved, in the coordinates that it comes in.
    /// - Returns: how to tell its client, and where the finger is on the surface; nil: nobody is to be told now.
    public mutating func move(_ id: Int32, to point: Point, isStalled: (Surface) -> Bool) -> (delivery: Delivery, place: Point)? {
        guard let index = index(id), let surface = all[index].surface else { return nil }
        let delivery = all[index].delivery
        let place = Point(point.x - all[index].origin.x, point.y - all[index].origin.y)
        all[index].place = place
        if delivery == .touch {
            all[index].isOwed = isStalled(surface)
            if all[index].isOwed { return nil }
        }
        return delivery == .nothing ? nil : (delivery, place)
    }

    /// Clients that have read on: the fingers whose last motion they still have to be told.
    public mutating func takeOwed(_ isOfClient: (Surface) -> Bool) -> [Finger] {
        var owed: [Finger] = []
        for index in all.indices where all[index].isOwed {
            guard let surface = all[index].surface, isOfClient(surface) else { continue }
            all[index].isOwed = false
            owed.append(all[index])
        }
        return owed
    }

    /// A finger was lifted, or what it was on is gone. It stays known until it is forgotten, so that its owner hears of its lift.
    /// - Returns: how its client hears of that; nil if it has heard.
    public mutating func end(_ id: Int32) -> Delivery? {
        guard let index = index(id), all[index].surface != nil else { return nil }
        all[index].surface = nil
        return all[index].delivery
    }

    public mutating func forget(_ id: Int32) {
        if let index = index(id) { all.remove(at: index) }
    }

    public mutating func forgetAll() { all.removeAll() }

    /// A finger that is down on a surface of a client, and whose touch was told with this serial (nil: any).
    public func holder(serial: UInt32?, _ isOfClient: (Surface) -> Bool) -> Int32? {
        all.first { ($0.serial == serial || serial == nil) && $0.surface.map(isOfClient) == true }?.id
    }

    private func index(_ id: Int32) -> Int? { all.firstIndex { $0.id == id } }
}

extension Fingers: Sendable where Surface: Sendable {}
extension Fingers.Finger: Sendable where Surface: Sendable {}
