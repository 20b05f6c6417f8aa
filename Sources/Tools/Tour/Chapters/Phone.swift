import Control
import Geometry
import Multitasking
import Windows

extension Tour {
    /// A phone: its own shell, with a screen of 390 by 844 points.
    static var phone: Chapter {
        Chapter(
            id: "phone", title: "A phone",
            about: "One app at a time, swipes through them in the order of their use, and apps that need more width than the screen has.",
            idiom: "phone", settings: ["idiom = \"phone\""], steps: phoneSteps)
    }

    private static var phoneSteps: [Step] {
        [
            Step("The home screen with a dock of four", [.home]) { guide in
                try guide.client.perform(.resizeScreen(size: Size(390, 844)))
                _ = try guide.eventually { try guide.state().screen?.size == Size(390, 844) }
                try guide.isHome(true)
                let dock = try guide.views("dock/")
                guide.check("the dock has at most four icons", (1...4).contains(dock.count), "\(dock.count)")
            },
            Step("A swipe along the lower edge: the last app, and on to the one before", [.everyApp]) { guide in
                try guide.desk(.gtk4, .qt, .terminal)
                try guide.swipeAlong(1)
                try guide.active("featherpad")
                try guide.swipeAlong(1)
                try guide.active("gtk4-demo")
            },
            Step("And back again", [.everyApp]) { guide in
                try guide.swipeAlong(-1)
                try guide.active("featherpad")
                try guide.swipeAlong(-1)
                try guide.active("foot")
            },
            Step("A touch in an app makes it the last one", [.everyApp]) { guide in
                try guide.swipeAlong(1)
                try guide.active("featherpad")
                try guide.tap(Point(195, 420))
                try guide.settle()
                try guide.swipeAlong(1)
                try guide.active("foot")
            },
            Step("The app switcher is one row, with the app in front in its middle", [.switcher]) { guide in
                try guide.swipeSwitcher(showing: "the app comes along, smaller")
                try guide.isOpen("switcher")
                let cards = try guide.views("switcher/space/").sorted { $0.frame.x > $1.frame.x }
                let middle = cards.first?.frame.center.x ?? 0
                guide.check("the app in front stands in the middle", abs(middle - 195) < 4, short(middle))
                guide.check("all cards stand in one row", Set(cards.map(\.frame.y)).count == 1, "\(cards.count) cards")
            },
            Step("A finger scrubs the row", [.switcher]) { guide in
                try guide.drag(Point(80, 420), to: Point(300, 424), duration: 240, rest: 160)
                try guide.settle()
                try guide.client.perform(.dismiss)
                try guide.settle()
                try guide.nothingIsOpen()
            },
            Step("An app that needs more width is shown in part, and its right side is brought into sight", [.fits]) { guide in
                try guide.desk(.terminal)
                try guide.client.perform(.resizeScreen(size: Size(320, 640)))
                try guide.open(.factory)
                let id = try guide.id("gtk4-widget-factory")
                guard let window = try guide.state()[id], let frame = window.frame, let scale = window.scale, scale < 1 else {
                    return guide.check("it is drawn smaller", false, "it is not")
                }
                guide.check("it is not drawn below 0.6 of its size", scale >= 0.599, short(scale))
                try guide.client.perform(.magnify(by: .right))
                try guide.settle()
                let picture = try guide.state()[id]?.picture ?? .zero
                guide.check("its right side is in sight", picture.maxX >= frame.maxX - 1, "\(picture)")
            },
            Step("Picture in Picture above another app", [.picture]) { guide in
                try guide.client.perform(.resizeScreen(size: Size(390, 844)))
                try guide.desk(.terminal, .video)
                try guide.client.perform(.pictureInPicture())
                try guide.settle()
                try guide.place("mpv", .pictureInPicture)
                try guide.active("foot")
            },
        ]
    }
}

extension Guide {
    /// A swipe along the line at the bottom: 1 to the right, to the last app; -1 to the left.
    func swipeAlong(_ way: Double) throws {
        guard let room = try state().screen?.usable else { throw Trouble("there is no screen") }
        let reach = min(90, room.width * 0.3), from = Point(room.center.x - way * reach, room.maxY - 4)
        try drag(from, to: Point(from.x + way * 2 * reach, from.y - 1), duration: 200)
        try settle()
    }
}
