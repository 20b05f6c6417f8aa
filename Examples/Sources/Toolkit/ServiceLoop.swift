import CToolkit
import MullionKit

/// What MullionKit runs in a loop that is not its own.
public protocol LoopService: AnyObject {
    var descriptor: Int32 { get }
    var events: (read: Bool, write: Bool) { get }
    var timeout: Int32 { get }
    var onLoopChange: () -> Void { get set }
    func process()
}

extension AudioSession: LoopService {}
extension AppLife: LoopService {}

/// An audio session, or the life of the app, in GTK's loop: its descriptor is watched for what it wishes, and its deadline kept.
public final class ServiceLoop {
    private let service: any LoopService
    private var watch: UInt32 = 0
    private var deadline: UInt32 = 0
    private var watched: (descriptor: Int32, read: Bool, write: Bool) = (-1, false, false)
    private lazy var turn = Held<Void> { [unowned self] in
        service.process()
        follow()
    }
    private lazy var timeout = Held<Void> { [unowned self] in
        deadline = 0
        service.process()
        follow()
    }

    /// Lives as long as the program.
    @discardableResult
    public init(_ service: some LoopService) {
        self.service = service
        _ = Unmanaged.passRetained(self)
        service.onLoopChange = { [unowned self] in follow() }
        follow()
    }

    private func follow() {
        let wished = (service.descriptor, service.events.read, service.events.write)
        if wished != watched {
            ct_cancel(watch)
            watch = wished.0 < 0 ? 0 : ct_watch(wished.0, wished.1, wished.2, callVoid, turn.borrowed)
            watched = wished
        }
        ct_cancel(deadline)
        deadline = service.timeout < 0 ? 0 : ct_after(UInt32(service.timeout), callVoid, timeout.borrowed)
    }
}
