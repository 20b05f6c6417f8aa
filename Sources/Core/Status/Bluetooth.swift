/// The state of Bluetooth.
public struct Bluetooth: Hashable, Codable, Sendable {
    public struct Device: Hashable, Codable, Sendable {
        /// The name that a person gave it.
        public var name: String
        /// From 0 to 100; nil: not known.
        public var battery: Int?

        public init(name: String, battery: Int? = nil) {
            self.name = name
            self.battery = battery.flatMap { (0...100).contains($0) ? $0 : nil }
        }
    }

    public var isOn: Bool
    /// The devices that are connected, by name.
    public var connected: [Device]

    /// At most so many devices are named.
    public static let most = 16

    public init(isOn: Bool, connected: [Device] = []) {
        self.isOn = isOn
        self.connected = isOn ? Array(connected.sorted { ($0.name, $0.battery ?? -1) < ($1.name, $1.battery ?? -1) }.prefix(Self.most)) : []
    }
}
