import Geometry
import Rooms

/// The programs that hear, see, watch or locate a person now, and those that did before.
public struct SensorUse: Room {
    public enum Sensor: String, CaseIterable, Hashable, Codable, Sendable {
        case microphone, camera, screen, location
    }

    /// A program, as the kernel and its sandbox tell it.
    public struct Program: Hashable, Codable, Sendable {
        /// Empty: nothing is known of it.
        public var id: String
        /// The process and its ancestors, nearest first.
        public var lineage: [Int32]
        public var isSandboxed: Bool

        public init(id: String, lineage: [Int32] = [], isSandboxed: Bool = false) {
            self.id = id
            self.lineage = lineage
            self.isSandboxed = isSandboxed
        }
    }

    public struct User: Hashable, Codable, Sendable {
        public var program: Program
        /// The id of the app whose window it belongs to, else its own.
        public var id: String

        public init(_ program: Program, id: String? = nil) {
            self.program = program
            self.id = id ?? program.id
        }
    }

    /// A use that is over.
    public struct Past: Hashable, Codable, Sendable {
        public var sensor: Sensor
        /// Without processes: their numbers may belong to others by now.
        public var program: Program
        public var ended: Moment
    }

    /// Newest first, once for each program and sensor.
    public private(set) var past: [Past] = []
    private var present: [Sensor: [User]] = [:]

    /// The programs that have a camera open.
    public var cameras: [Program] { (present[.camera] ?? []).map(\.program) }
    /// The programs that know where the device is.
    public var locators: [Program] { (present[.location] ?? []).map(\.program) }

    public init() {}

    public enum Event: Hashable, Codable, Sendable {
        /// The programs that use a sensor from now on, without the others.
        case uses(Sensor, [User])
    }

    public enum Outcome: Hashable, Sendable {
        case changed
    }

    public static let most = 40

    /// Whether a program uses one of these.
    public func isUsed(_ sensors: Set<Sensor>) -> Bool { present.contains { sensors.contains($0.key) } }

    public mutating func handle(_ event: Event, in context: Void, at now: Moment) -> [Outcome] {
        guard case .uses(let sensor, let users) = event else { return [] }
        let before = present[sensor] ?? []
        // The window of a program may go before the program does: its name stays.
        let next = users.prefix(Self.most).map { user in before.first { $0.program == user.program } ?? user }
        guard next != before else { return [] }
        present[sensor] = next.isEmpty ? nil : next
        for user in before where !user.id.isEmpty && !next.contains(where: { $0.id == user.id }) {
            past.removeAll { $0.sensor == sensor && $0.program.id == user.id }
            past.insert(Past(sensor: sensor, program: Program(id: user.id, isSandboxed: user.program.isSandboxed), ended: now), at: 0)
        }
        // Those that use it again are not of the past.
        past.removeAll { use in use.sensor == sensor && next.contains { $0.id == use.program.id } }
        past = Array(past.prefix(Self.most))
        return [.changed]
    }

    public func violations(in context: Void) -> [String] {
        past.contains { use in present[use.sensor]?.contains { $0.id == use.program.id } ?? false }
            ? ["a present use is of the past"] : []
    }
}
