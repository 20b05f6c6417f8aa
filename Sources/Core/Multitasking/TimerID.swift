import AudioSessions

/// A timer, by the room that it belongs to. Its name in recordings has both: "screen.banner".
public enum TimerID: Hashable, Sendable, CaseIterable, RawRepresentable, Codable {
    case system(SystemTimer)
    case screen(ScreenTimer)
    case hands(HandsTimer)
    case seat(SeatTimer)
    case life(LifeTimer)
    case sound(SoundTimer)
    case audio(AudioTimer)

    public static let allCases: [TimerID] =
        SystemTimer.allCases.map(TimerID.system) + ScreenTimer.allCases.map(TimerID.screen) + HandsTimer.allCases.map(TimerID.hands)
        + SeatTimer.allCases.map(TimerID.seat) + LifeTimer.allCases.map(TimerID.life) + SoundTimer.allCases.map(TimerID.sound)
        + AudioTimer.allCases.map(TimerID.audio)

    public var rawValue: String {
        switch self {
        case .system(let timer): "system.\(timer)"
        case .screen(let timer): "screen.\(timer)"
        case .hands(let timer): "hands.\(timer)"
        case .seat(let timer): "seat.\(timer)"
        case .life(let timer): "life.\(timer)"
        case .sound(let timer): "sound.\(timer)"
        case .audio(let timer): "audio.\(timer)"
        }
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    public init?(rawValue: String) {
        guard let timer = TimerID.byName[rawValue] else { return nil }
        self = timer
    }
}

/// Timers for several rooms.
public enum SystemTimer: Hashable, Sendable, CaseIterable {
    /// A slow client had enough time to answer while the divider moved.
    case dividerPatience
    /// The same after any other change of the layout.
    case layoutPatience
    /// A change of the hardware lasts long enough to count.
    case hardware
}

/// Timers for views on the screen.
public enum ScreenTimer: String, Hashable, Codable, Sendable, CaseIterable {
    /// Windows that were asked to close had enough time to answer.
    case closePatience
    /// An app that was started had enough time to show a window.
    case launchPatience
    /// An item that a person pinched open has waited long enough for its window.
    case pinchPatience
    /// The banner in sight was shown long enough.
    case banner
    /// The card of a notification over a locker was shown long enough.
    case lockCard
    /// The controls of Picture in Picture were shown long enough.
    case pipControls
    /// A person touched a window away from its dots a while ago.
    case dotsTouch
    /// The dots of a window may turn from light to dark again, or back.
    case dotsTurn
    /// Super was held long enough with the switcher of apps or windows to show it.
    case switcher
    /// A sheet that a person dismissed moves on, or has been awaited long enough.
    case modality
    /// The level of the screen's light was shown long enough.
    case lightLevel
    /// The clock of a screen at rest moves.
    case rest
    /// The windows below the menu bar and the dock have come to rest.
    case glass
    /// The programs with which the shell starts may have to be started again.
    case startUp
    /// A program that was started again had enough time to restore its windows itself.
    case restartPatience
    /// Programs that outlived the last shell had enough time to connect to this one.
    case reconnectPatience
}

/// Timers of fingers, the pointer and keys.
public enum HandsTimer: Hashable, Sendable, CaseIterable {
    /// A finger rests on something that has a menu.
    case longPress
    /// A finger that came up from the bottom edge rests.
    case swipeHold
    /// The Super key is held alone.
    case superHeld
    /// A key that the shell handles is held.
    case keyRepeat
    /// The pointer rested long enough in the hot corner.
    case hotCorner
    /// A back key of a remote control is held.
    case backHeld
    /// The pointer that keys move makes a step, or is unused.
    case keyPointer
    /// A carried icon rests at a side of the home screen.
    case pageEdge
}

/// Timers of the lock, of idleness and of copying.
public enum SeatTimer: Hashable, Sendable, CaseIterable {
    /// The screen had enough time to show a locked frame.
    case lockedFrame
    /// The disk had enough time to keep that the session is locked.
    case lockNote
    /// The configured locker may have to be started.
    case locker
    /// The lock screen of the shell waits for PAM, or for the end of a wait after wrong tries.
    case lockScreen
    /// An app over the lock screen had enough time to show a window.
    case overLock
    /// The fingerprint reader is asked again.
    case finger
    /// The power button may be held for long, or a locked screen that it lit be unused.
    case powerButton
    /// greetd may take long to start a session.
    case greeter
    /// The device may have been unused for as long as a program waits for.
    case idle
    /// A program copies again and again, or has had long enough to hand over copied data.
    case copying
}

/// Timers of the life of apps.
public enum LifeTimer: Hashable, Sendable, CaseIterable {
    /// An app in the background needs attention (`Lifecycle`).
    case alarm
    /// The machine waits for apps before it sleeps or is switched off.
    case power
    /// Windows in sight are to be pictured.
    case pictures
}

/// Timers for the screen's views of sound. Those of the audio sessions are theirs (`AudioTimer`).
public enum SoundTimer: Hashable, Sendable, CaseIterable {
    /// The elapsed time of the playing item changes.
    case playing
}
