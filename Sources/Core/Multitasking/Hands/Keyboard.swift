import Geometry
import Interface
import Modality
import OrderedCollections
import Seat
import Stage
import Windows

/// A key of a keyboard, pressed or released.
struct Key {
    var code: UInt32
    /// Keysym of the key alone, without modifiers.
    var symbol: KeySymbol
    var isPressed: Bool
    /// The modifiers that are part of a chord.
    var modifiers: Modifiers
    /// The text that it types with them.
    var text: String
    /// Its other meanings in a shortcut, best first.
    var others: [KeyAlias] = []
}

/// The state of keys that are down.
struct KeyState: Hashable, Codable, Sendable {
    /// Keys whose press the shell took; the shell takes their release too.
    var swallowed: OrderedSet<UInt32> = []
    /// Whether the Super key is down and no other key was pressed since.
    var isSuperAlone = false
    /// Whether holding the Super key opened the list of keys, which then closes with its release.
    var isHelpByKey = false
    /// A key that repeats while it is held.
    var repeating: Repeating?

    struct Repeating: Hashable, Codable, Sendable {
        var code: UInt32
        var what: Repeated
        var count = 0
    }

    enum Repeated: Hashable, Codable, Sendable {
        case action(Action)
        /// Moves the focused slider.
        case adjustStep(ControlID, Int)
        /// Moves the focus among the shell's own views.
        case moveFocus(Side)
    }
}

/// Handling of keys, and their effect on the shell's own views.
extension Hands {
    /// `keyboard`: where typed text goes, as the adapters were last sent.
    mutating func key(_ key: Key, for keyboard: KeyboardTarget, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        let held = key.symbol.modifier
        pointer.modifiers = held.map { key.isPressed ? key.modifiers.union($0) : key.modifiers.subtracting($0) } ?? key.modifiers
        noteSuper(
            isSuper: held == .super, pressed: key.isPressed, alone: pointer.modifiers.subtracting(.super).isEmpty, &desk, at: now, &turn)
        if keys.repeating?.code == key.code || key.isPressed { endRepeat(&turn) }
        if !key.isPressed { remoteReleased(key, &desk, at: now, &turn) }
        if keys.swallowed.contains(key.code), !key.isPressed {
            keys.swallowed.remove(key.code)
            return turn.send(.swallowKey)
        }
        guard key.isPressed else { return }
        if held == nil, !desk.isLocked, switcherKey(key, &desk, at: now, &turn) {
            swallow(key, &turn)
            return turn.ask(.settle())
        }
        var binding = desk.binding(of: key)
        // Keys for a part of an idiom that is not there are the app's.
        if case .magnify? = binding?.action, !desk.workspace.idiom.lensRule.zooms, !desk.showsPartOfFront { binding = nil }
        if desk.isLocked, !(binding?.action.isForSound ?? false) { return }
        if !desk.offers(.keyboard), !key.symbol.isForSound { return swallow(key, &turn) }
        if held == nil, !(binding?.action.leavesWristDown ?? false), desk.isWristDown {
            turn.ask(.wrist(.used))
            swallow(key, &turn)
            return turn.ask(.settle())
        }
        if let binding {
            swallow(key, &turn)
            bound(key, binding.action, &desk, at: now, &turn)
            return turn.ask(.settle())
        }
        if held == nil, binding == nil, remoteKey(key, for: keyboard, &desk, at: now, &turn) {
            swallow(key, &turn)
            return turn.ask(.settle())
        }
        if held == nil, interfaceKey(key, for: keyboard, &desk, at: now, &turn) {
            swallow(key, &turn)
            return turn.ask(.settle())
        }
        // A prompt came up, and the person does not see it yet (W-19).
        if held == nil, case .window(let focus) = keyboard, desk.workspace.isUnseen(focus, at: now) { return swallow(key, &turn) }
        if held == nil, case .window(let focus) = keyboard {
            desk.workspace.noteInput(focus, at: now)
            desk.workspace.isUsed(focus)
            if !key.symbol.isModifier { desk.typedIntoApp(at: now) }
        }
    }

    private mutating func swallow(_ key: Key, _ turn: inout Turn) {
        keys.swallowed.append(key.code)
        turn.send(.swallowKey)
    }

    private mutating func bound(_ key: Key, _ action: Action, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        // A shelf or dock that opened by itself gets the keys first, and closes at the next press.
        if desk.interface.focus == nil, desk.opens(action) { return desk.focusOpened(by: action, at: now) }
        do {
            if case .switchApps(let step) = action, key.modifiers.contains(.super) {
                try desk.stepSwitcher(step, isOfWindows: false, isHeld: true, at: now, &turn)
            } else if case .switchWindows(let step) = action, key.modifiers.contains(.super) {
                try desk.stepSwitcher(step, isOfWindows: true, isHeld: true, at: now, &turn)
            } else {
                try perform(action, &desk, at: now, &turn)
            }
            beginRepeat(key.code, action, &desk, at: now, &turn)
            desk.focusOpened(by: action, at: now)
        } catch { turn.send(.refuse(error)) }
    }

    /// Returns whether the shell took the key.
    private mutating func interfaceKey(
        _ key: Key, for keyboard: KeyboardTarget, _ desk: inout Desk, at now: Moment, _ turn: inout Turn
    ) -> Bool {
        // A launcher or a locker covers the views.
        if case .panel = keyboard { return false }
        guard desk.takesKeys else { return false }
        guard key.modifiers.intersection([.control, .alt, .super]).isEmpty else { return desk.interface.isModal || desk.hasActiveView }
        switch key.symbol {
        case .escape:
            if (try? desk.dismiss(at: now, &turn)) == nil { desk.interface.focus = nil }
        case _ where slideFocus(key, &desk, at: now, &turn): break
        case .leftArrow where desk.openBarMenu != nil: desk.stepBarMenu(-1, at: now)
        case .rightArrow where desk.openBarMenu != nil: desk.stepBarMenu(1, at: now)
        case .leftArrow: arrow(.left, key, &desk, at: now, &turn)
        case .upArrow: arrow(.top, key, &desk, at: now, &turn)
        case .rightArrow: arrow(.right, key, &desk, at: now, &turn)
        case .downArrow: arrow(.bottom, key, &desk, at: now, &turn)
        case .tab, .backTab: desk.stepFocus(key.modifiers.contains(.shift) || key.symbol == .backTab ? -1 : 1, at: now)
        case .enter where desk.isReplying && desk.interface.focus == nil, .keypadEnter where desk.isReplying && desk.interface.focus == nil:
            if let draft = desk.interface.notices.draft { attempt(.notice(.reply(notice: draft.notice, text: nil)), &desk, at: now, &turn) }
        case .enter, .keypadEnter: pressFocus(&desk, at: now, &turn)
        case .delete: closeFocus(&desk, at: now, &turn)
        case .backspace where desk.interface.home.search != nil || desk.isReplying: desk.erased(1, at: now)
        case .pageUp: try? desk.scroll(-1, at: now)
        case .pageDown: try? desk.scroll(1, at: now)
        case .menu, .remoteMenu: menuOfFocus(&desk, at: now, &turn)
        case .space where desk.interface.home.search == nil && !(desk.isReplying && desk.interface.focus == nil):
            pressFocus(&desk, at: now, &turn)
        default:
            guard !desk.interface.isModal, desk.workspace.showsHome || desk.isReplying, !key.text.isEmpty else { return true }
            desk.typed(key.text, at: now)
        }
        return true
    }

    /// Where a person always has a focus, a held arrow key repeats.
    private mutating func arrow(_ way: Side, _ key: Key, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        desk.moveFocus(way, at: now)
        if desk.workspace.idiom.views.alwaysFocuses { startRepeating(key.code, .moveFocus(way), desk, at: now, &turn) }
    }

    private mutating func pressFocus(_ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        // Return opens the first result without choosing it.
        let first = desk.interface.home.search.flatMap { text in
            text.isEmpty ? nil : desk.views(at: now)?.homeApps.first.map { ControlID(.home, $0.id) }
        }
        if desk.interface.focus == nil, !desk.interface.isModal, let view = desk.activeView {
            if let choice = view.preferred, desk.mayChooseByKey(view.id, at: now) {
                attempt(.chooseView(view.id.raw, choice), &desk, at: now, &turn)
            }
            return
        }
        guard
            let id = desk.interface.focus ?? first
                ?? (desk.interface.isPopoverOpen ? desk.focusable(at: now).first { !desk.destroys($0) }?.id : nil),
            let control = desk.focusable(at: now).last(where: { $0.id == id }), let press = control.press
        else { return }
        if case .chooseView(let view, _) = press, !desk.mayChooseByKey(ModalID(view), at: now) { return }
        // A person chose it: a later view does not move them away.
        desk.interface.isFocusGiven = false
        let wasFocus = desk.interface.focus
        attempt(press, &desk, at: now, &turn)
        guard desk.interface.isPopoverOpen || desk.interface.isOverviewOpen, wasFocus == id, control.role == .toggle else { return }
        desk.interface.focus = id
    }

    private mutating func closeFocus(_ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let id = desk.interface.focus, let close = desk.focusable(at: now).last(where: { $0.id == id })?.close else { return }
        attempt(close, &desk, at: now, &turn)
        desk.interface.focus = nil
        desk.stepFocus(1, at: now)
    }

    private mutating func menuOfFocus(_ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard let id = desk.interface.focus, let menu = desk.focusable(at: now).last(where: { $0.id == id })?.menu else { return }
        desk.interface.pressed = id
        attempt(menu, &desk, at: now, &turn)
        desk.interface.pressed = nil
    }

    // MARK: The Super key alone

    /// A tap on Super alone goes home; holding it alone lists the keys.
    mutating func noteSuper(isSuper: Bool, pressed: Bool, alone: Bool, _ desk: inout Desk, at now: Moment, _ turn: inout Turn) {
        guard isSuper else {
            if keys.isSuperAlone { turn.send(.stopTimer(.hands(.superHeld))) }
            keys.isSuperAlone = false
            return
        }
        if pressed {
            keys.isHelpByKey = false
            keys.isSuperAlone = alone
            if alone { turn.send(.startTimer(.hands(.superHeld), at: now + desk.measures.superHold)) }
            return
        }
        if let switcher = desk.openSwitcher, switcher.isHeld {
            chooseSwitched(&desk, at: now, &turn)
        } else if desk.interface.isPopoverOpen, desk.interface.isHelpSeen, keys.isHelpByKey {
            keys.isHelpByKey = false
            desk.interface.close(.popover, at: now, spring: desk.spring)
            turn.ask(.settle())
        } else if keys.isSuperAlone {
            turn.send(.stopTimer(.hands(.superHeld)))
            attempt(.home, &desk, at: now, &turn)
            turn.ask(.settle())
        }
        keys.isSuperAlone = false
    }

    /// Another key was pressed while Super is down.
    mutating func useSuper(_ turn: inout Turn) {
        guard keys.isSuperAlone else { return }
        keys.isSuperAlone = false
        turn.send(.stopTimer(.hands(.superHeld)))
    }

    mutating func superHeld(_ desk: inout Desk, at now: Moment) {
        guard keys.isSuperAlone else { return }
        keys.isSuperAlone = false
        guard desk.offers(.keyList) else { return }
        // Nothing stands over an alert (M-11).
        if desk.isAlertOpen { return }
        keys.isHelpByKey = true
        desk.present(.keyHelp, at: now)
    }
}

extension KeySymbol {
    /// The modifier that the key stands for.
    fileprivate var modifier: Modifiers? {
        // Most keys are none.
        guard isModifier else { return nil }
        return switch self {
        case .leftShift, .rightShift: .shift
        case .leftControl, .rightControl: .control
        case .leftAlt, .rightAlt: .alt
        case .leftSuper, .rightSuper: .super
        default: nil
        }
    }
}
