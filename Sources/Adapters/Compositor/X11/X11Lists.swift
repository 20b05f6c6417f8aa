import CWlroots
import CX11Guards
import WaylandServer

/// Lists of windows. wlroots tells Xwayland all of them anew for each that comes or goes: a program with some hundred of them
/// has it say more than Xwayland can read meanwhile. So a long list waits, and only the last one is sent.
final class X11Lists {
    /// Where a list stands.
    struct Place: Hashable {
        let window, property: UInt32
    }

    /// Shorter ones are sent at once, as wlroots has it.
    private static let long = 32
    /// Of properties that list windows: all, and all as they stand upon each other.
    private static let places = 2
    private static let later: Int64 = 50_000_000

    private let guards: OpaquePointer
    private var connection: OpaquePointer?
    private var waiting: [Place: [UInt32]] = [:]
    private var timer: Timer!

    /// nil: out of memory; then all are sent at once.
    init?(_ loop: OpaquePointer, guards: OpaquePointer) {
        self.guards = guards
        timer = Timer(loop) { [unowned self] in send() }
        guard timer != nil else { return nil }
    }

    /// - Returns: whether the list waits, and is not to be sent now.
    func told(_ connection: OpaquePointer, _ place: Place, _ windows: UnsafeBufferPointer<UInt32>) -> Bool {
        self.connection = connection
        guard windows.count > Self.long, waiting[place] != nil || waiting.count < Self.places else {
            waiting[place] = nil  // it is older
            return false
        }
        if waiting.updateValue(Array(windows), forKey: place) == nil { timer.arm(in: Self.later) }
        return true
    }

    private func send() {
        guard x11_guards_may_tell(guards) else { return timer.arm(in: Self.later) }
        let lists = waiting
        waiting = [:]
        for (place, windows) in lists {
            x11_guards_list_windows(connection, place.window, place.property, windows, UInt32(windows.count))
        }
    }
}
