/// A real program of the tour.
struct App {
    /// The name on the page.
    var name: String
    var command: [String]
    /// The Debian package that contains it, or `App.examples`.
    var package: String
    /// The required program, if it is not the first word of the command.
    var needs: String?
    /// Its picture changes by itself.
    var isLive = false
    /// Seconds to wait for its first window.
    var patience = 20.0

    var program: String { needs ?? command[0] }

    /// Brings the apps in the folder Examples.
    static let examples = "make examples"

    static let notes = App(name: "Notes", command: ["mullion-notes"], package: examples)
    static let exporter = App(name: "Exporter", command: ["mullion-exporter"], package: examples)
    static let podcast = App(name: "Podcast", command: ["mullion-podcast"], package: examples)
    static let terminal = App(name: "foot", command: ["foot"], package: "foot")
    static let gtk4 = App(name: "GTK 4 Demo", command: ["gtk4-demo"], package: "gtk-4-examples")
    static let gtk3 = App(name: "GTK 3 Demo", command: ["gtk3-demo"], package: "gtk-3-examples")
    static let factory = App(name: "GTK 4 Widget Factory", command: ["gtk4-widget-factory"], package: "gtk-4-examples", isLive: true)
    static let qt = App(name: "FeatherPad (Qt)", command: ["featherpad", "--standalone"], package: "featherpad")
    static let flower = App(name: "Weston Flower", command: ["weston-flower"], package: "weston")
    static let dots = App(name: "Weston Clickdot", command: ["weston-clickdot"], package: "weston")
    static let smoke = App(name: "Weston Smoke", command: ["weston-smoke"], package: "weston", isLive: true)
    static let xterm = App(name: "xterm (X11)", command: ["xterm", "-bg", "#43293f", "-fg", "#f4ebf2"], package: "xterm")
    static let xcalc = App(name: "xcalc (X11)", command: ["xcalc"], package: "x11-apps")
    static let video = App(
        name: "mpv",
        command: [
            "mpv", "--no-config", "--vo=wlshm", "--ao=null", "--loop", "av://lavfi:testsrc=size=640x360:rate=24",
        ], package: "mpv", isLive: true)

    /// The same program with its protocol messages written to a file.
    func telling(to file: String) -> App {
        var app = self
        app.needs = program
        app.name = name
        app.command = ["sh", "-c", "exec env WAYLAND_DEBUG=1 \"$@\" 2>\"$0\"", file] + command
        return app
    }
}
