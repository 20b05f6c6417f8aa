import CToolkit
import MullionKit

/// An audio session in GTK's loop: its descriptor is watched for what it wishes, and its deadline kept.
public final class SessionLoop {
    private let session: AudioSession
    private var watch: UInt32 = 0
    private var deadline: UInt32 = 0
    private var watched: (descriptor: Int32, read: Bool, write: Bool) = (-1, false, false)
    private lazy var turn = Held<Void> { [unowned self] in
        session.process()
        follow()
    }
    private lazy var timeout = Held<Void> { [unowned self] in
        deadline = 0
        session.process()
        follow()
    }

    /// Lives as long as the program.
    @discardableResult
    public init(_ session: AudioSession) {
        self.session = session
        _ = Unmanaged.passRetained(self)
        session.onLoopChange = { [unowned self] in follow() }
        follow()
    }

    private func follow() {
        let wished = (session.descriptor, session.events.read, session.events.write)
        if wished != watched {
            ct_cancel(watch)
            watch = wished.0 < 0 ? 0 : ct_watch(wished.0, wished.1, wished.2, callVoid, turn.borrowed)
            watched = wished
        }
        ct_cancel(deadline)
        deadline = session.timeout < 0 ? 0 : ct_after(UInt32(session.timeout), callVoid, timeout.borrowed)
    }
}
