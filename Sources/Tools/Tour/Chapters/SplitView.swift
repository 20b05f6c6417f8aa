import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var splitView: Chapter {
        Chapter(
            id: "split", title: "Split View",
            about: "Two windows side by side, both alive. A finger on the divider resizes both at once.",
            steps: [
                Step("Drag a window by its dots to the left edge", [.splitView, .moves]) { guide in
                    try guide.desk(.gtk4, .terminal)
                    let screen = try guide.screen()
                    let before = try guide.look()
                    try guide.dragShowing(
                        try guide.grip("foot"), to: Point(14, screen.height * 0.5), "the place that it will take is shown")
                    try guide.place("foot", .splitLeft)
                    try guide.place("gtk4-demo", .splitRight)
                    guide.changed(
                        "the GTK app is seen beside it", before, try guide.look(), in: try guide.frame("gtk4-demo"), atLeast: 0.02)
                    try halves(guide, 0.5)
                },
                Step("Both sides take input: tap one, then the other", [.splitView]) { guide in
                    try guide.tap(try guide.frame("gtk4-demo").center)
                    try guide.settle()
                    try guide.active("gtk4-demo")
                    try guide.tap(try guide.frame("foot").center)
                    try guide.settle()
                    try guide.active("foot")
                    // Toolkits fade an inactive window.
                    guide.pause(350)
                    let before = try guide.look()
                    let other = try guide.frame("gtk4-demo")
                    try guide.type("echo both are alive\n")
                    let found = try guide.eventually {
                        before.difference(from: try guide.look(), in: try guide.frame("foot"), tolerance: 20).count > 200
                    }
                    guide.check("typing reaches the terminal", found, found ? "its picture changed" : "its picture did not change")
                    guide.unchanged("and nothing else", before, try guide.look(), in: other.inset(by: 4))
                },
                Step("Drag the divider: both sides change together while it moves", [.splitView]) { guide in
                    let start = try guide.divider(), screen = try guide.screen()
                    let before = try guide.frame("foot").width
                    var samples = 0, torn: [String] = [], widths: Set<Double> = []
                    try guide.touch(start)
                    try guide.byHand {
                        try guide.glide(Point(screen.width * 0.62, start.y), duration: 700) {
                            let state = try guide.state()
                            guard let left = state[try guide.id("foot")]?.shownFrame,
                                let right = state[try guide.id("gtk4-demo")]?.shownFrame,
                                let bar = state.divider?.frame
                            else { return }
                            samples += 1
                            widths.insert(left.width)
                            if abs(right.minX - left.maxX - bar.width) > 0.01
                                || abs(left.width + bar.width + right.width - screen.width) > 0.01
                            {
                                torn.append("\(words(left)) beside \(words(right))")
                            }
                        }
                    }
                    guide.check(
                        "it resizes while the finger moves", widths.count >= 5, "\(widths.count) different widths in \(samples) looks")
                    guide.check("the two sides always meet at the divider", torn.isEmpty, torn.first ?? "in all of \(samples) looks")
                    guide.pause(350)
                    try guide.shoot("the finger still holds the divider")
                    let held = try guide.frame("foot").width
                    guide.near("the left side is as wide as the finger says", held, screen.width * 0.62 - 5, within: 12)
                    guide.check("it grew", held > before + 80, "\(short(before)) to \(short(held)) points")
                    try guide.lift()
                    try guide.settle()
                    try halves(guide, 2.0 / 3)
                },
                Step("Let go near a third, it rests at a third", [.splitView]) { guide in
                    let start = try guide.divider(), screen = try guide.screen()
                    try guide.drag(start, to: Point(screen.width * 0.37, start.y), duration: 350, rest: 120)
                    try guide.settle()
                    try halves(guide, 1.0 / 3)
                },
                Step("Let go near the middle, it rests in the middle", [.splitView]) { guide in
                    let start = try guide.divider(), screen = try guide.screen()
                    try guide.drag(start, to: Point(screen.width * 0.47, start.y + 60), duration: 400, rest: 200)
                    try guide.settle()
                    try halves(guide, 1.0 / 2)
                },
                Step("A finger beside the bar takes the divider too: its target is 44 points wide", [.splitView]) { guide in
                    let screen = try guide.screen(), middle = try guide.divider()
                    let target = try guide.state().divider?.target ?? .zero
                    guide.check("the target is 44 points wide", target.width >= 44, "\(short(target.width)) points")
                    let start = Point(middle.x - 18, middle.y + 100)
                    try guide.drag(start, to: Point(screen.width * 0.66 - 18, start.y), duration: 350, rest: 120)
                    try guide.settle()
                    try halves(guide, 2.0 / 3)
                },
                Step("Drag the left window by its dots to the right edge: they change sides", [.splitView, .moves]) { guide in
                    let screen = try guide.screen()
                    let before = try guide.look()
                    try guide.dragShowing(
                        try guide.grip("foot"), to: Point(screen.maxX - 14, screen.height * 0.45), "over the right edge")
                    try guide.place("foot", .splitRight)
                    try guide.place("gtk4-demo", .splitLeft)
                    guide.changed("the picture shows it", before, try guide.look(), atLeast: 0.05)
                },
                Step("Throw the divider to the edge: one window is left", [.splitView]) { guide in
                    let start = try guide.divider(), screen = try guide.screen()
                    try guide.drag(start, to: Point(screen.maxX - 20, start.y), duration: 400, rest: 100)
                    try guide.settle()
                    try guide.place("gtk4-demo", .full)
                    try guide.place("foot", .full)
                    let shown = try guide.state().windows.filter(\.shown).map(\.id)
                    guide.equal("only the GTK app is shown", shown, [try guide.id("gtk4-demo")])
                },
            ])
    }

    /// Checks that the divider rests at a share, and that both sides fill the rest.
    private static func halves(_ guide: Guide, _ share: Double) throws {
        let state = try guide.state()
        guard let divider = state.divider, let screen = state.screen?.bounds else {
            return guide.check("a Split View is in front", false, "none")
        }
        guide.near("the divider rests at", divider.fraction, share, within: 0.004)
        let sides = state.windows.filter { $0.place == .splitLeft || $0.place == .splitRight }.compactMap(\.shownFrame)
        let total = sides.reduce(divider.frame.width) { $0 + $1.width }
        guide.near("both sides and the divider fill the width", total, screen.width, within: 0.2)
        let picture = try guide.look()
        let bar = Rect(divider.frame.x + 2, divider.frame.y + 40, divider.frame.width - 4, 120)
        let colour = picture.singleColour(in: bar, tolerance: 2)
        guide.check("the picture has the bar there", colour != nil, colour.map { "one colour, \($0)" } ?? "many colours")
    }
}
