import Chrome
import Control
import Geometry
import Windows

extension Tour {
    static var controls: Chapter {
        /// A choice in the controls by two taps, and the expected result.
        func choice(_ id: String, _ title: String, of key: String, _ rules: [Rule], _ check: @escaping (Guide) throws -> Void) -> Step {
            Step(title, [.controls] + rules) { guide in
                try choose(id, of: key, guide)
                try check(guide)
            }
        }
        return Chapter(
            id: "controls", title: "Multitasking controls",
            about: "Three dots at the top of every window. A tap opens what can be done with it; a drag takes the window along.",
            steps: [
                Step("A tap on the dots, and beside them", [.controls, .accessible]) { guide in
                    try guide.desk(.gtk4, .terminal)
                    let before = try guide.look()
                    try guide.tap(try guide.grip("foot"))
                    try guide.settle()
                    try guide.isOpen("controls")
                    let choices = try guide.views("controls/")
                    for choice in choices { guide.seen(choice, in: try guide.look()) }
                    guide.equal("what stands for now", choices.filter(\.chosen).map(\.id), ["controls/full"])
                    try guide.shoot("the controls")
                    try guide.tap(Point(200, 600))
                    try guide.settle()
                    try guide.nothingIsOpen()
                    guide.unchanged("the picture is as before", before, try guide.look(), atMost: 0.004)
                },
                choice("split-left", "Split View, left", of: "foot", [.splitView]) {
                    try $0.place("foot", .splitLeft)
                    try $0.place("gtk4-demo", .splitRight)
                },
                choice("split-right", "Split View, right", of: "foot", [.splitView]) {
                    try $0.place("foot", .splitRight)
                    try $0.place("gtk4-demo", .splitLeft)
                },
                choice("slide-over", "Slide Over", of: "foot", [.slideOver]) {
                    try $0.place("foot", .slideOver)
                    try $0.place("gtk4-demo", .full)
                },
                choice("full", "From Slide Over to full screen", of: "foot", [.slideOver]) { try $0.place("foot", .full) },
                choice("picture", "Picture in Picture", of: "foot", [.picture]) {
                    try $0.place("foot", .pictureInPicture)
                    try $0.place("gtk4-demo", .full)
                },
                Step("A new window of the same app", [.controls, .shelf]) { guide in
                    try guide.desk(.terminal)
                    try guide.installed("foot", .terminal)
                    try guide.window(opening: .terminal, as: "second") { try choose("new", of: "foot", guide) }
                    try guide.active("second")
                    guide.equal("windows", try guide.state().windows.count, 2)
                },
                Step("All windows of the app", [.controls, .shelf]) { guide in
                    try choose("all", of: "second", guide)
                    try guide.isOpen("shelf")
                    guide.equal("windows in the shelf", try guide.views("shelf/window/").count, 2)
                },
                Step("Close", [.controls]) { guide in
                    try guide.clearViews()
                    try guide.settle()
                    let id = try guide.id("second")
                    try choose("close", of: "second", guide)
                    try guide.client.waitUntilGone(id, timeout: 3000)
                    try guide.settle()
                    guide.equal("windows that are left", try guide.state().windows.map(\.id), [try guide.id("foot")])
                },
                Step("Split View with nothing else open: choose the second on the home screen", [.controls, .splitView, .home]) { guide in
                    try guide.desk(.terminal)
                    try guide.installed(demoEntry, .gtk4)
                    try choose("split-left", of: "foot", guide)
                    try guide.isHome(true)
                    try guide.isOpen("picking")
                    try guide.shoot("it asks for the second")
                    try guide.window(opening: .gtk4) { try guide.tap(view: "home/\(demoEntry)") }
                    try guide.place("foot", .splitLeft)
                    try guide.place("gtk4-demo", .splitRight)
                },
                Step("On an upright screen: one above the other", [.controls, .splitView]) { guide in
                    try guide.desk(.gtk4, .terminal)
                    try guide.act(.rotate(1), "turn the screen")
                    try guide.settle()
                    try choose("split-top", of: "foot", guide)
                    try guide.place("foot", .splitTop)
                    try choose("split-bottom", of: "foot", guide)
                    try guide.place("foot", .splitBottom)
                    try guide.shoot("below")
                    try guide.act(.rotate(0), "turn it back")
                    try guide.settle()
                },
                Step("A dialog has its dots; it can be closed and nothing else", [.auxiliary, .controls]) { guide in
                    try guide.desk(.qt)
                    let last = try guide.state().windows.map(\.id).max() ?? WindowID(0)
                    guide.pause(300)
                    try guide.press("Ctrl+o")
                    let dialog = try guide.client.waitForWindow(after: last, timeout: 6000)
                    guide.adopt(dialog.id, App(name: "its dialog", command: ["featherpad"], package: "featherpad"), as: "dialog")
                    try guide.settle()
                    try guide.place("dialog", .dialog)
                    try guide.tap(try guide.grip("dialog"))
                    try guide.settle()
                    try guide.isOpen("controls")
                    guide.equal("choices", try guide.views("controls/").map(\.id), ["controls/close"])
                    try guide.shoot("the dialog\u{2019}s controls")
                    try guide.tap(view: "controls/close")
                    try guide.client.waitUntilGone(dialog.id, timeout: 3000)
                    try guide.settle()
                    try guide.active("featherpad")
                },
            ])
    }

    /// By touch: taps the dots, takes a picture, taps the choice.
    private static func choose(_ id: String, of key: String, _ guide: Guide) throws {
        try guide.tap(try guide.grip(key))
        try guide.settle()
        try guide.isOpen("controls")
        try guide.shoot("the controls")
        try guide.tap(view: "controls/\(id)")
        try guide.settle()
    }
}
