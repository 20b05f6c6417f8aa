/// Two ports to link, by the server's ids.
struct PortPair: Hashable {
    var outputNode: UInt32
    var output: UInt32
    var inputNode: UInt32
    var input: UInt32

    func joins(_ node: UInt32) -> Bool { outputNode == node || inputNode == node }
}

/// The objects in the sound server, as far as it has reported them.
struct Graph {
    struct Node {
        var id: UInt32
        /// Never reused.
        var serial: UInt64
        var properties: [String: String]
        /// nil until all properties are known.
        var state: Int32?
        var volumes = NodeVolumes()
        /// Whether the server reports volume changes: the node has run, or the engine asked for it.
        var tellsVolumes = false
        /// The node was suspended while it ran, and has not run since.
        var isCutShort = false
        /// Whether the node is an anchor.
        var isAnchor: Bool

        /// pipewire-pulse creates this null sink if there is none, and removes it when the anchor appears.
        private static let pulseStandIn = "auto_null"

        subscript(key: String) -> String { properties[key] ?? "" }

        var name: String { self["node.name"] }
        var mediaClass: String { self["media.class"] }
        var isRunning: Bool { state == Self.running }
        static let suspended: Int32 = 1
        static let running: Int32 = 3
        var isSink: Bool { mediaClass == "Audio/Sink" && !isAnchor && name != Self.pulseStandIn }
        var isSource: Bool { (mediaClass == "Audio/Source" || mediaClass == "Audio/Source/Virtual") && !isAnchor }
        var isOutputStream: Bool { mediaClass == "Stream/Output/Audio" }
        var isInputStream: Bool { mediaClass == "Stream/Input/Audio" }
        var isStream: Bool { isOutputStream || isInputStream }
        /// Pictures that an app gets.
        var isPictureStream: Bool { mediaClass == "Stream/Input/Video" }
        /// A screen that is shared is a source of pictures as well.
        var isCamera: Bool {
            mediaClass == "Video/Source" && (["v4l2", "libcamera"].contains(self["device.api"]) || self["media.role"] == "Camera")
        }
        /// The index of the node within its device's profile.
        var profileDevice: Int32? { properties["card.profile.device"].flatMap { Int32($0) } }
        var device: UInt32? { properties["device.id"].flatMap { UInt32($0) } }
    }

    struct Port {
        var id: UInt32
        var node: UInt32
        var isInput: Bool
        var isMonitor: Bool
        /// "FL", "MONO", "AUX0".
        var channel: String
        /// The port's index within its node.
        var number: Int
    }

    struct Link {
        var pair: PortPair
        /// As PipeWire counts: below 3 not ready, 3 paused, 4 active. Known a moment after the link.
        var state: Int32 = 0
    }

    struct Device {
        var properties: [String: String]
        /// nil until the device reports them.
        var routes: [DeviceRoute]?
    }

    var nodes: [UInt32: Node] = [:]
    var ports: [UInt32: Port] = [:]
    var links: [UInt32: Link] = [:]
    var clients: [UInt32: [String: String]] = [:]
    var devices: [UInt32: Device] = [:]

    /// The ports of a node that carry sound, in the order of its channels. The output of a virtual source is a
    /// monitor of its input.
    func ports(of node: UInt32, input: Bool) -> [Port] {
        ports.values.filter { $0.node == node && $0.isInput == input && (!$0.isMonitor || nodes[node]?.isSource == true) }
            .sorted { ($0.number, $0.id) < ($1.number, $1.id) }
    }

    func link(_ pair: PortPair) -> UInt32? { links.first { $0.value.pair == pair }?.key }

    /// The routes of its device that a node can use.
    func routes(of node: Node) -> [DeviceRoute] {
        guard let device = node.device, let profileDevice = node.profileDevice, let routes = devices[device]?.routes else { return [] }
        let isOutput = node.mediaClass == "Audio/Sink"
        return routes.filter { !$0.isCurrent && $0.isOutput == isOutput && $0.devices.contains(profileDevice) }
    }

    /// The route that the node currently uses.
    func currentRoute(of node: Node) -> DeviceRoute? {
        guard let device = node.device, let profileDevice = node.profileDevice else { return nil }
        return devices[device]?.routes?.first { $0.isCurrent && $0.device == profileDevice }
    }
}

extension Graph.Port {
    init?(id: UInt32, properties: [String: String]) {
        guard let node = properties["node.id"].flatMap({ UInt32($0) }) else { return nil }
        self.init(
            id: id, node: node, isInput: properties["port.direction"] == "in", isMonitor: properties["port.monitor"] == "true",
            channel: properties["audio.channel"] ?? "", number: properties["port.id"].flatMap { Int($0) } ?? 0)
    }
}

extension Graph.Link {
    init?(properties: [String: String]) {
        func number(_ key: String) -> UInt32? { properties["link.\(key)"].flatMap { UInt32($0) } }
        guard let outputNode = number("output.node"), let output = number("output.port"), let inputNode = number("input.node"),
            let input = number("input.port")
        else { return nil }
        self.init(pair: PortPair(outputNode: outputNode, output: output, inputNode: inputNode, input: input))
    }
}

/// Decides which ports to link.
enum Channels {
    private static let left: Set<String> = ["FL", "RL", "SL", "FLC", "FLW", "TFL", "TRL"]
    private static let right: Set<String> = ["FR", "RR", "SR", "FRC", "FRW", "TFR", "TRR"]

    /// Pairs ports of the same channel, or else of the same side. A single channel goes to or comes from all.
    static func pairs(from outputs: [Graph.Port], to inputs: [Graph.Port]) -> [PortPair] {
        guard !outputs.isEmpty, !inputs.isEmpty else { return [] }
        var pairs: [PortPair] = []
        for output in outputs {
            for input in targets(of: output, among: inputs, from: outputs) {
                pairs.append(PortPair(outputNode: output.node, output: output.id, inputNode: input.node, input: input.id))
            }
        }
        return pairs
    }

    private static func targets(of output: Graph.Port, among inputs: [Graph.Port], from outputs: [Graph.Port]) -> [Graph.Port] {
        if outputs.count == 1 {
            let front = inputs.filter { $0.channel == "FL" || $0.channel == "FR" }
            return front.isEmpty ? Array(inputs.prefix(2)) : front
        }
        if inputs.count == 1 { return inputs }
        let same = inputs.filter { $0.channel == output.channel }
        if !same.isEmpty { return same }
        let isLeft = left.contains(output.channel), isRight = right.contains(output.channel)
        let sides = inputs.enumerated().filter { index, input in
            // Ports without channel names (AUX0, AUX1) are paired by index.
            let isPlain = !left.contains(input.channel) && !right.contains(input.channel)
            if isLeft { return input.channel == "FL" || isPlain && index == 0 }
            if isRight { return input.channel == "FR" || isPlain && index == 1 }
            return input.channel == "FL" || input.channel == "FR"
        }
        return sides.map(\.element)
    }

    /// The factor that lowers a stream's gain when channels are mixed down, so that two channels in one keep their
    /// sum.
    static func factor(from outputs: [Graph.Port], to inputs: [Graph.Port]) -> Double {
        inputs.count == 1 && outputs.count > 1 ? 1 / Double(outputs.count) : 1
    }
}
