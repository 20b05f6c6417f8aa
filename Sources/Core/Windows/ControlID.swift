/// Names one of the shell's own controls: the view that it stands in and its place there, as "dock/firefox-esr". The same
/// thing has the same name in every frame and every run; screen readers and `mullion ctl` use it, too.
public struct ControlID: Hashable, Sendable {
    /// As it is written: the view's word, and behind a slash the place.
    public let rawValue: String
    public let area: Area

    /// The view that a control stands in. The words are part of the control protocol (docs/control.md).
    public enum Area: String, Hashable, Sendable, CaseIterable {
        case home, dock, search, pages, lifted, launch, indicator, dots
        case switcher, expose, shelf
        case controls, menu, alert, keys, volume
        case notifications, picking, picture, panel
        case volumeView = "volume-view"
        case controlCentre = "control-centre"
        case pipControls = "picture-controls"
        case slideOver = "slide-over"
        case scrim, screen
        /// None of them: no control has such a name.
        case none = ""
    }

    /// The view itself.
    public init(_ area: Area) {
        self.area = area
        rawValue = area.rawValue
    }

    public init(_ area: Area, _ path: some CustomStringConvertible) {
        self.area = area
        rawValue = "\(area.rawValue)/\(path)"
    }

    /// A part of what this one names.
    public func part(_ path: some CustomStringConvertible) -> ControlID { ControlID(area: area, rawValue: "\(rawValue)/\(path)") }

    public init(rawValue: String) {
        let word = rawValue.prefix { $0 != "/" }
        self.init(area: Area(rawValue: String(word)) ?? .none, rawValue: rawValue)
    }

    private init(area: Area, rawValue: String) {
        self.area = area
        self.rawValue = rawValue
    }

    /// The place in its view; empty for the view itself.
    public var path: Substring { rawValue.dropFirst(area.rawValue.count + 1) }

    /// It stands on the panel of that name, or is that panel.
    public func isPart(of panel: ControlID) -> Bool {
        area == panel.area && (rawValue == panel.rawValue || rawValue.hasPrefix(panel.rawValue + "/"))
    }

    /// The app whose icon this is, in the dock or on the home screen. Under its own menu an icon is no control, but the finger
    /// still holds it.
    public var appOfIcon: String? { (area == .home || area == .dock) && rawValue.contains("/") ? String(path) : nil }

    public static let indicator = ControlID(.indicator)
}

extension ControlID: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension ControlID: CustomStringConvertible {
    public var description: String { rawValue }
}

extension ControlID: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
