import Geometry
import Interface
import Stage
import Windows

/// A device on a wrist: lowered, it shows nothing private, and clips fall silent; the app in front stays.
extension Desk {
    mutating func setWrist(isRaised: Bool, at now: Moment) throws(Refusal) {
        guard workspace.idiom.wrist != nil else { throw Refusal("in the idiom \(workspace.idiom.name) no wrist is known") }
        guard isWristDown == isRaised else { return }
        isWristDown = !isRaised
        if !isRaised { closeViews(at: now) }
    }

    /// A touch, a button or a key of a person who wakes the device. Returns whether it did that, and nothing else.
    mutating func wakesWrist(at now: Moment) -> Bool {
        guard isWristDown else { return false }
        try? setWrist(isRaised: true, at: now)
        return true
    }

    /// All that is seen while the wrist is down: the icon of the app in front, pale on black.
    func wristItems(at now: Moment) -> [Item]? {
        guard isWristDown, let rules = workspace.idiom.wrist, let views = views(at: now) else { return nil }
        return views.wristFace(paleness: rules.paleness).items
    }

    /// The choice of an output, because long-form audio waits for it.
    mutating func showOutputs(at now: Moment) {
        guard !isWristDown, !(interface.isPanelOpen && interface.controlPage == .outputs) else { return }
        toggleControlPage(.outputs, at: now)
    }

    /// An output was chosen, or nothing waits any more.
    mutating func closeOutputs(at now: Moment) {
        guard interface.isPanelOpen, interface.controlPage == .outputs else { return }
        interface.close(.panel, at: now, spring: spring)
    }
}
