import Chrome
import Control
import FoundationEssentials
import Geometry
import Windows

extension Tour {
    static var asked: Chapter {
        Chapter(
            id: "asked", title: "New windows, when a person asked",
            about: "An app may open one more window when a person just did something in it. Otherwise the window waits.",
            steps: [
                Step("A window that opens by itself waits", [.asked]) { guide in
                    try guide.desk(.gtk4)
                    let before = try guide.look()
                    let sneaky = App(
                        name: "a program with a delay", command: ["foot", "sh", "-c", "sleep 2.6; foot & sleep 60"], package: "foot")
                    try guide.open(sneaky, as: "first")
                    let first = try guide.id("first")
                    let waits = try guide.eventually(within: 6) { try !guide.state().waiting.isEmpty }
                    guide.check("the second window waits", waits, waits ? "mullion ctl waiting shows it" : "nothing waits")
                    let state = try guide.state()
                    guide.equal("the one in front is still", state.focus.map(guide.name) ?? "none", guide.name(first))
                    guard let waiting = state.waiting.first else { return }
                    guide.adopt(waiting, .terminal, as: "second")
                    guide.check("it is not shown", state[waiting]?.shown == false, state[waiting]?.shown == true ? "shown" : "hidden")
                    guide.changed("the screen shows the first", before, try guide.look(), atLeast: 0.05)
                },
                Step("A key opens it", [.asked, .everyInput]) { guide in
                    try guide.press("Super+n")
                    try guide.settle()
                    try guide.place("second", .full)
                    try guide.active("second")
                    guide.equal("nothing waits any more", try guide.state().waiting.count, 0)
                },
                Step("Asked for by typing in the app itself, a window opens at once", [.asked]) { guide in
                    try guide.desk(.terminal)
                    guide.pause(300)
                    let last = try guide.state().windows.map(\.id).max() ?? WindowID(0)
                    try guide.type("foot &\n")
                    let window = try guide.client.waitForWindow(after: last, timeout: 8000)
                    guide.adopt(window.id, .terminal, as: "typed")
                    try guide.settle()
                    try guide.place("typed", .full)
                    try guide.active("typed")
                },
                Step("Asked for by a finger on the app\u{2019}s own button, too", [.asked, .everyInput]) { guide in
                    try guide.desk(.gtk4)
                    let frame = try guide.frame("gtk4-demo")
                    let before = try guide.state().windows.count
                    // A row of the list, then Run: the demo opens in a window of its own.
                    try guide.tap(Point(frame.minX + 60, frame.minY + 147))
                    guide.pause(300)
                    try guide.tap(Point(frame.minX + 36, frame.minY + 24))
                    let opened = try guide.eventually(within: 6) { try guide.state().windows.count > before }
                    // It is drawn first and resized after that.
                    guide.pause(250)
                    guide.check("a window opened", opened, "\(try guide.state().windows.count) windows")
                    let waiting = try guide.state().waiting
                    guide.check("it does not wait", waiting.isEmpty, waiting.isEmpty ? "nothing waits" : "it waits")
                },
            ])
    }
}
