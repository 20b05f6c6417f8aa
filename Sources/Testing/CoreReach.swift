import Geometry
import Interface
import Multitasking
import Seat
import Stage
import Windows

/// One person at a `CoreWorld`, who has one way of input and looks for a window (P-04).
///
/// Only input events happen: no action and no script. The person looks at the controls that are offered, and prefers those that name the
/// window. General gestures follow: home, the switcher, the next space.
public struct CoreReach: Sendable {
    public enum Way: String, CaseIterable, Sendable {
        case finger, pointer, keys
        /// Arrows, OK, back, home and the coloured keys.
        case remote
    }

    /// How a person found what they looked for.
    public struct Found: Sendable {
        public var world: CoreWorld
        public var steps: [String]
    }

    public let way: Way
    /// How many steps in a row, and how many in all directions, before a window counts as lost.
    public var longest = 12, most = 600

    public init(_ way: Way) { self.way = way }

    struct Move: Sendable {
        var name: String
        /// The smaller, the more it promises.
        var rank: Double
        var act: @Sendable (inout CoreWorld) -> Void

        init(_ name: String, _ rank: Double, _ act: @escaping @Sendable (inout CoreWorld) -> Void) {
            (self.name, self.rank, self.act) = (name, rank, act)
        }
    }

    // MARK: What a person wants

    /// Brings the window into sight, with the keys. nil: no input leads there.
    public func reach(_ id: WindowID, from world: CoreWorld) -> Found? {
        search(from: world, { $0.isReached(id) }) { moves(to: id, in: $0) }
    }

    /// From a window that is in front: to the home screen, to an overview or to another window.
    public func leave(_ id: WindowID, from world: CoreWorld) -> Found? {
        search(from: world, { $0.isLeft(id) }) { world in
            // A question of the shell is answered first.
            let asked = world.controls.compactMap { control in
                switch control.press {
                case .dismiss?, .dismissView?, .chooseView?: press(control, 1, world)
                default: nil
                }
            }
            return asked + others(than: id, in: world) + general(in: world, leaving: true)
        }
    }

    /// Asks the app to close the window.
    public func close(_ id: WindowID, from world: CoreWorld) -> Found? {
        var world = world
        world.keepsHistory = true
        return search(from: world, { $0.effects.contains { if case .client(.close(id)) = $0 { true } else { false } } }) { world in
            closing(id, in: world) + moves(to: id, in: world).filter { $0.rank < 5 } + general(in: world)
        }
    }

    // MARK: The search

    private struct Node {
        var world: CoreWorld
        var steps: [String]
        var move: Move
        var cost: Double
    }

    private func search(from start: CoreWorld, _ isFound: (CoreWorld) -> Bool, _ moves: (CoreWorld) -> [Move]) -> Found? {
        var start = start
        start.isChecked = false
        if isFound(start) { return Found(world: start, steps: []) }
        var seen: Set<String> = [start.placeOfPerson], open: [Node] = [], tried = 0
        func look(_ world: CoreWorld, _ steps: [String], _ cost: Double) {
            for move in moves(world) { open.append(Node(world: world, steps: steps, move: move, cost: cost + move.rank)) }
        }
        look(start, [], 0)
        while tried < most, let index = open.indices.min(by: { open[$0].cost < open[$1].cost }) {
            let node = open.remove(at: index)
            guard node.steps.count < longest else { continue }
            tried += 1
            var world = node.world
            node.move.act(&world)
            world.liftAll()
            world.answerAll()
            world.wait(900)
            let steps = node.steps + [node.move.name]
            if isFound(world) { return Found(world: world, steps: steps) }
            guard seen.insert(world.placeOfPerson).inserted else { continue }
            look(world, steps, node.cost + 1)
        }
        return nil
    }

    // MARK: Moves

    private func moves(to id: WindowID, in world: CoreWorld) -> [Move] {
        var out = visible(id, in: world)
        for control in world.controls {
            if let rank = promise(of: control.press, id, world), let move = press(control, rank, world) { out.append(move) }
            if let rank = promise(of: control.menu, id, world), let move = menu(control, rank, world) { out.append(move) }
        }
        return out + general(in: world, to: id) + named(id, in: world)
    }

    /// How much an action promises to lead to a window; nil: nothing.
    private func promise(of action: Action?, _ id: WindowID, _ world: CoreWorld) -> Double? {
        let workspace = world.workspace, root = workspace.root(of: id), app = workspace[id]?.app ?? "", base = workspace[root]?.app ?? ""
        func isOfApp(_ name: String) -> Bool { !name.isEmpty && (name == app || name == base) }
        switch action {
        case .focus(let window)?: return window == id ? 0 : window == root || workspace.root(of: window) == root ? 0.6 : nil
        case .openWaiting(let window?, _)?: return window == id || window == root ? 0 : nil
        case .showSpace(let space)?: return workspace.space(space)?.contains(root) ?? false ? 0.4 : nil
        case .openApp(let name, nil)?: return isOfApp(name) ? 1.5 : nil
        case .appExpose(let name?)?, .appShelf(let name?)?: return isOfApp(name) ? 1 : nil
        case .appMenu(let name)?: return isOfApp(name) ? 3 : nil
        case .controls(let window?)?: return isOfApp(workspace[window]?.app ?? "") ? 3 : nil
        case .barMenu(let name?)?: return name == "windows" ? 3 : nil
        case .slideOverShow?: return workspace.slideOver.stack.contains(root) ? 0.5 : nil
        case .pipShow?, .pipControls?: return workspace.pip?.window == root ? 0.5 : nil
        case .fullScreen(let window?)?: return window == root && workspace.pip?.window == root ? 0.5 : nil
        // It stands over everything until a person answers.
        case .dismiss?, .dismissView?, .chooseView?: return 4
        default: return nil
        }
    }

    private func closing(_ id: WindowID, in world: CoreWorld) -> [Move] {
        var out: [Move] = []
        for control in world.controls {
            switch control.press {
            case .close(id)?: if let move = press(control, 0.2, world) { out.append(move) }
            default: break
            }
            let closes: Bool =
                switch control.close {
                case .close(let window)?: window == id
                case .closeSpace(let space)?: world.workspace.space(space)?.contains(id) ?? false
                default: false
                }
            guard closes else { continue }
            if way == .finger, control.role == .card {
                let from = control.frame.center
                out.append(
                    Move("flick \(control.id) up", 0.5) { $0.drag(from: from, to: from + -Vector(0, 400), over: 120, resting: false) })
            } else if way == .keys, control.isFocusable, world.hasKeysOfShell {
                out.append(
                    Move("Delete on \(control.id)", 0.5) { if $0.focusByTab(control.id) { $0.type("Delete") } })
            }
        }
        if way == .keys, world.isReached(id) { out.append(Move("Super+w", 0) { $0.type("Super+w") }) }
        if way == .remote, world.isReached(id) { out.append(Move("red", 0) { $0.type("XF86Red") }) }
        return out
    }

    /// Controls and places of other windows.
    private func others(than id: WindowID, in world: CoreWorld) -> [Move] {
        let root = world.workspace.root(of: id)
        guard way == .finger || way == .pointer, !world.isAtShell else { return [] }
        return world.workspace.shownRoots.filter { $0 != root }.flatMap { visible($0, in: world) }.map { Move($0.name, 3, $0.act) }
    }

    /// A press on a part of a window in sight.
    private func visible(_ id: WindowID, in world: CoreWorld) -> [Move] {
        guard way != .keys, !world.isAtShell, let point = world.openPoint(of: id, precise: way != .finger) else { return [] }
        if way == .remote { return [Move("menu, arrows to \(id), OK", 1.5) { $0.pressByArrows(at: point) }] }
        return [Move("press \(id) at \(point)", 0.2) { [way] in $0.press(at: point, by: way) }]
    }

    private func press(_ control: ViewControl, _ rank: Double, _ world: CoreWorld) -> Move? {
        let id = control.id
        switch way {
        case .finger, .pointer:
            guard let bounds = world.workspace.screen?.bounds else { return nil }
            // A control as large as the screen has a card in its middle: a person presses beside it.
            let point = control.frame == bounds ? Point(bounds.minX + 20, bounds.minY + 20) : control.frame.center
            guard bounds.contains(point) else {
                return world.interface.isOverviewOpen ? scroll(by: point.x - bounds.center.x, to: id, rank, bounds) : nil
            }
            return Move("press \(id)", rank) { [way] in $0.press(at: point, by: way) }
        case .keys:
            guard control.isFocusable, world.hasKeysOfShell else { return nil }
            return Move("Return on \(id)", rank) { if $0.focusByTab(id) { $0.type("Return") } }
        case .remote:
            guard control.isFocusable, world.hasKeysOfShell else { return nil }
            return Move("OK on \(id)", rank) { if $0.focusByArrows(id) { $0.type("Return") } }
        }
    }

    /// Moves a row of cards until one of them is in sight.
    private func scroll(by way: Double, to id: ControlID, _ rank: Double, _ bounds: Rect) -> Move {
        let step = (way > 0 ? 1 : -1) * min(abs(way), bounds.width * 0.6), from = bounds.center + Vector(step / 2, 0)
        return Move("scroll to \(id)", rank + 0.1) { [self] world in
            guard self.way == .pointer else { return world.drag(from: from, to: from + Vector(-step, 0)) }
            world.point(at: bounds.center)
            // The row moves three points for each of the wheel.
            for _ in 0..<4 { world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: way / 12, discrete: 120))) }
        }
    }

    private func menu(_ control: ViewControl, _ rank: Double, _ world: CoreWorld) -> Move? {
        let id = control.id, point = control.frame.center
        switch way {
        case .finger:
            guard let bounds = world.workspace.screen?.bounds, bounds.contains(point) else { return nil }
            return Move("rest on \(id)", rank) { world in
                world.touch(down: point)
                world.wait(800)
                world.lift()
            }
        case .pointer:
            guard let bounds = world.workspace.screen?.bounds, bounds.contains(point) else { return nil }
            return Move("right click on \(id)", rank) { world in
                world.point(at: point)
                for pressed in [true, false] { world.send(.pointerButton(0x111, pressed: pressed)) }
            }
        case .keys, .remote:
            guard control.isFocusable, world.hasKeysOfShell else { return nil }
            return Move("menu of \(id)", rank) { [way] world in
                guard way == .keys ? world.focusByTab(id) : world.focusByArrows(id) else { return }
                world.type(KeyChord(modifiers: [], symbol: way == .keys ? .menu : .remoteMenu))
            }
        }
    }

    /// Gestures and keys with a meaning anywhere.
    private func general(in world: CoreWorld, leaving: Bool = false, to id: WindowID? = nil) -> [Move] {
        guard let size = world.workspace.screen?.size else { return [] }
        // A finger begins at the rim, a pointer on the app.
        let bottom = way == .pointer ? world.workspace.screen?.usable.maxY ?? size.height : size.height
        // A dialog may reach down to it.
        let free = [0.5, 0.1, 0.9].map { Point(size.width * $0, bottom - 1) }.first { way == .finger || world.isBottomEdge(at: $0) }
        let low = free ?? Point(size.width / 2, bottom - 1), middle = Point(size.width / 2, size.height / 2)
        let isOverview = world.interface.isOverviewOpen
        var out: [Move] = []
        func add(_ name: String, _ rank: Double, _ act: @escaping @Sendable (inout CoreWorld) -> Void) { out.append(Move(name, rank, act)) }
        switch way {
        case .finger:
            add("flick up from the bottom", leaving ? 0 : 3.5) { $0.drag(from: low, to: middle, over: 100, resting: false) }
            if !isOverview {
                add("swipe up from the bottom and rest", 2) { world in
                    world.touch(down: low)
                    world.slide(to: low + -Vector(0, size.height * 0.4), over: 300)
                    world.wait(700)
                    world.lift()
                }
            }
            add("swipe along the bottom", 4) {
                $0.drag(from: Point(size.width * 0.8, low.y), to: Point(size.width * 0.2, low.y), over: 150, resting: false)
            }
            add("swipe back along the bottom", 4.2) {
                $0.drag(from: Point(size.width * 0.2, low.y), to: Point(size.width * 0.8, low.y), over: 150, resting: false)
            }
            add("swipe up a little", 4.5) { $0.drag(from: low, to: low + -Vector(0, 45), over: 200) }
            let high = Point(size.width / 2, isOverview || world.workspace.showsHome ? size.height * 0.15 : 60)
            if isOverview || (world.workspace.showsHome && !world.interface.isModal) {
                add("drag to the left", 2.5) { $0.drag(from: Point(size.width * 0.8, high.y), to: Point(size.width * 0.2, high.y)) }
                add("drag to the right", 2.6) { $0.drag(from: Point(size.width * 0.2, high.y), to: Point(size.width * 0.8, high.y)) }
            }
            if world.workspace.idiom.zones.threeFingers == .spaces {
                add("three fingers up", 2.2) { $0.dragThree(by: Vector(0, -size.height * 0.3)) }
                add("three fingers to the left", 4) { $0.dragThree(by: Vector(-size.width * 0.5, 0)) }
                add("three fingers to the right", 4.1) { $0.dragThree(by: Vector(size.width * 0.5, 0)) }
            }
            if let card = CoreSpot.cardBottom.point(in: world), !world.isAtShell {
                add("flip the card", 2) { $0.drag(from: card, to: card + Vector(180, 0), over: 150, resting: false) }
            }
            if let picture = CoreSpot.picture.point(in: world), !world.interface.isOverviewOpen {
                add("tap the picture", 2.4) { $0.tap(at: picture) }
            }
        case .pointer:
            for control in world.controls where control.id == .indicator {
                let point = control.frame.center
                add("click the line", leaving ? 0 : 3.5) { $0.press(at: point, by: .pointer) }
            }
            if !isOverview {
                add("drag up from the bottom and rest", leaving ? 1 : 2) {
                    $0.dragPointer(from: low, to: low + -Vector(0, size.height * 0.4), over: 300, rest: 700)
                }
            }
            add("drag up from the bottom", leaving ? 1 : 3.7) { $0.dragPointer(from: low, to: middle, over: 100) }
            add("drag up a little", 4.5) { $0.dragPointer(from: low, to: low + -Vector(0, 45), over: 200, rest: 200) }
            add("drag along the bottom", 4) {
                $0.dragPointer(from: Point(size.width * 0.8, low.y), to: Point(size.width * 0.2, low.y), over: 150)
            }
            add("drag back along the bottom", 4.2) {
                $0.dragPointer(from: Point(size.width * 0.2, low.y), to: Point(size.width * 0.8, low.y), over: 150)
            }
            if world.workspace.idiom.wrist != nil, !isOverview {
                add("turn the crown at the bottom", leaving ? 1.5 : 3.8) { world in
                    world.point(at: low)
                    world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: 15, discrete: 120)))
                }
            }
            if let corner = world.workspace.hotCorner, !isOverview {
                add("rest in the corner", leaving ? 0 : 2.2) { world in
                    world.point(at: middle)
                    world.point(at: corner)
                    world.wait(900)
                    world.point(at: middle)
                }
            }
            if isOverview || (world.workspace.showsHome && !world.interface.isModal) {
                for (name, value, rank) in [("wheel", 60.0, 2.5), ("wheel back", -60, 2.6)] {
                    add(name, rank) { world in
                        world.point(at: middle)
                        for _ in 0..<4 {
                            world.send(.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: value, discrete: 120)))
                        }
                    }
                }
            }
            if let card = CoreSpot.cardBottom.point(in: world), !world.isAtShell {
                add("flip the card", 2) { $0.dragPointer(from: card, to: card + Vector(180, 0), over: 150) }
            }
            if let picture = CoreSpot.picture.point(in: world), !world.interface.isOverviewOpen {
                add("click the picture", 2.4) { $0.press(at: picture, by: .pointer) }
            }
            if world.workspace.idiom.free.menuBar > 0, world.workspace.menuBar == nil {
                add("point at the upper edge", 3) { world in
                    world.point(at: middle)
                    world.point(at: Point(size.width / 2, 0))
                    world.wait(300)
                }
            }
        case .keys:
            // The window is one of those that stand on each other.
            let isFocusNear = id != nil && world.workspace.focus.map(world.workspace.root(of:)) == id.map(world.workspace.root(of:))
            let chords: [(KeyChord, Double)] = [
                ("Super+d", leaving ? 0 : 3.5), ("Super+a", 2), ("Super+f", isFocusNear ? 0.6 : 2.2),
                ("Super+n", world.workspace.waiting.isEmpty ? 2.4 : 1), ("Super+e", 2.6), ("Super+Tab", 2.8),
                ("Super+Shift+p", 3), ("Super+s", 3), ("Super+grave", 3.1), ("Super+b", 3.2), ("Super+Shift+e", 3.3), ("Super+h", 4),
                ("Super+Alt+Right", 4), ("Escape", 4),
            ]
            for (chord, rank) in chords where !(chord == "Super+h" && world.workspace.isFreelyStacked) {
                add("\(chord)", rank) { $0.type(chord) }
            }
        case .remote:
            add("home", leaving ? 0 : 3) { $0.type("XF86HomePage") }
            add("home twice", 2) { world in
                world.type("XF86HomePage")
                world.wait(100)
                world.type("XF86HomePage")
            }
            add("yellow", 2.5) { $0.type("XF86Yellow") }
            add("channel", 2.8) { $0.type("XF86ChannelUp") }
            add("back", 4) { $0.type("XF86Back") }
        }
        return out
    }

    /// Keys that a person presses until the window is named.
    private func named(_ id: WindowID, in world: CoreWorld) -> [Move] {
        guard way == .keys, world.workspace.isFreelyStacked, !world.isAtShell || world.workspace.showsHome else { return [] }
        let app = world.workspace[id]?.app ?? "", root = world.workspace.root(of: id)
        return [
            Move("hold Super, Tab to \(app)", 1) { world in
                world.switching("Super+Tab") { window, world in
                    window == id || window == root || (!app.isEmpty && world.workspace[window]?.app == app)
                }
            },
            Move("hold Super, grave to \(id)", 0.5) { world in world.switching("Super+grave") { window, _ in window == id } },
        ]
    }
}
