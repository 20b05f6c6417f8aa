import Geometry

/// A lack of memory: apps in the background are warned, then frozen ones are ended (S-08).
extension Lifecycle {
    /// How long programs had waited for memory at a moment.
    struct StallReading: Hashable, Codable, Sendable {
        var stall: MemoryStall
        var at: Moment
    }

    /// Ends a frozen app, and never one that runs: an app that runs is in sight, heard, recording or at work.
    mutating func relieve(_ pressure: MemoryPressure, _ turn: inout Turn) {
        for (id, app) in apps where !app.isInSight && !app.isStill { turn.effects.append(.memoryLow(id)) }
        guard pressure == .critical else { return }
        let frozen = apps.elements.filter { $0.key != nowPlaying && $0.value.isFrozen }
        guard let next = frozen.min(by: { rank($0.key, $0.value) < rank($1.key, $1.value) }) else { return }
        apps[next.key]!.state = .ending
        turn.effects.append(.kill(next.key))
    }

    /// Apps that come back as they were end first, the one used longest ago before the others. Apps that did not hand over
    /// their state in time end last, because something is lost with them.
    private func rank(_ id: AppProcess, _ app: AppLife) -> (Int, UInt64) {
        (app.hasUnsavedState ? 2 : savers.values.contains(id) ? 0 : 1, app.lastUse)
    }

    /// Compares how long programs waited with the last reading.
    mutating func noteStall(_ stall: MemoryStall, _ turn: inout Turn) {
        let before = lastStall
        lastStall = StallReading(stall: stall, at: turn.now)
        guard let before, before.at < turn.now, before.stall.some <= stall.some, before.stall.full <= stall.full else { return }
        // A reading that came late stands for the time since the last one.
        let window = max(rules.memoryWindow, turn.now - before.at) * 1e6
        if Double(stall.full - before.stall.full) >= window * rules.memoryFull {
            relieve(.critical, &turn)
        } else if Double(stall.some - before.stall.some) >= window * rules.memorySome {
            relieve(.some, &turn)
        }
    }

    /// Reading costs a wakeup each time, so it goes on only while an app is there that could be ended.
    mutating func watchMemory(_ turn: inout Turn) {
        let isNeeded = apps.values.contains(where: \.isStill)
        guard isNeeded != isMemoryWatched else { return }
        isMemoryWatched = isNeeded
        lastStall = nil
        turn.effects.append(.watchMemory(isNeeded))
    }
}
