import MessageBus
import Status

/// BlueZ's agent: it asks for codes and permissions, and a person answers.
final class PairingAgent {
    private unowned let bus: StatusBus
    private var held: [UInt64: (call: HeldCall, asks: Pairing.Asks)] = [:]
    private var lastNumber: UInt64 = 0

    static let path = "/org/mullion/PairingAgent", interface = "org.bluez.Agent1"
    private static let most = 8

    init(_ bus: StatusBus) { self.bus = bus }

    func export(on connection: BusConnection) {
        connection.export(
            Self.interface, below: Self.path,
            [
                .method("Release"), .method("Cancel"), .method("RequestPinCode", takes: "o", gives: "s"),
                .method("DisplayPinCode", takes: "os"), .method("RequestPasskey", takes: "o", gives: "u"),
                .method("DisplayPasskey", takes: "ouq"), .method("RequestConfirmation", takes: "ou"),
                .method("RequestAuthorization", takes: "o"), .method("AuthorizeService", takes: "os"),
            ])
    }

    /// Registers as the agent of the machine, each time that BlueZ comes.
    func register() {
        call("RegisterAgent") {
            $0.path(Self.path)
            $0.string("KeyboardDisplay")
        }
        call("RequestDefaultAgent") { $0.path(Self.path) }
    }

    private func call(_ member: String, _ arguments: (inout Outgoing) -> Void) {
        bus.link.call("org.bluez", "/org/bluez", "org.bluez.AgentManager1", member, timeout: 5000, starts: false, arguments) {
            [unowned self] answer in
            if case .failure(let error) = answer { bus.onNote("BlueZ takes no agent for codes: \(error.text)") }
        }
    }

    func lose() {
        for number in held.keys.sorted() { bus.onPairingWithdrawn(number) }
        held = [:]
    }

    func method(_ call: Incoming) -> Int32 {
        switch call.member {
        case "Release": return call.reply { _ in }
        case "Cancel":
            held = [:]
            bus.onPairingWithdrawn(lastNumber)
            return call.reply { _ in }
        default: break
        }
        guard let path = call.objectPath(), let asks = Pairing.Asks(call) else { return call.refuse("InvalidArgs", "a device is expected") }
        guard held.count < Self.most else { return call.refuse(BusError(name: "org.bluez.Error.Rejected", text: "too many requests")) }
        lastNumber += 1
        let number = lastNumber, kept = call.keep()
        held[number] = (kept, asks)
        bus.link.call(
            "org.bluez", path, StatusBus.properties, "GetAll", timeout: 5000, starts: false, { $0.string(BluetoothService.device) }
        ) { [unowned self] answer in
            guard held[number] != nil else { return }
            let table = (try? answer.get())?.table(.init(text: 512, entries: 64)) ?? [:]
            bus.onPairingAsked(number, path, table["Alias"]?.text ?? "", asks, table["Paired"]?.flag ?? false)
        }
        bus.link.changed()
        return 1
    }

    func answer(_ number: UInt64, _ answer: Pairing.Answer) {
        guard let (call, asks) = held.removeValue(forKey: number) else { return }
        switch (answer, asks) {
        case (.code(let secret), .digits): _ = call.call.reply { $0.uint32(UInt32(secret.text) ?? 0) }
        case (.code(let secret), _): _ = call.call.reply { $0.string(secret.text) }
        case (.yes, .code), (.yes, .digits), (.no, _):
            call.call.refuse(BusError(name: "org.bluez.Error.Rejected", text: "no person agreed"))
        case (.yes, _): _ = call.call.reply { _ in }
        }
        bus.link.changed()
    }
}

extension Pairing.Asks {
    /// Reads what follows the device in a call of BlueZ; nil: it is no such call.
    fileprivate init?(_ call: Incoming) {
        switch call.member {
        case "RequestPinCode": self = .code
        case "RequestPasskey": self = .digits
        case "RequestAuthorization", "AuthorizeService": self = .permission
        case "RequestConfirmation":
            guard let digits = call.uint32() else { return nil }
            self = .sameDigits(digits)
        case "DisplayPinCode":
            guard let code = call.string(), code.utf8.count <= 16 else { return nil }
            self = .shows(code, typed: 0)
        case "DisplayPasskey":
            guard let digits = call.uint32() else { return nil }
            let text = "\(digits % 1_000_000)"
            self = .shows(String(repeating: "0", count: 6 - text.count) + text, typed: Int(clamping: call.value()?.integer ?? 0))
        default: return nil
        }
    }
}
