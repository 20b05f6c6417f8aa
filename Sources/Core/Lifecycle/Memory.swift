import Geometry
import Windows

/// How long programs had waited for memory at a moment, in microseconds since the machine started.
struct MemoryWait: Hashable, Codable, Sendable {
    var at: Moment
    var some: UInt64
    var full: UInt64
}

/// The loss of an app that the shell ends, the least first.
enum Loss: Int, Comparable, Sendable {
    /// It handed over all that it offers since it was last in sight.
    case nothing
    /// It offers no state: its window's place and picture stay, and it begins anew.
    case content
    /// It did not answer, or its state could not be stored.
    case unsaved

    static func < (a: Loss, b: Loss) -> Bool { a.rawValue < b.rawValue }
}

/// The response to a lack of memory (S-08): the apps that are told, and the app that is ended.
extension Lifecycle {
    /// Frozen apps are ended, one at a time; never one that runs: it is in sight, heard, recording or at work.
    mutating func relieve(_ pressure: MemoryPressure, _ turn: inout Turn) {
        for (id, app) in apps where !app.isInSight && !app.isSuspended { turn.effects.append(.memoryLow(id)) }
        guard pressure == .critical else { return }
        // Apps that lose the least go first, and of these the one used longest ago.
        func rank(_ id: AppProcess, _ app: AppLife) -> (Loss, UInt64) { (loss(of: id), app.lastUse) }
        let frozen = apps.elements.filter { $0.key != nowPlaying && $0.value.isFrozen }
        guard let first = frozen.min(by: { rank($0.key, $0.value) < rank($1.key, $1.value) }) else { return }
        apps[first.key]!.state = .ending
        turn.effects.append(.kill(first.key))
    }

    func loss(of id: AppProcess) -> Loss {
        let offered = savers.elements.lazy.filter { $0.value == id }.map(\.key)
        guard !offered.isEmpty, let app = apps[id] else { return .content }
        return offered.allSatisfy(app.saved.contains) ? .nothing : .unsaved
    }

    // MARK: Watching memory pressure

    /// Where the kernel does not tell of memory pressure by itself, it is read again and again. The share of the time in between counts.
    mutating func noteWait(some: UInt64, full: UInt64, _ turn: inout Turn) {
        guard watchesMemory else { return }
        guard let last = lastWait, some >= last.some, full >= last.full else {
            lastWait = MemoryWait(at: turn.now, some: some, full: full)
            return
        }
        // An interval that is too short measures nothing.
        let seconds = turn.now - last.at
        guard seconds >= rules.memoryPeriod / 2 else { return }
        lastWait = MemoryWait(at: turn.now, some: some, full: full)
        func share(_ now: UInt64, _ before: UInt64) -> Double { Double(now - before) / 1e6 / seconds }
        if share(full, last.full) >= rules.memoryFull {
            relieve(.critical, &turn)
        } else if share(some, last.some) >= rules.memorySome {
            relieve(.some, &turn)
        }
    }

    var hasFrozen: Bool { apps.values.contains(where: \.isFrozen) }

    /// Without a frozen app the shell has no app to end, and nothing wakes the shell to look.
    mutating func tellWatch(_ turn: inout Turn) {
        guard watchesMemory != hasFrozen else { return }
        watchesMemory.toggle()
        lastWait = nil
        turn.effects.append(.watchMemory(watchesMemory))
    }
}
