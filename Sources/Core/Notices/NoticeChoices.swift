import OrderedCollections

/// A person's choices about notifications, of which this is the only owner. `Choices` (Multitasking) has those about everything else.
///
/// The configuration file wins over a person's choice, and the choice over the default.
public struct NoticeChoices: Hashable, Codable, Sendable {
    /// The choices that a person made on the screen. Kept over restarts.
    public internal(set) var chosen = Wishes()
    /// The settings of the configuration file.
    public private(set) var fixed = Wishes()

    public init() {}

    /// A set of wishes; nil: no opinion.
    public struct Wishes: Hashable, Codable, Sendable {
        public var isQuiet: Bool?
        public var apps: OrderedDictionary<String, AppWishes> = [:]
        /// The focus that a person began or ended. Only a person chooses it.
        public var focus: FocusChoice?
        /// The focuses that the configuration file defines, or that the person made.
        public var focuses: [NoticeFocus]?
        /// The minutes of a day for summaries.
        public var summary: [Int]?

        public init() {}
    }

    public struct AppWishes: Hashable, Codable, Sendable {
        public var manner: NoticeManner?
        public var sounds: Bool?
        public var badge: Bool?
        public var onLock: NoticeOnLock?

        public init() {}

        var isEmpty: Bool { self == AppWishes() }
    }

    /// Do Not Disturb.
    public var isQuiet: Bool { fixed.isQuiet ?? chosen.isQuiet ?? false }
    /// Whether the configuration file decides that, and a person cannot change it.
    public var isQuietFixed: Bool { fixed.isQuiet != nil }

    public func manner(of app: String) -> NoticeManner { fixed.apps[app]?.manner ?? chosen.apps[app]?.manner ?? .banners }
    public func sounds(of app: String) -> Bool { fixed.apps[app]?.sounds ?? chosen.apps[app]?.sounds ?? true }
    public func badge(of app: String) -> Bool { fixed.apps[app]?.badge ?? chosen.apps[app]?.badge ?? true }
    public func onLock(of app: String) -> NoticeOnLock { fixed.apps[app]?.onLock ?? chosen.apps[app]?.onLock ?? .count }

    /// Whether the configuration file decides about this part of an app.
    public func isFixed(_ choice: NoticeChoice, of app: String) -> Bool {
        guard let wishes = fixed.apps[app] else { return false }
        return switch choice {
        case .manner: wishes.manner != nil
        case .sounds: wishes.sounds != nil
        case .badge: wishes.badge != nil
        case .onLock: wishes.onLock != nil
        }
    }

    mutating func setQuiet(_ isQuiet: Bool) { chosen.isQuiet = isQuiet }

    mutating func choose(_ choice: NoticeChoice, for app: String) {
        var wishes = chosen.apps[app] ?? AppWishes()
        switch choice {
        case .manner(let manner): wishes.manner = manner == .banners ? nil : manner
        case .sounds(let sounds): wishes.sounds = sounds ? nil : false
        case .badge(let badge): wishes.badge = badge ? nil : false
        case .onLock(let onLock): wishes.onLock = onLock == .count ? nil : onLock
        }
        chosen.apps[app] = wishes.isEmpty ? nil : wishes
        // Apps come and go for years.
        if chosen.apps.count > Self.mostApps { chosen.apps.removeFirst() }
    }

    mutating func restore(_ kept: Wishes) {
        chosen = kept
        chosen.focuses = Self.possible(kept.focuses)
    }
    mutating func fix(_ wishes: Wishes) { fixed = wishes }

    static let mostApps = 512
}
