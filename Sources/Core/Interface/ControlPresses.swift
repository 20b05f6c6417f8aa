import Windows

extension [ViewControl] {
    /// The action of a control that is shown. Throws if the control cannot be pressed.
    public func press(of id: ControlID) throws(Refusal) -> Action {
        guard let control = last(where: { $0.id == id }) else { throw Refusal("no control \"\(id)\" is shown") }
        guard let press = control.press else { throw Refusal("\"\(id)\" cannot be pressed") }
        return press
    }

    /// The action of a slider that is shown, for a share of its range.
    public func adjustment(of id: ControlID, to share: Double) throws(Refusal) -> Action {
        guard let control = last(where: { $0.id == id }) else { throw Refusal("no control \"\(id)\" is shown") }
        guard let slide = control.slide else { throw Refusal("\"\(id)\" is no slider") }
        guard (0...1).contains(share) else { throw Refusal("a slider's place is a number from 0 to 1, not \(share)") }
        return slide.action(at: share)
    }
}
