import Geometry
import Windows

/// When windows in sight are pictured (W-20). Windows that go out of sight are pictured then; those that a person looks at while the shell
/// or the machine ends would have no picture, or one from long ago.
///
/// Every act of a person moves the time, so no effect starts a timer: the adapter that keeps the pictures reads `System.picturesDue`.
struct PictureTimes: Hashable, Codable, Sendable {
    /// Since when acts of a person wait for a picture; nil: none does.
    private var since: Moment?
    private var lastAct = Moment.zero

    /// Seconds without an act after which a picture is taken.
    static let rest = 5.0
    /// Seconds after which the shell takes a picture although the person still acts.
    static let longest = 60.0

    mutating func acted(at now: Moment) {
        lastAct = now
        if since == nil { since = now }
    }

    var due: Moment? { since.map { min(lastAct + Self.rest, $0 + Self.longest) } }

    mutating func taken() { since = nil }
}

extension System {
    /// When windows in sight are to be pictured, with `Event.timer(.life(.pictures))`; nil: nothing happened since the last time.
    public var picturesDue: Moment? { life.pictureTimes.due }
}

extension Life {
    mutating func takePictures(_ screenful: Screenful, at now: Moment, _ turn: inout Turn) {
        guard let due = pictureTimes.due, due <= now else { return }
        pictureTimes.taken()
        guard !screenful.isLocked else { return }
        for id in screenful.workspace.shownRoots
        where screenful.workspace.isMapped(id) && screenful.workspace[id]?.placeholder == nil && !screenful.workspace.isPrompt(id) {
            turn.send(.keepPicture(id))
        }
    }
}
