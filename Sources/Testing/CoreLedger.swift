import Geometry
import Multitasking
import Seat
import Status
import Windows

/// The messages that clients were sent, kept as an adapter would keep them. Finds effects that contradict those before them (law 4).
public struct EffectLedger: Hashable, Sendable {
    public private(set) var held: Set<WindowID> = []
    public private(set) var touches: [Int32: WindowID?] = [:]
    public private(set) var buttons: Set<UInt32> = []
    /// Buttons of the pointer that keys hold down.
    private var keyPressed: Set<UInt32> = []
    private var told: [WindowID: Configure] = [:]
    private var sequence: UInt32 = 0
    private var keyboard = KeyboardTarget.nobody
    private var panels: [PanelID: Rect] = [:]
    private var isLocked = false
    private var locker: LockerID?
    private var announced: [WindowID: [Bool]] = [:]
    /// The watches that wait for the device to be idle, and whether they were told that it is.
    private var idle: [IdleWatchID: Bool] = [:]
    private var inhibitors: [IdleInhibitorID: IdleInhibitorPlace] = [:]
    private var bounds: [WindowID: Rect] = [:]
    private var pointerHasClient = false
    /// Keys whose press the shell took.
    private var swallowed: Set<UInt32> = []

    private var colours: ColourGains?
    private var input = InputPreferences()

    public init() {}

    /// Notes the effects of an event; returns the errors among them.
    mutating func note(_ effects: [Effect], of event: Event, _ system: System, at now: Moment) -> [String] {
        var found: [String] = []
        func check(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { found.append(what()) } }
        let workspace = system.workspace
        if case .idle(let event) = event { note(event) }

        for case .client(let effect) in effects {
            switch effect {
            case .configure(let id, let configure):
                check(workspace[id] != nil, "\(id) is told something and does not exist")
                check(workspace[id]?.placeholder == nil, "W-20: \(id) is told something and has no client")
                check(configure.sequence > sequence, "configures are not in order: \(configure.sequence) after \(sequence)")
                check(told[id].map { !$0.says(sameAs: configure) } ?? true, "\(id) is told the same again")
                let size = configure.frame.size
                check(!system.lifecycle.isFrozen(id), "law 7: \(id) is told something and is frozen")
                check(size == size.rounded, "\(id) is told a size of no whole points: \(size)")
                check(configure.chooses ? size == .zero : size.width >= 1 && size.height >= 1, "\(id) is told the size \(size)")
                sequence = configure.sequence
                told[id] = configure
            case .place(let id, let origin):
                check(workspace[id]?.facts.isX11 ?? false, "\(id) is told its place and is no X11 window")
                check(told[id]?.frame.origin != origin, "\(id) is told the same place again")
                told[id]?.frame.x = origin.x
                told[id]?.frame.y = origin.y
            case .close(let id), .dismissPopups(let id), .unsavedAnswered(let id, _):
                check(!system.lifecycle.isFrozen(id), "law 7: \(id) is told something and is frozen")
            case .pinched(let id, _, _):
                check(workspace[id]?.isMapped ?? false, "an item of \(id) is pinched open, which is not mapped")
                check(!system.lifecycle.isFrozen(id), "law 7: \(id) is told something and is frozen")
            case .keyboardFocus(let target):
                check(target != keyboard, "the keys go to \(target) again")
                if case .window(let id) = target { check(!system.lifecycle.isFrozen(id), "law 7: the keys go to \(id), which is frozen") }
                if case .window(let id) = target { check(workspace.isShown(id), "the keys go to \(id), which is not shown") }
                if case .panel(let id) = target {
                    check(system.seat.panels[id]?.facts.isMapped ?? false, "the keys go to \(id), which is gone")
                }
                keyboard = target
            case .lock(.lock(let locked)):
                check(locked != isLocked, "the session is \(locked ? "" : "un")locked again")
                isLocked = locked
            case .lock(.serve(let id)):
                check(locker != id, "\(id.map { "\($0)" } ?? "nobody") is served again")
                locker = id
            case .lock(.confirm(let id)): check(isLocked && locker == id, "\(id) is told that it has locked the session, and has not")
            case .dropHeldKeys, .keyboardLayout: break
            case .colours(let gains):
                check(colours != gains, "the screen gets the same colours again")
                colours = gains
            case .input(let input):
                check(self.input != input, "keyboards are told the same again")
                self.input = input
            case .lock(.ownPart(let part)): check(part == nil || isLocked, "a part of an unlocked screen is taken from windows")
            case .lock(.over(let over)):
                check(over == nil || isLocked && locker == .shell, "an app stands over a lock that is not there")
                if let over { check(workspace[over.window]?.isMapped ?? false, "\(over.window) stands over the lock, and shows nothing") }
            case .lock(.refuse), .lock(.watch), .lock(.note), .lock(.start), .lock(.startAt): break
            case .tellIdle(let id, let isIdle):
                check(
                    idle[id].map { $0 != isIdle } ?? false, "\(id) is told again that the device is \(isIdle ? "" : "not ")idle, or is gone"
                )
                idle[id] = isIdle
            case .placePanel(let id, let frame):
                check(panels[id] != frame, "\(id) is placed where it is")
                check(frame.width >= 1 && frame.height >= 1, "\(id) gets no room: \(frame)")
                panels[id] = frame
            case .hold(let id):
                check(held.insert(id).inserted, "law 4: \(id) is held twice")
            case .release(let id):
                check(held.remove(id) != nil, "law 4: \(id) is released and was not held")
            case .popupBounds(let id, let rect):
                check(workspace[id]?.isMapped ?? false, "popup bounds for \(id), which is not mapped")
                check(bounds[id] != rect, "\(id) gets the same popup bounds again")
                bounds[id] = rect
            case .announce(let id, let activated, let shown):
                check(workspace[id] != nil, "\(id) is announced and does not exist")
                check(announced[id] != [activated, shown], "\(id) is announced the same again")
                announced[id] = [activated, shown]
            case .pointerOnWindow(let id, let point):
                check(workspace[id] != nil, "the pointer is on \(id), which does not exist")
                check(point.x.isFinite && point.y.isFinite, "the pointer is nowhere on \(id)")
                pointerHasClient = true
            case .pointerOnBackground: pointerHasClient = true
            case .pointerOnOverlay(let overlay, let point):
                check(!buttons.isEmpty || system.seat.takesInput(overlay), "the pointer is on \(overlay), which is gone")
                check(point.x.isFinite && point.y.isFinite, "the pointer is nowhere on \(overlay)")
                pointerHasClient = true
            case .pointerOnShell: pointerHasClient = false
            case .pointerButton(let button, let pressed):
                if pressed {
                    check(pointerHasClient, "button \(button) is pressed on no client")
                    check(buttons.insert(button).inserted, "button \(button) is pressed twice")
                } else {
                    check(buttons.remove(button) != nil, "button \(button) is released and was not pressed")
                }
            case .touchDown(let finger, let id, let point):
                check(touches[finger] == nil, "law 4: finger \(finger) is down twice")
                check(workspace[id]?.isMapped ?? false, "a finger is on \(id), which is not mapped")
                check(point.x.isFinite && point.y.isFinite, "a finger is nowhere on \(id)")
                touches[finger] = .some(id)
            case .touchDownOnBackground(let finger, _):
                check(touches[finger] == nil, "law 4: finger \(finger) is down twice")
                touches[finger] = .some(nil)
            case .touchDownOnOverlay(let finger, let overlay, let point):
                check(touches[finger] == nil, "law 4: finger \(finger) is down twice")
                check(system.seat.takesInput(overlay), "a finger is on \(overlay), which is gone")
                check(point.x.isFinite && point.y.isFinite, "a finger is nowhere on \(overlay)")
                touches[finger] = .some(nil)
            case .touchMotion(let finger, let point):
                check(touches[finger] != nil, "law 8: finger \(finger) moves and is not down")
                check(point.x.isFinite && point.y.isFinite, "finger \(finger) moves to nowhere")
            case .touchUp(let finger):
                check(touches.removeValue(forKey: finger) != nil, "law 4: finger \(finger) is lifted and was not down")
            case .touchCancel:
                check(!touches.isEmpty, "law 8: touches are cancelled and there are none")
                touches.removeAll()
            case .touchFrame, .pointerFrame, .pointerAxis, .swallowKey, .configureScreen, .lightScreen, .answerScreen, .textEntry,
                .capabilities,
                .hidePointer:
                break
            case .typeKey: check(!isLocked, "a key is typed behind a lock")
            case .movePointer(let point): check(point.x.isFinite && point.y.isFinite, "the pointer moves to nowhere")
            case .pressPointer(let button, let pressed):
                check(keyPressed.contains(button) != pressed, "law 4: button \(button) is pressed or released twice by keys")
                if pressed { keyPressed.insert(button) } else { keyPressed.remove(button) }
            case .scrollPointer(_, let value): check(value.isFinite, "the wheel turns by no number")
            }
        }
        // Releases of keys that were pressed before go to the locker, or come from it.
        if effects.contains(where: { if case .client(.lock(.lock)) = $0 { true } else { false } }) { swallowed.removeAll() }
        if case .key(let code, _, let pressed, _, _, _) = event {
            let isTaken = effects.contains(.swallowKey)
            if pressed {
                if isTaken { swallowed.insert(code) }
            } else {
                check(isTaken == (swallowed.remove(code) != nil), "law 4: key \(code) has its press and its release at different places")
            }
        }
        for (finger, id) in touches {
            check(id.map { workspace[$0]?.isMapped ?? false } ?? true, "law 4: finger \(finger) is on a window that is gone")
        }
        check(system.keyboard == keyboard, "the keys are at \(keyboard) and belong to \(system.keyboard)")
        if isInhibited(in: system) { check(!idle.values.contains(true), "the device is idle, and what is shown keeps it from that") }
        for id in held { check(workspace.dividerDrag?.sent != nil || workspace[id] == nil, "law 4: \(id) stays held") }
        if case .windowUnmapped(let id) = event { announced[id] = nil }
        if case .windowDestroyed(let id) = event { forget(id) }
        if case .panelGone(let id) = event { panels[id] = nil }
        return found
    }

    private mutating func note(_ event: IdleEvent) {
        switch event {
        case .watchAdded(let id, _): idle[id] = idle[id] ?? false
        case .watchGone(let id): idle[id] = nil
        case .inhibitor(let id, let place): inhibitors[id] = place
        case .inhibitorGone(let id): inhibitors[id] = nil
        case .activity, .watchRestarted: break
        }
    }

    private func isInhibited(in system: System) -> Bool {
        if system.lifecycle.keepsScreenOn { return true }
        return !system.isLocked
            && inhibitors.values.contains {
                switch $0 {
                case .window(let id): system.workspace.isShown(id)
                case .panel(let id): system.seat.panels[id].map { $0.facts.isMapped && !$0.facts.isOffScreen } ?? false
                case .nothing: false
                }
            }
    }

    private mutating func forget(_ id: WindowID) {
        held.remove(id)
        told[id] = nil
        announced[id] = nil
        bounds[id] = nil
    }
}
