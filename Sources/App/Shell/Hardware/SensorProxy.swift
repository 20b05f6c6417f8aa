import MessageBus
import Status
import Windows

/// The machine's sensors (iio-sensor-proxy, `net.hadess.SensorProxy`) on the system bus: how the device is held. The proxy reads the
/// accelerometer only while a program claims it, so the shell connects only while the idiom asks for it.
final class SensorProxy: LinkedBus {
    var onPosture: (Posture) -> Void = { _ in }
    /// Whether there is a sensor.
    var onSensor: (Bool) -> Void = { _ in }
    var onHeld: (HeldWay) -> Void = { _ in }
    /// Whether the sensor is read.
    var claims: Bool {
        didSet { if claims != oldValue, link.isReady { if claims { claim() } else { release() } } }
    }
    /// The sensor is of no use, for this reason.
    var onNote: (String) -> Void = { _ in }

    private let address: String
    private(set) lazy var link = BusLink(self, comesBack: .ifItWasThere) { [address] in address }
    private var told: Posture?
    /// The last word of each property. A signal has only the properties that changed.
    private var known: [String: String] = [:]
    private var news: [Posture] = []
    private var toldHeld: HeldWay?
    private var hasSensor = false

    private static let name = "net.hadess.SensorProxy", path = "/net/hadess/SensorProxy"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let tilt = "AccelerometerTilt", orientation = "AccelerometerOrientation"

    init(address: String, claims: Bool = true) {
        self.address = address
        self.claims = claims
    }

    func joined() {
        link.watchOwner(of: Self.name)
        link.connection?.match(
            "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.properties)',member='PropertiesChanged'")
        came()
    }

    private func came() { if claims { claim() } else { look() } }

    private func release() {
        (told, toldHeld) = (nil, nil)
        link.call(Self.name, Self.path, Self.name, "ReleaseAccelerometer", starts: false) { _ in }
        link.changed()
    }

    /// The claim ends with this connection. The bus starts no proxy for it: udev does, where there is a sensor.
    private func claim() {
        link.call(Self.name, Self.path, Self.name, "ClaimAccelerometer", starts: false) { [unowned self] in
            switch $0 {
            case .success: look()
            case .failure(let error): onNote(error.text.isEmpty ? error.name : error.text)
            }
        }
        link.changed()
    }

    private func look() {
        link.call(Self.name, Self.path, Self.properties, "GetAll", starts: false, { $0.string(Self.name) }) { [unowned self] in
            // A proxy that hangs is asked again. The time that it had is the pause.
            if case .failure(let error) = $0, error.isSilence { return look() }
            let table = (try? $0.get())?.table() ?? [:]
            tell(sensor: table["HasAccelerometer"]?.flag ?? false)
            read(table)
        }
        link.changed()
    }

    private func tell(sensor isThere: Bool) {
        guard isThere != hasSensor else { return }
        hasSensor = isThere
        onSensor(isThere)
    }

    private func read(_ table: [String: BusValue]) {
        for name in [Self.tilt, Self.orientation] { if let word = table[name]?.text { known[name] = word } }
        if let flag = table["HasAccelerometer"]?.flag { tell(sensor: flag) }
        // What was known before the claim may be old.
        guard claims else { return }
        if let held = known[Self.orientation].flatMap(HeldWay.init(rawValue:)), held != toldHeld {
            toldHeld = held
            onHeld(held)
        }
        let posture = Posture(tilt: known[Self.tilt], orientation: known[Self.orientation])
        guard posture != told else { return }
        told = posture
        if let posture { news.append(posture) }
    }

    func lost() { forget() }

    private func forget() {
        (told, toldHeld, known) = (nil, nil, [:])
        tell(sensor: false)
    }

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
            if !owner.isEmpty { came() }
        case "PropertiesChanged":
            // The bus delivers them from the name's owner only, because of the rule above.
            guard signal.string() == Self.name, let table = signal.table() else { return }
            read(table)
        default: break
        }
    }
}
