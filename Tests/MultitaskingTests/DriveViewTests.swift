import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Stage
import Status
import Testing
import Windows

/// Removable drives, as a person uses them: the banner, the list, and the page of the control centre.
@Suite("removable drives in the shell's views") struct DriveViewTests {
    private static let files = App(
        id: "files", name: "Files", command: ["files"], takesFiles: true, mimeTypes: ["inode/directory"],
        filePlace: FilePlace(index: 1, isMany: false, takesAddresses: false))

    private func world(_ idiom: Idiom = .pad, apps: [App] = [files]) -> CoreWorld {
        var world = CoreWorld(idiom: idiom, preferences: Preferences(newWindows: .asked))
        world.send(.appsChanged(apps))
        world.open(1)
        world.send(.drives(.volumes([])))
        world.rest()
        return world
    }

    private func stick(_ name: String = "sdb1", label: String = "Stick", mounted: String? = nil) -> VolumeFacts {
        var facts = VolumeFacts(path: "/b/\(name)")
        (facts.label, facts.bytes, facts.isRemovable, facts.drive, facts.canPowerOff) = (label, 16_000_000_000, true, "/d/\(name)", true)
        facts.mountPoints = mounted.map { [$0] } ?? []
        return facts
    }

    private func control(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.last { $0.id == id } }

    private func tap(_ id: ControlID, _ world: inout CoreWorld) throws {
        let found = try #require(control(id, world), "\(id) is not there")
        world.tap(at: found.frame.center)
        world.wait(600)
    }

    private func steps(_ world: CoreWorld) -> [Drives.Step] {
        world.effects.compactMap { if case .status(.drive(_, let step)) = $0 { step } else { nil } }
    }

    private func launches(_ world: CoreWorld) -> [[String]] {
        world.effects.compactMap { if case .program(.launch(_, let command, _)) = $0 { command } else { nil } }
    }

    private func notices(_ world: CoreWorld) -> [Notice] { world.system.notices.all.values.filter { $0.content.drive != nil } }

    @Test("by finger: a banner with Open, which mounts and shows the folder; Eject in the list; then it may be taken out")
    func banner() throws {
        var world = world()
        world.send(.drives(.volumes([stick()])))
        world.wait(1000)
        let id = try #require(notices(world).first?.id)
        #expect(world.interface.noticeInSight == id && control("notice/note", world)?.name == .message(.driveOfSize, ["16 GB"]))
        world.act(.notice(.expand(id)))
        world.wait(600)
        #expect(control("notice/button/0", world)?.name == .message(.open) && control("notice/button/1", world)?.name == .message(.eject))
        #expect(steps(world) == [], "nothing is mounted by itself")
        try tap("notice/button/0", &world)
        #expect(steps(world) == [.mount("/b/sdb1")] && world.interface.noticeInSight == nil)
        world.send(.drives(.ended(step: 1, .done("/media/Stick"))))
        world.send(.drives(.volumes([stick(mounted: "/media/Stick")])))
        #expect(launches(world) == [["files", "/media/Stick"]])
        world.wait(1000)
        world.act(.notifications)
        world.wait(1000)
        #expect(notices(world).map(\.id) == [id], "it stays until it is ejected")
        try tap(ControlID(.notifications, "item/\(id.raw)/button/1"), &world)
        #expect(steps(world).last == .unmount("/b/sdb1"))
        #expect(control(ControlID(.notifications, "item/\(id.raw)/note"), world)?.name == .message(.driveEjecting))
        world.send(.drives(.ended(step: 2, .done(""))))
        #expect(steps(world).last == .powerOff(drive: "/d/sdb1"))
        world.send(.drives(.volumes([])))
        world.act(.notifications)
        world.send(.drives(.ended(step: 3, .done(""))))
        world.wait(1000)
        #expect(notices(world).map(\.content.drive) == [NoticeDrive(id: "", isFreed: true)])
        #expect(control("notice/note", world)?.name == .message(.driveFreed))
        world.wait(20_000)
        #expect(notices(world).isEmpty, "that is shown once")
        #expect(world.finish() == [])
    }

    @Test("a drive that vanishes takes its banner and its place in the list along, and its page says that there is none")
    func vanishes() throws {
        var world = world()
        world.send(.drives(.volumes([stick(), stick("sdc1", label: "Other")])))
        world.wait(1000)
        #expect(notices(world).count == 2)
        world.act(.controlPage(.drives))
        world.wait(1000)
        #expect(control("control-centre/drives/sdb1", world) != nil)
        world.send(.drives(.volumes([])))
        world.wait(1000)
        #expect(notices(world).isEmpty && world.interface.noticeInSight == nil)
        #expect(world.controls.contains { $0.name == .message(.drivesEmpty) })
        world.act(.controlCentre)
        world.wait(1000)
        world.act(.controlCentre)
        world.wait(1000)
        #expect(control("control-centre/drives", world) == nil)
        #expect(world.finish() == [])
    }

    @Test("the page: every drive with Open and Eject, after its notification is gone, too", arguments: [Idiom.pad, .phone, .mac])
    func page(idiom: Idiom) throws {
        var world = world(idiom)
        world.send(.drives(.volumes([stick()])))
        world.wait(1000)
        world.act(.notice(.dismiss(try #require(notices(world).first?.id))))
        world.act(.controlCentre)
        world.wait(1000)
        try tap("control-centre/drives", &world)
        try tap("control-centre/drives/sdb1/eject", &world)
        #expect(steps(world) == [.powerOff(drive: "/d/sdb1")])
        #expect(control("control-centre/drives/sdb1", world)?.press == nil, "while it is ejected")
        world.send(.drives(.ended(step: 1, .failed("org.freedesktop.UDisks2.Error.DeviceBusy", "busy"))))
        world.wait(1000)
        #expect(world.interface.popover?.content == .alert(title: .message(.driveNotEjected, ["Stick"]), message: .message(.driveBusy)))
        #expect(world.finish() == [])
    }

    @Test("in a locked session nothing of a drive is opened or ejected, and its name is not told; it is in the list afterwards")
    func locked() throws {
        var world = world()
        world.lock()
        world.send(.drives(.volumes([stick()])))
        world.rest()
        let id = try #require(notices(world).first?.id)
        for action: Action in [
            .device(.drive(.open("sdb1"))), .device(.drive(.eject("sdb1"))), .notice(.open(id)),
            .notice(.press(notice: id, button: "open")),
        ] { #expect(world.act(action).refusals == [WhileLocked.refusal], "\(action)") }
        #expect(steps(world) == [])
        #expect(!world.controls.contains { "\($0.name)".contains("Stick") })
        world.unlock()
        #expect(notices(world).map(\.id) == [id] && world.finish() == [])
    }

    @Test("no app that shows folders: an alert says so. Several: the one that the person chose opens it")
    func apps() throws {
        var world = world(apps: [])
        world.send(.drives(.volumes([stick(mounted: "/media/Stick")])))
        world.act(.device(.drive(.open("sdb1"))))
        world.rest()
        #expect(world.interface.popover?.content == .alert(title: .message(.noAppOpens), message: .verbatim("/media/Stick")))
        world.act(.dismiss)
        var other = Self.files
        other.id = "other"
        other.command = ["other-folders"]
        world.send(.appsChanged([Self.files, other]))
        var facts = SettingFacts()
        facts.defaultApps[.folders] = ["gone", "other"]
        world.send(.settingFacts(facts))
        world.act(.device(.drive(.open("sdb1"))))
        #expect(launches(world).map(\.first) == ["other-folders"] && launches(world).last?.last == "/media/Stick")
    }

    @Test("an idiom that opens no apps refuses a drive") func kiosk() {
        var world = world(.kiosk)
        world.send(.drives(.volumes([stick()])))
        #expect(!world.act(.device(.drive(.open("sdb1")))).refusals.isEmpty && steps(world) == [])
        #expect(!world.act(.device(.drive(.eject("sdb1")))).refusals.isEmpty && steps(world) == [])
    }
}
