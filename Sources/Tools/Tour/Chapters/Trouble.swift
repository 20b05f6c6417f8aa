import Chrome
import Control
import Geometry
import Glibc
import Windows

extension Tour {
    static var trouble: Chapter {
        Chapter(
            id: "trouble", title: "When apps misbehave",
            about: "Apps are killed wherever they are, and one stops answering in the middle of a resize. The shell and the others go on.",
            steps: [
                Step("Killed in a Split View: the other takes the room", [.splitView]) { guide in
                    try guide.desk(.gtk4, .terminal)
                    try guide.drag(try guide.grip("foot"), to: Point(12, 400), duration: 250, rest: 120)
                    try guide.settle()
                    try guide.place("foot", .splitLeft)
                    try killed(guide, "foot")
                    try guide.place("gtk4-demo", .full)
                    guide.equal("it has the whole screen", words(try guide.frame("gtk4-demo")), words(try guide.screen()))
                },
                Step("Killed under the finger that drags it", [.moves]) { guide in
                    try guide.open(.terminal, to: .fullScreen)
                    let before = try guide.window("gtk4-demo").place
                    try guide.touch(try guide.grip("foot"))
                    try guide.glide(Point(300, 300), duration: 250)
                    try guide.shoot("a moment before")
                    try killed(guide, "foot")
                    try guide.glide(Point(500, 300), duration: 100)
                    try guide.lift()
                    try guide.settle()
                    guide.equal("the other is where it was", try guide.window("gtk4-demo").place, before)
                },
                Step("Killed in Slide Over: the next of the stack is there", [.slideOverStack]) { guide in
                    try guide.open(.terminal, as: "one", to: .slideOver)
                    try guide.open(.flower, as: "two", to: .slideOver)
                    try killed(guide, "two")
                    let stack = try guide.state().slideOver.stack
                    guide.equal("the stack", stack, [try guide.id("one")])
                    let isShown = try guide.window("one").shown
                    guide.check("it is shown", isShown, isShown ? "shown" : "hidden")
                },
                Step("Killed in Picture in Picture", [.picture]) { guide in
                    try guide.open(.video, to: .pictureInPicture)
                    try guide.place("mpv", .pictureInPicture)
                    try killed(guide, "mpv")
                    let isGone = try guide.state().pictureInPicture == nil
                    guide.check("no picture is left", isGone, isGone ? "none" : "one")
                },
                Step(
                    "An app stops answering while the divider is dragged: the divider stays by the finger, and the app is waited for at most 300 ms",
                    [.splitView], allowsLate: true
                ) { guide in
                    try guide.desk(.gtk4, .terminal)
                    try guide.drag(try guide.grip("foot"), to: Point(12, 400), duration: 250, rest: 120)
                    try guide.settle()
                    guard let process = try guide.window("gtk4-demo").pid else { throw Trouble("the process of the GTK app is not known") }
                    let start = try guide.divider(), screen = try guide.screen()
                    let before = try guide.window("foot").shownFrame ?? .zero
                    // It stays stopped until the next step.
                    kill(process, SIGSTOP)
                    guide.note("the GTK app is stopped")
                    var waited: Double?, torn = "", farthest = 0.0
                    try guide.touch(start)
                    // In the shell's time, which does not pass while a busy machine runs other programs.
                    try guide.byHand {
                        for passed in Swift.stride(from: 0.0, through: 2000, by: 5) {
                            let finger = start.x + min(120, passed)
                            try guide.input(.touchMotion(at: Point(finger, start.y)))
                            guide.pause(5)
                            let state = try guide.state()
                            guard let left = state[try guide.id("foot")]?.shownFrame,
                                let right = state[try guide.id("gtk4-demo")]?.shownFrame,
                                let bar = state.divider?.frame
                            else { break }
                            if abs(right.minX - left.maxX - bar.width) > 0.01 { torn = "\(words(left)) beside \(words(right))" }
                            farthest = max(farthest, abs(bar.center.x - finger))
                            // The next size is sent without it.
                            if state[try guide.id("gtk4-demo")]?.late == true,
                                state[try guide.id("foot")]?.size.width ?? 0 > before.width + 60
                            {
                                waited = passed
                                break
                            }
                        }
                    }
                    let milliseconds = waited ?? 9000
                    guide.check(
                        "the terminal was asked again after the wait", waited != nil && milliseconds < 450,
                        "after \(Int(clamping: milliseconds)) ms")
                    guide.check("it was waited for", milliseconds > 250, "\(Int(clamping: milliseconds)) ms")
                    guide.check("the divider stayed by the finger", farthest <= 24, "at most \(short(farthest)) points from it")
                    guide.check("the sides met at the divider all the time", torn.isEmpty, torn.isEmpty ? "always" : torn)
                    try guide.byHand {
                        try guide.glide(Point(screen.width * 0.66, start.y), duration: 300)
                        guide.near("after that, too", try guide.divider().x, screen.width * 0.66, within: 24)
                    }
                    guide.pause(150)
                    try guide.shoot("the GTK app is stopped, the terminal follows the finger")
                    try guide.lift()
                    guide.pause(700)
                    let fraction = try guide.state().divider?.fraction ?? 0
                    guide.near("the divider rests", fraction, 2.0 / 3, within: 0.005)
                },
                Step("It goes on, and catches up", [.splitView]) { guide in
                    guard let process = try guide.window("gtk4-demo").pid else { throw Trouble("the process of the GTK app is not known") }
                    kill(process, SIGCONT)
                    let caughtUp = try guide.eventually(within: 4) {
                        let window = try guide.window("gtk4-demo")
                        return !window.late && window.size == window.told
                    }
                    let window = try guide.window("gtk4-demo")
                    guide.check(
                        "it has the size of its place", caughtUp, "\(words(window.size)), told \(window.told.map(words) ?? "nothing")")
                },
            ])
    }

    private static func killed(_ guide: Guide, _ key: String) throws {
        let window = try guide.window(key)
        guard let process = window.pid else { throw Trouble("the process of \(key) is not known") }
        guide.note("kill -9 \(guide.name(window.id))")
        kill(process, SIGKILL)
        try guide.client.waitUntilGone(window.id, timeout: 3000)
        try guide.settle()
        let ending = guide.shell.ending
        guide.check("the shell goes on", ending == nil, ending ?? "it answers")
    }
}
