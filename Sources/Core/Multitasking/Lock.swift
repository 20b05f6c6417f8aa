import Geometry
import Interface
import Stage
import Windows

/// The locked screen: the locker's picture is all that is seen, and nobody but the locker hears of fingers and keys.
/// Windows stay where they are; menus and gestures end.
extension System {
    mutating func setLocked(_ locked: Bool, at now: Moment, _ effects: inout [Effect]) {
        guard locked != isLocked else { return }
        isLocked = locked
        handleAudio(.screenLocked(locked), at: now, &effects)
        guard locked else { return }
        // Law 4: whatever was begun ends here; its end would come where nobody hears it.
        cancelGrab(at: now, &effects)
        takeFromClients(&effects)
        contacts.removeAll()
        if !pointer.delivered.isEmpty { releasePointer(.arrow, &effects) }
        pointer = PointerState(point: pointer.point, wasOver: pointer.wasOver)
        swallowed.removeAll()
        useSuper(&effects)
        if lastSent.helpByKey { interface.close(.popover, at: now, spring: spring) }
        lastSent.helpByKey = false
        closeViews(at: now)
        endSearch(at: now)
    }

    /// Input that got through all the same is nobody's.
    func isDeaf(to event: Event) -> Bool {
        guard isLocked else { return false }
        switch event {
        // Those for sound stand on the device, and say nothing about a password.
        case .key(_, let symbol, _, _, _) where symbol.isForSound: return false
        case .windowAsked(_, let request): return !WhileLocked.allows(request)
        case .touchDown, .touchMotion, .touchUp, .touchCancel, .touchFrame, .pointerMotion, .pointerButton, .pointerAxis,
            .pointerFrame, .key, .typed, .erased, .typedIntoApp:
            return true
        default: return false
        }
    }

    func allowsWhileLocked(_ action: Action) -> Bool { !isLocked || WhileLocked.allows(action) }

    /// One plain colour, what the locker has to show, if it is there, and a level that changes.
    func lockedItems(at now: Moment) -> [Item] {
        guard let screen = workspace.screen else { return [] }
        return Item.locked(screen.bounds) + (views(at: now)?.overlay().items ?? [])
    }
}
