import AudioSessions
import Geometry
import Interface
import OrderedCollections
import Seat
import Stage
import Windows

/// The whole system as one value: an event goes in, the state changes, a list of effects comes out.
///
/// It composes the rooms: routes an event to them in a fixed order and lets their effects meet. It reads no clock and
/// waits for nothing; two systems fed with the same events at the same moments are equal.
public struct System: Hashable, Codable, Sendable {
    public internal(set) var workspace: Workspace
    public internal(set) var stage = Stage()
    /// Who gets what a person types, and where panels of other programs stand.
    public internal(set) var seat = Seat()
    /// The shell's own views.
    public internal(set) var interface = Interface()
    /// Who sounds, how loud and where.
    public internal(set) var audio = AudioSessions()
    public internal(set) var preferences: Preferences
    /// Grows when something may look different, so that nobody has to compare pictures to know that nothing does.
    public internal(set) var revision: UInt64 = 0
    /// Grows when what is heard, or who is told of it, may be something else.
    public internal(set) var soundRevision: UInt64 = 0

    /// A locker holds the session.
    public internal(set) var isLocked = false

    var contacts: [Contact] = []
    var grab: Grab?
    var pointer = PointerState()
    var lastSent = LastSent()
    /// Keys whose press the shell took; their release is its own too.
    var swallowed: OrderedSet<UInt32> = []
    /// The Super key is down and nothing else was pressed since.
    var superAlone = false
    /// A key that goes on for as long as it is held.
    var repeating: RepeatingKey?

    /// What the adapters were last told, so that they are told only differences.
    struct LastSent: Hashable, Codable, Sendable {
        var focus: WindowID?
        var keyboard = KeyboardTarget.nobody
        var popupBounds: [WindowID: Rect] = [:]
        var announced: [WindowID: Announcement] = [:]
        var isWaiting = false
        var textEntry = false
        var isLaunching = false
        var isClosing = false
        /// The controls of a picture go away by themselves after a while.
        var isPipTimed: Bool?
        /// What the dots of all windows came back for last.
        var sight: Sight?
        /// Windows that were touched elsewhere than at their dots, a second ago at most.
        var touched: OrderedSet<WindowID>?
        /// A timer will turn dots from light to dark, or back.
        var isTurning: Bool?
        /// The list of keys was opened by holding the Super key, and goes with it.
        var helpByKey = false
        var appearance: Appearance?
        /// The apps in sight, as far as sound is concerned.
        var presences: [AudioPresence] = []
        /// A timer will bring the time of what plays up to date.
        var isCounting = false
        /// The app whose wish for the volume view was answered.
        var volumeViewOf: AudioApp?

        struct Announcement: Hashable, Codable, Sendable {
            var activated: Bool
            var shown: Bool
        }
    }

    public init(idiom: Idiom, preferences: Preferences = Preferences()) {
        workspace = Workspace(
            idiom: idiom, newWindows: preferences.newWindows, announcing: preferences.pictureInPicture)
        self.preferences = preferences
        audio = AudioSessions(idiom: AudioIdiom(rawValue: idiom.name) ?? .pad, preferences: preferences.audio)
    }

    // MARK: What is shown

    public func items(at now: Moment) -> [Item] {
        if isLocked { return lockedItems(at: now) }
        var own = Stage.Own()
        if let views = views(at: now) {
            own.home = views.home().items
            own.behind = views.behind().items
            own.middle = views.middle().items
            own.front = views.front().items
        }
        return stage.items(workspace, own: own, at: now)
    }

    /// The shell's own views as they stand; nil while there is no screen.
    public func views(at now: Moment) -> Views? {
        Views(
            interface, workspace, stage, preferences.appearance, audio: audio.summary, reducedMotion: preferences.reducedMotion, keys: interface.isHelpSeen ? keyLines : [], at: now)
    }

    /// What a finger, the keyboard or a screen reader can operate now, back to front.
    public func controls(at now: Moment) -> [ViewControl] { isLocked ? [] : views(at: now)?.operable() ?? [] }

    public func isMoving(at now: Moment) -> Bool { stage.isMoving(at: now) || interface.isMoving(at: now) }

    /// The rectangle a window takes on the screen right now.
    public func shownFrame(of id: WindowID, at now: Moment) -> Rect? { stage.frame(of: id, at: now) }

    /// Where its own picture is drawn right now; smaller than its frame when it does not fit its shape.
    public func pipRect(of id: WindowID, at now: Moment) -> Rect? { stage.pipRect(of: id, workspace, at: now) }

    /// Where a window is seen right now, also while it is shown small; nil while nothing is seen of it.
    public func seenFrame(of id: WindowID, at now: Moment) -> Rect? {
        stage.cardedFrame(of: id, workspace, at: now)?.frame ?? stage.frame(of: id, at: now)
    }

    /// The same of its own picture.
    public func seenPicture(of id: WindowID, at now: Moment) -> Rect? {
        stage.cardedFrame(of: id, workspace, at: now)?.picture ?? stage.pipRect(of: id, workspace, at: now)
    }

    /// A finger or the pointer has something in its hand that goes where it goes.
    public var isCarrying: Bool {
        grab?.isCarrying ?? false
    }

    /// A finger or the pointer's button is doing something of the shell's own.
    public var isGesturing: Bool { grab != nil }

    public func violations() -> [String] {
        var found = workspace.violations()
        if grab != nil, contacts.allSatisfy({ $0.owner != .shell }) { found.append("law 4: a grab that no finger holds") }
        var isFlipping = false
        if case .flip = grab { isFlipping = true }
        if let coming = stage.coming, !isFlipping { found.append("law 4: \(coming) comes and no finger flips the stack") }
        for id in stage.held where !(grab?.windows.contains(id) ?? false) && id != stage.coming { found.append("law 4: \(id) is held by nobody") }
        if workspace.windows.values.contains(where: { $0.heldSize != nil }), workspace.dividerDrag?.sent == nil {
            found.append("law 4: a picture is held after the resize ended")
        }
        if case .divider = grab {
            if workspace.dividerDrag == nil { found.append("law 4: a divider is held that is not dragged") }
        } else if workspace.dividerDrag != nil { found.append("law 4: a divider drag without a finger") }
        return found + seat.violations() + viewViolations() + audio.violations()
    }

    /// Of the shell's own views.
    private func viewViolations() -> [String] {
        var found: [String] = []
        func check(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { found.append(what()) } }
        for (id, card) in stage.cards {
            switch id {
            case .space(let space): check(workspace.space(space) != nil, "a card shows space \(space.raw), which is gone")
            case .window(let window): check(workspace[window]?.isMapped ?? false, "a card shows \(window), which is gone")
            }
            if card.isHeld { check(isHoldingCard, "law 4: a card is held by nobody") }
            if !card.isLeaving { check(interface.isOverviewOpen || isHoldingCard, "a card stays though no view shows it: \(id)") }
        }
        if interface.pressed != nil {
            if case .view = grab {} else { found.append("law 4: \(interface.pressed!) is pressed by nobody") }
        }
        if let sliding = interface.sliding {
            if case .slide(let slide) = grab, slide.id == sliding.id {} else { found.append("law 4: \(sliding.id) is in nobody's hand") }
        }
        if interface.lifted != nil {
            if case .icon = grab {} else { found.append("law 4: an icon is in nobody's hand") }
        }
        for window in interface.closing { check(workspace[window]?.isMapped ?? false, "\(window) is closing and gone") }
        for (id, card) in interface.launches where !card.isLeaving {
            check(workspace.admission.launches.contains { $0.id == id }, "the card of launch \(id.raw) belongs to none")
        }
        if let picking = interface.picking {
            check(workspace[picking.window]?.isMapped ?? false, "\(picking.window) waits for a partner and is gone")
            check(workspace.showsHome, "a partner is chosen where there is nothing to choose from")
        }
        check(interface.home.search == nil || workspace.showsHome, "a search goes on that nobody sees")
        check(lastSent.isLaunching == interface.launches.values.contains { !$0.isLeaving }, "law 4: the patience with launches is wrong")
        check(lastSent.isClosing == !interface.closing.isEmpty, "law 4: the patience with closing windows is wrong")
        check(!interface.isDockOpen || !workspace.showsHome, "the dock lies over the home screen, which has it")
        return found
    }

    private var isHoldingCard: Bool {
        switch grab {
        case .swipe, .carry: true
        default: false
        }
    }

    // MARK: What happens

    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        var effects: [Effect] = []
        guard !isDeaf(to: event) else { return [] }
        switch event {
        // Input first: most events are input, and most input changes nothing but where it goes.
        case .pointerMotion(let point): pointerMoved(to: point, at: now, &effects)
        case .pointerButton(let button, let pressed): pointerButton(button, pressed, at: now, &effects)
        case .pointerAxis(let axis): pointerScrolled(axis, at: now, &effects)
        case .pointerFrame: effects.append(.pointerFrame)
        case .touchMotion(let id, let point): touchMoved(id, to: point, at: now, &effects)
        case .touchDown(let id, let point): touchDown(id, at: point, now, &effects)
        case .touchUp(let id): touchUp(id, at: now, &effects)
        case .touchCancel(let id): touchTakenBack(id, at: now, &effects)
        case .touchFrame: effects.append(.touchFrame)
        case .key(let code, let symbol, let pressed, let modifiers, let text):
            key(code, symbol, pressed, modifiers, text ?? "", at: now, &effects)
        case .dotsGround(let id, let brightness): dotsGround(of: id, brightness, at: now, &effects)
        case .typedIntoApp: typedIntoApp(at: now)
        case .windowCommitted(let id, let commit):
            // Most commits bring a new picture and nothing else.
            guard !workspace.isKnown(commit, of: id) else { break }
            // An answer changes nothing when the window is hidden and nobody waits for it.
            let isQuiet = stage.shown[id] == nil && stage.cards.isEmpty && workspace.dividerDrag == nil
                && workspace.isAnswerAlone(commit, of: id)
            workspace.committed(id, commit)
            guard !isQuiet else { break }
            stepDivider(at: now, &effects)
            reconcile(at: now, &effects)
        case .windowCreated:
            change(event, at: now, &effects)
            // A new window shows nothing until it is mapped. But the card of a launch may have waited for it.
            if interface.launches.isEmpty {
                tellClients(&effects)
            } else {
                reconcile(at: now, &effects, isHoverSame: true)
            }
        case .windowDestroyed(let id):
            let isUnmapped = workspace[id]?.isMapped == false
            // Closing a hidden window changes nothing that clients know.
            let isQuiet = isUnmapped && !workspace.hasChildren && stage.shown[id] == nil && interface.launches.isEmpty
            change(event, at: now, &effects)
            guard !isQuiet else { break }
            reconcile(at: now, &effects, isHoverSame: isUnmapped)
        default:
            change(event, at: now, &effects)
            reconcile(at: now, &effects)
        }
        return effects
    }

    private mutating func change(_ event: Event, at now: Moment, _ effects: inout [Effect]) {
        let before = workspace.currentSpace?.windows
        defer {
            // The space under the finger is another one now.
            if grab?.isOfSpace ?? false, workspace.currentSpace?.windows != before { cancelGrab(at: now, &effects) }
        }
        switch event {
        case .screenChanged(let screen):
            var screen = screen
            screen.reserved = seat.reserved
            guard screen != workspace.screen else { return }
            cancelGrab(at: now, &effects)
            let old = workspace.screen?.bounds
            placePanels(on: &screen, &effects)
            workspace.setScreen(screen)
            if let old { stage.reshapeCards(from: old, to: screen.bounds, at: now, spring: spring) }
            fitViews(at: now)
        case .screenRemoved:
            cancelGrab(at: now, &effects)
            workspace.setScreen(nil)
        case .panelChanged(let id, let facts):
            seat.panelChanged(id, facts)
            panelsChanged(at: now, &effects)
        case .panelGone(let id):
            seat.panelGone(id)
            panelsChanged(at: now, &effects)
        case .panelPressed(let id): seat.pressed(id)
        case .x11MenusWantKeys(let want): seat.x11MenusWantKeys(want)
        case .windowCreated(let id, let facts): workspace.created(id, facts)
        case .windowRenamed(let id, let facts): workspace.renamed(id, facts)
        case .windowMapped(let id, let commit): windowComes(MappedWindow(id, commit), at: now)
        case .windowsMapped(let windows): for window in windows { windowComes(window, at: now) }
        case .windowAsked(let id, let request): asked(id, request, at: now, &effects)
        case .windowUnmapped(let id):
            windowLeaves(id, at: now, &effects)
            workspace.unmapped(id)
            // It is new to taskbars when it comes again.
            lastSent.announced[id] = nil
        case .windowDestroyed(let id):
            windowLeaves(id, at: now, &effects)
            workspace.destroyed(id)
            lastSent.popupBounds[id] = nil
            lastSent.announced[id] = nil
        case .windowPlaced(let id, let origin): workspace.place(id, at: origin)
        case .popupsChanged(let id, let bounds, let grab): workspace.popupsChanged(id, bounds: bounds, grab: grab)
        case .activationAsked(let id, let recent, let launch):
            workspace.activationAsked(id, hasRecentSerial: recent, launch: launch, at: now)
        case .launched(let id, let process): workspace.launched(id, process: process)
        case .launchFailed(let id, let reason):
            launchFailed(id, .verbatim(reason), at: now)
            workspace.launchFailed(id)
            effects.append(.refuse(Refusal(reason)))
        case .launchEnded(let id, let status, let signal, let says):
            workspace.launchEnded(id, failed: signal != nil || (status ?? 0) != 0)
            launchEnded(id, status: status, signal: signal, says: says, at: now, &effects)
        case .appsChanged(let apps): workspace.setApps(apps)
        case .typed(let text): typed(text, at: now)
        case .erased(let count): erased(count, at: now)
        case .screenAsked(let request, let wish, let test):
            effects.append(.answerScreen(request, System.isPossible(wish) ? wish : nil, test: test))
        case .locked(let locked): setLocked(locked, at: now, &effects)
        case .audio(let event): handleAudio(event, at: now, &effects)
        case .action(let action):
            guard allowsWhileLocked(action) else { return effects.append(.refuse(Refusal(WhileLocked.refusal))) }
            do { try perform(action, at: now, &effects) } catch { effects.append(.refuse(error)) }
        case .timer(.dividerPatience): stepDivider(at: now, &effects)
        case .timer(.layoutPatience):
            // The divider has a patience of its own.
            if workspace.dividerDrag?.sent == nil { workspace.giveUpWaiting() }
            lastSent.isWaiting = false
        case .timer(.longPress): longPressed(at: now, &effects)
        case .timer(.swipeHold): swipeHeld(at: now, &effects)
        case .timer(.superHeld): superHeld(at: now)
        case .timer(.closePatience): closePatienceEnded(at: now)
        case .timer(.launchPatience): launchPatienceEnded(at: now)
        case .timer(.audioFade): handleAudio(.timer(.fade), at: now, &effects)
        case .timer(.audioDeafPlayer): handleAudio(.timer(.deafPlayer), at: now, &effects)
        case .timer(.audioVolumeShown): handleAudio(.timer(.volumeShown), at: now, &effects)
        case .timer(.audioRouteSettled): handleAudio(.timer(.routeSettled), at: now, &effects)
        case .timer(.dotsTouch): dotsTouchEnded(at: now)
        case .timer(.dotsTurn):
            lastSent.isTurning = nil
            turnDots(at: now, &effects)
        case .timer(.pipControls): pipControlsTimeOut(at: now)
        case .timer(.audioHintsFell): handleAudio(.timer(.hintsFell), at: now, &effects)
        case .timer(.keyRepeat): repeatKey(at: now, &effects)
        case .timer(.playing): lastSent.isCounting = false
        case .configured(let new):
            preferences = new
            handleAudio(.configured(new.audio), at: now, &effects)
            workspace.setAdmission(new.newWindows, announcing: new.pictureInPicture)
        case .windowCommitted, .dotsGround, .typedIntoApp, .touchDown, .touchMotion, .touchUp, .touchCancel, .touchFrame, .pointerMotion,
            .pointerButton, .pointerAxis, .pointerFrame, .key:
            break
        }
    }

    var spring: Spring {
        guard !preferences.reducedMotion else { return .instant }
        return Spring(response: Spring.layout.response / preferences.animationSpeed, damping: Spring.layout.damping)
    }

    private mutating func windowComes(_ window: MappedWindow, at now: Moment) {
        workspace.mapped(window.id, window.commit, at: now)
        // A person asked for it, so it is what they want to see.
        if interface.isOverviewOpen, workspace.focus == window.id { closeOverview(at: now) }
    }

    /// A window goes: fingers on it end, pictures held for it are released (law 4).
    private mutating func windowLeaves(_ id: WindowID, at now: Moment, _ effects: inout [Effect]) {
        if let window = workspace[id], window.isMapped { handleAudio(.windowClosed(presence(of: window)), at: now, &effects) }
        let isUnder = grab?.isOfSpace ?? false && workspace.currentSpace?.contains(id) ?? false
        if let grab, isUnder || grab.windows.contains(id) { cancelGrab(at: now, &effects) }
        if workspace.dividerDrag == nil { releaseHeld(&effects) }
        let touched = contacts.indices.filter { contacts[$0].owner == .client(id) }
        for index in touched {
            contacts[index].owner = .nobody
            effects.append(.touchUp(contacts[index].id))
        }
        if !touched.isEmpty { effects.append(.touchFrame) }
        if pointer.deferred?.window == id { pointer.deferred = nil }
        if pointer.grabbed == id { releasePointer(.arrow, &effects) }
        if pointer.over == .window(id) { pointer.over = .nothing }
        if workspace.admission.lastInput?.window == id { workspace.forgetInput() }
    }

    // MARK: Effects that follow from the state

    /// Brings everything in line with the state after a change: tells clients what is new for them and sends what is shown
    /// towards its new place. `isHoverSame`: nothing can have come under a resting pointer.
    mutating func reconcile(
        at now: Moment, _ effects: inout [Effect], thrown: WindowID? = nil, isHoverSame: Bool = false
    ) {
        revision &+= 1
        if workspace.dividerDrag == nil { releaseHeld(&effects) }
        workspace.setDockArea(workspace.hasFloating ? views(at: now)?.dockArea : nil)
        let isTold = tellClients(&effects)
        if lastSent.focus != workspace.focus {
            lastSent.focus = workspace.focus
            dismissPopups(outside: workspace.focus.map(workspace.root), &effects)
            seat.leavePanel()
        }
        syncInterface(at: now, &effects)
        tellKeyboard(&effects)
        stage.update(workspace, at: now, spring: spring, thrown: thrown)
        followArrangement(at: now, &effects)
        stage.forgetFinished(at: now)
        tellPopupBounds(&effects)
        announce(&effects)
        tellPresences(at: now, &effects)
        waitForAnswers(isTold, at: now, &effects)
        if !isLocked, !isHoverSame { refreshHover(at: now, &effects) }
    }

    /// Who gets what is typed.
    public var keyboard: KeyboardTarget { seat.keyboard(window: workspace.focus, isShell: ownsKeys, isLocked: isLocked) }

    private mutating func tellKeyboard(_ effects: inout [Effect]) {
        guard keyboard != lastSent.keyboard else { return }
        lastSent.keyboard = keyboard
        effects.append(.keyboardFocus(keyboard))
    }

    // MARK: Panels

    private mutating func placePanels(on screen: inout Screen, _ effects: inout [Effect]) {
        for (id, frame) in seat.arrange(in: screen.size) { effects.append(.placePanel(id, frame)) }
        screen.reserved = seat.reserved
    }

    private mutating func panelsChanged(at now: Moment, _ effects: inout [Effect]) {
        guard var screen = workspace.screen else { return }
        placePanels(on: &screen, &effects)
        guard screen != workspace.screen else { return }
        workspace.setScreen(screen)
        fitViews(at: now)
    }

    /// A finger or a button went down somewhere else than on a panel.
    mutating func leavePanel(_ effects: inout [Effect]) {
        seat.leavePanel()
        tellKeyboard(&effects)
    }

    /// Tells clients what differs from what they were told last (W-10). True if any client got a new size or state.
    @discardableResult
    private mutating func tellClients(_ effects: inout [Effect]) -> Bool {
        var isTold = false
        for telling in workspace.configures() {
            switch telling {
            case .configure(let id, let configure):
                effects.append(.configure(id, configure))
                isTold = true
            case .place(let id, let origin): effects.append(.place(id, origin))
            }
        }
        return isTold
    }

    private mutating func tellPopupBounds(_ effects: inout [Effect]) {
        guard let screen = workspace.screen else { return }
        for (id, shown) in stage.shown where shown.level != .leaving {
            guard let window = workspace[id], window.isMapped, !window.pictureSize.isEmpty else { continue }
            let picture = stage.pipRect(of: window, in: shown.place, place: shown.place)
            let bounds = Rect(origin: .zero, size: window.pictureSize).map(screen.usable, from: picture).rounded
            if lastSent.popupBounds[id] != bounds {
                lastSent.popupBounds[id] = bounds
                effects.append(.popupBounds(id, bounds))
            }
        }
    }

    private mutating func announce(_ effects: inout [Effect]) {
        let shown = workspace.shownWindows
        // Only windows that are shown, were shown or are new can have changed.
        var asked = workspace.newestMapped(workspace.mappedCount - lastSent.announced.count) { lastSent.announced[$0] == nil }
        for (id, announcement) in lastSent.announced where announcement.shown || announcement.activated { asked.append(id) }
        for id in shown where lastSent.announced[id] != nil { asked.append(id) }
        if let focus = workspace.focus, lastSent.announced[focus] != nil { asked.append(focus) }
        var changed: [(place: Int, id: WindowID, announcement: LastSent.Announcement)] = []
        for id in asked {
            let now = LastSent.Announcement(activated: workspace.focus == id, shown: shown.contains(id))
            guard lastSent.announced[id] != now, let place = workspace.windows.index(forKey: id), workspace.windows.values[place].isMapped
            else { continue }
            lastSent.announced[id] = now
            changed.append((place, id, now))
        }
        changed.sort { $0.place < $1.place }
        for (_, id, now) in changed { effects.append(.announce(id, activated: now.activated, shown: now.shown)) }
    }

    /// After a change of layout, a client that does not answer is shown as it is after the same 300 ms.
    private mutating func waitForAnswers(_ isTold: Bool, at now: Moment, _ effects: inout [Effect]) {
        guard workspace.dividerDrag == nil else { return }
        let isWaiting = stage.shown.contains { $0.value.level != .leaving && workspace[$0.key]?.isAwaited ?? false }
        if isWaiting, isTold || !lastSent.isWaiting {
            effects.append(.startTimer(.layoutPatience, at: now + DividerDrag.patience))
        } else if !isWaiting, lastSent.isWaiting {
            effects.append(.stopTimer(.layoutPatience))
        }
        lastSent.isWaiting = isWaiting
    }

    mutating func releaseHeld(_ effects: inout [Effect]) {
        for id in workspace.releaseAll() { effects.append(.release(id)) }
    }
}
