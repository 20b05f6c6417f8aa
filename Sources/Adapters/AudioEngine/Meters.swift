import AudioSessions

/// Meters of streams that the core asks about: nodes of this engine that the streams are linked to besides their output. The
/// samples are looked at in libpipewire's real-time thread, and the engine hears only that a stream fell silent, or sounds again.
extension AudioEngine {
    private static let meterName = "mullion.meter"
    /// Each has a few descriptors and wakes up with every quantum. A program can open any number of streams.
    private static let mostMeters = 8

    func addMeter(_ node: UInt32) {
        guard let stream = streams[node], stream.meter == nil, let connection,
            streams.values.count(where: { $0.meter != nil }) < Self.mostMeters
        else { return }
        let token = token()
        guard connection.addMeter(token, name: "\(Self.meterName).\(token)") else {
            return log.debug("\(stream.id) cannot be measured")
        }
        streams[node]?.meter = token
        isDirty = true
    }

    func removeMeter(_ node: UInt32) {
        guard let token = streams[node]?.meter else { return }
        streams[node]?.meter = nil
        streams[node]?.isSilent = false
        connection?.removeMeter(token)
        isDirty = true
    }

    func measured(_ token: UInt64, _ sounds: Bool) {
        guard let node = streams.first(where: { $0.value.meter == token })?.key else { return }
        streams[node]?.isSilent = !sounds
        isDirty = true
    }

    /// Links measured streams to their meters, whose ports appear a moment after they were asked for.
    func linkMeters() {
        for (node, stream) in streams {
            guard let token = stream.meter, let meter = graph.nodes.values.first(where: { $0.name == "\(Self.meterName).\(token)" })?.id
            else { continue }
            let inputs = graph.ports(of: meter, input: true)
            guard !inputs.isEmpty else { continue }
            for (index, output) in graph.ports(of: node, input: false).enumerated() {
                let input = inputs[index % inputs.count]
                link(PortPair(outputNode: node, output: output.id, inputNode: meter, input: input.id))
            }
        }
    }
}
