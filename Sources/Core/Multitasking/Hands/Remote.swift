import Geometry
import Interface
import OrderedCollections
import Seat
import Stage
import Windows

/// The state of a remote control.
struct RemoteState: Hashable, Codable, Sendable {
    /// A back key that is down.
    var back: Back?
    /// When the home key was last pressed.
    var lastHome: Moment?
    /// The pointer that keys move; nil: it is put away.
    var pointer: KeyPointer?

    struct Back: Hashable, Codable, Sendable {
        var code: UInt32
        /// Whether the app in front gets Escape if the key is released soon.
        var isTyped: Bool
        var since: Moment
    }
}

extension KeyBinding {
    /// The functions of a remote control's keys, besides OK, back, home and menu. The person's own keys take precedence.
    public static let remote: [KeyBinding] = [
        .init("XF86Info", .controlCentre), .init("XF86Guide", .appSwitcher), .init("XF86ChannelUp", .nextSpace),
        .init("XF86ChannelDown", .previousSpace), .init("XF86Red", .close()), .init("XF86Green", .pipSwap),
        .init("XF86Yellow", .pipControls), .init("XF86Blue", .search()),
    ]
}

/// The keys of remote controls, where the idiom has them (`RemoteRules`).
///
/// Back leaves one level: a view of the shell, else what the app makes of Escape. Held, it goes home. Home goes home, and pressed
/// twice to the app switcher. Menu fetches the pointer that keys move, for apps that know no keys.
extension Hands {
    /// Returns whether the key was for the shell. `keyboard`: where typed text goes.
    mutating func remoteKey(_ key: Key, for keyboard: KeyboardTarget, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
        -> Bool
    {
        guard screenful.workspace.idiom.remote.isOn, key.isPressed, key.modifiers.isEmpty else { return false }
        if case .locker = keyboard { return false }
        switch key.symbol {
        case .homePage, .home: remoteHome(&screenful, at: now, &turn)
        case .back: remoteBack(key, for: keyboard, &screenful, at: now, &turn)
        case .escape:
            holdBack(RemoteState.Back(code: key.code, isTyped: false, since: now), screenful, at: now, &turn)
            guard remote.pointer != nil else { return false }
            putPointerAway(&screenful, &turn)
        case .remoteMenu:
            guard case .window = keyboard, !screenful.takesKeys else { return false }
            attempt(.keyPointer(), &screenful, at: now, &turn)
        default:
            if pointerKey(key, for: keyboard, &screenful, at: now, &turn) { return true }
            guard let binding = KeyBinding.remote.binding(of: key) else { return false }
            remoteAction(binding.action, &screenful, at: now, &turn)
        }
        return true
    }

    /// A key was released. One that was held is done with.
    mutating func remoteReleased(_ key: Key, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        releasePointerKey(key, &screenful, at: now, &turn)
        guard let back = remote.back, back.code == key.code else { return }
        remote.back = nil
        turn.send(.stopTimer(.hands(.backHeld)))
        // A busy machine may hear of the release before the timer, which is late as well.
        if now - back.since >= screenful.workspace.idiom.remote.hold { return goHomeHeld(&screenful, at: now, &turn) }
        if back.isTyped { turn.send(.client(.typeKey(Self.escapeCode))) }
    }

    /// KEY_ESC.
    private static let escapeCode: UInt32 = 1

    private mutating func remoteBack(
        _ key: Key, for keyboard: KeyboardTarget, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn
    ) {
        let isApps: Bool = if case .shell = keyboard { false } else { !screenful.takesKeys }
        if remote.pointer != nil {
            putPointerAway(&screenful, &turn)
            return holdBack(RemoteState.Back(code: key.code, isTyped: false, since: now), screenful, at: now, &turn)
        }
        holdBack(RemoteState.Back(code: key.code, isTyped: isApps, since: now), screenful, at: now, &turn)
        guard !isApps else { return }
        try? screenful.dismiss(at: now, &turn)
    }

    private mutating func holdBack(_ back: RemoteState.Back, _ screenful: Screenful, at now: Moment, _ turn: inout Turn) {
        remote.back = back
        turn.send(.startTimer(.hands(.backHeld), at: now + screenful.workspace.idiom.remote.hold))
    }

    /// Drops the pointer and held keys, because they have no meaning any more (law 4).
    mutating func dropRemote(_ screenful: inout Screenful, _ turn: inout Turn) {
        putPointerAway(&screenful, &turn)
        if remote.back != nil { turn.send(.stopTimer(.hands(.backHeld))) }
        remote = RemoteState()
    }

    /// The back key was held long enough.
    mutating func backHeld(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard remote.back != nil else { return }
        remote.back = nil
        goHomeHeld(&screenful, at: now, &turn)
    }

    private mutating func goHomeHeld(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        goHomeByRemote(&screenful, at: now, &turn)
        turn.ask(.settle())
    }

    private mutating func remoteHome(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        putPointerAway(&screenful, &turn)
        if let last = remote.lastHome, now - last < screenful.workspace.idiom.remote.again {
            remote.lastHome = nil
            if !screenful.interface.isOverviewOpen { remoteAction(.appSwitcher, &screenful, at: now, &turn) }
            return
        }
        remote.lastHome = now
        goHomeByRemote(&screenful, at: now, &turn)
    }

    /// Home is where one is after that, wherever one was.
    private mutating func goHomeByRemote(_ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        putPointerAway(&screenful, &turn)
        screenful.closePipControls(at: now)
        let isThere =
            screenful.workspace.showsHome && !screenful.interface.isModal && !screenful.interface.isSearching(screenful.workspace)
            && !screenful.hasActiveView
        guard isThere else { return remoteAction(.home, &screenful, at: now, &turn) }
        screenful.interface.focus = nil
        screenful.keyFocus(.forgotten, at: now)
        screenful.showPage(0, at: now)
    }

    /// Performs the action of a remote control's key. A refusal is not the person's error.
    private mutating func remoteAction(_ action: Action, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        let action: Action = if case .pipSwap = action, screenful.workspace.pip == nil { .pictureInPicture() } else { action }
        do {
            try perform(action, &screenful, at: now, &turn)
            screenful.focusOpened(by: action, at: now)
        } catch { turn.send(.refuse(error)) }
    }
}
