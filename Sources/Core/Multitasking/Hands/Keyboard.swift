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

    /// All its meanings in a shortcut, best first.
    var chords: [KeyChord] {
        [KeyChord(modifiers: modifiers, symbol: symbol)]
            + others.map { KeyChord(modifiers: $0.usesShift ? modifiers.subtracting(.shift) : modifiers, symbol: $0.symbol) }
    }

    /// In fields of the shell, as in those of apps.
    var pastes: Bool { chords.contains { ["Ctrl+V", KeyChord(modifiers: .shift, symbol: .insert)].contains($0) } }
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
    mutating func key(_ key: Key, for keyboard: KeyboardTarget, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let held = key.symbol.modifier
        pointer.modifiers = held.map { key.isPressed ? key.modifiers.union($0) : key.modifiers.subtracting($0) } ?? key.modifiers
        noteSuper(
            isSuper: held == .super, pressed: key.isPressed, alone: pointer.modifiers.subtracting(.super).isEmpty, &screenful, at: now,
            &turn)
        if keys.repeating?.code == key.code || key.isPressed { endRepeat(&turn) }
        if !key.isPressed { remoteReleased(key, &screenful, at: now, &turn) }
        if keys.swallowed.contains(key.code), !key.isPressed {
            keys.swallowed.remove(key.code)
            if screenful.sight.shortcuts.holds(key.code) { turn.ask(.shortcut(.released(key.code))) }
            return turn.send(.swallowKey)
        }
        guard key.isPressed else { return }
        if held == nil, !screenful.isLocked, switcherKey(key, &screenful, at: now, &turn) {
            swallow(key, &turn)
            return turn.ask(.settle())
        }
        var binding = screenful.binding(of: key)
        // Keys for a part of an idiom that is not there are the app's.
        if case .magnify? = binding?.action, !screenful.workspace.idiom.lensRule.zooms, !screenful.showsPartOfFront { binding = nil }
        if screenful.isLocked, !(binding?.action.isForSound ?? false) { return }
        if !screenful.workspace.offers(.keyboard), !key.symbol.isForSound, !screenful.interface.isPromptOpen { return swallow(key, &turn) }
        if held == nil, !(binding?.action.leavesWristDown ?? false), screenful.isWristDown {
            turn.ask(.wrist(.used))
            swallow(key, &turn)
            return turn.ask(.settle())
        }
        if let binding {
            swallow(key, &turn)
            bound(key, binding.action, &screenful, at: now, &turn)
            return turn.ask(.settle())
        }
        // The shell's own keys come first.
        if held == nil, let chord = screenful.sight.shortcuts.chord(of: key) {
            swallow(key, &turn)
            return turn.ask(.shortcut(.pressed(key.code, chord)))
        }
        if held == nil, binding == nil, remoteKey(key, for: keyboard, &screenful, at: now, &turn) {
            swallow(key, &turn)
            return turn.ask(.settle())
        }
        if held == nil, interfaceKey(key, for: keyboard, &screenful, at: now, &turn) {
            swallow(key, &turn)
            return turn.ask(.settle())
        }
        // A prompt came up, and the person does not see it yet (W-19).
        if held == nil, case .window(let focus) = keyboard, screenful.workspace.isUnseen(focus, at: now) { return swallow(key, &turn) }
        if held == nil, case .window(let focus) = keyboard {
            screenful.workspace.noteInput(focus, at: now)
            screenful.workspace.isUsed(focus)
            if !key.symbol.isModifier { screenful.typedIntoApp(at: now) }
        }
    }

    private mutating func swallow(_ key: Key, _ turn: inout Turn) {
        keys.swallowed.append(key.code)
        turn.send(.swallowKey)
    }

    private mutating func bound(_ key: Key, _ action: Action, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        // A shelf or dock that opened by itself gets the keys first, and closes at the next press.
        if screenful.interface.focus == nil, screenful.opens(action) { return screenful.focusOpened(by: action, at: now) }
        do {
            if case .switchApps(let step) = action, key.modifiers.contains(.super) {
                try screenful.stepSwitcher(step, isOfWindows: false, isHeld: true, at: now, &turn)
            } else if case .switchWindows(let step) = action, key.modifiers.contains(.super) {
                try screenful.stepSwitcher(step, isOfWindows: true, isHeld: true, at: now, &turn)
            } else {
                try perform(action, &screenful, at: now, &turn)
            }
            beginRepeat(key.code, action, screenful, at: now, &turn)
            screenful.focusOpened(by: action, at: now)
        } catch { turn.send(.refuse(error)) }
    }

    /// Returns whether the shell took the key.
    private mutating func interfaceKey(
        _ key: Key, for keyboard: KeyboardTarget, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn
    ) -> Bool {
        // A launcher or a locker covers the views.
        if case .panel = keyboard { return false }
        guard screenful.takesKeys else { return false }
        // The person was typing into an app, and does not see the question yet.
        if !key.symbol.isModifier, screenful.interface.dropsKey(at: now) { return true }
        if screenful.interface.isWriting || screenful.interface.home.search != nil, key.pastes {
            turn.send(.copying(.paste))
            return true
        }
        guard key.modifiers.intersection([.control, .alt, .super]).isEmpty else {
            return screenful.interface.isModal || screenful.hasActiveView
        }
        switch key.symbol {
        case .escape:
            if (try? screenful.dismiss(at: now, &turn)) == nil { screenful.interface.focus = nil }
        case _ where slideFocus(key, &screenful, at: now, &turn): break
        case _ where markByKey(key, screenful, &turn): break
        case .leftArrow where screenful.interface.openBarMenu != nil: screenful.stepBarMenu(-1, at: now)
        case .rightArrow where screenful.interface.openBarMenu != nil: screenful.stepBarMenu(1, at: now)
        case .leftArrow: arrow(.left, key, &screenful, at: now, &turn)
        case .upArrow: arrow(.top, key, &screenful, at: now, &turn)
        case .rightArrow: arrow(.right, key, &screenful, at: now, &turn)
        case .downArrow: arrow(.bottom, key, &screenful, at: now, &turn)
        case .tab, .backTab:
            let step = key.modifiers.contains(.shift) || key.symbol == .backTab ? -1 : 1
            guard let write = nextField(step, screenful, at: now) else {
                screenful.keyFocus(.stepped(step), at: now)
                break
            }
            attempt(write, &screenful, at: now, &turn)
        case .enter where screenful.interface.isWritingAtFocus, .keypadEnter where screenful.interface.isWritingAtFocus:
            if screenful.interface.isWritingInForm {
                if let submit = screenful.views(at: now)?.formSubmit { attempt(submit, &screenful, at: now, &turn) }
            } else if let draft = screenful.interface.notices.draft {
                attempt(.notice(.reply(notice: draft.notice, text: nil)), &screenful, at: now, &turn)
            }
        // Return sends an answer or does nothing. It never presses the first button that can be pressed, such as Cancel.
        case .enter where screenful.interface.isPromptOpen && screenful.interface.focus == nil,
            .keypadEnter where screenful.interface.isPromptOpen && screenful.interface.focus == nil,
            .space where screenful.interface.isPromptOpen && screenful.interface.focus == nil && !screenful.interface.isWriting:
            if let submit = screenful.views(at: now)?.formSubmit { attempt(submit, &screenful, at: now, &turn) }
        case .enter, .keypadEnter: pressFocus(&screenful, at: now, &turn)
        case .delete: closeFocus(&screenful, at: now, &turn)
        case .backspace where screenful.interface.home.search != nil || screenful.interface.isWriting: screenful.erased(1, at: now)
        case .pageUp: try? screenful.scroll(-1, at: now)
        case .pageDown: try? screenful.scroll(1, at: now)
        case .menu, .remoteMenu: menuOfFocus(&screenful, at: now, &turn)
        case .space where screenful.interface.home.search == nil && !(screenful.interface.isWriting && screenful.interface.focus == nil):
            pressFocus(&screenful, at: now, &turn)
        default:
            let mayWrite = !screenful.interface.isModal && screenful.workspace.showsHome || screenful.interface.isWriting
            guard mayWrite, !key.text.isEmpty else { return true }
            screenful.typed(key.text, at: now)
        }
        return true
    }

    /// Where a person always has a focus, a held arrow key repeats.
    private mutating func arrow(_ way: Side, _ key: Key, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        screenful.keyFocus(.moved(way), at: now)
        if screenful.workspace.idiom.views.alwaysFocuses { startRepeating(key.code, .moveFocus(way), screenful, at: now, &turn) }
    }

    private mutating func pressFocus(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        // Return opens the first result without choosing it.
        let first = screenful.interface.home.search.flatMap { text in
            text.isEmpty ? nil : screenful.views(at: now)?.homeApps.first.map { ControlID(.home, $0.id) }
        }
        if screenful.interface.focus == nil, !screenful.interface.isModal, let view = screenful.activeView {
            if let choice = view.preferred, screenful.interface.mayChooseByKey(view.id, at: now) {
                attempt(.chooseView(view.id.raw, choice), &screenful, at: now, &turn)
            }
            return
        }
        guard
            let id = screenful.interface.focus ?? first
                ?? (screenful.interface.isPopoverOpen ? screenful.focusable(at: now).first { !$0.destroys(screenful.modality) }?.id : nil),
            let control = screenful.focusable(at: now).last(where: { $0.id == id }), let press = control.press
        else { return }
        if case .chooseView(let view, _) = press, !screenful.interface.mayChooseByKey(ModalID(view), at: now) { return }
        // A person chose it: a later view does not move them away.
        screenful.keyFocus(.pressed, at: now)
        let wasFocus = screenful.interface.focus
        attempt(press, &screenful, at: now, &turn)
        guard screenful.interface.isPopoverOpen || screenful.interface.isOverviewOpen, wasFocus == id, control.role == .toggle else {
            return
        }
        screenful.interface.focus = id
    }

    private mutating func closeFocus(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let id = screenful.interface.focus, let close = screenful.focusable(at: now).last(where: { $0.id == id })?.close else {
            return
        }
        attempt(close, &screenful, at: now, &turn)
        screenful.interface.focus = nil
        turn.ask(.stepFocus(1))
    }

    private mutating func menuOfFocus(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let id = screenful.interface.focus, let menu = screenful.focusable(at: now).last(where: { $0.id == id })?.menu else { return }
        screenful.interface.pressed = id
        attempt(menu, &screenful, at: now, &turn)
        screenful.interface.pressed = nil
    }

    // MARK: The Super key alone

    /// A tap on Super alone goes home; holding it alone lists the keys.
    mutating func noteSuper(isSuper: Bool, pressed: Bool, alone: Bool, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard isSuper else {
            if keys.isSuperAlone { turn.send(.stopTimer(.hands(.superHeld))) }
            keys.isSuperAlone = false
            return
        }
        if pressed {
            keys.isHelpByKey = false
            keys.isSuperAlone = alone
            if alone { turn.send(.startTimer(.hands(.superHeld), at: now + screenful.measures.superHold)) }
            return
        }
        if let switcher = screenful.interface.openSwitcher, switcher.isHeld {
            chooseSwitched(&screenful, at: now, &turn)
        } else if screenful.interface.isPopoverOpen, screenful.interface.isHelpSeen, keys.isHelpByKey {
            keys.isHelpByKey = false
            screenful.interface.close(.popover, at: now, spring: screenful.spring)
            turn.ask(.settle())
        } else if keys.isSuperAlone {
            turn.send(.stopTimer(.hands(.superHeld)))
            attempt(.home, &screenful, at: now, &turn)
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

    mutating func superHeld(_ screenful: inout Screenful, at now: Moment) {
        guard keys.isSuperAlone else { return }
        keys.isSuperAlone = false
        guard screenful.workspace.offers(.keyList) else { return }
        // Nothing stands over an alert (M-11).
        if screenful.interface.isAlertOpen { return }
        keys.isHelpByKey = true
        screenful.interface.present(.keyHelp, at: now, spring: screenful.spring)
    }

    /// From the field in which a person writes to the next one of the same form; nil: there is none on that side.
    private func nextField(_ step: Int, _ screenful: Screenful, at now: Moment) -> Action? {
        guard screenful.interface.isWritingAtFocus else { return nil }
        let fields = screenful.controls(at: now).filter { control in
            if case .form(.write(.some)) = control.press { control.role == .field } else { false }
        }
        guard let here = fields.firstIndex(where: \.isChosen), fields.indices.contains(here + step) else { return nil }
        return fields[here + step].press
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
