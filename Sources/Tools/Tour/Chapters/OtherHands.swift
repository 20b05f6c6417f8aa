import Chrome
import Control
import FoundationEssentials
import Geometry
import Windows

extension Tour {
    static var pointer: Chapter {
        Chapter(
            id: "pointer", title: "The same by pointer",
            about: "A mouse takes hold of the same places.",
            steps: [
                Step("Drag a window by its dots to the right edge", [.everyInput, .splitView]) { guide in
                    try guide.desk(.gtk4, .terminal)
                    let frame = try guide.frame("foot"), screen = try guide.screen()
                    try guide.drag(Point(frame.center.x, 5), to: Point(screen.maxX - 10, 400), duration: 260, rest: 120, pointer: true)
                    try guide.settle()
                    try guide.place("foot", .splitRight)
                    try guide.place("gtk4-demo", .splitLeft)
                },
                Step("Drag the divider", [.everyInput, .splitView]) { guide in
                    let start = try guide.divider(), screen = try guide.screen()
                    try guide.drag(start, to: Point(screen.width * 0.36, start.y), duration: 350, rest: 120, pointer: true)
                    try guide.settle()
                    guide.near("it rests at", try guide.state().divider?.fraction ?? 0, 1.0 / 3, within: 0.005)
                },
                Step("With Super held, drag the window from anywhere in it: Slide Over", [.everyInput, .slideOver]) { guide in
                    let frame = try guide.frame("foot"), screen = try guide.screen()
                    try guide.input(.key(key: .init("super")!, pressed: true))
                    guide.note("Super held")
                    try guide.drag(
                        Point(frame.center.x - 100, frame.center.y), to: Point(screen.width * 0.82, 430), duration: 260, rest: 120,
                        pointer: true)
                    try guide.input(.key(key: .init("super")!, pressed: false))
                    try guide.settle()
                    try guide.place("foot", .slideOver)
                },
                Step("Drag its strip past the edge, click the handle", [.everyInput, .slideOverMoves]) { guide in
                    let card = try guide.card(), screen = try guide.screen()
                    try guide.drag(
                        Point(card.center.x, card.minY + 12), to: Point(screen.maxX - 4, card.minY + 12), duration: 200, pointer: true)
                    try guide.settle()
                    let isHidden = try guide.state().slideOver.hidden
                    guide.check("it is hidden", isHidden, isHidden ? "hidden" : "shown")
                    try guide.click(Point(screen.maxX - 9, screen.center.y))
                    try guide.settle()
                    let isBack = try !guide.state().slideOver.hidden
                    guide.check("it is back", isBack, isBack ? "shown" : "hidden")
                },
                Step("Drag a window to a lower corner, then to an upper one", [.everyInput, .picture]) { guide in
                    let frame = try guide.frame("gtk4-demo"), screen = try guide.screen()
                    try guide.drag(Point(frame.center.x, 5), to: Point(130, screen.maxY - 30), duration: 400, rest: 200, pointer: true)
                    try guide.settle()
                    try guide.place("gtk4-demo", .pictureInPicture)
                    try guide.drag(try guide.frame("gtk4-demo").center, to: Point(220, 150), duration: 300, rest: 100, pointer: true)
                    try guide.settle()
                    guide.equal("its corner", try guide.state().pictureInPicture?.corner.rawValue ?? "none", "topLeft")
                },
            ])
    }

    static var keyboard: Chapter {
        /// A key and its expected result.
        func key(_ keys: String, _ words: String, _ rules: [Rule], _ check: @escaping (Guide) throws -> Void) -> Step {
            Step("\(keys): \(words)", rules + [.everyInput]) { guide in
                try guide.press(keys)
                guide.pause(60)
                try guide.settle()
                try check(guide)
            }
        }
        let start = Step("Two windows, one in front", [.everyInput]) { guide in
            try guide.desk(.gtk4, .terminal)
            try guide.active("foot")
        }
        return Chapter(
            id: "keys", title: "The same by keyboard",
            about: "Every function has a key. They can be changed in the configuration.",
            steps: [
                start,
                key("Super+Left", "to the left half", [.splitView]) { try $0.place("foot", .splitLeft) },
                key("Super+bracketright", "the divider, to its next place", [.splitView]) {
                    $0.near("it rests at", try $0.state().divider?.fraction ?? 0, 2.0 / 3, within: 0.005)
                },
                key("Super+x", "the two change sides", [.splitView]) { try $0.place("foot", .splitRight) },
                key("Super+f", "the next window is active", [.splitView]) { try $0.active("gtk4-demo") },
                key("Super+Down", "into Slide Over", [.slideOver]) { try $0.place("gtk4-demo", .slideOver) },
                key("Super+Shift+Left", "to the other side", [.slideOverMoves]) {
                    $0.equal("its side", try $0.state().slideOver.side.rawValue, "left")
                },
                key("Super+s", "hidden", [.slideOverMoves]) { $0.equal("hidden", try $0.state().slideOver.hidden, true) },
                key("Super+s", "and back", [.slideOverMoves]) { $0.equal("hidden", try $0.state().slideOver.hidden, false) },
                key("Super+p", "into Picture in Picture", [.picture]) { try $0.place("gtk4-demo", .pictureInPicture) },
                key("Super+1", "to the upper left corner", [.picture]) {
                    $0.equal("its corner", try $0.state().pictureInPicture?.corner.rawValue ?? "none", "topLeft")
                },
                key("Super+equal", "larger", [.picture]) {
                    let width = try $0.state().pictureInPicture?.width ?? 0
                    $0.check("it is wider than at first", width > 0.42 * 820 + 20, "\(short(width)) points")
                },
                key("Super+h", "put away", [.picture]) {
                    $0.equal("its edge", try $0.state().pictureInPicture?.stashed?.rawValue ?? "none", "left")
                },
                key("Super+h", "and back", [.picture]) {
                    $0.equal("its edge", try $0.state().pictureInPicture?.stashed?.rawValue ?? "none", "none")
                },
                Step("Super+Up and Super+Tab: full screen, and to the other space", [.everyInput, .moves]) { guide in
                    try guide.client.perform(.focus(window: try guide.id("gtk4-demo")))
                    try guide.press("Super+Up")
                    try guide.settle()
                    try guide.place("gtk4-demo", .full)
                    try guide.active("gtk4-demo")
                    try guide.press("Super+Tab")
                    try guide.settle()
                    try guide.active("foot")
                },
                Step("Super+W asks the app to close", [.everyInput]) { guide in
                    let window = try guide.id("foot")
                    try guide.press("Super+w")
                    try guide.client.waitUntilGone(window, timeout: 3000)
                    try guide.settle()
                    guide.check("it is gone", try guide.state()[window] == nil, "\(try guide.state().windows.count) windows are left")
                },
            ])
    }

    static var commands: Chapter {
        Chapter(
            id: "commands", title: "The same by command",
            about: "mullion ctl sends every action and reads every state, as JSON where a program reads it.",
            steps: [
                Step("launch, split, divider", [.scripting, .splitView]) { guide in
                    try guide.desk(.gtk4)
                    try ctl(guide, "launch", "foot")
                    let window = try guide.client.waitForWindow(appID: "foot")
                    guide.adopt(window.id, .terminal, as: "foot")
                    try guide.settle()
                    try ctl(guide, "split", "left")
                    try ctl(guide, "divider", "0.3333")
                    try guide.settle()
                    try guide.place("foot", .splitLeft)
                    guide.near("the divider rests at", try guide.state().divider?.fraction ?? 0, 1.0 / 3, within: 0.005)
                },
                Step("slide, slide-over, pip, picture, full", [.scripting, .slideOver, .picture]) { guide in
                    try ctl(guide, "slide")
                    try guide.place("foot", .slideOver)
                    try ctl(guide, "slide-over", "hide")
                    guide.equal("hidden", try guide.state().slideOver.hidden, true)
                    try ctl(guide, "slide-over", "show")
                    let id = try guide.id("foot").raw
                    try ctl(guide, "pip", "\(id)")
                    try ctl(guide, "picture", "corner", "top-right")
                    try guide.settle()
                    guide.equal("its corner", try guide.state().pictureInPicture?.corner.rawValue ?? "none", "topRight")
                    try guide.shoot("Picture in Picture by command")
                    try ctl(guide, "full", "\(id)")
                    try guide.settle()
                    try guide.place("foot", .full)
                },
                Step("Even a finger: drag", [.scripting, .splitView]) { guide in
                    try ctl(guide, "drag", "590", "10", "12", "400", "--duration", "300", "--rest", "150")
                    try guide.settle()
                    try guide.place("foot", .splitLeft)
                },
                Step("The state as JSON, and people read of windows", [.scripting, .words]) { guide in
                    let json = try ctl(guide, "state")
                    let isJSON = (try? JSONDecoder().decode(StateReport.self, from: Data(json.utf8))) != nil
                    guide.check("mullion ctl state prints JSON", isJSON, "\(json.utf8.count) bytes")
                    var text = json
                    for arguments in [["windows"], ["keys"], ["--help"], ["state", "--help"]] { text += try ctl(guide, arguments) }
                    text += try guide.shell.run([guide.shell.executable, "--help"], package: "")
                    let other = text.lowercased().split { !$0.isLetter }.filter { $0 == "scene" || $0 == "scenes" }
                    guide.check(
                        "they are called windows everywhere", other.isEmpty && text.contains("window"),
                        other.isEmpty ? "no other word" : "\(other.count) other words")
                },
                Step("What cannot be is refused in plain words", [.scripting]) { guide in
                    let (status, output) = try guide.shell.result(of: command(guide, ["focus", "4711"]), package: "")
                    guide.check("focus 4711 fails", status != 0, "status \(status)")
                    guide.check("and says why", output.contains("4711"), output.trimmed)
                },
            ])
    }

    private static func command(_ guide: Guide, _ arguments: [String]) -> [String] {
        [guide.shell.executable, "ctl"] + arguments
    }

    @discardableResult
    private static func ctl(_ guide: Guide, _ arguments: String...) throws -> String { try ctl(guide, arguments) }

    @discardableResult
    private static func ctl(_ guide: Guide, _ arguments: [String]) throws -> String {
        guide.note("mullion ctl \(arguments.joined(separator: " "))")
        return try guide.shell.run(command(guide, arguments), package: "")
    }
}
