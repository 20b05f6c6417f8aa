import Geometry

/// The arrangement of an idiom: one of a few types, so that it can be compared, recorded and tested exhaustively.
public enum Arrangement: Hashable, Codable, Sendable {
    case pad(Pad)
    case free(Free)
    case single(Single)

    public init(_ kind: ArrangementKind) {
        switch kind {
        case .pad: self = .pad(Pad())
        case .free: self = .free(Free())
        case .single: self = .single(Single())
        }
    }

    public var kind: ArrangementKind {
        switch self {
        case .pad: .pad
        case .free: .free
        case .single: .single
        }
    }

    /// Asks whichever it is.
    @inline(__always)
    func ask<Answer>(_ question: (any Arranging) -> Answer) -> Answer {
        switch self {
        case .pad(let pad): question(pad)
        case .free(let free): question(free)
        case .single(let single): question(single)
        }
    }

    /// Changes whichever it is.
    mutating func change<Answer, Failure>(_ change: (inout any Arranging) throws(Failure) -> Answer) throws(Failure) -> Answer {
        switch self {
        case .pad(let pad):
            var value: any Arranging = pad
            defer { self = .pad(value as! Pad) }
            return try change(&value)
        case .free(let free):
            var value: any Arranging = free
            defer { self = .free(value as! Free) }
            return try change(&value)
        case .single(let single):
            var value: any Arranging = single
            defer { self = .single(value as! Single) }
            return try change(&value)
        }
    }

    public var spaces: Spaces {
        get {
            switch self {
            case .pad(let pad): pad.spaces
            case .free(let free): free.spaces
            case .single(let single): single.spaces
            }
        }
        set { change { $0.spaces = newValue } }
    }

    public var picture: PictureInPicture? {
        get {
            switch self {
            case .pad(let pad): pad.picture
            case .free(let free): free.picture
            case .single(let single): single.picture
            }
        }
        set { change { $0.picture = newValue } }
    }

    /// Slide Over, which only a pad has.
    public var slideOver: SlideOver {
        get { if case .pad(let pad) = self { pad.slideOver } else { SlideOver() } }
        set {
            guard case .pad(var pad) = self else { return }
            pad.slideOver = newValue
            self = .pad(pad)
        }
    }

    /// The frames of freely stacked windows; nil in other arrangements.
    var free: Free? {
        get { if case .free(let free) = self { free } else { nil } }
        set { if let newValue { self = .free(newValue) } }
    }
}

/// The questions that every event asks many times, without a box around the arrangement.
extension Arrangement {
    public func contains(_ id: WindowID) -> Bool {
        switch self {
        case .pad(let pad): pad.contains(id)
        case .free(let free): free.contains(id)
        case .single(let single): single.contains(id)
        }
    }

    public func place(of id: WindowID, on screen: Screen?) -> Place? {
        switch self {
        case .pad(let pad): pad.place(of: id, on: screen)
        case .free(let free): free.place(of: id, on: screen)
        case .single(let single): single.place(of: id, on: screen)
        }
    }

    public func isShown(_ id: WindowID) -> Bool {
        switch self {
        case .pad(let pad): pad.isShown(id)
        case .free(let free): free.isShown(id)
        case .single(let single): single.isShown(id)
        }
    }

    public var shownRoots: [WindowID] {
        switch self {
        case .pad(let pad): pad.shownRoots
        case .free(let free): free.shownRoots
        case .single(let single): single.shownRoots
        }
    }

    public func placed(on ground: Ground, frame: (WindowID) -> Rect?) -> [Placed] {
        switch self {
        case .pad(let pad): pad.placed(on: ground, frame: frame)
        case .free(let free): free.placed(on: ground, frame: frame)
        case .single(let single): single.placed(on: ground, frame: frame)
        }
    }

    public func layer(of id: WindowID) -> Placed.Layer? {
        switch self {
        case .pad(let pad): pad.layer(of: id)
        case .free(let free): free.layer(of: id)
        case .single(let single): single.layer(of: id)
        }
    }

    public var hasHandles: Bool {
        switch self {
        case .pad(let pad): pad.hasHandles
        case .free(let free): free.hasHandles
        case .single(let single): single.hasHandles
        }
    }

    func offer(_ id: WindowID) -> Offer? {
        switch self {
        case .pad(let pad): pad.offer(id)
        case .free(let free): free.offer(id)
        case .single(let single): single.offer(id)
        }
    }

    func usual(on screen: Screen) -> Rect? {
        switch self {
        case .pad(let pad): pad.usual(on: screen)
        case .free(let free): free.usual(on: screen)
        case .single(let single): single.usual(on: screen)
        }
    }

    func parts(on ground: Ground, _ purpose: Purpose, content: (WindowID) -> (commit: WindowCommit, bar: Double)?) -> [WindowID: Rect] {
        switch self {
        case .pad(let pad): pad.parts(on: ground, purpose, content: content)
        case .free(let free): free.parts(on: ground, purpose, content: content)
        case .single(let single): single.parts(on: ground, purpose, content: content)
        }
    }

    /// Each touch and key asks this, so it changes only the one arrangement that keeps an order of use.
    mutating func isUsed(_ id: WindowID) {
        guard case .single(var single) = self else { return }
        single.isUsed(id)
        self = .single(single)
    }

    mutating func becomesActive(_ id: WindowID) {
        switch self {
        case .pad(var pad):
            pad.becomesActive(id)
            self = .pad(pad)
        case .free(var free):
            free.becomesActive(id)
            self = .free(free)
        case .single(var single):
            single.becomesActive(id)
            self = .single(single)
        }
    }
}
