import CWlroots
import CX11Guards
import WaylandServer

/// Window lists on the root window. wlroots sends the whole list for each window that is added or removed. A program
/// with hundreds of windows makes it send more than Xwayland can read. So long lists are delayed, and only the last
/// one is sent.
final class X11Lists {
    /// The window and property that hold a list.
    struct Place: Hashable {
        let window, property: UInt32
    }

    /// Shorter lists are sent at once, as wlroots does.
    private static let long = 32
    /// The number of list properties: one in mapping order, one in stacking order.
    private static let places = 2
    private static let later: Int64 = 50_000_000

    private let guards: OpaquePointer
    private var connection: OpaquePointer?
    private var waiting: [Place: [UInt32]] = [:]
    private var timer: Timer!

    /// Returns nil if out of memory. All lists are then sent at once.
    init?(_ loop: OpaquePointer, guards: OpaquePointer) {
        self.guards = guards
        timer = Timer(loop) { [unowned self] in send() }
        guard timer != nil else { return nil }
    }

    /// - Returns: whether the list is delayed and must not be sent now.
    func told(_ connection: OpaquePointer, _ place: Place, _ windows: UnsafeBufferPointer<UInt32>) -> Bool {
        self.connection = connection
        guard windows.count > Self.long, waiting[place] != nil || waiting.count < Self.places else {
            waiting[place] = nil // it is outdated
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
