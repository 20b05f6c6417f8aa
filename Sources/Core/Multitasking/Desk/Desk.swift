import AudioSessions
import Geometry
import Interface
import Lifecycle
import Modality
import Stage
import Windows

/// What stands on the screen: the windows, where they are drawn, the shell's own views, and how a person wants it all.
///
/// It changes without asking which finger or key wants it to. What it shows of sound it was told (`heard`); where an action
/// is one for sound, it asks for it.
struct Desk: Hashable, Codable, Sendable {
    var workspace: Workspace
    var stage = Stage()
    /// The shell's own views.
    var interface = Interface()
    /// Modal views over windows, and sheets on their way out.
    var modality = Modality()
    var preferences: Preferences
    /// Grows when something may look different, so that nobody has to compare pictures to know that nothing does.
    var revision: UInt64 = 0
    /// A locker holds the session.
    var isLocked = false
    /// What there is to hear, as sound told it last.
    var heard = AudioSummary()
    /// Why windows in the background run, as the life of apps told it last.
    var awake: [WindowID: [AwakeReason]] = [:]
    /// How many windows of the last session stayed closed, and can be brought back.
    var windowsAside = 0
    /// A person has not said yet whether they come back.
    var asksWindowsAside = false
    /// What decides when the dots of windows are seen.
    var dots = DotsWatch()
    var waits = Waits()

    /// The timers that run for what stands here.
    struct Waits: Hashable, Codable, Sendable {
        var isLaunching = false
        var isClosing = false
        /// The controls of a picture go away by themselves after a while.
        var isPipTimed = false
    }

    init(idiom: Idiom, preferences: Preferences) {
        workspace = Workspace(idiom: idiom, newWindows: preferences.newWindows, announcing: preferences.pictureInPicture)
        self.preferences = preferences
    }

    // MARK: What is shown

    func items(at now: Moment) -> [Item] {
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

    /// One plain colour, what the locker has to show, if it is there, and a level that changes.
    private func lockedItems(at now: Moment) -> [Item] {
        guard let screen = workspace.screen else { return [] }
        return Item.locked(screen.bounds) + (views(at: now)?.overlay().items ?? [])
    }

    /// The shell's own views as they stand; nil while there is no screen.
    func views(at now: Moment) -> Views? {
        Views(
            interface, workspace, stage, preferences.appearance, audio: heard, awake: awake,
            kept: preferences.life.kept, reducedMotion: preferences.reducedMotion,
            keys: interface.isHelpSeen ? preferences.keyLines : [], at: now)
    }

    /// What a finger, the keyboard or a screen reader can operate now, back to front.
    func controls(at now: Moment) -> [ViewControl] { isLocked ? [] : views(at: now)?.operable() ?? [] }

    func isMoving(at now: Moment) -> Bool { stage.isMoving(at: now) || interface.isMoving(at: now) }

    /// Where a window is seen right now, also while it is shown small; nil while nothing is seen of it.
    func seenFrame(of id: WindowID, at now: Moment) -> Rect? {
        stage.cardedFrame(of: id, workspace, at: now)?.frame ?? stage.frame(of: id, at: now)
    }

    /// The same of its own picture.
    func seenPicture(of id: WindowID, at now: Moment) -> Rect? {
        stage.cardedFrame(of: id, workspace, at: now)?.picture ?? stage.pipRect(of: id, workspace, at: now)
    }

    // MARK: How things move

    var measures: GestureMeasures { workspace.idiom.gestures }

    var spring: Spring {
        guard !preferences.reducedMotion else { return .instant }
        return Spring(response: Spring.layout.response / preferences.animationSpeed, damping: Spring.layout.damping)
    }

    /// Things that were flicked glide to where they come to rest.
    var momentum: Spring {
        guard !preferences.reducedMotion else { return .instant }
        return Spring(response: 0.55 / preferences.animationSpeed, damping: 1)
    }

    /// By it comes under the finger what was taken later than the finger came down.
    var catching: Spring {
        guard !preferences.reducedMotion else { return .instant }
        return Spring(response: measures.catchResponse / preferences.animationSpeed, damping: 1)
    }

    /// By it a window becomes small in the hand.
    var lifting: Spring { preferences.reducedMotion ? .instant : Spring(response: measures.liftResponse, damping: 1) }

    /// 1 where people read from left to right, -1 where they read from right to left: pages follow the other way.
    var readingWay: Double { preferences.appearance.isRightToLeft ? -1 : 1 }

    // MARK: Choices

    mutating func configure(_ new: Preferences) {
        preferences = new
        workspace.setAdmission(new.newWindows, announcing: new.pictureInPicture)
    }
}
