import Geometry

/// One window at a time, and a picture above it where the idiom has one (S-10, S-11).
public struct Single: Arranging {
    public var spaces = Spaces()
    public var picture: PictureInPicture?

    public init() {}

    public func place(of id: WindowID, on screen: Screen?) -> Place? {
        if picture?.window == id { return .pictureInPicture }
        return spaces.list.first { $0.contains(id) }.map { .full($0.id) }
    }

    public func placed(_ idiom: Idiom) -> [Placed] {
        (spaces.front?.windows ?? []).map { Placed($0, .space) } + placedPicture(idiom)
    }

    public mutating func put(_ id: WindowID, at destination: Destination) throws(Refusal) {
        guard destination == .fullScreen else { throw Refusal("one window is shown at a time") }
        if !spaces.contains(id) { remove(id) }
        spaces.makeFull(id)
    }

    public func violations() -> [String] {
        spaces.violations() + spaces.list.filter { $0.windows.count != 1 }.map { "S-11: the space \($0.id.raw) shows \($0.windows.count) windows" }
    }
}
