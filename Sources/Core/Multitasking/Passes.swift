import Geometry
import Windows

/// A step of the shell's work that needs several rooms. `mullion ctl explain` prints the lists of them.
public struct Pass: Sendable {
    public let name: String
    let run: @Sendable (inout System, inout PassFacts, Moment, inout Turn) -> Void

    init(_ name: String, _ run: @escaping @Sendable (inout System, inout PassFacts, Moment, inout Turn) -> Void) {
        self.name = name
        self.run = run
    }
}

/// The facts that the passes of one round tell each other.
struct PassFacts {
    /// The window that a finger let go of.
    var thrown: WindowID?
    /// Nothing new can be under a resting pointer.
    var isHoverSame = false
    /// Whether the event is an act of a person.
    var isAct = false
    /// Whether any client got a new size or state.
    var isTold = false
    /// Whether an app was thawed for what came into sight.
    var isAnyFreed = false
}

extension System {
    /// The passes after every event, in this order.
    public static let afterEvent: [Pass] = [
        Pass("grant wishes") { system, _, now, turn in
            if turn.hasWishes { turn.grantWishes { system.grant($0, at: now, &$1) } }
        },
        // A finger or a key on a banner holds it, and most input settles nothing.
        Pass("follow banners") { system, _, now, turn in if system.hasBanners { system.followBanners(at: now, &turn) } },
        Pass("tell the locked part of the screen") { system, _, now, turn in system.lastSent.tellLockPart(system.screenful, at: now, &turn)
        },
        Pass("note when a person acts") { system, facts, now, _ in if facts.isAct { system.life.pictureTimes.acted(at: now) } },
        Pass("note the window in front") { system, facts, _, _ in system.screenful.workspace.followFront(byPerson: facts.isAct) },
        Pass("renew stale glass") { system, _, now, _ in
            if system.screenful.interface.hasStaleGlass {
                system.screenful.interface.followGlass(over: system.screenful.workspace, at: now)
            }
        },
    ]

    /// The passes that settle a change, in this order: clients are sent their changes, and the windows in sight move towards their places.
    public static let settling: [Pass] = [
        // A placeholder that is replaced or closed goes at once, and no client ends the touches on it (law 4).
        Pass("leave lost windows") { system, _, now, turn in system.hands.leaveLostWindows(&system.screenful, at: now, &turn) },
        Pass("keep other apps out") { system, _, _, _ in system.screenful.workspace.confine() },
        Pass("keep calls and videos in sight") { system, _, now, turn in system.callPicture(.settled, at: now, &turn) },
        Pass("show an app over the lock") { system, _, now, turn in system.followOverLock(at: now, &turn) },
        Pass("tell of a log-out that is held up behind the lock") { system, _, now, turn in system.followHeldUp(at: now, &turn) },
        // So that apps that come into sight run and get the configures that they missed.
        Pass("wake apps in sight") { system, _, now, turn in system.life.follow(&system.screenful, system.sound, at: now, &turn) },
        Pass("lay the status bar") { system, _, now, turn in system.followStatus(at: now, &turn) },
        Pass("follow the pages of the device") { system, _, now, turn in system.followDevicePages(at: now, &turn) },
        Pass("close a lost folder") { system, _, now, _ in system.followFolder(at: now) },
        Pass("follow a resize") { system, _, _, _ in system.screenful.workspace.followResize(held: system.hands.resizedWindow) },
        Pass("follow full screen") { system, _, _, _ in system.screenful.workspace.followFullScreen() },
        Pass("configure windows") { system, facts, now, turn in facts.isTold = system.screenful.arrange(at: now, &turn) },
        Pass("leave popups and panels of another focus") { system, _, _, turn in system.leaveLastFocus(&turn) },
        Pass("show views for programs") { system, _, now, turn in system.showViews(at: now, &turn) },
        Pass("close views of lost windows") { system, _, now, turn in system.screenful.followWindows(at: now, &turn) },
        Pass("start placeholders") { system, _, now, turn in system.startPlaceholders(at: now, &turn) },
        Pass("follow the programs of the start") { system, _, now, turn in system.startUp(.settled, at: now, &turn) },
        Pass("show sound") { system, _, now, turn in system.sound.show(on: &system.screenful, at: now, &turn) },
        Pass("follow the controls of the picture") { system, _, now, turn in system.pictureControls(.settled, at: now, &turn) },
        Pass("show banners") { system, _, now, turn in system.followBanners(at: now, &turn) },
        Pass("show questions") { system, _, now, turn in system.prompts(.settled, at: now, &turn) },
        Pass("show alerts") { system, _, now, _ in system.alerts(.settled, at: now) },
        Pass("close lost views") { system, _, now, _ in system.screenful.closeLostViews(at: now) },
        Pass("end a lost gesture") { system, _, now, turn in system.hands.endLostGrab(&system.screenful, at: now, &turn) },
        Pass("lay views") { system, _, now, turn in system.screenful.layViews(system.hands.held, at: now, &turn) },
        Pass("lay glass") { system, _, now, turn in system.followBars(at: now, &turn) },
        Pass("tell what changed") { system, _, _, turn in system.tellChanges(&turn) },
        Pass("move windows") { system, facts, now, _ in system.screenful.move(thrown: facts.thrown, at: now) },
        Pass("show dots") { system, _, now, turn in system.dots(.settled(system.dotsSight), at: now, &turn) },
        Pass("forget what left the screen") { system, _, now, _ in system.screenful.stage.forgetFinished(at: now) },
        Pass("tell places") { system, _, _, turn in
            system.lastSent.tellPopupBounds(system.screenful, &turn)
            system.lastSent.announce(system.screenful, &turn)
        },
        Pass("tell sound which apps are in sight") { system, _, now, turn in system.sound.follow(&system.screenful, at: now, &turn) },
        Pass("freeze apps out of sight") { system, facts, now, turn in
            facts.isAnyFreed = system.life.follow(&system.screenful, system.sound, at: now, &turn)
        },
        Pass("wait for answers") { system, facts, now, turn in
            system.lastSent.waitForAnswers(system.screenful, isTold: facts.isTold, at: now, &turn)
        },
        Pass("hover") { system, facts, now, turn in
            if !system.screenful.isLocked, !facts.isHoverSame { system.hands.refreshHover(&system.screenful, at: now, &turn) }
        },
        Pass("note views that a person saw") { system, _, now, _ in
            let screenful = system.screenful
            guard !screenful.interface.modals.isEmpty else { return }
            // A panel of another program has the keys, such as a launcher.
            let isCovered = screenful.isLocked || system.seat.panelWithKeys != nil || screenful.workspace.screen == nil
            system.screenful.interface.noteSeenViews(
                isInSight: !isCovered && screenful.sight.isLit && screenful.sight.isAwake, screenful.workspace, at: now)
        },
        Pass("rest") { system, _, now, turn in system.rest(.settled, at: now, &turn) },
        Pass("follow the fingerprint reader") { system, _, now, turn in system.followFinger(at: now, &turn) },
        Pass("follow the power button") { system, _, _, turn in system.followPowerButton(&turn) },
        Pass("follow the delay of the lock") { system, _, now, turn in system.followLockDelay(at: now, &turn) },
        Pass("idle") { system, _, now, turn in system.followIdleness(at: now, &turn) },
        Pass("tell sound of frozen apps") { system, _, _, turn in system.life.tellSound(&turn) },
        Pass("settle again for thawed apps") { _, facts, _, turn in if facts.isAnyFreed { turn.ask(.settle()) } },
    ]

    /// Menus that hold the input, and panels, lose it with the window that had the focus.
    private mutating func leaveLastFocus(_ turn: inout Turn) {
        guard lastSent.noteFocus(screenful.workspace.focus) else { return }
        screenful.dismissPopups(outside: screenful.workspace.focus.map(screenful.workspace.root), &turn)
        seat.leavePanel()
    }

    /// Tells adapters what changed for them.
    private mutating func tellChanges(_ turn: inout Turn) {
        lastSent.tellTextEntry(
            (screenful.interface.isSearching(screenful.workspace) || screenful.interface.isWriting) && seat.panelWithKeys == nil, &turn)
        lastSent.tellAppearance(screenful.preferences, &turn)
        lastSent.tellCapabilities(screenful.workspace.idiom.capabilities, &turn)
        lastSent.tellDevices(of: screenful.workspace.idiom, &turn)
        lastSent.tellInput(screenful.preferences.input, &turn)
        lastSent.tellMenus(screenful, &turn)
        if case .window(let id) = keyboard, lastSent.keyboard != keyboard, workspace.isPrompt(id) { turn.send(.client(.dropHeldKeys)) }
        lastSent.tellKeyboard(keyboard, &turn)
    }
}
