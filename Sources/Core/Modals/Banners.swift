import Callers
import Geometry
import Interface
import Notices
import Rooms
import Windows

/// The banners at the upper edge: windows that wait (W-19), and notifications. They share one place and one line.
public struct Banners: Room {
    public enum Banner: Hashable, Codable, Sendable {
        /// `isNew`: the window was just opened; otherwise its app asked to come in front. `app`: the one whose banners are counted.
        case window(WindowID, isNew: Bool, app: String)
        /// `payer`: the owner whose banners are counted.
        case notice(NoticeID, payer: Owner)

        var place: Place {
            switch self {
            case .window(let id, _, _): .window(id)
            case .notice(let id, _): .notice(id)
            }
        }
    }

    public enum Place: Hashable, Codable, Sendable {
        case window(WindowID)
        case notice(NoticeID)
    }

    /// How long the banner of a window stays, and the least time between two of one app, in seconds.
    static let windowTime = 8.0, pause = 5.0
    /// How long the banner of a notification stays, and one that says more or is about time, in seconds.
    static let noticeTime = 6.0, longNoticeTime = LockCards.patience
    /// How many banners of windows wait for their turn. More have their badge only.
    static let most = 8

    /// In the order in which they are shown: windows, then notifications.
    private var line: [Banner] = []
    /// The banner whose time runs.
    private var timed: Place?
    /// When the banner of a window last named each app.
    private var named: [String: Moment] = [:]
    /// Windows that a person put off: until they are seen, their apps' requests to come in front show no banner.
    private var putOff: [WindowID] = []
    /// The app that the banner of a window names.
    public private(set) var app: String?

    public init() {}

    public enum Event: Hashable, Sendable {
        /// A window waits, or its app was refused to come in front.
        case windowWaits(WindowID, isNew: Bool, app: String)
        /// `isOwed`: it takes its place again, so no quota counts.
        case noticeComes(NoticeID, payer: Owner, isOwed: Bool = false)
        /// A change settled, or a person used something.
        case settled
        case timeIsUp
        /// A person puts off the banner in sight.
        case later
        /// The banner in sight leaves its place.
        case leaves
        /// The banner in sight says something else, or all of it. Its time begins anew.
        case renewed
    }

    public struct Context: Hashable, Sendable {
        /// The banner in sight.
        public var open: Place?
        /// None of the shell's own views covers the apps.
        public var isFree = true
        public var isLocked = false
        /// A person can go to other windows here.
        public var offersSwitching = true
        /// The keyboard or a finger is on the banner in sight.
        public var isHeld = false
        /// A finger rests on a button of it.
        public var isPressed = false
        /// All of the notification is shown.
        public var isExpanded = false
        /// A panel covers the banner of a notification.
        public var isCovered = false
        /// The windows that wait out of sight.
        public var needed: Set<WindowID> = []
        /// Another window that waits of the app whose window is gone.
        public var heir: WindowID?
        /// The notifications that are there, and the unread ones among them.
        public var there: Set<NoticeID> = []
        public var due: Set<NoticeID> = []
        /// The notifications that stay until they are answered, and those that stay longer than others.
        public var staying: Set<NoticeID> = []
        public var long: Set<NoticeID> = []

        public init() {}
    }

    public enum Outcome: Hashable, Sendable {
        case presents(Banner)
        case closes(Place)
        /// The banner in sight names this window now.
        case passesOn(to: WindowID)
        case timer(Moment?)
    }

    // MARK: Reading

    /// The windows and notifications that the context must know.
    public var windows: [WindowID] { putOff + line.compactMap { if case .window(let id, _, _) = $0 { id } else { nil } } }
    public var notices: [NoticeID] { line.compactMap { if case .notice(let id, _) = $0 { id } else { nil } } }

    /// Whether there is nothing to follow while no banner is in sight.
    public var isQuiet: Bool { line.isEmpty && timed == nil && putOff.isEmpty && named.isEmpty && app == nil }
    /// Whether a banner waits for its turn, or the time of one runs.
    public var isBusy: Bool { !line.isEmpty || timed != nil }

    // MARK: Events

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .windowWaits(let id, let isNew, let app):
            announce(id, isNew: isNew, of: app, context, at: now)
            return []
        case .noticeComes(let id, let payer, let isOwed):
            if !notices.contains(id), isOwed || mayWait(payer) { line.append(.notice(id, payer: payer)) }
            return []
        case .settled: return settle(context, at: now)
        case .timeIsUp:
            timed = nil
            switch context.open {
            // A finger resting on a button will be lifted sooner or later.
            case .window?: return context.isPressed ? [] : close(context)
            // A timer that was set before the banner was opened or renewed may still run.
            case .notice?: return isTimed(context.open, context) ? close(context) : []
            case nil: return []
            }
        case .later:
            if case .window(let id)? = context.open, !putOff.contains(id) { putOff.append(id) }
            return close(context)
        case .leaves: return close(context)
        case .renewed:
            if case .notice(let id)? = context.open { line.removeAll { $0.place == .notice(id) } }
            timed = nil
            return []
        }
    }

    private func close(_ context: Context) -> [Outcome] { context.open.map { [.closes($0)] } ?? [] }

    private mutating func announce(_ id: WindowID, isNew: Bool, of app: String, _ context: Context, at now: Moment) {
        let waiting: [String] = line.compactMap { if case .window(_, _, let app) = $0 { app } else { nil } }
        guard isNew || !putOff.contains(id), context.offersSwitching, context.needed.contains(id), context.open != .window(id),
            waiting.count < Banners.most, !waiting.contains(app), !line.contains(where: { $0.place == .window(id) })
        else { return }
        named = named.filter { now - $0.value < Banners.pause }
        guard named[app] == nil else { return }
        line.insert(.window(id, isNew: isNew, app: app), at: waiting.count)
    }

    /// One owner cannot fill the line.
    private func mayWait(_ payer: Owner) -> Bool {
        let waiting: [Owner] = line.compactMap { if case .notice(_, let payer) = $0 { payer } else { nil } }
        return Quota.banners.share.allows(payer, own: waiting.count { $0 == payer }, named: waiting.count { $0 != .nameless })
    }

    /// Shows the next banner and hides what is gone. The time of one that the keyboard or a finger is on begins again when that ends.
    private mutating func settle(_ context: Context, at now: Moment) -> [Outcome] {
        var out: [Outcome] = [], open = context.open
        if case .window? = open, let heir = context.heir {
            open = .window(heir)
            out.append(.passesOn(to: heir))
        }
        if let shown = open, isLost(shown, isOpen: true, context) {
            out.append(.closes(shown))
            open = nil
        }
        putOff.removeAll { !context.needed.contains($0) }
        line = line.filter { !isLost($0.place, isOpen: false, context) }
        var isNew = false
        if open == nil, !line.isEmpty, context.isFree, !context.isLocked {
            let next = line.removeFirst()
            if case .window(_, _, let name) = next { (app, named[name]) = (name, now) }
            out.append(.presents(next))
            (open, isNew) = (next.place, true)
        }
        let wanted = isTimed(open, context, isNew: isNew) ? open : nil
        guard isNew || wanted != timed else { return out }
        if wanted != nil || timed != nil { out.append(.timer(wanted.map { now + time(of: $0, context) })) }
        timed = wanted
        return out
    }

    private func isLost(_ place: Place, isOpen: Bool, _ context: Context) -> Bool {
        switch place {
        case .window(let id): isOpen && context.isLocked || !context.needed.contains(id)
        case .notice(let id) where isOpen: context.isLocked || context.isCovered || !context.there.contains(id)
        case .notice(let id): context.isLocked || !context.due.contains(id)
        }
    }

    /// Whether it goes by itself: a person neither holds nor reads it, and it does not have to be answered.
    private func isTimed(_ place: Place?, _ context: Context, isNew: Bool = false) -> Bool {
        switch place {
        case .window?: isNew || !context.isHeld
        case .notice(let id)?: !context.staying.contains(id) && (isNew || !context.isHeld && !context.isExpanded)
        case nil: false
        }
    }

    private func time(of place: Place, _ context: Context) -> Double {
        switch place {
        case .window: Banners.windowTime
        case .notice(let id): context.long.contains(id) ? Banners.longNoticeTime : Banners.noticeTime
        }
    }

    // MARK: Invariants

    public func violations(in context: Context) -> [String] {
        var found: [String] = []
        let payers: [Owner] = line.compactMap { if case .notice(_, let payer) = $0 { payer } else { nil } }
        for payer in Set(payers) {
            let count = payers.count { $0 == payer }, share = Quota.banners.share
            if count > (payer == .nameless ? share.nameless : share.each) { found.append("\(count) banners of \(payer) wait") }
        }
        if Set(line.map(\.place)).count != line.count { found.append("a banner waits twice") }
        if line.count(where: { if case .window = $0 { true } else { false } }) > Banners.most {
            found.append("too many banners of windows wait")
        }
        if context.isLocked, context.open != nil { found.append("a banner on a locked screen") }
        return found
    }
}
