import AudioSessions
import Geometry
import Interface
import Lifecycle
import Notices
import Seat
import Stage
import Windows

/// The whole system as one value: an event goes in, the state changes, a list of effects comes out.
///
/// It composes the rooms and decides nothing itself: it routes an event to them in a fixed order, grants their wishes to
/// one another, and settles what follows. It reads no clock and never waits. Two systems that get the same events at
/// the same moments are equal.
public struct System: Hashable, Codable, Sendable {
    /// What is on the screen.
    var desk: Desk
    /// Fingers, the pointer and keys.
    var hands = Hands()
    /// The keyboard focus, and the places of panels of other programs.
    public internal(set) var seat = Seat()
    /// Audio sessions, and what the desk shows of them.
    var sound: Sound
    /// Which apps run, and which are frozen.
    var life: Life
    /// The hardware, and the idiom that it asks for.
    var choice: IdiomChoice
    /// What the person prefers.
    var choices: Choices
    /// What the adapters were last sent.
    var lastSent = LastSent()

    public init(idiom: Idiom, preferences: Preferences = Preferences()) {
        choices = Choices(preferences)
        desk = Desk(idiom: idiom, preferences: preferences)
        sound = Sound(idiom: idiom, preferences: preferences.audio)
        life = Life(idiom: idiom, preferences: preferences.life)
        choice = IdiomChoice(idiom: idiom.name, setting: preferences.idiom, rules: preferences.idiomRules)
        desk.heard = sound.sessions.summary
    }

    // MARK: What happens

    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        guard !(desk.isLocked && WhileLocked.isDeaf(to: event)) else { return [] }
        var turn = Turn()
        if event.isUse { turn.send(seat.used(at: now)) }
        if desk.interface.isResting, wakes(by: event, at: now, &turn) {
            turn.grantWishes { grant($0, at: now, &$1) }
            return turn.effects
        }
        switch event {
        // Input first: most events are input, and most input changes nothing but where it goes.
        case .pointerMotion(let point, let overlay):
            hands.pointerMoved(to: point, over: overlay.flatMap { seat.takesInput($0) ? $0 : nil }, &desk, at: now, &turn)
        case .pointerButton(let button, let pressed):
            if pressed, !hands.pointer.buttons.contains(button) {
                self.pressed(hands.overlayUnderPointer, &turn)
                touchesPanel(hands.overlayUnderPointer, at: now)
            }
            hands.pointerButton(button, pressed, &desk, at: now, &turn)
        case .pointerAxis(let axis): hands.pointerScrolled(axis, &desk, at: now, &turn)
        case .pointerFrame: turn.send(.pointerFrame)
        case .touchMotion(let id, let point): hands.touchMoved(id, to: point, &desk, at: now, &turn)
        case .touchDown(let id, let point, let overlay):
            let overlay = overlay.flatMap { seat.takesInput($0) ? $0 : nil }
            if hands.isNew(id) {
                pressed(overlay, &turn)
                touchesPanel(overlay, at: now)
            }
            let isEdge = overlay.map { seat.leavesEdge($0) && desk.isLowerEdge(point) } ?? false
            hands.touchDown(id, at: point, over: overlay, isEdge: isEdge, &desk, now, &turn)
        case .touchUp(let id):
            leavesPanel(id, at: now)
            hands.touchUp(id, &desk, at: now, &turn)
        case .touchCancel(let id): hands.touchTakenBack(id, &desk, at: now, &turn)
        case .touchFrame: turn.send(.touchFrame)
        case .key(let code, let symbol, let pressed, let modifiers, let text, let others):
            let key = Key(code: code, symbol: symbol, isPressed: pressed, modifiers: modifiers.intersection(.chords), text: text ?? "", others: others ?? [])
            hands.key(key, for: lastSent.keyboard, &desk, at: now, &turn)
        case .idle(let event):
            turn.send(seat.handle(event, at: now))
            followIdleness(at: now, &turn)
        case .copying(let event): turn.send(seat.handle(event, at: now))
        case .capture(let event): desk.notices.captured(event)
        case .dotsGround(let id, let brightness): desk.dotsGround(of: id, brightness, at: now, &turn)
        case .barGround(let id, let brightness): desk.barGround(of: id, brightness, at: now, &turn)
        case .typedIntoApp: desk.typedIntoApp(at: now)
        case .bellRung(let id, let client): sound.bellRung(id, client, for: &desk, at: now, &turn)
        case .programTyped(let client, let process, let asks): programTyped(client, process, asks: asks, at: now, &turn)
        case .pinchablesChanged(let id, let items): hands.pinchablesChanged(items, of: id, &desk, at: now, &turn)
        case .windowCommitted(let id, let commit):
            guard desk.changes(id, commit) else { break }
            stepDivider(at: now, &turn)
            settle(at: now, &turn)
        case .windowCreated:
            change(event, at: now, &turn)
            // A new window shows nothing until it is mapped, but the card of a launch may have waited for it.
            if desk.interface.launches.isEmpty {
                desk.tellClients(&turn)
            } else {
                settle(isHoverSame: true, at: now, &turn)
            }
        case .clientGone: change(event, at: now, &turn)
        case .windowDestroyed(let id):
            let isUnmapped = workspace[id]?.isMapped == false
            // Closing a hidden window changes nothing that clients were sent.
            let isQuiet = isUnmapped && !desk.workspace.hasChildren && desk.stage.shown[id] == nil && desk.interface.launches.isEmpty
            change(event, at: now, &turn)
            guard !isQuiet else { break }
            settle(isHoverSame: isUnmapped, at: now, &turn)
        case .restored:
            change(event, at: now, &turn)
            if workspace.hasRunningPrograms { turn.send(.startTimer(.reconnectPatience, at: now + workspace.idiom.life.reconnectPatience)) }
            settle(at: now, &turn)
            // Restored windows were there before, so they do not animate in.
            desk.stage.snapAll()
        default:
            change(event, at: now, &turn)
            turn.ask(.settle())
        }
        if turn.hasWishes { turn.grantWishes { grant($0, at: now, &$1) } }
        // A finger or a key on a banner holds it, and most input settles nothing.
        if desk.hasBanners { desk.followBanners(at: now, &turn) }
        if event.isAct { life.pictureTimes.acted(at: now) }
        if desk.hasNoticeBanners { desk.followNotices(at: now, &turn) }
        desk.workspace.followFront(byPerson: event.isAct)
        desk.interface.followGlass(over: desk.workspace, at: now)
        return turn.effects
    }

    private mutating func grant(_ wish: Wish, at now: Moment, _ turn: inout Turn) {
        switch wish {
        case .settle(let thrown): settle(thrown: thrown, at: now, &turn)
        case .stepDivider(let wanted): stepDivider(wanted: wanted, at: now, &turn)
        case .hover: hands.hover(&desk, at: now, &turn)
        case .sound(let event): sound.handle(event, for: &desk, at: now, &turn)
        case .life(let wish): life.grant(wish, &desk, at: now, &turn)
        case .choose(let choice): choices(.chosen(choice), &turn)
        case .soundChosen: choices(.sound(sound.sessions.choices), &turn)
        case .rest(let isIdle): desk.rest(isIdle, at: now, &turn)
        case .idiom(let idiom):
            idiomChosen(idiom, at: now, &turn)
            settle(at: now, &turn)
        case .hardware(let event):
            hardware(event, at: now, &turn)
            settle(at: now, &turn)
        }
    }

    private mutating func change(_ event: Event, at now: Moment, _ turn: inout Turn) {
        let before = desk.workspace.currentSpace?.windows
        defer {
            // Another space is in front now.
            if hands.grab?.isOfSpace ?? false, desk.workspace.currentSpace?.windows != before { hands.cancelGrab(&desk, at: now, &turn) }
        }
        switch event {
        case .screenChanged(let screen):
            setScreen(screen, at: now, &turn)
            followHardware(at: now, &turn)
        case .screenRemoved:
            hands.cancelGrab(&desk, at: now, &turn)
            desk.workspace.setScreen(nil)
            followHardware(at: now, &turn)
        case .screenLit(let isLit):
            desk.isLit = isLit
            followHardware(at: now, &turn)
        case .hardware(let event): hardware(event, at: now, &turn)
        case .panelChanged(let id, let facts):
            seat.panelChanged(id, facts)
            panelsChanged(at: now, &turn)
        case .panelGone(let id):
            seat.panelGone(id)
            panelsChanged(at: now, &turn)
        case .x11MenusWantKeys(let want): seat.x11MenusWantKeys(want)
        case .windowCreated(let id, let facts): desk.workspace.created(id, facts)
        case .windowRenamed(let id, let facts):
            desk.workspace.renamed(id, facts, at: now)
            desk.hintsChanged(id, at: now, &turn)
            life.windowRenamed(id, on: &desk, at: now, &turn)
        case .windowMapped(let id, let commit): windowComes(MappedWindow(id, commit), at: now, &turn)
        case .windowsMapped(let windows): for window in windows { windowComes(window, at: now, &turn) }
        case .windowAsked(let id, let request): hands.asked(id, request, &desk, at: now, &turn)
        case .windowUnmapped(let id):
            life.leavePlaceholder(for: id, on: &desk)
            windowLeaves(id, at: now, &turn)
            desk.workspace.unmapped(id, at: now)
            lastSent.windowUnmapped(id)
        case .clientGone(let client):
            life.clientGone(client, desk)
            desk.notices.captured(.ends(client: client))
            turn.send(seat.clientGone(client))
        case .windowDestroyed(let id):
            windowLeaves(id, at: now, &turn)
            desk.workspace.destroyed(id, at: now)
            lastSent.windowDestroyed(id)
        case .windowPlaced(let id, let origin): desk.workspace.place(id, at: origin)
        case .menusChanged(let id, let menus): desk.workspace.menusChanged(id, menus)
        case .popupsChanged(let id, let bounds, let grab): desk.workspace.popupsChanged(id, bounds: bounds, grab: grab)
        case .activationAsked(let id, let recent, let launch):
            desk.workspace.activationAsked(id, hasRecentSerial: recent, launch: launch, at: now)
            desk.announceRefused(id, at: now)
        case .tokenShownAgain(let id, let launch, let window):
            desk.workspace.tokenShownAgain(id, launch: launch, usedFor: window, at: now)
            desk.announceRefused(id, at: now)
        case .showAsked(let process, let callers): if !desk.isLocked { desk.workspace.showAsked(of: process, by: callers, at: now) }
        case .launched(let id, let process):
            desk.workspace.launched(id, process: process)
            guard let launch = workspace.launches[id] else { break }
            life.launched(process, app: desk.workspace.entry(of: launch) ?? "", &desk, at: now, &turn)
        case .beginsWith(let command): desk.beginWith(command, at: now, &turn)
        case .timeIs(let time): desk.timeIs(time)
        case .launchFailed(let id, let reason):
            desk.launchFailed(id, .verbatim(reason), at: now)
            desk.workspace.launchFailed(id)
            turn.send(.refuse(Refusal(reason)))
        case .launchEnded(let id, let status, let signal, let says):
            life.programEnds(id, &desk, at: now, &turn)
            let crashing = life.launchEnded(id, status: status, signal: signal, &desk, at: now)
            desk.workspace.launchEnded(id, failed: signal != nil || (status ?? 0) != 0)
            desk.launchEnded(id, status: status, signal: signal, says: says, at: now, &turn)
            if let crashing { desk.askAboutState(of: crashing, at: now) }
        case .appsChanged(let apps): desk.workspace.setApps(apps)
        case .typed(let text): desk.typed(text, at: now)
        case .erased(let count): desk.erased(count, at: now)
        case .screenAsked(let request, let wish, let test):
            turn.send(.answerScreen(request, wish.isPossible ? wish : nil, test: test))
        case .lock(let event): lock(event, at: now, &turn)
        case .audio(let event):
            if case .categoriesChanged(let categories) = event { life.categoriesChanged(categories) }
            sound.handle(event, for: &desk, at: now, &turn)
        case .restored(let kept, let first):
            idiomRestored(kept, at: now, &turn)
            desk.workspace.restore(kept, first: first)
        case .outlivedProgramEnded(let process): desk.workspace.forgetRunningPrograms(process)
        case .windowsSetAside(let count): desk.windowsSetAside(count)
        case .storeTrouble(let trouble): desk.hasTrouble(trouble)
        case .pictureKept(let id, let name):
            desk.workspace.pictureKept(id, name)
            life.pictureKept(id, name)
        case .programKnown(let app, let command, let directory, let started):
            life.programKnown(app, command, directory, started)
            desk.workspace.programKnown(app.head, command, at: now)
        case .life(let event): life.handle(event, for: &desk, at: now, &turn)
        case .screenKeyboard(let isShown): screenKeyboardIs(isShown, &turn)
        case .windowSilent(let id): desk.windowSilent(id, at: now)
        case .viewAsked(let view): desk.askedForView(view, at: now, &turn)
        case .filesAsked(let request): desk.askedForFiles(request, at: now, &turn)
        case .handedOver(let items): desk.open(items, at: now, &turn)
        case .sharingFailed(let target, let trouble): desk.sharingFailed(target, trouble, at: now)
        case .choices(let event): handle(event, at: now, &turn)
        case .notice(let event): desk.handle(event, at: now, &turn)
        case .viewWithdrawn(let id): desk.viewWithdrawn(id, at: now, &turn)
        case .power(let event):
            desk.isAwake = event != .sleeps
            life.handle(event, for: &desk, at: now, &turn)
            followHardware(at: now, &turn)
        case .idiomsKnown(let idioms): idiomsKnown(idioms, at: now, &turn)
        case .action(let action):
            guard !desk.isLocked || WhileLocked.allows(action) else { return turn.send(.refuse(Refusal(WhileLocked.refusal))) }
            hands.attempt(action, &desk, at: now, &turn)
        case .timer(let timer): timerFired(timer, at: now, &turn)
        case .configured(let new):
            choices(.configured(new), &turn)
            idiomConfigured(at: now, &turn)
            followLocker(at: now, &turn)
        case .windowCommitted, .pinchablesChanged, .bellRung, .dotsGround, .barGround, .idle, .copying, .typedIntoApp, .programTyped, .touchDown, .touchMotion, .touchUp, .touchCancel, .touchFrame, .pointerMotion,
            .pointerButton, .pointerAxis, .pointerFrame, .key:
            break
        }
    }

    // MARK: What needs several rooms

    /// Brings everything in line with the state after a change: sends clients what is new for them, and moves what is shown
    /// towards its new place. `isHoverSame`: nothing new can be under a resting pointer.
    mutating func settle(thrown: WindowID? = nil, isHoverSame: Bool = false, at now: Moment, _ turn: inout Turn) {
        // A placeholder that is replaced or closed goes at once, and no client ends the touches on it (law 4).
        hands.leaveLostWindows(&desk, at: now, &turn)
        desk.keepInSight(at: now)
        // Before all else, so that apps that come into sight run and get the configures that they missed.
        life.follow(&desk, sound, at: now, &turn)
        let isTold = desk.arrange(at: now, &turn)
        if lastSent.noteFocus(desk.workspace.focus) {
            desk.dismissPopups(outside: desk.workspace.focus.map(desk.workspace.root), &turn)
            seat.leavePanel()
        }
        desk.followWindows(at: now, &turn)
        desk.startPlaceholders(at: now, &turn)
        desk.followStartUp(at: now, &turn)
        sound.show(on: &desk, at: now, &turn)
        desk.closeLostViews(at: now, &turn)
        hands.endLostGrab(&desk, at: now, &turn)
        desk.layViews(hands.held, at: now, &turn)
        lastSent.tellTextEntry((desk.isSearching || desk.isReplying) && seat.panelWithKeys == nil, &turn)
        lastSent.tellAppearance(desk.preferences.appearance, &turn)
        lastSent.tellCapabilities(desk.workspace.idiom.capabilities, &turn)
        lastSent.tellDevices(of: desk.workspace.idiom, &turn)
        lastSent.tellMenus(desk, &turn)
        if case .window(let id) = keyboard, lastSent.keyboard != keyboard, workspace.isPrompt(id) { turn.send(.client(.dropHeldKeys)) }
        lastSent.tellKeyboard(keyboard, &turn)
        desk.move(thrown: thrown, at: now, &turn)
        lastSent.tellPopupBounds(desk, &turn)
        lastSent.announce(desk, &turn)
        sound.follow(&desk, at: now, &turn)
        let isAnyFreed = life.follow(&desk, sound, at: now, &turn)
        lastSent.waitForAnswers(desk, isTold: isTold, at: now, &turn)
        if !desk.isLocked, !isHoverSame { hands.refreshHover(&desk, at: now, &turn) }
        desk.noteSeenViews(isCovered: seat.panelWithKeys != nil, at: now)
        followRest(at: now, &turn)
        followIdleness(at: now, &turn)
        life.tellSound(&turn)
        if isAnyFreed { turn.ask(.settle()) }
    }

    mutating func stepDivider(wanted: Double? = nil, at now: Moment, _ turn: inout Turn) {
        while desk.stepDivider(wanted: wanted, at: now, &turn) { settle(at: now, &turn) }
    }

    private mutating func windowComes(_ window: MappedWindow, at now: Moment, _ turn: inout Turn) {
        desk.windowComes(window, at: now)
        desk.announceNew(window.id, at: now)
        desk.sheetComes(window.id, at: now, &turn)
        hands.sheetGetsDialog(window.id, &desk, at: now, &turn)
        desk.pinchedWindowComes(window.id, at: now, &turn)
        life.windowComes(window.id, to: &desk, at: now, &turn)
    }

    /// A window was unmapped or closed: its sound and the gestures on it end.
    private mutating func windowLeaves(_ id: WindowID, at now: Moment, _ turn: inout Turn) {
        life.windowLeaves(id, &desk, at: now, &turn)
        if let window = desk.workspace[id], window.isMapped { sound.windowCloses(window, for: &desk, at: now, &turn) }
        hands.windowLeaves(id, &desk, at: now, &turn)
        desk.modalWindowGone(id, at: now, &turn)
        if desk.workspace.admission.lastInput?.window == id { desk.workspace.forgetInput() }
    }

    /// The screen is locked: only the locker is visible and gets fingers and keys. Windows stay where they are; menus and
    /// gestures end.
    mutating func lock(_ event: LockEvent, at now: Moment, _ turn: inout Turn) {
        let awaitedDisk = seat.lock.awaitsDisk
        carryOut(seat.handle(event, canStart: !desk.preferences.locker.isEmpty, at: now), at: now, &turn)
        if seat.lock.awaitsDisk != awaitedDisk {
            turn.send(awaitedDisk ? .stopTimer(.lockNote) : .startTimer(.lockNote, at: now + SessionLock.diskPatience))
        }
        noteAbandoned()
        guard seat.lock.isLocked != desk.isLocked else { return }
        desk.isLocked = seat.lock.isLocked
        turn.send(.power(desk.isLocked ? .locked : .unlocked))
        sound.handle(.screenLocked(desk.isLocked), for: &desk, at: now, &turn)
        turn.send(seat.lockChanged(at: now))
        guard desk.isLocked else { return }
        hands.dropEverything(&desk, at: now, &turn)
        desk.rest(false, at: now, &turn)
        desk.closeViews(at: now)
        desk.endSearch(at: now)
    }

    private mutating func carryOut(_ effects: [LockEffect], at now: Moment, _ turn: inout Turn) {
        for effect in effects {
            switch effect {
            case .note(let isLocked): turn.send(.noteLock(isLocked))
            case .start: turn.send(.startLocker(desk.preferences.locker))
            case .startAt(let moment): turn.send(moment.map { .startTimer(.locker, at: $0) } ?? .stopTimer(.locker))
            case .watch(let watch):
                turn.send(.client(.lock(effect)))
                turn.send(watch == .presentation ? .startTimer(.lockedFrame, at: now + SessionLock.patience) : .stopTimer(.lockedFrame))
            default: turn.send(.client(.lock(effect)))
            }
        }
    }

    mutating func followLocker(at now: Moment, _ turn: inout Turn) {
        carryOut(seat.followLocker(canStart: !desk.preferences.locker.isEmpty, at: now), at: now, &turn)
        noteAbandoned()
    }

    /// What a locked screen says while no locker holds the session.
    private mutating func noteAbandoned() {
        let notice: Interface.LockNotice? = !seat.lock.isAbandoned ? nil
            : desk.preferences.locker.isEmpty ? .noLocker : seat.lockerStarts.count > 1 ? .failing : .starting
        guard notice != desk.interface.lockNotice else { return }
        desk.interface.lockNotice = notice
        desk.revision &+= 1
    }

    /// What keeps the device from being idle may have come into sight, or gone.
    private mutating func followIdleness(at now: Moment, _ turn: inout Turn) {
        let windows = seat.idleness.hasInhibitors ? desk.workspace.shownWindows : []
        turn.send(seat.followSight(isHeld: life.lifecycle.keepsScreenOn || desk.showsFilm, windows: windows, at: now))
    }

    private mutating func setScreen(_ screen: Screen, at now: Moment, _ turn: inout Turn) {
        var screen = screen
        screen.reserved = seat.reserved
        screen.shape(by: desk.workspace.idiom)
        screen.round = desk.workspace.idiom.round?.inset
        guard screen != desk.workspace.screen else { return }
        hands.cancelGrab(&desk, at: now, &turn)
        placePanels(on: &screen, &turn)
        let isNew = desk.workspace.screen == nil
        desk.setScreen(screen, at: now)
        if isNew { turnScreen(&turn) }
    }

    private mutating func panelsChanged(at now: Moment, _ turn: inout Turn) {
        if let overlay = hands.pointer.overlay, !seat.takesInput(overlay) { hands.pointer.overlay = nil }
        for contact in hands.contacts { if let over = contact.over, !seat.takesInput(over) { hands.lose(over) } }
        guard var screen = desk.workspace.screen else { return }
        placePanels(on: &screen, &turn)
        guard screen != desk.workspace.screen else { return }
        desk.workspace.setScreen(screen)
        desk.fitViews(at: now)
    }

    private mutating func placePanels(on screen: inout Screen, _ turn: inout Turn) {
        for (id, frame) in seat.arrange(in: screen.size) { turn.send(.placePanel(id, frame)) }
        screen.reserved = seat.reserved
    }

    /// A finger or a button went down on what lies above everything, or (nil) elsewhere.
    private mutating func pressed(_ overlay: Overlay?, _ turn: inout Turn) {
        seat.pressed(overlay)
        lastSent.tellKeyboard(keyboard, &turn)
        // The text field that has the keyboard may be another one now.
        if overlay != nil { turn.ask(.settle()) }
    }
}

/// What other modules read.
extension System {
    public var workspace: Workspace { desk.workspace }
    public var stage: Stage { desk.stage }
    /// The shell's own views.
    public var interface: Interface { desk.interface }
    public var preferences: Preferences { desk.preferences }
    /// Grows when something may look different.
    public var revision: UInt64 { desk.revision }
    /// Which apps sound, how loud and where.
    public var audio: AudioSessions { sound.sessions }
    /// Grows when what is audible, or what the adapters are told about it, may have changed.
    public var soundRevision: UInt64 { sound.revision }
    /// Which apps run, and which are frozen.
    public var lifecycle: Lifecycle { life.lifecycle }
    /// What has to be kept for the next session (W-20).
    public var kept: KeptArrangement {
        var kept = life.kept(desk.workspace)
        kept.settledIdiom = choice.settled
        return kept
    }
    /// What is known of the hardware, and the idiom that it asks for.
    public var idiomChoice: IdiomChoice { choice }
    /// The pixels per point that a person chose; nil: none, or the configuration file says them.
    public var chosenScale: Double? { choices.scale }
    /// What a person chose, for the next session.
    public var chosen: [Choice] { Array(choices.chosen.values) }
    /// Notifications, and what a person prefers of them.
    public var notices: Notices { desk.notices.room }
    /// Whether a film, a call, a recording or a shared screen keeps notifications quiet (S-07).
    public var isBusyForNotices: Bool { desk.noticeSurroundings.isBusy }
    /// Whether a locker holds the session.
    public var isLocked: Bool { desk.isLocked }
    /// Whether a finger or the pointer is carrying something.
    public var isCarrying: Bool { hands.isCarrying }
    /// Whether a finger or the pointer's button holds one of the shell's own gestures.
    public var isGesturing: Bool { hands.isGesturing }
    /// Where typed text goes.
    public var keyboard: KeyboardTarget {
        seat.keyboard(window: desk.workspace.focus, isShell: desk.ownsKeys)
    }

    public func items(at now: Moment) -> [Item] { desk.items(at: now) }
    /// The shell's own views in their current state; nil while there is no screen.
    public func views(at now: Moment) -> Views? { desk.views(at: now) }
    /// What a finger, the keyboard or a screen reader can operate now, back to front.
    public func controls(at now: Moment) -> [ViewControl] { desk.controls(at: now) }
    /// Names what is in front, for screen readers.
    public func frontName(at now: Moment) -> Text { desk.frontName(at: now) }
    /// The actions of a control besides its press, for screen readers.
    public func spokenActions(of control: ViewControl, at now: Moment) -> [SpokenAction] { desk.views(at: now)?.spokenActions(of: control) ?? [] }
    public func isMoving(at now: Moment) -> Bool { desk.isMoving(at: now) }
    /// The rectangle a window takes on the screen right now.
    public func shownFrame(of id: WindowID, at now: Moment) -> Rect? { desk.stage.frame(of: id, at: now) }
    /// The rectangle in which its own content is drawn right now; smaller than its frame if the shapes differ.
    public func contentRect(of id: WindowID, at now: Moment) -> Rect? { desk.stage.contentRect(of: id, desk.workspace, at: now) }
    /// Where a window is visible right now, also while it is shown small; nil if no part of it is visible.
    public func seenFrame(of id: WindowID, at now: Moment) -> Rect? { desk.seenFrame(of: id, at: now) }
    /// The same for its own content.
    public func seenContent(of id: WindowID, at now: Moment) -> Rect? { desk.seenContent(of: id, at: now) }

    /// What does not fit in how an app presents a modal window (M-15).
    public func notes(of id: WindowID) -> [WindowNote] {
        let process = desk.workspace[id]?.facts.lineage.first
        return desk.workspace.notes(of: id, playsVideo: process.map(sound.sessions.playsVideo) ?? false)
    }

    /// What must hold after every event; empty if it does.
    public func violations() -> [String] {
        desk.violations() + hands.violations(desk) + seat.violations() + sound.sessions.violations()
            + life.violations(desk) + choices.violations() + (desk.isLocked == seat.lock.isLocked ? [] : ["the desk does not know whether the session is locked"])
    }
}
