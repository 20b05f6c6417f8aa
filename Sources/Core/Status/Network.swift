/// How the device is connected to the network.
public struct Network: Hashable, Codable, Sendable {
    public enum Link: String, Hashable, Codable, Sendable {
        case none, connecting, wired, wireless, cellular, other
    }

    public var link: Link
    /// The name of the wireless network, as a person reads it; empty: it has none.
    public var name: String
    /// Of the wireless network: from 0 to 3.
    public var strength: Int
    /// A web page asks for a login before anything else works.
    public var needsLogin: Bool
    /// A page that such a network answers with its own.
    public var checkPage = NetworkFacts.usualCheckPage
    public var hasWireless: Bool
    public var isWirelessOn: Bool
    public var hasCellular: Bool
    public var isCellularOn: Bool

    public init(
        link: Link, name: String = "", strength: Int = 0, needsLogin: Bool = false, hasWireless: Bool = false, isWirelessOn: Bool = false,
        hasCellular: Bool = false, isCellularOn: Bool = false
    ) {
        self.link = link
        self.name = name
        self.strength = strength
        self.needsLogin = needsLogin
        self.hasWireless = hasWireless
        self.isWirelessOn = isWirelessOn
        self.hasCellular = hasCellular
        self.isCellularOn = isCellularOn
    }
}

/// The words of NetworkManager, as they came.
public struct NetworkFacts: Hashable, Codable, Sendable {
    public var hasWireless: Bool
    public var isWirelessOn: Bool
    public var hasCellular: Bool
    public var isCellularOn: Bool
    /// `NMState`: 40 connecting, 50 to 70 connected.
    public var state: Int64
    /// `NMConnectivityState`: 2: a captive portal.
    public var connectivity: Int64
    /// The page by which NetworkManager finds out; empty: it has none.
    public var checkPage: String
    /// The type of the primary connection, such as "802-11-wireless"; empty: there is none.
    public var kind: String
    /// The name of the wireless network.
    public var ssid: [UInt8]
    /// In percent; nil: not known.
    public var strength: Int64?

    public init(
        hasWireless: Bool = false, isWirelessOn: Bool = false, hasCellular: Bool = false, isCellularOn: Bool = false, state: Int64 = 20,
        connectivity: Int64 = 0, checkPage: String = "",
        kind: String = "", ssid: [UInt8] = [], strength: Int64? = nil
    ) {
        self.hasWireless = hasWireless
        self.isWirelessOn = isWirelessOn
        self.hasCellular = hasCellular
        self.isCellularOn = isCellularOn
        self.state = state
        self.connectivity = connectivity
        self.checkPage = checkPage
        self.kind = kind
        self.ssid = ssid
        self.strength = strength
    }

    public var network: Network {
        let link: Network.Link =
            switch (state, kind) {
            case (_, "") where state == 40: .connecting
            case (...49, _), (_, ""): .none
            case (_, "802-11-wireless"): .wireless
            case (_, "802-3-ethernet"): .wired
            case (_, "gsm"), (_, "cdma"), (_, "wimax"): .cellular
            default: .other
            }
        let percent = max(0, min(100, strength ?? 100))
        var network = Network(
            link: link, name: link == .wireless ? NetworkFacts.name(ssid) : "",
            strength: link == .wireless ? NetworkFacts.steps(percent) : 0,
            needsLogin: connectivity == 2 && link != .none, hasWireless: hasWireless, isWirelessOn: hasWireless && isWirelessOn,
            hasCellular: hasCellular, isCellularOn: hasCellular && isCellularOn)
        if NetworkFacts.isPage(checkPage) { network.checkPage = checkPage }
        return network
    }

    public static let usualCheckPage = "http://nmcheck.gnome.org/"

    /// Whether a browser may be given this address: a web page, in plain signs.
    static func isPage(_ address: String) -> Bool {
        (address.hasPrefix("http://") || address.hasPrefix("https://")) && address.utf8.count <= 1024
            && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }

    /// A strength in percent as one of four steps.
    static func steps(_ percent: Int64) -> Int { percent < 25 ? 0 : percent < 50 ? 1 : percent < 75 ? 2 : 3 }

    /// The bytes of a network's name as a person reads them. Other bytes than text are written as numbers, so that two networks never look
    /// the same; a name of zeros is a hidden network's, which has none.
    public static func name(_ ssid: [UInt8]) -> String {
        let bytes = ssid.prefix(32)
        guard bytes.contains(where: { $0 != 0 }) else { return "" }
        var out = "", rest = bytes
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0
            if length > 0, length <= rest.count, let text = String(validating: rest.prefix(length), as: UTF8.self),
                let scalar = text.unicodeScalars.first, isShown(scalar)
            {
                out += text
                rest = rest.dropFirst(length)
            } else {
                let digits = Array("0123456789abcdef")
                out += "\\x\(digits[Int(first >> 4)])\(digits[Int(first & 15)])"
                rest = rest.dropFirst()
            }
        }
        return out
    }

    /// No control character, and none that turns the direction of the text around it.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
