import Geometry
import Interface
import Lifecycle
import Locking
import Modality
import Multitasking
import Notices
import Seat
import Seeded
import Status
import Windows

/// Each seed gives the same run of a test.
public typealias SeededGenerator = SeededRandom

/// Generates the next op, likely ones more often than unlikely ones.
public struct CoreGenerator: Sendable {
    private var random: SeededGenerator
    private var nextWindow: UInt32 = 1
    private var recent: [UInt32] = []
    private var lastView: UInt32 = 0
    private var isLocked = false
    private var owed: [CoreOp] = []

    /// Whether every now and then another idiom begins.
    private let switchesIdioms: Bool

    public init(seed: UInt64, switchesIdioms: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.switchesIdioms = switchesIdioms
    }

    /// The world is a new one: no windows are open, and numbers begin again.
    public mutating func forget() {
        nextWindow = 1
        recent.removeAll()
        isLocked = false
        owed.removeAll()
    }

    private mutating func pick<T>(_ values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }
    private mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }
    private mutating func share() -> Double { Double(random.next() % 1001) / 1000 }

    /// Mostly one that exists.
    private mutating func window() -> UInt32 {
        recent.isEmpty || chance(3) ? UInt32(random.next() % UInt64(nextWindow + 2)) : pick(recent)
    }

    private mutating func named() -> WindowID? { chance(50) ? nil : WindowID(window()) }

    private mutating func size() -> Size {
        chance(10)
            ? pick([Size(0, 0), Size(1, 1), Size(5000, 20), Size(20, 5000)])
            : Size(Double(random.next() % 1400 + 1), Double(random.next() % 1400 + 1))
    }

    private mutating func spot() -> CoreSpot {
        switch random.next() % 32 {
        case 20, 21, 22, 23: .edge(.bottom)
        case 24: .edge(.top)
        case 25, 26, 27: .control(Int(random.next() % 40))
        case 28: .view("switcher/space", Int(random.next() % 4))
        case 29: .view("dock/", Int(random.next() % 6))
        case 30: .view("home/", Int(random.next() % 6))
        case 31: chance(50) ? .view("controls/", Int(random.next() % 10)) : .view(chance(60) ? "modal/" : "noti", Int(random.next() % 8))
        case 0, 1, 2: .divider
        case 3, 4: .grip(Int(random.next() % 2))
        case 5, 6: .inside(Int(random.next() % 2))
        case 7: .cardTop
        case 8: .cardBottom
        case 9: .cardMiddle
        case 10: .slideOverHandle
        case 11, 12: .picture
        case 13: .pipTab
        case 14, 15: .edge(pick(Side.allCases))
        case 16: .corner(pick(Corner.allCases))
        default: .share(share(), share())
        }
    }

    private mutating func lockScreenEvent() -> LockScreenEvent {
        let point = Point(Double(random.next() % 1180), Double(random.next() % 820))
        switch random.next() % 12 {
        case 0: return .input(.down(finger(), at: point))
        case 1: return .input(.moved(finger(), to: point))
        case 2: return .input(.up(finger()))
        case 3: return .input(.cancelled(finger()))
        case 4: return .input(.scrolled(Double(random.next() % 80) - 40))
        case 5, 6: return .input(.key(.space, text: pick(["a", "5", "é", ""])))
        case 7: return .input(.key(pick([.enter, .escape, .backspace, .leftArrow, .downArrow, .tab]), text: nil))
        case 8: return .talk(UInt64(random.next() % 8) + 1, .asks("Password: ", isShown: chance(10)))
        case 9: return .talk(UInt64(random.next() % 8) + 1, .says(pick(["", "The account is locked"]), isTrouble: chance(50)))
        case 10: return .talk(UInt64(random.next() % 8) + 1, .ends(pick([.refused, .closed, .broken("dead")])))
        default: return pick([.lockAsked, .unlockAsked, .triedBefore(2)])
        }
    }

    private mutating func lock() -> CoreOp {
        isLocked = true
        if chance(40) { return .action(.lockScreen(.lock)) }
        return .lock(.asked(LockerID(1), isDark: chance(50)))
    }

    /// Returns an op of a locked session. The lock is short, because little happens behind it.
    private mutating func behindLock() -> CoreOp {
        let id = LockerID(UInt32(random.next() % 2) + 1)
        switch random.next() % 18 {
        case 0: return .lock(.asked(id, isDark: chance(50)))
        case 1: return .lock(.gone(id))
        case 2: return .lock(.unlocked(id))
        case 3, 4: return .lock(.frameSubmitted)
        case 5: return .lock(.frameSeen)
        case 6: return .lock(.frameLost)
        case 7: return .lock(.dark)
        case 8: return .lock(chance(50) ? .found : .noted)
        case 9: return .lock(.startedEnded)
        case 10, 11: return noticeStep()
        case 13, 14: return .lockScreen(lockScreenEvent())
        case 12: return .lock(.tapped(at: Point(Double(random.next() % 1180), Double(random.next() % 200))))
        default:
            // The holder of the lock dies, and the next locker unlocks.
            isLocked = false
            let events: [LockEvent] = [
                .gone(LockerID(1)), .gone(LockerID(2)), .asked(LockerID(3), isDark: true), .unlocked(LockerID(3)), .gone(LockerID(3)),
            ]
            // The lock screen of the shell took over from it.
            owed = events.map { .lock($0) } + [.unlockOwn]
            return .lock(.frameSubmitted)
        }
    }

    private mutating func finger() -> Int32 { Int32(random.next() % 3) }

    public mutating func next() -> CoreOp {
        if switchesIdioms, chance(4) { return .action(familyAction()) }
        if switchesIdioms, chance(5) { return .action(.idiom(chance(8) ? pick(["kiosk", "car"]) : pick(Idiom.all.map(\.name)))) }
        // A person at a television or a watch: arrows, OK, back, home, the crown.
        if switchesIdioms, chance(3) {
            return .key(
                pick([
                    KeyChord(modifiers: [], symbol: .back), KeyChord(modifiers: [], symbol: .homePage),
                    KeyChord(modifiers: [], symbol: .enter), KeyChord(modifiers: [], symbol: .remoteMenu),
                    KeyChord(modifiers: [], symbol: .green),
                    KeyChord(modifiers: [], symbol: .yellow), "Down", "Right", "Left",
                ]), pressed: chance(60))
        }
        if !owed.isEmpty { return owed.removeFirst() }
        if isLocked, chance(25) { return behindLock() }
        if recent.count < 3, chance(30) { return create() }
        switch random.next() % 100 {
        case 0..<3: return recent.count < 9 ? create() : chance(50) ? .destroy(window()) : .disconnect(window())
        case 3..<9: return .map(window())
        case 9: return .mapTogether([window(), window(), window()])
        case 10..<12: return .unmap(window())
        case 12..<14:
            let id = window()
            recent.removeAll { $0 == id }
            return .destroy(id)
        case 14..<16: return .rename(window(), parent: chance(60) ? window() : nil, app: Int(random.next() % 8))
        case 16..<22: return .answer(window())
        case 22..<26: return .answerAll
        case 26: return .answerOld(window())
        case 27: return .ownSize(window(), size())
        case 28: return chance(60) ? .minimum(window(), size()) : .pinchables(window(), Int(random.next() % 5))
        case 29..<31: return .popups(window(), chance(40) ? .zero : Rect(-20, 40, 200, 300), grab: chance(50))
        case 31..<34: return .ask(window(), request())
        case 34..<38: return .activation(window(), recent: chance(60), launch: chance(30) ? UInt32(random.next() % 4) : nil)
        case 38: return chance(40) ? launchStep() : viewStep()
        case 39..<45: return .action(action())
        case 45..<56: return .action(viewAction())
        case 56..<58: return .key(pick(KeyBinding.standard).chord, pressed: chance(60))
        case 58..<62: return viewKey()
        case 62..<68: return .down(finger(), spot())
        case 68..<74: return .move(finger(), spot())
        case 74..<77: return .nudge(finger(), Vector(share() * 80 - 40, share() * 80 - 40))
        case 77..<81: return .lift(finger())
        case 81: return .take(finger())
        case 82..<87: return .drag(finger(), spot(), to: spot(), pick([40, 150, 600]))
        case 87: return .drag(finger(), .edge(.bottom), to: .share(share(), share()), pick([1, 40, 150, 600]))
        case 88: return chance(80) ? .point(spot()) : .ground(window(), share())
        case 89:
            return chance(40) ? .point(spot()) : .spread(chance(70) ? .inside(Int(random.next() % 2)) : spot(), pick([10, 80, 200, 600]))
        case 90..<93: return .button(pick([0x110, 0x110, 0x110, 0x111]), pressed: chance(50))
        case 93: return chance(40) ? .scroll : lifeStep()
        case 94: return screen()
        case 95 where chance(60): return chance(40) ? idleStep() : chance(30) ? copyStep() : chance(50) ? noticeStep() : panelStep()
        case 95: return .reserved(pick([.zero, Insets(32, 0, 0, 0), Insets(0, 0, 300, 0), Insets(600, 500, 600, 700)]))
        case 96..<99: return .wait(pick([1, 8, 16, 50, 120, 299, 301, 2000, 11_000]))
        default:
            switch random.next() % 4 {
            case 3: return lock()
            case 0: return .apps(pick([0, 3, 5, 5]))
            case 1: return .appearance(textScale: pick([1, 1.5, 2]), isRightToLeft: chance(50))
            default: return .configured(pick([.asked, .asked, .always]), reducedMotion: chance(30))
            }
        }
    }

    private mutating func viewStep() -> CoreOp {
        if lastView > 0, chance(25) { return .withdrawView(UInt32(random.next() % UInt64(lastView)) + 1) }
        lastView += 1
        return .askView(
            lastView, pick([.alert, .alert, .actionSheet, .activity, .popover]), over: chance(70) ? window() : nil,
            choices: Int(random.next() % 5))
    }

    private mutating func status() -> CoreOp {
        switch random.next() % 4 {
        case 0: .status(pick([.battery(nil), .network(nil), .bluetooth(nil), .hangs(.battery), .hangs([.network, .bluetooth])]))
        case 1:
            .status(
                .battery(BatteryFacts(state: pick([1, 2, 4, 5, 77]), percentage: pick([0, 3, 55, 250, -1, nil]), warning: pick([1, 3]))))
        case 2:
            .status(
                .network(
                    NetworkFacts(
                        hasWireless: chance(50), state: pick([20, 40, 70]), kind: pick(["", "802-11-wireless", "802-3-ethernet", "gsm"]),
                        ssid: pick([[], [0xff, 0x41], Array("Home".utf8)]), strength: pick([nil, 0, 60, 300]))))
        default: .time(TimeOfDay(hour: pick([0, 9, 23]), minute: pick([0, 5, 59])))
        }
    }

    private mutating func viewKey() -> CoreOp {
        switch random.next() % 10 {
        case 0: .superKey(pressed: true)
        case 1: .superKey(pressed: false)
        case 2: .write(pick(["e", "b", " ", "w"]))
        case 3: .typed(pick(["ed", "x", "\u{1}", ""]))
        case 4: .erased(pick([1, 2, 0, -3]))
        case 5: status()
        default:
            .key(
                pick([
                    "XF86Back", "XF86HomePage", "XF86MenuKB", "XF86Green", "Left", "Right", "Up", "Down", "Tab", "Tab", "Shift+Tab",
                    "Return", "Return", "Escape", "Delete",
                    "BackSpace", "Page_Down", "Page_Up",
                ]),
                pressed: chance(65))
        }
    }

    private mutating func app() -> String { pick(["editor", "editor", "org.example.Browser", "mpv", "terminal", "clock", "none"]) }
    private mutating func namedApp() -> String? { chance(40) ? nil : app() }

    private mutating func viewAction() -> Action {
        switch random.next() % 26 {
        case 0, 1, 2: .home
        case 3, 4, 5: .appSwitcher
        case 6: .dock
        case 7: .appShelf(app: namedApp())
        case 8, 9: .appExpose(app: namedApp())
        case 10, 11: .controls(window: named())
        case 12: .appMenu(app: app())
        case 13: .search(text: chance(50) ? "e" : nil)
        case 14:
            pick([
                .notifications, .controlCentre, .notice(.clearAll), .notice(.open(NoticeID(1))), .notice(.expand(NoticeID(2))),
                .notice(.press(notice: NoticeID(2), button: "a")), .notice(.reply(notice: NoticeID(2))),
            ])
        case 15: .keyHelp
        case 16, 17: .dismiss
        case 18, 19: .openApp(app: app(), to: chance(40) ? destination() : nil)
        case 20: .newWindow(app: namedApp(), to: chance(40) ? destination() : nil)
        case 21: .appAction(app: "editor", action: "new-window")
        case 22: .closeSpace(SpaceID(UInt32(random.next() % 6)))
        case 23: .scroll(pick([-1, 1, 3]))
        case 24: chance(50) ? .addToDock(app: app()) : .removeFromDock(app: app())
        default: pick([.textSize(1.4), .reducedMotion(true), .reducedMotion(false), .press(view: "dock/editor")])
        }
    }

    private mutating func create() -> CoreOp {
        let id = nextWindow
        nextWindow += 1
        let parent = chance(30) ? window() : nil
        recent.append(id)
        return .create(id, parent: parent, app: Int(random.next() % 8))
    }

    private mutating func launchStep() -> CoreOp {
        let id = UInt32(random.next() % 4)
        return switch random.next() % 4 {
        case 0: .launchEnded(id, status: chance(60) ? pick([0, 0, 1]) : nil, signal: chance(20) ? 11 : nil)
        case 1: .launchFailed(id)
        default: .launched(id, process: Int32(100 + random.next() % 8))
        }
    }

    private mutating func screen() -> CoreOp {
        switch random.next() % 10 {
        case 0: .noScreen
        case 1: .screen(Size(1, 1), scale: 1)
        case 2: .screen(Size(60, 40), scale: 1)
        case 3, 4, 5: .screen(Size(820, 1180), scale: 2)
        case 6: .screen(Size(2360, 1640), scale: 1)
        default: .screen(Size(1180, 820), scale: 1)
        }
    }

    private mutating func request() -> WindowRequest {
        pick([
            .fullscreen(true), .fullscreen(false), .maximize(true), .minimize, .move(), .move(), .move(), .resize(),
            .activate(byPerson: true), .activate(byPerson: false), .close,
        ])
    }

    private mutating func destination() -> Destination {
        pick([.fullScreen, .slideOver, .pictureInPicture, .splitView(.left), .splitView(.right), .splitView(.top), .splitView(.bottom)])
    }

    /// An action that some idioms support and the others refuse.
    private mutating func familyAction() -> Action {
        switch random.next() % 9 {
        case 0, 1: .depthStep(window: chance(50) ? WindowID(window()) : nil, chance(50) ? 1 : -1)
        case 2: .depth(window: WindowID(window()), to: Double(random.next() % 4000) - 1500)
        case 3, 4: .gaze(at: chance(80) ? Point(Double(random.next() % 1180), Double(random.next() % 820)) : nil)
        case 5: .gazePress
        case 6: .surroundings(chance(50) ? nil : Double(random.next() % 12) / 10)
        default: .wrist(raised: chance(40))
        }
    }

    private mutating func action() -> Action {
        switch random.next() % 24 {
        case 0, 1: .fullScreen(window: named())
        case 2, 3, 4, 5: .splitView(window: named(), side: pick(Side.allCases))
        case 6, 7: .slideOver(window: named())
        case 8, 9: .pictureInPicture(window: named())
        case 10: .close(window: named())
        case 11, 12: chance(70) ? .focus(window: WindowID(window())) : .focusNext
        case 13: .divider(fraction: share(), exact: chance(50) ? true : nil)
        case 14: chance(50) ? .dividerStep(pick([-1, 1, 0])) : .swapSides
        case 15: .slideOverSide(pick(Side.allCases))
        case 16: pick([.slideOverHide, .slideOverShow, .slideOverToggle])
        case 17: pick([.slideOverNext, .slideOverPrevious])
        case 18: .pipCorner(pick(Corner.allCases))
        case 19: chance(50) ? .pipWidth(share() * 1500) : .pipStep(pick([-1, 1]))
        case 20: pick([.pipStash(nil), .pipStash(.left), .pipStash(.top), .pipShow, .pipToggle, .pipControls, .pipSwap, .keyPointer()])
        case 21: pick([.nextSpace, .previousSpace, .showSpace(SpaceID(UInt32(random.next() % 6)))])
        case 22: .openWaiting(window: named(), to: chance(50) ? destination() : nil)
        default: .launch(command: chance(90) ? ["foot"] : [], to: chance(50) ? destination() : nil)
        }
    }

    private mutating func lifeStep() -> CoreOp {
        let app = AppProcess(Int32(100 + random.next() % 8)), task = TaskID(1 + random.next() % 3)
        let token = SaveToken(UInt32(random.next() % 6)), state = StateID(1 + random.next() % 3)
        let client = SessionClientID(UInt32(1 + random.next() % 2)), inhibitor = InhibitorID(UInt32(1 + random.next() % 3))
        switch random.next() % 28 {
        case 20:
            let owner = SessionOwner(process: chance(70) ? app : nil, name: self.app())
            let kinds = Inhibitor.Kinds(rawValue: UInt32(random.next() % 32))
            return .life(.inhibited(Inhibitor(inhibitor, of: owner, reason: pick(["", "Burning a disc"]), kinds: kinds)))
        case 21 where chance(30):
            return chance(50) ? .life(.stateGiven(app: self.app())) : .life(.instanceBegan(app: self.app(), hasState: chance(70)))
        case 21 where chance(10): return .action(.openWithoutState(app: self.app()))
        case 21: return .life(.uninhibited(inhibitor))
        case 22: return .life(.clientRegistered(client, SessionOwner(process: app, name: "")))
        case 23: return .life(.clientLeft(client))
        case 24: return .life(.clientAnswered(client, objection: chance(50) ? "no" : nil))
        case 25: return .action(chance(80) ? .quit : .quitAnyway)
        case 26: return .action(.endInhibitor(inhibitor.raw))
        case 27: return chance(60) ? .action(chance(50) ? .bringWindowsBack : .startClean) : .windowsAside(Int(random.next() % 3))
        case 18: return .restart
        case 19: return .wait(11_000)
        case 0: return .life(.frozen(app))
        case 1: return .life(.freezeFailed(app, reason: "it does not stop"))
        case 2: return .life(.connectionFills(app))
        case 3: return .life(.called(app))
        case 4 where state.raw == 3: return .life(.memoryWaited(some: task.raw * 1_000_000_000, full: UInt64(token.raw) * 1_000_000_000))
        case 4: return .life(.memoryPressure(pick(MemoryPressure.allCases)))
        case 5: return .life(.stateOffered(state, app))
        case 6: return .life(.stateSaved(state, token))
        case 7: return .life(token.raw.isMultiple(of: 2) ? .stateMissing(state, token) : .stateLost(state, token))
        case 8: return .life(.taskBegan(task, app, name: "Export"))
        case 9: return .life(.taskAdvanced(task, progress: share()))
        case 10: return .life(chance(50) ? .taskEnded(task) : .taskFinished(task, text: "Saved"))
        case 11: return chance(70) ? .action(.keepRunning(app: self.app())) : .life(.backgroundAllowed(chance(50) ? [self.app()] : []))
        case 12: return .action(chance(50) ? .endTask(task.raw) : .stopInBackground(app: self.app()))
        case 13: return .life(.stateWithdrawn(state))
        case 14: return .life(.stateChanged(state))
        case 15: return .life(.saveAll)
        case 16: return .power(pick(PowerEvent.allCases))
        default: return .wait(11_000)
        }
    }

    /// Programs that wait for the device to be idle, or keep it from that.
    private mutating func idleStep() -> CoreOp {
        let watch = IdleWatchID(UInt32(1 + random.next() % 3)), inhibitor = IdleInhibitorID(UInt32(1 + random.next() % 2))
        switch random.next() % 10 {
        case 0: return .idle(.activity)
        case 1: return .idle(.watchGone(watch))
        case 2: return .idle(.watchRestarted(watch))
        case 3: return .idle(.inhibitorGone(inhibitor))
        case 4: return .idle(.inhibitor(inhibitor, on: chance(60) ? .panel(PanelID(UInt32(1 + random.next() % 3))) : .nothing))
        case 5, 6: return .idle(.inhibitor(inhibitor, on: .window(WindowID(window()))))
        default: return .idle(.watchAdded(watch, milliseconds: pick([0, 1, 200, 5000])))
        }
    }

    /// Programs that notify, and the later events of notifications. One number often, to replace a notification that a finger holds.
    private mutating func noticeStep() -> CoreOp {
        let id = NoticeID(UInt32(1 + random.next() % 5)), sender = pick([":1.1", ":1.2"])
        switch random.next() % 8 {
        case 0: return .notice(.close(id))
        case 1: return .notice(.senderGone(sender))
        case 2: return .notice(.clock(1_800_000_000 + Int64(random.next() % 100_000), NoticeZone()))
        case 3 where chance(50):
            return .notice(.owner(app: pick(["editor", "app1"]), process: chance(30) ? nil : Int32(100 + random.next() % 4)))
        default:
            var content = NoticeContent(
                app: pick(["editor", "app1", ""]), name: "Sender", title: "Title",
                body: pick(["", "A body", String(repeating: "Long ", count: 80)]))
            content.level = pick(NoticeLevel.allCases)
            content.hasDefault = chance(50)
            content.isTransient = chance(20)
            content.stays = chance(10)
            if chance(15) { content.category = pick(["call.incoming", "call.ongoing", "alarm.ringing"]) }
            if chance(15) { content.progress = pick([0, 40, 100]) }
            if chance(30) { content.process = Int32(100 + random.next() % 4) }
            if chance(40) { content.buttons = [NoticeButton(key: "a", label: "Answer", reply: id.raw == 2 ? NoticeReply() : nil)] }
            return .notice(.notify(id, content, sender: sender, at: 1_800_000_000))
        }
    }

    /// Programs that copy, and the later events of copied content.
    private mutating func copyStep() -> CoreOp {
        let client: UInt64? = chance(30) ? nil : 1 + random.next() % 3
        switch random.next() % 10 {
        case 0: return .copying(.cleared(by: client))
        case 1: return .copying(.sourceGone)
        case 2, 3:
            return .copying(
                .arrived(UInt32(1 + random.next() % 4), form: Int(random.next() % 3), bytes: chance(70) ? 10 : chance(50) ? nil : 1 << 30))
        case 4: return .copying(.ownCopied([CopiedForm(type: "text/plain", offered: ["text/plain"], isText: true, most: 10, bytes: 1)]))
        case 5: return .wait(pick([500, 1100, 5100, 10_100]))
        default:
            return .copying(
                .copied(pick([["text/plain", "text/html"], ["image/png"], ["x"], ["text/plain", CopiedForms.secretMark]]), by: client))
        }
    }

    /// Panels of other programs: edges, launchers, on-screen keyboards, and requests that no program should make.
    private mutating func panelStep() -> CoreOp {
        let id = UInt32(1 + random.next() % 3)
        switch random.next() % 6 {
        case 0: return .panelGone(id)
        case 1: return chance(60) ? .downOnPanel(finger(), id) : .pointAtPanel(id)
        case 2: return .x11Menus(chance(50))
        default:
            let facts = PanelFacts(
                layer: pick(PanelFacts.Layer.allCases), anchors: PanelFacts.Anchors(rawValue: UInt32(random.next() % 16)),
                size: pick([Size(0, 32), Size(400, 300), .zero, Size(1e9, 1)]),
                margins: pick([.zero, Insets(8, 8, 8, 8), Insets(-1e6, 0, 1e9, 0)]),
                zone: pick([0, -1, 32, 500, 1e9]), keyboard: pick(PanelFacts.Keyboard.allCases), isMapped: chance(75),
                isOffScreen: chance(10))
            return .panel(id, facts)
        }
    }
}
