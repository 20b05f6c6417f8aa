import Geometry
import OrderedCollections
import Windows

/// Sheets: dialogs that slide up over their window and down again (M-02, M-03, M-14).
extension Stage {
    /// Whether a window is drawn on another one.
    public func isSheet(_ id: WindowID) -> Bool { shown[id]?.base != nil }

    /// How much of a sheet has come: 0 below the screen, 1 in its place.
    func presence(of sheet: WindowID, _ screen: Screen, at now: Moment) -> Double {
        guard let shown = shown[sheet] else { return 0 }
        let y = shown.frame.y.value(at: now), way = Stage.below(screen, shown.place).y - shown.place.y
        return way > 0 ? max(0, min(1, 1 - (y - shown.place.y) / way)) * max(0, min(1, shown.opacity.value(at: now))) : 1
    }

    /// A finger takes a sheet, and what stands on it, in its layer.
    public mutating func takeSheet(_ id: WindowID, _ workspace: Workspace, at now: Moment) -> Rect? {
        guard let frame = frame(of: id, at: now) else { return nil }
        held.append(id)
        for index in indices(of: id, workspace) {
            shown.values[index].frame.stop(at: now)
            shown.values[index].pace = nil
            shown.values[index].catching = nil
        }
        return frame
    }

    /// The finger holds the sheet so many points below its place.
    public mutating func holdSheet(_ id: WindowID, down way: Double, _ workspace: Workspace, at now: Moment) {
        guard held.contains(id) else { return }
        for index in indices(of: id, workspace) {
            let place = shown.values[index].place
            shown.values[index].follow(place.offset(by: Vector(0, way)), at: now)
        }
    }

    /// The finger lets go. What stands on the sheet keeps its pace, too.
    public mutating func letGoOfSheet(_ id: WindowID, _ workspace: Workspace, at now: Moment) {
        for index in indices(of: id, workspace) where shown.keys[index] != id { shown.values[index].release(at: now) }
        letGo(id, at: now)
    }

    private func indices(of sheet: WindowID, _ workspace: Workspace) -> [Int] {
        shown.keys.indices.filter { workspace.stands(shown.keys[$0], on: sheet) }
    }

    /// A sheet says that it has to be answered first: it jumps a little, and falls back.
    public mutating func nudge(_ id: WindowID, _ workspace: Workspace, at now: Moment, spring: Spring) {
        guard spring.response > 0, !held.contains(id), !workspace.sinking.contains(id) else { return }
        for index in indices(of: id, workspace) {
            let place = shown.values[index].frame.target
            shown.values[index].frame.retarget(
                place, at: now, spring: Spring(response: spring.response, damping: 0.5), velocity: Vector(0, -Stage.nudgeSpeed))
        }
    }

    /// Points per second.
    static let nudgeSpeed = 420.0
}
