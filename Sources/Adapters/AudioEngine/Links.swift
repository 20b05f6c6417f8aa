import AudioSessions
import Clocks

/// Link requests that the server has not confirmed yet.
struct LinkBook {
    /// Links that this engine made.
    var own: Set<UInt32> = []
    /// Links that were requested.
    var making: [UInt64: PortPair] = [:]
    /// Links whose destruction was requested.
    var leaving: Set<UInt32> = []
    /// How often making a link failed.
    var failed: [PortPair: Int] = [:]
    /// Streams that keep their old links until this time, because the new ones do not carry sound yet.
    var overlaps: [UInt32: Int64] = [:]
    /// Streams whose new links are up. Sound arrives one quantum later.
    var arriving: Set<UInt32> = []
    /// Gain factors of streams that are mixed down.
    var factors: [UInt32: Double] = [:]
    var settling = SettlingLinks()

    var deadline: Int64? { [overlaps.values.min(), settling.deadline].compactMap { $0 }.min() }

    func factor(of stream: UInt32) -> Double { factors[stream] ?? 1 }
}

/// Links that must not be destroyed at the moment.
///
/// When a node is suspended, PipeWire takes its links back to the state before they were negotiated, and says nothing. If such
/// a link is destroyed while it still counts as active, PipeWire 0.3.65 activates it once more within the destruction, and its
/// real-time thread then uses freed memory. A link that reports paused or active after the suspension can be destroyed.
struct SettlingLinks: Equatable {
    /// Links of suspended nodes that have not reported since, with the time after which the engine stops waiting for them.
    private var until: [UInt32: Int64] = [:]
    /// Links to destroy and to make again as soon as they have settled.
    private(set) var stale: Set<UInt32> = []

    /// Nanoseconds. A link that stays silent is of no use, so in the end it is destroyed all the same.
    static let patience: Int64 = 1_000_000_000

    /// Something must be done then.
    var deadline: Int64? { stale.compactMap { until[$0] }.min() }

    /// A node with these links was suspended.
    mutating func suspended(_ links: some Sequence<UInt32>, at now: Int64) {
        for link in links { until[link] = now + Self.patience }
    }

    /// - Parameter state: as PipeWire counts, 3 paused, 4 active.
    mutating func reported(_ link: UInt32, state: Int32) {
        if state >= 3 || state < 0 { until[link] = nil }
    }

    mutating func gone(_ link: UInt32) {
        until[link] = nil
        stale.remove(link)
    }

    func isSettled(_ link: UInt32, at now: Int64) -> Bool { until[link].map { $0 <= now } ?? true }

    mutating func remake(_ link: UInt32) { stale.insert(link) }

    /// The links to destroy now.
    mutating func due(at now: Int64) -> [UInt32] {
        let due = stale.filter { isSettled($0, at: now) }.sorted()
        stale.subtract(due)
        return due
    }
}

extension AudioEngine {
    /// The longest time, in nanoseconds, that a stream keeps its old output while the new one starts.
    private static let patience: Int64 = 1_000_000_000

    /// Links connected streams to the chosen output and from the chosen input, and removes links to other devices.
    /// Leaves the session manager's links to the anchors alone.
    func reconcile() {
        let now = Clocks.monotonicNanoseconds
        for id in links.settling.due(at: now) where !links.leaving.contains(id) {
            links.leaving.insert(id)
            connection?.destroy(id)
        }
        var fromStreams: [UInt32: [UInt32]] = [:]
        var toStreams: [UInt32: [UInt32]] = [:]
        for (id, link) in graph.links {
            if streams[link.pair.outputNode] != nil, graph.nodes[link.pair.inputNode]?.isSink == true {
                fromStreams[link.pair.outputNode, default: []].append(id)
            }
            if streams[link.pair.inputNode] != nil, graph.nodes[link.pair.outputNode]?.isSource == true {
                toStreams[link.pair.inputNode, default: []].append(id)
            }
        }
        let sink = target(existing: fromStreams.values.joined())
        let inputs = sink.map { graph.ports(of: $0, input: true) } ?? []
        let source = input.flatMap { port in graph.nodes.values.first { $0.isSource && $0.name == port.raw }?.id }
        let sources = source.map { graph.ports(of: $0, input: false) } ?? []
        for (node, stream) in streams {
            switch stream.facts.direction {
            case .output:
                let outputs = graph.ports(of: node, input: false)
                let wanted = stream.isConnected ? Channels.pairs(from: outputs, to: inputs) : []
                setFactor(Channels.factor(from: outputs, to: inputs), of: node)
                bring(node, fromStreams[node] ?? [], to: wanted, isOnItsWay: stream.isConnected && sink != nil, at: now)
            case .input:
                let ends = graph.ports(of: node, input: true)
                let mayHear = stream.isConnected && !isInputMuted
                let chosen = (toStreams[node] ?? []).filter { !links.own.contains($0) }
                // An app that names a microphone gets that one.
                let wanted =
                    !mayHear
                    ? []
                    : chosen.isEmpty
                        ? Channels.pairs(from: sources, to: ends)
                        : chosen.compactMap { graph.links[$0]?.pair }
                bring(node, toStreams[node] ?? [], to: wanted, isOnItsWay: !wanted.isEmpty, at: now)
            case .monitor: break
            }
        }
    }

    /// Makes a link that is not there yet.
    func link(_ pair: PortPair) {
        guard graph.link(pair).map({ links.leaving.contains($0) }) ?? true, !links.making.values.contains(pair),
            links.failed[pair, default: 0] < 5
        else { return }
        let token = token()
        links.making[token] = pair
        if connection?.link(pair, token: token) != true { links.making[token] = nil }
    }

    /// - Parameter isOnItsWay: the stream has a device to reach, which may have no ports at the moment.
    private func bring(_ node: UInt32, _ existing: [UInt32], to wanted: [PortPair], isOnItsWay: Bool, at now: Int64) {
        var there: [PortPair: UInt32] = [:]
        for id in existing where !links.leaving.contains(id) {
            if let pair = graph.links[id]?.pair { there[pair] = id }
        }
        for pair in wanted where there[pair] == nil { link(pair) }
        let old = there.filter { !wanted.contains($0.key) }.values
        guard !old.isEmpty else {
            links.overlaps[node] = nil
            links.arriving.remove(node)
            return
        }
        // Wait for the new links before removing the old ones, so that no sound is lost.
        let isReady =
            !wanted.isEmpty
            && wanted.allSatisfy { pair in
                guard let state = there[pair].flatMap({ graph.links[$0]?.state }) else { return false }
                return state == 4 || state == 3 && graph.nodes[node]?.isRunning != true
            }
        var end = links.overlaps[node] ?? now + AudioEngine.patience
        if isReady, links.arriving.insert(node).inserted { end = min(end, now + stepLength * 2) }
        let mayStay = isOnItsWay && now < end
        links.overlaps[node] = nil
        for id in old {
            if mayStay, links.own.contains(id) {
                links.overlaps[node] = end
                continue
            }
            guard links.settling.isSettled(id, at: now) else {
                links.settling.remake(id)
                continue
            }
            if !links.own.contains(id) { keepToAnchor(node) }
            links.leaving.insert(id)
            connection?.destroy(id)
        }
    }

    /// Notes that a running node was suspended. Session managers do this with every device when they start. PipeWire
    /// 0.3.65 resumes the node at once with the links of one stream; others look fine but carry nothing. So the
    /// engine makes its links again, but only after the node runs: a device backed by a program (network audio, an
    /// equalizer) fails if linked earlier.
    func noteSuspension(of id: UInt32, _ state: Int32) {
        guard let node = graph.nodes[id] else { return }
        if state == Graph.Node.suspended {
            if node.isRunning { graph.nodes[id]?.isCutShort = true }
            let now = Clocks.monotonicNanoseconds
            links.settling.suspended(graph.links.filter { $0.value.pair.joins(id) }.keys, at: now)
        }
        guard state == Graph.Node.running, node.isCutShort else { return }
        graph.nodes[id]?.isCutShort = false
        remakeLinks(of: id)
    }

    /// Makes a node's links again, each as soon as it may be destroyed. The server handles requests in order, so an old link is
    /// gone before the new one is made.
    private func remakeLinks(of node: UInt32) {
        for (id, link) in graph.links where !links.leaving.contains(id) {
            guard link.pair.joins(node) else { continue }
            // A crashed shell leaves links from streams to devices behind. Other programs make no such links.
            let isLeft = streams[link.pair.outputNode] != nil && graph.nodes[link.pair.inputNode]?.isSink == true
            guard links.own.contains(id) || isLeft else { continue }
            links.settling.remake(id)
        }
        isDirty = true
    }

    /// Resets the target of a stream after its app or a mixer named a device, so that the session manager links it to
    /// the anchor.
    private func keepToAnchor(_ node: UInt32) {
        guard let stream = streams[node], !stream.isMoved, let metadata = anchors.defaults else { return }
        let anchor = stream.facts.direction == .output ? anchors.sink : anchors.source
        guard let serial = anchor.flatMap({ graph.nodes[$0]?.serial }) else { return }
        streams[node]?.isMoved = true
        connection?.setMetadata(metadata, subject: node, key: "target.object", type: "Spa:Id", value: "\(serial)")
    }

    private func setFactor(_ factor: Double, of node: UInt32) {
        guard links.factor(of: node) != factor else { return }
        links.factors[node] = factor == 1 ? nil : factor
        streams[node]?.isGainDue = true
    }

    func made(_ token: UInt64, _ id: UInt32, _ error: Int32) {
        guard let pair = links.making.removeValue(forKey: token) else { return }
        isDirty = true
        if error < 0 {
            links.failed[pair, default: 0] += 1
            return
        }
        links.failed[pair] = nil
        links.own.insert(id)
    }

    /// The node to link to. Where jacks share a node, streams leave it before it switches and return afterwards, so
    /// that only the chosen output sounds.
    private func target(existing: some Sequence<UInt32>) -> UInt32? {
        guard let output, let place = devices.places[output] else { return nil }
        guard let route = place.route, let node = graph.nodes[place.node], graph.currentRoute(of: node)?.index != route.index else {
            devices.switching = nil
            return place.node
        }
        let isInUse = existing.contains { graph.links[$0]?.pair.inputNode == place.node }
        if !isInUse, devices.switching != output, let device = node.device, let profileDevice = node.profileDevice {
            devices.switching = output
            connection?.setRoute(of: device, index: route.index, device: profileDevice, volumes: [], isMuted: false, isKept: true)
        }
        return nil
    }
}
