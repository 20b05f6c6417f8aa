/// The sound server's description of a device. The adapter reports it, and the kinds below are derived from it.
public struct DeviceFacts: Hashable, Sendable {
    /// Properties of the node, which take precedence, and of its device, by PipeWire's names.
    public var node: [String: String]
    public var device: [String: String]
    /// Whether the node belongs to a device. A node without one is made by a program.
    public var hasDevice: Bool
    /// The jack or profile (a PipeWire route): its type and its name.
    public var route: Route?

    public struct Route: Hashable, Sendable {
        public var type: String
        public var name: String
        public var priority: Int
        /// Whether something is plugged in, as far as the hardware knows.
        public var isAvailable: Bool

        public init(type: String, name: String, priority: Int = 0, isAvailable: Bool = false) {
            self.type = type
            self.name = name
            self.priority = priority
            self.isAvailable = isAvailable
        }
    }

    public init(node: [String: String], device: [String: String], hasDevice: Bool, route: Route?) {
        self.node = node
        self.device = device
        self.hasDevice = hasDevice
        self.route = route
    }

    fileprivate func property(_ key: String) -> String { (node[key] ?? device[key] ?? "").lowercased() }

    /// The priority of an output if the user picked none: the session manager's priority of the node. Among several
    /// jacks of one node, those with a plug come before those in an unknown state.
    public func priority(isOnlyRoute: Bool) -> Int {
        let own = node["priority.session"].flatMap { Int($0) } ?? 0
        guard !isOnlyRoute, let route else { return own }
        return own + (route.isAvailable ? 50 : 0) + min(max(0, route.priority / 1000), 49)
    }
}

extension AudioOutput.Kind {
    /// Derived from the jack first, then the device, then its names.
    public init(_ facts: DeviceFacts) { self = DeviceKinds.output(facts) }
}

extension AudioInput.Kind {
    public init(_ facts: DeviceFacts) { self = DeviceKinds.input(facts) }
}

private enum DeviceKinds {
    static func output(_ facts: DeviceFacts) -> AudioOutput.Kind {
        let property = facts.property
        switch property("api.bluez5.profile") {
        case "": break
        case let profile where profile.contains("a2dp") || profile.contains("bap"): return .bluetoothA2DP
        default: return .bluetoothHFP
        }
        if let route = facts.route, let kind = output(portType: route.type.lowercased(), name: route.name.lowercased()) {
            // Except for a desktop speaker, whose plug is pulled together with it.
            return kind == .speaker && property("device.bus") == "usb" && property("device.form-factor") != "speaker" ? .usb : kind
        }
        switch property("device.form-factor") {
        case "headphone", "headphones": return .headphones
        case "headset", "hands-free": return .headset
        case "handset": return .receiver
        case "speaker", "internal", "portable", "computer": return .speaker
        case "tv", "hifi": return property("device.bus") == "usb" ? .usb : .lineOut
        default: break
        }
        let profile = property("device.profile.name")
        if profile.contains("hdmi") { return .hdmi }
        if property("device.bus") == "bluetooth" || property("device.api") == "bluez5" { return .bluetoothA2DP }
        if property("device.bus") == "usb" { return .usb }
        if property("factory.name") == "support.null-audio-sink" || property("node.virtual") == "true" { return .virtual }
        let name = property("node.name")
        if name.contains("raop") || name.contains("rtp") || property("node.network") == "true" { return .network }
        return property("device.api").isEmpty && !facts.hasDevice ? .virtual : .speaker
    }

    private static func output(portType: String, name: String) -> AudioOutput.Kind? {
        switch portType {
        case "speaker": return .speaker
        case "headphones": return .headphones
        case "headset", "handsfree": return .headset
        case "earpiece", "handset": return .receiver
        case "hdmi", "tv", "displayport": return .hdmi
        case "line", "spdif": return .lineOut
        case "usb": return .usb
        case "bluetooth": return .bluetoothA2DP
        case "network": return .network
        default: break
        }
        if name.contains("headphone") { return .headphones }
        if name.contains("headset") { return .headset }
        if name.contains("earpiece") || name.contains("handset") { return .receiver }
        if name.contains("hdmi") { return .hdmi }
        if name.contains("speaker") { return .speaker }
        if name.contains("line") || name.contains("iec958") { return .lineOut }
        return nil
    }

    static func input(_ facts: DeviceFacts) -> AudioInput.Kind {
        let property = facts.property
        if !property("api.bluez5.profile").isEmpty || property("device.bus") == "bluetooth" { return .bluetooth }
        let port = "\(facts.route?.type.lowercased() ?? "") \(facts.route?.name.lowercased() ?? "")"
        if port.contains("headset") || ["headset", "headphone", "hands-free"].contains(property("device.form-factor")) { return .headset }
        if port.contains("line") { return .lineIn }
        if property("device.bus") == "usb" { return .usb }
        if port.contains("mic") || property("device.form-factor") == "internal" || property("device.form-factor") == "microphone" {
            return .builtIn
        }
        return property("device.api").isEmpty && !facts.hasDevice ? .virtual : .builtIn
    }
}
