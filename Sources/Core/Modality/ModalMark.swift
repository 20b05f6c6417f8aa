import Geometry

/// The part of the screen that a view asks a person to mark: a frame, or one point.
public struct ModalMark: Hashable, Codable, Sendable {
    public var isPoint: Bool
    /// In points of the screen. A point is a frame without size.
    public private(set) var frame: Rect

    public init(_ frame: Rect) {
        isPoint = false
        self.frame = frame
    }

    public init(at point: Point) {
        isPoint = true
        frame = Rect(point.x, point.y, 0, 0)
    }

    /// The smallest side of a frame.
    public static let least = 4.0

    /// Marks this part instead. False: no part of it is on the screen.
    mutating func move(to wanted: Rect, on screen: Rect) -> Bool {
        let numbers = [wanted.x, wanted.y, wanted.width, wanted.height]
        guard numbers.allSatisfy(\.isFinite), wanted.width >= 0, wanted.height >= 0 else { return false }
        if isPoint {
            guard wanted.minX >= screen.minX, wanted.minY >= screen.minY, wanted.minX < screen.maxX, wanted.minY < screen.maxY else {
                return false
            }
            frame = Rect(wanted.x, wanted.y, 0, 0)
            return true
        }
        let part = wanted.intersection(screen)
        guard part.width >= ModalMark.least, part.height >= ModalMark.least else { return false }
        frame = part
        return true
    }

    /// The next mark by an arrow key. `resizes`: the key moves the far corner of a frame.
    public func stepped(_ way: Vector, resizes: Bool, on screen: Rect) -> Rect {
        if isPoint {
            return Rect(
                min(max(frame.x + way.dx, screen.minX), screen.maxX - 1), min(max(frame.y + way.dy, screen.minY), screen.maxY - 1), 0, 0)
        }
        if resizes {
            return Rect(
                frame.x, frame.y, min(max(frame.width + way.dx, ModalMark.least), screen.maxX - frame.x),
                min(max(frame.height + way.dy, ModalMark.least), screen.maxY - frame.y))
        }
        return Rect(
            min(max(frame.x + way.dx, screen.minX), screen.maxX - frame.width),
            min(max(frame.y + way.dy, screen.minY), screen.maxY - frame.height), frame.width, frame.height)
    }
}
