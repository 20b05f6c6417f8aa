import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// Screens and text sizes that every view has to fit.
private let screens = [
    Screen(size: Size(1180, 820)), Screen(size: Size(820, 1180)), Screen(size: Size(2360, 1640), scale: 2),
    Screen(size: Size(480, 800)), Screen(size: Size(320, 480)),
]

@Suite("X-05: every view on every screen with text of every size")
struct LayoutTests {
    private static let views: [(String, [Action])] = [
        ("home", [.home]), ("search", [.search(text: "e")]), ("nothing found", [.search(text: "nothing at all like it")]),
        ("dock", [.dock]), ("switcher", [.appSwitcher]), ("exposé", [.appExpose(app: "editor")]), ("shelf", [.appShelf(app: "editor")]),
        ("controls", [.controls()]), ("menu", [.home, .appMenu(app: "editor")]), ("menu over an app", [.dock, .appMenu(app: "editor")]),
        ("notifications", [.notifications]), ("control centre", [.controlCentre]), ("keys", [.keyHelp]),
        ("picking", [.controls(), .press(view: "controls/split-left")]),
    ]

    private func worlds(_ screen: Screen, _ scale: Double, _ isMirrored: Bool, _ body: (String, CoreWorld) -> Void) {
        let preferences = Preferences(appearance: Appearance(textScale: scale, isRightToLeft: isMirrored))
        func start(_ apps: [String]) -> CoreWorld {
            var world = CoreWorld(size: screen.size, preferences: preferences)
            world.send(.screenChanged(screen))
            world.send(.appsChanged(catalogue + many(30)))
            for (index, app) in apps.enumerated() { world.open(UInt32(index + 1), facts(app, UInt32(index + 1))) }
            if apps.count > 3 {
                world.act(.slideOver(window: two))
                world.act(.focus(window: three))
            }
            world.rest()
            return world
        }
        let single = start(["editor"]), several = start(["editor", "terminal", "editor", "browser", "editor"])
        for (name, actions) in Self.views {
            var world = name == "picking" ? single : several
            for action in actions {
                world.act(action)
                world.rest()
            }
            body(name, world)
        }
        var alert = CoreWorld(size: screen.size, preferences: preferences)
        alert.send(.appsChanged(catalogue))
        alert.act(.openApp(app: "terminal"))
        alert.send(.launchFailed(LaunchID(1), reason: "no such program, and a long story of why there is none of that name"))
        alert.rest()
        body("alert", alert)
    }

    @Test(
        "panels stay on the screen, controls on their panel, no two controls overlap, every target has 44 points",
        arguments: screens, [1.0, 1.5, 2.0])
    func fits(screen: Screen, scale: Double) {
        for isMirrored in [false, true] {
            worlds(screen, scale, isMirrored) { name, world in
                let what = "\(name), \(screen.size.width) x \(screen.size.height), text \(scale)\(isMirrored ? ", mirrored" : "")"
                let all = world.controls
                for panel in all where panel.role == .panel {
                    #expect(screen.bounds.contains(panel.frame, tolerance: 0.5), "\(what): \(panel.id) at \(panel.frame)")
                }
                let pressed = all.filter { $0.press != nil && $0.id != "indicator" && isSeen($0, screen) }
                for control in pressed {
                    #expect(
                        control.target.width >= 44 && control.target.height >= 44,
                        "\(what): \(control.id) is hit within \(control.target)")
                    let isOfOverview = control.id.area == .switcher || control.id.area == .expose
                    if !isOfOverview {
                        #expect(screen.bounds.contains(control.frame, tolerance: 0.5), "\(what): \(control.id) at \(control.frame)")
                    }
                }
                for (index, control) in pressed.enumerated() {
                    let frame = control.frame.inset(by: 0.5)
                    let below = pressed.dropFirst(index + 1).filter {
                        frame.intersects($0.frame.inset(by: 0.5)) && !isPart(control.id.rawValue, $0.id.rawValue)
                    }
                    #expect(
                        below.isEmpty, "\(what): \(control.id) at \(control.frame) lies over \(below.map { "\($0.id) at \($0.frame)" })")
                }
            }
        }
    }

    private func isSeen(_ control: ViewControl, _ screen: Screen) -> Bool { control.frame.intersects(screen.bounds) }

    /// The clear control stands in its field, the close control of a window on its picture.
    private func isPart(_ a: String, _ b: String) -> Bool {
        let last = { (id: String) in id.split(separator: "/").last ?? "" }
        return Set([a, b]) == ["search", "search/clear"]
            || a.hasPrefix("shelf/window/") && b.hasPrefix("shelf/close/") && last(a) == last(b)
    }

    @Test("every control is named, each once, and the middle of each hits itself", arguments: screens)
    func hits(screen: Screen) {
        worlds(screen, 1, false) { name, world in
            let ids = world.controls.map(\.id)
            #expect(Set(ids).count == ids.count, "\(name): \(ids)")
            for control in world.controls {
                switch control.name {
                case .verbatim(let text): #expect(!text.isEmpty, "\(name): \(control.id) has no name")
                default: break
                }
            }
        }
    }

    @Test("X-07: replayed they are the same")
    func replay() {
        for screen in screens {
            worlds(screen, 1.5, true) { name, world in
                #expect(world.problems + world.replayProblems() == [], "X-07: \(name)")
            }
        }
    }
}
