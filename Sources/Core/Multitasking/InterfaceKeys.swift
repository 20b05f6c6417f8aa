import Geometry
import Interface
import Stage
import Windows

/// The keyboard and the wheel on the shell's own views.
extension System {
    /// Keys go to the shell while one of its views is open, and at home, where no app has them.
    private var takesKeys: Bool { ownsKeys || (sharesKeys && interface.focus != nil) }

    /// Nobody else may get what is typed.
    var ownsKeys: Bool { interface.isModal || (workspace.showsHome && workspace.focus == nil) }

    /// A shelf or dock over an app leaves them to it until one of its controls has the focus.
    private var sharesKeys: Bool { interface.isShelfOpen || interface.isDockOpen || interface.isPipControlsOpen }

    /// True if the key was the shell's.
    mutating func interfaceKey(_ code: UInt32, _ symbol: KeySymbol, _ modifiers: Modifiers, _ text: String, at now: Moment, _ effects: inout [Effect]) -> Bool {
        // A launcher lies over them, or a locker.
        guard seat.panelWithKeys == nil else { return false }
        guard takesKeys, modifiers.intersection([.control, .alt, .super]).isEmpty else { return interface.isModal }
        switch symbol {
        case .escape:
            if (try? dismiss(at: now)) == nil { interface.focus = nil }
        case _ where slideFocus(code, symbol, at: now, &effects): break
        case .leftArrow: moveFocus(Vector(-1, 0), at: now)
        case .upArrow: moveFocus(Vector(0, -1), at: now)
        case .rightArrow: moveFocus(Vector(1, 0), at: now)
        case .downArrow: moveFocus(Vector(0, 1), at: now)
        case .tab, .backTab: stepFocus(modifiers.contains(.shift) || symbol == .backTab ? -1 : 1, at: now)
        case .enter, .keypadEnter: pressFocus(at: now, &effects)
        case .delete: closeFocus(at: now, &effects)
        case .backspace where interface.home.search != nil: erased(1, at: now)
        case .pageUp: try? scroll(-1, at: now)
        case .pageDown: try? scroll(1, at: now)
        case .menu: menuOfFocus(at: now, &effects)
        case .space where interface.home.search == nil: pressFocus(at: now, &effects)
        default:
            guard !interface.isModal, workspace.showsHome, !text.isEmpty else { return true }
            typed(text, at: now)
        }
        return true
    }

    // MARK: Typing at home searches

    mutating func typed(_ text: String, at now: Moment) {
        guard workspace.showsHome, !interface.isModal else { return }
        let clean = String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f })
        let wanted = (interface.home.search ?? "") + clean
        guard !clean.isEmpty, wanted.utf8.count <= 256 else { return }
        interface.home.search = wanted
        interface.focus = nil
        showPage(0, at: now)
    }

    mutating func erased(_ count: Int, at now: Moment) {
        guard let search = interface.home.search, workspace.showsHome else { return }
        interface.home.search = search.isEmpty ? nil : String(search.dropLast(max(1, count)))
        interface.focus = nil
        showPage(0, at: now)
    }

    // MARK: Where the keyboard is

    /// What the keyboard can be at, as it will stand when everything has come to rest: keys are quicker than springs.
    private func focusable(at now: Moment) -> [ViewControl] {
        var rested = self
        rested.interface.home.scroll.set(interface.home.scroll.target)
        rested.stage.restCards()
        return rested.controls(at: now).filter(\.isFocusable)
    }

    /// What the keyboard was at may have gone.
    mutating func repairFocus(at now: Moment) {
        guard let focus = interface.focus, !focusable(at: now).contains(where: { $0.id == focus }) else { return }
        interface.focus = nil
    }

    /// Views that leave the keys to the app until one of their controls is chosen: opened by a key, they have the keys.
    mutating func focusOpened(by action: Action, at now: Moment) {
        switch action {
        case .dock where interface.isDockOpen:
            interface.focus = focusable(at: now).first { $0.id.area == .dock && !$0.id.path.isEmpty }?.id
        case .appShelf where interface.isShelfOpen:
            interface.focus = focusable(at: now).first { $0.id.isPart(of: "shelf/window") }?.id
        case .pictureControls where interface.isPipControlsOpen:
            let all = focusable(at: now)
            interface.focus = (all.first { $0.id == "picture-controls/play" } ?? all.first { $0.id.area == .pipControls })?.id
        default: break
        }
    }

    /// It would close what has opened without the keyboard.
    func opens(_ action: Action) -> Bool {
        switch action {
        case .dock: interface.isDockOpen
        case .pictureControls: interface.isPipControlsOpen
        case .appShelf(nil): interface.isShelfOpen && interface.shelf?.content == workspace.focus.flatMap { workspace[workspace.root(of: $0)]?.app }
        default: false
        }
    }

    private mutating func stepFocus(_ step: Int, at now: Moment) {
        let all = focusable(at: now)
        guard !all.isEmpty else { return }
        let here = interface.focus.flatMap { id in all.firstIndex { $0.id == id } }
        let next = here.map { ($0 + step + all.count) % all.count } ?? (step > 0 ? 0 : all.count - 1)
        setKeyFocus(all[next], at: now)
    }

    /// To the nearest control in that direction. Left and right go on to the next page of the home screen.
    private mutating func moveFocus(_ way: Vector, at now: Moment) {
        let all = focusable(at: now)
        guard let here = interface.focus.flatMap({ id in all.last { $0.id == id } }) else {
            return stepFocus(1, at: now)
        }
        let from = here.frame.center
        func cost(_ control: ViewControl) -> Double? {
            let d = control.frame.center - from
            let along = d.dx * way.dx + d.dy * way.dy
            let across = abs(d.dx * way.dy) + abs(d.dy * way.dx)
            guard control.id != here.id, along > 8, across < along * 2.5 + 40 else { return nil }
            return along + across * 2.2
        }
        let best = all.compactMap { control in cost(control).map { (cost: $0, control: control) } }.min { $0.cost < $1.cost }
        if let best { return setKeyFocus(best.control, at: now) }
        guard way.dx != 0, workspace.showsHome, !interface.isModal, here.id.area == .home else { return }
        let page = interface.home.page
        showPage(page + (way.dx * readingWay > 0 ? 1 : -1), at: now)
        guard interface.home.page != page else { return }
        if let first = focusable(at: now).first(where: { $0.id.area == .home }) { setKeyFocus(first, at: now) }
    }

    mutating func giveKeyFocus(to id: ControlID, at now: Moment) throws(Refusal) {
        guard ownsKeys || sharesKeys else { throw Refusal("the keys are the app's") }
        guard let control = focusable(at: now).last(where: { $0.id == id }) else {
            throw Refusal("no control \"\(id)\" that takes keys is shown")
        }
        setKeyFocus(control, at: now)
    }

    private mutating func setKeyFocus(_ control: ViewControl, at now: Moment) {
        interface.focus = control.id
        guard interface.isOverviewOpen, let screen = workspace.screen else { return }
        // Cards that stand outside of the screen come in.
        let room = screen.usable.inset(by: 32)
        if control.frame.minX < room.minX {
            scrollOverview(to: stage.scroll.target - (room.minX - control.frame.minX), at: now)
        } else if control.frame.maxX > room.maxX {
            scrollOverview(to: stage.scroll.target + (control.frame.maxX - room.maxX), at: now)
        }
    }

    private mutating func pressFocus(at now: Moment, _ effects: inout [Effect]) {
        // The first thing that was found needs no choosing.
        let first = interface.home.search.map { $0.isEmpty ? nil : views(at: now)?.homeApps.first.map { ControlID(.home, $0.id) } } ?? nil
        guard let id = interface.focus ?? first ?? (interface.isPopoverOpen ? focusable(at: now).first?.id : nil),
            let control = focusable(at: now).last(where: { $0.id == id }), let press = control.press
        else { return }
        let wasFocus = interface.focus
        attempt(press, at: now, &effects)
        if interface.isPopoverOpen || interface.isOverviewOpen, wasFocus == id, control.role == .toggle { interface.focus = id }
    }

    private mutating func closeFocus(at now: Moment, _ effects: inout [Effect]) {
        guard let id = interface.focus, let close = focusable(at: now).last(where: { $0.id == id })?.close else { return }
        attempt(close, at: now, &effects)
        interface.focus = nil
        stepFocus(1, at: now)
    }

    private mutating func menuOfFocus(at now: Moment, _ effects: inout [Effect]) {
        guard let id = interface.focus, let menu = focusable(at: now).last(where: { $0.id == id })?.menu else { return }
        interface.pressed = id
        attempt(menu, at: now, &effects)
        interface.pressed = nil
    }

    // MARK: The Super key alone

    /// Seconds that it is held until the keys are listed.
    static let superPatience = 0.8

    /// Tapped alone it goes home; held alone it lists the keys.
    mutating func noteSuper(isSuper: Bool, pressed: Bool, alone: Bool, at now: Moment, _ effects: inout [Effect]) {
        guard isSuper else {
            if superAlone { effects.append(.stopTimer(.superHeld)) }
            superAlone = false
            return
        }
        if pressed {
            lastSent.helpByKey = false
            superAlone = alone
            if alone { effects.append(.startTimer(.superHeld, at: now + System.superPatience)) }
            return
        }
        if interface.isPopoverOpen, interface.isHelpSeen, lastSent.helpByKey {
            lastSent.helpByKey = false
            interface.close(.popover, at: now, spring: spring)
            reconcile(at: now, &effects)
        } else if superAlone {
            effects.append(.stopTimer(.superHeld))
            do { try perform(.home, at: now, &effects) } catch { effects.append(.refuse(error)) }
            reconcile(at: now, &effects)
        }
        superAlone = false
    }

    /// Something else is done with the key down.
    mutating func useSuper(_ effects: inout [Effect]) {
        guard superAlone else { return }
        superAlone = false
        effects.append(.stopTimer(.superHeld))
    }

    mutating func superHeld(at now: Moment) {
        guard superAlone else { return }
        superAlone = false
        // Nothing stands over an alert (M-11).
        if case .alert = interface.popover?.content, interface.isPopoverOpen { return }
        lastSent.helpByKey = true
        present(.keyHelp, at: now)
    }

    // MARK: The wheel

    mutating func pointerScrolled(_ axis: PointerAxis, at now: Moment, _ effects: inout [Effect]) {
        if scrollSlider(axis, at: now, &effects) {
            revision &+= 1
        } else if interface.isOverviewOpen, !interface.isPopoverOpen, !interface.isPanelOpen {
            scrollOverview(to: stage.scroll.target + axis.value * 3, at: now)
            revision &+= 1
        } else if interface.isModal {
            return
        } else if workspace.showsHome, case let hit = hit(pointer.point, precise: true, at: now), hit.isOfInterface {
            // A wheel's notch or a swipe of two fingers turns one page, and no more until it has come to rest.
            guard abs(axis.value) > 4, interface.home.scroll.isSettled(at: now) else { return }
            showPage(interface.home.page + (axis.value > 0 ? 1 : -1), at: now)
            revision &+= 1
        } else {
            effects.append(.pointerAxis(axis))
        }
    }

    // MARK: The list of keys

    /// What the keys do, in a person's words, one line a function.
    var keyLines: [Views.KeyLine] {
        func chords(_ actions: [Action]) -> String {
            let words = actions.compactMap { action in preferences.keys.first { $0.action == action }?.chord.legible }
            // "Super [ ]": what both begin with is said once.
            guard words.count == 2, let a = words[0].lastIndex(of: " "), words[1].hasPrefix(words[0][...a]) else {
                return words.joined(separator: "   ")
            }
            // Of four corners the first and the last are said.
            let between = actions.contains(.pictureCorner(.topLeft)) ? " – " : " "
            return words[0] + between + words[1].dropFirst(words[0][...a].count)
        }
        let lines: [(Message, [Action])] = [
            (.keyHome, [.home]), (.keySearch, [.search()]), (.keySwitcher, [.appSwitcher]), (.keyDock, [.dock]),
            (.fullScreen, [.fullScreen()]), (.splitLeft, [.splitView(side: .left)]), (.splitRight, [.splitView(side: .right)]),
            (.splitTop, [.splitView(side: .top)]), (.splitBottom, [.splitView(side: .bottom)]),
            (.slideOver, [.slideOver()]), (.pictureInPicture, [.pictureInPicture()]),
            (.newWindow, [.newWindow()]), (.keyShelf, [.appShelf()]), (.keyExpose, [.appExpose()]),
            (.keyControls, [.controls()]), (.close, [.close()]), (.keyNextWindow, [.focusNext]),
            (.keyNextSpace, [.nextSpace]), (.keyPreviousSpace, [.previousSpace]),
            (.keyDivider, [.dividerStep(-1), .dividerStep(1)]), (.keySwapSides, [.swapSides]),
            (.keySlideOverToggle, [.slideOverToggle]), (.keySlideOverFlip, [.slideOverNext]),
            (.keySlideOverSide, [.slideOverSide(.left), .slideOverSide(.right)]),
            (.keyPipCorner, [.pictureCorner(.topLeft), .pictureCorner(.bottomRight)]),
            (.keyPipSize, [.pictureStep(1), .pictureStep(-1)]), (.keyPipToggle, [.pictureToggle]),
            (.keyPipControls, [.pictureControls]),
            (.keyOpenWaiting, [.openWaiting()]), (.keyNotifications, [.notifications]), (.keyControlCentre, [.controlCentre]),
            (.keyHelp, [.keyHelp]),
        ]
        return lines.map { Views.KeyLine(keys: chords($0.1), meaning: .message($0.0)) }.filter { !$0.keys.isEmpty }
    }
}

extension KeyChord {
    /// As it stands on the keys: "Super Shift ←".
    var legible: String {
        let signs: [String: String] = [
            "Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "bracketleft": "[", "bracketright": "]", "grave": "`",
            "equal": "=", "minus": "−", "comma": ",", "period": ".", "slash": "/", "space": "␣", "Escape": "Esc",
        ]
        return description.split(separator: "+").map { part in
            signs[String(part)] ?? (part.count == 1 ? part.uppercased() : String(part))
        }.joined(separator: " ")
    }
}
