import Geometry
import Windows

/// Minimized windows leave into the dock, and come out of it (W-25).
extension Stage {
    /// Whether windows are in slots of the dock, or leave them.
    public func hasSlots(_ workspace: Workspace) -> Bool {
        workspace.idiom.home.dockStands && (!workspace.minimizedWindows.isEmpty || !slots.isEmpty)
    }

    public mutating func followSlots(_ dock: [(window: WindowID, frame: Rect)], _ workspace: Workspace) {
        guard hasSlots(workspace) else { return slots = [:] }
        for id in slots.keys where workspace[id]?.isMapped != true || (!workspace.minimizedWindows.contains(id) && shown[id] != nil) {
            slots[id] = nil
        }
        for slot in dock { slots.updateValue(slot.frame, forKey: slot.window) }
    }
}
