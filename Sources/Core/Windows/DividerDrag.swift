import Geometry
import OrderedCollections

/// A live resize of a Split View: both windows get a configure, and both are shown in the new size once both have
/// answered. A slow client is waited for at most 300 ms, and then not again until it answers. Once the finger is `reach` ahead,
/// the divider waits for no client: it follows the finger, and both windows are stretched (W-04).
public struct DividerDrag: Hashable, Codable, Sendable {
    public let space: SpaceID
    /// The position of the finger.
    public var wanted: Double
    /// The fraction for which both windows were last asked to draw, and for which those draw that answered.
    public var drawn: Double
    /// The fraction that both windows were sent and have not both answered.
    public var sent: Double?
    public var deadline: Moment = .zero

    /// Seconds to wait for a slow client.
    public static let patience = 0.3
    /// How far the divider stays behind the finger at most, in points. Less would stretch the pictures of fast apps, too.
    public static let reach = 16.0
}

extension Workspace {
    public enum DividerStep: Hashable, Sendable {
        /// Nothing to do now.
        case wait
        /// New sizes were sent. Hold the pictures of both windows until they answer or the time is up.
        case told(until: Moment)
        /// Both pictures may change now.
        case shown
        /// Only the divider moved: the pictures are stretched.
        case followed
    }

    public mutating func beginDividerDrag() throws(Refusal) {
        guard let space = currentSpace, let split = space.split else { throw Refusal("no Split View is in front") }
        dividerDrag = DividerDrag(space: space.id, wanted: split.fraction, drawn: split.fraction)
    }

    /// Takes the next step of the live resize, if one is due, after the finger moved, a window answered or time
    /// passed.
    public mutating func stepDividerDrag(wanted: Double? = nil, at now: Moment) -> DividerStep {
        guard var drag = dividerDrag, drag.space == current, let split = currentSpace?.split, let screen else {
            return .wait
        }
        if let wanted { drag.wanted = wanted }
        defer { if dividerDrag != nil { dividerDrag = drag } }
        // Below a tenth of the length, a window shows nothing useful.
        let wanted = max(0.1, min(0.9, drag.wanted)), reach = DividerDrag.reach / splitLength(split, on: screen)
        /// No farther from the finger than it may be.
        func near(_ fraction: Double) -> Double { max(wanted - reach, min(wanted + reach, fraction)) }
        if let sent = drag.sent {
            if isAwaited(split.first) || isAwaited(split.second) {
                guard now >= drag.deadline else { return follow(near(split.fraction), split) }
                for id in [split.first, split.second] where isAwaited(id) { windows[id]!.isLate = true }
            }
            drag.sent = nil
            drag.drawn = sent
            for (id, place) in halves(split, sent, screen) where windows[id]?.isLate == false { windows[id]!.drawnFor = place }
            try? setDivider(near(sent))
            return .shown
        }
        guard halves(split, drag.drawn, screen)[0].place != halves(split, wanted, screen)[0].place else { return .wait }
        // The pictures that they show until they answer were drawn for the size before.
        for (id, place) in halves(split, drag.drawn, screen) where windows[id]?.drawnFor == nil { windows[id]?.drawnFor = place }
        drag.sent = wanted
        drag.deadline = now + DividerDrag.patience
        return .told(until: drag.deadline)
    }

    private mutating func follow(_ fraction: Double, _ split: Split) -> DividerStep {
        guard fraction != split.fraction else { return .wait }
        try? setDivider(fraction)
        return .followed
    }

    private func halves(_ split: Split, _ fraction: Double, _ screen: Screen) -> [(id: WindowID, place: Rect)] {
        let frames = splitFrames(split, fraction: fraction, on: screen)
        return [(split.first, frames.first), (split.second, frames.second)]
    }

    /// The way of the divider from one end to the other, in points.
    private func splitLength(_ split: Split, on screen: Screen) -> Double {
        let room = screen.usable.size
        return max(1, (split.axis(on: screen.size) == .horizontal ? room.width : room.height) - idiom.split.thickness)
    }

    /// Ends the drag at the finger's position, without waiting for pending answers.
    public mutating func endDividerDrag() {
        dividerDrag = nil
        forgetDrawnFor()
    }

    /// Cancels the drag. The divider goes to the nearest rest position.
    public mutating func cancelDividerDrag() {
        guard let drag = dividerDrag else { return }
        endDividerDrag()
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
            windows.values[index].heldFor = windows.values[index].drawnFor
        }
    }

    /// Releases all held windows and returns them.
    public mutating func releaseAll() -> [WindowID] {
        var released: [WindowID] = []
        for index in windows.values.indices where windows.values[index].heldSize != nil {
            windows.values[index].heldSize = nil
            windows.values[index].heldFor = nil
            released.append(windows.values[index].id)
        }
        return released
    }

    /// No finger drags the divider any more: every picture fits into the place of its window.
    private mutating func forgetDrawnFor() {
        for index in windows.values.indices where windows.values[index].drawnFor != nil { windows.values[index].drawnFor = nil }
    }

    /// Stops waiting for windows that have not answered since before a layout change. They are shown as they are from
    /// now on.
    public mutating func giveUpWaiting() {
        for index in windows.values.indices where windows.values[index].isAwaited { windows.values[index].isLate = true }
    }
}
