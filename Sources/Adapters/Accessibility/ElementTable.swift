import Geometry

/// The number of an object on the bus. 0 is the application itself.
typealias ObjectNumber = UInt64

/// A rectangle in AT-SPI's whole points.
struct BusRect: Equatable {
    var x: Int32 = 0
    var y: Int32 = 0
    var width: Int32 = 0
    var height: Int32 = 0

    init() {}

    init(_ rect: Rect) {
        let rounded = rect.rounded
        x = Self.whole(rounded.x)
        y = Self.whole(rounded.y)
        width = max(0, Self.whole(rounded.width))
        height = max(0, Self.whole(rounded.height))
    }

    private static func whole(_ value: Double) -> Int32 {
        // Far outside of every screen, but adding two of these does not overflow.
        value.isFinite ? Int32(clamping: max(-1_000_000, min(1_000_000, value))) : 0
    }

    func contains(_ px: Int64, _ py: Int64) -> Bool {
        px >= Int64(x) && px < Int64(x) + Int64(width) && py >= Int64(y) && py < Int64(y) + Int64(height)
    }
}

/// The visible controls, by their numbers on the bus.
struct ElementTable {
    struct Node: Equatable {
        var id: String
        var role: Role
        var name: String
        var description: String
        /// The first one is the press, if `isPressable`.
        var actions: [AccessibleElement.Action]
        var isPressable: Bool
        var value: AccessibleElement.Value?
        var frame: BusRect
        /// `BusState` bits.
        var states: UInt64
        var parent: ObjectNumber
        /// The index among the parent's children.
        var index: Int
        var children: [ObjectNumber] = []

        func has(_ state: BusState) -> Bool { states & state.bit != 0 }
    }

    /// More than any screen shows. Further controls are left out.
    static let maximumCount = 4096
    static let maximumDepth = 32
    static let maximumActions = 64

    private(set) var nodes: [ObjectNumber: Node] = [:]
    private(set) var numbers: [String: ObjectNumber] = [:]
    /// Never reused, so that a number that a client remembers never means another object.
    private var lastNumber: ObjectNumber = 0

    /// A table with nothing but the application.
    init(applicationName: String) {
        nodes[0] = Node(
            id: "", role: .application, name: Self.clean(applicationName), description: "", actions: [], isPressable: false,
            frame: BusRect(), states: BusState.bits(of: [], active: false), parent: 0, index: -1)
    }

    /// A table of the same application with these top levels. Controls that stay keep their numbers.
    func with(_ roots: [AccessibleElement]) -> ElementTable {
        var table = self
        table.nodes = [:]
        table.numbers = [:]
        table.nodes[0] = nodes[0]
        table.nodes[0]!.children = []
        for root in roots {
            table.add(root, to: 0, depth: 1, isActive: root.states.contains(.active) || root.holdsFocus, known: numbers)
        }
        return table
    }

    private mutating func add(
        _ element: AccessibleElement, to parent: ObjectNumber, depth: Int, isActive: Bool,
        known: [String: ObjectNumber]
    ) {
        guard numbers.count < Self.maximumCount, depth <= Self.maximumDepth, numbers[element.id] == nil else { return }
        let number: ObjectNumber
        if let last = known[element.id] {
            number = last
        } else {
            lastNumber += 1
            number = lastNumber
        }
        numbers[element.id] = number
        nodes[number] = Node(
            id: element.id, role: element.role, name: Self.clean(element.name),
            description: Self.clean(element.description), actions: Self.actions(of: element), isPressable: element.action != nil,
            value: element.value.map { .init(share: $0.share, text: Self.clean($0.text)) },
            frame: BusRect(element.frame), states: BusState.bits(of: element.states, active: isActive), parent: parent,
            index: nodes[parent]!.children.count)
        nodes[parent]!.children.append(number)
        for child in element.children {
            add(child, to: number, depth: depth + 1, isActive: child.states.contains(.active), known: known)
        }
    }

    private static func actions(of element: AccessibleElement) -> [AccessibleElement.Action] {
        let first = element.action.map { AccessibleElement.Action(id: clean($0), name: clean($0)) }
        return [first].compactMap(\.self) + element.more.prefix(maximumActions).map { .init(id: $0.id, name: clean($0.name)) }
    }

    /// The top level of a control, which may be the control itself.
    func top(of number: ObjectNumber) -> ObjectNumber {
        var number = number
        while let parent = nodes[number]?.parent, parent != 0 { number = parent }
        return number
    }

    /// The topmost control at a point of the screen, within `number`. Later children lie above earlier ones.
    func hit(_ x: Int64, _ y: Int64, in number: ObjectNumber) -> ObjectNumber? {
        guard let node = nodes[number], node.has(.showing) else { return nil }
        for child in node.children.reversed() {
            if let hit = hit(x, y, in: child) { return hit }
        }
        return node.frame.contains(x, y) ? number : nil
    }

    /// Makes a text valid for D-Bus. Names may come from apps and contain anything.
    static func clean(_ text: String) -> String {
        func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value == 0 || scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
        }
        let scalars = text.unicodeScalars
        if text.utf8.count <= 1024, !scalars.contains(where: isForbidden) { return text }
        var clean = String.UnicodeScalarView()
        for scalar in scalars.prefix(1024) { clean.append(isForbidden(scalar) ? "\u{FFFD}" : scalar) }
        return String(clean)
    }
}

extension AccessibleElement {
    fileprivate var holdsFocus: Bool { states.contains(.focused) || children.contains { $0.holdsFocus } }
}
