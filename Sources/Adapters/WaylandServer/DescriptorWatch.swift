import CWlroots

/// Runs a closure whenever something happens on a file descriptor, as long as the watch is retained. The closure may
/// release its own watch.
public final class DescriptorWatch {
    /// The events that happened, or the events to wait for. Hangups and errors are always reported.
    public struct Events: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let readable = Events(rawValue: UInt32(WL_EVENT_READABLE))
        public static let writable = Events(rawValue: UInt32(WL_EVENT_WRITABLE))
        public static let hangup = Events(rawValue: UInt32(WL_EVENT_HANGUP))
        public static let error = Events(rawValue: UInt32(WL_EVENT_ERROR))
    }

    private var raw: OpaquePointer?
    private let body: (Events) -> Void

    /// Returns nil if out of memory, or if the loop cannot watch this kind of file.
    public init?(_ loop: OpaquePointer, _ number: Int32, _ events: Events, _ body: @escaping (Events) -> Void) {
        self.body = body
        raw = wl_event_loop_add_fd(
            loop, number, events.rawValue,
            { _, events, data in
                let watch = Unmanaged<DescriptorWatch>.fromOpaque(data!).takeUnretainedValue()
                withExtendedLifetime(watch) { watch.body(Events(rawValue: events)) }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
        guard raw != nil else { return nil }
    }

    deinit {
        if let raw { wl_event_source_remove(raw) }
    }
}
