/// The AT-SPI states that the shell uses, with AT-SPI's values (AtspiStateType).
enum BusState: UInt64, CaseIterable {
    case active = 1
    case busy = 3
    case checked = 4
    case editable = 7
    case enabled = 8
    case expandable = 9
    case expanded = 10
    case focusable = 11
    case focused = 12
    case modal = 16
    case pressed = 20
    case selectable = 22
    case selected = 23
    case sensitive = 24
    case showing = 25
    case visible = 30
    case checkable = 41

    var name: String { "\(self)" }
    var bit: UInt64 { 1 << rawValue }

    /// The states of a control, as the bits of AT-SPI's two words.
    static func bits(of states: States, active: Bool) -> UInt64 {
        var bits = BusState.visible.bit
        if !states.contains(.offScreen) { bits |= BusState.showing.bit }
        if !states.contains(.disabled) { bits |= BusState.enabled.bit | BusState.sensitive.bit }
        if active { bits |= BusState.active.bit }
        for (state, bus) in same where states.contains(state) { bits |= bus.bit }
        // A control in a state is also capable of it, so callers need not set both.
        for (state, bus) in implied where states.contains(state) { bits |= bus.bit }
        return bits
    }

    private static let same: [(States, BusState)] = [
        (.focusable, .focusable), (.focused, .focused), (.selectable, .selectable), (.selected, .selected),
        (.checkable, .checkable), (.checked, .checked), (.expandable, .expandable), (.expanded, .expanded),
        (.modal, .modal), (.pressed, .pressed), (.editable, .editable), (.busy, .busy),
    ]
    private static let implied: [(States, BusState)] = [
        (.focused, .focusable), (.selected, .selectable), (.checked, .checkable), (.expanded, .expandable),
    ]
}
