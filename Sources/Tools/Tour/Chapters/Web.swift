import Chrome
import Control
import FoundationEssentials
import Geometry
import Windows

extension Tour {
    static var web: Chapter {
        Chapter(
            id: "web", title: "Firefox",
            about: "A browser with a profile of its own and two pages on disk.",
            steps: [
                Step("It opens a page", [.realApps, .everyApp]) { guide in
                    let app = try firefox(guide)
                    try guide.desk(.terminal)
                    try guide.open(app, as: "firefox")
                    let titled = try guide.eventually(within: 20) { try guide.window("firefox").title.contains("A page of the tour") }
                    guide.check("the page is there", titled, try guide.window("firefox").title)
                    try guide.place("firefox", .full)
                    let seen = try guide.eventually(within: 8) { try isColoured(guide, red: 0x2a, green: 0x9d, blue: 0x8f) }
                    guide.check("the page's colour is seen", seen, seen ? "#2a9d8f" : "another")
                },
                Step("A finger follows a link", [.realApps, .everyInput]) { guide in
                    let frame = try guide.frame("firefox")
                    try guide.tap(Point(frame.center.x, frame.minY + frame.height * 0.62))
                    let titled = try guide.eventually(within: 8) { try guide.window("firefox").title.contains("The second page") }
                    guide.check("the second page is there", titled, try guide.window("firefox").title)
                    let seen = try guide.eventually(within: 5) { try isColoured(guide, red: 0xe7, green: 0x6f, blue: 0x51) }
                    guide.check("its colour is seen", seen, seen ? "#e76f51" : "another")
                },
                Step("Beside the terminal, resized by a finger", [.splitView, .realApps]) { guide in
                    let screen = try guide.screen()
                    try guide.drag(try guide.grip("firefox"), to: Point(screen.maxX - 12, 400), duration: 260, rest: 120)
                    try guide.settle()
                    try guide.place("firefox", .splitRight)
                    let start = try guide.divider()
                    try guide.drag(start, to: Point(screen.width * 0.36, start.y), duration: 600, rest: 300)
                    try guide.settle()
                    let window = try guide.window("firefox")
                    guide.near("it is as wide as its place", window.size.width, (screen.width - 10) * 2 / 3, within: 2)
                },
                Step("As a card", [.slideOver, .realApps]) { guide in
                    let screen = try guide.screen()
                    try guide.drag(try guide.grip("firefox"), to: Point(screen.width * 0.82, 400), duration: 260, rest: 120)
                    try guide.settle()
                    try guide.place("firefox", .slideOver)
                },
                Step("Its video comes out as Picture in Picture, by its own key", [.picture, .realApps]) { guide in
                    guard guide.shell.has("mpv") else { throw Missing(what: "mpv, which makes the video", package: "mpv") }
                    let id = try guide.id("firefox")
                    try guide.act(.fullScreen(window: id), "Firefox over the whole screen")
                    try guide.settle()
                    let frame = try guide.frame("firefox")
                    try guide.tap(Point(frame.center.x, frame.maxY - 60))
                    let titled = try guide.eventually(within: 8) { try guide.window("firefox").title.contains("A page with a video") }
                    guide.check("the page with the video is there", titled, try guide.window("firefox").title)
                    guide.pause(1200)
                    try guide.press("Ctrl+Shift+bracketright")
                    let window = try guide.client.waitForWindow(title: "Picture-in-Picture", timeout: 8000)
                    guide.adopt(
                        window.id, App(name: "Firefox's picture", command: ["firefox-esr"], package: "firefox-esr", isLive: true),
                        as: "video")
                    guide.pause(300)
                    try guide.settle()
                    try guide.place("video", .pictureInPicture)
                    let screen = try guide.screen()
                    try guide.drag(try guide.frame("video").center, to: Point(200, screen.maxY - 140), duration: 250, rest: 100)
                    try guide.settle()
                    guide.equal("thrown to", try guide.state().pictureInPicture?.corner.rawValue ?? "none", "bottomLeft")
                },
            ])
    }

    /// Whether the centre of the page has the colour that the page sets.
    private static func isColoured(_ guide: Guide, red: UInt8, green: UInt8, blue: UInt8) throws -> Bool {
        guard let frame = try guide.window("firefox").frame else { return false }
        let place = Point(frame.minX + 40, frame.maxY - 60)
        return try guide.look().pixel(at: place)?.distance(to: .init(red: red, green: green, blue: blue)) ?? 255 < 12
    }

    private static func firefox(_ guide: Guide) throws -> App {
        let room = guide.shell.room
        func page(_ title: String, _ colour: String, _ link: String) -> String {
            """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>\(title)</title>
            <style>body{margin:0;background:\(colour);color:#fff;font:28px sans-serif;text-align:center}
            a{position:absolute;left:0;right:0;top:34%;height:45%;color:#fff}</style><h1>\(title)</h1>\(link)

            """
        }
        let files = [
            "www/index.html": page("A page of the tour", "#2a9d8f", "<a href=\"second.html\">To the second page</a>"),
            "www/second.html": page("The second page", "#e76f51", "<a href=\"video.html\" style=\"top:70%\">To the video</a>"),
            "www/video.html": page(
                "A page with a video", "#264653", "<video src=\"video.webm\" width=\"640\" muted autoplay loop></video>"),
            "profile/user.js": quietPreferences.map { "user_pref(\"\($0)\", \($1));\n" }.joined(),
        ]
        for (file, text) in files { try text.write(toFile: "\(room)/\(file)", atomically: false, encoding: .utf8) }
        // Generate a video. Without it, the page shows none.
        _ = try? guide.shell.run(
            [
                "mpv", "--no-config", "--length=5", "--ovc=libvpx", "--oac=no", "--o=\(room)/www/video.webm",
                "av://lavfi:testsrc2=size=320x180:rate=12",
            ], package: "mpv", within: 20)
        return App(
            name: "Firefox",
            command: ["firefox-esr", "--no-remote", "--profile", "\(room)/profile", "file://\(room)/www/index.html"],
            package: "firefox-esr", patience: 45)
    }

    /// Disables greetings, updates and reports, so that only the page shows.
    private static let quietPreferences: KeyValuePairs = [
        "browser.aboutwelcome.enabled": "false", "browser.shell.checkDefaultBrowser": "false",
        "browser.startup.homepage_override.mstone": "\"ignore\"", "startup.homepage_welcome_url": "\"\"",
        "browser.tabs.warnOnClose": "false", "browser.sessionstore.resume_from_crash": "false",
        "datareporting.policy.dataSubmissionEnabled": "false", "toolkit.telemetry.reportingpolicy.firstRun": "false",
        "app.update.enabled": "false", "extensions.update.enabled": "false", "network.captive-portal-service.enabled": "false",
        "network.connectivity-service.enabled": "false", "browser.safebrowsing.malware.enabled": "false",
        "browser.safebrowsing.phishing.enabled": "false", "browser.topsites.contile.enabled": "false",
        "browser.newtabpage.enabled": "false", "dom.disable_open_during_load": "false",
    ]
}
