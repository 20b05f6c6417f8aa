import Geometry
import OrderedCollections
import Stage
import Windows

/// The cards of the app switcher and App Exposé: to their places, and back to their windows.
extension Stage {
    /// Moves the cards to their places.
    ///
    /// - Parameters:
    ///   - isFromEnd: whether other cards slide in from the left.
    ///   - isRowHeld: whether a finger holds the row, which then scrolls no further by itself.
    public mutating func layCards(
        _ layout: OverviewLayout, _ workspace: Workspace, isFromEnd: Bool, isRowHeld: Bool, at now: Moment, spring: Spring
    ) {
        guard let screen = workspace.screen else { return }
        var placed: OrderedSet<CardID> = []
        for place in layout.places {
            placed.append(place.card)
            if cards[place.card] == nil {
                if isSeen(place.card, workspace) || workspace.windows(of: place.card).contains(where: { shown[$0] != nil }) {
                    beginCard(place.card, workspace, at: now)
                } else {
                    // Other cards slide in from the reading direction, those of the stack from below. None fades, which would cost
                    // more than moving.
                    let side = isFromEnd ? -screen.size.width : screen.size.width
                    let way = place.isScrolled ? Vector(side, 0) : Vector(0, screen.size.height - place.frame.minY + 40)
                    beginCard(place.card, from: place.frame.offset(by: way), workspace, at: now)
                }
            }
            guard !(cards[place.card]?.isHeld ?? false) else { continue }
            moveCard(
                place.card, to: place.frame, scrolled: place.isScrolled, at: now, spring: spring)
        }
        for id in cards.keys where !placed.contains(id) && !(cards[id]?.isLeaving ?? true) && !isClosing(id, workspace) {
            let frame = cardFrame(id, at: now) ?? screen.bounds
            moveCard(id, to: frame, opacity: 0, leaving: true, at: now, spring: spring)
        }
        guard !isRowHeld else { return }
        let within = max(0, min(layout.reach, scroll.target))
        if scroll.target != within { scroll.retarget(within, at: now, spring: spring) }
    }

    /// Whether it is drawn in its place right now, so that its card starts there.
    private func isSeen(_ card: CardID, _ workspace: Workspace) -> Bool {
        switch card {
        case .space(let space): workspace.currentSpace?.id == space
        case .window(let window): workspace.isShown(window)
        }
    }

    private func isClosing(_ card: CardID, _ workspace: Workspace) -> Bool {
        workspace.windows(of: card).contains(where: workspace.isCardOut)
    }

    /// Moves the cards to where their windows are now, or fades them.
    public mutating func sendCardsAway(_ workspace: Workspace, at now: Moment, spring: Spring) {
        guard let screen = workspace.screen else { return }
        let frames = workspace.frames()
        let chosen = cards.keys.first { isSeen($0, workspace) }.flatMap { cardFrame($0, at: now) }
        let middle = chosen?.center.x ?? screen.bounds.center.x
        for id in cards.keys where !(cards[id]?.isLeaving ?? true) {
            let here = cardFrame(id, at: now) ?? screen.bounds
            guard isSeen(id, workspace) else {
                if workspace.showsHome {
                    moveCard(id, to: here, opacity: 0, leaving: true, at: now, spring: spring)
                } else {
                    // The other cards move out of the way of the one that grows.
                    let side = here.center.x < middle ? -screen.size.width : screen.size.width
                    moveCard(id, to: here.offset(by: Vector(side, 0)), leaving: true, at: now, spring: spring)
                }
                continue
            }
            switch id {
            case .space: moveCard(id, to: screen.bounds, leaving: true, at: now, spring: spring)
            case .window(let window):
                moveCard(id, to: frames[window] ?? here, leaving: true, at: now, spring: spring)
            }
        }
        update(workspace, at: now, spring: spring)
        snapSpaces(workspace)
    }
}

extension Workspace {
    public func windows(of card: CardID) -> [WindowID] {
        switch card {
        case .space(let space): self.space(space)?.windows ?? []
        case .window(let window): [window]
        }
    }
}
