import AudioSessions
import Testing

@testable import AudioEngine

/// Parts of the engine that need no server.
@Suite struct AudioEnginePureTests {
    @Test(
        "A-17: a ramp arrives in its time, in steps of at most 1.5 dB or 0.03, never past its end",
        arguments: [
            (1.0, 0.2, 0.25, 23.0), (0.2, 1.0, 0.5, 23.0), (1.0, 0.0, 0.15, 7.0), (0.0, 1.0, 0.5, 23.0), (1.0, 0.0178, 0.25, 45.0),
            (0.5, 0.5, 0.2, 10.0),
        ])
    func ramp(from: Double, to: Double, seconds: Double, milliseconds: Double) {
        var gain = Gain()
        gain.move(to: from, over: 0, at: 0)
        #expect(gain.current == from)
        gain.move(to: to, over: seconds, at: 0)
        var now: Int64 = 0, steps = 0
        while gain.isMoving, steps < 1000 {
            now += Int64(milliseconds * 1e6)
            steps += 1
            let before = gain.current
            _ = gain.step(to: now)
            let (low, high) = (min(before, gain.current), max(before, gain.current))
            #expect(high - low <= 0.0301 || high / low <= 1.1886)
            #expect(gain.current >= min(from, to) && gain.current <= max(from, to))
        }
        #expect(gain.current == to)
        // Long quanta make the ramp longer, never the steps larger.
        #expect(Double(now) / 1e9 <= max(seconds, 45 * milliseconds / 1000) + milliseconds / 1000)
        let goesOn = gain.step(to: now)
        #expect(!goesOn)
    }

    @Test("A ramp that is turned round goes on from where it is")
    func turned() {
        var gain = Gain()
        gain.move(to: 0.2, over: 0.25, at: 0)
        for step in 1...4 { _ = gain.step(to: Int64(step) * 23_000_000) }
        let half = gain.current
        #expect(half < 1 && half > 0.2)
        gain.move(to: 1, over: 0.5, at: 100_000_000)
        #expect(gain.current == half)
        _ = gain.step(to: 123_000_000)
        #expect(gain.current >= half && gain.current <= half * Gain.ratio + 1e-9)
        gain.move(to: .nan, over: 1, at: 0)
        #expect(gain.target == 1)
    }

    private func ports(_ node: UInt32, _ channels: [String], isInput: Bool) -> [Graph.Port] {
        channels.enumerated().map { index, channel in
            Graph.Port(id: node * 100 + UInt32(index), node: node, isInput: isInput, isMonitor: false, channel: channel, number: index)
        }
    }

    private func pairs(_ from: [String], _ to: [String]) -> [String] {
        let outputs = ports(1, from, isInput: false), inputs = ports(2, to, isInput: true)
        return Channels.pairs(from: outputs, to: inputs).map { "\(from[Int($0.output - 100)])-\(to[Int($0.input - 200)])" }.sorted()
    }

    @Test("Channels go to their like, one channel to both sides, plain ports by place") func channels() {
        #expect(pairs(["FL", "FR"], ["FL", "FR"]) == ["FL-FL", "FR-FR"])
        #expect(pairs(["MONO"], ["FL", "FR"]) == ["MONO-FL", "MONO-FR"])
        #expect(pairs(["FL", "FR"], ["MONO"]) == ["FL-MONO", "FR-MONO"])
        #expect(pairs(["FL", "FR"], ["FL", "FR", "RL", "RR", "FC", "LFE"]) == ["FL-FL", "FR-FR"])
        #expect(pairs(["FL", "FR", "FC", "RL"], ["FL", "FR"]) == ["FC-FL", "FC-FR", "FL-FL", "FR-FR", "RL-FL"])
        #expect(pairs(["FL", "FR"], ["AUX0", "AUX1", "AUX2"]) == ["FL-AUX0", "FR-AUX1"])
        #expect(pairs([], ["FL"]).isEmpty && pairs(["FL"], []).isEmpty)
        #expect(Channels.factor(from: ports(1, ["FL", "FR"], isInput: false), to: ports(2, ["MONO"], isInput: true)) == 0.5)
    }

    @Test("The quantum is the shortest that a running node wants, within limits, unless one is forced") func quantum() {
        var clock = GraphClock()
        #expect(clock.quantum(latencies: []) == 1024 * 1_000_000_000 / 48000)
        #expect(clock.quantum(latencies: ["4800/48000", "256/48000", ""]) == 256 * 1_000_000_000 / 48000)
        #expect(clock.quantum(latencies: ["9600/48000"]) == 2048 * 1_000_000_000 / 48000)
        clock.note("clock.force-quantum", "512")
        #expect(clock.quantum(latencies: ["256/48000"]) == 512 * 1_000_000_000 / 48000)
    }

    @Test("Names in the metadata's values are read whatever stands around them") func names() {
        #expect(Anchors.name(in: "{ \"name\": \"speaker\" }") == "speaker")
        #expect(Anchors.name(in: Anchors.value("a.b")) == "a.b")
        for text in [nil, "", "{}", "{\"name\"", "name"] { #expect(Anchors.name(in: text) == nil) }
    }

    @Test("A-07: an anchor's repeated report after another change does not count as a wish") func toldAgain() {
        var mirror = Mirror()
        let full = Mirror.State(level: 1, isMuted: false), lower = Mirror.State(level: 0.4, isMuted: false)
        #expect(mirror.told(full, at: 0) == nil)
        mirror.wanted = lower
        #expect(mirror.correction(at: 1) == lower && mirror.correction(at: 2) == nil)
        // A report sent before ours arrived; then ours; and what a mixer sets, even if it equals the old value.
        #expect(mirror.told(full, at: 3) == nil && mirror.told(lower, at: 4) == nil && mirror.told(lower, at: 5) == nil)
        #expect(mirror.told(full, at: 6) == full)
    }

    @Test("A gain that nobody acknowledges: 200 ms for its answer, then it is written at most twice more") func unacknowledged() {
        var writes = GainWrites()
        writes.stepped(at: 0)
        writes.wrote([0.8, 0.8], at: 0)
        #expect(writes.deadline(step: 23_000_000) == 200_000_000)
        let expired = [writes.expire(at: 199_999_999), writes.expire(at: 200_000_000), writes.expire(at: 200_000_000)]
        #expect(expired == [nil, true, nil])
        var count = 1, now: Int64 = 200_000_000
        while count < 10 {
            writes.wrote([0.2, 0.2], at: now)
            count += 1
            now += GainWrites.patience
            if writes.expire(at: now) == false { break }
        }
        #expect(count == GainWrites.mostTries && writes.deadline(step: nil) == nil)
        // A late answer is welcome, and another session manager begins anew.
        let isDue = writes.reported([0.2, 0.2], isOthers: false, at: now)
        #expect(!isDue && writes.tries == 0)
    }

    @Test("A gain that is reset is written again, whether by a change of volumes or by the same ones") func reset() {
        var writes = GainWrites()
        func reported(_ soft: [Float]?, isOthers: Bool = false, at now: Int64) -> Bool {
            writes.reported(soft, isOthers: isOthers, at: now)
        }
        #expect(!reported([1, 1], at: 0))
        writes.wrote([0.2, 0.2], at: 1)
        // The answer to an earlier write is no reset.
        #expect(!reported([0.5, 0.5], at: 2) && writes.sentAt == 1)
        #expect(!reported([0.2, 0.200001], at: 3) && writes.sentAt == nil && writes.settledAt == 3)
        #expect(writes.deadline(step: 10) == 13)
        // WirePlumber restores what the volumes are already.
        #expect(reported([1, 1], at: 4))
        #expect(reported(nil, isOthers: true, at: 5))
        // What never takes the gain does not keep the engine busy for ever.
        for tries in 1...GainWrites.mostTries {
            writes.wrote([0.2, 0.2], at: 6)
            let expired = writes.expire(at: 6 + GainWrites.patience)
            #expect(expired != nil)
            #expect(reported([1, 1], at: 7) == (tries < GainWrites.mostTries))
        }
    }

    @Test("A ramp without answers ends at its final gain") func finished() {
        var gain = Gain()
        gain.move(to: 0.2, over: 0.25, at: 0)
        _ = gain.step(to: 23_000_000)
        #expect(gain.isMoving)
        gain.finish()
        #expect(gain.current == 0.2 && !gain.isMoving)
    }

    @Test("A link of a suspended node is destroyed only after it reports, or after a second") func settling() {
        var links = SettlingLinks()
        func due(at now: Int64) -> [UInt32] { links.due(at: now) }
        links.remake(1)
        #expect(due(at: 0) == [1] && links.stale.isEmpty)
        links.suspended([1, 2, 3], at: 0)
        for link: UInt32 in 1...3 { links.remake(link) }
        #expect(due(at: 1).isEmpty && links.deadline == SettlingLinks.patience)
        // Not negotiated yet.
        links.reported(1, state: 2)
        #expect(!links.isSettled(1, at: 1))
        links.reported(1, state: 3)
        links.gone(2)
        #expect(due(at: 1) == [1])
        #expect(due(at: SettlingLinks.patience) == [3] && links.deadline == nil)
    }
}
