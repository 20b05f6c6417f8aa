import AudioSessions
import Geometry
import Modality
import Modals
import Notices
import Seat
import Status
import Watches
import Windows

/// The consequences of one event, in order: effects for the adapters, and wishes of one room to another.
///
/// A room changes its own state at once. Here it asks for work that needs several rooms, and `System` does that before the
/// event ends. An effect that follows a wish waits behind it, so that the order is kept.
struct Turn {
    private(set) var effects: [Effect] = []
    private var waiting: [Step] = []
    /// Whether everything was brought in line, so that something may look different.
    var isSettled = false

    private enum Step {
        case effect(Effect)
        case wish(Wish)
    }

    var hasWishes: Bool { !waiting.isEmpty }

    mutating func send(_ effect: Effect) {
        if waiting.isEmpty { effects.append(effect) } else { waiting.append(.effect(effect)) }
    }

    /// nil: it stops.
    mutating func setTimer(_ timer: TimerID, _ moment: Moment?) {
        send(moment.map { .startTimer(timer, at: $0) } ?? .stopTimer(timer))
    }

    /// Adds a wish. A room that dismisses a hundred popovers asks a hundred times to settle. Nothing changes between these wishes, so once
    /// is enough.
    mutating func ask(_ wish: Wish) {
        if case .settle(thrown: nil) = wish, case .wish(.settle)? = waiting.last(where: { if case .wish = $0 { true } else { false } }) {
            return
        }
        waiting.append(.wish(wish))
    }

    /// Grants the pending wishes. Wishes that arise while one is granted come right after it.
    mutating func grantWishes(_ grant: (Wish, inout Turn) -> Void) {
        while !waiting.isEmpty {
            let steps = waiting
            waiting.removeAll()
            for step in steps {
                switch step {
                case .effect(let effect): effects.append(effect)
                case .wish(let wish):
                    grant(wish, &self)
                    grantWishes(grant)
                }
            }
        }
    }
}

/// A request of a room to other rooms.
enum Wish {
    /// Bring every room in line with the changes (`System.settle`). `thrown`: the window that the finger let go of.
    case settle(thrown: WindowID? = nil)
    /// Take the divider drag a step further, towards this place if a finger names one.
    case stepDivider(wanted: Double? = nil)
    /// Tell whatever lies under the pointer that it is there.
    case hover
    /// Pass an event to the audio sessions.
    case sound(AudioEvent)
    /// A person closes windows. `isSheet`: one that stands on another window closes as a sheet does.
    case close([WindowID], isSheet: Bool = false)
    /// An app closes this window by its own title bar.
    case closesItself(WindowID)
    /// A person dismisses a sheet of an app.
    case dismissSheet(WindowID)
    /// A person answers a view for a program, or dismisses it.
    case chooseView(UInt32, Int)
    case dismissView(UInt32)
    case markView(UInt32, Rect)
    case modality(Modality.Event)
    case shortcut(GlobalShortcuts.Event)
    case forgetShortcuts(app: String)
    case alert(Alerts.Event)
    /// A person says whether the windows of the last session come back (W-20).
    case windowsAside(comeBack: Bool)
    /// The keyboard focus goes to the next control, after what was asked before.
    case stepFocus(Int)
    case wrist(Wrist.Event)
    case gaze(Gaze.Event)
    /// A window became the picture.
    case pictured(WindowID, isInCall: Bool)
    case pictureControls(PictureControls.Event)
    /// Another window is active, so the dots of all windows reappear.
    case showDots
    /// An app got a touch or a press in this window.
    case touchedApp(WindowID)
    /// A person acts on a notification.
    case notice(NoticeAct)
    case banner(Banners.Event)
    /// An app was refused to bring this window in front.
    case announceRefused(WindowID)
    /// A job that a person started has ended, and its app wants to say so.
    case jobEnded(String, String, by: WindowID)
    /// A person set something that stays.
    case choose(Choice)
    /// A person sets something on the device.
    case device(DeviceAction)
    /// A person acts on an item of the tray.
    case tray(TrayAct)
    /// A person chose this, if the configuration file leaves it to them.
    case prefer(Choice)
    /// Settings are as they were at first; nil: all of them.
    case resetSettings(String?)
    case showPage(ControlPage)
    case arrangeHome(HomeAct)
    /// A person writes on a page of rows.
    case form(FormAct)
    /// A person acts on the question in sight.
    case prompt(PromptAct)
    /// A person may have changed a choice of sound.
    case soundChosen
    /// A person chose another idiom.
    case idiom(Idiom)
    /// A person or a script stands in for a device that no driver reports.
    case hardware(HardwareEvent)
    /// The device is unused, or in use again.
    case rest(Bool)
    /// The same, for as long as a person lets it be without the lock.
    case unused(Bool)
    /// The cover, or the lid, was closed or opened.
    case cover(Bool)
    /// A person acts on the lock screen of the shell, or locks the session.
    case lockScreen(LockAct)
    /// Wake an app, or end a task of it.
    case life(LifeWish)
}
