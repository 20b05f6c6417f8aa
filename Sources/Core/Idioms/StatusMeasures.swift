/// Where the time, the battery and the connections of the device are shown.
public struct StatusMeasures: Hashable, Codable, Sendable {
    public var place = StatusPlace.none
    /// The height of a bar of its own, in points. It grows with the text.
    public var height = 28.0

    public init() {}
}

public enum StatusPlace: String, NamedChoice, Hashable, Sendable {
    case none
    /// A bar along the upper edge, over the home screen and above apps that do not fill the screen.
    case bar
    /// At the end of the menu bar.
    case menuBar = "menu-bar"
    case controlCentre = "control-centre"
    /// In the app switcher.
    case switcher
}
