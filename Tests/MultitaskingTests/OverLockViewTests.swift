import Geometry
import Interface
import Locking
import MullionTesting
import Multitasking
import Seat
import Stage
import Status
import Testing
import Windows

/// Apps over the lock screen in the whole core: the picture, the input, and the session behind it.
@Suite("X-10: apps over the lock screen, in the core") struct OverLockViewTests {
    static let calls = App(id: "org.example.Calls", name: "Calls", command: ["calls"])
    static let camera = App(id: "org.example.Camera", name: "Camera", command: ["camera"])
    static let diary = App(id: "org.example.Diary", name: "Diary", command: ["diary"])

    private func world(_ idiom: Idiom = .pad, size: Size = Size(1180, 820)) -> CoreWorld {
        var preferences = Preferences()
        (preferences.lock.emergency, preferences.lock.apps) = (Self.calls.id, [Self.camera.id, "org.example.Gone"])
        preferences.lock.obeysUnlock = true
        var world = CoreWorld(size: size, idiom: idiom, preferences: preferences)
        world.send(.appsChanged([Self.calls, Self.camera, Self.diary]))
        world.open(1, WindowFacts(appID: Self.diary.id, title: "my-diary", lineage: [50], client: 50))
        world.act(.lockScreen(.lock))
        return world
    }

    private func tap(_ id: ControlID, _ world: inout CoreWorld) {
        guard let control = world.controls.last(where: { $0.id == id }) else { return _ = Issue.record("\(id) is not there") }
        world.send(.lockScreen(.input(.down(1, at: control.frame.center))))
        world.send(.lockScreen(.input(.up(1))))
    }

    /// Fingers that are only on the lock screen press its controls unseen by the rest of the core.
    private func problems(_ world: inout CoreWorld) -> [String] { world.finish().filter { !$0.hasSuffix("is pressed by nobody") } }

    private func launches(_ world: CoreWorld) -> [(LaunchID, [String])] {
        world.effects.compactMap { if case .program(.launch(let id, let command, _)) = $0 { (id, command) } else { nil } }
    }

    private func windows(_ world: CoreWorld) -> [WindowID] {
        world.system.items(at: world.now).compactMap { if case .window(let id) = $0.kind { id } else { nil } }
    }

    /// Opens the camera, whose window is number 2.
    private func opened(_ world: inout CoreWorld, app: App = camera, raw: UInt32 = 2) throws {
        tap(ControlID(rawValue: "lock/app/\(app.id)"), &world)
        let launch = try #require(launches(world).last)
        #expect(launch.1 == app.command)
        world.send(.launched(launch.0, process: 60))
        world.create(raw, WindowFacts(appID: app.id, title: "viewfinder", lineage: [61, 60], client: 61))
        world.map(raw)
    }

    @Test("a press opens the app alone, over all but the status and the way back; the session's windows stay hidden")
    func opens() throws {
        for (idiom, size) in [(Idiom.pad, Size(1180, 820)), (.phone, Size(360, 720)), (.mac, Size(1280, 800)), (.tv, Size(1920, 1080))] {
            var world = world(idiom, size: size)
            #expect(windows(world) == [])
            try opened(&world)
            #expect(world.system.isLocked && windows(world) == [WindowID(2)], "\(idiom.name)")
            let over = try #require(world.workspace.overLock)
            #expect(over.area.width == size.width && over.area.height > size.height * 0.6 && over.area.maxY < size.height)
            #expect(world.workspace[WindowID(2)]?.lastConfigure?.frame.size == over.area.size)
            #expect(world.workspace[WindowID(2)]?.lastConfigure?.activated == true)
            #expect(
                world.controls.map(\.id).filter { $0.area == .lock && !$0.rawValue.hasPrefix("lock/screen") }.contains("lock/over/back"))
            #expect(!world.controls.contains { $0.id == "lock/open" || $0.id == "lock/field" })
            tap("lock/over/back", &world)
            #expect(windows(world) == [] && world.workspace.overLock == nil)
            #expect(world.effects.contains(.close(WindowID(2))))
            #expect(world.system.violations() == [])
            world.unlockOwn()
            #expect(world.workspace.focus == WindowID(1), "\(idiom.name): the camera took the place of the diary")
            #expect(problems(&world) == [])
        }
    }

    @Test("no other window comes over the lock: not of the session, not with the name of the app, not a new one of a program of before")
    func others() throws {
        var world = world()
        world.create(7, WindowFacts(appID: Self.camera.id, title: "album", lineage: [70], client: 70))
        world.map(7)
        try opened(&world)
        world.create(8, WindowFacts(appID: Self.camera.id, title: "false camera", lineage: [80], client: 80))
        world.map(8)
        world.create(9, WindowFacts(appID: Self.diary.id, title: "another page", lineage: [50], client: 50))
        world.map(9)
        #expect(windows(world) == [WindowID(2)])
        world.unmap(WindowID(2))
        #expect(windows(world) == [] && world.system.overLock.app == nil)
        world.unlockOwn()
        #expect(problems(&world) == [])
    }

    @Test(
        "an app that hides its window over the lock and shows it again has it out of sight, asked to close, and not in the session's front")
    func again() throws {
        for idiom in [Idiom.pad, .phone, .mac, .tv] {
            var world = world(idiom)
            try opened(&world)
            world.unmap(WindowID(2))
            world.map(2)
            #expect(windows(world) == [] && world.effects.contains(.close(WindowID(2))), "\(idiom.name)")
            world.create(3, WindowFacts(appID: Self.camera.id, title: "album", lineage: [61, 60], client: 61))
            world.map(3)
            #expect(windows(world) == [] && world.system.overLock.app == nil, "\(idiom.name)")
            world.unlockOwn()
            #expect(world.workspace.focus == WindowID(1), "\(idiom.name): a window from over the lock is in front")
            #expect(problems(&world) == [])
        }
    }

    @Test("the service of calls that runs already shows a new window by the token of the launch, and never one that it had")
    func tokens() throws {
        for app in [Self.calls, Self.camera] {
            var world = world()
            world.create(3, WindowFacts(appID: app.id, title: "old", lineage: [90], client: 90))
            tap(ControlID(rawValue: "lock/app/\(app.id)"), &world)
            let launch = try #require(launches(world).last?.0)
            world.send(.activationAsked(WindowID(1), hasRecentSerial: false, launch: launch))
            #expect(windows(world) == [], "a window of before is shown")
            world.map(3)
            #expect(windows(world) == [])
            world.send(.activationAsked(WindowID(3), hasRecentSerial: false, launch: launch))
            #expect(windows(world) == (app == Self.calls ? [WindowID(3)] : []))
            world.send(.lockScreen(.input(.key(.leftSuper, text: nil))))
            #expect(windows(world) == [])
            world.unlockOwn()
            #expect(problems(&world) == [])
        }
    }

    @Test("W-11: a window that cannot be so small is shown smaller, whole")
    func large() throws {
        var world = world(.phone, size: Size(360, 640))
        tap("lock/app/org.example.Camera", &world)
        let launch = try #require(launches(world).last)
        world.send(.launched(launch.0, process: 60))
        world.create(2, WindowFacts(appID: Self.camera.id, lineage: [60], client: 61))
        world.setMinimum(Size(720, 640), of: WindowID(2))
        world.map(2)
        let over = try #require(world.workspace.overLock)
        #expect(over.area.contains(over.frame.center) && over.frame.width <= over.area.width && over.frame.height <= over.area.height)
        #expect(abs(over.scale - 0.5) < 0.02)
        world.unlockOwn()
        #expect(problems(&world) == [])
    }

    @Test("the way in keeps its word, whatever stands beside it, and an emergency call without room has a row of its own")
    func narrow() throws {
        for (idiom, size) in [(Idiom.phone, Size(360, 720)), (.phone, Size(320, 568)), (.watch, Size(200, 200)), (.watch, Size(240, 280))] {
            for text in [1.0, 2.0] {
                var preferences = Preferences()
                (preferences.lock.emergency, preferences.lock.apps) = (Self.calls.id, [Self.camera.id, Self.diary.id, Self.camera.id])
                preferences.appearance.textScale = text
                var world = CoreWorld(size: size, idiom: idiom, preferences: preferences)
                world.send(.appsChanged([Self.calls, Self.camera, Self.diary]))
                world.send(.timeIs(TimeOfDay(hour: 9, minute: 5)))
                world.act(.lockScreen(.lock))
                guard world.system.isLocked else { continue }
                if text == 1 { #expect(world.controls.contains { $0.id == "lock/time" }, "\(idiom.name) \(size)") }
                let all = world.controls.filter { $0.id.rawValue == "lock/open" || $0.id.rawValue.hasPrefix("lock/app/") }
                let open = try #require(all.first { $0.id == "lock/open" })
                #expect(open.frame.width >= 100, "\(idiom.name) \(size) \(text)")
                #expect(all.contains { $0.id == "lock/app/org.example.Calls" }, "\(idiom.name) \(size) \(text)")
                #expect(Set(all.map(\.id)).count == all.count)
                for (index, one) in all.enumerated() {
                    for other in all.dropFirst(index + 1) { #expect(!one.frame.intersects(other.frame), "\(one.id) \(other.id)") }
                }
                world.unlockOwn()
            }
        }
    }

    @Test("scripts open nothing, and an app that the file does not name has no way in")
    func closed() {
        var world = world()
        for app in [Self.camera.id, Self.diary.id] { world.act(.lockScreen(.over(app))) }
        #expect(launches(world).isEmpty && world.system.overLock.app == nil)
        #expect(!world.controls.contains { $0.id.rawValue.contains("Diary") || $0.id.rawValue.contains("Gone") })
        world.unlockOwn()
        #expect(problems(&world) == [])
    }

    @Test("darkness and unlocking end it: the first closes the camera, the second keeps it in front")
    func ends() throws {
        var world = world()
        try opened(&world)
        world.send(.screenLit(false))
        world.send(.screenLit(true))
        #expect(windows(world) == [] && world.effects.contains(.close(WindowID(2))))
        world.destroy(WindowID(2))
        try opened(&world, raw: 4)
        world.send(.lockScreen(.unlockAsked))
        #expect(!world.system.isLocked && world.workspace.focus == WindowID(4))
        #expect(problems(&world) == [])
    }

    @Test("the emergency call is beside the way in and beside the field, and a call stays when a person leaves it")
    func emergency() throws {
        var world = world(.phone, size: Size(360, 720))
        tap("lock/open", &world)
        #expect(world.system.lockScreen.isOpen)
        try opened(&world, app: Self.calls)
        #expect(windows(world) == [WindowID(2)] && !world.system.lockScreen.isOpen)
        tap("lock/over/back", &world)
        #expect(!world.effects.contains(.close(WindowID(2))))
        let before = launches(world).count
        tap("lock/app/org.example.Calls", &world)
        #expect(windows(world) == [WindowID(2)] && launches(world).count == before)
        world.unlockOwn()
        #expect(problems(&world) == [])
    }
}
