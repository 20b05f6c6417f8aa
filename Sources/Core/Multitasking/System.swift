import AudioSessions
import Geometry
import Interface
import Lifecycle
import Locking
import Modality
import Modals
import Notices
import Seat
import Stage
import Status
import Tray
import Watches
import Windows

/// The whole system as one value: an event goes in, the state changes, a list of effects comes out.
///
/// It composes the rooms and decides nothing itself: it routes an event to them in a fixed order, grants their wishes to
/// one another, and settles what follows. It reads no clock and never waits. Two systems that get the same events at
/// the same moments are equal.
public struct System: Hashable, Codable, Sendable {
    /// The content of the screen.
    var screenful: Screenful
    /// Fingers, the pointer and keys.
    var hands = Hands()
    /// The keyboard focus, and the places of panels of other programs.
    public internal(set) var seat = Seat()
    /// Audio sessions, and their views on the screen.
    var sound: Sound
    /// Which apps run, and which are frozen.
    var life: Life
    /// The hardware, and the idiom that it asks for.
    var choice: IdiomChoice
    /// The person's preferences.
    var choices: Choices
    /// Notifications, and a person's preferences about them.
    public internal(set) var notices = Notices()
    /// The state of the device.
    public internal(set) var status = Status()
    /// Wireless networks and devices of Bluetooth, while a person looks at them.
    public internal(set) var wireless = Wireless()
    public internal(set) var pairing = Pairing()
    var turning = Turning()
    var nightLight = NightLight()
    var lightLevel = LightLevel()
    var sensors = SensorUse()
    public internal(set) var locating = Locating()
    public internal(set) var keptStates = KeptStates()
    public internal(set) var drives = Drives()
    /// The questions of services and programs.
    public internal(set) var prompts = AgentPrompts()
    /// The items of apps in the tray.
    public internal(set) var tray = Tray()
    /// The keys of apps.
    var shortcuts = GlobalShortcuts()
    /// The lock screen of the shell, and the fingers on it.
    public internal(set) var lockScreen = LockScreen()
    var lockHands = LockHands()
    /// The app over the lock screen.
    public internal(set) var overLock = OverLock()
    public internal(set) var greeter = Greeter()
    /// Whether a locker was started that has not asked for the session yet.
    var isLockerStarting = false
    var powerButton = PowerButton()
    public internal(set) var fingerLock = FingerLock()
    var batteryWarnings = BatteryWarnings()
    /// Whether another session has the seat.
    var isAway = false
    /// Whether the login manager was told that the power button is the shell's.
    var holdsPowerButton = false
    /// Seconds without use after which the session is locked, as the seat was told.
    var lockDelay = 0.0
    // Small rooms of the screen (module `Watches`).
    var wrist = Wrist()
    var gaze = Gaze()
    var dots = Dots()
    var pictureControls = PictureControls()
    var callPicture = CallPicture()
    var rest = Rest()
    var startUp = StartUp()
    /// Views for programs, and sheets on their way out.
    var modality = Modality()
    /// The shell's own alerts.
    var alerts = Alerts()
    /// How many windows of the last session stayed closed and can be restored.
    var windowsAside = 0
    /// The banners at the upper edge.
    var banners = Banners()
    /// When notifications become read.
    var reading = Reading()
    /// The app that a person wants to reach by a notification.
    var reaches: Reach?
    /// Faults in the files that the person edits.
    var files = EditedFiles()
    /// The state that the adapters got last.
    var lastSent = LastSent()
    /// Grows when something may look different, so that nothing needs to compare frames.
    public private(set) var revision: UInt64 = 0

    /// - Parameter continues: whether the shell was started again after a crash: a person's choices for the session still hold.
    public init(idiom: Idiom, preferences: Preferences = Preferences(), continues: Bool = false) {
        choices = Choices(preferences)
        screenful = Screenful(idiom: idiom, preferences: preferences)
        sound = Sound(idiom: idiom, preferences: preferences.audio)
        life = Life(idiom: idiom, preferences: preferences.life)
        choice = IdiomChoice(idiom: idiom.name, setting: preferences.idiom, rules: preferences.idiomRules, continues: continues)
        screenful.sight.heard = sound.sessions.summary
    }

    // MARK: Events

    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        guard !(screenful.isLocked && WhileLocked.isDeaf(to: event)) else { return [] }
        var turn = Turn()
        if event.isUse { turn.send(seat.used(at: now)) }
        if event.isUse, isTakenByDark(event, at: now, &turn) {
            turn.grantWishes { grant($0, at: now, &$1) }
        } else if screenful.interface.isResting, wakes(by: event, at: now, &turn) {
            turn.grantWishes { grant($0, at: now, &$1) }
        } else {
            take(event, at: now, &turn)
        }
        followSensors(at: now)
        if screenful.interface.isHomeStale(screenful.workspace) { screenful.interface.followHome(screenful.workspace) }
        if screenful.takeDrawn() || turn.isSettled { revision &+= 1 }
        return turn.effects
    }

    private mutating func take(_ event: Event, at now: Moment, _ turn: inout Turn) {
        let windowsBefore = screenful.workspace.currentSpace?.windows
        let ending = route(event, at: now, &turn)
        // Another space is in front now.
        if ending != .nothing, hands.grab?.isOfSpace ?? false, screenful.workspace.currentSpace?.windows != windowsBefore {
            hands.cancelGrab(&screenful, at: now, &turn)
        }
        switch ending {
        case .nothing: break
        case .tellsClients: screenful.tellClients(&turn)
        case .settles: turn.ask(.settle())
        case .settlesAtOnce(let isHoverSame): settle(isHoverSame: isHoverSame, at: now, &turn)
        case .settlesWhereItWas:
            settle(at: now, &turn)
            // Restored windows were there before, so they do not animate in.
            screenful.stage.snapAll()
        }
        var facts = PassFacts(isAct: event.isAct)
        for pass in System.afterEvent { pass.run(&self, &facts, now, &turn) }
    }

    mutating func grant(_ wish: Wish, at now: Moment, _ turn: inout Turn) {
        switch wish {
        case .settle(let thrown): settle(thrown: thrown, at: now, &turn)
        case .stepDivider(let wanted): stepDivider(wanted: wanted, at: now, &turn)
        case .hover: hands.hover(&screenful, at: now, &turn)
        case .sound(let event): sound.handle(event, for: &screenful, at: now, &turn)
        case .life(let wish): life.grant(wish, &screenful, at: now, &turn)
        case .notice(let act): refusable(&turn) { system, turn throws(Refusal) in try system.perform(act, at: now, &turn) }
        case .close(let windows, let isSheet): close(windows, isSheet: isSheet, at: now, &turn)
        case .closesItself(let window): closesItself(window, at: now, &turn)
        case .dismissSheet(let sheet): dismissSheet(sheet, at: now, &turn)
        case .chooseView(let view, let choice):
            refusable(&turn) { system, turn throws(Refusal) in try system.chooseView(view, choice, at: now, &turn) }
        case .dismissView(let view): refusable(&turn) { system, turn throws(Refusal) in try system.dismissView(view, at: now, &turn) }
        case .markView(let view, let frame):
            refusable(&turn) { system, turn throws(Refusal) in try system.markView(view, frame, at: now, &turn) }
        case .modality(let event): modality(event, at: now, &turn)
        case .shortcut(let event): shortcuts(event, at: now, &turn)
        case .forgetShortcuts(let app):
            refusable(&turn) { system, turn throws(Refusal) in try system.forgetShortcuts(of: app, at: now, &turn) }
        case .alert(.closed) where screenful.interface.isPromptOpen: prompts(.cancel, at: now, &turn)
        case .alert(let event):
            if event == .closed { alertCloses(at: now, &turn) }
            alerts(event, at: now)
        case .windowsAside(comeBack: true): refusable(&turn) { system, turn throws(Refusal) in try system.bringWindowsBack(at: now, &turn) }
        case .windowsAside(comeBack: false): refusable(&turn) { system, turn throws(Refusal) in try system.startClean(at: now, &turn) }
        case .stepFocus(let step): screenful.keyFocus(.stepped(step), at: now)
        case .wrist(let event): refusable(&turn) { system, _ throws(Refusal) in try system.wrist(event, at: now) }
        case .gaze(let event): refusable(&turn) { system, turn throws(Refusal) in try system.gaze(event, at: now, &turn) }
        case .pictured(let window, let isInCall): callPicture(.pictured(window, isInCall: isInCall), at: now, &turn)
        case .pictureControls(let event): pictureControls(event, at: now, &turn)
        case .showDots: dots(.settled(dotsSight), at: now, &turn)
        case .touchedApp(let window): touchedApp(window, at: now, &turn)
        case .banner(let event): banners(event, at: now, &turn)
        case .announceRefused(let window): announceRefused(window, at: now, &turn)
        case .jobEnded(let name, let text, let window): tellEnd(of: name, text, by: window, at: now, &turn)
        case .choose(let choice): choices(.chosen(choice), at: now, &turn)
        case .device(let action): device(action, at: now, &turn)
        case .tray(let act): tray(.wish(act), at: now, &turn)
        case .prefer(let choice): refusable(&turn) { system, turn throws(Refusal) in try system.screenful.choose(choice, &turn) }
        case .resetSettings(let key): refusable(&turn) { system, turn throws(Refusal) in try system.resetSettings(key, at: now, &turn) }
        case .arrangeHome(let act): refusable(&turn) { system, turn throws(Refusal) in try system.arrangeHome(act, at: now, &turn) }
        case .showPage(let page): screenful.toggleControlPage(page, at: now)
        case .prompt(let act): prompts(act, at: now, &turn)
        case .form(let act):
            refusable(&turn) { system, turn throws(Refusal) in
                try system.screenful.interface.act(act)
                if case .paste = act { turn.send(.copying(.paste)) }
            }
        case .soundChosen: choices(.sound(sound.sessions.choices), at: now, &turn)
        case .rest(let isIdle): rest(.unused(isIdle), at: now, &turn)
        case .unused(let isIdle): if isIdle { locksByItself(at: now, &turn) }
        case .cover(let isClosed):
            sound.handle(.coverClosed(isClosed), for: &screenful, at: now, &turn)
            if isClosed { locksForSleep(at: now, &turn) }
        case .lockScreen(let act): lockScreen(act, at: now, &turn)
        case .idiom(let idiom):
            idiomChosen(idiom, at: now, &turn)
            settle(at: now, &turn)
        case .hardware(let event):
            hardware(event, at: now, &turn)
            settle(at: now, &turn)
        }
    }

    mutating func refusable(_ turn: inout Turn, _ body: (inout System, inout Turn) throws(Refusal) -> Void) {
        do { try body(&self, &turn) } catch { turn.send(.refuse(error)) }
    }

    // MARK: Work of several rooms

    /// Brings everything in line with the state after a change (`settling`). `isHoverSame`: nothing new can be under a resting pointer.
    mutating func settle(thrown: WindowID? = nil, isHoverSame: Bool = false, at now: Moment, _ turn: inout Turn) {
        turn.isSettled = true
        var facts = PassFacts(thrown: thrown, isHoverSame: isHoverSame)
        for pass in System.settling { pass.run(&self, &facts, now, &turn) }
    }

    mutating func windowComes(_ window: MappedWindow, at now: Moment, _ turn: inout Turn) {
        let isNew = !screenful.workspace.isMapped(window.id)
        screenful.windowComes(window, at: now)
        if isNew { comesOverLock(window.id, at: now, &turn) }
        announceNew(window.id, at: now, &turn)
        sheetComes(window.id, at: now, &turn)
        hands.sheetGetsDialog(window.id, &screenful, at: now, &turn)
        screenful.pinchedWindowComes(window.id, at: now, &turn)
        life.windowComes(window.id, to: &screenful, at: now, &turn)
    }

    /// A window was unmapped or closed: its sound and the gestures on it end.
    mutating func windowLeaves(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        overLock(.leaves(id), at: now, &turn)
        life.windowLeaves(id, &screenful, at: now, &turn)
        if let window = screenful.workspace[id], window.isMapped { sound.windowCloses(window, for: &screenful, at: now, &turn) }
        hands.windowLeaves(id, &screenful, at: now, &turn)
        modality(.windowGone(id), at: now, &turn)
        if screenful.workspace.admission.lastInput?.window == id { screenful.workspace.forgetInput() }
    }

    /// The screen is locked: only the locker is visible and gets fingers and keys. Windows stay where they are; menus and
    /// gestures end.
    mutating func lock(_ event: LockEvent, at now: Moment, _ turn: inout Turn) {
        if case .tapped(let point) = event {
            if screenful.isLocked, let press = screenful.views(at: now)?.pressOverLocker(at: point) {
                hands.attempt(press, &screenful, at: now, &turn)
            }
            return
        }
        // No word opens a greeter.
        if greeter.isOn, event == .unlocked(.shell) || event == .gone(.shell) { return }
        let awaitedDisk = seat.lock.awaitsDisk
        carryOut(seat.handle(event, canStart: !screenful.preferences.lock.command.isEmpty, at: now), at: now, &turn)
        takeOver(at: now, &turn)
        if seat.lock.awaitsDisk != awaitedDisk {
            turn.send(awaitedDisk ? .stopTimer(.seat(.lockNote)) : .startTimer(.seat(.lockNote), at: now + SessionLock.diskPatience))
        }
        noteAbandoned()
        if seat.lock.isLocked || event == .startedEnded { isLockerStarting = false }
        screenful.sight.isLockComing = seat.lock.isComing || isLockerStarting
        defer { followOwnLock(at: now, &turn) }
        guard seat.lock.isLocked != screenful.isLocked else { return }
        screenful.sight.isLocked = seat.lock.isLocked
        turn.send(.power(screenful.isLocked ? .locked : .unlocked))
        sound.handle(.screenLocked(screenful.isLocked), for: &screenful, at: now, &turn)
        turn.send(seat.lockChanged(at: now))
        guard screenful.isLocked else { return }
        hands.dropEverything(&screenful, at: now, &turn)
        shortcuts(.dropped, at: now, &turn)
        wireless(.locked, at: now, &turn)
        pairing(.locked, at: now, &turn)
        locating(.locked, at: now, &turn)
        prompts(.settled, at: now, &turn)
        tray(.locked, at: now, &turn)
        rest(.unused(false), at: now, &turn)
        screenful.closeViews(at: now)
        screenful.endSearch(at: now)
    }

    mutating func carryOut(_ effects: [LockEffect], at now: Moment, _ turn: inout Turn) {
        for effect in effects {
            switch effect {
            case .note(let isLocked): turn.send(.noteLock(isLocked))
            case .start: turn.send(.startLocker(screenful.preferences.lock.command))
            case .startAt(let moment): turn.send(moment.map { .startTimer(.seat(.locker), at: $0) } ?? .stopTimer(.seat(.locker)))
            case .watch(let watch):
                turn.send(.client(.lock(effect)))
                turn.send(
                    watch == .presentation
                        ? .startTimer(.seat(.lockedFrame), at: now + SessionLock.patience) : .stopTimer(.seat(.lockedFrame)))
            default: turn.send(.client(.lock(effect)))
            }
        }
    }

    mutating func followLocker(at now: Moment, _ turn: inout Turn) {
        carryOut(seat.followLocker(canStart: !screenful.preferences.lock.command.isEmpty, at: now), at: now, &turn)
        takeOver(at: now, &turn)
        noteAbandoned()
        followOwnLock(at: now, &turn)
    }

    /// Sets the message of a locked screen while no locker holds the session.
    private mutating func noteAbandoned() {
        let notice: Interface.LockNotice? =
            !seat.lock.isAbandoned ? nil : seat.lockerStarts.count > 1 ? .failing : .starting
        guard notice != screenful.interface.lockNotice else { return }
        screenful.interface.lockNotice = notice
    }

    /// Tells the seat which windows are in sight, because an inhibitor of idleness counts only there.
    mutating func followIdleness(at now: Moment, _ turn: inout Turn) {
        let windows = seat.idleness.hasInhibitors ? screenful.workspace.shownWindows : []
        turn.send(seat.followSight(isHeld: life.lifecycle.keepsScreenOn || workspace.showsFilm(screenful.heard), windows: windows, at: now))
    }

    mutating func setScreen(_ screen: Screen, at now: Moment, _ turn: inout Turn) {
        var screen = screen
        screen.reserved = seat.reserved
        screen.status = screenful.workspace.screen?.status ?? 0
        screen.shape(by: screenful.workspace.idiom)
        screen.round = screenful.workspace.idiom.round?.inset
        guard screen != screenful.workspace.screen else { return }
        hands.cancelGrab(&screenful, at: now, &turn)
        placePanels(on: &screen, &turn)
        let isNew = screenful.workspace.screen == nil
        screenful.setScreen(screen, at: now)
        if isNew { turnScreen(&turn) }
    }

    mutating func panelsChanged(at now: Moment, _ turn: inout Turn) {
        if let overlay = hands.pointer.overlay, !seat.takesInput(overlay) { hands.pointer.overlay = nil }
        for contact in hands.contacts { if let over = contact.over, !seat.takesInput(over) { hands.lose(over) } }
        guard var screen = screenful.workspace.screen else { return }
        placePanels(on: &screen, &turn)
        guard screen != screenful.workspace.screen else { return }
        screenful.workspace.setScreen(screen)
        screenful.fitViews(at: now)
    }

    private mutating func placePanels(on screen: inout Screen, _ turn: inout Turn) {
        for (id, frame) in seat.arrange(in: screen.size) { turn.send(.placePanel(id, frame)) }
        screen.reserved = seat.reserved
    }

    /// A finger or a button went down on an overlay, or (nil) elsewhere.
    mutating func pressed(_ overlay: Overlay?, _ turn: inout Turn) {
        seat.pressed(overlay)
        lastSent.tellKeyboard(keyboard, &turn)
        // The text field that has the keyboard may be another one now.
        if overlay != nil { turn.ask(.settle()) }
    }
}

/// The state that other modules read.
extension System {
    public var workspace: Workspace { screenful.workspace }
    public var stage: Stage { screenful.stage }
    /// The shell's own views.
    public var interface: Interface { screenful.interface }
    public var preferences: Preferences { screenful.preferences }
    /// Which apps sound, how loud and where.
    public var audio: AudioSessions { sound.sessions }
    /// Grows when the audible sound, or the adapters' state of it, may have changed.
    public var soundRevision: UInt64 { sound.revision }
    /// Which apps run, and which are frozen.
    public var lifecycle: Lifecycle { life.lifecycle }
    /// The arrangement to keep for the next session (W-20).
    public var kept: KeptArrangement {
        var kept = life.kept(screenful.workspace)
        kept.settledIdiom = choice.settled
        return kept
    }
    /// The facts about the hardware, and the idiom that follows from them.
    public var idiomChoice: IdiomChoice { choice }
    /// The pixels per point that a person chose; nil: none, or the configuration file says them.
    public var chosenScale: Double? { choices.scale }
    /// The person's choices, for the next session.
    public var chosen: [Choice] { Array(choices.chosen.values) }
    /// Whether a film, a call, a recording or a shared screen keeps notifications quiet (S-07).
    public var isBusyForNotices: Bool { noticeSurroundings.isBusy }
    /// The home screen as a person arranged it, with all apps that are installed.
    public var homeOrder: HomeOrder { (interface.homeOrder ?? HomeOrder()).completed(installed: workspace.apps.map(\.id)) }
    /// Every wallpaper that a person chose, for any screen.
    public var wallpapers: Set<String> { choices.wallpapers }
    /// Whether a sensor says how the device is held, so that the screen can turn with it.
    public var hasTurnSensor: Bool { turning.hasSensor }
    /// nil: the screen cannot have other colours.
    public var isNightLight: Bool? { screenful.sight.device.isNightLight }
    /// Whether a locker holds the session.
    public var isLocked: Bool { screenful.isLocked }
    /// Whether a finger or the pointer is carrying something.
    public var isCarrying: Bool { hands.isCarrying }
    /// Whether a finger or the pointer's button holds one of the shell's own gestures.
    public var isGesturing: Bool { hands.isGesturing }
    /// Where typed text goes.
    public var keyboard: KeyboardTarget {
        seat.keyboard(window: screenful.workspace.focus, isShell: screenful.ownsKeys)
    }

    public func items(at now: Moment) -> [Item] { screenful.items(at: now) }
    /// The same for a picture that a program takes: no letter of an answer on the lock screen is in it.
    public func itemsForPicture(at now: Moment) -> [Item] {
        var screenful = screenful
        screenful.sight.lock.isPictured = true
        return screenful.items(at: now)
    }
    /// The same without the views that programs asked for, which are in no picture that an app takes.
    public func itemsWithoutViews(at now: Moment) -> [Item] {
        var screenful = screenful
        screenful.interface.modals.removeAll()
        return screenful.items(at: now)
    }
    /// The shell's own views in their current state; nil while there is no screen.
    public func views(at now: Moment) -> Views? { screenful.views(at: now) }
    /// The controls that a finger, the keyboard or a screen reader can operate now, back to front.
    public func controls(at now: Moment, covered: Bool = false) -> [ViewControl] { screenful.controls(at: now, covered: covered) }
    /// The name of the front view, for screen readers.
    public func frontName(at now: Moment) -> Text { screenful.frontName(at: now) }
    /// The actions of a control besides its press, for screen readers.
    public func spokenActions(of control: ViewControl, at now: Moment) -> [SpokenAction] {
        screenful.views(at: now)?.spokenActions(of: control) ?? []
    }
    public func isMoving(at now: Moment) -> Bool { screenful.isMoving(at: now) }
    /// The rectangle a window takes on the screen right now.
    public func shownFrame(of id: WindowID, at now: Moment) -> Rect? { screenful.stage.frame(of: id, at: now) }
    /// The rectangle in which its own content is drawn right now; smaller than its frame if the shapes differ.
    public func contentRect(of id: WindowID, at now: Moment) -> Rect? { screenful.stage.contentRect(of: id, screenful.workspace, at: now) }
    /// Where a window is visible right now, also while it is shown small; nil if no part of it is visible.
    public func seenFrame(of id: WindowID, at now: Moment) -> Rect? { screenful.seenFrame(of: id, at: now) }
    /// The same for its own content.
    public func seenContent(of id: WindowID, at now: Moment) -> Rect? { screenful.seenContent(of: id, at: now) }

    /// Faults in how an app presents a modal window (M-15).
    public func notes(of id: WindowID) -> [WindowNote] {
        let process = screenful.workspace[id]?.facts.lineage.first
        return screenful.workspace.notes(of: id, playsVideo: process.map(sound.sessions.playsVideo) ?? false)
    }

    /// Violations of the invariants that hold after every event; empty if there is none.
    public func violations() -> [String] { System.rooms.flatMap { $0.violations(self) } }
}
