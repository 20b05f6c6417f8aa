import Geometry
import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

/// The shell's own views in pairs: one is opened over another, and then a person leaves, in each idiom and each way.
@Suite("P-03, M-11: every pair of views, every way away, each idiom") struct ViewPairTests {
    private static let views: [Action] = [
        .appSwitcher, .appExpose(app: "editor"), .appShelf(app: "editor"), .dock, .controls(), .appMenu(app: "editor"), .notifications,
        .controlCentre, .controlPage(.outputs), .keyHelp, .search(text: "e"), .volumeView(), .barMenu("windows"), .switchApps(1),
        .pipControls,
    ]

    private enum Way: CaseIterable {
        /// The action that goes one step back, the key for it, a tap beside everything, and home.
        case dismiss, escape, tap, home
    }

    @Test(arguments: 0..<CoreSmallWorld.count)
    func everyPair(start: Int) {
        let first = CoreSmallWorld.start(start)
        // Most pairs end in the same views, because one takes the place of another.
        var seen: Set<[String]> = []
        for one in Self.views {
            var below = first
            below.act(one)
            for other in Self.views {
                var both = below
                both.act(other)
                guard seen.insert(both.interface.openNames + ["\(both.interface.controlPage)", "\(both.workspace.showsHome)"]).inserted
                else {
                    continue
                }
                #expect(both.system.violations() == [], "\(one), \(other)")
                for way in Way.allCases {
                    var world = both
                    leave(&world, way)
                    world.rest()
                    let name = "\(one), \(other), \(way)"
                    #expect(world.system.violations() == [], "\(name)")
                    #expect([false, true].flatMap { world.system.personViolations(precise: $0, at: world.now) } == [], "\(name)")
                    let left = Set(world.interface.openNames).intersection([
                        "menu", "alert", "keys", "controls", "notifications", "control-centre",
                    ])
                    if way != .tap { #expect(left.isEmpty, "\(name) leaves \(left)") }
                }
            }
        }
    }

    /// A view may have a page below it, and another view below that. More steps than there are views leave all of them.
    private func leave(_ world: inout CoreWorld, _ way: Way) {
        for _ in 0..<8 where !world.interface.openNames.isEmpty {
            switch way {
            case .dismiss: world.act(.dismiss)
            case .escape:
                CoreOp.key("Escape", pressed: true).apply(to: &world)
                CoreOp.key("Escape", pressed: false).apply(to: &world)
            case .tap: world.tap(at: Point(3, 300))
            case .home: return _ = world.act(.home)
            }
        }
    }
}
