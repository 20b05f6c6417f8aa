import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

let one = WindowID(1), two = WindowID(2), three = WindowID(3), four = WindowID(4)

/// What is installed in these tests: `browser` has one window only, `editor` an action that opens another.
let catalogue = [
    App(
        id: "editor", name: "Text Editor", keywords: ["write"], icon: "editor", command: ["editor"],
        actions: [
            AppAction(id: "new-window", name: "New Window", command: ["editor", "--new-window"]),
            AppAction(id: "draft", name: "New Draft", command: ["editor", "--draft"]),
        ]),
    App(id: "browser", name: "Browser", keywords: ["internet"], command: ["browser"], isSingleWindow: true),
    App(id: "terminal", name: "Terminal", command: ["terminal"]),
    App(id: "notes", name: "Notes", keywords: ["textual"], command: ["notes"]),
    App(id: "context", name: "Context", command: ["context"]),
]

func facts(_ app: String, _ raw: UInt32, parent: UInt32? = nil) -> WindowFacts {
    WindowFacts(
        appID: app, title: "\(app) \(raw)", lineage: [Int32(raw) + 100, 1], client: UInt64(raw), parent: parent.map { WindowID($0) })
}

/// Windows of these apps, each in a space of its own, the last in front.
func world(
    _ apps: [String] = [], size: Size = Size(1180, 820), preferences: Preferences = Preferences(), installed: [App] = catalogue
) -> CoreWorld {
    var world = CoreWorld(size: size, preferences: preferences)
    world.send(.appsChanged(installed))
    for (index, app) in apps.enumerated() { world.open(UInt32(index + 1), facts(app, UInt32(index + 1))) }
    world.rest()
    return world
}

/// So many apps with names of their own.
func many(_ count: Int) -> [App] { (0..<count).map { App(id: "app\($0)", name: "App \($0)", command: ["app\($0)"]) } }

func mirrored() -> Preferences { Preferences(appearance: Appearance(isRightToLeft: true)) }

/// In tests a control may be named by a text with values in it.
extension ControlID: ExpressibleByStringInterpolation {}

extension CoreWorld {
    func control(_ id: ControlID) -> ViewControl? { controls.last { $0.id == id } }
    var ids: [String] { controls.filter { $0.press != nil }.map(\.id.rawValue) }
    var open: [String] { interface.openNames }

    @_disfavoredOverload func control(_ id: String) -> ViewControl? { control(ControlID(rawValue: id)) }
    @_disfavoredOverload mutating func tap(_ id: String, _ location: SourceLocation = #_sourceLocation) {
        tap(ControlID(rawValue: id), location)
    }
    @_disfavoredOverload func middle(_ id: String, _ location: SourceLocation = #_sourceLocation) -> Point {
        middle(ControlID(rawValue: id), location)
    }

    func middle(_ id: ControlID, _ location: SourceLocation = #_sourceLocation) -> Point {
        guard let control = control(id) else {
            Issue.record("there is no \(id) among \(ids)", sourceLocation: location)
            return .zero
        }
        return control.frame.center
    }

    mutating func tap(_ id: ControlID, _ location: SourceLocation = #_sourceLocation) { tap(at: middle(id, location)) }

    @discardableResult
    mutating func press(_ chord: KeyChord, text: String? = nil) -> [Effect] {
        let code = chord.symbol.rawValue & 0xff
        let down = send(.key(code: code, symbol: chord.symbol, pressed: true, modifiers: chord.modifiers, text: text))
        return down + send(.key(code: code, symbol: chord.symbol, pressed: false, modifiers: chord.modifiers))
    }

    mutating func write(_ text: String) {
        for scalar in text.unicodeScalars {
            press(KeyChord(modifiers: [], symbol: KeySymbol(rawValue: scalar.value)), text: String(scalar))
        }
    }

    mutating func superKey(_ pressed: Bool) {
        send(.key(code: 125, symbol: 0xffeb, pressed: pressed, modifiers: pressed ? [] : .super))
    }

    mutating func click(_ point: Point, _ button: UInt32 = 0x110) {
        send(.pointerMotion(at: point))
        send(.pointerButton(button, pressed: true))
        wait(40)
        send(.pointerButton(button, pressed: false))
    }

    /// A finger from the bottom edge, moving at an even pace of so many points a second until it is lifted or rests.
    mutating func swipe(_ way: Vector, speed: Double, from x: Double = 400, lifts: Bool = true) {
        let start = Point(x, workspace.screen!.size.height - 4)
        touch(down: start)
        let steps = max(4, min(60, Int(clamping: way.length / speed / 0.008)))
        for step in 1...steps {
            wait(way.length / speed * 1000 / Double(steps))
            touch(to: start + way * (Double(step) / Double(steps)))
        }
        if lifts { lift() }
    }

    func cardFrame(_ id: CardID) -> Rect? { system.stage.cardFrame(id, at: now) }
    func space(of window: WindowID) -> SpaceID { workspace.spaces.first { $0.contains(window) }!.id }
    func card(of window: WindowID) -> ControlID { "switcher/space/\(space(of: window).raw)" }

    var launches: [[String]] { effects.compactMap { if case .program(.launch(_, let command, _)) = $0 { command } else { nil } } }
    var closes: [WindowID] { effects.compactMap { if case .client(.close(let id)) = $0 { id } else { nil } } }
}

extension [Effect] {
    var refusals: [String] { compactMap { if case .session(.refuse(let refusal)) = $0 { refusal.reason } else { nil } } }
}
