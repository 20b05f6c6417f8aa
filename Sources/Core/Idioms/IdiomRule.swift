import Geometry

/// A rule that names an idiom for the hardware, as data of the configuration (docs/config.md). It holds if all of its conditions
/// do; a condition that is nil always does.
public struct IdiomRule: Hashable, Codable, Sendable {
    public var idiom: String
    /// The state of the tablet switch. No device without one meets this.
    public var tabletMode: Bool?
    public var keyboard: Bool?
    public var touch: Bool?
    /// A mouse or touchpad that has moved.
    public var pointer: Bool?
    /// Whether the screen is as small as a phone's (`SmallScreen`).
    public var smallScreen: Bool?
    /// How the name of the output begins, such as `HDMI`.
    public var output: String?
    /// A part of the maker and model of the screen; case is ignored.
    public var model: String?
    /// The least diagonal of the screen in inches. No screen of unknown size has it.
    public var diagonal: Double?

    public init(
        _ idiom: String, tabletMode: Bool? = nil, keyboard: Bool? = nil, touch: Bool? = nil, pointer: Bool? = nil,
        smallScreen: Bool? = nil, output: String? = nil, model: String? = nil, diagonal: Double? = nil
    ) {
        self.idiom = idiom
        self.tabletMode = tabletMode
        self.keyboard = keyboard
        self.touch = touch
        self.pointer = pointer
        self.smallScreen = smallScreen
        self.output = output
        self.model = model
        self.diagonal = diagonal
    }

    /// The rules without a configuration. The first one that holds decides.
    public static let standard = [
        IdiomRule("phone", smallScreen: true), IdiomRule("pad", tabletMode: true), IdiomRule("mac", tabletMode: false),
        IdiomRule("mac", keyboard: true),
    ]

    /// The idiom where no rule holds.
    public static let fallback = "pad"

    /// Whether the hardware meets every condition.
    ///
    /// - Parameter screen: in points; nil: there is no screen, and no rule about its size holds.
    public func holds(_ hardware: Hardware, screen: Size?) -> Bool {
        func meets(_ wanted: Bool?, _ found: Bool?) -> Bool { wanted == nil || wanted == found }
        let output = hardware.output
        return meets(tabletMode, hardware.isTablet) && meets(keyboard, hardware.hasKeyboard) && meets(touch, hardware.hasTouch)
            && meets(pointer, hardware.hasMovedPointer) && meets(smallScreen, screen.map { SmallScreen().includes($0) })
            && self.output.map { output.name.hasPrefix($0) } ?? true
            && model.map { output.model.lowercased().contains($0.lowercased()) } ?? true
            && diagonal.map { least in output.diagonal.map { $0 >= least } ?? false } ?? true
    }
}
