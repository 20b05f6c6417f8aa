/// Taking windows out of their places, and giving them new ones.
extension Workspace {
    mutating func tick() -> UInt64 {
        clock += 1
        return clock
    }

    /// Removes a window from its place. The window behind or beside it takes its area.
    mutating func takeOut(_ id: WindowID) {
        // A dialog that gets a place of its own is no sheet that goes away.
        if !sinking.isEmpty { sinking.remove(id) }
        waiting.removeAll { $0 == id }
        if !confinement.keptOut.isEmpty { confinement.keptOut.removeAll { $0 == id } }
        arrangement.change { $0.remove(id) }
    }

    /// Gives a window without a place one of its own: in front if `destination` is set, else behind the others.
    mutating func findPlace(for id: WindowID, at destination: Destination?) {
        if staysOut(id) { return keepOut(id) }
        guard let destination else {
            joinFullSpace(id)
            arrangement.change { $0.putBehind(id) }
            return
        }
        do {
            try move(id, to: destination)
        } catch {
            _ = try? move(id, to: .fullScreen)
        }
    }
}
