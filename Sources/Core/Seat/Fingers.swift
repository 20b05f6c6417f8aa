import Geometry

/// The touch points that were delivered to clients: on which surface, how they are delivered, and which motion is still owed to the
/// client. `Hands` or the lock decides which surface gets a finger.
///
/// `Surface` identifies the object below a finger. It is only compared.
public struct Fingers<Surface: Hashable> {
    /// The owner of a finger, from touch down to touch up.
    public enum Owner: Hashable, Sendable { case core, locker }

    /// How a finger is delivered to a client.
    public enum Delivery: Hashable, Sendable {
        case touch
        /// The client does not bind wl_touch, so the finger acts as the pointer.
        case pointer
        /// The client does not bind wl_touch, and the pointer is in use.
        case nothing
    }

    public struct Finger {
        public let id: Int32
        public let owner: Owner
        public let delivery: Delivery
        /// The surface's top left, in the coordinate space of the finger.
        public let origin: Point
        /// nil once the finger lifted or the surface is gone.
        public fileprivate(set) var surface: Surface?
        /// The position on the surface.
        public fileprivate(set) var place: Point
        /// The last motion was held back, because the client does not read its socket.
        public fileprivate(set) var isOwed = false
        /// The serial of the touch down event.
        public fileprivate(set) var serial: UInt32 = 0
    }

    /// Newest first.
    public private(set) var all: [Finger] = []
    /// Buttons of the mouse that were pressed while a finger acted as the pointer.
    private var heldBack: Set<UInt32> = []

    public init() {}

    public subscript(id: Int32) -> Finger? {
        index(id).map { all[$0] }
    }

    /// Whether a finger acts as the pointer.
    public var hasStandIn: Bool { all.contains { $0.delivery == .pointer && $0.surface != nil } }

    /// How to deliver the next finger. A held pointer, or one that a finger acts as, is not available.
    public func delivery(knowsTouch: Bool, pointerIsHeld: Bool) -> Delivery {
        if knowsTouch { return .touch }
        return pointerIsHeld || hasStandIn ? .nothing : .pointer
    }

    /// One press has one release: while a finger acts as the pointer, the client gets no press of the mouse, and then not its release.
    /// - Returns: whether the client gets this one.
    public mutating func delivers(_ button: UInt32, pressed: Bool) -> Bool {
        guard pressed else { return heldBack.remove(button) == nil }
        if hasStandIn { heldBack.insert(button) } else { heldBack.remove(button) }
        return !hasStandIn
    }

    /// Whether the release of this button is held back.
    public func isHeldBack(_ button: UInt32) -> Bool { heldBack.contains(button) }

    /// Records a touch down. The caller has ended and forgotten any earlier finger with the same id.
    public mutating func begin(_ id: Int32, _ owner: Owner, on surface: Surface, at place: Point, origin: Point, _ delivery: Delivery) {
        forget(id)
        all.insert(Finger(id: id, owner: owner, delivery: delivery, origin: origin, surface: surface, place: place), at: 0)
    }

    public mutating func delivered(_ id: Int32, serial: UInt32) {
        if let index = index(id) { all[index].serial = serial }
    }

    /// Records a motion, in the coordinate space of the finger.
    /// - Returns: how to deliver it, and the position on the surface; nil if there is nothing to deliver now.
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

    /// Returns the fingers whose last motion is owed to clients that have caught up.
    public mutating func takeOwed(_ isOfClient: (Surface) -> Bool) -> [Finger] {
        var owed: [Finger] = []
        for index in all.indices where all[index].isOwed {
            guard let surface = all[index].surface, isOfClient(surface) else { continue }
            all[index].isOwed = false
            owed.append(all[index])
        }
        return owed
    }

    /// Records that a finger lifted or its surface is gone. The finger stays known until `forget`, so that its owner
    /// gets the touch up.
    /// - Returns: how to deliver the end; nil if it was already delivered.
    public mutating func end(_ id: Int32) -> Delivery? {
        guard let index = index(id), all[index].surface != nil else { return nil }
        all[index].surface = nil
        return all[index].delivery
    }

    public mutating func forget(_ id: Int32) {
        if let index = index(id) { all.remove(at: index) }
    }

    public mutating func forgetAll() { all.removeAll() }

    /// A finger that is down on a surface of a client, with this touch down serial (nil: any).
    public func holder(serial: UInt32?, _ isOfClient: (Surface) -> Bool) -> Int32? {
        all.first { ($0.serial == serial || serial == nil) && $0.surface.map(isOfClient) == true }?.id
    }

    private func index(_ id: Int32) -> Int? { all.firstIndex { $0.id == id } }
}

extension Fingers: Sendable where Surface: Sendable {}
extension Fingers.Finger: Sendable where Surface: Sendable {}
