import Geometry
import Idioms
import Rooms
import Windows

/// Where an idiom keeps calls and videos in sight (`Idiom.keepsInSight`), the window of a call or of a playing video becomes the picture
/// when a person leaves it for another app. The picture of a call ends with the call (S-10).
public struct CallPicture: Room {
    /// The window that fills the screen, or filled it last; nil: none did since the home screen.
    public private(set) var front: WindowID?
    /// The window of a call that is a picture only as long as the call lasts.
    public private(set) var ofCall: WindowID?

    public init() {}

    /// A window that fills the screen when it is in front.
    public struct Candidate: Hashable, Sendable {
        public var space: SpaceID
        public var app: String
        public var isInCall: Bool
        public var playsVideo: Bool

        public init(space: SpaceID, app: String, isInCall: Bool, playsVideo: Bool) {
            self.space = space
            self.app = app
            self.isInCall = isInCall
            self.playsVideo = playsVideo
        }
    }

    public enum Event: Hashable, Sendable {
        /// A change settled, by any cause: a swipe, the switcher, an icon, a key.
        case settled
        /// A window became the picture.
        case pictured(WindowID, isInCall: Bool)
    }

    public struct Context: Hashable, Sendable {
        /// Whether the idiom keeps calls and videos in sight.
        public var isKept = false
        /// The window that fills the screen.
        public var here: WindowID?
        public var isHome = false
        public var isLocked = false
        /// The window in Picture in Picture.
        public var picture: WindowID?
        /// Whether a call lasts.
        public var hasCall = false
        public var windows: [WindowID: Candidate] = [:]

        public init() {}
    }

    public enum Outcome: Hashable, Sendable {
        case picture(WindowID, of: SpaceID)
        /// The picture becomes a window again.
        case putBack
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .settled:
            guard context.isKept else {
                self = CallPicture()
                return []
            }
            return endOfCall(context) + afterLeaving(context)
        case .pictured(let window, let isInCall):
            if isInCall { ofCall = window }
            return []
        }
    }

    public mutating func begin(_ idiom: Idiom, at now: Moment) -> [Outcome] {
        if !idiom.keepsInSight { self = CallPicture() }
        return []
    }

    private mutating func endOfCall(_ context: Context) -> [Outcome] {
        guard let window = ofCall else { return [] }
        let isPicture = context.picture == window
        if isPicture, context.hasCall { return [] }
        ofCall = nil
        return isPicture ? [.putBack] : []
    }

    private mutating func afterLeaving(_ context: Context) -> [Outcome] {
        let left = front, here = context.here
        front = here ?? (context.isHome ? nil : left)
        guard !context.isLocked, let left, left != here, let window = context.windows[left] else { return [] }
        // Another window of the same app is no other app.
        if let here, !window.app.isEmpty, context.windows[here]?.app == window.app { return [] }
        return window.isInCall || (context.picture == nil && window.playsVideo) ? [.picture(left, of: window.space)] : []
    }
}
