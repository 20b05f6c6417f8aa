import Geometry

/// The event loop as the control socket needs it; everything is called on the loop's one thread.
public protocol LoopSources: AnyObject {
    /// Calls `body` whenever the file can be read or written, as asked, or is at its end.
    func watch(fd: Int32, read: Bool, write: Bool, _ body: @escaping () -> Void) -> any LoopFile
    /// A timer that is not running yet.
    func timer(_ body: @escaping () -> Void) -> any LoopTimer
    /// The machine's monotonic clock, which `LoopTimer.arm` is in; never the hand clock.
    var realTime: Moment { get }
}

public protocol LoopFile: AnyObject {
    func update(read: Bool, write: Bool)
    /// The body is not called any more; the file stays open.
    func remove()
}

public protocol LoopTimer: AnyObject {
    /// Fires once at this moment of the machine's monotonic clock; nil stops it.
    func arm(_ deadline: Moment?)
    func remove()
}
