import Locking
import MessageBus

/// fprintd on the system bus: its default device, claimed only while a finger is waited for.
final class FingerReader: LinkedBus {
    var onEvent: (FingerEvent) -> Void = { _ in }

    private let address: String
    private(set) lazy var link = BusLink(self, comesBack: .ifItWasThere) { [address] in address }
    /// The device that is claimed, and the connection of fprintd: a signal of any other is a lie.
    private var device: String?, owner = ""
    /// Grows with each claim, so that late answers do not count.
    private var turn: UInt64 = 0
    private var isWanted = false, isReading = false
    private var watch: BusWatch?
    private var news: [FingerEvent] = []

    private static let name = "net.reactivated.Fprint", manager = "/net/reactivated/Fprint/Manager"
    private static let managerInterface = "net.reactivated.Fprint.Manager", deviceInterface = "net.reactivated.Fprint.Device"
    private static let patience: UInt64 = 10_000

    init(address: String) { self.address = address }

    func joined() {
        link.watchOwner(of: Self.name)
        if isWanted, device == nil { claim() }
    }

    func lost() { forget() }

    /// The service is gone, and the claim with it.
    private func forget() {
        (device, isReading, watch) = (nil, false, nil)
        turn += 1
        if isWanted { tell(.absent) }
    }

    func gaveUp() { tell(.absent) }

    /// The callback may ask for more.
    func processed() {
        let events = news
        news.removeAll()
        for event in events { onEvent(event) }
    }

    private func tell(_ event: FingerEvent) {
        news.append(event)
        link.changed()
    }

    // MARK: Acts

    func read() {
        isWanted = true
        guard link.isReady else { return }
        defer { link.changed() }
        guard let device else { return claim() }
        verify(device)
    }

    func stop() {
        isWanted = false
        turn += 1
        guard link.isReady, let device else { return }
        if isReading { call(device, "VerifyStop") }
        call(device, "Release")
        (self.device, isReading, watch) = (nil, false, nil)
        link.changed()
    }

    func close() {
        stop()
        link.close()
    }

    private func claim() {
        turn += 1
        let turn = turn
        link.call(
            Self.name, Self.manager, Self.managerInterface, "GetDefaultDevice", timeout: Self.patience, starts: true, { _ in }
        ) { [unowned self] answer in
            guard turn == self.turn, isWanted else { return }
            guard case .success(let message) = answer, let path = message.objectPath() else { return tell(.absent) }
            owner = message.sender
            watch = link.connection?.watch("type='signal',sender='\(Self.name)',path='\(path)',interface='\(Self.deviceInterface)'")
            call(path, "Claim", { $0.string("") }) { [unowned self] answer in
                guard turn == self.turn, isWanted else {
                    // It was claimed after all.
                    if case .success = answer { call(path, "Release") }
                    return
                }
                switch answer {
                case .success:
                    device = path
                    verify(path)
                case .failure(let error) where error.name.hasSuffix("AlreadyInUse"): tell(.busy)
                case .failure: tell(.absent)
                }
            }
        }
    }

    private func verify(_ device: String) {
        guard !isReading else { return }
        isReading = true
        let turn = turn
        call(device, "VerifyStart", { $0.string("any") }) { [unowned self] answer in
            guard turn == self.turn, isWanted else { return }
            switch answer {
            case .success: tell(.ready)
            case .failure(let error) where error.name.hasSuffix("NoEnrolledPrints"):
                isReading = false
                tell(.absent)
            case .failure(let error):
                isReading = false
                tell(.failed(error.text.isEmpty ? error.name : error.text))
            }
        }
    }

    private func call(
        _ device: String, _ member: String, _ arguments: (inout Outgoing) -> Void = { _ in },
        done: @escaping (Result<Incoming, BusError>) -> Void = { _ in }
    ) {
        link.call(Self.name, device, Self.deviceInterface, member, timeout: Self.patience, starts: false, arguments, done: done)
        link.changed()
    }

    func signal(_ signal: Incoming) {
        if let (name, owner) = BusLink.ownerChange(signal) {
            if name == Self.name, owner.isEmpty, device != nil { forget() }
            return
        }
        guard signal.member == "VerifyStatus", let device, signal.path == device, signal.sender == owner, isReading,
            let result = signal.string(),
            let isDone = signal.bool()
        else { return }
        if isDone {
            isReading = false
            call(device, "VerifyStop")
        }
        switch result {
        case "verify-match": tell(.match)
        case "verify-no-match": tell(.noMatch)
        case "verify-retry-scan", "verify-swipe-too-short", "verify-finger-not-centered", "verify-remove-and-retry": tell(.unclear)
        case "verify-disconnected": tell(.absent)
        default: tell(.failed(result.oneLine(60)))
        }
    }
}
