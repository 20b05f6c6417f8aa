import Geometry
import Windows

/// An item of a window that two fingers pull open (W-21): its picture, above the window in which it is.
public struct PinchedItem: Hashable, Codable, Sendable {
    public enum Phase: Hashable, Codable, Sendable {
        /// Two fingers hold it.
        case held
        /// It waits for the window of this launch.
        case waits(LaunchID)
        /// The window grows out of it.
        case opens(WindowID)
        /// It springs back.
        case returns
    }

    public let window: WindowID
    /// The item in the window's own coordinates.
    let item: Rect
    /// Where it was on the screen when the fingers took it.
    public let start: Rect
    public internal(set) var frame: AnimatedRect
    public internal(set) var opacity = Animated(1)
    /// How much its surroundings are dimmed.
    public internal(set) var dimming = Animated(0)
    public internal(set) var phase = Phase.held
    var pace: Pace?

    init(window: WindowID, item: Rect, start: Rect) {
        self.window = window
        self.item = item
        self.start = start
        frame = AnimatedRect(start)
    }

    func isMoving(at now: Moment) -> Bool {
        !(frame.isSettled(at: now) && opacity.isSettled(at: now) && dimming.isSettled(at: now))
    }

    /// Whether it is where it was, or has become the window.
    public func isDone(at now: Moment) -> Bool {
        switch phase {
        case .held, .waits: false
        case .returns: frame.isSettled(at: now) && dimming.isSettled(at: now)
        case .opens: opacity.isSettled(at: now) && dimming.isSettled(at: now)
        }
    }
}

extension Stage {
    /// Two fingers take an item. Returns false if no part of it is visible.
    public mutating func pinch(_ item: Pinchable, in id: WindowID, _ workspace: Workspace, at now: Moment) -> Bool {
        guard let start = place(ofItem: item.frame, in: id, workspace, at: now), !start.isEmpty else { return false }
        pinched = PinchedItem(window: id, item: item.frame, start: start)
        return true
    }

    /// Where an item is on the screen.
    private func place(ofItem item: Rect, in id: WindowID, _ workspace: Workspace, at now: Moment) -> Rect? {
        guard let window = workspace[id], !window.contentSize.isEmpty, let picture = contentRect(of: id, workspace, at: now) else {
            return nil
        }
        return picture.map(item, from: Rect(origin: .zero, size: window.contentSize))
    }

    /// The fingers hold it at this rectangle now. `progress`: from 0, where they began, to 1, where it opens.
    public mutating func holdPinched(at frame: Rect, progress: Double, now: Moment) {
        guard pinched?.phase == .held else { return }
        pinched!.frame.carry(to: frame)
        pinched!.dimming.carry(to: progress)
        if pinched!.pace == nil { pinched!.pace = Pace() }
        pinched!.pace!.add(frame, at: now)
    }

    /// The fingers let go where it opens. It rests within `room` until its window is there.
    public mutating func awaitPinched(_ launch: LaunchID, in room: Rect, at now: Moment, spring: Spring) {
        letGoOfPinched(at: now)
        pinched?.phase = .waits(launch)
        guard let frame = pinched?.frame.target else { return }
        pinched?.frame.retarget(frame.clamped(to: room), at: now, spring: spring)
        pinched?.dimming.retarget(1, at: now, spring: spring)
    }

    /// It goes back to where it was.
    public mutating func returnPinched(at now: Moment, spring: Spring) {
        if pinched?.phase == .held { letGoOfPinched(at: now) }
        guard let start = pinched?.start else { return }
        pinched?.phase = .returns
        pinched?.frame.retarget(start, at: now, spring: spring)
        pinched?.dimming.retarget(0, at: now, spring: spring)
    }

    /// The window that grows out of it is about to be shown.
    public mutating func openPinched(into id: WindowID) { pinched?.phase = .opens(id) }

    private mutating func letGoOfPinched(at now: Moment) {
        guard let pace = pinched?.pace else { return }
        pinched?.frame.release(at: now, pace: pace)
        pinched?.pace = nil
    }

    /// Where a new window grows out of an item; nil if it does not.
    func pinchedEntrance(of id: WindowID, at now: Moment) -> Rect? {
        guard let pinched, pinched.phase == .opens(id) else { return nil }
        return pinched.frame.value(at: now)
    }

    /// It becomes its new window, or goes with the window in which it is.
    mutating func updatePinched(_ workspace: Workspace, at now: Moment, spring: Spring) {
        guard let pinched else { return }
        if case .opens(let id) = pinched.phase {
            guard let new = shown[id], workspace[id]?.isMapped ?? false else { return self.pinched = nil }
            if self.pinched!.frame.target != new.place { self.pinched!.frame.retarget(new.place, at: now, spring: spring) }
            if self.pinched!.opacity.target != 0 { self.pinched!.opacity.retarget(0, at: now, spring: spring) }
            if self.pinched!.dimming.target != 0 { self.pinched!.dimming.retarget(0, at: now, spring: spring) }
        }
        guard workspace[pinched.window]?.isMapped ?? false, let base = shown[pinched.window], base.level != .leaving else {
            return self.pinched = nil
        }
    }

    func addPinched(_ workspace: Workspace, at now: Moment, to items: inout [Item]) {
        guard let pinched, !pinched.isDone(at: now), let base = shown[pinched.window], !isCarded(pinched.window, workspace, at: now),
            let picture = contentRect(of: pinched.window, workspace, at: now),
            let home = place(ofItem: pinched.item, in: pinched.window, workspace, at: now), !home.isEmpty
        else { return }
        let id = pinched.window, frame = pinched.frame.value(at: now)
        let dimming = max(0, min(1, pinched.dimming.value(at: now))), opacity = max(0, min(1, pinched.opacity.value(at: now)))
        if dimming > 0 {
            items.append(
                Item(
                    .pinchDimming, id, .fill(.scrim), base.frame.value(at: now), radius: base.radius.value(at: now), opacity: dimming))
        }
        guard opacity > 0 else { return }
        items.append(
            Item(
                .pinchShadow, id, .shadow(blur: Stage.shadowBlur), frame, radius: Stage.cardRadius,
                opacity: opacity * dimming * Stage.shadowOpacity))
        items.append(
            Item(
                .pinched, id, .window(id), frame.map(picture, from: home), clip: frame, radius: Stage.cardRadius * dimming, opacity: opacity
            ))
    }
}
