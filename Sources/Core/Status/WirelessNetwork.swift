import Geometry

/// How a wireless network protects itself.
public enum WirelessSecurity: String, Hashable, Codable, Sendable, CaseIterable {
    case open, wep
    /// A password for all who join: WPA to WPA3.
    case personal
    /// A name and a password for each person, or a certificate.
    case enterprise

    /// From the words of NetworkManager about an access point: its flags, and those of WPA and of RSN.
    public init(flags: Int64, wpa: Int64, rsn: Int64) {
        let all = wpa | rsn
        // 0x200: 802.1X, 0x2000: 802.1X with Suite B; 0x100: a shared key, 0x400: SAE; 0x800: OWE, which asks for nothing.
        self = all & 0x500 != 0 ? .personal : all & 0x2200 != 0 ? .enterprise : all & 0x800 != 0 || flags & 1 == 0 ? .open : .wep
    }

    /// From the key management of a saved profile; empty: it has none.
    public init(keyManagement: String) {
        self =
            switch keyManagement {
            case "", "owe": .open
            case "none", "ieee8021x": .wep
            case "wpa-eap", "wpa-eap-suite-b-192": .enterprise
            default: .personal
            }
    }

    public var needsPassword: Bool { self == .personal || self == .wep }

    /// Whether a text can be a password of such a network.
    public func isPossible(_ password: String) -> Bool {
        let bytes = password.utf8, isHexadecimal = bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
        return switch self {
        case .open, .enterprise: password.isEmpty
        case .wep: [5, 13].contains(bytes.count) || [10, 26].contains(bytes.count) && isHexadecimal
        case .personal: (8...63).contains(bytes.count) || bytes.count == 64 && isHexadecimal
        }
    }
}

/// A wireless network, as one row of the list. Its access points count as one.
public struct WirelessNetwork: Hashable, Codable, Sendable {
    public enum State: String, Hashable, Codable, Sendable {
        case connected, connecting, away
    }

    public var ssid: [UInt8]
    public var security: WirelessSecurity
    /// From 0 to 3; nil: it is saved and out of reach.
    public var strength: Int?
    public var state = State.away
    /// The profiles in which it is saved, by their paths.
    public var profiles: [String] = []

    public init(ssid: [UInt8], security: WirelessSecurity, strength: Int? = nil, state: State = .away, profiles: [String] = []) {
        self.ssid = ssid
        self.security = security
        self.strength = strength
        self.state = state
        self.profiles = profiles
    }

    /// The same in every list: the name's bytes in hexadecimal digits, and the protection: "486f6d65-personal".
    public var id: String { Self.id(ssid, security) }
    public var name: String { NetworkFacts.name(ssid) }
    public var isSaved: Bool { !profiles.isEmpty }

    public static func id(_ ssid: [UInt8], _ security: WirelessSecurity) -> String {
        let digits = Array("0123456789abcdef")
        return String(ssid.prefix(32).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) + "-\(security.rawValue)"
    }
}

/// The words of NetworkManager about wireless networks, as they came.
public struct WirelessFacts: Hashable, Codable, Sendable {
    public struct Point: Hashable, Codable, Sendable {
        public var path: String
        public var ssid: [UInt8]
        /// In percent.
        public var strength: Int64
        public var flags: Int64, wpa: Int64, rsn: Int64

        public init(path: String, ssid: [UInt8], strength: Int64, flags: Int64 = 0, wpa: Int64 = 0, rsn: Int64 = 0) {
            self.path = path
            self.ssid = ssid
            self.strength = strength
            self.flags = flags
            self.wpa = wpa
            self.rsn = rsn
        }
    }

    public struct Profile: Hashable, Codable, Sendable {
        public var path: String
        public var ssid: [UInt8]
        public var keyManagement: String

        public init(path: String, ssid: [UInt8], keyManagement: String) {
            self.path = path
            self.ssid = ssid
            self.keyManagement = keyManagement
        }
    }

    /// A connection in use: its profile, and `NMActiveConnectionState` (1 connecting, 2 connected).
    public struct Active: Hashable, Codable, Sendable {
        public var profile: String
        public var state: Int64

        public init(profile: String, state: Int64) {
            self.profile = profile
            self.state = state
        }
    }

    public var points: [Point]
    public var profiles: [Profile]
    public var active: [Active]

    public init(points: [Point] = [], profiles: [Profile] = [], active: [Active] = []) {
        self.points = points
        self.profiles = profiles
        self.active = active
    }

    /// A list has at most so many networks; saved ones are there first.
    public static let most = 200

    /// One for each name and kind of protection: the one in use, then saved ones, then the strongest. A hidden network has no name and no
    /// row.
    public var networks: [WirelessNetwork] {
        var found: [String: WirelessNetwork] = [:], percents: [String: Int64] = [:]
        for profile in profiles where profile.ssid.contains(where: { $0 != 0 }) {
            let security = WirelessSecurity(keyManagement: profile.keyManagement), id = WirelessNetwork.id(profile.ssid, security)
            found[id, default: WirelessNetwork(ssid: Array(profile.ssid.prefix(32)), security: security)].profiles.append(profile.path)
            for one in active where one.profile == profile.path {
                if one.state == 2 { found[id]!.state = .connected } else if one.state == 1 { found[id]!.state = .connecting }
            }
        }
        for point in points where point.ssid.contains(where: { $0 != 0 }) {
            let security = WirelessSecurity(flags: point.flags, wpa: point.wpa, rsn: point.rsn)
            let id = WirelessNetwork.id(point.ssid, security), percent = max(0, min(100, point.strength))
            percents[id] = max(percents[id] ?? 0, percent)
            found[id, default: WirelessNetwork(ssid: Array(point.ssid.prefix(32)), security: security)].strength =
                NetworkFacts.steps(percents[id]!)
        }
        func rank(_ one: WirelessNetwork) -> Int {
            switch one.state {
            case .connected: 0
            case .connecting: 1
            case .away: one.isSaved ? one.strength == nil ? 3 : 2 : 4
            }
        }
        let all = found.map { (rank: rank($0.value), id: $0.key, network: $0.value) }.sorted {
            if $0.rank != $1.rank { return $0.rank < $1.rank }
            let (one, other) = ($0.network.strength ?? -1, $1.network.strength ?? -1)
            return one != other ? one > other : $0.network.name != $1.network.name ? $0.network.name < $1.network.name : $0.id < $1.id
        }
        return Array(all.prefix(Self.most).map(\.network))
    }
}
