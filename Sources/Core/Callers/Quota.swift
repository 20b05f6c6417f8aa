/// Everything that programs take up in the shell and that is counted: the one list (docs/hostility.md has it for people).
///
/// `ClientLimits` has the limits of the Wayland protocol. The shell disconnects a client that exceeds one, so other clients do not pay.
public enum Quota: String, Hashable, Codable, Sendable, CaseIterable {
    /// Notifications in the list. The owner's oldest go.
    case notices
    /// Bytes of their texts. The owner's oldest go.
    case noticeBytes
    /// Updates of notifications that came too fast: of each notification the last one waits.
    case noticeUpdates
    /// Pictures of notifications that are being copied or made small.
    case noticePictures
    /// Deliveries that are still to come (S-12).
    case schedules
    /// Connections to the notification services, to `org.mullion.Life1` and its neighbours, and to the audio services.
    case noticeConnections, lifeConnections, audioConnections
    /// Items of trays.
    case trayItems
    /// Inhibitors, clients and instances of apps at the session manager.
    case inhibitors, sessionClients, instances
    /// Alerts and action sheets that are shown or wait (M-05).
    case views
    /// Questions of portals (`org.freedesktop.impl.portal`), by the app for which the portal asks.
    case portalViews
    /// Sessions of portals, by the app for which the portal asks.
    case portalSessions
    /// Activity views, shown or on their way.
    case activityViews
    /// Requests to show files that are not answered yet (W-18).
    case fileRequests
    /// Sessions of sound.
    case audioSessions
    /// Media players that the shell follows.
    case players
    /// Menu bars that programs registered.
    case menus
    /// Banners that wait for their turn.
    case banners
}

/// How much of one thing owners may have.
public struct Share: Hashable, Sendable {
    /// One owner's most.
    public var each: Int
    /// All owners together, but for nameless sandboxes.
    public var all: Int
    /// The amount that an owner may have in any case, however much others have.
    public var kept: Int
    /// All nameless sandboxes together. Their drawer is their own, so that they take room from no other owner.
    public var nameless: Int

    public init(each: Int, all: Int, kept: Int, nameless: Int) {
        self.each = each
        self.all = all
        self.kept = kept
        self.nameless = nameless
    }

    /// Whether an owner may have one more.
    ///
    /// - Parameters:
    ///   - own: how many it has.
    ///   - named: how many all owners have, but for nameless sandboxes.
    public func allows(_ owner: Owner, own: Int, named: Int) -> Bool {
        if owner == .nameless { return own < nameless }
        return own < each && (named < all || own < kept)
    }

    /// Why it may not, for the program's author.
    public func objection(_ owner: Owner, own: Int, named: Int, _ what: String) -> String? {
        if allows(owner, own: own, named: named) { return nil }
        if owner == .nameless { return "sandboxes without a name can have \(nameless) \(what) together" }
        return own >= each ? "an app can have \(each) \(what)" : "there are \(all) \(what) already"
    }
}

extension Quota {
    public var share: Share {
        switch self {
        case .notices: Share(each: 10_000, all: 10_000, kept: 1000, nameless: 500)
        case .noticeBytes: Share(each: 16 << 20, all: 16 << 20, kept: 1 << 20, nameless: 1 << 20)
        case .noticeUpdates: Share(each: 64, all: 512, kept: 16, nameless: 16)
        case .noticePictures: Share(each: 16, all: 64, kept: 4, nameless: 8)
        case .schedules: Share(each: 64, all: 512, kept: 16, nameless: 16)
        case .noticeConnections: Share(each: 256, all: 1024, kept: 32, nameless: 64)
        case .lifeConnections: Share(each: 128, all: 512, kept: 32, nameless: 64)
        case .audioConnections: Share(each: 64, all: 256, kept: 16, nameless: 32)
        case .trayItems: Share(each: 16, all: 256, kept: 4, nameless: 16)
        case .inhibitors: Share(each: 32, all: 256, kept: 8, nameless: 16)
        case .sessionClients: Share(each: 32, all: 256, kept: 8, nameless: 16)
        case .instances: Share(each: 256, all: 1024, kept: 32, nameless: 0)
        case .views: Share(each: 8, all: 256, kept: 2, nameless: 8)
        case .portalViews: Share(each: 8, all: 16, kept: 2, nameless: 2)
        case .portalSessions: Share(each: 16, all: 256, kept: 4, nameless: 8)
        case .activityViews: Share(each: 4, all: 8, kept: 1, nameless: 1)
        case .fileRequests: Share(each: 8, all: 16, kept: 2, nameless: 2)
        case .audioSessions: Share(each: 32, all: 256, kept: 8, nameless: 16)
        case .players: Share(each: 16, all: 128, kept: 2, nameless: 8)
        case .menus: Share(each: 64, all: 512, kept: 16, nameless: 0)
        case .banners: Share(each: 4, all: 8, kept: 1, nameless: 1)
        }
    }
}

/// How many of each thing each owner has.
public struct Holdings: Hashable, Sendable {
    private var counts: [Quota: [Owner: Int]] = [:]
    /// Without those of nameless sandboxes.
    private var named: [Quota: Int] = [:]

    public init() {}

    public func count(_ quota: Quota, of owner: Owner) -> Int { counts[quota]?[owner] ?? 0 }

    public func all(_ quota: Quota) -> Int { (named[quota] ?? 0) + count(quota, of: .nameless) }

    /// Takes one; false if the owner may not have one more.
    public mutating func take(_ quota: Quota, for owner: Owner) -> Bool {
        let own = count(quota, of: owner)
        guard quota.share.allows(owner, own: own, named: named[quota] ?? 0) else { return false }
        counts[quota, default: [:]][owner] = own + 1
        if owner != .nameless { named[quota, default: 0] += 1 }
        return true
    }

    /// Why it may not have one more; nil if it may.
    public func objection(_ quota: Quota, for owner: Owner, _ what: String) -> String? {
        quota.share.objection(owner, own: count(quota, of: owner), named: named[quota] ?? 0, what)
    }

    /// It has one less.
    public mutating func giveBack(_ quota: Quota, for owner: Owner) {
        guard let own = counts[quota]?[owner] else { return }
        counts[quota]![owner] = own > 1 ? own - 1 : nil
        if owner != .nameless { named[quota, default: 0] -= 1 }
    }

    public mutating func removeAll() { self = Holdings() }
}
