import Geometry

/// The event loop as the control socket needs it. All calls happen on the loop's thread.
public protocol LoopSources: AnyObject {
    /// Calls `body` whenever the descriptor is readable or writable, as requested, or hangs up.
    func watch(fd: Int32, read: Bool, write: Bool, _ body: @escaping () -> Void) -> any LoopFile
    /// Makes a timer that is not armed yet.
    func timer(_ body: @escaping () -> Void) -> any LoopTimer
    /// The machine's monotonic clock, which `LoopTimer.arm` uses. Never the manual clock.
    var realTime: Moment { get }
}

public protocol LoopFile: AnyObject {
    func update(read: Bool, write: Bool)
    /// Stops calling the body. The descriptor stays open.
    func remove()
}

public protocol LoopTimer: AnyObject {
    /// Fires once at this time of the machine's monotonic clock; nil disarms.
    func arm(_ deadline: Moment?)
    func remove()
}
