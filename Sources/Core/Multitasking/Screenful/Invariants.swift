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
        for id in interface.launches.waiting {
            check(workspace.launches[id] != nil, "the card of launch \(id.raw) belongs to none")
        }
        if let picking = interface.picking {
            check(workspace[picking.window]?.isMapped ?? false, "\(picking.window) waits for a partner and is gone")
            check(workspace.showsHome, "a partner is chosen where there is nothing to choose from")
        }
        check(interface.home.search == nil || workspace.showsHome, "a search goes on that nobody sees")
        found += interface.launches.violations(in: launchContext)
        check(waits.isClosing == workspace.isAnyCardOut, "law 4: the patience with closing windows is wrong")
        check(!interface.isDockOpen || !workspace.showsHome, "the dock lies over the home screen, which has it")
        check(offers(.switching) || !interface.isOverviewOpen, "the idiom \(workspace.idiom.name) offers no switcher, and it is open")
        check(offers(.dock) || !interface.isDockOpen, "the idiom \(workspace.idiom.name) offers no dock, and it is open")
        found += lineViolations()
        return found
    }
}
