import Chrome
import Geometry
import Windows

extension Tour {
    static var firstSight: Chapter {
        Chapter(
            id: "apps", title: "Apps as they are",
            about: "Apps of every kind are started as a launcher starts them. None was changed for Mullion, and none was asked.",
            steps: [
                Step("A terminal opens over the whole screen", [.realApps, .everyApp]) { guide in
                    let empty = try guide.shoot("before")
                    try guide.desk(.terminal)
                    try opened(guide, .terminal, empty)
                },
                Step("A GTK 4 app opens in front of it", [.realApps, .everyApp]) { guide in
                    let before = try guide.look()
                    try guide.open(.gtk4)
                    try opened(guide, .gtk4, before)
                    try guide.place("foot", .full)
                    let state = try guide.state()
                    guide.equal("each has a space of its own", state.spaces.count, 2)
                    let isHidden = try guide.window("foot").shown == false
                    guide.check("the terminal is behind", isHidden, isHidden ? "not shown" : "shown")
                },
                Step("A GTK 3 app", [.realApps]) { guide in
                    let before = try guide.look()
                    try guide.open(.gtk3)
                    try opened(guide, .gtk3, before)
                },
                Step("A Qt app", [.realApps]) { guide in
                    let before = try guide.look()
                    try guide.open(.qt)
                    try opened(guide, .qt, before)
                },
                Step("A Weston demo", [.realApps]) { guide in
                    let before = try guide.look()
                    try guide.open(.flower)
                    try opened(guide, .flower, before)
                },
            ])
    }

    private static func opened(_ guide: Guide, _ app: App, _ before: Picture) throws {
        try guide.place(app.program, .full)
        try guide.active(app.program)
        let screen = try guide.screen()
        guide.equal("it fills the screen", words(try guide.frame(app.program)), words(screen))
        guide.changed("it is seen", before, try guide.look(), atLeast: 0.02)
    }
}
