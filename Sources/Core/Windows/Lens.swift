import Geometry

/// The visible part of an app that needs more room than its place has (W-11).
///
/// Such an app is drawn smaller. A `LensRule` says when a part of it is in sight instead. A person then moves the rest into sight and
/// changes the share at which it is drawn.
public struct Lens: Hashable, Codable, Sendable {
    /// The share of its own size at which it is drawn; nil: the one that the rule begins with.
    public var scale: Double?
    /// The point of the window, in its own unscaled coordinates, at the upper left corner of its place.
    public var origin = Point.zero
    /// The rule under which a person chose this. It does not count under another one: what a phone shows well is too large on a watch.
    var rule: LensRule

    init(scale: Double? = nil, origin: Point = .zero, rule: LensRule) {
        self.scale = scale
        self.origin = origin
        self.rule = rule
    }

    /// Larger than its own size, an app only gets coarser.
    public static let largest = 2.0
    /// The factor of a key or of a wheel's notch.
    public static let step = 1.25
}

/// When the place of a window may show only a part of it.
public struct LensRule: Hashable, Codable, Sendable {
    /// It is not drawn below this share of its own size (W-11); 0: it is always drawn whole.
    public var least: Double
    /// Below this share all of it is in sight first, and a person may enlarge it (S-11); 0: never.
    public var zoomsBelow: Double

    /// All of it is always in sight.
    public static let whole = LensRule(least: 0, zoomsBelow: 0)

    /// Whether a part of a window is ever out of sight.
    public var zooms: Bool { least > 0 || zoomsBelow > 0 }
}

extension Idiom {
    public var lensRule: LensRule { LensRule(least: leastScale, zoomsBelow: zoomsBelow) }
}

extension WindowContent {
    /// The share at which all of it is in sight in a place of this size, at most 1.
    public func fit(in place: Size) -> Double {
        min(1, place.width / max(1, size.width), place.height / max(1, size.height))
    }

    /// The share at which it is drawn in a place of this size, if a part of it may be out of sight; nil: all of it fits well enough.
    public func scale(in place: Size) -> Double? {
        guard lensRule.zooms, !size.isEmpty, !place.isEmpty else { return nil }
        guard fit(in: place) < max(lensRule.least, lensRule.zoomsBelow) - 0.001 else { return nil }
        return share(lens?.scale, in: place)
    }

    /// The share at which it is drawn if a person wants this one; nil: the one that the rule begins with.
    public func share(_ wanted: Double?, in place: Size) -> Double { max(fit(in: place), min(Lens.largest, wanted ?? lensRule.least)) }

    /// Where it is drawn when its place shows a part of it; nil: all of it is in sight.
    public func magnified(in place: Rect) -> Rect? {
        guard let scale = scale(in: place.size), scale > fit(in: place.size) + 0.0001 else { return nil }
        let whole = size * scale
        func start(_ length: Double, _ room: Double, _ wanted: Double) -> Double {
            length <= room ? (room - length) / 2 : -max(0, min(length - room, wanted))
        }
        let origin = lens?.origin ?? .zero
        return Rect(
            place.x + start(whole.width, place.width, origin.x * scale), place.y + start(whole.height, place.height, origin.y * scale),
            whole.width, whole.height)
    }

    /// The part of `room` that it takes.
    func taken(in room: Rect) -> Rect {
        guard let scale = scale(in: room.size) else { return room.fitting(size) }
        let whole = size * scale
        return Rect(center: room.center, size: Size(min(room.width, whole.width), min(room.height, whole.height)))
    }
}

extension Workspace {
    /// Pictures in Picture are small on purpose, and so are drawn whole. A dialog with room on the whole screen alone
    /// (`roomForLargeDialog`) is drawn no smaller than at `leastDialogScale` in any idiom with sheets, except where it can be enlarged.
    mutating func followLenses() {
        let isOfSheets = modality == .sheets
        for index in windows.values.indices {
            var rule = idiom.lensRule
            if windows.values[index].id == pip?.window {
                rule = .whole
            } else if isOfSheets, rule.zoomsBelow == 0, windows.values[index].facts.parent != nil, base(of: windows.values[index].id) != nil
            {
                rule.least = max(Workspace.leastDialogScale, rule.least)
            }
            if windows.values[index].lensRule != rule { windows.values[index].lensRule = rule }
        }
    }

    /// The idiom changed.
    mutating func resetLenses() {
        for index in windows.values.indices { windows.values[index].lensRule = idiom.lensRule }
    }

    /// A new window is drawn as the last one of its app was.
    mutating func inheritLens(_ id: WindowID) {
        guard idiom.lensRule.zooms, let app = read(id, { $0.app }), let lens = appLenses[app] else { return }
        edit(id) { $0.lens = lens }
    }

    /// Whether a person can move parts of this window into sight, in a place of this size.
    public func isMagnifiable(_ id: WindowID, in place: Size) -> Bool { content(of: id)?.scale(in: place) != nil }

    /// A person moves or scales the visible part of a window.
    ///
    /// - Parameters:
    ///   - scale: the wanted share; nil leaves it to the idiom.
    ///   - origin: the point of the window at the upper left corner of its place.
    ///   - place: its place.
    public mutating func setLens(_ id: WindowID, scale: Double?, origin: Point, in place: Size) {
        guard let content = content(of: id) else { return }
        let drawn = content.share(scale, in: place), wanted = scale.map { _ in drawn }
        func within(_ value: Double, _ length: Double, _ room: Double) -> Double { max(0, min(max(0, length - room / drawn), value)) }
        let kept = Point(within(origin.x, content.size.width, place.width), within(origin.y, content.size.height, place.height))
        edit(id) { $0.lens = Lens(scale: wanted, origin: kept, rule: content.lensRule) }
        if let app = read(id, { $0.app }), !app.isEmpty { appLenses[app] = wanted.map { Lens(scale: $0, rule: content.lensRule) } }
    }
}
