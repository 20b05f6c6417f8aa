import AudioSessions

/// The two nodes that stand in for every output and input of apps, and that the session manager's defaults are them.
struct Anchors {
    static let sinkName = "mullion.output"
    static let sourceName = "mullion.input"
    static let sinkKey = "default.configured.audio.sink"
    static let sourceKey = "default.configured.audio.source"
    /// On an anchor: what was the default before it, for a shell that finds it after a crash.
    static let previousKey = "mullion.previous"

    var sink: UInt32?
    var source: UInt32?
    /// The number of the first syncs: by the first, everything that there is has been named, by the second, described.
    var opening: Int32?
    var isNamed = false
    /// Everything there is was told.
    var isOpen = false
    /// The "default" and "settings" metadata; the first is the session manager's.
    var defaults: UInt32?
    var settings: UInt32?
    /// By then the metadata has told its values.
    var reading: Int32?
    var hasRead = false
    var configured: [String: String] = [:]
    /// As they were before; a key that had none is missing.
    var previous: [String: String] = [:]
    var isMaking = false
    /// The system volume, and the microphone's mute, as mixers see them.
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
            // Without a session manager nobody has said what the default was.
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

    /// What was the default before the anchors were.
    private func remember() {
        for (key, own, node) in [(Anchors.sinkKey, Anchors.sinkName, anchors.sink), (Anchors.sourceKey, Anchors.sourceName, anchors.source)] {
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
                // Devices have a higher one and drive the graph: what drives waits for nobody, so a frozen app silences itself alone.
                // And an anchor is the default even where nothing is configured.
                "priority.driver": "1", "priority.session": "5000", "state.restore-props": "false",
            ]
            if let previous = Anchors.name(in: anchors.previous[key]) { properties[Anchors.previousKey] = previous }
            connection?.makeNode(properties, token: token())
        }
        if anchors.sink == nil { make(Anchors.sinkName, "Audio/Sink", Anchors.sinkKey) }
        if anchors.source == nil { make(Anchors.sourceName, "Audio/Source/Virtual", Anchors.sourceKey) }
    }

    /// The session manager's defaults are the anchors, also after somebody chose another one.
    func claimDefaults() {
        guard let metadata = anchors.defaults, anchors.hasRead else { return }
        for (key, own, node) in [(Anchors.sinkKey, Anchors.sinkName, anchors.sink), (Anchors.sourceKey, Anchors.sourceName, anchors.source)] {
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
        // A person picked a device in a mixer: that is a pick like any other.
        if let name = Anchors.name(in: value) {
            anchors.previous[key] = value
            let isSink = key == Anchors.sinkKey
            if let node = graph.nodes.values.first(where: { $0.name == name && (isSink ? $0.isSink : $0.isSource) }) {
                onEvent(.action(isSink ? .pickOutput(devices.port(of: node, in: graph)) : .pickInput(PortID(name))))
            }
        }
        claimDefaults()
    }

    /// The end: everything is given back.
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
