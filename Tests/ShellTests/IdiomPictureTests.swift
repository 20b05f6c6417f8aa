import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

/// The idioms that have no pictures of all views: a few of each.
extension RunningShell.PictureTests {
    private func shell(
        _ idiom: String, _ size: Size, scale: Double = 1, config: String = "", files: [String: String] = [:],
        _ body: (ShellUnderTest) throws -> Void
    ) throws {
        try Self.requireFonts()
        let config =
            "launch = []\nidiom = \"\(idiom)\"\nwallpaper = \"#4a6078\"\nreduced-motion = true\nnew-windows = \"always\"\n" + config
        try ShellUnderTest.with(
            apps: Self.apps, size: "\(Int(clamping: size.width * scale))x\(Int(clamping: size.height * scale))", scale: scale,
            config: config, files: Self.files.merging(files) { $1 }
        ) { shell in
            try shell.wait("the apps") { try shell.installed().count == Self.apps.count }
            try body(shell)
        }
    }

    private func compare(_ name: String, _ size: Size, _ shell: ShellUnderTest) throws {
        try shell.settle()
        // Glass shows the screen when it has settled.
        usleep(700_000)
        try shell.stopClock()
        try compare(name, shell, size: size)
        try shell.startClock()
        while try shell.state().open != [] { try shell.perform(.dismiss) }
        try shell.settle()
    }

    @Test(
        "S-11, A-24: a watch as it is meant to look",
        arguments: [("watch", Size(272, 340)), ("watch-large", Size(396, 484)), ("round-watch", Size(454, 454))])
    func watch(name: String, size: Size) throws {
        try shell(name == "round-watch" ? name : "watch", size) { shell in
            try compare("\(name)-home", size, shell)
            for app in ["test.diary", "test.atlas"] { try shell.openApp(app) }
            try shell.perform(.appSwitcher)
            try compare("\(name)-switcher", size, shell)
            if name == "watch-large" {
                // An app that is too large is one card that a person enlarges (S-11).
                let large = try TestClient(
                    shell, ["--app-id", "test.bakery", "--title", "Bakery", "--colour", "cc7722", "--minimum", "800x600"])
                let whole = try #require(try shell.window(large.id).picture)
                #expect(abs(whole.width - size.width) < 1 && whole.height <= size.height)
                try compare("\(name)-card", size, shell)
                try shell.client.input(.pinch(center: Rect(origin: .zero, size: size).center, from: 60, to: 120, duration: 200))
                try shell.settle()
                #expect(abs(try #require(try shell.window(large.id).picture).width / whole.width - 2) < 0.1)
                try compare("\(name)-enlarged", size, shell)
            }
            try shell.perform(.controlCentre)
            try compare("\(name)-control-centre", size, shell)
            try shell.perform(.wrist(raised: false))
            try compare("\(name)-wrist", size, shell)
        }
    }

    @Test("a phone with a camera, rounded corners and a line as it is meant to look, upright and turned")
    func phone() throws {
        let size = Size(390, 844), pixels = Size(780, 1688), turned = Size(1688, 780)
        let data = "like = \"phone\"\ncut-outs = [47, 0, 34, 0]\ncorner-radius = 40\n"
        try shell("phone", size, scale: 2, files: ["idioms/phone.toml": data]) { shell in
            try compare("phone-2x-home", pixels, shell)
            for app in ["test.diary", "test.atlas"] { try shell.openApp(app) }
            try compare("phone-2x-app", pixels, shell)
            try shell.perform(.appSwitcher)
            try compare("phone-2x-switcher", pixels, shell)
            try shell.perform(.rotate(1))
            try compare("phone-2x-turned", turned, shell)
            try shell.perform(.controlCentre)
            try compare("phone-2x-turned-control-centre", turned, shell)
        }
    }

    @Test("V-01, V-02: a Shared Space as it is meant to look")
    func vision() throws {
        let size = Size(1180, 820)
        try shell("vision", size) { shell in
            let windows = try ["test.bakery", "test.diary", "test.atlas"].map { try shell.openApp($0) }
            try shell.perform(.depth(window: windows[0].id, to: 600))
            try compare("vision-space", size, shell)
            try shell.perform(.surroundings(0.6))
            try shell.perform(.close())
            try compare("vision-put-away", size, shell)
            try shell.perform(.fullScreen())
            try compare("vision-full-space", size, shell)
        }
    }

    @Test("V-06: the shell fades the edges of a window without focus, and the window that is used has whole edges")
    func feather_V06() throws {
        let size = Size(1180, 820)
        try shell("vision", size) { shell in
            let one = try TestClient(shell, ["--colour", "ffffff", "--edge", "ffffff"]),
                two = try TestClient(shell, ["--colour", "ffffff", "--edge", "ffffff"])
            try shell.settle()
            let pale = try #require(try shell.window(one.id).picture), front = try #require(try shell.window(two.id).picture)
            let picture = try shell.picture(), corner = Point(pale.maxX, pale.maxY - 80)
            try #require(!front.contains(corner) && !front.contains(Point(pale.maxX - 60, corner.y)))
            /// The red of a pixel so far inside the right edge. The wallpaper has 74.
            func red(_ rect: Rect, _ inside: Double, _ y: Double) -> Int {
                Int(picture[Int(clamping: rect.maxX - inside), Int(clamping: y)].red)
            }
            let steps = [1.0, 6, 12, 18, 40].map { red(pale, $0, corner.y) }
            #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 } && steps[0] < 100 && steps[4] > 190, "\(steps)")
            #expect(red(front, 1.5, front.center.y) > 240, "the active window is whole to its edge")
        }
    }

    @Test("two panes in a car as they are meant to look")
    func places() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        func file(_ name: String) throws -> [String: String] {
            ["idioms/\(name).toml": try String(contentsOf: root.appending(path: "share/idioms/\(name).toml"), encoding: .utf8)]
        }
        let wide = Size(1280, 480)
        try shell("car", wide, files: file("car")) { shell in
            try compare("car-home", wide, shell)
            for app in ["test.atlas", "test.diary"] { try shell.openApp(app) }
            try shell.perform(.splitView(side: .right))
            try compare("car-panes", wide, shell)
        }
    }
}
