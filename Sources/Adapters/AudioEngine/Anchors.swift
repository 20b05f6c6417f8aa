import AudioSessions

/// The two anchor nodes, which stand in for all outputs and inputs of apps, and the session manager's defaults that
/// point to them.
struct Anchors {
    static let sinkName = "mullion.output"
    static let sourceName = "mullion.input"
    static let sinkKey = "default.configured.audio.sink"
    static let sourceKey = "default.configured.audio.source"
    /// A property of an anchor: the default before it. A shell that finds the anchor after a crash restores this.
    static let previousKey = "mullion.previous"

    var sink: UInt32?
    var source: UInt32?
    /// The number of the first syncs. After the first one, all objects are known by name; after the second, by their
    /// properties.
    var opening: Int32?
    var isNamed = false
    /// Whether the initial objects have been reported completely.
    var isOpen = false
    /// The "default" and "settings" metadata. The first belongs to the session manager.
    var defaults: UInt32?
    var settings: UInt32?
    /// The session manager is gone. The next one sets up all streams anew.
    var lostManager = false
    /// The sync after which the metadata has reported its values.
    var reading: Int32?
    var hasRead = false
    var configured: [String: String] = [:]
    /// The defaults before the anchors. A key without a value is missing.
    var previous: [String: String] = [:]
    var isMaking = false
    /// The system volume, and the microphone's mute, as mixers show them.
    var output = Mirror()
    var input = Mirror()

    /// `{ "name": "speaker" }` as metadata holds it.
    static func value(_ name: String) -> String { "{\"name\":\"\(name)\"}" }

    static func name(in value: String?) -> String? {
        guard let value, let key = value.range(ofText: "\"name\"") else { return nil }
        let rest = value[key.upperBound...].split(separator: "\"", omittingEmptySubsequences: false)
        return rest.count > 1 ? String(rest[1]) : nil
    }
}

extension StringProtocol {
    fileprivate func range(ofText text: String) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
            index = self.index(after: index)
        }
        return nil
    }
}

extension AudioEngine {
    func synced(_ number: Int32) {
        if number == anchors.opening {
            anchors.opening = nil
            guard anchors.isNamed else {
                anchors.isNamed = true
                anchors.opening = connection?.sync()
                return
            }
            anchors.isOpen = true
            log.info("sound by PipeWire (library \(AudioEngine.libraryVersion)) at \(path)")
            onEvent(.serverChanged(isRunning: true))
            // Without a session manager there is no default to remember.
            if anchors.defaults == nil { makeAnchors() }
            isDirty = true
        } else if number == anchors.reading {
            anchors.reading = nil
            anchors.hasRead = true
            remember()
            makeAnchors()
            claimDefaults()
        } else {
            portsListed(number)
        }
    }

    /// Remembers the defaults from before the anchors.
    private func remember() {
        for (key, own, node) in [
            (Anchors.sinkKey, Anchors.sinkName, anchors.sink), (Anchors.sourceKey, Anchors.sourceName, anchors.source),
        ] {
            if let value = anchors.configured[key], Anchors.name(in: value) != own {
                anchors.previous[key] = value
            } else if let node, let name = graph.nodes[node]?[Anchors.previousKey], !name.isEmpty {
                anchors.previous[key] = Anchors.value(name)
            }
        }
    }

    private func makeAnchors() {
        guard !anchors.isMaking else { return }
        anchors.isMaking = true
        func make(_ name: String, _ mediaClass: String, _ key: String) {
            var properties = [
                "factory.name": "support.null-audio-sink", "node.name": name, "node.description": "Mullion",
                "media.class": mediaClass, "audio.position": "[ FL FR ]", "object.linger": "true",
                // Real devices have a higher driver priority and drive the graph. A driver waits for no client, so a
                // frozen app silences only itself. The session priority makes the anchor the default even where none
                // is configured.
                "priority.driver": "1", "priority.session": "5000", "state.restore-props": "false",
            ]
            if let previous = Anchors.name(in: anchors.previous[key]) { properties[Anchors.previousKey] = previous }
            connection?.makeNode(properties, token: token())
        }
        if anchors.sink == nil { make(Anchors.sinkName, "Audio/Sink", Anchors.sinkKey) }
        if anchors.source == nil { make(Anchors.sourceName, "Audio/Source/Virtual", Anchors.sourceKey) }
    }

    /// Makes the anchors the session manager's defaults, even after someone chose other ones.
    func claimDefaults() {
        guard let metadata = anchors.defaults, anchors.hasRead else { return }
        for (key, own, node) in [
            (Anchors.sinkKey, Anchors.sinkName, anchors.sink), (Anchors.sourceKey, Anchors.sourceName, anchors.source),
        ] {
            guard node != nil, Anchors.name(in: anchors.configured[key]) != own else { continue }
            connection?.setMetadata(metadata, subject: 0, key: key, type: "Spa:String:JSON", value: Anchors.value(own))
        }
    }

    func noted(_ id: UInt32, _ subject: UInt32, _ key: String?, _ value: String?) {
        if id == anchors.settings {
            if let key { clock.note(key, value) }
            return
        }
        guard id == anchors.defaults, subject == 0, let key, key == Anchors.sinkKey || key == Anchors.sourceKey else { return }
        let isOurs = Anchors.name(in: value) == (key == Anchors.sinkKey ? Anchors.sinkName : Anchors.sourceName)
        anchors.configured[key] = value
        guard anchors.hasRead, !isOurs else { return }
        // The user picked a device in a mixer. Treat it like any other pick.
        if let name = Anchors.name(in: value) {
            anchors.previous[key] = value
            let isSink = key == Anchors.sinkKey
            if let node = graph.nodes.values.first(where: { $0.name == name && (isSink ? $0.isSink : $0.isSource) }) {
                onEvent(.action(isSink ? .pickOutput(devices.port(of: node, in: graph)) : .pickInput(PortID(name))))
            }
        }
        claimDefaults()
    }

    /// Restores everything at the end.
    func releaseAll() {
        for (node, stream) in streams {
            if stream.hasSoftVolumes, let volumes = graph.nodes[node]?.volumes.channels {
                connection?.setSoftVolumes(of: node, volumes)
            }
        }
        for id in links.own { connection?.destroy(id) }
        if let metadata = anchors.defaults {
            for (key, own) in [(Anchors.sinkKey, Anchors.sinkName), (Anchors.sourceKey, Anchors.sourceName)]
            where Anchors.name(in: anchors.configured[key]) == own || anchors.configured[key] == nil {
                connection?.setMetadata(metadata, subject: 0, key: key, type: "Spa:String:JSON", value: anchors.previous[key])
            }
            for (_, stream) in streams where stream.isMoved {
                connection?.setMetadata(metadata, subject: stream.node, key: "target.object", type: "Spa:Id", value: nil)
            }
        }
        for anchor in [anchors.sink, anchors.source] {
            if let anchor { connection?.destroy(anchor) }
        }
    }
}
