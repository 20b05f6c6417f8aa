import Geometry
import Idioms
import Rooms
import Windows

/// A room in the table: what begins with another idiom, and what always holds.
public struct RoomEntry: Sendable {
    public let name: String
    let begin: (@Sendable (inout System, Idiom, Moment, inout Turn) -> Void)?
    let violations: @Sendable (System) -> [String]

    init(
        _ name: String, begin: (@Sendable (inout System, Idiom, Moment, inout Turn) -> Void)? = nil,
        violations: @escaping @Sendable (System) -> [String] = { _ in [] }
    ) {
        self.name = name
        self.begin = begin
        self.violations = violations
    }
}

extension System {
    /// The rooms, in the order in which another idiom begins in them. Gestures end and buttons are released first, because nothing of them
    /// has a meaning in the next idiom (law 4).
    public static let rooms: [RoomEntry] = [
        RoomEntry(
            "hands",
            begin: { system, _, now, turn in
                system.hands.leaveEverything(&system.screenful, at: now, &turn)
                system.hands.dropRemote(&system.screenful, &turn)
            }, violations: { $0.hands.violations($0.screenful) }),
        RoomEntry("rest", begin: { system, _, now, turn in system.rest(.unused(false), at: now, &turn) }),
        RoomEntry(
            "views",
            begin: { system, _, now, _ in
                system.screenful.closeViews(at: now)
                system.screenful.endSearch(at: now)
                // The next idiom may have no pairs.
                system.screenful.interface.picking = nil
            }),
        RoomEntry(
            "wrist", begin: { system, idiom, now, _ in system.beginWrist(idiom, at: now) },
            violations: { $0.wrist.violations(in: $0.workspace.idiom) }),
        RoomEntry(
            "gaze", begin: { system, idiom, now, _ in system.beginGaze(idiom, at: now) },
            violations: { $0.gaze.violations(in: $0.gazeContext) }),
        RoomEntry("call picture", begin: { system, idiom, now, _ in system.beginCallPicture(idiom, at: now) }),
        RoomEntry("picture controls"),
        RoomEntry("notifications", violations: { $0.notices.violations(in: $0.noticeSurroundings) }),
        RoomEntry("banners", violations: { $0.banners.violations(in: $0.bannerContext) }),
        RoomEntry("lock screen", violations: { $0.lockScreen.violations(in: $0.lockScreenContext) }),
        RoomEntry("apps over the lock", violations: { $0.overLock.violations(in: $0.overLockContext) + $0.overLockViolations }),
        RoomEntry("fingerprint reader", violations: { $0.fingerLock.violations(in: ()) }),
        RoomEntry("power button", violations: { $0.powerButton.violations(in: $0.powerButtonContext) }),
        RoomEntry("battery warnings"),
        RoomEntry(
            "greeter",
            violations: {
                $0.greeter.violations() + (!$0.greeter.isOn || $0.seat.lock.isOwn ? [] : ["X-10: the greeter is open"])
            }),
        RoomEntry("lock cards", violations: { $0.screenful.interface.lockCards.violations(in: $0.lockCardContext) }),
        RoomEntry("modal views", violations: { $0.modalViolations() }),
        RoomEntry("alerts", violations: { $0.alerts.violations(in: $0.alertContext) }),
        RoomEntry("dots"),
        RoomEntry("start-up"),
        RoomEntry(
            "windows",
            begin: { system, idiom, now, _ in
                system.screenful.workspace.setIdiom(idiom)
                system.screenful.sight.keys = idiom.bindings
                system.screenful.fitViews(at: now)
            }, violations: { $0.screenful.violations() }),
        RoomEntry(
            "sound",
            begin: { system, idiom, now, turn in system.sound.handle(.rulesChanged(idiom.sound), for: &system.screenful, at: now, &turn) },
            violations: { $0.sound.sessions.violations() }),
        RoomEntry("life", violations: { $0.life.violations($0.screenful) }),
        RoomEntry(
            "seat",
            violations: { system in
                system.seat.violations()
                    + (system.screenful.isLocked == system.seat.lock.isLocked
                        ? [] : ["the screenful does not know whether the session is locked"])
            }),
        RoomEntry("status", violations: { $0.status.violations(in: ()) }),
        RoomEntry("wireless networks", violations: { $0.wireless.violations(in: !$0.screenful.isLocked) }),
        RoomEntry("pairing", violations: { $0.pairing.violations(in: !$0.screenful.isLocked) }),
        RoomEntry("turning"),
        RoomEntry("night light", violations: { $0.nightLight.violations(in: $0.preferences.nightLight) }),
        RoomEntry("light level"),
        RoomEntry("sensors", violations: { $0.sensors.violations(in: ()) }),
        RoomEntry("location", violations: { $0.locating.violations(in: $0.locatingContext) }),
        RoomEntry("kept states", violations: { $0.keptStates.violations(in: ()) }),
        RoomEntry("prompts", violations: { $0.prompts.violations(in: !$0.screenful.isLocked) }),
        RoomEntry("drives", violations: { $0.drives.violations(in: !$0.screenful.isLocked) }),
        RoomEntry("tray", violations: { $0.tray.violations(in: !$0.screenful.isLocked) }),
        RoomEntry(
            "shortcuts",
            violations: {
                $0.shortcuts.violations(in: ())
                    + ($0.screenful.sight.shortcuts == $0.shortcuts ? [] : ["the screen knows other shortcuts than there are"])
            }),
        RoomEntry("choices", violations: { $0.choices.violations(in: ()) }),
        RoomEntry("idiom choice"),
    ]
}
