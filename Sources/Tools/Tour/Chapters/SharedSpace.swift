import AudioSessions
import Control
import Geometry
import Glibc
import Windows

extension Tour {
    static var vision: Chapter {
        Chapter(
            id: "vision", title: "A Shared Space",
            about: """
                Windows of several apps stand at depths around a person. One is active; the others recede and grow translucent. Closing a window \
                puts it away, and its app runs on.
                """,
            idiom: "vision", settings: ["idiom = \"vision\"", "[life]", "grace = 1.0"], hasSound: true,
            steps: spaceSteps + fullSpaceSteps + soundSteps)
    }

    private static var spaceSteps: [Step] {
        [
            Step("Two apps side by side: one is active, the other recedes", [.sharedSpace, .oneActive]) { guide in
                try guide.open(.terminal)
                try guide.shoot("the first window, with its bar below")
                let alone = try guide.look()
                let before = try guide.window("foot")
                try guide.open(.qt)
                try guide.active("featherpad")
                let after = try guide.window("foot")
                guide.check(
                    "the first window is smaller now", (after.picture?.width ?? 0) < (before.picture?.width ?? 0) * 0.99,
                    "\(after.picture.map(words) ?? "it is not shown")")
                guide.equal("its app was told no other size", after.told, before.told)
                guide.equal("windows in sight", try guide.state().windows.count { $0.shown }, 2)
                guide.changed("the first window is paler", alone, try guide.look(), atLeast: 0.05)
            },
            Step("A look makes a window clearer, and tells its app nothing", [.oneActive]) { guide in
                let before = try guide.look(), place = try spot("foot", guide)
                try guide.act(.gaze(at: place), "look at foot")
                try guide.settle()
                guide.changed("foot is clearer", before, try guide.look(), in: try guide.frame("foot"), atLeast: 0.02)
                try guide.active("featherpad")
                try guide.shoot("looked at")
                try guide.act(.gazePress, "a press there")
                try guide.settle()
                try guide.active("foot")
                try guide.act(.gaze(at: nil), "look away")
            },
            Step("Its bar moves a window; a wheel meanwhile moves it farther away", [.sharedSpace]) { guide in
                let start = try guide.frame("foot"), bar = try self.bar("foot", guide)
                try guide.dragShowing(bar, to: bar + Vector(-60, -30), "held by its bar", duration: 400)
                let moved = try guide.frame("foot"), told = try guide.window("foot").told
                guide.near("it went 60 points to the left", moved.x - start.x, -60, within: 2)
                let grip = try self.bar("foot", guide)
                try guide.input(.pointerMotion(at: grip))
                try guide.input(.pointerButton(pressed: true))
                try guide.input(.pointerMotion(at: grip + Vector(4, 0)))
                guide.note("the wheel, while the pointer holds the bar")
                for _ in 0..<3 { try guide.input(.pointerAxis(value: -30)) }
                try guide.settle()
                try guide.shoot("farther away")
                try guide.input(.pointerButton(pressed: false))
                try guide.settle()
                let far = try guide.window("foot")
                guide.check(
                    "it is smaller", (far.picture?.width ?? 0) < moved.width * 0.9,
                    "\(short(moved.width)) to \(short(far.picture?.width ?? 0))")
                guide.equal("its app was told no other size", far.told, told)
                try guide.act(.depth(window: try guide.id("foot"), to: 0), "back to the screen")
                try guide.settle()
            },
            Step("Video goes on when another window has the focus", [.videoGoesOn]) { guide in
                try guide.open(.video)
                try guide.act(.focus(window: try guide.id("foot")), "foot in front")
                try guide.settle(2000)
                let frame = try guide.window("mpv").picture ?? .zero
                let before = try guide.look()
                guide.pause(900)
                guide.changed("the picture changes", before, try guide.look(), in: frame, atLeast: 0.001)
            },
        ]
    }

    private static var fullSpaceSteps: [Step] {
        [
            Step("A Full Space: one app alone, and back", [.sharedSpace]) { guide in
                let id = try guide.id("foot")
                try guide.tap(view: "sheet/\(id.raw)/zoom")
                try guide.settle()
                guide.equal("windows in sight", try guide.state().windows.filter { $0.shown }.map(\.id), [id])
                try guide.shoot("the Full Space of foot")
                try guide.act(.focus(window: try guide.id("featherpad")), "another window")
                try guide.settle()
                guide.equal("windows in sight", try guide.state().windows.count { $0.shown }, 3)
            },
            Step("Closing a window puts it away, and its app runs on", [.putAway]) { guide in
                let id = try guide.id("featherpad"), process = try guide.window("featherpad").pid ?? 0
                try guide.tap(view: "sheet/\(id.raw)/close")
                try guide.settle()
                try guide.place("featherpad", .minimized)
                guide.check("its process runs", kill(process, 0) == 0, "process \(process)")
                try guide.swipeHome()
                try guide.shoot("at home")
                try guide.act(.openApp(app: "featherpad"), "its icon")
                try guide.settle()
                try guide.active("featherpad")
                guide.equal("windows in sight", try guide.state().windows.count { $0.shown }, 3)
            },
            Step("The app switcher and the control centre, with the surroundings", [.switcher, .sharedSpace]) { guide in
                try guide.swipeSwitcher()
                try guide.isOpen("switcher")
                try guide.shoot("every window")
                try guide.act(.dismiss, "it closes")
                try guide.act(.controlCentre, "the control centre")
                try guide.settle()
                try guide.shoot("the control centre")
                try guide.tap(view: "control-centre/surroundings")
                try guide.act(.dismiss, "it closes")
                try guide.settle()
                try guide.shoot("dimmed surroundings")
                try guide.act(.surroundings(0), "as they were")
            },
        ]
    }

    private static func player(_ name: String, _ file: String, plays: Bool = true) -> App {
        App(
            name: name,
            command: ["mpv", "--no-config", "--vo=wlshm", "--force-window", "--geometry=420x260", "--ao=pulse", "--loop"]
                + (plays ? ["--script=/usr/lib/mpv-mpris/mpris.so"] : []) + ["--wayland-app-id=\(name)", "--title=\(name)", file],
            package: "mpv mpv-mpris")
    }

    private static var soundSteps: [Step] {
        [
            Step("What a person looks away from is lowered, unless it is what plays", [.lowered]) { guide in
                guard guide.shell.hasSound else { throw Missing(what: "a sound server", package: "pipewire wireplumber pipewire-pulse") }
                try guide.desk([])
                try guide.open(.terminal)
                try guide.open(player("music", try guide.shell.makeTone()), as: "music")
                let plays = try guide.eventually(within: 10) { try guide.sound().playing?.status == .playing }
                guide.check("the music is what plays", plays, plays ? "it is" : "nothing is")
                try guide.act(.focus(window: try guide.id("foot")), "look away")
                try guide.settle()
                guide.pause(400)
                let session = try guide.sound("mpv")
                guide.check(
                    "it is not lowered", session.map { $0.streams.allSatisfy { $0.factors.duck == 1 } } ?? false,
                    "\(session?.streams.map(\.factors.duck) ?? [])")
            },
            Step("Its window is closed: it pauses, and the control centre plays it on without the window", [.soundWithoutWindow, .putAway])
            { guide in
                guard guide.shell.hasSound else { throw Missing(what: "a sound server", package: "pipewire wireplumber pipewire-pulse") }
                let id = try guide.id("music")
                try guide.act(.gaze(at: try spot("music", guide)), "look at it: its controls are seen")
                try guide.settle()
                try guide.shoot("looked at")
                try guide.tap(view: "sheet/\(id.raw)/close")
                let pauses = try guide.eventually(within: 8) { try guide.sound().playing?.status == .paused }
                guide.check("it pauses", pauses, pauses ? "it does" : "it does not")
                try guide.place("music", .minimized)
                try guide.act(.controlCentre, "the control centre")
                try guide.settle()
                try guide.shoot("what plays, with its play button")
                try guide.tap(view: "control-centre/playing/play")
                let plays = try guide.eventually(within: 8) { try guide.sound().playing?.status == .playing }
                guide.check("it plays again", plays, plays ? "it does" : "it does not")
                try guide.place("music", .minimized)
                try guide.act(.dismiss, "the control centre closes")
            },
        ]
    }

    // MARK: Where

    /// The bar below a window.
    private static func bar(_ key: String, _ guide: Guide) throws -> Point {
        let id = try guide.id(key), close = try guide.view("sheet/\(id.raw)/close").frame, frame = try guide.frame(key)
        return Point(frame.center.x, close.center.y)
    }

    /// A point of a window on which no other one lies, nor the edge by which another one is resized.
    private static func spot(_ key: String, _ guide: Guide) throws -> Point {
        let id = try guide.id(key), state = try guide.state()
        guard let frame = state[id]?.shownFrame else { throw Trouble("\(key) is not in sight") }
        let others = state.windows.filter { $0.id != id && $0.shown }.compactMap { $0.shownFrame?.inset(by: -24) }
        let places = [0.5, 0.1, 0.9].flatMap { x in
            [0.5, 0.1, 0.9].map { y in Point(frame.x + x * frame.width, frame.y + y * frame.height) }
        }
        guard let free = places.first(where: { place in !others.contains { $0.contains(place) } }) else {
            throw Trouble("\(key) is covered")
        }
        return free
    }
}
