import Chrome
import Control
import Geometry
import Glibc
import Windows

extension Tour {
    static var switcher: Chapter {
        Chapter(
            id: "switcher", title: "App switcher",
            about:
                "Everything that is open, live: spaces and pairs as cards, the windows of Slide Over in a row of their own, Picture in Picture above it all.",
            steps: switcherSteps + manyWindows)
    }

    private static var switcherSteps: [Step] {
        [
            Step("Up from the bottom edge, and a rest: every open window is seen", [.switcher, .picture, .slideOver]) { guide in
                try guide.desk(.gtk4, .qt, .terminal)
                try guide.drag(try guide.grip("foot"), to: Point(12, 400), duration: 250, rest: 120)
                try guide.settle()
                try guide.place("foot", .splitLeft)
                try guide.open(.xterm, as: "one", to: .slideOver)
                try guide.open(.flower, as: "two", to: .slideOver)
                try guide.open(.video, to: .pictureInPicture)
                try guide.swipeSwitcher(showing: "on the way, under the finger")
                try guide.isOpen("switcher")
                let state = try guide.state(), picture = try guide.shoot("the switcher")
                for space in state.spaces { try live(guide, "switcher/space/\(space.id.raw)", space.windows, picture) }
                for window in state.slideOver.stack { try live(guide, "switcher/window/\(window.raw)", [window], picture) }
            },
            Step("Cards are live, and so is Picture in Picture", [.switcher, .picture]) { guide in
                let frame = try guide.window("mpv").picture ?? .zero
                let before = try guide.look()
                guide.pause(700)
                guide.changed("the video goes on", before, try guide.look(), in: frame, atLeast: 0.005)
                let foot = try guide.state().spaces.first { $0.windows.count == 2 }
                guide.check("the pair is one card", foot != nil, foot.map { "switcher/space/\($0.id.raw)" } ?? "no pair is open")
            },
            Step("A tap on a card goes there", [.switcher]) { guide in
                guard let space = try guide.window("gtk4-demo").space else { throw Trouble("the GTK app has no space") }
                let card = space.raw
                try guide.tap(view: "switcher/space/\(card)")
                try guide.settle()
                try guide.nothingIsOpen()
                let front = try guide.state().space?.raw
                guide.equal("the space in front", front, card)
            },
            Step("A tap on a card of Slide Over brings that one to its front", [.switcher, .slideOverStack]) { guide in
                try guide.swipeSwitcher()
                guard let last = try guide.state().slideOver.stack.last else { throw Trouble("Slide Over is empty") }
                try guide.tap(view: "switcher/window/\(last.raw)")
                try guide.settle()
                guide.equal("the front of the stack", try guide.state().slideOver.stack.first, last)
                guide.equal("and active", try guide.state().focus, last)
                try guide.nothingIsOpen()
            },
            Step("Swipe a card up: its window closes", [.switcher]) { guide in
                try guide.swipeSwitcher()
                let id = try guide.id("one")
                let card = try guide.view("switcher/window/\(id.raw)").frame.center
                try guide.touch(card)
                try guide.glide(Point(card.x, card.y - 180), duration: 180)
                try guide.shootMeanwhile("on its way up")
                try guide.glide(Point(card.x, card.y - 420), duration: 120, lifts: true)
                try guide.client.waitUntilGone(id, timeout: 4000)
                try guide.settle()
                guide.equal("Slide Over has", try guide.state().slideOver.stack, [try guide.id("two")])
                try guide.isOpen("switcher")
            },
            Step("Let go too low, the card goes back", [.switcher]) { guide in
                let id = try guide.id("two")
                let card = try guide.view("switcher/window/\(id.raw)").frame
                try guide.drag(card.center, to: Point(card.center.x, card.center.y - 60), duration: 300, rest: 150)
                try guide.settle()
                guide.check("its window is still open", try guide.state()[id] != nil, "\(try guide.state().windows.count) windows")
                guide.equal("it is where it was", words(try guide.view("switcher/window/\(id.raw)").frame), words(card))
            },
            Step("The cross above one of a pair closes that one; the other has the screen", [.switcher, .splitView]) { guide in
                let pair = try guide.state().spaces.first { $0.windows.count == 2 }
                guard let pair else { throw Trouble("no pair is open") }
                let left = pair.windows[0], right = pair.windows[1]
                try guide.tap(view: "switcher/close/\(left.raw)")
                try guide.client.waitUntilGone(left, timeout: 4000)
                try guide.settle()
                guide.equal("the other", try guide.state()[right]?.place, .full)
                try guide.isOpen("switcher")
            },
            Step("An app that does not close gets its card back", [.switcher], allowsLate: true) { guide in
                try guide.desk(.gtk4, .terminal)
                guard let process = try guide.window("foot").pid else { throw Trouble("the process of the terminal is not known") }
                try guide.swipeSwitcher()
                kill(process, SIGSTOP)
                defer { kill(process, SIGCONT) }
                guide.note("the terminal is stopped")
                let id = try guide.id("foot")
                guard let space = try guide.window("foot").space else { throw Trouble("the terminal has no space") }
                let card = try guide.view("switcher/space/\(space.raw)").frame.center
                try guide.drag(card, to: Point(card.x, card.y - 500), duration: 160)
                guide.pause(300)
                guide.check("its card is gone", try !guide.has("switcher/space/\(space.raw)"), "out of sight")
                let isBack = try guide.eventually(within: 3) { try guide.has("switcher/space/\(space.raw)") }
                guide.check("after a second it is back", isBack, isBack ? "back" : "still gone")
                try guide.shoot("back")
                kill(process, SIGCONT)
                try guide.client.waitUntilGone(id, timeout: 4000)
                guide.note("the terminal goes on, and closes")
            },
        ]
    }

    private static var manyWindows: [Step] {
        [
            Step("Fourteen windows: cards in two rows", [.switcher]) { guide in
                try guide.desk()
                for number in 1...14 {
                    let colour = ["17384f", "43293f", "2a4d3a", "4f3a17", "3a2a4d", "5a2d2d", "20444a"][number % 7]
                    try guide.open(
                        App(
                            name: "foot", command: ["foot", "-o", "colors.background=\(colour)", "--title", "Terminal \(number)"],
                            package: "foot"),
                        as: "many\(number)")
                }
                try guide.swipeSwitcher()
                try guide.isOpen("switcher")
                // Cards outside of the screen have names too. Count only the visible ones.
                let room = try guide.screen()
                let cards = try guide.views("switcher/space/").filter { $0.frame.intersects(room) }
                guide.check("not all fit", cards.count < 14 && cards.count > 3, "\(cards.count) of 14 cards are near the screen")
                let newest = try guide.window("many14").space?.raw ?? 0
                guide.check("the one used last is the first", cards.first?.id == "switcher/space/\(newest)", cards.first?.id ?? "none")
                try guide.shoot("the first cards")
            },
            Step("Scroll by finger, and flick", [.switcher]) { guide in
                let screen = try guide.screen()
                let oldest = try guide.window("many1").space?.raw ?? 0
                let first = try guide.view("switcher/space/\(try guide.window("many14").space?.raw ?? 0)").frame
                try guide.drag(Point(900, 400), to: Point(600, 400), duration: 300, rest: 200)
                try guide.settle()
                let moved = try guide.view("switcher/space/\(try guide.window("many14").space?.raw ?? 0)").frame
                guide.near("the cards moved with the finger", first.x - moved.x, 300, within: 14)
                for _ in 0..<4 {
                    try guide.drag(Point(1000, 400), to: Point(200, 400), duration: 150)
                    try guide.settle()
                }
                let last = try guide.view("switcher/space/\(oldest)").frame
                guide.check("the oldest is in sight", screen.contains(last, tolerance: 1), words(last))
            },
            Step("A tap on the oldest goes there", [.switcher]) { guide in
                let oldest = try guide.window("many1").space?.raw ?? 0
                try guide.tap(view: "switcher/space/\(oldest)")
                try guide.settle()
                try guide.active("many1")
                try guide.nothingIsOpen()
            },
            Step("A flick up from the switcher: home", [.switcher, .home]) { guide in
                try guide.swipeSwitcher()
                try guide.swipeHome()
                try guide.isHome(true)
                try guide.nothingIsOpen()
            },
            Step("From the home screen, too: up and hold", [.switcher, .home]) { guide in
                try guide.swipeSwitcher()
                try guide.isOpen("switcher")
                try guide.shoot("from home")
                try guide.tap(Point(590, 12))
                try guide.settle()
                try guide.nothingIsOpen()
                try guide.isHome(true)
                try guide.desk()
            },
        ]
    }

    /// Checks that the screen shows the windows' own pictures at a card's place.
    private static func live(_ guide: Guide, _ id: String, _ windows: [WindowID], _ picture: Picture) throws {
        let frame = try guide.view(id).frame
        guard try guide.screen().contains(frame, tolerance: 1) else { return }
        // Picture in Picture lies above the cards.
        let state = try guide.state()
        let above = state.pictureInPicture.flatMap { state[$0.window]?.picture }
        for (index, window) in windows.enumerated() {
            let share = frame.width / Double(windows.count)
            let part = Rect(frame.x + Double(index) * share, frame.y, share, frame.height).inset(by: 6)
            guard !(above?.intersects(part) ?? false), let mine = try guide.look(window).meanColour(),
                let there = picture.meanColour(in: part)
            else { continue }
            guard mine.alpha > 240 else { continue }
            let distance = mine.distance(to: there)
            guide.check("the card of \(guide.name(window)) shows its picture", distance < 40, "mean colours differ by \(distance) of 255")
        }
    }
}
