import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var edges: Chapter {
        Chapter(
            id: "edges", title: "Edges",
            about: "What a finger finds at the bottom and at the top of the screen, and what an icon from the dock can be dropped on.",
            steps: bottomSteps + topSteps + iconSteps)
    }

    private static var bottomSteps: [Step] {
        [
            Step("Up a little: the dock", [.home]) { guide in
                try guide.desk(.gtk4, .terminal)
                try guide.swipeDock()
                try guide.isOpen("dock")
                try guide.active("foot")
            },
            Step("A tap in the app puts it away", [.home]) { guide in
                try guide.tap(Point(300, 300))
                try guide.settle()
                try guide.nothingIsOpen()
                try guide.active("foot")
            },
            Step("Up and hold: the app switcher. A tap beside the cards: back", [.switcher]) { guide in
                try guide.swipeSwitcher(showing: "the window comes along, smaller")
                try guide.isOpen("switcher")
                try guide.shoot("the app switcher")
                try guide.tap(Point(590, 60))
                try guide.settle()
                try guide.nothingIsOpen()
                try guide.active("foot")
            },
            Step("A flick: home", [.home]) { guide in
                try guide.swipeHome()
                try guide.isHome(true)
            },
            Step("Caught in flight: a tap on the icon while it still goes home", [.home]) { guide in
                try guide.desk(.gtk4, .terminal)
                try guide.shell.setPace(1)
                defer { try? guide.shell.setPace(TourShell.usualPace) }
                try guide.drag(Point(590, 816), to: Point(590, 396), duration: 140)
                try guide.tap(view: "home/foot")
                try guide.settle()
                try guide.isHome(false)
                try guide.active("foot")
            },
            Step("Along it: the next space, and back", [.moves]) { guide in
                try guide.touch(Point(480, 816))
                try guide.glide(Point(760, 814), duration: 280)
                try guide.shootMeanwhile("both are seen")
                try guide.glide(Point(960, 814), duration: 120, lifts: true)
                try guide.settle()
                try guide.active("gtk4-demo")
                try guide.drag(Point(800, 816), to: Point(300, 814), duration: 220)
                try guide.settle()
                try guide.active("foot")
            },
            Step("Up, along and down again: nothing has happened", [.moves]) { guide in
                let before = try guide.look()
                try guide.touch(Point(590, 816))
                try guide.glide(Point(590, 736), duration: 80)
                try guide.shootMeanwhile("up")
                try guide.glide([Point(590, 500), Point(650, 815)], duration: 480, lifts: true, rest: 160)
                try guide.settle()
                try guide.nothingIsOpen()
                try guide.active("foot")
                guide.unchanged("the picture is as before", before, try guide.look(), atMost: 0.004)
            },
            Step("In a Split View, from the middle of the edge", [.home, .splitView]) { guide in
                try guide.drag(try guide.grip("foot"), to: Point(12, 400), duration: 250, rest: 120)
                try guide.settle()
                try guide.place("foot", .splitLeft)
                try guide.swipeDock()
                try guide.isOpen("dock")
                try guide.tap(Point(200, 300))
                try guide.settle()
                try guide.nothingIsOpen()
            },
        ]
    }

    private static var topSteps: [Step] {
        [
            Step("Down from the top: notifications", [.home]) { guide in
                try guide.desk(.gtk4, .terminal)
                let before = try guide.look()
                try guide.pull(at: 300)
                try guide.isOpen("notifications")
                try guide.shoot("the panel")
                try guide.tap(Point(200, 700))
                try guide.settle()
                try guide.nothingIsOpen()
                guide.unchanged("closed by a tap beside it", before, try guide.look(), atMost: 0.004)
            },
            Step("Down from the right third: the control centre", [.home, .accessible]) { guide in
                try guide.pull(at: 1000)
                try guide.isOpen("control-centre")
                let picture = try guide.look()
                for tile in try guide.views("control-centre/") { guide.seen(tile, in: picture) }
            },
            Step("Dark, by a tap, and light again", [.accessible]) { guide in
                let before = try guide.look(), panel = try guide.view("control-centre").frame.inset(by: 8)
                try guide.tap(view: "control-centre/dark")
                try guide.settle()
                guide.check("it is chosen", try guide.view("control-centre/dark").chosen, "dark")
                let after = try guide.shoot("dark")
                guide.changed("the panel is dark", before, after, in: panel, atLeast: 0.5)
                try guide.tap(view: "control-centre/dark")
                try guide.settle()
                guide.unchanged("and light again", before, try guide.look(), in: panel, atMost: 0.01)
            },
            Step("Larger text, by a tap, and back", [.accessible]) { guide in
                let before = try guide.view("control-centre").frame
                try guide.tap(view: "control-centre/text")
                try guide.settle()
                let after = try guide.view("control-centre").frame
                guide.check("the panel grew with its text", after.width > before.width && after.height > before.height, words(after))
                try guide.shoot("larger")
                try guide.tap(view: "control-centre/text")
                try guide.settle()
                guide.equal("as before", words(try guide.view("control-centre").frame), words(before))
            },
            Step("Without motion, by a tap, and with it again", [.accessible]) { guide in
                try guide.tap(view: "control-centre/motion")
                try guide.settle()
                guide.check("it is chosen", try guide.view("control-centre/motion").chosen, "reduced motion")
                try guide.tap(view: "control-centre/motion")
                try guide.settle()
                guide.check("and not any more", try !guide.view("control-centre/motion").chosen, "motion")
            },
            Step("Turned, by a tap", [.accessible]) { guide in
                try guide.tap(view: "control-centre/rotate")
                try guide.settle()
                let size = try guide.screen().size
                guide.check("the screen is upright", size.height > size.width, words(size))
                try guide.shoot("upright")
                try guide.act(.rotate(0), "turn it back")
                try guide.clearViews()
                try guide.settle()
                try guide.nothingIsOpen()
            },
            Step("On the home screen, too", [.home]) { guide in
                try guide.swipeHome()
                try guide.pull(at: 300)
                try guide.isOpen("notifications")
                try guide.tap(Point(200, 700))
                try guide.settle()
                try guide.pull(at: 1000)
                try guide.isOpen("control-centre")
                try guide.tap(Point(200, 700))
                try guide.settle()
                try guide.nothingIsOpen()
                try guide.isHome(true)
            },
        ]
    }

    private static var iconSteps: [Step] {
        func drop(_ title: String, at place: Point, _ wanted: WindowReport.PlaceName, _ rules: [Rule]) -> Step {
            Step(title, rules + [.home, .moves]) { guide in
                try guide.installed("featherpad", .qt)
                try guide.desk(.terminal)
                try guide.swipeDock()
                let icon = try guide.view("dock/featherpad").frame.center
                try guide.window(opening: .qt) {
                    try guide.touch(icon)
                    try guide.glide(Point(icon.x, icon.y - 220), duration: 180)
                    try guide.glide(place, duration: 240)
                    guide.pause(220)
                    try guide.shoot("the place that it will take is shown")
                    try guide.lift()
                }
                try guide.place("featherpad", wanted)
                try guide.nothingIsOpen()
            }
        }
        return [
            drop("An icon from the dock, dropped at the left edge", at: Point(14, 400), .splitLeft, [.splitView]),
            drop("At the right edge", at: Point(1166, 400), .splitRight, [.splitView]),
            drop("In the middle", at: Point(720, 380), .slideOver, [.slideOver]),
            Step("Back over the dock: nothing happens", [.home]) { guide in
                try guide.desk(.terminal)
                try guide.swipeDock()
                let before = try guide.state().windows.count
                let icon = try guide.view("dock/featherpad").frame.center
                try guide.touch(icon)
                try guide.glide(Point(600, 400), duration: 200)
                try guide.glide(Point(600, 780), duration: 200)
                guide.pause(200)
                try guide.lift()
                try guide.settle()
                guide.pause(300)
                guide.equal("windows", try guide.state().windows.count, before)
            },
        ]
    }
}
