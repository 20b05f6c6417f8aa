import Geometry
import OrderedCollections

/// A live resize of a Split View: both windows are told a size, and shown with it at once when both have answered.
/// A slow client is waited for at most 300 ms and after that not again until it answers (W-04).
public struct DividerDrag: Hashable, Codable, Sendable {
    public let space: SpaceID
    /// Where the finger is.
    public var wanted: Double
    /// What both windows were told and have not both answered.
    public var sent: Double?
    public var deadline: Moment = .zero

    /// Seconds that a slow client is waited for.
    public static let patience = 0.3
}

extension Workspace {
    public enum DividerStep: Hashable, Sendable {
        /// Nothing to do now.
        case wait
        /// New sizes were told; hold the pictures of both windows until they answer or the moment comes.
        case told(until: Moment)
        /// Both pictures may change now.
        case shown
    }

    public mutating func beginDividerDrag() throws(Refusal) {
        guard let space = currentSpace, let split = space.split else { throw Refusal("no Split View is in front") }
        dividerDrag = DividerDrag(space: space.id, wanted: split.fraction)
    }

    /// The finger moved, a window answered or time passed: takes the next step of the live resize, if one is due.
    public mutating func stepDividerDrag(wanted: Double? = nil, at now: Moment) -> DividerStep {
        guard var drag = dividerDrag, drag.space == current, let split = currentSpace?.split, let screen else {
            return .wait
        }
        if let wanted { drag.wanted = wanted }
        defer { if dividerDrag != nil { dividerDrag = drag } }
        if let sent = drag.sent {
            let isWaiting = [split.first, split.second].contains { windows[$0]?.isAwaited ?? false }
            guard !isWaiting || now >= drag.deadline else { return .wait }
            for id in [split.first, split.second] where windows[id]?.isAwaited ?? false { windows[id]!.isLate = true }
            drag.sent = nil
            try? setDivider(sent)
            return .shown
        }
        // Below a tenth of the room a window shows nothing useful; the divider itself goes on to the edge.
        let fraction = max(0.1, min(0.9, drag.wanted))
        let now1 = splitFrames(split, fraction: split.fraction, on: screen)
        let next = splitFrames(split, fraction: fraction, on: screen)
        guard now1.first != next.first else { return .wait }
        drag.sent = fraction
        drag.deadline = now + DividerDrag.patience
        return .told(until: drag.deadline)
    }

    /// Ends the drag where the finger is; what was under way is not waited for any more.
    public mutating func endDividerDrag() {
        dividerDrag = nil
    }

    /// Taken away half-way, the divider rests where it is nearest.
    public mutating func cancelDividerDrag() {
        guard let drag = dividerDrag else { return }
        dividerDrag = nil
        guard let index = spaces.firstIndex(where: { $0.id == drag.space }), var split = spaces[index].split else { return }
        split.fraction = dividerRest(split.fraction) ?? 0.5
        spaces[index].content = .split(split)
    }

    /// The pictures of these windows stay as they are until released.
    public mutating func hold(_ ids: [WindowID]) {
        for id in ids where windows[id] != nil && windows[id]!.heldSize == nil {
            windows[id]!.heldSize = windows[id]!.commit.size
        }
    }

    /// Returns those that were held.
    public mutating func releaseAll() -> [WindowID] {
        var released: [WindowID] = []
        for index in windows.values.indices where windows.values[index].heldSize != nil {
            windows.values[index].heldSize = nil
            released.append(windows.values[index].id)
        }
        return released
    }

    /// The windows that have owed an answer since before a layout change; they are shown as they are from now on.
    public mutating func giveUpWaiting() {
        for index in windows.values.indices where windows.values[index].isAwaited { windows.values[index].isLate = true }
    }
}
