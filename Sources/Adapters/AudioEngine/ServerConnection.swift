import AudioSessions
import CPipeWire
import Glibc

/// A report of the sound server, as values.
enum ServerReport {
    case appeared(UInt32, ObjectKind, [String: String])
    case disappeared(UInt32)
    case info(UInt32, state: Int32, [String: String])
    case volumes(UInt32, NodeVolumes)
    /// All routes of a device, whenever one changes.
    case routes(UInt32, [DeviceRoute])
    case metadata(UInt32, subject: UInt32, key: String?, value: String?)
    case made(UInt64, id: UInt32, error: Int32)
    case synced(Int32)
    case measured(UInt64, sounds: Bool)
    case lost(String)
}

enum ObjectKind {
    case node, port, link, client, device, metadata
}

/// The levels of a node. Linear factors; only changed values are not nil.
struct NodeVolumes: Equatable {
    var channels: [Float]?
    var soft: [Float]?
    var isMuted: Bool?
}

/// A jack, or another path in or out of a device.
struct DeviceRoute: Equatable {
    enum Availability { case unknown, no, yes }

    var isCurrent: Bool
    var isOutput: Bool
    var index: Int32
    /// The index of the node in the profile that uses this route; -1 if the route is not current.
    var device: Int32
    var devices: [Int32]
    var name: String
    var description: String
    var portType: String
    var priority: Int
    var availability: Availability
    var volumes: NodeVolumes
}

/// A connection to PipeWire. It queues reports until `process` returns them, so their handler may call any method.
final class ServerConnection {
    struct Failure: Error {
        var number: Int32
    }

    private var raw: OpaquePointer?
    private var reports: [ServerReport] = []
    private var routes: [UInt32: [DeviceRoute]] = [:]

    /// Throws a negative errno.
    init(path: String) throws(Failure) {
        let status = cpw_open(&raw, path, &ServerConnection.handlers, Unmanaged.passUnretained(self).toOpaque())
        guard status >= 0, raw != nil else { throw Failure(number: status) }
    }

    deinit { close() }

    func close() {
        cpw_close(raw)
        raw = nil
    }

    var descriptor: Int32 { cpw_descriptor(raw) }

    /// Returns the reports since the last call.
    func process() -> [ServerReport] {
        cpw_process(raw)
        defer { reports.removeAll(keepingCapacity: true) }
        return reports
    }

    /// The server reports `synced` with this number after it has handled all earlier requests.
    func sync() -> Int32 { cpw_sync(raw) }

    func bind(_ id: UInt32) { cpw_bind(raw, id) }

    func link(_ pair: PortPair, token: UInt64) -> Bool {
        cpw_link(raw, token, pair.outputNode, pair.output, pair.inputNode, pair.input) >= 0
    }

    func makeNode(_ properties: [String: String], token: UInt64) {
        ServerConnection.withPairs(properties) { _ = cpw_make_node(raw, token, $0.baseAddress, $0.count) }
    }

    func destroy(_ id: UInt32) { cpw_destroy(raw, id) }

    /// - Parameter isToTell: the server reports these volumes and later changes even if the node never ran.
    func setVolumes(of node: UInt32, _ volumes: [Float], isMuted: Bool, isToTell: Bool) {
        cpw_set_volumes(raw, node, volumes, UInt32(volumes.count), isMuted, isToTell)
    }

    func setSoftVolumes(of node: UInt32, _ volumes: [Float]) {
        cpw_set_soft_volumes(raw, node, volumes, UInt32(volumes.count))
    }

    /// Makes the server report volume changes of a node that never ran.
    func tellVolumes(of node: UInt32) { cpw_tell_volumes(raw, node) }

    /// - Parameter volumes: empty to keep the route's last ones.
    func setRoute(of device: UInt32, index: Int32, device profileDevice: Int32, volumes: [Float], isMuted: Bool, isKept: Bool) {
        cpw_set_route(raw, device, index, profileDevice, volumes, UInt32(volumes.count), isMuted, isKept)
    }

    func setPorts(of node: UInt32, isInput: Bool, rate: Int) { cpw_set_ports(raw, node, isInput, UInt32(rate)) }

    func addMeter(_ token: UInt64, name: String) -> Bool {
        let rules = cpw_meter_rules(level: SilenceMeasures.level, patience: SilenceMeasures.patience, gap: SilenceMeasures.gap)
        return cpw_meter_add(raw, token, name, rules) >= 0
    }

    func removeMeter(_ token: UInt64) { cpw_meter_remove(raw, token) }

    func setMetadata(_ id: UInt32, subject: UInt32, key: String, type: String, value: String?) {
        if let value {
            cpw_set_metadata(raw, id, subject, key, type, value)
        } else {
            cpw_set_metadata(raw, id, subject, key, nil, nil)
        }
    }

    // MARK: Callbacks from C

    private static func of(_ user: UnsafeMutableRawPointer?) -> ServerConnection {
        Unmanaged<ServerConnection>.fromOpaque(user!).takeUnretainedValue()
    }

    nonisolated(unsafe) private static var handlers = cpw_handlers(
        appeared: { user, id, kind, pairs, count in
            let kind: ObjectKind =
                switch kind {
                case CPW_NODE: .node
                case CPW_PORT: .port
                case CPW_LINK: .link
                case CPW_CLIENT: .client
                case CPW_DEVICE: .device
                default: .metadata
                }
            of(user).reports.append(.appeared(id, kind, properties(pairs, count)))
        },
        disappeared: { of($0).reports.append(.disappeared($1)) },
        info: { of($0).reports.append(.info($1, state: $2, properties($3, $4))) },
        props: { of($0).reports.append(.volumes($1, volumes($2!.pointee))) },
        route: { user, id, route in
            let connection = of(user)
            if let route {
                connection.routes[id, default: []].append(ServerConnection.route(route.pointee))
            } else {
                connection.reports.append(.routes(id, connection.routes.removeValue(forKey: id) ?? []))
            }
        },
        metadata: { user, id, subject, key, value in
            of(user).reports.append(
                .metadata(id, subject: subject, key: key.map { String(cString: $0) }, value: value.map { String(cString: $0) }))
        },
        made: { of($0).reports.append(.made($1, id: $2, error: $3)) },
        synced: { of($0).reports.append(.synced($1)) },
        measured: { of($0).reports.append(.measured($1, sounds: $2)) },
        lost: { of($0).reports.append(.lost($1.map { String(cString: $0) } ?? "")) })

    private static func properties(_ pairs: UnsafePointer<cpw_pair>?, _ count: Int) -> [String: String] {
        var properties: [String: String] = [:]
        for pair in UnsafeBufferPointer(start: pairs, count: pairs == nil ? 0 : count) {
            if let key = pair.key, let value = pair.value { properties[String(cString: key)] = String(cString: value) }
        }
        return properties
    }

    private static func volumes(_ props: cpw_props) -> NodeVolumes {
        func has(_ bit: Int) -> Bool { props.has & UInt32(bit) != 0 }
        func list(_ tuple: some Any, _ count: UInt32) -> [Float] {
            withUnsafeBytes(of: tuple) { Array($0.bindMemory(to: Float.self).prefix(Int(count))) }
        }
        return NodeVolumes(
            channels: has(CPW_VOLUMES) ? list(props.volumes, props.count) : nil,
            soft: has(CPW_SOFT_VOLUMES) ? list(props.soft_volumes, props.soft_count) : nil,
            isMuted: has(CPW_MUTE) ? props.mute : nil)
    }

    private static func route(_ route: cpw_route) -> DeviceRoute {
        DeviceRoute(
            isCurrent: route.is_current, isOutput: route.is_output, index: route.index, device: route.device,
            devices: withUnsafeBytes(of: route.devices) { Array($0.bindMemory(to: Int32.self).prefix(Int(route.device_count))) },
            name: String(cString: route.name), description: String(cString: route.description),
            portType: String(cString: route.port_type), priority: Int(route.priority),
            availability: route.available == 1 ? .no : route.available == 2 ? .yes : .unknown, volumes: volumes(route.props))
    }

    private static func withPairs(_ properties: [String: String], _ body: (UnsafeBufferPointer<cpw_pair>) -> Void) {
        var texts: [UnsafeMutablePointer<CChar>] = []
        var pairs: [cpw_pair] = []
        for (key, value) in properties {
            let (key, value) = (strdup(key)!, strdup(value)!)
            texts += [key, value]
            pairs.append(cpw_pair(key: key, value: value))
        }
        pairs.withUnsafeBufferPointer(body)
        for text in texts { free(text) }
    }
}
