import AudioSessions
import Control
import Geometry
import Windows

extension Tour {
    /// A television of 1920 by 1080 points and a remote control: arrows, OK, back, home and coloured keys.
    static var television: Chapter {
        Chapter(
            id: "tv", title: "A television",
            about: """
                Three metres away, with a remote control alone: content fills the screen or is browsed, while a film plays in one picture over \
                it. A control always has the focus, and nothing sounds but what a person started.
                """,
            idiom: "tv", settings: ["idiom = \"tv\""], size: Size(1920, 1080), hasSound: true, steps: televisionSteps)
    }

    /// A film with sound, as a player on the bus.
    private static let movie = App(
        name: "a film in mpv",
        command: [
            "mpv", "--no-config", "--vo=wlshm", "--ao=pulse", "--loop", "--title=A Film", "--force-media-title=A Film",
            "--script=/usr/lib/mpv-mpris/mpris.so",
            "av://lavfi:testsrc2=size=640x360:rate=24[out0];sine=frequency=220:sample_rate=48000[out1]",
        ], package: "mpv mpv-mpris", isLive: true)

    private static var televisionSteps: [Step] {
        [
            Step("A control has the focus before any key", [.television, .everyInput]) { guide in
                try guide.isHome(true)
                try guide.hasFocus("home/")
                let size = try guide.screen().size, room = Rect(80, 60, size.width - 160, size.height - 120)
                let outside = try guide.views("home/").filter { !room.contains($0.frame, tolerance: 1) }
                guide.check("the views keep 80 and 60 points clear at the edges", outside.isEmpty, outside.first?.id ?? "all are inside")
            },
            Step("Right, then left returns", [.everyInput]) { guide in
                let start = try guide.focused()
                for (key, back) in [("Right", "Left"), ("Down", "Up")] {
                    try guide.press(key)
                    try guide.settle()
                    let there = try guide.focused()
                    guide.check("\(key) leads on", there != start, there ?? "nowhere")
                    try guide.shoot("after \(key)")
                    try guide.press(back)
                    try guide.settle()
                    guide.equal("\(back) leads back to", try guide.focused() ?? "", start ?? "")
                }
            },
            Step("OK on an icon of the dock opens a film over the whole screen", [.television]) { guide in
                try guide.go(to: "dock/foot")
                try guide.shoot("the focus on an icon of the dock")
                try guide.window(opening: .terminal) { try guide.press("XF86OK") }
                try guide.place("foot", .full)
                try guide.open(movie, as: "film")
                try guide.place("film", .full)
                guide.equal("the film fills the screen", try guide.frame("film").size, try guide.screen().size)
            },
            Step("The green key: the film plays in a picture while other content is browsed", [.television, .picture]) { guide in
                try guide.press("XF86Green")
                try guide.settle()
                try guide.place("film", .pictureInPicture)
                try guide.active("foot")
                try guide.press("XF86HomePage")
                try guide.settle()
                try guide.isHome(true)
                try guide.place("film", .pictureInPicture)
                let before = try guide.look()
                guide.pause(500)
                guide.changed("at home it plays on", before, try guide.look(), in: try guide.frame("film"))
            },
            Step("The yellow key shows the controls of the picture, and they exchange it with the app in front", [.television, .picture]) {
                guide in
                try guide.act(.focus(window: try guide.id("foot")), "the terminal in front")
                try guide.settle()
                try guide.press("XF86Yellow")
                try guide.settle()
                try guide.isOpen("picture-controls")
                try guide.go(to: "picture-controls/swap")
                try guide.shoot("the focus on the control that exchanges them")
                try guide.press("Return")
                try guide.settle()
                try guide.place("foot", .pictureInPicture)
                try guide.place("film", .full)
                try guide.press("XF86Green")
                try guide.settle()
                try guide.place("film", .pictureInPicture)
            },
            Step("Home twice: the app switcher, and OK goes to the app used before", [.television, .switcher]) { guide in
                try guide.open(.gtk4)
                try guide.press("XF86HomePage")
                try guide.press("XF86HomePage")
                try guide.settle()
                try guide.isOpen("switcher")
                try guide.hasFocus("switcher/")
                try guide.shoot("the card of the app used before has the focus")
                try guide.go(to: "switcher/space/\(try guide.window("foot").space?.raw ?? 0)")
                try guide.press("Return")
                try guide.settle()
                try guide.active("foot")
            },
            Step("For apps that only know a pointer, the arrows move one", [.everyInput]) { guide in
                try guide.act(.focus(window: try guide.id("gtk4-demo")), "GTK 4 Demo in front")
                try guide.settle()
                let before = try guide.look()
                try guide.press("XF86MenuKB")
                for (code, name) in [(105, "Left"), (103, "Up")] as [(UInt32, String)] { try guide.holdKey(code, name, 700) }
                try guide.press("Return")
                try guide.settle()
                try guide.shoot("the pointer, and what it pressed")
                guide.changed("a press reached the app", before, try guide.look())
                try guide.press("XF86Back")
                try guide.settle()
            },
            Step("Nothing sounds but what a person started: a notification is silent", [.quiet]) { guide in
                guard guide.shell.hasSound else { throw Missing(what: "a sound server", package: "pipewire wireplumber pipewire-pulse") }
                let plays = try guide.eventually(within: 10) { try guide.sound("mpv")?.isPlaying ?? false }
                guide.check("the film sounds", plays, plays ? "it does" : "it does not")
                guard guide.shell.has("notify-send") else { throw Missing(what: "notify-send", package: "libnotify-bin") }
                try guide.act(
                    .launch(command: ["notify-send", "--hint=string:sound-name:message-new-instant", "Dinner", "It is ready."]),
                    "a notification with a sound")
                guide.pause(600)
                try guide.shoot("its banner")
                let film = try guide.sound("mpv")
                guide.check("nothing lowers it", film?.duckedBy.isEmpty ?? false, film.map { "\($0.duckedBy)" } ?? "it is silent")
            },
            Step("Info: the control centre with sound; back leaves one level", [.television]) { guide in
                try guide.press("XF86Info")
                try guide.settle()
                try guide.isOpen("control-centre")
                try guide.hasFocus("control-centre/")
                let level = try guide.volume()
                for _ in 0..<2 { try guide.press("XF86AudioLowerVolume") }
                try guide.settle()
                if let level, let lower = try guide.volume() {
                    guide.check("the volume is lower", lower < level, "\(short(level)) to \(short(lower))")
                }
                try guide.shoot("the control centre")
                try guide.press("XF86Back")
                try guide.settle()
                try guide.nothingIsOpen()
            },
            Step("The red key closes the app; back held goes home", [.television]) { guide in
                let id = try guide.id("gtk4-demo")
                try guide.press("XF86Red")
                try guide.client.waitUntilGone(id, timeout: 4000 * Guide.patience)
                try guide.settle()
                let left = try guide.state().windows.contains { $0.id == id }
                guide.check("its window is gone", !left, left ? "it is there" : "gone")
                try guide.act(.focus(window: try guide.id("foot")), "the terminal in front")
                try guide.settle()
                try guide.holdKey(158, "back", 800)
                try guide.settle()
                try guide.isHome(true)
            },
        ]
    }
}

extension Guide {
    /// The control with the keyboard focus.
    func focused() throws -> String? { try views().first { $0.focused }?.id }

    func hasFocus(_ prefix: String) throws {
        _ = try eventually { try focused()?.hasPrefix(prefix) ?? false }
        let found = try focused()
        check("the focus is in \(prefix)", found?.hasPrefix(prefix) ?? false, found ?? "nothing has it")
    }

    /// Goes there by arrow keys, as a person does who looks where the control stands.
    func go(to id: String) throws {
        for _ in 0..<30 {
            let all = try views()
            guard let here = all.first(where: { $0.focused }), let there = all.first(where: { $0.id == id }) else { break }
            if here.id == id { return }
            let way = there.frame.center - here.frame.center
            try press(abs(way.dx) > abs(way.dy) ? (way.dx > 0 ? "Right" : "Left") : way.dy > 0 ? "Down" : "Up")
            try settle()
        }
        let here = try focused()
        check("the arrows come to \(id)", here == id, here ?? "nothing has the focus")
    }

    /// Keeps a key pressed for so many milliseconds. `code`: its Linux code.
    func holdKey(_ code: UInt32, _ name: String, _ milliseconds: Double) throws {
        note("hold \(name) for \(Int(clamping: milliseconds)) ms")
        try input(.key(key: .init(code: code), pressed: true))
        pause(milliseconds)
        try input(.key(key: .init(code: code), pressed: false))
    }

    func sound() throws -> SoundReport { try client.ask(.get(.audio), for: SoundReport.self) }

    /// The audio session of an app that plays.
    func sound(_ app: String) throws -> SessionsReport.Session? { try sound().sessions.first { $0.app.id == app } }

    /// The system volume; nil without an output.
    func volume() throws -> Double? { try sound().volumes["media"]?.level }
}
