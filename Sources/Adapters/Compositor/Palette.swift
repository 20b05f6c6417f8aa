import Stage

public struct CompositorError: Error, CustomStringConvertible, Sendable {
    public var description: String

    init(_ description: String) { self.description = description }
}

/// The shell's colours: red, green, blue, opacity.
public struct Palette: Sendable {
    public typealias Color = (Float, Float, Float, Float)

    /// nil if the wallpaper is a picture.
    public var wallpaper: Color?
    private var colors: [Color] = Array(repeating: (0, 0, 0, 1), count: Paint.allCases.count)

    public init() {}

    public init(_ color: (Paint) -> Color) { colors = Paint.allCases.map(color) }

    subscript(paint: Paint) -> Color { colors[paint.index] }
}

extension Paint {
    fileprivate var index: Int { Paint.indices[self]! }
    private static let indices = Dictionary(uniqueKeysWithValues: Paint.allCases.enumerated().map { ($1, $0) })
}

func string(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
