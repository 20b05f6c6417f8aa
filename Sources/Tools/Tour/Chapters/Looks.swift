import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var looks: Chapter {
        func look(
            _ title: String, _ lines: [String], _ rules: [Rule], _ check: @escaping (Guide, String, Picture, [ViewReport]) throws -> Void
        ) -> Step {
            Step(title, rules + [.switcher, .controls]) { guide in
                try guide.shell.configure(lines)
                defer { try? guide.shell.configure() }
                guide.note("the configuration says \(lines.joined(separator: ", "))")
                try guide.desk([("flower", .flower), ("foot", .terminal), ("gtk4-demo", .gtk4)])
                try guide.act(.home, "home")
                try show("home", guide, check)
                try guide.act(.focus(window: try guide.id("gtk4-demo")), "the GTK app")
                try guide.settle()
                try guide.tap(try guide.grip("gtk4-demo"))
                try show("controls", guide, check)
                try guide.tap(Point(60, 600))
                try guide.act(.splitView(window: try guide.id("gtk4-demo"), side: .left), "Split View")
                try guide.act(.slideOver(window: try guide.id("flower")), "Slide Over")
                try guide.settle()
                try guide.swipeSwitcher()
                try show("switcher", guide, check)
                try guide.clearViews()
                try guide.settle()
                try guide.act(.keyHelp, "the list of keys")
                try show("keys", guide, check)
                try guide.clearViews()
                try guide.act(.controlCentre, "the control centre")
                try show("control-centre", guide, check)
                try guide.clearViews()
                try guide.settle()
            }
        }
        /// Whether a text contains a letter of these ranges.
        func written(_ text: String, in ranges: [ClosedRange<UInt32>]) -> Bool {
            text.unicodeScalars.contains { scalar in ranges.contains { $0.contains(scalar.value) } }
        }
        func language(_ ranges: [ClosedRange<UInt32>]) -> (Guide, String, Picture, [ViewReport]) throws -> Void {
            { guide, part, picture, views in
                // Names of apps are not translated, and two terms are in Latin letters in these languages, too.
                func isName(_ text: String) -> Bool { ["Dock", "Slide Over"].contains { text.hasPrefix($0) } }
                let own = views.filter { part == "keys" || $0.id.hasPrefix("\(part)/") || $0.role == .panel }
                    .filter { !["home", "switcher"].contains(part) || $0.role == .panel }
                let other = own.filter { !written($0.name, in: ranges) && !isName($0.name) }
                guide.check(
                    "\(part): its own texts are in the language", other.isEmpty,
                    other.first?.name ?? own.prefix(4).map(\.name).joined(separator: ", "))
                if part == "controls" { for choice in own where choice.press != nil { guide.seen(choice, in: picture) } }
            }
        }
        let hangul: [ClosedRange<UInt32>] = [0xac00...0xd7a3]
        let japanese: [ClosedRange<UInt32>] = [0x3040...0x30ff, 0x4e00...0x9fff]
        return Chapter(
            id: "looks", title: "Languages and looks",
            about: "The same views in Korean and Japanese, dark, with larger text, and for people who read from right to left.",
            steps: [
                look("Korean", ["language = \"ko\""], [.languages, .words], language(hangul)),
                look("Japanese", ["language = \"ja\""], [.languages, .words], language(japanese)),
                look("Dark", ["appearance = \"dark\""], [.accessible]) { guide, part, picture, views in
                    guard let panel = views.first(where: { $0.role == .panel && !["switcher", "dock"].contains($0.id) })?.frame else {
                        return
                    }
                    guard let colour = picture.meanColour(in: panel.inset(by: 6)) else { return }
                    let mean = (Int(colour.red) + Int(colour.green) + Int(colour.blue)) / 3
                    guide.check("\(part): its panel is dark", mean < 110, "\(mean) of 255 on the average")
                },
                look("Larger text", ["text-size = 1.5"], [.accessible]) { guide, part, picture, views in
                    let screen = try guide.screen()
                    let outside = views.filter { $0.role == .panel && !screen.contains($0.frame, tolerance: 0.5) }
                    guide.check(
                        "\(part): all of it is on the screen", outside.isEmpty,
                        outside.first.map { "\($0.id): \(words($0.frame))" } ?? "\(views.count) controls")
                    if part == "keys" {
                        let lines = views.filter { $0.id.hasPrefix("keys/") }.count
                        guide.check("every key is listed", lines >= 29, "\(lines) lines")
                    }
                },
                look("Right to left", ["direction = \"right-to-left\""], [.languages, .accessible]) { guide, part, picture, views in
                    let screen = try guide.screen()
                    switch part {
                    case "home":
                        let first = views.first { $0.id.hasPrefix("home/") }
                        guide.check(
                            "the first app is on the right", (first?.frame.center.x ?? 0) > screen.center.x,
                            first.map { words($0.frame) } ?? "none")
                    case "controls":
                        let first = views.first { $0.id == "controls/full" }, close = views.first { $0.id == "controls/close" }
                        guide.check(
                            "the first choice is on the right, the last on the left",
                            (first?.frame.x ?? 0) > (close?.frame.x ?? 0), "\(short(first?.frame.x ?? 0)) and \(short(close?.frame.x ?? 0))"
                        )
                    case "switcher":
                        guard let card = views.first(where: { $0.id.hasPrefix("switcher/space/") }),
                            let close = views.first(where: { $0.id.hasPrefix("switcher/close/") })
                        else { return guide.check("there is a card with a cross", false, "none") }
                        guide.check("the cross is on the left", close.frame.center.x < card.frame.center.x, words(close.frame))
                    case "control-centre":
                        let panel = views.first { $0.id == "control-centre" }?.frame ?? .zero
                        guide.check("it is on the left", panel.center.x < screen.center.x, words(panel))
                    default:
                        guide.check("the list is there", !views.isEmpty, "\(views.count) lines")
                    }
                },
                Step("Right to left: a pull from the left third is the control centre", [.languages, .accessible]) { guide in
                    try guide.shell.configure(["direction = \"right-to-left\""])
                    defer { try? guide.shell.configure() }
                    try guide.desk(.terminal)
                    try guide.pull(at: 180)
                    try guide.isOpen("control-centre")
                    try guide.shoot("mirrored")
                    try guide.tap(Point(900, 700))
                    try guide.settle()
                    try guide.nothingIsOpen()
                },
            ])
    }

    private static func show(
        _ part: String, _ guide: Guide, _ check: (Guide, String, Picture, [ViewReport]) throws -> Void
    ) throws {
        try guide.settle()
        let picture = try guide.shoot(part)
        try check(guide, part, picture, try guide.views())
    }
}
