import AudioSessions
import Geometry
import Interface
import Notices
import Seat
import Windows

/// The step after the rooms took an event.
enum Ending: Equatable {
    /// Nothing needs another room.
    case nothing
    /// Clients may be owed a configure, and nothing looks different.
    case tellsClients
    /// Everything settles, after the wishes that came before.
    case settles
    /// `isHoverSame`: nothing new can be under a resting pointer.
    case settlesAtOnce(isHoverSame: Bool = false)
    /// The same, without animations.
    case settlesWhereItWas
}

/// The table of events: which rooms each one concerns, in which order, and the ending. Timers have a table of their own
/// (`timerFired`), and so have the effects of rooms (`RoomEffect`).
extension System {
    mutating func route(_ event: Event, at now: Moment, _ turn: inout Turn) -> Ending {
        switch event {
        // Input first: most events are input, and most input changes nothing but where it goes.
        case .pointerMotion(let point, let overlay):
            hands.pointerMoved(to: point, over: overlay.flatMap { seat.takesInput($0) ? $0 : nil }, &screenful, at: now, &turn)
            return .nothing
        case .pointerButton(let button, let pressed):
            if pressed, !hands.pointer.buttons.contains(button) {
                self.pressed(hands.overlayUnderPointer, &turn)
                touchesPanel(hands.overlayUnderPointer, at: now)
            }
            hands.pointerButton(button, pressed, &screenful, at: now, &turn)
            return .nothing
        case .pointerAxis(let axis):
            hands.pointerScrolled(axis, &screenful, at: now, &turn)
            return .nothing
        case .pointerFrame:
            turn.send(.pointerFrame)
            return .nothing
        case .touchMotion(let id, let point):
            hands.touchMoved(id, to: point, &screenful, at: now, &turn)
            return .nothing
        case .touchDown(let id, let point, let overlay):
            let overlay = overlay.flatMap { seat.takesInput($0) ? $0 : nil }
            if hands.isNew(id) {
                pressed(overlay, &turn)
                touchesPanel(overlay, at: now)
            }
            let isEdge = overlay.map { seat.leavesEdge($0) && Views.isLowerEdge(point, screenful.workspace) } ?? false
            hands.touchDown(id, at: point, over: overlay, isEdge: isEdge, &screenful, now, &turn)
            return .nothing
        case .touchUp(let id):
            leavesPanel(id, at: now)
            hands.touchUp(id, &screenful, at: now, &turn)
            return .nothing
        case .touchCancel(let id):
            hands.touchTakenBack(id, &screenful, at: now, &turn)
            return .nothing
        case .touchFrame:
            turn.send(.touchFrame)
            return .nothing
        case .key(let code, let symbol, let pressed, let modifiers, let text, let others):
            let key = Key(
                code: code, symbol: symbol, isPressed: pressed, modifiers: modifiers.intersection(.chords), text: text ?? "",
                others: others ?? [])
            hands.key(key, for: lastSent.keyboard, &screenful, at: now, &turn)
            return .nothing
        case .idle(let event):
            turn.send(seat.handle(event, at: now))
            followIdleness(at: now, &turn)
            return .nothing
        case .copying(let event):
            turn.send(seat.handle(event, at: now))
            return .nothing
        case .capture(let event):
            seat.handle(event, at: now)
            screenful.sight.sharers = seat.sharing.clients
            screenful.sight.lock.isPictured = seat.sharing.isPictured
            screenful.drawsAnew()
            return screenful.interface.isSensorListOpen ? .settles : .nothing
        case .dotsGround(let id, let brightness):
            ground(of: id, brightness, isBar: false, at: now, &turn)
            return .nothing
        case .barGround(let id, let brightness):
            ground(of: id, brightness, isBar: true, at: now, &turn)
            return .nothing
        case .typedIntoApp:
            screenful.typedIntoApp(at: now)
            return .nothing
        case .bellRung(let id, let client):
            sound.bellRung(id, client, for: &screenful, at: now, &turn)
            return .nothing
        case .programTyped(let client, let process, let asks):
            programTyped(client, process, asks: asks, at: now, &turn)
            return .nothing
        case .pinchablesChanged(let id, let items):
            hands.pinchablesChanged(items, of: id, &screenful, at: now, &turn)
            return .nothing
        case .screenChanged(let screen):
            setScreen(screen, at: now, &turn)
            followHardware(at: now, &turn)
        case .screenRemoved:
            hands.cancelGrab(&screenful, at: now, &turn)
            screenful.workspace.setScreen(nil)
            followHardware(at: now, &turn)
        case .screenLit(let isLit):
            screenful.sight.isLit = isLit
            powerButton(.lit(isLit), at: now, &turn)
            if !isLit {
                overLock(.back, at: now, &turn)
                endTry(at: now, &turn)
            }
            followHardware(at: now, &turn)
        case .sessionActive(let isActive):
            guard isActive == isAway else { return .nothing }
            isAway = !isActive
            // A person who is not there hears nothing of it.
            turn.ask(.sound(isAway || !screenful.sight.isAwake ? .goesToSleep : .wokeUp))
        case .powerButton(let isDown):
            guard screenful.preferences.lock.powerButton else { return .nothing }
            powerButton(isDown ? .pressed : .released, at: now, &turn)
        case .hardware(let event): hardware(event, at: now, &turn)
        case .panelChanged(let id, let facts):
            seat.panelChanged(id, facts)
            panelsChanged(at: now, &turn)
        case .panelGone(let id):
            seat.panelGone(id)
            panelsChanged(at: now, &turn)
        case .x11MenusWantKeys(let want): seat.x11MenusWantKeys(want)
        case .windowCreated(let id, let facts):
            screenful.workspace.created(id, facts)
            // A new window shows nothing until it is mapped, but the card of a launch may have waited for it.
            return screenful.interface.launches.isEmpty ? .tellsClients : .settlesAtOnce(isHoverSame: true)
        case .windowRenamed(let id, let facts):
            screenful.workspace.renamed(id, facts, at: now)
            hintsChanged(id, at: now, &turn)
            life.windowRenamed(id, on: &screenful, at: now, &turn)
        case .windowMapped(let id, let commit): windowComes(MappedWindow(id, commit), at: now, &turn)
        case .windowsMapped(let windows): for window in windows { windowComes(window, at: now, &turn) }
        case .windowAsked(let id, let request): hands.asked(id, request, &screenful, at: now, &turn)
        case .windowUnmapped(let id):
            life.leavePlaceholder(for: id, on: &screenful)
            windowLeaves(id, at: now, &turn)
            screenful.workspace.unmapped(id, at: now)
            lastSent.windowUnmapped(id)
        case .clientGone(let client):
            life.clientGone(client, screenful)
            turn.send(seat.clientGone(client))
            screenful.interface.unheardMethods?.clientGone(client)
            return screenful.workspace.clientGone(client) ? .settles : .nothing
        case .windowDestroyed(let id):
            let isUnmapped = workspace[id]?.isMapped == false
            // Closing a hidden window changes nothing that clients were sent.
            let isQuiet =
                isUnmapped && !screenful.workspace.hasChildren && screenful.stage.shown[id] == nil && screenful.interface.launches.isEmpty
            windowLeaves(id, at: now, &turn)
            screenful.workspace.destroyed(id, at: now)
            lastSent.windowDestroyed(id)
            return isQuiet ? .nothing : .settlesAtOnce(isHoverSame: isUnmapped)
        case .windowCommitted(let id, let commit):
            guard screenful.changes(id, commit) else { return .nothing }
            stepDivider(at: now, &turn)
            return .settlesAtOnce()
        case .windowPlaced(let id, let origin): screenful.workspace.place(id, at: origin)
        case .menusChanged(let id, let menus): screenful.workspace.menusChanged(id, menus)
        case .popupsChanged(let id, let boxes, let grab): screenful.workspace.popupsChanged(id, boxes: boxes, grab: grab)
        case .activationAsked(let id, let recent, let launch):
            screenful.workspace.activationAsked(id, hasRecentSerial: recent, launch: launch, at: now)
            if let launch { showsToken(of: launch, id, at: now, &turn) }
            announceRefused(id, at: now, &turn)
        case .tokenShownAgain(let id, let launch, let window):
            screenful.workspace.tokenShownAgain(id, launch: launch, usedFor: window, at: now)
            announceRefused(id, at: now, &turn)
        case .showAsked(let process, let callers):
            if !screenful.isLocked { screenful.workspace.showAsked(of: process, by: callers, at: now) }
        case .launched(let id, let process):
            screenful.workspace.launched(id, process: process)
            overLock(.launched(id, process: process), at: now, &turn)
            guard let launch = workspace.launches[id] else { return .settles }
            life.launched(process, app: screenful.workspace.entry(of: launch) ?? "", &screenful, at: now, &turn)
        case .beginsWith(let command, let isAgain): beginWith(command, isAgain: isAgain, at: now, &turn)
        case .timeIs(let time):
            let isFirst = status.time == nil
            status(.time(time), at: now, &turn)
            if screenful.interface.isResting { screenful.interface.timeIs(time) }
            return isFirst ? .settles : .nothing
        case .status(let event):
            status(event, at: now, &turn)
            return .nothing
        case .wireless(let event): wireless(event, at: now, &turn)
        case .pairing(let event): pairing(event, at: now, &turn)
        case .turning(let event): turning(event, at: now, &turn)
        case .nightLight(let event): nightLight(event, at: now, &turn)
        case .cameras(let apps): uses(.camera, apps, at: now)
        case .drives(let event): drives(event, at: now, &turn)
        case .locating(let event): locating(event, at: now, &turn)
        case .keptStates(let event): keptStates(event, at: now, &turn)
        case .prompts(let event): prompts(event, at: now, &turn)
        case .tray(let event): tray(event, at: now, &turn)
        case .shortcuts(.bound(let session, let app, let given, let refused)):
            bindShortcuts(session, of: app, given, refused: refused, at: now, &turn)
            return .nothing
        case .shortcuts(.ended(let session)):
            shortcuts(.ended(session), at: now, &turn)
            return .nothing
        case .settingFacts(let facts):
            screenful.sight.facts = facts
            screenful.drawsAnew()
            return .nothing
        case .launchFailed(let id, let reason):
            startUp(.ended(id, failed: true), at: now, &turn)
            overLock(.ended(id, failed: true), at: now, &turn)
            launchFailed(id, .verbatim(reason), at: now, &turn)
            screenful.workspace.launchFailed(id)
            turn.send(.refuse(Refusal(reason)))
        case .launchEnded(let id, let status, let signal, let says):
            life.programEnds(id, &screenful, at: now, &turn)
            let crashing = life.launchEnded(id, status: status, signal: signal, &screenful, at: now)
            let hasFailed = signal != nil || (status ?? 0) != 0
            screenful.workspace.launchEnded(id, failed: hasFailed)
            startUp(.ended(id, failed: hasFailed), at: now, &turn)
            overLock(.ended(id, failed: hasFailed), at: now, &turn)
            launchEnded(id, status: status, signal: signal, says: says, at: now, &turn)
            if let crashing { askAboutState(of: crashing, at: now, &turn) }
        case .appsChanged(let apps): screenful.workspace.setApps(apps)
        case .typed(let text): screenful.typed(text, at: now)
        case .erased(let count): screenful.erased(count, at: now)
        case .screenAsked(let request, let wish, let test):
            turn.send(.answerScreen(request, wish.isPossible ? wish : nil, test: test))
        case .lock(let event): lock(event, at: now, &turn)
        case .finger(let event): finger(.reader(event), at: now, &turn)
        case .lockScreen(let event):
            let wasLocked = screenful.isLocked
            lockScreen(event, at: now, &turn)
            return screenful.isLocked == wasLocked ? .nothing : .settles
        case .audio(let event):
            if case .categoriesChanged(let categories) = event { life.categoriesChanged(categories) }
            sound.handle(event, for: &screenful, at: now, &turn)
            if case .coverClosed(true) = event { locksForSleep(at: now, &turn) }
        case .restored(let kept, let first):
            idiomRestored(kept, at: now, &turn)
            screenful.workspace.restore(kept, first: first, at: now)
            startLost(&turn)
            if workspace.hasRunningPrograms {
                turn.send(.startTimer(.screen(.reconnectPatience), at: now + workspace.idiom.life.reconnectPatience))
            }
            return .settlesWhereItWas
        case .outlivedProgramEnded(let process):
            screenful.workspace.forgetRunningPrograms(process)
            startLost(&turn)
        case .windowsSetAside(let count): windowsSetAside(count, at: now)
        case .storeTrouble(let trouble): alert(trouble.alert, stays: true, at: now)
        case .storeKeepsAgain: alerts(.withdrawn(StoreTrouble.passing), at: now)
        case .filesWrong(let troubles):
            let news = files.take(troubles)
            alerts(.withdrawn(news.gone), at: now)
            for alert in news.new { self.alert(alert, stays: true, at: now) }
        case .pictureKept(let id, let name):
            screenful.workspace.pictureKept(id, name)
            life.pictureKept(id, name)
        case .programKnown(let app, let command, let directory, let started):
            life.programKnown(app, command, directory, started)
            screenful.workspace.programKnown(app.head, command, at: now)
        case .life(let event): life.handle(event, for: &screenful, at: now, &turn)
        case .screenKeyboard(let isShown): screenKeyboardIs(isShown, at: now, &turn)
        case .inputMethodUnheard(let name, let client, let present):
            var unheard = screenful.interface.unheardMethods ?? UnheardMethods()
            unheard.add(name, client: client, present: present)
            screenful.interface.unheardMethods = unheard
        case .windowSilent(let id): windowSilent(id, at: now)
        case .viewAsked(let view): askedForView(view, at: now, &turn)
        case .filesAsked(let request): askedForFiles(request, at: now, &turn)
        case .handedOver(let items): open(items, at: now, &turn)
        case .sharingFailed(let target, let trouble): sharingFailed(target, trouble, at: now)
        case .choices(let event): handle(event, at: now, &turn)
        case .notice(let event): handle(event, at: now, &turn)
        case .viewWithdrawn(let id): modality(.withdrawn(id), at: now, &turn)
        case .power(let event):
            screenful.sight.isAwake = event != .sleeps
            if event == .sleeps {
                overLock(.back, at: now, &turn)
                locksForSleep(at: now, &turn)
            }
            if event == .woke { powerButton(.woke, at: now, &turn) }
            life.handle(event, for: &screenful, at: now, &turn)
            if isAway { turn.ask(.sound(.goesToSleep)) }
            followHardware(at: now, &turn)
        case .idiomsKnown(let idioms): idiomsKnown(idioms, at: now, &turn)
        case .action(let action):
            guard !screenful.isLocked || mayAct(action, at: now) else {
                turn.send(.refuse(Refusal(WhileLocked.refusal)))
                return .settles
            }
            hands.attempt(action, &screenful, at: now, &turn)
        case .timer(let timer): timerFired(timer, at: now, &turn)
        case .configured(let new):
            choices(.configured(new), at: now, &turn)
            idiomConfigured(at: now, &turn)
            followLocker(at: now, &turn)
        }
        return .settles
    }

    /// Whether an action is carried out in a locked session.
    private func mayAct(_ action: Action, at now: Moment) -> Bool {
        switch WhileLocked.deed(of: action) {
        case .done: return true
        case .refused: return false
        case .onCard:
            guard case .press(let view) = action else { return true } // the screen knows the cards
            return screenful.controls(at: now).contains { $0.id == view && $0.press != nil }
        }
    }
}
