import Geometry
import Stage
import Windows

/// Everything on the screen, back to front.
extension Views {
    /// - Parameter surroundings: how dark the surroundings of the windows are, in an idiom that has depth.
    public func items(surroundings: Double) -> [Item] {
        // An app stands in a square; around it the disc is black. The app switcher has the whole disc.
        let isFramed = workspace.idiom.round != nil && !workspace.showsHome
        return stage.items(
            workspace, hidesWindows: hidesWindows,
            surroundings: workspace.idiom.depth != nil ? surroundings : isFramed ? 1 - overviewPresence : 0, at: now
        ) { canvas(of: $0).items }
    }

    /// The items of a locked screen: a plain colour, the locker's surface or why it is missing, and a level that changes.
    public func lockedItems() -> [Item] {
        guard let screen = workspace.screen else { return [] }
        guard !lock.screen.isUp else {
            let app = workspace.overLock.map { Item.overLock($0) } ?? [], card = lock.over.app == nil ? lockCard().items : []
            return Item.ownLock(screen) + app + lockScreen().items + card + overlay().items
        }
        return Item.locked(screen.bounds) + lockNotice().items + lockedNotices().items + lockCard().items + overlay().items
    }

    public func lockedControls() -> [ViewControl] {
        let card = lock.over.app == nil ? lockCard().controls : []
        return lock.screen.isUp ? lockScreen().controls + card : lockNotice().controls + lockedNotices().controls + card
    }

    /// The control of the lock screen of the shell at a point.
    public func lockControl(at point: Point) -> ViewControl? {
        guard lock.screen.isUp else { return nil }
        guard lock.over.app == nil else { return lockScreen().hit(point, precise: false) }
        let card = lockCard()
        if card.covers(point) { return pressOverLocker(at: point) == nil ? nil : card.hit(point, precise: false) }
        return lockScreen().hit(point, precise: false)
    }

    /// The action of a tap on the card over a locker; nil: the tap missed the buttons, or came too early to be meant for the card.
    public func pressOverLocker(at point: Point) -> Action? {
        guard now - interface.lockCards.frontSince >= Views.touchGuard else { return nil }
        return lockCard().hit(point, precise: false)?.press
    }
}
