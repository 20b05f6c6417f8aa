import Geometry
import Interface
import Stage
import Windows

/// Laws that a person notices (P-01 to P-04): they judge what is drawn and what answers, not what the model says of itself.
///
/// They hold whenever nothing moves. While something moves a finger may meet it on its way.
extension System {
    /// The laws that are broken now; empty if none is, or while something moves.
    ///
    /// - Parameter precise: whether a pointer tries the controls, or a finger.
    public func personViolations(precise: Bool, at now: Moment) -> [String] {
        // In a room of a few points nothing has its place.
        let least = screenful.workspace.idiom.zoomsBelow > 0 ? Size(160, 160) : Size(320, 240)
        guard let screen = screenful.workspace.screen, case let room = screen.usable, room.width >= max(least.width, screen.size.width / 2),
            room.height >= max(least.height, screen.size.height / 2), !isMoving(at: now), !isGesturing, !screenful.isLocked
        else { return [] }
        return hitViolations(precise: precise, at: now) + focusViolations(at: now) + placeViolations()
    }

    /// P-01: a touch at the centre of a control's visible part reaches this control.
    private func hitViolations(precise: Bool, at now: Moment) -> [String] {
        guard let screen = screenful.workspace.screen else { return [] }
        let whole = Rect(origin: .zero, size: screen.size)
        var found: [String] = []
        let all = controls(at: now)
        for control in all where control.isOperable && control.isHittable && control.role != .panel {
            let seen = Views.ownPart(of: control, among: all).intersection(whole)
            // For a moment, a new banner takes no touch: a person may have meant the view below it.
            guard !seen.isEmpty, control.id.area != .banner, control.id.area != .notice,
                control.id.area != .prompt || !screenful.interface.isPromptNew(at: now)
            else { continue }
            if precise, dropPoint(seen.center, at: now) != nil {
                found.append("P-01: a drop falls through \(control.id) at \(seen.center)")
            }
            if isReached(control, at: seen.center, precise: precise, at: now) { continue }
            let met = screenful.hit(seen.center, precise: precise, at: now)
            found.append("P-01: \(precise ? "a pointer" : "a finger") on \(control.id) at \(seen.center) meets \(met)")
        }
        return found
    }

    private func isReached(_ control: ViewControl, at point: Point, precise: Bool, at now: Moment) -> Bool {
        switch screenful.hit(point, precise: precise, at: now) {
        case .view(let id): id == control.id
        // For a finger the line is the grip of the edge below it.
        case let hit: !precise && control.id == .indicator && (hit == .edge(.bottom) || screenful.edgeClaim(point, hit) == .bottom)
        }
    }

    /// P-02: after a press on a window's content this window has the keys, unless its own modal view has them, in sight.
    ///
    /// - Parameters:
    ///   - before: the system that the press met; this is the one after it.
    ///   - effects: the effects of the press.
    public func pressViolations(of event: Event, before: System, _ effects: [Effect], at now: Moment) -> [String] {
        guard !before.screenful.isLocked, !screenful.isWristDown else { return [] }
        let hit: Hit, place: Point
        switch event {
        case .touchDown(_, at: let point, over: nil):
            // Another finger beside one that holds something of the shell is no press (law 4).
            guard before.hands.grab == nil else { return [] }
            hit = before.screenful.hit(point, at: now)
            place = point
            // A swipe from an edge may begin here: the window gets the touch only if it is none.
            guard before.screenful.edgeClaim(point, hit) == nil else { return [] }
        case .pointerButton(let button, pressed: true):
            // A press that the shell takes, such as that of a drag with Super, is no press in a window.
            guard effects.contains(.pointerButton(button, pressed: true)), before.hands.pointer.delivered.isEmpty,
                before.hands.pointer.grabbed == nil, before.hands.pointer.wasOver, before.hands.pointer.overlay == nil
            else { return [] }
            let point = before.hands.pointer.point
            hit = before.screenful.hit(point, precise: true, at: now)
            place = point
        default: return []
        }
        guard case .window(let id, nil) = hit, before.screenful.workspace[id]?.placeholder == nil, screenful.workspace.isShown(id),
            // Picture in Picture takes no keys, and a finger may meet it on its way to its corner.
            screenful.workspace.pip?.window != screenful.workspace.root(of: id)
        else { return [] }
        let target = screenful.workspace.pressTarget(of: id)
        let focus = screenful.workspace.focus
        return focus == target
            ? [] : ["P-02: after a press on \(id) at \(place), \(focus.map { "\($0)" } ?? "no window") has the keys, not \(target)"]
    }

    /// P-03: where an idiom always has a focus, one control has it while the shell owns the keys, it is in sight, and
    /// it removes nothing unless a person moved there.
    private func focusViolations(at now: Moment) -> [String] {
        guard let screen = screenful.workspace.screen, screenful.workspace.idiom.views.alwaysFocuses, screenful.ownsKeys else { return [] }
        let all = screenful.focusable(at: now)
        guard let focus = screenful.interface.focus else {
            return all.isEmpty ? [] : ["P-03: the shell has the keys, and none of \(all.count) controls has the focus"]
        }
        guard let control = all.last(where: { $0.id == focus }) else { return ["P-03: the focus is on \(focus), which is not there"] }
        let modality = screenful.modality
        if screenful.interface.keyFocus.heir == focus, control.destroys(modality), !all.allSatisfy({ $0.destroys(modality) }) {
            return ["P-03: the shell gave the focus to \(focus), which closes or deletes something"]
        }
        return screen.usable.contains(control.frame, tolerance: 1)
            ? [] : ["P-03: the focus is on \(focus) at \(control.frame), outside of \(screen.usable)"]
    }

    /// P-04: no window that is shown lies where no finger reaches it.
    private func placeViolations() -> [String] {
        let workspace = screenful.workspace
        guard let screen = workspace.screen else { return [] }
        var found: [String] = []
        let places = workspace.frames()
        for id in workspace.windows.keys where workspace.isShown(id) && workspace.hiddenBase(of: id) == nil {
            guard let frame = places[id].map(workspace.perspective(of: id).seen) else { continue }
            let seen = frame.intersection(screen.usable)
            if seen.width < min(44, frame.width) || seen.height < min(44, frame.height) {
                found.append("P-04: \(id) at \(frame) is out of sight")
            }
        }
        return found
    }
}
