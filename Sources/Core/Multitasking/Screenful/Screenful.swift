import AudioSessions
import Geometry
import Interface
import Lifecycle
import Modality
import Modals
import Notices
import Stage
import Watches
import Windows

/// The content of the screen: the windows, where they are drawn, and the shell's own views.
///
/// It changes without knowing which finger or key caused the change. It reads the facts of other rooms from `sight`, and wishes for the
/// changes that are theirs.
struct Screenful: Hashable, Codable, Sendable {
    private var byAddress = ByAddress()
    var workspace: Workspace
    var stage = Stage() { didSet { isDrawnAnew = true } }
    /// The shell's own views.
    var interface = Interface() { didSet { isDrawnAnew = true } }
    /// The facts of other rooms that views show.
    var sight: Sight
    var waits = Waits()
    /// Whether something visible changed during this event. Drawn state notes it here by itself, so that no rule has to. Of windows only
    /// those changes count that nothing settles (`drawsAnew`).
    private var isDrawnAnew = false

    /// The timers that run for the screen.
    struct Waits: Hashable, Codable, Sendable {
        var isClosing = false
        /// When placeholders in sight are asked for one by one.
        var restart: Moment?
    }

    init(idiom: Idiom, preferences: Preferences) {
        workspace = Workspace(idiom: idiom, newWindows: preferences.newWindows, announcing: preferences.pictureInPicture)
        sight = Sight(preferences: preferences, idioms: [idiom], keys: idiom.bindings)
        workspace.setAdmission(preferences.newWindows, announcing: preferences.pictureInPicture, prompts: preferences.prompts)
    }

    var preferences: Preferences { sight.preferences }
    var isLocked: Bool { sight.isLocked }
    var heard: AudioSummary { sight.heard }
    var notices: Notices { sight.notices }
    var modality: Modality { sight.modality }
    var gaze: Gaze { sight.gaze }
    var isWristDown: Bool { sight.isWristDown }

    // MARK: Whether something may look different

    /// Something that is drawn changed, as where a gesture moves windows within their places and nothing settles yet.
    mutating func drawsAnew() { isDrawnAnew = true }

    /// Whether something that is drawn was touched since this was asked last.
    mutating func takeDrawn() -> Bool {
        guard isDrawnAnew else { return false }
        isDrawnAnew = false
        return true
    }

    // MARK: Items and controls

    func items(at now: Moment) -> [Item] {
        guard let views = views(at: now) else { return [] }
        if isLocked { return views.lockedItems() }
        // All that is seen while the wrist is down: the icon of the app in front, pale on black.
        if isWristDown, let rules = workspace.idiom.wrist { return views.wristFace(paleness: rules.paleness).items }
        return views.items(surroundings: gaze.surroundings.value(at: now))
    }

    /// The shell's own views in their current state; nil while there is no screen.
    func views(at now: Moment) -> Views? {
        Views(
            interface, workspace, stage, preferences.appearance, audio: heard, notices: notices, device: sight.shownDevice,
            facts: sight.shownFacts, lock: sight.lock, sharers: sight.sharers, awake: sight.awake, kept: preferences.life.kept,
            reducedMotion: preferences.reducedMotion, fixed: preferences.fixed, fixedApps: preferences.fixedApps, idioms: sight.idioms,
            isDim: gaze.isDim, keys: interface.isHelpSeen ? keyLines : [], at: now)
    }

    /// The controls that a finger, the keyboard or a screen reader can operate now, back to front.
    ///
    /// - Parameter covered: whether to include controls that a banner covers for now (P-01): the keyboard stays at them.
    func controls(at now: Moment, covered: Bool = false) -> [ViewControl] {
        guard !isWristDown, let views = views(at: now) else { return [] }
        return isLocked ? views.lockedControls() : views.operable(covered: covered)
    }

    /// The name of the front view. While the session is locked, it says nothing of apps.
    func frontName(at now: Moment) -> Text { isLocked ? sight.lock.name : views(at: now)?.frontName ?? .message(.home) }

    func isMoving(at now: Moment) -> Bool {
        stage.isMoving(at: now) || interface.isMoving(at: now) || !gaze.surroundings.isSettled(at: now)
    }

    /// Where a window is visible right now, also while it is shown small; nil if no part of it is visible.
    func seenFrame(of id: WindowID, at now: Moment) -> Rect? {
        stage.cardedFrame(of: id, workspace, at: now)?.frame ?? stage.frame(of: id, at: now)
    }

    /// The same for its own content.
    func seenContent(of id: WindowID, at now: Moment) -> Rect? {
        stage.cardedFrame(of: id, workspace, at: now)?.picture ?? stage.contentRect(of: id, workspace, at: now)
    }

    // MARK: How things move

    var measures: GestureMeasures { workspace.idiom.gestures }

    /// `Preferences` says how each of these springs moves.
    var spring: Spring { preferences.spring }
    var momentum: Spring { preferences.momentum }
    var catching: Spring { preferences.catching(measures) }
    var lifting: Spring { preferences.lifting(measures) }
    var readingWay: Double { preferences.readingWay }

    // MARK: Choices

    mutating func configure(_ new: Preferences) {
        sight.preferences = new
        drawsAnew()
        workspace.setAdmission(new.newWindows, announcing: new.pictureInPicture, prompts: new.prompts)
    }
}
