import Lifecycle
import MessageBus

/// The apps that a person allowed to run in the background, as portals keep them (`background` in the permission store of
/// xdg-desktop-portal): an app asks with `org.freedesktop.portal.Background`, and the portal asks the person.
///
/// It follows the store while that runs, and never starts it: an app that asks starts it.
final class BackgroundPermissions {
    private static let name = "org.freedesktop.impl.portal.PermissionStore"
    private static let path = "/org/freedesktop/impl/portal/PermissionStore"
    private static let table = "background", key = "background"
    /// The most apps that are read.
    private static let limit = 1024

    private unowned let service: LifeBusService

    init(_ service: LifeBusService) { self.service = service }

    func start() {
        let bus = service.bus
        bus.connection?.match(
            "type='signal',sender='\(LifeBus.bus)',interface='\(LifeBus.bus)',member='NameOwnerChanged',arg0='\(Self.name)'")
        bus.connection?.match(
            "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.name)',member='Changed',arg0='\(Self.table)'")
        look()
    }

    /// Returns false if the signal is not about the store.
    func hears(_ signal: Incoming) -> Bool {
        // The bus delivers signals of this interface from the store's owner only, because of the rule above.
        if signal.interface == Self.name, signal.path == Self.path {
            if signal.member == "Changed" { look() }
            return true
        }
        guard signal.sender == LifeBus.bus, signal.member == "NameOwnerChanged", signal.string() == Self.name else {
            signal.rewind()
            return false
        }
        // The permissions cannot change while the store is away.
        if signal.string() != nil, signal.string() != "" { look() }
        return true
    }

    private func look() {
        service.bus.call(
            Self.name, Self.path, Self.name, "Lookup",
            {
                $0.startNothing()
                $0.string(Self.table)
                $0.string(Self.key)
            }
        ) { [unowned self] answer in
            switch answer {
            case .success(let message):
                guard let allowed = Self.read(message) else { return service.bus.onNote("the permission store answers something else") }
                service.bus.sessionHost?.allowedInBackground(allowed)
            // No app has asked yet, or the store does not run.
            case .failure(let error): if error.name.hasSuffix("NotFound") { service.bus.sessionHost?.allowedInBackground([]) }
            }
        }
    }

    private static func read(_ message: Incoming) -> [String]? {
        let entries: [(app: String, words: [String])]? = message.array(of: "{sas}", limit: limit) {
            message.entry("sas") {
                guard let app = message.string(), let words = message.wholeArray(of: "s", limit: 8, { message.string() }) else {
                    return nil
                }
                return (app, words)
            }
        }
        return entries?.filter { $0.words.contains("yes") && !$0.app.isEmpty && $0.app.utf8.count <= 256 }.map(\.app).sorted()
    }

    /// The person stopped the app.
    func forbid(_ app: String) {
        service.bus.call(
            Self.name, Self.path, Self.name, "SetPermission",
            {
                $0.string(Self.table)
                $0.bool(true)
                $0.string(Self.key)
                $0.string(app)
                $0.texts(["no"])
            }
        ) { [unowned self] answer in
            if case .failure(let error) = answer { service.bus.onNote("\(app) is not forbidden to run in the background: \(error.text)") }
        }
    }
}
