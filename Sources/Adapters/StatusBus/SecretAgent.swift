import Clocks
import MessageBus
import Status

/// NetworkManager's secret agent: it asks for the password of a network, and a person answers.
final class SecretAgent {
    private unowned let bus: StatusBus
    private var held: [UInt64: Request] = [:]
    private var lastNumber: UInt64 = 0

    private struct Request {
        var call: HeldCall
        var connection: String
        var setting: String
        var security: WirelessSecurity
        /// When NetworkManager gives up, by the monotonic clock. It does not say so.
        var until: Int64
    }

    static let path = "/org/freedesktop/NetworkManager/SecretAgent", interface = "org.freedesktop.NetworkManager.SecretAgent"
    private static let security = "802-11-wireless-security"
    /// NetworkManager waits for one answer at a time for each connection.
    private static let most = 8
    /// NetworkManager waits for two minutes.
    private static let patience: Int64 = 118_000_000_000

    init(_ bus: StatusBus) { self.bus = bus }

    func export(on connection: BusConnection) {
        connection.export(
            Self.interface, below: Self.path,
            [
                .method("GetSecrets", takes: "a{sa{sv}}osasu", gives: "a{sa{sv}}"), .method("CancelGetSecrets", takes: "os"),
                .method("SaveSecrets", takes: "a{sa{sv}}o"), .method("DeleteSecrets", takes: "a{sa{sv}}o"),
            ])
    }

    /// Registers, each time that NetworkManager comes.
    func register() {
        bus.link.call(
            "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager/AgentManager",
            "org.freedesktop.NetworkManager.AgentManager", "RegisterWithCapabilities", timeout: 5000, starts: false,
            {
                $0.string("org.mullion.shell")
                $0.uint32(0)
            }
        ) { [unowned self] answer in
            if case .failure(let error) = answer { bus.onNote("NetworkManager takes no agent for passwords: \(error.text)") }
        }
    }

    func lose() {
        for number in held.keys.sorted() { bus.onSecretWithdrawn(number) }
        held = [:]
    }

    func method(_ call: Incoming) -> Int32 {
        switch call.member {
        case "GetSecrets": return ask(call)
        case "CancelGetSecrets":
            guard let connection = call.objectPath(), let setting = call.string() else { return call.refuse("InvalidArgs", "") }
            for (number, request) in held where request.connection == connection && request.setting == setting {
                refuse(request, "AgentCanceled", "NetworkManager does not need it any more")
                held[number] = nil
                bus.onSecretWithdrawn(number)
            }
            return call.reply { _ in }
        // NetworkManager keeps the secrets itself.
        default: return call.reply { _ in }
        }
    }

    private func ask(_ call: Incoming) -> Int32 {
        let settings = call.settings()
        guard let connection = call.objectPath(), let setting = call.string(), call.wholeArray(of: "s", limit: 16, { call.string() }) != nil
        else {
            return call.refuse("InvalidArgs", "a connection and a setting are expected")
        }
        let flags = call.uint32() ?? 0
        guard setting == Self.security, let settings, held.count < Self.most else {
            return call.refuse(BusError(name: Self.interface + ".NoSecrets", text: "only passwords of wireless networks are asked for"))
        }
        lastNumber += 1
        let security = WirelessSecurity(keyManagement: settings.keys)
        held[lastNumber] = Request(
            call: call.keep(), connection: connection, setting: setting, security: security,
            until: Clocks.monotonicNanoseconds + Self.patience)
        // 1: it may be asked for; 2: the present one is wrong; 4: a person asked for the connection.
        bus.onSecretAsked(lastNumber, settings.ssid, security, flags & 2 != 0, flags & 5 == 5)
        return 1
    }

    var due: Int64? { held.values.map(\.until).min() }

    func processed(at now: Int64) {
        for (number, request) in held where request.until <= now {
            held[number] = nil
            refuse(request, "AgentCanceled", "no person answered in time")
            bus.onSecretWithdrawn(number)
        }
    }

    func answer(_ number: UInt64, _ secret: Secret?) {
        guard let request = held.removeValue(forKey: number) else { return }
        guard let secret else { return refuse(request, "UserCanceled", "no person answered") }
        let key = request.security == .wep ? "wep-key0" : "psk"
        _ = request.call.call.reply {
            $0.container(.array, "{sa{sv}}") {
                $0.container(.entry, "sa{sv}") {
                    $0.string(Self.security)
                    $0.table([key: .text(secret.text)])
                }
            }
        }
        bus.link.changed()
    }

    private func refuse(_ request: Request, _ error: String, _ text: String) {
        request.call.call.refuse(BusError(name: "\(Self.interface).\(error)", text: text))
        bus.link.changed()
    }
}
