import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var spaces: Chapter {
        Chapter(
            id: "spaces", title: "Spaces",
            about: "Every full-screen window and every Split View is a space. A finger along the bottom edge goes from one to the next.",
            steps: [
                Step("Swipe along the bottom edge", [.moves, .realApps]) { guide in
                    try guide.desk(.gtk4, .terminal)
                    let screen = try guide.screen()
                    let before = try guide.look()
                    try guide.touch(Point(screen.width * 0.4, screen.maxY - 5))
                    try guide.glide(Point(screen.width * 0.75, screen.maxY - 5), duration: 300)
                    try guide.shootMeanwhile("both spaces are seen on the way")
                    try guide.glide(Point(screen.width * 0.85, screen.maxY - 5), duration: 60, lifts: true)
                    try guide.settle()
                    let isShown = try guide.window("gtk4-demo").shown
                    guide.check("the other space is in front", isShown, isShown ? "the GTK app is shown" : "the GTK app is hidden")
                    guide.changed("the picture shows it", before, try guide.look(), atLeast: 0.05)
                },
                Step("Swipe back", [.moves]) { guide in
                    let screen = try guide.screen()
                    try guide.drag(
                        Point(screen.width * 0.7, screen.maxY - 5), to: Point(screen.width * 0.2, screen.maxY - 5), duration: 250)
                    try guide.settle()
                    let isShown = try guide.window("foot").shown
                    guide.check("the terminal is in front", isShown, isShown ? "shown" : "hidden")
                    try guide.active("foot")
                },
                Step("A short swipe is no swipe: everything stays", [.moves]) { guide in
                    let screen = try guide.screen()
                    let before = try guide.look()
                    try guide.drag(
                        Point(screen.width * 0.5, screen.maxY - 5), to: Point(screen.width * 0.58, screen.maxY - 5), duration: 400,
                        rest: 200)
                    try guide.settle()
                    try guide.active("foot")
                    guide.unchanged("the picture is as before", before, try guide.look())
                },
                Step("A Split View is a space of its own", [.splitView]) { guide in
                    try guide.open(.flower)
                    let screen = try guide.screen()
                    try guide.drag(
                        try guide.grip("weston-flower"), to: Point(12, screen.height / 2), duration: 260, rest: 120)
                    try guide.settle()
                    try guide.place("weston-flower", .splitLeft)
                    try guide.place("foot", .splitRight)
                    let count = try guide.state().spaces.count
                    guide.equal("there are two spaces for three windows", count, 2)
                    try guide.drag(
                        Point(screen.width * 0.2, screen.maxY - 5), to: Point(screen.width * 0.8, screen.maxY - 5), duration: 250)
                    try guide.settle()
                    let shown = try guide.state().windows.filter(\.shown).map(\.id)
                    guide.equal("the swipe goes past the pair at once", shown, [try guide.id("gtk4-demo")])
                },
            ])
    }
}
