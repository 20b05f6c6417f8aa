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
