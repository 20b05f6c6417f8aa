import AudioSessions
import Control
import Geometry
import Glibc
import Windows

/// Idioms of places: a kiosk, and a car. Their data files are those of `share/idioms`, without the comments.
extension Tour {
    public static let kioskIdiom = """
        like = "phone"
        device = "kiosk"
        places = ["full-screen"]
        windows-of-app = "one"
        offers = []
        edge = 0
        home-line = false

        [home]
        fills-empty-screen = false

        [life]
        starts-again = true
        freezes-hidden = false

        [status]
        place = "none"
        """

    public static let carIdiom = """
        like = "pad"
        device = "car"
        places = ["full-screen", "split-view"]
        dressing = "bare"
        windows-of-app = "one"
        capabilities = []
        target = 76
        home-line = false
        small-screen = false

        [home]
        dock-icon = 64

        [split]
        snaps = [0.62]
        fixed = true

        [sound]
        pauses-attention-media = false
        notifications-mix = false

        [life]
        grace = 60
        """

    static var kiosk: Chapter {
        Chapter(
            id: "kiosk", title: "A kiosk",
            about: "One app over the whole screen, by touch alone, and no way out of it. It is started again when it ends.",
            idiom: "kiosk", settings: ["idiom = \"kiosk\"", "launch = [[\"gtk4-demo\"]]"], isKiosk: true, idiomFiles: ["kiosk": kioskIdiom],
            steps: kioskSteps)
    }

    static var car: Chapter {
        Chapter(
            id: "car", title: "A car",
            about: "A map beside music: two panes with a divider that nobody drags, large targets, and prompts that lower the music.",
            idiom: "car", settings: ["idiom = \"car\""], size: Size(1280, 480), hasSound: true, idiomFiles: ["car": carIdiom],
            steps: carSteps)
    }

    private static var kioskSteps: [Step] {
        [
            Step("The app fills the screen", [.everyApp]) { guide in
                guard guide.shell.has("gtk4-demo") else { throw Missing(what: App.gtk4.name, package: App.gtk4.package) }
                _ = try guide.eventually(within: 20) { try guide.state().windows.contains { $0.shown } }
                guard let window = try guide.state().windows.first(where: { $0.shown }) else { throw Trouble("no app was started") }
                guide.adopt(window.id, .gtk4, as: "app")
                try guide.settle()
                guide.equal("it has the whole screen", try guide.frame("app").size, try guide.screen().size)
                let views = try guide.views().map(\.id)
                guide.check("the shell shows nothing of its own", views.isEmpty, views.joined(separator: ", "))
            },
            Step("No swipe from any edge leads out", [.everyInput]) { guide in
                let screen = try guide.screen(), center = screen.center
                let edges = [Point(center.x, screen.maxY - 1), Point(center.x, 1), Point(1, center.y), Point(screen.maxX - 1, center.y)]
                for edge in edges {
                    try guide.drag(edge, to: center, duration: 160)
                    try guide.drag(edge, to: center, duration: 260, rest: 500)
                    try guide.settle()
                    try stays(guide)
                }
                try guide.pinch(center, from: 500, to: 60)
                try guide.settle()
                try stays(guide)
            },
            Step("No key leads out", [.everyInput]) { guide in
                for keys in [
                    "Super+d", "Super+a", "Super+c", "Super+n", "Super+q", "Super+space", "Super+Tab", "Alt+Tab", "Alt+F4", "Ctrl+Alt+F2",
                    "XF86HomePage", "Super+F1",
                ] {
                    try guide.press(keys)
                    try guide.settle()
                    try stays(guide)
                }
            },
            Step("No command leads out", [.scripting]) { guide in
                for (action, words) in [
                    (Action.home, "home"), (.appSwitcher, "switcher"), (.controlCentre, "control centre"), (.close(), "close"),
                    (.idiom("pad"), "idiom pad"),
                    (.launch(command: ["foot"]), "launch foot"), (.quit, "log out"),
                ] {
                    var answer = "it was done"
                    do { try guide.act(action, words) } catch { answer = "\(error)" }
                    guide.check("\(words) is refused", answer.contains("does not offer"), answer)
                    try stays(guide)
                }
            },
            Step("The app ends, and is started again", [.everyApp]) { guide in
                let window = try guide.window("app")
                guard let process = window.pid else { throw Trouble("its process is not known") }
                guide.note("kill the app")
                kill(process, SIGTERM)
                let again = try guide.eventually(within: 20) {
                    guard let next = try guide.state().windows.first(where: { $0.shown && $0.pid != process }) else { return false }
                    guide.adopt(next.id, .gtk4, as: "app")
                    return true
                }
                guide.check("another one runs", again, again ? "it does" : "it does not")
                try guide.settle()
                try stays(guide)
            },
        ]
    }

    private static func stays(_ guide: Guide) throws {
        let state = try guide.state(), id = try guide.id("app")
        let isThere = state.open.isEmpty && !state.home && state[id]?.shown ?? false
        if !isThere {
            guide.check("the app stays in front", false, "\(state.open) \(state.home ? "home" : "")")
        } else if !guide.report.checks.contains(where: { $0.what == "the app stays in front" }) {
            guide.check("the app stays in front", true, "it does, alone")
        }
    }

    private static var carSteps: [Step] {
        [
            Step("The home screen with large targets", [.home]) { guide in
                try guide.isHome(true)
                let small = try guide.views().filter { $0.press != nil && $0.role == .icon && min($0.target.width, $0.target.height) < 76 }
                guide.check(
                    "icons have targets of 76 points", small.isEmpty, small.first.map { "\($0.id): \(words($0.target))" } ?? "all of them")
            },
            Step("A map and music beside each other", [.splitView]) { guide in
                try guide.open(.gtk4)
                try guide.open(.terminal)
                try guide.act(.splitView(window: try guide.id("foot"), side: .right), "the second app beside the first")
                try guide.settle()
                try guide.place("gtk4-demo", .splitLeft)
                try guide.place("foot", .splitRight)
                guide.near("the left pane has the larger part", try guide.state().divider?.fraction ?? 0, 0.62, within: 0.001)
            },
            Step("Nobody drags the divider", [.splitView]) { guide in
                let place = try guide.divider()
                try guide.drag(place, to: Point(place.x - 300, place.y), duration: 300, rest: 150)
                try guide.settle()
                guide.near("it stands where it was", try guide.state().divider?.fraction ?? 0, 0.62, within: 0.001)
            },
            Step("The app switcher, and another app", [.switcher]) { guide in
                try guide.act(.appSwitcher, "the app switcher")
                try guide.settle()
                try guide.shoot("both panes as one card")
                try guide.act(.dismiss, "it closes")
                try guide.open(.qt)
                try guide.place("featherpad", .full)
                let id = try guide.id("featherpad")
                try guide.act(.close(), "close")
                try guide.client.waitUntilGone(id, timeout: 4000 * Guide.patience)
                try guide.settle()
                try guide.place("gtk4-demo", .splitLeft)
            },
            Step("A prompt of the navigation lowers the music, and both panes stay", [.splitView]) { guide in
                guard guide.shell.hasSound else { throw Missing(what: "a sound server", package: "pipewire wireplumber pipewire-pulse") }
                guard guide.shell.has("pw-play") else { throw Missing(what: "pw-play", package: "pipewire-bin") }
                let tone = try guide.shell.makeTone()
                let music = App(name: "music", command: ["mpv", "--no-config", "--no-video", "--ao=pulse", "--loop", tone], package: "mpv")
                try guide.client.perform(.launch(command: music.command))
                let plays = try guide.eventually(within: 10) { try guide.sound("mpv")?.isPlaying ?? false }
                guide.check("the music plays", plays, plays ? "it does" : "it does not")
                try guide.client.perform(.launch(command: ["pw-play", "--media-role=Navigation", "--volume=0.2", tone]))
                let lowers = try guide.eventually(within: 10) { try guide.sound("mpv")?.streams.contains { $0.factors.duck < 1 } ?? false }
                let factor = try guide.sound("mpv")?.streams.map { short($0.factors.duck) }.joined(separator: ", ") ?? "it is silent"
                guide.check("the prompt lowers it", lowers, factor)
                try guide.place("gtk4-demo", .splitLeft)
                try guide.place("foot", .splitRight)
            },
        ]
    }
}
