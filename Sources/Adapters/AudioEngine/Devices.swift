import AudioSessions
import Clocks
import Glibc

/// Outputs and inputs as reported to the core.
struct DeviceBook {
    struct Place: Equatable {
        var node: UInt32
        /// One of the node's jacks, if it has several.
        var route: DeviceRoute?
    }

    var outputs: [AudioOutput] = []
    var inputs: [AudioInput] = []
    var places: [PortID: Place] = [:]
    /// The requested jack, while it is not active yet.
    var switching: PortID?
    /// Levels that this engine wrote. The server echoes them.
    var written: [PortID: [(level: Double, isMuted: Bool, at: Int64)]] = [:]
    /// The level for a jack that is not active yet.
    var pending: [PortID: (level: Double, isMuted: Bool)] = [:]
    var isTold = false
    /// Serials of sinks that have their ports, which appear a moment after the node. Sound can go only to these.
    var ready: Set<UInt64> = []
    /// The serial of a sink, keyed by the sync that ends the list of its ports.
    var listing: [Int32: UInt64] = [:]
    /// When to create the null output.
    var standInAt: Int64?
    var hasStandIn = false
    static let standInName = AudioOutput.nowhere.raw

    func port(of node: Graph.Node, in graph: Graph) -> PortID {
        let routes = graph.routes(of: node)
        guard routes.count > 1, let current = graph.currentRoute(of: node) else { return PortID(node.name) }
        return PortID("\(node.name)#\(current.name)")
    }
}

extension AudioEngine {
    /// Reports changes of outputs and inputs.
    func tellDevices() {
        var outputs: [AudioOutput] = []
        var inputs: [AudioInput] = []
        var places: [PortID: DeviceBook.Place] = [:]
        for node in graph.nodes.values.sorted(by: { $0.serial < $1.serial }) where node.state != nil && (node.isSink || node.isSource) {
            // Until the new output has ports, music that moves to it would go nowhere (A-08).
            guard node.isSource || devices.ready.contains(node.serial) else { continue }
            let device = node.device.flatMap { graph.devices[$0] }
            // A device reports its jacks a moment after it appears.
            guard node.volumes.channels != nil, device == nil || device?.routes != nil || node.profileDevice == nil else { continue }
            let properties = device?.properties ?? [:]
            let name = [node["node.description"], node["node.nick"], node.name].first { !$0.isEmpty } ?? ""
            func facts(_ route: DeviceRoute?) -> DeviceFacts {
                DeviceFacts(
                    node: node.properties, device: properties, hasDevice: node.device != nil,
                    route: route.map {
                        .init(type: $0.portType, name: $0.name, priority: $0.priority, isAvailable: $0.availability == .yes)
                    })
            }
            let routes = graph.routes(of: node)
            if node.isSource {
                guard routes.isEmpty || routes.contains(where: { $0.availability != .no }) else { continue }
                let facts = facts(graph.currentRoute(of: node))
                inputs.append(
                    AudioInput(
                        id: PortID(node.name), kind: .init(facts), name: name, priority: facts.priority(isOnlyRoute: true)))
                continue
            }
            let current = graph.currentRoute(of: node)
            for route in routes.isEmpty ? [nil] : routes.map(Optional.some) {
                if route?.availability == .no { continue }
                let isOnly = routes.count < 2
                let id = PortID(isOnly ? node.name : "\(node.name)#\(route?.name ?? "")")
                let isCurrent = isOnly || current?.index == route?.index
                let volumes = (isCurrent ? current?.volumes.channels : nil) ?? node.volumes.channels ?? []
                let isMuted = (isCurrent ? current?.volumes.isMuted : nil) ?? node.volumes.isMuted ?? false
                let facts = facts(route)
                outputs.append(
                    AudioOutput(
                        id: id, kind: .init(facts), name: isOnly ? name : "\(route?.description ?? "") (\(name))",
                        priority: facts.priority(isOnlyRoute: isOnly), level: Double(volumes.max() ?? 1).cubeRoot, isMuted: isMuted))
                places[id] = DeviceBook.Place(node: node.id, route: isOnly ? nil : route)
                if isCurrent, let pending = devices.pending.removeValue(forKey: id) {
                    writeLevel(id, at: DeviceBook.Place(node: node.id, route: isOnly ? nil : route), pending.level, pending.isMuted)
                }
            }
        }
        devices.places = places
        let before = Dictionary(uniqueKeysWithValues: devices.outputs.map { ($0.id, $0) })
        let isSame = devices.isTold && inputs == devices.inputs && outputs.map(\.shape) == devices.outputs.map(\.shape)
        devices.outputs = outputs
        devices.inputs = inputs
        devices.isTold = true
        if !isSame { return onEvent(.devicesChanged(outputs: outputs, inputs: inputs)) }
        for output in outputs {
            guard let old = before[output.id], abs(old.level - output.level) > 0.002 || old.isMuted != output.isMuted else { continue }
            if !isEcho(output.id, output.level, output.isMuted) {
                if output.id == self.output { anchors.output.wanted = Mirror.State(level: output.level, isMuted: output.isMuted) }
                onEvent(.outputLevelChanged(output.id, level: output.level, isMuted: output.isMuted))
            }
        }
    }

    // MARK: Ports

    /// The first port of a sink appeared, and the others come at the same time. A sink stays ready until its node is
    /// gone, even if it loses its ports and gets them again when the session manager restarts.
    func portAppeared(_ port: Graph.Port) {
        guard port.isInput, !port.isMonitor, let node = graph.nodes[port.node], node.isSink, !devices.ready.contains(node.serial),
            !devices.listing.values.contains(node.serial), let number = connection?.sync()
        else { return }
        devices.listing[number] = node.serial
    }

    /// All ports of a sink are known.
    func portsListed(_ number: Int32) {
        guard let serial = devices.listing.removeValue(forKey: number), graph.nodes.values.contains(where: { $0.serial == serial })
        else { return }
        devices.ready.insert(serial)
        isDirty = true
    }

    // MARK: Without a device

    /// Creates a null output after two seconds without any, and removes it when there is a real one.
    func keepStandIn() {
        guard makesStandIn else { return }
        let standIn = graph.nodes.values.first { $0.name == DeviceBook.standInName }
        let hasOthers = graph.nodes.values.contains {
            $0.isSink && $0.name != DeviceBook.standInName && devices.ready.contains($0.serial)
        }
        let now = Clocks.monotonicNanoseconds
        if hasOthers {
            devices.standInAt = nil
            devices.hasStandIn = false
            if let standIn { connection?.destroy(standIn.id) }
        } else if standIn == nil, !devices.hasStandIn {
            if devices.standInAt == nil { devices.standInAt = now + 2_000_000_000 }
            guard devices.standInAt! <= now else { return }
            devices.standInAt = nil
            devices.hasStandIn = true
            connection?.makeNode(
                [
                    "factory.name": "support.null-audio-sink", "node.name": DeviceBook.standInName, "node.description": "No device",
                    "media.class": "Audio/Sink", "audio.position": "[ FL FR ]", "object.linger": "true", "node.virtual": "true",
                    "priority.driver": "10", "priority.session": "1",
                ], token: token())
        }
    }

    // MARK: Levels

    func setLevel(_ port: PortID, _ level: Double, _ isMuted: Bool) {
        guard level.isFinite else { return }
        guard let place = devices.places[port], let node = graph.nodes[place.node] else { return }
        let level = min(max(level, 0), 1)
        if let route = place.route, graph.currentRoute(of: node)?.index != route.index {
            devices.pending[port] = (level, isMuted)
            return
        }
        writeLevel(port, at: place, level, isMuted)
    }

    private func writeLevel(_ port: PortID, at place: DeviceBook.Place, _ level: Double, _ isMuted: Bool) {
        guard let node = graph.nodes[place.node] else { return }
        let factor = Float(level * level * level)
        let current = graph.currentRoute(of: node)
        let count = max(1, (current?.volumes.channels ?? node.volumes.channels ?? []).count)
        devices.written[port, default: []].append((level, isMuted, Clocks.monotonicNanoseconds))
        let volumes = [Float](repeating: factor, count: count)
        // If a device has jacks, the level belongs to the jack.
        if let current, let device = node.device {
            connection?.setRoute(of: device, index: current.index, device: current.device, volumes: volumes, isMuted: isMuted, isKept: true)
        } else {
            connection?.setVolumes(of: node.id, volumes, isMuted: isMuted, isToTell: isToTell(node.id))
        }
    }

    /// Whether this is the echo of a level that the engine wrote within the last second.
    private func isEcho(_ port: PortID, _ level: Double, _ isMuted: Bool) -> Bool {
        let now = Clocks.monotonicNanoseconds
        devices.written[port]?.removeAll { $0.at + 1_000_000_000 < now }
        return devices.written[port]?.contains { abs($0.level - level) < 0.002 && $0.isMuted == isMuted } ?? false
    }
}

extension AudioOutput {
    /// The output without its level.
    fileprivate var shape: AudioOutput {
        var shape = self
        shape.level = 0
        shape.isMuted = false
        return shape
    }
}

extension Double {
    fileprivate var cubeRoot: Double { cbrt(self) }
}
