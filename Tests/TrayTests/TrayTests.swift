import Geometry
import Seeded
import Testing
import Tray
import Windows

private func facts(_ number: Int, on sender: Int = 1, isMenu: Bool = false, hasMenu: Bool = true, title: String? = nil) -> TrayFacts {
    TrayFacts(
        key: ":1.\(sender)/item\(number)", name: "item", title: title ?? "Item \(number)", process: Int32(100 + sender), isMenu: isMenu,
        hasMenu: hasMenu)
}

private let rows: [ExportedMenu.Row] = [
    .init(number: 1, label: "Show"), .line, .init(number: 2, label: "Muted", isChecked: true, mark: .check),
    .init(number: 3, label: "Off", isEnabled: false),
    .init(
        number: 4, label: "More",
        rows: [.init(number: 5, label: "Inner"), .init(number: 6, label: "Deep", rows: [.init(number: 7, label: "Last")])]),
]

/// A person, the pages and the apps around the room, as `System` and its adapter carry the outcomes out.
private struct World: Hashable {
    var tray = Tray()
    var isOpen = true
    /// The page that is in sight: nil, the items, or a menu with its path.
    var page: [Int]??
    /// Calls that have no answer yet.
    var opening: UInt64?, reading: UInt64?
    /// The menu that the adapter follows.
    var followed: String?

    mutating func send(_ event: Tray.Event) {
        for outcome in tray.handle(event, in: isOpen, at: .zero) {
            switch outcome {
            case .open(_, let ask), .contextMenu(_, let ask): opening = ask
            case .readMenu(let key, let ask): (followed, reading) = (key, ask)
            case .closeMenu(let key):
                #expect(followed == key)
                followed = nil
            case .showsItems: page = .some(nil)
            case .showsMenu: page = .some([])
            case .showsSubmenu(let path): page = .some(path)
            case .leavesMenu: if case .some(.some) = page { page = .some(nil) }
            case .leavesViews: page = nil
            case .press(let key, _): #expect(tray.items.contains { $0.facts.key == key })
            case .changed, .expects, .menusOpen, .refuse: break
            }
        }
    }

    /// What the pass after each event tells the room.
    mutating func settle() {
        if !isOpen { page = nil }
        for _ in 0..<3 { send(.seen(isOpen: page != nil, menu: page ?? nil)) }
    }

    static let steps: [@Sendable (inout World) -> Void] = [
        { $0.send(.item(facts(1))) }, { $0.send(.item(facts(2, isMenu: true))) },
        { world in
            world.send(.gone(facts(1).key))
            // The adapter forgets an item with its menu.
            if world.followed == facts(1).key { world.followed = nil }
        },
        { $0.send(.wish(.open(1))) }, { $0.send(.wish(.menu(1))) }, { $0.send(.wish(.open(2))) }, { $0.send(.wish(.press(1, entry: 1))) },
        { $0.send(.wish(.submenu(1, path: [4]))) },
        { world in if let ask = world.opening { world.send(.answered(ask: ask, .done)) } },
        { world in if let ask = world.opening { world.send(.answered(ask: ask, .refused)) } },
        { world in if let ask = world.opening { world.send(.answered(ask: ask, .silent)) } },
        { world in if let ask = world.reading { world.send(.menu(ask: ask, .rows(rows))) } },
        { world in if let ask = world.reading { world.send(.menu(ask: ask, .silent)) } },
        { $0.page = nil }, { $0.page = .some(nil) },
        { world in
            world.isOpen.toggle()
            if !world.isOpen { world.send(.locked) }
        },
    ]
}

@Suite("the tray: items of apps and their menus") struct TrayTests {
    private func outcomes(_ world: inout World, _ event: Tray.Event) -> [Tray.Outcome] {
        let before = world.tray
        defer {
            world.tray = before
            world.send(event)
        }
        var room = before
        return room.handle(event, in: world.isOpen, at: .zero)
    }

    @Test("every sequence of five steps: a menu is read and followed while its page is in sight alone, and never in a locked session")
    func everySequence() {
        var seen: Set<World> = [World()], open = [World()]
        for _ in 0..<5 {
            var next: [World] = []
            for world in open {
                for step in World.steps {
                    var world = world
                    step(&world)
                    world.settle()
                    #expect(world.tray.violations(in: world.isOpen) == [])
                    let isMenuSeen: Bool = if case .some(.some) = world.page { true } else { false }
                    #expect((world.tray.menu != nil) == isMenuSeen, "\(world)")
                    #expect(world.followed == nil || world.tray.menu != nil, "\(world)")
                    if seen.insert(world).inserted { next.append(world) }
                }
            }
            open = next
        }
        #expect(seen.count > 300)
    }

    @Test("an item opens; one that knows no such call shows its menu, one without a menu says so, and one that is silent says so")
    func opens() {
        var world = World()
        world.send(.item(facts(1)))
        world.send(.item(facts(2, hasMenu: false)))
        #expect(outcomes(&world, .wish(.open(1))) == [.expects(process: 101), .open(key: ":1.1/item1", ask: 1), .changed])
        #expect(outcomes(&world, .answered(ask: 1, .done)) == [.leavesViews, .changed])
        #expect(outcomes(&world, .answered(ask: 1, .done)) == [], "an answer counts once")
        world.send(.wish(.open(1)))
        #expect(outcomes(&world, .answered(ask: 2, .refused)) == [.readMenu(key: ":1.1/item1", ask: 3), .showsMenu, .changed])
        #expect(world.tray.menu?.content == .reading)
        world.send(.wish(.open(2)))
        #expect(outcomes(&world, .answered(ask: 4, .refused)) == [.showsItems, .changed])
        #expect(world.tray.trouble == .opensNothing(item: 2))
        world.send(.wish(.open(2)))
        #expect(world.tray.trouble == nil)
        world.send(.answered(ask: 5, .silent))
        #expect(world.tray.trouble == .silent(item: 2))
        world.page = nil
        world.settle()
        #expect(world.tray.trouble == nil, "who looks again later sees no old trouble")
        #expect(outcomes(&world, .wish(.menu(2))) == [.contextMenu(key: ":1.1/item2", ask: 6), .changed])
        #expect(outcomes(&world, .wish(.open(9))) == [.refuse("no item 9 is in the tray")])
    }

    @Test("a menu: what can be chosen, menus within it, and one that its app takes away")
    func menu() {
        var world = World()
        world.send(.item(facts(1, isMenu: true)))
        #expect(outcomes(&world, .wish(.press(1, entry: 1))) == [.refuse("the menu of item 1 is not open")])
        world.send(.wish(.open(1)))
        world.send(.menu(ask: world.reading!, .rows(rows)))
        world.settle()
        for entry: Int32 in [0, 3, 4, 99, -1] {
            #expect(
                outcomes(&world, .wish(.press(1, entry: entry))) == [.refuse("the menu of item 1 has no entry \(entry) that can be chosen")]
            )
        }
        #expect(outcomes(&world, .wish(.press(1, entry: 2))) == [.expects(process: 101), .press(key: ":1.1/item1", entry: 2)])
        #expect(world.tray.menu != nil, "what is switched can be switched again")
        #expect(outcomes(&world, .wish(.submenu(1, path: [0]))) == [.refuse("no such menu of item 1 is open")])
        #expect(outcomes(&world, .wish(.submenu(1, path: [4, 1]))) == [.showsSubmenu([4, 1])])
        #expect(outcomes(&world, .seen(isOpen: true, menu: [4, 1])) == [.menusOpen(key: ":1.1/item1", [4, 6])])
        #expect(world.tray.menu?.rows(at: [4, 1])?.rows.map(\.label) == ["Last"])
        #expect(outcomes(&world, .wish(.press(1, entry: 7))).last == .leavesViews)
        world.send(.wish(.open(1)))
        world.send(.menu(ask: world.reading!, .rows(rows)))
        world.page = .some([4, 1])
        world.settle()
        var fewer = rows
        fewer[4].rows.removeLast()
        world.send(.menu(ask: world.reading!, .rows(fewer)))
        world.settle()
        #expect(world.page == .some([4]), "what is left of the way stays open")
        world.send(.menu(ask: world.reading!, .rows([])))
        #expect(world.tray.menu?.content == Tray.Content.none)
        #expect(outcomes(&world, .gone(":1.1/item1")) == [.leavesMenu, .changed])
    }

    @Test("a hidden item is not shown, and comes back with the same number")
    func passive() {
        var world = World()
        world.send(.item(facts(1)))
        var hidden = facts(1)
        hidden.state = .passive
        world.send(.item(hidden))
        #expect(world.tray.shown.isEmpty && world.tray.items.count == 1)
        hidden.state = .attention
        world.send(.item(hidden))
        #expect(world.tray.shown.map(\.id) == [1])
        #expect(outcomes(&world, .item(hidden)) == [], "the same again changes nothing")
    }

    @Test(
        "P-06: sixteen items of one connection, sixty-four in all; texts have 200 characters of one line, and a name that is none is none")
    func limits() {
        var world = World()
        for number in 0..<100 { world.send(.item(facts(number))) }
        #expect(world.tray.items.count == TrayLimits.each)
        for sender in 2..<50 { for number in 0..<20 { world.send(.item(facts(number, on: sender))) } }
        #expect(world.tray.items.count == TrayLimits.items && world.tray.violations(in: true) == [])
        world = World()
        var long = facts(1, title: String(repeating: "a\n", count: 5000))
        long.icon = String(repeating: "x", count: 5000)
        long.tooltip = "\u{0}\u{7f}\t"
        world.send(.item(long))
        let item = world.tray.items[0]
        #expect(item.title.count == TrayLimits.text && !item.title.contains("\n") && item.facts.icon == nil && item.facts.tooltip == "")
    }

    @Test("in a locked session no item opens, and what is open goes")
    func locked() {
        var world = World()
        world.send(.item(facts(1)))
        world.send(.wish(.menu(1)))
        world.send(.menu(ask: world.reading!, .rows(rows)))
        world.isOpen = false
        #expect(outcomes(&world, .locked) == [.closeMenu(key: ":1.1/item1"), .leavesMenu, .changed])
        #expect(outcomes(&world, .wish(.open(1))) == [.refuse("the screen is locked")])
        #expect(world.tray.items.count == 1)
    }

    @Test("long random histories keep the invariants", arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed), world = World()
        for _ in 0..<3000 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0: world.send(.item(facts(Int.random(in: 1...5, using: &random), on: Int.random(in: 1...20, using: &random))))
            case 1: world.send(.gone(facts(Int.random(in: 1...5, using: &random), on: Int.random(in: 1...20, using: &random)).key))
            case 2: world.send(.wish(.menu(UInt32.random(in: 0...40, using: &random))))
            case 3: world.send(.menu(ask: UInt64.random(in: 0...40, using: &random), .rows(rows)))
            case 4: world.page = .some([Int.random(in: -2...5, using: &random), 1])
            case 5: world.send(.wish(.submenu(1, path: [Int.random(in: -1 ... .max, using: &random)])))
            default: World.steps.randomElement(using: &random)!(&world)
            }
            world.settle()
            #expect(world.tray.violations(in: world.isOpen) == [])
            #expect(world.isOpen || world.page == nil)
        }
    }
}
