import AudioSessions
import Clocks
import Processes

/// A stream as reported to the core, and the core's decisions about it.
struct Stream {
    var node: UInt32
    var id: StreamID
    var facts: StreamFacts
    /// Streams start unconnected.
    var isConnected = false
    var gain = Gain()
    var isGainDue = false
    /// The writes of its gain.
    var writes = GainWrites()
    /// Soft volumes replace the stream's own volumes.
    var hasSoftVolumes = false
    /// When it appeared.
    var since = Clocks.monotonicNanoseconds
    /// The engine made its ports.
    var hasOwnPorts = false
    /// Its target was set to the anchor, because the app or a mixer had named another one.
    var isMoved = false
    /// The token of its meter.
    var meter: UInt64?
    /// Its meter has heard nothing for a second.
    var isSilent = false
}

extension AudioEngine {
    // MARK: The graph

    func appeared(_ id: UInt32, _ kind: ObjectKind, _ properties: [String: String]) {
        switch kind {
        case .node:
            let name = properties["node.name"] ?? "", mediaClass = properties["media.class"] ?? ""
            let isSink = name == Anchors.sinkName && mediaClass == "Audio/Sink"
            let isSource = name == Anchors.sourceName && mediaClass == "Audio/Source/Virtual"
            let node = Graph.Node(
                id: id, serial: properties["object.serial"].flatMap { UInt64($0) } ?? UInt64(id), properties: properties,
                isAnchor: isSink || isSource)
            graph.nodes[id] = node
            if isSink { anchors.sink = id }
            if isSource { anchors.source = id }
            if node.isAnchor || node.isSink || node.isSource || node.isStream || node.isPictureStream {
                connection?.bind(id)
                isDirty = true
            }
            if node.isAnchor { claimDefaults() }
        case .port:
            graph.ports[id] = Graph.Port(id: id, properties: properties)
            if let port = graph.ports[id] { portAppeared(port) }
            isDirty = true
        case .link:
            graph.links[id] = Graph.Link(properties: properties)
            // Its state tells when it starts to carry sound, and when it may be destroyed.
            connection?.bind(id)
            isDirty = true
        case .client:
            graph.clients[id] = properties
            connection?.bind(id)
        case .device:
            graph.devices[id] = Graph.Device(properties: properties)
            if properties["media.class"] == "Audio/Device" { connection?.bind(id) }
        case .metadata:
            switch properties["metadata.name"] {
            case "default":
                anchors.defaults = id
                anchors.hasRead = false
                anchors.configured = [:]
                connection?.bind(id)
                anchors.reading = connection?.sync()
                levelCheckAt = Clocks.monotonicNanoseconds + AudioEngine.levelCheckDelay
                if anchors.lostManager { onEvent(.streamsSetUpAnew) }
                anchors.lostManager = false
            case "settings":
                anchors.settings = id
                connection?.bind(id)
            default: break
            }
        }
    }

    func disappeared(_ id: UInt32) {
        graph.ports[id] = nil
        graph.clients[id] = nil
        graph.devices[id] = nil
        if graph.links.removeValue(forKey: id) != nil {
            links.own.remove(id)
            links.leaving.remove(id)
            links.settling.gone(id)
        }
        if anchors.sink == id || anchors.source == id {
            // Someone removed the anchor. Without it, the session manager would link streams to devices.
            if anchors.sink == id {
                anchors.sink = nil
                anchors.output.forget()
            } else {
                anchors.source = nil
                anchors.input.forget()
            }
            anchors.isMaking = false
            anchors.reading = connection?.sync()
        }
        if anchors.defaults == id {
            anchors.defaults = nil
            anchors.hasRead = false
            anchors.lostManager = true
            log.notice("the session manager is gone; sound goes on as it is")
        }
        if let node = graph.nodes.removeValue(forKey: id) { devices.ready.remove(node.serial) }
        removeMeter(id)
        if let stream = streams.removeValue(forKey: id) { onEvent(.streamGone(stream.id)) }
        isDirty = true
    }

    func informed(_ id: UInt32, _ state: Int32, _ properties: [String: String]) {
        if graph.links[id] != nil {
            graph.links[id]?.state = state
            links.settling.reported(id, state: state)
        } else if graph.clients[id] != nil {
            graph.clients[id] = properties
        } else if graph.devices[id] != nil {
            graph.devices[id]?.properties = properties
        } else if graph.nodes[id] != nil {
            if !properties.isEmpty { graph.nodes[id]?.properties = properties }
            noteSuspension(of: id, state)
            // When it runs again, it may carry sound.
            if state != Graph.Node.running { streams[id]?.isSilent = false }
            graph.nodes[id]?.state = state
            if id == anchors.sink || id == anchors.source, isToTell(id) { connection?.tellVolumes(of: id) }
        }
        isDirty = true
    }

    // MARK: Ports

    private static let portPatience: Int64 = 700_000_000

    private func lacksPorts(_ id: UInt32, _ stream: Stream) -> Bool {
        stream.facts.direction != .monitor && !stream.hasOwnPorts && !graph.ports.values.contains { $0.node == id }
    }

    var portsDeadline: Int64? {
        streams.filter { lacksPorts($0.key, $0.value) }.map { $0.value.since + AudioEngine.portPatience }.min()
    }

    /// Makes a stream's ports if the session manager does not, because none runs or it hangs. Version 0.4 hangs for
    /// good if it is restarted while something plays.
    func makePorts() {
        let now = Clocks.monotonicNanoseconds
        for (id, stream) in streams where lacksPorts(id, stream) && stream.since + AudioEngine.portPatience <= now {
            streams[id]?.hasOwnPorts = true
            connection?.setPorts(of: id, isInput: stream.facts.direction == .input, rate: clock.rate)
        }
    }

    // MARK: Reporting

    /// Reports changes of streams.
    func tellStreams() {
        for (id, node) in graph.nodes where node.isStream && node.state != nil {
            if var stream = streams[id] {
                let facts = facts(of: node, app: stream.facts.app)
                guard facts != stream.facts else { continue }
                stream.facts = facts
                streams[id] = stream
                onEvent(.streamChanged(stream.id, facts))
            } else {
                let stream = Stream(node: id, id: StreamID(node.serial), facts: facts(of: node, app: app(of: node)))
                streams[id] = stream
                onEvent(.streamAppeared(stream.id, stream.facts))
                correctGain(id)
            }
        }
    }

    func tellCameras() {
        let seeing = graph.nodes.values.filter { node in
            node.isPictureStream && node.isRunning
                && graph.links.values.contains { $0.pair.inputNode == node.id && graph.nodes[$0.pair.outputNode]?.isCamera ?? false }
        }
        guard !seeing.isEmpty || !cameraApps.isEmpty else { return }
        let apps = seeing.sorted { $0.serial < $1.serial }.map { app(of: $0) }
        guard apps != cameraApps else { return }
        cameraApps = apps
        onCameras(apps)
    }

    private func facts(of node: Graph.Node, app: AudioApp) -> StreamFacts {
        let levels = node.volumes.channels ?? []
        return StreamFacts(
            app: app, direction: direction(of: node), isRunning: node.isRunning,
            isMuted: node.volumes.isMuted == true || node["pulse.corked"] == "true" || (!levels.isEmpty && levels.allSatisfy { $0 == 0 }),
            isSilent: streams[node.id]?.isSilent ?? false, role: node["media.role"], name: node["media.name"])
    }

    private func direction(of node: Graph.Node) -> StreamFacts.Direction {
        if node.isOutputStream { return .output }
        if node["stream.capture.sink"] == "true" || node["stream.monitor"] == "true" { return .monitor }
        let hears = graph.links.values.filter { $0.pair.inputNode == node.id }
        if hears.isEmpty { return streams[node.id]?.facts.direction ?? .input }
        return hears.allSatisfy { graph.nodes[$0.pair.outputNode]?.mediaClass == "Audio/Sink" } ? .monitor : .input
    }

    /// Identifies the app of a stream. For a native client, the kernel vouches for the process. A client of
    /// pipewire-pulse belongs to that program, which only passes on the client's claims.
    private func app(of node: Graph.Node) -> AudioApp {
        let client = node.properties["client.id"].flatMap { UInt32($0) }.flatMap { graph.clients[$0] } ?? [:]
        func said(_ key: String) -> String { client[key] ?? node[key] }
        let isPulse = (client["client.api"] ?? node["client.api"]) == "pipewire-pulse"
        let portal = client["pipewire.access.portal.app_id"] ?? ""
        let isFlatpak = !portal.isEmpty || client["pipewire.access"] == "flatpak" || client["pipewire.client.access"] == "flatpak"
        // Process ids inside a sandbox are different.
        let process = isPulse ? (isFlatpak ? nil : Int32(said("application.process.id"))) : client["pipewire.sec.pid"].flatMap { Int32($0) }
        let lineage = process.map { $0 > 1 ? [$0] + ProcessTree.ancestors(of: $0) : [] } ?? []
        // Media players on the bus get the same identity. For a script, it is the script's own.
        let identity = process.map { AppIdentity.of(process: $0) }
        if !portal.isEmpty { return AudioApp(id: portal, lineage: lineage, isSandboxed: true) }
        // In a sandbox, names that the program chooses itself do not count.
        if let identity, identity.isSandboxed { return AudioApp(id: identity.id, lineage: lineage, isSandboxed: true) }
        let program = identity.map(\.id).flatMap { $0.isEmpty ? nil : $0 } ?? said("application.process.binary")
        let id = [program, said("application.id"), said("application.name"), node.name].first { !$0.isEmpty } ?? ""
        return AudioApp(id: id, lineage: lineage, isSandboxed: isFlatpak)
    }
}
