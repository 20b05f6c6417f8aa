import Control
import FoundationEssentials
import Geometry
import Windows

extension Tour {
    static var unaware: Chapter {
        Chapter(
            id: "unaware", title: "Apps learn nothing",
            about:
                "What an app is told is the same in every configuration but for its size and whether it is active. Read from the shell\u{2019}s log and, message by message, from the app\u{2019}s own side.",
            steps: [
                Step("Led through every configuration, it is told its size and nothing else", [.unaware]) { guide in
                    try guide.desk(.gtk3)
                    let trace = "\(guide.shell.room)/unaware.trace"
                    try guide.open(App.flower.telling(to: trace), as: "told")
                    let screen = try guide.screen()
                    let ways: [(String, Point, WindowReport.PlaceName)] = [
                        ("Split View, left", Point(12, 400), .splitLeft), ("Split View, right", Point(screen.maxX - 12, 400), .splitRight),
                        ("Slide Over", Point(screen.width * 0.82, 400), .slideOver),
                    ]
                    for (_, to, place) in ways {
                        try guide.drag(try guide.grip("told"), to: to, duration: 250, rest: 120)
                        try guide.settle()
                        try guide.place("told", place)
                    }
                    let card = try guide.card()
                    try guide.drag(
                        Point(card.center.x, card.minY + 10), to: Point(140, screen.maxY - 40),
                        via: [Point(card.center.x - 20, card.minY + 240)], duration: 600, rest: 150)
                    try guide.settle()
                    try guide.place("told", .pictureInPicture)
                    let frame = try guide.frame("told")
                    try guide.pinch(Point(frame.center.x + 60, frame.center.y - 40), from: 60, to: 560, duration: 400)
                    try guide.settle()
                    try guide.place("told", .full)
                    try shellLog(guide)
                    try appsOwnSide(guide, trace)
                },
                Step("Nothing in its environment tells it", [.unaware]) { guide in
                    let process = try guide.window("told").pid ?? 0
                    let bytes = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
                    let names = bytes.split(separator: 0).compactMap { String(decoding: $0, as: UTF8.self).split(separator: "=").first }
                    let telling = names.filter { name in
                        ["SPLIT", "SLIDE", "PICTURE", "LAYOUT", "CONFIGURATION"].contains { name.uppercased().contains($0) }
                    }
                    guide.check("its environment was read", names.count > 5, "\(names.count) variables")
                    guide.check(
                        "none of them names a configuration", telling.isEmpty, telling.isEmpty ? "none" : telling.joined(separator: ", "))
                },
                Step("Nor can it ask: what it wants for itself changes its own looks at most", [.noLayoutRequests]) { guide in
                    try guide.desk(.gtk3, .terminal)
                    try guide.drag(try guide.grip("foot"), to: Point(12, 400), duration: 250, rest: 120)
                    try guide.settle()
                    for (key, wish) in [("F11", "full screen"), ("F10", "maximized"), ("F9", "minimized")] {
                        let before = try guide.window("foot")
                        try guide.press(key)
                        guide.pause(150)
                        try guide.settle()
                        let after = try guide.window("foot")
                        guide.check(
                            "asked to be \(wish), it stays where it is",
                            after.place == .splitLeft && after.frame == before.frame && after.shown,
                            "\(after.place.rawValue), \(after.frame.map(words) ?? "nowhere")")
                        if key != "F9" { try guide.press(key) }
                        guide.pause(100)
                    }
                    try guide.place("gtk3-demo", .splitRight)
                },
            ])
    }

    private static func shellLog(_ guide: Guide) throws {
        let lines = try guide.client.configureLog(of: try guide.id("told"))
        var sizes: Set<String> = [], states: Set<String> = []
        for line in lines {
            for part in line.split(separator: " ") {
                if part.hasPrefix("size=") { sizes.insert(String(part)) }
                guard part.hasPrefix("states=") else { continue }
                let rest = part.dropFirst("states=".count).split(separator: ",").filter { $0 != "activated" }
                states.insert(rest.joined(separator: ","))
            }
        }
        guide.check("it was told of several sizes", sizes.count >= 4, "\(sizes.count) sizes in \(lines.count) configures")
        guide.check(
            "without \u{201c}activated\u{201d}, the states were always the same", states.count == 1,
            states.sorted().joined(separator: " / "))
    }

    /// WAYLAND_DEBUG prints every message that the app gets. For arrays it prints their length in bytes, four per
    /// state.
    private static func appsOwnSide(_ guide: Guide, _ trace: String) throws {
        let text = (try? String(contentsOfFile: trace, encoding: .utf8)) ?? ""
        let events = ProtocolMessage.events(in: text).filter { $0.interface == "xdg_toplevel" }
        let messages = Set(events.map(\.name))
        let lengths = Set(events.filter { $0.name == "configure" }.compactMap(\.arrayLength))
        guide.check(
            "the app itself got two lists of states: active and not active", !lengths.isEmpty && lengths.count <= 2,
            "lists of \(lengths.sorted().map(String.init).joined(separator: " and ")) bytes")
        guide.check(
            "and no other message about its window",
            messages.isSubset(of: ["configure", "configure_bounds", "wm_capabilities"]), messages.sorted().joined(separator: ", "))
    }
}
