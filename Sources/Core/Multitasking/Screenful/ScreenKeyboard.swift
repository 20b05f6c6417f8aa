import Geometry
import Windows

/// The on-screen keyboard that a person calls. It comes by itself only to text fields that say so, which X11 programs and
/// older toolkits do not.
extension Screenful {
    mutating func screenKeyboardIs(_ isShown: Bool?) {
        guard interface.screenKeyboard != isShown else { return }
        interface.screenKeyboard = isShown
    }

    /// Whether a finger that rests at a point of the lower edge calls the keyboard: on the line there, or close to it.
    func callsKeyboard(at point: Point) -> Bool {
        guard interface.screenKeyboard != nil, let screen = workspace.screen,
            let control = views(at: .zero)?.canvas(of: .marks).controls.first(where: { $0.id == .indicator })
        else { return false }
        let line = control.frame.inset(by: -12)
        return (line.minX...line.maxX).contains(point.x) && point.y >= screen.usable.maxY - workspace.idiom.edge
    }

    /// - Parameter wanted: nil toggles.
    mutating func callScreenKeyboard(_ wanted: Bool?, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard let isShown = interface.screenKeyboard else { throw Refusal("no on-screen keyboard runs that can be called") }
        let shows = wanted ?? !isShown
        // A person who calls it wants to type into the window below.
        if shows, interface.isPanelOpen { interface.close(.panel, at: now, spring: spring) }
        turn.send(.showScreenKeyboard(shows))
        try choose(.screenKeyboard(shows), &turn)
    }
}
