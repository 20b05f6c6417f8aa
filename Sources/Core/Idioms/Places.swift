/// Where a person may put windows.
public struct Places: OptionSet, Hashable, Sendable, NamedOptions {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let fullScreen = Places(rawValue: 1)
    /// Beside another window (W-04).
    public static let splitView = Places(rawValue: 2)
    /// In the stack over the spaces (W-01).
    public static let slideOver = Places(rawValue: 4)
    /// Small, above everything (W-06).
    public static let pictureInPicture = Places(rawValue: 8)

    public static let all: Places = [.fullScreen, .splitView, .slideOver, .pictureInPicture]

    public static let names: [(name: String, option: Places)] = [
        ("full-screen", .fullScreen), ("split-view", .splitView), ("slide-over", .slideOver), ("picture-in-picture", .pictureInPicture),
    ]
}

/// The ways in which a person opens new windows of apps here. Apps word their own menu items by them (W-22).
public struct WindowCapabilities: OptionSet, Hashable, Sendable, NamedOptions {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// An app may offer to open an item in a new window.
    public static let newWindows = WindowCapabilities(rawValue: 1)
    /// Two fingers open an item in a new window (W-21).
    public static let pinch = WindowCapabilities(rawValue: 2)

    public static let names: [(name: String, option: WindowCapabilities)] = [("new-windows", .newWindows), ("pinch", .pinch)]
}

/// Options that data files and recordings list by name.
public protocol NamedOptions: OptionSet, Codable where Element == Self {
    static var names: [(name: String, option: Self)] { get }
}

extension NamedOptions {
    public init(from decoder: any Decoder) throws {
        let list = try decoder.singleValueContainer().decode([String].self)
        self = []
        for name in list {
            guard let known = Self.names.first(where: { $0.name == name }) else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "\"\(name)\" is not known"))
            }
            formUnion(known.option)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.names.filter { contains($0.option) }.map(\.name))
    }
}

/// A choice that data files make by name.
public protocol NamedChoice: RawRepresentable, CaseIterable, Codable where RawValue == String {}

extension NamedChoice {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer(), name = try container.decode(String.self)
        guard let known = Self(rawValue: name) else {
            let names = Self.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "\"\(name)\" is not known: \(names)"))
        }
        self = known
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
