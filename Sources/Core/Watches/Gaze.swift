import Geometry
import Idioms
import Rooms

/// The point that a person looks at, and how dark it is around the windows (V-01, V-02).
public struct Gaze: Room {
    /// In points of the screen; nil: nothing follows the eyes.
    public private(set) var point: Point?
    /// The opacity of the dark around the windows.
    public private(set) var surroundings = Animated(0)

    public var isDim: Bool { surroundings.target > 0 }

    /// How dark the switch in the control centre makes the surroundings, from 0 to 1.
    public static let dim = 0.7
    /// The opacity of surroundings that are as dark as possible.
    static let darkest = 0.9

    public init() {}

    public enum Event: Hashable, Sendable {
        case looked(at: Point?)
        /// From 0 to 1; nil: toggles.
        case dim(Double?)
        /// The surroundings were this dark when the last session ended.
        case wasDim(Double)
    }

    public struct Context: Sendable {
        public var idiom: Idiom
        /// nil: there is no screen.
        public var screen: Rect?
        public var spring: Spring

        public init(idiom: Idiom, screen: Rect?, spring: Spring) {
            self.idiom = idiom
            self.screen = screen
            self.spring = spring
        }
    }

    public enum Outcome: Hashable, Sendable {
        case drawn
        /// The window at the point is looked at.
        case looks(at: Point?)
        /// A person chose how dark it is.
        case keeps(Double)
        case refused(String)
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        let name = context.idiom.name, hasDepth = context.idiom.depth != nil
        switch event {
        case .looked(let new):
            guard hasDepth else { return [.refused("in the idiom \(name) nobody follows the eyes")] }
            if let new, !(context.screen?.contains(new) ?? false) { return [.refused("the point is not on the screen")] }
            point = new
            return [.drawn, .looks(at: new)]
        case .dim(let wanted):
            guard hasDepth else { return [.refused("in the idiom \(name) the surroundings are not dimmed")] }
            let share = wanted ?? (isDim ? 0 : Gaze.dim)
            guard (0...1).contains(share) else {
                return [.refused("the surroundings are dimmed by a number from 0 to 1, not \(share)")]
            }
            surroundings.retarget(share * Gaze.darkest, at: now, spring: context.spring)
            return [.drawn, .keeps(share)]
        case .wasDim(let share):
            surroundings.set(share * Gaze.darkest)
            return [.drawn]
        }
    }

    /// The surroundings stay as dark as a person wants them.
    public mutating func begin(_ idiom: Idiom, at now: Moment) -> [Outcome] {
        guard point != nil else { return [] }
        point = nil
        return [.drawn]
    }

    public func violations(in context: Context) -> [String] {
        point != nil && context.idiom.depth == nil ? ["V-02: a person looks where nothing has a depth"] : []
    }
}
