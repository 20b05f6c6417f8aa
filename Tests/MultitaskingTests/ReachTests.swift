import Geometry
import Idioms
import MullionTesting
import Multitasking
import Testing
import Windows

/// Each window is reached and left by one way of input alone.
@Suite("P-04: each window is reached and left by finger alone, by pointer alone and by keys alone") struct ReachTests {
    /// A device, and what people have at hand there.
    struct Device: Sendable, CustomTestStringConvertible {
        var idiom: Idiom
        var size: Size
        var ways: [CoreReach.Way] = [.finger, .pointer, .keys]

        var testDescription: String { idiom.name }

        static let all = [
            Device(idiom: .pad, size: Size(1180, 820)), Device(idiom: .phone, size: Size(390, 844)),
            Device(idiom: .mac, size: Size(1180, 820)), Device(idiom: .tv, size: Size(1920, 1080), ways: [.remote]),
            Device(idiom: .watch, size: Size(368, 448)), Device(idiom: .roundWatch, size: Size(480, 480)),
            Device(idiom: .vision, size: Size(1280, 800)), Device(idiom: .car, size: Size(1280, 480)),
        ]
    }

    /// The windows of a world by hand. Every one has a device on which it means something else.
    enum Start: String, CaseIterable, Sendable {
        case apps, home, dialogs, places, stashed, waiting, wholeScreen, desk
    }

    static func facts(_ raw: UInt32, app: Int, parent: UInt32? = nil, isModal: Bool? = nil) -> WindowFacts {
        WindowFacts(
            appID: "app\(app)", title: "Window \(raw)", lineage: [Int32(100 + app), 1], client: UInt64(app),
            parent: parent.map { WindowID($0) },
            isModal: isModal)
    }

    static func empty(_ device: Device) -> CoreWorld {
        var world = CoreWorld(size: device.size, idiom: device.idiom, keepsHistory: false)
        world.isChecked = false
        world.send(.appsChanged((1...6).map { App(id: "app\($0)", name: "App \($0)", command: ["app\($0)"]) }))
        return world
    }

    static func world(_ start: Start, _ device: Device) -> CoreWorld {
        var world = empty(device)
        func open(_ raw: UInt32, _ app: Int) { world.open(raw, facts(raw, app: app)) }
        func dialog(_ raw: UInt32, of parent: UInt32, _ app: Int, isModal: Bool) {
            world.create(raw, facts(raw, app: app, parent: parent, isModal: isModal))
            world.setNatural(Size(160, 100), of: WindowID(raw))
            world.map(raw)
        }
        switch start {
        case .apps, .home:
            for (raw, app) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 1), (6, 1)] as [(UInt32, Int)] { open(raw, app) }
            if start == .home { world.act(.home) } else { world.act(.focus(window: WindowID(2))) }
        case .dialogs:
            open(1, 1)
            dialog(2, of: 1, 1, isModal: true)
            open(3, 2)
            dialog(4, of: 3, 2, isModal: false)
            dialog(6, of: 3, 2, isModal: false)
            open(5, 3)
        case .places, .stashed:
            for raw in 1...6 as ClosedRange<UInt32> { open(raw, Int(raw)) }
            world.act(.pictureInPicture(window: WindowID(5)))
            world.act(.slideOver(window: WindowID(3)))
            world.act(.slideOver(window: WindowID(4)))
            world.act(.focus(window: WindowID(1)))
            world.act(.splitView(window: WindowID(2), side: .right))
            if start == .stashed {
                world.act(.slideOverHide)
                world.act(.pipStash(.right))
            }
        case .waiting:
            open(1, 1)
            open(2, 2)
            world.rest()
            for (raw, app) in [(3, 1), (4, 4), (5, 4)] as [(UInt32, Int)] {
                world.create(raw, facts(raw, app: app))
                world.map(raw)
            }
        case .wholeScreen:
            for raw in 1...3 as ClosedRange<UInt32> { open(raw, Int(raw)) }
            for raw in [2, 3] as [UInt32] {
                world.send(.windowAsked(WindowID(raw), .fullscreen(true)))
                world.commit(WindowID(raw)) { $0.wantsFullscreen = true }
            }
        case .desk:
            for raw in 1...6 as ClosedRange<UInt32> { open(raw, Int(raw)) }
            world.act(.minimize(window: WindowID(1)))
            world.act(.hideApp(app: "app2"))
            world.act(.putInSpace(window: WindowID(3), nil))
            world.act(.tile(window: WindowID(4), to: .full))
            world.act(.tile(window: WindowID(5), to: .whole))
            world.act(.close(window: WindowID(6)))
        }
        world.rest()
        return world
    }

    /// The windows that a person can look for.
    static func windows(of world: CoreWorld) -> [WindowID] {
        let workspace = world.workspace,
            open = workspace.windows.values.filter { $0.isMapped && workspace.place(of: $0.id) != nil }.map(\.id)
        /// Where there is no room to step aside, dialogs of one window cover each other (docs/limits.md).
        func covers(_ other: WindowID, _ id: WindowID) -> Bool {
            guard let above = world.frame(other), let below = world.frame(id) else { return true }
            return above.intersects(below) && abs(above.minY - below.minY) < 44
        }
        return open.filter { id in
            let root = workspace.root(of: id)
            return id == root || !open.contains { $0 != id && $0 != root && workspace.root(of: $0) == root && covers($0, id) }
        }.sorted()
    }

    /// Reaches and leaves every window; returns what is not possible.
    static func lost(_ world: CoreWorld, _ device: Device, _ name: String) -> [String] {
        var lost: [String] = []
        for way in device.ways {
            let person = CoreReach(way)
            for id in windows(of: world) {
                let what = "\(device.idiom.name), \(name), by \(way.rawValue): \(id)"
                guard let found = person.reach(id, from: world) else {
                    lost.append("\(what) is not reached")
                    continue
                }
                if person.leave(id, from: found.world) == nil { lost.append("\(what) is not left after \(found.steps)") }
            }
        }
        return lost
    }

    @Test("in every arrangement", arguments: Device.all)
    func byHand(device: Device) {
        for start in Start.allCases { #expect(Self.lost(Self.world(start, device), device, start.rawValue) == []) }
    }

    /// Windows as random events leave them, at rest.
    static func random(_ device: Device, seed: UInt64) -> CoreWorld {
        var generator = CoreGenerator(seed: seed), world = CoreRun.world()
        (world.isChecked, world.keepsHistory) = (false, false)
        for _ in 0..<80 {
            let op = generator.next()
            switch op {
            // Other tests are about these: they cover or end everything.
            case .lock, .noScreen, .screen, .reserved, .panel, .x11Menus, .power, .restart, .windowsAside, .askView, .life, .appearance,
                .action(.quit), .action(.quitAnyway):
                continue
            default: op.apply(to: &world)
            }
        }
        world.liftAll()
        // No modifier stays down.
        world.send(.key(code: 125, symbol: .leftSuper, pressed: false, modifiers: []))
        for (id, client) in world.clients.sorted(by: { $0.key < $1.key }) {
            world.setManner(.prompt, of: id)
            // Menus close at a click beside them, which these clients do not do.
            if client.isMapped { world.send(.popupsChanged(id, boxes: [], grab: false)) }
        }
        world.send(.screenChanged(Screen(size: device.size)))
        world.act(.idiom(device.idiom.name))
        for _ in 0..<3 { world.act(.dismiss) }
        world.rest()
        return world
    }

    @Test("after random events", arguments: Device.all)
    func afterRandomEvents(device: Device) {
        var count = 0
        let first = TestSeed.first
        for seed in first..<first + (TestSeed.isSlow ? 60 : 3) {
            let world = Self.random(device, seed: seed)
            count += Self.windows(of: world).count
            #expect(Self.lost(world, device, "seed \(seed)") == [])
        }
        #expect(count > 0)
    }

    @Test("each way of input closes a window", arguments: Device.all)
    func closes(device: Device) {
        let world = Self.world(.apps, device)
        for way in device.ways where device.idiom.closing != .putsAway {
            #expect(CoreReach(way).close(WindowID(2), from: world) != nil, "\(device.idiom.name), by \(way.rawValue)")
        }
    }
}
