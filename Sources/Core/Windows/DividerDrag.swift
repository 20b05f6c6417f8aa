import Geometry
import OrderedCollections

/// A live resize of a Split View: both windows get a configure, and both are shown in the new size once both have
/// answered. A slow client is waited for at most 300 ms, and then not again until it answers (W-04).
public struct DividerDrag: Hashable, Codable, Sendable {
    public let space: SpaceID
    /// The position of the finger.
    public var wanted: Double
    /// The fraction that both windows were sent and have not both answered.
    public var sent: Double?
    public var deadline: Moment = .zero

    /// Seconds to wait for a slow client.
    public static let patience = 0.3
}

extension Workspace {
    public enum DividerStep: Hashable, Sendable {
        /// Nothing to do now.
        case wait
        /// New sizes were sent. Hold the pictures of both windows until they answer or the time is up.
        case told(until: Moment)
        /// Both pictures may change now.
        case shown
    }

    public mutating func beginDividerDrag() throws(Refusal) {
        guard let space = currentSpace, let split = space.split else { throw Refusal("no Split View is in front") }
        dividerDrag = DividerDrag(space: space.id, wanted: split.fraction)
    }

    /// Takes the next step of the live resize, if one is due, after the finger moved, a window answered or time
    /// passed.
    public mutating func stepDividerDrag(wanted: Double? = nil, at now: Moment) -> DividerStep {
        guard var drag = dividerDrag, drag.space == current, let split = currentSpace?.split, let screen else {
            return .wait
        }
        if let wanted { drag.wanted = wanted }
        defer { if dividerDrag != nil { dividerDrag = drag } }
        if let sent = drag.sent {
            if isAwaited(split.first) || isAwaited(split.second) {
                guard now >= drag.deadline else { return .wait }
                for id in [split.first, split.second] where isAwaited(id) { windows[id]!.isLate = true }
            }
            drag.sent = nil
            try? setDivider(sent)
            return .shown
        }
        // Below a tenth of the length, a window shows nothing useful. The divider itself continues to the edge.
        let fraction = max(0.1, min(0.9, drag.wanted))
        let now1 = splitFrames(split, fraction: split.fraction, on: screen)
        let next = splitFrames(split, fraction: fraction, on: screen)
        guard now1.first != next.first else { return .wait }
        drag.sent = fraction
        drag.deadline = now + DividerDrag.patience
        return .told(until: drag.deadline)
    }

    /// Ends the drag at the finger's position, without waiting for pending answers.
    public mutating func endDividerDrag() {
        dividerDrag = nil
    }

    /// Cancels the drag. The divider goes to the nearest rest position.
    public mutating func cancelDividerDrag() {
        guard let drag = dividerDrag else { return }
        dividerDrag = nil
        guard var split = space(drag.space)?.split else { return }
        split.fraction = dividerRest(split.fraction) ?? 0.5
        arrangement.change { $0.spaces.set(.split(split), of: drag.space) }
    }

    /// Keeps showing the current pictures of these windows until they are released.
    public mutating func hold(_ ids: [WindowID]) {
        for id in ids {
            // By index, because to change a value by its key takes the window out and puts it back.
            guard let index = windows.index(forKey: id), windows.values[index].heldSize == nil else { continue }
            windows.values[index].heldSize = windows.values[index].commit.size
        }
    }

    /// Releases all held windows and returns them.
    public mutating func releaseAll() -> [WindowID] {
        var released: [WindowID] = []
        for index in windows.values.indices where windows.values[index].heldSize != nil {
            windows.values[index].heldSize = nil
            released.append(windows.values[index].id)
        }
        return released
    }

    /// Stops waiting for windows that have not answered since before a layout change. They are shown as they are from
    /// now on.
    public mutating func giveUpWaiting() {
        for index in windows.values.indices where windows.values[index].isAwaited { windows.values[index].isLate = true }
    }
}
