import Geometry
import Interface
import OrderedCollections
import Seat
import Stage
import Windows

/// The state of the screen and the seat that the adapters got last, so that they get only differences.
struct LastSent: Hashable, Codable, Sendable {
    var focus: WindowID?
    var keyboard = KeyboardTarget.nobody
    var popupBounds: [WindowID: Rect] = [:]
    var announced: [WindowID: Announcement] = [:]
    /// Whether the timer for clients that have not answered is running.
    var isWaiting = false
    var textEntry = false
    /// The part of the locked screen whose taps are the shell's.
    var lockPart: Rect?
    var appearance: Appearance?
    private var isMotionReduced: Bool?
    var capabilities: WindowCapabilities?
    var devices = DeviceRules()
    var input = InputPreferences()
    /// Whether the shell shows the menus of apps.
    var gathersMenus = false
    var openMenu: OpenMenu?

    struct OpenMenu: Hashable, Codable, Sendable {
        var window: WindowID
        var numbers: [UInt32]
    }

    struct Announcement: Hashable, Codable, Sendable {
        var activated: Bool
        var shown: Bool
    }

    /// Returns whether the active window differs from the last one noted, and notes it.
    mutating func noteFocus(_ focus: WindowID?) -> Bool {
        guard self.focus != focus else { return false }
        self.focus = focus
        return true
    }

    /// Reports which part of a locked screen is the shell's.
    mutating func tellLockPart(_ screenful: Screenful, at now: Moment, _ turn: inout Turn) {
        guard lockPart != nil || !screenful.interface.lockCards.isEmpty else { return }
        let part = screenful.isLocked ? screenful.views(at: now)?.lockCardFrame : nil
        guard part != lockPart else { return }
        lockPart = part
        turn.send(.client(.lock(.ownPart(part))))
    }

    mutating func tellKeyboard(_ target: KeyboardTarget, _ turn: inout Turn) {
        guard keyboard != target else { return }
        keyboard = target
        turn.send(.keyboardFocus(target))
    }

    /// Reports when the shell's own text field gains or loses the keyboard.
    mutating func tellTextEntry(_ isWanted: Bool, _ turn: inout Turn) {
        guard textEntry != isWanted else { return }
        textEntry = isWanted
        turn.send(.textEntry(isWanted))
    }

    mutating func tellAppearance(_ preferences: Preferences, _ turn: inout Turn) {
        let appearance = preferences.appearance
        guard self.appearance != appearance || isMotionReduced != preferences.reducedMotion else { return }
        let isFirst = self.appearance == nil
        self.appearance = appearance
        isMotionReduced = preferences.reducedMotion
        if !isFirst { turn.send(.appearance(appearance)) }
    }

    mutating func tellCapabilities(_ capabilities: WindowCapabilities, _ turn: inout Turn) {
        guard self.capabilities != capabilities else { return }
        self.capabilities = capabilities
        turn.send(.client(.capabilities(capabilities)))
    }

    mutating func tellDevices(of idiom: Idiom, _ turn: inout Turn) {
        var rules = DeviceRules()
        rules.consoles = idiom.offers.contains(.consoles)
        rules.gamepads = idiom.remote.isOn
        rules.posture = idiom.wrist != nil
        guard devices != rules else { return }
        devices = rules
        turn.send(.devices(rules))
    }

    mutating func tellInput(_ input: InputPreferences, _ turn: inout Turn) {
        guard self.input != input else { return }
        self.input = input
        turn.send(.client(.input(input)))
    }

    mutating func tellMenus(_ screenful: borrowing Screenful, _ turn: inout Turn) {
        let gathers = screenful.workspace.idiom.free.menuBar > 0
        if gathers != gathersMenus {
            gathersMenus = gathers
            turn.send(.menus(.gather(gathers)))
        }
        var open: OpenMenu?
        if let name = screenful.interface.openBarMenu, let focus = screenful.workspace.focus {
            let window = screenful.workspace.root(of: focus), numbers = screenful.workspace.numbersOfMenus(name, in: window)
            if !numbers.isEmpty { open = OpenMenu(window: window, numbers: numbers) }
        }
        guard open != openMenu else { return }
        let before = openMenu
        openMenu = open
        if let before, before.window != open?.window { turn.send(.menus(.open(before.window, []))) }
        if let open { turn.send(.menus(.open(open.window, open.numbers))) }
    }

    /// Sends where popups of each window may open.
    mutating func tellPopupBounds(_ screenful: borrowing Screenful, _ turn: inout Turn) {
        guard let screen = screenful.workspace.screen else { return }
        for id in screenful.stage.shown.keys where screenful.stage.level(of: id) != .leaving {
            guard let (content, size) = screenful.stage.settledContent(of: id, screenful.workspace) else { continue }
            let bounds = Rect(origin: .zero, size: size).map(screen.usable, from: content).rounded
            if popupBounds[id] != bounds {
                popupBounds[id] = bounds
                turn.send(.popupBounds(id, bounds))
            }
        }
    }

    /// Tells taskbars which windows are shown, and which one is active.
    mutating func announce(_ screenful: borrowing Screenful, _ turn: inout Turn) {
        let shown = screenful.workspace.shownWindows, active = screenful.workspace.focus
        // Only windows that are shown, were shown or are new can have changed.
        let known = announced
        var asked = screenful.workspace.newestMapped(screenful.workspace.mappedCount - known.count) { known[$0] == nil }
        for (id, announcement) in announced where announcement.shown || announcement.activated { asked.append(id) }
        for id in shown where announced[id] != nil { asked.append(id) }
        if let active, announced[active] != nil { asked.append(active) }
        var changed: [(place: Int, id: WindowID, announcement: Announcement)] = []
        for id in asked {
            let now = Announcement(activated: active == id, shown: shown.contains(id))
            guard announced[id] != now, let place = screenful.workspace.windows.index(forKey: id), screenful.workspace.isMapped(id)
            else { continue }
            announced[id] = now
            changed.append((place, id, now))
        }
        changed.sort { $0.place < $1.place }
        for (_, id, now) in changed { turn.send(.announce(id, activated: now.activated, shown: now.shown)) }
    }

    /// After a change of layout, waits at most 300 ms for clients; then those that have not answered are shown as they are.
    mutating func waitForAnswers(_ screenful: borrowing Screenful, isTold: Bool, at now: Moment, _ turn: inout Turn) {
        guard screenful.workspace.dividerDrag == nil else { return }
        var waits = false
        for id in screenful.stage.shown.keys where screenful.stage.level(of: id) != .leaving {
            if screenful.workspace.isAwaited(id) { waits = true }
        }
        if waits, isTold || !isWaiting {
            turn.send(.startTimer(.system(.layoutPatience), at: now + DividerDrag.patience))
        } else if !waits, isWaiting {
            turn.send(.stopTimer(.system(.layoutPatience)))
        }
        isWaiting = waits
    }

    /// Forgets the window, so that taskbars are told of it again if it is mapped again.
    mutating func windowUnmapped(_ id: WindowID) { announced[id] = nil }

    mutating func windowDestroyed(_ id: WindowID) {
        popupBounds[id] = nil
        announced[id] = nil
    }
}
