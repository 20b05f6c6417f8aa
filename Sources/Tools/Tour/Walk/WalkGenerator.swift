import Control
import Geometry
import Seeded

/// Thinks up a walk: input as a person gives it in this idiom, likely things more often. The same seed gives the same steps.
struct WalkGenerator: Sendable {
    private var dice: SeededRandom
    private let idiom: String
    private let size: Size
    private let apps: [String]
    private let idioms: [String]
    private var isElsewhere = false

    /// Steps between two rests.
    static let stride = 12

    /// - Parameters:
    ///   - size: of the screen, in points.
    ///   - apps: names of the apps that can be opened.
    ///   - idioms: those that a walk may change to in between.
    init(seed: UInt64, idiom: String, size: Size, apps: [String], idioms: [String]) {
        dice = SeededRandom(seed: seed)
        self.idiom = idiom
        self.size = size
        self.apps = apps
        self.idioms = idioms.filter { $0 != idiom }
    }

    /// A walk from the start of a shell: some apps, then `count` steps with rests between them, the last one at the end.
    mutating func steps(_ count: Int) -> [WalkStep] {
        var steps: [WalkStep] = [], left = apps
        for _ in 0..<min(3, apps.count) { steps.append(.open(left.remove(at: dice.upTo(left.count)))) }
        for index in 1...max(1, count) {
            steps += next()
            if index % WalkGenerator.stride == 0 { steps.append(.rest) }
        }
        if steps.last != .rest { steps.append(.rest) }
        return steps
    }

    /// How many of the first steps open apps.
    static func opening(of steps: [WalkStep]) -> Int {
        steps.prefix { if case .open = $0 { true } else { false } }.count
    }

    // MARK: Steps

    private mutating func next() -> [WalkStep] {
        let byKeys = idiom == "tv" ? 40 : 6, byPointer = idiom == "mac" ? 30 : 8, byFinger = idiom == "tv" ? 8 : 45
        var roll = dice.upTo(byKeys + byPointer + byFinger + 30)
        if roll < byFinger { return finger() }
        roll -= byFinger
        if roll < byPointer { return [pointer()] }
        roll -= byPointer
        if roll < byKeys { return [.input(.press(keys: dice.pick(idiom == "tv" ? WalkGenerator.remote : WalkGenerator.chords)))] }
        roll -= byKeys
        switch roll {
        case 0..<14: return [.press(dice.upTo(60), byPointer: idiom == "mac" && dice.upTo(2) == 0)]
        case 14..<18: return [.input(.press(keys: dice.pick(WalkGenerator.chords)))]
        case 18..<20: return [.input(.type(text: dice.pick(["hello", "a b", "Wayland 12", "xyz\n"])))]
        case 20..<22: return [.input(.press(keys: dice.pick(WalkGenerator.remote)))]
        case 22..<25: return [.open(dice.pick(apps))]
        case 25..<27: return [.close(dice.upTo(8))]
        case 27: return [.kill(dice.upTo(8))]
        case 28: return [.rotate(dice.upTo(4)), .rotate(0)]
        default:
            guard !idioms.isEmpty, dice.upTo(3) == 0 else { return [.rest] }
            isElsewhere.toggle()
            return [.idiom(isElsewhere ? dice.pick(idioms) : idiom)]
        }
    }

    private mutating func finger() -> [WalkStep] {
        let touch = Int32(dice.upTo(3))
        switch dice.upTo(20) {
        case 0..<6: return [.input(.tap(at: point(), hold: dice.pick([50, 50, 50, 700]), touch: touch))]
        case 6..<11: return [.input(drag())]
        case 11..<15: return [.input(edgeSwipe())]
        case 15..<17: return [.input(pinch())]
        default:
            // Fingers that come, move and go in any order.
            return (0...dice.upTo(5)).map { _ in
                let touch = Int32(dice.upTo(4))
                switch dice.upTo(8) {
                case 0..<3: return .input(.touchDown(touch: touch, at: point()))
                case 3..<6: return .input(.touchMotion(touch: touch, at: point()))
                case 6: return .input(.touchUp(touch: touch))
                default: return .input(.touchCancel(touch: touch))
                }
            }
        }
    }

    private mutating func pointer() -> WalkStep {
        switch dice.upTo(12) {
        case 0..<4: .input(.click(at: point(), button: dice.pick([.left, .left, .left, .right, .middle])))
        case 4..<6: .input(.pointerMotion(at: point()))
        case 6: .input(.pointerButton(button: dice.pick([.left, .right]), pressed: dice.upTo(2) == 0))
        case 7: .input(.pointerAxis(value: Double(dice.upTo(120)) - 60, horizontal: dice.upTo(4) == 0))
        default: .input(.drag(from: point(), to: point(), duration: duration(), rest: dice.pick([0, 150]), pointer: true))
        }
    }

    private mutating func drag() -> InputRequest {
        .drag(
            from: point(), to: point(), duration: duration(), hold: dice.pick([0, 0, 0, 600]), rest: dice.pick([0, 150]),
            touch: Int32(dice.upTo(3)))
    }

    private mutating func edgeSwipe() -> InputRequest {
        let across = Double(dice.upTo(101)) / 100, far = Double(10 + dice.upTo(90)) / 100
        let (from, to): (Point, Point) =
            switch dice.upTo(4) {
            case 0: (Point(size.width * across, size.height - 1), Point(size.width * across, size.height * (1 - far)))
            case 1: (Point(size.width * across, 1), Point(size.width * across, size.height * far))
            case 2: (Point(1, size.height * across), Point(size.width * far, size.height * across))
            default: (Point(size.width - 1, size.height * across), Point(size.width * (1 - far), size.height * across))
            }
        return .drag(from: from, to: to, duration: duration(), rest: dice.pick([0, 0, 300]))
    }

    private mutating func pinch() -> InputRequest {
        let narrow = Double(40 + dice.upTo(80)), wide = min(size.width, size.height) * Double(40 + dice.upTo(40)) / 100
        let opens = dice.upTo(2) == 0
        return .pinch(
            center: point(), from: opens ? narrow : wide, to: opens ? wide : narrow, duration: duration(), angle: Double(dice.upTo(180)))
    }

    private mutating func duration() -> Double { Double(40 + dice.upTo(160)) }

    /// Often at something interesting: edges, corners, the dots, the middle.
    private mutating func point() -> Point {
        func place(_ length: Double, _ dice: inout SeededRandom) -> Double {
            switch dice.upTo(6) {
            case 0: dice.pick([1, 8, 20, 44])
            case 1: length - dice.pick([1, 8, 20, 44])
            case 2: (length / 2).rounded()
            default: Double(dice.upTo(Int(clamping: length)))
            }
        }
        return Point(place(size.width, &dice), place(size.height, &dice))
    }

    // MARK: Keys

    private static let remote = [
        "Left", "Right", "Up", "Down", "Left", "Right", "Up", "Down", "Return", "Return", "XF86Back", "XF86HomePage", "XF86MenuKB",
        "XF86AudioPlay",
        "XF86Info", "XF86ChannelUp", "XF86Red", "Escape",
    ]

    /// None that ends the session, and none that an app could take for more than moving and undoing.
    private static let chords = [
        "Tab", "Escape", "Return", "Left", "Right", "Up", "Down", "space", "F10", "F1", "Alt+F4", "Ctrl+n", "Ctrl+f", "Ctrl+z", "Alt+Tab",
        "Super",
        "Super+Tab", "Super+Left", "Super+Right", "Super+Up", "Super+Down", "Super+w", "Super+n", "Super+space", "Super+h", "Super+1",
        "Super+d",
        "Super+Shift+Left", "Super+Shift+Right", "Super+slash", "Super+f", "Super+m", "Super+s", "Super+p", "XF86AudioRaiseVolume",
        "XF86AudioMute",
    ]
}
