import Geometry
import OrderedCollections
import Windows

/// A space or window shown small: while a finger swipes it up from the bottom edge, in the app switcher, and during
/// its animation from or to its app's icon.
public enum CardID: Hashable, Codable, Sendable {
    case space(SpaceID)
    case window(WindowID)
}

/// A card in motion. At full size it looks exactly like the space itself, so nothing jumps when a space turns into a
/// card or back.
public struct Card: Hashable, Codable, Sendable {
    /// In points of the screen, without the app switcher's scrolling.
    public var frame: AnimatedRect
    public var opacity: Animated
    /// Whether it scrolls with the other cards.
    public var isScrolled = false
    /// Whether to remove it once it is at rest: it then has the size of the screen, or is invisible.
    public var isLeaving = false
    /// Whether a finger holds it.
    public var isHeld = false
    /// The pace at which the finger moves it.
    private var pace: Pace?

    init(_ frame: Rect, opacity: Double = 1) {
        self.frame = AnimatedRect(frame)
        self.opacity = Animated(opacity)
    }

    public func isSettled(at now: Moment) -> Bool {
        frame.isSettled(at: now) && opacity.isSettled(at: now)
    }

    /// Whether it is at rest and to be removed. The next event does that.
    func isGone(at now: Moment) -> Bool { isLeaving && isSettled(at: now) }

    /// The current frame, without scrolling.
    func value(at now: Moment) -> Rect { frame.value(at: now) }

    /// A finger moves it to `rect`. It catches up from its drawn frame by `spring`.
    mutating func hold(at rect: Rect, opacity wanted: Double, now: Moment, spring: Spring, fade: Spring) {
        if !isHeld {
            pace = nil
            frame.stop(at: now)
            frame.retarget(rect, at: now, spring: spring)
        } else {
            frame.carry(to: rect)
        }
        if pace == nil { pace = Pace() }
        pace!.add(rect, at: now)
        opacity.retarget(wanted, at: now, spring: fade)
        isHeld = true
        isLeaving = false
    }

    /// Continues from its drawn frame at its visible speed, limited for extreme flings.
    mutating func letGo(at now: Moment) {
        guard isHeld else { return }
        isHeld = false
        frame.release(at: now, pace: pace, most: 3000)
        pace = nil
    }
}

extension Stage {
    /// Makes a card of a space or window at its current frame, unless there is one. `from` is the start if it is not
    /// shown.
    public mutating func beginCard(_ id: CardID, from: Rect? = nil, opacity: Double = 1, _ workspace: Workspace, at now: Moment) {
        guard cards[id] == nil, let screen = workspace.screen else { return }
        var start = from ?? screen.bounds, opacity = opacity
        if from == nil {
            switch id {
            case .window(let window): start = frame(of: window, at: now) ?? workspace.frames()[window] ?? screen.bounds
            case .space(let space):
                // If the window is still in motion, the card continues that motion.
                let windows = workspace.space(space)?.windows.filter { shown[$0] != nil && !held.contains($0) } ?? []
                if let window = windows.first.flatMap({ shown[$0] }) {
                    let frame = window.frame.value(at: now)
                    if frame != window.rest, !window.rest.isEmpty { start = frame.map(screen.bounds, from: window.rest) }
                    opacity = window.opacity.value(at: now)
                }
            }
        }
        cards[id] = Card(start, opacity: opacity)
    }

    /// Makes a card that continues the motion of something that represented it.
    public mutating func beginCard(_ id: CardID, moving frame: AnimatedRect) {
        var card = Card(frame.target)
        card.frame = frame
        cards[id] = card
    }

    /// Animates a card to a rectangle of the screen.
    public mutating func moveCard(
        _ id: CardID, to frame: Rect, opacity: Double = 1, scrolled: Bool = false, leaving: Bool = false, at now: Moment,
        spring: Spring
    ) {
        guard var card = cards[id] else { return }
        card.letGo(at: now)
        if card.isScrolled != scrolled {
            // Keep the same place on the screen in the other coordinate space.
            let shift = Vector(scrolled ? scroll.value(at: now) : -scroll.value(at: now), 0)
            let here = card.frame.value(at: now).offset(by: shift)
            let speed = card.frame.x.velocity(at: now)
            card.frame.x.set(here.x)
            card.frame.x.retarget(here.x, at: now, spring: spring, velocity: speed)
            card.isScrolled = scrolled
        }
        card.isLeaving = leaving
        card.frame.retarget(frame, at: now, spring: spring)
        card.opacity.retarget(opacity, at: now, spring: spring)
        cards[id] = card
    }

    /// A finger holds a card at a rectangle of the screen. `spring` is for catching up after it was caught in motion, `fade` for
    /// its opacity if that takes another one.
    public mutating func holdCard(_ id: CardID, at frame: Rect, now: Moment, opacity: Double = 1, spring: Spring, fade: Spring? = nil) {
        guard var card = cards[id] else { return }
        let shift = card.isScrolled ? scroll.value(at: now) : 0
        card.hold(at: frame.offset(by: Vector(shift, 0)), opacity: opacity, now: now, spring: spring, fade: fade ?? spring)
        cards[id] = card
    }

    /// Releases all cards. The next `moveCard` animates them to their places.
    public mutating func releaseCards(at now: Moment) {
        for id in cards.keys { cards[id]!.letGo(at: now) }
    }

    /// The opacity of a card; 0 if there is none.
    public func cardOpacity(_ id: CardID, at now: Moment) -> Double { cards[id]?.opacity.value(at: now) ?? 0 }

    /// Whether a card, or the row that it is in, is still visibly moving.
    public func isInFlight(_ id: CardID, at now: Moment) -> Bool {
        guard let card = cards[id], !card.isHeld else { return false }
        return card.frame.isOnItsWay(at: now, by: Stage.stillMoving)
    }

    /// Moves every card and the scrolling to their final positions.
    public mutating func restCards() {
        scroll.set(scroll.target)
        for id in cards.keys { cards[id]!.frame.set(cards[id]!.frame.target) }
    }

    /// Whether a finger holds a space that it swiped up.
    public var hasHeldCard: Bool { cards.values.contains(where: \.isHeld) }

    public mutating func removeCard(_ id: CardID) { cards[id] = nil }

    /// Removes cards that are done or whose windows are gone.
    public mutating func forgetFinishedCards(_ workspace: Workspace, at now: Moment) {
        guard !cards.isEmpty else { return }
        for (id, card) in cards {
            let exists =
                switch id {
                case .space(let space): workspace.space(space) != nil
                case .window(let window): workspace[window]?.isMapped ?? false
                }
            if !exists || workspace.screen == nil || (card.isLeaving && card.isSettled(at: now)) { cards[id] = nil }
        }
    }

    /// The current frame of a card on the screen.
    public func cardFrame(_ id: CardID, at now: Moment) -> Rect? {
        guard let card = cards[id] else { return nil }
        let frame = card.value(at: now)
        return card.isScrolled ? frame.offset(by: Vector(-scroll.value(at: now), 0)) : frame
    }

    /// The current frames of a window and its picture while it, or its space, is shown small.
    public func cardedFrame(of id: WindowID, _ workspace: Workspace, at now: Moment) -> (frame: Rect, picture: Rect)? {
        guard !cards.isEmpty, let screen = workspace.screen, let window = workspace[id] else { return nil }
        let root = workspace.root(of: id)
        let space = workspace.spaces.first { $0.contains(root) }
        let candidates: [CardID] = [.window(root)] + (space.map { [.space($0.id)] } ?? [])
        guard let card = candidates.first(where: { cards[$0].map { !$0.isGone(at: now) } ?? false }),
            let drawn = cardFrame(card, at: now)
        else { return nil }
        let frames = workspace.frames()
        guard let place = frames[id] else { return nil }
        let whole = card == .window(root) ? frames[root] ?? place : screen.bounds
        let frame = drawn.map(place, from: whole)
        return (frame, miniatureContent(of: window, in: frame, place: place))
    }

    /// The screen's size changed. Cards of whole spaces take the new aspect ratio at once, so that nothing is
    /// stretched. Cards that are growing to the size of the old screen grow to the new one.
    public mutating func reshapeCards(from old: Rect, to new: Rect, at now: Moment, spring: Spring) {
        guard old.size != new.size, !old.isEmpty, !new.isEmpty else { return }
        for (id, card) in cards {
            guard case .space = id else { continue }
            let here = card.value(at: now), target = card.frame.target
            let scale = min(here.width / old.width, here.height / old.height)
            var shaped = card
            shaped.frame.set(Rect(center: new.map(here.center, from: old), size: new.size * scale))
            if card.isLeaving {
                guard target == old else {
                    cards[id] = nil
                    continue
                }
                shaped.frame.retarget(new, at: now, spring: spring)
            }
            cards[id] = shaped
        }
    }

    /// Whether the window, or its space, is drawn as a card.
    func isCarded(_ id: WindowID, _ workspace: Workspace, at now: Moment) -> Bool {
        guard !cards.isEmpty else { return false }
        let root = workspace.root(of: id)
        if let card = cards[.window(root)], !card.isGone(at: now) { return true }
        for (id, card) in cards where !card.isGone(at: now) {
            if case .space(let space) = id, workspace.space(space)?.contains(root) ?? false { return true }
        }
        return false
    }

    // MARK: Drawing

    /// Adds the cards, above everything but Picture in Picture. Later ones lie over earlier ones.
    func addCards(_ workspace: Workspace, _ screen: Screen, at now: Moment, to items: inout [Item]) {
        guard !cards.isEmpty else { return }
        let frames = workspace.frames()
        // Cards held by a finger, and those that grow or shrink over the others, lie on top.
        let bounds = screen.bounds
        let order = cards.keys.reversed().sorted { rank(cards[$0]!, bounds) < rank(cards[$1]!, bounds) }
        for id in order {
            guard let card = cards[id], !card.isGone(at: now), let frame = cardFrame(id, at: now),
                frame.intersects(screen.bounds.inset(by: -40))
            else { continue }
            let opacity = max(0, min(1, card.opacity.value(at: now)))
            guard opacity > 0.004 else { continue }
            switch id {
            case .space(let space):
                if let space = workspace.space(space), !space.windows.isEmpty {
                    addMiniature(
                        workspace.farToNear(space.windows), of: screen.bounds, in: frame, key: WindowID(space.windows[0].raw), workspace,
                        frames,
                        opacity: opacity, to: &items)
                }
            case .window(let window):
                guard let place = frames[window] else { continue }
                addMiniature([window], of: place, in: frame, key: window, workspace, frames, opacity: opacity, to: &items)
            }
        }
    }

    /// Earlier cards lie over later ones. Above them are those that take their place, and the ones that a finger
    /// holds.
    private func rank(_ card: Card, _ bounds: Rect) -> Int {
        if card.isHeld { return 2 }
        return card.isLeaving && card.opacity.target > 0 && card.frame.target.intersects(bounds) ? 1 : 0
    }

    /// Draws windows with their layout in `whole` scaled into `frame`.
    public func addMiniature(
        _ windows: [WindowID], of whole: Rect, in frame: Rect, key: WindowID, _ workspace: Workspace,
        _ frames: [WindowID: Rect], opacity: Double, to items: inout [Item]
    ) {
        guard !frame.isEmpty, !whole.isEmpty else { return }
        let scale = frame.width / whole.width, isSpace = whole == workspace.screen?.bounds
        let isReduced = scale < 0.999
        // The card of the whole screen begins with the screen's own corners.
        let corner = whole == workspace.screen?.bounds ? workspace.screen?.cornerRadius ?? 0 : 0
        let share = min(1, (1 - scale) * 4)
        let radius = isReduced ? Stage.miniatureRadius * share + corner * (1 - share) : 0
        // An app that is frozen since before the screen turned cannot draw in the new shape: its card is its picture, without black bars.
        let frozen =
            isReduced && windows.count == 1 ? frozenPicture(windows[0], of: whole, in: frame, isSpace: isSpace, workspace, frames) : nil
        // The status bar is above the card, and not a part of it.
        var paper = frozen ?? frame
        if frozen == nil, isSpace, let screen = workspace.screen, screen.status > 0 {
            paper = frame.map(windows.count == 1 ? frames[windows[0]] ?? screen.usable : screen.usable, from: whole)
        }
        if isReduced { items.append(Item(.cardShadow, key, .shadow(blur: 20), paper, radius: radius, opacity: opacity * 0.3)) }
        if windows.count > 1 { items.append(Item(.cardBackdrop, key, .fill(.divider), paper, radius: radius, opacity: opacity)) }
        for root in windows {
            for id in [root] + workspace.dialogs(of: root) {
                guard let place = frames[id], let window = workspace[id] else { continue }
                let shown = frame.map(isSpace ? workspace.perspective(of: root).seen(place) : place, from: whole)
                let content = miniatureContent(of: window, in: shown, place: place)
                let round = windows.count > 1 ? max(radius, workspace.idiom.split.radius * scale) : radius
                if id == root, frozen == nil, !content.contains(shown, tolerance: 0.5) {
                    items.append(Item(.cardLetterbox, id, .fill(.letterbox), shown, radius: round, opacity: opacity))
                }
                items.append(
                    Item(.cardWindow, id, .window(id), content, clip: id == root ? frozen ?? shown : shown, radius: round, opacity: opacity)
                )
            }
        }
    }

    /// The picture of a frozen app in its card, where it does not fill it; nil otherwise.
    private func frozenPicture(
        _ id: WindowID, of whole: Rect, in frame: Rect, isSpace: Bool, _ workspace: Workspace, _ frames: [WindowID: Rect]
    ) -> Rect? {
        guard let place = frames[id], let window = workspace[id], window.isSuspended else { return nil }
        let shown = frame.map(isSpace ? workspace.perspective(of: id).seen(place) : place, from: whole)
        let content = miniatureContent(of: window, in: shown, place: place)
        return content.contains(shown, tolerance: 0.5) ? nil : content.intersection(shown)
    }

    /// Like `contentRect`, but does not stretch content that still has the orientation before a rotation of the screen.
    private func miniatureContent(of window: Window, in frame: Rect, place: Rect) -> Rect {
        let size = window.contentSize
        guard window.isAwaited, !size.isEmpty, !place.isEmpty, (size.width > size.height) != (place.width > place.height) else {
            return contentRect(of: window, in: frame, place: place)
        }
        return frame.map(place.fitting(size), from: place)
    }

    /// The corner radius of a miniature.
    public static let miniatureRadius = 16.0

    /// A space opens out of its app's icon.
    public mutating func grow(_ space: SpaceID, from icon: Rect, _ workspace: Workspace, at now: Moment, spring: Spring) {
        guard let screen = workspace.screen else { return }
        beginCard(.space(space), from: icon, opacity: 0, workspace, at: now)
        moveCard(.space(space), to: screen.bounds, leaving: true, at: now, spring: spring)
        update(workspace, at: now, spring: spring)
        snapSpaces(workspace)
    }
}
