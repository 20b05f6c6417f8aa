import Interface
import Modality
import Stage
import Windows

/// The invariants of the screen after every event. `Hands` checks the state of fingers.
extension Screenful {
    func violations() -> [String] {
        var found = workspace.violations()
        func check(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { found.append(what()) } }
        check(
            !workspace.windows.values.contains { $0.heldSize != nil } || workspace.dividerDrag?.sent != nil,
            "law 4: a picture is held after the resize ended")
        for id in stage.cards.keys {
            switch id {
            case .space(let space): check(workspace.space(space) != nil, "a card shows space \(space.raw), which is gone")
            case .window(let window): check(workspace[window]?.isMapped ?? false, "a card shows \(window), which is gone")
            }
        }
        found += interface.violations(workspace)
        found += interface.launches.violations(in: interface.launches.context(workspace.launches, spring: spring))
        check(waits.isClosing == workspace.isAnyCardOut, "law 4: the patience with closing windows is wrong")
        found += interface.lineViolations()
        return found
    }
}
