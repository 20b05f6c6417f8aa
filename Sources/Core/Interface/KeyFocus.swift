import Geometry
import Modality
import Rooms
import Windows

/// The keyboard focus among the shell's views: where it is, how keys move it, and where it goes when its control is gone (P-03).
public struct KeyFocus: Room {
    /// The control with the focus; nil until a key is used.
    public var at: ControlID?
    /// Where the focused control was last seen, and in which view, so that the focus goes to its neighbour if it disappears.
    private var spot: Rect?
    private var view: String?
    /// The role of the focused control, so that one of the same role gets the focus if it disappears.
    private var role: ViewControl.Role?
    /// The control that got the focus because that of another one was gone; nil: a person moved it.
    public private(set) var heir: ControlID?
    /// Where a person was in each open view, so that the focus comes back there.
    private var places: [String: ControlID] = [:]
    /// Whether the shell gave the focus to the control, and no key of a person did.
    private var isGiven = false
    /// How the arrow keys came there.
    private var trail = FocusTrail()

    public init() {}

    public enum Event: Hashable, Sendable {
        /// An arrow key. The opposite key leads back.
        case moved(Side)
        /// The key for the next control, or the one before.
        case stepped(Int)
        /// A person or a script puts it there.
        case put(ViewControl)
        /// A key opened a view that otherwise leaves the keys to the app, and begins there.
        case opened(ControlID?)
        /// A person pressed the control, so a later view does not move them away.
        case pressed
        /// The home screen shows another page. The focus enters at its near side, in the same row.
        case turnedPage(Side, from: Rect)
        /// A person scrolled. The nearest control in sight gets the focus.
        case scrolled
        /// The focus begins anew in the next view.
        case forgotten
        case settled
    }

    /// Where a person begins in a view.
    public enum Beginning: Hashable, Sendable {
        /// At the answer that an alert prefers.
        case answer(ControlID?)
        /// At the card of the app that was used before, or at the first one.
        case card(isSecond: Bool)
        /// At the icon of the app that was in front, or at the first one.
        case icon(ControlID?)
        case first

        func choose(among all: [ViewControl]) -> ViewControl? {
            switch self {
            case .answer(let id): return id.flatMap { id in all.first { $0.id == id } } ?? all.first
            case .card(let isSecond):
                let cards = all.filter { $0.role == .card }
                return (isSecond ? cards.dropFirst().first ?? cards.first : cards.first) ?? all.first
            case .icon(let id):
                let icons = all.filter { $0.id.area == .home }
                return id.flatMap { id in icons.first { $0.id == id } } ?? icons.first ?? all.first
            case .first: return all.first
            }
        }
    }

    public struct Context: Hashable, Sendable {
        /// The controls that can get the focus, placed as they will be at rest.
        public var all: [ViewControl]
        /// The controls that remove something, and those that only leave their view.
        public var destroying: Set<ControlID> = [], leaving: Set<ControlID> = []
        /// Whether a control always has the focus in this idiom.
        public var isAlways = false
        /// Whether the shell gets the keys, and whether it alone gets typed text.
        public var takesKeys = false, ownsKeys = false
        /// The view that has the keys, and those in which a person may have been.
        public var view = "", openViews: Set<String> = []
        public var beginning = Beginning.first
        /// A menu of the bar is open, which is entered at its near end.
        public var isMenu = false
        /// The home screen is in front, whose pages go on to the left and right.
        public var hasPages = false

        public init(_ all: [ViewControl]) { self.all = all }

        /// The controls at which the focus may begin: they neither remove nor leave anything, else they remove nothing (P-03).
        public func beginnings(among all: [ViewControl]) -> [ViewControl] {
            let safe = all.filter { !destroying.contains($0.id) }, staying = safe.filter { !leaving.contains($0.id) }
            return !staying.isEmpty ? staying : safe.isEmpty ? all : safe
        }
    }

    public enum Outcome: Hashable, Sendable {
        /// It is there now, and the control has to be in sight.
        case took(ViewControl, from: ControlID?)
        /// Down from a banner that lies over an app alone: the keys are the app's again.
        case leavesBanner
        case turnsPage(Side, from: Rect)
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .moved(let way): return move(way, context)
        case .stepped(let step): return self.step(step, context)
        case .put(let control): return take(control)
        case .opened(let id):
            if id != at { isGiven = false }
            at = id
            return []
        case .pressed:
            isGiven = false
            return []
        case .turnedPage(let way, let place):
            trail.forget()
            let icons = context.all.filter { $0.id.area == .home }
            func distance(_ frame: Rect) -> Double {
                abs(frame.center.y - place.center.y) * 100 + (way.isFirst ? -frame.minX : frame.minX)
            }
            return icons.min { distance($0.frame) < distance($1.frame) }.map { take($0) } ?? []
        case .scrolled:
            guard at != nil, !context.all.contains(where: { $0.id == at }) else { return [] }
            at = nil
            return spot.flatMap { nearest(to: $0, among: context.all) }.map { take($0) } ?? []
        case .forgotten:
            forget()
            return []
        case .settled: return context.isAlways ? keep(context) : leaveLost(context)
        }
    }

    // MARK: Keys

    private mutating func take(_ control: ViewControl, isGiven: Bool = false) -> [Outcome] {
        let before = at
        at = control.id
        (spot, role, heir) = (control.frame, control.role, isGiven ? control.id : nil)
        self.isGiven = isGiven
        return [.took(control, from: before)]
    }

    private mutating func step(_ step: Int, _ context: Context) -> [Outcome] {
        let all = context.all
        guard !all.isEmpty else { return [] }
        let here = at.flatMap { id in all.firstIndex { $0.id == id } }
        trail.forget()
        guard let here else { return take(step > 0 ? context.beginnings(among: all)[0] : all[all.count - 1]) }
        return take(all[(here + step + all.count) % all.count])
    }

    private mutating func move(_ way: Side, _ context: Context) -> [Outcome] {
        let all = context.all
        guard let here = at.flatMap({ id in all.lastIndex { $0.id == id } }) else {
            return step(way == .top && context.isMenu ? -1 : 1, context)
        }
        if let known = trail.follow(way, from: all[here].id), let control = all.last(where: { $0.id == known }) { return take(control) }
        if let next = neighbour(of: here, way, context) {
            // The opposite key goes through the banner first.
            if all[here].id.isOnBanner == next.id.isOnBanner {
                trail.note(from: all[here].id, to: next.id, way)
            } else {
                trail.forget()
            }
            return take(next)
        }
        if all[here].id.isOnBanner, way == .bottom, !context.ownsKeys { return [.leavesBanner] }
        guard way.axis == .horizontal, context.hasPages, all[here].id.area == .home else { return [] }
        return [.turnsPage(way, from: all[here].frame)]
    }

    /// A banner lies over another view, and its place says nothing about where that view's controls are: the arrows go through each of the
    /// two alone, upwards past the last control of the view to the banner, and downwards past that of the banner back.
    private func neighbour(of here: Int, _ way: Side, _ context: Context) -> ViewControl? {
        let all = context.all, isOnBanner = all[here].id.isOnBanner, own = all.indices.filter { all[$0].id.isOnBanner == isOnBanner }
        let map = FocusMap(frames(of: own.map { all[$0] }), keepsSideways: Set(own.indices.filter { all[own[$0]].slide != nil }))
        if let next = own.firstIndex(of: here).flatMap({ map.next(from: $0, way) }) { return all[own[next]] }
        guard way == (isOnBanner ? .bottom : .top) else { return nil }
        let others = all.filter { $0.id.isOnBanner != isOnBanner }
        if isOnBanner, let place = places[context.view], let known = others.last(where: { $0.id == place }) { return known }
        let beginnings = context.beginnings(among: others)
        return isOnBanner ? context.beginning.choose(among: beginnings) : beginnings.first
    }

    /// The frames among which the arrows move. The card of a banner contains its buttons, and stands for the part above them.
    private func frames(of controls: [ViewControl]) -> [Rect] {
        guard let card = controls.firstIndex(where: { $0.id == "notice/open" }), controls.count > 1,
            let top = controls.filter({ $0.id != "notice/open" }).map(\.frame.minY).min()
        else { return controls.map(\.frame) }
        var out = controls.map(\.frame)
        out[card].height = max(1, top - out[card].minY - 1)
        return out
    }

    // MARK: Lost controls

    private mutating func leaveLost(_ context: Context) -> [Outcome] {
        if at != nil, !context.all.contains(where: { $0.id == at }) { at = nil }
        return []
    }

    /// Moves the focus if its control is gone, to the nearest one.
    private mutating func keep(_ context: Context) -> [Outcome] {
        guard context.takesKeys else {
            at = nil
            places = [:]
            forget()
            return []
        }
        let all = context.all
        // A person did not move to the control that the shell chooses, so OK must not remove anything there (P-03).
        let safe = all.filter { !context.destroying.contains($0.id) }, rest = safe.isEmpty ? all : safe
        let firsts = context.beginnings(among: all)
        // A control of another view was there: this view begins anew.
        let isSameView = view == nil || view == context.view, gone = at
        view = context.view
        places = places.filter { context.openViews.contains($0.key) }
        // Where there was nothing else, the shell may have given it to a control that removes something. Now there is.
        let removesUnasked = at != nil && heir == at && !safe.isEmpty && !safe.contains { $0.id == at }
        if let at, !removesUnasked, let control = all.last(where: { $0.id == at }) {
            spot = control.frame
            // A banner comes and goes: where a person was in the view below stays known.
            if !at.isOnBanner { places[context.view] = at }
            // Apps and windows came since: a person who pressed no key yet begins at the first of them.
            if isGiven, isSameView, let first = context.beginning.choose(among: firsts), first.id != at {
                return take(first, isGiven: true)
            }
            return []
        }
        at = nil
        let spot = isSameView ? self.spot : nil
        trail.forget()
        guard context.ownsKeys else { return [] }
        let wasOnBanner = gone?.isOnBanner ?? false, isBannerThere = all.contains { $0.id.isOnBanner }
        let isBack = !isSameView || gone == nil || (wasOnBanner && !isBannerThere)
        if isBack, let place = places[context.view], let control = all.last(where: { $0.id == place }) { return take(control) }
        // A button of a banner went, and the banner is still there.
        let near = wasOnBanner && isBannerThere ? rest.filter { $0.id.isOnBanner } : []
        let kind = near.isEmpty ? rest.filter { $0.role == role && (gone == nil || $0.id.area == gone?.area) } : near
        if let spot, let next = nearest(to: spot, among: kind.isEmpty ? rest : kind) {
            let outcomes = take(next)
            heir = at
            return outcomes
        }
        return context.beginning.choose(among: firsts).map { take($0, isGiven: true) } ?? []
    }

    private mutating func forget() {
        spot = nil
        view = nil
        trail.forget()
    }

    private func nearest(to spot: Rect, among all: [ViewControl]) -> ViewControl? {
        all.min { $0.frame.center.distance(to: spot.center) < $1.frame.center.distance(to: spot.center) }
    }
}

extension ViewControl {
    /// Whether a press removes something (P-03). `modality`: the views for programs, whose answers may.
    public func destroys(_ modality: Modality) -> Bool {
        switch press {
        case .close, .quitApp, .closeSpace, .endTask, .endInhibitor, .endApp, .quit, .quitAnyway, .startClean, .stopInBackground,
            .removeFromDock, .audio(.endCall), .audio(.declineCall), .notice(.dismiss), .notice(.clear), .notice(.clearAll),
            .notice(.deleteFocus):
            true
        case .chooseView(let number, let index):
            modality.views.first { $0.id.raw == number }.map {
                $0.choices.indices.contains(index) && $0.choices[index].role == .destructive
            } ?? false
        default: false
        }
    }

    /// Whether a press only leaves its view.
    public var leaves: Bool {
        switch press {
        case .dismiss, .dismissView, .bannerLater, .notice(.settings(group: nil)), .notice(.leaveReply): true
        default: false
        }
    }
}
