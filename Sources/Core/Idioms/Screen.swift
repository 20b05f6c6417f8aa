import Geometry

/// The screen of the shell, in logical points after rotation.
public struct Screen: Hashable, Codable, Sendable {
    /// The pixels per point that a screen may have, from any source: the command line, the configuration, `mullion ctl`, another program,
    /// or the store. Below, no text can be read; above, hardly one window fits.
    public static let scales = 0.5...8.0

    /// The same for messages.
    public static let scalesInWords = "from 0.5 to 8"

    public var size: Size
    /// Pixels per point.
    public var scale: Double
    /// The exclusive zones of panels (layer-shell).
    public var reserved: Insets
    /// Counter-clockwise quarter turns from upright, 0 to 3; nil while no adapter has reported them.
    public var turns: Int?
    /// The strips at the edges, as the screen stands now, where a cut-out or the case hides what is drawn.
    public var cutOuts = Insets.zero
    /// The height of the status bar, below the panels at the upper edge; 0: there is none.
    public var status = 0.0
    /// The radius of the screen's corners; 0 where they are square.
    public var cornerRadius = 0.0
    /// The share that each side loses, so that the area for windows stands inside a round screen; nil: the screen has corners.
    public var round: Double?

    public init(size: Size, scale: Double = 1, reserved: Insets = .zero, turns: Int? = nil) {
        self.size = size
        self.scale = scale
        self.reserved = reserved
        self.turns = turns
    }

    private enum CodingKeys: String, CodingKey { case size, scale, reserved, turns, cutOuts, status, cornerRadius }

    /// The shape of the screen is left out where it is a plain rectangle.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        size = try fields.decode(Size.self, forKey: .size)
        scale = try fields.decode(Double.self, forKey: .scale)
        reserved = try fields.decode(Insets.self, forKey: .reserved)
        turns = try fields.decodeIfPresent(Int.self, forKey: .turns)
        cutOuts = try fields.decodeIfPresent(Insets.self, forKey: .cutOuts) ?? .zero
        status = try fields.decodeIfPresent(Double.self, forKey: .status) ?? 0
        cornerRadius = try fields.decodeIfPresent(Double.self, forKey: .cornerRadius) ?? 0
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(size, forKey: .size)
        try fields.encode(scale, forKey: .scale)
        try fields.encode(reserved, forKey: .reserved)
        try fields.encodeIfPresent(turns, forKey: .turns)
        if cutOuts != .zero { try fields.encode(cutOuts, forKey: .cutOuts) }
        if status != 0 { try fields.encode(status, forKey: .status) }
        if cornerRadius != 0 { try fields.encode(cornerRadius, forKey: .cornerRadius) }
    }

    /// The quarter turns after "Rotate Screen": from upright to the side, and back.
    public var turned: Int { (turns ?? 0) ^ 1 }

    public var bounds: Rect { Rect(origin: .zero, size: size) }
    /// The area for windows and for the shell's views. A panel may lie in the strip of a cut-out, and so does the status bar.
    public var usable: Rect { room(below: reserved.top + status) }

    /// The same for a window that fills the screen by its own request: without the status bar.
    public var whole: Rect { status == 0 ? usable : room(below: reserved.top) }

    /// The status bar; nil: there is none.
    public var statusBar: Rect? {
        guard status > 0 else { return nil }
        let below = usable
        return Rect(below.x, reserved.top, below.width, below.minY - reserved.top)
    }

    private func room(below top: Double) -> Rect {
        let edges =
            cutOuts == .zero
            ? Insets(top, reserved.right, reserved.bottom, reserved.left)
            : Insets(
                max(top, cutOuts.top), max(reserved.right, cutOuts.right), max(reserved.bottom, cutOuts.bottom),
                max(reserved.left, cutOuts.left))
        let whole = bounds.inset(by: edges)
        guard let round else { return whole }
        // The disc has the diameter of the shorter side, and stands in the middle of a screen that is longer one way.
        let x = ((size.width - shorterSide) / 2 + shorterSide * round).rounded()
        let y = ((size.height - shorterSide) / 2 + shorterSide * round).rounded()
        let room = whole.intersection(bounds.inset(by: Insets(y, x, y, x)))
        return room.isEmpty ? whole : room
    }
    /// The area that no panel reserves, also where windows do not reach.
    public var unreserved: Rect { bounds.inset(by: reserved) }

    /// The same screen, measured in points that are `growth` times as large.
    public func seen(by growth: Double) -> Screen {
        var screen = self
        screen.size = size * (1 / growth)
        screen.scale = scale * growth
        screen.reserved = reserved * (1 / growth)
        screen.cutOuts = cutOuts * (1 / growth)
        screen.status = status / growth
        screen.cornerRadius = cornerRadius / growth
        return screen
    }

    /// Takes over the shape that an idiom gives for the upright screen.
    public mutating func shape(by idiom: Idiom) {
        cutOuts = idiom.cutOuts.turned(turns ?? 0)
        cornerRadius = idiom.cornerRadius
    }

    /// Moves a small thing out of a rounded corner, along the diagonal.
    public func clearOfCorners(_ rect: Rect) -> Rect {
        guard cornerRadius > 0 else { return rect }
        let inner = bounds.inset(by: cornerRadius), center = rect.center
        let x = max(inner.minX, min(inner.maxX, center.x)), y = max(inner.minY, min(inner.maxY, center.y))
        let way = center - Point(x, y), most = max(0, cornerRadius - max(rect.width, rect.height) / 2 - 4)
        guard way.dx != 0, way.dy != 0, way.length > most else { return rect }
        return Rect(center: Point(x, y) + way * (most / way.length), size: rect.size).rounded
    }
    public var shorterSide: Double { min(size.width, size.height) }
}

extension Insets {
    /// The same strips after counter-clockwise quarter turns of the picture: the upper one is at the right then.
    func turned(_ turns: Int) -> Insets {
        switch turns & 3 {
        case 1: Insets(left, top, right, bottom)
        case 2: Insets(bottom, left, top, right)
        case 3: Insets(right, bottom, left, top)
        default: self
        }
    }
}
