import Chrome
import Control
import Geometry
import Windows

/// Uses the shell's own views like a user: looks at the screen, and touches visible views.
extension Guide {
    func views() throws -> [ViewReport] { try client.ask(.get(.views), for: [ViewReport].self) }

    func views(_ prefix: String) throws -> [ViewReport] { try views().filter { $0.id.hasPrefix(prefix) } }

    /// The input for turning the pages of the home screen.
    enum Hand { case finger, pointer, keys }

    /// Finds a view. For an icon on another page of the home screen, turns to that page.
    func view(_ id: String, by hand: Hand = .finger) throws -> ViewReport {
        if id.hasPrefix("home/") { try turn(to: id, by: hand) }
        let all = try views()
        guard let view = all.last(where: { $0.id == id }) else {
            throw Trouble("nothing called \"\(id)\" is shown; there are \(all.map(\.id).joined(separator: ", "))")
        }
        return view
    }

    func has(_ id: String) throws -> Bool { try views().contains { $0.id == id } }

    /// Taps the centre of a view.
    func tap(view id: String) throws {
        let place = try view(id).frame.center
        note("tap \(id)")
        try tap(place)
    }

    func click(view id: String) throws {
        let place = try view(id, by: .pointer).frame.center
        note("click \(id)")
        try click(place)
    }

    /// Presses a view until its menu opens. The finger stays down.
    func hold(view id: String) throws {
        try touch(try view(id).frame.center)
        let isOpen = try eventually(within: 2) { try state().open.contains("menu") }
        check("a finger that rests on it opens its menu", isOpen, isOpen ? "open" : "nothing opened")
        pause(250)
    }

    /// Closes a menu by a tap beside it, wherever its icon is.
    func tapBeside(_ prefix: String) throws {
        let screen = try screen(), taken = try views(prefix).map { $0.frame.inset(by: -24) }
        let places = [0.06, 0.94, 0.3, 0.7].flatMap { x in
            [0.5, 0.3, 0.7].map { y in Point(screen.x + x * screen.width, screen.y + y * screen.height) }
        }
        guard let free = places.first(where: { place in !taken.contains { $0.contains(place) } }) else {
            throw Trouble("\(prefix) covers the screen")
        }
        try tap(free)
        try settle()
    }

    private func turn(to id: String, by hand: Hand) throws {
        let state = try state()
        guard state.home else { throw Trouble("\(id) is on the home screen, which is not in front") }
        guard state.open.isEmpty || state.open == ["picking"], state.pages > 1, try !has(id) else { return }
        for step in Array(repeating: 1, count: state.pages - 1 - state.page) + Array(repeating: -1, count: state.pages - 1) {
            try turnPage(step, by: hand)
            if try has(id) { return }
        }
    }

    func firstPage(by hand: Hand = .finger) throws {
        while try state().page > 0 { try turnPage(-1, by: hand) }
    }

    /// Turns to the next (1) or previous (-1) page of the home screen.
    func turnPage(_ step: Int, by hand: Hand = .finger) throws {
        let screen = try screen()
        func place(_ share: Double) -> Point { Point(screen.x + share * screen.width, screen.y + screen.height / 2) }
        let (from, to) = step > 0 ? (place(0.8), place(0.2)) : (place(0.2), place(0.8))
        switch hand {
        case .finger: try drag(from, to: to, duration: 200)
        case .pointer: try drag(from, to: to, duration: 200, pointer: true)
        case .keys: try press(step > 0 ? "Page_Down" : "Page_Up")
        }
        try settle()
    }

    /// Checks that exactly these views are open.
    func isOpen(_ wanted: String...) throws { try areOpen(wanted, "open: \(wanted.joined(separator: ", "))") }

    func nothingIsOpen() throws { try areOpen([], "nothing of the shell lies over the apps") }

    private func areOpen(_ wanted: [String], _ words: String) throws {
        _ = try eventually { try state().open == wanted }
        let found = try state().open
        check(words, found == wanted, found == wanted ? "so it is" : found.isEmpty ? "nothing is open" : found.joined(separator: ", "))
    }

    func isHome(_ wanted: Bool) throws {
        _ = try eventually { try state().home == wanted }
        let found = try state().home
        check(
            wanted ? "the home screen is in front" : "the home screen is behind", found == wanted, found ? "it is in front" : "it is behind"
        )
    }

    /// Checks that a view is drawn and not an empty rectangle.
    func seen(_ view: ViewReport, in picture: Picture) {
        let isEmpty = picture.singleColour(in: view.frame, tolerance: 6) != nil
        check("\(view.name) is seen", !isEmpty, isEmpty ? "one colour alone" : "it has a picture")
    }

    /// Checks that a desktop entry is installed.
    func installed(_ id: String, _ app: App) throws {
        let apps = try client.ask(.get(.apps), for: [Windows.App].self)
        guard apps.contains(where: { $0.id == id }) else {
            throw Missing(what: "the desktop entry \(id) of \(app.name)", package: app.package)
        }
    }

    /// Registers the next new window under this key.
    @discardableResult
    func window(opening app: App, as key: String? = nil, _ act: () throws -> Void) throws -> WindowID {
        let last = try state().windows.map(\.id).max() ?? WindowID(0)
        try act()
        let window = try client.waitForWindow(after: last, timeout: app.patience * 1000 * Guide.patience)
        adopt(window.id, app, as: key ?? app.program)
        try settle()
        return window.id
    }

    /// Closes all views of the shell at the beginning of a chapter.
    func clearViews() throws {
        for _ in 0..<8 where try !state().open.filter({ $0 != "launching" }).isEmpty { try? client.perform(.dismiss) }
    }

    // MARK: Edges

    /// A point on the line at the bottom, which is above the on-screen keyboard.
    private func bottom(_ x: Double?) throws -> Point {
        guard let room = try state().screen?.usable else { throw Trouble("there is no screen") }
        return Point(x ?? room.center.x, room.maxY - 4)
    }

    /// A short swipe up from the bottom edge: the dock.
    func swipeDock() throws {
        let from = try bottom(nil)
        try drag(from, to: Point(from.x, from.y - 56), duration: 260, rest: 160)
        try settle()
    }

    /// A swipe up from the bottom edge with a rest: the app switcher.
    func swipeSwitcher(showing caption: String? = nil) throws {
        let from = try bottom(nil)
        try touch(from)
        try glide(Point(from.x, from.y - 240), duration: 300)
        if let caption { try shoot(caption) }
        _ = try eventually(within: 2) { try state().open.contains("switcher") }
        try lift()
        try settle()
    }

    /// A flick up from the bottom edge: home.
    func swipeHome(showing caption: String? = nil) throws {
        let from = try bottom(nil)
        if let caption {
            try touch(from)
            try glide(Point(from.x, from.y - 80), duration: 80)
            try shootMeanwhile(caption)
            try glide(Point(from.x, from.y - 480), duration: 150, lifts: true)
        } else {
            try drag(from, to: Point(from.x, max(20, from.y - 420)), duration: 140)
        }
        try settle()
    }

    /// Pulls down from the top edge.
    func pull(at x: Double) throws {
        try drag(Point(x, 3), to: Point(x, 260), duration: 240, rest: 60)
        try settle()
    }
}
