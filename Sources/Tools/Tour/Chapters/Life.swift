import Clocks
import Control
import FoundationEssentials
import Geometry
import Glibc
import Lifecycle
import Processes
import Windows

extension Tour {
    static var life: Chapter {
        Chapter(
            id: "life", title: "The life of apps",
            about: """
                Out of sight an app uses no processor, unless it has a reason that people can read. Whatever ends an app or the shell, \
                windows are in their places again, with what was in them.
                """,
            settings: ["[life]", "grace = 1.0"], isLasting: true, steps: lifeSteps + endSteps)
    }

    private static let clock = App(
        name: "a terminal with a clock", command: ["foot", "--title", "Clock", "sh", "-c", "while sleep 0.1; do date '+%T.%N'; done"],
        package: "foot", isLive: true)

    private static var lifeSteps: [Step] {
        [
            Step("Out of sight: the app hands over its state, and is frozen", [.frozen, .handedOver]) { guide in
                try guide.shell.installExamples()
                try guide.desk()
                try launch(.notes, guide)
                try guide.tap(Point(590, 200))
                for line in ["Saturday", "oranges, olives, a new kettle", "call Hana about the boat"] {
                    try guide.type(line)
                    try guide.press("Return")
                }
                try guide.settle()
                guide.pause(300)
                try guide.shoot("a note; nobody saves it")
                try guide.swipeHome()
                try waits(.frozen, "mullion-notes", guide)
                try idle("mullion-notes", guide)
            },
            Step("A program that never rests is frozen as well", [.frozen]) { guide in
                try guide.open(clock, as: "clock")
                let before = try guide.look()
                guide.pause(400)
                guide.changed("in sight it runs", before, try guide.look(), atLeast: 0.0005)
                try guide.swipeHome()
                try waits(.frozen, "clock", guide)
                try idle("clock", guide)
            },
            Step("Shown again, it goes on at once", [.frozen, .switcher]) { guide in
                try guide.swipeSwitcher()
                try guide.shoot("frozen, it keeps its last picture")
                guard let space = try guide.window("clock").space else { throw Trouble("the clock has no space") }
                try guide.tap(view: "switcher/space/\(space.raw)")
                let began = Clocks.monotonicSeconds
                try waits(.active, "clock", guide)
                guide.note("awake \(Int(clamping: (Clocks.monotonicSeconds - began) * 1000)) ms after the tap was answered")
                try guide.settle()
                let before = try guide.look()
                guide.pause(400)
                guide.changed("its clock goes on", before, try guide.look(), atLeast: 0.0005)
            },
            Step("The app switcher says why an app runs on", [.reasons, .switcher]) { guide in
                guard guide.shell.hasSound else { throw Missing(what: "a sound server", package: "pipewire wireplumber pipewire-pulse") }
                try guide.swipeHome()
                try launch(.podcast, guide)
                try guide.tap(play)
                guide.pause(400)
                try guide.shoot("it plays")
                try guide.swipeHome()
                try launch(.exporter, guide)
                try guide.tap(export)
                guide.pause(400)
                try guide.shoot("an export of twenty seconds")
                try guide.swipeHome()
                let isFar = try guide.eventually(within: 25) { try reasons("mullion-exporter", guide).contains { $0.progress ?? 0 >= 0.4 } }
                guide.check("out of sight the export goes on", isFar, words(try reasons("mullion-exporter", guide)))
                guide.equal("and so does the podcast, because it", words(try reasons("mullion-podcast", guide)), "sound")
                guide.equal("the note is", try life("mullion-notes", guide).phase.rawValue, "frozen")
                try guide.swipeSwitcher()
                try guide.shoot("the reasons: Playing Audio; Finishing")
                try guide.act(.dismiss, "the switcher closes")
            },
            Step("The menu of an app ends what it does out of sight; then it is frozen", [.reasons, .frozen]) { guide in
                guard guide.windows["mullion-exporter"] != nil else {
                    throw Missing(what: "what the step before needs", package: "pipewire")
                }
                try guide.hold(view: "home/org.mullion.Exporter")
                try guide.shoot("under the finger")
                try guide.lift()
                try guide.settle()
                if let task = try guide.views("menu/task/").first {
                    guide.check("the menu names the task", task.name.contains("Holiday.mov"), task.name)
                    try guide.tap(view: task.id)
                } else {
                    guide.check("the menu names the task", false, try guide.views("menu/").map(\.name).joined(separator: ", "))
                }
                try waits(.frozen, "mullion-exporter", guide)
                try guide.act(.dismiss, "the menu closes")
            },
        ]
    }

    private static var endSteps: [Step] {
        [
            Step("kill -9 of a frozen app: its window stays, and a tap brings it back with its text", [.state, .comesBack]) { guide in
                let last = try guide.window("mullion-notes")
                let before = try guide.look(last.id)
                guide.note("kill -9 \(guide.name(last.id))")
                kill(try life("mullion-notes", guide).process, SIGKILL)
                try guide.client.waitUntilGone(last.id, timeout: 4000)
                try guide.settle()
                guard let left = try guide.state().windows.first(where: { $0.appID == last.appID }) else {
                    throw Trouble("its window is gone")
                }
                guide.adopt(left.id, .notes, as: "mullion-notes")
                guide.check(
                    "no program runs for its window", left.placeholder == true,
                    left.placeholder == true ? "its last picture is kept" : "one runs")
                try guide.swipeSwitcher()
                try guide.shoot("its card is still there")
                guard let space = left.space else { throw Trouble("the note has no space") }
                try guide.tap(view: "switcher/space/\(space.raw)")
                try returns("mullion-notes", .notes, appID: last.appID, guide)
                guide.equal("place", try guide.window("mullion-notes").place, last.place)
                guide.pause(600)
                guide.unchanged("the text is back", before, try guide.look(try guide.id("mullion-notes")), atMost: 0.01)
            },
            Step("kill -9 of the shell: everything is back, in its place", [.comesBack, .state]) { guide in
                for key in ["mullion-podcast", "mullion-exporter"] where guide.windows[key] != nil {
                    try guide.act(.close(window: try guide.id(key)), "\(key) is closed")
                    try guide.client.waitUntilGone(try guide.id(key), timeout: 4000)
                }
                try guide.open(.gtk4, to: .fullScreen)
                let notes = try guide.id("mullion-notes"), clock = try guide.id("clock")
                try guide.act(.focus(window: notes), "the note in front")
                try guide.act(.splitView(window: clock, side: .right), "the clock beside it")
                try guide.act(.divider(fraction: 2.0 / 3), "two thirds for the note")
                try guide.open(.flower, to: .slideOver)
                // A window that was out of sight has a last picture.
                try guide.swipeHome()
                let kept = lastKept(guide)
                try guide.act(.focus(window: notes), "back to the note")
                try guide.settle()
                // It is kept half a second after a change, or when the disk of a busy machine lets it be.
                _ = guide.eventually(within: 8) { lastKept(guide) > kept }
                guide.pause(1500)
                let before = try places(guide)
                let fraction = try guide.state().divider?.fraction ?? 0
                try guide.shoot("before")
                guide.note("kill -9 of the shell")
                let dead = try guide.shell.crash()
                // Long enough to read pictures, and too short to start the programs.
                guide.pause(60)
                try guide.shoot("\(Int(clamping: dead * 1000)) ms later another shell answers: last pictures, while the programs start")
                guide.check(
                    "another shell answers within a second of an idle machine", dead < Guide.patience,
                    "after \(Int(clamping: dead * 1000)) ms")
                for (key, app, id) in [
                    ("mullion-notes", App.notes, "org.mullion.Notes"), ("clock", Tour.clock, "foot"), ("weston-flower", .flower, ""),
                ] {
                    try returns(key, app, appID: id.isEmpty ? before.keys.first { $0.contains("flower") } ?? key : id, guide)
                }
                try guide.settle()
                guide.pause(800)
                guide.equal(
                    "places", try places(guide).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rawValue)" },
                    before.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rawValue)" })
                guide.near("the divider", try guide.state().divider?.fraction ?? 0, fraction, within: 0.005)
            },
            Step("What was behind waits as a picture until it is shown", [.comesBack, .switcher]) { guide in
                guard let behind = try guide.state().windows.first(where: { $0.placeholder == true }) else {
                    throw Trouble("every program was started")
                }
                guide.equal("no program runs for", behind.app, "org.gtk.Demo4")
                try guide.swipeSwitcher()
                try guide.shoot("the app switcher")
                guard let space = behind.space else { throw Trouble("it has no space") }
                try guide.tap(view: "switcher/space/\(space.raw)")
                try returns("gtk4-demo", .gtk4, appID: behind.appID, guide)
                try guide.place("gtk4-demo", .full)
            },
        ]
    }

    // MARK: Helpers

    /// The play button of the podcasts, and the button of the exporter.
    private static let play = Point(590, 204), export = Point(590, 154)

    /// By its icon.
    private static func launch(_ app: App, _ guide: Guide) throws {
        guard guide.shell.has(app.program) else { throw Missing(what: app.name, package: app.package) }
        let entry = "org.mullion.\(app.name)"
        if try !guide.has("home/\(entry)") {
            _ = try guide.eventually(within: 5) { try guide.client.ask(.get(.apps), for: [Windows.App].self).contains { $0.id == entry } }
        }
        try guide.window(opening: app) { try guide.tap(view: "home/\(entry)") }
        _ = try guide.eventually { try guide.state().open.isEmpty }
    }

    private static func life(_ key: String, _ guide: Guide) throws -> LifeReport.App {
        let id = try guide.id(key)
        guard let app = try guide.client.ask(.get(.life), for: LifeReport.self).apps.first(where: { $0.windows.contains(id) }) else {
            throw Trouble("no app has the window of \(key)")
        }
        return app
    }

    private static func reasons(_ key: String, _ guide: Guide) throws -> [LifeReport.Reason] { try life(key, guide).reasons }

    private static func words(_ reasons: [LifeReport.Reason]) -> String {
        reasons.map { "\($0.kind)\($0.name.map { " \($0)" } ?? "")\($0.progress.map { " \(percent($0))" } ?? "")" }.joined(separator: ", ")
    }

    private static func waits(_ phase: AppPhase, _ key: String, _ guide: Guide) throws {
        let isThere = try guide.eventually(within: 8) { try life(key, guide).phase == phase }
        guide.check("\(key) is \(phase.rawValue)", isThere, try life(key, guide).phase.rawValue)
    }

    /// The app and all that it started use no processor.
    private static func idle(_ key: String, _ guide: Guide) throws {
        let head = try life(key, guide).process
        func work() -> UInt64 { ([head] + ProcessTree.descendants(of: head)).compactMap { ProcessTree.record(of: $0)?.work }.reduce(0, +) }
        let before = work()
        guide.pause(1500)
        guide.equal("hundredths of a second that it worked in 1.5 s", work() - before, 0)
    }

    /// When the shell last wrote the arrangement, in seconds since 1970.
    private static func lastKept(_ guide: Guide) -> Double {
        var status = stat()
        guard stat("\(guide.shell.room)/state/mullion/session.db-wal", &status) == 0 else { return 0 }
        return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    }

    /// A program has come for the window.
    private static func returns(_ key: String, _ app: App, appID: String, _ guide: Guide) throws {
        let isBack = try guide.eventually(within: 20) {
            guard
                let window = try guide.state().windows.first(where: { $0.appID == appID && $0.placeholder == nil && $0.place != .unmapped })
            else {
                return false
            }
            guide.adopt(window.id, app, as: key)
            return true
        }
        guide.check("\(app.name) runs in its window again", isBack, isBack ? "it does" : "it does not")
        try guide.settle()
    }

    /// By app id, which stays when a window is another one.
    private static func places(_ guide: Guide) throws -> [String: WindowReport.PlaceName] {
        Dictionary(try guide.state().windows.map { ($0.appID, $0.place) }) { first, _ in first }
    }
}
