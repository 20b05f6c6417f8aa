import MessageBus
import Windows

/// The machine's sensors (iio-sensor-proxy, `net.hadess.SensorProxy`) on the system bus: how the device is held. The proxy reads the
/// accelerometer only while somebody claims it, so this connection is there only while the idiom asks for it.
final class SensorProxy: LinkedBus {
    var onPosture: (Posture) -> Void = { _ in }
    /// The sensor is of no use, for this reason.
    var onNote: (String) -> Void = { _ in }

    private let address: String
    private(set) lazy var link = BusLink(self, comesBack: .ifItWasThere) { [address] in address }
    private var told: Posture?
    /// What the proxy said last; it names only what changed.
    private var known: [String: String] = [:]
    private var news: [Posture] = []

    private static let name = "net.hadess.SensorProxy", path = "/net/hadess/SensorProxy"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// The first is newer, and says more.
    private static let words = ["AccelerometerTilt", "AccelerometerOrientation"]

    init(address: String) { self.address = address }

    func joined() {
        link.watchOwner(of: Self.name)
        link.connection?.match("type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.properties)',member='PropertiesChanged'")
        claim()
    }

    /// The claim ends with this connection. It is udev that starts the proxy, where there is a sensor.
    private func claim() {
        link.call(Self.name, Self.path, Self.name, "ClaimAccelerometer", starts: false) { [unowned self] in
            switch $0 {
            case .success: look()
            case .failure(let error): onNote(error.text.isEmpty ? error.name : error.text)
            }
        }
    }

    private func look() {
        link.call(Self.name, Self.path, Self.properties, "GetAll", starts: false, { $0.string(Self.name) }) { [unowned self] in
            read((try? $0.get())?.table() ?? [:])
        }
    }

    /// A word that says nothing about a wrist, such as "undefined" or "vertical", leaves it to the next one.
    private func read(_ table: [String: BusValue]) {
        for word in Self.words { if let text = table[word]?.text { known[word] = text } }
        let posture = Self.words.lazy.compactMap { self.known[$0].flatMap(Posture.init) }.first
        guard posture != told else { return }
        told = posture
        if let posture { news.append(posture) }
    }

    func lost() { forget() }

    private func forget() { (told, known) = (nil, [:]) }

    func gaveUp() { onNote("there is no system bus") }

    func processed() {
        let postures = news
        news.removeAll()
        for posture in postures { onPosture(posture) }
    }

    func close() { link.close() }

    func signal(_ signal: Incoming) {
        switch signal.member {
        case "NameOwnerChanged":
            guard let (name, owner) = BusLink.ownerChange(signal), name == Self.name else { return }
            forget()
            if !owner.isEmpty { claim() }
        case "PropertiesChanged":
            // The bus delivers them from the name's owner only, because of the rule above.
            guard signal.string() == Self.name, let table = signal.table() else { return }
            read(table)
        default: break
        }
    }
}
