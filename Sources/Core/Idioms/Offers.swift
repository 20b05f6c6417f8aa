/// The functions that a person can use beyond the app in front. Everything is offered unless a data file says otherwise: a kiosk offers
/// nothing.
public struct Offers: OptionSet, Hashable, Sendable, NamedOptions {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The home screen and its search.
    public static let home = Offers(rawValue: 1)
    /// Going to another window: the app switcher, the next space, windows that wait and their banners.
    public static let switching = Offers(rawValue: 2)
    /// Opening apps and new windows, and starting programs.
    public static let opening = Offers(rawValue: 4)
    /// Closing windows and ending apps.
    public static let closing = Offers(rawValue: 8)
    public static let dock = Offers(rawValue: 16)
    /// The menus of apps, and the multitasking controls of windows.
    public static let menus = Offers(rawValue: 32)
    public static let controlCentre = Offers(rawValue: 64)
    public static let notifications = Offers(rawValue: 128)
    public static let keyList = Offers(rawValue: 256)
    /// The look of the shell: dark or light, motion, the size of text.
    public static let look = Offers(rawValue: 512)
    /// Another idiom.
    public static let idioms = Offers(rawValue: 1024)
    /// The end of the session.
    public static let logOut = Offers(rawValue: 2048)
    /// The keys by which the kernel's other consoles come to the screen: Ctrl+Alt+F1 to F12.
    public static let consoles = Offers(rawValue: 4096)
    /// Keyboards. Without them, apps and the shell get keys for sound alone.
    public static let keyboard = Offers(rawValue: 8192)

    /// The lock of the session.
    public static let lock = Offers(rawValue: 16384)

    public static let all = Offers(names.map(\.option))

    public static let names: [(name: String, option: Offers)] = [
        ("home", .home), ("switching", .switching), ("opening", .opening), ("closing", .closing), ("dock", .dock), ("menus", .menus),
        ("control-centre", .controlCentre), ("notifications", .notifications), ("key-list", .keyList), ("look", .look), ("idioms", .idioms),
        ("log-out", .logOut), ("consoles", .consoles), ("keyboard", .keyboard), ("lock", .lock),
    ]
}
