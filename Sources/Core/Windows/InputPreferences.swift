/// How keyboards, mice and touchpads behave. A touch screen has nothing to set.
public struct InputPreferences: Hashable, Codable, Sendable {
    /// The layouts of keyboards as XKB names them, the one in use first: "us,kr(kr104)". Empty: those of the environment.
    public var layouts = ""
    /// How long a key is down before it repeats, in milliseconds.
    public var repeatDelay = 600.0
    /// Repetitions in a second; 0: keys do not repeat.
    public var repeatRate = 25.0
    /// From -1, slow, to 1.
    public var pointerSpeed = 0.0
    /// The content follows the fingers.
    public var naturalScrolling = true
    /// A tap on a touchpad is a click.
    public var tapToClick = true

    public init() {}

    public static let repeatDelays = 150.0...1500.0, repeatRates = 0.0...100.0, pointerSpeeds = -1.0...1.0

    /// The values that a person or the configuration file can give one by one.
    public enum Part: Hashable, Codable, Sendable {
        /// "auto" is the environment.
        case layouts(String)
        case repeatDelay(Double)
        case repeatRate(Double)
        case pointerSpeed(Double)
        case naturalScrolling(Bool)
        case tapToClick(Bool)

        /// The name in scripts and in the configuration file. Choices are kept by it, so it never changes.
        public var key: String {
            switch self {
            case .layouts: "keyboard-layouts"
            case .repeatDelay: "key-repeat-delay"
            case .repeatRate: "key-repeat-rate"
            case .pointerSpeed: "pointer-speed"
            case .naturalScrolling: "natural-scrolling"
            case .tapToClick: "tap-to-click"
            }
        }

        public var fixes: FixedSettings {
            switch self {
            case .layouts: .keyboardLayouts
            case .repeatDelay: .keyRepeatDelay
            case .repeatRate: .keyRepeatRate
            case .pointerSpeed: .pointerSpeed
            case .naturalScrolling: .naturalScrolling
            case .tapToClick: .tapToClick
            }
        }

        public var isPossible: Bool {
            switch self {
            case .layouts(let text): text == "auto" || KeyboardLayout.list(text) != nil
            case .repeatDelay(let delay): InputPreferences.repeatDelays.contains(delay)
            case .repeatRate(let rate): InputPreferences.repeatRates.contains(rate)
            case .pointerSpeed(let speed): InputPreferences.pointerSpeeds.contains(speed)
            case .naturalScrolling, .tapToClick: true
            }
        }
    }

    public mutating func set(_ part: Part) {
        switch part {
        case .layouts(let text): layouts = text == "auto" ? "" : text
        case .repeatDelay(let delay): repeatDelay = delay
        case .repeatRate(let rate): repeatRate = rate
        case .pointerSpeed(let speed): pointerSpeed = speed
        case .naturalScrolling(let isOn): naturalScrolling = isOn
        case .tapToClick(let isOn): tapToClick = isOn
        }
    }
}

/// A layout of keyboards, and a variant of it, by the names of XKB.
public struct KeyboardLayout: Hashable, Codable, Sendable {
    public var layout: String
    /// Empty: the layout itself.
    public var variant: String

    public init(layout: String, variant: String = "") {
        self.layout = layout
        self.variant = variant
    }

    /// "kr(kr104)".
    public var name: String { variant.isEmpty ? layout : "\(layout)(\(variant))" }

    /// XKB has room for four.
    public static let most = 4

    /// Reads "us,kr(kr104)". Returns nil if the text is no list of one to four different layouts.
    public static func list(_ text: String) -> [KeyboardLayout]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let layouts = parts.compactMap { KeyboardLayout(String($0)) }
        return (1...most).contains(parts.count) && layouts.count == parts.count && Set(layouts).count == parts.count ? layouts : nil
    }

    private init?(_ text: String) {
        func isName(_ text: Substring) -> Bool {
            (1...64).contains(text.utf8.count)
                && text.utf8.allSatisfy {
                    (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95 || $0 == 45
                }
        }
        let parts = text.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
        guard isName(parts[0]) else { return nil }
        guard parts.count == 2 else {
            self.init(layout: text)
            return
        }
        guard parts[1].last == ")", isName(parts[1].dropLast()) else { return nil }
        self.init(layout: String(parts[0]), variant: String(parts[1].dropLast()))
    }
}

/// How a person arranges the tiles of the control centre: an order of their names, and those that are not shown. A tile that the device has
/// not now keeps its place; a new one comes at the end.
public struct ControlOrder: Hashable, Codable, Sendable {
    public private(set) var order: [String]
    public private(set) var hidden: [String]

    public init(order: [String] = [], hidden: [String] = []) {
        self.order = order
        self.hidden = hidden
    }

    public var isPossible: Bool {
        (order + hidden).allSatisfy { (1...64).contains($0.utf8.count) } && Set(order).count == order.count
            && Set(hidden).count == hidden.count && order.count + hidden.count <= 256
    }

    /// The names of `present` in the order of the person.
    public func arranged(_ present: [String]) -> [String] {
        let there = Set(present), known = Set(order)
        return order.filter(there.contains) + present.filter { !known.contains($0) }
    }

    public func showing(_ name: String, _ isShown: Bool) -> ControlOrder {
        ControlOrder(order: order, hidden: hidden.filter { $0 != name } + (isShown ? [] : [name]))
    }

    /// One place earlier among those that are present.
    public func earlier(_ name: String, among present: [String]) -> ControlOrder {
        var all = arranged(present)
        guard let index = all.firstIndex(of: name), index > 0 else { return self }
        all.swapAt(index, index - 1)
        let there = Set(all)
        return ControlOrder(order: all + order.filter { !there.contains($0) }, hidden: hidden)
    }
}
