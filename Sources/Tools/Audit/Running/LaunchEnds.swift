import Clocks
import Journal

/// How programs end that the shell starts from now on, by the events of its recording.
struct LaunchEnds {
    private let room: Room
    private let began = Clocks.monotonicSeconds
    private var launched: Set<Int64> = []
    /// How the last one ended; nil while none has.
    private(set) var reason: Phrase?
    private var hasFailed = false

    init(_ room: Room) {
        self.room = room
        room.skipEvents()
    }

    /// Whether no window is to be expected any more. A launcher may end, also with an error, while its app starts.
    var isOver: Bool {
        mutating get {
            for event in room.events() { take(event) }
            return hasFailed && Clocks.monotonicSeconds - began > 3
        }
    }

    private mutating func take(_ event: JSON) {
        if let id = event["launched"]?["_0"]?.integer { launched.insert(id) }
        if let failure = event["launchFailed"] {
            reason = failure["reason"]?.string.map { .verbatim($0) } ?? .cannotBeStarted
            hasFailed = true
        }
        // Programs that were started before may end now, too.
        guard let end = event["launchEnded"], let id = end["_0"]?.integer, launched.contains(id) else { return }
        let says = end["says"]?.string.map { String($0.prefix(300)) }
        if let signal = end["signal"]?.integer {
            reason = .endedBySignal(signal, says: says)
            hasFailed = true
        } else {
            let status = end["status"]?.integer ?? 0
            reason = .endedWithStatus(status, says: says)
            hasFailed = status != 0
        }
    }
}
