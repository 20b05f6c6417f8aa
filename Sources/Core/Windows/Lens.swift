import Geometry

/// What a person sees of an app that needs more room than its place has (W-11).
///
/// Such an app is drawn smaller. Where that would make it too small to read and to touch (`Idiom.leastScale`), it is drawn at that
/// share, a part of it is in sight, and a person moves the rest into sight and changes the share.
public struct Lens: Hashable, Codable, Sendable {
    /// The share of its own size at which it is drawn; nil: the smallest one that the idiom allows.
    public var scale: Double?
    /// The point of the window, in its own unscaled coordinates, at the upper left corner of its place.
    public var origin = Point.zero

    public init(scale: Double? = nil, origin: Point = .zero) {
        self.scale = scale
        self.origin = origin
    }

    /// Larger than its own size, an app only gets coarser.
    public static let largest = 2.0
    /// The factor of a key or of a wheel's notch.
    public static let step = 1.25
}

extension WindowContent {
    /// The share at which all of it is in sight in a place of this size, at most 1.
    public func fit(in place: Size) -> Double {
        min(1, place.width / max(1, size.width), place.height / max(1, size.height))
    }

    /// The share at which it is drawn in a place of this size, if a part of it may be out of sight; nil: all of it fits well enough.
    public func scale(in place: Size) -> Double? {
        guard leastScale > 0, !size.isEmpty, !place.isEmpty else { return nil }
        let fit = fit(in: place)
        guard fit < leastScale - 0.001 else { return nil }
        return max(fit, min(Lens.largest, lens?.scale ?? leastScale))
    }

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
    /// (`roomForLargeDialog`) is drawn no smaller than at `leastDialogScale` in any idiom with sheets.
    mutating func followLenses() {
        let isOfSheets = modality == .sheets
        for index in windows.values.indices {
            let least: Double
            if windows.values[index].id == pip?.window {
                least = 0
            } else if isOfSheets, windows.values[index].facts.parent != nil, base(of: windows.values[index].id) != nil {
                least = max(Workspace.leastDialogScale, idiom.leastScale)
            } else {
                least = idiom.leastScale
            }
            if windows.values[index].leastScale != least { windows.values[index].leastScale = least }
        }
    }

    /// The idiom changed.
    mutating func resetLenses() {
        for index in windows.values.indices { windows.values[index].leastScale = idiom.leastScale }
    }

    /// A new window is drawn as the last one of its app was.
    mutating func inheritLens(_ id: WindowID) {
        guard idiom.leastScale > 0, let app = read(id, { $0.app }), let scale = appScales[app] else { return }
        edit(id) { $0.lens = Lens(scale: scale) }
    }

    /// Whether a person can move parts of this window into sight, in a place of this size.
    public func isMagnifiable(_ id: WindowID, in place: Size) -> Bool { content(of: id)?.scale(in: place) != nil }

    /// A person moves or scales what is in sight of a window.
    ///
    /// - Parameters:
    ///   - scale: the wanted share; nil leaves it to the idiom.
    ///   - origin: the point of the window at the upper left corner of its place.
    ///   - place: its place.
    public mutating func setLens(_ id: WindowID, scale: Double?, origin: Point, in place: Size) {
        guard let content = content(of: id) else { return }
        let fit = content.fit(in: place), wanted = scale.map { max(fit, min(Lens.largest, $0)) }
        let drawn = max(fit, wanted ?? content.leastScale)
        func within(_ value: Double, _ length: Double, _ room: Double) -> Double { max(0, min(max(0, length - room / drawn), value)) }
        let kept = Point(within(origin.x, content.size.width, place.width), within(origin.y, content.size.height, place.height))
        edit(id) { $0.lens = Lens(scale: wanted, origin: kept) }
        if let app = read(id, { $0.app }), !app.isEmpty { appScales[app] = wanted }
    }
}
