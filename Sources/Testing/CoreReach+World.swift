import Geometry
import Interface
import Multitasking
import Seat
import Stage
import Windows

/// The view that a person has of a world, and the hands.
extension CoreWorld {
    // MARK: Where a person is

    /// Whether a view of the shell takes input, or a person went home. A card of Slide Over may stand over an empty screen.
    public var isAtShell: Bool { interface.isModal || workspace.isHome || isViewActive }

    /// Whether a view for a program has the keys.
    private var isViewActive: Bool { system.keyboard == .shell && interface.modals.contains(where: \.isOpen) }

    /// Whether arrows and Return go to a control of the shell.
    var hasKeysOfShell: Bool { system.keyboard == .shell || interface.focus != nil }

    /// Whether a window is in sight and gets the keys, or the modal window on it does, or a dialog that covers it and that a person closes
    /// first (docs/limits.md).
    public func isReached(_ id: WindowID) -> Bool {
        guard let focus = workspace.focus, !workspace.isHome, !interface.isModal, interface.picking == nil else { return false }
        let isIt =
            focus == id
            || (workspace.root(of: focus) == workspace.root(of: id)
                && (workspace.blocker(of: id) != nil
                    || (workspace.place(of: focus) == .dialog(of: id) && openPoint(of: id, precise: false) == nil)))
        guard isIt, workspace.isShown(id), let bounds = workspace.screen?.bounds, let seen = system.seenFrame(of: id, at: now) else {
            return false
        }
        guard !seen.intersection(bounds).isEmpty else { return false }
        return system.keyboard == .window(focus) || isViewActive
    }

    /// Whether the place of a window is taken by the home screen, an overview or another window.
    public func isLeft(_ id: WindowID) -> Bool {
        if workspace.isHome || workspace.focus == nil || interface.isOverviewOpen { return true }
        guard let focus = workspace.focus, !interface.isModal else { return false }
        return workspace.root(of: focus) != workspace.root(of: id)
    }

    /// The parts of the state by which a search tells two states apart.
    var placeOfPerson: String {
        let menu = interface.isPopoverOpen ? controls.map(\.id.rawValue).joined(separator: " ") : ""
        let overview = interface.overview.flatMap { $0.isOpen ? "\($0.content) \(Int(clamping: system.stage.scroll.target))" : nil } ?? ""
        return """
            \(workspace.focus.map { "\($0)" } ?? "") \(workspace.showsHome) \(interface.openNames) \(interface.focus?.rawValue ?? "") \
            \(menu) \(workspace.current.map { "\($0)" } ?? "") \(overview) \(interface.home.page) \(workspace.slideOver.isHidden) \
            \(workspace.slideOver.stack) \(workspace.pip.map { "\($0)" } ?? "") \(workspace.waiting) \
            \(workspace.menuBar.map { "\($0)" } ?? "") \(interface.isShelfOpen ? interface.shelf?.content ?? "" : "")
            """
    }

    /// A point of a window that no other one covers: in its content, else on its own title bar.
    func openPoint(of id: WindowID, precise: Bool) -> Point? {
        guard let frame = system.shownFrame(of: id, at: now), let bounds = workspace.screen?.bounds else { return nil }
        let wide = frame.inset(by: Insets(-workspace.titleBar(of: id), 0, 0, 0)).intersection(bounds)
        guard !wide.isEmpty, wide.width > 0, wide.height > 0 else { return nil }
        var grip: Point?
        for row in 0..<13 {
            for column in 0..<13 {
                let point = Point(
                    wide.minX + wide.width * (Double(column) + 0.5) / 13, wide.minY + wide.height * (Double(row) + 0.5) / 13)
                switch system.stage.hit(point, workspace, precise: precise, at: now) {
                case .window(id, nil): return point
                case .window(id, .grip) where workspace.isFree(id): grip = grip ?? point
                default: break
                }
            }
        }
        return grip
    }

    /// Whether a drag of the pointer that begins here leaves the app.
    func isBottomEdge(at point: Point) -> Bool {
        switch system.stage.hit(point, workspace, precise: true, at: now) {
        case .window(_, .bottom), .edge(.bottom): true
        default: false
        }
    }

    // MARK: Hands

    mutating func press(at point: Point, by way: CoreReach.Way) {
        guard way == .pointer else { return tap(at: point) }
        self.point(at: point)
        wait(30)
        for pressed in [true, false] {
            send(.pointerButton(0x110, pressed: pressed))
            wait(60)
        }
    }

    mutating func dragPointer(from start: Point, to end: Point, over milliseconds: Double, rest: Double = 0) {
        point(at: start)
        send(.pointerButton(0x110, pressed: true))
        for step in 1...10 {
            wait(milliseconds / 10)
            point(at: start + (end - start) * (Double(step) / 10))
        }
        if rest > 0 { wait(rest) }
        send(.pointerButton(0x110, pressed: false))
    }

    mutating func dragThree(by way: Vector) {
        guard let size = workspace.screen?.size else { return }
        let starts = [-60.0, 0, 60].map { Point(size.width / 2 + $0 + (way.dx < 0 ? 200 : way.dx > 0 ? -200 : 0), size.height * 0.6) }
        for (finger, start) in starts.enumerated() { touch(Int32(finger), down: start) }
        for step in 1...10 {
            wait(20)
            for (finger, start) in starts.enumerated() { touch(Int32(finger), to: start + way * (Double(step) / 10)) }
        }
        for finger in starts.indices { lift(Int32(finger)) }
    }

    // MARK: Keys

    /// Presses the modifiers, then the key, and lets go of them. A remote control has no modifiers.
    mutating func type(_ chord: KeyChord) {
        let hasSuper = chord.modifiers.contains(.super)
        if hasSuper { superKey(true) }
        key(chord)
        if hasSuper { superKey(false) }
    }

    private mutating func superKey(_ pressed: Bool) {
        send(.key(code: 125, symbol: .leftSuper, pressed: pressed, modifiers: pressed ? [] : .super))
    }

    private mutating func key(_ chord: KeyChord) {
        for pressed in [true, false] {
            send(.key(code: chord.symbol.rawValue & 0xfff | 0x1000, symbol: chord.symbol, pressed: pressed, modifiers: chord.modifiers))
            if pressed { wait(30) }
        }
    }

    /// Presses a key of the switcher while Super is held, until the wanted window is chosen there.
    mutating func switching(_ chord: KeyChord, until isMeant: (WindowID, CoreWorld) -> Bool) {
        superKey(true)
        for _ in 0..<16 {
            key(chord)
            wait(50)
            guard case .switcher(let switcher)? = interface.popover?.content, interface.isPopoverOpen, let chosen = switcher.chosen else {
                break
            }
            if isMeant(chosen, self) { break }
        }
        superKey(false)
    }

    /// Tab until the control has the focus. Returns whether it gets it.
    mutating func focusByTab(_ id: ControlID) -> Bool {
        for _ in 0..<60 where interface.focus != id { key("Tab") }
        return interface.focus == id
    }

    /// Arrows until the control has the focus: towards it, and elsewhere only where that was tried.
    mutating func focusByArrows(_ id: ControlID) -> Bool {
        var tried: Set<String> = []
        for _ in 0..<60 {
            guard let here = interface.focus else {
                key("Down")
                guard interface.focus != nil else { return false }
                continue
            }
            if here == id { return true }
            let all = system.controls(at: now, covered: true)
            guard let from = all.last(where: { $0.id == here })?.frame.center, let to = all.last(where: { $0.id == id })?.frame.center
            else {
                return false
            }
            let way = to - from
            let arrows: [(KeyChord, Double)] = [("Left", -way.dx), ("Right", way.dx), ("Up", -way.dy), ("Down", way.dy)]
            let next = arrows.sorted { $0.1 > $1.1 }.first { tried.insert("\(here) \($0.0)").inserted }
            guard let next else { return false }
            key(next.0)
            wait(50)
        }
        return interface.focus == id
    }

    /// Fetches the pointer of a remote control, moves it by arrows, presses OK there and puts it away. The adapter's pointer does what the
    /// shell says.
    mutating func pressByArrows(at goal: Point) {
        var place: Point?
        func follow(_ effects: [Effect]) {
            for effect in effects {
                switch effect {
                case .client(.movePointer(let to)):
                    place = to
                    point(at: to)
                case .client(.pressPointer(let button, let pressed)): send(.pointerButton(button, pressed: pressed))
                default: break
                }
            }
        }
        func key(_ symbol: KeySymbol, for milliseconds: Double) {
            let code = symbol.rawValue & 0xfff | 0x1000
            follow(send(.key(code: code, symbol: symbol, pressed: true, modifiers: [])))
            follow(wait(milliseconds))
            follow(send(.key(code: code, symbol: symbol, pressed: false, modifiers: [])))
        }
        key(.remoteMenu, for: 30)
        for _ in 0..<80 {
            guard let here = place else { return }
            let way = goal - here, far = max(abs(way.dx), abs(way.dy))
            guard far > 6 else { break }
            let arrow: KeySymbol =
                abs(way.dx) == far ? (way.dx < 0 ? .leftArrow : .rightArrow) : way.dy < 0 ? .upArrow : .downArrow
            key(arrow, for: far > 300 ? 600 : far > 60 ? 200 : 15)
        }
        key(.enter, for: 60)
        key(.back, for: 60)
    }
}
