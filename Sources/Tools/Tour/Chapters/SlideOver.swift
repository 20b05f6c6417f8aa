import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var slideOver: Chapter {
        Chapter(
            id: "slide", title: "Slide Over",
            about: "A window floats over the rest. It moves by the strip above it and flips by the strip below it.",
            steps: [
                Step("Drag a window by its dots to the right quarter: it floats", [.slideOver, .moves]) { guide in
                    try guide.desk(.gtk4, .terminal)
                    let screen = try guide.screen()
                    try guide.dragShowing(
                        try guide.grip("foot"), to: Point(screen.width * 0.83, screen.height * 0.5), "where it will float")
                    try guide.place("foot", .slideOver)
                    try guide.place("gtk4-demo", .full)
                    guide.equal("the one below still has the whole screen", words(try guide.frame("gtk4-demo")), words(screen))
                    try onSide(guide, .right)
                    try guide.active("foot")
                },
                Step("The window below stays alive: tap it", [.slideOver]) { guide in
                    try guide.tap(Point(400, 500))
                    try guide.settle()
                    try guide.active("gtk4-demo")
                    try guide.place("foot", .slideOver)
                },
                Step("Drag the strip above it to the other side", [.slideOverMoves]) { guide in
                    let card = try guide.card()
                    try guide.drag(Point(card.center.x, card.minY + 10), to: Point(300, card.minY + 10), duration: 300)
                    try guide.settle()
                    try onSide(guide, .left)
                },
                Step("Push it past the edge: a handle stays", [.slideOverMoves]) { guide in
                    let card = try guide.card()
                    let before = try guide.look()
                    try guide.drag(Point(card.center.x, card.minY + 10), to: Point(12, card.minY + 14), duration: 200)
                    try guide.settle()
                    let state = try guide.state()
                    guide.check("it is hidden", state.slideOver.hidden, state.slideOver.hidden ? "hidden" : "shown")
                    guide.equal("it is still in the stack", state.slideOver.stack.count, 1)
                    guide.changed("it is gone from the picture", before, try guide.look(), in: card, atLeast: 0.2)
                    let now = try guide.look()
                    let screen = try guide.screen()
                    let handle = now.meanColour(in: Rect(4, screen.height / 2 - 20, 8, 40))
                    let beside = now.meanColour(in: Rect(4, screen.height / 2 - 140, 8, 40))
                    let distance = handle.flatMap { a in beside.map { a.distance(to: $0) } } ?? 0
                    guide.check("a handle is seen at the left edge", distance > 25, "it differs from the edge by \(distance) of 255")
                },
                Step("Pull the handle: it comes back", [.slideOverMoves]) { guide in
                    let middle = try guide.screen().height / 2
                    try guide.drag(Point(7, middle), to: Point(210, middle), duration: 300)
                    try guide.settle()
                    try onSide(guide, .left)
                },
                Step("Hide it again, and tap the handle", [.slideOverMoves]) { guide in
                    let card = try guide.card()
                    try guide.drag(Point(card.center.x, card.minY + 10), to: Point(10, card.minY + 10), duration: 200)
                    try guide.settle()
                    try guide.tap(Point(8, try guide.screen().height / 2))
                    try guide.settle()
                    try onSide(guide, .left)
                },
                Step("A second window joins the stack", [.slideOverStack]) { guide in
                    try guide.open(.flower)
                    let screen = try guide.screen()
                    try guide.drag(
                        try guide.grip("weston-flower"), to: Point(screen.width * 0.17, screen.height * 0.55), duration: 260, rest: 120)
                    try guide.settle()
                    try guide.place("weston-flower", .slideOver)
                    try stack(guide, ["weston-flower", "foot"])
                },
                Step("Swipe along the strip below: the next one comes to the front", [.slideOverStack]) { guide in
                    let before = try guide.look()
                    let card = try guide.card()
                    try guide.drag(Point(card.center.x, card.maxY - 9), to: Point(card.center.x - 130, card.maxY - 9), duration: 220)
                    try guide.settle()
                    try stack(guide, ["foot", "weston-flower"])
                    guide.changed("the picture shows the other window", before, try guide.look(), in: card, atLeast: 0.05)
                },
                Step("Swipe back", [.slideOverStack]) { guide in
                    let card = try guide.card()
                    try guide.drag(Point(card.center.x, card.maxY - 9), to: Point(card.center.x + 130, card.maxY - 9), duration: 220)
                    try guide.settle()
                    try stack(guide, ["weston-flower", "foot"])
                },
                Step("Over a Split View: three windows at once", [.slideOverSplit, .slideOver]) { guide in
                    try guide.open(.gtk3, to: .fullScreen)
                    let screen = try guide.screen()
                    // The card is on the left, so drag the window to the right edge.
                    try guide.drag(
                        try guide.grip("gtk3-demo"), to: Point(screen.maxX - 12, screen.height * 0.4), duration: 260, rest: 120)
                    try guide.settle()
                    try guide.place("gtk3-demo", .splitRight)
                    try guide.place("gtk4-demo", .splitLeft)
                    try guide.place("weston-flower", .slideOver)
                    let shown = try guide.state().windows.filter(\.shown).count
                    guide.equal("windows that are seen", shown, 3)
                    try guide.tap(Point(screen.width * 0.75, screen.height * 0.6))
                    try guide.settle()
                    try guide.active("gtk3-demo")
                },
                Step("Pull the card down by its strip, and drop it in the middle: full screen", [.slideOver, .moves]) { guide in
                    let card = try guide.card(), screen = try guide.screen()
                    try guide.touch(Point(card.center.x, card.minY + 10))
                    try guide.glide(Point(card.center.x + 20, card.minY + 200), duration: 300)
                    try guide.glide(screen.center, duration: 300)
                    guide.pause(250)
                    try guide.shoot("lifted out of the stack")
                    try guide.lift()
                    try guide.settle()
                    try guide.place("weston-flower", .full)
                    try guide.active("weston-flower")
                    try stack(guide, ["foot"])
                },
            ])
    }

    private static func onSide(_ guide: Guide, _ side: Side) throws {
        let state = try guide.state()
        guide.equal("it stands on the side", state.slideOver.side.rawValue, side.rawValue)
        guard let card = state.slideOver.card, let screen = state.screen?.bounds else {
            return guide.check("it is shown", false, "hidden")
        }
        let gap = side == .left ? card.minX : screen.maxX - card.maxX
        guide.check("it stands at that edge of the screen", (0...24).contains(gap), "\(short(gap)) points from it")
        guide.check("it leaves room for the rest", card.width < screen.width * 0.62, words(card))
        let picture = try guide.look()
        let pill = picture.meanColour(in: Rect(center: Point(card.center.x, card.minY + 12), size: Size(30, 3)))
        let strip = picture.meanColour(in: Rect(center: Point(card.center.x - 70, card.minY + 12), size: Size(30, 3)))
        let distance = pill.flatMap { a in strip.map { a.distance(to: $0) } } ?? 0
        guide.check("the strip has its dots", distance > 40, "it differs from the strip by \(distance) of 255")
    }

    private static func stack(_ guide: Guide, _ wanted: [String]) throws {
        let found = try guide.state().slideOver.stack
        guide.equal("the stack, front first", found.map(guide.name), try wanted.map { guide.name(try guide.id($0)) })
        guard let front = wanted.first else { return }
        let isShown = try guide.window(front).shown
        guide.check("the front one is shown", isShown, isShown ? "shown" : "hidden")
    }
}
