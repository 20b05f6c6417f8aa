/// Identifies one of the shell's own controls by its view and its place there, such as "dock/firefox-esr". The name
/// of a thing is the same in every frame and every run. Screen readers and `mullion ctl` use it, too.
public struct ControlID: Hashable, Sendable {
    /// The view's name, and after a slash the place in it.
    public let rawValue: String
    public let area: Area

    /// The view of a control. The names are part of the control protocol (docs/control.md).
    public enum Area: String, Hashable, Sendable, CaseIterable {
        /// Apps in the open folder of the home screen.
        case folder
        case home, dock, search, pages, lifted, launch, indicator, dots
        case switcher, expose, shelf
        case banner
        /// The clock of a screen at rest.
        case rest
        /// The banner of a notification.
        case notice
        case controls, menu, alert, keys, volume
        /// The switcher of apps or windows, by position.
        case switching = "switch"
        /// The bar along the upper edge, and its menus (W-25).
        case menuBar = "menu-bar"
        /// The time and the state of the device, and the apps that listen or see the screen.
        case status, sensors
        case logOut = "log-out"
        case windowsAside = "windows-aside"
        case unresponsive, crashing, location, prompt
        case forgetKept = "forget-kept", powerAlert = "power-alert"
        /// Why a locked screen shows no locker.
        case lock
        /// That the app with which the shell starts is not there yet.
        case start
        /// The bar above a sheet or a freely stacked window, by the window's number.
        case sheet
        /// A view for a program, by its number.
        case modal
        case notifications, picking, picture, panel
        case volumeView = "volume-view"
        case controlCentre = "control-centre"
        case pipControls = "picture-controls"
        case slideOver = "slide-over"
        case scrim, screen
        /// No view. No control has such an id.
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

    /// The id of a part of this control.
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

    /// Whether it is on the given panel, or is that panel.
    public func isPart(of panel: ControlID) -> Bool {
        area == panel.area && (rawValue == panel.rawValue || rawValue.hasPrefix(panel.rawValue + "/"))
    }

    /// Whether it is on the banner of a window or of a notification.
    public var isOnBanner: Bool { area == .banner || area == .notice }

    /// The app of an icon in the dock or on the home screen. While the icon's own menu is open, the icon is not a
    /// control, but the finger still holds it.
    public var appOfIcon: String? {
        (area == .home || area == .dock || area == .folder) && rawValue.contains("/") && !(area == .home && path.hasPrefix("folder/"))
            ? String(path) : nil
    }

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
