import Geometry
import Interface
import Stage
import Windows

/// Which apps were named last by banners of windows that wait, and which windows a person put off (W-19).
struct BannerWatch: Hashable, Codable, Sendable {
    var last: [String: Moment] = [:]
    /// Windows that a person put off: until they are seen, their apps' requests to come in front show no banner.
    var putOff: [WindowID] = []
    /// The app that the banner names.
    var app: String?
}

/// A window that waits says so over the app in front, besides its badge (W-19).
extension Desk {
    /// How long a banner stays, and the least time between two of one app, in seconds.
    static let bannerTime = 8.0, bannerPause = 5.0
    /// How long a new banner takes no touch, in seconds: a person who was about to touch the app below means the app.
    static let bannerGuard = 0.5
    /// How many banners wait for their turn. More have their badge only.
    static let mostBanners = 8

    var isBannerOpen: Bool { interface.banner?.isOpen ?? false }

    /// A window came and waits. One that came back to its place after a restart is no news, and neither is a splash.
    mutating func announceNew(_ id: WindowID, at now: Moment) {
        guard workspace.waiting.contains(id), let window = workspace[id], window.isUnasked, !window.facts.isSplash else { return }
        announce(id, isNew: true, at: now)
    }

    /// An app asked to come in front. If that was refused, it leaves a trace on the screen.
    mutating func announceRefused(_ id: WindowID, at now: Moment) {
        guard !banners.putOff.contains(id) else { return }
        announce(id, isNew: false, at: now)
    }

    private mutating func announce(_ id: WindowID, isNew: Bool, at now: Moment) {
        let banner = Interface.Banner(window: id, isNew: isNew), app = bannerApp(id), waiting = line.banners.compactMap(\.window)
        guard offers(.switching), needsBanner(id), !(isBannerOpen && interface.banner?.content.window == id),
            waiting.count < Desk.mostBanners,
            !waiting.contains(where: { bannerApp($0.window) == app })
        else { return }
        banners.last = banners.last.filter { now - $0.value < Desk.bannerPause }
        if banners.last[app] == nil { line.append(banner) }
    }

    /// Hides the banner of a window that a person sees, or that is gone.
    mutating func leaveLostBanners(at now: Moment) {
        guard isBannerOpen || banners != BannerWatch() || !line.banners.isEmpty else { return }
        passBannerOn()
        if let banner = interface.banner, banner.isOpen, isLocked || !needsBanner(banner.content.window) { closeBanner(at: now) }
        banners.putOff = banners.putOff.filter(needsBanner)
        line.banners = line.banners.filter { $0.window.map { needsBanner($0.window) } ?? true }
    }

    mutating func presentBanner(_ banner: Interface.Banner, at now: Moment) {
        let spring = self.spring, app = bannerApp(banner.window)
        banners.app = app
        banners.last[app] = now
        interface.banner.present(banner, at: now, spring: spring)
        interface.banner?.see(true, at: now)
    }

    /// Whether it goes by itself: neither the keyboard nor a finger is on it.
    var isBannerTimed: Bool { isBannerOpen && interface.focus?.area != .banner && interface.pressed?.area != .banner }

    /// The window of the banner is gone, and another one of its app waits, as after a splash: the banner names that one.
    private mutating func passBannerOn() {
        guard isBannerOpen, let window = interface.banner?.content.window, !workspace.isMapped(window), let app = banners.app,
            let next = workspace.waiting.last(where: { bannerApp($0) == app && workspace[$0]?.isUnasked ?? false })
        else { return }
        interface.banner?.content.window = next
    }

    /// Hides the banner; its window still waits. `followBanners` stops the timer.
    mutating func closeBanner(isPutOff: Bool = false, at now: Moment) {
        let spring = self.spring
        if isPutOff, let window = interface.banner?.content.window, !banners.putOff.contains(window) { banners.putOff.append(window) }
        interface.banner?.close(at: now, spring: spring)
        if interface.focus?.area == .banner { leaveBannerFocus() }
    }

    /// The focus leaves the banner. `repairFocus` gives it back to where it was before (P-03).
    mutating func leaveBannerFocus() {
        unfoldBanner(from: interface.focus, to: nil)
        interface.focus = nil
    }

    /// A remote control has no long press: a notification shows its buttons while the focus is on it.
    mutating func unfoldBanner(from last: ControlID?, to next: ControlID?) {
        let wasThere = last?.area == .notice, isThere = next?.area == .notice
        guard workspace.idiom.views.alwaysFocuses, isNoticeOpen, wasThere != isThere, !isReplying,
            interface.notices.banner!.content.isExpanded != isThere
        else { return }
        interface.notices.banner!.content.isExpanded = isThere
        line.timer = nil
    }

    /// It was shown long enough.
    mutating func bannerTimeOut(at now: Moment) {
        line.timer = nil
        // A finger resting on a button will be lifted sooner or later.
        if isBannerOpen, interface.pressed?.area != .banner { closeBanner(at: now) }
    }

    /// Opens the window that the banner names.
    mutating func openBanner(_ banner: Interface.Banner, to destination: Destination?, at now: Moment) throws(Refusal) {
        if workspace.waiting.contains(banner.window) {
            try workspace.admitWaiting(banner.window, to: destination ?? .fullScreen)
        } else if workspace.pip?.window == banner.window {
            try workspace.setPipStashed(nil)
        } else {
            try show(banner.window, at: now)
        }
    }

    /// The part of the banner under a finger or the pointer.
    func bannerHit(_ point: Point, precise: Bool, _ views: Views, at now: Moment) -> Hit? {
        guard let banner = interface.banner, banner.isOpen else { return nil }
        let canvas = views.banner()
        if now - (banner.seenSince ?? now) >= Desk.bannerGuard, let control = canvas.hit(point, precise: precise), control.isOperable {
            return .view(control.id)
        }
        return canvas.covers(point) ? .panel : nil
    }

    private func needsBanner(_ id: WindowID) -> Bool { workspace[id]?.isMapped ?? false && !workspace.isShown(id) }

    /// The app whose banners are counted; windows without a name count by their program.
    private func bannerApp(_ id: WindowID) -> String {
        guard let window = workspace[id] else { return "" }
        // The names that a sandbox gives its windows make no more banners of it (P-06).
        let owner = workspace.owner(of: id)
        if owner.isConfined { return owner.key }
        let name = window.app.isEmpty ? window.facts.appID : window.app
        return name.isEmpty ? "\(window.facts.client)" : name
    }
}
