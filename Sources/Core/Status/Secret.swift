/// A text that a person writes and that no file may hold, such as a password. Recordings and reports have an "a" for each sign of it.
public struct Secret: Hashable, Codable, Sendable {
    public var text: String

    public init(_ text: String = "") { self.text = text }

    public var isEmpty: Bool { text.isEmpty }
    public var dots: String { String(repeating: "•", count: text.count) }

    /// A text of the same length that says nothing.
    public static func masked(_ text: String) -> String { String(repeating: "a", count: text.count) }

    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Secret.masked(text))
    }
}
